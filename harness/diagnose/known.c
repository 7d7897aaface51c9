/* Known differences of libraries (reference/describe/known.h), held against failing results. What
 * such a difference leaves is known to the last bit of some of them; of the others it is known in
 * which calls and elements it shows. These take a result only where the function has no failure of
 * the same sort elsewhere: that would be another mistake, which shows here as well. */
#include "reference/describe/known.h"
#include "harness/diagnose/diagnosis.h"
#include "harness/diagnose/work.h"

#include <string.h>

/* A failing result, and what it is held against. */
typedef struct known_result {
    lb_evidence *evidence;
    const lb_known_difference *known; /* the table of its set */
    lb_look look;
    const lb_left *left; /* NULL: the port gave no numbers */
    bool outside;        /* it touched memory beside buffers, or was stopped */
    unsigned applies;    /* differences that may show in the call, a bit for each */
} known_result;

/* Is number k of the table one of these? */
static bool is_one_of(unsigned which, int k)
{
    return (which >> k & 1) != 0;
}

static const lb_known_difference *table_of(const lb_tried *t)
{
    return t->kernel && t->single ? lb_kernel_set_of(t->kernel)->known : NULL;
}

/* A status in place of a result is what adapters make of a buffer that was written beside. */
static bool is_outside(const lb_tried *t)
{
    return t->verdict == LB_ERROR || t->stop.touch != LB_TOUCH_NONE || t->other_status ||
           (t->kind && strcmp(t->kind, "contract") == 0);
}

/* False: no known difference can show in it. */
static bool look_at(lb_diagnosing *g, size_t item, known_result *r)
{
    const lb_tried *t = &g->e->items[item];
    bool any = false;
    *r = (known_result){
        .evidence = g->e, .known = table_of(t), .left = t->left, .outside = is_outside(t)};
    if (!r->known || !lb_tried_failed(t) || g->d->cause[item] != 0 ||
        lb_work_seconds(g->e) > g->deadline)
        return false;
    for (int k = 0; k < LB_MOST_KNOWN && r->known[k].name; k++)
        any = any || lb_known_is_of(&r->known[k], t->kernel);
    if (!any || !lb_look_at(&r->look, g->e, t) || !r->look.bench.computed)
        return false;
    for (int k = 0; k < LB_MOST_KNOWN && r->known[k].name; k++)
        if (lb_known_is_of(&r->known[k], t->kernel) &&
            (!r->known[k].applies || r->known[k].applies(&r->look.bench.before.call)))
            r->applies |= 1U << k;
    return r->applies != 0;
}

static unsigned that_show(const known_result *r, unsigned how)
{
    unsigned which = 0;
    for (int k = 0; k < LB_MOST_KNOWN && r->known[k].name; k++)
        if (is_one_of(r->applies, k) && (r->known[k].shows & how) != 0)
            which |= 1U << k;
    return which;
}

/* ---- What is known to the last bit ---- */

typedef struct known_steps {
    const lb_known_difference *known;
    unsigned which; /* are there */
} known_steps;

static int64_t alter(void *user, const lb_num_step *step)
{
    const known_steps *s = user;
    lb_num_step changed = *step;
    for (int k = 0; k < LB_MOST_KNOWN; k++)
        if (is_one_of(s->which, k) && s->known[k].step)
            changed.result = s->known[k].step(&changed);
    return changed.result;
}

static void leave_elements(known_result *r, const lb_known_difference *known)
{
    const lb_call *before = &r->look.bench.before.call;
    lb_tensor *out = r->look.bench.out.call.tensor[LB_ROLE_OUT];
    for (size_t i = 0; known->leaves && i < lb_element_count(out); i++) {
        uint32_t index[LB_MAX_RANK];
        bool is_known = false;
        lb_unflatten(out, i, index);
        const size_t at = lb_offset_of(out, index);
        if (known->reaches && !known->reaches(before, index))
            continue;
        int64_t value = known->leaves(before, index, lb_load(out, at),
                                      lb_load(before->tensor[LB_ROLE_OUT], at), &is_known);
        if (is_known)
            lb_store(out, at, value);
    }
}

