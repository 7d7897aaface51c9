/* Two different mistakes in one function: see joint.h. */
#include "harness/diagnose/joint.h"
#include "harness/base/xalloc.h"
#include "harness/diagnose/holding.h"
#include "harness/diagnose/work.h"
#include "harness/faults/program_edits.h"
#include "harness/faults/step_run.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_TARGETS = 3, /* failing results that pairs are sought for */
    MOST_FIRSTS = 24, /* faults that a second one is sought for */
    MOST_PAIRS = 64,  /* that explain one target */
    LEAST_UNEXPLAINED = 3,
    LEAST_MORE = 3, /* results that a pair explains and no suspect alone */
    LEAST_PRIOR = 4
};

/* A pair that explains a target: places in the list. */
typedef struct pair {
    uint32_t a, b;
    int prior;
    size_t explained, more; /* failing results; those that no suspect explains */
} pair;

/* A fault that a second one is sought for. */
typedef struct sought {
    uint32_t fault;
    double worth;
} sought;

typedef struct search {
    lb_function *f;
    lb_evidence *e;
    lb_look look;
    double deadline;
    bool *open;       /* failing results that no suspect explains */
    bool *may_join;   /* faults of the list */
    uint64_t *digest; /* of each of them, what it alone leaves in the target */
    sought firsts[MOST_FIRSTS];
    size_t first_count;
    pair pairs[MOST_PAIRS];
    size_t pair_count;
    uint64_t tried, explaining;
} search;

static bool is_late(const search *s)
{
    return lb_work_seconds(s->e) > s->deadline;
}

static const lb_left *left_of(const search *s, size_t result)
{
    return s->e->items[s->f->failing[result]].left;
}

static bool set_bench(search *s, size_t result)
{
    return lb_look_at(&s->look, s->e, &s->e->items[s->f->failing[result]]);
}

/* ---- What may be joined ---- */

static bool is_step(const lb_fault *f)
{
    return f->kind->group == LB_FAULTS_STEP;
}

/* Values of other places, and mistakes that are two already, explain too much by chance. */
static bool may_be_joined(const lb_fault *f)
{
    bool of_group = (is_step(f) && f->site) || f->kind->group == LB_FAULTS_READING;
    return of_group && !f->kind->is_value && !f->kind->takes_other && !f->second_site &&
           !f->early && f->kind->open == LB_OPEN_NOTHING && lb_fault_prior(f) >= LEAST_PRIOR;
}

/* It can stand beside a reading of the call: a step, or a cell's step as a whole. */
static bool may_stand_beside(const lb_fault *f)
{
    return is_step(f) || lb_fault_is_of_cell(f);
}

/* One of them reads the call otherwise, at most; the same step cannot be done otherwise twice; a
 * cell runs without single steps. */
static bool can_go_together(const lb_fault *a, const lb_fault *b)
{
    bool cell_a = lb_fault_is_of_cell(a), cell_b = lb_fault_is_of_cell(b);
    if (!may_stand_beside(a) && !may_stand_beside(b))
        return false;
    if ((cell_a && is_step(b)) || (is_step(a) && cell_b))
        return false;
    if (cell_a && cell_b)
        return a->other_role != b->other_role || a->dim != b->dim;
    return !is_step(a) || !is_step(b) || !lb_fault_same_site(a->site, b->site, true) ||
           a->site->operation == LB_STEP_GIVEN;
}

/* The commoner of both is told first. */
lb_fault lb_joint_of(const lb_fault *a, const lb_fault *b, lb_arena *keep)
{
    bool turn =
        !may_stand_beside(b) || (may_stand_beside(a) && lb_fault_prior(b) > lb_fault_prior(a));
    lb_fault joint = turn ? *b : *a;
    lb_fault *beside = lb_arena_alloc(keep, sizeof *beside);
    *beside = turn ? *a : *b;
    joint.beside = beside;
    return joint;
}

