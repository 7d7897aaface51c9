/* lastbit guard: see guard.h. The options, and the way through suites, cases and profiles.
 */
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/guard/port.h"
#include "harness/guard/table.h"
#include "harness/port/open.h"
#include "harness/run/run_plan.h"
#include "harness/suite/case_write.h"
#include "harness/suite/profile_file.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char HELP[] =
    "Usage: lastbit guard [OPTION...] PATH...\n"
    "\n"
    "Tells for every case that adds products whether its accumulators are wide enough: from the "
    "formats alone, from a\n"
    "proof over all inputs with the case's weights and bias, and from the case's own data. A table "
    "shows what is\n"
    "needed, the guard bits that there are, and the headroom, the tightest first. PATH is a suite "
    "file (.json, "
    ".jsonl,\n"
    ".yaml, .yml) or a folder, read recursively.\n"
    "\n"
    "Options:\n"
    "  -n, --profile NAME      up-full, up-reduced, convergent-full, convergent-reduced, a file of "
    "a platform profile "
    "(with\n"
    "                          a / in its name, or .yaml at its end), several with commas, or all "
    "built-in ones "
    "(default)\n"
    "  -p, --port P            the port whose guard bits are compared, and that witnesses are "
    "tried on: builtin "
    "(default)\n"
    "  -c, --case GLOB         only cases whose id matches; may be given several times\n"
    "      --by WHAT           a row of the table is a function (default), a group (ids that agree "
    "up to their last "
    "dot)\n"
    "                          or a case\n"
    "      --show N            rows to print for each width of accumulators (default 60; 0: all)\n"
    "      --json              one JSON object a line for each case and profile, in place of the "
    "table\n"
    "      --details           with --json: more members (needed and guard bits, final sums, place "
    "of the case)\n"
    "      --witness           make the inputs that reach both ends of each proved range, and try "
    "them on the port\n"
    "      --witness-out FILE  write those inputs as a suite (JSON Lines); with --witness they are "
    "tried too\n"
    "  -h, --help              this text\n"
    "\n"
    "Exit status:\n"
    "  0  every accumulator is wide enough, and the port is right on every witness\n"
    "  1  a range exceeds its accumulator, or the port fails on a witness\n"
    "  2  the command line, a profile or a suite is wrong\n"
    "  3  lastbit itself failed (disk full, out of memory)\n"
    "\n"
    "Examples:\n"
    "  lastbit guard vectors\n"
    "  lastbit guard --profile vectors/profiles/dsp-fxapi-up.yaml --by group vectors\n"
    "  lastbit guard --witness --json vectors/fully_connected.yaml\n";

enum { MAX_PATTERNS = 256, MAX_WITNESS_ID = 110, FAILURES_SHOWN = 20 };

enum { CALL_SECONDS = 60 }; /* for one call, where a port runs elsewhere */

typedef struct options {
    const char *port_name, *profile_names, *witness_out;
    const char *patterns[MAX_PATTERNS];
    size_t pattern_count;
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
    uint64_t results, narrow, witnesses, witnesses_right, witnesses_failed, witnesses_overflowing;
    int smallest_headroom;
    char smallest_case[256];
    char smallest_profile[64];
} analysis;

/* ---- Command line ---- */

static bool parse_by(const char *text, options *o)
{
    static const char *const names[] = {"function", "group", "case"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0)
            return o->by = (lb_guard_by)i, true;
    return lb_usage_error("guard", "--by %s: function, group or case is due", text), false;
}

enum {
    OPTION_BY = 256,
    OPTION_SHOW,
    OPTION_JSON,
    OPTION_DETAILS,
    OPTION_WITNESS,
    OPTION_WITNESS_OUT
};

static bool parse_option(int option, options *o)
{
    switch (option) {
    case 'n':
        return o->profile_names = optarg, true;
    case 'p':
        return o->port_name = optarg, true;
    case 'c':
        if (o->pattern_count == MAX_PATTERNS)
            return lb_usage_error("guard", "--case: at most %d patterns", MAX_PATTERNS), false;
        return o->patterns[o->pattern_count++] = optarg, true;
    case OPTION_BY:
        return parse_by(optarg, o);
    case OPTION_SHOW:
        if (!lb_parse_number(optarg, 0, 1000000, &o->show_limit))
            return lb_usage_error("guard", "--show %s: a number is due", optarg), false;
        return true;
    case OPTION_JSON:
        return o->json = true;
    case OPTION_DETAILS:
        return o->details = true;
    case OPTION_WITNESS:
        return o->witness = true;
    case OPTION_WITNESS_OUT:
        return o->witness_out = optarg, true;
    default:
        return lb_usage_hint("guard"), false;
    }
}

