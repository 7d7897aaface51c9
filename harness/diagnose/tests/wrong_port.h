/* A port that is the exact model, but wrong in one function as a test says, on suites of vectors/;
 * and what is seen of it. */
#ifndef LB_HARNESS_DIAGNOSE_TESTS_WRONG_PORT_H
#define LB_HARNESS_DIAGNOSE_TESTS_WRONG_PORT_H

#include "harness/call/model.h"
#include "harness/diagnose/diagnosis.h"
#include "harness/tests/fixture.h"

/* Computes a call that all checks let pass, wrongly. */
typedef void wrong_call(const lb_context *context, lb_call *call);

typedef struct wrong_port {
    lb_port port;
    const lb_kernel *kernel; /* that is wrong */
    wrong_call *compute;
    lb_suite *suite;
    const lb_profile *profile;
    lb_evidence evidence;
} wrong_port;

static inline bool wrong_provides(const lb_port *port, const lb_kernel *kernel)
{
    (void)port;
    return kernel->exact != NULL;
}

static inline void wrong_compute(lb_port *port, const lb_profile *profile, lb_call *call)
{
    const wrong_port *wrong = (const wrong_port *)port;
    const lb_context context = {.profile = profile};
    lb_call checked = *call;
    if (call->kernel == wrong->kernel && !lb_check_call(&context, &checked))
        wrong->compute(&context, call);
    else
        lb_run_exact(&context, call);
}

static inline void wrong_close(lb_port *port)
{
    (void)port;
}

static inline bool wrong_wants(void *user, const lb_case *c)
{
    return c->kernel == ((const wrong_port *)user)->kernel;
}

/* All cases of the function in the suite, tried in the numerics of the first profile. */
static inline void gather(wrong_port *w, const char *file, const char *function,
                          wrong_call *compute)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    char path[512];
    snprintf(path, sizeof path, LASTBIT_SOURCE_DIR "/vectors/%s", file);
    *w = (wrong_port){.kernel = lb_kernel_find(function),
                      .compute = compute,
                      .suite = lb_suite_open(path, &diagnostics),
                      .profile = &lb_profiles[0]};
    assert_non_null(w->kernel);
    assert_non_null(w->suite);
    w->port = (lb_port){.name = "wrong",
                        .described = "",
                        .most_jobs = 1,
                        .provides = wrong_provides,
                        .call = wrong_compute,
                        .close = wrong_close};
    w->evidence = (lb_evidence){.suites = &w->suite,
                                .suite_count = 1,
                                .profiles = &w->profile,
                                .profile_count = 1,
                                .port = &w->port,
                                .wants = wrong_wants,
                                .wants_user = w};
    assert_true(lb_evidence_gather(&w->evidence));
    assert_true(w->evidence.failing > 0);
}

static inline void forget(wrong_port *w)
{
    lb_evidence_free(&w->evidence);
    lb_suite_close(w->suite);
}

/* Computes results that are wrong where there is a bias, which probes have not. */
static inline void run_wrong_with_a_bias(const lb_context *context, lb_call *call,
                                         int64_t (*wrong)(int64_t value))
{
    lb_run_exact(context, call);
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    const bool is_wrong = lb_load(call->tensor[LB_ROLE_BIAS], 0) != 0;
    for (size_t i = 0; is_wrong && i < lb_element_count(out); i++) {
        const size_t at = lb_offset_of_flat(out, i);
        lb_store(out, at, wrong(lb_load(out, at)));
    }
}

/* The first results that fail with something left (or pass); how many. */
static inline size_t first_items(const lb_evidence *e, bool failing, uint32_t *items, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < e->count && count < most; i++)
        if (failing ? e->items[i].left != NULL : e->items[i].verdict == LB_PASS)
            items[count++] = (uint32_t)i;
    return count;
}

static inline lb_diagnosis diagnosed(wrong_port *w)
{
    static const lb_reproduce reproduce = {.port = "wrong"};
    lb_diagnosis d = {
        .evidence = &w->evidence, .port_name = "wrong", .reproduce = &reproduce, .effort = 6};
    lb_diagnose(&d);
    return d;
}

/* Is what is told first called so? A mark at the end: whatever follows. */
static inline void assert_named(const lb_diagnosis *d, const char *name)
{
    const size_t length = strcspn(name, "*");
    assert_true(d->found_count > 0);
    if (name[length] == '*')
        assert_int_equal(strncmp(d->found[0].name, name, length), 0);
    else
        assert_string_equal(d->found[0].name, name);
}

#endif
