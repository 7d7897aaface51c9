/* Theories: see theory.h. */
#include "harness/diagnose/theory.h"
#include "harness/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

static int by_key(const void *a, const void *b)
{
    const lb_theory_part *x = a, *y = b;
    int order = lb_fault_key_compare(&x->suspect->key, &y->suspect->key);
    return order != 0 ? order : x->function < y->function ? -1 : x->function > y->function;
}

void lb_theories_make(lb_theories *t, lb_function *functions, size_t count)
{
    size_t parts = 0, at = 0;
    for (size_t i = 0; i < count; i++)
        parts += functions[i].suspect_count;
    *t = (lb_theories){.parts = lb_resized(NULL, (parts + 1) * sizeof *t->parts),
                       .items = lb_resized(NULL, (parts + 1) * sizeof *t->items)};
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < functions[i].suspect_count; s++)
            t->parts[at++] = (lb_theory_part){&functions[i], &functions[i].suspects[s]};
    if (parts > 0)
        qsort(t->parts, parts, sizeof *t->parts, by_key);
    for (size_t i = 0; i < parts; i++) {
        if (i == 0 || !lb_fault_key_equal(&t->parts[i].suspect->key, &t->parts[i - 1].suspect->key))
            t->items[t->count++] = (lb_theory){.parts = &t->parts[i]};
        t->items[t->count - 1].part_count++;
    }
}

void lb_theories_free(lb_theories *t)
{
    free(t->items);
    free(t->parts);
    *t = (lb_theories){0};
}

lb_fit lb_part_fit(const lb_theory_part *part)
{
    if (part->suspect->against_passing > 0 || part->suspect->narrow > 0)
        return LB_FIT_NARROW;
    return part->suspect->against_failing > 0 ? LB_FIT_SHARED : LB_FIT_CLEAN;
}

static double part_bits(const lb_theory_part *part)
{
    const lb_function *f = part->function;
    double bits = 0;
    for (size_t r = 0; r < f->failing_used; r++)
        bits += f->covered[r] ? 0 : lb_suspect_bits(f, part->suspect, r);
    return bits;
}

/* A theory against which something speaks must explain more than one against which nothing does;
 * what is slight beside what it explains, or was not asked about all, is between. */
static double weight_of(const lb_theory_part *part)
{
    enum { TIMES = 20 };
    const lb_suspect *s = part->suspect;
    lb_fit fit = lb_part_fit(part);
    bool is_slight = (s->against_passing + s->narrow) * TIMES <= s->explained;
    bool is_unasked = s->unasked * 2 > part->function->passing_used;
    return fit == LB_FIT_NARROW                 ? (is_slight ? 0.6 : 0.3)
           : fit == LB_FIT_SHARED || is_unasked ? 0.6
                                                : 1;
}

/* It says what is wrong, and not how it comes about. */
static bool is_open(const lb_theory *theory)
{
    return theory->parts[0].suspect->fault.kind->open != LB_OPEN_NOTHING;
}

/* Any value in place of another, one mistake in two places: something of the bank that explains
 * nearly as much is likelier. */
static const double OF_A_VALUE = 0.8;

/* A number that is read wrong before the checks would be wrong in what is computed, too: where that
 * is right, the checks themselves are likelier. */
static const double OF_AN_EARLY = 0.5;

/* With a condition, as where results of suites speak against it. */
static const double OF_A_LIMITED = 0.3;

double lb_theory_gain(const lb_theory *theory)
{
    double gain = 0;
    for (size_t i = 0; i < theory->part_count; i++)
        gain += part_bits(&theory->parts[i]) * weight_of(&theory->parts[i]);
    if (is_open(theory))
        gain *= 0.5;
    const lb_fault *fault = lb_theory_fault(theory);
    if (fault->kind->is_value || fault->second_site || fault->beside)
        gain *= OF_A_VALUE;
    if (fault->early && lb_theory_fit(theory) == LB_FIT_NARROW)
        gain *= OF_AN_EARLY;
    if (theory->refuted == 0)
        return gain;
    if (theory->refuted <= theory->confirmed)
        return gain * 0.6;
    return theory->limited == theory->refuted ? gain * OF_A_LIMITED : gain * 0.2;
}

/* With a result that is not covered? */
static bool goes_with_open(const lb_theory_part *part, size_t r)
{
    return !part->function->covered[r] && lb_suspect_goes_with(part->suspect, r);
}

lb_fit lb_theory_fit(const lb_theory *theory)
{
    lb_fit worst = LB_FIT_CLEAN;
    for (size_t i = 0; i < theory->part_count; i++) {
        const lb_theory_part *part = &theory->parts[i];
        const lb_fit fit = lb_part_fit(part);
        for (size_t r = 0; fit > worst && r < part->function->failing_used; r++)
            worst = goes_with_open(part, r) ? fit : worst;
    }
    return worst;
}

const lb_theory_part *lb_theory_part_in(const lb_theory *theory, const lb_function *function)
{
    for (size_t i = 0; i < theory->part_count; i++)
        if (theory->parts[i].function == function)
            return &theory->parts[i];
    return NULL;
}

