/* Carrying out a plan: see execute.h. */
#include "harness/run/execute.h"
#include "harness/base/clock.h"
#include "harness/base/command_line.h"
#include "harness/base/xalloc.h"
#include "harness/coverage/results.h"
#include "harness/guard/mark.h"
#include "harness/guard/port.h"
#include "harness/port/provided.h"
#include "harness/run/again.h"
#include "harness/run/demands.h"
#include "harness/run/diagnose_run.h"
#include "harness/run/drift.h"
#include "harness/run/pool.h"
#include "harness/run/run_files.h"
#include "harness/run/strength_file.h"
#include "harness/run/verdict_lines.h"
#include "harness/run/waiver_file.h"
#include "harness/run/write_results.h"
#include "harness/suite/profile_file.h"
#include "reports/document_kinds.h"
#include "reports/json_read.h"
#include "reports/lcov.h"

#include <cjson/cJSON.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

/* ---- What is known of the run before it starts ---- */

typedef struct run_facts {
    lb_run_info info;
    char started[32], host[256];
    const char *profile_names[LB_MAX_COLUMNS]; /* of each column of results */
    const char *profile_files[LB_MAX_COLUMNS]; /* "": built in */
    bool has_profile_files;
    char platforms[LB_MAX_PROFILES * (LB_MAX_PROFILE_PATH + 256)];
    lb_run_suite *suites;
    lb_run_files files;
    lb_run_meta meta[LB_LIST_MAX];
    char *command, *whole_command; /* the second without the shard; NULL: it has none */
    lb_cover_map *cover;
    lb_lcov lines;
    lb_strength_figures strength;
    lb_arena arena;      /* of what is known of the coverage at the end */
    FILE *verdict_lines; /* of --json; NULL: nobody reads them */
    lb_waivers waivers;
    lb_arena waiver_texts;
    char waivers_sha256[LB_SHA256_TEXT]; /* "": there are none */
    lb_policies policies;
    char *tolerance; /* for the journal: how results are held to the real model */
    char cpu[256];   /* levels that were asked for */
} run_facts;

/* As it can be pasted into a shell. */
static char *join_command(int argc, char **argv)
{
    lb_doc doc = lb_doc_make();
    lb_put_shell_command(&doc, "lastbit", argc, argv);
    lb_doc_char(&doc, '\0');
    if (doc.failed)
        lb_out_of_memory(doc.length);
    char *text = lb_text_copy(doc.text);
    lb_doc_free(&doc);
    return text;
}

/* The word that has the value of an option, and where in it: 0 if it is all of the word. */
static int find_value(int argc, char **argv, const char *value, size_t *at)
{
    for (int i = 1; i < argc; i++)
        for (*at = 0; argv[i][*at] != '\0'; ++*at)
            if (argv[i] + *at == value)
                return i;
    return 0;
}

/* The command line without an option that has this value: "--shard=1/2", "-s 1/2", "-qs1/2".
 * NULL: it is no option. */
static char *join_without(int argc, char **argv, const char *value)
{
    size_t at = 0;
    const int found = find_value(argc, argv, value, &at), option = at == 0 ? found - 1 : found;
    if (option < 1)
        return NULL;
    char **words = lb_zeroed((size_t)argc, sizeof *words);
    const size_t letters = at == 0 ? strlen(argv[option]) : at;
    const bool others = argv[option][1] != '-' && letters > 2; /* letters before its own */
    char *kept = others ? strndup(argv[option], letters - 1) : NULL;
    int count = 0;
    for (int i = 0; i < argc; i++)
        if (i != found && i != option)
            words[count++] = argv[i];
        else if (i == option && others)
            words[count++] = kept;
    char *text = join_command(count, words);
    free(kept);
    free(words);
    return text;
}

