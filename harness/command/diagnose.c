/* lastbit diagnose: what is wrong with a port, by name. The options, the suites, and what is told.
 */
#include "harness/base/clock.h"
#include "harness/base/command_line.h"
#include "harness/base/progress.h"
#include "harness/base/terminal.h"
#include "harness/base/xalloc.h"
#include "harness/command/commands.h"
#include "harness/diagnose/diagnosis.h"
#include "harness/diagnose/text.h"
#include "harness/port/open.h"
#include "harness/run/shared_options.h"
#include "harness/run/story.h"
#include "harness/suite/case.h"
#include "reports/results_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct options {
    const char *port_name;
    lb_case_choice choice;
    lb_call_choice call;
    bool json;
    unsigned long seconds;
} options;

/* ---- Telling ---- */

typedef struct session {
    const options *o;
    lb_plan plan;
    lb_port *port;
    lb_evidence evidence;
    lb_diagnosis diagnosis;
    lb_progress progress;
    uint64_t asked; /* cases that were looked at */
} session;

static void put_json(const session *s, lb_doc *doc)
{
    const lb_diagnosis *d = &s->diagnosis;
    lb_doc_puts(doc, "{\"format\":\"lastbit/diagnosis-1\",\"port\":");
    lb_results_put_text(doc, s->port->name);
    lb_doc_printf(doc,
                  ",\"results\":%zu,\"failing\":%" PRIu64 ",\"experiments\":%" PRIu64
                  ",\"faults_tried\":%" PRIu64 ",\"complete\":%s,\"out_of_time\":%s,\"faults\":",
                  s->evidence.count, d->failing, d->experiments, d->faults_tried,
                  d->cut_short || d->passed_over ? "false" : "true",
                  d->out_of_time ? "true" : "false");
    lb_results_put_faults(doc, d->found, d->found_count);
    lb_doc_puts(doc, ",\"without_cause\":");
    lb_results_put_without_cause(doc, d->rest_list, d->rest_count);
    lb_doc_puts(doc, "}\n");
}

static void put_causes(const session *s, lb_doc *doc)
{
    const lb_diagnosis *d = &s->diagnosis;
    const lb_run_info info = {.fault_count = d->found_count,
                              .faults = d->found,
                              .without_cause_count = d->rest_count,
                              .without_cause = d->rest_list};
    lb_diagnosis_text(doc, &info);
    if (d->cut_short)
        lb_doc_puts(doc,
                    "the effort was spent before all had been tried: --seconds gives more\n\n");
    if (d->passed_over)
        lb_doc_puts(doc, "of functions that crash or hang again and again, not all cases were "
                         "tried\n\n");
    if (d->out_of_time)
        lb_doc_puts(doc,
                    "the machine was too slow for it: on a quicker one, or with more --seconds,"
                    " more may be told\n\n");
}

/* After the causes: which functions fail and how, and the numbers. */
static void put_end(const session *s, FILE *out)
{
    const lb_diagnosis *d = &s->diagnosis;
    lb_story story = {.function_count = 0};
    lb_tally tally = {{0}};
    for (size_t i = 0; i < s->evidence.count; i++) {
        const lb_tried *t = &s->evidence.items[i];
        const bool failed = lb_tried_failed(t) || t->lone != LB_LONE_NOBODY;
        tally.count[t->lone != LB_LONE_NOBODY ? LB_FAIL : t->verdict]++;
        if (failed)
            lb_story_add(&story, t->kernel ? t->kernel->name : LB_SEQUENCE_FUNCTION, t->kind);
    }
    lb_story_table(&story, out);
    lb_story_free(&story);
    fprintf(out,
            "%zu results, %" PRIu64 " failing: %zu cause%s; %" PRIu64 " faults tried, %" PRIu64
            " experiments\n",
            s->evidence.count, d->failing, d->found_count, d->found_count == 1 ? "" : "s",
            d->faults_tried, d->experiments);
    fprintf(out, "%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped\n",
            lb_tally_passed(&tally), lb_tally_failed(&tally), lb_tally_skipped(&tally));
}

static int tell(const session *s)
{
    lb_doc doc = lb_doc_make();
    FILE *out = lb_terminal_over(stdout);
    (s->o->json ? put_json : put_causes)(s, &doc);
    bool written = lb_doc_flush(&doc, out);
    if (!s->o->json)
        put_end(s, out);
    written = fclose(out) == 0 && written;
    lb_doc_free(&doc);
    return !written ? 3 : s->diagnosis.failing > 0 ? 1 : 0;
}

/* ---- The command ---- */

