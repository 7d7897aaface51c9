/* lastbit vectors generate: see generate.h. */
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/generate/cover.h"
#include "harness/generate/fault_cases.h"
#include "harness/generate/random_case.h"
#include "harness/suite/case_write.h"
#include "harness/suite/profile_choice.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char HELP[] =
    "Usage: lastbit vectors generate [OPTION...] --family NAME | --function NAME\n"
    "       lastbit vectors generate [OPTION...] --cover | --faults | --pairs PATH...\n"
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
    "With --faults: cases that catch faults of the bank (lastbit vectors strength) which the "
    "suites "
    "under PATH do not\n"
    "catch, the smallest first. With --pairs: cases on which two faults differ that give the same "
    "results on all cases\n"
    "so far, so that lastbit diagnose can tell them apart. Faults that no case can catch stay, "
    "however long it looks.\n"
    "\n"
    "Options:\n"
    "      --cover          look for what the suites miss, in all functions or those of --family "
    "or --function\n"
    "      --faults         look for cases that catch what survives the suites\n"
    "      --pairs          look for cases that tell faults apart\n"
    "      --patience N     give a function up after N tries without a find (default 3000; with "
    "--faults and --pairs\n"
    "                       400)\n"
    "      --level LEVEL    tag of the cases that are found: smoke, standard, deep (default: "
    "none)\n"
    "      --up-to LEVEL    with --faults and --pairs: cases of the suites up to this level count "
    "(default deep)\n"
    "  -n, --profile NAMES  with --faults and --pairs: profiles (default all)\n"
    "  -j, --jobs N         with --faults and --pairs: processes side by side (default 1)\n"
    "      --family NAME    conv2d, depthwise_conv2d, fully_connected, relu, eltwise ...: its "
    "functions in turn\n"
    "      --function NAME  one function, as mli_krn_conv2d_hwcn_sa8_sa8_sa32\n"
    "      --count N        cases (default 100)\n"
    "      --seed S         seed (default 1)\n"
    "      --bad N          one case in N breaks a rule or two, to try the statuses (default 12; "
    "0: "
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
    "  lastbit vectors generate --cover vectors my_suite.yaml -o missed.jsonl\n"
    "  lastbit vectors generate --faults --function mli_krn_relu_fx8 vectors -o survivors.jsonl\n";

enum {
    OPTION_FAMILY = 256,
    OPTION_FUNCTION,
    OPTION_COUNT,
    OPTION_SEED,
    OPTION_BAD,
    OPTION_SMALL,
    OPTION_COVER,
    OPTION_FAULTS,
    OPTION_PAIRS,
    OPTION_UP_TO,
    OPTION_PATIENCE,
    OPTION_LEVEL
};

typedef struct request {
    const char *family, *function, *output;
    const char *level, *profiles;
    lb_level up_to;
    unsigned long count, seed, bad, patience, jobs;
    bool small, cover, faults, pairs;
} request;

static bool number(const char *name, const char *text, unsigned long *value)
{
    if (!lb_parse_number(text, 0, ULONG_MAX, value))
        return lb_usage_error("vectors generate", "--%s %s: a number is due", name, text), false;
    return true;
}

static bool find_level(const char *option, const char *name, lb_level *level)
{
    if (!lb_level_find(name, level))
        return lb_usage_error("vectors generate", "--%s %s: smoke, standard or deep is due", option,
                              name),
               false;
    return true;
}

static bool find_jobs(const char *text, unsigned long *jobs)
{
    if (!lb_parse_number(text, 1, 64, jobs))
        return lb_usage_error("vectors generate", "--jobs %s: a number from 1 to 64 is due", text),
               false;
    return true;
}

