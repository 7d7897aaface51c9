/* Coverpoints of numbers that decide by themselves: a kernel may be right for all of them but one.
 * The shifts and multipliers that a call makes of its formats, below zero, zero, above, past the
 * width or cap of the step, and each count by itself; every fractional bit of a limit, every
 * divisor of an average. Spec: numerics.md 4.2, 5, 6; conv.md 3, 4; recurrent.md 4 to 8;
 * elementwise.md 3 to 5, 7; pooling_and_movement.md 2.4 to 2.6. */
#include "harness/coverage/class.h"
#include "reference/core/arith.h"
#include "reference/core/lut.h"
#include "reference/core/scale.h"
#include "reference/core/scale_num.h"
#include "reference/core/view.h"
#include "reference/describe/element_copy.h"
#include "reference/describe/map_walk.h"
#include "reference/describe/program.h"
#include "reference/mli/pool_divisor.h"
#include "reference/mli/weighted.h"

enum { NEGATIVE, ZERO, POSITIVE, PAST };
static const lb_cover_point shift_points[] = {LB_POINT("negative", NEGATIVE, NEGATIVE),
                                              LB_POINT("zero", ZERO, ZERO),
                                              LB_POINT("positive", POSITIVE, POSITIVE),
                                              LB_POINT("beyond", PAST, PAST),
                                              {0}};

/* Where the shifts of a call go: those of a list of scales are many. */
typedef struct shifts {
    const lb_cover_group *group;
    lb_cover_values *values;
} shifts;

/* `last`: the highest count that the step tells from all above. */
static void note(const shifts *s, int64_t shift, int64_t last)
{
    const int class = shift < 0 ? NEGATIVE : shift == 0 ? ZERO : shift <= last ? POSITIVE : PAST;
    lb_cover_say(s->group, s->values, s->group->points ? class : shift, 0);
}

static lb_quant quant_of(const lb_observation *o, lb_role role)
{
    return lb_quant_at(lb_cover_role(o, role), 0);
}

/* ---- Functions with weights and one accumulator ---- */

static lb_weighted weighted_of(const lb_observation *o)
{
    return lb_weighted_start(&(lb_context){.profile = o->profile}, o->before);
}

static void weighted_out(const lb_observation *o, const shifts *s)
{
    const lb_weighted w = weighted_of(o);
    const lb_tensor *weights = lb_cover_role(o, LB_ROLE_WEIGHTS);
    uint32_t channels = w.is_sa && lb_is_per_axis(weights) ? weights->shape[weights->sa.dim] : 1;
    for (uint32_t c = 0; c < channels; c++)
        note(s, lb_weighted_shift(&w, o->before, c), w.is_sa ? 62 : w.result.step_bits - 1);
}

static void weighted_bias(const lb_observation *o, const shifts *s)
{
    note(s, weighted_of(o).bias_shift.v, 31);
}

static const lb_cover_point ratio_points[] = {LB_POINT("lowest", 16384, 16384),
                                              LB_POINT("inside", 16385, 32766),
                                              LB_POINT("highest", 32767, 32767),
                                              {0}};

static LB_TELLS(tell_ratio)
{
    lb_cover_say(group, values, weighted_of(o).ratio.ratio.v, 0);
}

/* ---- Recurrent functions: an accumulator for each term ---- */

/* reduced normalizes the multiplier, which changes no result (recurrent.md 5.3). */
static lb_dense_shifts term_shifts(const lb_observation *o, const lb_tensor *x,
                                   const lb_tensor *weights, const lb_tensor *out)
{
    const lb_dense_term term = {.x = x, .weights = weights};
    return lb_dense_shifts_of(&lb_profiles[0], &term, lb_cover_role(o, LB_ROLE_BIAS), out);
}

static int64_t last_of_term(const lb_observation *o)
{
    return lb_is_sa(o->kernel->in_type) ? 62 : o->kernel->weights_type == LB_FX16 ? 39 : 31;
}

static void dense_terms(const lb_observation *o, const shifts *s)
{
    for (unsigned j = 0; j < o->before->config.inputs_num; j++)
        note(s,
             term_shifts(o, lb_cover_tensor(o->before, LB_ROLE_IN, j),
                         lb_cover_tensor(o->before, LB_ROLE_WEIGHTS, j),
                         lb_cover_role(o, LB_ROLE_OUT))
                 .sum,
             last_of_term(o));
}

