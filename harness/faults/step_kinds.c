/* Faults in single steps of the computation: a step of the exact model gives another result, in
 * every place of the model's code that looks like the site of the fault. */
#include "harness/faults/places.h"
#include "harness/faults/step_proofs.h"
#include "harness/faults/step_run.h"
#include "reference/arith.h"
#include "reference/lut.h"

#include <math.h>
#include <string.h>

#define IN(operation) (1u << LB_STEP_##operation)

/* ---- Values ---- */

static int64_t operand(const lb_num_step *step, unsigned i)
{
    return i < step->operand_count ? step->operand[i].v : 0;
}

static int width_of(const lb_num_step *step)
{
    return step->width > 0 && step->width <= 64 ? step->width : 64;
}

/* How many places to the right, of asr, rsh and (to the left) shl. */
static int64_t right_count(const lb_num_step *step)
{
    int64_t n = lb_sat(operand(step, 1), 16);
    return step->operation == LB_STEP_SHL ? -n : n;
}

/* The step's value moved by another count, as the step itself would. */
static int64_t shifted(const lb_num_step *step, int64_t right)
{
    int64_t v = operand(step, 0);
    int n = (int)lb_sat(right, 16), width = width_of(step);
    return step->operation == LB_STEP_RSH ? lb_rsh(step->rounding, v, n, width)
                                          : lb_asr(v, n, width);
}

/* floor(v / 2^n), n >= 0. */
static int64_t floor_of(int64_t v, int64_t n)
{
    return lb_asr(v, n > 63 ? 63 : (int)n, 64);
}

/* What floor_of drops, as a part of 2^64. */
static uint64_t dropped(int64_t v, int64_t n)
{
    return n <= 0 ? 0 : n > 63 ? (v < 0 ? UINT64_MAX : 0) : (uint64_t)v << (64 - n);
}

static const uint64_t HALF = (uint64_t)1 << 63;

/* ---- Rounding ---- */

static int64_t truncates(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t n = right_count(step);
    return n > 0 ? floor_of(operand(step, 0), n) : step->result;
}

static int64_t towards_zero(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t n = right_count(step), v = operand(step, 0);
    return n > 0 ? floor_of(v, n) + (v < 0 && dropped(v, n) != 0) : step->result;
}

/* Halves go up if `up` says so. */
static int64_t nearest(const lb_num_step *step, bool (*up)(int64_t v, int64_t floor))
{
    int64_t n = right_count(step), v = operand(step, 0);
    if (n <= 0)
        return step->result;
    int64_t low = floor_of(v, n);
    uint64_t rest = dropped(v, n);
    return low + (rest > HALF || (rest == HALF && up(v, low)));
}

static bool is_positive(int64_t v, int64_t low)
{
    (void)low;
    return v >= 0;
}

static bool is_negative(int64_t v, int64_t low)
{
    (void)low;
    return v < 0;
}

static bool is_odd(int64_t v, int64_t low)
{
    (void)v;
    return low & 1;
}

static bool always(int64_t v, int64_t low)
{
    (void)v, (void)low;
    return true;
}

static bool never(int64_t v, int64_t low)
{
    (void)v, (void)low;
    return false;
}

static int64_t half_away(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return nearest(step, is_positive);
}

static int64_t half_to_zero(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return nearest(step, is_negative);
}

static int64_t half_down(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return nearest(step, never);
}

static int64_t other_rounding(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return nearest(step, step->rounding == LB_ROUND_UP ? is_odd : always);
}

static int64_t up(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t n = right_count(step), v = operand(step, 0);
    return n > 0 ? floor_of(v, n) + (dropped(v, n) != 0) : step->result;
}

/* The half does not saturate where the value is near the end of the width. */
static int64_t half_wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return step->rounding == LB_ROUND_UP && right_count(step) < width_of(step)
               ? nearest(step, always)
               : step->result;
}

/* First by all but `last` places, then by those: each rounded, ties of the second as `second`. */
static int64_t in_two(const lb_num_step *step, int64_t last, lb_rounding second)
{
    int64_t n = right_count(step);
    if (last <= 0 || n <= last)
        return step->result;
    int64_t once = lb_rsh(LB_ROUND_UP, operand(step, 0), (int)(n - last), 64);
    return lb_rsh(second, once, (int)last, 64);
}

static int64_t twice_last(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return in_two(step, run->fault->argument, step->rounding);
}

/* A high multiply that rounds `argument` places away, then a rounding shift by the rest. */
static int64_t twice_first(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return in_two(step, right_count(step) - run->fault->argument, step->rounding);
}

