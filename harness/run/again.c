/* Results tried again: see again.h. */
#include "harness/run/again.h"
#include "harness/base/xalloc.h"

#include "reports/journal_line.h"
#include "reports/results_read.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAILS = 2000, MOST_ERRORS = 16, TEXT_BYTES = 200 };
static const double ALONE_SECONDS = 2; /* a port that hangs is not waited for as long as before */
static const char ALONE[] = "passes alone: state between calls, or nondeterministic";

/* ---- Lines of a journal by the order of their results ---- */

typedef struct lines {
    char **of;
    uint64_t count;
} lines;

static bool keep_line(void *user, uint64_t order, const char *line, size_t length)
{
    lines *l = user;
    if (order < l->count)
        l->of[order] = strndup(line, length);
    return true;
}

static bool read_lines(const lb_journal *journal, uint64_t count, lines *l)
{
    *l = (lines){.of = lb_zeroed(count, sizeof *l->of), .count = count};
    return lb_journal_in_order(journal, count, keep_line, l);
}

static void free_lines(lines *l)
{
    for (uint64_t i = 0; i < l->count; i++)
        free(l->of[i]);
    free(l->of);
}

/* ---- Is it the same? ---- */

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool same_differences(const lb_result *a, const lb_result *b)
{
    bool alike = a->difference_count == b->difference_count;
    for (unsigned i = 0; alike && i < a->difference_count; i++) {
        const lb_difference *d = &a->differences[i], *e = &b->differences[i];
        alike = d->what == e->what && same(d->role, e->role) && same(d->index, e->index) &&
                same(d->got, e->got) && d->count == e->count;
    }
    return alike;
}

/* Status, verdict and bits, as far as results tell them; times differ always. */
static bool is_same_result(const lb_result *a, const lb_result *b)
{
    return a->verdict == b->verdict && same(a->status_got, b->status_got) && same_differences(a, b);
}

/* A result line, read; the tree is kept for its texts. */
static cJSON *read_result(const char *line, lb_result *result)
{
    char cause[160];
    cJSON *object = line ? cJSON_Parse(line) : NULL;
    if (!object || lb_result_from_json(object, result, cause, sizeof cause))
        return object;
    cJSON_Delete(object);
    return NULL;
}

/* ---- What is told ---- */

typedef struct again {
    const lb_again *wish;
    unsigned char *verdicts;
    lb_again_counts *counts;
    bool failed;
    float *times; /* of each result, one after another: as often as it was made */
} again;

static bool tell(again *a, lb_result *result, const char *text)
{
    enum { BYTES = 1 << 16 };
    char *line = lb_resized(NULL, BYTES + LB_JOURNAL_SUM_BYTES + 1);
    result->again = text;
    size_t length = lb_result_to_json(result, line, BYTES);
    bool good = length > 0 && lb_journal_append(a->wish->pool.journal, line, length);
    if (good)
        a->verdicts[result->order] = (unsigned char)(1 + result->verdict);
    a->failed = a->failed || !good;
    free(line);
    return good;
}

static bool is_failing(lb_verdict verdict)
{
    return verdict == LB_FAIL || verdict == LB_ERROR;
}

/* Of the two, the failing one stays. */
static void tell_unsteady(again *a, lb_result *first, lb_result *later, unsigned repetition)
{
    char text[TEXT_BYTES];
    bool failed_first = is_failing(first->verdict);
    const char *what = !failed_first && is_failing(later->verdict)   ? "passed at first, failed"
                       : failed_first && !is_failing(later->verdict) ? "failed at first, passed"
                                                                     : "gave other results";
    snprintf(
        text, sizeof text,
        "not the same each time: %s in repetition %u of %u (cases in another order, seed %llu)",
        what, repetition, a->wish->repeats, (unsigned long long)a->wish->seed);
    a->counts->unsteady++;
    tell(a, failed_first ? first : later, text);
}

