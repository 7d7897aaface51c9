/* A step that is done otherwise for some numbers alone: by a branch that asks the wrong number, a
 * rounding of negative ones, a window at the border. They are no kinds of the bank; they are tried
 * where no kind of it explains a result. */
#include "harness/faults/places.h"
#include "harness/faults/step_rows.h"
#include "harness/faults/views.h"
#include "reference/core/scale_num.h"

enum { COMPUTED = IN(MAC) | IN(ADD) | IN(SUB) | IN(MUL) | IN(SHL) | IN(ASR) | IN(RSH) };

/* ---- Signs ---- */

static int64_t shift_count(const lb_num_step *step)
{
    int64_t n = lb_sat(step->operand[1].v, 16);
    return n > 63 ? 63 : n;
}

static bool has_fraction(const lb_num_step *step)
{
    int64_t n = shift_count(step);
    return n > 0 && (step->operand[0].v & (int64_t)(((uint64_t)1 << n) - 1)) != 0;
}

static int64_t floor_of(const lb_num_step *step)
{
    return lb_asr(step->operand[0].v, (int)shift_count(step), 64);
}

static int64_t negative_to_zero(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return step->operand[0].v < 0 && has_fraction(step) ? floor_of(step) + 1 : step->result;
}

static int64_t negative_floored(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return step->operand[0].v < 0 && has_fraction(step) ? floor_of(step) : step->result;
}

static int64_t positive_floored(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return step->operand[0].v > 0 && has_fraction(step) ? floor_of(step) : step->result;
}

static int64_t absolute(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return step->result < 0 ? lb_neg(step->result, 64) : step->result;
}

/* ---- Widths ---- */

static int64_t wraps_unsigned(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return step->result & (int64_t)(((uint64_t)1 << run->fault->argument) - 1);
}

/* To the container of the output, where it is not yet in its steps. */
static int64_t to_container(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    const lb_tensor *out = run->before->call.tensor[LB_ROLE_OUT];
    int bits = out ? lb_container_bits(run->right->tensors[LB_ROLE_OUT][0].el_type) : 0;
    return bits > 0 ? lb_sat(step->result, bits) : step->result;
}

/* ---- Windows ---- */

/* A table of reciprocals ends. */
static int64_t capped_window(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return step->result < run->fault->argument ? step->result : run->fault->argument;
}

/* Windows that the border cuts off have fewer places than the kernel. */
static int64_t border_window(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    const lb_config *c = &run->before->call.config;
    int64_t whole = (int64_t)c->kernel_height * c->kernel_width;
    int64_t other = step->result + run->fault->argument;
    return step->result < whole && other > 0 ? other : step->result;
}

/* The sum of a window's elements, kept in few bits, in place of that of its products: every product
 * has the same multiplier. The carry is the sum so far. */
static int64_t window_sum(const lb_fault_run *run, const lb_num_step *step,
                          int64_t (*kept)(int64_t sum, int bits))
{
    if (step->operand[2].step == 0) { /* no element: what the sum begins with */
        *run->carry = 0;
        return step->result;
    }
    int64_t before = step->tap == 1 ? 0 : *run->carry;
    int64_t sum = kept(before + step->operand[2].v, run->fault->argument);
    uint64_t change = (uint64_t)sum - (uint64_t)before;
    *run->carry = sum;
    return (int64_t)((uint64_t)step->operand[0].v + change * (uint64_t)step->operand[1].v);
}

static int64_t window_sum_wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return window_sum(run, step, lb_wrap);
}

static int64_t window_sum_saturates(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return window_sum(run, step, lb_sat);
}

/* ---- The bias ---- */

static int64_t scaled_alone(const lb_num_step *step, int64_t bias)
{
    int n = (int)lb_sat(step->operand[1].v, 16);
    return lb_rsh(step->rounding, bias, n > 63 ? 63 : n, 64);
}

/* Sum and bias are scaled one by one, and added in steps of the output. The carry is the bias. */
static int64_t bias_scaled_alone(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    switch (step->operation) {
    case LB_STEP_ADD:
        *run->carry = step->operand[1].v;
        return step->operand[0].v;
    case LB_STEP_MUL:
        *run->carry = (int64_t)((uint64_t)*run->carry * (uint64_t)step->operand[1].v);
        return step->result;
    default:
        return step->result + scaled_alone(step, *run->carry);
    }
}

static bool is_of_bias(const lb_fault *fault, const lb_num_step *step)
{
    bool scales = step->part == LB_PART_REQUANTIZE && step->operand_count == 2 &&
                  (step->operation == LB_STEP_RSH || step->operation == LB_STEP_MUL);
    return scales || lb_fault_same_site(step, fault->site, false);
}