/* The same without memory of its own, for one run. */
static lb_saying say_of_pair(search *s, const lb_fault *a, const lb_fault *b, const lb_left *left)
{
    bool turn = !may_stand_beside(b);
    lb_fault joint = turn ? *b : *a, beside = turn ? *a : *b;
    joint.beside = &beside;
    return lb_suspect_say(s->e, &s->look.bench, &joint, left);
}

/* ---- Firsts ---- */

static void keep_first(search *s, uint32_t fault, double worth)
{
    size_t at = s->first_count;
    for (size_t i = 0; i < s->first_count; i++)
        if (s->firsts[i].fault == fault)
            return;
    while (at > 0 && s->firsts[at - 1].worth < worth)
        at--;
    sought *kept = lb_room_at(s->firsts, sizeof *s->firsts, &s->first_count, MOST_FIRSTS, at);
    if (kept)
        *kept = (sought){fault, worth};
}

/* Those that explain other results: more than any that goes with some elements of this one. */
static double worth_of_suspect(const lb_function *f, lb_suspect *s)
{
    lb_suspect_count(f, s);
    return s->explained < 2 || s->against_passing * 4 > s->explained
               ? 0
               : 1 + (double)s->explained - 2 * (double)s->against_passing;
}

/* Of suspects of which all failing results say the same, the commonest is enough. */
static bool is_repeated(const lb_function *f, size_t number)
{
    const lb_suspect *s = &f->suspects[number];
    for (size_t i = 0; i < f->suspect_count; i++) {
        int more = lb_fault_prior(&f->suspects[i].fault) - lb_fault_prior(&s->fault);
        if (i != number && (more > 0 || (more == 0 && i < number)) &&
            may_be_joined(&f->suspects[i].fault) &&
            memcmp(f->suspects[i].words, s->words, f->failing_used) == 0)
            return true;
    }
    return false;
}

/* Of a fault that may be joined, in the list; its count: it is not there. */
static uint32_t place_of(const search *s, const lb_fault *fault)
{
    uint32_t k = 0;
    while (k < s->f->list.count && !(s->may_join[k] && lb_fault_equal(&s->f->list.items[k], fault)))
        k++;
    return k;
}

static void keep_suspects(search *s)
{
    lb_function *f = s->f;
    for (size_t i = 0; i < f->suspect_count; i++) {
        lb_suspect *suspect = &f->suspects[i];
        double worth = is_repeated(f, i) ? 0 : worth_of_suspect(f, suspect);
        const uint32_t k = worth > 0 ? place_of(s, &suspect->fault) : (uint32_t)f->list.count;
        if (k < f->list.count)
            keep_first(s, k, worth);
    }
}

/* Of the wrong elements, the share that it makes as the port has them, less what it spoils. */
static void keep_if_partly(search *s, uint32_t fault, size_t result)
{
    const lb_left *left = left_of(s, result);
    lb_saying say = lb_suspect_say(s->e, &s->look.bench, &s->f->list.items[fault], left);
    s->digest[fault] = say.digest;
    if (say.word == LB_WORD_UNTOUCHED || say.word == LB_WORD_EXPLAINS ||
        left->status != s->look.bench.out.call.status ||
        left->block_bytes != s->look.bench.memory.block_bytes)
        return;
    lb_left_counts n = lb_left_count(left, &s->look.bench.right, &s->look.bench.out);
    if (n.explained > n.spoiled && n.wrong > 0)
        keep_first(s, fault, ((double)n.explained - (double)n.spoiled) / (double)n.wrong);
}

/* ---- One target ---- */

static bool is_met(const search *s, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < s->pair_count; i++)
        if ((s->pairs[i].a == b && s->pairs[i].b == a) ||
            (s->pairs[i].a == a && s->pairs[i].b == b))
            return true;
    return false;
}

