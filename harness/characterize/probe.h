/* Cases that are made to tell features apart: wide calls in which every output is an experiment of
 * its own, near the edges where choices differ. */
#ifndef LB_HARNESS_CHARACTERIZE_PROBE_H
#define LB_HARNESS_CHARACTERIZE_PROBE_H

#include "harness/characterize/probe_limit.h"
#include "harness/suite/case.h"

/* What a probe looks at. */
typedef enum lb_probe_kind {
    LB_PROBE_RESULT,   /* the way from an accumulator to the output */
    LB_PROBE_SUM,      /* accumulators past their widths, by about a thousand products */
    LB_PROBE_LONG_SUM, /* by about twelve thousand */
    LB_PROBE_RANDOM,   /* any case of the function */
    LB_PROBE_VAST_SUM, /* by about two hundred thousand */
    LB_PROBE_KINDS
} lb_probe_kind;

/* Probe number `seed` of this kind for the function; the same for the same arguments. Memory comes
 * from the arena. NULL: the function has none of that kind. */
lb_case *lb_probe_make(const lb_kernel *kernel, lb_probe_kind kind, uint64_t seed, lb_arena *arena);

/* Do sums of this family have limits on both sides? */
bool lb_probe_has_limits(int family);
/* Sums that pass the limits of a width where every addition saturates, and come back: results tell
 * where the limits lie. NULL: the function has no such sums, or they take too many products. */
lb_case *lb_probe_limit(const lb_kernel *kernel, const lb_probe_limits *limits, uint64_t seed,
                        lb_arena *arena);

#endif
