/* Failures that no fault of the bank explains: told by family, with what is known of them. */
#include "harness/base/xalloc.h"
#include "harness/diagnose/diagnosis.h"
#include "harness/diagnose/experiment.h"
#include "harness/diagnose/outside.h"
#include "harness/diagnose/probe.h"
#include "harness/diagnose/rows.h"
#include "harness/diagnose/where.h"
#include "harness/diagnose/work.h"
#include "harness/trial/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FACTS = 9 };

typedef struct unknown {
    lb_diagnosing *g;
    int family;              /* whose functions; -1: sequences of movement calls */
    const lb_kernel *kernel; /* of the smallest case; NULL: a sequence */
    lb_found_fault *found;
    const lb_tried *smallest;
    const char *where; /* what exactly the wrong elements have, in words; "": not known */
    const char *name;  /* ... where that are numbers: what is told by; NULL: they are none */
    uint64_t failing, passing;
} unknown;

static void add_fact(unknown *u, const char *fact)
{
    if (u->found->fact_count < MOST_FACTS)
        lb_diagnosis_fact(u->g, u->found, fact);
}

/* ---- Findings ---- */

/* What is told where no fault of the bank is. */
typedef enum finding {
    UNEXPLAINED,
    FIELD,
    OUTSIDE,
    UNWRITTEN,
    ELSEWHERE,
    PLACES,
    MADE_OF_OTHERS,
    NUMBERS,
    EXAMPLE,
    FINDINGS
} finding;

/* Its name is "group: what"; with `what` NULL what is known of it. */
static const struct {
    const char *group, *what, *look_for;
} findings[FINDINGS] = {
    [UNEXPLAINED] = {"unknown", NULL, ""},
    [FIELD] = {"writing", NULL, "fields set at the end of a kernel, and what it returns"},
    [OUTSIDE] = {"writing", NULL, "the last vector store of a row, loop bounds, pointers"},
    [UNWRITTEN] = {"extent", "leaves elements unwritten",
                   "loop bounds, tails of vector loops, early exits"},
    [ELSEWHERE] = {"writing", "writes elements to other places than theirs",
                   "the indices and strides by which results are stored"},
    [PLACES] = {"reading", NULL, "the indices and loop bounds by which operands are read"},
    [MADE_OF_OTHERS] = {"reading", NULL, "the indices and loop bounds by which operands are read"},
    [NUMBERS] = {"reading", NULL, "how the elements of the tensor are widened, split and packed"},
    [EXAMPLE] = {"reading", "weights meet other inputs than they should",
                 "the indices and loop bounds by which operands are read"},
};

/* An example, a rule over elements and other words of one case stand in the sentence, not in the
 * name: `what` is of the fault. `shown`: the same in numbers; NULL: it has none. */
static void tell(unknown *u, finding kind, const char *what, const char *sentence,
                 lb_certainty certainty, const int32_t *shown)
{
    u->found->name = lb_arena_printf(&u->g->d->arena, "%s: %s", findings[kind].group,
                                     findings[kind].what ? findings[kind].what : what);
    u->found->sentence = sentence;
    u->found->look_for = findings[kind].look_for;
    u->found->certainty = certainty;
    /* Of an example nobody knows what it is one of; nor of what nothing explains. */
    lb_identity *identity = lb_diagnosis_identity(u->g);
    memset(identity, 0, sizeof *identity);
    identity->what = kind == EXAMPLE || kind == UNEXPLAINED ? LB_FOUND_ALONE
                     : kind == PLACES                       ? LB_FOUND_PROBED
                                                            : LB_FOUND_SHOWN;
    identity->number[0] = (int32_t)kind;
    if (shown)
        memcpy(identity->number + 1, shown, LB_SHOWN_NUMBERS * sizeof *shown);
}

static int family_of(const lb_tried *t)
{
    return t->kernel ? (int)t->kernel->family : -1;
}

/* ---- Cases ---- */

/* The rule over all cases of the function, and whose results fail. */
static void tell_rule(unknown *u)
{
    const char *rule = u->kernel ? lb_diagnosis_rule(u->g, u->kernel) : NULL;
    if (rule)
        add_fact(u, lb_arena_printf(&u->g->d->arena, "it fails exactly where %s", rule));
}

