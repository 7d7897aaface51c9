/* lastbit encodings convert: the command. See encodings/convert.h. */
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/command/encodings_options.h"
#include "harness/encodings/convert.h"
#include "harness/encodings/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    lb_enc_command_options common;
    const char *to, *target, *output, *path;
    lb_list biases;
} request;

static bool check_together(const request *q)
{
    const char *wrong = !q->to ? "expected --to: mli, litert, 0.6.1, 1.0.0, 2.0.0 or 2.1.0"
                        : strcmp(q->to, "mli") == 0 ? NULL
                        : q->target                 ? "--target goes with --to mli"
                        : q->biases.count           ? "--bias goes with --to mli"
                                                    : NULL;
    if (wrong)
        lb_usage_error("encodings convert", "%s", wrong);
    return !wrong;
}

static int convert(const request *q, const lb_enc_file *file)
{
    lb_arena arena = {0};
    lb_doc doc = lb_doc_make();
    lb_enc_remarks remarks = {.lines = lb_doc_make()};
    lb_enc_bias *biases;
    int status = 2;
    if (lb_enc_find_biases("encodings convert", &q->biases, file, &biases, &arena)) {
        if (strcmp(q->to, "mli") == 0) {
            lb_enc_mli_request mli = {.axes = &q->common.axes,
                                      .target = q->target,
                                      .biases = biases,
                                      .bias_count = q->biases.count};
            lb_enc_write_mli(&doc, file, &mli, &remarks);
        } else if (strcmp(q->to, "litert") == 0) {
            lb_enc_write_plain(&doc, file, &q->common.axes, &remarks);
        } else {
            lb_enc_write_version(&doc, file, q->to, &q->common.axes, &remarks);
        }
        status = lb_enc_axes_are_used(&q->common, "encodings convert")
                     ? lb_enc_write_out("encodings convert", q->output, &doc)
                     : 2;
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

static int convert_command(int argc, char **argv)
{
    request q = {.to = NULL};
    lb_arguments files;
    int status;
    if (lb_options_parse(&lb_encodings_convert_command, argc, argv, &q, &files, &status) &&
        check_together(&q)) {
        q.path = files.items[0];
        status = read_and_convert(&q);
    }
    lb_enc_options_free(&q.common);
    return status;
}

static const char *const forms[] = {"mli", "litert", "0.6.1", "1.0.0", "2.0.0", "2.1.0", NULL};
static const char *const types[] = {"sa8", "sa32", "fx16", "fx8", "fp32", NULL};

static const lb_option table[] = {
    {"to", 0, LB_WORD, "WHAT", LB_INTO(request, to), .choices = forms,
     .help = "mli, litert, 0.6.1, 1.0.0, 2.0.0 or 2.1.0"},
    {"target", 0, LB_WORD, "TYPE", LB_INTO(request, target), .choices = types,
     .help = "mli: this type alone, sa8, sa32, fx16, fx8 or fp32; a tensor that cannot be it is an "
             "error"},
    {"bias", 0, LB_LIST, "NAME=INPUT,WEIGHTS", LB_INTO(request, biases),
     .help =
         "mli: the bias of a kernel with this input and these weights, sa32 with the product of "
         "their scales. If the file has NAME, the two are compared (W_BIAS_SCALE, W_BIAS_RANGE). "
         "May be given again"},
    {"output", 'o', LB_TEXT, "FILE", LB_INTO(request, output),
     .help = "where to write (default: standard output)"},
    {.name = NULL}};

const lb_command lb_encodings_convert_command = {
    .name = "encodings convert",
    .summary = "turn a file into parameters for cases, or into another version",
    .usage = "--to mli|litert|0.6.1|1.0.0|2.0.0|2.1.0 [OPTION...] FILE",
    .about =
        "Turns a quantization encodings file into tensor parameters (mli, litert), or into a "
        "file "
        "of another version. What is lost or assumed, and every tensor that cannot be had, is told "
        "on standard error with its reason.\n"
        "\n"
        "mli gives YAML: under the name of each tensor a line for each type that it can be, to be "
        "pasted into a case:\n"
        "  \"conv1.weight\":\n"
        "    sa8: {type: sa8, scale: 20972, scale_frac_bits: 22, zero_point: 0, axis: -1}\n"
        "    fx16: {type: fx16, frac_bits: 15}\n"
        "Types that it cannot be stand there as comments.\n"
        "\n"
        "litert gives each tensor's type, its scales as float32, and its zero point. What kernels "
        "make "
        "of them: lastbit requantize, lastbit vectors from-encodings.",
    .groups = {{table, 0, NULL},
               {lb_enc_read_options, offsetof(request, common), NULL},
               {lb_enc_axis_option, offsetof(request, common), NULL}},
    .operand = {.name = "FILE",
                "a quantization encodings file (JSON); - is standard input",
                1,
                1,
                NULL,
                true},
    .statuses = {"converted; what was lost is told",
                 "the file is not valid, or a tensor cannot be what was asked for: it is left out",
                 "the command line is wrong, or the file cannot be read",
                 "the output cannot be written"},
    .examples = "lastbit encodings convert --to mli --axis conv1.weight=3 model.encodings\n"
                "lastbit encodings convert --to mli --bias b=input,conv1.weight m.encodings\n"
                "lastbit encodings convert --to 1.0.0 -o new.encodings model.encodings",
    .run = convert_command};
