/* lastbit vectors generate: see generate.h. */
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/generate/cover.h"
#include "harness/generate/random_case.h"
#include "harness/suite/case_write.h"
#include "harness/suite/suite_level.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char HELP[] =
    "Usage: lastbit vectors generate [OPTION...] --family NAME | --function NAME\n"
    "       lastbit vectors generate [OPTION...] --cover PATH...\n"
    "\n"
    "Writes a suite of made-up cases in JSON Lines: random configurations, layouts, formats and "
    "data, with a liking "
    "for\n"
    "extremes. The cases carry no recorded results; the exact model is their oracle. The same seed "
    "gives the same\n"
    "cases on every machine.\n"
    "With --cover: cases that reach the coverpoints which the suites under PATH miss (lastbit "
    "vectors coverage), "
    "found\n"
    "by making up cases and changing those that are there, and made small. Each says in its note "
    "what it is for.\n"
    "\n"
    "Options:\n"
    "      --cover          look for what the suites miss, in all functions or those of --family "
    "or --function\n"
    "      --patience N     with --cover: give a function up after N tries without a find (default "
    "3000)\n"
    "      --level LEVEL    with --cover: tag of the cases: smoke, standard, deep (default: none)\n"
    "      --family NAME    conv2d, depthwise_conv2d, fully_connected, relu, eltwise ...: its "
    "functions in turn\n"
    "      --function NAME  one function, as mli_krn_conv2d_hwcn_sa8_sa8_sa32\n"
    "      --count N        cases (default 100)\n"
    "      --seed S         seed (default 1)\n"
    "      --faults N       one case in N gets one fault, to try the statuses (default 12; 0: "
    "none)\n"
    "      --small          shapes of a few elements\n"
    "  -o, --output FILE    where to write (default: standard output)\n"
    "  -h, --help           this text\n"
    "\n"
    "Exit status:\n"
    "  0  written\n"
    "  2  the command line or a suite is wrong\n"
    "  3  the file cannot be written\n"
    "\n"
    "Examples:\n"
    "  lastbit vectors generate --family conv2d --count 1000 --seed 7 -o conv.jsonl\n"
    "  lastbit run conv.jsonl\n"
    "  lastbit vectors generate --cover vectors my_suite.yaml -o missed.jsonl\n";

enum {
    OPTION_FAMILY = 256,
    OPTION_FUNCTION,
    OPTION_COUNT,
    OPTION_SEED,
    OPTION_FAULTS,
    OPTION_SMALL,
    OPTION_COVER,
    OPTION_PATIENCE,
    OPTION_LEVEL
};

typedef struct request {
    const char *family, *function, *output;
    const char *level;
    unsigned long count, seed, faults, patience;
    bool small, cover;
} request;

static bool number(const char *name, const char *text, unsigned long *value)
{
    if (!lb_parse_number(text, 0, ULONG_MAX, value))
        return lb_usage_error("vectors generate", "--%s %s: a number is due", name, text), false;
    return true;
}

static bool check_level(const char *name)
{
    lb_level level;
    if (!lb_level_find(name, &level))
        return lb_usage_error("vectors generate", "--level %s: smoke, standard or deep is due",
                              name),
               false;
    return true;
}

static bool parse_option(int option, request *r)
{
    switch (option) {
    case OPTION_FAMILY:
        return r->family = optarg, true;
    case OPTION_FUNCTION:
        return r->function = optarg, true;
    case OPTION_COUNT:
        return number("count", optarg, &r->count);
    case OPTION_SEED:
        return number("seed", optarg, &r->seed);
    case OPTION_FAULTS:
        return number("faults", optarg, &r->faults);
    case OPTION_SMALL:
        return r->small = true;
    case OPTION_COVER:
        return r->cover = true;
    case OPTION_PATIENCE:
        return number("patience", optarg, &r->patience);
    case OPTION_LEVEL:
        return r->level = optarg, check_level(optarg);
    case 'o':
        return r->output = optarg, true;
    default:
        return lb_usage_hint("vectors generate"), false;
    }
}

/* Functions asked for that can be made up: rows of the table. */
static size_t choose_kernels(const request *r, const lb_kernel **chosen)
{
    size_t count = 0;
    for (size_t i = 0; i < lb_kernel_count; i++) {
        const lb_kernel *kernel = &lb_kernels[i];
        bool wanted = r->function ? strcmp(kernel->name, r->function) == 0
                                  : strcmp(lb_family_name(kernel->family), r->family) == 0;
        if (wanted && lb_random_case_possible(kernel))
            chosen[count++] = kernel;
    }
    return count;
}

