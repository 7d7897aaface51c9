/* mli_krn_l2_normalize_* (elementwise.md 8). An exact sum of squares, one look-up of the inverse
 * root for each group, and a multiplication and a shift for each element. */
#include "api/mli_kernels_api.h"
#include "format.h"
#include "group.h"
#include "lookup.h"
#include "profile.h"

enum { LUT_BITS = 8, ROOT_BITS = 17 }; /* fractional bits of the table's argument, of its values */

/* The axis is -1 or names a dimension: below -1 the original gives nothing that could be told. */
static mli_status check_l2(enum lb_mli_kind kind, const mli_tensor *in, const mli_lut *lut,
                           const mli_l2_normalize_cfg *cfg, const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_in_out(in, out));
    LB_MLI_REQUIRE(in->el_type == lb_mli_type_of_kind(kind), MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(cfg && cfg->axis < (int32_t)in->rank, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_TRY(lb_mli_check_in_quant(in));
    LB_MLI_REQUIRE(cfg->axis >= -1 && lb_mli_lut_usable(lut), MLI_STATUS_BAD_FUNC_CFG);
    return MLI_STATUS_OK;
}

/* What all groups share. */
struct rule {
    bool wide; /* 16 bits */
    int32_t zero;
    enum lb_mli_round round;
    const struct lb_mli_loops *loops;
    struct lb_mli_lookup lookup;
};

static uint64_t squares_of(const struct rule *rule, const struct lb_mli_groups *group)
{
    int16_t copy[LB_MLI_PIECE];
    uint64_t sum = 0;
    struct lb_mli_pieces p;
    for (lb_mli_pieces_start(&p, group); p.n > 0; lb_mli_pieces_next(&p)) {
        const void *x = lb_mli_piece_in(&p, copy);
        sum += rule->wide ? rule->loops->squares_s16(x, p.n)
                          : rule->loops->squares_s8(x, rule->zero, p.n);
    }
    return sum;
}

/* The factor of a group, mul * 2^-shift. The loops want 15 bits: a smaller mul is doubled, which
 * changes nothing. */
static struct lb_mli_convert scale_of(const struct rule *rule, int64_t sum)
{
    int32_t k = 48 - lb_mli_norm64(sum);
    k += k & 1;
    const int32_t mantissa = lb_mli_sat16(lb_mli_rsh64(sum, k, rule->round));
    const int32_t root = lb_mli_lookup_one(&rule->lookup, mantissa, rule->round);
    const int32_t shift = ROOT_BITS + ((k + LUT_BITS) >> 1) - (rule->wide ? 15 : 7);
    const bool small = root < 1 << 14 && root > 0;
    return (struct lb_mli_convert){
        .from_zero = rule->zero, .mul = small ? root * 2 : root, .shift = shift + small};
}

/* One result by the total primitives, for a sum of 1, whose factor goes to the left. */
static int32_t one(const struct rule *rule, const struct lb_mli_convert *q, int32_t x)
{
    const int32_t y = lb_mli_rsh32(q->mul * (x - q->from_zero), q->shift, rule->round);
    return rule->wide ? lb_mli_sat16(y) : lb_mli_sat8(y);
}

static void scale_piece(const struct rule *rule, const struct lb_mli_convert *q, const void *in,
                        size_t n, void *out)
{
    const enum lb_mli_width width = rule->wide ? LB_MLI_16BIT : LB_MLI_8BIT;
    if (q->shift >= 0 && q->mul >= 1 << 14) {
        rule->loops->convert[width][width][rule->round](in, n, q, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        if (rule->wide)
            ((int16_t *)out)[i] = (int16_t)one(rule, q, ((const int16_t *)in)[i]);
        else
            ((int8_t *)out)[i] = (int8_t)one(rule, q, ((const int8_t *)in)[i]);
}

static void run_group(const struct rule *rule, const struct lb_mli_groups *group)
{
    const struct lb_mli_convert q = scale_of(rule, (int64_t)squares_of(rule, group));
    int16_t copy[LB_MLI_PIECE], buffer[LB_MLI_PIECE];
    struct lb_mli_pieces p;
    for (lb_mli_pieces_start(&p, group); p.n > 0; lb_mli_pieces_next(&p)) {
        scale_piece(rule, &q, lb_mli_piece_in(&p, copy), p.n, lb_mli_piece_out(&p, buffer));
        lb_mli_piece_done(&p, buffer);
    }
}

static mli_status l2_normalize(enum lb_mli_kind kind, const mli_tensor *in, const mli_lut *lut,
                               const mli_l2_normalize_cfg *cfg, mli_tensor *out)
{
    LB_MLI_CHECK(check_l2(kind, in, lut, cfg, out));
    struct rule rule = {.wide = kind == LB_MLI_FX16,
                        .zero = lb_mli_quant_at(in, 0).zero,
                        .round = lb_mli_round_now(),
                        .loops = lb_mli_loops()};
    struct lb_mli_groups groups;
    lb_mli_lookup_plan(lut, LUT_BITS, 1, &rule.lookup);
    lb_mli_groups_start(&groups, in, out, cfg->axis);
    do
        run_group(&rule, &groups);
    while (lb_mli_groups_next(&groups));
    lb_mli_set_format(out, (struct lb_mli_quant){1, 0, rule.wide ? 15 : 7});
    return MLI_STATUS_OK;
}

mli_status mli_krn_l2_normalize_fx16(const mli_tensor *in, const mli_tensor *epsilon,
                                     const mli_lut *lut, const mli_l2_normalize_cfg *cfg,
                                     mli_tensor *out)
{
    (void)epsilon; /* takes no part (elementwise.md 8) */
    return l2_normalize(LB_MLI_FX16, in, lut, cfg, out);
}

mli_status mli_krn_l2_normalize_sa8(const mli_tensor *in, const mli_tensor *epsilon,
                                    const mli_lut *lut, const mli_l2_normalize_cfg *cfg,
                                    mli_tensor *out)
{
    (void)epsilon;
    return l2_normalize(LB_MLI_SA8, in, lut, cfg, out);
}