static bool compare_results(again *a, const lines *later, unsigned repetition)
{
    lines first;
    bool good = read_lines(a->wish->pool.journal, later->count, &first);
    for (uint64_t i = 0; good && i < later->count; i++) {
        lb_result one, two;
        cJSON *tree = read_result(first.of[i], &one), *other = read_result(later->of[i], &two);
        if (tree && other && one.again[0] == '\0' && !is_same_result(&one, &two))
            tell_unsteady(a, &one, &two, repetition);
        cJSON_Delete(tree);
        cJSON_Delete(other);
    }
    free_lines(&first);
    return good && !a->failed;
}

/* ---- Times ---- */

/* Of a result in one of the repetitions, the first being 0. */
static void keep_time(again *a, uint64_t order, unsigned repetition, const char *line)
{
    const char *at = line ? lb_line_member(line, strlen(line), "microseconds") : NULL;
    a->times[order * a->wish->repeats + repetition] = at ? strtof(at, NULL) : 0;
}

static void keep_times(again *a, const lines *made, unsigned repetition)
{
    for (uint64_t i = 0; i < made->count; i++)
        keep_time(a, i, repetition, made->of[i]);
}

static bool keep_first_times(again *a, uint64_t count)
{
    lines first;
    bool good = read_lines(a->wish->pool.journal, count, &first);
    a->times = lb_resized(NULL, (count * a->wish->repeats + 1) * sizeof *a->times);
    keep_times(a, &first, 0);
    free_lines(&first);
    return good;
}

static int by_size(const void *left, const void *right)
{
    const float *x = left, *y = right;
    return *x < *y ? -1 : *x > *y;
}

static double *medians_of(const again *a, uint64_t count)
{
    double *medians = lb_resized(NULL, (count + 1) * sizeof *medians);
    for (uint64_t i = 0; i < count; i++) {
        float *times = &a->times[i * a->wish->repeats];
        qsort(times, a->wish->repeats, sizeof *times, by_size);
        medians[i] = (double)times[a->wish->repeats / 2];
    }
    return medians;
}

/* ---- Runs ---- */

/* What the verdicts leave at 0 is tried, on a journal of its own; its lines go to *found. */
static lb_pool_end try_on(again *a, lb_pool_options *pool, unsigned char *verdicts, lines *found)
{
    lb_journal journal = {.fd = -1};
    uint64_t count = lb_plan_case_count(pool->plan) * pool->plan->profile_count;
    pool->journal = &journal;
    pool->cover = NULL;
    pool->vacuous = pool->marked = NULL;
    pool->max_fail = 0;
    pool->stopped = NULL;
    pool->show_progress = false;
    *found = (lines){0};
    lb_pool_end end =
        lb_journal_create(&journal, NULL, "{}") ? lb_pool_run(pool, verdicts) : LB_POOL_FAILED;
    if (end == LB_POOL_DONE && !read_lines(&journal, count, found))
        end = LB_POOL_FAILED;
    lb_journal_close(&journal);
    a->failed = a->failed || end == LB_POOL_FAILED;
    return end;
}

static uint64_t *shuffled(uint64_t count, uint64_t seed)
{
    uint64_t *sequence = lb_resized(NULL, (count + 1) * sizeof *sequence);
    uint64_t state = seed * 2 + 1;
    for (uint64_t i = 0; i < count; i++)
        sequence[i] = i;
    for (uint64_t i = count; i-- > 1;) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint64_t other = (state >> 33) % (i + 1), kept = sequence[i];
        sequence[i] = sequence[other];
        sequence[other] = kept;
    }
    return sequence;
}

static lb_pool_end repeat(again *a, unsigned repetition, uint64_t count)
{
    lb_pool_options pool = a->wish->pool;
    lines found;
    uint64_t cases = lb_plan_case_count(pool.plan);
    uint64_t *sequence = shuffled(cases, a->wish->seed + repetition);
    unsigned char *verdicts = lb_zeroed_shared(count);
    pool.sequence = sequence;
    pool.first_verdicts = pool.judge == LB_JUDGE_EXACT ? a->verdicts : NULL;
    lb_pool_end end = try_on(a, &pool, verdicts, &found);
    if (end == LB_POOL_DONE && !compare_results(a, &found, repetition))
        end = LB_POOL_FAILED;
    if (end == LB_POOL_DONE)
        keep_times(a, &found, repetition - 1);
    free_lines(&found);
    lb_shared_give_back(verdicts, count);
    free(sequence);
    return end;
}

