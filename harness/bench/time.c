/* Timing of calls in rounds: see time.h. */
#include "harness/bench/time.h"
#include "harness/base/texts.h"
#include "harness/base/xalloc.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A peak that some job wants: of one kind at one level. */
typedef struct best {
    const char *level;
    lb_peak what;
    double *rates; /* of each round */
} best;

/* What is measured of a job. */
typedef struct series {
    unsigned long calls; /* of a run */
    double *seconds;     /* of a call, in each round */
    size_t peak;         /* index of what it is held against */
} series;

typedef struct rounds {
    lb_port *port;
    lb_bench_job *jobs;
    size_t count;
    series *series; /* of each job */
    best *peaks;
    size_t peak_count;
    unsigned runs;
} rounds;

static double thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double time_calls(const rounds *r, const lb_bench_job *job, unsigned long calls)
{
    const double start = thread_seconds();
    for (unsigned long i = 0; i < calls; i++)
        r->port->call(r->port, job->profile, job->call);
    return thread_seconds() - start;
}

static bool take_level(const rounds *r, const lb_bench_job *job)
{
    if (!job->level || r->port->set_level(r->port, job->level))
        return true;
    fprintf(stderr, "lastbit bench: the port does not take the level %s\n", job->level);
    return false;
}

static unsigned long calls_of_a_run(const rounds *r, const lb_bench_job *job, double run_seconds)
{
    unsigned long calls = 1;
    time_calls(r, job, 1);
    while (calls < 1UL << 30 && time_calls(r, job, calls) < run_seconds)
        calls *= 2;
    return calls;
}

/* Index of the peak that a job is held against. */
static size_t peak_of(rounds *r, const lb_bench_job *job)
{
    for (size_t p = 0; p < r->peak_count; p++)
        if (r->peaks[p].what == job->against && lb_texts_equal(r->peaks[p].level, job->level))
            return p;
    r->peaks = lb_resized(r->peaks, (r->peak_count + 1) * sizeof *r->peaks);
    r->peaks[r->peak_count] =
        (best){job->level, job->against, lb_resized(NULL, r->runs * sizeof(double))};
    return r->peak_count++;
}

static bool prepare(rounds *r, double run_seconds)
{
    r->series = lb_resized(NULL, r->count * sizeof *r->series);
    memset(r->series, 0, r->count * sizeof *r->series);
    for (size_t j = 0; j < r->count; j++) {
        if (!take_level(r, &r->jobs[j]))
            return false;
        r->series[j] =
            (series){calls_of_a_run(r, &r->jobs[j], run_seconds),
                     lb_resized(NULL, r->runs * sizeof(double)), peak_of(r, &r->jobs[j])};
    }
    return true;
}

static bool measure(rounds *r, unsigned round)
{
    for (size_t p = 0; p < r->peak_count; p++) {
        const best *b = &r->peaks[p];
        b->rates[round] = b->level && r->port->peak ? r->port->peak(r->port, b->level, b->what) : 0;
    }
    for (size_t j = 0; j < r->count; j++) {
        const series *of_job = &r->series[j];
        if (!take_level(r, &r->jobs[j]))
            return false;
        time_calls(r, &r->jobs[j], 1);
        of_job->seconds[round] = time_calls(r, &r->jobs[j], of_job->calls) / (double)of_job->calls;
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double sorted_median(double *values, unsigned count)
{
    qsort(values, count, sizeof values[0], compare);
    return values[count / 2];
}

static void conclude(rounds *r)
{
    for (size_t p = 0; p < r->peak_count; p++)
        sorted_median(r->peaks[p].rates, r->runs);
    for (size_t j = 0; j < r->count; j++) {
        lb_bench_job *job = &r->jobs[j];
        double *times = r->series[j].seconds;
        job->seconds = sorted_median(times, r->runs);
        job->least_seconds = times[0];
        job->noise_percent =
            50 * (times[r->runs - 1 - r->runs / 4] - times[r->runs / 4]) / job->seconds;
        job->peak = r->peaks[r->series[j].peak].rates[r->runs / 2];
    }
}

static void release(rounds *r)
{
    for (size_t j = 0; r->series && j < r->count; j++)
        free(r->series[j].seconds);
    for (size_t p = 0; p < r->peak_count; p++)
        free(r->peaks[p].rates);
    free(r->series);
    free(r->peaks);
}

bool lb_bench_time_jobs(lb_port *port, lb_bench_job *jobs, size_t count, unsigned runs,
                        double run_seconds)
{
    rounds r = {.port = port, .jobs = jobs, .count = count, .runs = runs};
    if (count == 0)
        return true;
    bool good = prepare(&r, run_seconds);
    for (unsigned round = 0; good && round < runs; round++)
        good = measure(&r, round);
    if (good)
        conclude(&r);
    release(&r);
    return good;
}

void lb_bench_pin(void)
{
    cpu_set_t set;
    const int here = sched_getcpu();
    CPU_ZERO(&set);
    if (here < 0)
        return;
    CPU_SET((size_t)here, &set);
    sched_setaffinity(0, sizeof set, &set);
}
