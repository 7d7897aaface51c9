/* How far an output tensor is from the real model, in steps of the output's format. */
#ifndef LB_HARNESS_TOLERANCE_H
#define LB_HARNESS_TOLERANCE_H

#include "image.h"
#include "reports/results.h"

/* Compares the port's elements of `role` with the real values (row-major, of the case's shape, unclamped), quantized without rounding to the
 * format that the exact model left in the tensor and clamped to the container. False where that has no meaning (rank 0, fp32, invalid scale). */
bool lb_tolerance_measure(const lb_instance *exact, const lb_instance *port, lb_role role, const double *real,
                          lb_tolerance *tolerance);

#endif
