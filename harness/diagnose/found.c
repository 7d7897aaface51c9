/* Faults of the bank as causes of failures: tried, chosen, held against experiments, told. */
#include "harness/base/xalloc.h"
#include "harness/diagnose/conditions.h"
#include "harness/diagnose/diagnosis.h"
#include "harness/diagnose/experiment.h"
#include "harness/diagnose/too_strict.h"
#include "harness/diagnose/work.h"
#include "harness/faults/step_run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- Suspects of all functions ---- */

static bool has_left(const lb_diagnosing *g, const lb_kernel *kernel)
{
    for (size_t i = 0; i < g->e->count; i++)
        if (g->e->items[i].kernel == kernel && g->e->items[i].left && g->e->items[i].single)
            return true;
    return false;
}

/* Cells come last: they cost most, and code that others share with them is found by those. */
static void make_functions(lb_diagnosing *g)
{
    g->d->functions = lb_resized(NULL, (lb_kernel_total() + 1) * sizeof *g->d->functions);
    for (int recurrent = 0; recurrent < 2; recurrent++)
        for (size_t k = 0; k < lb_kernel_total(); k++)
            if (lb_kernel_at(k)->exact &&
                lb_family_is_recurrent((int)lb_kernel_at(k)->family) == (recurrent == 1) &&
                has_left(g, lb_kernel_at(k)))
                lb_function_make(&g->d->functions[g->d->function_count++], g->e, lb_kernel_at(k));
}

enum { MOST_KNOWN = 40 };

/* How well a suspect goes with the results of its function. What passes takes no more than half of
 * what is explained: a fault under a condition is worth a question to siblings. */
static int standing_of(const lb_suspect *s)
{
    int against = 3 * (int)s->against_passing, most = 2 * (int)s->explained + (int)s->some;
    return 4 * (int)s->explained + 2 * (int)s->some - (int)s->narrow - 2 * (int)s->against_failing -
           (against < most ? against : most);
}

/* What went best with the results of functions number `first` to before `end`: siblings share code.
 * The newest functions first. */
static size_t known_names(const lb_diagnosing *g, size_t first, size_t end, lb_fault_key *names)
{
    enum { OF_A_FUNCTION = 12 };
    size_t count = 0;
    for (size_t i = end; i-- > first && count < MOST_KNOWN;) {
        const lb_function *f = &g->d->functions[i];
        int last = INT_MAX;
        for (size_t k = 0; k < OF_A_FUNCTION && count < MOST_KNOWN; k++) {
            int best = INT_MIN;
            for (size_t s = 0; s < f->suspect_count; s++) {
                int standing = standing_of(&f->suspects[s]);
                best = standing < last && standing > best ? standing : best;
            }
            for (size_t s = 0; best > 0 && s < f->suspect_count && count < MOST_KNOWN; s++)
                if (standing_of(&f->suspects[s]) == best)
                    names[count++] = f->suspects[s].key;
            last = best;
        }
    }
    return count;
}

/* What was found in functions that came later may explain the earlier ones as well. */
static void ask_earlier(lb_diagnosing *g, lb_fault_key *names, double end)
{
    for (size_t i = 0; i + 1 < g->d->function_count; i++) {
        size_t known = known_names(g, i + 1, g->d->function_count, names);
        lb_function_ask(&g->d->functions[i], g->e, names, known, end, &g->d->arena);
    }
}

/* The effort that is left is shared by the functions that are left; half of all is for experiments.
 */
static void try_functions(lb_diagnosing *g)
{
    double end = lb_work_seconds(g->e) + (g->deadline - lb_work_seconds(g->e)) * 0.6;
    lb_fault_key *names = lb_resized(NULL, MOST_KNOWN * sizeof *names);
    for (size_t i = 0; i < g->d->function_count; i++) {
        double now = lb_work_seconds(g->e),
               share = (end - now) / (double)(g->d->function_count - i) * (i == 0 ? 4 : 2);
        /* siblings need little once the first one is known, but something */
        if (i + 1 < g->d->function_count && share > (end - now) * 0.6)
            share = (end - now) * 0.6;
        size_t known = known_names(g, 0, i, names);
        lb_function_try(&g->d->functions[i], g->e, names, known,
                        now + share < end ? now + share : end, &g->d->arena);
        g->d->faults_tried += g->d->functions[i].faults_tried;
        g->d->runs += g->d->functions[i].runs;
        g->late |= !g->d->functions[i].finished;
    }
    ask_earlier(g, names, end);
    free(names);
}

