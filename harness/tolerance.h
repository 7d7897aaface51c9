/* How far an output tensor is from the real model, and whether that is too far. */
#ifndef LB_HARNESS_TOLERANCE_H
#define LB_HARNESS_TOLERANCE_H

#include "derived_limit.h"
#include "image.h"
#include "metrics.h"

/* One output of the real model, in row-major order of the case's shape. */
typedef struct lb_real_output {
    const double *value; /* real numbers, unclamped; NAN: none */
    const lb_span *span; /* the same in containers */
} lb_real_output;

/* Compares the elements of `role` with the real model, in the format that the exact model left in the tensor; fills figures, and the
 * limit that is used up most, in `tolerance`, and what it means in *opinion: differs where a limit is exceeded; none where nothing, or not all,
 * could be judged (limit_source then says why, and limit_metric is "" if nothing was). Texts come from the arena.
 * False where there is nothing to compare (rank 0, fp32, invalid scale). */
bool lb_tolerance_measure(const lb_instance *exact, const lb_instance *port, lb_role role, lb_real_output real,
                          lb_arena *arena, lb_tolerance *tolerance, lb_opinion *opinion);

#endif
