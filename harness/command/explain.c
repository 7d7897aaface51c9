/* lastbit explain: the options, and the way to the one case. */
#include "harness/base/child.h"
#include "harness/base/command_line.h"
#include "harness/base/suggest.h"
#include "harness/base/terminal.h"
#include "harness/base/xalloc.h"
#include "harness/command/commands.h"
#include "harness/explain/json.h"
#include "harness/explain/text.h"
#include "harness/explain/words.h"
#include "harness/port/cpu_level.h"
#include "harness/port/open.h"
#include "harness/run/diagnosed.h"
#include "harness/run/print_failure.h"
#include "harness/run/shared_options.h"
#include "harness/trial/trial.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

typedef struct options {
    const char *case_id, *role, *index, *profile_names, *port_name, *cpu;
    lb_call_choice call;
    bool json, all;
    unsigned long effort;
} options;

/* ---- Command line ---- */

/* "2,0,7", also in brackets. */
static bool parse_index(const char *text, lb_explain_request *request)
{
    const char *rest = text + (*text == '[');
    request->has_index = true;
    while (*rest && *rest != ']') {
        char word[16];
        unsigned long value;
        size_t length = strcspn(rest, ",]");
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
                 rest);
        if (request->index_count == LB_MAX_RANK || length >= sizeof word ||
            !lb_parse_number(word, 0, UINT32_MAX, &value))
            return lb_usage_error("explain",
                                  "--index %s: expected at most %d numbers with commas between "
                                  "them, such as 2,0,7",
                                  text, LB_MAX_RANK),
                   false;
        request->index[request->index_count++] = (uint32_t)value;
        rest += length + (rest[length] == ',' && rest[length + 1]);
    }
    return true;
}

/* ---- The case ---- */

typedef struct search {
    const char *wanted;
    lb_suite *suite; /* of the case found */
    size_t index;
    unsigned matches;
    char listed[8][128]; /* ids of the first of them */
    char **ids;          /* all, for suggestions; ended by NULL */
    size_t id_count, id_room;
} search;

static void keep_id(search *s, const char *id)
{
    s->ids = lb_room_for_one(s->ids, s->id_count + 1, &s->id_room, sizeof *s->ids);
    s->ids[s->id_count] = lb_text_copy(id);
    s->ids[++s->id_count] = NULL;
}

/* An id that is the wanted text itself counts before all patterns. */
static void take_match(search *s, lb_suite *suite, size_t index, const char *id, bool exactly,
                       bool *found)
{
    if (*found && !exactly)
        return;
    if (exactly && !*found)
        s->matches = 0;
    *found = *found || exactly;
    if (s->matches < sizeof s->listed / sizeof s->listed[0])
        snprintf(s->listed[s->matches], sizeof s->listed[0], "%s", id);
    if (s->matches++ == 0) {
        s->suite = suite;
        s->index = index;
    }
}

/* False: a suite could not be read, or no memory. */
static bool search_suite(search *s, lb_suite *suite, bool *found)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    bool good = reader != NULL;
    for (size_t i = 0; good && i < lb_suite_case_count(suite); i++) {
        const lb_case *c = lb_suite_reader_case(reader, i, &diagnostics);
        good = c != NULL;
        if (!good)
            break;
        keep_id(s, c->id);
        bool exactly = strcmp(c->id, s->wanted) == 0;
        if (exactly || fnmatch(s->wanted, c->id, 0) == 0)
            take_match(s, suite, i, c->id, exactly, found);
    }
    lb_suite_reader_close(reader);
    return good;
}

/* Ids come from a suite: control bytes must not reach the terminal. */
static void tell(lb_doc *doc)
{
    lb_doc_flush(doc, stderr);
    lb_doc_free(doc);
}

static void put_head(lb_doc *doc, const char *path)
{
    lb_doc_puts(doc, "lastbit explain: ");
    lb_explain_plain(doc, path);
    lb_doc_puts(doc, ": ");
}