/* ---- How much of what fails ---- */

/* A status that is wrong hides the numbers: it says nothing of a fault that is in them. */
static bool has_a_say(const lb_diagnosing *g, const lb_theory_part *part, size_t result)
{
    const lb_tried *t = &g->e->items[part->function->failing[result]];
    lb_word word = (lb_word)part->suspect->words[result];
    return !part->function->covered[result] && word != LB_WORD_NONE && word != LB_WORD_TOO_LARGE &&
           (!t->other_status || word != LB_WORD_AGAINST);
}

/* Of the failing results of its functions that no other cause explains, the share that the theory
 * does: one cause of many failures explains most of them, a coincidence few. */
static double share_of(const lb_diagnosing *g, const lb_theory *theory)
{
    size_t explained = 0, all = 0;
    const lb_function *last = NULL;
    for (size_t i = 0; i < theory->part_count; i++) {
        const lb_function *f = theory->parts[i].function;
        for (size_t r = 0; r < f->failing_used; r++) {
            explained += !f->covered[r] && lb_suspect_goes_with(theory->parts[i].suspect, r);
            all += f != last && has_a_say(g, &theory->parts[i], r);
        }
        last = f;
    }
    return all == 0 ? 0 : (double)explained / (double)all;
}

/* ---- Experiments on the best theory and its rivals ---- */

/* Before the checks or behind them: to people it is one fault. */
static bool is_same_but_early(const lb_theory *a, const lb_theory *b)
{
    lb_fault other = *lb_theory_fault(b);
    other.early = lb_theory_fault(a)->early;
    return lb_theory_fault(b)->early != other.early && lb_fault_equal(lb_theory_fault(a), &other);
}

static void gather_rivals(lb_diagnosing *g, lb_theory *best, lb_experiments *x)
{
    x->rivals[x->rival_count++] = best;
    for (size_t i = 0; i < g->theories.count && x->rival_count < LB_MOST_RIVALS; i++) {
        lb_theory *t = &g->theories.items[i];
        if (t != best && t->refuted == 0 && !is_same_but_early(best, t) &&
            lb_theory_is_rival(best, t) && lb_theory_fault_in(t, x->function))
            x->rivals[x->rival_count++] = t;
    }
}

/* Where the theory explains most. */
static lb_function *function_for(const lb_theory *theory)
{
    const lb_theory_part *best = &theory->parts[0];
    for (size_t i = 1; i < theory->part_count; i++)
        if (theory->parts[i].suspect->bits > best->suspect->bits)
            best = &theory->parts[i];
    return best->function;
}

/* Of all that are still allowed, one cause may take a part. */
static unsigned experiments_left(const lb_diagnosing *g)
{
    enum { MOST_OF_A_CAUSE = 50, FOR_CAUSES = 120 }; /* the rest is for probes */
    uint64_t made = g->d->experiments, left = made < FOR_CAUSES ? FOR_CAUSES - made : 0;
    return left < MOST_OF_A_CAUSE ? (unsigned)left : MOST_OF_A_CAUSE;
}

/* Of what fails: below, what the theory does not explain is more likely to speak against it. */
static const double LEAST_SHARED = 0.5;

static void experiment(lb_diagnosing *g, lb_theory *best, lb_experiments *x)
{
    double now = lb_work_seconds(g->e), left = g->deadline - now;
    *x = (lb_experiments){.evidence = g->e,
                          .function = function_for(best),
                          .deadline = now + left * 0.6,
                          .conditional = lb_theory_fit(best) == LB_FIT_NARROW || best->limited > 0,
                          .shared = lb_theory_fit(best) == LB_FIT_SHARED &&
                                    share_of(g, best) >= LEAST_SHARED,
                          .most = experiments_left(g)};
    x->rows.items = lb_resized(NULL, LB_MOST_ROWS * sizeof *x->rows.items);
    gather_rivals(g, best, x);
    lb_experiments_make(x);
    g->d->experiments += x->made;
    g->late |= x->rival_count > 1 && x->made < x->most && lb_work_seconds(g->e) > x->deadline;
}

/* ---- Whole libraries ---- */

static bool has_function(const lb_diagnosing *g, const lb_kernel *kernel)
{
    for (size_t i = 0; i < g->d->function_count; i++)
        if (g->d->functions[i].kernel == kernel)
            return true;
    return false;
}

