/* Coverpoints of the shifts and multipliers that a call makes of its formats: below zero, zero,
 * above, and past the width or cap of the step. Spec: numerics.md 4.2, 5; conv.md 3, 4;
 * recurrent.md 4 to 8; elementwise.md 4, 5, 7; pooling_and_movement.md 2.4 to 2.6. */
#include "harness/coverage/class.h"
#include "reference/element_copy.h"
#include "reference/lut.h"
#include "reference/pool_divisor.h"
#include "reference/recurrent.h"
#include "reference/scale.h"
#include "reference/weighted.h"

#include <string.h>

static const char *const shift_points[] = {"negative", "zero", "positive", "beyond", NULL};

/* `last`: the highest count that the step tells from all above. */
static uint64_t shift_class(int64_t shift, int64_t last)
{
    return shift < 0 ? 1 : shift == 0 ? 2 : shift <= last ? 4 : 8;
}

static const lb_tensor *role_of(const lb_observation *o, lb_role role)
{
    return lb_cover_tensor(o->before, (int)role, 0);
}

static lb_quant quant_of(const lb_observation *o, lb_role role)
{
    return lb_quant_at(role_of(o, role), 0);
}

/* ---- Functions with weights and one accumulator ---- */

static uint64_t weighted_out(const lb_observation *o, const lb_cover_group *group)
{
    lb_context context = {.profile = o->profile};
    lb_weighted w = lb_weighted_start(&context, o->before);
    (void)group;
    if (!w.is_sa)
        return shift_class(w.out_shift.v, w.step_bits - 1);
    const lb_tensor *weights = role_of(o, LB_ROLE_WEIGHTS);
    uint32_t channels = lb_is_per_axis(weights) ? weights->shape[weights->sa.dim] : 1;
    lb_ratio ratio =
        lb_output_ratio(o->profile->rounding, quant_of(o, LB_ROLE_IN), quant_of(o, LB_ROLE_OUT));
    uint64_t hit = 0;
    for (uint32_t c = 0; c < channels; c++) {
        hit |=
            shift_class(lb_output_multiplier(o->profile, ratio, lb_quant_at(weights, c)).shift, 62);
    }
    return hit;
}

static uint64_t weighted_bias(const lb_observation *o, const lb_cover_group *group)
{
    (void)group;
    int32_t product = quant_of(o, LB_ROLE_IN).frac + quant_of(o, LB_ROLE_WEIGHTS).frac;
    return shift_class(product - quant_of(o, LB_ROLE_BIAS).frac, 31);
}

static const char *const ratio_points[] = {"lowest", "inside", "highest", NULL};

static uint64_t observe_ratio(const lb_observation *o, const lb_cover_group *group)
{
    (void)group;
    int32_t ratio =
        lb_output_ratio(o->profile->rounding, quant_of(o, LB_ROLE_IN), quant_of(o, LB_ROLE_OUT))
            .ratio;
    return ratio == 16384 ? 1 : ratio == 32767 ? 4 : 2;
}

/* ---- Recurrent functions: an accumulator for each term ---- */

static uint64_t term_shift(const lb_observation *o, lb_quant x, lb_quant weights, lb_quant out)
{
    if (lb_is_sa(o->kernel->in_type)) {
        lb_ratio ratio = lb_output_ratio(o->profile->rounding, x, out);
        return shift_class(ratio.base + weights.frac, 62);
    }
    return shift_class(x.frac + weights.frac - out.frac,
                       o->kernel->weights_type == LB_FX16 ? 39 : 31);
}

static uint64_t dense_terms(const lb_observation *o, const lb_cover_group *group)
{
    uint64_t hit = 0;
    (void)group;
    for (unsigned j = 0; j < o->before->config.inputs_num; j++) {
        hit |= term_shift(o, lb_quant_at(lb_cover_tensor(o->before, LB_ROLE_IN, j), 0),
                          lb_quant_at(lb_cover_tensor(o->before, LB_ROLE_WEIGHTS, j), 0),
                          quant_of(o, LB_ROLE_OUT));
    }
    return hit;
}

