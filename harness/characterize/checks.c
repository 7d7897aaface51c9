/* Checks of statuses: see checks.h. */
#include "harness/characterize/checks.h"

#include "harness/base/clock.h"
#include "harness/call/model.h"
#include "harness/characterize/ask.h"
#include "harness/characterize/group.h"
#include "harness/generate/random_case.h"

#include <stdio.h>
#include <string.h>

typedef struct session {
    const lb_character *character;
    lb_character_group *group;
    const lb_kernel *kernel;
    lb_evidence evidence; /* room for calls */
    double *end;
    const lb_rule *asked[64];
    unsigned asked_count, lost;
} session;

static bool is_asked(const session *s, const lb_rule *rule)
{
    bool asked = s->asked_count == sizeof s->asked / sizeof s->asked[0];
    for (unsigned i = 0; i < s->asked_count; i++)
        asked = asked || strcmp(s->asked[i]->name, rule->name) == 0;
    return asked;
}

static void note(session *s, const lb_rule *rule, lb_status due, const lb_left *left,
                 const char *trouble)
{
    lb_character_group *g = s->group;
    bool made = left && left->status == due;
    g->checks_asked++;
    g->checks_made += made;
    if (made || g->unchecked_count == LB_MOST_UNCHECKED)
        return;
    lb_unchecked *u = &g->unchecked[g->unchecked_count++];
    u->rule = rule->name;
    u->due = due;
    snprintf(u->given, sizeof u->given, "%s", left ? lb_status_name((int)left->status) : trouble);
}

/* One call, where the exact model refuses this case by a check that was not asked for. */
static bool ask_check(session *s, const lb_case *c, lb_arena *arena)
{
    const lb_context context = {.profile = s->character->asked};
    lb_instance *instance = lb_instance_of(c, arena);
    lb_ran ran = lb_model_call(&context, instance);
    const char *trouble = NULL;
    if (!ran.violated || ran.undefined != LB_SAID || instance->call.status == LB_OK ||
        is_asked(s, ran.violated))
        return false;
    s->asked[s->asked_count++] = ran.violated;
    const lb_ask ask = {s->character, &s->evidence, s->end, &s->group->waited_seconds, arena};
    const lb_left *left = lb_ask_port(&ask, c, s->character->misalign, &trouble);
    s->group->calls++;
    s->lost += trouble != NULL;
    if (!trouble || s->character->port->failure)
        note(s, ran.violated, instance->call.status, trouble ? NULL : left, trouble);
    return true;
}

static unsigned count_checks(const lb_kernel *kernel)
{
    unsigned count = 0;
    for (const lb_rule *rule = kernel->rules; rule && rule->check; rule++)
        count += !lb_rule_is_undefined(rule);
    return count;
}

void lb_checks_ask(const lb_character *character, lb_character_group *group, unsigned calls,
                   double *end)
{
    enum { CASES = 300, MOST_LOST = 2 };
    const lb_random_options options = {.seed = 77, .fault_one_in = 1, .small = true};
    const lb_kernel *functions[LB_MOST_GROUP_FUNCTIONS];
    session s = {.character = character, .group = group, .end = end};
    if (character->port->computes_only ||
        lb_group_functions(character->port, group->family, group->types, functions) == 0)
        return;
    s.kernel = functions[0];
    group->check_count = count_checks(s.kernel);
    for (uint64_t i = 0; i < CASES && calls > 0 && s.lost < MOST_LOST && lb_worked_seconds() < *end;
         i++) {
        lb_arena arena = {0};
        lb_case *c = lb_arena_alloc(&arena, sizeof *c);
        if (s.kernel->returns_status && lb_random_case(s.kernel, &options, i, &arena, c))
            calls -= ask_check(&s, c, &arena);
        lb_arena_free(&arena);
    }
    lb_evidence_free(&s.evidence);
}
