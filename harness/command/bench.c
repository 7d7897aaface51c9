/* lastbit bench: chooses rows and levels, times them, prints a table or JSON.
 */
#include "harness/base/command_line.h"
#include "harness/base/suggest.h"
#include "harness/base/xalloc.h"
#include "harness/bench/baseline.h"
#include "harness/bench/report.h"
#include "harness/bench/rows.h"
#include "harness/bench/time.h"
#include "harness/command/commands.h"
#include "harness/port/cpu_level.h"
#include "harness/port/open.h"
#include "harness/run/shared_options.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench {
    const char *port_name, *profile_name, *levels_wanted, *baseline_file, *report_folder;
    unsigned long runs, run_ms;
    bool json, list;
    lb_arguments patterns;
    lb_arena arena; /* of the rows */
    lb_bench_rows rows;
    const lb_profile *profile;
    lb_port *port;
    const char *levels[LB_MAX_LEVELS]; /* NULL: the port has none, and is timed as it is */
    size_t level_count;
    lb_bench_baseline baseline;
    lb_speed *speed; /* of what is timed */
    size_t speed_count;
} bench;

enum { CALL_SECONDS = 60 }; /* a call of an external port that takes longer hangs */

/* ---- Choosing ---- */

static bool matches(const char *pattern, const lb_bench_row *row)
{
    return fnmatch(pattern, row->name, 0) == 0 || fnmatch(pattern, row->function, 0) == 0;
}

static bool is_of_profile(const bench *b, const lb_bench_row *row)
{
    return lb_kernel_is_in(lb_kernel_find(row->function), b->profile);
}

static bool wanted(const bench *b, const lb_bench_row *row)
{
    for (size_t i = 0; i < b->patterns.count; i++)
        if (matches(b->patterns.items[i], row))
            return true;
    return b->patterns.count == 0 && is_of_profile(b, row);
}

/* Of functions of another kernel set: its first. */
static const lb_profile *profile_of(const bench *b, const lb_bench_row *row)
{
    return is_of_profile(b, row) ? b->profile
                                 : lb_kernel_set_of(lb_kernel_find(row->function))->profiles;
}

static const char *row_name_at(const void *set, size_t index)
{
    const lb_bench_rows *rows = set;
    return index < rows->count ? rows->row[index].name : NULL;
}

static bool check_patterns(const bench *b)
{
    for (size_t i = 0; i < b->patterns.count; i++) {
        bool any = false;
        for (size_t r = 0; r < b->rows.count; r++)
            any = any || matches(b->patterns.items[i], &b->rows.row[r]);
        const char *near = any ? NULL : lb_suggest(b->patterns.items[i], row_name_at, &b->rows);
        if (!any && lb_kernel_find(b->patterns.items[i]))
            return lb_usage_error("bench", "%s: no row times this function; --list tells the rows",
                                  b->patterns.items[i]),
                   false;
        if (!any && near)
            return lb_usage_error("bench", "%s: no such row; did you mean %s?",
                                  b->patterns.items[i], near),
                   false;
        if (!any)
            return lb_usage_error("bench", "%s: no such row or function; --list tells the rows",
                                  b->patterns.items[i]),
                   false;
    }
    return true;
}

static bool choose_profile(bench *b)
{
    lb_loaded_profiles loaded;
    const lb_profile *profiles[LB_MAX_PROFILES];
    size_t count = 0;
    if (!lb_profiles_choose("bench", b->profile_name, &loaded, profiles, &count))
        return false;
    if (count != 1 || loaded.count > 0)
        return lb_usage_error("bench", "--profile %s: expected one built-in profile",
                              b->profile_name),
               false;
    b->profile = profiles[0];
    return true;
}

static bool choose_levels(bench *b)
{
    if (!lb_levels_choose("bench", b->port, b->levels_wanted, b->levels, &b->level_count))
        return false;
    if (b->level_count == 0)
        b->levels[b->level_count++] = NULL;
    return true;
}

/* ---- Timing and telling ---- */

typedef struct outcome {
    const lb_bench_row *row;
    const char *cpu;
    const lb_bench_job *job;
    double rate, percent;
} outcome;

static void print_json(const outcome *o)
{
    printf("{\"row\":\"%s\",\"cpu\":\"%s\",\"seconds\":%.6g,\"rate\":%.6g,\"unit\":\"%s\",\"peak\":"
           "%.6g,"
           "\"percent_of_peak\":%.4g}\n",
           o->row->name, o->cpu, o->job->seconds, o->rate, lb_bench_unit(o->row), o->job->peak,
           o->percent);
}

static void print_head(const bench *b)
{
    printf("%-24s %-9s %12s %12s %7s %9s %-6s %9s %7s%s\n", "row", "cpu", "time", "least", "noise",
           "rate", "unit", "peak", "of it", b->baseline_file ? "  change" : "");
}

