/* Steps taken once more: see inject.h. Spec: numerics.md 3, 4.1, 7.3. */
#include "harness/explain/inject.h"
#include "harness/explain/arith.h"
#include "reference/lut.h"

#include <math.h>
#include <string.h>

/* ---- Faults: what they are called, and where they can sit ---- */

#define IN(operation) (1u << LB_STEP_##operation)

/* clang-format off */
static const struct {
    const char *words, *aspect;
    uint32_t operations;
} faults[LB_INJECT_COUNT] = {
    [LB_INJECT_NONE]           = {"", "", 0},
    [LB_INJECT_OTHER_ROUNDING] = {"the other rounding mode", "rounding", IN(RSH)},
    [LB_INJECT_TRUNCATES]      = {"truncation (towards minus infinity) in place of rounding", "rounding", IN(RSH)},
    [LB_INJECT_HALF_AWAY]      = {"rounding with halves away from zero", "rounding", IN(RSH)},
    [LB_INJECT_TOWARDS_ZERO]   = {"truncation towards zero in place of rounding", "rounding", IN(RSH)},
    [LB_INJECT_HALF_WRAPS]     = {"rounding whose addition of the half does not saturate", "rounding", IN(RSH)},
    [LB_INJECT_ROUNDS]         = {"rounding to nearest in place of cutting", "rounding", IN(ASR) | IN(TDIV)},
    [LB_INJECT_NOT_SATURATED]  = {"wrapping in place of saturation", "saturation", IN(SAT) | IN(ADD) | IN(SUB) | IN(SHL)},
    [LB_INJECT_NOT_LIMITED]    = {"leaving the step out", "saturation", IN(SAT) | IN(MIN) | IN(MAX) | IN(WRAP)},
    [LB_INJECT_LIMIT_0]        = {"container 0 as the limit, in place of the zero point", "clamp", IN(MAX)},
    [LB_INJECT_NOT_ADDED]      = {"leaving out the second number", "", IN(ADD) | IN(SUB) | IN(FADD)},
    [LB_INJECT_TAKEN_AS_0]     = {"0 in its place", "", IN(GIVEN)},
    [LB_INJECT_COUNTS_PADDING] = {"padding that counts as container 0", "padding", IN(SKIP)},
    [LB_INJECT_WHOLE_WINDOW]   = {"the whole kernel in its place, padding too", "", IN(GIVEN)},
    [LB_INJECT_FIRST_ENTRY]    = {"the first channel's parameters for every channel", "channel", IN(GIVEN)},
    [LB_INJECT_NOT_SHIFTED]    = {"no shift", "shift", IN(SHL) | IN(ASR) | IN(RSH)},
    [LB_INJECT_SHIFT_LESS]     = {"a shift that is one too small", "shift", IN(SHL) | IN(ASR) | IN(RSH)},
    [LB_INJECT_SHIFT_MORE]     = {"a shift that is one too large", "shift", IN(SHL) | IN(ASR) | IN(RSH)},
    [LB_INJECT_TWICE]          = {"adding the second number twice", "", IN(ADD)},
    [LB_INJECT_SIGN]           = {"the wrong sign of the second number", "sign", IN(ADD) | IN(SUB)},
    [LB_INJECT_NOT_SCALED]     = {"leaving out the second factor", "factor", IN(MUL)},
    [LB_INJECT_FIRST_TAP]      = {"missing the first tap", "first", IN(MAC) | IN(MAX)},
    [LB_INJECT_LAST_TAP]       = {"missing the last tap", "last", IN(MAC) | IN(MAX)},
    [LB_INJECT_ALL_TAPS]       = {"leaving out these terms", "", IN(MAC)},
    [LB_INJECT_NARROW_SUM]     = {"a sum that saturates where it should wrap, or wraps where it should saturate", "accumulator", IN(MAC)},
    [LB_INJECT_SUM_16]         = {"a sum of 16 bits that wraps", "accumulator", IN(MAC)},
    [LB_INJECT_SUM_24]         = {"a sum of 24 bits that wraps", "accumulator", IN(MAC)},
    [LB_INJECT_SUM_32]         = {"a sum of 32 bits that wraps", "accumulator", IN(MAC)},
    [LB_INJECT_WRAPPED_INPUT]  = {"an input less its zero point that wraps in 8 bits", "zero_point", IN(MAC)},
    [LB_INJECT_CUT_INPUT]      = {"an input less its zero point that saturates in 8 bits", "zero_point", IN(MAC)},
    [LB_INJECT_EARLY_RELU]     = {"cutting off negative sums before the bias is added", "relu", IN(ADD)},
    [LB_INJECT_NORM_LESS]      = {"a normalization that is one too small", "normalization", IN(NORM)},
    [LB_INJECT_NORM_MORE]      = {"a normalization that is one too large", "normalization", IN(NORM)},
    [LB_INJECT_ENTRY_BEFORE]   = {"the entry before", "entry", IN(LOOKUP)},
    [LB_INJECT_ENTRY_AFTER]    = {"the entry after", "entry", IN(LOOKUP)},
};
/* clang-format on */

