/* lastbit guard: the options, and the way through suites, cases and profiles.
 */
#include "harness/base/progress.h"
#include "harness/base/xalloc.h"
#include "harness/command/commands.h"
#include "harness/guard/port.h"
#include "harness/guard/table.h"
#include "harness/port/open.h"
#include "harness/run/shared_options.h"
#include "harness/suite/case_write.h"
#include "harness/suite/profile_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WITNESS_ID = 110, FAILURES_SHOWN = 20 };

enum { CALL_SECONDS = 60 }; /* for one call, where a port runs elsewhere */

typedef struct options {
    const char *port_name, *witness_out;
    lb_case_choice choice;
    lb_guard_by by;
    bool json, details, witness;
    unsigned long show_limit;
} options;

/* All that a run of the command works with. */
typedef struct analysis {
    const options *o;
    lb_plan plan; /* profiles, patterns and suites */
    lb_port *port;
    int port_bits[LB_MAX_PROFILES]
                 [LB_OPERANDS_COUNT]; /* guard bits that it tells; -1: it does not */
    lb_arena arena;                   /* of the case at hand */
    lb_guard_table table;
    lb_doc json;
    FILE *witness_file;
    uint64_t witnesses_written;
    lb_doc failures; /* a line for each of the first witnesses that failed */
    uint64_t wanted; /* cases that the patterns take */
    uint64_t seen;   /* cases of the suites so far */
    lb_progress progress;
    uint64_t results, narrow, witnesses, witnesses_right, witnesses_failed, witnesses_overflowing;
    int smallest_headroom;
    char smallest_case[256];
    char smallest_profile[64];
} analysis;

/* ---- Witnesses ---- */

/* An id that no other witness of this run has: that of the case, cut where it is long, the end, and
 * a number. */
static const char *witness_id(analysis *a, const lb_case *c, bool high)
{
    size_t length = strlen(c->id) < MAX_WITNESS_ID ? strlen(c->id) : MAX_WITNESS_ID;
    while (length > 0 && ((unsigned char)c->id[length] & 0xC0) == 0x80)
        length--; /* not inside a character */
    return lb_arena_printf(&a->arena, "%.*s.guard_%s.%" PRIu64, (int)length, c->id,
                           high ? "high" : "low", a->witnesses_written + 1);
}

static void write_witness(analysis *a, const lb_guard_witness *witness)
{
    if (!a->witness_file || !witness->test_case)
        return;
    fprintf(a->witness_file, "%s\n", lb_case_to_json(witness->test_case, &a->arena));
    a->witnesses_written++;
}

static void count_trial(analysis *a, const lb_guard_record *record, bool high)
{
    const lb_guard_trial *trial = high ? &record->high : &record->low;
    bool failed = lb_guard_trial_failed(trial);
    a->witnesses++;
    a->witnesses_right += !trial->overflows && trial->verdict == LB_PASS;
    a->witnesses_failed += failed;
    a->witnesses_overflowing += trial->overflows;
    if (failed && a->witnesses_failed <= FAILURES_SHOWN)
        lb_doc_printf(&a->failures, "%s: witness of %s, %s end [%s]: %s\n",
                      trial->verdict == LB_FAIL ? "FAIL" : "ERROR", record->test_case->id,
                      high ? "upper" : "lower", record->profile->name, trial->reason);
}

/* Both ends: written where they are not those of an earlier profile, tried in every profile. */
static void do_witnesses(analysis *a, const lb_trial_setup *setup, const lb_guard_prover *prover,
                         const lb_guard_bound *bound, const lb_guard_bound *before,
                         lb_guard_record *record)
{
    for (int end = 0; end < 2; end++) {
        bool high = end == 0;
        lb_guard_trial *trial = high ? &record->high : &record->low;
        const char *id = witness_id(a, record->test_case, high);
        bool again =
            before->known &&
            (high ? before->high_chain == bound->high_chain && before->high_sum == bound->high_sum
                  : before->low_chain == bound->low_chain && before->low_sum == bound->low_sum);
        if (a->o->witness)
            *trial = lb_guard_try(setup, prover, bound, record->profile, high, id);
        else if (!again)
            trial->witness = lb_guard_witness_of(prover, bound, high, id, &a->arena);
        if (!again)
            write_witness(a, &trial->witness);
        if (a->o->witness)
            count_trial(a, record, high);
    }
    record->tried = a->o->witness;
}

/* ---- Cases ---- */

static void ask_port(analysis *a)
{
    for (size_t p = 0; p < a->plan.profile_count; p++)
        lb_guard_port_ask(a->port, a->plan.profiles[p], a->port_bits[p]);
}

static void note_smallest(analysis *a, const lb_guard_record *record)
{
    if (a->results > 0 && record->use.headroom_bits >= a->smallest_headroom)
        return;
    a->smallest_headroom = record->use.headroom_bits;
    snprintf(a->smallest_case, sizeof a->smallest_case, "%s", record->test_case->id);
    snprintf(a->smallest_profile, sizeof a->smallest_profile, "%s", record->profile->name);
}

