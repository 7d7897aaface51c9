/* Property test: made-up cases of every family, the built-in port against the exact model in all
 * profiles of its set. A failure is made small and printed as a suite. LASTBIT_SEED and
 * LASTBIT_COUNT (cases per function) choose others; the seed is printed. */
#include "harness/run/analyses.h"
#include "harness/tests/fixture.h"

#include "harness/base/command_line.h"
#include "harness/generate/random_build.h"
#include "harness/generate/shrink.h"
#include "harness/port/provided.h"
#include "harness/suite/case_write.h"
#include "harness/trial/trial.h"

enum { SHRINK_TRIES = 3000 };

typedef struct search {
    lb_port *port;
    const lb_profile *profiles; /* of the set */
    bool failed;
    char reason[400];
} search;

static void note_failure(void *user, size_t profile_index, lb_result *result)
{
    search *h = user;
    if (result->verdict != LB_FAIL || h->failed)
        return;
    h->failed = true;
    snprintf(h->reason, sizeof h->reason, "%s: %s; %s %s[%s]: exact %s, port %s",
             h->profiles[profile_index].name, result->reason,
             result->difference_count ? lb_differs_name(result->differences[0].what) : "",
             result->difference_count ? result->differences[0].role : "",
             result->difference_count ? result->differences[0].index : "",
             result->difference_count ? result->differences[0].expected : "",
             result->difference_count ? result->differences[0].got : "");
}

static bool fails(void *user, const lb_case *c)
{
    static const bool wanted[LB_PROFILE_COUNT] = {true, true, true, true};
    const lb_kernel_set *set = c->kernel ? lb_kernel_set_of(c->kernel) : &lb_set_mli;
    const lb_profile *profiles[LB_PROFILE_COUNT] = {NULL};
    for (unsigned p = 0; p < set->profile_count; p++)
        profiles[p] = &set->profiles[p];
    search *h = user;
    lb_arena arena = {0};
    lb_run_analyses analyses;
    lb_run_analyses_start(&analyses, LB_GUARD_WARN, 0, (lb_cover_listener){0});
    lb_trial_setup setup = {.analyses = analyses.list,
                            .analysis_count = analyses.count,
                            .port = h->port,
                            .suite = "made up",
                            .file = "made up",
                            .arena = &arena};
    h->failed = false;
    h->profiles = set->profiles;
    lb_trial_run(&setup, c, profiles, wanted, set->profile_count, NULL, note_failure, h);
    lb_arena_free(&arena);
    return h->failed;
}

static void print_small(search *h, const lb_case *c)
{
    lb_arena arena = {0};
    const lb_case *small = lb_shrink(c, fails, h, SHRINK_TRIES, &arena);
    fails(h, small);
    printf("%s\n%s\n%s\n", h->reason, lb_suite_header_json("property", &arena),
           lb_case_to_json(small, &arena));
    lb_arena_free(&arena);
}

static unsigned long setting(const char *name, unsigned long otherwise)
{
    unsigned long value = otherwise;
    const char *text = getenv(name);
    if (text && !lb_parse_number(text, 0, 1000000000, &value))
        fail_msg("%s=%s: expected a number", name, text);
    return value;
}

static void test_port_against_exact_model(void **state)
{
    lb_random_options options = {.seed = setting("LASTBIT_SEED", 1), .fault_one_in = 8};
    unsigned long count = setting("LASTBIT_COUNT", 60), failures = 0, tried = 0, functions = 0;
    search h = {.port = lb_port_builtin()};
    lb_arena arena = {0};
    (void)state;
    assert_non_null(h.port);
    printf("seed %llu, %lu cases per function\n", (unsigned long long)options.seed, count);
    for (size_t k = 0; k < lb_kernel_total(); k++) {
        const lb_kernel *kernel = lb_kernel_at(k);
        if (!lb_function_is_tried(kernel) || !lb_port_has(h.port, kernel))
            continue;
        functions++;
        bool failed = false;
        for (unsigned long i = 0; i < count && !failed; i++) {
            lb_case c;
            lb_arena_reset(&arena);
            assert_true(lb_random_case(kernel, &options, i, &arena, &c));
            tried++;
            failed = fails(&h, &c);
            if (failed)
                print_small(&h, &c);
        }
        failures += failed;
    }
    lb_arena_free(&arena);
    h.port->close(h.port);
    printf("%lu cases of %lu functions\n", tried, functions);
    assert_int_equal(failures, 0);
    assert_int_equal(functions, lb_kernel_total() - 1); /* but the string of options */
}

/* The shrinker itself: from a large case to the one element that matters. */
static bool holds_77(void *user, const lb_case *c)
{
    const lb_values *data = &c->operand[LB_ROLE_IN].tensors[0].data;
    bool found = false;
    ++*(unsigned *)user;
    for (size_t i = 0; i < data->count; i++)
        found = found || data->items[i] == 77;
    return found;
}

static void test_shrinks_to_what_matters(void **state)
{
    lb_arena arena = {0};
    lb_case c;
    unsigned calls = 0;
    lb_random_options options = {.seed = 3};
    (void)state;
    assert_true(lb_random_case(lb_kernel_find("mli_krn_conv2d_hwcn_sa8_sa8_sa32"), &options, 0,
                               &arena, &c));
    lb_values *data = &c.operand[LB_ROLE_IN].tensors[0].data;
    data->items[data->count / 2] = 77;
    const lb_case *small = lb_shrink(&c, holds_77, &calls, SHRINK_TRIES, &arena);
    const lb_values *left = &small->operand[LB_ROLE_IN].tensors[0].data;
    assert_true(calls <= SHRINK_TRIES);
    assert_int_equal(left->count, 1);
    assert_int_equal(left->items[0], 77);
    lb_arena_free(&arena);
}

