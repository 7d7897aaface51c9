/* Which statuses a port gives in the place of others, and which ones checks give. */
#include "harness/call/model.h"
#include "harness/diagnose/suspects.h"

/* The number of the check that refuses the call, which alone are made, and its status;
 * LB_MOST_RULES: it is taken. */
static size_t refused_by(const lb_function *f, lb_evidence *e, uint32_t item, lb_status *status)
{
    lb_arena arena = {0};
    const lb_tried *tried = &e->items[item];
    const lb_case *c = lb_evidence_case(e, tried);
    const lb_context context = {.profile = e->profiles[tried->profile]};
    lb_instance *instance = c && c->chain.steps == 0 ? lb_instance_of(c, &arena) : NULL;
    const lb_rule *rule = instance ? lb_check_call(&context, &instance->call) : NULL;
    *status = rule ? instance->call.status : LB_OK;
    lb_arena_free(&arena);
    return rule && rule - f->kernel->rules < LB_MOST_RULES ? (size_t)(rule - f->kernel->rules)
                                                           : LB_MOST_RULES;
}

static void see_all(const lb_function *f, lb_evidence *e, bool failing, lb_statuses_seen *seen)
{
    enum { MOST_SEEN = 400 };
    const uint32_t *items = failing ? f->failing : f->passing;
    size_t count = failing ? f->failing_count : f->passing_count;
    for (size_t i = 0; i < count && i < MOST_SEEN; i++) {
        lb_status status;
        const size_t number = refused_by(f, e, items[i], &status);
        if (number < LB_MOST_RULES && (unsigned)status < LB_STATUS_COUNT)
            seen->of_rule[number] |= 1u << status;
    }
}

void lb_function_refused_first(lb_function *f, lb_evidence *e)
{
    enum { MOST_ASKED = 2000, MOST_FIRST = 40 };
    bool is_met[LB_MOST_RULES] = {false};
    size_t first = 0;
    for (size_t i = 0; i < f->failing_used; i++)
        if (!e->items[f->failing[i]].other_status)
            return;
    for (size_t i = 0; i < f->passing_count && i < MOST_ASKED && first < MOST_FIRST; i++) {
        const uint32_t item = f->passing[i];
        lb_status status;
        const size_t number = refused_by(f, e, item, &status);
        if (number >= LB_MOST_RULES || is_met[number])
            continue;
        is_met[number] = true;
        for (size_t k = i; k > first; k--)
            f->passing[k] = f->passing[k - 1];
        f->passing[first++] = item;
        f->passing_used += f->passing_used < f->passing_count;
    }
}

lb_statuses_seen lb_function_statuses(const lb_function *f, lb_evidence *e)
{
    lb_statuses_seen seen = {.given = 0};
    for (size_t i = 0; i < f->failing_count; i++) {
        const lb_tried *tried = &e->items[f->failing[i]];
        if (tried->other_status && (unsigned)tried->left->status < LB_STATUS_COUNT)
            seen.given |= 1u << tried->left->status;
    }
    if (seen.given) {
        see_all(f, e, true, &seen);
        see_all(f, e, false, &seen);
    }
    return seen;
}
