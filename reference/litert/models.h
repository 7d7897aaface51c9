/* The models of LiteRT's kernels, from its rows, and what models ask of a row. */
#ifndef LB_REFERENCE_LITERT_MODELS_H
#define LB_REFERENCE_LITERT_MODELS_H

#include "fields.h"

/* Does the configuration of the function have the field? */
bool lb_lite_has_field(const lb_kernel *kernel, lb_lite_field field);
/* What a field that is a zero point, or minus one, or a limit can be (litert.1.3, litert.1.5);
 * false: it is something else. */
bool lb_lite_type_range(const lb_kernel *kernel, lb_lite_field field, int64_t *low, int64_t *high);

#define LB_LITE_EXACT(name, family, in, out, roles, kind, rules, map, exact, real)                 \
    void lb_lite_exact_##exact(const lb_context *context, lb_call *call);
LB_LITE_KERNELS(LB_LITE_EXACT)
LB_LITE_FIXED_POINT(LB_LITE_EXACT)

/* In real arithmetic (real.h): of all that are no fixed-point functions. */
void lb_lite_real_model(const lb_context *context, const lb_call *call, lb_real_outputs *outputs);

#endif
