/* Faults in single steps of the computation: a step of the exact model gives another result, in
 * every place of the model's code that looks like the site of the fault. Most are edits
 * (operators.h); the others stand in front of the table. */
#include "harness/faults/places.h"
#include "harness/faults/step_proofs.h"
#include "harness/faults/step_rows.h"
#include "harness/faults/views.h"
#include "reference/core/lut.h"
#include "reference/describe/map_walk.h"
#include "reference/describe/program.h"

#include <math.h>
#include <string.h>

/* ---- Sums ---- */

/* The sum begins with the last one. */
ALTERS(not_cleared)
{
    int64_t *carry = run->carry;
    int64_t result = step->result;
    if (step->tap == 1)
        result = lb_step_with_product(
            step, (int64_t)((uint64_t)lb_step_product(step) + (uint64_t)*carry));
    *carry = result;
    return result;
}

/* Two products are added in 16 bits before they join the sum; of words in 32. */
ALTERS(pairs)
{
    const lb_kernel *kernel = run->test_case->kernel;
    const bool has_weights = kernel->weights_type != 0 || lb_kernel_role(kernel, LB_ROLE_WEIGHTS);
    const uint32_t second = !has_weights                ? kernel->in_type
                            : kernel->weights_type != 0 ? kernel->weights_type
                                                        : lb_type_of_role(kernel, LB_ROLE_WEIGHTS);
    const bool are_words = lb_storage_bytes(kernel->in_type) > 1 && lb_storage_bytes(second) > 1;
    const int bits = are_words ? 32 : 16;
    int64_t own = lb_step_product(step), first = *run->carry;
    if (step->tap % 2 == 1) {
        *run->carry = own;
        return step->result;
    }
    int64_t pair = (int64_t)((uint64_t)first + (uint64_t)own);
    int64_t kept =
        run->fault->kind->does.how == LB_WRAPS ? lb_wrap(pair, bits) : lb_sat(pair, bits);
    return kept == pair ? step->result
                        : lb_step_with_product(step, (int64_t)((uint64_t)kept - (uint64_t)first));
}

/* ---- Given numbers ---- */