/* bench.out: what is left where these differences are there. */
static void run_with(known_result *r, unsigned which)
{
    known_steps s = {r->known, which};
    lb_steps listener = {
        .role = LB_ROLE_OUT, .element = LB_STEPS_EVERY, .alter = alter, .user = &s};
    bool has_steps = false;
    lb_fault_bench_reset(&r->look.bench);
    lb_call call = r->look.bench.out.call;
    for (int k = 0; k < LB_MOST_KNOWN; k++) {
        has_steps = has_steps || (is_one_of(which, k) && r->known[k].step);
        if (is_one_of(which, k) && r->known[k].takes)
            r->known[k].takes(&call);
    }
    lb_work_run(r->evidence, &r->look.bench, has_steps);
    const lb_context context = {.profile = r->look.bench.profile,
                                .steps = has_steps ? &listener : NULL};
    lb_run_exact(&context, &call);
    r->look.bench.out.call.status = call.status;
    for (int k = 0; k < LB_MOST_KNOWN; k++)
        if (is_one_of(which, k))
            leave_elements(r, &r->known[k]);
}

static bool is_exact(known_result *r, unsigned which)
{
    run_with(r, which);
    return lb_left_equals(r->left, &r->look.bench.out);
}

/* The difference that alone, or with the others of its function, leaves what the port left; 0:
 * none. */
static unsigned exact_one(known_result *r)
{
    const unsigned all = r->left ? that_show(r, LB_KNOWN_EXACT) : 0;
    unsigned last = 0;
    for (int k = 0; k < LB_MOST_KNOWN; k++) {
        last = is_one_of(all, k) ? 1U << k : last;
        if (is_one_of(all, k) && is_exact(r, last))
            return last;
    }
    return last != 0 && is_exact(r, all) ? last : 0;
}

/* ---- What is known of calls and elements ---- */

/* Differences, a bit for each; and what more is known than that wrong elements lie there. */
typedef struct known_ones {
    unsigned which;
    size_t as_said; /* wrong elements that are as a difference says */
    bool is_right_elsewhere;
} known_ones;

/* Not by chance, nor by another mistake? */
static bool is_strong(const known_ones *ones)
{
    enum { SOME = 4 };
    return ones->is_right_elsewhere || ones->as_said >= SOME;
}

/* Does the difference say what stands in this element? *same: the port has it. */
static bool is_said(const known_result *r, int k, const uint32_t *index, size_t at, bool *same)
{
    const lb_known_difference *known = &r->known[k];
    const lb_call *call = &r->look.bench.before.call;
    bool is_known = false;
    if (!known->leaves)
        return false;
    int64_t value =
        known->leaves(call, index, lb_load(r->look.bench.right.call.tensor[LB_ROLE_OUT], at),
                      lb_load(call->tensor[LB_ROLE_OUT], at), &is_known);
    *same = value == lb_load(r->look.bench.out.call.tensor[LB_ROLE_OUT], at);
    return is_known;
}

/* One element, which is the port's in bench.out. False: none of these differences goes with it. */
static bool hold_element(const known_result *r, unsigned which, size_t number, known_ones *ones)
{
    const lb_tensor *right = r->look.bench.right.call.tensor[LB_ROLE_OUT];
    uint32_t index[LB_MAX_RANK];
    lb_unflatten(right, number, index);
    size_t at = lb_offset_of(right, index);
    bool is_wrong = lb_load(right, at) != lb_load(r->look.bench.out.call.tensor[LB_ROLE_OUT], at);
    bool is_reached = false;
    for (int k = 0; k < LB_MOST_KNOWN; k++) {
        bool same = false;
        if (!is_one_of(which, k) ||
            (r->known[k].reaches && !r->known[k].reaches(&r->look.bench.before.call, index)))
            continue;
        if (is_said(r, k, index, at, &same) && !same)
            return false;
        is_reached = true;
        ones->as_said += is_wrong && same;
        ones->which |= is_wrong ? 1U << k : 0;
    }
    ones->is_right_elsewhere = ones->is_right_elsewhere || (!is_reached && !is_wrong);
    return is_reached || !is_wrong;
}

/* Are all elements that are wrong such as these differences reach? */
static known_ones hold_elements(const known_result *r, unsigned which)
{
    known_ones ones = {0};
    for (size_t i = 0; i < lb_element_count(r->look.bench.right.call.tensor[LB_ROLE_OUT]); i++)
        if (!hold_element(r, which, i, &ones))
            return (known_ones){0};
    return ones;
}

/* The output of the port in bench.out. False: it left other things wrong than elements of it. */
static bool take_output(known_result *r)
{
    lb_fault_bench *bench = &r->look.bench;
    lb_left_output out;
    if (!r->left || r->left->block_bytes != bench->memory.block_bytes ||
        !lb_left_output_of(&bench->memory, LB_ROLE_OUT, &out))
        return false;
    lb_fault_bench_reset(bench);
    memcpy(bench->out.block, bench->right.block, bench->memory.block_bytes);
    memcpy(bench->out.block + out.start, r->left->block + out.start, out.bytes);
    bench->out.call.status = bench->right.call.status;
    return lb_left_equals(r->left, &bench->out);
}

