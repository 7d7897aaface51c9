/* The command lines of `lastbit report merge` and `lastbit report diff`. */
#include "report_tools.h"

#include "diff.h"
#include "merge.h"
#include "output.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { NEWLY_FAILING = 1, BAD_INPUT = 2, CANNOT_WRITE = 3 };
enum { OPTION_JSON = 256, OPTION_SLOWER, OPTION_SHOW };

static const char merge_help[] =
    "Usage: lastbit report merge -o OUT.json A.json B.json...\n\n"
    "Puts the results of all shards of a run (run --shard I/N) together into those of one run. "
    "Points of coverage "
    "that\n"
    "any shard came by are covered; times are added up. The results are read and written one by "
    "one: the memory does\n"
    "not grow with their number.\n\n"
    "Refused, with the files that it concerns: a shard or a result that is missing, one that is "
    "there twice, and "
    "files\n"
    "that are not of one run: other versions of lastbit, ports, profiles, or suites with other "
    "digests. Where the run\n"
    "chose cases (--case), a missing result is seen only where other profiles of its case are "
    "there.\n\n"
    "Options:\n"
    "  -o, --output FILE   where to write; - is standard output\n"
    "  -h, --help          this text\n\n"
    "The last line on standard output is \"N passed, N failed, N skipped\", as of a run.\n\n"
    "Exit status:\n"
    "  0  the merged results are written (whatever they say)\n"
    "  2  the command line or a results file is wrong, or the files do not belong together\n"
    "  3  the merged results cannot be written\n\n"
    "Example:\n  lastbit report merge -o all.json shard1/results.json shard2/results.json\n";

static const char diff_help[] =
    "Usage: lastbit report diff [OPTION...] A.json B.json\n\n"
    "Compares two runs, A before and B after, case by case and profile by profile:\n"
    "  newly failing      fails or is an error in B and was neither in A; also a new case that "
    "fails\n"
    "  newly passing      passes in B and did not in A\n"
    "  changed            any other change of verdict, as from passed to skipped\n"
    "  vanished, new      cases that only A or only B has\n"
    "  drifted            passes in both, but its errors against the real model are others\n"
    "  headroom lost      fewer bits of the accumulator are left\n"
    "  slower             the call takes half as long again and 100 microseconds longer, or a row "
    "of the\n"
    "                     benchmark 10 percent slower\n\n"
    "Options:\n"
    "      --json             one JSON object with every entry (format lastbit/diff-1) instead of "
    "text\n"
    "      --slower PERCENT   how much longer a slower call takes (50)\n"
    "      --show N           entries of each kind in the text (20)\n"
    "  -o, --output FILE      where to write; standard output if not given\n"
    "  -h, --help             this text\n\n"
    "Exit status:\n"
    "  0  nothing newly fails, whatever else has changed\n"
    "  1  something newly fails\n"
    "  2  the command line or a results file is wrong\n"
    "  3  the comparison cannot be written\n\n"
    "Examples:\n"
    "  lastbit report diff main/results.json branch/results.json\n"
    "  lastbit report diff --json A.json B.json -o changes.json\n";

static int show_help(const char *help)
{
    fputs(help, stdout);
    return lb_report_help_status();
}

static const char *option_problem(int option)
{
    return option == ':' ? "a value is missing after " : "there is no option ";
}

int lb_report_merge(int argc, char **argv)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const char *output = NULL;
    int option;
    optind = 0; /* starts anew: another command may have used getopt before */
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
        if (option == 'h') {
            return show_help(merge_help);
        }
        if (option != 'o') {
            return lb_report_refuse(argv[0], option_problem(option), argv[optind - 1]);
        }
        output = optarg;
    }
    if (optind == argc) {
        return lb_report_refuse(argv[0], "which results files?", "");
    }
    if (output == NULL) {
        return lb_report_refuse(argv[0], "where to? Give -o FILE, or -o - for standard output", "");
    }
    return lb_merge_files(argv + optind, (size_t)(argc - optind), output);
}

/* ---- diff ---- */

typedef struct diff_choice {
    lb_diff_options options;
    const char *output;
    bool json, help;
} diff_choice;

static bool parse_figure(const char *text, double high, double *value)
{
    char *end = NULL;
    errno = 0;
    *value = strtod(text, &end);
    return errno == 0 && end != text && *end == '\0' && *value >= 0 && *value <= high;
}

/* 0: taken; otherwise the exit status. */
static int take_option(int option, char **argv, diff_choice *choice)
{
    double value;
    switch (option) {
    case 'h':
        choice->help = true;
        return 0;
    case 'o':
        choice->output = optarg;
        return 0;
    case OPTION_JSON:
        choice->json = true;
        return 0;
    case OPTION_SLOWER:
        if (!parse_figure(optarg, 1e6, &choice->options.slower_percent)) {
            return lb_report_refuse(argv[0], "--slower takes percents from 0, not ", optarg);
        }
        return 0;
    case OPTION_SHOW:
        if (!parse_figure(optarg, 1e15, &value) || value != (double)(uint64_t)value) {
            return lb_report_refuse(argv[0], "--show takes a whole number from 0, not ", optarg);
        }
        choice->options.show = (uint64_t)value;
        return 0;
    default:
        return lb_report_refuse(argv[0], option_problem(option), argv[optind - 1]);
    }
}

static int parse_diff(int argc, char **argv, diff_choice *choice)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"json", no_argument, NULL, OPTION_JSON},
                                            {"slower", required_argument, NULL, OPTION_SLOWER},
                                            {"show", required_argument, NULL, OPTION_SHOW},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    int option, status = 0;
    optind = 0;
    opterr = 0;
    while (status == 0 && !choice->help &&
           (option = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
        status = take_option(option, argv, choice);
    }
    if (status != 0 || choice->help) {
        return status;
    }
    if (argc - optind != 2) {
        return lb_report_refuse(argv[0], "two results files are due: before and after", "");
    }
    choice->options.a_path = argv[optind];
    choice->options.b_path = argv[optind + 1];
    return 0;
}

static bool write_text(void *user, FILE *out, char *error, size_t error_bytes)
{
    lb_doc *doc = user;
    (void)error;
    (void)error_bytes;
    return lb_doc_flush(doc, out);
}

static int write_diff(const lb_diff *diff, const diff_choice *choice)
{
    lb_doc doc = lb_doc_make();
    if (choice->json) {
        lb_diff_put_json(diff, &doc);
    } else {
        lb_diff_put_text(diff, &doc);
    }
    if (doc.failed) {
        lb_doc_free(&doc);
        fprintf(stderr, "lastbit: out of memory\n");
        return CANNOT_WRITE;
    }
    int status = lb_output_file(choice->output, write_text, &doc);
    lb_doc_free(&doc);
    return status;
}

int lb_report_diff(int argc, char **argv)
{
    diff_choice choice = {.options = {.slower_percent = 50, .show = 20}, .output = "-"};
    char error[900];
    lb_diff diff;
    int status = parse_diff(argc, argv, &choice);
    if (status != 0 || choice.help) {
        return status != 0 ? status : show_help(diff_help);
    }
    bool made = lb_diff_make(&diff, &choice.options, error, sizeof error);
    if (!made) {
        fprintf(stderr, "lastbit: %s\n", error);
        status = BAD_INPUT;
    } else {
        bool worse = diff.lists[LB_NEWLY_FAILING].count > 0;
        status = write_diff(&diff, &choice);
        status = status == 0 && worse ? NEWLY_FAILING : status;
    }
    lb_diff_free(&diff);
    return status;
}
