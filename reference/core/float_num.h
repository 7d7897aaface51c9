/* Named operations in single precision, for conversion from and to fp32: an lb_num whose value is a
 * binary32 pattern. Each operation is rounded by itself; steps may be NULL. Spec: numerics.md 7.3.
 */
#ifndef LB_REFERENCE_FLOAT_NUM_H
#define LB_REFERENCE_FLOAT_NUM_H

#include "num.h"

lb_num lb_float_const(float value);
float lb_float_of(lb_num a);
/* An integer, rounded to nearest even. */
lb_num lb_float_from(lb_steps *steps, lb_num a, lb_site site);
lb_num lb_float_div(lb_steps *steps, lb_num a, lb_num b, lb_site site);
lb_num lb_float_mul(lb_steps *steps, lb_num a, lb_num b, lb_site site);
lb_num lb_float_add(lb_steps *steps, lb_num a, lb_num b, lb_site site);
/* a * 2^n */
lb_num lb_float_scale(lb_steps *steps, lb_num a, lb_num n, lb_site site);
/* To an int32, towards zero. Outside of int32 the spec leaves the result open: it saturates here,
 * and NaN is 0. */
lb_num lb_float_truncate(lb_steps *steps, lb_num a, lb_site site);

#endif
