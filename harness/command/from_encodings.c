/* lastbit vectors from-encodings: the command. */
#include "harness/generate/from_encodings.h"
#include "harness/base/command_line.h"
#include "harness/base/texts.h"
#include "harness/base/whole_file.h"
#include "harness/command/commands.h"
#include "harness/command/encodings_options.h"
#include "harness/port/open.h"
#include "harness/run/shared_options.h"
#include "harness/trial/reproduce.h"

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
    const char *profile_name, *port_name;
    enum { EXACT, PORT } feed;
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

/* A file as a suite at this place will name it. False: it has no path (told). */
static bool find_path(const char *suite, const char *what, char *path, size_t path_bytes)
{
    char file[PATH_MAX], folder[PATH_MAX], copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", suite ? suite : "./x");
    const char *place = dirname(copy);
    if (!realpath(what, file) || !realpath(place, folder)) {
        fprintf(stderr, "lastbit vectors from-encodings: %s: %s\n", suite ? suite : what,
                strerror(errno));
        return false;
    }
    path_between(folder, file, path, path_bytes);
    return true;
}

/* The way from the folder of the suite to that of the template, "" or with a slash at its end. */
static bool find_arrays(const request *q, const char *suite, char *path, size_t path_bytes)
{
    path[0] = '\0';
    if (q->template && !find_path(suite, q->template, path, path_bytes))
        return false;
    char *slash = strrchr(path, '/');
    path[slash ? slash + 1 - path : 0] = '\0';
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

/* The source of what feeds layers. False: told. */
static bool open_network(const request *q, const lb_kernel_set *set, lb_network *n,
                         lb_loaded_profiles *loaded)
{
    const lb_profile *profiles[LB_MAX_PROFILES];
    size_t count;
    const char *name = q->profile_name ? q->profile_name : set->profiles[0].name;
    if (!lb_profiles_choose("vectors from-encodings", name, loaded, profiles, &count))
        return false;
    if (count != 1)
        return lb_usage_error("vectors from-encodings",
                              "--profile: expected one profile: layers are fed in its numerics"),
               false;
    if (lb_kernel_sets[profiles[0]->set] != set)
        return lb_usage_error("vectors from-encodings",
                              "--profile: the template's functions are of %s, and %s is a profile "
                              "of %s",
                              set->title, profiles[0]->name,
                              lb_kernel_sets[profiles[0]->set]->title),
               false;
    n->profile = profiles[0];
    n->port = q->feed == PORT ? lb_port_open(q->port_name, LB_TIME_LIMIT_SECONDS) : NULL;
    return q->feed != PORT || n->port;
}

static int make_suite(const request *q, const lb_enc_file *file, lb_template *template)
{
    char path[PATH_MAX], arrays[PATH_MAX];
    const bool prepares = template && template->set && template->set->prepare;
    const char *suite = prepares ? q->template : q->output; /* from where files are named */
    lb_doc doc = lb_doc_make(), remarks = lb_doc_make();
    lb_arena kept = {0};
    lb_loaded_profiles loaded = {0};
    lb_network network = {.arena = &kept};
    lb_from_encodings f = {.file = file,
                           .path_in_suite = path,
                           .suite_path = suite ? suite : "-",
                           .arrays = arrays,
                           .options = &q->common,
                           .template = template,
                           .network =
                               template && lb_template_has_layers(template) ? &network : NULL,
                           .doc = &doc,
                           .remarks = &remarks};
    int status = 2;
    if (find_path(suite, q->path, path, sizeof path) &&
        find_arrays(q, suite, arrays, sizeof arrays) && check_template_tensors(&f) &&
        (!f.network || open_network(q, template->set, &network, &loaded))) {
        put_header(&f);
        if (!prepares)
            lb_write_round_trips(&f);
        if (lb_write_template_cases(&f)) {
            lb_doc_flush(&remarks, stderr);
            status = lb_enc_write_out("vectors from-encodings", q->output, &doc);
        }
    }
    if (network.port)
        network.port->close(network.port);
    free(network.layers);
    lb_arena_free(&kept);
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

static int from_encodings(int argc, char **argv)
{
    request q = {.template = NULL, .port_name = "builtin"};
    lb_arguments files;
    int status;
    if (!lb_options_parse(&lb_vectors_from_encodings_command, argc, argv, &q, &files, &status))
        return status;
    if (q.output && strcmp(q.output, "-") == 0)
        q.output = NULL;
    if (q.output && !lb_text_ends_with(q.output, ".jsonl"))
        return lb_usage_error("vectors from-encodings",
                              "%s: the suite is JSON Lines: its name ends in .jsonl", q.output),
               status;
    q.path = files.items[0];
    if (lb_is_stdin(q.path))
        return lb_usage_error("vectors from-encodings",
                              "%s: the suite names FILE by its path, and standard input has none",
                              q.path),
               status;
    return read_and_make(&q);
}

static const char *const feed_words[] = {"exact", "port", NULL};

static const lb_option table[] = {
    {"template", 0, LB_TEXT, "T.yaml", LB_INTO(request, template), .reads = true,
     .help = "the template"},
    {"output", 'o', LB_TEXT, "SUITE", LB_INTO(request, output),
     .help = "where to write, a name that ends in .jsonl (default: standard output). The suite "
             "names FILE by its path from the folder of the suite"},
    {"feed", 0, LB_CHOICE, "SOURCE", LB_INTO(request, feed), .choices = feed_words,
     .help = "what gives the inputs of layers their data: the exact model (default), or port, the "
             "port of --port; in the numerics of --profile"},
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
        "A case with \"feed: [{case: fc1, to: in}]\" is a layer of a network: its input is the "
        "output of the case before, as the exact model gives it.\n"
        "\n"
        "Of LiteRT, a case gives what is no number of a scale; offsets, multipliers, shifts and "
        "limits "
        "are made of the encodings, and the suite holds plain integers:\n"
        "    - id: conv1\n"
        "      function: litert_conv_2d_s8\n"
        "      config:\n"
        "        {stride_height: 1, stride_width: 1, padding_top: 1, padding_left: 1,\n"
        "         dilation_height: 1, dilation_width: 1, activation: relu}\n"
        "      inputs:\n"
        "        in: {type: s8, shape: [1, 8, 8, 1], encoding: {tensor: image}}\n"
        "        weights:\n"
        "          {type: s8, shape: [4, 3, 3, 1], encoding: {tensor: w, axis: 0}}\n"
        "        bias: {type: s32, shape: [4], encoding: {input: image, weights: w}}\n"
        "      outputs:\n"
        "        out: {type: s8, shape: [1, 8, 8, 4], encoding: {tensor: conv1}}\n"
        "vectors/FORMAT.md says the rest.",
    .groups = {{table, 0, NULL},
               {lb_profile_option, offsetof(request, profile_name), NULL},
               {lb_port_option, offsetof(request, port_name), NULL},
               {lb_enc_read_options, offsetof(request, common), NULL}},
    .operand = {.name = "FILE", "a quantization encodings file (JSON)", 1, 1, NULL, true},
    .statuses = {"written", NULL, "the command line, FILE or the template is wrong",
                 "the suite cannot be written"},
    .examples = "lastbit vectors from-encodings m.encodings --template m.yaml -o m.jsonl\n"
                "lastbit run m.jsonl",
    .run = from_encodings};