static void tell_unknown(const search *s, const char *path)
{
    const char *near = s->ids ? lb_suggest(s->wanted, lb_name_in_array, s->ids) : NULL;
    lb_doc doc = lb_doc_make();
    put_head(&doc, path);
    lb_doc_puts(&doc, "no case ");
    lb_explain_plain(&doc, s->wanted);
    lb_doc_puts(&doc, near ? "; did you mean " : s->id_count > 0 ? "; there are " : "");
    if (near)
        lb_explain_plain(&doc, near);
    for (size_t i = 0; !near && i < s->id_count && i < 5; i++) {
        lb_doc_puts(&doc, i ? ", " : "");
        lb_explain_plain(&doc, s->ids[i]);
    }
    if (!near && s->id_count > 5)
        lb_doc_printf(&doc, ", ... (%zu cases)", s->id_count);
    lb_doc_puts(&doc, near ? "?\n" : "\n");
    tell(&doc);
}

static void tell_ambiguous(const search *s, const char *path)
{
    lb_doc doc = lb_doc_make();
    put_head(&doc, path);
    lb_doc_printf(&doc, "%u cases match ", s->matches);
    lb_explain_plain(&doc, s->wanted);
    lb_doc_puts(&doc, "; expected one. The first are:\n");
    for (unsigned i = 0; i < s->matches && i < sizeof s->listed / sizeof s->listed[0]; i++) {
        lb_doc_puts(&doc, "  ");
        lb_explain_plain(&doc, s->listed[i]);
        lb_doc_char(&doc, '\n');
    }
    tell(&doc);
}

static void search_free(search *s)
{
    for (size_t i = 0; i < s->id_count; i++)
        free(s->ids[i]);
    free(s->ids);
}

/* ---- The explanation ---- */

typedef struct session {
    const options *o;
    const char *path;
    lb_plan plan;
    lb_port *port;
    lb_arena arena;
} session;

static void show_result(void *user, size_t profile_index, lb_result *result)
{
    (void)profile_index;
    if (result->verdict == LB_FAIL || result->verdict == LB_ERROR)
        lb_show_add(user, result);
}

/* In a process of its own: sequences work on state that lasts. Gives the exit status: 1 where
 * something diverges. */
static int judge_sequence(session *s, const lb_suite *suite, const lb_case *c, size_t profile)
{
    bool wanted[LB_MAX_PROFILES] = {false};
    const lb_reproduce reproduce = {.port = s->o->port_name,
                                    .cpu = s->o->cpu,
                                    .misalign = s->o->call.misalign,
                                    .time_limit_seconds = s->o->call.seconds};
    lb_show show = {.limit = 1,
                    .reproduce = &reproduce,
                    .profiles = s->plan.profiles,
                    .profile_count = s->plan.profile_count};
    lb_trial_setup setup = {.port = s->port,
                            .suite = lb_suite_name(suite),
                            .file = lb_suite_path(suite),
                            .reproduce = &reproduce,
                            .misalign = s->o->call.misalign,
                            .arena = &s->arena};
    pid_t pid = lb_child_start();
    if (pid == 0) {
        wanted[profile] = true;
        show.out = lb_terminal_over(stderr);
        lb_trial_run(&setup, c, s->plan.profiles, wanted, s->plan.profile_count, NULL, show_result,
                     &show);
        lb_show_end(&show);
        fclose(show.out);
        fflush(NULL);
        lb_child_exit(show.shown > 0);
    }
    int status = lb_child_wait(pid);
    return status < 0 || !WIFEXITED(status) ? 3 : WEXITSTATUS(status);
}

/* What cannot be explained by steps of an element is at least judged: which of the calls diverges.
 */
