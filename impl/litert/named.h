/* Any function of the interface by the name that it has in recorded cases (litert.21.2,
 * litert.22.10), whoever has its tensors and numbers: for ports and tests, which are given a name,
 * tensors by role and configuration by key. */
#ifndef LB_LITERT_NAMED_H
#define LB_LITERT_NAMED_H

#include "lb_litert.h"

/* Dense. */
typedef struct lb_litert_operand {
    int bits; /* of an element; 0: there is no such operand */
    int32_t rank, shape[LB_LITERT_MAX_RANK];
    void *data;
} lb_litert_operand;

typedef struct lb_litert_named_call {
    const char *function; /* "conv_2d_s8", "prepare_conv" */
    lb_litert_context ctx;
    void *owner; /* of what these give and take */
    lb_litert_operand (*operand)(void *owner, const char *role);
    double (*number)(void *owner, const char *key, double otherwise);
    const char *(*word)(void *owner, const char *key, const char *otherwise);
    void (*give)(void *owner, const char *key, int32_t number); /* what preparing makes */
} lb_litert_named_call;

typedef lb_litert_status lb_litert_named_fn(const lb_litert_named_call *call);

/* How one is called; and of kernels the bits of elements in and out. */
typedef struct lb_litert_named {
    const char *name;
    lb_litert_named_fn *call;
    int in_bits, out_bits;
    bool per_channel; /* has lists of a multiplier and a shift for each */
} lb_litert_named;

/* NULL: there is none of this name, or it is one of the fixed-point functions. */
const lb_litert_named *lb_litert_named_find(const char *name);

/* The fixed-point functions (litert.2, litert.3), by their names in recordings and in the
 * specification. */
typedef struct lb_litert_primitive {
    const char *recorded, *name; /* recorded "": it is not */
    /* of one element of each operand, and what the configuration adds; *second of those that have
     * two results */
    int64_t (*compute)(lb_litert_profile profile, const int64_t *a, int64_t *second);
    int count; /* of arguments */
    const char *keys[2], *second;
} lb_litert_primitive;

extern const lb_litert_primitive lb_litert_primitives[]; /* ended by one without a name */
const lb_litert_primitive *lb_litert_primitive_find(const char *recorded);

/* All elements of such a call, one by one. */
lb_litert_status lb_litert_primitive_call(const lb_litert_primitive *p,
                                          const lb_litert_named_call *call);

#endif