static void print_line(const bench *b, const outcome *o)
{
    printf("%-24s %-9s %9.2f us %9.2f us %5.1f %% %9.2f %-6s ", o->row->name, o->cpu,
           o->job->seconds * 1e6, o->job->least_seconds * 1e6, o->job->noise_percent, o->rate,
           lb_bench_unit(o->row));
    if (o->job->peak > 0)
        printf("%9.2f %5.1f %%", o->job->peak, o->percent);
    else
        printf("%9s %7s", "-", "-");
    const double before = lb_bench_baseline_rate(&b->baseline, o->row->name, o->cpu);
    if (b->baseline_file && before > 0)
        printf(" %+6.1f %%", 100 * (o->rate / before - 1));
    else if (b->baseline_file)
        printf(" %8s", "new");
    putchar('\n');
}

static void keep(bench *b, const outcome *o)
{
    b->speed = lb_resized(b->speed, (b->speed_count + 1) * sizeof *b->speed);
    b->speed[b->speed_count++] =
        (lb_speed){.row = o->row->name,
                   .function = o->row->function,
                   .cpu = o->cpu,
                   .unit = lb_bench_unit(o->row),
                   .seconds = o->job->seconds,
                   .rate = o->rate,
                   .peak = o->job->peak,
                   .percent_of_peak = o->percent,
                   .noise_percent = o->job->noise_percent,
                   .baseline_rate = lb_bench_baseline_rate(&b->baseline, o->row->name, o->cpu)};
}

/* A row and its call, whose operands stay until all is timed. */
typedef struct prepared {
    const lb_bench_row *row;
    lb_arena arena;
    lb_call call;
    double work; /* lb_bench_work */
} prepared;

static void tell(bench *b, const prepared *p, const lb_bench_job *job)
{
    outcome o = {.row = p->row, .cpu = job->level ? job->level : "", .job = job};
    o.rate = p->work / job->seconds * 1e-9;
    o.percent = job->peak > 0 ? 100 * o.rate / job->peak : 0;
    keep(b, &o);
    if (b->json)
        print_json(&o);
    else
        print_line(b, &o);
}

/* False: the port refuses the call. */
static bool prepare(const bench *b, const lb_bench_row *row, prepared *p)
{
    p->row = row;
    lb_bench_call(row, &p->arena, &p->call);
    p->work = lb_bench_work(row, &p->call);
    b->port->call(b->port, profile_of(b, row), &p->call);
    if (p->call.status == LB_OK)
        return true;
    fprintf(stderr, "lastbit bench: %s: the port answers %s with status %s\n", row->name,
            row->function, lb_status_name((int)p->call.status));
    return false;
}

/* Calls of the rows that are wanted and that the port has, at the end of `rows`. False: a call is
 * refused. */
static bool prepare_rows(const bench *b, prepared *rows, size_t *count)
{
    for (size_t r = 0; r < b->rows.count; r++) {
        const lb_bench_row *row = &b->rows.row[r];
        if (!wanted(b, row))
            continue;
        if (!b->port->provides(b->port, lb_kernel_find(row->function)))
            fprintf(stderr, "lastbit bench: %s: the port does not have %s\n", row->name,
                    row->function);
        else if (!prepare(b, row, &rows[(*count)++]))
            return false;
    }
    return true;
}

static bool time_prepared(bench *b, prepared *rows, size_t row_count)
{
    const size_t levels = b->level_count, count = row_count * levels;
    lb_bench_job *jobs = lb_resized(NULL, (count + 1) * sizeof *jobs);
    for (size_t j = 0; j < count; j++)
        jobs[j] = (lb_bench_job){.call = &rows[j / levels].call,
                                 .profile = profile_of(b, rows[j / levels].row),
                                 .level = b->levels[j % levels],
                                 .against = rows[j / levels].row->peak};
    const bool good =
        lb_bench_time_jobs(b->port, jobs, count, (unsigned)b->runs, (double)b->run_ms * 1e-3);
    if (good && !b->json)
        print_head(b);
    for (size_t j = 0; good && j < count; j++)
        tell(b, &rows[j / levels], &jobs[j]);
    free(jobs);
    return good && fflush(stdout) == 0;
}

static int time_rows(bench *b)
{
    prepared *rows = lb_resized(NULL, b->rows.count * sizeof *rows);
    size_t count = 0;
    memset(rows, 0, b->rows.count * sizeof *rows);
    lb_bench_pin();
    const bool good = prepare_rows(b, rows, &count) && time_prepared(b, rows, count);
    for (size_t r = 0; r < b->rows.count; r++)
        lb_arena_free(&rows[r].arena);
    free(rows);
    return good ? 0 : 3;
}

static int list(const bench *b)
{
    for (size_t r = 0; r < b->rows.count; r++) {
        const lb_bench_row *row = &b->rows.row[r];
        if (!wanted(b, row))
            continue;
        printf("%-24s %-50s in", row->name, row->function);
        for (int d = 0; d < 4 && row->in[d] > 0; d++)
            printf("%s%u", d ? "x" : " ", (unsigned)row->in[d]);
        if (row->channels > 0)
            printf(", out %u channels", (unsigned)row->channels);
        if (row->stride > 1)
            printf(", stride %u", (unsigned)row->stride);
        printf("%s", row->groups > 0 ? ", groups" : "");
        putchar('\n');
    }
    return fflush(stdout) == 0 ? 0 : 3;
}

