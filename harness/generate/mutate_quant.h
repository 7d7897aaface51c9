/* Small changes to the quantization of a case: for mutate.c. */
#ifndef LB_HARNESS_GENERATE_MUTATE_QUANT_H
#define LB_HARNESS_GENERATE_MUTATE_QUANT_H

#include "harness/generate/random_build.h"

/* Any tensor of the case with its role; the first one of a role. NULL: there is none. */
lb_case_tensor *lb_mutate_any_tensor(lb_build *b, lb_role *role);
lb_case_tensor *lb_mutate_tensor_of(lb_build *b, lb_role role);
/* One list for every index of a dimension, all entries as the first; axis -1: back to one. */
void lb_mutate_set_axis(lb_build *b, lb_case_tensor *t, int axis);

/* Rows of the table of changes. */
void lb_mutate_change_zero_point(lb_build *b);
void lb_mutate_change_scale(lb_build *b);
void lb_mutate_change_frac(lb_build *b);
void lb_mutate_shift_formats(lb_build *b);
void lb_mutate_change_axis(lb_build *b);
void lb_mutate_fit_bias(lb_build *b);
void lb_mutate_fit_fx(lb_build *b);
void lb_mutate_aim_shift(lb_build *b);
void lb_mutate_per_channel(lb_build *b);
void lb_mutate_change_quant_capacity(lb_build *b);
void lb_mutate_share_quantization(lb_build *b);
void lb_mutate_share_operands(lb_build *b);

#endif