static void dense_bias(const lb_observation *o, const shifts *s)
{
    note(s,
         term_shifts(o, lb_cover_role(o, LB_ROLE_IN), lb_cover_role(o, LB_ROLE_WEIGHTS),
                     lb_cover_role(o, LB_ROLE_OUT))
             .bias,
         31);
}

/* The format between the gates' sums and their activations (recurrent.md 7, 8). */
static lb_tensor intermediate(const lb_observation *o)
{
    int32_t product = quant_of(o, LB_ROLE_IN).frac + quant_of(o, LB_ROLE_WEIGHTS_IN).frac;
    lb_tensor sums = *lb_cover_role(o, LB_ROLE_OUT);
    lb_set_quant(&sums, lb_program_sums_format(&lb_program_of(o->kernel)->sums, o->kernel->in_type,
                                               product));
    return sums;
}

/* detail 0: the frame, 1: the hidden state. */
static void cell_term(const lb_observation *o, const shifts *s)
{
    const lb_tensor sums = intermediate(o);
    const bool of_frame = s->group->detail == 0;
    const lb_tensor *x = lb_cover_role(o, of_frame ? LB_ROLE_IN : LB_ROLE_PREV_OUT);
    const lb_tensor *weights =
        lb_cover_role(o, of_frame ? LB_ROLE_WEIGHTS_IN : LB_ROLE_WEIGHTS_OUT);
    note(s, term_shifts(o, x, weights, &sums).sum, last_of_term(o));
}

/* ---- Element-wise functions ---- */

/* The shift of the factor numerator / scale_out * 2^-t, not kept within what the step takes. */
static int64_t ratio_shift(const lb_observation *o, int64_t numerator, int t, int32_t scale_out)
{
    static const lb_site sites[LB_FACTOR_SITES];
    const lb_numerator of = {lb_num_const(numerator), LB_RATIO_OF_PRODUCT};
    return lb_num_factor(NULL, o->profile, of, lb_num_const(scale_out), lb_num_const(t), INT16_MAX,
                         sites)
        .shift.v;
}

static void eltwise_sa(const lb_observation *o, lb_quant a, lb_quant b, lb_quant out, bool product,
                       const shifts *s)
{
    if (product) {
        int64_t numerator = (int64_t)a.scale * b.scale;
        note(s, ratio_shift(o, numerator, a.frac + b.frac - out.frac, out.scale), 31);
        return;
    }
    note(s, ratio_shift(o, a.scale, a.frac - out.frac, out.scale), 23);
    note(s, ratio_shift(o, b.scale, b.frac - out.frac, out.scale), 23);
}

static void eltwise(const lb_observation *o, const shifts *s)
{
    lb_quant a = quant_of(o, LB_ROLE_IN1);
    lb_quant b = quant_of(o, LB_ROLE_IN2);
    lb_quant out = quant_of(o, LB_ROLE_OUT);
    bool product = o->kernel->op == LB_OP_MUL;
    bool pick = lb_op_picks(o->kernel->op);
    int bits = lb_container_bits(o->kernel->in_type);
    if (lb_is_sa(o->kernel->in_type)) {
        eltwise_sa(o, a, b, out, product, s);
        return;
    }
    int32_t in = product ? a.frac + b.frac : a.frac > b.frac ? a.frac : b.frac;
    note(s, (int64_t)in - out.frac, pick ? bits - 1 : 2 * bits - 1);
}

static void slope(const lb_observation *o, const shifts *s)
{
    int64_t shift = lb_is_sa(o->kernel->in_type)
                        ? lb_requant_params(o->profile->rounding, quant_of(o, LB_ROLE_IN),
                                            quant_of(o, LB_ROLE_OUT))
                              .shift
                        : quant_of(o, LB_ROLE_SLOPE).frac;
    note(s, shift, 31);
}

/* Every entry of lists on either side. */
static void convert(const lb_observation *o, const shifts *s)
{
    const lb_tensor *in = lb_cover_role(o, LB_ROLE_IN);
    const lb_tensor *out = lb_cover_role(o, LB_ROLE_OUT);
    bool wide = in->el_type == LB_SA32 || out->el_type == LB_SA32;
    const lb_tensor *list = lb_is_per_axis(in) ? in : out;
    uint32_t entries = lb_is_per_axis(list) ? list->shape[list->sa.dim] : 1;
    if (in->el_type == LB_FP32 || out->el_type == LB_FP32 || wide != (s->group->detail != 0))
        return;
    for (uint32_t j = 0; j < entries; j++)
        note(s,
             lb_requant_params(o->profile->rounding, lb_quant_at(in, j), lb_quant_at(out, j)).shift,
             wide ? 63 : 31);
}