static void tell_profiles(unknown *u)
{
    lb_diagnosing *g = u->g;
    uint64_t failing[LB_MAX_PROFILES] = {0};
    const char *names = "";
    size_t with = 0;
    for (size_t i = 0; i < g->e->count; i++)
        if (g->d->cause[i] == g->d->found_count && g->e->items[i].profile < LB_MAX_PROFILES)
            failing[g->e->items[i].profile]++;
    for (size_t p = 0; p < g->e->profile_count && p < LB_MAX_PROFILES; p++)
        if (failing[p] > 0 && ++with)
            names = lb_arena_printf(&g->d->arena, "%s%s%s", names, names[0] ? ", " : "",
                                    g->e->profiles[p]->name);
    if (with > 0 && with < g->e->profile_count)
        add_fact(u, lb_arena_printf(&g->d->arena, "it fails only in %s", names));
}

/* ---- Elements of the smallest case ---- */

typedef struct element_facts {
    uint64_t elements, wrong;
    int64_t least, most;                          /* of got - right */
    uint32_t low[LB_MAX_RANK], high[LB_MAX_RANK]; /* indices of the wrong ones */
} element_facts;

static void look_at_elements(const lb_left *left, const lb_instance *right,
                             const lb_left_output *out, element_facts *facts)
{
    const lb_layout *layout = &out->layout;
    facts->elements = out->count;
    for (size_t i = 0; i < facts->elements; i++) {
        size_t at = out->start + lb_layout_offset(layout, i), rest = i;
        int64_t by = (int64_t)lb_read_container(left->block + at, layout->element_bytes) -
                     lb_read_container(right->block + at, layout->element_bytes);
        if (by == 0)
            continue;
        facts->least = facts->wrong == 0 || by < facts->least ? by : facts->least;
        facts->most = facts->wrong == 0 || by > facts->most ? by : facts->most;
        for (unsigned d = layout->rank; d-- > 0;) {
            uint32_t index = (uint32_t)(rest % layout->shape[d]);
            rest /= layout->shape[d];
            facts->low[d] = facts->wrong == 0 || index < facts->low[d] ? index : facts->low[d];
            facts->high[d] = facts->wrong == 0 || index > facts->high[d] ? index : facts->high[d];
        }
        facts->wrong++;
    }
}

static void tell_where(unknown *u, const lb_layout *layout, const element_facts *facts)
{
    lb_arena *arena = &u->g->d->arena;
    for (unsigned d = 0; d < layout->rank && facts->wrong > 0; d++) {
        uint32_t low = facts->low[d], high = facts->high[d];
        if (layout->shape[d] < 2 || (low == 0 && high + 1 == layout->shape[d]))
            continue;
        const char *to = low == high ? "" : lb_arena_printf(arena, " to %u", high);
        add_fact(u, lb_arena_printf(arena,
                                    "in the smallest case wrong elements have index %u%s in "
                                    "dimension %u, which has %u",
                                    low, to, d, layout->shape[d]));
    }
}

static void tell_elements(unknown *u, const lb_tried *t)
{
    lb_look look = {.arena = {0}};
    const lb_fault_bench *bench = &look.bench;
    element_facts facts = {0};
    lb_left_output out;
    if (t->left && t->single && lb_look_at(&look, u->g->e, t) &&
        bench->memory.block_bytes == t->left->block_bytes) {
        if (lb_left_output_of(&bench->memory, LB_ROLE_OUT, &out))
            look_at_elements(t->left, &bench->right, &out, &facts);
        if (t->left->status != bench->right.call.status)
            add_fact(u, lb_arena_printf(&u->g->d->arena, "the check that counts there: %s",
                                        bench->violated ? bench->violated->name : "none"));
        if (facts.wrong > 0)
            add_fact(u, lb_arena_printf(&u->g->d->arena,
                                        "in the smallest case %" PRIu64 " of %" PRIu64
                                        " elements are wrong, by %" PRId64 " to %" PRId64,
                                        facts.wrong, facts.elements, facts.least, facts.most));
        if (facts.wrong > 0)
            tell_where(u, &out.layout, &facts);
    }
    lb_look_end(&look);
}

/* ---- Elements of many results ---- */

/* In how many results of the finding a field is wrong first, and no status; of how many all were
 * refused. */
typedef struct field_count {
    uint64_t all, wrong, refused;
} field_count;

