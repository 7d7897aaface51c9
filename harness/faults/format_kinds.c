/* Steps again: formats of vectors that a call makes itself, tables, the beginning of a search. */
#include "harness/faults/given_ranges.h"
#include "harness/faults/places.h"
#include "harness/faults/step_proofs.h"
#include "harness/faults/step_rows.h"
#include "harness/faults/views.h"
#include "reference/core/lut.h"
#include "reference/describe/program.h"

/* The format of a vector that the call makes itself: a gate, the hidden state, an activated cell.
 */
static bool is_own_format(const lb_num_step *step)
{
    return step->operation == LB_STEP_GIVEN && step->place.kind == LB_NUM_PARAMETER &&
           lb_owner_role(step->place.owner) < 0;
}

/* ---- The format of another tensor ---- */

static int64_t of_other(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    const lb_tensor *t = run->before->call.tensor[run->fault->other_role];
    if (!t)
        return step->result;
    return lb_quant_get(lb_view_first_quant(t), step->place.field);
}

/* The first step of each vector, with each other tensor of the call that has the same type. */
static LB_PLACES(formats_of_others)
{
    static const int roles[] = {LB_ROLE_IN, LB_ROLE_PREV_OUT, LB_ROLE_CELL, LB_ROLE_OUT};
    for (size_t i = 0; i < scope->site_count; i++) {
        lb_fault fault = {.kind = kind, .site = &scope->sites[i], .all_blocks = true};
        bool met = !is_own_format(fault.site);
        for (size_t k = 0; !met && k < i; k++)
            met = lb_fault_sits_in(&fault, &scope->sites[k]);
        for (size_t r = 0; !met && r < sizeof roles / sizeof *roles; r++) {
            fault.other_role = (int8_t)roles[r];
            if (lb_fault_role_use(scope->kernel, roles[r]) != LB_USE_NONE)
                sink(user, &fault);
        }
    }
}

static LB_DESCRIBES(tell_other_format)
{
    return lb_arena_printf(arena, "%s as %s", lb_owner_name(fault->site->place.owner),
                           lb_role_name((lb_role)fault->other_role));
}

/* ---- The format of gates before their activation ---- */

static int64_t other_gate_bits(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    const lb_call *call = &run->before->call;
    const lb_program_sums *sums = &lb_program_of(run->test_case->kernel)->sums;
    int64_t fx = sums->most_frac_bits, sa8 = sums->sa8.frac, by = run->fault->argument;
    if (!is_own_format(step))
        return step->result;
    if (step->place.field == LB_QUANT_SCALE_FRAC_BITS)
        return step->result == sa8 ? sa8 + by : step->result;
    if (step->place.field != LB_QUANT_FRAC_BITS || step->result > fx)
        return step->result;
    int64_t sum = call->tensor[LB_ROLE_IN]->frac_bits + call->tensor[LB_ROLE_WEIGHTS_IN]->frac_bits;
    bool is_gate = step->result == (sum < fx ? sum : fx) &&
                   lb_is_gate(run->test_case->kernel, step->place.owner);
    return !is_gate ? step->result : sum < fx + by ? sum : fx + by;
}

static LB_PLACES(gate_formats)
{
    for (size_t i = 0; i < scope->site_count; i++)
        if (lb_is_recurrent(scope->kernel) && is_own_format(&scope->sites[i])) {
            lb_fault fault = {.kind = kind, .site = &scope->sites[i], .everywhere = true};
            for (fault.argument = -2; fault.argument <= 2; fault.argument++)
                if (fault.argument != 0)
                    sink(user, &fault);
            return;
        }
}

/* Of sa8: the scale of the same format. */
static int64_t other_gate_scale(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t own = lb_program_of(run->test_case->kernel)->sums.sa8.scale;
    bool is_gate = is_own_format(step) && step->place.field == LB_QUANT_SCALE &&
                   lb_is_gate(run->test_case->kernel, step->place.owner) && step->result == own;
    int64_t other = own + run->fault->argument;
    return is_gate && other > 0 ? other : step->result;
}

static LB_PLACES(gate_scales)
{
    if (lb_is_sa(scope->kernel->in_type))
        gate_formats(kind, scope, sink, user);
}

static LB_DESCRIBES(tell_more_bits)
{
    return lb_arena_printf(arena, "%+d", (int)fault->argument);
}

/* ---- Tables ---- */

static int64_t other_table(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    const lb_lut *lut = &lb_luts[run->fault->argument];
    int64_t i = step->operand[0].v;
    return lut->table[i < 0 ? 0 : i >= lut->length ? lut->length - 1 : i];
}

/* ---- Searches and sums ---- */

static int64_t from_zero(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return step->result > 0 ? step->result : 0;
}

static int64_t from_lowest_but_one(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    const lb_tensor *in = run->before->call.tensor[LB_ROLE_IN];
    int64_t lowest = in ? lb_min_of(lb_container_bits(in->el_type)) : INT64_MIN;
    return step->result == lowest ? lowest + 1 : step->result;
}

