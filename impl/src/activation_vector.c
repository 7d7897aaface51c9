/* Sigmoid and hyperbolic tangent of vectors (recurrent.md 4). */
#include "activation.h"

#include <string.h>

/* 8 bits: elements from which on a table of all 256 results pays; it costs about as much as so many
 * single ones. */
enum { MAP_PAYS = 64, CHUNK = 512 };

/* sa8: fractional bits between two entries of the table. */
enum { SA8_BITS = 8 };

struct lb_mli_quant lb_mli_activation_format(enum lb_mli_function function, enum lb_mli_kind kind)
{
    switch (kind) {
    case LB_MLI_FX8:
        return (struct lb_mli_quant){1, 0, 7};
    case LB_MLI_FX16:
        return (struct lb_mli_quant){1, 0, 15};
    default: /* 1.0 is one step above the largest container */
        return function == LB_MLI_SIGM ? (struct lb_mli_quant){1, -128, 8}
                                       : (struct lb_mli_quant){1, 0, 7};
    }
}

/* A shift count that does the same as any count further out: all of them are 0 or saturate there.
 */
static int32_t near_shift(int64_t shift)
{
    return (int32_t)(shift < -64 ? -64 : shift > 64 ? 64 : shift);
}

/* Argument of the look-up for an 8-bit container; fx8 has scale 1, zero point 0 and no shift. */
static int32_t argument(const struct lb_mli_activation *plan, int32_t container)
{
    return lb_mli_rsh32((container - plan->in.zero) * plan->in.scale, plan->in_shift, plan->round);
}

/* Result for a value of the table. fx8 rounds in 16 bits, sa8 in 32. */
static int32_t result(const struct lb_mli_activation *plan, int32_t value)
{
    if (plan->kind == LB_MLI_FX8)
        return lb_mli_sat8(lb_mli_rsh16(value, plan->out_shift, plan->round));
    return lb_mli_sat8((int64_t)lb_mli_rsh32(value, plan->out_shift, plan->round) + plan->out_zero);
}

static int32_t one_s8(const struct lb_mli_activation *plan, int32_t container)
{
    return result(plan, lb_mli_lookup_one(&plan->lookup, argument(plan, container), plan->round));
}

/* Results for all values. Rounding and saturation of result() are those of a conversion by a factor
 * of 1: where fx8 rounds in 16 bits, that shows in 8 no more. */
static void narrow(const struct lb_mli_activation *plan, const int16_t value[256], int8_t out[256])
{
    const int32_t mul_bits = 14; /* as the loop demands */
    if (plan->out_shift >= 0 && plan->out_shift + mul_bits < 32) {
        const struct lb_mli_convert q = {
            .to_zero = plan->out_zero, .mul = 1 << mul_bits, .shift = plan->out_shift + mul_bits};
        plan->loops->convert[LB_MLI_16BIT][LB_MLI_8BIT][plan->round](value, 256, &q, out);
        return;
    }
    for (int32_t i = 0; i < 256; i++)
        out[i] = (int8_t)result(plan, value[i]);
}

static void fill_map(struct lb_mli_activation *plan)
{
    int32_t x[256];
    int16_t value[256];
    for (int32_t i = 0; i < 256; i++)
        x[i] = (i + INT8_MIN - plan->in.zero) * plan->in.scale;
    plan->loops->lookup_scale[plan->round](x, 256, plan->in_shift);
    if (plan->lookup.packed)
        plan->loops->lookup_s32[plan->round](x, 256, &plan->lookup, value);
    else
        for (int32_t i = 0; i < 256; i++)
            value[i] = (int16_t)lb_mli_lookup_one(&plan->lookup, x[i], plan->round);
    narrow(plan, value, plan->map);
    plan->mapped = true;
}

void lb_mli_activation_plan(enum lb_mli_function function, enum lb_mli_kind kind,
                            const mli_lut *lut, struct lb_mli_quant in, uint64_t count,
                            enum lb_mli_round round, struct lb_mli_activation *plan)
{
    const struct lb_mli_quant format = lb_mli_activation_format(function, kind);
    const int64_t sa8_frac = (int64_t)lut->in_frac_bits + SA8_BITS;
    plan->kind = kind;
    plan->round = round;
    plan->in = in;
    plan->in_shift = kind == LB_MLI_SA8 ? near_shift(in.shift - sa8_frac) : 0;
    plan->out_shift =
        kind == LB_MLI_SA8 ? near_shift((int64_t)lut->out_frac_bits - format.shift) : 8;
    plan->out_zero = format.zero;
    plan->loops = lb_mli_loops();
    plan->mapped = false;
    lb_mli_lookup_plan(lut, kind == LB_MLI_SA8 ? sa8_frac : in.shift, count, &plan->lookup);
    if (kind != LB_MLI_FX16 && count >= MAP_PAYS)
        fill_map(plan);
}

static void run_s16(const struct lb_mli_activation *plan, const int16_t *in, size_t n, int16_t *out)
{
    if (plan->lookup.packed) {
        plan->loops->lookup_s16[plan->round](in, 0, n, &plan->lookup, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)lb_mli_lookup_one(&plan->lookup, in[i], plan->round);
}

static void run_s8(const struct lb_mli_activation *plan, const int8_t *in, size_t n, int8_t *out)
{
    if (plan->mapped) {
        plan->loops->lut8(in, n, plan->map, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = (int8_t)one_s8(plan, in[i]);
}

static void run_apart(const struct lb_mli_activation *plan, const void *in, size_t n, void *out)
{
    if (plan->kind == LB_MLI_FX16)
        run_s16(plan, in, n, out);
    else
        run_s8(plan, in, n, out);
}

void lb_mli_activation_run(const struct lb_mli_activation *plan, const void *in, size_t n,
                           void *out)
{
    if (in != out) {
        run_apart(plan, in, n, out);
        return;
    }
    const size_t size = plan->kind == LB_MLI_FX16 ? 2 : 1;
    int16_t copy[CHUNK];
    for (size_t at = 0; at < n; at += CHUNK) {
        const size_t part = lb_mli_min_size(n - at, CHUNK);
        memcpy(copy, (const char *)in + at * size, part * size);
        run_apart(plan, copy, part, (char *)out + at * size);
    }
}
