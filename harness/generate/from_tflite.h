/* lastbit vectors from-tflite: a suite of the operators of a .tflite model. */
#ifndef LB_HARNESS_GENERATE_FROM_TFLITE_H
#define LB_HARNESS_GENERATE_FROM_TFLITE_H

#include "harness/tflite/model.h"
#include "reference/describe/kernels.h"

#include "reports/doc.h"

typedef struct lb_from_tflite {
    const lb_tflite_model *model;
    const lb_profile *profile; /* in which layers are fed, and scales become integers */
    lb_doc *doc;
    lb_doc *remarks;                 /* what gets no case, and why: a line each */
    size_t cases, operators_without; /* of the cases written, and of what the remarks are about */
} lb_from_tflite;

/* Writes a case for each operator that the kernel set has, fed by the cases before it, with what
 * the exact model gives in both profiles. Operators that it has not are noted in the remarks; what
 * they feed gets random numbers. */
void lb_write_tflite_cases(lb_from_tflite *f);

#endif
