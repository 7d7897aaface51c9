/* The pool: crashes and hangs cost one verdict each, kills lose nothing, orders are kept, shards
 * and patterns choose. */
#include "harness/base/xalloc.h"
#include "harness/tests/fixture.h"

#include "harness/run/pool.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CASES = 40, CRASH_AT = 7, HANG_AT = 23, EXIT_AT = 31 };

/* Forty cases whose first input tells the port what to do. */
static char *forty_cases(void)
{
    static char text[CASES * 400];
    size_t length =
        (size_t)sprintf(text, "{\"format\":\"lastbit/cases-1\",\"suite\":\"forty\",\"cases\":[");
    for (int i = 0; i < CASES; i++)
        length += (size_t)sprintf(text + length,
                                  "%s{\"id\":\"c%02d\",\"function\":\"mli_krn_relu_fx8\","
                                  "\"config\":{\"type\":\"none\"},\"inputs\":{\"in\":{"
                                  "\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0,\"data\":[%d]}},"
                                  "\"outputs\":{\"out\":{\"type\":\"fx8\","
                                  "\"shape\":[1],\"frac_bits\":0}}}",
                                  i ? "," : "", i, i);
    strcpy(text + length, "]}");
    return text;
}

static void misbehave(lb_call *call)
{
    switch (call->tensor[LB_ROLE_IN]->data.mem.pi8[0]) {
    case CRASH_AT:
        signal(SIGABRT, SIG_DFL);
        abort();
    case HANG_AT:
        for (;;)
            pause();
    case EXIT_AT:
        _exit(9);
    default:
        break;
    }
}

typedef struct bench {
    lb_suite *suite;
    uint64_t first_case[2];
    lb_plan plan;
    fake_port fake;
    lb_journal journal;
    unsigned char *verdicts;
    uint64_t count;
} bench;

static void bench_open_of(bench *b, char *text, uint64_t cases, void (*spoil)(lb_call *call),
                          const char *journal_path)
{
    memset(b, 0, sizeof *b);
    b->suite = open_suite(text);
    b->first_case[1] = cases;
    b->plan = (lb_plan){.suite_count = 1,
                        .suites = &b->suite,
                        .first_case = b->first_case,
                        .profile_count = 2,
                        .profiles = {&lb_profiles[0], &lb_profiles[2]},
                        .shard_index = 1,
                        .shard_count = 1};
    b->fake = fake_port_make(spoil);
    b->count = cases * 2;
    b->verdicts = lb_zeroed_shared(b->count);
    assert_true(lb_journal_create(&b->journal, journal_path, "{\"journal\":\"test\"}"));
}

static void bench_open(bench *b, void (*spoil)(lb_call *call), const char *journal_path)
{
    bench_open_of(b, forty_cases(), CASES, spoil, journal_path);
}

static lb_pool_end bench_run(bench *b, unsigned jobs)
{
    lb_pool_options options = {.plan = &b->plan,
                               .port = &b->fake.port,
                               .journal = &b->journal,
                               .jobs = jobs,
                               .time_limit_seconds = 0.5};
    return lb_pool_run(&options, b->verdicts);
}

static void bench_close(bench *b)
{
    lb_shared_give_back(b->verdicts, b->count);
    lb_journal_close(&b->journal);
    lb_suite_close(b->suite);
}

typedef struct tally {
    uint64_t lines, last;
    bool ordered;
    char reasons[4096];
} tally;

static bool count_line(void *user, uint64_t order, const char *line, size_t length)
{
    tally *t = user;
    t->ordered = t->ordered && (t->lines == 0 || order > t->last);
    t->last = order;
    t->lines++;
    if (memmem(line, length, "\"error\"", 7) && strlen(t->reasons) + length < sizeof t->reasons)
        strncat(t->reasons, line, length);
    return true;
}

/* The cases of these numbers are errors, all others pass, and all are in the journal. */
static tally run_with_errors(bench *b, unsigned jobs, const uint64_t *bad, size_t bad_count)
{
    tally t = {.ordered = true};
    assert_int_equal(bench_run(b, jobs), LB_POOL_DONE);
    for (uint64_t order = 0; order < b->count; order++) {
        bool is_bad = false;
        for (size_t i = 0; i < bad_count; i++)
            is_bad = is_bad || order / 2 == bad[i];
        assert_int_equal(b->verdicts[order], 1 + (is_bad ? LB_ERROR : LB_PASS));
    }
    assert_true(lb_journal_in_order(&b->journal, b->count, count_line, &t));
    assert_int_equal(t.lines, b->count);
    assert_true(t.ordered);
    return t;
}

static void test_broken_port_costs_its_own_verdicts(void **state)
{
    bench b;
    (void)state;
    bench_open(&b, misbehave, NULL);
    const tally t = run_with_errors(&b, 3, (uint64_t[]){CRASH_AT, HANG_AT, EXIT_AT}, 3);
    assert_non_null(strstr(t.reasons, "signal 6"));
    assert_non_null(strstr(t.reasons, "did not return within 0.5 s"));
    assert_non_null(strstr(t.reasons, "exit status 9"));
    bench_close(&b);
}

/* What is damaged shows when lastbit reads it: no second result is lost by that. */
static void lock_output(lb_call *call)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t at = (uintptr_t)call->tensor[LB_ROLE_OUT]->data.mem.pi8;
    if (call->tensor[LB_ROLE_IN]->data.mem.pi8[0] != CRASH_AT)
        return;
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    mprotect((void *)(at / page * page), page, PROT_NONE);
}