/* What the profiles that come from files are like; "" if none does. */
static void describe_platforms(run_facts *f, const lb_plan *plan)
{
    size_t length = 0;
    for (size_t i = 0; i < plan->profile_count; i++) {
        const lb_profile *p = plan->profiles[i];
        char words[256];
        if (!p->file || (i > 0 && plan->profiles[i - 1] == p))
            continue;
        lb_profile_describe(p, words, sizeof words);
        length += (size_t)snprintf(f->platforms + length, sizeof f->platforms - length,
                                   "%s%s (%s): %s%s", length ? "; " : "", p->name, p->file,
                                   p->calls ? "characterized as " : "", words);
    }
}

/* Numerics of the API that the profiles of the plan have, each once. */
static unsigned count_numerics(const lb_plan *plan)
{
    unsigned seen = 0, count = 0;
    for (size_t i = 0; i < plan->profile_count; i++)
        seen |= 1u << (plan->set == LB_SET_MLI ? lb_profile_numerics(plan->profiles[i])
                                               : lb_profile_number(plan->profiles[i]));
    for (; seen != 0; seen &= seen - 1)
        count++;
    return count;
}

/* The levels of the columns, each once: those of the first profile. */
static void list_levels(run_facts *f, const lb_plan *plan)
{
    size_t length = 0;
    for (size_t i = 0; i < plan->profile_count && plan->levels[i] &&
                       plan->profiles[i] == plan->profiles[0] && length < sizeof f->cpu;
         i++)
        length += (size_t)snprintf(f->cpu + length, sizeof f->cpu - length, "%s%s",
                                   length ? ", " : "", plan->levels[i]);
}

static bool fill_info(run_facts *f, const lb_run_options *o, const lb_plan *plan,
                      const lb_port *port, int argc, char **argv)
{
    const lb_provided provided = lb_port_provided(port, plan->set);
    const unsigned again = port->repeats_calls ? o->calls_again : 0;
    f->suites = lb_zeroed(plan->suite_count, sizeof *f->suites);
    f->command = join_command(argc, argv);
    f->whole_command = o->shard.given ? join_without(argc, argv, o->shard.given) : NULL;
    for (size_t i = 0; i < plan->suite_count; i++)
        f->suites[i] = (lb_run_suite){.name = lb_suite_name(plan->suites[i]),
                                      .file = lb_suite_path(plan->suites[i]),
                                      .sha256 = lb_suite_sha256(plan->suites[i]),
                                      .cases = lb_suite_case_count(plan->suites[i])};
    f->info = (lb_run_info){.tool_version = lb_version(),
                            .tool_commit = lb_commit,
                            .started = f->started,
                            .command = f->command,
                            .whole_command = f->whole_command ? f->whole_command : "",
                            .port = port->name,
                            .port_described = port->described,
                            .port_sha256 = lb_run_files_port(&f->files),
                            .port_target = port->target,
                            .port_compiler = port->compiler,
                            .port_options = port->build_options,
                            .port_library_options = port->library_options,
                            .port_contradiction = port->contradiction,
                            .port_sandbox = port->sandbox ? port->sandbox : "",
                            .host = f->host,
                            .host_compiler = lb_compiler_name(),
                            .meta_count = o->meta.count,
                            .meta = f->meta,
                            .file_count = f->files.count,
                            .files = f->files.list,
                            .profile_count = plan->profile_count,
                            .profiles = f->profile_names,
                            .profile_file_count = f->has_profile_files ? plan->profile_count : 0,
                            .profile_files = f->profile_files,
                            .suite_count = plan->suite_count,
                            .suites = f->suites,
                            .exhaustive = o->exhaustive,
                            .certify_seed = o->certify_seed,
                            .certify_drawn = o->certify_drawn,
                            .calls = again > 0 ? again + 1 : 0,
                            .platforms = f->platforms,
                            .guard = lb_guard_mode_name(o->guard),
                            .coverage_level = plan->has_level ? lb_level_name(plan->level) : "",
                            .judge = lb_judge_mode_name(o->judge),
                            .tolerance = f->tolerance,
                            .cpu = f->cpu,
                            .buffers = o->call.misalign == LB_ALIGNED ? "aligned"
                                       : o->call.misalign             ? "misaligned"
                                                                      : "",
                            .repeats = o->repeats > 1 ? o->repeats : 0,
                            .time_limit_seconds = o->call.seconds,
                            .functions_provided = provided.functions,
                            .functions_all = provided.of,
                            .extensions_provided = provided.extensions,
                            .extensions_all = provided.extensions_of,
                            .profiles_tried = count_numerics(plan),
                            .profiles_all = lb_kernel_sets[plan->set]->profile_count,
                            .chosen = plan->chosen,
                            .lines = f->lines.list,
                            .lines_count = f->lines.count,
                            .strength_faults = f->strength.faults,
                            .strength_caught = f->strength.caught,
                            .strength_level =
                                f->strength.faults > 0 ? lb_level_name(f->strength.level) : "",
                            .shard_index = plan->shard_index,
                            .shard_count = plan->shard_count};
    return f->whole_command || !o->shard.given;
}