/* Numerics of a whole library would show in functions that never fail, too. */
static void look_elsewhere(lb_diagnosing *g, lb_theory *theory, double end)
{
    enum { ENOUGH = 3, LARGE = 600 };
    lb_look look = {.arena = {0}};
    size_t step = g->e->count / 1009 * 2 + 1;
    for (size_t i = 0; i < g->e->count; i += step) {
        const lb_tried *t = &g->e->items[i];
        if (lb_work_seconds(g->e) > end || theory->elsewhere >= ENOUGH)
            break;
        if (t->verdict == LB_PASS && t->single && t->size < LARGE && !has_function(g, t->kernel) &&
            lb_look_at(&look, g->e, t))
            theory->elsewhere +=
                lb_suspect_say(g->e, &look.bench, lb_theory_fault(theory), NULL).word ==
                LB_WORD_AGAINST;
    }
    lb_look_end(&look);
}

static void look_at_platforms(lb_diagnosing *g)
{
    static const double SECONDS = 0.25;
    for (size_t i = 0; i < g->theories.count; i++)
        if (lb_fault_is_whole(lb_theory_fault(&g->theories.items[i])))
            look_elsewhere(g, &g->theories.items[i], lb_work_seconds(g->e) + SECONDS);
}

/* ---- Telling ---- */

/* Evidence below this is no conviction: a tie of many, or an element that anything explains. */
static const double LEAST_BITS = 5;
/* With so many it is no coincidence; where nothing that fails contradicts it. What leaves failures
 * over that nothing else explains needs as many. */
static const double MUCH_BITS = 40, CLEAR_BITS = 20;

static const double NEARLY_ALL = 0.95, MOST_OF_THEM = 0.8, TOO_FEW_OF_THEM = 0.2;

/* What speaks against it is slight beside what it explains exactly: then the name is right, and
 * something else limits it. */
static bool is_slight(const lb_theory *theory, const lb_experiments *x)
{
    const lb_standing said = lb_theory_standing(theory);
    return (said.against + said.narrow + x->foreign) * 20 <= said.exact && said.bits >= MUCH_BITS;
}

/* A condition of cases tells all results that speak against it from those that it explains, and
 * there are many of both. */
static bool is_bounded(const lb_theory *theory, const lb_experiments *x, const char *condition)
{
    enum { LEAST_CASES = 8 };
    if (x->bounded && x->asked == theory)
        return true;
    return condition[0] && theory->refuted == 0 && x->foreign == 0 &&
           x->rows.count < LB_MOST_ROWS && lb_rows_have_cases(&x->rows, LEAST_CASES);
}

static lb_certainty certainty_of(const lb_diagnosing *g, const lb_theory *theory,
                                 const lb_experiments *x, lb_fit fit, const char *condition)
{
    bool doubted = fit == LB_FIT_NARROW || theory->refuted > 0 || x->foreign > 0;
    if (share_of(g, theory) < MOST_OF_THEM)
        return LB_CERTAIN_PARTLY;
    if (doubted && is_bounded(theory, x, condition) && lb_theory_standing(theory).bits >= MUCH_BITS)
        return LB_CERTAIN_SEVERAL;
    if (doubted && !is_slight(theory, x))
        return LB_CERTAIN_PARTLY;
    if (lb_fault_is_whole(lb_theory_fault(theory)) &&
        (theory->elsewhere > 0 || !lb_theory_spans_families(theory)))
        return LB_CERTAIN_PARTLY;
    const double least_bits = share_of(g, theory) < NEARLY_ALL ? CLEAR_BITS : LEAST_BITS;
    if (x->rival_count > 1 || lb_theory_standing(theory).bits < least_bits ||
        lb_theory_fault(theory)->kind->is_value)
        return LB_CERTAIN_SEVERAL;
    return LB_CERTAIN_ONE;
}

/* What another kind says better is no other name. */
static void leave_rough(lb_experiments *x)
{
    size_t kept = 1;
    if (lb_theory_fault(x->rivals[0])->kind->is_rough)
        return;
    for (size_t i = 1; i < x->rival_count; i++)
        if (!lb_theory_fault(x->rivals[i])->kind->is_rough)
            x->rivals[kept++] = x->rivals[i];
    x->rival_count = kept;
}

static void name_others(lb_diagnosing *g, const lb_experiments *x, lb_found_fault *found)
{
    const char **others = lb_arena_array(&g->d->arena, LB_MOST_RIVALS, sizeof *others);
    for (size_t i = 1; i < x->rival_count; i++)
        others[found->other_count++] =
            lb_fault_sentence(lb_theory_fault(x->rivals[i]), &g->d->arena);
    found->others = others;
}