static bool parse_option(int option, request *r)
{
    lb_level level;
    switch (option) {
    case OPTION_FAMILY:
        return r->family = optarg, true;
    case OPTION_FUNCTION:
        return r->function = optarg, true;
    case OPTION_COUNT:
        return number("count", optarg, &r->count);
    case OPTION_SEED:
        return number("seed", optarg, &r->seed);
    case OPTION_BAD:
        return number("bad", optarg, &r->bad);
    case OPTION_SMALL:
        return r->small = true;
    case OPTION_COVER:
        return r->cover = true;
    case OPTION_PATIENCE:
        return number("patience", optarg, &r->patience);
    case OPTION_FAULTS:
        return r->faults = true;
    case OPTION_PAIRS:
        return r->pairs = true;
    case OPTION_UP_TO:
        return find_level("up-to", optarg, &r->up_to);
    case OPTION_LEVEL:
        return r->level = optarg, find_level("level", optarg, &level);
    case 'n':
        return r->profiles = optarg, true;
    case 'j':
        return find_jobs(optarg, &r->jobs);
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
        .seed = r->seed, .fault_one_in = (unsigned)r->bad, .small = r->small};
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

static int cover(const request *r, char *const *paths, size_t path_count, const bool *wanted)
{
    lb_generate_cover wish = {.paths = paths,
                              .path_count = path_count,
                              .wanted = wanted,
                              .seed = r->seed,
                              .patience = r->patience ? r->patience : 3000,
                              .level = r->level,
                              .output = r->output};
    return lb_generate_cover_run(&wish);
}

static int hunt_faults(const request *r, char *const *paths, size_t path_count, const bool *wanted)
{
    lb_loaded_profiles loaded = {0};
    const lb_profile *profiles[LB_MAX_PROFILES];
    size_t profile_count = 0;
    if (!lb_profiles_choose("vectors generate", r->profiles, &loaded, profiles, &profile_count))
        return 2;
    lb_generate_faults wish = {.paths = paths,
                               .path_count = path_count,
                               .up_to = r->up_to,
                               .wanted = wanted,
                               .profiles = profiles,
                               .profile_count = profile_count,
                               .pairs = r->pairs,
                               .seed = r->seed,
                               .patience = r->patience ? r->patience : 400,
                               .jobs = (unsigned)r->jobs,
                               .level = r->level,
                               .name = r->pairs ? "pairs" : "faults",
                               .output = r->output};
    return lb_generate_faults_run(&wish);
}

/* One of --cover, --faults, --pairs: cases that suites lack. */
static int fill_gaps(const request *r, char *const *paths, size_t path_count)
{
    bool wanted[256] = {false};
    const char *option = r->cover ? "cover" : r->faults ? "faults" : "pairs";
    if (r->cover + r->faults + r->pairs > 1)
        return lb_usage_error("vectors generate", "give one of --cover, --faults and --pairs"), 2;
    if (path_count == 0)
        return lb_usage_error("vectors generate",
                              "--%s needs the suites whose gaps are to be filled", option),
               2;
    if (!choose_covered(r, wanted))
        return 2;
    return r->cover ? cover(r, paths, path_count, wanted)
                    : hunt_faults(r, paths, path_count, wanted);
}

int lb_command_vectors_generate(int argc, char **argv)
{
    static const struct option options[] = {{"family", required_argument, NULL, OPTION_FAMILY},
                                            {"function", required_argument, NULL, OPTION_FUNCTION},
                                            {"count", required_argument, NULL, OPTION_COUNT},
                                            {"seed", required_argument, NULL, OPTION_SEED},
                                            {"bad", required_argument, NULL, OPTION_BAD},
                                            {"small", no_argument, NULL, OPTION_SMALL},
                                            {"cover", no_argument, NULL, OPTION_COVER},
                                            {"faults", no_argument, NULL, OPTION_FAULTS},
                                            {"pairs", no_argument, NULL, OPTION_PAIRS},
                                            {"up-to", required_argument, NULL, OPTION_UP_TO},
                                            {"profile", required_argument, NULL, 'n'},
                                            {"jobs", required_argument, NULL, 'j'},
                                            {"patience", required_argument, NULL, OPTION_PATIENCE},
                                            {"level", required_argument, NULL, OPTION_LEVEL},
                                            {"output", required_argument, NULL, 'o'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    request r = {
        .count = 100, .seed = 1, .bad = 12, .jobs = 1, .profiles = "all", .up_to = LB_LEVEL_DEEP};
    int option;
    optind = 0; /* a fresh start: the command before this one used getopt too */
    while ((option = lb_next_option("vectors generate", argc, argv, "o:n:j:h", options)) != -1) {
        if (option == 'h')
            return fputs(HELP, stdout), 0;
        if (!parse_option(option, &r))
            return 2;
    }
    if (r.cover || r.faults || r.pairs)
        return fill_gaps(&r, argv + optind, (size_t)(argc - optind));
    if (optind < argc)
        return lb_usage_error("vectors generate", "%s: no such argument", argv[optind]), 2;
    return generate(&r);
}
