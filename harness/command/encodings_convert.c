/* lastbit encodings convert: the command. See encodings/convert.h. */
#include "harness/base/command_line.h"
#include "harness/base/xalloc.h"
#include "harness/command/commands.h"
#include "harness/command/encodings_options.h"
#include "harness/encodings/convert.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help_text[] =
    "Usage: lastbit encodings convert --to mli|0.6.1|1.0.0|2.0.0 [OPTION...] FILE\n"
    "\n"
    "Turns a quantization encodings file into tensor parameters for cases (mli), or into a file of "
    "another version. "
    "What\n"
    "is lost or assumed, and every tensor that cannot be had, is told on standard error with its "
    "reason.\n"
    "\n"
    "mli gives YAML: under the name of each tensor a line for each type that it can be, to be "
    "pasted into a case:\n"
    "  \"conv1.weight\":\n"
    "    sa8: {type: sa8, scale: 20972, scale_frac_bits: 22, zero_point: 0, axis: -1}\n"
    "    fx16: {type: fx16, frac_bits: 15}\n"
    "Types that it cannot be stand there as comments.\n"
    "\n"
    "Options:\n"
    "      --to WHAT         mli, 0.6.1, 1.0.0 or 2.0.0\n"
    "      --target TYPE     mli: this type alone, sa8, sa32, fx16, fx8 or fp32; a tensor that "
    "cannot be it is an "
    "error\n"
    "      --bias NAME=INPUT,WEIGHTS\n"
    "                        mli: the bias of a kernel with this input and these weights, sa32 "
    "with the product of "
    "their\n"
    "                        scales. If the file has NAME, the two are compared (W_BIAS_SCALE). "
    "May be given again\n"
    "  -o, --output FILE     where to write (default: standard output)\n" LB_ENC_OPTIONS_HELP
        LB_ENC_AXIS_HELP "  -h, --help            this text\n"
    "\n"
    "Exit status:\n"
    "  0  converted; what was lost is told\n"
    "  1  the file is not valid, or a tensor cannot be what was asked for: it is left out\n"
    "  2  the command line is wrong, or the file cannot be read\n"
    "  3  the output cannot be written\n"
    "\n"
    "Examples:\n"
    "  lastbit encodings convert --to mli --axis conv1.weight=3 model.encodings\n"
    "  lastbit encodings convert --to mli --bias conv1.bias=input,conv1.weight model.encodings\n"
    "  lastbit encodings convert --to 1.0.0 -o new.encodings model.encodings\n";

enum { TO = 600, TARGET, BIAS };

typedef struct request {
    lb_enc_command_options common;
    const char *to, *target, *output, *path;
    const char **bias_texts;
    size_t bias_count, bias_capacity;
} request;

static bool is_one_of(const char *text, const char *const *names)
{
    while (*names && strcmp(text, *names) != 0)
        names++;
    return *names != NULL;
}

static bool take(request *q, int option)
{
    static const char *const versions[] = {"mli", "0.6.1", "1.0.0", "2.0.0", NULL};
    static const char *const targets[] = {"sa8", "sa32", "fx16", "fx8", "fp32", NULL};
    switch (option) {
    case TO:
        q->to = optarg;
        if (!is_one_of(q->to, versions))
            return lb_usage_error("encodings convert", "--to %s: mli, 0.6.1, 1.0.0 or 2.0.0 is due",
                                  optarg),
                   false;
        return true;
    case TARGET:
        q->target = optarg;
        if (!is_one_of(q->target, targets))
            return lb_usage_error("encodings convert",
                                  "--target %s: sa8, sa32, fx16, fx8 or fp32 is due", optarg),
                   false;
        return true;
    case BIAS:
        q->bias_texts =
            lb_room_for_one(q->bias_texts, q->bias_count, &q->bias_capacity, sizeof *q->bias_texts);
        q->bias_texts[q->bias_count++] = optarg;
        return true;
    case 'o':
        q->output = optarg;
        return true;
    default:
        return lb_enc_take_option(&q->common, "encodings convert", option, optarg);
    }
}

static bool check_together(request *q, int argc, char **argv)
{
    const char *wrong = !q->to                      ? "--to is due: mli, 0.6.1, 1.0.0 or 2.0.0"
                        : optind >= argc            ? "no FILE given"
                        : optind + 1 < argc         ? "one FILE at a time"
                        : strcmp(q->to, "mli") == 0 ? NULL
                        : q->target                 ? "--target goes with --to mli"
                        : q->bias_count             ? "--bias goes with --to mli"
                                                    : NULL;
    if (wrong)
        lb_usage_error("encodings convert", "%s", wrong);
    else
        q->path = argv[optind];
    return !wrong;
}