/* The largest element of the whole tensor. The carry keeps it, moved so that it is not 0. */
static int64_t of_all(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    static const int64_t MOVED = (int64_t)1 << 40;
    (void)left;
    const lb_tensor *in = run->before->call.tensor[LB_ROLE_IN];
    size_t count = in && *run->carry == 0 ? lb_element_count(in) : 0;
    for (size_t flat = 0; flat < count; flat++) {
        int64_t v = lb_load(in, lb_offset_of_flat(in, flat)) + MOVED;
        *run->carry = v > *run->carry ? v : *run->carry;
    }
    return *run->carry != 0 ? *run->carry - MOVED : step->result;
}

static bool is_largest_of_group(const lb_num_step *site)
{
    return site->part == LB_PART_LARGEST_OF_THE_GROUP && site->operation == LB_STEP_COPY;
}

/* A sum of numbers that are not negative, in a type without a sign. */
static int64_t unsigned_sum(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t most = ((int64_t)1 << run->fault->argument) - 1;
    return step->result > most ? most : step->result;
}

static bool begins_search(const lb_num_step *site)
{
    return site->tap == 1;
}

/* A difference that is kept in the width of its elements. */
static int64_t wraps_at(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return lb_wrap(step->result, run->fault->argument);
}

static int64_t saturates_at(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return lb_sat(step->result, run->fault->argument);
}

/* Numbers, and no counts of shifts. */
static bool is_unlimited(const lb_num_step *site)
{
    return site->width == 0 && site->part != LB_PART_SHIFT && site->part != LB_PART_SHIFTS &&
           site->part != LB_PART_SCALE_AND_SHIFT && site->part != LB_PART_MULTIPLIER_AND_SHIFT;
}

#define ROW(row, text, where, rules, likely, in, function)                                         \
    .name = row, .group = LB_FAULTS_STEP, .words = text, .look_for = where, .sections = rules,     \
    .prior = likely, .operations = in, .run = lb_fault_step_run, .alter = function

/* clang-format off */
const lb_fault_kind lb_fault_format_kinds[] = {
    {ROW("format.of_other", "takes the format of another tensor for that of a vector on the way", "where formats of the state change: first frame, later frames", "recurrent.md 6 to 8", 5, IN(GIVEN), of_other), .places = formats_of_others, .describe = tell_other_format},
    {ROW("format.gate_bits", "keeps gates with more or fewer fractional bits before their activation", "the constant format of the gates", "recurrent.md 6 to 8", 5, IN(GIVEN), other_gate_bits), .places = gate_formats, .describe = tell_more_bits},
    {ROW("format.gate_scale", "keeps gates with another scale before their activation", "the constant format of the gates", "recurrent.md 6 to 8", 4, IN(GIVEN), other_gate_scale), .places = gate_scales, .describe = tell_more_bits},
    {ROW("table.other", "looks into the table of another function (0: sigm, 1: tanh)", "which table is handed on", "recurrent.md 3, 4", 5, IN(LOOKUP), other_table), .places = lb_fault_step_places, WITH(0, 1)},
    {ROW("search.from_zero", "begins the search for the largest with 0", "the value that the maximum starts from", "elementwise.md 7; pooling_and_movement.md 2", 6, IN(COPY), from_zero), .never = lb_never_below_zero, .places = lb_fault_step_places, .fits = begins_search},
    {ROW("search.from_lowest_but_one", "begins the search for the largest with the lowest number but one", "the value that the maximum starts from: -32767, -127", "elementwise.md 7; pooling_and_movement.md 2", 2, IN(COPY), from_lowest_but_one), .places = lb_fault_step_places, .fits = begins_search},
    {ROW("search.of_all", "takes the largest element of all groups for that of its own", "the bounds of the search for the largest", "elementwise.md 7", 5, IN(COPY) | IN(MAX), of_all), .places = lb_fault_step_places, .fits = is_largest_of_group, .whole_part = true},
    {ROW("difference.wraps", "keeps a sum or difference in fewer bits, and wraps", "the type of the variable", "", 5, IN(ADD) | IN(SUB), wraps_at), .never = lb_never_wide_result, .places = lb_fault_step_places, .fits = is_unlimited, WITH(8, 16)},
    {ROW("difference.saturates", "keeps a sum or difference in fewer bits, and saturates", "saturating instructions on the type of the elements", "", 4, IN(ADD) | IN(SUB), saturates_at), .never = lb_never_wide_saturated, .places = lb_fault_step_places, .fits = is_unlimited, WITH(8, 16)},
    {ROW("accumulator.unsigned", "adds up in a type without a sign that saturates", "the type of the sum", "elementwise.md 7, 8", 4, IN(MAC), unsigned_sum), .never = lb_never_wide_unsigned, .places = lb_fault_step_places, WITH(16, 24)},
    {.name = NULL},
};
/* clang-format on */