/* The same with halves away from zero in the second shift. */
static int64_t twice_away(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t n = right_count(step), first = run->fault->argument;
    if (n <= first)
        return step->result;
    lb_num_step rest = *step;
    rest.operand[0].v = lb_rsh(LB_ROUND_UP, operand(step, 0), (int)first, 64);
    rest.operand[1].v = n - first;
    return nearest(&rest, is_positive);
}

/* Places are dropped before the rest is shifted and rounded. */
static int64_t drops_first(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t n = right_count(step), first = run->fault->argument;
    return n <= first ? step->result
                      : lb_rsh(step->rounding, floor_of(operand(step, 0), first), (int)(n - first),
                               width_of(step));
}

/* tdiv and asr: to the nearest, halves away from zero. */
static int64_t rounds(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t a = operand(step, 0), b = operand(step, 1);
    if (step->operation == LB_STEP_ASR)
        return nearest(step, always);
    if (b == 0 || b == -1)
        return step->result;
    int64_t q = a / b, rest = a % b, size = b < 0 ? -(b + 1) : b - 1; /* |b| - 1 */
    int64_t over = rest < 0 ? -rest : rest;
    return over > size - over ? q + ((a < 0) == (b < 0) ? 1 : -1) : q;
}

static int64_t floors(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t a = operand(step, 0), b = operand(step, 1);
    if (b == 0 || b == -1)
        return step->result;
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* ---- Shifts ---- */

static int64_t shift_more(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return shifted(step, right_count(step) + run->fault->argument);
}

static int64_t not_shifted(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return operand(step, 0);
}

static int64_t never_left(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return right_count(step) < 0 ? operand(step, 0) : step->result;
}

static int64_t other_way(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return right_count(step) < 0 ? shifted(step, -right_count(step)) : step->result;
}

/* Counts go no further than this. */
static int64_t capped(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t n = right_count(step), most = run->fault->argument;
    return n > most ? shifted(step, most) : n < -most ? shifted(step, -most) : step->result;
}

/* Only the low bits of a count are looked at. */
static int64_t masked(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t n = right_count(step), most = run->fault->argument;
    return n > most ? shifted(step, n & most) : step->result;
}

/* ---- Widths and saturation ---- */

/* The exact result of the step, before it was held to its width. */
static int64_t unlimited(const lb_num_step *step)
{
    int64_t a = operand(step, 0), b = operand(step, 1), n;
    switch (step->operation) {
    case LB_STEP_ADD:
        return lb_wrap((int64_t)((uint64_t)a + (uint64_t)b), 64);
    case LB_STEP_SUB:
        return lb_wrap((int64_t)((uint64_t)a - (uint64_t)b), 64);
    case LB_STEP_SHL:
        n = lb_sat(b, 16);
        return n >= 64 ? 0 : n >= 0 ? (int64_t)((uint64_t)a << n) : floor_of(a, -n);
    default:
        return a;
    }
}

static int64_t wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return lb_wrap(unlimited(step), width_of(step));
}

static int64_t left_out(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return operand(step, 0);
}

/* Where the low bits should survive. */
static int64_t saturates(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return lb_sat(operand(step, 0), width_of(step));
}

/* The lowest value is one too high. */
static int64_t symmetric(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t lowest = lb_min_of(width_of(step));
    return step->result == lowest ? lowest + 1 : step->result;
}

/* Held to another width first. */
static int64_t narrow(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return lb_sat(unlimited(step), run->fault->argument);
}

static int64_t product_wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return lb_wrap(step->result, run->fault->argument);
}

static int64_t product_saturates(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return lb_sat(step->result, run->fault->argument);
}

static int64_t limit_zero(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return operand(step, 0) > 0 ? operand(step, 0) : 0;
}

static int64_t limit_off(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t a = operand(step, 0), b = operand(step, 1) + run->fault->argument;
    return (step->operation == LB_STEP_MIN) == (a < b) ? a : b;
}

static int64_t limit_wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return step->result == operand(step, 0) ? step->result
                                            : lb_wrap(operand(step, 0), run->fault->argument);
}

static int64_t takes_other(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return step->result == operand(step, 0) ? operand(step, 1) : operand(step, 0);
}

/* ---- Sums of products ---- */

/* What a tap adds. */
static int64_t product(const lb_num_step *step)
{
    return (int64_t)((uint64_t)operand(step, 1) * (uint64_t)operand(step, 2));
}