/* ---- Tables, averages ---- */

static void table_argument(const lb_observation *o, const shifts *s)
{
    lb_quant in = quant_of(o, LB_ROLE_IN);
    bool sa = lb_is_sa(o->kernel->in_type);
    int32_t bits = lb_luts[s->group->detail].in_frac_bits + (sa ? 8 : 0);
    note(s, (int64_t)in.frac - bits, sa ? 31 : 30);
}

static void average(const lb_observation *o, const shifts *s)
{
    const lb_config *config = &o->before->config;
    uint32_t n = (uint32_t)config->kernel_width * config->kernel_height;
    note(s, lb_pool_divisor_of(o->profile, o->before, n).shift,
         o->kernel->in_type == LB_FX16 ? 63 : 31);
}

/* ---- Limits, divisors ---- */

enum { RELU_GEN = 1, RELU1 = 2, RELU6 = 3 };

/* Of the tensor whose fractional bits make the limit; detail: type of the limit. */
static LB_TELLS(limit_numbers)
{
    const lb_role role = lb_cover_in(o->kernel, LB_WEIGHTED) ? LB_ROLE_OUT : LB_ROLE_IN;
    if (o->before->config.relu == group->detail)
        lb_cover_say(group, values, lb_quant_at(lb_cover_role(o, role), 0).frac, 0);
}

static void without_limit(lb_config *config)
{
    config->relu = RELU_GEN;
}

/* The positions that windows average: those of one position of out have the same in all channels,
 * which are the last of the loops. */
static LB_TELLS(divisor_numbers)
{
    uint32_t at[LB_MAP_LOOPS] = {0};
    lb_bound_map bound;
    bool more = lb_map_bind(&bound, lb_map_of(o->kernel), o->before) &&
                lb_map_first(&bound, 0, bound.outer, at);
    for (; more; more = lb_map_next(&bound, 0, bound.outer - 1, at)) {
        const int64_t n = (int64_t)lb_map_inside(&bound, at);
        if (n >= group->first && n - group->first < LB_MAX_GROUP_POINTS)
            lb_cover_say(group, values, n, 0);
    }
}

/* A listener that changes the reciprocal of a window by `user`. */
static int64_t with_wrong_reciprocal(void *user, const lb_num_step *step)
{
    const bool is_reciprocal =
        step->site == LB_SITE_MUL_ITS_15_TOP_BITS || step->site == LB_SITE_MUL_ROUNDED;
    return step->result + (is_reciprocal ? *(const int *)user : 0);
}

/* Of n positions, their reciprocal right and off by `by`: made once for each n of a call. */
typedef struct divisors {
    bool made;
    lb_pool_divisor right, wrong;
} divisors;

static lb_pool_divisor divisor_of(const lb_observation *o, int64_t n, int by)
{
    lb_steps steps = {.alter = with_wrong_reciprocal, .user = &by};
    const lb_num_pool_divisor d =
        lb_num_pool_divisor_of(&steps, o->profile, o->before, lb_num_const(n));
    return (lb_pool_divisor){d.factor.v, d.start.v, (int)d.shift.v};
}

static int64_t average_of(const lb_observation *o, const lb_pool_divisor *d, int64_t sum)
{
    const int shift = d->shift < 0 ? 0 : d->shift < 63 ? d->shift : 63;
    return lb_cast(o->profile->rounding, d->start + sum * d->factor, 64,
                   lb_container_bits(o->kernel->in_type), shift);
}

static int64_t sum_at(const lb_observation *o, const lb_bound_map *bound, const uint32_t *at)
{
    lb_map_taps taps = lb_map_taps_at(bound, at, false);
    int64_t sum = 0;
    while (lb_map_next_tap(&taps))
        sum += lb_load(o->before->tensor[LB_ROLE_IN], lb_access_offset(bound, LB_MAP_X, taps.at));
    return sum;
}

