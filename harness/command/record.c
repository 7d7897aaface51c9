/* lastbit vectors record: what a port gives becomes the recorded result of a suite's cases. */
#include "harness/base/arena.h"
#include "harness/base/command_line.h"
#include "harness/base/sha256.h"
#include "harness/base/xalloc.h"
#include "harness/command/commands.h"
#include "harness/generate/recording.h"
#include "harness/port/open.h"
#include "harness/run/shared_options.h"
#include "harness/suite/case_write.h"
#include "harness/suite/profile_file.h"
#include "harness/suite/suite.h"
#include "harness/trial/trial.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALL_SECONDS = 60, REFUSALS_SHOWN = 20 };

typedef struct options {
    const char *port, *profiles, *output, *suite;
    bool replace;
} options;

typedef struct recorder {
    const options *o;
    lb_port *port;
    lb_source from;
    char sha256[LB_SHA256_TEXT];
    lb_loaded_profiles loaded;
    const lb_profile *profiles[LB_MAX_PROFILES];
    size_t profile_count;
    lb_recording recording;
    const lb_case *test_case; /* that is tried */
    uint64_t recorded, kept, refused;
    lb_arena arena;
} recorder;

/* ---- Where it comes from ---- */

/* The file that the port is: a library, the first word of a command, or this program. "": none. */
static void find_program(const char *port, char *path, size_t path_bytes)
{
    const char *at = strncmp(port, "exec:", 5) == 0 ? port + 5 : port;
    if (strcmp(port, "builtin") == 0)
        at = "/proc/self/exe";
    snprintf(path, path_bytes, "%.*s", at == port ? (int)strlen(at) : (int)strcspn(at, " \t\n"),
             at);
}

static void describe_source(recorder *r)
{
    char path[4096];
    find_program(r->o->port, path, sizeof path);
    r->from = (lb_source){.port = r->o->port, .described = r->port->described};
    if (lb_sha256_of_file(path, r->sha256))
        r->from.sha256 = r->sha256;
}

/* ---- Cases ---- */

static void refuse(recorder *r, const lb_result *result, const char *why)
{
    if (r->refused++ < REFUSALS_SHOWN)
        fprintf(stderr, "%s:%u: %s [%s]: not recorded: %s\n", r->o->suite, r->test_case->line,
                result->id, result->profile, why);
}

static void take_result(void *user, size_t profile, lb_result *result)
{
    recorder *r = user;
    (void)profile;
    if (result->verdict == LB_SKIP || result->verdict == LB_ERROR)
        refuse(r, result, result->reason);
    else if (r->recording.refused)
        refuse(r, result, r->recording.refused);
}

static void record_case(recorder *r, lb_trial_setup *setup, lb_case *c)
{
    bool wanted[LB_MAX_PROFILES];
    for (size_t i = 0; i < r->profile_count; i++)
        wanted[i] = true;
    r->test_case = c;
    r->recording.count = 0;
    lb_trial_run(setup, c, r->profiles, wanted, r->profile_count, NULL, take_result, r);
    size_t kept = lb_recording_merge(c, &r->recording, &r->from, r->o->replace, &r->arena);
    r->kept += kept;
    r->recorded += r->recording.count - kept;
}

/* Writes the cases; false: something is wrong, and said. */
static bool record_suite(recorder *r, const lb_suite *suite, FILE *out)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_analysis analysis = lb_recording_analysis(&r->recording);
    const lb_analysis *list[] = {&analysis};
    lb_trial_setup setup = {.port = r->port,
                            .suite = lb_suite_name(suite),
                            .file = r->o->suite,
                            .tolerance_off = true,
                            .analyses = list,
                            .analysis_count = 1,
                            .arena = &r->arena};
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    bool good = true;
    fprintf(out, "%s\n", lb_suite_header_json(lb_suite_name(suite), &r->arena));
    for (size_t i = 0; good && i < lb_suite_case_count(suite); i++) {
        const lb_case *c = lb_suite_reader_case(reader, i, &diagnostics);
        lb_arena_reset(&r->arena);
        if (c && c->kernel) {
            lb_case *mine = lb_case_copy(&r->arena, c);
            record_case(r, &setup, mine);
            fprintf(out, "%s\n", lb_case_to_json(mine, &r->arena));
        } else if (c) {
            fprintf(stderr, "%s:%u: %s: left out: sequences of movement calls are not written\n",
                    r->o->suite, c->line, c->id);
            r->refused++;
        }
        good = c && !ferror(out);
    }
    lb_suite_reader_close(reader);
    return good;
}

static void tell_counts(const recorder *r)
{
    if (r->refused > REFUSALS_SHOWN)
        fprintf(stderr, "... and %llu more\n", (unsigned long long)(r->refused - REFUSALS_SHOWN));
    printf("%s: %llu results recorded, %llu were recorded before and stay, %llu not recorded\n",
           r->o->output, (unsigned long long)r->recorded, (unsigned long long)r->kept,
           (unsigned long long)r->refused);
}

