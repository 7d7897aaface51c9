/* Values out of look-up tables (recurrent.md 4, elementwise.md 6). */
#include "lookup.h"

/* Largest |offset| of a packed table. A left shift may then stop at 14 bits: 2^14 leads past both
 * ends already. */
enum { OFFSET_MAX = 8192, LEFT_MAX = 14 };

bool lb_mli_lut_usable(const mli_lut *lut)
{
    return lut && lut->data.mem.pi16 && lut->length >= 2;
}

/* Steps from an entry to the next must fit 16 bits: only where they do not (in no table of
 * create_lut) can the saturation in an interpolation act, and the loops leave it out. */
static void pack(const mli_lut *lut, struct lb_mli_lookup *plan)
{
    const int32_t end = lut->length - 1;
    if (!lb_mli_loops()->lookup_pack(plan->table, (size_t)end, plan))
        return;
    plan->pair[end] =
        (int32_t)((uint32_t)(uint16_t)plan->table[end] << 16); /* only without interpolation */
    plan->left = lb_mli_min(plan->left, LEFT_MAX);
    plan->packed = true;
}

void lb_mli_lookup_plan(const mli_lut *lut, int64_t frac, uint64_t count,
                        struct lb_mli_lookup *plan)
{
    const int64_t bits = frac - lut->in_frac_bits;
    plan->table = lut->data.mem.pi16;
    plan->offset = lut->input_offset;
    plan->last = lut->length - (bits > 0 ? 2 : 1);
    plan->left = bits > 0 ? 0 : (int32_t)(bits < -64 ? 64 : -bits);
    plan->pre = bits > 15 ? (int32_t)(bits > 30 ? 15 : bits - 15) : 0;
    plan->bits = bits > 0 ? (int32_t)(bits > 15 ? 15 : bits) : 0;
    plan->packed = false;
    if (count >= LB_MLI_LOOKUP_PAYS && lut->length <= LB_MLI_LOOKUP_PAIRS &&
        lut->input_offset >= -OFFSET_MAX && lut->input_offset <= OFFSET_MAX)
        pack(lut, plan);
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