static bool wants(void *user, const lb_case *c)
{
    session *s = user;
    lb_progress_show(&s->progress, s->asked++);
    return lb_plan_wants_case(&s->plan, c);
}

static int diagnose(session *s)
{
    const lb_reproduce reproduce = {.port = s->o->port_name, .misalign = s->o->call.misalign};
    s->evidence = (lb_evidence){.suites = s->plan.suites,
                                .suite_count = s->plan.suite_count,
                                .profiles = s->plan.profiles,
                                .profile_count = s->plan.profile_count,
                                .port = s->port,
                                .misalign = s->o->call.misalign,
                                .wants = wants,
                                .wants_user = s};
    lb_progress_start(&s->progress, LB_PROGRESS_BAR, "cases", lb_plan_case_count(&s->plan));
    bool gathered = lb_evidence_gather(&s->evidence);
    lb_progress_end(&s->progress);
    if (!gathered)
        return 3;
    if (s->evidence.count == 0)
        return fprintf(stderr, "lastbit diagnose: no case is there to be tried\n"), 2;
    s->diagnosis = (lb_diagnosis){.evidence = &s->evidence,
                                  .port_name = s->o->port_name,
                                  .reproduce = &reproduce,
                                  .effort = (double)s->o->seconds};
    lb_diagnose(&s->diagnosis);
    return tell(s);
}

static int command(int argc, char **argv)
{
    options o = {.choice.level = {LB_LEVEL_STANDARD, true},
                 .call.seconds = LB_TIME_LIMIT_SECONDS,
                 .seconds = 10};
    lb_arguments paths;
    int status;
    if (!lb_options_parse(&lb_diagnose_command, argc, argv, &o, &paths, &status))
        return status;
    if (!o.port_name && paths.count == 0)
        return lb_usage_error("diagnose", "no port given: expected a shared library or a command"),
               status;
    if (!o.port_name) {
        o.port_name = paths.items[0];
        paths = (lb_arguments){.items = paths.items + 1, .count = paths.count - 1};
    }
    if (!lb_suites_given("diagnose", &paths))
        return status;
    session *s = lb_resized(NULL, sizeof *s);
    *s = (session){.o = &o};
    if (lb_case_choice_plan(&o.choice, "diagnose", &s->plan) &&
        (s->port = lb_port_open_in(o.port_name, o.call.seconds, o.call.sandbox)) != NULL &&
        lb_plan_open_suites(&s->plan, paths.items, paths.count)) {
        lb_call_choice_fit(&o.call, s->port);
        status = diagnose(s);
    }
    lb_diagnosis_free(&s->diagnosis);
    lb_evidence_free(&s->evidence);
    if (s->port)
        s->port->close(s->port);
    lb_plan_close_suites(&s->plan);
    free(s);
    return status;
}

static const lb_option table[] = {
    {"seconds", 0, LB_NUMBER, "S", LB_INTO(options, seconds), .low = 1, .high = 86400,
     .help = "of effort for the search for faults, counted and not measured: about seconds of a "
             "quiet machine, the same faults on any (default 10)"},
    {.name = NULL}};

const lb_command lb_diagnose_command = {
    .name = "diagnose",
    .summary = "name the faults of a port that explain all that fails, by experiments of its own",
    .usage = "[OPTION...] PORT [PATH...]\n[OPTION...] --port PORT [PATH...]",
    .about =
        "Tells what is wrong with a port, in as few faults as explain all that fails. It tries "
        "the cases of the suites, holds every known fault against the whole outputs of "
        "failing and passing cases, and where several faults would give the same, makes cases "
        "on which they differ and runs them on the port. What depends on calls before, on "
        "chance or on alignment is told as such. Without --level, the cases up to standard.",
    .groups = {{lb_port_option, offsetof(options, port_name), NULL},
               {lb_profile_option, offsetof(options, choice.profile_names), NULL},
               {lb_case_options, offsetof(options, choice), NULL},
               {lb_level_option, offsetof(options, choice.level), NULL},
               {lb_call_options, offsetof(options, call), NULL},
               {table, 0, NULL},
               {lb_json_option, offsetof(options, json), NULL}},
    .operand = LB_SUITE_OPERANDS_OR_INSTALLED,
    .statuses = {"nothing fails", "something fails: causes are told",
                 "the command line or a suite is wrong, or no case is there to be tried",
                 "lastbit itself failed (out of memory)"},
    .examples = "lastbit diagnose ./libmyport.so vectors\n"
                "lastbit diagnose --port 'exec:qemu-aarch64 ./agent' --level smoke vectors\n"
                "lastbit diagnose --json ./libmyport.so vectors/conv2d.yaml",
    .run = command};