static bool gather_facts(run_facts *f, const lb_run_options *o, const lb_plan *plan,
                         const lb_port *port, int argc, char **argv)
{
    struct utsname machine;
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(f->started, sizeof f->started, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (uname(&machine) == 0)
        snprintf(f->host, sizeof f->host, "%.60s %.60s %.60s", machine.sysname, machine.release,
                 machine.machine);
    for (size_t i = 0; i < plan->profile_count; i++) {
        f->profile_names[i] = plan->profiles[i]->name;
        f->profile_files[i] = plan->profiles[i]->file ? plan->profiles[i]->file : "";
        f->has_profile_files |= f->profile_files[i][0] != '\0';
    }
    describe_platforms(f, plan);
    list_levels(f, plan);
    for (size_t i = 0; i < o->meta.count; i++) {
        char *key = lb_arena_strdup(&f->arena, o->meta.items[i]), *equals = strchr(key, '=');
        *equals = '\0';
        f->meta[i] = (lb_run_meta){.key = key, .value = equals + 1};
    }
    if (!lb_run_files_gather(&f->files, plan, &f->policies, o->waiver_path, o->port_name))
        return false;
    return fill_info(f, o, plan, port, argc, argv) && lb_plan_expected(plan, &f->info.expected);
}

/* Policies, and what stands for them in the journal. False: a policy is wrong. */
static bool choose_tolerance(run_facts *f, const lb_run_options *o, const lb_plan *plan)
{
    if (!lb_policies_choose(o->command, o->tolerance, plan, &f->policies))
        return false;
    char *policies = lb_policies_describe(&f->policies);
    f->tolerance = lb_resized(NULL, strlen(policies) + 32);
    sprintf(f->tolerance, "judge %s, %s", lb_judge_mode_name(o->judge), policies);
    free(policies);
    return true;
}

/* ---- The run ---- */

typedef struct known_results {
    const lb_plan *plan;
    unsigned char *verdicts;
    uint64_t count;
    uint64_t marked;  /* results whose accumulator is too narrow */
    uint64_t vacuous; /* results whose case proves little */
} known_results;

/* Does the line have the profile and the suite that the plan has at this place? */
static bool is_planned(const known_results *known, uint64_t order, const char *line, size_t length)
{
    const lb_plan *plan = known->plan;
    size_t index = 0, suite = lb_plan_suite_of(plan, order / plan->profile_count, &index);
    const char *profile = plan->profiles[order % plan->profile_count]->name;
    cJSON *object = cJSON_ParseWithLength(line, length);
    const char *has_profile = lb_json_text(object, "profile");
    const char *has_suite = lb_json_text(object, "suite");
    bool same = has_profile && has_suite && strcmp(has_profile, profile) == 0 &&
                strcmp(has_suite, lb_suite_name(plan->suites[suite])) == 0;
    cJSON_Delete(object);
    return same;
}

static bool note_known(void *user, uint64_t order, lb_verdict verdict, const char *line,
                       size_t length)
{
    known_results *known = user;
    if (order >= known->count || !is_planned(known, order, line, length))
        return false;
    known->verdicts[order] = (unsigned char)(1 + verdict);
    return true;
}

static bool count_mark(void *user, uint64_t order, const char *line, size_t length)
{
    known_results *known = user;
    size_t index, suite = lb_plan_suite_of(known->plan, order / known->plan->profile_count, &index);
    known->marked += lb_guard_is_marked(line, length) && !lb_plan_is_meant(known->plan, suite);
    known->vacuous += lb_mistrust_is_told(line, length);
    return true;
}

static bool note_covered(void *user, const char *line, size_t length)
{
    return lb_cover_map_read(user, line, length);
}

static bool open_journal(const lb_run_options *o, const lb_plan *plan, const run_facts *facts,
                         known_results *known, lb_journal *journal)
{
    char path[4096];
    if (o->report_folder && !lb_make_folder(o->report_folder))
        return false;
    if (o->report_folder &&
        snprintf(path, sizeof path, "%s/journal.jsonl", o->report_folder) >= (int)sizeof path)
        return false;
    journal->covered = note_covered;
    journal->covered_user = facts->cover;
    char *head = lb_journal_head(&(lb_journal_run){.info = &facts->info,
                                                   .tolerance = facts->tolerance,
                                                   .levels = plan->levels,
                                                   .waivers_sha256 = facts->waivers_sha256,
                                                   .misalign = o->call.misalign});
    bool good = head != NULL;
    if (good && o->resume)
        good = lb_journal_resume(journal, path, head, note_known, known) &&
               lb_journal_in_order(journal, known->count, count_mark, known);
    else if (good)
        good = lb_journal_create(journal, o->report_folder ? path : NULL, head);
    free(head);
    return good && (!o->report_folder ||
                    lb_documents_remove(o->report_folder, LB_OF_RUN | LB_OF_ANNOTATIONS));
}

static lb_reproduce reproduce_of(const lb_run_options *o)
{
    return (lb_reproduce){.port = o->port_name,
                          .feed = o->feed == LB_FEED_SUITE ? NULL : lb_feed_name(o->feed),
                          .tolerance = o->tolerance,
                          .misalign = o->call.misalign,
                          .seed = o->seed,
                          .guard_error = o->guard == LB_GUARD_ERROR,
                          .judge_tolerance = o->judge == LB_JUDGE_TOLERANCE,
                          .time_limit_seconds = o->call.seconds};
}

/* Does the port say that its accumulators are those of the platform? After the workers, which have
 * a port of their own each. */
static void compare_guard_bits(const lb_run_options *o, const lb_plan *plan, lb_port *port)
{
    int bits[LB_OPERANDS_COUNT];
    for (size_t p = 0; o->guard != LB_GUARD_OFF && p < plan->profile_count; p++)
        if (plan->profiles[p]->file && (p == 0 || plan->profiles[p - 1] != plan->profiles[p])) {
            lb_guard_port_ask(port, plan->profiles[p], bits);
            lb_guard_port_tell(plan->profiles[p], bits, stdout);
        }
}

/* Waivers that nothing needed, told on standard error. */
static unsigned count_unused(run_facts *facts, const lb_journal *journal, uint64_t count,
                             const lb_tally *tally)
{
    if (tally->count[LB_WAIVED] > 0 &&
        !lb_waivers_count_use(&facts->waivers, facts->info.port, journal, count))
        return 0;
    return lb_waivers_tell_unused(&facts->waivers, &facts->info);
}

/* Causes of what failed, for the head of the results, and of each result. False: none were looked
 * for. */
static bool find_causes(const lb_run_options *o, const lb_plan *plan, lb_port *port,
                        const known_results *known, const lb_reproduce *reproduce,
                        lb_run_diagnosis *causes)
{
    bool failing = false;
    for (uint64_t order = 0; order < known->count && !failing; order++)
        failing = known->verdicts[order] == 1 + LB_FAIL || known->verdicts[order] == 1 + LB_ERROR;
    return failing && lb_run_diagnose(&(lb_run_diagnose_options){.plan = plan,
                                                                 .port = port,
                                                                 .port_name = o->port_name,
                                                                 .reproduce = reproduce,
                                                                 .misalign = o->call.misalign,
                                                                 .verdicts = known->verdicts,
                                                                 .count = known->count,
                                                                 .seconds = o->diagnose_seconds},
                                      causes);
}

/* Where the suites are of functions with such a name that are of another kernel set; NULL: they are
 * not. */
static const char *suites_of_other_set(const char *pattern)
{
    for (size_t i = 0; i < lb_kernel_total(); i++) {
        const lb_kernel *kernel = lb_kernel_at(i);
        if (kernel->set != LB_SET_MLI && fnmatch(pattern, kernel->name, 0) == 0)
            return lb_kernel_set_of(kernel)->name;
    }
    return NULL;
}

/* Does the command line choose cases that no suite has? */
static bool chose_nothing(const lb_run_options *o, const lb_plan *plan, const lb_tally *tally)
{
    uint64_t tried = lb_tally_passed(tally) + lb_tally_skipped(tally) + lb_tally_failed(tally);
    if (tried > 0 || plan->shard_count > 1 || lb_plan_case_count(plan) == 0)
        return false;
    const char *option = NULL, *word = lb_case_choice_first(&o->choice, &option);
    const char *other = word ? suites_of_other_set(word) : NULL;
    if (other)
        lb_usage_error(o->command,
                       "%s %s: no case is left to be tried (its suites are in vectors/%s)", option,
                       word, other);
    else if (word)
        lb_usage_error(o->command, "%s %s: no case is left to be tried", option, word);
    else if (o->choice.level.is_given)
        lb_usage_error(o->command, "--level %s: the suites have no case of this level",
                       lb_level_name(o->choice.level.level));
    return word || o->choice.level.is_given;
}

/* The exit status of a run that came to its end. */
static int judge_run(const lb_run_options *o, const lb_plan *plan, const lb_port *port,
                     run_facts *facts, const lb_journal *journal, const lb_tally *tally,
                     const lb_gathered *gathered)
{
    uint64_t order_count = lb_plan_case_count(plan) * plan->profile_count;
    if (chose_nothing(o, plan, tally))
        return 2;
    unsigned unused = count_unused(facts, journal, order_count, tally);
    unsigned unmet = lb_demands_unmet(o, port, plan->set, &facts->info, tally, gathered);
    if (lb_tally_failed(tally) > 0)
        return 1;
    if (lb_tally_passed(tally) == 0)
        return lb_tell_nothing_tested(o, plan, tally), LB_STATUS_NOTHING_TESTED;
    return unmet > 0 ? 1 : unused > 0 ? 2 : 0;
}

/* Networks are measured from the first layer on: where no case is left out, and once. */
static bool is_whole(const lb_plan *plan)
{
    for (size_t i = 0; i < LB_CHOICE_LISTS; i++)
        if (lb_chosen_words(&plan->chosen, i)->count > 0)
            return false;
    return plan->shard_index <= 1;
}

static int finish_run(const lb_run_options *o, const lb_plan *plan, lb_port *port, run_facts *facts,
                      const known_results *known, const lb_journal *journal,
                      const lb_reproduce *reproduce, const double *microseconds, lb_pool_end end)
{
    lb_tally tally;
    lb_gathered gathered;
    bool gathered_all = lb_gather(journal, known->count, port, &gathered);
    lb_finish_options finish = {.info = &facts->info,
                                .journal = journal,
                                .marked = o->guard == LB_GUARD_WARN ? known->marked : 0,
                                .vacuous = known->vacuous,
                                .verdicts = known->verdicts,
                                .order_count = known->count,
                                .report_folder = end == LB_POOL_DONE ? o->report_folder : NULL,
                                .verdict_lines = facts->verdict_lines,
                                .show_limit = o->show_limit,
                                .color = lb_run_options_color(o),
                                .quiet = o->quiet,
                                .annotate = lb_run_options_annotate(o),
                                .reproduce = reproduce,
                                .microseconds = microseconds,
                                .plan = plan,
                                .gathered = &gathered,
                                .signal_number = end == LB_POOL_INTERRUPTED ? lb_pool_signal() : 0};
    lb_drift drift = {.list = NULL};
    if (end == LB_POOL_DONE && is_whole(plan)) {
        lb_drift_measure(&drift, plan, port);
        facts->info.drift = drift.list;
        facts->info.drift_count = drift.count;
    }
    lb_run_diagnosis causes = {0};
    if (end == LB_POOL_DONE && find_causes(o, plan, port, known, reproduce, &causes)) {
        facts->info.faults = causes.diagnosis.found;
        facts->info.fault_count = causes.diagnosis.found_count;
        facts->info.without_cause = causes.diagnosis.rest_list;
        facts->info.without_cause_count = causes.diagnosis.rest_count;
        finish.causes = causes.cause_of;
        finish.show_limit = o->show_given || causes.diagnosis.found_count == 0 ? o->show_limit : 5;
    }
    lb_run_steps steps = {.count = 0};
    if (end == LB_POOL_DONE && o->report_folder && o->diagnose_seconds > 0) {
        const lb_steps_wish wish = {
            .port = port, .misalign = o->call.misalign, .seconds = o->call.seconds};
        lb_run_steps_make(&steps, &wish, plan, journal, known->verdicts, known->count,
                          o->diagnose_seconds);
        finish.steps = &steps;
    }
    if (end == LB_POOL_DONE && !o->quiet)
        compare_guard_bits(o, plan, port);
    bool written = lb_finish(&finish, &tally) && gathered_all;
    facts->info.fault_count = facts->info.without_cause_count = 0;
    facts->info.drift_count = 0;
    lb_run_diagnosis_free(&causes);
    lb_drift_free(&drift);
    lb_run_steps_free(&steps);
    if (end == LB_POOL_INTERRUPTED)
        fprintf(stderr, "lastbit: interrupted; %s\n",
                o->report_folder ? "the same command with --resume goes on from here"
                                 : "the figures above are partial");
    int status = end == LB_POOL_INTERRUPTED ? 128 + lb_pool_signal()
                 : end != LB_POOL_DONE || !written
                     ? 3
                     : judge_run(o, plan, port, facts, journal, &tally, &gathered);
    lb_gathered_free(&gathered);
    return status;
}

/* What nobody is asked is no result, and none that is missing. */
static void leave_out_unasked(known_results *known, lb_run_info *info)
{
    for (uint64_t order = 0; order < known->count; order++)
        if (known->verdicts[order] == LB_NOT_ASKED) {
            known->verdicts[order] = 0;
            info->expected--;
        }
}

static int run_with_journal(const lb_run_options *o, const lb_plan *plan, lb_port *port,
                            run_facts *facts, known_results *known, const lb_journal *journal)
{
    bool stopped = false;
    lb_pool_options pool = {.plan = plan,
                            .port = port,
                            .reproduce = reproduce_of(o),
                            .journal = journal,
                            .guard = o->guard,
                            .seed = o->seed,
                            .misalign = o->call.misalign,
                            .feed = o->feed,
                            .judge = o->judge,
                            .policies = &facts->policies,
                            .cover = facts->cover,
                            .waivers = &facts->waivers,
                            .max_fail = o->max_fail,
                            .stopped = &stopped,
                            .marked = &known->marked,
                            .vacuous = &known->vacuous,
                            .jobs = port->most_jobs && o->jobs > port->most_jobs ? port->most_jobs
                                                                                 : o->jobs,
                            .time_limit_seconds = o->call.seconds,
                            .show_progress = !o->quiet};
    const double begun = lb_now_seconds();
    port->seed = o->seed;
    port->calls_again = o->calls_again;
    lb_pool_end end = lb_pool_run(&pool, known->verdicts);
    leave_out_unasked(known, &facts->info);
    facts->info.stopped_at = stopped ? (unsigned)o->max_fail : 0;
    facts->info.repeats = stopped ? 0 : facts->info.repeats;
    const lb_again again = {.pool = pool, .repeats = stopped ? 0 : o->repeats, .seed = o->seed};
    lb_again_counts counts = {0};
    if (end == LB_POOL_DONE)
        end = lb_again_run(&again, known->verdicts, &counts);
    port->calls_again = 0; /* what looks for causes makes its own */
    if (!o->quiet)
        lb_again_tell(&counts);
    facts->info.seconds = lb_now_seconds() - begun;
    if (end == LB_POOL_DONE && !lb_run_files_unchanged(&facts->files, plan))
        end = LB_POOL_FAILED;
    lb_cover_results(facts->cover, &facts->arena, &facts->info);
    int status =
        finish_run(o, plan, port, facts, known, journal, &pool.reproduce, counts.microseconds, end);
    free(counts.microseconds);
    return status;
}

/* What tests of others reached, for the report. False with a message. */
static bool read_lines(run_facts *f, const char *path)
{
    char error[400];
    bool good = !path || lb_lcov_read(&f->lines, path, "", error, sizeof error);
    if (!good)
        fprintf(stderr, "lastbit: %s\n", error);
    return good;
}

int lb_execute(const lb_run_options *o, const lb_plan *plan, lb_port *port, int argc, char **argv)
{
    run_facts facts = {0};
    if (!lb_verdict_lines_open(o->command, o->json_path, &facts.verdict_lines))
        return 2;
    lb_journal journal = {.fd = -1};
    bool read = read_lines(&facts, o->lines_path) &&
                (!o->strength_path ||
                 lb_strength_file_read(o->command, o->strength_path, plan, &facts.strength));
    if (!read || !choose_tolerance(&facts, o, plan)) {
        lb_policies_free(&facts.policies);
        lb_lcov_free(&facts.lines);
        lb_verdict_lines_close(o->command, o->json_path, facts.verdict_lines);
        return 2;
    }
    known_results known = {.plan = plan, .count = lb_plan_case_count(plan) * plan->profile_count};
    known.verdicts = lb_zeroed_shared(known.count);
    int status = 3;
    facts.cover = lb_cover_map_new(lb_cover_profiles(plan->profiles, plan->profile_count));
    facts.cover->only_reachable = true;
    if (o->waiver_path && !lb_waiver_file_read(o->waiver_path, NULL, &facts.waiver_texts,
                                               &facts.waivers, facts.waivers_sha256)) {
        fprintf(stderr, "lastbit: nothing was run\n");
        status = 2;
    } else if (gather_facts(&facts, o, plan, port, argc, argv)) {
        if (open_journal(o, plan, &facts, &known, &journal))
            status = run_with_journal(o, plan, port, &facts, &known, &journal);
        else
            status = o->resume ? 2 : 3;
    }
    if (!lb_verdict_lines_close(o->command, o->json_path, facts.verdict_lines) && status == 0)
        status = 3;
    lb_journal_close(&journal);
    lb_shared_give_back(known.verdicts, known.count);
    lb_cover_map_free(facts.cover);
    lb_arena_free(&facts.arena);
    lb_policies_free(&facts.policies);
    lb_lcov_free(&facts.lines);
    free(facts.tolerance);
    free(facts.suites);
    lb_run_files_free(&facts.files);
    free(facts.command);
    free(facts.whole_command);
    free(facts.waivers.list);
    lb_arena_free(&facts.waiver_texts);
    return status;
}