/* Made-up cases, written and read again, are the same cases: the writer and the loader agree. */
static void forget_generators(lb_case *c)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; i < c->operand[role].count; i++)
            c->operand[role].tensors[i].may_be_uniform = false;
}

static void test_written_cases_load(void **state)
{
    lb_arena arena = {0};
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    enum { CASES_OF_EACH = 12 }; /* changed in all ways that checks look at */
    lb_random_options options = {.seed = 5, .fault_one_in = 1, .small = true};
    (void)state;
    for (size_t n = 0; n < lb_kernel_total() * CASES_OF_EACH; n++) {
        lb_case c;
        lb_arena_reset(&arena);
        if (!lb_random_case(lb_kernel_at(n / CASES_OF_EACH), &options, n, &arena, &c))
            continue;
        char *text = lb_case_to_json(&c, &arena);
        lb_suite *suite = open_suite(lb_arena_printf(&arena, SUITE("%s"), text));
        lb_suite_reader *reader = lb_suite_reader_open(suite);
        const lb_case *loaded = lb_suite_reader_case(reader, 0, &diagnostics);
        forget_generators(&c); /* what is loaded knows the numbers alone */
        assert_string_equal(lb_case_to_json(loaded, &arena), lb_case_to_json(&c, &arena));
        lb_suite_reader_close(reader);
        lb_suite_close(suite);
    }
    lb_arena_free(&arena);
}

/* What made-up cases are to have among them, each somewhere. */
typedef struct features {
    unsigned in_place, inner_stride, per_axis_permute, large_stride, large_kernel, real, sequence,
        padded_move, two_faults, quantized_view, marks;
} features;

static void look_at_tensors(features *f, const lb_case *c)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; i < c->operand[role].count; i++) {
            const lb_case_tensor *t = &c->operand[role].tensors[i];
            f->real += t->type == LB_FP32;
            f->in_place += t->has_data_in && role == LB_ROLE_OUT;
            f->marks += t->has_capacity ? 1 : 0;
            f->marks += t->has_el_type ? 1 : 0;
            f->marks += t->null_data ? 1 : 0;
            f->inner_stride += t->has_mem_stride && t->rank > 0 && t->mem_stride[t->rank - 1] > 1;
        }
}

static void look_at(features *f, const lb_case *c)
{
    const lb_config *cfg = &c->config;
    f->marks = 0;
    look_at_tensors(f, c);
    f->sequence += c->step_count > 0;
    f->two_faults += f->marks + (c->null_config ? 1u : 0u) > 1;
    if (!c->kernel)
        return;
    const lb_case_tensor *in = c->operand[LB_ROLE_IN].tensors;
    bool is_conv = c->kernel->config_kind == LB_CONFIG_CONV2D;
    f->per_axis_permute += c->kernel->family == LB_FAMILY_PERMUTE && in->axis >= 0;
    f->quantized_view += c->kernel->config_kind == LB_CONFIG_SUB_TENSOR && in->axis >= 0;
    f->large_stride += is_conv && cfg->stride_width > 3;
    f->large_kernel += is_conv && c->operand[LB_ROLE_WEIGHTS].tensors[0].shape[0] > 4;
    f->padded_move += c->kernel->config_kind == LB_CONFIG_MOV && cfg->padding_pre[0] > 0;
}

static void test_made_up_cases_reach_everything(void **state)
{
    lb_arena arena = {0};
    features f = {0};
    lb_random_options options = {.seed = 1, .fault_one_in = 8};
    (void)state;
    for (size_t k = 0; k < lb_kernel_count; k++)
        for (uint64_t i = 0; i < 60; i++) {
            lb_case c;
            lb_arena_reset(&arena);
            if (lb_random_case(&lb_kernels[k], &options, i, &arena, &c))
                look_at(&f, &c);
        }
    const unsigned counts[] = {f.in_place,     f.inner_stride,  f.per_axis_permute, f.large_stride,
                               f.large_kernel, f.real,          f.sequence,         f.padded_move,
                               f.two_faults,   f.quantized_view};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        if (counts[i] < 5)
            print_error("feature %zu: %u cases\n", i, counts[i]);
        assert_true(counts[i] >= 5);
    }
    lb_arena_free(&arena);
}

/* Elements of 64 bits made anew, of every kind that there is: numbers that a case can say. */
static void test_wide_data_stay_in_a_case(void **state)
{
    lb_arena arena = {0};
    lb_case c = {0};
    lb_build b = {.random = lb_random_start(1, 0), .arena = &arena, .c = &c};
    lb_case_tensor t = {.type = LB_S64, .rank = 1, .shape = {5}, .axis = -1};
    (void)state;
    for (int i = 0; i < 60; i++) {
        lb_build_some_data(&b, &t, 5);
        for (size_t n = 0; n < 5; n++)
            assert_in_range(lb_wide_value(&t.data, n) + (INT64_C(1) << 47), 0,
                            (INT64_C(1) << 48) - 1);
    }
    lb_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_port_against_exact_model),
        cmocka_unit_test(test_shrinks_to_what_matters),
        cmocka_unit_test(test_written_cases_load),
        cmocka_unit_test(test_made_up_cases_reach_everything),
        cmocka_unit_test(test_wide_data_stay_in_a_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