static field_count count_fields(const lb_diagnosing *g)
{
    field_count n = {0, 0, 0};
    for (size_t i = 0; i < g->e->count; i++) {
        const lb_tried *t = &g->e->items[i];
        if (g->d->cause[i] != g->d->found_count)
            continue;
        n.all++;
        n.wrong += t->field && !t->other_status;
        n.refused += !t->left || t->left->status != LB_OK; /* of others it is not known */
    }
    return n;
}

/* Every byte is right, and the status, nearly always, or a field is wrong in most results; in calls
 * that are refused nobody looks at bytes. Then a field is not. */
static void tell_fields(unknown *u, const lb_outside *outside)
{
    enum { FEW_OF = 8, MOST_OF_FOUR = 3 }; /* few: what follows from the field */
    const field_count n = count_fields(u->g);
    const bool is_right_else = outside->wrong_elements * FEW_OF <= outside->looked &&
                               outside->wrong_statuses * FEW_OF <= outside->looked;
    if ((!is_right_else && n.wrong * 4 < n.all * MOST_OF_FOUR) || !u->found->differs[0] ||
        !u->smallest || !u->smallest->field)
        return;
    lb_arena *arena = &u->g->d->arena;
    const char *formula = lb_field_formula(u->g, (size_t)(u->smallest - u->g->e->items));
    const char *when = n.refused == n.all ? " in calls that it refuses" : "";
    const char *sentence =
        formula ? lb_arena_printf(arena, "sets %s to %s%s, in all results that fail: %s",
                                  u->smallest->field, formula, when, u->found->differs)
                : lb_arena_printf(arena, "gives another %s%s: %s", u->smallest->field, when,
                                  u->found->differs);
    tell(u, FIELD, u->smallest->field, sentence, LB_CERTAIN_PARTLY, NULL);
    lb_diagnosis_identity(u->g)->field = u->smallest->field;
}

static void tell_outside(unknown *u, const lb_outside *outside)
{
    enum { MANY_TO_ONE = 64 };
    const char *words = lb_outside_words(outside, &u->g->d->arena);
    if (!words) {
        tell_fields(u, outside);
        return;
    }
    /* What is written there is seen; what elements are made of follows from it. */
    const int32_t told = lb_diagnosis_identity(u->g)->number[0];
    const bool is_guess = told == MADE_OF_OTHERS || told == EXAMPLE || told == UNEXPLAINED;
    if (outside->wrong_elements > (is_guess ? MANY_TO_ONE * outside->bytes : 0)) {
        add_fact(u, lb_arena_printf(&u->g->d->arena, "beside, it %s", words));
        return;
    }
    const int32_t shown[LB_SHOWN_NUMBERS] = {(int32_t)lb_outside_where(outside),
                                             outside->one_value ? 1 + outside->value : 0,
                                             (int32_t)outside->farthest};
    tell(u, OUTSIDE, words, words, LB_CERTAIN_PARTLY, shown);
}

/* The numbers are right, and stand in each other's places. */
static void tell_moved(unknown *u, const lb_rows *rows, const char *rule)
{
    enum { LEAST_MOVED = 8 };
    if (rows->moved < LEAST_MOVED || rows->moved * 10 < rows->wrong * 9 ||
        u->found->certainty != LB_CERTAIN_UNKNOWN)
        return;
    tell(u, ELSEWHERE, NULL,
         lb_arena_printf(&u->g->d->arena, "%s: wrong ones are the right ones in another order%s%s",
                         findings[ELSEWHERE].what, rule ? ", where " : "", rule ? rule : ""),
         LB_CERTAIN_PARTLY, NULL);
}

/* Elements that were not written at all. Where others are wrong as well it is no matter of what
 * they are made of: what belongs into the ones stands in the others, or outside. */
