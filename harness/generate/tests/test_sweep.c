/* Sweeps: domains have the sizes that hand counting gives, hold every input and every parameter set
 * once, make cases that the loader accepts, are dealt to shards without a gap, and bring out a port
 * that is wrong at one parameter set, with a line that reproduces it. */
#include "harness/run/analyses.h"
#include "harness/tests/fixture.h"

#include "harness/base/id_set.h"
#include "harness/base/xalloc.h"
#include "harness/generate/sweep_domain.h"
#include "harness/run/pool.h"
#include "harness/suite/case_write.h"
#include "harness/trial/trial.h"

#include <unistd.h>

enum { MAX_ID_BYTES = 150 };

static const lb_profile *const all_profiles[LB_PROFILE_COUNT] = {&lb_profiles[0], &lb_profiles[1],
                                                                 &lb_profiles[2], &lb_profiles[3]};

static lb_sweep_domain domains[LB_SWEEP_MOST];
static size_t domain_count;

static lb_sweep_domain *domain_of(const char *function)
{
    for (size_t d = 0; d < domain_count; d++)
        if (strcmp(domains[d].function, function) == 0)
            return &domains[d];
    return NULL;
}

/* Of a function with slopes along a dimension. */
static const lb_sweep_domain *domain_along_axis(uint32_t type)
{
    for (size_t d = 0; d < domain_count; d++) {
        const lb_kernel *kernel = lb_kernel_find(domains[d].function);
        if (lb_kernel_role(kernel, LB_ROLE_SLOPE) && kernel->config_kind == LB_CONFIG_AXIS &&
            kernel->in_type == type)
            return &domains[d];
    }
    return NULL;
}

static void assert_size(const char *function, uint64_t calls, uint64_t inputs)
{
    const lb_sweep_domain *domain = domain_of(function);
    assert_non_null(domain);
    if (lb_sweep_call_count(domain) != calls || lb_sweep_input_count(domain) != inputs)
        fail_msg("%s: %llu calls, %llu inputs", function,
                 (unsigned long long)lb_sweep_call_count(domain),
                 (unsigned long long)lb_sweep_input_count(domain));
}

static void test_sizes(void **state)
{
    (void)state;
    assert_size("mli_krn_sigm_fx8", 256, 256 * 256);
    assert_size("mli_krn_tanh_fx16", 256, 256 * 65536);
    assert_size("mli_krn_relu_fx8", 5 * 256, 5 * 256 * 256);
    /* every zero point with types 0, 1, 4; relu6: 257 + 256 + ... + 2; relu1: twice 2 + 3 + ... +
     * 129, three numbers for every zero point, 1 .. 256 for two; borders: 2 types, 7 zero points, 7
     * scales, -4 .. 32 and three more. */
    uint64_t relu_sa8 = 3 * 256 + (257 * 258 / 2 - 1) + 2 * (129 * 130 / 2 - 1) + 3 * 256 +
                        2 * 256 + 2 * 7 * 7 * 40;
    assert_size("mli_krn_relu_sa8", relu_sa8, relu_sa8 * 256);
    /* add: 25 shifts at no difference, 25 + 24 + ... + 2 on either side; 8 far differences on
     * either side with 7 shifts; 19 shifts. */
    uint64_t add_fx8 = 25 + 2 * (25 * 26 / 2 - 1) + 2 * 8 * 7 + 19;
    assert_size("mli_krn_eltwise_add_fx8", add_fx8 + 66, add_fx8 * 65536 + 66 * 256);
    assert_size("mli_krn_eltwise_mul_fx8", 2 * 81 + 6 + 66, (2 * 81 + 6) * 65536 + 66 * 256);
    assert_null(domain_of("mli_krn_softmax_sa8"));
    assert_null(domain_of("sigm"));
}

static bool same_id(void *user, size_t earlier, const char *id)
{
    return strcmp(((char **)user)[earlier], id) == 0;
}

/* All functions of the table, each with models; every id once, and short enough for a suite file.
 */
