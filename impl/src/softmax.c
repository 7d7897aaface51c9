/* mli_krn_softmax_* (elementwise.md 7). Exponentials of the distance to the largest element, their
 * sum, one reciprocal for each group, and a multiplication and a shift for each element. */
#include <string.h>

#include "api/mli_kernels_api.h"
#include "format.h"
#include "group.h"
#include "lookup.h"
#include "profile.h"

enum {
    TABLE_PAYS = 32, /* sa8: elements from which on a table of all exponentials pays */
    MAP_PAYS = 128,  /* sa8: elements of a group from which on a table of all results pays */
    SA8_BITS = 8     /* sa8: fractional bits between two entries of the look-up table */
};

static mli_status check_softmax(enum lb_mli_kind kind, const mli_tensor *in, const mli_lut *lut,
                                const mli_softmax_cfg *cfg, const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_in_out(in, out));
    LB_MLI_REQUIRE(in->el_type == lb_mli_type_of_kind(kind), MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(cfg && cfg->axis < (int32_t)in->rank, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_TRY(lb_mli_check_in_quant(in));
    LB_MLI_REQUIRE(lb_mli_lut_usable(lut), MLI_STATUS_BAD_FUNC_CFG);
    return MLI_STATUS_OK;
}

/* What all groups share. */
struct rule {
    enum lb_mli_kind kind;
    enum lb_mli_round round;
    const struct lb_mli_loops *loops;
    int32_t scale, shift; /* sa8: from a difference of containers to the argument of the look-up,
                             shift to the right */
    bool tabled;          /* sa8: exp holds the exponential of each difference */
    int16_t exp[256];     /* at 255 + (container - largest): in the order of containers */
    int8_t low[512],
        high[512]; /* its bytes, high + 128; what is behind the largest is any number */
    struct lb_mli_lookup lookup;
};

/* sa8: where the exponential of container INT8_MIN stands in exp. The others follow, up to that of
 * the largest. */
static int32_t start_of(int32_t largest)
{
    return INT8_MAX - largest;
}

static void fill_exp(struct rule *rule)
{
    int32_t x[256];
    if (!rule->lookup.packed)
        return;
    for (int32_t i = 0; i < 256; i++)
        x[i] = (i - 255) * rule->scale;
    rule->loops->lookup_scale[rule->round](x, 256, rule->shift);
    rule->loops->lookup_s32[rule->round](x, 256, &rule->lookup, rule->exp);
    for (int32_t i = 0; i < 256; i++) {
        rule->low[i] = (int8_t)(uint8_t)rule->exp[i];
        rule->high[i] = (int8_t)((rule->exp[i] >> 8) ^ INT8_MIN);
    }
    memset(rule->low + 256, 0, 256);
    memset(rule->high + 256, 0, 256);
    rule->tabled = true;
}

static void plan_rule(enum lb_mli_kind kind, const mli_tensor *in, const mli_lut *lut,
                      struct rule *rule)
{
    const struct lb_mli_quant q = lb_mli_quant_at(in, 0);
    const uint64_t count = lb_mli_count(in);
    const int64_t sa8_frac = (int64_t)lut->in_frac_bits + SA8_BITS;
    rule->kind = kind;
    rule->round = lb_mli_round_now();
    rule->loops = lb_mli_loops();
    rule->scale = q.scale;
    rule->tabled = false;
    lb_mli_lookup_plan(lut, kind == LB_MLI_SA8 ? sa8_frac : q.shift, count, &rule->lookup);
    if (kind != LB_MLI_SA8)
        return;
    const int64_t shift = q.shift - sa8_frac;
    rule->shift = (int32_t)(shift < -64 ? -64 : shift > 64 ? 64 : shift);
    if (count >= TABLE_PAYS)
        fill_exp(rule);
}

/* Exponentials of n elements. */
static void exponentials_s16(const struct rule *rule, const int16_t *x, int32_t largest, size_t n,
                             int16_t *out)
{
    if (rule->lookup.packed) {
        rule->loops->lookup_s16[rule->round](x, largest, n, &rule->lookup, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)lb_mli_lookup_one(&rule->lookup, x[i] - largest, rule->round);
}

static void exponentials_s8(const struct rule *rule, const int8_t *x, int32_t largest, size_t n,
                            int16_t *out)
{
    if (rule->tabled) {
        const int16_t *exp = rule->exp + start_of(largest);
        for (size_t i = 0; i < n; i++)
            out[i] = exp[x[i] - INT8_MIN];
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const int32_t argument =
            lb_mli_rsh32((x[i] - largest) * rule->scale, rule->shift, rule->round);
        out[i] = (int16_t)lb_mli_lookup_one(&rule->lookup, argument, rule->round);
    }
}

static int32_t largest_of(const struct rule *rule, const struct lb_mli_groups *group)
{
    const bool wide = rule->kind == LB_MLI_FX16;
    int16_t copy[LB_MLI_PIECE];
    int32_t largest = INT16_MIN;
    struct lb_mli_pieces p;
    for (lb_mli_pieces_start(&p, group); p.n > 0; lb_mli_pieces_next(&p)) {
        const void *x = lb_mli_piece_in(&p, copy);
        largest =
            lb_mli_max(largest, wide ? rule->loops->max_s16(x, p.n) : rule->loops->max_s8(x, p.n));
    }
    return largest;
}

/* Sum of the exponentials of a piece: at most 512 * 32767. sa8 does without an array of them if
 * there is a table. */
static int32_t sum_piece(const struct rule *rule, const void *in, int32_t largest, size_t n,
                         int16_t *e)
{
    if (rule->kind == LB_MLI_SA8 && rule->tabled) {
        const int32_t start = start_of(largest);
        const struct lb_mli_values values = {rule->exp + start, rule->low + start,
                                             rule->high + start};
        return rule->loops->sum_lut8(in, n, &values);
    }
    if (rule->kind == LB_MLI_SA8)
        exponentials_s8(rule, in, largest, n, e);
    else
        exponentials_s16(rule, in, largest, n, e);
    return rule->loops->sum_s16(e, n);
}

/* Sum of the exponentials of a group: 32 bits hold it up to 65538 elements; beyond, it wraps. fx16:
 * out receives them. */
static int32_t sum_of(const struct rule *rule, const struct lb_mli_groups *group, int32_t largest)
{
    const bool wide = rule->kind == LB_MLI_FX16;
    int16_t copy[LB_MLI_PIECE], buffer[LB_MLI_PIECE];
    uint32_t sum = 0;
    struct lb_mli_pieces p;
    for (lb_mli_pieces_start(&p, group); p.n > 0; lb_mli_pieces_next(&p)) {
        int16_t *e = wide ? lb_mli_piece_out(&p, buffer) : buffer;
        sum += (uint32_t)sum_piece(rule, lb_mli_piece_in(&p, copy), largest, p.n, e);
        if (wide)
            lb_mli_piece_done(&p, buffer);
    }
    return (int32_t)sum;
}

/* From an exponential to the output: a factor of 15 bits, a shift to the right, a zero point. */
static struct lb_mli_convert scale_of(const struct rule *rule, int32_t sum)
{
    const int norm = lb_mli_norm32(sum);
    const int32_t mantissa = lb_mli_sat16(lb_mli_rsh32(sum, 16 - norm, rule->round));
    /* Only a table of someone's own makes sums that are not positive. */
    const int32_t reciprocal =
        mantissa > 0 ? lb_mli_min((1 << 29) / mantissa, INT16_MAX) : INT16_MAX;
    if (rule->kind == LB_MLI_SA8)
        return (struct lb_mli_convert){
            .to_zero = -128, .mul = reciprocal, .shift = lb_mli_min(37 - norm, 31)};
    return (struct lb_mli_convert){.mul = reciprocal, .shift = lb_mli_max(30 - norm, 0)};
}

/* fx16: out holds the exponentials. */
static void finish_fx16(const struct rule *rule, const struct lb_mli_groups *group,
                        const struct lb_mli_convert *q)
{
    int16_t copy[LB_MLI_PIECE], buffer[LB_MLI_PIECE];
    struct lb_mli_pieces p;
    for (lb_mli_pieces_start(&p, group); p.n > 0; lb_mli_pieces_next(&p)) {
        rule->loops->convert[LB_MLI_16BIT][LB_MLI_16BIT][rule->round](
            lb_mli_piece_again(&p, copy), p.n, q, lb_mli_piece_out(&p, buffer));
        lb_mli_piece_done(&p, buffer);
    }
}

static void finish_sa8(const struct rule *rule, const struct lb_mli_groups *group, int32_t largest,
                       const struct lb_mli_convert *q)
{
    const bool mapped = rule->tabled && group->count >= MAP_PAYS;
    int8_t map[256], copy[LB_MLI_PIECE], buffer[LB_MLI_PIECE];
    int16_t e[LB_MLI_PIECE];
    struct lb_mli_pieces p;
    /* Results by container, as far as the group has them. */
    if (mapped)
        rule->loops->convert[LB_MLI_16BIT][LB_MLI_8BIT][rule->round](
            rule->exp + start_of(largest), (size_t)largest - (size_t)INT8_MIN + 1, q, map);
    for (lb_mli_pieces_start(&p, group); p.n > 0; lb_mli_pieces_next(&p)) {
        const void *x = lb_mli_piece_in(&p, copy);
        int8_t *out = lb_mli_piece_out(&p, buffer);
        if (mapped) {
            rule->loops->lut8(x, p.n, map, out);
        } else {
            exponentials_s8(rule, x, largest, p.n, e);
            rule->loops->convert[LB_MLI_16BIT][LB_MLI_8BIT][rule->round](e, p.n, q, out);
        }
        lb_mli_piece_done(&p, buffer);
    }
}

static void run_group(const struct rule *rule, const struct lb_mli_groups *group)
{
    const int32_t largest = largest_of(rule, group);
    const struct lb_mli_convert q = scale_of(rule, sum_of(rule, group, largest));
    if (rule->kind == LB_MLI_FX16)
        finish_fx16(rule, group, &q);
    else
        finish_sa8(rule, group, largest, &q);
}

static mli_status softmax(enum lb_mli_kind kind, const mli_tensor *in, const mli_lut *lut,
                          const mli_softmax_cfg *cfg, mli_tensor *out)
{
    LB_MLI_CHECK(check_softmax(kind, in, lut, cfg, out));
    struct rule rule;
    struct lb_mli_groups groups;
    plan_rule(kind, in, lut, &rule);
    lb_mli_groups_start(&groups, in, out, cfg->axis);
    do
        run_group(&rule, &groups);
    while (lb_mli_groups_next(&groups));
    const struct lb_mli_quant sa8 = {1, -128, 8}, fx16 = {1, 0, 15};
    lb_mli_set_format(out, kind == LB_MLI_SA8 ? sa8 : fx16);
    return MLI_STATUS_OK;
}

mli_status mli_krn_softmax_sa8(const mli_tensor *in, const mli_lut *lut, const mli_softmax_cfg *cfg,
                               mli_tensor *out)
{
    return softmax(LB_MLI_SA8, in, lut, cfg, out);
}

mli_status mli_krn_softmax_fx16(const mli_tensor *in, const mli_lut *lut,
                                const mli_softmax_cfg *cfg, mli_tensor *out)
{
    return softmax(LB_MLI_FX16, in, lut, cfg, out);
}

/* The original's 8-bit reciprocal overflows: every result is 0 (elementwise.md 7). */
static void clear_piece(const void *context, const void *in, size_t n, void *out)
{
    (void)context;
    (void)in;
    memset(out, 0, n);
}

mli_status mli_krn_softmax_fx8(const mli_tensor *in, const mli_lut *lut, const mli_softmax_cfg *cfg,
                               mli_tensor *out)
{
    LB_MLI_CHECK(check_softmax(LB_MLI_FX8, in, lut, cfg, out));
    lb_mli_rows_unary(&(struct lb_mli_unary){
        .in = in->data.mem.pi8,
        .out = out->data.mem.pi8,
        .size = 1,
        .rank = in->rank,
        .shape = in->shape,
        .in_stride = in->mem_stride,
        .out_stride = out->mem_stride,
        .work = clear_piece,
    });
    lb_mli_set_format(out, (struct lb_mli_quant){1, 0, 7});
    return MLI_STATUS_OK;
}