static void tell_stale(unknown *u, const lb_rows *rows, const char *rule)
{
    enum { LEAST_STALE = 3, ELSEWHERE_ONE_IN = 4 };
    lb_arena *arena = &u->g->d->arena;
    const bool is_lost = rows->stale * 10 >= rows->wrong * 9;
    const bool is_elsewhere = !rule && rows->stale * ELSEWHERE_ONE_IN >= rows->wrong &&
                              u->found->certainty != LB_CERTAIN_ONE;
    if (rows->stale < LEAST_STALE || !(is_lost || is_elsewhere))
        return;
    if (is_lost)
        tell(u, UNWRITTEN, NULL,
             lb_arena_printf(arena, "leaves elements as memory was before the call%s%s",
                             rule ? ": where " : "", rule ? rule : ""),
             LB_CERTAIN_PARTLY, NULL);
    else
        tell(u, ELSEWHERE, NULL,
             lb_arena_printf(arena,
                             "%s: of %" PRIu64 " wrong ones %" PRIu64
                             " are as memory was before the call",
                             findings[ELSEWHERE].what, rows->wrong, rows->stale),
             LB_CERTAIN_PARTLY, NULL);
}

/* The smallest failing case, and the same with other numbers, on the port: a rule that they do not
 * follow is none, and numbers in steps of one meet both sides of a limit. */
static void take_neighbours(unknown *u, lb_rows *rows, lb_arena *arena)
{
    enum { RAMPS = 14, STEP = 19 };
    lb_diagnosing *g = u->g;
    const lb_case *from = u->smallest ? lb_evidence_case(g->e, u->smallest) : NULL;
    const lb_case_operand *in = from ? &from->operand[LB_ROLE_IN] : NULL;
    const lb_profile *profile = from ? g->e->profiles[u->smallest->profile] : NULL;
    bool can = from && from->kernel && u->smallest->single && from->chain.steps == 0 &&
               in->present && !in->is_list && in->tensors[0].has_data &&
               in->tensors[0].type != LB_FP32;
    for (int k = 0; can && k < RAMPS && g->d->experiments < LB_MOST_EXPERIMENTS; k++) {
        lb_case *c = lb_asking_case(from, arena);
        lb_case_tensor *t = &c->operand[LB_ROLE_IN].tensors[0];
        lb_fault_bench *bench = lb_arena_alloc(arena, sizeof *bench);
        bool passed;
        t->may_be_uniform = false;
        for (size_t i = 0; i < t->data.count; i++)
            t->data.items[i] = -128 + (int32_t)(((size_t)(k * STEP) + i) % 256);
        const lb_left *left =
            lb_evidence_try(g->e, c, profile, g->e->misalign, bench, arena, &passed);
        g->d->experiments++;
        if (left || passed)
            lb_rows_take(rows, bench, passed ? NULL : left, true);
        lb_arena_reset(arena);
    }
}

/* The rule by values of elements alone, or by all else: where both tell the same, it may be either.
 */
static const char *rule_of(const lb_rows *rows, bool values, const lb_case *c, lb_arena *arena)
{
    lb_features *kept = lb_resized(NULL, (rows->count + 1) * sizeof *kept);
    for (size_t i = 0; i < rows->count; i++) {
        kept[i] = rows->items[i];
        lb_features_keep(&kept[i], values);
    }
    const char *rule = lb_rule_find(kept, rows->count, c, arena);
    free(kept);
    return rule;
}

/* The rule over elements of the function, and whose are wrong; what is written outside of them. */
static void tell_all_elements(unknown *u)
{
    lb_diagnosing *g = u->g;
    lb_rows rows = {.items = lb_resized(NULL, LB_MOST_ROWS * sizeof *rows.items)};
    lb_outside outside = {.bytes = 0};
    lb_look look = {.arena = {0}};
    const lb_tried *last = NULL;
    double now = lb_work_seconds(g->e), end = now + 1.5;
    take_neighbours(u, &rows, &look.arena);
    rows.stale = rows.wrong = rows.moved = 0; /* of suites alone it is told what was not written */
    for (size_t n = 0; n <= g->e->count && rows.count < LB_MOST_ROWS; n++) {
        /* the smallest first: it is shown, and a rule must hold for it */
        size_t i = n > 0 ? n - 1 : u->smallest ? (size_t)(u->smallest - g->e->items) : 0;
        const lb_tried *t = &g->e->items[i];
        bool failed = g->d->cause[i] == g->d->found_count && t->left;
        if (n > 0 && t == u->smallest)
            continue;
        if (t->kernel != u->kernel || !t->single || (!failed && t->verdict != LB_PASS) ||
            lb_work_seconds(g->e) > end || !lb_look_at(&look, g->e, t))
            continue;
        last = t;
        lb_rows_take(&rows, &look.bench, failed ? t->left : NULL, true);
        if (failed)
            lb_outside_look(&outside, &look.bench, t->left);
    }
    const lb_case *c = last ? lb_evidence_case(g->e, last) : NULL;
    const char *rule = c ? lb_rule_find(rows.items, rows.count, c, &g->d->arena) : NULL;
    u->where = rule ? rule : "";
    if (rule)
        add_fact(u,
                 lb_arena_printf(&g->d->arena, "exactly those elements are wrong where %s", rule));
    const char *of_values = rule ? rule_of(&rows, true, c, &g->d->arena) : NULL;
    u->name = of_values && !rule_of(&rows, false, c, &g->d->arena)
                  ? lb_arena_printf(&g->d->arena, "value: %s", of_values)
                  : NULL;
    tell_stale(u, &rows, rule);
    tell_moved(u, &rows, rule);
    tell_outside(u, &outside);
    lb_look_end(&look);
    free(rows.items);
}

