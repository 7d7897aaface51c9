/* A result before its case is run: see blank.h. */
#include "harness/trial/blank.h"
#include "harness/call/call_memory.h"

#include <string.h>

static const char *tags_of(const lb_trial_setup *setup, const lb_case *c)
{
    size_t bytes = 1;
    for (size_t i = 0; i < c->tag_count; i++)
        bytes += strlen(c->tags[i]) + 1;
    if (c->tag_count == 0)
        return "";
    char *text = lb_arena_alloc(setup->arena, bytes), *end = text;
    for (size_t i = 0; i < c->tag_count; i++) {
        if (i > 0)
            *end++ = ',';
        end = stpcpy(end, c->tags[i]);
    }
    return text;
}

static uint64_t elements_of(const lb_case_tensor *t)
{
    uint64_t count = 1;
    for (unsigned d = 0; d < t->rank; d++)
        count = t->shape[d] == 0 || count <= UINT32_MAX ? count * t->shape[d] : count;
    return count;
}

/* Of all tensors: how much somebody has to look at. */
static uint64_t count_elements(const lb_case *c)
{
    uint64_t count = 0;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; c->operand[role].present && i < c->operand[role].count; i++)
            count += elements_of(&c->operand[role].tensors[i]);
    return count;
}

lb_result lb_blank_result(const lb_trial_setup *setup, const lb_case *c, const lb_profile *profile)
{
    return (lb_result){.suite = setup->suite,
                       .file = setup->file,
                       .line = c->line,
                       .id = c->id,
                       .function = c->function,
                       .family = c->kernel ? lb_family_name(c->kernel->family) : "mov",
                       .variant = c->kernel ? c->kernel->variant : "",
                       .profile = profile->name,
                       .verdict = LB_SKIP,
                       .reason = "",
                       .outlier = "",
                       .status_expected = "",
                       .status_got = "",
                       .rule = "",
                       .reproduce = "",
                       .explain = "",
                       .vacuous = "",
                       .kind = "",
                       .tags = tags_of(setup, c),
                       .elements = count_elements(c),
                       .calls = c->step_count > 0 ? (unsigned)c->step_count : c->chain.steps};
}

const lb_difference *lb_first_data(const lb_result *result)
{
    for (unsigned i = 0; i < result->difference_count; i++)
        if (result->differences[i].what == LB_DIFFERS_DATA)
            return &result->differences[i];
    return NULL;
}

void lb_tell_lines(const lb_trial_setup *setup, const lb_case *c, const lb_profile *profile,
                   lb_result *result)
{
    static const lb_reproduce plain = {0};
    const lb_reproduce_case which = {.file = setup->file,
                                     .is_made = setup->is_made,
                                     .id = c->id,
                                     .profiles = profile->file ? profile->file : profile->name};
    lb_reproduce run = setup->reproduce ? *setup->reproduce : plain;
    const lb_difference *d = lb_first_data(result);
    lb_doc doc = lb_doc_make();
    if (run.misalign == 0) /* said, so that the line says all */
        run.misalign = lb_case_misaligned(c);
    lb_put_reproduce(&doc, &run, &which);
    result->reproduce = lb_arena_printf(setup->arena, "%.*s", (int)doc.length, doc.text);
    lb_doc_cut(&doc, 0);
    if (d && !setup->is_made) {
        lb_put_explain(&doc, &run, &which, d->role, d->index);
        result->explain = lb_arena_printf(setup->arena, "%.*s", (int)doc.length, doc.text);
    }
    lb_doc_free(&doc);
}

lb_result lb_trial_error(const lb_trial_setup *setup, const lb_case *c, const lb_profile *profile,
                         const char *reason, bool out_of_time)
{
    lb_result result = lb_blank_result(setup, c, profile);
    result.verdict = LB_ERROR;
    result.reason = reason;
    result.kind = out_of_time ? "time" : "crash";
    lb_tell_lines(setup, c, profile, &result);
    return result;
}
