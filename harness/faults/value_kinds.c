/* Any value on the way in place of the one that is due: what a kernel computes that takes another
 * variable, another parameter, or leaves an operation out. These are no usual mistakes by name, but
 * all that one wrong word in a formula can do; they are tried where no named fault explains a
 * result, and tell the step. */
#include "harness/faults/evaluate.h"
#include "harness/faults/places.h"
#include "harness/faults/step_rows.h"

#include <string.h>

enum {
    COMPUTED = IN(MAC) | IN(ADD) | IN(SUB) | IN(MUL) | IN(TDIV) | IN(SHL) | IN(ASR) | IN(RSH) |
               IN(SAT) | IN(MIN) | IN(MAX) | IN(LOOKUP)
};

static int64_t held(const lb_num_step *step, int64_t value)
{
    return lb_sat(value, step->width > 0 ? step->width : 64);
}

/* ---- Values of other steps ---- */

/* Arguments of `other`: in which frames. */
enum { EVERY_FRAME, THE_FIRST_FRAME, LATER_FRAMES, FRAME_CHOICES };

static int64_t other_value(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int32_t frames = run->fault->argument;
    bool is_there = frames == EVERY_FRAME || (frames == THE_FIRST_FRAME) == (step->frame == 0);
    return is_there && run->has_other ? held(step, run->other) : step->result;
}

static int64_t with_operand(const lb_num_step *step, unsigned operand, int64_t value)
{
    lb_num_step changed = *step;
    int64_t result = step->result;
    if (operand >= step->operand_count)
        return result;
    changed.operand[operand].v = value;
    return lb_fault_evaluate(&changed, &result) ? result : step->result;
}

static int64_t operand_of_other(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return run->has_other ? with_operand(step, (unsigned)run->fault->argument, run->other)
                          : step->result;
}

static int64_t operand_of_other_later(const lb_fault_run *run, const lb_num_step *step,
                                      int64_t left)
{
    return step->frame > 0 ? operand_of_other(run, step, left) : step->result;
}

/* ---- One step alone ---- */

static int64_t operand_zero(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return with_operand(step, (unsigned)run->fault->argument, 0);
}

static int64_t operand_more(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    unsigned operand = (unsigned)run->fault->argument;
    return with_operand(step, operand, lb_add(step->operand[operand].v, 1, 64));
}

static int64_t operand_less(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    unsigned operand = (unsigned)run->fault->argument;
    return with_operand(step, operand, lb_sub(step->operand[operand].v, 1, 64));
}

static int64_t step_left_out(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    unsigned operand = (unsigned)run->fault->argument;
    return operand < step->operand_count ? held(step, step->operand[operand].v) : step->result;
}

/* 2^argument less the value, as far as it has bits. */
static int64_t complement(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int32_t bits = run->fault->argument;
    int64_t one = bits == 0 ? 0 : (int64_t)1 << bits;
    int64_t value = lb_sub(one, step->result, 64), most = bits == 0 ? 127 : one - 1;
    return value > most ? most : value;
}

static int64_t off_by(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return lb_add(step->result, run->fault->argument, 64);
}

static int64_t doubled(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return held(step, lb_add(step->result, step->result, 64));
}

static int64_t halved(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return lb_asr(step->result, 1, 64);
}

static int64_t turned(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return held(step, lb_neg(step->result, 64));
}

static int64_t subtracted(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return with_operand(step, 1, lb_neg(step->operand[1].v, 64));
}

/* A right shift by a negative count goes to the left, where it should saturate. */
static int64_t left_wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t n = lb_sat(step->operand[1].v, 16);
    if (n >= 0 || step->width <= 0)
        return step->result;
    return n <= -64 ? 0 : lb_wrap((int64_t)((uint64_t)step->operand[0].v << -n), step->width);
}

/* The code of a rounding shift where there is nothing to shift: halves are looked for all the same.
 */
static int64_t rounds_nothing(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    bool in_both = run->fault->argument > 1;
    if (step->operand[1].v != 0 || (step->rounding == LB_ROUND_UP && !in_both))
        return step->result;
    return held(step, step->result + (step->result & 1));
}

/* Held to fewer bits on the way, without saturation. */
static int64_t wraps_narrow(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return lb_wrap(step->result, run->fault->argument);
}