/* NAME=INPUT,WEIGHTS. Names may have "=" and "," in them: the two places are those at which both
 * names are tensors of the file. */
static bool find_bias(const lb_enc_file *file, const char *text, lb_enc_bias *bias, lb_arena *arena)
{
    for (const char *equals = strchr(text, '='); equals; equals = strchr(equals + 1, '='))
        for (const char *comma = strchr(equals, ','); comma; comma = strchr(comma + 1, ',')) {
            char *copy = lb_arena_strdup(arena, text);
            copy[equals - text] = '\0';
            copy[comma - text] = '\0';
            *bias = (lb_enc_bias){.name = copy,
                                  .input = lb_enc_find(file, copy + (equals - text) + 1),
                                  .weights = lb_enc_find(file, comma + 1)};
            if (bias->input && bias->weights)
                return true;
        }
    return false;
}

static bool find_biases(const request *q, const lb_enc_file *file, lb_enc_bias *biases,
                        lb_arena *arena)
{
    for (size_t i = 0; i < q->bias_count; i++)
        if (!find_bias(file, q->bias_texts[i], &biases[i], arena)) {
            lb_usage_error("encodings convert",
                           "--bias %s: NAME=INPUT,WEIGHTS is due, with two tensors of the file "
                           "behind the \"=\"",
                           q->bias_texts[i]);
            return false;
        }
    return true;
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
        fprintf(stderr, "lastbit encodings convert: %s: %s\n",
                q->output ? q->output : "standard output", strerror(errno));
    return good ? 0 : 3;
}

static int convert(const request *q, const lb_enc_file *file)
{
    lb_arena arena = {0};
    lb_doc doc = lb_doc_make();
    lb_enc_remarks remarks = {.lines = lb_doc_make()};
    lb_enc_bias *biases = lb_arena_array(&arena, q->bias_count + 1, sizeof *biases);
    int status = 2;
    if (find_biases(q, file, biases, &arena)) {
        if (strcmp(q->to, "mli") == 0) {
            lb_enc_mli_request mli = {.axes = &q->common.axes,
                                      .target = q->target,
                                      .biases = biases,
                                      .bias_count = q->bias_count};
            lb_enc_write_mli(&doc, file, &mli, &remarks);
        } else {
            lb_enc_write_version(&doc, file, q->to, &q->common.axes, &remarks);
        }
        status = lb_enc_axes_are_used(&q->common, "encodings convert") ? write_out(q, &doc) : 2;
        if (status == 0 && remarks.has_failed)
            status = 1;
        lb_doc_flush(&remarks.lines, stderr);
    }
    lb_doc_free(&doc);
    lb_doc_free(&remarks.lines);
    lb_arena_free(&arena);
    return status;
}

static int read_and_convert(const request *q)
{
    lb_enc_file *file = lb_enc_read(q->path, &q->common.read);
    lb_doc notes = lb_doc_make();
    int status;
    if (!file->is_valid)
        lb_enc_show_note(&notes, file, &file->error);
    for (size_t i = 0; i < file->warning_count; i++)
        lb_enc_show_note(&notes, file, &file->warnings[i]);
    lb_doc_flush(&notes, stderr);
    lb_doc_free(&notes);
    if (file->is_valid)
        status = convert(q, file);
    else
        status = strcmp(file->error.code, "E_UNREADABLE") == 0 ? 2 : 1;
    lb_enc_free(file);
    return status;
}

int lb_command_encodings_convert(int argc, char **argv)
{
    static const struct option long_options[] = {LB_ENC_LONG_OPTIONS,
                                                 LB_ENC_AXIS_OPTION,
                                                 {"to", required_argument, NULL, TO},
                                                 {"target", required_argument, NULL, TARGET},
                                                 {"bias", required_argument, NULL, BIAS},
                                                 {"output", required_argument, NULL, 'o'},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {0}};
    request q = {.to = NULL};
    int option, status = 2;
    bool good = true;
    optind = 0;
    while (good &&
           (option = lb_next_option("encodings convert", argc, argv, "ho:", long_options)) != -1) {
        if (option == 'h') {
            fputs(help_text, stdout);
            status = 0;
            good = false;
        } else {
            good = take(&q, option);
        }
    }
    if (good && check_together(&q, argc, argv))
        status = read_and_convert(&q);
    lb_enc_options_free(&q.common);
    free(q.bias_texts);
    return status;
}
