/* Faults in single steps, continued: sums of products, their terms, what is given to them, and
 * single precision. */
#include "harness/faults/places.h"
#include "harness/faults/step_proofs.h"
#include "harness/faults/step_rows.h"
#include "reference/core/lut.h"

#include <math.h>
#include <string.h>

/* ---- Sums of products ---- */

static int64_t with_product(const lb_num_step *step, int64_t value)
{
    int64_t sum = (int64_t)((uint64_t)lb_step_operand(step, 0) + (uint64_t)value);
    return step->saturates ? lb_sat(sum, lb_step_width(step)) : lb_wrap(sum, lb_step_width(step));
}

static int64_t sum_wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return lb_wrap(with_product(step, lb_step_product(step)), run->fault->argument);
}

static int64_t sum_saturates(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t sum = (int64_t)((uint64_t)lb_step_operand(step, 0) + (uint64_t)lb_step_product(step));
    return lb_sat(sum, run->fault->argument);
}

static int64_t tap_wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return with_product(step, lb_wrap(lb_step_product(step), run->fault->argument));
}

static int64_t tap_saturates(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return with_product(step, lb_sat(lb_step_product(step), run->fault->argument));
}

static int64_t tap_shifted(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return with_product(step, lb_step_floor(lb_step_product(step), run->fault->argument));
}

/* The input less its zero point is formed in 8 bits; the zero point's own term follows, so that it
 * is added here. */
static int64_t input_in_8_bits(const lb_fault_run *run, const lb_num_step *step,
                               int64_t (*limit)(int64_t v, int width))
{
    const lb_tensor *in = run->before->call.tensor[LB_ROLE_IN];
    if (!in || !lb_is_sa(in->el_type) || in->el_type != LB_SA8)
        return step->result;
    int64_t zero = lb_quant_at(in, 0).zero_point, x = lb_step_operand(step, 1);
    return with_product(step, (limit(x - zero, 8) + zero) * lb_step_operand(step, 2));
}

static int64_t input_wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return input_in_8_bits(run, step, lb_wrap);
}

static int64_t input_saturates(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return input_in_8_bits(run, step, lb_sat);
}

/* The sum, or the largest so far, as it was. */
static int64_t not_this_tap(const lb_num_step *step)
{
    return lb_step_operand(step, 0);
}

static int64_t first_taps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return step->tap <= (uint64_t)run->fault->argument ? not_this_tap(step) : step->result;
}

static int64_t last_taps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    return left >= 0 && left < run->fault->argument ? not_this_tap(step) : step->result;
}

/* The rest of the taps modulo a block is lost. */
static int64_t tail_taps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    int64_t block = run->fault->argument, count = (int64_t)step->tap + left;
    return left >= 0 && (int64_t)step->tap > count - count % block ? not_this_tap(step)
                                                                   : step->result;
}

static int64_t taps_beyond(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return step->tap > (uint64_t)run->fault->argument ? not_this_tap(step) : step->result;
}

static int64_t no_taps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return lb_step_operand(step, 0);
}

/* Padding is multiplied like an input of container 0. */
static int64_t counts_padding(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return with_product(step, lb_step_product(step));
}

/* The sum begins with the last one. */
static int64_t not_cleared(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t *carry = run->carry;
    int64_t result = step->result;
    if (step->tap == 1)
        result = with_product(step, (int64_t)((uint64_t)lb_step_product(step) + (uint64_t)*carry));
    *carry = result;
    return result;
}

/* ---- Operands ---- */

static int64_t twice(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t b = lb_step_operand(step, 1);
    int width = lb_step_width(step);
    return step->operation == LB_STEP_ADD ? lb_add(step->result, lb_sat(b, width), width)
                                          : lb_sub(step->result, lb_sat(b, width), width);
}

static int64_t other_sign(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int width = lb_step_width(step);
    int64_t a = lb_sat(lb_step_operand(step, 0), width),
            b = lb_sat(lb_step_operand(step, 1), width);
    return step->operation == LB_STEP_ADD ? lb_sub(a, b, width) : lb_add(a, b, width);
}