/* ---- Limits of ReLU ---- */

static int64_t zero_point_of_output(const lb_fault_run *run)
{
    return lb_quant_at(&run->right->tensors[LB_ROLE_OUT][0], 0).zero_point;
}

static int64_t limited(const lb_num_step *step, int64_t v, int64_t limit)
{
    return step->operation == LB_STEP_MIN ? (v < limit ? v : limit) : (v > limit ? v : limit);
}

/* The limits are too low by as many zero points as the argument says. */
static int64_t limits_moved(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t by = zero_point_of_output(run) * run->fault->argument;
    return lb_wrap(limited(step, step->operand[0].v, step->operand[1].v - by), 8);
}

/* They hold the zero point and limit what has it not yet. First the upper one is asked. */
static int64_t limits_too_early(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t zero = zero_point_of_output(run), v = step->operand[0].v;
    if (step->operation == LB_STEP_MIN)
        return limited(step, v - zero, step->operand[1].v);
    return lb_sat(limited(step, v, step->operand[1].v) + zero, 8);
}

/* The limits are made of this format. */
static int64_t limits_of(const lb_fault_run *run, const lb_num_step *step, lb_quant format)
{
    int bits = lb_container_bits(run->right->tensors[LB_ROLE_OUT][0].el_type);
    lb_num_limits limits = lb_num_relu_limits(NULL, run->profile, run->before->call.config.relu,
                                              bits, lb_num_quant_const(format));
    return limited(step, step->operand[0].v,
                   step->operation == LB_STEP_MIN ? limits.high.v : limits.low.v);
}

#define LIMITS(name, scale_role, zero_role)                                                        \
    static int64_t name(const lb_fault_run *run, const lb_num_step *step, int64_t left)            \
    {                                                                                              \
        lb_quant format = lb_quant_at(&run->right->tensors[scale_role][0], 0);                     \
        (void)left;                                                                                \
        format.zero_point = lb_quant_at(&run->right->tensors[zero_role][0], 0).zero_point;         \
        return limits_of(run, step, format);                                                       \
    }
LIMITS(limits_zero_point_of_input, LB_ROLE_OUT, LB_ROLE_IN)
LIMITS(limits_scale_of_input, LB_ROLE_IN, LB_ROLE_OUT)
LIMITS(limits_format_of_input, LB_ROLE_IN, LB_ROLE_IN)

/* What ReLU6 allows above the zero point (numerics.md 6): the upper limit of a type so wide that
 * nothing else limits it. */
static int64_t range_of_six(const lb_fault_run *run)
{
    enum { RELU6 = 3, WIDE = 32 };
    lb_quant quant = lb_quant_at(&run->right->tensors[LB_ROLE_OUT][0], 0);
    quant.zero_point = 0;
    return lb_num_relu_limits(NULL, run->profile, RELU6, WIDE, lb_num_quant_const(quant)).high.v;
}

/* The lower limit of ReLU6 as that of ReLU1 is made: the upper one to the other side. */
static int64_t low_of_six(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    if (run->before->call.config.relu != 3)
        return step->result;
    int64_t low = step->operand[0].v - range_of_six(run);
    return low > step->operand[1].v ? low : step->operand[1].v;
}

/* And that of ReLU1 as that of ReLU6 is: the zero point. */
static int64_t low_of_one(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    bool is_sa = lb_is_sa(run->right->tensors[LB_ROLE_OUT][0].el_type);
    return run->before->call.config.relu != 2 ? step->result
           : is_sa                            ? zero_point_of_output(run)
                                              : 0;
}

/* ---- Beginnings and counts ---- */

/* The largest so far begins with the lowest number of 8 bits, whatever the type is. */
static int64_t from_lowest_byte(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return step->result > INT8_MIN ? step->result : INT8_MIN;
}

/* The number of taps is kept in 8 bits. */
static int64_t counted_in_a_byte(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run;
    uint64_t count = step->tap + (uint64_t)(left < 0 ? 0 : left);
    return left >= 0 && step->tap > (count & UINT8_MAX) ? step->operand[0].v : step->result;
}

/* ---- Branches ---- */

/* The sign of the container chooses the branch, in place of that of the distance from the zero
 * point: the distance is given another sign, and the product made of the true one. */
static int64_t by_container(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    if (step->operation == LB_STEP_MUL) {
        int64_t distance = *run->carry;
        return (int64_t)((uint64_t)step->operand[0].v * (uint64_t)distance);
    }
    *run->carry = step->result;
    bool is_below = step->operand[0].v < 0;
    return is_below == (step->result < 0) ? step->result : is_below ? -1 : 0;
}

