/* Index maps: which elements a function reads and writes, as data. A map has loops, first those of
 * the outputs in the order of stores, then those of a sum in the order of additions; and for each
 * operand an access, which says for each dimension what its index is as a sum of terms over loops
 * and leaves. Leaves are numbers of the call: extents, strides, fields of the configuration.
 *
 * A map is bound to a call before it is walked: its leaves become numbers. What a map says can be
 * asked (map_walk.h), run (the exact models of the families that have one), and edited: a copy with
 * one place changed is bound by the same code. Nothing is identified by a name or by an address. */
#ifndef LB_REFERENCE_DESCRIBE_MAP_H
#define LB_REFERENCE_DESCRIBE_MAP_H

#include "leaf.h"

enum {
    LB_MAP_LOOPS = 8,
    LB_MAP_TERMS = 6,
    LB_MAP_FACTORS = 2,
    LB_MAP_ACCESSES = 6,
    LB_MAP_DERIVED = 5
};

/* Ends of a dimension, as bits. */
enum { LB_END_BEFORE = 1, LB_END_BEHIND = 2, LB_END_ROUNDED_DOWN = 4 };

/* sign * loop * factors; the loop's number, or LB_NO_LOOP: 1 in its place. A sign of 0 ends the
 * terms. */
enum { LB_NO_LOOP = -1 };
typedef struct lb_term {
    int8_t sign, loop;
    lb_leaf times[LB_MAP_FACTORS];
} lb_term;

/* The index in one dimension: the sum of the terms; with a divisor its quotient, where that is a
 * whole number, and else nothing lies there. It lies inside from 0 to below the bound. Without a
 * bound the right map never leaves the tensor, and kernels do not look. The others are of edited
 * maps alone: so many at both ends count as outside too; the loops of the sum begin inside; or they
 * go through what lies inside from its first position on, so that the other operand is taken from
 * its first element on; what lies behind the end is read as if it were inside; a divisor counts
 * what lies outside at these ends; and of windows that an end cuts so many positions are left out
 * as if they were `cut_by` apart. */
typedef struct lb_index {
    const char *label; /* "row", "kernel row", ... */
    lb_term term[LB_MAP_TERMS];
    lb_leaf divisor, bound, stride;
    uint8_t cut_before, cut_behind;
    bool begins_inside, from_first_inside, reads_on;
    uint8_t counts, cuts; /* LB_END_* */
    lb_leaf cut_by;
} lb_index;

/* Elements of the tensor of a role. `is_flat`: of a dense tensor of any rank, by their row-major
 * number, which is the one index. `of_parameters`: its entries of quantization parameters, which
 * are one list. Rank 0: the map does not have this access. */
typedef struct lb_access {
    int8_t role;
    uint8_t rank;
    bool is_flat, of_parameters;
    lb_index index[LB_MAX_RANK];
} lb_access;

enum { LB_BUT_LAST = UINT8_MAX };
typedef struct lb_loop {
    const char *label;
    lb_leaf extent;
} lb_loop;

/* The roles that an access plays in a map: its place in `access`. */
typedef enum lb_map_access {
    LB_MAP_OUT,      /* what is stored */
    LB_MAP_X,        /* the terms of the sum (or of the maximum), or what a result is made of */
    LB_MAP_W,        /* what each is multiplied with; a second operand */
    LB_MAP_ADDEND,   /* what is added to the sum */
    LB_MAP_SCALE,    /* the entry of quantization parameters that a result is scaled with */
    LB_MAP_SCALE_OUT /* the entry of those of the result */
} lb_map_access;

struct lb_map {
    const char *section;  /* of the spec */
    uint8_t outer, loops; /* loops of the outputs, and all; the others are those of the sum */
    lb_loop loop[LB_MAP_LOOPS];
    lb_access access[LB_MAP_ACCESSES];
    lb_derived derived[LB_MAP_DERIVED];
    /* Of edited maps alone: in accesses leaves are asked of it, or, `of_addresses`, in all but what
     * lies inside the operand; and what of a loop lies behind whole blocks of so many positions is
     * left out (LB_BUT_LAST: the last one), though a divisor counts it. */
    const lb_config *of_indices;
    bool of_addresses;
    uint8_t blocks[LB_MAP_LOOPS];
};

/* The map of a function, or NULL: it is not described by one. */
const lb_map *lb_map_of(const lb_kernel *kernel);
/* The one that a model runs: the context's, or the function's own. */
static inline const lb_map *lb_map_in(const lb_context *context, const lb_kernel *kernel)
{
    return context->map ? context->map : lb_map_of(kernel);
}

/* Does the index depend on the loop? */
static inline bool lb_index_follows(const lb_index *index, int loop)
{
    for (unsigned t = 0; t < LB_MAP_TERMS && index->term[t].sign != 0; t++)
        if (index->term[t].loop == loop)
            return true;
    return false;
}

/* Is the index that of a block times its size, and behind it that within the block? */
static inline bool lb_index_in_blocks(const lb_index *index)
{
    const lb_term *term = index->term;
    return term[0].sign == 1 && term[0].loop != LB_NO_LOOP &&
           term[0].times[0].kind != LB_LEAF_NONE && term[1].sign == 1 &&
           term[1].loop != LB_NO_LOOP && term[1].times[0].kind == LB_LEAF_NONE;
}

/* ---- Bound to a call ---- */

/* base + the sum of step * position of a loop, over the divisor. */
typedef struct lb_bound_index {
    int64_t base, divisor, low, bound, stride; /* it lies inside from low to below bound */
    uint8_t follows;                           /* a bit for each loop that it depends on */
    bool is_watched;                           /* it can lie outside, or between */
    uint8_t count;                             /* of loops that it depends on */
    uint8_t not_below_0;  /* before this one of them is added; LB_MAP_LOOPS: nowhere */
    uint8_t counts, cuts; /* of lb_index */
    int64_t cut_by;
    int64_t window; /* how long it is, where its first position inside is its first; 0: it is not */
    uint8_t loop[LB_MAP_LOOPS];
    int64_t step[LB_MAP_LOOPS];
} lb_bound_index;

typedef struct lb_bound_access {
    uint8_t rank;
    bool is_spread; /* some index has a divisor: what lies between elements has no place */
    uint8_t front;  /* indices in front of those of the tensor, which are its last (LB_BY_END) */
    lb_bound_index index[LB_MAX_RANK];
} lb_bound_access;

typedef struct lb_bound_map {
    uint8_t outer, loops;
    uint32_t extent[LB_MAP_LOOPS], lost[LB_MAP_LOOPS]; /* positions behind it: left out */
    bool counts_others; /* a divisor counts more than what lies inside */
    lb_bound_access access[LB_MAP_ACCESSES];
} lb_bound_map;

/* The tensors that the map asks must not be NULL. False, and the bound map means nothing: an extent
 * is below 0 or above 2^32 - 1, or a divisor is below 1. Never false for the maps of lb_map_of and
 * calls whose rules have passed. */
bool lb_map_bind(lb_bound_map *bound, const lb_map *map, const lb_call *call);

#endif