/* 0: go on; otherwise 1 + exit status. */
static int parse_options(int argc, char **argv, options *o)
{
    static const struct option long_options[] = {
        {"profile", required_argument, NULL, 'n'},
        {"port", required_argument, NULL, 'p'},
        {"case", required_argument, NULL, 'c'},
        {"by", required_argument, NULL, OPTION_BY},
        {"show", required_argument, NULL, OPTION_SHOW},
        {"json", no_argument, NULL, OPTION_JSON},
        {"details", no_argument, NULL, OPTION_DETAILS},
        {"witness", no_argument, NULL, OPTION_WITNESS},
        {"witness-out", required_argument, NULL, OPTION_WITNESS_OUT},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    int option;
    *o = (options){.port_name = "builtin", .profile_names = "all", .show_limit = 60};
    while ((option = lb_next_option("guard", argc, argv, "n:p:c:h", long_options)) != -1) {
        if (option == 'h')
            return fputs(HELP, stdout), 1 + 0;
        if (!parse_option(option, o))
            return 1 + 2;
    }
    if (optind >= argc)
        return lb_usage_error("guard", "no suite given: a file or a folder is due"), 1 + 2;
    return 0;
}

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
    bool failed = strcmp(trial->verdict, "fail") == 0 || strcmp(trial->verdict, "error") == 0;
    a->witnesses++;
    a->witnesses_right += strcmp(trial->verdict, "pass") == 0;
    a->witnesses_failed += failed;
    a->witnesses_overflowing += strcmp(trial->verdict, "overflow") == 0;
    if (failed && a->witnesses_failed <= FAILURES_SHOWN)
        lb_doc_printf(&a->failures, "%s: witness of %s, %s end [%s]: %s\n",
                      strcmp(trial->verdict, "fail") == 0 ? "FAIL" : "ERROR", record->test_case->id,
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
    if (!lb_plan_wants(&a->plan, c->id))
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
        record.use = lb_guard_use_of(&prover.first, &bound, &watch, profile);
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
        lb_arena_reset(&a->arena);
    }
    if (!good)
        fprintf(stderr, "lastbit: %s: changed while it was read\n", lb_suite_path(suite));
    if (reader)
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

static bool open_suites(analysis *a, char *const *arguments, size_t count)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_paths paths = {0};
    bool good = lb_paths_collect(arguments, count, &paths, &diagnostics);
    a->plan.suites = good ? calloc(paths.count + 1, sizeof *a->plan.suites) : NULL;
    for (size_t i = 0; a->plan.suites && i < paths.count; i++) {
        lb_suite *suite = lb_suite_open(paths.items[i], &diagnostics);
        if (suite)
            a->plan.suites[a->plan.suite_count++] = suite;
    }
    good = good && a->plan.suites && diagnostics.count == 0;
    lb_paths_free(&paths);
    return good;
}

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
    for (size_t i = 0; read && i < a->plan.suite_count; i++)
        read = analyse_suite(a, a->plan.suites[i]);
    bool written = print_all(a);
    written = close_witness_file(a) && written;
    if (!read || !written)
        return 3;
    if (a->wanted == 0)
        return fprintf(stderr, "lastbit guard: no case matches\n"), 2;
    return a->narrow > 0 || a->witnesses_failed > 0 ? 1 : 0;
}

int lb_command_guard(int argc, char **argv)
{
    options o;
    int early = parse_options(argc, argv, &o);
    if (early)
        return early - 1;
    analysis *a = calloc(1, sizeof *a);
    int status = 2;
    if (!a)
        return fprintf(stderr, "lastbit: out of memory\n"), 3;
    a->o = &o;
    a->json = lb_doc_make();
    a->failures = lb_doc_make();
    a->plan.patterns = o.patterns;
    a->plan.pattern_count = o.pattern_count;
    bool chosen = lb_profiles_choose("guard", o.profile_names, &a->plan.loaded, a->plan.profiles,
                                     &a->plan.profile_count);
    a->table = (lb_guard_table){
        .by = o.by, .profile_count = a->plan.profile_count, .profiles = a->plan.profiles};
    if (chosen && (a->port = lb_port_open(o.port_name, CALL_SECONDS)) != NULL &&
        open_suites(a, argv + optind, (size_t)(argc - optind)))
        status = analyse(a);
    if (a->port)
        a->port->close(a->port);
    for (size_t i = 0; i < a->plan.suite_count; i++)
        lb_suite_close(a->plan.suites[i]);
    free(a->plan.suites);
    lb_guard_table_free(&a->table);
    lb_doc_free(&a->json);
    lb_doc_free(&a->failures);
    lb_arena_free(&a->arena);
    free(a);
    return status;
}
