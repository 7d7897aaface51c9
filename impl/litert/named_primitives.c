/* The fixed-point functions by name: see named.h. */
#include "named.h"

#include "fixed.h"

#include <string.h>

static int64_t srdhm(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_srdhm((int32_t)a[0], (int32_t)a[1]);
}

static int64_t srdhm16(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_srdhm16((int32_t)a[0], (int32_t)a[1]);
}

static int64_t rdiv(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_rdiv((int32_t)a[0], (int)a[1]);
}

static int64_t scale32(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)second;
    return lb_litert_scale32(profile, (int32_t)a[0], (int32_t)a[1], (int32_t)a[2]);
}

static int64_t scale64(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_scale64(a[0], (int32_t)a[1], (int32_t)a[2]);
}

static int64_t exp_quarter(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_exp_quarter((int32_t)a[0]);
}

static int64_t exp_neg5(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_exp_neg((int32_t)a[0], 26);
}

static int64_t exp_neg4(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_exp_neg((int32_t)a[0], 27);
}

static int64_t one_over(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_one_over_one_plus((int32_t)a[0]);
}

static int64_t one_minus_over(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_one_minus_over_one_plus((int32_t)a[0]);
}

static int64_t logistic4(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_logistic4((int32_t)a[0]);
}

static int64_t tanh4(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_tanh4((int32_t)a[0]);
}

static int64_t reciprocal(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    int bits_over_unit;
    int32_t r = lb_litert_reciprocal((int32_t)a[0], &bits_over_unit);
    (void)profile;
    *second = bits_over_unit;
    return r;
}

static int64_t inverse_root(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    lb_litert_per_tensor_quant q = lb_litert_inverse_square_root((int32_t)a[0]);
    (void)profile;
    *second = q.shift;
    return q.multiplier;
}

const lb_litert_primitive lb_litert_primitives[] = {
    {"doubling_high_mul_s32", "srdhm", srdhm, 2, {0}, NULL},
    {"doubling_high_mul_s16", "srdhm16", srdhm16, 2, {0}, NULL},
    {"rounding_divide_by_pot_s32", "rdiv", rdiv, 2, {"exponent"}, NULL},
    {"", "rdiv16", rdiv, 2, {0}, NULL},
    {"scale_s32", "scale32", scale32, 3, {"multiplier", "shift"}, NULL},
    {"scale_smaller_than_one_s32", "scale_le1", scale32, 3, {"multiplier", "shift"}, NULL},
    {"scale_greater_than_one_s32", "scale_ge1", scale32, 3, {"multiplier", "shift"}, NULL},
    {"scale_s64", "scale64", scale64, 3, {"multiplier", "shift"}, NULL},
    {"", "exp_quarter", exp_quarter, 1, {0}, NULL},
    {"exp_on_negative_q5", "exp_neg5", exp_neg5, 1, {0}, NULL},
    {"exp_on_negative_q4", "exp_neg4", exp_neg4, 1, {0}, NULL},
    {"one_over_one_plus_x", "one_over_one_plus", one_over, 1, {0}, NULL},
    {"one_minus_x_over_one_plus_x", "one_minus_over_one_plus", one_minus_over, 1, {0}, NULL},
    {"logistic_q4", "logistic4", logistic4, 1, {0}, NULL},
    {"tanh_q4", "tanh4", tanh4, 1, {0}, NULL},
    {"reciprocal_q12", "reciprocal", reciprocal, 1, {0}, "bits_over_unit"},
    {"inverse_square_root", "inverse_square_root", inverse_root, 1, {0}, "shift"},
    {NULL, NULL, NULL, 0, {0}, NULL},
};

const lb_litert_primitive *lb_litert_primitive_find(const char *recorded)
{
    for (const lb_litert_primitive *p = lb_litert_primitives; p->name; p++)
        if (strcmp(p->recorded, recorded) == 0)
            return p;
    return NULL;
}

/* ---- All elements ---- */

static int64_t load(const lb_litert_operand *t, size_t i)
{
    return t->bits == 16   ? ((const int16_t *)t->data)[i]
           : t->bits == 32 ? ((const int32_t *)t->data)[i]
                           : ((const int64_t *)t->data)[i];
}

static void store(const lb_litert_operand *t, size_t i, int64_t value)
{
    if (t->bits == 16)
        ((int16_t *)t->data)[i] = (int16_t)value;
    else
        ((int32_t *)t->data)[i] = (int32_t)value;
}

lb_litert_status lb_litert_primitive_call(const lb_litert_primitive *p,
                                          const lb_litert_named_call *call)
{
    const lb_litert_operand b = call->operand(call->owner, "in2");
    const lb_litert_operand a = call->operand(call->owner, b.bits ? "in1" : "in");
    const lb_litert_operand out = call->operand(call->owner, "out");
    const lb_litert_operand other = p->second ? call->operand(call->owner, p->second) : b;
    size_t count = 1;
    for (int32_t d = 0; d < a.rank; d++)
        count *= (size_t)a.shape[d];
    for (size_t i = 0; i < count; i++) {
        int64_t of[4] = {load(&a, i), b.bits ? load(&b, i) : 0}, second = 0;
        for (int k = 0; k < 2 && p->keys[k]; k++)
            of[1 + k] = (int32_t)call->number(call->owner, p->keys[k], 0);
        store(&out, i, p->compute(call->ctx.profile, of, &second));
        if (p->second)
            store(&other, i, second);
    }
    return LB_LITERT_SUCCESS;
}