static int64_t swapped(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int width = lb_step_width(step);
    return lb_sub(lb_sat(lb_step_operand(step, 1), width), lb_sat(lb_step_operand(step, 0), width),
                  width);
}

/* Negative sums are cut off before the bias. */
static int64_t early_relu(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t a = lb_step_operand(step, 0);
    return lb_add(a > 0 ? lb_sat(a, lb_step_width(step)) : 0,
                  lb_sat(lb_step_operand(step, 1), lb_step_width(step)), lb_step_width(step));
}

static int64_t one_more(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return (int64_t)((uint64_t)step->result + (uint64_t)(int64_t)run->fault->argument);
}

static int64_t neighbour_entry(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    const lb_lut *lut = &lb_luts[step->table];
    int64_t i = lb_step_operand(step, 0) + run->fault->argument;
    return lut->table[i < 0 ? 0 : i >= lut->length ? lut->length - 1 : i];
}

/* Of the sigmoid for tanh, and so on: the entry of the same number. */
static int64_t other_table(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    static const lb_lut_kind other[LB_LUT_COUNT] = {[LB_LUT_SIGM] = LB_LUT_TANH,
                                                    [LB_LUT_TANH] = LB_LUT_SIGM,
                                                    [LB_LUT_SOFTMAX] = LB_LUT_L2_NORMALIZE,
                                                    [LB_LUT_L2_NORMALIZE] = LB_LUT_SOFTMAX};
    const lb_lut *lut = &lb_luts[other[step->table]];
    int64_t i = lb_step_operand(step, 0);
    return lut->table[i < 0 ? 0 : i >= lut->length ? lut->length - 1 : i];
}

/* The largest so far begins with container 0. */
static int64_t from_zero(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return step->result > 0 ? step->result : 0;
}

static int64_t nothing(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)step, (void)left;
    return 0;
}

static int64_t negated(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return lb_neg(step->result, 64);
}

/* A parameter or a bias of another channel. */
static int64_t other_channel(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    const lb_num_place *place = &step->place;
    const lb_tensor *t = lb_fault_tensor_of(run->before, place->owner);
    int32_t distance = run->fault->argument;
    if (!t || place->rank != 1)
        return step->result;
    int64_t count = lb_fault_channel_count(t, place);
    int64_t i = distance == 0 ? 0 : place->index[0] + distance;
    if (count <= 0 || i < 0 || i >= count)
        return step->result;
    return lb_fault_channel_value(t, place, (uint32_t)i);
}

/* The whole kernel, padding too. */
static int64_t whole_window(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    const lb_config *c = &run->before->call.config;
    return c->kernel_height && c->kernel_width ? (int64_t)c->kernel_height * c->kernel_width
                                               : step->result;
}

/* ---- Single precision ---- */