static int time_port(bench *b, int argc, char **argv)
{
    int status;
    b->port = lb_port_open(b->port_name, CALL_SECONDS);
    if (!b->port)
        return 2;
    if (b->port->begin) {
        b->port->close(b->port);
        return lb_usage_error(
                   "bench", "--port %s: it runs elsewhere, and its calls cannot be timed from here",
                   b->port_name),
               2;
    }
    status = choose_levels(b) ? time_rows(b) : 2;
    if (status == 0 && b->report_folder &&
        !lb_bench_report(b->report_folder, b->port, b->profile, b->speed, b->speed_count, argc,
                         argv))
        status = 3;
    free(b->speed);
    b->port->close(b->port);
    return status;
}

static int bench_command(int argc, char **argv)
{
    bench b = {.port_name = "builtin",
               .profile_name = "up-full",
               .levels_wanted = "all",
               .runs = 11,
               .run_ms = 10};
    int status;
    if (!lb_options_parse(&lb_bench_command, argc, argv, &b, &b.patterns, &status))
        return status;
    b.rows = lb_bench_all_rows(&b.arena);
    if (!check_patterns(&b) || !choose_profile(&b) ||
        (!b.list && b.baseline_file && !lb_bench_baseline_read(&b.baseline, b.baseline_file)))
        status = 2;
    else
        status = b.list ? list(&b) : time_port(&b, argc, argv);
    lb_bench_baseline_free(&b.baseline);
    lb_arena_free(&b.arena);
    return status;
}

static const lb_option table[] = {
    {"json", 0, LB_FLAG, NULL, LB_INTO(bench, json),
     .help = "JSON, one object a line for each row and level: row, cpu, seconds (of one call), "
             "rate, unit, peak (in that unit; 0: unknown), percent_of_peak"},
    {"list", 0, LB_FLAG, NULL, LB_INTO(bench, list), .help = "the rows, with functions and sizes"},
    {"report", 'r', LB_TEXT, "DIR", LB_INTO(bench, report_folder),
     .help = "also write results.json, report.html and summary.md there, with a section on speed"},
    {"baseline", 0, LB_TEXT, "FILE", LB_INTO(bench, baseline_file), .reads = true,
     .help = "tells the change since an earlier run, whose --json output is in FILE"},
    {"runs", 0, LB_NUMBER, "N", LB_INTO(bench, runs), .low = 1, .high = LB_BENCH_MAX_RUNS,
     .help = "rounds that a median is taken of (default 11)"},
    {"run-time", 0, LB_NUMBER, "MS", LB_INTO(bench, run_ms), .high = 100000,
     .help = "least milliseconds of a run (default 10)"},
    {.name = NULL}};

const lb_command lb_bench_command = {
    .name = "bench",
    .summary = "time the port, per CPU level, beside what the processor can do at best",
    .usage = "[OPTION...] [ROW|FUNCTION...]\n--list",
    .about =
        "Times functions of a port on operands of typical sizes, at every CPU level (instruction "
        "set) that port and machine have, in one profile (up-full unless --profile says another; "
        "rows of another kernel set in its first), and tells rates in percent of what the machine "
        "does at best with that level's "
        "instructions: products on registers alone (GMAC/s), loads from a cache (GB/s), measured "
        "in the same run.\n"
        "\n"
        "Measures in rounds: in each, every row has a run of many calls on warm caches, and the "
        "machine's best is measured as well. Times, rates and peaks are medians over the rounds, "
        "in "
        "CPU time of one thread, which stays on one processor; least is the fastest run. Noise is "
        "half the distance between the quartiles: over 5 %, or with a least time far off, the "
        "machine was busy with something else. Multiply-accumulates count all taps, padding "
        "included; bytes are those that a call must read and write once (fully connected: the "
        "weights).",
    .groups = {{table, 0, NULL},
               {lb_port_option, offsetof(bench, port_name), NULL},
               {lb_cpu_option, offsetof(bench, levels_wanted), NULL},
               {lb_profile_option, offsetof(bench, profile_name), NULL}},
    .operand = {.name = "ROW|FUNCTION",
                "the name of a row, a public name, or a pattern; none: all rows of the "
                "profile's kernel set",
                0,
                0,
                NULL,
                .offers = LB_OFFER_FUNCTIONS},
    .statuses = {"timed", NULL, "the command line or the baseline is wrong; nothing was timed",
                 "lastbit itself failed"},
    .examples = "lastbit bench conv3x3_s8_28x64 'dw*'\n"
                "lastbit bench --json --cpu vnni >speed.json\n"
                "lastbit bench --profile litert-double\n"
                "lastbit bench --baseline speed.json mli_krn_lstm_cell_sa8_sa8_sa32",
    .run = bench_command};