/* Numbers that add up. */
static const char *experiments_words(const lb_theory *theory, lb_arena *arena)
{
    unsigned told = theory->confirmed + theory->refuted;
    const char *words =
        lb_arena_printf(arena, "%u experiment%s: %u confirm it, %u contradict it", theory->tried,
                        theory->tried == 1 ? "" : "s", theory->confirmed, theory->refuted);
    return told >= theory->tried
               ? words
               : lb_arena_printf(arena, "%s, %u say neither", words, theory->tried - told);
}

static void tell_experiments(lb_diagnosing *g, const lb_theory *theory, lb_found_fault *found)
{
    if (theory->confirmed + theory->refuted > 0)
        lb_diagnosis_fact(g, found, experiments_words(theory, &g->d->arena));
}

static void claim_results(lb_diagnosing *g, const lb_theory *theory, lb_found_fault *found)
{
    for (size_t i = 0; i < theory->part_count; i++) {
        lb_function *f = theory->parts[i].function;
        for (size_t r = 0; r < f->failing_used; r++) {
            if (f->covered[r] || !lb_suspect_goes_with(theory->parts[i].suspect, r))
                continue;
            bool is_new = lb_diagnosis_claim(g, f->failing[r]);
            found->explained += is_new && theory->parts[i].suspect->words[r] == LB_WORD_EXPLAINS;
        }
    }
}

/* Was the result looked into? */
static bool is_asked(const lb_function *f, const lb_suspect *suspect, size_t result)
{
    return suspect && result < f->failing_used && suspect->words[result] != LB_WORD_TOO_LARGE;
}

/* What this one fault says of a failing result; NONE: that has a cause, or cannot be asked. */
static lb_word word_of(lb_diagnosing *g, const lb_function *f, const lb_fault *fault, size_t result,
                       bool for_one)
{
    lb_look look = {.arena = {0}};
    lb_word word = LB_WORD_NONE;
    const lb_tried *t = &g->e->items[f->failing[result]];
    if (g->d->cause[f->failing[result]] == 0 && lb_look_at(&look, g->e, t)) {
        if (for_one)
            lb_fault_bench_for_one(&look.bench);
        word = lb_suspect_say(g->e, &look.bench, fault, t->left).word;
    }
    lb_look_end(&look);
    return word;
}

/* Failing results that were not looked into (suspect NULL: none was), or too large for many faults:
 * this one fault alone is tried on them. */
static void claim_others(lb_diagnosing *g, lb_function *f, const lb_fault *fault,
                         const lb_suspect *suspect, bool in_part, lb_found_fault *found,
                         double deadline)
{
    for (size_t r = 0; fault && r < f->failing_count && lb_work_seconds(g->e) < deadline; r++) {
        const lb_word word = is_asked(f, suspect, r) ? LB_WORD_NONE : word_of(g, f, fault, r, true);
        if (word == LB_WORD_EXPLAINS || (in_part && word == LB_WORD_SOME)) {
            lb_diagnosis_claim(g, f->failing[r]);
            f->covered[r] = true;
        }
        found->explained += word == LB_WORD_EXPLAINS;
    }
}

/* Does the fault explain nearly all the first failing results of a function whose own search gave
 * others? One cause for all is likelier. */
static bool explains_sample(lb_diagnosing *g, const lb_function *f, const lb_fault *fault,
                            bool in_part)
{
    enum { SAMPLE = 12, LEAST_OF_TEN = 8 };
    size_t tried = 0, explained = 0;
    for (size_t r = 0; r < f->failing_used && tried < SAMPLE; r++) {
        const lb_word word = word_of(g, f, fault, r, false);
        explained += word == LB_WORD_EXPLAINS || (in_part && word == LB_WORD_SOME);
        tried += word != LB_WORD_NONE;
    }
    return explained * 10 >= tried * LEAST_OF_TEN && explained > 0;
}