static void test_ids(void **state)
{
    lb_arena arena = {0}, ids = {0};
    (void)state;
    for (size_t d = 0; d < domain_count; d++) {
        const lb_sweep_domain *domain = &domains[d];
        const lb_kernel *kernel = lb_kernel_find(domain->function);
        size_t count = (size_t)lb_sweep_call_count(domain);
        assert_true(kernel && kernel->exact);
        lb_id_set seen = {0};
        char **list = lb_arena_array(&ids, count, sizeof *list);
        for (size_t i = 0; i < count; i++) {
            lb_case c;
            size_t earlier;
            lb_arena_reset(&arena);
            lb_sweep_case(domain, i, &arena, &c);
            assert_ptr_equal(c.kernel, kernel);
            assert_int_equal(c.line, i + 1);
            assert_true(strlen(c.id) <= MAX_ID_BYTES);
            list[i] = lb_arena_strdup(&ids, c.id);
            if (!lb_id_set_add(&seen, c.id, same_id, list, &earlier))
                fail_msg("calls %zu and %zu of %s are both %s", earlier, i, domain->function, c.id);
        }
        lb_id_set_free(&seen);
        lb_arena_reset(&ids);
    }
    lb_arena_free(&arena);
    lb_arena_free(&ids);
}

/* ---- What a call holds ---- */

static void assert_each_once(const lb_values *slow, const lb_values *fast, size_t count, int low)
{
    unsigned char *seen = calloc(count, 1);
    assert_non_null(seen);
    assert_int_equal(fast->count, count);
    for (size_t i = 0; i < count; i++) {
        size_t at =
            (size_t)(fast->items[i] - low) + (slow ? (size_t)(slow->items[i] - low) * 256 : 0);
        assert_true(at < count);
        assert_int_equal(seen[at]++, 0);
    }
    free(seen);
}

static const lb_values *data_of(const lb_case *c, lb_role role)
{
    return &c->operand[role].tensors[0].data;
}

static void test_calls_hold_every_input(void **state)
{
    lb_arena arena = {0};
    lb_case c;
    (void)state;
    lb_sweep_case(domain_of("mli_krn_sigm_fx8"), 3, &arena, &c);
    assert_string_equal(c.id, "sigm_fx8.frac_bits=-125");
    assert_int_equal(c.operand[LB_ROLE_IN].tensors[0].frac_bits, -125);
    assert_each_once(NULL, data_of(&c, LB_ROLE_IN), 256, -128);
    lb_sweep_case(domain_of("mli_krn_relu_fx16"), 3 * 256 + 132, &arena, &c);
    assert_string_equal(c.id, "relu_fx16.type=3.frac_bits=4");
    assert_int_equal(c.config.relu, 3);
    assert_each_once(NULL, data_of(&c, LB_ROLE_IN), 65536, -32768);
    lb_sweep_case(domain_of("mli_krn_eltwise_sub_fx8"), 700, &arena, &c);
    assert_each_once(data_of(&c, LB_ROLE_IN1), data_of(&c, LB_ROLE_IN2), 65536, -128);
    /* along axis 0: slope j stands with the inputs of row j */
    lb_sweep_case(domain_along_axis(LB_FX8), 5, &arena, &c);
    assert_each_once(NULL, data_of(&c, LB_ROLE_SLOPE), 256, -128);
    for (unsigned j = 0; j < 256; j++) {
        lb_values row = {.items = data_of(&c, LB_ROLE_IN)->items + 256 * j, .count = 256};
        assert_each_once(NULL, &row, 256, -128);
    }
    lb_arena_free(&arena);
}