/* ---- Results that are looked at closer ---- */

/* What a case shows to probes, 0: it cannot be probed with few calls. *shape: the same for the same
 * extents. */
static unsigned geometry_of(const lb_case *c, uint64_t *shape)
{
    static const lb_role roles[] = {LB_ROLE_WEIGHTS, LB_ROLE_OUT, LB_ROLE_IN};
    enum { CHEAP_CALLS = 60 };
    const unsigned calls = lb_probe_calls(c);
    unsigned show = 2;
    *shape = 0;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        const lb_case_operand *operand = &c->operand[roles[i]];
        const lb_case_tensor *t = operand->present ? &operand->tensors[0] : NULL;
        if (!t || operand->is_list || c->null_role[roles[i]] || calls == 0)
            return 0;
        for (unsigned d = 0; d < t->rank && d < LB_MAX_RANK; d++) {
            show += t->shape[d] > 1;
            *shape = *shape * 4099 + t->shape[d];
        }
    }
    return show - (calls > CHEAP_CALLS) - (calls > 2 * CHEAP_CALLS);
}

enum { MOST_LISTENED = 14, MOST_MARKED = 2, PROBED_FAILING = 12, PROBED_PASSING = 2 };

typedef enum purpose { FOR_STEPS, FOR_SOURCES, FOR_PROBES } purpose;

typedef struct choice {
    unsigned show; /* more stand first */
    uint64_t like; /* of those that are alike in this one is chosen: the case, size, geometry */
    uint64_t size; /* then smaller ones */
    uint32_t item;
} choice;

static void choose(choice *list, size_t *count, size_t most, const choice *c)
{
    size_t at = *count;
    for (size_t i = 0; i < *count; i++)
        if (list[i].like == c->like)
            return;
    while (at > 0 && (c->show > list[at - 1].show ||
                      (c->show == list[at - 1].show && c->size < list[at - 1].size)))
        at--;
    choice *chosen = lb_room_at(list, sizeof *list, count, most, at);
    if (chosen)
        *chosen = *c;
}

static size_t choose_items(unknown *u, purpose why, bool failing, size_t most, uint32_t *items)
{
    lb_diagnosing *g = u->g;
    choice chosen[MOST_LISTENED];
    size_t count = 0;
    for (size_t i = 0; i < g->e->count; i++) {
        const lb_tried *t = &g->e->items[i];
        choice c = {1, why == FOR_STEPS ? t->case_number : t->size, 0, (uint32_t)i};
        for (uint64_t size = t->size; why != FOR_PROBES && size >= 4; size /= 4)
            c.size++; /* about as large is as good */
        const bool is_of_kernel = t->kernel == u->kernel || (failing && why == FOR_PROBES);
        const bool fits =
            failing ? g->d->cause[i] == g->d->found_count && t->left : t->verdict == LB_PASS;
        if (!fits || !is_of_kernel || !t->single)
            continue;
        const lb_case *probed = why == FOR_PROBES ? lb_evidence_case(g->e, t) : NULL;
        if (why == FOR_PROBES) {
            c.show = probed ? geometry_of(probed, &c.like) : 0;
            c.size = t->size;
        }
        if (c.show > 0)
            choose(chosen, &count, most, &c);
    }
    for (size_t i = 0; i < count; i++)
        items[i] = chosen[i].item;
    return count;
}

