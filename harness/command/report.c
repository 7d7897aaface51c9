/* lastbit report: documents from stored results; results merged, compared, packed and verified. */
#include "harness/base/command_line.h"
#include "harness/base/spec_text.h"
#include "harness/base/xalloc.h"
#include "harness/command/commands.h"
#include "harness/command/report_sections.h"
#include "harness/package/package.h"
#include "harness/run/waiver_file.h"

#include "reports/diff.h"
#include "reports/history.h"
#include "reports/merge.h"
#include "reports/output.h"
#include "reports/statement.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sections of the specification ---- */

static void section_title(lb_doc *doc, const char *mention)
{
    char title[120];
    lb_doc_puts(doc, lb_spec_title(mention, title, sizeof title));
}

static void section_text(lb_doc *doc, const char *mention)
{
    lb_spec_section s;
    for (unsigned i = 0; lb_spec_named(mention, i, &s); i++)
        lb_doc_bytes(doc, s.text, s.text_bytes);
}

const lb_sections lb_report_spec_sections = {section_title, section_text};

/* ---- Options ---- */

typedef struct options {
    const char *output, *waiver_path;
    lb_render_extras extras; /* of documents */
    lb_diff_options diff;
    bool json;
    lb_list meta;
    const char *format;
    const char *fail_on;
    bool markdown;
    const char *key; /* to sign with; of who must have signed */
} options;

static const lb_option output_option[] = {{"output", 'o', LB_TEXT, "FILE", LB_INTO(options, output),
                                           .help = "where to write; - is standard output"},
                                          {.name = NULL}};

static const lb_option waiver_option[] = {
    {"waivers", 0, LB_TEXT, "FILE", LB_INTO(options, waiver_path), .reads = true,
     .help = "failures that somebody has signed for, until a date, are shown as waived; an expired "
             "waiver, or one that nothing needs, is an error"},
    {.name = NULL}};

static const lb_option document_options[] = {
    {"lcov", 0, LB_TEXT, "FILE", LB_INTO(options, extras.lcov_path), .reads = true,
     .help = "line coverage from a tracefile of lcov (.info); the HTML report shows it"},
    {"lcov-link", 0, LB_TEXT, "URL", LB_INTO(options, extras.lcov_link),
     .help = "where lcov's pages are, as seen from the report"},
    {.name = NULL}};

#define RESULTS "a file of results, results.json, the folder of a report, or a journal"

static bool has_output(const lb_command *c, const options *o)
{
    if (!o->output)
        lb_usage_error(c->name, "where to? Give -o FILE, or -o - for standard output");
    return o->output != NULL;
}

/* ---- Documents ---- */

static int render(const char *kind, const char *results, options *o)
{
    lb_waivers waivers = {.path = o->waiver_path};
    lb_arena texts = {0};
    char sha256[LB_SHA256_TEXT];
    int status = 2;
    bool good =
        !o->waiver_path || lb_waiver_file_read(o->waiver_path, NULL, &texts, &waivers, sha256);
    o->extras.waivers = o->waiver_path ? &waivers : NULL;
    if (good)
        status = lb_render_file_with(kind, results, &o->extras, o->output);
    free(waivers.list);
    lb_arena_free(&texts);
    return status;
}

#define DOCUMENT_NUMBER(word, ...) DOCUMENT_##word,
enum { LB_DOCUMENTS(DOCUMENT_NUMBER) DOCUMENT_COUNT };

static const lb_command documents[DOCUMENT_COUNT];

/* argv[0] is the kind. */
static int run_document(int argc, char **argv)
{
    options o = {.extras.lcov_link = ""};
    const lb_command *c = documents;
    lb_arguments operands;
    int status;
    while (strcmp(lb_command_word(c), argv[0]) != 0)
        c++;
    if (!lb_options_parse(c, argc, argv, &o, &operands, &status) || !has_output(c, &o))
        return status;
    return render(argv[0], operands.items[0], &o);
}

#define DOCUMENT                                                                                   \
    .usage = "RESULTS.json -o FILE",                                                               \
    .groups = {{output_option, 0, NULL}, {waiver_option, 0, NULL}, {document_options, 0, NULL}},   \
    .operand = {.name = "RESULTS.json", RESULTS, 1, 1, NULL, true}, .run = run_document,           \
    .statuses = {"the document is written (whatever the results in it say)", NULL,                 \
                 "the command line or the results file is wrong",                                  \
                 "the document cannot be written"}