/* The format between the gates' sums and their activations (recurrent.md 7, 8). */
static lb_quant intermediate(const lb_observation *o)
{
    bool lstm = o->kernel->family == LB_FAMILY_LSTM;
    if (lb_is_sa(o->kernel->in_type))
        return lstm ? (lb_quant){1, 4, 0} : (lb_quant){21, 9, 0};
    int32_t product = quant_of(o, LB_ROLE_IN).frac + quant_of(o, LB_ROLE_WEIGHTS_IN).frac;
    int32_t most = lstm ? 10 : 11;
    return (lb_quant){1, product < most ? product : most, 0};
}

/* detail 0: the frame, 1: the hidden state. */
static uint64_t cell_term(const lb_observation *o, const lb_cover_group *group)
{
    lb_role x = group->detail == 0 ? LB_ROLE_IN : LB_ROLE_PREV_OUT;
    lb_role weights = group->detail == 0 ? LB_ROLE_WEIGHTS_IN : LB_ROLE_WEIGHTS_OUT;
    return term_shift(o, quant_of(o, x), quant_of(o, weights), intermediate(o));
}

/* ---- Element-wise functions ---- */

/* The shift of the 15-bit mantissa of numerator / scale_out * 2^-t (elementwise.md 5, ratio). */
static int64_t ratio_shift(const lb_observation *o, int64_t numerator, int t, int32_t scale_out)
{
    int norm = lb_norm(numerator, 32);
    int e;
    lb_norm_cast(o->profile->rounding, lb_tdiv(lb_shl(numerator, norm, 32), scale_out), 16, &e);
    return (int64_t)t + norm - e;
}

static uint64_t eltwise_sa(const lb_observation *o, lb_quant a, lb_quant b, lb_quant out,
                           bool product)
{
    if (product) {
        return shift_class(
            ratio_shift(o, (int64_t)a.scale * b.scale, a.frac + b.frac - out.frac, out.scale), 31);
    }
    return shift_class(ratio_shift(o, a.scale, a.frac - out.frac, out.scale), 23) |
           shift_class(ratio_shift(o, b.scale, b.frac - out.frac, out.scale), 23);
}

static uint64_t eltwise(const lb_observation *o, const lb_cover_group *group)
{
    lb_quant a = quant_of(o, LB_ROLE_IN1);
    lb_quant b = quant_of(o, LB_ROLE_IN2);
    lb_quant out = quant_of(o, LB_ROLE_OUT);
    bool product = strcmp(o->kernel->operation, "mul") == 0;
    bool pick =
        strcmp(o->kernel->operation, "min") == 0 || strcmp(o->kernel->operation, "max") == 0;
    int bits = lb_container_bits(o->kernel->in_type);
    (void)group;
    if (lb_is_sa(o->kernel->in_type))
        return eltwise_sa(o, a, b, out, product);
    int32_t in = product ? a.frac + b.frac : a.frac > b.frac ? a.frac : b.frac;
    return shift_class((int64_t)in - out.frac, pick ? bits - 1 : 2 * bits - 1);
}

static uint64_t slope(const lb_observation *o, const lb_cover_group *group)
{
    (void)group;
    if (!lb_is_sa(o->kernel->in_type))
        return shift_class(quant_of(o, LB_ROLE_SLOPE).frac, 31);
    return shift_class(
        lb_requant_params(o->profile->rounding, quant_of(o, LB_ROLE_IN), quant_of(o, LB_ROLE_OUT))
            .shift,
        31);
}

/* Every entry of lists on either side. */
static uint64_t convert(const lb_observation *o, const lb_cover_group *group)
{
    const lb_tensor *in = role_of(o, LB_ROLE_IN);
    const lb_tensor *out = role_of(o, LB_ROLE_OUT);
    bool wide = in->el_type == LB_SA32 || out->el_type == LB_SA32;
    const lb_tensor *list = lb_is_per_axis(in) ? in : out;
    uint32_t entries = lb_is_per_axis(list) ? list->shape[list->sa.dim] : 1;
    uint64_t hit = 0;
    if (in->el_type == LB_FP32 || out->el_type == LB_FP32 || wide != (group->detail != 0))
        return 0;
    for (uint32_t j = 0; j < entries; j++) {
        hit |= shift_class(
            lb_requant_params(o->profile->rounding, lb_quant_at(in, j), lb_quant_at(out, j)).shift,
            wide ? 63 : 31);
    }
    return hit;
}