/* Marks what is not tried alone: what did not fail, and what fails beyond a number: a port that is
 * wrong all over does so alone, too. */
static uint64_t choose_failing(const again *a, unsigned char *verdicts, uint64_t count)
{
    uint64_t fails = 0, errors = 0;
    for (uint64_t i = 0; i < count; i++) {
        bool wanted = (a->verdicts[i] == 1 + LB_FAIL && fails++ < MOST_FAILS) ||
                      (a->verdicts[i] == 1 + LB_ERROR && errors++ < MOST_ERRORS);
        verdicts[i] = wanted ? 0 : 1 + LB_SKIP;
    }
    return fails + errors;
}

static bool tell_alone(again *a, const lines *alone)
{
    lines first;
    bool good = read_lines(a->wish->pool.journal, alone->count, &first);
    for (uint64_t i = 0; good && i < alone->count; i++) {
        lb_result one, two;
        cJSON *other = read_result(alone->of[i], &two);
        cJSON *tree = other && two.verdict == LB_PASS ? read_result(first.of[i], &one) : NULL;
        if (tree) {
            char text[TEXT_BYTES + sizeof ALONE + 2];
            snprintf(text, sizeof text, "%s%s%s", ALONE, one.again[0] ? "; " : "", one.again);
            a->counts->alone++;
            tell(a, &one, same(one.again, ALONE) ? ALONE : text);
        }
        cJSON_Delete(tree);
        cJSON_Delete(other);
    }
    free_lines(&first);
    return good && !a->failed;
}

static lb_pool_end try_alone(again *a, uint64_t count)
{
    lb_pool_options pool = a->wish->pool;
    lines found;
    unsigned char *verdicts = lb_zeroed_shared(count);
    lb_pool_end end = LB_POOL_DONE;
    pool.alone = true;
    pool.guard = LB_GUARD_OFF;
    if (pool.time_limit_seconds > ALONE_SECONDS)
        pool.time_limit_seconds = ALONE_SECONDS;
    if (choose_failing(a, verdicts, count) > 0) {
        end = try_on(a, &pool, verdicts, &found);
        if (end == LB_POOL_DONE && !tell_alone(a, &found))
            end = LB_POOL_FAILED;
        free_lines(&found);
    }
    lb_shared_give_back(verdicts, count);
    return end;
}

lb_pool_end lb_again_run(const lb_again *wish, unsigned char *verdicts, lb_again_counts *counts)
{
    again a = {.wish = wish, .verdicts = verdicts, .counts = counts};
    uint64_t count = lb_plan_case_count(wish->pool.plan) * wish->pool.plan->profile_count;
    lb_pool_end end = LB_POOL_DONE;
    *counts = (lb_again_counts){0};
    if (wish->repeats > 1 && !keep_first_times(&a, count))
        end = LB_POOL_FAILED;
    for (unsigned i = 2; i <= wish->repeats && end == LB_POOL_DONE; i++)
        end = repeat(&a, i, count);
    if (wish->repeats > 1 && end == LB_POOL_DONE)
        counts->microseconds = medians_of(&a, count);
    free(a.times);
    /* In this process, for a debugger, nothing is fresh. */
    return end == LB_POOL_DONE && wish->pool.jobs > 0 ? try_alone(&a, count) : end;
}

static void tell_count(uint64_t count, const char *one, const char *several)
{
    if (count > 0)
        printf("%llu %s\n", (unsigned long long)count, count == 1 ? one : several);
}

void lb_again_tell(const lb_again_counts *counts)
{
    tell_count(counts->unsteady, "result was not the same each time",
               "results were not the same each time");
    tell_count(counts->alone,
               "failing result passes alone: state between calls, or nondeterministic",
               "failing results pass alone: state between calls, or nondeterministic");
}