#define DOCUMENT_COMMAND(word, file, writers, example, words, text)                                \
    {.name = "report " #word,                                                                      \
     .summary = words,                                                                             \
     .about = text,                                                                                \
     .examples = "lastbit report " #word " results.json -o " example,                              \
     DOCUMENT},

static const lb_command documents[] = {LB_DOCUMENTS(DOCUMENT_COMMAND)};

/* ---- statement ---- */

static const char *const statement_formats[] = {"html", "md", NULL};

static const lb_option meta_option[] = {
    {"meta", 0, LB_LIST, "LABEL=TEXT", LB_INTO(options, meta),
     .help = "a line of the statement: by whom, for whom, the number of a product; may be given "
             "several times"},
    {.name = NULL}};

static const lb_option sign_option[] = {
    {"sign", 0, LB_TEXT, "KEY", LB_INTO(options, key), .reads = true,
     .help = "sign the package: writes FILE.sig in the format of OpenSSH (ssh-keygen -Y); KEY is a "
             "file with a private key, or with a public one whose other half ssh-agent holds"},
    {.name = NULL}};

static const lb_option key_option[] = {
    {"key", 0, LB_TEXT, "PUB", LB_INTO(options, key), .reads = true,
     .help = "the package must be signed with this key (FILE.sig beside it): a file with a public "
             "key of OpenSSH"},
    {.name = NULL}};

static const lb_option statement_options[] = {
    {"strength", 0, LB_TEXT, "FILE", LB_INTO(options, extras.strength_path), .reads = true,
     .help = "what \"lastbit vectors strength --json\" measured of the suites"},
    {"format", 0, LB_WORD, "FORMAT", LB_INTO(options, format), .choices = statement_formats,
     .help = "html or md; without it as FILE ends, else html"},
    {.name = NULL}};

static const lb_command statement_command;

static bool is_meta(const lb_command *c, const lb_list *meta)
{
    for (size_t i = 0; i < meta->count; i++)
        if (!lb_statement_is_line(meta->items[i]))
            return lb_usage_error(c->name, "--meta %s: expected LABEL=TEXT", meta->items[i]), false;
    return true;
}

static int statement(int argc, char **argv)
{
    options o = {.extras.lcov_link = ""};
    lb_arguments operands;
    int status;
    if (!lb_options_parse(&statement_command, argc, argv, &o, &operands, &status))
        return status;
    if (!has_output(&statement_command, &o) || !is_meta(&statement_command, &o.meta))
        return 2;
    const char *end = strrchr(o.output, '.');
    bool markdown = o.format ? strcmp(o.format, "md") == 0 : end && strcmp(end, ".md") == 0;
    o.extras.meta = o.meta.items;
    o.extras.meta_count = o.meta.count;
    return render(markdown ? "statement.md" : "statement.html", operands.items[0], &o);
}

static const lb_command statement_command = {
    .name = "report statement",
    .summary = "one page to hand on: what was tested, how far, with which outcome",
    .usage = "RESULTS.json -o statement.html|md [OPTION...]",
    .about =
        "Writes a conformance statement, as HTML or as Markdown: the verdict, what was tested, "
        "with what and by whom, the scope, results by family, waivers, coverage, strength, "
        "tolerance, guard bits, and the digests of the suites.",
    .groups = {{output_option, 0, NULL},
               {meta_option, 0, NULL},
               {statement_options, 0, NULL},
               {waiver_option, 0, NULL}},
    .operand = {.name = "RESULTS.json", RESULTS, 1, 1, NULL, true},
    .statuses = {"the statement is written (whatever the results say)", NULL,
                 "the command line, the results or the file of the strength is wrong",
                 "the statement cannot be written"},
    .examples = "lastbit report statement results.json -o statement.html\n"
                "lastbit report statement results.json -o s.md --meta 'Tested by=A. Mole'",
    .run = statement};

/* ---- merge ---- */

static const lb_command merge_command, diff_command, history_command, package_command,
    verify_command;

static int merge(int argc, char **argv)
{
    options o = {.output = NULL};
    lb_arguments files;
    int status;
    if (!lb_options_parse(&merge_command, argc, argv, &o, &files, &status) ||
        !has_output(&merge_command, &o))
        return status;
    return lb_merge_files(files.items, files.count, o.output);
}