/* Those each of which alone goes with the elements; where none does, those that do together. */
static known_ones in_elements(known_result *r)
{
    const unsigned all = that_show(r, LB_KNOWN_NUMBERS);
    known_ones alone = {0};
    if (all == 0 || !take_output(r))
        return alone;
    for (int k = 0; k < LB_MOST_KNOWN; k++) {
        known_ones one = is_one_of(all, k) ? hold_elements(r, 1U << k) : (known_ones){0};
        alone.which |= one.which;
        alone.as_said += one.as_said;
        alone.is_right_elsewhere = alone.is_right_elsewhere || one.is_right_elsewhere;
    }
    return alone.which != 0 ? alone : hold_elements(r, all);
}

/* ---- All results ---- */

typedef struct known_claim {
    unsigned can; /* differences, a bit for each, that may have made the result what it is */
    bool is_exact, is_weak;
} known_claim;

static known_claim claim_of(lb_diagnosing *g, size_t item)
{
    known_result r;
    known_claim claim = {0};
    if (look_at(g, item, &r)) {
        known_ones ones = {.which = r.outside ? that_show(&r, LB_KNOWN_OUTSIDE) : exact_one(&r)};
        claim.is_exact = !r.outside && ones.which != 0;
        if (!r.outside && ones.which == 0)
            ones = in_elements(&r);
        claim.can = ones.which;
        claim.is_weak = !claim.is_exact && !is_strong(&ones);
    }
    lb_look_end(&r.look);
    return claim;
}

/* Another result of the function fails in the same way, and no difference takes it. */
static bool has_like_elsewhere(const lb_diagnosing *g, size_t item, const known_claim *claims)
{
    const lb_tried *t = &g->e->items[item];
    for (size_t i = 0; i < g->e->count; i++) {
        const lb_tried *other = &g->e->items[i];
        if (other->kernel == t->kernel && lb_tried_failed(other) && claims[i].can == 0 &&
            is_outside(other) == is_outside(t))
            return true;
    }
    return false;
}

static void drop_weak(const lb_diagnosing *g, known_claim *claims)
{
    bool *dropped = lb_arena_array(&g->d->arena, g->e->count + 1, sizeof *dropped);
    for (size_t i = 0; i < g->e->count; i++)
        dropped[i] = claims[i].can != 0 && claims[i].is_weak && has_like_elsewhere(g, i, claims);
    for (size_t i = 0; i < g->e->count; i++)
        if (dropped[i])
            claims[i].can = 0;
}

/* ---- What speaks against a difference ---- */

/* Can the difference show in the call of this result, which goes to the bench? */
static bool can_show(lb_diagnosing *g, const lb_tried *t, const lb_known_difference *known,
                     lb_look *look)
{
    return lb_look_at(look, g->e, t) && look->bench.computed &&
           (!known->applies || known->applies(&look->bench.before.call));
}

/* Functions of the family for which the difference is not known fail in such calls as well, and in
 * hardly any other: it is a mistake of all of them. */
static bool is_wider(lb_diagnosing *g, const lb_kernel *kernel, int k, const known_claim *claims)
{
    const lb_known_difference *known = &lb_kernel_set_of(kernel)->known[k];
    size_t alike = 0, others = 0;
    lb_look look = {.arena = {0}};
    for (size_t i = 0; known->applies && i < g->e->count; i++) {
        const lb_tried *t = &g->e->items[i];
        if (claims[i].can != 0 || !lb_tried_failed(t) || !table_of(t) ||
            t->kernel->family != kernel->family || lb_known_is_of(known, t->kernel))
            continue;
        *(can_show(g, t, known, &look) ? &alike : &others) += 1;
    }
    lb_look_end(&look);
    return alike > others;
}

/* Would the difference alone show in this call, of which no difference says what the port has? */
static bool is_missed(lb_diagnosing *g, const lb_tried *t, int k)
{
    known_result r = {.evidence = g->e, .known = table_of(t)};
    bool shows = can_show(g, t, &r.known[k], &r.look);
    if (shows) {
        run_with(&r, 1U << k);
        shows = memcmp(r.look.bench.out.block, r.look.bench.right.block,
                       r.look.bench.memory.block_bytes) != 0;
    }
    lb_look_end(&r.look);
    return shows;
}

/* More results of the function speak against the difference than for it. What it leaves is known to
 * the last bit: those in which it does not show, though it should. Else: those that fail without
 * it. */
