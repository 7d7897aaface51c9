/* lastbit vectors export: cases as plain files. */
#include "harness/export/export.h"
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/run/run_options.h"
#include "harness/trial/reproduce.h"

#include <stdlib.h>

typedef struct exporting {
    lb_plan plan;
    lb_case_choice choice;
    lb_shard_choice shard;
    unsigned form, word_bits;
    enum { LITTLE, BIG } byte_order;
    lb_export writer;
    lb_arena arena;
    uint64_t left_out;
} exporting;

static bool export_suite(exporting *x, size_t number)
{
    const lb_suite *suite = x->plan.suites[number];
    const uint64_t first = x->plan.first_case[number];
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    bool good = reader && lb_export_begin_suite(&x->writer, lb_suite_name(suite));
    for (size_t i = 0; good && i < lb_suite_case_count(suite); i++) {
        if (!lb_plan_in_shard(&x->plan, first + i))
            continue;
        const lb_case *c = lb_suite_reader_case(reader, i, &diagnostics);
        const char *left_out = NULL;
        good = c != NULL;
        if (good && lb_plan_wants_case(&x->plan, c))
            good = lb_export_case(&x->writer, c, &x->arena, &left_out);
        if (left_out) {
            fprintf(stderr, "%s:%u: case %s: left out: %s\n", lb_suite_path(suite), c->line, c->id,
                    left_out);
            x->left_out++;
        }
        lb_arena_reset(&x->arena);
    }
    lb_suite_reader_close(reader);
    return good && lb_export_end_suite(&x->writer);
}

static int export_all(exporting *x)
{
    lb_export *w = &x->writer;
    if (!lb_export_open(w))
        return 2;
    for (size_t i = 0; i < x->plan.suite_count; i++)
        if (!export_suite(x, i))
            return 3;
    if (w->cases == 0)
        return fprintf(stderr, "lastbit vectors export: no case %s\n",
                       x->left_out ? "is left" : "matches"),
               2;
    printf("%s: %u cases for %s, %llu left out; put the outputs beside them, then:\n", w->folder,
           w->cases, w->profile->name, (unsigned long long)x->left_out);
    lb_doc line = lb_doc_make();
    lb_doc_puts(&line, "lastbit run --port ");
    lb_put_shell_word(&line, lb_arena_printf(&x->arena, "files:%s", w->folder));
    lb_doc_puts(&line, " ");
    lb_put_shell_word(&line, lb_arena_printf(&x->arena, "%s/%s", w->folder, LB_FILES_SUITES));
    lb_doc_puts(&line, "\n");
    lb_doc_flush(&line, stdout);
    lb_doc_free(&line);
    return 0;
}

/* What the cases are for is one device, which has one profile. */
static bool choose(exporting *x)
{
    static const unsigned bits[] = {8, 32, 64, 128};
    x->plan.shard_index = x->shard.index;
    x->plan.shard_count = x->shard.count;
    if (!lb_case_choice_plan(&x->choice, "vectors export", &x->plan))
        return false;
    if (x->choice.profile_names && (x->plan.profile_count != 1 || x->plan.profiles[0]->file)) {
        lb_usage_error("vectors export",
                       "--profile: expected one of the built-in profiles; a device has one");
        return false;
    }
    x->writer.form = (lb_files_form)x->form;
    x->writer.word_bits = bits[x->word_bits];
    x->writer.big_endian = x->byte_order == BIG;
    return true;
}

static int export_cases(int argc, char **argv)
{
    exporting x = {
        .shard = {.index = 1, .count = 1}, .word_bits = 1, .writer = {.folder = "cases"}};
    lb_arguments paths;
    int status;
    if (lb_options_parse(&lb_vectors_export_command, argc, argv, &x, &paths, &status)) {
        status = 2;
        if (choose(&x) && lb_plan_open_suites(&x.plan, paths.items, paths.count)) {
            x.plan.profile_count = 1; /* the first of the set, where nobody has chosen */
            x.writer.profile = x.plan.profiles[0];
            status = export_all(&x);
        }
    }
    if (!lb_export_close(&x.writer) && status == 0)
        status = 3;
    lb_plan_close_suites(&x.plan);
    lb_arena_free(&x.arena);
    return status;
}

/* In the order of lb_files_form, of exporting.byte_order, of the widths in choose(). */
static const char *const byte_orders[] = {"little", "big", NULL}, *const word_widths[] = {
                                                                      "8", "32", "64", "128", NULL};

static const lb_option table[] = {
    {"output", 'o', LB_TEXT, "DIR", LB_INTO(exporting, writer.folder),
     .help = "a folder that is new or empty; default: cases"},
    {"format", 'f', LB_CHOICE, "FORM", LB_INTO(exporting, form), .choices = lb_files_forms,
     .help = "npy (default): NumPy arrays; raw: memory images, gaps of the strides included; hex: "
             "the same as words for $readmemh; json: inside of case.json; c: a header with arrays"},
    {"word-bits", 0, LB_CHOICE, "N", LB_INTO(exporting, word_bits), .choices = word_widths,
     .help = "of a line of hex: 8, 32 (default), 64 or 128"},
    {"byte-order", 0, LB_CHOICE, "ORDER", LB_INTO(exporting, byte_order), .choices = byte_orders,
     .help = "of raw and hex: little (default) or big"},
    {"shard", 's', LB_CALLBACK, "I/N", LB_INTO(exporting, shard), .take = lb_take_shard,
     .help = "only the I-th of N equal parts of the cases, the same as run tries"},
    {"with-expected", 0, LB_FLAG, NULL, LB_INTO(exporting, writer.with_expected),
     .help = "what the exact model gives goes along, in expected/"},
    {.name = NULL}};

const lb_command lb_vectors_export_command = {
    .name = "vectors export",
    .summary = "write cases as plain files, for ports that are only files",
    .usage = "[-f FORM] [-n PROFILE] [-o DIR] [OPTION...] PATH...",
    .about =
        "Writes every case as a folder: the inputs in files, and case.json with the function, its "
        "configuration, types, shapes, strides, formats, the digest of every file, and, for "
        "functions with weights, what the kernel needs: multiplier, shift and bias of every output "
        "channel, zero points, limits. index.jsonl lists the folders; suites/ has the cases "
        "without expectations.\n"
        "\n"
        "Run the cases wherever you like, and put into each folder what came out: out.npy, "
        "out.raw or out.hex for the output \"out\", and so on (or a line {\"folder\": ..., "
        "\"outputs\": {\"out\": [...]}} a case in results.jsonl, beside index.jsonl). "
        "status.json ({\"status\": \"ok\"}) tells a status, where there is one, and fields that "
        "the "
        "call changed (\"changed\": {\"out\": {\"frac_bits\": 7}}). Then \"lastbit run "
        "--port files:DIR DIR/suites\" judges it like any port.\n"
        "\n"
        "Without --profile: up-full, of functions of LiteRT litert-double.\n"
        "\n"
        "Sequences, chains, and functions that give no elements are left out, and said.",
    .groups = {{table, 0, NULL},
               {lb_profile_option, offsetof(exporting, choice.profile_names), NULL},
               {lb_case_options, offsetof(exporting, choice), NULL},
               {lb_level_option, offsetof(exporting, choice.level), NULL}},
    .operand = LB_SUITE_OPERANDS,
    .statuses = {"cases were written", NULL,
                 "the command line or a suite is wrong, or no case is left to write",
                 "lastbit itself failed (a file cannot be written)"},
    .examples = "lastbit vectors export --format hex --word-bits 64 -o cases vectors/relu.yaml\n"
                "lastbit run --port files:cases cases/suites",
    .run = export_cases};