static void test_a_death_of_lastbit_costs_its_own_verdicts(void **state)
{
    bench b;
    (void)state;
    bench_open(&b, lock_output, NULL);
    const tally t = run_with_errors(&b, 2, (uint64_t[]){CRASH_AT}, 1);
    assert_non_null(strstr(t.reasons, "lastbit itself was ended here 3 times"));
    bench_close(&b);
}

static void test_in_this_process(void **state)
{
    bench b;
    (void)state;
    bench_open(&b, NULL, NULL);
    assert_int_equal(bench_run(&b, 0), LB_POOL_DONE);
    for (uint64_t order = 0; order < b.count; order++)
        assert_int_equal(b.verdicts[order], 1 + LB_PASS);
    bench_close(&b);
}

static void test_shards_are_disjoint_and_complete(void **state)
{
    unsigned char seen[CASES * 2] = {0};
    (void)state;
    for (unsigned shard = 1; shard <= 3; shard++) {
        bench b;
        bench_open(&b, NULL, NULL);
        b.plan.shard_index = shard;
        b.plan.shard_count = 3;
        assert_int_equal(bench_run(&b, 2), LB_POOL_DONE);
        for (uint64_t order = 0; order < b.count; order++)
            seen[order] = (unsigned char)(seen[order] + (b.verdicts[order] != 0));
        bench_close(&b);
    }
    for (size_t order = 0; order < sizeof seen; order++)
        assert_int_equal(seen[order], 1);
}

static void test_patterns(void **state)
{
    static const char *const patterns[] = {"c0*", "c39"};
    bench b;
    (void)state;
    bench_open(&b, NULL, NULL);
    b.plan.chosen.cases = (lb_words){2, patterns};
    assert_int_equal(bench_run(&b, 2), LB_POOL_DONE);
    for (uint64_t order = 0; order < b.count; order++)
        assert_int_equal(b.verdicts[order] != 0, order / 2 < 10 || order / 2 == 39);
    bench_close(&b);
}

static bool note(void *user, uint64_t order, lb_verdict verdict, const char *line, size_t length)
{
    (void)line, (void)length;
    ((unsigned char *)user)[order] = (unsigned char)(1 + verdict);
    return true;
}

static void spoil_slowly(lb_call *call)
{
    struct timespec moment = {.tv_nsec = 20000000};
    (void)call;
    nanosleep(&moment, NULL);
}

/* Forty calls of 20 milliseconds take longer than half a second, and none of them does. */
static void test_limit_is_of_a_call(void **state)
{
    char chain[] = "{\"format\":\"lastbit/cases-1\",\"suite\":\"chain\",\"cases\":[{\"id\":\"c\","
                   "\"function\":\"mli_krn_relu_fx8\",\"config\":{\"type\":\"none\"},"
                   "\"chain\":{\"steps\":40,\"feed\":[{\"from\":\"out\",\"to\":\"in\"}]},"
                   "\"inputs\":{\"in\":{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0,"
                   "\"data\":[5]}},\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[1],"
                   "\"frac_bits\":0}}}]}";
    bench b;
    (void)state;
    bench_open_of(&b, chain, 1, spoil_slowly, NULL);
    assert_int_equal(bench_run(&b, 2), LB_POOL_DONE);
    assert_int_equal(b.verdicts[0], 1 + LB_PASS);
    assert_int_equal(b.verdicts[1], 1 + LB_PASS);
    bench_close(&b);
}

/* The whole run (parent and workers) is killed; a second one finds what was done and does the rest.
 */
static void test_killed_run_is_resumed(void **state)
{
    char folder[] = "/tmp/lastbit-test-XXXXXX", path[300];
    bench b;
    uint64_t known = 0;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/journal.jsonl", folder);
    pid_t run = fork();
    assert_true(run >= 0);
    if (run == 0) {
        bench_open(&b, spoil_slowly, path);
        bench_run(&b, 2);
        _exit(0);
    }
    struct timespec moment = {.tv_nsec = 300000000};
    nanosleep(&moment, NULL);
    kill(run, SIGKILL);
    waitpid(run, NULL, 0);
    nanosleep(&moment, NULL); /* its workers go with it */
    bench_open(&b, NULL, NULL);
    lb_journal_close(&b.journal);
    assert_true(lb_journal_resume(&b.journal, path, "{\"journal\":\"test\"}", note, b.verdicts));
    for (uint64_t order = 0; order < b.count; order++)
        known += b.verdicts[order] != 0;
    assert_in_range(known, 1, b.count - 1);
    assert_int_equal(bench_run(&b, 2), LB_POOL_DONE);
    tally t = {.ordered = true};
    assert_true(lb_journal_in_order(&b.journal, b.count, count_line, &t));
    assert_int_equal(t.lines, b.count);
    bench_close(&b);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken_port_costs_its_own_verdicts),
        cmocka_unit_test(test_a_death_of_lastbit_costs_its_own_verdicts),
        cmocka_unit_test(test_in_this_process),
        cmocka_unit_test(test_shards_are_disjoint_and_complete),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_limit_is_of_a_call),
        cmocka_unit_test(test_killed_run_is_resumed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