/* A parameter or a bias of another channel. */
ALTERS(other_channel)
{
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
ALTERS(whole_window)
{
    lb_bound_map bound;
    int64_t positions = 1;
    if (!lb_map_bind(&bound, lb_map_of(run->test_case->kernel), &run->before->call))
        return step->result;
    for (unsigned l = bound.outer; l < bound.loops; l++)
        positions *= bound.extent[l];
    return positions;
}

/* ---- Tables ---- */

/* Whatever the table is that a function should look into, if the row has arguments: this one. Else
 * that of the sigmoid for tanh, and so on. */
ALTERS(other_table)
{
    static const lb_lut_kind other[LB_LUT_COUNT] = {[LB_LUT_SIGM] = LB_LUT_TANH,
                                                    [LB_LUT_TANH] = LB_LUT_SIGM,
                                                    [LB_LUT_SOFTMAX] = LB_LUT_L2_NORMALIZE,
                                                    [LB_LUT_L2_NORMALIZE] = LB_LUT_SOFTMAX};
    lb_num_step looked_up = *step;
    bool is_fixed = run->fault->kind->argument_count > 0;
    looked_up.table = is_fixed ? (lb_lut_kind)run->fault->argument : other[step->table];
    return lb_step_evaluate(&looked_up);
}

/* Of a number below 0 the place is that of its size, or has its sign as well, as % leaves it. */
ALTERS(place_of_size)
{
    const int64_t x = lb_step_operand(step, 0), k = lb_step_operand(step, 1);
    const uint64_t mask = ((uint64_t)1 << (k & 63)) - 1;
    const int64_t place = (int64_t)((0 - (uint64_t)x) & mask);
    return x >= 0 ? step->result : run->fault->kind->does.how == LB_NEGATED ? -place : place;
}

/* So many of its bits are kept. */
ALTERS(place_in_bits)
{
    const int64_t over = lb_step_operand(step, 1) - run->fault->argument;
    return over > 0 && over < 63 ? lb_number_changed(LB_CLEARED, over, step->result, 0)
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

ALTERS(half_added)
{
    (void)run;
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
ALTERS(half_up)
{
    (void)run;
    double v = (double)float_of(lb_step_operand(step, 0));
    return to_integer(floor(v < 0 ? v + 1 : v));
}

ALTERS(to_nearest)
{
    (void)run;
    return to_integer(nearbyint((double)float_of(lb_step_operand(step, 0))));
}

ALTERS(by_reciprocal)
{
    (void)run;
    return pattern_of(float_of(lb_step_operand(step, 0)) *
                      (1.0f / float_of(lb_step_operand(step, 1))));
}

/* ---- Searches ---- */

/* The largest element of the whole tensor. The carry keeps it, moved so that it is not 0. */
static const int64_t MOVED = (int64_t)1 << 40;

ALTERS(of_all)
{
    const lb_tensor *in = run->before->call.tensor[LB_ROLE_IN];
    size_t count = in && *run->carry == 0 ? lb_element_count(in) : 0;
    for (size_t flat = 0; flat < count; flat++) {
        int64_t v = lb_load(in, lb_offset_of_flat(in, flat)) + MOVED;
        *run->carry = v > *run->carry ? v : *run->carry;
    }
    return *run->carry != 0 ? *run->carry - MOVED : step->result;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The search goes on where the one before has ended. Moved as above. */
ALTERS(search_goes_on)
{
    const bool begins = step->tap == 1 && *run->carry != 0;
    const int64_t best = begins ? larger(step->result, *run->carry - MOVED) : step->result;
    *run->carry = best + MOVED;
    return best;
}

/* With the first element of the tensor, whatever is searched. */
ALTERS(from_first_element)
{
    const lb_tensor *in = run->before->call.tensor[LB_ROLE_IN];
    return in ? larger(step->result, lb_load(in, 0)) : step->result;
}

/* ---- Where they sit ---- */

static bool is_limit_of(const lb_num_step *site, int bits)
{
    const lb_num *limit = &site->operand[1];
    return limit->step == 0 &&
           limit->v == (site->operation == LB_STEP_MIN ? lb_max_of(bits) : lb_min_of(bits));
}

static bool is_given(const lb_num *number)
{
    return number->step < 0 && number->step > LB_NUM_NO_STEP;
}

FITS(has_width, site->width > 0)
FITS(rounds_up, site->rounding == LB_ROUND_UP)
FITS(is_limit_of_8, is_limit_of(site, 8)) /* an end of what 8 bits hold */
FITS(is_limit_of_16, is_limit_of(site, 16))
FITS(is_narrow, site->width > 1 && site->width < 33)
/* A mere change of sign adds nothing. */
FITS(has_first, site->operand[0].step != 0 || site->operand[0].v != 0)
/* Of a field, which all taps have in common, the larger of it and a constant is no step of a sum.
 */
FITS(is_tap, site->tap > 0 && !(site->operation == LB_STEP_MAX && site->operand[1].step == 0 &&
                                site->operand[0].step < LB_NUM_NO_STEP))
FITS(begins_search, site->tap == 1 && is_given(&site->operand[0]))
/* Products with the inputs themselves: their terms with the zero point stand alone. */
FITS(is_input_tap, site->tap > 0 && site->operand[1].step < 0)
FITS(is_parameter, site->place.kind == LB_NUM_PARAMETER)
/* Scales have no sign. */
FITS(may_be_negative, is_parameter(site) && site->place.field != LB_QUANT_SCALE)
/* Numbers of results: constants that no type ends with cap counts of shifts. */
FITS(compares_two, site->operand[1].step != 0 || site->operand[1].v >= INT8_MAX ||
                       site->operand[1].v <= -INT8_MAX)
FITS(is_of_a_channel, site->place.rank == 1 && lb_fault_is_channel_place(&site->place))
FITS(is_window, site->place.kind == LB_NUM_GEOMETRY)
FITS(is_largest_of_group,
     site->part == LB_PART_LARGEST_OF_THE_GROUP && site->operation == LB_STEP_COPY)
/* Numbers, and no counts of shifts. */
FITS(is_unlimited, site->width == 0 && site->part != LB_PART_SHIFT &&
                       site->part != LB_PART_SHIFTS && site->part != LB_PART_SCALE_AND_SHIFT &&
                       site->part != LB_PART_MULTIPLIER_AND_SHIFT)

FITS(is_table_place, site->site == LB_SITE_PLACE_INSIDE_THE_INTERVAL)

static bool takes_zero_points(const lb_kernel *kernel)
{
    uint32_t type = lb_type_of_role(kernel, LB_ROLE_IN);
    return type == 0 || type == LB_SA8;
}

/* Multipliers and shifts are numbers of the call. */
static bool takes_multipliers(const lb_kernel *kernel)
{
    bool takes = lb_kernel_role(kernel, LB_ROLE_MULTIPLIER) != NULL;
    for (const lb_config_field *f = lb_config_fields(kernel->config_kind); f->name; f++)
        takes = takes || f->sort == LB_SORT_MULTIPLIER;
    return takes;
}

/* The second factor was not computed: a given number, or one of the configuration. */
FITS(is_times_given, site->operand[1].step <= 0)

/* Of bytes in fx8 no result of 8 bits shows what the place has beyond 8 bits: in no format, for
 * none of the 256 numbers. Sums of exponentials show it. */
OF(shows_places,
   lb_type_of_role(kernel, LB_ROLE_IN) != LB_FX8 || lb_pattern_of(kernel) == LB_PATTERN_GROUP)

/* Sums over all of a tensor, row by row of its memory. */
OF(sums_all, lb_pattern_of(kernel) == LB_PATTERN_GROUP)

/* The parameter that the site reads, of all tensors. */
static bool is_of_field(const lb_fault *fault, const lb_num_step *step)
{
    return step->operation == LB_STEP_GIVEN && is_parameter(step) &&
           step->place.field == fault->site->place.field;
}

/* Once for each parameter that more than one tensor has, by the first of them. */
static LB_PLACES(fields_of_tensors)
{
    for (size_t i = 0; i < scope->site_count; i++) {
        const lb_fault fault = {.kind = kind, .site = &scope->sites[i]};
        if (may_be_negative(fault.site) && !lb_fault_has_other(scope, i, &fault, true) &&
            lb_fault_has_other(scope, i, &fault, false))
            sink(user, &fault);
    }
}

static LB_NEVER(never_beyond_less)
{
    lb_fault narrower = *fault;
    narrower.argument = site->width - (fault->argument < 0);
    return lb_never_narrow(&narrower, site, flow) && lb_never_saturates(fault, site, flow);
}

static LB_NEVER(never_before_zero)
{
    (void)fault, (void)site;
    return flow->operand[0].low >= 0;
}

static LB_NEVER(never_in_more_bits)
{
    (void)site;
    return flow->operand[1].high <= fault->argument ||
           flow->operand[0].zeros >= flow->operand[1].high;
}

static LB_NEVER(never_negative_or_beyond)
{
    return lb_never_negative_first(fault, site, flow) && lb_never_saturates(fault, site, flow);
}

/* ---- The table ---- */

#define ROUNDING                                                                                   \
    "the addition before the shift, its sign, the rounding mode of the shift instruction"
#define SHIFT                             "how the count is formed from fractional bits and the multiplier, off by one"
#define TAPS                              "the bounds of the innermost loop, and what a vector loop leaves over"
#define ROW(row, text, where, likely, in) STEP_ROW(row, text, where, "", likely, in)
#define RULED                             STEP_ROW

/* clang-format off */
const lb_fault_kind lb_fault_step_kinds[] = {
    {ROW("rounding.truncates", "cuts the fraction off (towards minus infinity) where it should round", ROUNDING, 10, IN(RSH)), CUT(TO_FLOOR), .never = lb_never_a_fraction},
    {ROW("rounding.other_mode", "rounds halves in the other mode (to even in place of up, or up in place of even)", ROUNDING, 9, IN(RSH)), CUT(HALF_OTHER), .never = lb_never_half_other},
    {ROW("rounding.half_away", "rounds halves away from zero", ROUNDING, 8, IN(RSH)), CUT(HALF_AWAY), .never = lb_never_half_away},
    {ROW("rounding.half_to_zero", "rounds halves towards zero", ROUNDING, 4, IN(RSH)), CUT(HALF_TO_ZERO), .never = lb_never_half_to_zero},
    {ROW("rounding.half_down", "rounds halves down", ROUNDING, 3, IN(RSH)), CUT(HALF_DOWN), .never = lb_never_half_down},
    {ROW("rounding.towards_zero", "cuts the fraction off towards zero where it should round", ROUNDING, 7, IN(RSH)), CUT(TO_ZERO), .never = lb_never_a_fraction},
    {ROW("rounding.up", "rounds every fraction up", ROUNDING, 2, IN(RSH) | IN(ASR)), CUT(TO_CEILING), .never = lb_never_a_fraction},
    {ROW("rounding.half_wraps", "adds the half without saturation", ROUNDING, 6, IN(RSH)), EDIT_IN(FRACTION, HALF_UP, HALF_IN_WIDTH), .never = lb_never_half_wraps, .fits = rounds_up},
    {ROW("rounding.nearest", "rounds to nearest where it should cut", ROUNDING, 6, IN(ASR) | IN(TDIV)), CUT(HALF_UP), .never = lb_never_cut},
    {ROW("rounding.cuts_to_zero", "cuts towards zero where it should go to minus infinity", ROUNDING, 6, IN(ASR)), CUT(TO_ZERO), .never = lb_never_a_negative_fraction},
    {ROW("rounding.floors", "rounds a quotient to minus infinity where it should cut towards zero", ROUNDING, 5, IN(TDIV)), CUT(TO_FLOOR), .never = lb_never_a_negative_quotient},
    {ROW("rounding.twice_high", "rounds twice: a high multiply that rounds, then a rounding shift", "a rounding doubling high multiply followed by a rounding shift", 7, IN(RSH)), CUT(TWICE_FIRST), .never = lb_never_rounded_first, WITH(15, 16, 31)},
    {ROW("rounding.twice_high_away", "rounds twice: a high multiply that rounds, then a shift with halves away from zero", "a rounding doubling high multiply followed by a rounding shift", 6, IN(RSH)), CUT(TWICE_FIRST_AWAY), .never = lb_never_rounded_first, WITH(15, 16, 31)},
    {ROW("rounding.twice_low", "rounds twice: first to a few bits more, then to the result", "a shift that is done in two parts", 5, IN(RSH)), CUT(TWICE_LAST), .never = lb_never_beyond_argument, WITH(1, 2, 8), UP_TO(1, 24)},
    {ROW("rounding.drops_low", "drops low bits before the rounding shift", "a product that is narrowed before it is rounded", 5, IN(RSH)), CUT(LOW_DROPPED), .never = lb_never_low_bits, WITH(1, 8, 15, 16), UP_TO(1, 30)},
    {ROW("shift.off_by_one", "shifts by one place too many or too few", SHIFT, 8, IN(SHL) | IN(ASR) | IN(RSH)), EDIT(COUNT, PLUS), WITH(1, -1)},
    {ROW("shift.missing", "does not shift", SHIFT, 5, IN(SHL) | IN(ASR) | IN(RSH)), LEFT_OUT, .never = lb_never_shifted},
    {ROW("shift.no_left", "does not shift to the left where the count is negative", SHIFT, 6, IN(ASR) | IN(RSH)), EDIT_IN(TAKEN, AS_IS, TO_THE_LEFT), .never = lb_never_negative_count},
    {ROW("shift.other_way", "shifts to the right where the count is negative", SHIFT, 3, IN(SHL) | IN(ASR) | IN(RSH)), EDIT_IN(COUNT, NEGATED, TO_THE_LEFT), .never = lb_never_negative_count},
    {ROW("shift.capped", "caps the count of a shift too early", SHIFT, 4, IN(SHL) | IN(ASR) | IN(RSH)), EDIT(COUNT, NO_MORE), .never = lb_never_capped, WITH(15, 31), UP_TO(1, 62)},
    {ROW("shift.masked", "looks at the low bits of a count alone", SHIFT, 4, IN(SHL) | IN(ASR) | IN(RSH)), EDIT(COUNT, LOW_BITS), .never = lb_never_masked, WITH(7, 15, 31)},
    {ROW("saturation.wraps", "wraps where it should saturate", WIDTH, 9, IN(SAT) | IN(ADD) | IN(SUB) | IN(SHL)), EDIT(EXACT, WRAPS), .never = lb_never_saturates, .fits = has_width},
    {ROW("saturation.missing", "leaves the limit out", WIDTH, 6, IN(SAT) | IN(MIN) | IN(MAX) | IN(WRAP)), LEFT_OUT, .never = lb_never_limited},
    {ROW("saturation.for_wrap", "saturates where it should wrap", WIDTH, 6, IN(WRAP)), EDIT(TAKEN, SATURATES), .never = lb_never_limited},
    {ROW("saturation.symmetric", "saturates at -127 or -32767 in place of the lowest value", WIDTH, 7, IN(SAT) | IN(SUB) | IN(ADD) | IN(SHL)), EDIT(RESULT, NOT_LOWEST), .never = lb_never_lowest, .fits = has_width},
    {ROW("saturation.narrow", "saturates at a smaller width", WIDTH, 5, IN(SAT) | IN(ADD) | IN(SUB) | IN(SHL)), EDIT(EXACT, SATURATES), .never = lb_never_narrow, .fits = has_width, WITH(8, 16, 24, 31, 32), UP_TO(4, 62)},
    {ROW("limit.container_zero", "takes container 0 as the limit in place of the zero point", "ReLU of asymmetric tensors", 7, IN(MAX)), EDIT(TAKEN, NO_LESS), .never = lb_never_other_limit_than_zero},
    {ROW("limit.wraps_8", "keeps what is limited to 8 bits in them, and leaves the limit out", "the type of the variable", 5, IN(MIN) | IN(MAX)), EDIT_IN(TAKEN, WRAPS, LIMITED), .never = lb_never_beyond_limit, .fits = is_limit_of_8, WITH(8)},
    {ROW("limit.wraps_16", "keeps what is limited to 16 bits in them, and leaves the limit out", "the type of the variable", 6, IN(MIN) | IN(MAX)), EDIT_IN(TAKEN, WRAPS, LIMITED), .never = lb_never_beyond_limit, .fits = is_limit_of_16, WITH(16)},
    {ROW("limit.off_by_one", "has a limit that is off by one", "how the limit is formed, < and <=", 5, IN(MIN) | IN(MAX)), EDIT_OF(OPERAND, 1, PLUS), .never = lb_never_off_limit, WITH(1, -1)},
    {ROW("limit.other_side", "takes the smaller where the larger is asked for, or the other way", "min and max", 4, IN(MIN) | IN(MAX)), EDIT(OPERATION, OTHER_OPERATION)},
    {ROW("product.wraps", "keeps a product in too few bits, and wraps", WIDTH, 6, IN(MUL)), EDIT(RESULT, WRAPS), .never = lb_never_wide_result, WITH(16, 32, 40), UP_TO(8, 62)},
    {ROW("product.saturates", "keeps a product in too few bits, and saturates", WIDTH, 5, IN(MUL)), EDIT(RESULT, SATURATES), .never = lb_never_wide_saturated, WITH(16, 31, 32), UP_TO(8, 62)},
    {ROW("product.factor_missing", "leaves a factor out", "the multiplication itself", 3, IN(MUL)), LEFT_OUT},
    {ROW("accumulator.wraps", "adds up in an accumulator that is too narrow and wraps", WIDTH, 8, IN(MAC)), EDIT(RESULT, WRAPS), .never = lb_never_wide_result, WITH(16, 20, 24, 28, 32, 40), UP_TO(16, 62)},
    {ROW("accumulator.saturates", "adds up in an accumulator that saturates at each addition", WIDTH, 8, IN(MAC)), EDIT(SUM, SATURATES), .never = lb_never_wide_sum, WITH(16, 20, 24, 31, 32, 40), UP_TO(16, 62)},
    {ROW("accumulator.not_cleared", "begins a sum with what the sum before left", "where the accumulator is set to zero", 5, IN(MAC)), SPECIAL(not_cleared), .keeps = true, .fits = is_tap},
    {ROW("tap.wraps", "keeps a single product in too few bits, and wraps", WIDTH, 6, IN(MAC)), EDIT(PRODUCT, WRAPS), .never = lb_never_wide_product, WITH(8, 15, 16), UP_TO(8, 40)},
    {ROW("tap.saturates", "saturates a single product (the lowest value times itself)", "fractional multiply instructions", 6, IN(MAC)), EDIT(PRODUCT, SATURATES), .never = lb_never_wide_product, WITH(15, 16, 31), UP_TO(8, 40)},
    {ROW("tap.shifted", "shifts each product before it is added", "fractional multiply instructions", 4, IN(MAC)), EDIT(PRODUCT, HALVED), WITH(1, 7, 8), UP_TO(1, 16)},
    {ROW("tap.input_wraps", "forms the input less its zero point in 8 bits, and wraps", WIDTH, 6, IN(MAC)), EDIT_BY(DISTANCE, WRAPS, 8), .of = takes_zero_points, .fits = is_input_tap},
    {ROW("tap.input_saturates", "forms the input less its zero point in 8 bits, and saturates", WIDTH, 5, IN(MAC)), EDIT_BY(DISTANCE, SATURATES, 8), .of = takes_zero_points, .fits = is_input_tap},
    {ROW("taps.first_lost", "loses the first taps of a sum", TAPS, 5, IN(MAC) | IN(MAX)), EDIT_IN(TAKEN, AS_IS, FIRST_TAPS), .never = lb_never_first_taps, .fits = is_tap, WITH(1), UP_TO(1, 8)},
    {ROW("taps.last_lost", "loses the last taps of a sum", TAPS, 8, IN(MAC) | IN(MAX)), EDIT_IN(TAKEN, AS_IS, LAST_TAPS), .fits = is_tap, WITH(1, 2, 3), UP_TO(1, 8)},
    {ROW("taps.tail_lost", "loses the taps that a block of a vector loop leaves over", TAPS, 9, IN(MAC) | IN(MAX)), EDIT_IN(TAKEN, AS_IS, TAIL_TAPS), .fits = is_tap, WITH(2, 4, 8, 16, 32), UP_TO(2, 64)},
    {ROW("taps.beyond_lost", "takes no more than a certain number of taps", TAPS, 5, IN(MAC) | IN(MAX)), EDIT_IN(TAKEN, AS_IS, TAPS_BEYOND), .counts_taps = true, .fits = is_tap, WITH(8, 16, 32, 64, 128, 255, 256)},
    {ROW("taps.missing", "leaves these terms out", "the loop over these terms", 5, IN(MAC)), LEFT_OUT},
    {ROW("padding.counted", "counts padding as container 0", "padding of asymmetric tensors: its value is the zero point", 8, IN(SKIP)), EDIT(PRODUCT, AS_IS), .never = lb_never_adds},
    {ROW("window.whole", "takes the whole kernel in place of the positions inside the input", "the divisor of the average", 7, IN(GIVEN)), SPECIAL(whole_window), .fits = is_window},
    {ROW("term.missing", "leaves the second number out", "the addition itself", 7, IN(ADD) | IN(SUB) | IN(FADD)), LEFT_OUT, .never = lb_never_missed_term, .fits = has_first},
    {ROW("term.twice", "adds the second number twice", "where else it is added", 4, IN(ADD) | IN(SUB)), EDIT_OF(OPERAND, 0, AS_RESULT), .never = lb_never_second_term},
    {ROW("term.sign", "adds where it should subtract, or the other way", "signs", 5, IN(ADD) | IN(SUB)), EDIT(OPERATION, OTHER_OPERATION), .never = lb_never_other_sign},
    {ROW("term.swapped", "subtracts the first from the second", "order of operands", 6, IN(SUB)), EDIT(OPERATION, EXCHANGED)},
    {ROW("term.early_relu", "cuts negative sums off before the bias is added", "order of bias and ReLU", 4, IN(ADD)), EDIT_OF(OPERAND, 0, NO_LESS), .never = lb_never_negative_first},
    {ROW("result.off_by_one", "is off by one in a result on the way", "constants, < and <=", 4, IN(ADD) | IN(SUB) | IN(NORM) | IN(TDIV) | IN(PLACE)), EDIT(RESULT, PLUS), .never = lb_never_off_by_one, WITH(1, -1)},
    {ROW("table.neighbour", "takes a neighbouring entry of the table", "how the index is formed", 7, IN(LOOKUP)), EDIT_OF(OPERAND, 0, PLUS), WITH(1, -1)},
    {ROW("table.other", "takes the table of another function: of the sigmoid for tanh, and the reverse", "which table is handed over", 6, IN(LOOKUP)), SPECIAL(other_table)},
    {ROW("limit.from_zero", "begins the search for the largest with 0", "how the maximum is initialised", 8, IN(MAX)), EDIT(RESULT, NO_LESS), .never = lb_never_below_zero, .fits = is_tap},
    {ROW("parameter.as_zero", "takes 0 in place of a parameter", "fields that are not read", 7, IN(GIVEN)), EDIT(RESULT, AS_ZERO), .fits = is_parameter},
    {ROW("parameter.wraps", "keeps a parameter in {n} bits, and wraps", WIDTH, 5, IN(GIVEN)), EDIT(RESULT, WRAPS), .never = lb_never_wide_result, .fits = is_parameter, WITH(8)},
    {ROW("parameter.sign", "takes a parameter with the other sign", "signs of zero points", 7, IN(GIVEN)), EDIT(RESULT, NEGATED), .fits = is_parameter},
    {ROW("parameter.other_channel", "takes the parameter of another channel", "the index into lists of parameters", 8, IN(GIVEN)), SPECIAL(other_channel), .fits = is_of_a_channel, .of_channel = true, WITH(0, -1, 1)},
    {ROW("real.to_nearest", "rounds a real number to nearest where it should cut", "conversion of float to int", 6, IN(FTRUNC)), SPECIAL(to_nearest)},
    {ROW("real.half_added", "adds one half to negative real numbers too, and cuts", "the half that is added before the cast to int", 5, IN(FADD)), SPECIAL(half_added)},
    {ROW("real.half_up", "rounds halves of real numbers up: floor(x + 0.5)", "floorf in place of adding a half away from zero", 5, IN(FTRUNC)), SPECIAL(half_up)},
    {ROW("real.reciprocal", "multiplies by the reciprocal where it should divide", "fast-math", 5, IN(FDIV)), SPECIAL(by_reciprocal)},
    {ROW("real.off_by_one", "has an exponent that is off by one", "how the scale is formed", 3, IN(FSCALE)), EDIT(RESULT, PLUS), WITH(1, -1)},
    {ROW("taps.tail_overlaps", "adds taps twice: the last block of loads overlaps the one before", "the rest of a vector loop, done by loads that end with the last tap", 4, IN(MAC)), EDIT_IN(OPERAND, AS_RESULT, TAPS_OVERLAPPED), .counts_taps = true, .fits = is_tap, WITH(4, 8, 16), UP_TO(2, 32)},
    {ROW("taps.first_row_alone", "takes the elements of the first row of memory alone", "the loop over rows of a tensor with gaps", 5, IN(MAC) | IN(MAX)), EDIT_IN(TAKEN, AS_IS, TAPS_OF_OTHER_ROWS), .fits = is_tap, .of = sums_all},
    {ROW("accumulator.restarts", "begins a new sum with every block of {n} taps", "accumulators set to zero in the outer loop over blocks", 4, IN(MAC)), EDIT_IN(OPERAND, AS_ZERO, BLOCK_BEGINS), .counts_taps = true, .fits = is_tap, WITH(4, 8, 16, 32, 64), UP_TO(2, 128)},
    {ROW("taps.pairs_saturate", "adds two products in 16 bits (of words: in 32), which saturate", "multiply and add of pairs", 5, IN(MAC)), SPECIAL(pairs), .does = {.how = LB_SATURATES}, .never = lb_never_wide_pair, .fits = is_tap},
    {ROW("taps.pairs_wrap", "adds two products in 16 bits (of words: in 32), which wrap", "multiply and add of pairs", 4, IN(MAC)), SPECIAL(pairs), .does = {.how = LB_WRAPS}, .never = lb_never_wide_pair, .fits = is_tap},
    {ROW("product.drops_low", "loses low bits of a product", "high multiplies, products of halves", 4, IN(MUL)), EDIT(RESULT, CLEARED), .never = lb_never_has_low_bits, WITH(8, 15, 16), UP_TO(1, 30)},
    {ROW("rounding.adds_whole", "adds 1 << n in place of 1 << (n - 1) before the shift", "the constant that is added before the shift", 4, IN(RSH)), CUT(ADDS_WHOLE), .never = lb_never_to_the_right},
    {ROW("rounding.adds_quarter", "adds 1 << (n - 2) in place of 1 << (n - 1) before the shift", "the constant that is added before the shift", 3, IN(RSH)), CUT(ADDS_QUARTER), .never = lb_never_a_quarter},
    {ROW("saturation.unsigned", "saturates to numbers without a sign", "usat for ssat, uint8_t for int8_t", 5, IN(SAT)), EDIT(OPERATION, AT_WIDTH_UNSIGNED), .fits = is_narrow, .never = never_negative_or_beyond},
    {ROW("saturation.bits", "saturates at one bit more, and wraps, or one bit less", "the width that the macro or the instruction takes", 5, IN(SAT)), EDIT(OPERATION, AT_WIDTH_MORE), .fits = is_narrow, .never = never_beyond_less, WITH(1, -1)},
    {ROW("multiplier.high_half", "multiplies by the upper 16 bits of a multiplier alone", "multipliers kept in int16_t, multiply instructions of 32 by 16 bits", 6, IN(MUL)), EDIT_OF(OPERAND, 1, CLEARED), .of = takes_multipliers, .fits = is_times_given, WITH(16)},
    {RULED("table.other", "looks into the table of another function (0: sigm, 1: tanh)", "which table is handed on", "recurrent.md 3, 4", 5, IN(LOOKUP)), SPECIAL(other_table), WITH(0, 1)},
    {RULED("table.place_of_size", "takes the place between two entries of a table by the size of a negative number", "masks of absolute values", "recurrent.md 4", 4, IN(MOD)), SPECIAL(place_of_size), .fits = is_table_place, .never = never_before_zero},
    {RULED("table.place_with_sign", "gives the place between two entries of a table the sign of the number", "% for a mask", "recurrent.md 4", 5, IN(MOD)), SPECIAL(place_of_size), .does = {.how = LB_NEGATED}, .fits = is_table_place, .never = never_before_zero},
    {RULED("table.place_in_bits", "keeps {n} bits of the place between two entries of a table", "numbers that are narrowed before the table", "recurrent.md 4", 4, IN(MOD)), SPECIAL(place_in_bits), .of = shows_places, .fits = is_table_place, .never = never_in_more_bits, WITH(8), UP_TO(1, 14)},
    {RULED("search.from_zero", "begins the search for the largest with 0", "the value that the maximum starts from", "elementwise.md 7; pooling_and_movement.md 2", 6, IN(COPY)), EDIT(RESULT, NO_LESS), .never = lb_never_below_zero, .fits = begins_search},
    {RULED("search.from_lowest_but_one", "begins the search for the largest with the lowest number but one", "the value that the maximum starts from: -32767, -127", "elementwise.md 7; pooling_and_movement.md 2", 2, IN(COPY)), EDIT_BY(RESULT, NOT_LOWEST, LB_BITS_OF_IN), .fits = begins_search},
    {RULED("search.of_all", "takes the largest element of all groups for that of its own", "the bounds of the search for the largest", "elementwise.md 7", 5, IN(COPY) | IN(MAX)), SPECIAL(of_all), .fits = is_largest_of_group, .whole_part = true},
    {RULED("difference.wraps", "keeps a sum or difference in fewer bits, and wraps", "the type of the variable", "", 5, IN(ADD) | IN(SUB)), EDIT(RESULT, WRAPS), .never = lb_never_wide_result, .fits = is_unlimited, WITH(8, 16)},
    {RULED("difference.saturates", "keeps a sum or difference in fewer bits, and saturates", "saturating instructions on the type of the elements", "", 4, IN(ADD) | IN(SUB)), EDIT(RESULT, SATURATES), .never = lb_never_wide_saturated, .fits = is_unlimited, WITH(8, 16)},
    {RULED("accumulator.unsigned", "adds up in a type without a sign that saturates", "the type of the sum", "elementwise.md 7, 8", 4, IN(MAC)), EDIT(RESULT, SATURATES_UNSIGNED), .never = lb_never_wide_unsigned, WITH(16, 24)},
    {RULED("limit.compared_unsigned", "compares two numbers as if they had no sign", "unsigned types in min and max, umin and umax, usat", "", 6, IN(MIN) | IN(MAX)), EDIT(OPERATION, COMPARED_UNSIGNED), .never = lb_never_of_two_signs, .fits = compares_two},
    {RULED("limit.compared_by_size", "compares the absolute values of two numbers", "instructions for the largest magnitude", "", 3, IN(MIN) | IN(MAX)), EDIT(OPERATION, COMPARED_BY_SIZE), .never = lb_never_two_with_a_negative, .fits = compares_two},
    {RULED("search.not_cleared", "begins the search for the largest with what the search before found", "where the maximum is initialised: outside of the loop", "elementwise.md 7; pooling_and_movement.md 2", 4, IN(COPY) | IN(MAX)), SPECIAL(search_goes_on), .keeps = true, .fits = begins_search, .whole_part = true},
    {RULED("search.from_first_element", "begins the search for the largest with the first element of the tensor", "where the maximum is initialised: outside of the loop", "elementwise.md 7; pooling_and_movement.md 2", 4, IN(COPY)), SPECIAL(from_first_element), .fits = begins_search},
    {RULED("parameter.unsigned", "reads a parameter without its sign, in as many bits as it has", "uint8_t for int8_t, uint16_t for int16_t, loads that extend with zeros", "", 5, IN(GIVEN)), EDIT_BY(RESULT, WRAPS_UNSIGNED, LB_BITS_OF_FIELD), .fits = may_be_negative, .never = lb_never_negative},
    {RULED("parameter.all_unsigned", "reads a parameter of all tensors without its sign, in as many bits as it has", "uint8_t for int8_t, uint16_t for int16_t, loads that extend with zeros", "", 5, IN(GIVEN)), EDIT_BY(RESULT, WRAPS_UNSIGNED, LB_BITS_OF_FIELD), .sits = is_of_field, .never = lb_never_negative, .places = fields_of_tensors},
    {.name = NULL},
};
/* clang-format on */