const char *lb_injection_words(lb_injection_kind kind)
{
    return faults[kind].words;
}

static bool is_limit(const lb_num_step *step)
{
    return step->operation == LB_STEP_MIN || step->operation == LB_STEP_MAX;
}

const char *lb_injection_aspect(lb_injection_kind kind, const lb_num_step *step)
{
    if (kind == LB_INJECT_NOT_LIMITED && is_limit(step))
        return "clamp";
    bool adds = kind == LB_INJECT_NOT_ADDED || kind == LB_INJECT_TWICE || kind == LB_INJECT_SIGN;
    return adds && step->of_zero_point ? "zero_point" : faults[kind].aspect;
}

static bool is_window(const lb_num_step *step)
{
    return step->operation == LB_STEP_GIVEN && step->place.kind == LB_NUM_GEOMETRY &&
           step->place.geometry == LB_GEOMETRY_WINDOW;
}

/* A number of one channel among several: of a parameter's list, or a bias. */
static bool is_of_a_later_channel(const lb_num_step *given)
{
    const lb_num_place *place = &given->place;
    bool bias = place->kind == LB_NUM_ELEMENT && strcmp(place->name, "bias") == 0;
    return (place->kind == LB_NUM_PARAMETER || bias) && place->rank == 1 && place->index[0] > 0;
}

bool lb_injection_fits(lb_injection_kind kind, const lb_num_step *step)
{
    if (!(faults[kind].operations >> step->operation & 1))
        return false;
    switch (kind) {
    case LB_INJECT_NOT_SATURATED:
        return step->width > 0;
    case LB_INJECT_NOT_ADDED: /* a mere change of sign adds nothing */
        return step->operand[0].step != 0 || step->operand[0].v != 0;
    case LB_INJECT_HALF_WRAPS:
        return step->rounding == LB_ROUND_UP;
    case LB_INJECT_FIRST_TAP:
    case LB_INJECT_LAST_TAP:
        return step->tap > 0;
    case LB_INJECT_WRAPPED_INPUT:
    case LB_INJECT_CUT_INPUT: /* only the products with the inputs themselves: their terms with the
                                zero point stand alone */
        return step->tap > 0 && step->operand[1].step < 0 && step->part == LB_PART_TAPS;
    case LB_INJECT_EARLY_RELU:
        return step->part == LB_PART_BIAS && step->width > 0;
    case LB_INJECT_LIMIT_0:
        return step->part == LB_PART_RELU;
    case LB_INJECT_TAKEN_AS_0:
        return step->place.kind == LB_NUM_PARAMETER && step->result != 0;
    case LB_INJECT_WHOLE_WINDOW:
        return is_window(step);
    case LB_INJECT_FIRST_ENTRY:
        return is_of_a_later_channel(step);
    default:
        return true;
    }
}