static void take_record(analysis *a, const lb_guard_record *record, size_t profile)
{
    note_smallest(a, record);
    a->results++;
    a->narrow += record->use.exceeds;
    if (a->o->json) {
        lb_guard_json(&a->json, record, a->o->details);
        lb_doc_flush_full(&a->json, stdout);
    } else {
        lb_guard_table_add(&a->table, record->test_case, profile, &record->use);
    }
}

static void analyse_case(analysis *a, const lb_suite *suite, const lb_case *c)
{
    lb_guard_prover prover = {.test_case = c, .arena = &a->arena};
    lb_guard_bound bound, before = {.known = false};
    lb_watch watch;
    lb_trial_setup setup = {.port = a->port,
                            .suite = lb_suite_name(suite),
                            .file = lb_suite_path(suite),
                            .arena = &a->arena};
    if (!lb_plan_wants_case(&a->plan, c))
        return;
    a->wanted++;
    if (!c->kernel || !c->kernel->exact || !lb_guard_applies(c->kernel))
        return;
    for (size_t p = 0; p < a->plan.profile_count; p++) {
        const lb_profile *profile = a->plan.profiles[p];
        if (!lb_guard_measure(&prover, profile, &bound, &watch))
            continue;
        lb_guard_record record = {
            .test_case = c, .suite = setup.suite, .file = setup.file, .profile = profile};
        record.use = lb_guard_use_of(&prover, &bound, &watch, profile);
        int port_bits = a->port_bits[p][record.use.operands];
        record.port_acc_bits = port_bits < 0 ? 0 : port_bits + lb_product_bits(record.use.operands);
        if (a->o->witness || a->witness_file)
            do_witnesses(a, &setup, &prover, &bound, &before, &record);
        take_record(a, &record, p);
        before = bound;
    }
}

static bool analyse_suite(analysis *a, const lb_suite *suite)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    bool good = reader != NULL;
    for (size_t i = 0; good && i < lb_suite_case_count(suite); i++) {
        const lb_case *c = lb_suite_reader_case(reader, i, &diagnostics);
        good = c != NULL;
        if (good)
            analyse_case(a, suite, c);
        lb_progress_show(&a->progress, ++a->seen);
        lb_arena_reset(&a->arena);
    }
    if (!good)
        fprintf(stderr, "lastbit: %s: changed while it was read\n", lb_suite_path(suite));
    lb_suite_reader_close(reader);
    return good;
}

/* ---- What is told ---- */

static void print_port(const analysis *a)
{
    unsigned differing = 0;
    for (size_t p = 0; p < a->plan.profile_count; p++)
        differing += lb_guard_port_tell(a->plan.profiles[p], a->port_bits[p], stdout);
    if (differing == 0)
        printf("the port's guard bits are those of the profiles\n");
}

static void print_failures(const analysis *a)
{
    if (a->witnesses_failed == 0)
        return;
    fwrite(a->failures.text, 1, a->failures.length, stdout);
    if (a->witnesses_failed > FAILURES_SHOWN)
        printf("and %" PRIu64 " more\n", a->witnesses_failed - FAILURES_SHOWN);
    printf("\"--witness-out FILE\" writes these inputs; \"lastbit run FILE\" shows what differs\n");
}

static void print_end(const analysis *a)
{
    print_failures(a);
    if (a->o->witness)
        printf("%" PRIu64 " witnesses: %" PRIu64 " right, %" PRIu64 " failed, %" PRIu64
               " not compared (the accumulator overflows there), %" PRIu64 " not tried\n",
               a->witnesses, a->witnesses_right, a->witnesses_failed, a->witnesses_overflowing,
               a->witnesses - a->witnesses_right - a->witnesses_failed - a->witnesses_overflowing);
    if (a->results > 0)
        printf("smallest headroom: %d bits in %s [%s]\n", a->smallest_headroom, a->smallest_case,
               a->smallest_profile);
    printf("%" PRIu64 " results, %" PRIu64 " with an accumulator too narrow\n", a->results,
           a->narrow);
}

static bool print_all(analysis *a)
{
    if (a->o->json)
        return lb_doc_flush(&a->json, stdout) && fflush(stdout) == 0;
    lb_guard_table_print(&a->table, a->o->show_limit, stdout);
    print_port(a);
    print_end(a);
    return fflush(stdout) == 0;
}

/* ---- The command ---- */

static bool open_witness_file(analysis *a)
{
    lb_arena arena = {0};
    if (!a->o->witness_out)
        return true;
    a->witness_file = fopen(a->o->witness_out, "w");
    if (a->witness_file)
        fprintf(a->witness_file, "%s\n", lb_suite_header_json("guard_witnesses", &arena));
    else
        fprintf(stderr, "lastbit guard: %s: %s\n", a->o->witness_out, strerror(errno));
    lb_arena_free(&arena);
    return a->witness_file != NULL;
}