static const lb_command merge_command = {
    .name = "report merge",
    .summary = "the results of all shards put together",
    .usage = "-o OUT.json A.json B.json...",
    .about =
        "Puts the results of all shards of a run (run --shard I/N) together into those of one run. "
        "Points of coverage that any shard came by are covered; times are added up. The results "
        "are read and written one by one: the memory does not grow with their number.\n"
        "\n"
        "Refused, with the files that it concerns: a shard or a result that is missing, one that "
        "is "
        "there twice, and files that are not of one run: other versions of lastbit, ports, "
        "profiles, or suites with other digests. Where the run chose cases (--case), a missing "
        "result is seen only where other profiles of its case are there.",
    .groups = {{output_option, 0, NULL}},
    .operand = {.name = "A.json", RESULTS, 1, 0, NULL, true},
    .statuses = {"the merged results are written (whatever they say)", NULL,
                 "the command line or a results file is wrong, or the files do not belong together",
                 "the merged results cannot be written"},
    .after = "The last line on standard output is \"N passed, N failed, N skipped\", as of a run.",
    .examples = "lastbit report merge -o all.json shard1/results.json shard2/results.json",
    .run = merge};

/* ---- diff ---- */

static bool write_text(void *user, FILE *out, char *error, size_t error_bytes)
{
    lb_doc *doc = user;
    (void)error;
    (void)error_bytes;
    return lb_doc_flush(doc, out);
}

static int write_diff(const lb_diff *diff, const options *o)
{
    lb_doc doc = lb_doc_make();
    (o->json       ? lb_diff_put_json
     : o->markdown ? lb_diff_put_markdown
                   : lb_diff_put_text)(diff, &doc);
    if (doc.failed)
        lb_out_of_memory(doc.length);
    int status = lb_output_file(o->output, write_text, &doc);
    lb_doc_free(&doc);
    return status;
}

/* What fails a comparison: words with commas, each a list of it. */
static const struct {
    const char *word;
    lb_change change;
} gates[] = {{"new", LB_NEWLY_FAILING},
             {"slower", LB_SLOWER},
             {"headroom", LB_HEADROOM_LOST},
             {"tolerance", LB_DRIFTED},
             {"strength", LB_WEAKER}};

enum { GATES = sizeof gates / sizeof gates[0] };

/* Which lists fail it, as bits. False: a word is none of them. */
static bool read_gates(const char *words, unsigned *chosen)
{
    *chosen = 0;
    for (size_t length; *words; words += length + (words[length] == ',')) {
        length = strcspn(words, ",");
        size_t i = 0;
        while (i < GATES &&
               (strlen(gates[i].word) != length || strncmp(gates[i].word, words, length) != 0))
            i++;
        if (i == GATES)
            return lb_usage_error(diff_command.name,
                                  "--fail-on %s: expected new, slower, headroom, tolerance or "
                                  "strength, several with commas",
                                  words),
                   false;
        *chosen |= 1u << gates[i].change;
    }
    return true;
}

static bool is_worse(const lb_diff *diff, unsigned chosen)
{
    for (int i = 0; i < LB_CHANGE_COUNT; i++)
        if (chosen >> i & 1 && diff->lists[i].count > 0)
            return true;
    return false;
}

static int diff(int argc, char **argv)
{
    unsigned chosen = 0;
    options o = {.diff = {.slower_percent = 50, .show = 20}, .output = "-", .fail_on = "new"};
    lb_arguments files;
    char error[900];
    lb_diff made;
    int status;
    if (!lb_options_parse(&diff_command, argc, argv, &o, &files, &status))
        return status;
    if (!read_gates(o.fail_on, &chosen))
        return 2;
    o.diff.a_path = files.items[0];
    o.diff.b_path = files.items[1];
    if (!lb_diff_make(&made, &o.diff, error, sizeof error)) {
        fprintf(stderr, "lastbit: %s\n", error);
    } else if (chosen >> LB_SLOWER & 1 && !made.has_times) {
        lb_usage_error(diff_command.name,
                       "--fail-on slower: each call was measured too seldom, and no row of a "
                       "benchmark is in both: expected two runs with --repeat 5 or more, or "
                       "results of \"lastbit bench --report DIR\"");
    } else {
        status = write_diff(&made, &o);
        status = status == 0 && is_worse(&made, chosen) ? 1 : status;
    }
    lb_diff_free(&made);
    return status;
}