/* ---- The command ---- */

static bool check(const options *o)
{
    if (!o->output)
        return lb_usage_error("vectors record", "expected -o FILE: the suite to write"), false;
    if (!o->replace && access(o->output, F_OK) == 0)
        return lb_usage_error("vectors record", "%s exists; choose another name, or --replace it",
                              o->output),
               false;
    return true;
}

/* Profiles whose recorded results a suite can hold: those of the host's accumulators. */
static bool choose_profiles(recorder *r)
{
    if (!lb_profiles_choose("vectors record", r->o->profiles, &r->loaded, r->profiles,
                            &r->profile_count))
        return false;
    for (size_t i = 0; i < r->profile_count; i++) {
        const lb_profile *p = r->profiles[i];
        if (!lb_profile_same_widths(p, &lb_profiles[0]))
            return lb_usage_error("vectors record",
                                  "--profile %s: its accumulators are not those of the host, and "
                                  "recorded results are for these",
                                  p->name),
                   false;
        for (size_t j = 0; j < i; j++)
            if (lb_profile_number(p) == lb_profile_number(r->profiles[j]))
                return lb_usage_error("vectors record",
                                      "--profile: %s and %s have the same numerics", p->name,
                                      r->profiles[j]->name),
                       false;
    }
    return true;
}

/* Into a file beside the output first, so that the suite itself may be written over. */
static int write_suite(recorder *r, const lb_suite *suite)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s.part", r->o->output) >= (int)sizeof path)
        return lb_usage_error("vectors record", "%s: the name is too long", r->o->output), 2;
    FILE *out = fopen(path, "w");
    bool read = out && record_suite(r, suite, out);
    bool written = out && !ferror(out) && fclose(out) == 0;
    if (out && !read)
        return remove(path), written ? 2 : 3;
    if (!written || rename(path, r->o->output) != 0) {
        fprintf(stderr, "lastbit vectors record: %s: %s\n", r->o->output, strerror(errno));
        return remove(path), 3;
    }
    tell_counts(r);
    return r->refused > 0 ? 1 : 0;
}

static int record(int argc, char **argv)
{
    options o = {.port = "builtin", .profiles = "all"};
    lb_arguments operands;
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    int status;
    if (!lb_options_parse(&lb_vectors_record_command, argc, argv, &o, &operands, &status) ||
        !check(&o))
        return status;
    o.suite = operands.items[0];
    recorder *r = lb_zeroed(1, sizeof *r);
    lb_suite *suite = NULL;
    status = 2;
    r->o = &o;
    if (choose_profiles(r) && (suite = lb_suite_open(o.suite, &diagnostics)) != NULL &&
        (r->port = lb_port_open(o.port, CALL_SECONDS)) != NULL) {
        describe_source(r);
        status = write_suite(r, suite);
        r->port->close(r->port);
    }
    lb_suite_close(suite);
    lb_arena_free(&r->arena);
    free(r);
    return fflush(stdout) == 0 && !ferror(stdout) ? status : 3;
}

static const lb_option table[] = {
    {"output", 'o', LB_TEXT, "FILE", LB_INTO(options, output),
     .help = "the suite to write; one that exists is not written over, except with --replace"},
    {"replace", 0, LB_FLAG, NULL, LB_INTO(options, replace),
     .help = "recorded results that are there give way to those of the port"},
    {.name = NULL}};

const lb_command lb_vectors_record_command = {
    .name = "vectors record",
    .summary = "write what a port gives as recorded results",
    .usage = "[OPTION...] -o FILE SUITE",
    .about =
        "Calls the port with every case of the suite and writes the suite anew, as JSON Lines, "
        "with what came out as the recorded result (\"expect\"), marked with the port, its "
        "description and its digest. What is recorded already stays, and calls that the "
        "specification leaves undefined get nothing. Profiles are the numerics that the port "
        "is asked for, with the host's accumulators.",
    .groups = {{table, 0, NULL},
               {lb_port_option, offsetof(options, port), NULL},
               {lb_profile_option, offsetof(options, profiles), NULL}},
    .operand = {.name = "SUITE", "a suite (.json, .jsonl, .yaml, .yml)", 1, 1, NULL, true},
    .statuses =
        {"every case has a recorded result in each of the profiles",
         "some have none: the port failed, cannot be asked, or the call is undefined (said, "
         "case by case)",
         "the command line, a profile or the suite is wrong",
         "lastbit itself failed (the file cannot be written)"},
    .examples = "lastbit vectors record -p ./libdevice.so -n up-full -o device.jsonl cases.yaml",
    .run = record};
