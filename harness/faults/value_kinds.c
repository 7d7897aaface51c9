/* What no usual mistake has a name for, and what is done otherwise for some numbers alone: any
 * value on the way in place of the one that is due, a branch that asks the wrong number, one term
 * of a count. They are tried where no named fault explains a result, and tell the step. */
#include "harness/faults/places.h"
#include "harness/faults/step_rows.h"
#include "harness/faults/views.h"
#include "reference/core/scale_num.h"

#include <string.h>

enum {
    COMPUTED = IN(MAC) | IN(ADD) | IN(SUB) | IN(MUL) | IN(TDIV) | IN(SHL) | IN(ASR) | IN(RSH) |
               IN(SAT) | IN(MIN) | IN(MAX) | IN(LOOKUP),
    SUMS = IN(MAC) | IN(ADD) | IN(SUB) | IN(MUL) | IN(SHL) | IN(ASR) | IN(RSH)
};

/* ---- Windows ---- */

/* Windows that the border cuts off have fewer places than the kernel. */
ALTERS(border_window)
{
    const lb_config *c = &run->before->call.config;
    int64_t whole = (int64_t)c->kernel_height * c->kernel_width;
    int64_t other = step->result + run->fault->argument;
    return step->result < whole && other > 0 ? other : step->result;
}

/* The sum of a window's elements, kept in few bits, in place of that of its products: every product
 * has the same multiplier. The carry is the sum so far. */
ALTERS(window_sum)
{
    bool wraps = run->fault->kind->does.how == LB_WRAPS;
    int bits = run->fault->argument;
    if (step->operand[2].step == 0) { /* no element: what the sum begins with */
        *run->carry = 0;
        return step->result;
    }
    int64_t before = step->tap == 1 ? 0 : *run->carry, after = before + step->operand[2].v;
    int64_t sum = wraps ? lb_wrap(after, bits) : lb_sat(after, bits);
    uint64_t change = (uint64_t)sum - (uint64_t)before;
    *run->carry = sum;
    return (int64_t)((uint64_t)step->operand[0].v + change * (uint64_t)step->operand[1].v);
}

/* ---- Sums of several outputs at a time ---- */

lb_kept_sums *lb_keep_sums(const lb_fault_run *run, size_t count)
{
    enum { MOST = 4096 };
    if (count == 0 || count > MOST)
        return NULL;
    lb_kept_sums *sums = lb_arena_alloc(run->arena, sizeof *sums);
    *sums =
        (lb_kept_sums){.count = count, .of = lb_arena_array(run->arena, count, sizeof *sums->of)};
    memset(sums->of, 0, count * sizeof *sums->of);
    return sums;
}

/* Outputs lie one behind the other, and each has all channels. */
static lb_kept_sums *sums_of_outputs(const lb_fault_run *run, size_t outputs)
{
    const lb_tensor *out = &run->right->tensors[LB_ROLE_OUT][0];
    return lb_keep_sums(run, outputs * (out->rank > 0 ? out->shape[out->rank - 1] : 1));
}

/* Sums of so many outputs are made at a time, and cleared before the first of all alone. */
ALTERS(outputs_not_cleared)
{
    if (!*run->sums)
        *run->sums = sums_of_outputs(run, (size_t)run->fault->other_dim);
    lb_kept_sums *sums = *run->sums;
    if (!sums)
        return step->result;
    sums->begun += step->tap == 1;
    int64_t *own = &sums->of[sums->begun % sums->count];
    if (step->tap == 1)
        *own = lb_step_with_product(
            step,
            (int64_t)((uint64_t)*own +
                      (step->operation == LB_STEP_SKIP ? 0 : (uint64_t)lb_step_product(step))));
    else
        *own = step->result;
    return *own;
}

static LB_PLACES(outputs_at_a_time)
{
    static const int8_t usual[] = {2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 64};
    for (size_t i = 0; i < scope->site_count; i++) {
        lb_fault fault = {.kind = kind, .site = &scope->sites[i]};
        const bool sums = fault.site->operation == LB_STEP_MAC && fault.site->tap > 0;
        for (size_t k = 0; sums && k < sizeof usual; k++) {
            fault.other_dim = usual[k];
            sink(user, &fault);
        }
    }
}

