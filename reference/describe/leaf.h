/* Leaves: the numbers of a call that descriptions speak of, as data. Index maps (map.h) multiply
 * them with loops, checks (check.h) hold sums of them to a limit. A leaf says which number; a call
 * says how much it is. Nothing is identified by a name or by an address. */
#ifndef LB_REFERENCE_DESCRIBE_LEAF_H
#define LB_REFERENCE_DESCRIBE_LEAF_H

#include "kernels.h"

typedef struct lb_map lb_map;

typedef enum lb_leaf_kind {
    LB_LEAF_NONE,     /* in a product: 1; elsewhere: there is none */
    LB_LEAF_NUMBER,   /* a constant of the formula: `at` */
    LB_LEAF_EXTENT,   /* shape[dim] of the role; 1 beyond its rank */
    LB_LEAF_STRIDE,   /* mem_stride[dim] of the role, in elements; 0 beyond its rank */
    LB_LEAF_INNER,    /* elements of the role at one index of `dim`, in row-major order */
    LB_LEAF_MANY,     /* 0 where the role is one element that serves all, else 1 */
    LB_LEAF_PER_AXIS, /* 1 where the role's parameters are lists along `dim`, else 0 */
    LB_LEAF_CONFIG,   /* a field of the configuration: `at` is its offset in lb_config, `type` its
                         lb_field_type; of a list entry `dim` */
    LB_LEAF_DERIVED,  /* number `at` of the map's derived ones, for dimension `dim` */
    LB_LEAF_REPEATED, /* 0 where the dimension has one index, which serves all of them, else 1 */
    /* Of checks. Leaves of a tensor: `at` is its place in the list of the role. */
    LB_LEAF_RANK,
    LB_LEAF_COUNT, /* of elements: the product of the extents, cut to LB_MOST_COUNT */
    LB_LEAF_TYPE,  /* its element type */
    LB_LEAF_FRAC_BITS,
    LB_LEAF_AXIS,         /* of its quantization parameters; below 0: per tensor, or none at all */
    LB_LEAF_GIVEN,        /* 1: it is there, 0: NULL was passed */
    LB_LEAF_CONFIG_GIVEN, /* the same of the configuration */
    LB_LEAF_KERNEL_SIZE, /* what the function is made for; 0: any. Of the function: never changes */
    LB_LEAF_ASKED_TYPE,  /* the element type that the function's variant gives the role: likewise */
    /* What checks in C look at beside these. */
    LB_LEAF_DATA_GIVEN, /* 1: it has a data pointer */
    LB_LEAF_CAPACITY,   /* of its data, in bytes */
    LB_LEAF_SCALE,      /* of entry `dim` of its parameters */
    LB_LEAF_ZERO_POINT,
    LB_LEAF_SCALE_FRAC_BITS,
    LB_LEAF_LIST_CAPACITY, /* of the lists of parameters: `dim` 0 scale, 1 zero point, 2 bits */
    LB_LEAF_LIES_ON        /* 1: its data begin where those of the role `dim` do */
} lb_leaf_kind;

/* Which dimension a leaf asks. */
typedef enum lb_leaf_by {
    LB_BY_ITSELF, /* `dim` */
    LB_BY_ORDER,  /* perm_dim[dim]; beyond the rank of the role `in`: neutral */
    LB_BY_PLACE,  /* the entry of perm_dim that is dim; likewise */
    LB_BY_COUNT,  /* `dim`; from coord_num on: neutral */
    /* `dim`, where it is ...; else neutral: */
    LB_IF_AXIS,      /* the axis of the configuration */
    LB_IF_OTHER,     /* no axis */
    LB_IF_GROUP,     /* the axis; any dimension where the axis is -1 */
    LB_IF_NOT_GROUP, /* another one than the axis; none where that is -1 */
    LB_IF_LISTED,    /* an element of the role `axis`, counted from the end if it is below 0 */
    LB_IF_UNLISTED,  /* none of them */
    LB_BY_END,       /* `dim` of four, of which the last is the tensor's last */
    /* Of checks: */
    LB_BY_FIELD,     /* `dim`, whatever the rank: what stands in the field */
    LB_BY_INNERMOST, /* the last one; a tensor of rank 0 has the stride 1 there */
    LB_BY_EACH,      /* the one that a condition for each dimension is at, by its field */
    LB_BY_NEXT       /* the one behind it; 1 where there is none */
} lb_leaf_by;

/* As `dim` of a leaf of lb_derived: the dimension for which it is asked. */
enum { LB_DIM_ASKED = -1 };

static const int64_t LB_MOST_COUNT = (int64_t)1 << 48;

typedef struct lb_leaf {
    uint8_t kind; /* lb_leaf_kind */
    uint8_t by;   /* lb_leaf_by */
    int8_t role;
    int8_t dim;
    int16_t at;
    uint8_t type;
} lb_leaf;

/* A number made of two leaves; earlier ones of the map may be asked. */
typedef enum lb_derivation {
    LB_QUOTIENT,    /* of / by, rounded down; 0 where `by` is 0 */
    LB_QUOTIENT_UP, /* rounded up; of numbers below 0: -1 */
    LB_SUM,
    LB_DIFFERENCE,
    LB_PRODUCT,
    LB_OR /* of, or, where it is 0, by */
} lb_derivation;
typedef struct lb_derived {
    const char *label;
    lb_leaf of, by;
    lb_derivation how;
} lb_derived;

/* The dimension, of its tensor or list, that a leaf asks in a call, however it asks (`by`, up to
 * LB_BY_END); -1: none of the call's. The roles that it asks, and `in`, must not be NULL. */
int lb_leaf_dimension(const lb_call *call, lb_leaf leaf);

/* The value of a leaf in a call. The roles that it asks must not be NULL. `map` may be NULL for
 * leaves that are not derived. */
int64_t lb_leaf_value(const lb_map *map, const lb_call *call, lb_leaf leaf);

/* What its type can hold. */
typedef struct lb_leaf_range {
    int64_t low, high;
} lb_leaf_range;
lb_leaf_range lb_leaf_type_range(lb_leaf leaf);

/* Is it a number of a tensor, so that the role must be there? */
static inline bool lb_leaf_is_of_tensor(lb_leaf leaf)
{
    static const uint32_t others = 1u << LB_LEAF_NONE | 1u << LB_LEAF_NUMBER |
                                   1u << LB_LEAF_CONFIG | 1u << LB_LEAF_DERIVED |
                                   1u << LB_LEAF_GIVEN | 1u << LB_LEAF_CONFIG_GIVEN |
                                   1u << LB_LEAF_KERNEL_SIZE | 1u << LB_LEAF_ASKED_TYPE;
    return !(others >> leaf.kind & 1);
}

static inline lb_leaf lb_leaf_of_field(const lb_config_field *field, unsigned entry)
{
    return (lb_leaf){.kind = LB_LEAF_CONFIG,
                     .dim = (int8_t)entry,
                     .at = (int16_t)field->offset,
                     .type = (uint8_t)field->type};
}
static inline bool lb_leaf_is(lb_leaf a, lb_leaf b)
{
    return a.kind == b.kind && a.by == b.by && a.role == b.role && a.dim == b.dim && a.at == b.at &&
           a.type == b.type;
}

#endif