/* The scales that stand for a quotient do give it, by the formula of numerics.md 6. */
static void test_relu_limits_are_those_named(void **state)
{
    const lb_sweep_domain *domain = domain_of("mli_krn_relu_sa8");
    unsigned sixes = 0, ones = 0;
    (void)state;
    for (uint64_t i = 0; i < lb_sweep_call_count(domain); i++) {
        lb_arena arena = {0};
        lb_case c;
        int zero_point, six, one;
        lb_sweep_case(domain, i, &arena, &c);
        const lb_case_tensor *in = &c.operand[LB_ROLE_IN].tensors[0];
        if (sscanf(c.id, "relu_sa8.relu6.zero_point=%d.six=%d", &zero_point, &six) == 2) {
            assert_true(in->scale_frac_bits[0] >= 0 && in->scale_frac_bits[0] < 28 &&
                        six <= 128 - zero_point);
            assert_int_equal((6L << in->scale_frac_bits[0]) / in->scale[0], six);
            assert_int_equal(in->zero_point[0], zero_point);
            assert_int_equal(c.config.relu, 3);
            sixes++;
        } else if (sscanf(c.id, "relu_sa8.relu1%*[a-z_].zero_point=%d.one=%d", &zero_point, &one) ==
                       2 ||
                   sscanf(c.id, "relu_sa8.relu1.zero_point=%d.one=%d", &zero_point, &one) == 2) {
            assert_true(in->scale_frac_bits[0] >= 0 && in->scale_frac_bits[0] < 30);
            assert_int_equal((1L << in->scale_frac_bits[0]) / in->scale[0], one);
            assert_int_equal(in->zero_point[0], zero_point);
            assert_int_equal(c.config.relu, 2);
            ones++;
        }
        lb_arena_free(&arena);
    }
    assert_int_equal(sixes, 33152);
    assert_int_equal(ones, 16768 + 768 + 512);
}

/* ---- Through the loader and the models ---- */

enum { MAX_BLOCKS = 32 };

/* The first and the last call of every block; gives how many blocks there are. */
static size_t block_ends(const lb_sweep_domain *domain, uint64_t first[MAX_BLOCKS],
                         uint64_t last[MAX_BLOCKS])
{
    uint64_t next = 0;
    size_t count = 0;
    for (const lb_domain_block *block = domain->blocks; block->lay; block++) {
        const uint64_t calls = lb_block_calls(block);
        assert_true(count < MAX_BLOCKS);
        first[count] = next;
        next += calls;
        last[count++] = next - 1;
    }
    assert_int_equal(next, lb_sweep_call_count(domain));
    return count;
}

static void write_cases(const char *path, const lb_sweep_domain *domain, const uint64_t *calls,
                        size_t count)
{
    lb_arena arena = {0};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s\n", lb_suite_header_json("sweep", &arena));
    for (size_t n = 0; n < count; n++) {
        lb_case c;
        lb_sweep_case(domain, calls[n], &arena, &c);
        fprintf(file, "%s\n", lb_case_to_json(&c, &arena));
        lb_arena_reset(&arena);
    }
    assert_int_equal(fclose(file), 0);
    lb_arena_free(&arena);
}

static void assert_loads(const lb_sweep_domain *domain, const uint64_t *calls, size_t count)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    const char *path = write_file("calls.jsonl", "");
    write_cases(path, domain, calls, count);
    lb_suite *suite = lb_suite_open(path, &diagnostics);
    if (!suite)
        fail_msg("%s: the loader refuses a case", domain->function);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    for (size_t n = 0; n < count; n++) {
        lb_arena arena = {0};
        lb_case c;
        lb_sweep_case(domain, calls[n], &arena, &c);
        const lb_case *read = lb_suite_reader_case(reader, n, &diagnostics);
        assert_non_null(read);
        if (strcmp(lb_case_to_json(&c, &arena), lb_case_to_json(read, &arena)) != 0)
            fail_msg("%s: read back as another case", c.id);
        lb_arena_free(&arena);
    }
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
    remove_file(path);
}

static void test_loader_accepts_the_cases(void **state)
{
    uint64_t first[MAX_BLOCKS], last[MAX_BLOCKS];
    (void)state;
    for (size_t d = 0; d < domain_count; d++) {
        size_t count = block_ends(&domains[d], first, last);
        assert_loads(&domains[d], first, count);
    }
}

static void expect_computed(void *user, size_t profile_index, lb_result *result)
{
    (void)profile_index;
    const char *due = lb_kernel_find(result->function)->returns_status ? "ok" : "";
    if (result->verdict != LB_PASS || strcmp(result->status_got, due) != 0)
        fail_msg("%s: %s, status %s", result->id, lb_verdict_name(result->verdict),
                 result->status_got);
    ++*(unsigned *)user;
}

static bool provides_all(const lb_port *port, const lb_kernel *kernel)
{
    (void)port;
    return kernel->exact != NULL;
}