static bool is_contradicted(lb_diagnosing *g, const lb_kernel *kernel, int k,
                            const known_claim *claims)
{
    enum { MOST_ASKED = 200 };
    const bool is_exact = (lb_kernel_set_of(kernel)->known[k].shows & LB_KNOWN_EXACT) != 0;
    size_t its = 0, against = 0, asked = 0;
    for (size_t i = 0; i < g->e->count; i++) {
        const lb_tried *t = &g->e->items[i];
        if (t->kernel != kernel || !table_of(t) || t->verdict == LB_SKIP)
            continue;
        its += is_one_of(claims[i].can, k);
        if (claims[i].can != 0 || is_outside(t))
            continue;
        if (!is_exact)
            against += lb_tried_failed(t);
        else if (asked++ < MOST_ASKED && lb_work_seconds(g->e) < g->deadline)
            against += is_missed(g, t, k);
    }
    return against > its;
}

/* A difference that has more against it than for it is another mistake, which looks like it in some
 * calls. */
static void drop_contradicted(lb_diagnosing *g, const lb_known_difference *table,
                              known_claim *claims)
{
    unsigned here = 0;
    for (size_t i = 0; i < g->e->count; i++)
        here |= table_of(&g->e->items[i]) == table ? claims[i].can : 0;
    for (int k = 0; k < LB_MOST_KNOWN && table[k].name; k++)
        for (int f = 0; is_one_of(here, k) && f < LB_KNOWN_FUNCTIONS && table[k].function[f]; f++) {
            const lb_kernel *kernel = lb_kernel_find(table[k].function[f]);
            const bool is_exact = (table[k].shows & LB_KNOWN_EXACT) != 0;
            if ((is_exact || !is_wider(g, kernel, k, claims)) &&
                !is_contradicted(g, kernel, k, claims))
                continue;
            for (size_t i = 0; i < g->e->count; i++)
                if (g->e->items[i].kernel == kernel)
                    claims[i].can &= ~(1U << k);
        }
}

static bool is_one(unsigned which)
{
    return which != 0 && (which & (which - 1)) == 0;
}

/* Where several may be there, it is the one that takes most other results of the function alone. */
static int choose(const lb_diagnosing *g, size_t item, const known_claim *claims)
{
    size_t most = 0;
    int best = -1;
    for (int k = 0; k < LB_MOST_KNOWN; k++) {
        size_t count = 1;
        if (!is_one_of(claims[item].can, k))
            continue;
        for (size_t i = 0; i < g->e->count && !is_one(claims[item].can); i++)
            count += g->e->items[i].kernel == g->e->items[item].kernel && claims[i].can == 1U << k;
        best = count > most ? k : best;
        most = count > most ? count : most;
    }
    return best;
}

/* Who looks further has not to explain it. */
static void take(lb_diagnosing *g, size_t item)
{
    unsigned char *repeated = &g->repeats.of[item];
    if (*repeated != LB_REPEATED_SAME)
        g->repeats.count[*repeated]--;
    *repeated = LB_REPEATED_SAME;
    g->e->items[item].left = NULL;
    lb_diagnosis_claim(g, (uint32_t)item);
}

static void tell(lb_diagnosing *g, const lb_known_difference *known, int number,
                 const known_claim *claims)
{
    lb_found_fault *found = NULL;
    for (size_t i = 0; i < g->e->count; i++) {
        const lb_known_difference *table = table_of(&g->e->items[i]);
        if (!table || &table[number] != known || choose(g, i, claims) != number)
            continue;
        if (!found && (found = lb_diagnosis_add(g)) == NULL)
            return;
        found->explained += claims[i].is_exact;
        take(g, i);
    }
    if (!found)
        return;
    g->d->known_count++;
    found->name =
        lb_arena_printf(&g->d->arena, "known difference %s of %s", known->name, known->library);
    found->sentence = lb_arena_printf(&g->d->arena, "known difference %s of %s, %s: %s",
                                      known->name, known->library, known->section, known->sentence);
    found->section = known->section;
    found->certainty = LB_CERTAIN_ONE;
    lb_diagnosis_place(g);
}

void lb_diagnose_known(lb_diagnosing *g)
{
    known_claim *claims = lb_arena_array(&g->d->arena, g->e->count + 1, sizeof *claims);
    for (size_t i = 0; i < g->e->count; i++)
        claims[i] = claim_of(g, i);
    drop_weak(g, claims);
    for (int set = 0; set < LB_SET_COUNT; set++) {
        const lb_known_difference *table = lb_kernel_sets[set]->known;
        if (table)
            drop_contradicted(g, table, claims);
        for (int k = 0; table && k < LB_MOST_KNOWN && table[k].name; k++)
            tell(g, &table[k], k, claims);
    }
}
