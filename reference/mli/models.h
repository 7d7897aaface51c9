/* The models and rule lists of all families, as the rows of kernel_rows.h name them. Each family
 * has its files: exact_<family>.c, real_<family>.c, rules_<family>.c. A model finds its variant in
 * call->kernel. What an exact and a real model may rely on and what they give: kernels.h
 * (lb_exact_fn, lb_real_fn). */
#ifndef LB_REFERENCE_MODELS_H
#define LB_REFERENCE_MODELS_H

#include "describe/kernels.h"

#define ROW(NAME, FAMILY, VARIANT, SPECIAL, OPERATION, TYPES, SIZE, ROLES, CONFIG, STATUS, RULES,  \
            EXACT, REAL, REFUSED)                                                                  \
    extern const lb_rule lb_rules_##RULES[];                                                       \
    void lb_exact_##EXACT(const lb_context *context, lb_call *call);                               \
    void lb_real_##REAL(const lb_context *context, const lb_call *call, lb_real_outputs *outputs);
#include "kernel_rows.h"

/* The type is written before anything is checked: what a call writes that is refused. */
void lb_refused_create_lut(lb_call *call);

#endif