/* The same with saturation, where the step has none of its own. */
static int64_t saturates_narrow(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return lb_sat(step->result, run->fault->argument);
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

static int64_t real_tie_to_zero(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    bool is_tie = is_real_tie(step, run->fault->argument);
    return is_tie ? step->result - (step->result > 0 ? 1 : -1) : step->result;
}

static int64_t real_tie_to_even(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    bool is_odd = step->result % 2 != 0;
    return is_odd && is_real_tie(step, 0) ? step->result - (step->result > 0 ? 1 : -1)
                                          : step->result;
}

/* One entry of a table is off, by other_dim. */
static int64_t entry_off(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    bool is_entry = step->operand[0].v == run->fault->argument;
    return step->result + (is_entry ? run->fault->other_dim : 0);
}

static const char *tell_entry(const lb_fault *fault, lb_arena *arena)
{
    return lb_arena_printf(arena, "entry %d, off by %d", (int)fault->argument,
                           (int)fault->other_dim);
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

static void sink_others(const lb_fault_kind *kind, const lb_fault_scope *scope, lb_fault_sink sink,
                        void *user)
{
    for (size_t i = 0; i < scope->site_count; i++)
        for (size_t k = 0; k < scope->site_count; k++) {
            lb_fault fault = {
                .kind = kind, .site = &scope->sites[i], .other_site = &scope->sites[k]};
            bool has_frames = fault.site->place.kind == LB_NUM_INTERMEDIATE;
            if (!is_number(fault.site) || !is_changeable(fault.site) ||
                !is_like(fault.site, fault.other_site))
                continue;
            for (int frames = 0; frames < (has_frames ? FRAME_CHOICES : 1); frames++) {
                fault.argument = frames;
                sink(user, &fault);
            }
        }
}

static bool is_near(const lb_num_step *site, const lb_num_step *other)
{
    if (is_number(other))
        return is_changeable(other) || other->place.kind == LB_NUM_GEOMETRY;
    return site->block == other->block || !site->block || !other->block;
}

/* What an operand may be taken from: what has been computed or given before. */
static void sink_operands(const lb_fault_kind *kind, const lb_fault_scope *scope,
                          lb_fault_sink sink, void *user)
{
    enum { MOST = 12000 };
    size_t count = 0;
    for (size_t i = 0; i < scope->site_count; i++) {
        const lb_num_step *site = &scope->sites[i];
        for (size_t k = 0; k < scope->site_count && count < MOST; k++)
            for (unsigned operand = 0; operand < site->operand_count; operand++) {
                lb_fault fault = {.kind = kind,
                                  .site = site,
                                  .other_site = &scope->sites[k],
                                  .argument = (int32_t)operand};
                if ((COMPUTED >> site->operation & 1) && i != k &&
                    (k < i || is_number(fault.other_site)) && is_near(site, fault.other_site)) {
                    sink(user, &fault);
                    count++;
                }
            }
    }
}

/* What the code for later frames may take otherwise than that for the first one: factors of
 * vectors. */
static void sink_operands_later(const lb_fault_kind *kind, const lb_fault_scope *scope,
                                lb_fault_sink sink, void *user)
{
    enum { VECTORS = IN(SAT) | IN(RSH) | IN(LOOKUP) | IN(ADD) | IN(SUB) };
    for (size_t i = 0; i < scope->site_count; i++)
        for (size_t k = 0; lb_is_recurrent(scope->kernel) && k < i; k++)
            for (unsigned operand = 0; operand < scope->sites[i].operand_count; operand++) {
                lb_fault fault = {.kind = kind,
                                  .site = &scope->sites[i],
                                  .other_site = &scope->sites[k],
                                  .argument = (int32_t)operand};
                if (fault.site->operation == LB_STEP_MUL &&
                    (VECTORS >> fault.other_site->operation & 1))
                    sink(user, &fault);
            }
}

static void sink_alone(const lb_fault_kind *kind, const lb_fault_scope *scope, lb_fault_sink sink,
                       void *user)
{
    for (size_t i = 0; i < scope->site_count; i++)
        for (int a = 0; a < kind->argument_count || a == 0; a++) {
            lb_fault fault = {.kind = kind,
                              .site = &scope->sites[i],
                              .argument = kind->argument_count ? kind->arguments[a] : 0};
            if ((kind->operations >> fault.site->operation & 1) && is_changeable(fault.site))
                sink(user, &fault);
        }
}

/* ---- The table ---- */

#define VALUE(name_, text, likely, places_, in, function)                                          \
    .name = "value." name_, .group = LB_FAULTS_STEP, .words = text,                                \
    .look_for = "the variables and parameters of this line", .sections = "", .prior = likely,      \
    .operations = in, .places = places_, .run = lb_fault_step_run, .alter = function,              \
    .is_value = true
#define NAMED(name_, text, look, likely, in, function)                                             \
    .name = name_, .group = LB_FAULTS_STEP, .words = text, .look_for = look, .sections = "",       \
    .prior = likely, .operations = in, .places = sink_alone, .run = lb_fault_step_run,             \
    .alter = function

/* clang-format off */
static const lb_fault_kind value_kinds[] = {
    {NAMED("saturation.left_wraps", "wraps where a shift to the left should saturate", "<< in place of a saturating shift", 6, IN(RSH) | IN(ASR), left_wraps)},
    {NAMED("saturation.wraps_narrow", "keeps a result on the way in too few bits, and wraps", "the type of the variable", 5, COMPUTED, wraps_narrow), WITH(8, 12, 16, 20, 24, 32)},
    {NAMED("saturation.narrow_result", "keeps a result on the way in too few bits, and saturates", "the type of the variable, a saturation that stands too early", 5, COMPUTED, saturates_narrow), WITH(8, 12, 15, 16, 20, 24, 31, 32)},
    {NAMED("rounding.of_nothing", "rounds where a shift by 0 leaves nothing to round", "the half that is added: 1 << (n - 1) for n = 0", 3, IN(RSH), rounds_nothing), WITH(1, 2)},
    {NAMED("real.tie_to_zero", "rounds ties of real numbers towards zero (1: positive ones, -1: negative ones, 0: both)", "the half that is added before the cast to int", 5, IN(FTRUNC), real_tie_to_zero), WITH(0, -1, 1)},
    {NAMED("real.tie_to_even", "rounds ties of real numbers to even", "rintf, nearbyintf in place of adding a half", 5, IN(FTRUNC), real_tie_to_even)},
    {VALUE("other", "computes as if another number stood here", 1, sink_others, IN(GIVEN), other_value), .takes_other = true},
    {VALUE("operand.other", "computes as if this operand were another value", 1, sink_operands, COMPUTED, operand_of_other), .takes_other = true},
    {VALUE("operand.other_later", "computes as if this operand were another value, in all frames but the first", 1, sink_operands_later, COMPUTED, operand_of_other_later), .takes_other = true},
    {VALUE("operand.zero", "computes as if this operand were 0", 2, sink_alone, COMPUTED, operand_zero), WITH(0, 1, 2)},
    {VALUE("operand.one_more", "computes as if this operand were one more", 2, sink_alone, COMPUTED, operand_more), WITH(0, 1)},
    {VALUE("operand.one_less", "computes as if this operand were one less", 2, sink_alone, COMPUTED, operand_less), WITH(0, 1)},
    {VALUE("left_out", "computes as if this operation were left out", 3, sink_alone, COMPUTED, step_left_out), WITH(0, 1)},
    {VALUE("complement", "computes as if the complement stood here: a power of two less the value", 1, sink_alone, COMPUTED | IN(GIVEN), complement), WITH(0, 7, 8, 15)},
    {VALUE("off_by", "computes as if this value were off by {n}", 2, sink_alone, COMPUTED | IN(GIVEN), off_by), WITH(1, -1)},
    {VALUE("doubled", "computes as if this value were doubled", 2, sink_alone, COMPUTED | IN(GIVEN), doubled)},
    {VALUE("halved", "computes as if this value were halved", 2, sink_alone, COMPUTED | IN(GIVEN), halved)},
    {VALUE("negated", "computes as if this value had the other sign", 2, sink_alone, COMPUTED | IN(GIVEN), turned)},
    {VALUE("subtracted", "subtracts these products", 2, sink_alone, IN(MAC), subtracted)},
    {.name = NULL},
};
/* clang-format on */

/* Kinds of the bank with other widths and counts than the usual ones that it has. */
enum { MOST_ARGUMENTS = 12 };
static const struct {
    const char *kind;
    int16_t arguments[MOST_ARGUMENTS]; /* 0: no more */
} unusual[] = {
    {"shift.capped", {7, 8, 10, 12, 14, 16, 20, 23, 24, 30}},
    {"saturation.narrow", {10, 12, 14, 15, 18, 20, 28, 30, 33, 34, 36, 40}},
    {"product.wraps", {8, 18, 20, 24, 28, 31, 36}},
    {"product.saturates", {8, 18, 20, 24, 28, 36, 40}},
    {"accumulator.wraps", {17, 18, 19, 21, 22, 23, 26, 30, 31, 33, 34, 36}},
    {"accumulator.saturates", {17, 18, 19, 21, 22, 23, 26, 30, 33, 34, 36}},
};

static void sink_unusual(const lb_fault_kind *kind, const int16_t *arguments,
                         const lb_fault_scope *scope, lb_fault_sink sink, void *user)
{
    for (size_t i = 0; i < scope->site_count; i++)
        for (int a = 0; a < MOST_ARGUMENTS && arguments[a] != 0; a++) {
            const lb_num_step *site = &scope->sites[i];
            lb_fault fault = {.kind = kind, .site = site, .argument = arguments[a]};
            if ((kind->operations >> site->operation & 1) && (!kind->fits || kind->fits(site)))
                sink(user, &fault);
        }
}

void lb_fault_values(const lb_fault_scope *scope, lb_fault_sink sink, void *user)
{
    for (size_t i = 0; i < sizeof unusual / sizeof *unusual; i++)
        sink_unusual(lb_fault_kind_find(unusual[i].kind), unusual[i].arguments, scope, sink, user);
    for (const lb_fault_kind *kind = value_kinds; kind->name; kind++)
        kind->places(kind, scope, sink, user);
}

/* clang-format off */
static const lb_fault_kind entry_kind = {
    .name = "table.entry", .group = LB_FAULTS_STEP, .words = "has another number in one entry of the table", .look_for = "the numbers of the table", .sections = "", .prior = 6, .operations = IN(LOOKUP), .run = lb_fault_step_run, .alter = entry_off, .describe = tell_entry};
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