static bool close_witness_file(analysis *a)
{
    bool good = !a->witness_file || fclose(a->witness_file) == 0;
    if (!good)
        fprintf(stderr, "lastbit guard: %s: cannot be written\n", a->o->witness_out);
    return good;
}

static int analyse(analysis *a)
{
    if (!open_witness_file(a))
        return 3;
    bool read = true;
    ask_port(a);
    lb_progress_start(&a->progress, LB_PROGRESS_BAR, "cases", lb_plan_case_count(&a->plan));
    for (size_t i = 0; read && i < a->plan.suite_count; i++)
        read = analyse_suite(a, a->plan.suites[i]);
    lb_progress_end(&a->progress);
    bool written = print_all(a);
    written = close_witness_file(a) && written;
    if (!read || !written)
        return 3;
    if (a->wanted == 0)
        return fprintf(stderr, "lastbit guard: no case matches\n"), 2;
    return a->narrow > 0 || a->witnesses_failed > 0 ? 1 : 0;
}

static int guard(int argc, char **argv)
{
    options o = {.port_name = "builtin", .show_limit = 60};
    lb_arguments paths;
    int status;
    if (!lb_options_parse(&lb_guard_command, argc, argv, &o, &paths, &status))
        return status;
    analysis *a = lb_resized(NULL, sizeof *a);
    *a = (analysis){.o = &o, .json = lb_doc_make(), .failures = lb_doc_make()};
    bool chosen = lb_case_choice_plan(&o.choice, "guard", &a->plan);
    a->table = (lb_guard_table){
        .by = o.by, .profile_count = a->plan.profile_count, .profiles = a->plan.profiles};
    if (chosen && (a->port = lb_port_open(o.port_name, CALL_SECONDS)) != NULL &&
        lb_plan_open_suites(&a->plan, paths.items, paths.count))
        status = analyse(a);
    if (a->port)
        a->port->close(a->port);
    lb_plan_close_suites(&a->plan);
    lb_guard_table_free(&a->table);
    lb_doc_free(&a->json);
    lb_doc_free(&a->failures);
    lb_arena_free(&a->arena);
    free(a);
    return status;
}

/* In the order of lb_guard_by. */
static const char *const rows[] = {"function", "group", "case", NULL};

static const lb_option table[] = {
    {"by", 0, LB_CHOICE, "WHAT", LB_INTO(options, by), .choices = rows,
     .help = "a row of the table is a function (default), a group (ids that agree up to their last "
             "dot) or a case"},
    {"show", 0, LB_NUMBER, "N", LB_INTO(options, show_limit), .high = 1000000,
     .help = "rows to print for each width of accumulators (default 60; 0: all)"},
    {"json", 0, LB_FLAG, NULL, LB_INTO(options, json),
     .help = "one JSON object a line for each case and profile, in place of the table"},
    {"details", 0, LB_FLAG, NULL, LB_INTO(options, details),
     .help = "with --json: more members (needed and guard bits, final sums, place of the case)"},
    {"witness", 0, LB_FLAG, NULL, LB_INTO(options, witness),
     .help = "make the inputs that reach both ends of each proved range, and try them on the port"},
    {"witness-out", 0, LB_TEXT, "FILE", LB_INTO(options, witness_out),
     .help = "write those inputs as a suite (JSON Lines); with --witness they are tried too"},
    {.name = NULL}};

const lb_command lb_guard_command = {
    .name = "guard",
    .summary = "tell whether accumulators are wide enough, and by how much",
    .about =
        "Tells for every case that adds products whether its accumulators are wide enough: from "
        "the "
        "formats alone, from a proof over all inputs with the case's weights and bias, and from "
        "the "
        "case's own data. A table shows what is needed, the guard bits that there are, and the "
        "headroom, the tightest first. The guard bits of the port are compared with those of the "
        "profiles, and witnesses are tried on it.",
    .groups = {{lb_profile_option, offsetof(options, choice.profile_names), NULL},
               {lb_port_option, offsetof(options, port_name), NULL},
               {lb_case_options, offsetof(options, choice), NULL},
               {lb_level_option, offsetof(options, choice.level), NULL},
               {table, 0, NULL}},
    .operand = LB_SUITE_OPERANDS,
    .statuses = {"every accumulator is wide enough, and the port is right on every witness",
                 "a range exceeds its accumulator, or the port fails on a witness",
                 "the command line, a profile or a suite is wrong",
                 "lastbit itself failed (disk full, out of memory)"},
    .examples = "lastbit guard vectors\n"
                "lastbit guard -n vectors/profiles/dsp-fxapi-up.yaml --by group vectors\n"
                "lastbit guard --witness --json vectors/fully_connected.yaml",
    .run = guard};