/* ---- Steps ---- */

static void tell_steps(unknown *u)
{
    lb_diagnosing *g = u->g;
    uint32_t failing[MOST_LISTENED], passing[MOST_LISTENED];
    lb_where where;
    double now = lb_work_seconds(g->e), end = now + (g->deadline - now) / 3;
    if (!u->kernel || !u->kernel->exact)
        return;
    lb_where_find(&where, g->e, failing, choose_items(u, FOR_STEPS, true, MOST_LISTENED, failing),
                  passing, choose_items(u, FOR_STEPS, false, MOST_LISTENED, passing),
                  end < now + 0.2 ? now + 0.2 : end, &g->d->arena);
    if (where.count > 0 && !u->where[0]) {
        u->where = where.words[0];
        u->name = where.sum ? lb_arena_printf(&g->d->arena, "accumulator.range at %s", where.sum)
                            : lb_arena_printf(&g->d->arena, "value: %s", u->where);
    }
    for (unsigned i = 0; i < where.count; i++)
        add_fact(u, lb_arena_printf(&g->d->arena, "exactly those elements are wrong where: %s",
                                    where.words[i]));
    if (where.count > 0 && where.section)
        u->found->section = where.section;
    if (where.count > 0 && !u->found->look_for[0])
        u->found->look_for = where.look_for;
}

/* ---- Probes ---- */

/* Of the calls that are still allowed. */
static lb_asking asking_of(lb_diagnosing *g, unsigned most, double seconds)
{
    const uint64_t made = g->d->experiments;
    const uint64_t left = made < LB_MOST_EXPERIMENTS ? LB_MOST_EXPERIMENTS - made : 0;
    return (lb_asking){.evidence = g->e,
                       .most_calls = left < most ? (unsigned)left : most,
                       .deadline = lb_work_seconds(g->e) + seconds,
                       .arena = &g->d->arena};
}

/* Which elements are met is seen on small failing results, each of another geometry; with weights
 * on a few that pass as well. */
static lb_probed probe(unknown *u, lb_probing *probing, bool has_weights)
{
    enum { MOST_CALLS_OF_WEIGHTS = 160, MOST_CALLS = 100 };
    uint32_t items[PROBED_FAILING + PROBED_PASSING];
    const purpose why = has_weights ? FOR_PROBES : FOR_SOURCES;
    const size_t failing =
        choose_items(u, why, true, has_weights ? PROBED_FAILING : MOST_MARKED, items);
    const size_t passing = has_weights && failing > 0
                               ? choose_items(u, why, false, PROBED_PASSING, items + failing)
                               : 0;
    probing->asking =
        asking_of(u->g, has_weights ? MOST_CALLS_OF_WEIGHTS : MOST_CALLS, has_weights ? 4 : 2);
    const lb_probed probed = has_weights ? lb_probe(probing, items, failing, failing + passing)
                                         : lb_probe_sources(probing, items, failing);
    u->g->d->experiments += probing->asking.calls;
    return probed;
}

static void tell_probe(unknown *u)
{
    const bool has_weights = u->kernel->weights_type != 0;
    lb_arena *arena = &u->g->d->arena;
    lb_probing probing = {.how = ""};
    const lb_probed probed = probe(u, &probing, has_weights);
    const lb_index_map_told *told = &probing.told;
    const bool is_wrong = probed == LB_PROBED_WRONG;
    if (probed == LB_PROBED_NUMBERS) {
        tell(u, NUMBERS, "", told->words, LB_CERTAIN_PARTLY,
             (int32_t[LB_SHOWN_NUMBERS]){(int32_t)probing.role});
        u->found->name = lb_arena_printf(arena, "reading.number at %s", lb_role_name(probing.role));
    } else if (is_wrong && told->words) {
        /* The rule was seen in one geometry: the place of the fault is known, its extent is not. */
        tell(u, has_weights ? PLACES : MADE_OF_OTHERS, told->words, told->words, LB_CERTAIN_PARTLY,
             told->shown);
    } else if (is_wrong) {
        tell(u, EXAMPLE, NULL,
             lb_arena_printf(arena, "%s: %s", findings[EXAMPLE].what, told->example),
             LB_CERTAIN_PARTLY, NULL);
    }
    if (probed == LB_PROBED_NUMBERS || is_wrong)
        add_fact(u, lb_arena_printf(arena, "%s show it", probing.how));
    u->g->d->meaning[u->g->d->found_count - 1].in_vain = is_wrong && told->in_vain;
    if (is_wrong && (told->words || !has_weights))
        add_fact(u, told->example);
    if (probed == LB_PROBED_RIGHT)
        add_fact(u, lb_arena_printf(arena, "%s: %s, so the fault lies in the numbers", probing.how,
                                    probing.what));
}

