/* lastbit vectors from-tflite: the command. */
#include "harness/generate/from_tflite.h"
#include "harness/base/command_line.h"
#include "harness/base/whole_file.h"
#include "harness/command/commands.h"
#include "harness/command/encodings_options.h"
#include "harness/suite/case_write.h"
#include "reference/litert/kernels.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = INT_MAX }; /* of a FlatBuffer */

typedef struct request {
    const char *output, *path;
    unsigned profile; /* place in lb_lite_profiles */
} request;

static void put_header(const request *q, lb_doc *doc)
{
    lb_arena arena = {0};
    char copy[PATH_MAX], name[151];
    snprintf(copy, sizeof copy, "%s", q->path);
    snprintf(name, sizeof name, "%s", basename(copy));
    lb_doc_printf(doc, "%s\n", lb_suite_header_json(name, &arena));
    lb_arena_free(&arena);
}

static int write_suite(const request *q, const lb_tflite_model *model)
{
    lb_doc doc = lb_doc_make(), remarks = lb_doc_make();
    lb_from_tflite f = {
        .model = model, .profile = &lb_lite_profiles[q->profile], .doc = &doc, .remarks = &remarks};
    int status;
    put_header(q, &doc);
    lb_write_tflite_cases(&f);
    if (model->subgraphs > 1)
        lb_doc_printf(&remarks, "%u subgraphs, of which the first is read\n", model->subgraphs);
    lb_doc_flush(&remarks, stderr);
    if (f.cases == 0) {
        fprintf(stderr, "lastbit vectors from-tflite: %s: no operator gets a case\n", q->path);
        status = 1;
    } else {
        status = lb_enc_write_out("vectors from-tflite", q->output, &doc);
        if (status == 0 && q->output)
            fprintf(stderr, "%s: %zu cases; %zu operators without one\n", q->output, f.cases,
                    f.operators_without);
    }
    lb_doc_free(&doc);
    lb_doc_free(&remarks);
    return status;
}

static int read_and_write(const request *q)
{
    lb_arena arena = {0};
    lb_tflite_model model = {.subgraphs = 0};
    lb_whole_file file = lb_is_stdin(q->path) ? lb_whole_stdin_read(MOST_BYTES, &arena)
                                              : lb_whole_file_read(q->path, MOST_BYTES, &arena);
    const char *problem = lb_whole_file_problem(&file);
    int status = 2;
    if (problem)
        fprintf(stderr, "lastbit vectors from-tflite: %s: %s\n", q->path, problem);
    else if (!lb_tflite_read(&model, (const uint8_t *)file.text, file.length))
        fprintf(stderr, "%s: %s\n", q->path, model.flat.why);
    else
        status = write_suite(q, &model);
    lb_tflite_free(&model);
    lb_arena_free(&arena);
    return status;
}

static int from_tflite(int argc, char **argv)
{
    request q = {.profile = 0};
    lb_arguments files;
    int status;
    if (!lb_options_parse(&lb_vectors_from_tflite_command, argc, argv, &q, &files, &status))
        return status;
    if (q.output && strcmp(q.output, "-") == 0)
        q.output = NULL;
    const char *dot = q.output ? strrchr(q.output, '.') : NULL;
    if (q.output && (!dot || strcmp(dot, ".jsonl") != 0))
        return lb_usage_error("vectors from-tflite",
                              "%s: the suite is JSON Lines: its name ends in .jsonl", q.output),
               2;
    q.path = files.items[0];
    return read_and_write(&q);
}

static const char *const profiles[] = {"litert-double", "litert-single", NULL};

static const lb_option table[] = {
    {"output", 'o', LB_TEXT, "SUITE", LB_INTO(request, output),
     .help = "where to write, a name that ends in .jsonl (default: standard output)"},
    {"profile", 'n', LB_CHOICE, "NAME", LB_INTO(request, profile), .choices = profiles,
     .help = "the numerics in which scales become integers and layers are fed: litert-double "
             "(default) or litert-single"},
    {.name = NULL}};

const lb_command lb_vectors_from_tflite_command = {
    .name = "vectors from-tflite",
    .summary = "make a suite from a quantized .tflite model",
    .about =
        "Writes a suite from a .tflite model, as JSON Lines: a case for each operator of its first "
        "subgraph that the LiteRT kernel set has, with the model's own weights, with multipliers, "
        "shifts, limits and paddings made from its scales and options (litert.22), and with what "
        "the exact models give in both profiles. Each case is fed by those before it (\"feed\"), "
        "so that the suite is a network; inputs of the model get random numbers.\n"
        "\n"
        "Operators that the set has not, of other types or with options that its specification "
        "does not cover, are named on standard error and cut the chain: what they feed gets random "
        "numbers too. RESHAPE, SQUEEZE and EXPAND_DIMS get no case and cut nothing.",
    .groups = {{table, 0, NULL}},
    .operand = {.name = "MODEL", "a .tflite file", 1, 1, NULL, true},
    .statuses = {"written", "no operator has a case", "the command line or MODEL is wrong",
                 "the suite cannot be written"},
    .examples = "lastbit vectors from-tflite model.tflite -o model.jsonl\n"
                "lastbit run --report build/model model.jsonl",
    .run = from_tflite};