static int refuse_sequence(session *s, const lb_suite *suite, const lb_case *c)
{
    bool diverges = false;
    fprintf(stderr,
            "lastbit explain: %s is a sequence of movement calls on shared state; explain works on "
            "functions that compute "
            "elements. What its calls give:\n",
            c->id);
    for (size_t i = 0; i < s->plan.profile_count; i++)
        diverges = judge_sequence(s, suite, c, i) != 0 || diverges;
    if (!diverges)
        fprintf(stderr, "  every one of the %zu calls gives what it should in every profile\n",
                c->step_count);
    return 2;
}

static int print(const session *s, const lb_explanation *e)
{
    lb_doc doc = lb_doc_make();
    if (s->o->json)
        lb_explain_json(&doc, e);
    else
        lb_explain_text(&doc, e, s->o->all);
    bool written = lb_doc_flush(&doc, stdout) && fflush(stdout) == 0;
    lb_doc_free(&doc);
    return !written ? 3 : lb_explanation_diverges(e) ? 1 : 0;
}

static const lb_diagnosed *diagnose(void *user)
{
    return lb_diagnosed_find(user);
}

static int explain_case(session *s, const lb_suite *suite, const lb_case *c)
{
    lb_explanation e;
    lb_diagnosed_wish wish = {.plan = &s->plan,
                              .port = s->port,
                              .misalign = s->o->call.misalign,
                              .test_case = c,
                              .effort = (double)s->o->effort,
                              .arena = &s->arena};
    lb_explain_request request = {.test_case = c,
                                  .file = lb_suite_path(suite),
                                  .port = s->port,
                                  .profiles = s->plan.profiles,
                                  .profile_count = s->plan.profile_count,
                                  .misalign = s->o->call.misalign,
                                  .seconds = s->o->call.seconds,
                                  .diagnose = diagnose,
                                  .diagnose_user = &wish,
                                  .arena = &s->arena};
    request.role = s->o->role ? lb_role_find(s->o->role) : -1;
    if ((s->o->index && !parse_index(s->o->index, &request)))
        return 2;
    if (!c->kernel)
        return refuse_sequence(s, suite, c);
    if (!c->kernel->exact)
        return fprintf(stderr, "lastbit explain: %s: %s has no exact model\n", c->id, c->function),
               2;
    const char *problem = lb_explain_make(&request, &e);
    if (problem)
        return fprintf(stderr, "lastbit explain: %s\n", problem), 2;
    int status = print(s, &e);
    lb_explanation_free(&e);
    return status;
}

static int explain_found(session *s, const search *found)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_suite_reader *reader = lb_suite_reader_open(found->suite);
    const lb_case *c = reader ? lb_suite_reader_case(reader, found->index, &diagnostics) : NULL;
    int status = c ? explain_case(s, found->suite, c) : 3;
    lb_suite_reader_close(reader);
    return status;
}

static int find_and_explain(session *s)
{
    search found = {.wanted = s->o->case_id};
    bool exactly = false;
    int status = 2;
    for (size_t i = 0; i < s->plan.suite_count; i++)
        if (!search_suite(&found, s->plan.suites[i], &exactly)) {
            search_free(&found);
            return 3;
        }
    if (found.matches == 0)
        tell_unknown(&found, s->path);
    else if (found.matches > 1)
        tell_ambiguous(&found, s->path);
    else
        status = explain_found(s, &found);
    search_free(&found);
    return status;
}

/* --cpu: one level. */
static bool set_level(const options *o, lb_port *port)
{
    const char *levels[LB_MAX_LEVELS];
    size_t count = 0;
    if (!o->cpu)
        return true;
    if (!lb_levels_choose("explain", port, o->cpu, levels, &count))
        return false;
    if (count != 1)
        return lb_usage_error("explain", "--cpu %s: expected one level", o->cpu), false;
    return port->set_level(port, levels[0]);
}