static int64_t with_product(const lb_num_step *step, int64_t value)
{
    int64_t sum = (int64_t)((uint64_t)operand(step, 0) + (uint64_t)value);
    return step->saturates ? lb_sat(sum, width_of(step)) : lb_wrap(sum, width_of(step));
}

static int64_t sum_wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return lb_wrap(with_product(step, product(step)), run->fault->argument);
}

static int64_t sum_saturates(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t sum = (int64_t)((uint64_t)operand(step, 0) + (uint64_t)product(step));
    return lb_sat(sum, run->fault->argument);
}

static int64_t tap_wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return with_product(step, lb_wrap(product(step), run->fault->argument));
}

static int64_t tap_saturates(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return with_product(step, lb_sat(product(step), run->fault->argument));
}

static int64_t tap_shifted(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return with_product(step, floor_of(product(step), run->fault->argument));
}

/* The input less its zero point is formed in 8 bits; the zero point's own term follows, so that it
 * is added here. */
static int64_t input_in_8_bits(const lb_fault_run *run, const lb_num_step *step,
                               int64_t (*limit)(int64_t v, int width))
{
    const lb_tensor *in = run->before->call.tensor[LB_ROLE_IN];
    if (!in || !lb_is_sa(in->el_type) || in->el_type != LB_SA8)
        return step->result;
    int64_t zero = lb_quant_at(in, 0).zero_point, x = operand(step, 1);
    return with_product(step, (limit(x - zero, 8) + zero) * operand(step, 2));
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
    return operand(step, 0);
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
    return operand(step, 0);
}

/* Padding is multiplied like an input of container 0. */
static int64_t counts_padding(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return with_product(step, product(step));
}

/* The sum begins with the last one. */
static int64_t not_cleared(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t *carry = run->carry;
    int64_t result = step->result;
    if (step->tap == 1)
        result = with_product(step, (int64_t)((uint64_t)product(step) + (uint64_t)*carry));
    *carry = result;
    return result;
}

/* ---- Operands ---- */

static int64_t twice(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t b = operand(step, 1);
    int width = width_of(step);
    return step->operation == LB_STEP_ADD ? lb_add(step->result, lb_sat(b, width), width)
                                          : lb_sub(step->result, lb_sat(b, width), width);
}

static int64_t other_sign(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int width = width_of(step);
    int64_t a = lb_sat(operand(step, 0), width), b = lb_sat(operand(step, 1), width);
    return step->operation == LB_STEP_ADD ? lb_sub(a, b, width) : lb_add(a, b, width);
}

static int64_t swapped(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int width = width_of(step);
    return lb_sub(lb_sat(operand(step, 1), width), lb_sat(operand(step, 0), width), width);
}

/* Negative sums are cut off before the bias. */
static int64_t early_relu(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t a = operand(step, 0);
    return lb_add(a > 0 ? lb_sat(a, width_of(step)) : 0, lb_sat(operand(step, 1), width_of(step)),
                  width_of(step));
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
    int64_t i = operand(step, 0) + run->fault->argument;
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
    int64_t i = operand(step, 0);
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
    const lb_tensor *t = lb_fault_tensor_named(run->before, place->name);
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
    return pattern_of(float_of(operand(step, 0)) + fabsf(float_of(operand(step, 1))));
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
    double v = (double)float_of(operand(step, 0));
    return to_integer(floor(v < 0 ? v + 1 : v));
}

static int64_t to_nearest(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return to_integer(nearbyint((double)float_of(operand(step, 0))));
}

static int64_t by_reciprocal(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return pattern_of(float_of(operand(step, 0)) * (1.0f / float_of(operand(step, 1))));
}

/* ---- Where kinds can sit ---- */

static bool has_width(const lb_num_step *site)
{
    return site->width > 0;
}

static bool has_first(const lb_num_step *site) /* a mere change of sign adds nothing */
{
    return site->operand[0].step != 0 || site->operand[0].v != 0;
}

static bool is_tap(const lb_num_step *site)
{
    return site->tap > 0;
}