static LB_DESCRIBES(tell_outputs_at_a_time)
{
    return lb_arena_printf(arena, "%s, %s, of %d outputs at a time",
                           lb_part_words(fault->site->part), lb_site_label(fault->site->site),
                           fault->other_dim);
}

OF(is_convolution, lb_is_conv(kernel))

/* ---- The bias ---- */

static int64_t scaled_alone(const lb_num_step *step, int64_t bias)
{
    int n = (int)lb_sat(step->operand[1].v, 16);
    return lb_rsh(step->rounding, bias, n > 63 ? 63 : n, 64);
}

/* Sum and bias are scaled one by one, and added in steps of the output. The carry is the bias. */
ALTERS(bias_scaled_alone)
{
    switch (step->operation) {
    case LB_STEP_ADD:
        *run->carry = step->operand[1].v;
        return step->operand[0].v;
    case LB_STEP_MUL:
        *run->carry = (int64_t)((uint64_t)*run->carry * (uint64_t)step->operand[1].v);
        return step->result;
    default:
        return (int64_t)((uint64_t)step->result + (uint64_t)scaled_alone(step, *run->carry));
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
ALTERS(limits_moved)
{
    int64_t by = zero_point_of_output(run) * run->fault->argument;
    return lb_wrap(limited(step, step->operand[0].v, step->operand[1].v - by), 8);
}

/* They hold the zero point and limit what has it not yet. First the upper one is asked. */
ALTERS(limits_too_early)
{
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

/* Of the input's: its scale (1), its zero point (2), or both. */
ALTERS(limits_of_input)
{
    int which = run->fault->kind->does.number;
    lb_quant in = lb_quant_at(&run->right->tensors[LB_ROLE_IN][0], 0);
    lb_quant out = lb_quant_at(&run->right->tensors[LB_ROLE_OUT][0], 0);
    int32_t zero_point = which & 2 ? in.zero_point : out.zero_point;
    lb_quant format = which & 1 ? in : out;
    format.zero_point = zero_point;
    return limits_of(run, step, format);
}

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
ALTERS(low_of_six)
{
    if (run->before->call.config.relu != 3)
        return step->result;
    int64_t low = step->operand[0].v - range_of_six(run);
    return low > step->operand[1].v ? low : step->operand[1].v;
}

/* And that of ReLU1 as that of ReLU6 is: the zero point. */
ALTERS(low_of_one)
{
    bool is_sa = lb_is_sa(run->right->tensors[LB_ROLE_OUT][0].el_type);
    return run->before->call.config.relu != 2 ? step->result
           : is_sa                            ? zero_point_of_output(run)
                                              : 0;
}

/* ---- Branches ---- */

/* The sign of the container chooses the branch, in place of that of the distance from the zero
 * point: the distance is given another sign, and the product made of the true one. */
ALTERS(by_container)
{
    if (step->operation == LB_STEP_MUL) {
        int64_t distance = *run->carry;
        return (int64_t)((uint64_t)step->operand[0].v * (uint64_t)distance);
    }
    *run->carry = step->result;
    bool is_below = step->operand[0].v < 0;
    return is_below == (step->result < 0) ? step->result : is_below ? -1 : 0;
}

/* The zero point stays in numbers below it: they still take their branch. */
ALTERS(left_in_below)
{
    if (step->operation == LB_STEP_MUL)
        return (int64_t)((uint64_t)step->operand[0].v * (uint64_t)*run->carry);
    *run->carry = step->result < 0 ? step->operand[0].v : step->result;
    return step->result;
}

/* The weight of the neighbour before for that behind. */
ALTERS(other_weight)
{
    (void)run;
    int64_t bits = step->operand[1].v;
    return bits > 0 && bits < 32 ? ((int64_t)1 << bits) - step->result : step->result;
}

static bool is_of_branch(const lb_fault *fault, const lb_num_step *step)
{
    return step->part == fault->site->part &&
           (step->operation == LB_STEP_MUL || lb_fault_same_site(step, fault->site, false));
}

/* ---- Counts of shifts ---- */

enum { MOST_DEPTH = 4 };

/* The tensor's fractional bits, or those of its scale. */
static int64_t bits_of(const lb_fault_run *run, int role)
{
    return lb_view_first_quant(run->before->call.tensor[role]).frac;
}

/* `argument` is the sign with which the term is in the sum; of two that change places the other one
 * has the other sign. */
ALTERS(term_of_other)
{
    int64_t own = bits_of(run, run->fault->role), other = bits_of(run, run->fault->other_role);
    int64_t by = run->fault->argument * (other - own);
    return step->result + (run->fault->kind->does.how == LB_DOUBLED ? 2 * by : by);
}

static bool is_count(const lb_num_step *site)
{
    return (site->operation == LB_STEP_ADD || site->operation == LB_STEP_SUB) && site->width == 0 &&
           site->tap == 0;
}

/* The role whose fractional bits the number is, or -1. */
static int role_of_bits(const lb_num_step *site)
{
    const lb_num_place *place = &site->place;
    bool is_bits = site->operation == LB_STEP_GIVEN && place->kind == LB_NUM_PARAMETER &&
                   (place->field == LB_QUANT_FRAC_BITS || place->field == LB_QUANT_SCALE_FRAC_BITS);
    return is_bits && lb_owner_item(place->owner) < 0 ? lb_owner_role(place->owner) : -1;
}

/* The place whose number this is, as it was heard first. */
static const lb_num_step *made_by(const lb_fault_scope *scope, const lb_num *number)
{
    for (size_t i = 0; number->step != 0 && i < scope->site_count; i++)
        if (scope->sites[i].number == number->step)
            return &scope->sites[i];
    return NULL;
}

/* A term of the sum, with each other tensor in its place. */
static void sink_term(const lb_fault_kind *kind, const lb_fault_scope *scope,
                      const lb_num_step *sum, int role, int sign, lb_fault_sink sink, void *user)
{
    lb_fault fault = {.kind = kind, .site = sum, .role = (int8_t)role, .argument = sign};
    for (int other = 0; other < LB_ROLE_COUNT; other++) {
        fault.other_role = (int8_t)other;
        if (other != role && lb_fault_role_use(scope->kernel, other) != LB_USE_NONE)
            sink(user, &fault);
    }
}

static void sink_terms(const lb_fault_kind *kind, const lb_fault_scope *scope,
                       const lb_num_step *sum, const lb_num_step *part, int sign, int depth,
                       lb_fault_sink sink, void *user)
{
    for (unsigned i = 0; i < part->operand_count && depth > 0; i++) {
        const lb_num_step *from = made_by(scope, &part->operand[i]);
        int own = i == 1 && part->operation == LB_STEP_SUB ? -sign : sign;
        int role = from ? role_of_bits(from) : -1;
        if (role >= 0)
            sink_term(kind, scope, sum, role, own, sink, user);
        else if (from && is_count(from))
            sink_terms(kind, scope, sum, from, own, depth - 1, sink, user);
    }
}

static LB_PLACES(counts)
{
    for (size_t i = 0; i < scope->site_count; i++)
        if (is_count(&scope->sites[i]))
            sink_terms(kind, scope, &scope->sites[i], &scope->sites[i], 1, MOST_DEPTH, sink, user);
}

static void note_sign(void *user, const lb_fault *fault)
{
    ((int8_t *)user)[fault->role] = (int8_t)fault->argument;
}

/* The sign with which role a's term is in the sum, where b's is in it with the other one; else 0.
 */
static int sign_of_difference(const lb_fault_kind *kind, const lb_fault_scope *scope,
                              const lb_num_step *sum, int a, int b)
{
    int8_t sign[LB_ROLE_COUNT] = {0};
    if (sum && is_count(sum))
        sink_terms(kind, scope, sum, sum, 1, MOST_DEPTH, note_sign, sign);
    return sign[a] * sign[b] < 0 ? sign[a] : 0;
}

/* Two terms of a count, of which one is subtracted from the other: where they meet. */
static LB_PLACES(differences)
{
    for (size_t i = 0; i < scope->site_count; i++)
        for (int a = 0; a < LB_ROLE_COUNT; a++)
            for (int b = a + 1; b < LB_ROLE_COUNT; b++) {
                const lb_num_step *sum = &scope->sites[i];
                bool is_met = false;
                lb_fault fault = {.kind = kind, .site = sum, .role = (int8_t)a};
                fault.other_role = (int8_t)b;
                fault.argument = sign_of_difference(kind, scope, sum, a, b);
                for (unsigned k = 0; fault.argument != 0 && k < sum->operand_count; k++)
                    is_met = is_met || sign_of_difference(kind, scope,
                                                          made_by(scope, &sum->operand[k]), a, b);
                if (fault.argument != 0 && !is_met)
                    sink(user, &fault);
            }
}

/* ---- Rounding ---- */

/* The code of a rounding shift where there is nothing to shift: halves are looked for all the same.
 */
ALTERS(rounds_nothing)
{
    bool in_both = run->fault->argument > 1;
    if (step->operand[1].v != 0 || (step->rounding == LB_ROUND_UP && !in_both))
        return step->result;
    return lb_sat(step->result + (step->result & 1), lb_step_width(step));
}

/* A real number that had a half added to it, or taken off, before its fraction is cut: what is
 * whole then was a tie. Ties of positive numbers (1), negative ones (-1), both (0) go to zero. */
static bool is_real_tie(const lb_num_step *step, int32_t sign)
{
    int32_t bits = (int32_t)step->operand[0].v;
    float v;
    memcpy(&v, &bits, sizeof v);
    return (double)v == (double)step->result && step->result != 0 && step->result != INT32_MAX &&
           step->result != INT32_MIN && (sign == 0 || (sign > 0) == (step->result > 0));
}

ALTERS(real_tie_to_zero)
{
    bool is_tie = is_real_tie(step, run->fault->argument);
    return is_tie ? step->result - (step->result > 0 ? 1 : -1) : step->result;
}

ALTERS(real_tie_to_even)
{
    (void)run;
    bool is_odd = step->result % 2 != 0;
    return is_odd && is_real_tie(step, 0) ? step->result - (step->result > 0 ? 1 : -1)
                                          : step->result;
}

/* One entry of a table is off, by other_dim. */
ALTERS(entry_off)
{
    bool is_entry = step->operand[0].v == run->fault->argument;
    return step->result + (is_entry ? run->fault->other_dim : 0);
}

/* ---- Places ---- */

static bool is_number(const lb_num_step *site)
{
    return site->operation == LB_STEP_GIVEN;
}

static bool is_changeable(const lb_num_step *site)
{
    return !is_number(site) || site->place.kind == LB_NUM_PARAMETER ||
           site->place.kind == LB_NUM_INTERMEDIATE;
}

/* A number of the same kind in another place: the same parameter of another tensor, another vector
 * of the call. */
static bool is_like(const lb_num_step *site, const lb_num_step *other)
{
    bool vectors = site->place.kind == LB_NUM_INTERMEDIATE && other->place.kind == LB_NUM_ELEMENT &&
                   other->place.rank == 1;
    return other->operation == LB_STEP_GIVEN &&
           (vectors || site->place.kind == other->place.kind) &&
           site->place.field == other->place.field && site->place.owner != other->place.owner;
}

/* Places of two steps, of which the second gives the value, for each operand or frame. */
static void put_pairs(const lb_fault_kind *kind, const lb_fault_scope *scope, lb_place_fits fits,
                      lb_fault_sink sink, void *user)
{
    enum { MOST = 12000 };
    size_t count = 0;
    for (size_t i = 0; i < scope->site_count; i++)
        for (size_t k = 0; k < scope->site_count && count < MOST; k++)
            for (int32_t n = 0; n < LB_STEP_OPERANDS; n++) {
                const lb_fault fault = {.kind = kind,
                                        .site = &scope->sites[i],
                                        .other_site = &scope->sites[k],
                                        .argument = n};
                if (fits(scope->kernel, &fault)) {
                    sink(user, &fault);
                    count++;
                }
            }
}
#define PAIRS(name)                                                                                \
    static LB_PLACES(name)                                                                         \
    {                                                                                              \
        put_pairs(kind, scope, is_##name, sink, user);                                             \
    }

/* In every frame, or, of vectors, in some. */
static bool is_others(const lb_kernel *kernel, const lb_fault *at)
{
    (void)kernel;
    return is_number(at->site) && is_changeable(at->site) && is_like(at->site, at->other_site) &&
           (at->argument == LB_EVERY_FRAME || at->site->place.kind == LB_NUM_INTERMEDIATE);
}
PAIRS(others)

/* Elements too, where each result has one of its own: a buffer is taken for another. */
static bool is_near(const lb_kernel *kernel, const lb_num_step *site, const lb_num_step *other)
{
    if (is_number(other))
        return is_changeable(other) || other->place.kind == LB_NUM_GEOMETRY ||
               (!lb_has_weights(kernel) && !lb_is_pool(kernel));
    return site->block == other->block || !site->block || !other->block;
}

/* What an operand may be taken from: what has been computed or given before. */
static bool is_operands(const lb_kernel *kernel, const lb_fault *at)
{
    return at->argument < (int32_t)at->site->operand_count && at->site != at->other_site &&
           (COMPUTED >> at->site->operation & 1) &&
           (at->other_site < at->site || is_number(at->other_site)) &&
           is_near(kernel, at->site, at->other_site);
}
PAIRS(operands)

/* What the code for later frames may take otherwise than that for the first one: factors of
 * vectors. */
static bool is_operands_later(const lb_kernel *kernel, const lb_fault *at)
{
    enum { VECTORS = IN(SAT) | IN(RSH) | IN(LOOKUP) | IN(ADD) | IN(SUB) };
    return at->argument < (int32_t)at->site->operand_count && lb_is_recurrent(kernel) &&
           at->other_site < at->site && at->site->operation == LB_STEP_MUL &&
           (VECTORS >> at->other_site->operation & 1);
}
PAIRS(operands_later)

OF(slopes, lb_fault_role_use(kernel, LB_ROLE_SLOPE) != LB_USE_NONE && lb_is_sa(kernel->in_type))
OF(averages, lb_is_average(kernel))
OF(biases, lb_fault_role_use(kernel, LB_ROLE_BIAS) != LB_USE_NONE && !lb_is_recurrent(kernel))
/* In other functions than those with weights the output has no parameters of its own. */
OF(limits_of_relu, lb_has_weights(kernel) && lb_has_relu(kernel) && !lb_is_recurrent(kernel))
OF(limits, lb_is_sa(kernel->in_type) && !lb_is_recurrent(kernel))

FITS(is_tap, site->tap > 0)
FITS(is_bias, site->part == LB_PART_BIAS && site->operand_count == 2)
FITS(is_upper_limit, site->part == LB_PART_RELU && site->operand_count == 2)
FITS(is_lowest, site->part == LB_PART_RELU_LIMITS && site->operand_count == 2)
FITS(is_window, site->place.kind == LB_NUM_GEOMETRY && site->place.geometry == LB_GEOMETRY_WINDOW)
FITS(is_distance, site->of_zero_point && site->part == LB_PART_REQUANTIZE)

static bool is_of_limits(const lb_fault *fault, const lb_num_step *step)
{
    (void)fault;
    return is_upper_limit(step) &&
           (step->operation == LB_STEP_MIN || step->operation == LB_STEP_MAX);
}

/* ---- The tables ---- */

#define ALONE(row, text, where, likely, in)                                                        \
    STEP_ROW(row, text, where, "", likely, in), .is_narrow = true
#define WIDE(row, text, where, likely, in) STEP_ROW(row, text, where, "", likely, in)
#define VALUE(row, text, likely, in)                                                               \
    ALONE("value." row, text, "the variables and parameters of this line", likely, in),            \
        .is_value = true
#define ASKED(does, number_, when_)                                                                \
    EDITED(.at = LB_AT_OPERAND, .operand = LB_OPERAND_BY_ARGUMENT, .how = LB_##does,               \
           .when = LB_##when_, .number = number_)

/* clang-format off */
const lb_fault_kind lb_fault_condition_kinds[] = {
    {ALONE("branch.on_container", "takes the branch for negative numbers by the container, not by the distance from the zero point", "x < 0 in place of x < zero point", 7, IN(SUB)), SPECIAL(by_container), .fits = is_distance, .sits = is_of_branch, .of = slopes},
    {ALONE("branch.zero_point_left_in", "leaves the zero point of the input in numbers below it", "the branch for negative numbers", 5, IN(SUB)), SPECIAL(left_in_below), .fits = is_distance, .sits = is_of_branch, .of = slopes},
    {WIDE("table.other_weight", "takes the weights of both neighbours in the table for each other", "fraction, or one less the fraction", 5, IN(MOD)), SPECIAL(other_weight)},
    {ALONE("rounding.negative_to_zero", "cuts negative numbers towards zero, and rounds others as it should", "the half that is added for one sign alone", 6, IN(RSH) | IN(ASR)), EDIT_IN(FRACTION, TO_ZERO, OF_NEGATIVE)},
    {ALONE("rounding.negative_floored", "cuts negative numbers towards minus infinity, and rounds others as it should", "the half that is added for one sign alone", 6, IN(RSH)), EDIT_IN(FRACTION, TO_FLOOR, OF_NEGATIVE)},
    {ALONE("rounding.positive_floored", "cuts positive numbers, and rounds others as it should", "the half that is added for one sign alone", 5, IN(RSH)), EDIT_IN(FRACTION, TO_FLOOR, OF_POSITIVE)},
    {ALONE("accumulator.not_cleared", "begins a sum with what that of another output left", "where accumulators of a tile of outputs are set to zero", 5, IN(MAC) | IN(SKIP)), SPECIAL(outputs_not_cleared), .whole_part = true, .keeps = true, .places = outputs_at_a_time, .describe = tell_outputs_at_a_time, .of = is_convolution},
    {ALONE("rounding.half_to_odd", "rounds halves to the odd neighbour", "how ties are found, and which of both bits is asked", 5, IN(RSH)), CUT(HALF_TO_ODD)},
    {ALONE("term.absolute", "takes the difference without its sign", "abs, order of operands", 5, IN(SUB)), EDIT(RESULT, ABSOLUTE)},
    {ALONE("saturation.wraps_unsigned", "keeps a result on the way in too few bits without a sign", "unsigned types of variables", 5, SUMS), EDIT(RESULT, WRAPS_UNSIGNED), WITH(8, 16, 32)},
    {ALONE("saturation.to_container", "saturates to the type of the output before the last step", "a saturation that stands too early", 4, SUMS), EDIT_BY(RESULT, SATURATES, LB_BITS_OF_OUT)},
    {ALONE("window.at_border", "counts another number of elements in windows that the border cuts off ({n})", "how many rows and columns of a window lie inside", 6, IN(GIVEN)), SPECIAL(border_window), .fits = is_window, WITH(1, -1)},
    {ALONE("search.from_lowest_byte", "begins the search for the largest with -128", "how the maximum is initialised", 6, IN(COPY)), EDIT_BY(RESULT, NO_LESS, INT8_MIN), .fits = is_tap},
    {ALONE("taps.counted_in_a_byte", "keeps the number of taps in 8 bits", "types of counters and lengths", 5, IN(MAC) | IN(MAX)), EDIT_IN(TAKEN, AS_IS, TAPS_BEYOND_BYTE), .fits = is_tap},
    {ALONE("window.capped", "divides by no more than {n}", "a table of reciprocals that ends", 5, IN(GIVEN)), EDIT(RESULT, NO_MORE), .fits = is_window, WITH(8, 16, 25, 32, 49, 64, 128, 256), .of = averages},
    {ALONE("window.sum_wraps", "keeps the sum of a window's elements in too few bits, and wraps", "the type of the sum", 6, IN(MAC)), SPECIAL(window_sum), .does = {.how = LB_WRAPS}, .fits = is_tap, WITH(8, 12, 16, 20, 24), .of = averages},
    {ALONE("window.sum_saturates", "keeps the sum of a window's elements in too few bits, and saturates", "the type of the sum", 6, IN(MAC)), SPECIAL(window_sum), .does = {.how = LB_SATURATES}, .fits = is_tap, WITH(8, 12, 16, 20, 24), .of = averages},
    {ALONE("bias.scaled_alone", "scales the sum and the bias one by one, and adds them in steps of the output", "where the bias is added: before the shift", 7, IN(ADD)), SPECIAL(bias_scaled_alone), .fits = is_bias, .sits = is_of_bias, .of = biases},
    {ALONE("limits.moved", "limits results too low or too high by the zero point of the output ({n})", "whether the limits of ReLU and of the type hold the zero point", 6, IN(MIN)), SPECIAL(limits_moved), .fits = is_upper_limit, .sits = is_of_limits, WITH(1, -1), .of = limits},
    {ALONE("limits.too_early", "limits results before the output's zero point is added", "the order of limits and zero point", 6, IN(MIN)), SPECIAL(limits_too_early), .fits = is_upper_limit, .sits = is_of_limits, .of = limits},
    {ALONE("limits.zero_point_of_input", "makes the limits of ReLU with the zero point of the input", "whose parameters the limits of ReLU are made of", 6, IN(MIN)), SPECIAL(limits_of_input), .does = {.number = 2}, .fits = is_upper_limit, .sits = is_of_limits, .of = limits_of_relu},
    {ALONE("limits.scale_of_input", "makes the limits of ReLU with the scale of the input", "whose parameters the limits of ReLU are made of", 6, IN(MIN)), SPECIAL(limits_of_input), .does = {.number = 1}, .fits = is_upper_limit, .sits = is_of_limits, .of = limits_of_relu},
    {ALONE("limits.format_of_input", "makes the limits of ReLU with the format of the input", "whose parameters the limits of ReLU are made of", 6, IN(MIN)), SPECIAL(limits_of_input), .does = {.number = 3}, .fits = is_upper_limit, .sits = is_of_limits, .of = limits_of_relu},
    {ALONE("limits.low_of_six", "lets ReLU6 go as far below zero as above it", "the lower limit of ReLU6", 6, IN(MAX)), SPECIAL(low_of_six), .fits = is_lowest},
    {ALONE("limits.low_of_one", "cuts ReLU1 at zero", "the lower limit of ReLU1", 6, IN(MAX)), SPECIAL(low_of_one), .fits = is_lowest},
    {ALONE("shift.term_of_other", "takes the fractional bits of another tensor in this count alone", "how the count of this shift is formed", 6, IN(ADD) | IN(SUB)), SPECIAL(term_of_other), .places = counts, .place = "{other} for {role}"},
    {ALONE("shift.terms_exchanged", "takes the fractional bits of two tensors for each other in this count alone", "a difference with the wrong sign", 6, IN(ADD) | IN(SUB)), SPECIAL(term_of_other), .does = {.how = LB_DOUBLED}, .places = differences, .place = "{role}, {other}"},
    {.name = NULL},
};

const lb_fault_kind lb_fault_value_kinds[] = {
    {ALONE("saturation.left_wraps", "wraps where a shift to the left should saturate", "<< in place of a saturating shift", 6, IN(RSH) | IN(ASR)), EDIT_IN(EXACT, WRAPS, TO_THE_LEFT_IN_WIDTH)},
    {ALONE("saturation.wraps_narrow", "keeps a result on the way in too few bits, and wraps", "the type of the variable", 5, COMPUTED), EDIT(RESULT, WRAPS), WITH(8, 12, 16, 20, 24, 32)},
    {ALONE("saturation.narrow_result", "keeps a result on the way in too few bits, and saturates", "the type of the variable, a saturation that stands too early", 5, COMPUTED), EDIT(RESULT, SATURATES), WITH(8, 12, 15, 16, 20, 24, 31, 32)},
    {ALONE("rounding.of_nothing", "rounds where a shift by 0 leaves nothing to round", "the half that is added: 1 << (n - 1) for n = 0", 3, IN(RSH)), SPECIAL(rounds_nothing), WITH(1, 2)},
    {ALONE("real.tie_to_zero", "rounds ties of real numbers towards zero (1: positive ones, -1: negative ones, 0: both)", "the half that is added before the cast to int", 5, IN(FTRUNC)), SPECIAL(real_tie_to_zero), WITH(0, -1, 1)},
    {ALONE("real.tie_to_even", "rounds ties of real numbers to even", "rintf, nearbyintf in place of adding a half", 5, IN(FTRUNC)), SPECIAL(real_tie_to_even)},
    {VALUE("other", "computes as if another number stood here", 1, IN(GIVEN)), EDITED(.at = LB_AT_RESULT, .how = LB_AS_OTHER, .when = LB_OTHER_IN_FRAMES, .held = true), .takes_other = true, .places = others},
    {VALUE("operand.other", "computes as if the {n=first|second|third} operand were another value", 1, COMPUTED), ASKED(AS_OTHER, 0, OTHER_GIVEN), .takes_other = true, .places = operands},
    {VALUE("operand.other_later", "computes as if the {n=first|second|third} operand were another value, in all frames but the first", 1, COMPUTED), ASKED(AS_OTHER, 0, OTHER_GIVEN_LATER), .takes_other = true, .places = operands_later},
    {VALUE("operand.zero", "computes as if the {n=first|second|third} operand were 0", 2, COMPUTED), ASKED(AS_ZERO, 0, ALWAYS), WITH(0, 1, 2)},
    {VALUE("operand.one_more", "computes as if the {n=first|second|third} operand were one more", 2, COMPUTED), ASKED(PLUS, 1, ALWAYS), WITH(0, 1)},
    {VALUE("operand.one_less", "computes as if the {n=first|second|third} operand were one less", 2, COMPUTED), ASKED(PLUS, -1, ALWAYS), WITH(0, 1)},
    {VALUE("left_out", "computes as if this operation were left out, and takes its {n=first|second|third} operand", 3, COMPUTED), EDITED(.at = LB_AT_TAKEN, .operand = LB_OPERAND_BY_ARGUMENT, .held = true), WITH(0, 1)},
    {VALUE("complement", "computes as if the complement stood here: a power of two less the value", 1, COMPUTED | IN(GIVEN)), EDIT(RESULT, COMPLEMENT), WITH(0, 7, 8, 15), .fits = is_changeable},
    {VALUE("off_by", "computes as if this value were off by {n}", 2, COMPUTED | IN(GIVEN)), EDIT(RESULT, PLUS), WITH(1, -1), .fits = is_changeable},
    {VALUE("doubled", "computes as if this value were doubled", 2, COMPUTED | IN(GIVEN)), EDITED(.at = LB_AT_RESULT, .how = LB_DOUBLED, .held = true), .fits = is_changeable},
    {VALUE("halved", "computes as if this value were halved", 2, COMPUTED | IN(GIVEN)), EDIT_BY(RESULT, HALVED, 1), .fits = is_changeable},
    {VALUE("negated", "computes as if this value had the other sign", 2, COMPUTED | IN(GIVEN)), EDITED(.at = LB_AT_RESULT, .how = LB_NEGATED, .held = true), .fits = is_changeable},
    {VALUE("subtracted", "subtracts these products", 2, IN(MAC)), EDIT_OF(OPERAND, 1, NEGATED)},
    {.name = NULL},
};

static const lb_fault_kind entry_kind = {ALONE("table.entry", "has another number in one entry of the table", "the numbers of the table", 6, IN(LOOKUP)), SPECIAL(entry_off), .place = "entry {n}, off by {to}"};
/* clang-format on */

void lb_fault_table_entry(const lb_num_step *site, int32_t entry, lb_fault_sink sink, void *user)
{
    static const int8_t by[] = {1, -1, 2,  -2,  3,  -3,  4,  -4,  5,   -5,
                                8, -8, 10, -10, 16, -16, 32, -32, 100, -100};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        sink(user, &(lb_fault){.kind = &entry_kind,
                               .site = site,
                               .everywhere = true,
                               .argument = entry,
                               .other_dim = by[i]});
}
