/*
 * lookup.c: values out of look-up tables (recurrent.md 4, elementwise.md 6).
 */
#include "lookup.h"

/* Largest |offset| of a packed table. A left shift may then stop at 14 bits: 2^14 leads past both ends already. */
enum { OFFSET_MAX = 8192, LEFT_MAX = 14 };

bool lb_mli_lut_usable(const mli_lut *lut)
{
    return lut && lut->data.mem.pi16 && lut->length >= 2;
}

/* Steps from an entry to the next must fit 16 bits: only where they do not (in no table of create_lut) can the saturation
 * in an interpolation act, and the loops leave it out. */
static void pack(const mli_lut *lut, struct lb_mli_lookup *plan)
{
    const int16_t *table = plan->table;
    const int32_t end = lut->length - 1;
    int32_t steepest = 0;
    for (int32_t i = 0; i < end; i++) {
        const int32_t fall = table[i] - table[i + 1];
        steepest = lb_mli_max(steepest, fall < 0 ? -fall : fall);
        plan->pair[i] = (int32_t)((uint32_t)(uint16_t)table[i] << 16 | (uint16_t)table[i + 1]);
        plan->entry[i] = table[i];
        plan->fall[i] = (int16_t)fall;
    }
    if (steepest > INT16_MAX)
        return;
    plan->pair[end] = (int32_t)((uint32_t)(uint16_t)table[end] << 16); /* only without interpolation */
    plan->left = lb_mli_min(plan->left, LEFT_MAX);
    plan->packed = true;
}

void lb_mli_lookup_plan(const mli_lut *lut, int64_t frac, uint64_t count, struct lb_mli_lookup *plan)
{
    const int64_t bits = frac - lut->in_frac_bits;
    plan->table = lut->data.mem.pi16;
    plan->offset = lut->input_offset;
    plan->last = lut->length - (bits > 0 ? 2 : 1);
    plan->left = bits > 0 ? 0 : (int32_t)(bits < -64 ? 64 : -bits);
    plan->pre = bits > 15 ? (int32_t)(bits > 30 ? 15 : bits - 15) : 0;
    plan->bits = bits > 0 ? (int32_t)(bits > 15 ? 15 : bits) : 0;
    plan->packed = false;
    if (count >= LB_MLI_LOOKUP_PAYS && lut->length <= LB_MLI_LOOKUP_PAIRS && lut->input_offset >= -OFFSET_MAX &&
        lut->input_offset <= OFFSET_MAX)
        pack(lut, plan);
}

/* No half saturates: 2^30 + 2^30 only at a shift of 31, which is 0 for all x. */
void lb_mli_lookup_scale(int32_t *x, size_t n, int32_t shift, enum lb_mli_round round)
{
    if (shift >= 0) {
        const int32_t right = lb_mli_min(shift, 31);
        for (size_t i = 0; i < n; i++)
            x[i] = lb_mli_lane_rnd(x[i], right, round);
        return;
    }
    const int32_t left = lb_mli_min(-shift, 31);
    const int32_t most = INT32_MAX >> left;
    for (size_t i = 0; i < n; i++) {
        const int32_t moved = (int32_t)((uint32_t)x[i] << left);
        x[i] = x[i] > most ? INT32_MAX : x[i] < ~most ? INT32_MIN : moved;
    }
}

/* v + offset, cut to the indices that there are. */
static int32_t index_of(const struct lb_mli_lookup *plan, int32_t v)
{
    const int64_t at = (int64_t)v + plan->offset;
    return (int32_t)(at < 0 ? 0 : at > plan->last ? plan->last : at);
}

int32_t lb_mli_lookup_one(const struct lb_mli_lookup *plan, int32_t x, enum lb_mli_round round)
{
    if (plan->bits == 0)
        return plan->table[index_of(plan, lb_mli_sat32(lb_mli_shl64(x, plan->left)))];
    x >>= plan->pre;
    const int16_t *entry = plan->table + index_of(plan, x >> plan->bits);
    const int32_t fraction = x & ((1 << plan->bits) - 1);
    const int32_t fall = entry[0] - entry[1];
    return entry[0] - lb_mli_sat16(lb_mli_rsh32(fall * fraction, plan->bits, round));
}
