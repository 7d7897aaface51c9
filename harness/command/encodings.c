/* lastbit encodings: its sub-command check, and the way to the others. */
#include "harness/command/commands.h"
#include "harness/command/encodings_options.h"
#include "harness/encodings/against.h"
#include "harness/encodings/convert.h"
#include "harness/encodings/show.h"

#include <stdio.h>
#include <string.h>

typedef struct options {
    lb_enc_command_options common;
    lb_list biases;
    const char *against;
    bool json;
} options;

static const lb_command check_command;

/* Warnings of biases; false: an argument is wrong (told). */
static bool check_biases(const options *o, lb_enc_file *file)
{
    lb_arena arena = {0};
    lb_enc_bias *biases;
    bool good = !file->is_valid ||
                lb_enc_find_biases(check_command.name, &o->biases, file, &biases, &arena);
    for (size_t i = 0; good && file->is_valid && i < o->biases.count; i++)
        lb_enc_warn_of_bias(file, &biases[i], &o->common.axes);
    lb_arena_free(&arena);
    return good;
}

static int check_files(options *o, const lb_arguments *files, const lb_model *model)
{
    bool all_valid = true;
    int status = 0;
    for (size_t i = 0; i < files->count; i++) {
        lb_enc_file *file = lb_enc_read(files->items[i], &o->common.read);
        lb_doc doc = lb_doc_make();
        if (!check_biases(o, file))
            status = 2;
        if (o->against && file->is_valid && lb_enc_hold_against(file, model, &o->common.axes) > 0 &&
            status < 1)
            status = 1;
        (o->json ? lb_enc_show_json : lb_enc_show_text)(&doc, file, &o->common.axes);
        if (!lb_doc_flush(&doc, stdout))
            status = 3;
        lb_doc_free(&doc);
        if (!file->is_valid && status < 2)
            status = strcmp(file->error.code, "E_UNREADABLE") == 0 ? 2 : 1;
        all_valid &= file->is_valid;
        lb_enc_free(file);
    }
    if (all_valid && !lb_enc_axes_are_used(&o->common, check_command.name))
        status = 2;
    return fflush(stdout) != 0 ? 3 : status;
}

static int check(int argc, char **argv)
{
    options o = {0};
    lb_arguments files;
    int status;
    lb_model model = {.path = NULL};
    const char *why = NULL;
    if (lb_options_parse(&check_command, argc, argv, &o, &files, &status)) {
        if (o.against && !lb_model_read(o.against, &model, &why))
            fprintf(stderr, "lastbit encodings check: --against %s: %s\n", o.against, why);
        else
            status = check_files(&o, &files, &model);
    }
    lb_model_free(&model);
    lb_enc_options_free(&o.common);
    return status;
}

static const lb_option table[] = {
    {"json", 0, LB_FLAG, NULL, LB_INTO(options, json),
     .help = "one JSON object per file instead, each on a line: file, valid, version, error {code, "
             "where} or null, warnings [{code, where}], tensors [...], details (the same errors "
             "and warnings with line, column, offset, problem, remedy)"},
    {"against", 0, LB_TEXT, "MODEL", LB_INTO(options, against),
     .help =
         "holds the tensors to those of the network: an ONNX file (.onnx), an .npz archive of "
         "its weights, or a text with a name a line and its shape behind it, where it is known, "
         "as in conv1.weight [64, 3, ?, 3]. M_NAME: the network has no such tensor; M_CHANNELS, "
         "M_AXIS, M_BLOCKS: its shape is another (exit status 1). M_MISSING: a tensor of it has "
         "no encoding (of ONNX: an input or a weight in floating point)"},
    {"bias", 0, LB_LIST, "NAME=INPUT,WEIGHTS", LB_INTO(options, biases),
     .help = "NAME is the bias of a kernel with this input and these weights: its own encoding is "
             "held to the product of their scales (W_BIAS_SCALE), and its range to what int32 "
             "holds of that (W_BIAS_RANGE). May be given again"},
    {.name = NULL}};

static const lb_command check_command = {
    .name = "encodings check",
    .summary = "hold files to their format, and tell what their tensors are in MLI",
    .about =
        "Reads quantization encodings files as AIMET exports them (versions up to 0.4, 0.5, 0.6, "
        "1.0, 2.0 and 2.1, known by what they say of themselves) and holds each to its format. The "
        "first error of a file is told, with JSON pointer, line, column and what would be right: "
        "FILE:LINE:COLUMN: /pointer: CODE: what is wrong; what would be right. For every tensor of "
        "a valid file follows what it is in MLI: scale, shift and zero point of sa8 or sa32, "
        "frac_bits of fx16 and fx8, fp32; or the reason why not.",
    .groups = {{table, 0, NULL},
               {lb_enc_read_options, offsetof(options, common), NULL},
               {lb_enc_axis_option, offsetof(options, common), NULL}},
    .operand = {.name = "FILE",
                "a quantization encodings file (JSON); - is standard input",
                1,
                0,
                NULL,
                true},
    .statuses = {"every file is valid (warnings do not count)",
                 "a file is not valid, or does not fit the network",
                 "the command line is wrong, or a file cannot be read",
                 "the output cannot be written"},
    .examples = "lastbit encodings check model.encodings\n"
                "lastbit encodings check --json --axis conv1.weight=0:64 model.encodings\n"
                "lastbit encodings check --against model.onnx model.encodings",
    .run = check};

static const lb_command *const commands[] = {&check_command, &lb_encodings_convert_command, NULL};

const lb_command lb_encodings_command = {
    .name = "encodings",
    .summary = "read, check and convert quantization encodings files (AIMET)",
    .about = "Works on quantization encodings files, as AIMET exports them beside a network.",
    .commands = commands,
    .statuses = {"all is well", "a file is not valid, or a tensor cannot be what was asked for",
                 "the command line is wrong, or a file cannot be read",
                 "the output cannot be written"},
    .examples = "lastbit encodings check model.encodings\n"
                "lastbit encodings convert --to mli model.encodings"};