/* Further results of its functions, and those of functions that it was not tried in. */
static void claim_more(lb_diagnosing *g, const lb_theory *theory, lb_found_fault *found)
{
    static const double GRACE_SECONDS = 1;
    double now = lb_work_seconds(g->e), deadline = g->deadline;
    bool in_part = lb_theory_fit(theory) == LB_FIT_NARROW;
    if (deadline < now + GRACE_SECONDS)
        deadline = now + GRACE_SECONDS;
    for (size_t i = 0; i < theory->part_count; i++)
        claim_others(g, theory->parts[i].function, &theory->parts[i].suspect->fault,
                     theory->parts[i].suspect, in_part, found, deadline);
    for (size_t i = 0; i < g->d->function_count && lb_work_seconds(g->e) < deadline; i++) {
        lb_function *f = &g->d->functions[i];
        const lb_fault *fault =
            lb_theory_fault_in(theory, f)
                ? NULL
                : lb_function_fault(f, g->e, &theory->parts[0].suspect->key, &g->d->arena);
        if (fault && (!f->finished || explains_sample(g, f, fault, in_part)))
            claim_others(g, f, fault, NULL, in_part, found, deadline);
    }
}

/* Is this page of the specification about the function: its checks, or a step of it? Numerics are
 * all functions'. */
static bool is_page_of(const lb_function *f, const char *page, size_t length)
{
    if (strncmp(page, "numerics.md", length) == 0 ||
        strncmp(lb_families[f->kernel->family].refusals, page, length) == 0)
        return true;
    for (size_t i = 0; i < f->list.site_count; i++)
        if (f->list.sites[i].section && strncmp(f->list.sites[i].section, page, length) == 0)
            return true;
    return false;
}

/* Kinds name the sections of all functions that they are for: those of this function stay. */
static const char *section_of(lb_diagnosing *g, const lb_function *f, const lb_fault *fault)
{
    const char *all = lb_fault_section(fault, f->kernel), *kept = "";
    for (const char *at = all; at && *at; at += *at == ';' ? 2 : 0) {
        size_t length = strcspn(at, ";"), page = strcspn(at, " ;");
        if (is_page_of(f, at, page))
            kept = lb_arena_printf(&g->d->arena, "%s%s%.*s", kept, kept[0] ? "; " : "", (int)length,
                                   at);
        at += length;
    }
    return kept[0] ? kept : all;
}

/* The steps in which a fault of every step of an operation sits, where they are two: "every shl" is
 * found sooner by what they are. "": they are more. */
static const char *steps_of(const lb_function *f, const lb_fault *fault, lb_arena *arena)
{
    const char *label[2] = {NULL, NULL};
    if (!fault->everywhere || fault->beside)
        return "";
    for (size_t i = 0; i < f->list.site_count; i++) {
        const lb_num_step *site = &f->list.sites[i];
        const char *its = lb_site_label(site->site);
        size_t known = 0;
        if (!lb_fault_sits_in(fault, site))
            continue;
        while (known < 2 && label[known] && strcmp(label[known], its) != 0)
            known++;
        if (known == 2)
            return "";
        label[known] = its;
    }
    return label[1] ? lb_arena_printf(arena, ": %s; %s", label[0], label[1]) : "";
}

void lb_diagnosis_name(lb_diagnosing *g, const lb_theory *theory)
{
    const lb_fault *fault = lb_theory_fault(theory);
    const lb_function *f = function_for(theory);
    lb_found_fault *found = &g->d->found[g->d->found_count - 1];
    const char *steps = steps_of(f, fault, &g->d->arena);
    found->name = lb_arena_printf(&g->d->arena, "%s%s", lb_fault_name(fault, &g->d->arena), steps);
    found->sentence =
        lb_arena_printf(&g->d->arena, "%s%s", lb_fault_sentence(fault, &g->d->arena), steps);
    found->section = section_of(g, f, fault);
    found->look_for = lb_fault_hint(fault);
    found->against = lb_theory_standing(theory).against;
    *lb_diagnosis_identity(g) =
        (lb_identity){.what = LB_FOUND_FAULT, .fault = theory->parts[0].suspect->key};
}

static void tell_theory(lb_diagnosing *g, lb_theory *theory, lb_experiments *x,
                        lb_found_fault *found)
{
    const lb_fault *fault = lb_theory_fault(theory);
    lb_fit fit = lb_theory_fit(theory);
    leave_rough(x);
    g->d->meaning[found - g->d->found].fault = *fault;
    lb_diagnosis_name(g, theory);
    if (found->against > 0 || fit == LB_FIT_NARROW)
        found->condition = lb_case_condition(g, theory, x);
    found->certainty = certainty_of(g, theory, x, fit, found->condition);
    if (lb_fault_is_whole(fault) && fault->profile && found->certainty != LB_CERTAIN_PARTLY)
        found->numerics = fault->profile->name;
    claim_results(g, theory, found);
    claim_more(g, theory, found);
    if (found->results == 0) { /* all that it explains has another cause already */
        g->d->found_count--;
        return;
    }
    name_others(g, x, found);
    tell_experiments(g, theory, found);
    lb_diagnosis_place(g);
}

