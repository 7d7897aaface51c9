/* Experiments on one family: see group.h. */
#include "harness/characterize/group.h"
#include "harness/characterize/session.h"

#include "harness/base/xalloc.h"
#include "harness/characterize/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t lb_group_functions(const lb_port *port, int family, lb_types types,
                          const lb_kernel *functions[LB_MOST_GROUP_FUNCTIONS])
{
    size_t count = 0;
    for (size_t i = 0; i < lb_kernel_count; i++) {
        const lb_kernel *k = &lb_kernels[i];
        if ((int)k->family != family || lb_types_of(k) != types || !k->exact ||
            !port->provides(port, k) || count == LB_MOST_GROUP_FUNCTIONS)
            continue;
        bool plain = k->special == LB_SPECIAL_NONE && count > 0;
        functions[count++] = k;
        if (plain && functions[0]->special != LB_SPECIAL_NONE) {
            functions[count - 1] = functions[0];
            functions[0] = k;
        }
    }
    return count;
}
lb_group_session *lb_group_open(const lb_character *character, lb_found_before *before, double *end,
                                lb_character_group *found)
{
    lb_group_session *s = lb_resized(NULL, sizeof *s);
    *s = (lb_group_session){.character = character,
                            .port = character->port,
                            .asked = character->asked,
                            .misalign = character->misalign,
                            .before = before,
                            .end = end,
                            .found = found};
    s->function_count =
        lb_group_functions(character->port, found->family, found->types, s->functions);
    found->function_count = (unsigned)s->function_count;
    found->settled = LB_UNKNOWN_FAILED;
    snprintf(found->reason, sizeof found->reason,
             "no call or no time was left for it: --calls and --seconds give more");
    lb_group_make(&s->group, found->family, found->types, character->asked);
    return s;
}
/* What several choices together leave open. */
static void note_together(lb_group_session *s)
{
    lb_character_group *g = s->found;
    g->untold_count = 0;
    for (size_t i = 0; i < s->rivals.count; i++)
        for (int f = 0; f < LB_FEATURE_COUNT; f++) {
            uint8_t value = s->rivals.items[i].features.value[f];
            bool is_known =
                s->rivals.items[i].feature != LB_FEATURE_COUNT || value == g->features.value[f];
            for (size_t k = 0; k < g->untold_count; k++)
                is_known =
                    is_known || ((int)g->untold[k].feature == f && g->untold[k].value == value);
            if (!is_known && g->untold_count < LB_MOST_UNTOLD / 2)
                g->untold[g->untold_count++] = (lb_untold){(lb_feature)f, value, true};
        }
}

bool lb_group_explore(lb_group_session *s, unsigned calls, double deadline)
{
    lb_session_start(s, calls, deadline);
    bool is_new = s->group.count == 0, failed = s->found->settled == LB_UNKNOWN_NONE;
    if (is_new) {
        s->has_few = calls < LB_FEW_CALLS;
        lb_session_first_experiments(s);
    }
    if (s->group.count == 0) {
        s->is_done = calls > 0;
    } else if ((is_new || failed) && !lb_session_search(s, NULL)) {
        if (!failed)
            lb_session_fail(s);
    } else {
        s->found->settled = LB_SETTLED;
        s->is_done = false;
        if (!lb_session_close_in(s))
            lb_session_fail(s);
        else
            lb_session_remember(s);
    }
    return s->is_done;
}

bool lb_group_deepen(lb_group_session *s, unsigned calls, double deadline)
{
    if (s->found->settled != LB_SETTLED || s->group.count == 0)
        return false;
    bool was_done = s->is_done;
    lb_session_start(s, calls, deadline);
    s->is_deep = true;
    if (!lb_session_close_in(s)) {
        lb_session_fail(s);
        return true;
    }
    s->is_done = s->is_done || was_done;
    note_together(s);
    lb_session_remember(s);
    return true;
}

bool lb_group_confirm(lb_group_session *s, unsigned calls, double deadline)
{
    if (s->found->settled != LB_SETTLED || s->confirmed == s->function_count)
        return false;
    size_t f = s->confirmed++;
    lb_session_start(s, calls, deadline);
    const lb_case *c = lb_probe_make(s->functions[f], LB_PROBE_RANDOM, 5000 + f, &s->group.arena);
    if (!c || !lb_session_observe(s, c))
        return true;
    s->found->called_count++;
    if (!lb_group_gives_all(&s->group, &s->found->features)) {
        if (!lb_session_search(s, &s->found->features)) {
            if (f > 0)
                snprintf(s->found->reason, sizeof s->found->reason,
                         "%s departs from %s, and no combination of features gives both",
                         s->functions[f]->name, s->functions[0]->name);
            lb_session_fail(s);
            return true;
        }
        s->is_done = false;
        lb_session_remember(s);
    }
    return true;
}

bool lb_group_ask_again(lb_group_session *s, unsigned calls, double deadline)
{
    (void)deadline;
    s->calls_left = calls;
    return s->found->settled == LB_SETTLED && lb_session_keeps_its_mind(s, calls);
}

void lb_group_close(lb_group_session *s)
{
    lb_character_group *g = s->found;
    if (g->settled == LB_SETTLED)
        lb_session_rivals(s, &s->rivals);
    for (size_t i = 0;
         g->settled == LB_SETTLED && i < s->rivals.count && g->untold_count < LB_MOST_UNTOLD; i++)
        g->untold[g->untold_count++] =
            (lb_untold){s->rivals.items[i].feature, s->rivals.items[i].value, false};
    g->cut_short = !s->is_done;
    lb_group_free(&s->group);
    lb_arena_free(&s->work);
    lb_arena_free(&s->telling);
    lb_evidence_free(&s->evidence);
    free(s);
}