static bool check_names(const request *r, size_t chosen)
{
    if (!r->family == !r->function)
        return lb_usage_error("vectors generate", "give --family NAME or --function NAME"), false;
    if (r->function && !lb_kernel_find(r->function))
        return lb_usage_error("vectors generate", "--function %s: no such function", r->function),
               false;
    if (r->family && lb_family_find(r->family) < 0)
        return lb_usage_error("vectors generate", "--family %s: no such family", r->family), false;
    if (chosen == 0)
        return lb_usage_error("vectors generate", "%s: cases of this kind cannot be made up",
                              r->family ? r->family : r->function),
               false;
    return true;
}

static bool write_cases(const request *r, const lb_kernel *const *kernels, size_t kernel_count,
                        FILE *out)
{
    lb_arena arena = {0};
    lb_case c;
    lb_random_options options = {
        .seed = r->seed, .fault_one_in = (unsigned)r->faults, .small = r->small};
    const char *name = r->family ? r->family : r->function;
    fprintf(out, "%s\n",
            lb_suite_header_json(lb_arena_printf(&arena, "%s.seed%lu", name, r->seed), &arena));
    for (unsigned long i = 0; i < r->count && !ferror(out); i++) {
        lb_arena_reset(&arena);
        lb_random_case(kernels[i % kernel_count], &options, i, &arena, &c);
        fprintf(out, "%s\n", lb_case_to_json(&c, &arena));
    }
    lb_arena_free(&arena);
    return fflush(out) == 0 && !ferror(out);
}

static int generate(const request *r)
{
    const lb_kernel *kernels[256];
    size_t count = r->family || r->function ? choose_kernels(r, kernels) : 0;
    if (!check_names(r, count))
        return 2;
    FILE *out = r->output && strcmp(r->output, "-") != 0 ? fopen(r->output, "w") : stdout;
    bool good = out && write_cases(r, kernels, count, out);
    if (out && out != stdout)
        good = fclose(out) == 0 && good;
    if (!good)
        fprintf(stderr, "lastbit vectors generate: %s: %s\n",
                r->output ? r->output : "standard output", strerror(errno));
    return good ? 0 : 3;
}

/* Functions to look at: all, or those of the family or the name that is asked for. */
static bool choose_covered(const request *r, bool *wanted)
{
    if (r->function && !lb_kernel_find(r->function))
        return lb_usage_error("vectors generate", "--function %s: no such function", r->function),
               false;
    if (r->family && lb_family_find(r->family) < 0)
        return lb_usage_error("vectors generate", "--family %s: no such family", r->family), false;
    for (size_t i = 0; i < lb_kernel_count; i++)
        wanted[i] = (!r->function || strcmp(r->function, lb_kernels[i].name) == 0) &&
                    (!r->family || strcmp(r->family, lb_family_name(lb_kernels[i].family)) == 0);
    return true;
}

static int cover(const request *r, char *const *paths, size_t path_count)
{
    bool wanted[256] = {false};
    if (path_count == 0)
        return lb_usage_error("vectors generate",
                              "--cover needs the suites whose gaps are to be filled"),
               2;
    if (!choose_covered(r, wanted))
        return 2;
    lb_generate_cover wish = {.paths = paths,
                              .path_count = path_count,
                              .wanted = wanted,
                              .seed = r->seed,
                              .patience = r->patience,
                              .level = r->level,
                              .output = r->output};
    return lb_generate_cover_run(&wish);
}

int lb_command_vectors_generate(int argc, char **argv)
{
    static const struct option options[] = {{"family", required_argument, NULL, OPTION_FAMILY},
                                            {"function", required_argument, NULL, OPTION_FUNCTION},
                                            {"count", required_argument, NULL, OPTION_COUNT},
                                            {"seed", required_argument, NULL, OPTION_SEED},
                                            {"faults", required_argument, NULL, OPTION_FAULTS},
                                            {"small", no_argument, NULL, OPTION_SMALL},
                                            {"cover", no_argument, NULL, OPTION_COVER},
                                            {"patience", required_argument, NULL, OPTION_PATIENCE},
                                            {"level", required_argument, NULL, OPTION_LEVEL},
                                            {"output", required_argument, NULL, 'o'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    request r = {.count = 100, .seed = 1, .faults = 12, .patience = 3000};
    int option;
    optind = 0; /* a fresh start: the command before this one used getopt too */
    while ((option = lb_next_option("vectors generate", argc, argv, "o:h", options)) != -1) {
        if (option == 'h')
            return fputs(HELP, stdout), 0;
        if (!parse_option(option, &r))
            return 2;
    }
    if (r.cover)
        return cover(&r, argv + optind, (size_t)(argc - optind));
    if (optind < argc)
        return lb_usage_error("vectors generate", "%s: no such argument", argv[optind]), 2;
    return generate(&r);
}