static void try_call(const lb_sweep_domain *domain, uint64_t call, unsigned *results)
{
    const lb_kernel_set *set = lb_kernel_set_of(lb_kernel_find(domain->function));
    const lb_profile *profiles[2]; /* both roundings of the set */
    const bool wanted[] = {true, true}, is_mli = set->profile_count == LB_PROFILE_COUNT;
    fake_port fake = fake_port_make(NULL);
    lb_arena arena = {0};
    lb_case c;
    fake.port.provides = provides_all;
    lb_run_analyses analyses;
    lb_run_analyses_start(&analyses, LB_GUARD_WARN, 0, (lb_cover_listener){0});
    lb_trial_setup setup = {.analyses = analyses.list,
                            .analysis_count = analyses.count,
                            .port = &fake.port,
                            .suite = "s",
                            .file = "f",
                            .arena = &arena};
    lb_sweep_case(domain, call, &arena, &c);
    profiles[0] = &set->profiles[0];
    profiles[1] = &set->profiles[is_mli ? 2 : 1];
    lb_trial_run(&setup, &c, profiles, wanted, 2, NULL, expect_computed, results);
    lb_arena_free(&arena);
}

/* No call is refused: a port that only checked its arguments would pass there. */
static void test_calls_are_computed(void **state)
{
    uint64_t first[MAX_BLOCKS], last[MAX_BLOCKS];
    unsigned results = 0, wanted = 0;
    (void)state;
    for (size_t d = 0; d < domain_count; d++) {
        size_t count = block_ends(&domains[d], first, last);
        for (size_t n = 0; n < count; n++) {
            try_call(&domains[d], first[n], &results);
            try_call(&domains[d], last[n], &results);
        }
        wanted += 4 * (unsigned)count;
    }
    assert_int_equal(results, wanted);
}

/* ---- As suites ---- */

static void test_suites(void **state)
{
    char digests[64][65];
    (void)state;
    assert_true(domain_count < LB_SWEEP_MOST);
    for (size_t d = 0; d < domain_count; d++) {
        lb_suite *suite = lb_sweep_suite(&domains[d]);
        lb_suite *same = lb_sweep_suite(&domains[d]);
        snprintf(digests[d], sizeof digests[d], "%s", lb_suite_sha256(suite));
        assert_string_equal(lb_suite_sha256(same), digests[d]);
        assert_int_equal(strspn(digests[d], "0123456789abcdef"), 64);
        for (size_t e = 0; e < d; e++)
            assert_string_not_equal(digests[d], digests[e]);
        assert_int_equal(lb_suite_case_count(suite), lb_sweep_call_count(&domains[d]));
        assert_string_equal(lb_suite_command(suite), lb_suite_path(suite));
        lb_suite_close(suite);
        lb_suite_close(same);
    }
}

typedef struct bench {
    lb_suite *suite;
    uint64_t first_case[2], count;
    lb_plan plan;
    fake_port fake;
    lb_journal journal;
    unsigned char *verdicts;
} bench;

static void bench_open(bench *b, const char *function, void (*spoil)(lb_call *call))
{
    memset(b, 0, sizeof *b);
    b->suite = lb_sweep_suite(domain_of(function));
    b->first_case[1] = lb_suite_case_count(b->suite);
    b->plan = (lb_plan){.suite_count = 1,
                        .suites = &b->suite,
                        .first_case = b->first_case,
                        .profile_count = LB_PROFILE_COUNT,
                        .shard_index = 1,
                        .shard_count = 1};
    memcpy(b->plan.profiles, all_profiles, sizeof all_profiles);
    b->fake = fake_port_make(spoil);
    b->count = b->first_case[1] * LB_PROFILE_COUNT;
    b->verdicts = lb_zeroed_shared(b->count);
    assert_true(lb_journal_create(&b->journal, NULL, "{\"journal\":\"test\"}"));
}

static void bench_run(bench *b)
{
    lb_pool_options options = {.plan = &b->plan,
                               .port = &b->fake.port,
                               .reproduce = {.port = "x y"},
                               .journal = &b->journal,
                               .jobs = 2,
                               .time_limit_seconds = 20};
    assert_int_equal(lb_pool_run(&options, b->verdicts), LB_POOL_DONE);
}

