/* Profiles held against a port, function by function: see by_profile.h. */
#include "harness/characterize/by_profile.h"
#include "harness/base/clock.h"
#include "harness/call/model.h"
#include "harness/characterize/ask.h"
#include "harness/generate/random_case.h"
#include "harness/port/provided.h"

#include <stdio.h>
#include <string.h>

enum { SEED = 4051, CALLS = 12, TURNS_TELLING = 10, CANDIDATES = 16, MOST_PROFILES = 8 };

typedef struct session {
    lb_character *character;
    const lb_kernel_set *set;
    lb_evidence evidence; /* room for calls */
    lb_arena arena;       /* of the call at hand */
    double end;
    unsigned asked_again; /* calls of the function at hand */
} session;

/* What a profile gives of all that was called. */
typedef struct tally {
    unsigned calls, calls_wrong;
    uint64_t elements, wrong;
} tally;

bool lb_character_is_by_profile(const lb_character *character)
{
    return !lb_kernel_sets[character->asked->set]->has_features;
}

/* ---- Calls that tell ---- */

static lb_instance *instance_of(session *s, const lb_case *c)
{
    const lb_memory_options layout = {.misaligned = s->character->misalign};
    lb_call_memory *memory = lb_arena_alloc(&s->arena, sizeof *memory);
    lb_instance *instance = lb_arena_alloc(&s->arena, sizeof *instance);
    lb_call_memory_make_as(memory, c, &layout, &s->arena);
    lb_instance_make(instance, memory, &s->arena);
    return instance;
}

/* What a profile gives. */
static void run(const session *s, size_t profile, lb_instance *instance)
{
    const lb_context context = {.profile = &s->set->profiles[profile]};
    lb_instance_reset(instance);
    lb_model_call(&context, instance);
}

/* How many elements differ between the profiles: that is where sums lie on halves, or beside them.
 */
static uint64_t told_apart(session *s, const lb_case *c)
{
    lb_instance *model = instance_of(s, c);
    uint64_t apart = 0;
    run(s, 0, model);
    const lb_left *first = lb_left_copy(model, &s->arena);
    for (size_t p = 1; p < s->set->profile_count; p++) {
        run(s, p, model);
        apart += lb_left_count(first, model, model).wrong;
    }
    return apart;
}

static bool make(session *s, const lb_kernel *kernel, unsigned number, lb_case *c)
{
    const lb_random_options options = {.seed = SEED, .small = number % 2 != 0};
    lb_arena_reset(&s->arena);
    return lb_random_case(kernel, &options, number, &s->arena, c);
}

/* The case of the next candidates that tells most; false: none tells anything. */
static bool telling_case(session *s, const lb_kernel *kernel, unsigned turn, lb_case *c)
{
    uint64_t most = 0;
    unsigned best = 0;
    for (unsigned number = turn * CANDIDATES; number < (turn + 1) * CANDIDATES; number++) {
        const uint64_t apart = make(s, kernel, number, c) ? told_apart(s, c) : 0;
        best = apart > most ? number : best;
        most = apart > most ? apart : most;
    }
    return most > 0 && make(s, kernel, best, c);
}

/* ---- One function ---- */

/* False: no profile gives it. */
static bool hold(session *s, const lb_case *c, const lb_left *left, tally tallies[])
{
    lb_instance *model = instance_of(s, c);
    bool any = false;
    for (size_t p = 0; p < s->set->profile_count; p++) {
        run(s, p, model);
        const lb_left_counts counts = lb_left_count(left, model, model);
        const bool agrees = lb_left_equals(left, model);
        tallies[p].calls++;
        tallies[p].elements += counts.elements;
        tallies[p].wrong += counts.wrong;
        tallies[p].calls_wrong += !agrees;
        any = any || agrees;
    }
    return any;
}

static const lb_left *ask(session *s, lb_character_group *g, const lb_case *c)
{
    const lb_ask ask = {s->character, &s->evidence, &s->end, &g->waited_seconds, &s->arena};
    const char *trouble = NULL;
    const lb_left *left = lb_ask_port(&ask, c, s->character->misalign, &trouble);
    g->calls++;
    if (!left)
        snprintf(g->reason, sizeof g->reason, "%s (%s)", trouble ? trouble : "no result", c->id);
    return left;
}

/* One call, and the first few that no profile gives once more. False: it gave no result, or
 * another. */
static bool call(session *s, lb_character_group *g, const lb_case *c, tally tallies[])
{
    enum { MOST_AGAIN = 3 }; /* one whose outputs are all at a limit says nothing */
    const lb_left *left = ask(s, g, c), *again;
    if (!left)
        return false;
    if (hold(s, c, left, tallies) || s->asked_again == MOST_AGAIN)
        return true;
    s->asked_again++;
    again = ask(s, g, c);
    if (!again || memcmp(again->block, left->block, left->block_bytes) == 0)
        return again != NULL;
    g->settled = LB_UNKNOWN_CHANGES;
    snprintf(g->reason, sizeof g->reason, "the same call gave two results (%s)", c->id);
    return false;
}

static void judge(const session *s, lb_character_group *g, const tally tallies[])
{
    size_t nearest = 0, exact = 0;
    for (size_t p = 0; p < s->set->profile_count; p++) {
        exact += tallies[p].calls_wrong == 0;
        if (tallies[p].calls_wrong == 0 ? !g->numerics : tallies[p].wrong < tallies[nearest].wrong)
            nearest = p;
        if (tallies[p].calls_wrong == 0 && !g->numerics)
            g->numerics = &s->set->profiles[p];
    }
    g->in_all_profiles = exact == s->set->profile_count;
    g->settled = g->numerics ? LB_SETTLED : LB_UNKNOWN_NONE;
    const tally *t = &tallies[nearest];
    if (!g->numerics)
        snprintf(g->reason, sizeof g->reason,
                 "no profile gives its bits; nearest: %s, of whose %llu elements %llu are others, "
                 "in %u of %u calls; lastbit diagnose looks for the mistake",
                 s->set->profiles[nearest].name, (unsigned long long)t->elements,
                 (unsigned long long)t->wrong, t->calls_wrong, t->calls);
}