static const lb_option diff_options[] = {
    {"json", 0, LB_FLAG, NULL, LB_INTO(options, json),
     .help = "one JSON object with every entry (format lastbit/diff-1) instead of text"},
    {"markdown", 0, LB_FLAG, NULL, LB_INTO(options, markdown),
     .help = "Markdown, for a comment on a merge request"},
    {"fail-on", 0, LB_TEXT, "WORDS", LB_INTO(options, fail_on),
     .help = "what gives exit status 1: new (default), slower, headroom, tolerance, strength, "
             "several with commas"},
    {"slower", 0, LB_PERCENT, "PERCENT", LB_INTO(options, diff.slower_percent), .high = 1000000,
     .help = "how much longer a slower call takes (50)"},
    {"show", 0, LB_NUMBER, "N", LB_INTO(options, diff.show),
     .help = "cases of each kind in the text (20)"},
    {"output", 'o', LB_TEXT, "FILE", LB_INTO(options, output),
     .help = "where to write; standard output if not given"},
    {.name = NULL}};

static const lb_command diff_command = {
    .name = "report diff",
    .summary = "two runs compared; fails if something newly fails",
    .usage = "[OPTION...] A.json B.json",
    .about = "Compares two runs, A before and B after, case by case and profile by profile:\n"
             "  newly failing  fails or is an error in B and was neither in A; also a new\n"
             "                 case that fails\n"
             "  newly passing  passes in B and did not in A\n"
             "  changed        any other change of verdict, as from passed to skipped\n"
             "  vanished, new  cases that only A or only B has\n"
             "  drifted        passes in both, but its errors against the real model are\n"
             "                 others\n"
             "  headroom lost  fewer bits of the accumulator are left\n"
             "  slower         the call takes half as long again and 100 microseconds\n"
             "                 longer, and more than the times of both runs scatter: its\n"
             "                 median, where both runs were made with --repeat 5 or more;\n"
             "                 or a row of the benchmark does less, by three times its\n"
             "                 noise (10 percent where the runs do not tell the noise)\n"
             "  weaker         the suites catch a smaller share of the bank's faults\n",
    .groups = {{diff_options, 0, NULL}},
    .operand = {.name = "RESULTS.json",
                "two results, before and after: results.json or the folder of a report",
                2,
                2,
                NULL,
                true},
    .statuses = {"nothing of what --fail-on names (by default: nothing newly fails)",
                 "something of it: by default, something newly fails",
                 "the command line or a results file is wrong", "the comparison cannot be written"},
    .examples = "lastbit report diff main branch\n"
                "lastbit report diff --json A.json B.json -o changes.json\n"
                "lastbit report diff --markdown --fail-on new,slower A.json B.json",
    .run = diff};

/* ---- history ---- */

static bool write_history(void *user, FILE *out, char *error, size_t error_bytes)
{
    snprintf(error, error_bytes, "out of memory, or the page cannot be written");
    return lb_history_html(user, out);
}

static int history(int argc, char **argv)
{
    options o = {.output = NULL};
    lb_arguments paths;
    lb_history made;
    char error[900];
    int status;
    if (!lb_options_parse(&history_command, argc, argv, &o, &paths, &status) ||
        !has_output(&history_command, &o))
        return status;
    if (lb_history_read(&made, paths.items, paths.count, error, sizeof error))
        status = lb_output_file(o.output, write_history, &made);
    else
        fprintf(stderr, "lastbit: %s\n", error);
    lb_history_free(&made);
    return status;
}

static const lb_command history_command = {
    .name = "report history",
    .summary = "many runs on one page: trends, flaky cases, what fails and since when",
    .usage = "-o page.html DIR|RESULTS.json...",
    .about =
        "Reads stored results, in folders all that lie below, puts the runs in the order of time, "
        "and writes one HTML page: how failures, passes, coverage, strength, headroom and speed "
        "went from run to run; cases whose verdict changed though port and suites were the same, "
        "that went to and fro, or that were not the same each time within a run; what fails now, "
        "and since when; a table of the runs.",
    .groups = {{output_option, 0, NULL}},
    .operand = {.name = "DIR|RESULTS.json",
                "a folder with results, or a file of results or a journal",
                1,
                0,
                NULL},
    .statuses = {"the page is written (whatever the results say)", NULL,
                 "the command line or a results file is wrong, or there are no results",
                 "the page cannot be written"},
    .examples = "lastbit report history nightly -o history.html\n"
                "lastbit report history mon/results.json tue/results.json -o history.html",
    .run = history};

/* ---- package and verify ---- */

