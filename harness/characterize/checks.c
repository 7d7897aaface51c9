/* Checks of statuses, of those that made-up cases break: see group.h. */
#include "harness/characterize/session.h"

#include "harness/base/clock.h"
#include "harness/call/model.h"
#include "harness/generate/random_case.h"

#include <stdio.h>
#include <string.h>

/* Checks that were asked for. */
typedef struct asked {
    const lb_rule *rules[64];
    unsigned count, lost; /* calls that gave no result */
} asked;

static bool is_asked(const asked *a, const lb_rule *rule)
{
    bool is = a->count == sizeof a->rules / sizeof a->rules[0];
    for (unsigned i = 0; i < a->count; i++)
        is = is || strcmp(a->rules[i]->name, rule->name) == 0;
    return is;
}

static void note(lb_character_group *g, const lb_rule *rule, lb_status due, const lb_left *left,
                 const char *trouble)
{
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
static bool ask_check(lb_group_session *s, asked *a, const lb_case *c, lb_arena *arena)
{
    const lb_context context = {.profile = s->asked};
    lb_instance *instance = lb_instance_of(c, arena);
    lb_ran ran = lb_model_call(&context, instance);
    const char *trouble = NULL;
    if (!ran.violated || ran.undefined != LB_SAID || instance->call.status == LB_OK ||
        is_asked(a, ran.violated))
        return false;
    a->rules[a->count++] = ran.violated;
    const lb_ask ask = {s->character, &s->evidence, s->end, &s->found->waited_seconds, arena};
    const lb_left *left = lb_ask_port(&ask, c, s->misalign, &trouble);
    s->found->calls++;
    a->lost += trouble != NULL;
    if (!trouble || s->port->failure)
        note(s->found, ran.violated, instance->call.status, trouble ? NULL : left, trouble);
    return true;
}

static unsigned count_checks(const lb_kernel *kernel)
{
    unsigned count = 0;
    for (const lb_rule *rule = kernel->rules; rule && rule->check; rule++)
        count += !lb_rule_is_undefined(rule);
    return count;
}

bool lb_group_ask_checks(lb_group_session *s, unsigned calls, double deadline)
{
    enum { CASES = 300, MOST_LOST = 2 };
    const lb_random_options options = {.seed = 77, .fault_one_in = 1, .small = true};
    const lb_kernel *kernel = s->functions[0];
    asked a = {.count = 0};
    (void)deadline; /* waiting for the port brings the end of all nearer */
    if (s->port->computes_only || lb_worked_seconds() >= *s->end)
        return false;
    s->found->check_count = count_checks(kernel);
    for (uint64_t i = 0;
         i < CASES && calls > 0 && a.lost < MOST_LOST && lb_worked_seconds() < *s->end; i++) {
        lb_arena arena = {0};
        lb_case *c = lb_arena_alloc(&arena, sizeof *c);
        if (kernel->returns_status && lb_random_case(kernel, &options, i, &arena, c))
            calls -= ask_check(s, &a, c, &arena);
        lb_arena_free(&arena);
    }
    return true;
}