static void bench_close(bench *b)
{
    lb_shared_give_back(b->verdicts, b->count);
    lb_journal_close(&b->journal);
    lb_suite_close(b->suite);
}

static void test_shards_are_disjoint_and_complete(void **state)
{
    unsigned char seen[256 * LB_PROFILE_COUNT] = {0};
    (void)state;
    for (unsigned shard = 1; shard <= 3; shard++) {
        bench b;
        bench_open(&b, "mli_krn_sigm_fx8", NULL);
        assert_int_equal(b.count, sizeof seen);
        b.plan.shard_index = shard;
        b.plan.shard_count = 3;
        bench_run(&b);
        for (uint64_t order = 0; order < b.count; order++) {
            assert_true(b.verdicts[order] == 0 || b.verdicts[order] == 1 + LB_PASS);
            seen[order] = (unsigned char)(seen[order] + (b.verdicts[order] != 0));
        }
        bench_close(&b);
    }
    for (size_t order = 0; order < sizeof seen; order++)
        assert_int_equal(seen[order], 1);
}

/* Wrong for one input of one frac_bits. */
static void spoil_one(lb_call *call)
{
    if (call->tensor[LB_ROLE_IN]->frac_bits == 4)
        call->tensor[LB_ROLE_OUT]->data.mem.pi8[200] ^= 1;
}

static bool find_fail(void *user, uint64_t order, const char *line, size_t length)
{
    char *text = user;
    if (memmem(line, length, "\"fail\"", 6) && order == 132 * LB_PROFILE_COUNT + 1)
        snprintf(text, 4000, "%.*s", (int)length, line);
    return true;
}

static void test_wrong_port_is_found_where_it_is_wrong(void **state)
{
    bench b;
    char text[4000] = "";
    (void)state;
    bench_open(&b, "mli_krn_sigm_fx8", spoil_one);
    bench_run(&b);
    for (uint64_t order = 0; order < b.count; order++)
        assert_int_equal(b.verdicts[order],
                         1 + (order / LB_PROFILE_COUNT == 128 + 4 ? LB_FAIL : LB_PASS));
    assert_true(lb_journal_in_order(&b.journal, b.count, find_fail, text));
    assert_non_null(strstr(text, "\"id\":\"sigm_fx8.frac_bits=4\""));
    assert_non_null(strstr(text, "\"index\":\"200\""));
    assert_non_null(strstr(text, "\"count\":1,\"total\":256"));
    assert_non_null(strstr(
        text,
        "\"reproduce\":\"lastbit sweep mli_krn_sigm_fx8 --port 'x y' --case sigm_fx8.frac_bits=4 "
        "--profile up-reduced\""));
    bench_close(&b);
}

static void test_words(void **state)
{
    lb_arena arena = {0};
    (void)state;
    assert_string_equal(lb_sweep_number(0, &arena), "0");
    assert_string_equal(lb_sweep_number(999, &arena), "999");
    assert_string_equal(lb_sweep_number(1001, &arena), "1,001");
    assert_string_equal(lb_sweep_number(1684490752, &arena), "1,684,490,752");
    assert_string_equal(
        lb_sweep_words(domain_of("mli_krn_tanh_fx16"), &arena),
        "all 65,536 inputs at every frac_bits (recurrent.md 4) (256 calls of 65,536 inputs)");
    for (size_t d = 0; d < domain_count; d++) { /* the section of the spec */
        const bool is_mli = lb_kernel_find(domains[d].function)->set == LB_SET_MLI;
        assert_non_null(strstr(lb_sweep_words(&domains[d], &arena), is_mli ? ".md " : "(litert."));
    }
    lb_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_calls_hold_every_input),
        cmocka_unit_test(test_relu_limits_are_those_named),
        cmocka_unit_test(test_loader_accepts_the_cases),
        cmocka_unit_test(test_calls_are_computed),
        cmocka_unit_test(test_suites),
        cmocka_unit_test(test_shards_are_disjoint_and_complete),
        cmocka_unit_test(test_wrong_port_is_found_where_it_is_wrong),
        cmocka_unit_test(test_words),
    };
    domain_count = lb_sweep_domains(domains);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
