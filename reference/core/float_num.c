/* Named operations in single precision. Spec: numerics.md 7.3. */
#include "float_num.h"

#include <math.h>
#include <string.h>

static int64_t pattern_of(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

lb_num lb_float_const(float value)
{
    return lb_num_const(pattern_of(value));
}

float lb_float_of(lb_num a)
{
    int32_t bits = (int32_t)a.v;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

lb_num lb_float_from(lb_steps *steps, lb_num a, lb_site site)
{
    return lb_num_done(steps, LB_STEP_FLOAT, 1, a, a, 0, pattern_of((float)a.v), site);
}

lb_num lb_float_div(lb_steps *steps, lb_num a, lb_num b, lb_site site)
{
    return lb_num_done(steps, LB_STEP_FDIV, 2, a, b, 0, pattern_of(lb_float_of(a) / lb_float_of(b)),
                       site);
}

lb_num lb_float_mul(lb_steps *steps, lb_num a, lb_num b, lb_site site)
{
    return lb_num_done(steps, LB_STEP_FMUL, 2, a, b, 0, pattern_of(lb_float_of(a) * lb_float_of(b)),
                       site);
}

lb_num lb_float_add(lb_steps *steps, lb_num a, lb_num b, lb_site site)
{
    return lb_num_done(steps, LB_STEP_FADD, 2, a, b, 0, pattern_of(lb_float_of(a) + lb_float_of(b)),
                       site);
}

lb_num lb_float_scale(lb_steps *steps, lb_num a, lb_num n, lb_site site)
{
    return lb_num_done(steps, LB_STEP_FSCALE, 2, a, n, 0,
                       pattern_of(ldexpf(lb_float_of(a), lb_num_count(n))), site);
}

static int32_t truncate(float u)
{
    if (isnan(u))
        return 0;
    if (u >= 2147483648.0f)
        return INT32_MAX;
    return u < -2147483648.0f ? INT32_MIN : (int32_t)u;
}

lb_num lb_float_truncate(lb_steps *steps, lb_num a, lb_site site)
{
    return lb_num_done(steps, LB_STEP_FTRUNC, 1, a, a, 0, truncate(lb_float_of(a)), site);
}
