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

/* How a function makes and takes codes, nibbles and scales, with one thing otherwise: an
 * edit, for kernels with a mistake. Each of its own: what a form does not name is as it should be.
 */
typedef enum lb_float4_form {
    LB_F4_RIGHT,
    LB_F4_TIES_AWAY,
    LB_F4_TIES_TO_ZERO,
    LB_F4_TRUNCATES,
    LB_F4_ROUNDS_UP,
    LB_F4_FLUSHES_HALF,
    LB_F4_FLUSHES_BELOW_ONE,
    LB_F4_BEYOND_IS_ZERO,
    LB_F4_BEYOND_WRAPS,
    LB_F4_ZERO_LOSES_SIGN,
    LB_F4_LOSES_SIGN,
    LB_F4_NAN_IS_ZERO,
    LB_F4_NAN_KEEPS_SIGN,
    LB_F4_NAN_OF_OTHER_RULE,
    LB_F4_NAN_SIGN_AS_IS,
    LB_F4_NAN_SIGN_IGNORED,
    LB_F4_THROUGH_BFLOAT16,
    LB_F4_THROUGH_FLOAT16,
    LB_F4_HALF_IS_ZERO,
    LB_F4_HALF_IS_NORMAL,
    LB_F4_ZERO_IS_HALF,
    LB_F4_FIRST_IN_HIGH_BITS,
    LB_F4_ODD_REPEATED,
    LB_F4_ODD_KEPT,
    LB_F4_ODD_ALL_ONES,
    LB_F4_SIGN_NOT_EXTENDED,
    LB_F4_SIGN_EXTENDED,
    LB_F4_SCALE_NEAREST,
    LB_F4_SCALE_UP,
    LB_F4_SCALE_UP_BEYOND_LARGEST,
    LB_F4_SCALE_ONE_MORE,
    LB_F4_SCALE_ONE_LESS,
    LB_F4_SCALE_OF_SIGNED,
    LB_F4_SCALE_OF_FIRST,
    LB_F4_SCALE_OF_NEXT_BLOCK,
    LB_F4_SCALE_OF_HALF_BLOCKS,
    LB_F4_SCALE_NAN_IGNORED,
    LB_F4_SCALE_ZERO_IS_ZERO,
    LB_F4_RESULT_FLUSHED,
    LB_F4_RESULT_HELD,
    LB_F4_COUNT
} lb_float4_form;

/* Can the form show in the function? */
bool lb_float4_form_shows(const lb_kernel *kernel, lb_float4_form form);

/* The function of a row of the table, or NULL. */
const lb_float4_function *lb_float4_function_of(const lb_kernel *kernel);

#endif
