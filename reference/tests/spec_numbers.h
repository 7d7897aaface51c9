/* Examples of single numbers: primitives, accumulators, scales, limits. Spec: numerics.md 3 to 6,
 * encodings.md 5, float4.md 2. */
#ifndef LB_REFERENCE_TESTS_SPEC_NUMBERS_H
#define LB_REFERENCE_TESTS_SPEC_NUMBERS_H

#include "spec_examples.h"

#include "core/accumulator.h"
#include "core/arith.h"
#include "core/float4.h"
#include "core/formats.h"
#include "core/scale.h"

/* ---- numerics.md 3 ---- */

#define PRIMITIVE(name, expression)                                                                \
    static void do_##name(const task *t)                                                           \
    {                                                                                              \
        give(t, expression);                                                                       \
    }

PRIMITIVE(wrap, lb_wrap(integer(t, 0), small(t, 1)))
PRIMITIVE(sat, lb_sat(integer(t, 0), small(t, 1)))
PRIMITIVE(add, lb_add(integer(t, 0), integer(t, 1), small(t, 2)))
PRIMITIVE(sub, lb_sub(integer(t, 0), integer(t, 1), small(t, 2)))
PRIMITIVE(neg, lb_neg(integer(t, 0), small(t, 1)))
PRIMITIVE(abs, lb_abs(integer(t, 0), small(t, 1)))
PRIMITIVE(norm, lb_norm(integer(t, 0), small(t, 1)))
PRIMITIVE(shl, lb_shl(integer(t, 0), small(t, 1), small(t, 2)))
PRIMITIVE(asr, lb_asr(integer(t, 0), small(t, 1), small(t, 2)))
PRIMITIVE(rsh, lb_rsh(t->profile->rounding, integer(t, 0), small(t, 1), small(t, 2)))
PRIMITIVE(trunc_sat, lb_trunc_sat(integer(t, 0), small(t, 1), small(t, 2)))
PRIMITIVE(mulh, lb_mulh(integer(t, 0), integer(t, 1)))
PRIMITIVE(tdiv, lb_tdiv(integer(t, 0), integer(t, 1)))
PRIMITIVE(cast, lb_cast(t->profile->rounding, integer(t, 0), small(t, 1), small(t, 2), small(t, 3)))

static void do_norm_cast(const task *t)
{
    int k = 0;
    int64_t scaled = lb_norm_cast(t->profile->rounding, integer(t, 0), small(t, 1), &k);
    give_list(t, (const int64_t[]){scaled, k}, 2);
}

/* ---- numerics.md 4 ---- */

/* mac(operands, x, w, n): what the accumulator holds after n products. */
static void do_mac(const task *t)
{
    lb_acc acc = lb_acc_start(t->profile, operands(t, 0));
    for (int64_t i = 0; i < integer(t, 3); i++)
        lb_acc_mac(&acc, (int32_t)integer(t, 1), (int32_t)integer(t, 2));
    give(t, lb_acc_close(&acc, NULL));
}

PRIMITIVE(bias_fx,
          lb_bias_fx(t->profile->rounding, operands(t, 0), (int32_t)integer(t, 1), small(t, 2)))
PRIMITIVE(bias_sa, lb_bias_sa(t->profile, (int32_t)integer(t, 0)))

static void do_guard_bits(const task *t)
{
    static const char *const functions[] = {"mli_hlp_accu_guard_bits_sa8_sa8",
                                            "mli_hlp_accu_guard_bits_fx16_fx8",
                                            "mli_hlp_accu_guard_bits_fx16_fx16"};
    lb_call call = make_call(functions[operands(t, 0)]);
    assert_string_equal(run_call(t, &call), "");
    give(t, call.return_value);
}

/* ---- numerics.md 5, 6 ---- */

static void do_requant(const task *t)
{
    lb_requant r = lb_requant_params(t->profile->rounding, quant(t, 0), quant(t, 1));
    give_list(t, (const int64_t[]){r.scale, r.shift, r.offset}, 3);
}

static void do_multiplier(const task *t)
{
    lb_ratio ratio = lb_output_ratio(t->profile->rounding, quant(t, 0), quant(t, 2));
    lb_multiplier m = lb_output_multiplier(t->profile, ratio, quant(t, 1));
    give_list(t, (const int64_t[]){m.mul, m.shift}, 2);
}

static lb_multiplier multiplier(const task *t, int i)
{
    const spec_value *v = t->e->argument[i];
    return (lb_multiplier){v->item[0]->integer, (int32_t)v->item[1]->integer};
}

PRIMITIVE(result_cast,
          lb_result_cast(t->profile, integer(t, 0), multiplier(t, 1), (int32_t)integer(t, 2)))
PRIMITIVE(recurrent_cast_fx, lb_recurrent_cast_fx(t->profile->rounding, integer(t, 0),
                                                  (int)integer(t, 1), (int)integer(t, 2)))
PRIMITIVE(recurrent_cast_sa,
          lb_recurrent_cast_sa(t->profile->rounding, integer(t, 0), multiplier(t, 1)))
PRIMITIVE(sa8_to_fx,
          lb_sa8_to_fx(t->profile->rounding, (int32_t)integer(t, 0), (int32_t)integer(t, 1),
                       (int32_t)integer(t, 2), small(t, 3), small(t, 4)))
PRIMITIVE(sa8_to_fx16, lb_sa8_to_fx16_unshifted((int32_t)integer(t, 0), (int32_t)integer(t, 1),
                                                (int32_t)integer(t, 2)))
PRIMITIVE(fx_to_sa8,
          lb_fx_to_sa8(t->profile->rounding, integer(t, 0), small(t, 1), (int32_t)integer(t, 2)))

static void do_bias_scale_fits(const task *t)
{
    give_word(t, lb_bias_scale_fits(t->profile->rounding, quant(t, 0), quant(t, 1), quant(t, 2))
                     ? "true"
                     : "false");
}

static void do_relu_limits(const task *t)
{
    static const char *const names[] = {"none", "gen", "relu1", "relu6"};
    int32_t which = 0;
    while (which < 3 && strcmp(names[which], word(t, 0)) != 0)
        which++;
    assert_string_equal(names[which], word(t, 0));
    lb_limits limits = lb_relu_limits(which, lb_container_bits(type(t, 1)), quant(t, 2));
    give_list(t, (const int64_t[]){limits.low, limits.high}, 2);
}

/* ---- encodings.md 5, float4.md 2 ---- */

/* scale(real) = [mantissa, frac] */
static void do_scale(const task *t)
{
    lb_scale pair;
    if (!lb_scale_from_real(t->e->argument[0]->number, &pair))
        give_word(t, "U_SCALE_RANGE");
    else
        give_list(t, (const int64_t[]){pair.mantissa, pair.frac}, 2);
}

PRIMITIVE(frac_bits,
          lb_frac_bits_of_range(t->e->argument[0]->number, t->e->argument[1]->number, small(t, 2)))

/* float4(real): its code */
static void do_float4(const task *t)
{
    float real = (float)t->e->argument[0]->number;
    uint32_t pattern;
    uint8_t code;
    memcpy(&pattern, &real, sizeof pattern);
    assert_true(lb_float4_from_float32(pattern, LB_NAN_DOCUMENT, &code));
    give(t, code);
}

#endif