static void keep_pair(search *s, uint32_t a, uint32_t b)
{
    const lb_fault *items = s->f->list.items;
    if (!is_met(s, a, b))
        s->pairs[s->pair_count++] =
            (pair){.a = a < b ? a : b,
                   .b = a < b ? b : a,
                   .prior = lb_fault_prior(&items[a]) + lb_fault_prior(&items[b])};
}

/* `wanted`: of the list. */
static void try_seconds(search *s, uint32_t first, const lb_left *left, const bool *acts,
                        const bool *wanted)
{
    const lb_fault_list *list = &s->f->list;
    const lb_fault *a = &list->items[first];
    for (uint32_t k = 0; k < list->count && s->pair_count < MOST_PAIRS; k++) {
        const lb_fault *b = &list->items[k];
        if (k == first || !wanted[k] || (is_step(b) && acts && !acts[k]) || !can_go_together(a, b))
            continue;
        if (k % 16 == 0 && is_late(s))
            return;
        s->tried++;
        lb_saying say = say_of_pair(s, a, b, left);
        bool is_one = say.digest == s->digest[first] || say.digest == s->digest[k];
        if (say.word != LB_WORD_EXPLAINS || is_one)
            continue;
        s->explaining++;
        keep_pair(s, first, k);
    }
}

/* One operation of these that is not done at all; of a product either factor may be missing. */
static bool is_left_out(const lb_fault *f, uint32_t operations)
{
    const lb_number_edit *does = &f->kind->does;
    return is_step(f) && f->site && operations >> f->site->operation & 1 && !f->all_blocks &&
           !f->all_parts && !f->everywhere && !f->second_site && does->at == LB_AT_TAKEN &&
           does->how == LB_AS_IS && does->when == LB_ALWAYS &&
           (!f->kind->is_value || (f->argument == 1 && f->site->operation == LB_STEP_MUL));
}

/* A factor and the shift that belongs to it, a limit and the one behind it: of operations that are
 * left out together neither may show alone, so that none is a first. */
static void try_left_out(search *s, const lb_left *left)
{
    static const uint32_t together[] = {
        1u << LB_STEP_MUL | 1u << LB_STEP_SHL | 1u << LB_STEP_ASR | 1u << LB_STEP_RSH,
        1u << LB_STEP_SAT | 1u << LB_STEP_MIN | 1u << LB_STEP_MAX | 1u << LB_STEP_WRAP};
    const lb_fault_list *list = &s->f->list;
    bool *wanted = lb_resized(NULL, list->count + 1);
    for (size_t i = 0; i < sizeof together / sizeof *together; i++) {
        for (uint32_t k = 0; k < list->count; k++)
            wanted[k] = is_left_out(&list->items[k], together[i]);
        for (uint32_t k = 0; k < list->count && !is_late(s); k++)
            if (wanted[k]) {
                wanted[k] = false; /* each pair once */
                try_seconds(s, k, left, NULL, wanted);
            }
    }
    free(wanted);
}

static void seek_pairs(search *s, size_t result)
{
    const lb_fault_list *list = &s->f->list;
    bool *acts = lb_resized(NULL, list->count + 1);
    s->first_count = s->pair_count = 0;
    memset(s->digest, 0, list->count * sizeof *s->digest);
    if (set_bench(s, result)) {
        lb_work_run(s->e, &s->look.bench, true);
        bool known = lb_fault_screen(&s->look.bench, list, s->may_join, acts);
        for (uint32_t k = 0; k < list->count && !is_late(s); k++)
            if (s->may_join[k] && (!is_step(&list->items[k]) || !known || acts[k]))
                keep_if_partly(s, k, result);
        keep_suspects(s);
        for (size_t i = 0; i < s->first_count && !is_late(s); i++)
            try_seconds(s, s->firsts[i].fault, left_of(s, result), known ? acts : NULL,
                        s->may_join);
        try_left_out(s, left_of(s, result));
    }
    free(acts);
}

/* ---- All other results ---- */