/* ---- Worth telling ---- */

/* Nothing that passes speaks against it. Where foreign failures do not refute, what passes does all
 * the more. */
static bool is_uncontested(const lb_theory *theory, const lb_experiments *x)
{
    const unsigned refuted = x->shared ? 4 * theory->refuted : theory->refuted;
    return lb_theory_fit(theory) != LB_FIT_NARROW && refuted <= theory->confirmed;
}

/* What it must explain at least of what fails in its functions. A theory that is contested must
 * explain most of it, unless many results are as it gives them to the last bit: a mistake in a part
 * of the domain. Which inputs weights meet is seen by probes. */
static double least_share(const lb_theory *theory, const lb_experiments *x)
{
    static const double OF_A_CHECK = 0.3, OF_MOST = 0.7;
    const lb_fault *fault = lb_theory_fault(theory);
    const lb_standing said = lb_theory_standing(theory);
    const bool is_status = fault->kind->group == LB_FAULTS_STATUS;
    const bool is_probed = fault->kind->group == LB_FAULTS_READING &&
                           theory->parts[0].function->kernel->weights_type != 0;
    if (is_uncontested(theory, x))
        return is_status ? 0 : TOO_FEW_OF_THEM;
    if (is_status)
        return fault->rule ? OF_A_CHECK : OF_MOST;
    return !is_probed && said.exact > said.against && said.bits >= MUCH_BITS &&
                   theory->confirmed >= theory->refuted
               ? TOO_FEW_OF_THEM
               : OF_MOST;
}

/* It explains enough to be the matter, or near it. */
static bool is_enough(const lb_diagnosing *g, const lb_theory *theory, const lb_experiments *x)
{
    static const double LEAST_CONTESTED_BITS = 12;
    const bool is_bound =
        is_uncontested(theory, x) || lb_theory_fault(theory)->kind->group == LB_FAULTS_STATUS;
    return share_of(g, theory) >= least_share(theory, x) &&
           (is_bound || lb_theory_standing(theory).bits >= LEAST_CONTESTED_BITS);
}

/* More is as it gives it than speaks against it (of what weights meet, which probes see better,
 * twice as much), made cases near what fails are (a status alone is no such news), or a condition
 * tells the ones from the others. Any value in place of another goes with some results by chance,
 * and has a condition by chance. A wrong status of one check is seen as it is: nothing that passes
 * makes it another. */
static bool is_believed(lb_diagnosing *g, const lb_theory *theory, lb_experiments *x)
{
    enum { LEAST_CONFIRMED = 8, EXACT_ONE_IN = 10 };
    const lb_fault *fault = lb_theory_fault(theory);
    const lb_standing said = lb_theory_standing(theory);
    const bool is_status = fault->kind->group == LB_FAULTS_STATUS;
    const bool is_of_products =
        theory->parts[0].function->kernel->weights_type != 0 &&
        (fault->kind->group == LB_FAULTS_READING || (fault->site && fault->site->tap > 0));
    if (is_uncontested(theory, x) || (is_status && fault->rule) ||
        (said.exact >= (is_of_products ? 2 : 1) * said.against &&
         (fault->kind->is_value || said.exact * EXACT_ONE_IN >= said.in_part)))
        return true;
    const bool is_predicted =
        theory->confirmed >= LEAST_CONFIRMED && theory->refuted == 0 && !is_status && !fault->early;
    return !fault->kind->is_value && (is_predicted || lb_case_condition(g, theory, x)[0]);
}

/* The best theory; where experiments refute it, the next one. */
static lb_theory *settle(lb_diagnosing *g, lb_experiments *x)
{
    enum { MOST_ROUNDS = 6 };
    for (int round = 0;; round++) {
        lb_theory *best = lb_theories_best(&g->theories);
        bool last = round == MOST_ROUNDS || lb_work_seconds(g->e) > g->deadline;
        if (!best)
            return NULL;
        experiment(g, best, x);
        if (last || lb_theories_best(&g->theories) == best ||
            (x->rival_count > 0 && x->rivals[0] == lb_theories_best(&g->theories)))
            return x->rivals[0];
        free(x->rows.items);
    }
}

