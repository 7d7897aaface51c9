/* The command line of `lastbit report`: see report_command.h. */
#include "report_command.h"

#include "render.h"
#include "report_tools.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

const lb_report_extras *lb_report_extra;

enum { BAD_USAGE = 2, CANNOT_WRITE = 3 };
enum { OPTION_WAIVERS = 256, OPTION_LCOV, OPTION_LCOV_LINK };

typedef struct kind_help {
    const char *name;
    const char *summary; /* one line in the list of kinds */
    const char *does;
    const char *example;
} kind_help;

static const kind_help kinds[] = {
    {"html", "one page to read: verdict, matrix, failures, figures, every result",
     "Writes one HTML file that holds everything: it needs no network and no other file, opens "
     "from disk, prints, and\n"
     "follows the light or dark setting of the reader. First the verdict, four numbers (bit-exact, "
     "guard bits,\n"
     "tolerance, coverage), what was tested and what to look at first; then functions by variant "
     "and profile, failing\n"
     "cases by first differing step, each with a map of where it differs and the line that "
     "reproduces it, what is\n"
     "skipped or waived, passes that prove little, coverage, tolerance budgets, accumulator "
     "headroom, speed, the\n"
     "slowest cases, lines of source, and a list of all results to search.\n",
     "lastbit report html results.json -o report.html"},
    {"junit", "JUnit XML for a CI server",
     "Writes JUnit XML: a testsuite per suite, a testcase per case and profile, failures and "
     "errors apart, skipped "
     "and\n"
     "waived cases as skipped with their reasons, and what was tested as properties.\n",
     "lastbit report junit results.json -o junit.xml"},
    {"markdown", "a summary under 64 KB for a CI job",
     "Writes a summary in Markdown, under 64 KB however large the run: the verdict, the numbers, "
     "functions with "
     "problems\n"
     "and their first failures, the worst first. It says how many it leaves out.\n",
     "lastbit report markdown results.json -o - >> \"$GITHUB_STEP_SUMMARY\""},
    {"csv", "a table for spreadsheets",
     "Writes a table (RFC 4180) with a header line and one result a line: verdict, oracles, first "
     "difference, "
     "tolerance,\n"
     "accumulator, time. A text that a spreadsheet would take for a formula has an apostrophe "
     "before it.\n",
     "lastbit report csv results.json -o results.csv"},
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

typedef struct tool_help {
    const char *name;
    const char *summary;
    const char *example;
    int (*run)(int argc, char **argv);
} tool_help;

static int run_package(int argc, char **argv)
{
    return lb_report_extra == NULL ? lb_report_refuse(argv[0], "this program has no packages", "")
                                   : lb_report_extra->package(argc, argv);
}

static int run_verify(int argc, char **argv)
{
    return lb_report_extra == NULL ? lb_report_refuse(argv[0], "this program has no packages", "")
                                   : lb_report_extra->verify(argc, argv);
}

static const tool_help tools[] = {
    {"merge", "the results of all shards put together",
     "lastbit report merge -o all.json shard1/results.json shard2/results.json", lb_report_merge},
    {"diff", "two runs compared; fails if something newly fails",
     "lastbit report diff before.json after.json", lb_report_diff},
    {"package", "results, documents, suites, waivers and their sums in one archive",
     "lastbit report package -o conformance.tar.gz results.json", run_package},
    {"verify", "whether a package is as it was made, and its results hold",
     "lastbit report verify conformance.tar.gz", run_verify},
};

enum { TOOL_COUNT = sizeof tools / sizeof tools[0] };

static void print_help(FILE *out)
{
    fputs("Usage: lastbit report KIND RESULTS.json -o FILE\n"
          "       lastbit report merge -o OUT.json A.json B.json...\n"
          "       lastbit report diff A.json B.json\n"
          "       lastbit report package -o FILE RESULTS.json\n"
          "       lastbit report verify FILE\n\n"
          "Makes documents from stored results or a journal, puts results together, compares them, "
          "and packs them to be\n"
          "handed on; the port is not needed.\n\nKinds of document:\n",
          out);
    for (size_t i = 0; i < KIND_COUNT; i++) {
        fprintf(out, "  %-10s %s\n", kinds[i].name, kinds[i].summary);
    }
    fputs("\nFurther commands:\n", out);
    for (size_t i = 0; i < TOOL_COUNT; i++) {
        fprintf(out, "  %-10s %s\n", tools[i].name, tools[i].summary);
    }
    fputs("\nOptions:\n"
          "  -o, --output FILE   where to write; - is standard output\n"
          "      --waivers FILE  failures that somebody has signed for (documents and packages)\n"
          "  -h, --help          this text; after a kind or a command, what it does\n\n"
          "Exit status:\n"
          "  0  done (whatever the results say)\n"
          "  1  of diff: something newly fails; of verify: something does not hold\n"
          "  2  the command line or a results file is wrong\n"
          "  3  the document cannot be written\n\n"
          "Examples:\n",
          out);
    for (size_t i = 0; i < KIND_COUNT; i++) {
        fprintf(out, "  %s\n", kinds[i].example);
    }
    for (size_t i = 0; i < TOOL_COUNT; i++) {
        fprintf(out, "  %s\n", tools[i].example);
    }
}

static void print_kind_help(const kind_help *kind)
{
    printf("Usage: lastbit report %s RESULTS.json -o FILE\n\n%s\n"
           "Options:\n"
           "  -o, --output FILE   where to write; - is standard output\n"
           "      --waivers FILE  failures that somebody has signed for, until a date, are shown "
           "as waived; an expired\n"
           "                      waiver, or one that nothing needs, is an error\n"
           "      --lcov FILE     line coverage from a tracefile of lcov (.info); the HTML report "
           "shows it\n"
           "      --lcov-link URL where lcov's pages are, as seen from the report\n"
           "  -h, --help          this text\n\n"
           "Exit status:\n"
           "  0  the document is written (whatever the results in it say)\n"
           "  2  the command line or the results file is wrong\n"
           "  3  the document cannot be written\n\n"
           "Example:\n  %s\n",
           kind->name, kind->does, kind->example);
}

static const kind_help *find_kind(const char *name)
{
    for (size_t i = 0; i < KIND_COUNT; i++) {
        if (strcmp(name, kinds[i].name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

int lb_report_help_status(void)
{
    return fflush(stdout) == 0 ? 0 : CANNOT_WRITE;
}

int lb_report_refuse(const char *kind, const char *problem, const char *subject)
{
    fprintf(stderr, "lastbit report%s%s: %s%s\nTry: lastbit report%s%s --help\n",
            kind[0] != '\0' ? " " : "", kind, problem, subject, kind[0] != '\0' ? " " : "", kind);
    return BAD_USAGE;
}

typedef struct choice {
    const char *results, *output, *waiver_path;
    lb_render_extras extras;
} choice;

static int render(const kind_help *kind, choice *chosen)
{
    if (chosen->waiver_path == NULL) {
        return lb_render_file_with(kind->name, chosen->results, &chosen->extras, chosen->output);
    }
    if (lb_report_extra == NULL) {
        return lb_report_refuse(kind->name,
                                "this program cannot read waiver files: ", chosen->waiver_path);
    }
    chosen->extras.waivers = lb_report_extra->open_waivers(chosen->waiver_path);
    if (chosen->extras.waivers == NULL) {
        return BAD_USAGE;
    }
    int status = lb_render_file_with(kind->name, chosen->results, &chosen->extras, chosen->output);
    lb_report_extra->close_waivers(chosen->extras.waivers);
    return status;
}

/* False: no such option, or one without its value. */
static bool take_option(int option, choice *chosen)
{
    switch (option) {
    case 'o':
        chosen->output = optarg;
        return true;
    case OPTION_WAIVERS:
        chosen->waiver_path = optarg;
        return true;
    case OPTION_LCOV:
        chosen->extras.lcov_path = optarg;
        return true;
    case OPTION_LCOV_LINK:
        chosen->extras.lcov_link = optarg;
        return true;
    default:
        return false;
    }
}

/* The options of one kind; argv[0] is the kind. */
static int run_kind(const kind_help *kind, int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"waivers", required_argument, NULL, OPTION_WAIVERS},
        {"lcov", required_argument, NULL, OPTION_LCOV},
        {"lcov-link", required_argument, NULL, OPTION_LCOV_LINK},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    choice chosen = {.extras = {.lcov_link = ""}};
    int option;
    optind = 0; /* starts anew: another command may have used getopt before */
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
        if (option == 'h') {
            print_kind_help(kind);
            return lb_report_help_status();
        }
        if (!take_option(option, &chosen)) {
            return lb_report_refuse(
                kind->name, option == ':' ? "a file name is missing after " : "there is no option ",
                argv[optind - 1]);
        }
    }
    if (optind == argc) {
        return lb_report_refuse(kind->name, "which results file?", "");
    }
    if (argc - optind > 1) {
        return lb_report_refuse(kind->name, "one results file at a time, not also ",
                                argv[optind + 1]);
    }
    if (chosen.output == NULL) {
        return lb_report_refuse(kind->name, "where to? Give -o FILE, or -o - for standard output",
                                "");
    }
    chosen.results = argv[optind];
    return render(kind, &chosen);
}

int lb_command_report(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return BAD_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return lb_report_help_status();
    }
    for (size_t i = 0; i < TOOL_COUNT; i++) {
        if (strcmp(argv[1], tools[i].name) == 0) {
            return tools[i].run(argc - 1, argv + 1);
        }
    }
    const kind_help *kind = find_kind(argv[1]);
    if (kind == NULL) {
        return lb_report_refuse("", "there is no kind of document called ", argv[1]);
    }
    return run_kind(kind, argc - 1, argv + 1);
}