/* Calls that the profiles tell apart; where there are none, and in the end, any. */
static void try_function(session *s, lb_character_group *g, unsigned calls, double deadline)
{
    tally tallies[MOST_PROFILES] = {{0}};
    lb_case c;
    bool good = true;
    s->asked_again = 0;
    calls = calls < CALLS ? calls : CALLS;
    g->settled = LB_UNKNOWN_FAILED;
    snprintf(g->reason, sizeof g->reason,
             "no call or no time was left for it: --calls and --seconds give more");
    for (unsigned turn = 0; good && g->calls < calls && lb_worked_seconds() < deadline; turn++)
        if ((turn + 1 < TURNS_TELLING && telling_case(s, g->function, turn, &c)) ||
            make(s, g->function, turn, &c))
            good = call(s, g, &c, tallies);
    if (good && g->calls > 0)
        judge(s, g, tallies);
    g->called_count = g->calls > 0;
}

/* ---- All ---- */

static void list_functions(lb_character *character, const lb_kernel_set *set)
{
    for (size_t i = 0; i < *set->kernel_count && character->count < LB_MOST_GROUPS; i++) {
        const lb_kernel *k = &set->kernels[i];
        if (character->wanted[k->family] && character->port->provides(character->port, k) &&
            lb_function_is_tried(k))
            character->groups[character->count++] =
                (lb_character_group){.family = (int)k->family, .function = k, .function_count = 1};
    }
}

void lb_characterize_by_profile(lb_character *character)
{
    const double start = lb_worked_seconds();
    double waited = 0;
    session s = {.character = character,
                 .set = lb_kernel_sets[character->asked->set],
                 .end = start + character->seconds};
    list_functions(character, s.set);
    for (size_t i = 0; i < character->count; i++) {
        lb_character_group *g = &character->groups[i];
        const unsigned functions_left = (unsigned)(character->count - i);
        const double now = lb_worked_seconds();
        try_function(&s, g, (character->most_calls - character->calls) / functions_left,
                     now + 2 * (s.end - now) / functions_left);
        character->calls += g->calls;
        waited += g->waited_seconds;
    }
    character->profile = *character->asked;
    character->cut_short = lb_worked_seconds() > s.end;
    character->spent_seconds = lb_worked_seconds() - start + waited;
    lb_evidence_free(&s.evidence);
    lb_arena_free(&s.arena);
}

/* ---- For people ---- */

static const char *name_of(const lb_character_group *g)
{
    return g->settled != LB_SETTLED ? "unknown"
           : g->in_all_profiles     ? "all profiles give its bits"
                                    : g->numerics->name;
}

/* The functions of a family of which the same is known stand in one line. */
static void put_family(lb_doc *doc, const lb_character *character, size_t first)
{
    const lb_character_group *g = &character->groups[first];
    unsigned functions = 0, calls = 0, of = 0;
    for (size_t i = 0; i < character->count; i++) {
        const lb_character_group *other = &character->groups[i];
        if (other->family != g->family)
            continue;
        of++;
        if (name_of(other) != name_of(g))
            continue;
        if (i < first)
            return;
        functions++;
        calls += other->calls;
    }
    lb_doc_printf(doc, "%s: %s (%u of %u functions, %u calls)\n",
                  lb_family_name((lb_family)g->family), name_of(g), functions, of, calls);
    for (size_t i = first; of > functions && i < character->count; i++)
        if (character->groups[i].family == g->family &&
            name_of(&character->groups[i]) == name_of(g))
            lb_doc_printf(doc, "    %s\n", character->groups[i].function->name);
}

void lb_character_profiles_text(lb_doc *doc, const lb_character *character)
{
    const char *all = NULL;
    for (size_t i = 0; i < character->count; i++) {
        const lb_character_group *g = &character->groups[i];
        if (g->settled == LB_SETTLED)
            put_family(doc, character, i);
        else
            lb_doc_printf(doc, "%s: unknown: %s\n", g->function->name, g->reason);
        if (g->settled == LB_SETTLED && !g->in_all_profiles)
            all = !all || all == name_of(g) ? name_of(g) : "several profiles, see above";
    }
    lb_doc_printf(doc, "characterized as: %s\n%u calls, %.1f seconds\n", all ? all : "unknown",
                  character->calls, character->spent_seconds);
    if (character->cut_short)
        lb_doc_puts(doc, "the time was up before all was found out: --seconds gives more\n");
}

unsigned lb_character_profiles_against(lb_doc *doc, const lb_character *character,
                                       const lb_profile *other)
{
    unsigned differences = 0;
    for (size_t i = 0; i < character->count; i++) {
        const lb_character_group *g = &character->groups[i];
        if (g->settled != LB_SETTLED || g->in_all_profiles ||
            strcmp(g->numerics->name, other->name) == 0)
            continue;
        lb_doc_printf(doc, "%s departs from %s: it is %s\n", g->function->name, other->name,
                      g->numerics->name);
        differences++;
    }
    if (differences == 0)
        lb_doc_printf(doc, "nothing that was settled departs from %s\n", other->name);
    return differences;
}
