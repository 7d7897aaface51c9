/* The look-up, with and without interpolation. Spec: recurrent.md 4, elementwise.md 6; what other
 * platforms do: features.md 15. */
#include "lut.h"

#include "num.h"

#include <math.h>
#include <stddef.h>

/* The table as the platform has it: of the kind, with every second entry, or with twice as many. */
typedef struct shape {
    lb_lut_kind kind;
    const lb_profile *profile;
    uint8_t size; /* lb_table_size; 0: as it is */
    int32_t length, in_frac_bits, offset;
} shape;

static shape shape_of(lb_lut_kind kind, const lb_profile *profile)
{
    const lb_lut *lut = &lb_luts[kind];
    shape t = {.kind = kind,
               .profile = profile,
               .size = profile->at.value[LB_FEATURE_TABLE],
               .length = lut->length,
               .in_frac_bits = lut->in_frac_bits,
               .offset = lut->input_offset};
    if (t.size == LB_TABLE_HALF) {
        t.length = (lut->length + 1) / 2;
        t.in_frac_bits = lut->in_frac_bits - 1;
        t.offset = lut->input_offset / 2;
    } else if (t.size == LB_TABLE_DOUBLE) {
        t.length = 2 * lut->length - 1;
        t.in_frac_bits = lut->in_frac_bits + 1;
        t.offset = 2 * lut->input_offset;
    }
    return t;
}

/* The function of a table, rounded to its output's format: the formula of its entries. */
static int64_t function_at(lb_lut_kind kind, double x)
{
    double one = ldexp(1.0, lb_luts[kind].out_frac_bits);
    switch (kind) {
    case LB_LUT_SIGM:
        x = 1.0 / (1.0 + exp(-x));
        break;
    case LB_LUT_TANH:
        x = tanh(x);
        break;
    case LB_LUT_SOFTMAX:
        x = exp(x);
        break;
    default:
        x = x > 0.0 ? 1.0 / sqrt(x) : 1.0;
        break;
    }
    double y = floor(x * one + 0.5);
    return y > 32767.0 ? 32767 : y < -32768.0 ? -32768 : (int64_t)y;
}

/* From the table of the spec, or from one of another size. */
static lb_num entry_at(lb_steps *s, const shape *t, lb_num i, lb_site site, lb_site other)
{
    if (t->size == 0)
        return lb_num_lookup(s, t->kind, i, site);
    /* A fault may have left out the limits of the index. */
    int64_t at = i.v < 0 ? 0 : i.v < t->length ? i.v : t->length - 1;
    int64_t entry = t->size == LB_TABLE_HALF
                        ? lb_luts[t->kind].table[2 * at]
                        : function_at(t->kind, ldexp((double)(at - t->offset), -t->in_frac_bits));
    return lb_num_copy(s, lb_num_const(entry), other);
}

static lb_num clamp(lb_steps *s, lb_num v, int64_t low, int64_t high, lb_site site)
{
    lb_num at_least = lb_num_max(s, v, lb_num_const(low), LB_SITE_NOT_BELOW_ITS_LEAST);
    return lb_num_min(s, at_least, lb_num_const(high), site);
}

/* Between two entries a value falls by no more than anywhere, and lies between two of them. */
static void say_between(lb_steps *s, lb_lut_kind kind, lb_num fall, lb_num part, lb_num value)
{
    const lb_lut *lut = &lb_luts[kind];
    int64_t low = INT64_MAX, high = INT64_MIN, least = lut->table[0], most = least;
    for (int32_t i = 0; i + 1 < lut->length; i++) {
        const int64_t next = lut->table[i + 1], by = lut->table[i] - next;
        low = by < low ? by : low;
        high = by > high ? by : high;
        least = next < least ? next : least;
        most = next > most ? next : most;
    }
    lb_num_lies(s, fall, low, high);
    lb_num_lies(s, part, low < 0 ? low : 0, high > 0 ? high : 0);
    lb_num_lies(s, value, least, most);
}

/* interp(x, k), 1 <= k <= 15: recurrent.md 4. QUIRK: the low bits of x count outside the table too.
 */
