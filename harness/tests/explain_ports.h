/* Ports that are wrong in one chosen way, and explanations of what they give: for the tests of
 * explanations. */
#ifndef LB_TEST_EXPLAIN_PORTS_H
#define LB_TEST_EXPLAIN_PORTS_H

#include "explain_tools.h"

/* A port that is the exact model, with something done to the call before or after. */
typedef struct wrong_port {
    lb_port port;
    void (*before)(lb_call *call);
    void (*after)(lb_call *call);
    const lb_profile *own; /* that it computes in; NULL: the one that is asked for */
} wrong_port;

static inline bool every_function(const lb_port *port, const lb_kernel *kernel)
{
    (void)port;
    (void)kernel;
    return true;
}

static inline void wrong_call(lb_port *port, const lb_profile *profile, lb_call *call)
{
    wrong_port *wrong = (wrong_port *)port;
    lb_context context = {.profile = wrong->own ? wrong->own : profile};
    if (wrong->before)
        wrong->before(call);
    lb_run_exact(&context, call);
    if (wrong->after)
        wrong->after(call);
}

static inline wrong_port wrong_port_of(void (*before)(lb_call *call), void (*after)(lb_call *call))
{
    return (wrong_port){.port = {.name = "wrong",
                                 .described = "",
                                 .provides = every_function,
                                 .call = wrong_call,
                                 .close = fake_close},
                        .before = before,
                        .after = after};
}

/* The only case of a suite in text, explained with the port; index NULL: the element is chosen. */
typedef struct told {
    lb_arena arena;
    lb_suite *suite;
    lb_suite_reader *reader;
    const lb_case *c;
    lb_explanation e;
} told;

static inline void tell(told *t, const char *json, wrong_port *wrong)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    memset(t, 0, sizeof *t);
    t->suite = open_suite(json);
    t->reader = lb_suite_reader_open(t->suite);
    t->c = lb_suite_reader_case(t->reader, 0, &diagnostics);
    assert_non_null(t->c);
    t->e = explain(t->c, &wrong->port, 0, -1, &t->arena);
}

static inline void told_free(told *t)
{
    lb_explanation_free(&t->e);
    lb_suite_reader_close(t->reader);
    lb_suite_close(t->suite);
    lb_arena_free(&t->arena);
}

/* Asserts that the port diverges at this step, and gives the likeliest fault. */
static inline const lb_candidate *first_candidate(const told *t, const char *step)
{
    const lb_candidates *s = &t->e.candidates[LB_ORACLE_PORT];
    assert_true(t->e.diverges[LB_ORACLE_PORT]);
    assert_true(lb_replayed_diverges(t->e.replayed));
    assert_true(s->candidate_count > 0);
    assert_string_equal(lb_explanation_step(&t->e, LB_ORACLE_PORT), step);
    /* it accounts for every element that was tried */
    assert_int_equal(s->candidates[0].explained, s->candidates[0].wrong);
    assert_int_equal(s->candidates[0].left_right, s->candidates[0].right);
    return &s->candidates[0];
}

#define MUL_CASE                                                                                   \
    "{\"id\":\"mul\",\"function\":\"mli_krn_eltwise_mul_fx8\",\"inputs\":{"                        \
    "\"in1\":{\"type\":\"fx8\",\"shape\":[2,3],\"frac_bits\":4,\"data\":[32,5,-7,100,-33,64]},"    \
    "\"in2\":{\"type\":\"fx8\",\"shape\":[2,3],\"frac_bits\":4,\"data\":[2,4,9,11,13,-3]}},"       \
    "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[2,3],\"frac_bits\":3}}}"

/* 20 / 32 is 0 and 1100 / 32 is 34: cut, where 1 and 34 are right; -429 / 32 is -14, where -13 is
 * right. */
static inline void truncate_product(lb_call *call)
{
    static const int8_t cut[] = {2, 0, -2, 34, -14, -6};
    memcpy(call->tensor[LB_ROLE_OUT]->data.mem.pi8, cut, sizeof cut);
}

/* in.zero_point 17, weights of all signs; the output has steps of a quarter of a product. */
#define CONNECTED_SA8                                                                              \
    "{\"id\":\"fc\",\"function\":\"mli_krn_fully_connected_sa8_sa8_sa32\",\"config\":{\"relu\":"   \
    "\"none\"},\"inputs\":{"                                                                       \
    "\"in\":{\"type\":\"sa8\",\"shape\":[4],\"data\":[10,-20,30,7],\"scale\":16384,\"scale_frac_"  \
    "bits\":14,"                                                                                   \
    "\"zero_point\":17,\"axis\":-1},"                                                              \
    "\"weights\":{\"type\":\"sa8\",\"shape\":[4,2],\"data\":[5,-3,2,8,-1,4,6,1],\"scale\":16384,"  \
    "\"scale_frac_bits\":14,\"zero_point\":0,\"axis\":-1},"                                        \
    "\"bias\":{\"type\":\"sa32\",\"shape\":[2],\"data\":[11,-9],\"scale\":16384,\"scale_frac_"     \
    "bits\":14,"                                                                                   \
    "\"zero_point\":0,\"axis\":-1}},"                                                              \
    "\"outputs\":{\"out\":{\"type\":\"sa8\",\"shape\":[2],\"scale\":16384,\"scale_frac_bits\":12," \
    "\"zero_point\":3,"                                                                            \
    "\"axis\":-1}}}"

static lb_tensor borrowed; /* in place of one of the call's own */

static inline void drop_bias(lb_call *call)
{
    static int32_t zeros[8];
    borrowed = *call->tensor[LB_ROLE_BIAS];
    borrowed.data.mem.pi32 = zeros;
    call->tensor[LB_ROLE_BIAS] = &borrowed;
}

#endif
