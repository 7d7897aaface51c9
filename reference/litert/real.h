/* The kernels of LiteRT in real arithmetic: what an output would be if a multiplier and a shift
 * were the real number multiplier * 2^(shift - 31) (litert.2.3), exp were exp, and nothing were
 * rounded on the way; and between which numbers the integer result must lie, whichever way it
 * rounds.
 *
 * A model has its own geometry and none of the integer arithmetic: it finds what an exact model or
 * an implementation could share as a mistake. It takes a call as the recordings have it
 * (litert.21): tensors by role, configuration by field. */
#ifndef LB_REFERENCE_LITERT_REAL_H
#define LB_REFERENCE_LITERT_REAL_H

#include "core/span.h"
#include "describe/kernels.h"

#include <stddef.h>

enum { LB_LITE_RANK = 8 };

/* A tensor of a call: its containers, dense, the last dimension fastest. */
typedef struct lb_lite_tensor {
    int bits; /* of a container */
    int rank;
    int64_t shape[LB_LITE_RANK];
    const double *values;
    size_t count;
} lb_lite_tensor;

/* What all elements of a row share; a model fills it at the first that it meets. */
typedef struct lb_lite_row {
    int64_t first; /* its first element; -1: none is known yet */
    double highest, sum, counted;
} lb_lite_row;

typedef struct lb_lite_call {
    const char *function;                /* "litert_conv_2d_s8" */
    bool single;                         /* the profile: litert-single (litert.1.4) */
    lb_lite_tensor input[LB_ROLE_COUNT]; /* values NULL: not given */
    lb_lite_tensor out;                  /* without values */
    double key[LB_LITE_FIELD_COUNT];
    lb_lite_row *row; /* of the models' own; lb_lite_real sets it */
} lb_lite_call;

/* Fills spans, one for each element of `out`, in steps of its format: the real number, and the ends
 * between which integer results lie (low and high; from and to are the same). False: there is no
 * model of this function (primitives and preparation have none). The call must be one that is
 * defined (litert.1.5), with all roles and fields of litert.21.2. */
bool lb_lite_real(const lb_lite_call *call, lb_span *spans);

#endif