/* The points that windows of the call can have at all. */
static uint64_t possible_points(const lb_cover_group *group, const lb_bound_map *bound)
{
    int64_t most = 1;
    for (unsigned l = bound->outer; l < bound->loops && most < group->first + (int64_t)group->limit;
         l++)
        most *= bound->extent[l];
    const int64_t count = most - group->first + 1;
    return count <= 0 ? 0 : count >= LB_MAX_GROUP_POINTS ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

/* detail: by how much the reciprocal that an average shows is wrong. */
static LB_TELLS(reciprocal_numbers)
{
    uint32_t at[LB_MAP_LOOPS] = {0};
    divisors of[LB_MAX_GROUP_POINTS] = {{.made = false}};
    lb_bound_map bound;
    bool more = lb_map_bind(&bound, lb_map_of(o->kernel), o->before) &&
                lb_map_first(&bound, 0, bound.outer, at);
    const uint64_t asked = more ? values->asked & possible_points(group, &bound) : 0;
    for (; more && (asked & ~values->hit) != 0; more = lb_map_next(&bound, 0, bound.outer, at)) {
        const int64_t n = (int64_t)lb_map_inside(&bound, at), point = n - group->first;
        if (point < 0 || point >= (int64_t)group->limit ||
            (asked & ~values->hit & (uint64_t)1 << point) == 0)
            continue;
        divisors *d = &of[point];
        if (!d->made)
            *d = (divisors){true, divisor_of(o, n, 0), divisor_of(o, n, group->detail)};
        const int64_t sum = sum_at(o, &bound, at);
        if (average_of(o, &d->right, sum) != average_of(o, &d->wrong, sum))
            lb_cover_say(group, values, n, 0);
    }
}

/* ---- The groups ---- */

/* Numbers that are told one by one: of shifts from where all saturates to where all vanishes. */
typedef struct counts {
    int low, high;
} counts;

typedef struct row {
    lb_family_set families;
    const char *class_name; /* NULL: of a shift */
    const char *instance;
    void (*note_shifts)(const lb_observation *o, const shifts *s);
    int detail;
    counts fx16, fx8, sa; /* by the type of the second operand; high 0: it has no such number */
    const char *spec;
    LB_TELLS((*tell));
    void (*take_away)(lb_config *config);
} row;

/* One entry of a table of reciprocals may be off by one: of 16 bits an average shows it, of 8 bits
 * beside a half, or where the multiplier of few bits that is made of it stands beside one. Limits
 * that are made of the output's format lie inside the container from -3 to 15 fractional bits, and
 * have one next to it on either side. */
/* clang-format off */
static const row rows[] = {
    {LB_WEIGHTED,                NULL, "out",   weighted_out,   0, {0, 40}, {0, 32}, {-1, 62}, "conv.md 3, 4.2, 4.5", NULL, NULL},
    {LB_WEIGHTED,                NULL, "bias",  weighted_bias,  0, {0, 32}, {0, 32}, {0, 0}, "conv.md 3", NULL, NULL},
    {LB_OF_PATTERN(DENSE_LISTS), NULL, "out",   dense_terms,    0, {0, 40}, {0, 32}, {-1, 62}, "recurrent.md 5.2, 5.3", NULL, NULL},
    {LB_OF_PATTERN(DENSE_LISTS), NULL, "bias",  dense_bias,     0, {0, 32}, {0, 32}, {0, 0}, "recurrent.md 5.2", NULL, NULL},
    {LB_CELLS,                   NULL, "x",     cell_term,      0, {0, 40}, {0, 32}, {-1, 40}, "recurrent.md 6, dense2", NULL, NULL},
    {LB_CELLS,                   NULL, "h",     cell_term,      1, {-4, 40}, {-4, 32}, {-1, 40}, "recurrent.md 6, dense2", NULL, NULL},
    {LB_OF_PATTERN(PAIR),        NULL, "out",   eltwise,        0, {-16, 32}, {-8, 16}, {-8, 32}, "elementwise.md 5", NULL, NULL},
    {LB_SLOPED,                  NULL, "out",   slope,          0, {-16, 47}, {-16, 47}, {-8, 32}, "elementwise.md 4", NULL, NULL},
    {LB_OF_PATTERN(CONVERSION),  NULL, "narrow", convert,       0, {-16, 32}, {-16, 32}, {-16, 32}, "numerics.md 5.1, 7.2", NULL, NULL},
    {LB_OF_PATTERN(CONVERSION),  NULL, "wide",  convert,        1, {0, 63}, {0, 63}, {0, 63}, "numerics.md 5.1, 7.2", NULL, NULL},
    {LB_IN_FAMILY(SIGM),         NULL, "in",    table_argument, LB_LUT_SIGM, {-16, 31}, {-16, 31}, {-16, 32}, "recurrent.md 4", NULL, NULL},
    {LB_IN_FAMILY(TANH),         NULL, "in",    table_argument, LB_LUT_TANH, {-16, 31}, {-16, 31}, {-16, 32}, "recurrent.md 4", NULL, NULL},
    {LB_IN_FAMILY(SOFTMAX),      NULL, "in",    table_argument, LB_LUT_SOFTMAX, {-16, 31}, {-16, 31}, {-16, 32}, "elementwise.md 6, 7", NULL, NULL},
    {LB_IN_FAMILY(AVEPOOL),      NULL, "out",   average,        0, {0, 48}, {0, 32}, {0, 32}, "pooling_and_movement.md 2.4 to 2.6", NULL, NULL},
    {LB_OF_PATTERN(LIMITS), "each_relu6_frac_bits", "in", NULL, RELU6, {-128, 127}, {-128, 127}, {0, 0}, "numerics.md 6", limit_numbers, without_limit},
    {LB_OF_PATTERN(LIMITS), "each_relu1_frac_bits", "in", NULL, RELU1, {-128, 127}, {-128, 127}, {0, 0}, "numerics.md 6", limit_numbers, without_limit},
    {LB_WEIGHTED, "each_relu6_frac_bits", "out", NULL, RELU6, {-4, 16}, {-4, 16}, {0, 0}, "numerics.md 6", limit_numbers, without_limit},
    {LB_WEIGHTED, "each_relu1_frac_bits", "out", NULL, RELU1, {-4, 16}, {-4, 16}, {0, 0}, "numerics.md 6", limit_numbers, without_limit},
    {LB_IN_FAMILY(AVEPOOL), "each_divisor", "out", NULL, 0, {1, 64}, {1, 64}, {1, 64}, "pooling_and_movement.md 2.4", divisor_numbers, NULL},
    {LB_IN_FAMILY(AVEPOOL), "each_reciprocal_too_large", "out", NULL, 1, {1, 64}, {1, 64}, {1, 64}, "pooling_and_movement.md 2.4", reciprocal_numbers, NULL},
    {LB_IN_FAMILY(AVEPOOL), "each_reciprocal_too_small", "out", NULL, -1, {1, 64}, {1, 64}, {1, 64}, "pooling_and_movement.md 2.4", reciprocal_numbers, NULL},
};
/* clang-format on */

static LB_TELLS(tell_shifts)
{
    const shifts s = {group, values};
    rows[group->id].note_shifts(o, &s);
}

/* A window that is fixed has no more positions than itself. */
static counts counts_of(const row *r, const lb_kernel *kernel)
{
    const uint32_t second = kernel->weights_type ? kernel->weights_type : kernel->in_type;
    const int positions = kernel->kernel_size * kernel->kernel_size;
    counts each = lb_is_sa(kernel->in_type) ? r->sa : second == LB_FX16 ? r->fx16 : r->fx8;
    if (r->class_name && positions > 0 && positions < each.high)
        each.high = positions;
    return each;
}

static void add_each(lb_cover_list *list, lb_cover_group group, counts each)
{
    for (int first = each.low; first <= each.high; first += LB_MAX_GROUP_POINTS) {
        const int left = each.high - first + 1;
        group.first = first;
        group.limit = (unsigned)(left < LB_MAX_GROUP_POINTS ? left : LB_MAX_GROUP_POINTS);
        lb_cover_add(list, group);
    }
}

void lb_cover_numbers(lb_cover_list *list)
{
    const lb_kernel *kernel = list->kernel;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row *r = &rows[i];
        const counts each = counts_of(r, kernel);
        lb_cover_group group = {.class_name = r->class_name ? r->class_name : "shift",
                                .instance = r->instance,
                                .spec = r->spec,
                                .points = r->class_name ? NULL : shift_points,
                                .tell = r->class_name ? r->tell : tell_shifts,
                                .take_away = r->take_away,
                                .id = (int)i,
                                .detail = r->detail};
        if (!lb_cover_in(kernel, r->families) || each.high == 0)
            continue;
        if (!r->class_name)
            lb_cover_add(list, group);
        group.class_name = r->class_name ? r->class_name : "each_shift";
        group.points = NULL;
        add_each(list, group, each);
    }
    if (lb_is_sa(kernel->in_type) && lb_cover_in(kernel, LB_WEIGHTED))
        lb_cover_add(list, (lb_cover_group){.class_name = "multiplier",
                                            .instance = "",
                                            .spec = "numerics.md 5.2",
                                            .points = ratio_points,
                                            .tell = tell_ratio});
}