/* Of all theories about one check: it explains all that this one does, and more. Whatever passes,
 * a check that is not made where it should be is seen where another one behind it refuses the call,
 * as if that came early; where none does, and the call is taken, the check itself is named. */
static bool is_wider_check(const lb_theory *theory, const lb_theory *other)
{
    const lb_fault *fault = lb_theory_fault(theory), *its = lb_theory_fault(other);
    return fault->kind->position != LB_POSITION_OWN && !other->dropped && its->rule &&
           its->kind->group == LB_FAULTS_STATUS && !its->kind->is_rough &&
           its->kind->open == LB_OPEN_NOTHING &&
           lb_theory_standing(other).exact > lb_theory_standing(theory).exact &&
           lb_theory_holds(other, theory);
}

static lb_theory *widest_check(lb_diagnosing *g, lb_theory *theory, lb_experiments *x)
{
    for (size_t i = 0; i < g->theories.count; i++)
        if (is_wider_check(theory, &g->theories.items[i]))
            theory = &g->theories.items[i];
    if (theory != x->rivals[0])
        x->rival_count = 1;
    x->rivals[0] = theory;
    return theory;
}

/* The one status that the port gave in all that the theory explains; LB_OK: they are several, or it
 * was not refused. */
static lb_status refusal_of(lb_diagnosing *g, const lb_theory *theory)
{
    lb_status given = LB_OK;
    for (size_t i = 0; i < theory->part_count; i++) {
        const lb_function *f = theory->parts[i].function;
        for (size_t r = 0; r < f->failing_used; r++) {
            const lb_tried *t = &g->e->items[f->failing[r]];
            if (f->covered[r] || !lb_suspect_goes_with(theory->parts[i].suspect, r))
                continue;
            if (!t->other_status || (given != LB_OK && t->left->status != given))
                return LB_OK;
            given = t->left->status;
        }
    }
    return given;
}

/* Calls that pass contradict a number that is read wrong already before the checks, and statuses
 * alone are wrong: a check that refuses too much explains more of them where it is known when. */
static lb_theory *stricter_check(lb_diagnosing *g, lb_theory *theory, const lb_experiments *x,
                                 lb_strict_when *when)
{
    const lb_status given = lb_theory_fault(theory)->early && !is_uncontested(theory, x)
                                ? refusal_of(g, theory)
                                : LB_OK;
    lb_theory *best = NULL;
    for (size_t i = 0; given != LB_OK && i < g->theories.count; i++) {
        lb_theory *t = &g->theories.items[i];
        const lb_fault *fault = lb_theory_fault(t);
        if (!t->dropped && fault->kind->is_rough && fault->argument == (int32_t)given &&
            share_of(g, t) >= NEARLY_ALL &&
            (!best || lb_theory_standing(t).exact > lb_theory_standing(best).exact))
            best = t;
    }
    lb_theory *right = best ? lb_strictest_theory(g, best, when) : NULL;
    if (when->is_of_all)
        return right;
    when->condition = NULL;
    return theory;
}

/* Checks that give one status are the same to all that fails; their own numbers are not. */
static lb_theory *right_check(lb_diagnosing *g, lb_theory *theory, lb_experiments *x)
{
    lb_strict_when when = {.condition = NULL};
    theory = widest_check(g, theory, x);
    lb_theory *right = lb_theory_fault(theory)->kind->is_rough
                           ? lb_strictest_theory(g, theory, &when)
                           : stricter_check(g, theory, x, &when);
    if (right == theory && !when.condition)
        return theory;
    x->rivals[0] = right;
    x->rival_count = 1;
    if (when.condition) {
        x->asked = right;
        x->condition = when.condition;
        x->bounded = when.is_of_all;
    }
    return right;
}

/* ---- Faults of some elements ---- */

/* It makes so many wrong elements as they are, or results to the last bit, and nothing else that is
 * wrong is left: whatever speaks against it, it is nearer than nothing. */
static bool makes_all(const lb_diagnosing *g, const lb_theory *theory, uint64_t least_elements)
{
    enum { AGAINST_TIMES = 2 };
    const lb_standing said = lb_theory_standing(theory);
    return share_of(g, theory) >= NEARLY_ALL && !lb_theory_fault(theory)->kind->is_value &&
           (said.elements >= least_elements ||
            (said.bits >= CLEAR_BITS && said.against <= AGAINST_TIMES * said.exact));
}