static bool rounds_up(const lb_num_step *site)
{
    return site->rounding == LB_ROUND_UP;
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

/* The limit is an end of what so many bits hold. */
static bool is_limit_of(const lb_num_step *site, int bits)
{
    const lb_num *limit = &site->operand[1];
    return limit->step == 0 &&
           limit->v == (site->operation == LB_STEP_MIN ? lb_max_of(bits) : lb_min_of(bits));
}

static bool is_limit_of_8(const lb_num_step *site)
{
    return is_limit_of(site, 8);
}

static bool is_limit_of_16(const lb_num_step *site)
{
    return is_limit_of(site, 16);
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

#define ROUNDING                                                                                   \
    "the addition before the shift, its sign, the rounding mode of the shift instruction"
#define SHIFT "how the count is formed from fractional bits and the multiplier, off by one"
#define WIDTH "the type of the variable, the saturating and the plain form of the instruction"
#define TAPS  "the bounds of the innermost loop, and what a vector loop leaves over"

#define ROW_AT(at, row, text, where, likely, in, function)                                         \
    .name = row, .group = LB_FAULTS_STEP, .words = text, .look_for = where, .sections = "",        \
    .prior = likely, .operations = in, .places = at, .run = lb_fault_step_run, .alter = function
#define ROW(...) ROW_AT(lb_fault_step_places, __VA_ARGS__)
/* The others that are tried where no listed one explains a result. */
#define UP_TO(first, last) .least = first, .most = last
#define WITH(...)                                                                                  \
    .argument_count = (int)(sizeof((int16_t[]){__VA_ARGS__}) / sizeof(int16_t)),                   \
    .arguments = {__VA_ARGS__}

/* clang-format off */
const lb_fault_kind lb_fault_step_kinds[] = {
    {ROW("rounding.truncates", "cuts the fraction off (towards minus infinity) where it should round", ROUNDING, 10, IN(RSH), truncates), .never = lb_never_a_fraction},
    {ROW("rounding.other_mode", "rounds halves in the other mode (to even in place of up, or up in place of even)", ROUNDING, 9, IN(RSH), other_rounding), .never = lb_never_a_fraction},
    {ROW("rounding.half_away", "rounds halves away from zero", ROUNDING, 8, IN(RSH), half_away), .never = lb_never_half_away},
    {ROW("rounding.half_to_zero", "rounds halves towards zero", ROUNDING, 4, IN(RSH), half_to_zero), .never = lb_never_half_to_zero},
    {ROW("rounding.half_down", "rounds halves down", ROUNDING, 3, IN(RSH), half_down), .never = lb_never_a_fraction},
    {ROW("rounding.towards_zero", "cuts the fraction off towards zero where it should round", ROUNDING, 7, IN(RSH), towards_zero), .never = lb_never_a_fraction},
    {ROW("rounding.up", "rounds every fraction up", ROUNDING, 2, IN(RSH) | IN(ASR), up), .never = lb_never_a_fraction},
    {ROW("rounding.half_wraps", "adds the half without saturation", ROUNDING, 3, IN(RSH), half_wraps), .never = lb_never_half_wraps, .fits = rounds_up},
    {ROW("rounding.nearest", "rounds to nearest where it should cut", ROUNDING, 6, IN(ASR) | IN(TDIV), rounds), .never = lb_never_cut},
    {ROW("rounding.cuts_to_zero", "cuts towards zero where it should go to minus infinity", ROUNDING, 6, IN(ASR), towards_zero), .never = lb_never_a_negative_fraction},
    {ROW("rounding.floors", "rounds a quotient to minus infinity where it should cut towards zero", ROUNDING, 5, IN(TDIV), floors), .never = lb_never_a_negative_quotient},
    {ROW("rounding.twice_high", "rounds twice: a high multiply that rounds, then a rounding shift", "a rounding doubling high multiply followed by a rounding shift", 7, IN(RSH), twice_first), .never = lb_never_rounded_first, WITH(15, 16, 31)},
    {ROW("rounding.twice_high_away", "rounds twice: a high multiply that rounds, then a shift with halves away from zero", "a rounding doubling high multiply followed by a rounding shift", 6, IN(RSH), twice_away), .never = lb_never_rounded_first, WITH(15, 16, 31)},
    {ROW("rounding.twice_low", "rounds twice: first to a few bits more, then to the result", "a shift that is done in two parts", 5, IN(RSH), twice_last), .never = lb_never_beyond_argument, WITH(1, 2, 8), UP_TO(1, 24)},
    {ROW("rounding.drops_low", "drops low bits before the rounding shift", "a product that is narrowed before it is rounded", 5, IN(RSH), drops_first), .never = lb_never_low_bits, WITH(1, 8, 15, 16), UP_TO(1, 30)},
    {ROW("shift.off_by_one", "shifts by one place too many or too few", SHIFT, 8, IN(SHL) | IN(ASR) | IN(RSH), shift_more), WITH(1, -1)},
    {ROW("shift.missing", "does not shift", SHIFT, 5, IN(SHL) | IN(ASR) | IN(RSH), not_shifted), .never = lb_never_shifted},
    {ROW("shift.no_left", "does not shift to the left where the count is negative", SHIFT, 6, IN(ASR) | IN(RSH), never_left), .never = lb_never_negative_count},
    {ROW("shift.other_way", "shifts to the right where the count is negative", SHIFT, 3, IN(SHL) | IN(ASR) | IN(RSH), other_way), .never = lb_never_negative_count},
    {ROW("shift.capped", "caps the count of a shift too early", SHIFT, 4, IN(SHL) | IN(ASR) | IN(RSH), capped), .never = lb_never_capped, WITH(15, 31), UP_TO(1, 62)},
    {ROW("shift.masked", "looks at the low bits of a count alone", SHIFT, 4, IN(SHL) | IN(ASR) | IN(RSH), masked), .never = lb_never_masked, WITH(7, 15, 31)},
    {ROW("saturation.wraps", "wraps where it should saturate", WIDTH, 9, IN(SAT) | IN(ADD) | IN(SUB) | IN(SHL), wraps), .never = lb_never_saturates, .fits = has_width},
    {ROW("saturation.missing", "leaves the limit out", WIDTH, 6, IN(SAT) | IN(MIN) | IN(MAX) | IN(WRAP), left_out), .never = lb_never_limited},
    {ROW("saturation.for_wrap", "saturates where it should wrap", WIDTH, 6, IN(WRAP), saturates), .never = lb_never_limited},
    {ROW("saturation.symmetric", "saturates at -127 or -32767 in place of the lowest value", WIDTH, 7, IN(SAT) | IN(SUB) | IN(ADD) | IN(SHL), symmetric), .never = lb_never_lowest, .fits = has_width},
    {ROW("saturation.narrow", "saturates at a smaller width", WIDTH, 5, IN(SAT) | IN(ADD) | IN(SUB) | IN(SHL), narrow), .never = lb_never_narrow, .fits = has_width, WITH(8, 16, 24, 31, 32), UP_TO(4, 62)},
    {ROW("limit.container_zero", "takes container 0 as the limit in place of the zero point", "ReLU of asymmetric tensors", 7, IN(MAX), limit_zero), .never = lb_never_other_limit_than_zero},
    {ROW("limit.wraps_8", "keeps what is limited to 8 bits in them, and leaves the limit out", "the type of the variable", 5, IN(MIN) | IN(MAX), limit_wraps), .never = lb_never_beyond_limit, .fits = is_limit_of_8, WITH(8)},
    {ROW("limit.wraps_16", "keeps what is limited to 16 bits in them, and leaves the limit out", "the type of the variable", 6, IN(MIN) | IN(MAX), limit_wraps), .never = lb_never_beyond_limit, .fits = is_limit_of_16, WITH(16)},
    {ROW("limit.off_by_one", "has a limit that is off by one", "how the limit is formed, < and <=", 5, IN(MIN) | IN(MAX), limit_off), .never = lb_never_off_limit, WITH(1, -1)},
    {ROW("limit.other_side", "takes the smaller where the larger is asked for, or the other way", "min and max", 4, IN(MIN) | IN(MAX), takes_other)},
    {ROW("product.wraps", "keeps a product in too few bits, and wraps", WIDTH, 6, IN(MUL), product_wraps), .never = lb_never_wide_result, WITH(16, 32, 40), UP_TO(8, 62)},
    {ROW("product.saturates", "keeps a product in too few bits, and saturates", WIDTH, 5, IN(MUL), product_saturates), .never = lb_never_wide_saturated, WITH(16, 31, 32), UP_TO(8, 62)},
    {ROW("product.factor_missing", "leaves a factor out", "the multiplication itself", 3, IN(MUL), left_out)},
    {ROW("accumulator.wraps", "adds up in an accumulator that is too narrow and wraps", WIDTH, 8, IN(MAC), sum_wraps), .never = lb_never_wide_result, WITH(16, 20, 24, 28, 32, 40), UP_TO(16, 62)},
    {ROW("accumulator.saturates", "adds up in an accumulator that saturates at each addition", WIDTH, 8, IN(MAC), sum_saturates), .never = lb_never_wide_sum, WITH(16, 20, 24, 31, 32, 40), UP_TO(16, 62)},
    {ROW("accumulator.not_cleared", "begins a sum with what the sum before left", "where the accumulator is set to zero", 5, IN(MAC), not_cleared), .fits = is_tap},
    {ROW("tap.wraps", "keeps a single product in too few bits, and wraps", WIDTH, 6, IN(MAC), tap_wraps), .never = lb_never_wide_product, WITH(8, 15, 16), UP_TO(8, 40)},
    {ROW("tap.saturates", "saturates a single product (the lowest value times itself)", "fractional multiply instructions", 6, IN(MAC), tap_saturates), .never = lb_never_wide_product, WITH(15, 16, 31), UP_TO(8, 40)},
    {ROW("tap.shifted", "shifts each product before it is added", "fractional multiply instructions", 4, IN(MAC), tap_shifted), WITH(1, 7, 8), UP_TO(1, 16)},
    {ROW_AT(of_zero_points, "tap.input_wraps", "forms the input less its zero point in 8 bits, and wraps", WIDTH, 6, IN(MAC), input_wraps), .fits = is_input_tap},
    {ROW_AT(of_zero_points, "tap.input_saturates", "forms the input less its zero point in 8 bits, and saturates", WIDTH, 5, IN(MAC), input_saturates), .fits = is_input_tap},
    {ROW("taps.first_lost", "loses the first taps of a sum", TAPS, 5, IN(MAC) | IN(MAX), first_taps), .never = lb_never_first_taps, .fits = is_tap, WITH(1), UP_TO(1, 8)},
    {ROW("taps.last_lost", "loses the last taps of a sum", TAPS, 8, IN(MAC) | IN(MAX), last_taps), .fits = is_tap, WITH(1, 2, 3), UP_TO(1, 8)},
    {ROW("taps.tail_lost", "loses the taps that a block of a vector loop leaves over", TAPS, 9, IN(MAC) | IN(MAX), tail_taps), .fits = is_tap, WITH(2, 4, 8, 16, 32), UP_TO(2, 64)},
    {ROW("taps.beyond_lost", "takes no more than a certain number of taps", TAPS, 5, IN(MAC) | IN(MAX), taps_beyond), .counts_taps = true, .fits = is_tap, WITH(8, 16, 32, 64, 128, 255, 256)},
    {ROW("taps.missing", "leaves these terms out", "the loop over these terms", 5, IN(MAC), no_taps)},
    {ROW("padding.counted", "counts padding as container 0", "padding of asymmetric tensors: its value is the zero point", 8, IN(SKIP), counts_padding), .never = lb_never_adds},
    {ROW("window.whole", "takes the whole kernel in place of the positions inside the input", "the divisor of the average", 7, IN(GIVEN), whole_window), .fits = is_window},
    {ROW("term.missing", "leaves the second number out", "the addition itself", 7, IN(ADD) | IN(SUB) | IN(FADD), left_out), .never = lb_never_missed_term, .fits = has_first},
    {ROW("term.twice", "adds the second number twice", "where else it is added", 4, IN(ADD) | IN(SUB), twice), .never = lb_never_second_term},
    {ROW("term.sign", "adds where it should subtract, or the other way", "signs", 6, IN(ADD) | IN(SUB), other_sign), .never = lb_never_other_sign},
    {ROW("term.swapped", "subtracts the first from the second", "order of operands", 6, IN(SUB), swapped)},
    {ROW("term.early_relu", "cuts negative sums off before the bias is added", "order of bias and ReLU", 4, IN(ADD), early_relu), .never = lb_never_negative_first},
    {ROW("result.off_by_one", "is off by one in a result on the way", "constants, < and <=", 4, IN(ADD) | IN(SUB) | IN(NORM) | IN(TDIV) | IN(PLACE), one_more), .never = lb_never_off_by_one, WITH(1, -1)},
    {ROW("table.neighbour", "takes a neighbouring entry of the table", "how the index is formed", 7, IN(LOOKUP), neighbour_entry), WITH(1, -1)},
    {ROW("table.other", "takes the table of another function: of the sigmoid for tanh, and the reverse", "which table is handed over", 6, IN(LOOKUP), other_table)},
    {ROW("limit.from_zero", "begins the search for the largest with 0", "how the maximum is initialised", 8, IN(MAX), from_zero), .never = lb_never_below_zero, .fits = is_tap},
    {ROW("parameter.as_zero", "takes 0 in place of a parameter", "fields that are not read", 7, IN(GIVEN), nothing), .fits = is_parameter},
    {ROW("parameter.wraps", "keeps a parameter in {n} bits, and wraps", WIDTH, 5, IN(GIVEN), product_wraps), .never = lb_never_wide_result, .fits = is_parameter, WITH(8)},
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