static lb_num interpolate(lb_steps *s, const shape *t, lb_num x, lb_num k)
{
    lb_num whole = lb_num_asr(s, x, k, 32, LB_SITE_WHOLE_INTERVALS);
    lb_num rest = lb_num_mod(s, x, k, LB_SITE_PLACE_INSIDE_THE_INTERVAL);
    lb_num place = lb_num_add(s, whole, lb_num_const(t->offset), 0, LB_SITE_ENTRY_OF_THE_TABLE);
    bool outside = place.v < 0 || place.v > t->length - 2;
    if (outside && t->profile->at.value[LB_FEATURE_TABLE_ENDS] == LB_TABLE_ENDS_CLAMPED) {
        return entry_at(s, t, clamp(s, place, 0, t->length - 1, LB_SITE_AN_END_OF_THE_TABLE),
                        LB_SITE_ITS_ENTRY, LB_SITE_OTHER_ITS_ENTRY);
    }
    lb_num i = clamp(s, place, 0, t->length - 2, LB_SITE_I_AN_INTERVAL_OF_THE_TABLE);
    lb_num next = lb_num_add(s, i, lb_num_const(1), 0, LB_SITE_I_PLUS_1);
    lb_num from = entry_at(s, t, i, LB_SITE_T_I, LB_SITE_OTHER_T_I);
    lb_num to = entry_at(s, t, next, LB_SITE_T_I_PLUS_1, LB_SITE_OTHER_T_I_PLUS_1);
    lb_num fall = lb_num_sub(s, from, to, 0, LB_SITE_FALL_OVER_THE_INTERVAL);
    lb_num product = lb_num_mul(s, fall, rest, LB_SITE_FALL_TIMES_PLACE);
    lb_num part =
        lb_num_rsh(s, lb_table_rounding(t->profile), product, k, 32, LB_SITE_FALL_UP_TO_THE_PLACE);
    lb_num kept = lb_num_sat(s, part, 16, LB_SITE_KEPT_WITHIN_ITS_WIDTH);
    lb_num value = lb_num_sub(s, from, kept, 0, LB_SITE_INTERPOLATED_VALUE);
    if (s && s->demanded && t->size == 0)
        say_between(s, t->kind, fall, part, value);
    return value;
}

/* One entry, without interpolation (features.md 15). */
static lb_num one_entry(lb_steps *s, const shape *t, lb_num x, lb_num k)
{
    if (t->profile->at.value[LB_FEATURE_INTERPOLATION] == LB_INTERPOLATION_NEAREST) {
        lb_num half = lb_num_const((int64_t)1 << (k.v - 1));
        x = lb_num_add(s, x, half, 32, LB_SITE_X_AND_HALF_AN_INTERVAL);
    }
    lb_num whole = lb_num_asr(s, x, k, 32, LB_SITE_WHOLE_INTERVALS);
    lb_num place = lb_num_add(s, whole, lb_num_const(t->offset), 0, LB_SITE_ENTRY_OF_THE_TABLE);
    return entry_at(s, t, clamp(s, place, 0, t->length - 1, LB_SITE_I_AN_ENTRY_OF_THE_TABLE),
                    LB_SITE_T_I, LB_SITE_OTHER_T_I);
}

lb_num lb_num_lut(lb_steps *s, lb_lut_kind kind, const lb_profile *profile, lb_num x, lb_num frac)
{
    shape t = shape_of(kind, profile);
    if (t.size == LB_TABLE_COMPUTED) {
        int64_t y = function_at(kind, ldexp((double)x.v, (int)-frac.v));
        return lb_num_copy(s, lb_num_const(y), LB_SITE_THE_FUNCTION_ITSELF_ROUNDED);
    }
    lb_num d = lb_num_sub(s, frac, lb_num_const(t.in_frac_bits), 0,
                          LB_SITE_D_FRACTIONAL_BITS_BEYOND_THE_TABLES);
    if (d.v > 0) {
        /* QUIRK: the shift in front stops at 15, so more than 30 bits of difference act as 30. */
        lb_num beyond = lb_num_sub(s, d, lb_num_const(15), 0, LB_SITE_BITS_BEYOND_15);
        /* Words of its own: this is not the limit of an index. */
        lb_num at_least =
            lb_num_max(s, beyond, lb_num_const(0), LB_SITE_SHIFT_IN_FRONT_NOT_NEGATIVE);
        lb_num before = lb_num_min(s, at_least, lb_num_const(15), LB_SITE_SHIFT_IN_FRONT);
        lb_num k = lb_num_min(s, d, lb_num_const(15), LB_SITE_K_BITS_OF_INTERPOLATION);
        lb_num_lies(s, beyond, 1 - 15, INT64_MAX);
        lb_num_lies(s, k, 1, 15);
        x = lb_num_asr(s, x, before, 32, LB_SITE_X_SHIFTED_IN_FRONT);
        return profile->at.value[LB_FEATURE_INTERPOLATION] != 0 ? one_entry(s, &t, x, k)
                                                                : interpolate(s, &t, x, k);
    }
    lb_num left = lb_num_sub(s, lb_num_const(0), d, 0, LB_SITE_SHIFT_TO_THE_LEFT);
    lb_num_lies(s, left, 0, INT64_MAX);
    lb_num wide = lb_num_shl(s, x, left, 32, LB_SITE_X_IN_STEPS_OF_THE_TABLE);
    lb_num place = lb_num_add(s, wide, lb_num_const(t.offset), 32, LB_SITE_ENTRY_OF_THE_TABLE);
    return entry_at(s, &t, clamp(s, place, 0, t.length - 1, LB_SITE_I_AN_ENTRY_OF_THE_TABLE),
                    LB_SITE_T_I, LB_SITE_OTHER_T_I);
}

int64_t lb_lut_lookup(lb_lut_kind kind, lb_rounding rounding, int64_t x, int frac)
{
    const lb_profile profile = {.rounding = rounding};
    return lb_num_lut(NULL, kind, &profile, lb_num_const(x), lb_num_const(frac)).v;
}