bool lb_theory_holds_part(const lb_theory *other, const lb_theory_part *part)
{
    const lb_theory_part *its = lb_theory_part_in(other, part->function);
    for (size_t r = 0; r < part->function->failing_used; r++)
        if (goes_with_open(part, r) && (!its || !lb_suspect_goes_with(its->suspect, r)))
            return false;
    return true;
}

bool lb_theory_holds(const lb_theory *other, const lb_theory *theory)
{
    for (size_t i = 0; i < theory->part_count; i++)
        if (!lb_theory_holds_part(other, &theory->parts[i]))
            return false;
    return true;
}

bool lb_theory_is_rival(const lb_theory *theory, const lb_theory *other)
{
    return !other->dropped && lb_theory_fit(other) <= lb_theory_fit(theory) &&
           (!is_open(other) || is_open(theory)) && lb_theory_holds(other, theory);
}

const lb_fault *lb_theory_fault(const lb_theory *theory)
{
    return &theory->parts[0].suspect->fault;
}

const lb_fault *lb_theory_fault_in(const lb_theory *theory, const lb_function *function)
{
    const lb_theory_part *part = lb_theory_part_in(theory, function);
    return part ? &part->suspect->fault : NULL;
}

lb_standing lb_theory_standing(const lb_theory *theory)
{
    lb_standing sum = {.exact = theory->confirmed,
                       .in_part = theory->confirmed,
                       .against = theory->refuted,
                       .bits = theory->confirmed};
    for (size_t i = 0; i < theory->part_count; i++) {
        const lb_suspect *s = theory->parts[i].suspect;
        sum.exact += s->explained;
        sum.in_part += s->explained + s->some;
        sum.against += s->against_passing;
        sum.narrow += s->narrow;
        sum.elements += s->elements;
        sum.varied += s->varied;
        sum.bits += s->bits;
    }
    return sum;
}

bool lb_theory_spans_families(const lb_theory *theory)
{
    for (size_t i = 1; i < theory->part_count; i++)
        if (theory->parts[i].function->kernel->family != theory->parts[0].function->kernel->family)
            return true;
    return false;
}

/* Numerics of a whole library are seen in more than one family, and in all functions. */
static bool is_too_whole(const lb_theory *t)
{
    return lb_fault_is_whole(lb_theory_fault(t)) &&
           (t->elsewhere > 0 || !lb_theory_spans_families(t));
}

static int prior_of(const lb_fault *fault)
{
    return lb_fault_prior(fault) + (fault->beside ? lb_fault_prior(fault->beside) : 0);
}

/* How many fields it writes otherwise. */
static unsigned fields_of(const lb_fault_kind *kind)
{
    unsigned count = 0;
    for (uint32_t left = kind->fields; left != 0; left &= left - 1)
        count++;
    return count;
}

/* Between equals: what is not of a whole library by chance; what less speaks against; one mistake
 * in one place; the commoner kind; behind the checks; the fault that needs less to be said (all
 * gates before one); fewer fields. Less stands first. */
enum { REASONS = 9 };

static void put_reasons(const lb_theory *t, int64_t of[REASONS])
{
    const lb_fault *f = lb_theory_fault(t);
    const int64_t all[REASONS] = {is_too_whole(t),   (int64_t)lb_theory_standing(t).against,
                                  f->beside != NULL, f->second_site != NULL,
                                  -prior_of(f),      f->early,
                                  !f->all_parts,     !f->all_blocks,
                                  fields_of(f->kind)};
    memcpy(of, all, sizeof all);
}

/* ... and then what the bank names first. */
bool lb_theory_is_likelier(const lb_theory *a, const lb_theory *b)
{
    int64_t x[REASONS], y[REASONS];
    put_reasons(a, x);
    put_reasons(b, y);
    for (int i = 0; i < REASONS; i++)
        if (x[i] != y[i])
            return x[i] < y[i];
    return lb_fault_kind_compare(lb_theory_fault(a)->kind, lb_theory_fault(b)->kind) < 0;
}

/* In bits: less is no news. */
static const double LEAST_GAIN = 0.5;

lb_theory *lb_theories_best(lb_theories *theories)
{
    lb_theory *best = NULL;
    double best_gain = 0;
    for (size_t i = 0; i < theories->count; i++) {
        lb_theory *t = &theories->items[i];
        double gain = t->dropped ? 0 : lb_theory_gain(t);
        if (gain < LEAST_GAIN || gain < best_gain - 1e-6)
            continue;
        if (gain > best_gain + 1e-6 || lb_theory_is_likelier(t, best)) {
            best = t;
            best_gain = gain;
        }
    }
    return best;
}

void lb_theory_cover(const lb_theory *theory)
{
    for (size_t i = 0; i < theory->part_count; i++)
        for (size_t r = 0; r < theory->parts[i].function->failing_used; r++)
            if (lb_suspect_goes_with(theory->parts[i].suspect, r))
                theory->parts[i].function->covered[r] = true;
}