static void count_results(search *s)
{
    lb_function *f = s->f;
    for (size_t r = 0; r < f->failing_used && s->pair_count > 0; r++) {
        if (!set_bench(s, r))
            continue;
        for (size_t i = 0; i < s->pair_count; i++) {
            pair *p = &s->pairs[i];
            lb_saying say =
                say_of_pair(s, &f->list.items[p->a], &f->list.items[p->b], left_of(s, r));
            bool explains = say.word == LB_WORD_EXPLAINS;
            p->explained += explains;
            p->more += explains && s->open[r];
        }
    }
}

static int by_explained(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->explained != y->explained)
        return x->explained < y->explained ? 1 : -1;
    if (x->prior != y->prior)
        return x->prior < y->prior ? 1 : -1;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : x->b < y->b ? -1 : x->b > y->b;
}

static size_t take_best(search *s, size_t open_count, lb_arena *keep, lb_fault *found, size_t count)
{
    const lb_fault *items = s->f->list.items;
    size_t least = open_count / 4 > LEAST_MORE ? open_count / 4 : LEAST_MORE;
    qsort(s->pairs, s->pair_count, sizeof *s->pairs, by_explained);
    for (size_t i = 0; i < s->pair_count && count < LB_MOST_JOINT; i++)
        if (s->pairs[i].more >= least)
            found[count++] = lb_joint_of(&items[s->pairs[i].a], &items[s->pairs[i].b], keep);
    return count;
}

/* ---- The function ---- */

/* By a fault that hardly a passing result speaks against; a status hides the numbers. */
static bool is_open_result(const search *s, size_t r)
{
    const lb_function *f = s->f;
    if (!left_of(s, r) || s->e->items[f->failing[r]].other_status)
        return false;
    for (size_t i = 0; i < f->suspect_count; i++)
        if (f->suspects[i].words[r] == LB_WORD_EXPLAINS &&
            lb_suspect_is_clean(f, &f->suspects[i]) && f->suspects[i].explained > 1)
            return false;
    return true;
}

static size_t seek(search *s, lb_arena *keep, lb_fault *found)
{
    lb_function *f = s->f;
    size_t open_count = 0, targets = 0, count = 0;
    for (size_t r = 0; r < f->failing_used; r++)
        open_count += s->open[r] = is_open_result(s, r);
    for (uint32_t k = 0; k < f->list.count; k++)
        s->may_join[k] = may_be_joined(&f->list.items[k]);
    if (open_count < LEAST_UNEXPLAINED)
        return 0;
    for (size_t i = 0; i < 2 * f->failing_used && targets < MOST_TARGETS && count == 0; i++) {
        size_t r = i % f->failing_used;
        /* those that none explains come first */
        bool is_turn = lb_result_is_explained(f, r) == (i >= f->failing_used);
        if (!s->open[r] || !is_turn || is_late(s))
            continue;
        targets++;
        seek_pairs(s, r);
        count_results(s);
        count = take_best(s, open_count, keep, found, count);
        if (count > 0 && f->result_bits[r] == 0)
            f->result_bits[r] = lb_suspect_bits_of(s->tried, s->explaining);
    }
    return count;
}

size_t lb_joint_find(lb_function *f, lb_evidence *e, double deadline, lb_arena *keep,
                     lb_fault found[LB_MOST_JOINT])
{
    search *s = lb_resized(NULL, sizeof *s);
    *s = (search){.f = f,
                  .e = e,
                  .deadline = deadline,
                  .open = lb_resized(NULL, f->failing_used + 1),
                  .may_join = lb_resized(NULL, f->list.count + 1),
                  .digest = lb_resized(NULL, (f->list.count + 1) * sizeof *s->digest)};
    size_t count = seek(s, keep, found);
    lb_look_end(&s->look);
    free(s->open);
    free(s->may_join);
    free(s->digest);
    free(s);
    return count;
}