/* ---- Tables, averages ---- */

static uint64_t table_argument(const lb_observation *o, const lb_cover_group *group)
{
    lb_quant in = quant_of(o, LB_ROLE_IN);
    bool sa = lb_is_sa(o->kernel->in_type);
    int32_t bits = lb_luts[group->detail].in_frac_bits + (sa ? 8 : 0);
    return shift_class((int64_t)in.frac - bits, sa ? 31 : 30);
}

static uint64_t average(const lb_observation *o, const lb_cover_group *group)
{
    const lb_config *config = &o->before->config;
    uint32_t n = (uint32_t)config->kernel_width * config->kernel_height;
    (void)group;
    return shift_class(lb_pool_divisor_of(o->profile, o->before, n).shift,
                       o->kernel->in_type == LB_FX16 ? 63 : 31);
}

/* ---- The groups ---- */

typedef struct row {
    lb_family_set families;
    const char *instance;
    uint64_t (*observe)(const lb_observation *o, const lb_cover_group *group);
    int detail;
    bool fx, sa; /* for which variants */
    const char *spec;
} row;

/* clang-format off */
static const row rows[] = {
    {LB_WEIGHTED,                "out",   weighted_out,   0, true,  true,  "conv.md 3, 4.2, 4.5"},
    {LB_WEIGHTED,                "bias",  weighted_bias,  0, true,  false, "conv.md 3"},
    {LB_IN_FAMILY(RNN_DENSE),    "out",   dense_terms,    0, true,  true,  "recurrent.md 5.2, 5.3"},
    {LB_IN_FAMILY(RNN_DENSE),    "bias",  weighted_bias,  0, true,  false, "recurrent.md 5.2"},
    {LB_CELLS,                   "x",     cell_term,      0, true,  true,  "recurrent.md 6, dense2"},
    {LB_CELLS,                   "h",     cell_term,      1, true,  true,  "recurrent.md 6, dense2"},
    {LB_IN_FAMILY(ELTWISE),      "out",   eltwise,        0, true,  true,  "elementwise.md 5"},
    {LB_SLOPED,                  "out",   slope,          0, true,  true,  "elementwise.md 4"},
    {LB_IN_FAMILY(CONVERT),      "narrow", convert,       0, true,  true,  "numerics.md 5.1, 7.2"},
    {LB_IN_FAMILY(CONVERT),      "wide",  convert,        1, true,  true,  "numerics.md 5.1, 7.2"},
    {LB_IN_FAMILY(SIGM),         "in",    table_argument, LB_LUT_SIGM, true, true, "recurrent.md 4"},
    {LB_IN_FAMILY(TANH),         "in",    table_argument, LB_LUT_TANH, true, true, "recurrent.md 4"},
    {LB_IN_FAMILY(SOFTMAX),      "in",    table_argument, LB_LUT_SOFTMAX, true, true, "elementwise.md 6, 7"},
    {LB_IN_FAMILY(AVEPOOL),      "out",   average,        0, true,  true,  "pooling_and_movement.md 2.4 to 2.6"},
};
/* clang-format on */

void lb_cover_shift(lb_cover_list *list)
{
    const lb_kernel *kernel = list->kernel;
    bool sa = lb_is_sa(kernel->in_type);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (lb_cover_in(kernel, rows[i].families) && (sa ? rows[i].sa : rows[i].fx)) {
            lb_cover_add(list, (lb_cover_group){.class_name = "shift",
                                                .instance = rows[i].instance,
                                                .spec = rows[i].spec,
                                                .points = shift_points,
                                                .observe = rows[i].observe,
                                                .detail = rows[i].detail});
        }
    }
    if (sa && lb_cover_in(kernel, LB_WEIGHTED)) {
        lb_cover_add(list, (lb_cover_group){.class_name = "multiplier",
                                            .instance = "",
                                            .spec = "numerics.md 5.2",
                                            .points = ratio_points,
                                            .observe = observe_ratio});
    }
}