static float float_of(int64_t pattern)
{
    int32_t bits = (int32_t)pattern;
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static int64_t pattern_of(float v)
{
    int32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static int64_t half_added(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return pattern_of(float_of(lb_step_operand(step, 0)) +
                      fabsf(float_of(lb_step_operand(step, 1))));
}

static int64_t to_integer(double r)
{
    return isnan(r)             ? 0
           : r >= 2147483647.0  ? INT32_MAX
           : r <= -2147483648.0 ? INT32_MIN
                                : (int64_t)r;
}

/* The half has been taken off negative numbers already. */
static int64_t half_up(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    double v = (double)float_of(lb_step_operand(step, 0));
    return to_integer(floor(v < 0 ? v + 1 : v));
}

static int64_t to_nearest(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return to_integer(nearbyint((double)float_of(lb_step_operand(step, 0))));
}

static int64_t by_reciprocal(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return pattern_of(float_of(lb_step_operand(step, 0)) *
                      (1.0f / float_of(lb_step_operand(step, 1))));
}

/* ---- Where kinds can sit ---- */

static bool has_first(const lb_num_step *site) /* a mere change of sign adds nothing */
{
    return site->operand[0].step != 0 || site->operand[0].v != 0;
}

static bool is_tap(const lb_num_step *site)
{
    return site->tap > 0;
}

/* Products with the inputs themselves: their terms with the zero point stand alone. */
static bool is_input_tap(const lb_num_step *site)
{
    return site->tap > 0 && site->operand[1].step < 0;
}

/* Where inputs have a zero point. */
static void of_zero_points(const lb_fault_kind *kind, const lb_fault_scope *scope,
                           lb_fault_sink sink, void *user)
{
    uint32_t type = lb_type_of_role(scope->kernel, LB_ROLE_IN);
    if (type == 0 || type == LB_SA8)
        lb_fault_step_places(kind, scope, sink, user);
}

static bool is_parameter(const lb_num_step *site)
{
    return site->place.kind == LB_NUM_PARAMETER;
}

static bool is_of_a_channel(const lb_num_step *site)
{
    return site->place.rank == 1 && lb_fault_is_channel_place(&site->place);
}

static bool is_window(const lb_num_step *site)
{
    return site->place.kind == LB_NUM_GEOMETRY;
}

/* ---- The table ---- */

#define TAPS     "the bounds of the innermost loop, and what a vector loop leaves over"
#define ROW(...) STEP_ROW(__VA_ARGS__), .places = lb_fault_step_places

/* clang-format off */
const lb_fault_kind lb_fault_sum_kinds[] = {
    {ROW("accumulator.wraps", "adds up in an accumulator that is too narrow and wraps", WIDTH, 8, IN(MAC), sum_wraps), .never = lb_never_wide_result, WITH(16, 20, 24, 28, 32, 40), UP_TO(16, 62)},
    {ROW("accumulator.saturates", "adds up in an accumulator that saturates at each addition", WIDTH, 8, IN(MAC), sum_saturates), .never = lb_never_wide_sum, WITH(16, 20, 24, 31, 32, 40), UP_TO(16, 62)},
    {ROW("accumulator.not_cleared", "begins a sum with what the sum before left", "where the accumulator is set to zero", 5, IN(MAC), not_cleared), .fits = is_tap},
    {ROW("tap.wraps", "keeps a single product in too few bits, and wraps", WIDTH, 6, IN(MAC), tap_wraps), .never = lb_never_wide_product, WITH(8, 15, 16), UP_TO(8, 40)},
    {ROW("tap.saturates", "saturates a single product (the lowest value times itself)", "fractional multiply instructions", 6, IN(MAC), tap_saturates), .never = lb_never_wide_product, WITH(15, 16, 31), UP_TO(8, 40)},
    {ROW("tap.shifted", "shifts each product before it is added", "fractional multiply instructions", 4, IN(MAC), tap_shifted), WITH(1, 7, 8), UP_TO(1, 16)},
    {STEP_ROW("tap.input_wraps", "forms the input less its zero point in 8 bits, and wraps", WIDTH, 6, IN(MAC), input_wraps), .places = of_zero_points, .fits = is_input_tap},
    {STEP_ROW("tap.input_saturates", "forms the input less its zero point in 8 bits, and saturates", WIDTH, 5, IN(MAC), input_saturates), .places = of_zero_points, .fits = is_input_tap},
    {ROW("taps.first_lost", "loses the first taps of a sum", TAPS, 5, IN(MAC) | IN(MAX), first_taps), .never = lb_never_first_taps, .fits = is_tap, WITH(1), UP_TO(1, 8)},
    {ROW("taps.last_lost", "loses the last taps of a sum", TAPS, 8, IN(MAC) | IN(MAX), last_taps), .fits = is_tap, WITH(1, 2, 3), UP_TO(1, 8)},
    {ROW("taps.tail_lost", "loses the taps that a block of a vector loop leaves over", TAPS, 9, IN(MAC) | IN(MAX), tail_taps), .fits = is_tap, WITH(2, 4, 8, 16, 32), UP_TO(2, 64)},
    {ROW("taps.beyond_lost", "takes no more than a certain number of taps", TAPS, 5, IN(MAC) | IN(MAX), taps_beyond), .counts_taps = true, .fits = is_tap, WITH(8, 16, 32, 64, 128, 255, 256)},
    {ROW("taps.missing", "leaves these terms out", "the loop over these terms", 5, IN(MAC), no_taps)},
    {ROW("padding.counted", "counts padding as container 0", "padding of asymmetric tensors: its value is the zero point", 8, IN(SKIP), counts_padding), .never = lb_never_adds},
    {ROW("window.whole", "takes the whole kernel in place of the positions inside the input", "the divisor of the average", 7, IN(GIVEN), whole_window), .fits = is_window},
    {ROW("term.missing", "leaves the second number out", "the addition itself", 7, IN(ADD) | IN(SUB) | IN(FADD), lb_step_left_out), .never = lb_never_missed_term, .fits = has_first},
    {ROW("term.twice", "adds the second number twice", "where else it is added", 4, IN(ADD) | IN(SUB), twice), .never = lb_never_second_term},
    {ROW("term.sign", "adds where it should subtract, or the other way", "signs", 6, IN(ADD) | IN(SUB), other_sign), .never = lb_never_other_sign},
    {ROW("term.swapped", "subtracts the first from the second", "order of operands", 6, IN(SUB), swapped)},
    {ROW("term.early_relu", "cuts negative sums off before the bias is added", "order of bias and ReLU", 4, IN(ADD), early_relu), .never = lb_never_negative_first},
    {ROW("result.off_by_one", "is off by one in a result on the way", "constants, < and <=", 4, IN(ADD) | IN(SUB) | IN(NORM) | IN(TDIV) | IN(PLACE), one_more), .never = lb_never_off_by_one, WITH(1, -1)},
    {ROW("table.neighbour", "takes a neighbouring entry of the table", "how the index is formed", 7, IN(LOOKUP), neighbour_entry), WITH(1, -1)},
    {ROW("table.other", "takes the table of another function: of the sigmoid for tanh, and the reverse", "which table is handed over", 6, IN(LOOKUP), other_table)},
    {ROW("limit.from_zero", "begins the search for the largest with 0", "how the maximum is initialised", 8, IN(MAX), from_zero), .never = lb_never_below_zero, .fits = is_tap},
    {ROW("parameter.as_zero", "takes 0 in place of a parameter", "fields that are not read", 7, IN(GIVEN), nothing), .fits = is_parameter},
    {ROW("parameter.wraps", "keeps a parameter in {n} bits, and wraps", WIDTH, 5, IN(GIVEN), lb_step_wraps), .never = lb_never_wide_result, .fits = is_parameter, WITH(8)},
    {ROW("parameter.sign", "takes a parameter with the other sign", "signs of zero points", 7, IN(GIVEN), negated), .fits = is_parameter},
    {ROW("parameter.other_channel", "takes the parameter of another channel", "the index into lists of parameters", 9, IN(GIVEN), other_channel), .fits = is_of_a_channel, .of_channel = true, WITH(0, -1, 1)},
    {ROW("real.to_nearest", "rounds a real number to nearest where it should cut", "conversion of float to int", 6, IN(FTRUNC), to_nearest)},
    {ROW("real.half_added", "adds one half to negative real numbers too, and cuts", "the half that is added before the cast to int", 5, IN(FADD), half_added)},
    {ROW("real.half_up", "rounds halves of real numbers up: floor(x + 0.5)", "floorf in place of adding a half away from zero", 5, IN(FTRUNC), half_up)},
    {ROW("real.reciprocal", "multiplies by the reciprocal where it should divide", "fast-math", 5, IN(FDIV), by_reciprocal)},
    {ROW("real.off_by_one", "has an exponent that is off by one", "how the scale is formed", 3, IN(FSCALE), one_more), WITH(1, -1)},
    {.name = NULL},
};
/* clang-format on */