/* The zero point stays in numbers below it: they still take their branch. */
static int64_t left_in_below(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    if (step->operation == LB_STEP_MUL)
        return (int64_t)((uint64_t)step->operand[0].v * (uint64_t)*run->carry);
    *run->carry = step->result < 0 ? step->operand[0].v : step->result;
    return step->result;
}

/* The weight of the neighbour before for that behind. */
static int64_t other_weight(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t bits = step->operand[1].v;
    return bits > 0 && bits < 32 ? ((int64_t)1 << bits) - step->result : step->result;
}

static bool is_of_branch(const lb_fault *fault, const lb_num_step *step)
{
    return step->part == fault->site->part &&
           (step->operation == LB_STEP_MUL || lb_fault_same_site(step, fault->site, false));
}

/* ---- Places ---- */

static bool fits_kind(const lb_fault_kind *kind, const lb_num_step *site)
{
    return (kind->operations >> site->operation & 1) && (!kind->fits || kind->fits(site));
}

static LB_PLACES(steps)
{
    for (size_t i = 0; i < scope->site_count; i++)
        for (int a = 0; a < kind->argument_count || a == 0; a++) {
            lb_fault fault = {.kind = kind,
                              .site = &scope->sites[i],
                              .argument = kind->argument_count ? kind->arguments[a] : 0};
            if (fits_kind(kind, fault.site))
                sink(user, &fault);
        }
}

static LB_PLACES(slopes)
{
    if (lb_fault_role_use(scope->kernel, LB_ROLE_SLOPE) != LB_USE_NONE &&
        lb_is_sa(scope->kernel->in_type))
        steps(kind, scope, sink, user);
}

static LB_PLACES(averages)
{
    if (scope->kernel->family == LB_FAMILY_AVEPOOL)
        steps(kind, scope, sink, user);
}

static LB_PLACES(biases)
{
    if (lb_fault_role_use(scope->kernel, LB_ROLE_BIAS) != LB_USE_NONE &&
        !lb_is_recurrent(scope->kernel))
        steps(kind, scope, sink, user);
}

/* In other functions than those without weights the output has parameters of its own. */
static LB_PLACES(limits_of_relu)
{
    if (lb_has_weights(scope->kernel) && lb_has_relu(scope->kernel) &&
        !lb_is_recurrent(scope->kernel))
        steps(kind, scope, sink, user);
}

static LB_PLACES(limits)
{
    if (lb_is_sa(scope->kernel->in_type) && !lb_is_recurrent(scope->kernel))
        steps(kind, scope, sink, user);
}

static bool is_tap(const lb_num_step *site)
{
    return site->tap > 0;
}

static bool is_bias(const lb_num_step *site)
{
    return site->part == LB_PART_BIAS && site->operand_count == 2;
}

static bool is_upper_limit(const lb_num_step *site)
{
    return site->part == LB_PART_RELU && site->operand_count == 2;
}

static bool is_lowest(const lb_num_step *site)
{
    return site->part == LB_PART_RELU_LIMITS && site->operand_count == 2;
}

static bool is_of_limits(const lb_fault *fault, const lb_num_step *step)
{
    (void)fault;
    return is_upper_limit(step) &&
           (step->operation == LB_STEP_MIN || step->operation == LB_STEP_MAX);
}

static bool is_window(const lb_num_step *site)
{
    return site->place.kind == LB_NUM_GEOMETRY && site->place.geometry == LB_GEOMETRY_WINDOW;
}

static bool is_distance(const lb_num_step *site)
{
    return site->of_zero_point && site->part == LB_PART_REQUANTIZE;
}

#define ROW(row, text, look, likely, at, in, function)                                             \
    STEP_ROW(row, text, look, likely, in, function), .places = at

