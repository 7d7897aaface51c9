/* mli_krn_leaky_relu_* and mli_krn_prelu_* (elementwise.md 4): checks, plans, and the split of a
 * tensor into parts that share a slope, or into rows along which slopes repeat. */
#include "api/mli_kernels_api.h"
#include "check.h"
#include "loops.h"
#include "profile.h"
#include "quant.h"
#include "rows.h"

enum {
    TABLE_PAYS =
        512, /* elements from which a table of 256 results is cheaper than the results themselves */
    PATTERN = 256, /* slopes side by side, along the innermost dimension */
    TABLES = 16    /* tables side by side: 4 KiB stay in the first-level cache */
};

static const mli_element_type type_of_kind[LB_MLI_KINDS] = {
    [LB_MLI_FX8] = MLI_EL_FX_8,
    [LB_MLI_FX16] = MLI_EL_FX_16,
    [LB_MLI_SA8] = MLI_EL_SA_8,
};

/*
 * Checks (elementwise.md 2)
 */

static mli_status check_in_out(const mli_tensor *in, const mli_tensor *out)
{
    LB_MLI_REQUIRE(out->el_type == in->el_type, MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_same_shape(in, out), MLI_STATUS_SHAPE_MISMATCH);
    return MLI_STATUS_OK;
}