/* Of given numbers: the same field of the same tensor. */
static bool sits_in_given(const lb_injection *fault, const lb_num_step *given)
{
    const lb_num_place *place = &given->place, *site = &fault->site.place;
    return fault->site.operation == LB_STEP_GIVEN && place->kind == site->kind &&
           place->name == site->name &&
           (fault->kind == LB_INJECT_FIRST_ENTRY ||
            place->field == site->field); /* a channel's parameters come together */
}

bool lb_injection_sits_in(const lb_injection *fault, const lb_num_step *step)
{
    if (step->operation == LB_STEP_GIVEN)
        return sits_in_given(fault, step);
    if (fault->everywhere)
        return step->operation == fault->site.operation;
    return lb_same_site(step, &fault->site, fault->all_blocks);
}

/* ---- Single precision ---- */

static float real_of(int64_t v)
{
    int32_t bits = (int32_t)v;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int64_t pattern_of(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int64_t whole_part(float u)
{
    double v = (double)u;
    if (isnan(u))
        return 0;
    return v >= 2147483647.0 ? INT32_MAX : v <= -2147483648.0 ? INT32_MIN : (int64_t)v;
}

/* ---- Steps ---- */

typedef struct replay {
    const lb_slice *slice;
    const lb_injection *fault;
    const int64_t *before; /* values of the steps that are not taken again */
    size_t first;          /* index of the first one that is */
    uint32_t site;         /* of the fault; NO_SITE: it sits in none of the steps */
    int64_t *values;
} replay;

static const uint32_t NO_SITE = UINT32_MAX;

/* The site of the fault in this slice. */
static uint32_t site_of_fault(const lb_slice *slice, const lb_injection *fault, size_t first)
{
    const lb_sites *sites = &slice->sites;
    if (!fault || fault->everywhere || fault->site.operation == LB_STEP_GIVEN)
        return NO_SITE;
    if (first < slice->step_count && lb_injection_sits_in(fault, &slice->steps[first]))
        return fault->all_blocks ? sites->steps[first].shared : sites->steps[first].site;
    uint32_t count = fault->all_blocks ? sites->shared_count : sites->count;
    for (uint32_t i = 0; i < count; i++)
        if (lb_injection_sits_in(
                fault, &slice->steps[fault->all_blocks ? sites->shared_first[i] : sites->first[i]]))
            return i;
    return NO_SITE;
}

static bool sits_in(const replay *r, size_t i)
{
    const lb_site_entry *entry = &r->slice->sites.steps[i];
    if (r->site != NO_SITE)
        return (r->fault->all_blocks ? entry->shared : entry->site) == r->site;
    return r->fault && r->fault->everywhere &&
           entry->operation == (uint8_t)r->fault->site.operation;
}

/* A step with its operands at hand, and the fault that sits in it. */
typedef struct taken {
    const lb_num_step *step;
    int64_t a, b, c;
    lb_injection_kind fault;
    int64_t zero_point;
    bool first_tap, last_tap;
} taken;

static int64_t given_value(const replay *r, size_t i)
{
    const lb_num_step *given = &r->slice->givens[i];
    if (!r->fault || !sits_in_given(r->fault, given))
        return given->result;
    if (r->fault->kind == LB_INJECT_FIRST_ENTRY)
        return r->slice->first_entries[i];
    return r->fault->kind == LB_INJECT_TAKEN_AS_0 ? 0 : r->fault->whole_window;
}

static int64_t value_of(const replay *r, lb_num operand)
{
    if (operand.step > 0) {
        size_t i = (size_t)operand.step - 1;
        return i < r->first ? r->before[i] : r->values[i];
    }
    return operand.step < 0 ? given_value(r, (size_t) - (int64_t)operand.step - 1) : operand.v;
}

static int64_t shifted_left(const taken *t, int64_t n)
{
    return lb_x_doubled(t->a, n, t->step->width, t->fault == LB_INJECT_NOT_SATURATED);
}

/* In `up`, the half saturates at the width: then what is halved is the highest value (numerics.md
 * 3, a QUIRK). */
static int64_t rounded(const taken *t, int64_t n)
{
    bool up = (t->step->rounding == LB_ROUND_UP) != (t->fault == LB_INJECT_OTHER_ROUNDING);
    int64_t highest = lb_x_highest(t->step->width);
    switch (t->fault) {
    case LB_INJECT_TRUNCATES:
        return lb_x_halved(t->a, n, LB_CUT_FLOOR);
    case LB_INJECT_TOWARDS_ZERO:
        return lb_x_halved(t->a, n, LB_CUT_ZERO);
    case LB_INJECT_HALF_AWAY:
        return lb_x_halved(t->a, n, LB_CUT_AWAY);
    default:
        break;
    }
    if (n >= t->step->width)
        return 0;
    if (!up)
        return lb_x_halved(t->a, n, LB_CUT_EVEN);
    bool saturates = t->a > highest - lb_x_doubled(1, n - 1, 64, false);
    return saturates && t->fault != LB_INJECT_HALF_WRAPS ? lb_x_halved(highest, n, LB_CUT_FLOOR)
                                                         : lb_x_halved(t->a, n, LB_CUT_UP);
}

static int64_t shift(const taken *t)
{
    int64_t n = lb_x_limit(t->b, 32);
    n += t->fault == LB_INJECT_SHIFT_MORE ? 1 : t->fault == LB_INJECT_SHIFT_LESS ? -1 : 0;
    if (t->fault == LB_INJECT_NOT_SHIFTED || n == 0)
        return t->a;
    bool left = t->step->operation == LB_STEP_SHL ? n > 0 : n < 0;
    int64_t count = n < 0 ? -n : n;
    if (left)
        return shifted_left(t, count);
    if (t->step->operation == LB_STEP_RSH)
        return rounded(t, count);
    return lb_x_halved(t->a, count, t->fault == LB_INJECT_ROUNDS ? LB_CUT_UP : LB_CUT_FLOOR);
}

static int64_t sum(const taken *t)
{
    bool plus = (t->step->operation == LB_STEP_ADD) != (t->fault == LB_INJECT_SIGN);
    int width = t->step->width ? t->step->width : 64;
    bool wraps = t->fault == LB_INJECT_NOT_SATURATED;
    if (t->fault == LB_INJECT_NOT_ADDED)
        return t->a;
    if (t->fault == LB_INJECT_EARLY_RELU)
        return lb_x_sum(t->a > 0 ? t->a : 0, t->b, width, false);
    if (t->fault == LB_INJECT_TWICE)
        return lb_x_sum(lb_x_sum(t->a, t->b, width, false), t->b, width, false);
    return plus ? lb_x_sum(t->a, t->b, width, wraps) : lb_x_difference(t->a, t->b, width, wraps);
}

/* What the input contributes, where the difference from its zero point is formed in 8 bits; the
 * zero point's own term follows. */
static int64_t input_of(const taken *t)
{
    int64_t difference = t->b - t->zero_point;
    if (t->fault == LB_INJECT_WRAPPED_INPUT)
        return lb_x_wrap(difference, 8) + t->zero_point;
    return t->fault == LB_INJECT_CUT_INPUT ? lb_x_limit(difference, 8) + t->zero_point : t->b;
}

/* b * c + a, in a register. */
static int64_t tap(const taken *t)
{
    int width = t->fault == LB_INJECT_SUM_16   ? 16
                : t->fault == LB_INJECT_SUM_24 ? 24
                : t->fault == LB_INJECT_SUM_32 ? 32
                                               : t->step->width;
    bool missed = t->fault == LB_INJECT_ALL_TAPS ||
                  (t->fault == LB_INJECT_FIRST_TAP && t->first_tap) ||
                  (t->fault == LB_INJECT_LAST_TAP && t->last_tap);
    bool wraps =
        width != t->step->width || t->step->saturates == (t->fault == LB_INJECT_NARROW_SUM);
    return missed ? t->a
                  : lb_x_sum(t->a, (int64_t)((uint64_t)input_of(t) * (uint64_t)t->c), width, wraps);
}

static int64_t quotient(const taken *t)
{
    int64_t q = t->a / t->b, rest = t->a % t->b;
    if (t->fault != LB_INJECT_ROUNDS)
        return q;
    int64_t left = rest < 0 ? -rest : rest, size = t->b < 0 ? -t->b : t->b;
    return left >= size - left ? q + ((t->a < 0) == (t->b < 0) ? 1 : -1) : q;
}

static int64_t larger(const taken *t)
{
    if (t->fault == LB_INJECT_FIRST_TAP && t->first_tap)
        return t->b;
    if (t->fault == LB_INJECT_NOT_LIMITED)
        return t->a;
    if (t->fault == LB_INJECT_LIMIT_0)
        return t->a > 0 ? t->a : 0;
    return t->fault == LB_INJECT_LAST_TAP && t->last_tap ? t->a : t->a > t->b ? t->a : t->b;
}

static bool entry(const taken *t, int64_t *value)
{
    const lb_lut *lut = &lb_luts[t->step->table];
    int64_t i = t->a + (t->fault == LB_INJECT_ENTRY_AFTER    ? 1
                        : t->fault == LB_INJECT_ENTRY_BEFORE ? -1
                                                             : 0);
    if (i < 0 || i >= lut->length)
        return false;
    *value = lut->table[i];
    return true;
}

static bool take_real(const taken *t, int64_t *value)
{
    float a = real_of(t->a), b = real_of(t->b);
    switch (t->step->operation) {
    case LB_STEP_FDIV:
        *value = pattern_of(a / b);
        return true;
    case LB_STEP_FMUL:
        *value = pattern_of(a * b);
        return true;
    case LB_STEP_FADD:
        *value = t->fault == LB_INJECT_NOT_ADDED ? t->a : pattern_of(a + b);
        return true;
    case LB_STEP_FSCALE:
        *value = pattern_of(scalbnf(a, (int)lb_x_limit(t->b, 32)));
        return true;
    case LB_STEP_FLOAT:
        *value = pattern_of((float)t->a);
        return true;
    case LB_STEP_FTRUNC:
        *value = whole_part(a);
        return true;
    default:
        return false;
    }
}

/* The place of an element is what the model found: only that can be said again. */
static bool take(const taken *t, int64_t *value)
{
    switch (t->step->operation) {
    case LB_STEP_COPY:
        return *value = t->a, true;
    case LB_STEP_MAC:
        return *value = tap(t), true;
    case LB_STEP_SKIP:
        return *value = t->fault == LB_INJECT_COUNTS_PADDING ? tap(t) : t->a, true;
    case LB_STEP_ADD:
    case LB_STEP_SUB:
        return *value = sum(t), true;
    case LB_STEP_MUL:
        return *value = t->fault == LB_INJECT_NOT_SCALED
                            ? t->a
                            : (int64_t)((uint64_t)t->a * (uint64_t)t->b),
               true;
    case LB_STEP_TDIV:
        return t->b != 0 && (*value = quotient(t), true);
    case LB_STEP_NORM:
        *value = lb_x_spare_bits(t->a, t->step->width);
        *value += t->fault == LB_INJECT_NORM_MORE ? 1 : t->fault == LB_INJECT_NORM_LESS ? -1 : 0;
        return true;
    case LB_STEP_SHL:
    case LB_STEP_ASR:
    case LB_STEP_RSH:
        return *value = shift(t), true;
    case LB_STEP_SAT:
        *value = t->fault == LB_INJECT_NOT_LIMITED     ? t->a
                 : t->fault == LB_INJECT_NOT_SATURATED ? lb_x_wrap(t->a, t->step->width)
                                                       : lb_x_limit(t->a, t->step->width);
        return true;
    case LB_STEP_WRAP:
        return *value = t->fault == LB_INJECT_NOT_LIMITED ? t->a : lb_x_wrap(t->a, t->step->width),
               true;
    case LB_STEP_MIN:
        return *value = t->fault == LB_INJECT_NOT_LIMITED || t->a < t->b ? t->a : t->b, true;
    case LB_STEP_MAX:
        return *value = larger(t), true;
    case LB_STEP_MOD:
        return *value = (int64_t)lb_x_dropped(t->a, t->b), true;
    case LB_STEP_LOOKUP:
        return entry(t, value);
    case LB_STEP_PLACE:
        return *value = t->step->result, true;
    default:
        return take_real(t, value);
    }
}

/* Has the sum of tap i fewer than `taps` taps beyond it in this direction? A tap of another sum (of
 * a frame before, say) begins to count anew. */
static bool is_end(const replay *r, size_t i, bool forwards, unsigned taps)
{
    const lb_num_step *steps = r->slice->steps;
    uint64_t tap = steps[i].tap;
    unsigned found = 0;
    for (size_t k = forwards ? i + 1 : i - 1; k < r->slice->step_count;
         k += forwards ? 1 : SIZE_MAX)
        if (sits_in(r, k)) {
            if (forwards ? steps[k].tap <= tap : steps[k].tap >= tap)
                return true;
            tap = steps[k].tap;
            if (++found == taps)
                return false;
        }
    return true;
}

static taken prepare(const replay *r, size_t i)
{
    const lb_num_step *step = &r->slice->steps[i];
    taken t = {.step = step};
    t.a = value_of(r, step->operand[0]);
    t.b = step->operand_count > 1 ? value_of(r, step->operand[1]) : 0;
    t.c = step->operand_count > 2 ? value_of(r, step->operand[2]) : 0;
    if (!sits_in(r, i))
        return t;
    t.fault = r->fault->kind;
    t.zero_point = r->fault->zero_point;
    t.first_tap = t.fault == LB_INJECT_FIRST_TAP && is_end(r, i, false, 1);
    t.last_tap =
        t.fault == LB_INJECT_LAST_TAP && is_end(r, i, true, r->fault->taps ? r->fault->taps : 1);
    return t;
}

/* Can the step have another result than it had before: does the fault sit in it, or has one of its
 * operands changed? */
static bool is_touched(const replay *r, size_t i)
{
    const lb_site_entry *entry = &r->slice->sites.steps[i];
    if (!r->before || sits_in(r, i))
        return true;
    for (unsigned k = 0; k < LB_STEP_OPERANDS; k++) {
        int32_t from = entry->source[k];
        if (from > 0 && (size_t)from > r->first && r->values[from - 1] != r->before[from - 1])
            return true;
        if (from < 0 && sits_in_given(r->fault, &r->slice->givens[-(from + 1)]))
            return true;
    }
    return false;
}

bool lb_replay_from(const lb_slice *slice, const lb_injection *fault, const int64_t *before,
                    size_t first, int64_t *values, int64_t *result)
{
    replay r = {.slice = slice, .fault = fault, .before = before, .first = first, .values = values};
    r.site = site_of_fault(slice, fault, first);
    for (size_t i = first; i < slice->step_count; i++) {
        if (!is_touched(&r, i)) {
            values[i] = before[i];
            continue;
        }
        taken t = prepare(&r, i);
        if (!take(&t, &values[i]))
            return false;
    }
    *result = value_of(&r, slice->result);
    return true;
}

bool lb_replay(const lb_slice *slice, const lb_injection *fault, int64_t *values, int64_t *result)
{
    return lb_replay_from(slice, fault, NULL, 0, values, result);
}
