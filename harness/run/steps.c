/* Explanations for documents: see steps.h. */
#include "harness/run/steps.h"
#include "harness/base/clock.h"
#include "harness/base/xalloc.h"
#include "harness/explain/text.h"
#include "harness/run/story.h"

#include "reports/journal_line.h"

#include <stdlib.h>
#include <string.h>

static const lb_diagnosed *known(void *user)
{
    return user;
}

const char *lb_steps_text(const lb_steps_wish *wish, const lb_case *c, const char *file,
                          const lb_profile *profile, lb_arena *arena)
{
    lb_arena work = {0};
    lb_explanation explanation;
    const lb_explain_request request = {.test_case = c,
                                        .file = file,
                                        .port = wish->port,
                                        .profiles = &profile,
                                        .profile_count = 1,
                                        .role = -1,
                                        .misalign = wish->misalign,
                                        .seconds = wish->seconds,
                                        .diagnose = wish->diagnosed ? known : NULL,
                                        .diagnose_user = (void *)(uintptr_t)wish->diagnosed,
                                        .arena = &work};
    const char *text = NULL;
    if (!c->kernel || !c->kernel->exact || c->step_count > 0)
        return NULL;
    if (!lb_explain_make(&request, &explanation)) {
        lb_doc doc = lb_doc_make();
        lb_explain_cells(&doc, &explanation);
        if (!doc.failed)
            text = lb_arena_printf(arena, "%.*s", (int)doc.length, doc.text);
        lb_doc_free(&doc);
        lb_explanation_free(&explanation);
    }
    lb_arena_free(&work);
    return text;
}

/* ---- The simplest failure of each function ---- */

typedef struct simplest {
    char function[128];
    uint64_t order, effort;
} simplest;

typedef struct choice {
    const unsigned char *verdicts;
    simplest *list;
    size_t count, room;
} choice;

static bool note_failure(void *user, uint64_t order, const char *line, size_t length)
{
    choice *all = user;
    const char *name;
    int bytes;
    if (all->verdicts[order] != 1 + LB_FAIL ||
        !lb_line_text(line, length, "function", &name, &bytes) || bytes > 120)
        return true;
    simplest made = {.order = order, .effort = lb_story_effort(line, length)};
    snprintf(made.function, sizeof made.function, "%.*s", bytes, name);
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i].function, made.function) == 0) {
            if (made.effort < all->list[i].effort)
                all->list[i] = made;
            return true;
        }
    all->list = lb_room_for_one(all->list, all->count, &all->room, sizeof *all->list);
    all->list[all->count++] = made;
    return true;
}

static int by_effort(const void *a, const void *b)
{
    const simplest *x = a, *y = b;
    if (x->effort != y->effort)
        return x->effort < y->effort ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int by_order(const void *a, const void *b)
{
    const lb_told_steps *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void explain(lb_run_steps *steps, const lb_steps_wish *wish, const lb_plan *plan,
                    uint64_t order)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    size_t index = 0, s = lb_plan_suite_of(plan, order / plan->profile_count, &index);
    size_t column = order % plan->profile_count;
    lb_suite_reader *reader = lb_suite_reader_open(plan->suites[s]);
    const lb_case *c = reader ? lb_suite_reader_case(reader, index, &diagnostics) : NULL;
    bool at_level =
        !plan->levels[column] || wish->port->set_level(wish->port, plan->levels[column]);
    const char *text = c && at_level ? lb_steps_text(wish, c, lb_suite_path(plan->suites[s]),
                                                     plan->profiles[column], &steps->arena)
                                     : NULL;
    if (text)
        steps->list[steps->count++] = (lb_told_steps){order, text};
    lb_suite_reader_close(reader);
}

static bool any_failed(const unsigned char *verdicts, uint64_t order_count)
{
    return order_count > 0 && memchr(verdicts, 1 + LB_FAIL, order_count);
}

void lb_run_steps_make(lb_run_steps *steps, const lb_steps_wish *wish, const lb_plan *plan,
                       const lb_journal *journal, const unsigned char *verdicts,
                       uint64_t order_count, double seconds)
{
    double deadline = lb_now_seconds() + seconds;
    choice all = {.verdicts = verdicts};
    *steps = (lb_run_steps){.count = 0};
    if (any_failed(verdicts, order_count) &&
        !lb_journal_in_order(journal, order_count, note_failure, &all))
        all.count = 0;
    steps->list = lb_resized(NULL, (all.count + 1) * sizeof *steps->list);
    if (all.count > 0)
        qsort(all.list, all.count, sizeof *all.list, by_effort);
    for (size_t i = 0; i < all.count && lb_now_seconds() < deadline; i++)
        explain(steps, wish, plan, all.list[i].order);
    qsort(steps->list, steps->count, sizeof *steps->list, by_order);
    free(all.list);
}

const char *lb_run_steps_of(const lb_run_steps *steps, uint64_t order)
{
    const lb_told_steps key = {.order = order};
    const lb_told_steps *found =
        steps->count > 0 ? bsearch(&key, steps->list, steps->count, sizeof *steps->list, by_order)
                         : NULL;
    return found ? found->text : NULL;
}

void lb_run_steps_free(lb_run_steps *steps)
{
    free(steps->list);
    lb_arena_free(&steps->arena);
    *steps = (lb_run_steps){.list = NULL};
}
