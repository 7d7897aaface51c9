/* lastbit encodings: its sub-command check, and the way to the others. See encodings.h. */
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/command/encodings_options.h"
#include "harness/encodings/convert.h"
#include "harness/encodings/show.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char check_text[] =
    "Usage: lastbit encodings check [OPTION...] FILE...\n"
    "\n"
    "Reads quantization encodings files as AIMET exports them (versions up to 0.4, 0.5, 0.6, 1.0 "
    "and 2.0, known by "
    "what\n"
    "they say of themselves) and holds each to its format. The first error of a file is told, with "
    "JSON pointer, "
    "line,\n"
    "column and what would be right: FILE:LINE:COLUMN: /pointer: CODE: what is wrong; what would "
    "be right. For every\n"
    "tensor of a valid file follows what it is in MLI: scale, shift and zero point of sa8 or sa32, "
    "frac_bits of fx16 "
    "and\n"
    "fx8, fp32; or the reason why not.\n"
    "\n"
    "Options:\n"
    "      --json            one JSON object per file instead, each on a line: file, valid, "
    "version, error {code, "
    "where}\n"
    "                        or null, warnings [{code, where}], tensors [...], details (the same "
    "errors and warnings\n"
    "                        with line, column, offset, problem, remedy)\n" LB_ENC_OPTIONS_HELP
        LB_ENC_AXIS_HELP "  -h, --help            this text\n"
    "\n"
    "Exit status:\n"
    "  0  every file is valid (warnings do not count)\n"
    "  1  a file is not valid\n"
    "  2  the command line is wrong, or a file cannot be read\n"
    "\n"
    "Examples:\n"
    "  lastbit encodings check model.encodings\n"
    "  lastbit encodings check --json --axis conv1.weight=0:64 model.encodings\n";

static int check(int argc, char **argv)
{
    static const struct option long_options[] = {LB_ENC_LONG_OPTIONS,
                                                 LB_ENC_AXIS_OPTION,
                                                 {"json", no_argument, NULL, 'j'},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {0}};
    lb_enc_command_options o = {0};
    bool json = false, all_valid = true;
    int status = 0, option;
    optind = 0;
    while ((option = lb_next_option("encodings check", argc, argv, "h", long_options)) != -1) {
        if (option == 'h') {
            fputs(check_text, stdout);
            lb_enc_options_free(&o);
            return 0;
        }
        json |= option == 'j';
        if (option != 'j' && !lb_enc_take_option(&o, "encodings check", option, optarg)) {
            lb_enc_options_free(&o);
            return 2;
        }
    }
    if (optind >= argc) {
        lb_usage_error("encodings check", "no FILE given");
        lb_enc_options_free(&o);
        return 2;
    }
    for (int i = optind; i < argc; i++) {
        lb_enc_file *file = lb_enc_read(argv[i], &o.read);
        lb_doc doc = lb_doc_make();
        if (json)
            lb_enc_show_json(&doc, file, &o.axes);
        else
            lb_enc_show_text(&doc, file, &o.axes);
        if (!lb_doc_flush(&doc, stdout))
            status = 3;
        lb_doc_free(&doc);
        if (!file->is_valid && status < 2)
            status = strcmp(file->error.code, "E_UNREADABLE") == 0 ? 2 : 1;
        all_valid &= file->is_valid;
        lb_enc_free(file);
    }
    if (all_valid && !lb_enc_axes_are_used(&o, "encodings check"))
        status = 2;
    lb_enc_options_free(&o);
    return fflush(stdout) != 0 ? 3 : status;
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} subcommands[] = {
    {"check", check, "hold files to their format, and tell what their tensors are in MLI"},
    {"convert", lb_command_encodings_convert,
     "turn a file into parameters for cases, or into another version"},
};
enum { SUBCOMMAND_COUNT = sizeof subcommands / sizeof subcommands[0] };

static void print_help(FILE *out)
{
    fputs("Usage: lastbit encodings SUBCOMMAND [OPTION...] FILE...\n"
          "\n"
          "Works on quantization encodings files, as AIMET exports them beside a network.\n"
          "\n"
          "Subcommands:\n",
          out);
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        fprintf(out, "  %-10s  %s\n", subcommands[i].name, subcommands[i].summary);
    fputs("\n"
          "Options:\n"
          "  -h, --help  this text; \"lastbit encodings SUBCOMMAND --help\" tells about a "
          "subcommand\n"
          "\n"
          "Exit status:\n"
          "  0  all is well\n"
          "  1  a file is not valid, or a tensor cannot be what was asked for\n"
          "  2  the command line is wrong, or a file cannot be read\n"
          "\n"
          "Examples:\n"
          "  lastbit encodings check model.encodings\n"
          "  lastbit encodings convert --to mli model.encodings\n",
          out);
}

int lb_command_encodings(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help(stdout);
        return 0;
    }
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        if (strcmp(name, subcommands[i].name) == 0)
            return subcommands[i].run(argc - 1, argv + 1);
    if (argc > 1)
        lb_usage_error("encodings", "%s: no such subcommand", name);
    else
        lb_usage_error("encodings", "no subcommand given");
    return 2;
}