static lb_near nearness_of(const lb_diagnosing *g, const lb_theory *theory, bool is_worth)
{
    enum { NO_CHANCE = 24 };
    return makes_all(g, theory, NO_CHANCE) ? LB_NEAR_MAKES
           : is_worth                      ? LB_NEAR_IN_PART
                                           : LB_NEAR_NOT;
}

/* Of what fails more is as the theory gives it: what it would change and the port has right does
 * not count, that is what a rule is for. */
static bool goes_with_more(const lb_theory *a, const lb_theory *b)
{
    const uint64_t x = lb_theory_standing(a).in_part, y = lb_theory_standing(b).in_part;
    const int of_a = lb_fault_prior(lb_theory_fault(a)), of_b = lb_fault_prior(lb_theory_fault(b));
    return x != y ? x > y : of_a != of_b ? of_a > of_b : lb_theory_is_likelier(a, b);
}

const lb_theory *lb_diagnosis_near(const lb_diagnosing *g, int family)
{
    const lb_theory *best = NULL;
    for (size_t i = 0; i < g->theories.count; i++) {
        const lb_theory *t = &g->theories.items[i];
        if (t->near != LB_NEAR_NOT && (int)function_for(t)->kernel->family == family &&
            (!best || t->near > best->near || (t->near == best->near && goes_with_more(t, best))))
            best = t;
    }
    return best;
}

/* All that is wrong in what fails is as the fault gives it, and elements that it would change as
 * well are right. */
static bool is_of_elements(const lb_diagnosing *g, const lb_theory *theory)
{
    enum { LEAST_ELEMENTS = 8 };
    const lb_fault *fault = lb_theory_fault(theory);
    const lb_standing said = lb_theory_standing(theory);
    return !theory->dropped && said.narrow > 0 && said.varied >= LEAST_ELEMENTS &&
           makes_all(g, theory, LEAST_ELEMENTS) && fault->kind->open == LB_OPEN_NOTHING &&
           fault->kind->group != LB_FAULTS_STATUS && !fault->early;
}

static lb_theory *likeliest_of_elements(lb_diagnosing *g)
{
    lb_theory *best = NULL;
    for (size_t i = 0; i < g->theories.count; i++) {
        lb_theory *t = &g->theories.items[i];
        if (is_of_elements(g, t) && (!best || goes_with_more(t, best)))
            best = t;
    }
    return best;
}

/* ---- All theories ---- */

static void conclude(lb_diagnosing *g, lb_theory *theory, lb_experiments *x, bool is_believed,
                     bool is_worth)
{
    if (is_believed) {
        tell_theory(g, theory, x, lb_diagnosis_add(g));
        lb_theory_cover(theory);
    } else {
        theory->near = nearness_of(g, theory, is_worth);
    }
    theory->dropped = true;
    free(x->rows.items);
}

/* Which results a fault of some elements is in says little: they are nearly all of them. A rule
 * over places of elements tells where it is, or it is chance. */
static void find_of_elements(lb_diagnosing *g, lb_experiments *x)
{
    enum { MOST_TRIED = 12, LEAST_CASES = 3 };
    lb_theory *theory;
    for (int tried = 0; tried < MOST_TRIED && lb_diagnosis_has_room(g) &&
                        (theory = likeliest_of_elements(g)) != NULL;
         tried++) {
        *x = (lb_experiments){.evidence = g->e, .function = function_for(theory)};
        x->rivals[x->rival_count++] = theory;
        x->rows.items = lb_resized(NULL, LB_MOST_ROWS * sizeof *x->rows.items);
        const bool has_rule = lb_case_condition(g, theory, x)[0] != 0;
        conclude(g, theory, x, has_rule && lb_rows_have_cases(&x->rows, LEAST_CASES), false);
    }
}

static void find_theories(lb_diagnosing *g)
{
    lb_experiments *x = lb_arena_alloc(&g->d->arena, sizeof *x);
    lb_theory *theory;
    while (lb_diagnosis_has_room(g) && (theory = settle(g, x)) != NULL) {
        theory = right_check(g, theory, x);
        const bool is_worth = is_enough(g, theory, x);
        conclude(g, theory, x, is_worth && is_believed(g, theory, x), is_worth);
    }
    find_of_elements(g, x);
}

void lb_diagnose_theories(lb_diagnosing *g)
{
    make_functions(g);
    try_functions(g);
    lb_theories_make(&g->theories, g->d->functions, g->d->function_count);
    look_at_platforms(g);
    find_theories(g);
}