/* clang-format off */
static const lb_fault_kind condition_kinds[] = {
    {ROW("branch.on_container", "takes the branch for negative numbers by the container, not by the distance from the zero point", "x < 0 in place of x < zero point", 7, slopes, IN(SUB), by_container), .fits = is_distance, .sits = is_of_branch},
    {ROW("branch.zero_point_left_in", "leaves the zero point of the input in numbers below it", "the branch for negative numbers", 5, slopes, IN(SUB), left_in_below), .fits = is_distance, .sits = is_of_branch},
    {ROW("table.other_weight", "takes the weights of both neighbours in the table for each other", "fraction, or one less the fraction", 5, lb_fault_step_places, IN(MOD), other_weight)},
    {ROW("rounding.negative_to_zero", "cuts negative numbers towards zero, and rounds others as it should", "the half that is added for one sign alone", 6, steps, IN(RSH) | IN(ASR), negative_to_zero)},
    {ROW("rounding.negative_floored", "cuts negative numbers towards minus infinity, and rounds others as it should", "the half that is added for one sign alone", 6, steps, IN(RSH), negative_floored)},
    {ROW("rounding.positive_floored", "cuts positive numbers, and rounds others as it should", "the half that is added for one sign alone", 5, steps, IN(RSH), positive_floored)},
    {ROW("term.absolute", "takes the difference without its sign", "abs, order of operands", 5, steps, IN(SUB), absolute)},
    {ROW("saturation.wraps_unsigned", "keeps a result on the way in too few bits without a sign", "unsigned types of variables", 5, steps, COMPUTED, wraps_unsigned), WITH(8, 16, 32)},
    {ROW("saturation.to_container", "saturates to the type of the output before the last step", "a saturation that stands too early", 4, steps, COMPUTED, to_container)},
    {ROW("window.at_border", "counts another number of elements in windows that the border cuts off ({n})", "how many rows and columns of a window lie inside", 6, steps, IN(GIVEN), border_window), .fits = is_window, WITH(1, -1)},
    {ROW("search.from_lowest_byte", "begins the search for the largest with -128", "how the maximum is initialised", 6, steps, IN(COPY), from_lowest_byte), .fits = is_tap},
    {ROW("taps.counted_in_a_byte", "keeps the number of taps in 8 bits", "types of counters and lengths", 5, steps, IN(MAC) | IN(MAX), counted_in_a_byte), .fits = is_tap},
    {ROW("window.capped", "divides by no more than {n}", "a table of reciprocals that ends", 5, averages, IN(GIVEN), capped_window), .fits = is_window, WITH(8, 16, 25, 32, 49, 64, 128, 256)},
    {ROW("window.sum_wraps", "keeps the sum of a window's elements in too few bits, and wraps", "the type of the sum", 6, averages, IN(MAC), window_sum_wraps), .fits = is_tap, WITH(8, 12, 16, 20, 24)},
    {ROW("window.sum_saturates", "keeps the sum of a window's elements in too few bits, and saturates", "the type of the sum", 6, averages, IN(MAC), window_sum_saturates), .fits = is_tap, WITH(8, 12, 16, 20, 24)},
    {ROW("bias.scaled_alone", "scales the sum and the bias one by one, and adds them in steps of the output", "where the bias is added: before the shift", 7, biases, IN(ADD), bias_scaled_alone), .fits = is_bias, .sits = is_of_bias},
    {ROW("limits.moved", "limits results too low or too high by the zero point of the output ({n})", "whether the limits of ReLU and of the type hold the zero point", 6, limits, IN(MIN), limits_moved), .fits = is_upper_limit, .sits = is_of_limits, WITH(1, -1)},
    {ROW("limits.too_early", "limits results before the output's zero point is added", "the order of limits and zero point", 6, limits, IN(MIN), limits_too_early), .fits = is_upper_limit, .sits = is_of_limits},
    {ROW("limits.zero_point_of_input", "makes the limits of ReLU with the zero point of the input", "whose parameters the limits of ReLU are made of", 6, limits_of_relu, IN(MIN), limits_zero_point_of_input), .fits = is_upper_limit, .sits = is_of_limits},
    {ROW("limits.scale_of_input", "makes the limits of ReLU with the scale of the input", "whose parameters the limits of ReLU are made of", 6, limits_of_relu, IN(MIN), limits_scale_of_input), .fits = is_upper_limit, .sits = is_of_limits},
    {ROW("limits.format_of_input", "makes the limits of ReLU with the format of the input", "whose parameters the limits of ReLU are made of", 6, limits_of_relu, IN(MIN), limits_format_of_input), .fits = is_upper_limit, .sits = is_of_limits},
    {ROW("limits.low_of_six", "lets ReLU6 go as far below zero as above it", "the lower limit of ReLU6", 6, steps, IN(MAX), low_of_six), .fits = is_lowest},
    {ROW("limits.low_of_one", "cuts ReLU1 at zero", "the lower limit of ReLU1", 6, steps, IN(MAX), low_of_one), .fits = is_lowest},
    {.name = NULL},
};
/* clang-format on */

void lb_fault_conditions(const lb_fault_scope *scope, lb_fault_sink sink, void *user)
{
    for (const lb_fault_kind *kind = condition_kinds; kind->name; kind++)
        kind->places(kind, scope, sink, user);
}
