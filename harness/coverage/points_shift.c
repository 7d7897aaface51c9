/* Coverpoints of the shifts and multipliers that a call makes of its formats: below zero, zero,
 * above, past the width or cap of the step, and each count by itself. Spec: numerics.md 4.2, 5;
 * conv.md 3, 4; recurrent.md 4 to 8; elementwise.md 4, 5, 7; pooling_and_movement.md 2.4 to 2.6. */
#include "harness/coverage/class.h"
#include "reference/core/lut.h"
#include "reference/core/scale.h"
#include "reference/core/scale_num.h"
#include "reference/core/view.h"
#include "reference/describe/element_copy.h"
#include "reference/describe/program.h"
#include "reference/mli/pool_divisor.h"
#include "reference/mli/weighted.h"

#include <string.h>

static const char *const shift_points[] = {"negative", "zero", "positive", "beyond", NULL};

/* The shifts of a call: those of a list of scales are many. */
typedef struct shifts {
    uint64_t classes; /* bits of shift_points */
    lb_cover_values *values;
} shifts;

/* `last`: the highest count that the step tells from all above. */
static void note(shifts *s, int64_t shift, int64_t last)
{
    s->classes |= shift < 0 ? 1 : shift == 0 ? 2 : shift <= last ? 4 : 8;
    if (s->values)
        lb_cover_value_add(s->values, shift);
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

static lb_weighted weighted_of(const lb_observation *o)
{
    return lb_weighted_start(&(lb_context){.profile = o->profile}, o->before);
}

static void weighted_out(const lb_observation *o, int detail, shifts *s)
{
    const lb_weighted w = weighted_of(o);
    const lb_tensor *weights = role_of(o, LB_ROLE_WEIGHTS);
    uint32_t channels = w.is_sa && lb_is_per_axis(weights) ? weights->shape[weights->sa.dim] : 1;
    (void)detail;
    for (uint32_t c = 0; c < channels; c++)
        note(s, lb_weighted_shift(&w, o->before, c), w.is_sa ? 62 : w.result.step_bits - 1);
}

static void weighted_bias(const lb_observation *o, int detail, shifts *s)
{
    (void)detail;
    note(s, weighted_of(o).bias_shift.v, 31);
}

static const char *const ratio_points[] = {"lowest", "inside", "highest", NULL};

static uint64_t observe_ratio(const lb_observation *o, const lb_cover_group *group)
{
    (void)group;
    const int64_t ratio = weighted_of(o).ratio.ratio.v;
    return ratio == 16384 ? 1 : ratio == 32767 ? 4 : 2;
}

/* ---- Recurrent functions: an accumulator for each term ---- */

/* reduced normalizes the multiplier, which changes no result (recurrent.md 5.3). */
static lb_dense_shifts term_shifts(const lb_observation *o, const lb_tensor *x,
                                   const lb_tensor *weights, const lb_tensor *out)
{
    const lb_dense_term term = {.x = x, .weights = weights};
    return lb_dense_shifts_of(&lb_profiles[0], &term, role_of(o, LB_ROLE_BIAS), out);
}

static int64_t last_of_term(const lb_observation *o)
{
    return lb_is_sa(o->kernel->in_type) ? 62 : o->kernel->weights_type == LB_FX16 ? 39 : 31;
}

static void dense_terms(const lb_observation *o, int detail, shifts *s)
{
    (void)detail;
    for (unsigned j = 0; j < o->before->config.inputs_num; j++)
        note(s,
             term_shifts(o, lb_cover_tensor(o->before, LB_ROLE_IN, j),
                         lb_cover_tensor(o->before, LB_ROLE_WEIGHTS, j), role_of(o, LB_ROLE_OUT))
                 .sum,
             last_of_term(o));
}

static void dense_bias(const lb_observation *o, int detail, shifts *s)
{
    (void)detail;
    note(
        s,
        term_shifts(o, role_of(o, LB_ROLE_IN), role_of(o, LB_ROLE_WEIGHTS), role_of(o, LB_ROLE_OUT))
            .bias,
        31);
}

/* The format between the gates' sums and their activations (recurrent.md 7, 8). */
static lb_tensor intermediate(const lb_observation *o)
{
    int32_t product = quant_of(o, LB_ROLE_IN).frac + quant_of(o, LB_ROLE_WEIGHTS_IN).frac;
    lb_tensor sums = *role_of(o, LB_ROLE_OUT);
    lb_set_quant(&sums, lb_program_sums_format(&lb_program_of(o->kernel)->sums, o->kernel->in_type,
                                               product));
    return sums;
}

/* detail 0: the frame, 1: the hidden state. */
static void cell_term(const lb_observation *o, int detail, shifts *s)
{
    const lb_tensor sums = intermediate(o);
    const lb_tensor *x = role_of(o, detail == 0 ? LB_ROLE_IN : LB_ROLE_PREV_OUT);
    const lb_tensor *weights = role_of(o, detail == 0 ? LB_ROLE_WEIGHTS_IN : LB_ROLE_WEIGHTS_OUT);
    note(s, term_shifts(o, x, weights, &sums).sum, last_of_term(o));
}

/* ---- Element-wise functions ---- */

/* The shift of the factor numerator / scale_out * 2^-t, not kept within what the step takes. */
static int64_t ratio_shift(const lb_observation *o, int64_t numerator, int t, int32_t scale_out)
{
    static const lb_site sites[LB_FACTOR_SITES];
    return lb_num_factor(NULL, o->profile, lb_num_const(numerator), lb_num_const(scale_out),
                         lb_num_const(t), INT16_MAX, sites)
        .shift.v;
}

static void eltwise_sa(const lb_observation *o, lb_quant a, lb_quant b, lb_quant out, bool product,
                       shifts *s)
{
    if (product) {
        int64_t numerator = (int64_t)a.scale * b.scale;
        note(s, ratio_shift(o, numerator, a.frac + b.frac - out.frac, out.scale), 31);
        return;
    }
    note(s, ratio_shift(o, a.scale, a.frac - out.frac, out.scale), 23);
    note(s, ratio_shift(o, b.scale, b.frac - out.frac, out.scale), 23);
}

static void eltwise(const lb_observation *o, int detail, shifts *s)
{
    lb_quant a = quant_of(o, LB_ROLE_IN1);
    lb_quant b = quant_of(o, LB_ROLE_IN2);
    lb_quant out = quant_of(o, LB_ROLE_OUT);
    bool product = o->kernel->op == LB_OP_MUL;
    bool pick = lb_op_picks(o->kernel->op);
    int bits = lb_container_bits(o->kernel->in_type);
    (void)detail;
    if (lb_is_sa(o->kernel->in_type)) {
        eltwise_sa(o, a, b, out, product, s);
        return;
    }
    int32_t in = product ? a.frac + b.frac : a.frac > b.frac ? a.frac : b.frac;
    note(s, (int64_t)in - out.frac, pick ? bits - 1 : 2 * bits - 1);
}

static void slope(const lb_observation *o, int detail, shifts *s)
{
    (void)detail;
    int64_t shift = lb_is_sa(o->kernel->in_type)
                        ? lb_requant_params(o->profile->rounding, quant_of(o, LB_ROLE_IN),
                                            quant_of(o, LB_ROLE_OUT))
                              .shift
                        : quant_of(o, LB_ROLE_SLOPE).frac;
    note(s, shift, 31);
}

/* Every entry of lists on either side. */
static void convert(const lb_observation *o, int detail, shifts *s)
{
    const lb_tensor *in = role_of(o, LB_ROLE_IN);
    const lb_tensor *out = role_of(o, LB_ROLE_OUT);
    bool wide = in->el_type == LB_SA32 || out->el_type == LB_SA32;
    const lb_tensor *list = lb_is_per_axis(in) ? in : out;
    uint32_t entries = lb_is_per_axis(list) ? list->shape[list->sa.dim] : 1;
    if (in->el_type == LB_FP32 || out->el_type == LB_FP32 || wide != (detail != 0))
        return;
    for (uint32_t j = 0; j < entries; j++)
        note(s,
             lb_requant_params(o->profile->rounding, lb_quant_at(in, j), lb_quant_at(out, j)).shift,
             wide ? 63 : 31);
}

/* ---- Tables, averages ---- */

static void table_argument(const lb_observation *o, int detail, shifts *s)
{
    lb_quant in = quant_of(o, LB_ROLE_IN);
    bool sa = lb_is_sa(o->kernel->in_type);
    int32_t bits = lb_luts[detail].in_frac_bits + (sa ? 8 : 0);
    note(s, (int64_t)in.frac - bits, sa ? 31 : 30);
}

static void average(const lb_observation *o, int detail, shifts *s)
{
    const lb_config *config = &o->before->config;
    uint32_t n = (uint32_t)config->kernel_width * config->kernel_height;
    (void)detail;
    note(s, lb_pool_divisor_of(o->profile, o->before, n).shift,
         o->kernel->in_type == LB_FX16 ? 63 : 31);
}

/* ---- The groups ---- */

/* Counts that are told one by one, from where all saturates to where all vanishes. */
typedef struct counts {
    int low, high;
} counts;

typedef struct row {
    lb_family_set families;
    const char *instance;
    void (*note_shifts)(const lb_observation *o, int detail, shifts *s);
    int detail;
    counts fx16, fx8, sa; /* by the type of the second operand; high 0: it has no such shift */
    const char *spec;
} row;

/* clang-format off */
static const row rows[] = {
    {LB_WEIGHTED,                "out",   weighted_out,   0, {0, 40}, {0, 32}, {-1, 62}, "conv.md 3, 4.2, 4.5"},
    {LB_WEIGHTED,                "bias",  weighted_bias,  0, {0, 32}, {0, 32}, {0, 0}, "conv.md 3"},
    {LB_OF_PATTERN(DENSE_LISTS), "out",   dense_terms,    0, {0, 40}, {0, 32}, {-1, 62}, "recurrent.md 5.2, 5.3"},
    {LB_OF_PATTERN(DENSE_LISTS), "bias",  dense_bias,     0, {0, 32}, {0, 32}, {0, 0}, "recurrent.md 5.2"},
    {LB_CELLS,                   "x",     cell_term,      0, {0, 40}, {0, 32}, {-1, 40}, "recurrent.md 6, dense2"},
    {LB_CELLS,                   "h",     cell_term,      1, {-4, 40}, {-4, 32}, {-1, 40}, "recurrent.md 6, dense2"},
    {LB_OF_PATTERN(PAIR),        "out",   eltwise,        0, {-16, 32}, {-8, 16}, {-8, 32}, "elementwise.md 5"},
    {LB_SLOPED,                  "out",   slope,          0, {-16, 47}, {-16, 47}, {-8, 32}, "elementwise.md 4"},
    {LB_OF_PATTERN(CONVERSION),  "narrow", convert,       0, {-16, 32}, {-16, 32}, {-16, 32}, "numerics.md 5.1, 7.2"},
    {LB_OF_PATTERN(CONVERSION),  "wide",  convert,        1, {0, 63}, {0, 63}, {0, 63}, "numerics.md 5.1, 7.2"},
    {LB_IN_FAMILY(SIGM),         "in",    table_argument, LB_LUT_SIGM, {-16, 31}, {-16, 31}, {-16, 32}, "recurrent.md 4"},
    {LB_IN_FAMILY(TANH),         "in",    table_argument, LB_LUT_TANH, {-16, 31}, {-16, 31}, {-16, 32}, "recurrent.md 4"},
    {LB_IN_FAMILY(SOFTMAX),      "in",    table_argument, LB_LUT_SOFTMAX, {-16, 31}, {-16, 31}, {-16, 32}, "elementwise.md 6, 7"},
    {LB_IN_FAMILY(AVEPOOL),      "out",   average,        0, {0, 48}, {0, 32}, {0, 32}, "pooling_and_movement.md 2.4 to 2.6"},
};
/* clang-format on */

static uint64_t observe_classes(const lb_observation *o, const lb_cover_group *group)
{
    shifts s = {0};
    rows[group->id].note_shifts(o, rows[group->id].detail, &s);
    return s.classes;
}

static void tell_numbers(const lb_observation *o, const lb_cover_group *group,
                         lb_cover_values *values)
{
    shifts s = {.values = values};
    rows[group->id].note_shifts(o, rows[group->id].detail, &s);
}

static counts counts_of(const row *r, const lb_kernel *kernel)
{
    const uint32_t second = kernel->weights_type ? kernel->weights_type : kernel->in_type;
    return lb_is_sa(kernel->in_type) ? r->sa : second == LB_FX16 ? r->fx16 : r->fx8;
}

void lb_cover_shift(lb_cover_list *list)
{
    const lb_kernel *kernel = list->kernel;
    bool sa = lb_is_sa(kernel->in_type);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row *r = &rows[i];
        const counts each = counts_of(r, kernel);
        if (!lb_cover_in(kernel, r->families) || each.high == 0)
            continue;
        lb_cover_add(list, (lb_cover_group){.class_name = "shift",
                                            .instance = r->instance,
                                            .spec = r->spec,
                                            .points = shift_points,
                                            .observe = observe_classes,
                                            .id = (int)i});
        lb_cover_add_each(list,
                          (lb_cover_group){.class_name = "each_shift",
                                           .instance = r->instance,
                                           .spec = r->spec,
                                           .tell_numbers = tell_numbers,
                                           .id = (int)i},
                          each.low, each.high);
    }
    if (sa && lb_cover_in(kernel, LB_WEIGHTED)) {
        lb_cover_add(list, (lb_cover_group){.class_name = "multiplier",
                                            .instance = "",
                                            .spec = "numerics.md 5.2",
                                            .points = ratio_points,
                                            .observe = observe_ratio});
    }
}
