/* lastbit oracle: cases in, expected results out, while a testbench runs. */
#include "harness/base/command_line.h"
#include "harness/base/line_reader.h"
#include "harness/base/xalloc.h"
#include "harness/command/commands.h"
#include "harness/command/model_port.h"
#include "harness/generate/recording.h"
#include "harness/json/document.h"
#include "harness/run/shared_options.h"
#include "harness/suite/case_write.h"
#include "harness/trial/trial.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct oracle {
    const char *profile_names;
    lb_loaded_profiles loaded;
    const lb_profile *profiles[LB_MAX_PROFILES];
    size_t profile_count;
    lb_recording recording;
    const char *refused; /* in some profile; NULL: in none */
    lb_arena arena;
    bool any_wrong;
    lb_diagnostic problem; /* the last that was told of a line */
} oracle;

/* ---- One line ---- */

static void take_result(void *user, size_t profile, lb_result *result)
{
    oracle *o = user;
    (void)profile;
    if (result->verdict == LB_SKIP || result->verdict == LB_ERROR)
        o->refused = lb_arena_strdup(&o->arena, result->reason);
    else if (o->recording.refused)
        o->refused = o->recording.refused;
}

/* {"id": ..., "error": ...} */
static void answer_error(oracle *o, const char *id, unsigned line, const char *why)
{
    cJSON *node = cJSON_CreateObject();
    char *text;
    if (id)
        cJSON_AddStringToObject(node, "id", id);
    else
        cJSON_AddNumberToObject(node, "line", line);
    cJSON_AddStringToObject(node, "error", why);
    text = cJSON_PrintUnformatted(node);
    puts(text);
    free(text);
    cJSON_Delete(node);
    o->any_wrong = true;
}

static void note_problem(void *user, const lb_diagnostic *diagnostic)
{
    oracle *o = user;
    if (!o->problem.problem[0])
        o->problem = *diagnostic;
}

static void answer(oracle *o, lb_trial_setup *setup, const lb_case *c, unsigned line)
{
    bool wanted[LB_MAX_PROFILES];
    lb_case *mine = lb_case_copy(&o->arena, c);
    for (size_t i = 0; i < o->profile_count; i++)
        wanted[i] = true;
    mine->expect_count = 0; /* what is recorded is no answer of the model */
    mine->expect = NULL;
    o->recording.count = 0;
    o->refused = NULL;
    lb_trial_run(setup, mine, o->profiles, wanted, o->profile_count, NULL, take_result, o);
    if (o->recording.count == 0) {
        answer_error(o, c->id, line, o->refused ? o->refused : "there is no result");
        return;
    }
    lb_recording_merge(mine, &o->recording, &(lb_source){0}, true, &o->arena);
    puts(lb_expect_to_json(mine, &o->arena));
}

static bool is_header(const char *text, size_t length)
{
    cJSON *node = lb_json_read(text, length);
    bool header = node && cJSON_GetObjectItemCaseSensitive(node, "format") &&
                  !cJSON_GetObjectItemCaseSensitive(node, "function");
    cJSON_Delete(node);
    return header;
}

static void take_line(oracle *o, lb_trial_setup *setup, const char *text, size_t length,
                      unsigned line)
{
    lb_diagnostics diagnostics = {.report = note_problem, .user = o};
    lb_case *c = lb_arena_alloc(&o->arena, sizeof *c);
    o->problem = (lb_diagnostic){0};
    if (lb_case_from_line(text, length, "-", line, &diagnostics, &o->arena, c) && c->kernel) {
        answer(o, setup, c, line);
    } else if (!is_header(text, length)) {
        char why[1400] = "sequences of movement calls are not answered";
        if (o->problem.problem[0])
            lb_diagnostic_format(&o->problem, why, sizeof why);
        answer_error(o, NULL, line, why);
    }
    fflush(stdout); /* a testbench waits for it */
}

static int serve(oracle *o)
{
    lb_model_port model;
    lb_analysis analysis = lb_recording_analysis(&o->recording);
    const lb_analysis *list[] = {&analysis};
    lb_trial_setup setup = {.port = &model.port,
                            .suite = "oracle",
                            .file = "-",
                            .tolerance_off = true,
                            .analyses = list,
                            .analysis_count = 1,
                            .arena = &o->arena};
    lb_line_reader reader;
    const char *text;
    size_t length;
    unsigned line = 0;
    lb_line_result result;
    lb_model_port_make(&model);
    lb_line_reader_start(&reader, STDIN_FILENO, 0, NULL);
    while ((result = lb_line_reader_next(&reader, &text, &length)) == LB_LINE_OK) {
        line++;
        if (length > 0)
            take_line(o, &setup, text, length, line);
        lb_arena_reset(&o->arena);
    }
    lb_line_reader_free(&reader);
    if (result == LB_LINE_ERROR || ferror(stdout))
        return fprintf(stderr, "lastbit oracle: %s\n", strerror(errno)), 3;
    return o->any_wrong ? 1 : 0;
}

static int run_oracle(int argc, char **argv)
{
    oracle *o = lb_zeroed(1, sizeof *o);
    lb_arguments operands;
    int status = 3;
    o->profile_names = "all";
    if (lb_options_parse(&lb_oracle_command, argc, argv, o, &operands, &status)) {
        status = 2;
        if (lb_profiles_choose("oracle", o->profile_names, &o->loaded, o->profiles,
                               &o->profile_count))
            status = serve(o);
    }
    lb_arena_free(&o->arena);
    free(o);
    return status;
}

const lb_command lb_oracle_command = {
    .name = "oracle",
    .summary = "give expected results for cases as they come",
    .usage = "[-n PROFILE] < CASES",
    .about =
        "Reads cases from standard input, one JSON object a line as in a JSON Lines suite, and "
        "answers each at once with a line on standard output: {\"id\": ..., \"expect\": [...]}, "
        "what the exact model gives in each profile, as in a suite. A line that is no case gets "
        "{\"line\": N, \"error\": ...}; a call that is undefined gets {\"id\": ..., \"error\": "
        "...}. The header of a suite gets no answer. So a testbench can ask while it runs.",
    .groups = {{lb_profile_option, offsetof(oracle, profile_names), NULL}},
    .statuses = {"every case has an answer", "some lines got errors", "the command line is wrong",
                 "lastbit itself failed"},
    .examples = "lastbit oracle --profile up-full < vectors/recorded/relu.jsonl",
    .run = run_oracle};
