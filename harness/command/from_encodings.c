/* lastbit vectors from-encodings: the command. See from_encodings.h. */
#include "harness/generate/from_encodings.h"
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/command/encodings_options.h"

#include "reports/escape.h"

#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help_text[] =
    "Usage: lastbit vectors from-encodings [OPTION...] FILE\n"
    "\n"
    "Writes a suite from a quantization encodings file (AIMET), as JSON Lines: for every tensor a "
    "round trip through\n"
    "mli_hlp_convert_tensor, codes to real numbers (.to_real) and back (.from_real), with what "
    "must come out "
    "recorded;\n"
    "and the cases of a template, which wires tensors of the file to kernels. Tensors that get no "
    "case are told on\n"
    "standard error.\n"
    "\n"
    "A template is a YAML file like a suite, with the format lastbit/template-1. In its cases "
    "\"encoding: {tensor: "
    "NAME}\"\n"
    "means the FILE, and inputs that have an encoding and no data get random numbers over its "
    "range:\n"
    "  format: lastbit/template-1\n"
    "  cases:\n"
    "    - id: fc1\n"
    "      function: mli_krn_fully_connected_sa8_sa8_sa32\n"
    "      config: {relu: none}\n"
    "      inputs:\n"
    "        in: {type: sa8, shape: [64], encoding: {tensor: flat}}\n"
    "        weights: {type: sa8, shape: [64, 10], encoding: {tensor: fc1.weight}}\n"
    "        bias: {type: sa32, shape: [10], encoding: {input: flat, weights: fc1.weight}}\n"
    "      outputs:\n"
    "        out: {type: sa8, shape: [10], encoding: {tensor: fc1}}\n"
    "vectors/README.md says the rest.\n"
    "\n"
    "Options:\n"
    "      --template T.yaml the template\n"
    "  -o, --output SUITE    where to write, a name that ends in .jsonl (default: standard "
    "output). The suite names "
    "FILE\n"
    "                        by its path from the folder of the suite\n" LB_ENC_OPTIONS_HELP
    "  -h, --help            this text\n"
    "\n"
    "Exit status:\n"
    "  0  written\n"
    "  2  the command line, FILE or the template is wrong\n"
    "  3  the suite cannot be written\n"
    "\n"
    "Examples:\n"
    "  lastbit vectors from-encodings model.encodings --template model.yaml -o model.jsonl\n"
    "  lastbit run model.jsonl\n";

enum { TEMPLATE = 700 };

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

static int write_out(const request *q, lb_doc *doc)
{
    FILE *out = q->output ? fopen(q->output, "w") : stdout;
    bool good = out && lb_doc_flush(doc, out);
    if (out && q->output)
        good &= fclose(out) == 0;
    else if (out)
        good &= fflush(out) == 0;
    if (!good)
        fprintf(stderr, "lastbit vectors from-encodings: %s: %s\n",
                q->output ? q->output : "standard output", strerror(errno));
    return good ? 0 : 3;
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
        status = write_out(q, &doc);
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

static bool take(request *q, int option)
{
    switch (option) {
    case TEMPLATE:
        q->template = optarg;
        return true;
    case 'o':
        q->output = strcmp(optarg, "-") == 0 ? NULL : optarg;
        return true;
    default:
        return lb_enc_take_option(&q->common, "vectors from-encodings", option, optarg);
    }
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text);
    return length >= strlen(ending) && strcmp(text + length - strlen(ending), ending) == 0;
}

static bool check_together(request *q, int argc, char **argv)
{
    const char *wrong = optind >= argc      ? "no FILE given"
                        : optind + 1 < argc ? "one FILE at a time"
                        : q->output && !ends_with(q->output, ".jsonl")
                            ? "the suite is JSON Lines: its name ends in .jsonl"
                            : NULL;
    if (wrong)
        lb_usage_error("vectors from-encodings", "%s", wrong);
    else
        q->path = argv[optind];
    return !wrong;
}

int lb_command_vectors_from_encodings(int argc, char **argv)
{
    static const struct option long_options[] = {LB_ENC_LONG_OPTIONS,
                                                 {"template", required_argument, NULL, TEMPLATE},
                                                 {"output", required_argument, NULL, 'o'},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {0}};
    request q = {.template = NULL};
    int option, status = 2;
    bool good = true;
    optind = 0;
    while (good && (option = lb_next_option("vectors from-encodings", argc, argv,
                                            "ho:", long_options)) != -1) {
        if (option == 'h') {
            fputs(help_text, stdout);
            status = 0;
            good = false;
        } else {
            good = take(&q, option);
        }
    }
    if (good && check_together(&q, argc, argv))
        status = read_and_make(&q);
    lb_enc_options_free(&q.common);
    return status;
}