static int package(int argc, char **argv)
{
    options o = {.output = NULL};
    lb_arguments files;
    int status;
    if (!lb_options_parse(&package_command, argc, argv, &o, &files, &status))
        return status;
    if (!o.output || strcmp(o.output, "-") == 0)
        return lb_usage_error(
                   package_command.name,
                   "where to? Give -o FILE; a package is not written to standard output"),
               status;
    if (!is_meta(&package_command, &o.meta))
        return 2;
    return lb_package_write(
        files.items[0],
        &(lb_render_extras){.lcov_link = "", .meta = o.meta.items, .meta_count = o.meta.count},
        o.waiver_path, o.output, o.key);
}

static const lb_command package_command = {
    .name = "report package",
    .summary = "results, documents, suites, waivers and their sums in one archive",
    .usage = "-o FILE [--waivers FILE] [--meta LABEL=TEXT...] [--sign KEY] RESULTS.json",
    .about =
        "Puts into one archive (tar.gz) what a conformance report rests on: the results, the HTML "
        "report, the summary and the statement, the suites with all files that they name, "
        "profiles, policies and "
        "waivers as they were given, coverage, environment, and a manifest of SHA-256 sums. These "
        "files must lie where the run found them, "
        "unchanged. \"lastbit report verify FILE\" holds all of it to itself, later and on any "
        "machine; any tar can unpack it, and sha256sum -c reads the manifest. Waivers are for the "
        "documents; the file goes into the archive.",
    .groups = {{output_option, 0, NULL},
               {meta_option, 0, NULL},
               {waiver_option, 0, NULL},
               {sign_option, 0, NULL}},
    .operand = {.name = "RESULTS.json", RESULTS, 1, 1, NULL, true},
    .statuses = {"the package is written (whatever the results say)", NULL,
                 "the command line, the results, a waiver or a suite is wrong, or the key signs "
                 "nothing",
                 "the package cannot be written"},
    .examples = "lastbit report package -o conformance.tar.gz build/report/results.json\n"
                "lastbit report package -o c.tar.gz --meta 'Tested by=A. Mole' results.json\n"
                "lastbit report package -o c.tar.gz --sign ~/.ssh/id_ed25519 results.json",
    .run = package};

static int verify(int argc, char **argv)
{
    options o = {.key = NULL};
    lb_arguments files;
    int status;
    return lb_options_parse(&verify_command, argc, argv, &o, &files, &status)
               ? lb_package_verify(files.items[0], o.key)
               : status;
}

static const lb_command verify_command = {
    .name = "report verify",
    .summary = "whether a package is as it was made, and its results hold",
    .about =
        "Checks a package that \"lastbit report package\" made, without network and without the "
        "port: every byte against the sum in the archive's header, every member against the "
        "manifest, the suites against the digests in the results, and the documents against the "
        "results. Then it runs the exact model on the suites inside: what the results say of it "
        "(statuses, expected elements, accumulators, recorded results) must come out again; and "
        "every case that the run chose must have a result in every profile. The cases of a "
        "certification are made again from its seed. What cannot be computed again is listed. A "
        "signature beside the package (FILE.sig) must be good. How far it is stands on standard "
        "error: a bar on a terminal, else a line every ten seconds.",
    .groups = {{key_option, 0, NULL}},
    .operand = {.name = "FILE", "a package", 1, 1, NULL, true},
    .statuses = {"verified: everything holds",
                 "something was changed, is missing, or does not hold; each such thing is named",
                 "the command line is wrong, or the file cannot be read",
                 "lastbit itself failed (disk full, out of memory)"},
    .examples = "lastbit report verify conformance.tar.gz\n"
                "lastbit report verify --key maker.pub certified.tar.gz",
    .run = verify};

/* ---- The command ---- */

#define DOCUMENT_ADDRESS(word, ...) &documents[DOCUMENT_##word],

static const lb_command *const commands[] = {LB_DOCUMENTS(DOCUMENT_ADDRESS) & statement_command,
                                             &merge_command,
                                             &diff_command,
                                             &history_command,
                                             &package_command,
                                             &verify_command,
                                             NULL};
static const char *const headings[] = {"Documents", "html", "Results", "merge", NULL};

const lb_command lb_report_command = {
    .name = "report",
    .summary = "documents from stored results; results merged, compared, packed and verified",
    .about = "Makes documents from stored results or a journal, puts results together, compares "
             "them, and packs them to be handed on; the port is not needed.",
    .commands = commands,
    .headings = headings,
    .statuses = {"done (whatever the results say)",
                 "of diff: something newly fails; of verify: something does not hold",
                 "the command line or a results file is wrong", "the document cannot be written"},
    .examples = "lastbit report html results.json -o report.html\n"
                "lastbit report diff before.json after.json"};
