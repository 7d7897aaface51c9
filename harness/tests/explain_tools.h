/* What the tests of explanations share: making one, and its text. */
#ifndef LB_TEST_EXPLAIN_TOOLS_H
#define LB_TEST_EXPLAIN_TOOLS_H

#include "fixture.h"

#include "harness/explain/json.h"
#include "harness/explain/text.h"

/* role: -1 for the one that is chosen by itself. */
static inline lb_explanation explain(const lb_case *c, lb_port *port, int profile, int role,
                                     lb_arena *arena)
{
    static const lb_profile *chosen[1];
    lb_explanation e;
    chosen[0] = &lb_profiles[profile];
    lb_explain_request request = {.test_case = c,
                                  .file = "suite.json",
                                  .port = port,
                                  .profiles = chosen,
                                  .profile_count = 1,
                                  .role = role,
                                  .seconds = 20,
                                  .arena = arena};
    const char *problem = lb_explain_make(&request, &e);
    if (problem)
        fail_msg("%s: %s", c->id, problem);
    return e;
}

/* The same of the element with this row-major number. */
static inline lb_explanation explain_element(const lb_case *c, lb_port *port, int profile, int role,
                                             size_t flat, lb_arena *arena)
{
    const lb_case_tensor *t = &c->operand[role].tensors[0];
    const lb_profile *chosen[] = {&lb_profiles[profile]};
    lb_explain_request request = {.test_case = c,
                                  .file = "suite.json",
                                  .port = port,
                                  .profiles = chosen,
                                  .profile_count = 1,
                                  .role = role,
                                  .has_index = true,
                                  .index_count = t->rank,
                                  .seconds = 20,
                                  .arena = arena};
    lb_explanation e;
    for (unsigned d = t->rank; d-- > 0; flat /= t->shape[d])
        request.index[d] = (uint32_t)(flat % t->shape[d]);
    const char *problem = lb_explain_make(&request, &e);
    if (problem)
        fail_msg("%s: %s", c->id, problem);
    return e;
}

static inline lb_doc json_of(const lb_explanation *e)
{
    lb_doc doc = lb_doc_make();
    lb_explain_json(&doc, e);
    assert_false(doc.failed);
    return doc;
}

static inline char *text_of(const lb_explanation *e)
{
    static char text[400000];
    lb_doc doc = lb_doc_make();
    lb_explain_text(&doc, e, false);
    assert_false(doc.failed);
    assert_true(doc.length < sizeof text);
    memcpy(text, doc.text, doc.length);
    text[doc.length] = '\0';
    lb_doc_free(&doc);
    return text;
}

static inline void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

#endif
