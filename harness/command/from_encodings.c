/* lastbit vectors from-encodings: the command. */
#include "harness/generate/from_encodings.h"
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/command/encodings_options.h"

#include "reports/escape.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    lb_enc_command_options common;
    const char *template, *output, *path;
} request;

/* ---- Paths ---- */

/* The way from a folder to a file, both real paths: "../a/b". */
static void path_between(const char *folder, const char *file, char *path, size_t path_bytes)
{
    size_t same = 0, length = 0;
    for (size_t i = 0; folder[i] == file[i] || (!folder[i] && file[i] == '/'); i++) {
        if (file[i] == '/' && (folder[i] == '/' || !folder[i]))
            same = i;
        if (!folder[i] || !file[i])
            break;
    }
    path[0] = '\0';
    for (const char *rest = folder + same; *rest; rest++) {
        bool is_step = rest[0] == '/' && rest[1];
        if (is_step && length + 4 < path_bytes)
            length += (size_t)snprintf(path + length, path_bytes - length, "../");
    }
    snprintf(path + length, path_bytes - length, "%s", file + same + 1);
}

/* The encodings file as the suite will name it. False: it has no path (told). */
static bool find_path(const request *q, char *path, size_t path_bytes)
{
    char file[PATH_MAX], folder[PATH_MAX], copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", q->output ? q->output : "./x");
    const char *place = dirname(copy);
    if (!realpath(q->path, file) || !realpath(place, folder)) {
        fprintf(stderr, "lastbit vectors from-encodings: %s: %s\n", q->output ? q->output : q->path,
                strerror(errno));
        return false;
    }
    path_between(folder, file, path, path_bytes);
    return true;
}

/* ---- The suite ---- */

static void put_header(lb_from_encodings *f)
{
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", f->file->path);
    const char *name = f->template && f->template->suite ? f->template->suite : basename(copy);
    char cut[151];
    snprintf(cut, sizeof cut, "%s", name);
    lb_doc_puts(f->doc, "{\"format\":\"lastbit/cases-1\",\"suite\":");
    lb_escape_json(f->doc, cut);
    lb_doc_puts(f->doc, ",\"note\":\"from an encodings file\"}\n");
}

static bool check_template_tensors(const lb_from_encodings *f)
{
    bool good = true;
    for (size_t i = 0; f->template && i < f->template->tensor_count; i++)
        if (!lb_enc_find(f->file, f->template->tensors[i].name)) {
            fprintf(stderr, "%s: tensors[%zu].name: the encodings file has no tensor \"%s\"\n",
                    f->template->path, i, f->template->tensors[i].name);
            good = false;
        }
    return good;
}

static int make_suite(const request *q, const lb_enc_file *file, lb_template *template)
{
    char path[PATH_MAX];
    lb_doc doc = lb_doc_make(), remarks = lb_doc_make();
    lb_from_encodings f = {.file = file,
                           .path_in_suite = path,
                           .options = &q->common,
                           .template = template,
                           .doc = &doc,
                           .remarks = &remarks};
    int status = 2;
    if (find_path(q, path, sizeof path) && check_template_tensors(&f)) {
        put_header(&f);
        lb_write_round_trips(&f);
        lb_write_template_cases(&f);
        lb_doc_flush(&remarks, stderr);
        status = lb_enc_write_out("vectors from-encodings", q->output, &doc);
    }
    lb_doc_free(&doc);
    lb_doc_free(&remarks);
    return status;
}

static int read_and_make(const request *q)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_template template = {.path = NULL};
    lb_enc_file *file = lb_enc_read(q->path, &q->common.read);
    int status = 2;
    if (!file->is_valid) {
        lb_doc note = lb_doc_make();
        lb_enc_show_note(&note, file, &file->error);
        lb_doc_flush(&note, stderr);
        lb_doc_free(&note);
    } else {
        char *real = realpath(q->path, NULL);
        if (!q->template ||
            lb_template_read(q->template, real ? real : q->path, &template, &diagnostics))
            status = make_suite(q, file, q->template ? &template : NULL);
        free(real);
    }
    lb_template_free(&template);
    lb_enc_free(file);
    return status;
}

/* ---- Command line ---- */

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text);
    return length >= strlen(ending) && strcmp(text + length - strlen(ending), ending) == 0;
}

static int from_encodings(int argc, char **argv)
{
    request q = {.template = NULL};
    lb_arguments files;
    int status;
    if (!lb_options_parse(&lb_vectors_from_encodings_command, argc, argv, &q, &files, &status))
        return status;
    if (q.output && strcmp(q.output, "-") == 0)
        q.output = NULL;
    if (q.output && !ends_with(q.output, ".jsonl"))
        return lb_usage_error("vectors from-encodings",
                              "%s: the suite is JSON Lines: its name ends in .jsonl", q.output),
               status;
    q.path = files.items[0];
    return read_and_make(&q);
}

static const lb_option table[] = {
    {"template", 0, LB_TEXT, "T.yaml", LB_INTO(request, template), .help = "the template"},
    {"output", 'o', LB_TEXT, "SUITE", LB_INTO(request, output),
     .help = "where to write, a name that ends in .jsonl (default: standard output). The suite "
             "names FILE by its path from the folder of the suite"},
    {.name = NULL}};

const lb_command lb_vectors_from_encodings_command = {
    .name = "vectors from-encodings",
    .summary = "make a suite from an encodings file (AIMET)",
    .about =
        "Writes a suite from a quantization encodings file (AIMET), as JSON Lines: for every "
        "tensor "
        "a round trip through mli_hlp_convert_tensor, codes to real numbers (.to_real) and back "
        "(.from_real), with what must come out recorded; and the cases of a template, which wires "
        "tensors of the file to kernels. Tensors that get no case are told on standard error.\n"
        "\n"
        "A template is a YAML file like a suite, with the format lastbit/template-1. In its cases "
        "\"encoding: {tensor: NAME}\" means the FILE, and inputs that have an encoding and no data "
        "get random numbers over its range:\n"
        "  format: lastbit/template-1\n"
        "  cases:\n"
        "    - id: fc1\n"
        "      function: mli_krn_fully_connected_sa8_sa8_sa32\n"
        "      config: {relu: none}\n"
        "      inputs:\n"
        "        in: {type: sa8, shape: [64], encoding: {tensor: flat}}\n"
        "        weights:\n"
        "          {type: sa8, shape: [64, 10], encoding: {tensor: fc1.weight}}\n"
        "        bias:\n"
        "          type: sa32\n"
        "          shape: [10]\n"
        "          encoding: {input: flat, weights: fc1.weight}\n"
        "      outputs:\n"
        "        out: {type: sa8, shape: [10], encoding: {tensor: fc1}}\n"
        "vectors/README.md says the rest.",
    .groups = {{table, 0, NULL}, {lb_enc_read_options, offsetof(request, common), NULL}},
    .operand = {"FILE", "a quantization encodings file (JSON)", 1, 1, NULL},
    .statuses = {"written", NULL, "the command line, FILE or the template is wrong",
                 "the suite cannot be written"},
    .examples = "lastbit vectors from-encodings m.encodings --template m.yaml -o m.jsonl\n"
                "lastbit run m.jsonl",
    .run = from_encodings};
