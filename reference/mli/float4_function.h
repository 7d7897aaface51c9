/* What each extension for element formats does: shared by its model and its rules. Spec: float4.md.
 */
#ifndef LB_REFERENCE_FLOAT4_FUNCTION_H
#define LB_REFERENCE_FLOAT4_FUNCTION_H

#include "core/float4.h"
#include "describe/kernels.h"

typedef enum lb_float4_kind {
    LB_FLOAT4_CAST,
    LB_FLOAT4_PACK,
    LB_FLOAT4_UNPACK,
    LB_FLOAT4_MX_SCALES,
    LB_FLOAT4_MX_ELEMENTS
} lb_float4_kind;

typedef struct lb_float4_function {
    const char *name;
    lb_float4_kind kind;
    uint32_t in_type, out_type;
    lb_float_type from, to; /* of a cast */
    lb_nan_rule nan;
} lb_float4_function;

/* The function of a row of the table, or NULL. */
const lb_float4_function *lb_float4_function_of(const lb_kernel *kernel);

#endif