/* From the type of the slope on, both families go the same way. */
static mli_status check_formats(enum lb_mli_kind kind, const mli_tensor *in,
                                const mli_tensor *slope, const mli_tensor *out)
{
    LB_MLI_REQUIRE(slope->el_type == in->el_type && in->el_type == type_of_kind[kind],
                   MLI_STATUS_TYPE_MISMATCH);
    if (kind != LB_MLI_SA8) {
        LB_MLI_REQUIRE(out->el_params.fx.frac_bits == in->el_params.fx.frac_bits,
                       MLI_STATUS_SPEC_PARAM_MISMATCH);
        return MLI_STATUS_OK;
    }
    LB_MLI_TRY(lb_mli_check_quant(in, LB_MLI_ZERO_8BIT));
    LB_MLI_TRY(lb_mli_check_quant(out, LB_MLI_ZERO_8BIT));
    LB_MLI_TRY(lb_mli_check_quant(slope, (struct lb_mli_zero_range){INT16_MIN / 2, INT16_MAX / 2}));
    LB_MLI_REQUIRE(!lb_mli_per_axis(in) && !lb_mli_per_axis(out) && !lb_mli_per_axis(slope),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    return MLI_STATUS_OK;
}

static mli_status check_leaky(enum lb_mli_kind kind, const mli_tensor *in, const mli_tensor *slope,
                              const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_tensor(in));
    LB_MLI_TRY(lb_mli_check_tensor(out));
    LB_MLI_TRY(check_in_out(in, out));
    LB_MLI_REQUIRE(lb_mli_inner_dense(in) && lb_mli_inner_dense(out),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_TRY(lb_mli_check_scalar(slope));
    return check_formats(kind, in, slope, out);
}

/* A slope for each index of axis: in's extent there, 1 in every other dimension of in. The rank of
 * the slope is not looked at (elementwise.md 2), so its own check may not have seen all entries:
 * their room is checked here. */
static mli_status check_slopes(const mli_tensor *in, const mli_tensor *slope, uint32_t axis)
{
    LB_MLI_REQUIRE(lb_mli_inner_dense(slope), MLI_STATUS_INCOMPATEBLE_TENSORS);
    for (uint32_t d = 0; d < in->rank; d++)
        LB_MLI_REQUIRE(slope->shape[d] == (d == axis ? in->shape[d] : 1),
                       MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(slope->data.capacity >=
                       (uint64_t)in->shape[axis] * lb_mli_element_size(slope->el_type),
                   MLI_STATUS_NOT_ENGH_MEM);
    return MLI_STATUS_OK;
}

static mli_status check_prelu(enum lb_mli_kind kind, const mli_tensor *in, const mli_tensor *slope,
                              const mli_prelu_cfg *cfg, const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_tensor(in));
    LB_MLI_REQUIRE(cfg, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_TRY(cfg->axis == -1 ? lb_mli_check_scalar(slope) : lb_mli_check_tensor(slope));
    LB_MLI_TRY(lb_mli_check_tensor(out));
    LB_MLI_TRY(check_in_out(in, out));
    LB_MLI_REQUIRE(cfg->axis >= -1 && cfg->axis < (int32_t)in->rank, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE(lb_mli_inner_dense(in) && lb_mli_inner_dense(out),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    if (cfg->axis >= 0)
        LB_MLI_TRY(check_slopes(in, slope, (uint32_t)cfg->axis));
    return check_formats(kind, in, slope, out);
}

/*
 * Plans
 */

/* What all elements of a call share. */
struct rule {
    enum lb_mli_kind kind;
    enum lb_mli_round round;
    struct lb_mli_quant slope;     /* parameters of the slope tensor */
    struct lb_mli_prelu_sa8 scale; /* sa8: from in to out */
    int32_t shift; /* of a product: fx: before a slope is normalized; sa8: of scale, uncut */
    const struct lb_mli_loops *loops;
};

/* A slope ready for use: negative inputs times mul / 2^shift. shift at most 31, more would give 0
 * too. */
struct slope {
    int32_t mul, shift;
};

static void plan_rule(enum lb_mli_kind kind, const mli_tensor *in, const mli_tensor *slope,
                      const mli_tensor *out, struct rule *rule)
{
    const struct lb_mli_quant qi = lb_mli_quant_at(in, 0);
    const struct lb_mli_quant qo = lb_mli_quant_at(out, 0);
    *rule = (struct rule){.kind = kind, .round = lb_mli_round_now(), .loops = lb_mli_loops()};
    rule->slope = lb_mli_quant_at(slope, 0);
    rule->shift = qi.shift + rule->slope.shift - qo.shift;
    if (kind == LB_MLI_SA8) {
        const struct lb_mli_requant r = lb_mli_requant(qi, qo, rule->round);
        /* A factor of 2^15 and more saturates; slopes are built on the saturated one. */
        rule->scale.mul = r.shift < 0 ? lb_mli_rsh16(r.scale, r.shift, rule->round) : r.scale;
        rule->shift = lb_mli_max(r.shift, 0);
        rule->scale.shift = lb_mli_min(rule->shift, 31);
        rule->scale.zero_in = qi.zero;
        rule->scale.zero_out = qo.zero;
    }
}

/* normalize: leaky_relu_fx16 shifts its slope to the left as far as it goes, prelu_fx16 with an
 * axis does not. */
static struct slope plan_slope(const struct rule *rule, int32_t container, bool normalize)
{
    if (rule->kind != LB_MLI_SA8) {
        const int left = normalize ? lb_mli_norm16((int16_t)container) : 0;
        return (struct slope){(int32_t)((uint32_t)container << left),
                              lb_mli_min(rule->shift + left, 31)};
    }
    const struct lb_mli_mantissa a =
        lb_mli_norm_cast16((container - rule->slope.zero) * rule->slope.scale, rule->round);
    const struct lb_mli_mantissa p = lb_mli_norm_cast16(rule->scale.mul * a.mantissa, rule->round);
    const int32_t shift = rule->shift + rule->slope.shift - a.exponent - p.exponent;
    return (struct slope){p.mantissa, lb_mli_min(shift, 31)};
}

/* One element by the total primitives: for shifts to the left, and for short tensors. */
static int32_t one(const struct rule *rule, struct slope slope, int32_t x)
{
    if (rule->kind == LB_MLI_SA8) {
        const int32_t d = x - rule->scale.zero_in;
        const int32_t scaled =
            d < 0 ? lb_mli_rsh32(slope.mul * d, slope.shift, rule->round)
                  : lb_mli_rsh32(rule->scale.mul * d, rule->scale.shift, rule->round);
        return lb_mli_sat8((int64_t)scaled + rule->scale.zero_out);
    }
    if (x >= 0)
        return x;
    const int32_t scaled = lb_mli_rsh32(x * slope.mul, slope.shift, rule->round);
    return rule->kind == LB_MLI_FX16 ? lb_mli_sat16(scaled) : lb_mli_sat8(scaled);
}

/*
 * Runs
 */

/* A box of in and out: what is left to do, or the part of it that shares something. */
struct box {
    const char *in;
    char *out;
    size_t size; /* of an element in bytes */
    uint32_t rank;
    uint32_t shape[MLI_MAX_RANK];
    const int32_t *in_stride, *out_stride;
};

static struct box whole_box(const mli_tensor *in, mli_tensor *out)
{
    struct box box = {.in = (const char *)in->data.mem.pi8,
                      .out = (char *)out->data.mem.pi8,
                      .size = lb_mli_element_size(in->el_type),
                      .rank = in->rank,
                      .in_stride = in->mem_stride,
                      .out_stride = out->mem_stride};
    for (uint32_t d = 0; d < in->rank; d++)
        box.shape[d] = in->shape[d];
    return box;
}

/* The part of a box with extent entries of dimension d, from entry first on. */
static struct box part_of(const struct box *box, uint32_t d, size_t first, uint32_t extent)
{
    struct box part = *box;
    part.in += (ptrdiff_t)first * box->in_stride[d] * (ptrdiff_t)box->size;
    part.out += (ptrdiff_t)first * box->out_stride[d] * (ptrdiff_t)box->size;
    part.shape[d] = extent;
    return part;
}

static void walk(const struct box *box, size_t piece, lb_mli_piece_fn *work, const void *context)
{
    lb_mli_rows_unary(&(struct lb_mli_unary){
        .in = box->in,
        .out = box->out,
        .size = box->size,
        .rank = box->rank,
        .shape = box->shape,
        .in_stride = box->in_stride,
        .out_stride = box->out_stride,
        .piece = piece,
        .work = work,
        .context = context,
    });
}

/* Slopes of a piece: element i has entry i of the lists (or, one by one, entry i modulo period). */
struct slopes {
    const struct rule *rule;
    size_t period;
    struct slope list[PATTERN];
    int32_t mul[PATTERN], shift[PATTERN]; /* sa8 */
    int16_t half[PATTERN], back[PATTERN]; /* sa8: of shifts, if none is near */
    int16_t words[PATTERN];               /* mul */
    int8_t bytes[PATTERN];
    bool regular;              /* all shifts to the right */
    bool near;                 /* a shift is below LB_MLI_PRELU_LEAST */
    int8_t table[TABLES][256]; /* element i has table i modulo period */
};

static void one_by_one(const void *context, const void *in, size_t n, void *out)
{
    const struct slopes *s = context;
    for (size_t i = 0; i < n; i++) {
        const struct slope slope = s->list[i % s->period];
        if (s->rule->kind == LB_MLI_FX16)
            ((int16_t *)out)[i] = (int16_t)one(s->rule, slope, ((const int16_t *)in)[i]);
        else
            ((int8_t *)out)[i] = (int8_t)one(s->rule, slope, ((const int8_t *)in)[i]);
    }
}

static void by_table(const void *context, const void *in, size_t n, void *out)
{
    const struct slopes *s = context;
    s->rule->loops->lut8(in, n, s->table[0], out);
}

/* Whole periods. */
static void by_tables(const void *context, const void *in, size_t n, void *out)
{
    const struct slopes *s = context;
    const int8_t *from = in;
    int8_t *to = out;
    for (size_t at = 0; at < n; at += s->period)
        for (size_t i = 0; i < s->period; i++)
            to[at + i] = s->table[i][from[at + i] - INT8_MIN];
}

static void by_loop(const void *context, const void *in, size_t n, void *out)
{
    const struct slopes *s = context;
    const struct rule *rule = s->rule;
    const struct lb_mli_prelu_slopes slopes = {s->mul, s->shift, s->near ? NULL : s->words, s->half,
                                               s->back};
    switch (rule->kind) {
    case LB_MLI_FX8:
        rule->loops->prelu_s8[rule->round](in, s->bytes, n, s->list[0].shift, out);
        break;
    case LB_MLI_FX16:
        rule->loops->prelu_s16[rule->round](in, s->words, n, s->list[0].shift, out);
        break;
    default:
        rule->loops->prelu_sa8[rule->round](in, &slopes, n, &rule->scale, out);
        break;
    }
}

/* Entry i is that of `from` once more. */
static inline void repeat(struct slopes *s, size_t i, size_t from)
{
    s->mul[i] = s->mul[from];
    s->shift[i] = s->shift[from];
    s->words[i] = s->words[from];
    s->bytes[i] = s->bytes[from];
    s->half[i] = s->half[from];
    s->back[i] = s->back[from];
}

/* Repeats the slopes of the list until PATTERN, in whole periods, in the forms that the loops take.
 * A slope of 0 may have any shift. */
static size_t spread(struct slopes *s)
{
    const size_t length = PATTERN / s->period * s->period;
    s->regular = true;
    s->near = false;
    for (size_t i = 0; i < s->period; i++) {
        const struct slope slope = s->list[i];
        const int32_t shift =
            slope.mul == 0 ? LB_MLI_PRELU_MOST : lb_mli_min(slope.shift, LB_MLI_PRELU_MOST);
        s->mul[i] = slope.mul;
        s->shift[i] = slope.shift;
        s->words[i] = (int16_t)slope.mul;
        s->bytes[i] = (int8_t)slope.mul;
        s->regular = s->regular && slope.shift >= 0;
        s->near = s->near || shift < LB_MLI_PRELU_LEAST;
        s->half[i] = (int16_t)(s->near ? 0 : 1 << (shift - 10));
        s->back[i] = (int16_t)(s->near ? 0 : 1 << (25 - shift));
    }
    for (size_t i = 1; s->period == 1 && i < length; i++)
        repeat(s, i, 0);
    for (size_t i = s->period; s->period > 1 && i < length; i++)
        repeat(s, i, i - s->period);
    return length;
}

static uint64_t elements(const struct box *box)
{
    uint64_t count = 1;
    for (uint32_t d = 0; d < box->rank; d++)
        count *= box->shape[d];
    return count;
}

static void fill_tables(struct slopes *s)
{
    for (size_t i = 0; i < s->period; i++)
        for (int32_t x = INT8_MIN; x <= INT8_MAX; x++)
            s->table[i][x - INT8_MIN] = (int8_t)one(s->rule, s->list[i], x);
}

/* The same for one slope: the loop's results for all containers. */
static void fill_table(struct slopes *s)
{
    int8_t all[256];
    for (int32_t x = INT8_MIN; x <= INT8_MAX; x++)
        all[x - INT8_MIN] = (int8_t)x;
    spread(s);
    if (s->regular)
        by_loop(s, all, 256, s->table[0]);
    else
        fill_tables(s);
}

static void run_by_tables(struct slopes *s, const struct box *box)
{
    fill_tables(s);
    walk(box, LB_MLI_PIECE / s->period * s->period, by_tables, s);
}

static void run_by_loop(struct slopes *s, const struct box *box)
{
    const size_t length = spread(s);
    walk(box, length, s->regular ? by_loop : one_by_one, s);
}

/* A box with one slope. 8 bits: a table, if there are enough elements. */
static void run_one_slope(const struct rule *rule, const struct box *box, struct slope slope)
{
    struct slopes s;
    s.rule = rule;
    s.period = 1;
    s.list[0] = slope;
    if (elements(box) < TABLE_PAYS) {
        walk(box, 0, one_by_one, &s);
    } else if (rule->kind != LB_MLI_FX16) {
        fill_table(&s);
        walk(box, 0, by_table, &s);
    } else {
        run_by_loop(&s, box);
    }
}

/* Container of slope entry j: the list is read densely, whatever its strides. */
static int32_t slope_container(const mli_tensor *slope, size_t j)
{
    return slope->el_type == MLI_EL_FX_16 ? slope->data.mem.pi16[j] : slope->data.mem.pi8[j];
}

/* Slopes along the innermost dimension, in blocks. sa8 has a shift for each slope, which plain C
 * does not vectorize: tables serve it better. */
static void run_innermost(const struct rule *rule, const struct box *box, const mli_tensor *slope)
{
    const uint32_t inner = box->rank - 1;
    const size_t count = box->shape[inner];
    const bool tables = rule->kind == LB_MLI_SA8 && !rule->loops->prelu_vectors &&
                        elements(box) / count >= TABLE_PAYS;
    const size_t block = tables ? TABLES : PATTERN;
    struct slopes s;
    s.rule = rule;
    for (size_t first = 0; first < count; first += block) {
        s.period = lb_mli_min_size(count - first, block);
        for (size_t j = 0; j < s.period; j++)
            s.list[j] = plan_slope(rule, slope_container(slope, first + j), false);
        const struct box part = part_of(box, inner, first, (uint32_t)s.period);
        if (tables)
            run_by_tables(&s, &part);
        else
            run_by_loop(&s, &part);
    }
}

static void run_leaky(const struct rule *rule, const struct box *box, const mli_tensor *slope)
{
    int32_t container;
    if (slope->rank > 0)
        container = slope_container(slope, 0);
    else
        container = rule->kind == LB_MLI_FX16 ? slope->data.mem.i16 : slope->data.mem.i8;
    run_one_slope(rule, box, plan_slope(rule, container, rule->kind == LB_MLI_FX16));
}

static mli_status leaky_relu(enum lb_mli_kind kind, const mli_tensor *in, const mli_tensor *slope,
                             mli_tensor *out)
{
    LB_MLI_CHECK(check_leaky(kind, in, slope, out));
    struct rule rule;
    plan_rule(kind, in, slope, out, &rule);
    const struct box box = whole_box(in, out);
    run_leaky(&rule, &box, slope);
    return MLI_STATUS_OK;
}

static mli_status prelu(enum lb_mli_kind kind, const mli_tensor *in, const mli_tensor *slope,
                        const mli_prelu_cfg *cfg, mli_tensor *out)
{
    LB_MLI_CHECK(check_prelu(kind, in, slope, cfg, out));
    struct rule rule;
    plan_rule(kind, in, slope, out, &rule);
    const struct box box = whole_box(in, out);
    if (cfg->axis < 0) {
        run_leaky(&rule, &box, slope);
    } else if ((uint32_t)cfg->axis == in->rank - 1) {
        run_innermost(&rule, &box, slope);
    } else {
        const uint32_t axis = (uint32_t)cfg->axis;
        for (size_t j = 0; j < in->shape[axis]; j++) {
            const struct box part = part_of(&box, axis, j, 1);
            run_one_slope(&rule, &part, plan_slope(&rule, slope_container(slope, j), false));
        }
    }
    return MLI_STATUS_OK;
}

#define KERNELS(type, kind)                                                                        \
    mli_status mli_krn_leaky_relu_##type(const mli_tensor *in, const mli_tensor *slope_coeff,      \
                                         mli_tensor *out)                                          \
    {                                                                                              \
        return leaky_relu(kind, in, slope_coeff, out);                                             \
    }                                                                                              \
    mli_status mli_krn_prelu_##type(const mli_tensor *in, const mli_tensor *slope_coeff,           \
                                    const mli_prelu_cfg *cfg, mli_tensor *out)                     \
    {                                                                                              \
        return prelu(kind, in, slope_coeff, cfg, out);                                             \
    }

KERNELS(sa8, LB_MLI_SA8)
KERNELS(fx8, LB_MLI_FX8)
KERNELS(fx16, LB_MLI_FX16)