/* ---- The family ---- */

static const lb_tried *claim_family(unknown *u)
{
    lb_diagnosing *g = u->g;
    const lb_tried *smallest = NULL;
    for (size_t i = 0; i < g->e->count; i++) {
        const lb_tried *t = &g->e->items[i];
        if (family_of(t) != u->family)
            continue;
        u->passing += t->verdict == LB_PASS;
        if (!lb_tried_failed(t) || g->d->cause[i] != 0)
            continue;
        lb_diagnosis_claim(g, (uint32_t)i);
        smallest = !smallest || t->size < smallest->size ? t : smallest;
        u->failing++;
    }
    return smallest;
}

/* Nothing better was found, an example at most, than a fault of the bank that goes with much of it.
 * Where more speaks against it than it explains it is no name, but a fact. */
static void tell_near(unknown *u)
{
    enum { EXACT_ONE_IN = 4, AGAINST_TIMES = 2 };
    const lb_theory *near = lb_diagnosis_near(u->g, u->family);
    const bool is_example = lb_diagnosis_identity(u->g)->number[0] == EXAMPLE;
    if (!near ||
        (u->found->certainty != LB_CERTAIN_UNKNOWN && !(is_example && near->near == LB_NEAR_MAKES)))
        return;
    const lb_standing said = lb_theory_standing(near);
    if (u->name && /* a rule over values is as likely */
        (said.exact * EXACT_ONE_IN < said.in_part || said.against > AGAINST_TIMES * said.exact))
        return;
    if (said.against > said.exact && near->near == LB_NEAR_IN_PART) {
        add_fact(u, lb_arena_printf(&u->g->d->arena,
                                    "it looks in part as if the port %s, but %" PRIu64
                                    " results contradict that",
                                    lb_fault_sentence(lb_theory_fault(near), &u->g->d->arena),
                                    said.against));
        return;
    }
    lb_diagnosis_name(u->g, near);
    u->found->certainty = LB_CERTAIN_PARTLY;
    u->found->condition = u->where;
}

static void tell_family(lb_diagnosing *g, int family)
{
    unknown u = {.g = g, .family = family, .where = "", .found = lb_diagnosis_add(g)};
    if (!u.found)
        return;
    tell(&u, UNEXPLAINED, lb_family_name(family < 0 ? LB_FAMILY_MOV : (lb_family)family),
         g->late ? "not explained: the effort was spent before all faults were tried"
                 : "no fault of the catalogue explains it",
         LB_CERTAIN_UNKNOWN, NULL);
    const lb_tried *t = claim_family(&u);
    u.kernel = t ? t->kernel : NULL;
    u.smallest = t;
    lb_diagnosis_place(g);
    add_fact(&u, lb_arena_printf(&g->d->arena, "%" PRIu64 " results fail, %" PRIu64 " pass",
                                 u.failing, u.passing));
    tell_rule(&u);
    tell_profiles(&u);
    if (u.kernel && u.kernel->exact) {
        tell_probe(&u);
        tell_all_elements(&u);
    }
    tell_near(&u);
    tell_steps(&u);
    if (t)
        tell_elements(&u, t);
    if (u.name && u.found->certainty == LB_CERTAIN_UNKNOWN)
        u.found->name = u.name;
    if (u.where[0] && u.found->certainty == LB_CERTAIN_UNKNOWN)
        u.found->sentence =
            lb_arena_printf(&g->d->arena, "%s; wrong are exactly the elements where %s",
                            u.found->sentence, u.where);
}

void lb_diagnose_unknown(lb_diagnosing *g)
{
    for (size_t i = 0; i < g->e->count && lb_diagnosis_has_room(g); i++)
        if (lb_tried_failed(&g->e->items[i]) && g->d->cause[i] == 0)
            tell_family(g, family_of(&g->e->items[i]));
}