static int explain(int argc, char **argv)
{
    options o = {.profile_names = "all",
                 .port_name = "builtin",
                 .call.seconds = LB_TIME_LIMIT_SECONDS,
                 .effort = 10};
    lb_arguments paths;
    int status;
    if (!lb_options_parse(&lb_explain_command, argc, argv, &o, &paths, &status))
        return status;
    if (!o.case_id)
        return lb_usage_error("explain",
                              "expected --case ID: \"lastbit vectors list %s\" tells the ids",
                              paths.items[0]),
               status;
    session *s = lb_resized(NULL, sizeof *s);
    *s = (session){.o = &o, .path = paths.items[0]};
    s->plan.has_all_profiles = strcmp(o.profile_names, "all") == 0;
    if (lb_profiles_choose("explain", o.profile_names, &s->plan.loaded, s->plan.profiles,
                           &s->plan.profile_count) &&
        (s->port = lb_port_open_in(o.port_name, o.call.seconds, o.call.sandbox)) != NULL &&
        set_level(&o, s->port) && lb_plan_open_suites(&s->plan, paths.items, paths.count)) {
        lb_call_choice_fit(&o.call, s->port);
        status = find_and_explain(s);
    }
    if (s->port)
        s->port->close(s->port);
    lb_plan_close_suites(&s->plan);
    lb_arena_free(&s->arena);
    free(s);
    return status;
}

static const char *const roles[] = {"out", "cell", NULL};

static const lb_option table[] = {
    {"case", 'c', LB_TEXT, "ID", LB_INTO(options, case_id),
     .help = "the case: its id, or a pattern that one id alone matches"},
    {"index", 'i', LB_TEXT, "I,J,K", LB_INTO(options, index),
     .help = "the element, one number for each dimension, from 0 (default: the first that "
             "diverges, else the first)"},
    {"role", 'r', LB_WORD, "ROLE", LB_INTO(options, role), .choices = roles,
     .help = "the output: out, cell (default: the first that diverges, else out)"},
    {"all", 0, LB_FLAG, NULL, LB_INTO(options, all),
     .help = "all taps of long sums, and all frames of a cell"},
    {"seconds", 0, LB_NUMBER, "S", LB_INTO(options, effort), .low = 0, .high = 86400,
     .help = "of effort, as those of \"lastbit diagnose\", for what the other cases of its family "
             "in FILE say of the fault (default 10; 0: the case alone counts)"},
    {.name = NULL}};

const lb_command lb_explain_command = {
    .name = "explain",
    .summary = "show every integer step behind one output element, and where a wrong one diverges",
    .usage = "FILE --case ID [OPTION...]",
    .about =
        "Prints every integer step that leads to one output element of a case, in order: taps with "
        "their operands, sums, bias, multiplier, shift, rounding with the bits it drops, "
        "saturation, zero point, limits; beside each the number that it would be without any "
        "rounding. Where the port's or the recorded value diverges from the exact model's, it "
        "tries known faults in every step and names those that give exactly that value: first the "
        "one "
        "that the diagnosis of all cases of its family in FILE names. Of several "
        "profiles, the first in which something diverges is shown, else the first.",
    .groups = {{table, 0, NULL},
               {lb_profile_option, offsetof(options, profile_names), NULL},
               {lb_port_option, offsetof(options, port_name), NULL},
               {lb_cpu_option, offsetof(options, cpu), NULL},
               {lb_call_options, offsetof(options, call), NULL},
               {lb_json_option, offsetof(options, json), NULL}},
    .operand = {.name = "FILE", LB_SUITES_HELP, 1, 1, NULL, true},
    .statuses = {"port, recorded result and exact model agree on the whole call",
                 "something diverges, or the port gave no result",
                 "the command line or a suite is wrong, or there are no steps to explain",
                 "lastbit itself failed (out of memory)"},
    .examples = "lastbit explain vectors/conv2d.yaml --case conv2d_sa8.pad_same.003\n"
                "lastbit explain mine.json --case fc.1 -n up-full --index 3 -p ./libmine.so\n"
                "lastbit explain vectors/lstm.yaml --case 'lstm*two_frames*' --role cell",
    .run = explain};
