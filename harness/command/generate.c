/* lastbit vectors generate: cases that are made up. */
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/command/measure_options.h"
#include "harness/generate/output.h"
#include "harness/generate/random_case.h"
#include "harness/generate/wish.h"
#include "harness/port/provided.h"
#include "harness/run/shared_options.h"
#include "harness/suite/case_write.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct request {
    const char *family, *profiles;
    lb_list functions;
    lb_level_choice level;
    unsigned long count, bad;
    bool small, status, cover, faults, pairwise;
    bool wanted[256];
    lb_generate_wish wish;
} request;

/* Of any kernel set. */
static bool is_family(const char *name)
{
    bool is = false;
    for (int i = 0; i < LB_FAMILY_COUNT_OF_ALL; i++)
        is = is || strcmp(lb_family_name((lb_family)i), name) == 0;
    return is;
}

/* Says which families there are. */
static void refuse_family(const char *name)
{
    char names[2048];
    size_t used = 0;
    for (int i = 0; i < LB_FAMILY_COUNT_OF_ALL && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 lb_family_name((lb_family)i));
    lb_usage_error("vectors generate", "--family %s: no such family; there are %s", name, names);
}

/* Functions to look at: all, or those of the family and of the names that are asked for. */
static bool choose(request *r)
{
    if (r->family && !is_family(r->family))
        return refuse_family(r->family), false;
    if (!lb_functions_choose(&r->functions, "vectors generate", r->wanted))
        return false;
    for (size_t i = 0; i < lb_kernel_total(); i++)
        r->wanted[i] =
            r->wanted[i] &&
            (!r->family || strcmp(r->family, lb_family_name(lb_kernel_at(i)->family)) == 0);
    return true;
}

typedef struct made {
    const request *request;
    const char *name; /* of the suite: as the functions are asked for */
    const lb_kernel *kernels[256];
    size_t count;
} made;

static void write_cases(void *user, FILE *out)
{
    const made *m = user;
    const request *r = m->request;
    lb_arena arena = {0};
    lb_case c;
    lb_random_options options = {
        .seed = r->wish.seed, .fault_one_in = (unsigned)r->bad, .small = r->small};
    for (unsigned long i = 0; i < r->count && !ferror(out); i++) {
        lb_arena_reset(&arena);
        if (lb_random_case(m->kernels[i % m->count], &options, i, &arena, &c))
            fprintf(out, "%s\n", lb_case_to_json(&c, &arena));
    }
    lb_arena_free(&arena);
}

static int generate(request *r)
{
    made m = {.request = r, .name = r->family ? r->family : r->functions.items[0]};
    if (!choose(r))
        return 2;
    for (size_t i = 0; i < lb_kernel_total(); i++)
        if (r->wanted[i] && lb_function_is_tried(lb_kernel_at(i)))
            m.kernels[m.count++] = lb_kernel_at(i);
    if (m.count == 0)
        return lb_usage_error("vectors generate", "%s: cases of this kind cannot be made up",
                              m.name),
               2;
    lb_arena arena = {0};
    const char *suite = lb_arena_printf(&arena, "%s.seed%lu", m.name, r->wish.seed);
    const int status = lb_generate_write(r->wish.output, suite, write_cases, &m);
    lb_arena_free(&arena);
    return status;
}

static int hunt_faults(request *r)
{
    lb_loaded_profiles loaded = {0};
    const lb_profile *profiles[LB_MAX_PROFILES];
    size_t count = 0;
    if (!lb_profiles_choose("vectors generate", r->profiles, &loaded, profiles, &count))
        return 2;
    if (strcmp(r->profiles, "all") == 0)
        count = lb_measure_all_profiles(profiles);
    r->wish.profiles = profiles;
    r->wish.profile_count = count;
    r->wish.catches = r->wish.pairs ? 1 : r->wish.catches;
    return lb_generate_faults(&r->wish);
}

/* One of --cover, --faults, --pairs, --pairwise: cases that suites lack. */
static int fill_gaps(request *r)
{
    const char *option = r->cover      ? "cover"
                         : r->faults   ? "faults"
                         : r->pairwise ? "pairwise"
                                       : "pairs";
    if (r->cover + r->faults + r->wish.pairs + r->pairwise > 1)
        return lb_usage_error("vectors generate",
                              "give one of --cover, --faults, --pairs and --pairwise"),
               2;
    if (r->wish.path_count == 0)
        return lb_usage_error("vectors generate",
                              "--%s needs the suites whose gaps are to be filled", option),
               2;
    if (!choose(r))
        return 2;
    const int refused = lb_generate_try_output(r->wish.output);
    if (refused != 0)
        return refused;
    return r->cover      ? lb_generate_cover(&r->wish)
           : r->pairwise ? lb_generate_pairwise(&r->wish)
                         : hunt_faults(r);
}

static int generate_command(int argc, char **argv)
{
    request r = {.count = 100,
                 .bad = 12,
                 .profiles = "all",
                 .wish = {.seed = 1,
                          .jobs = 1,
                          .catches = 1,
                          .up_to = LB_LEVEL_DEEP,
                          .seconds = 300,
                          .progress = isatty(STDERR_FILENO) != 0}};
    lb_arguments paths;
    int status;
    if (!lb_options_parse(&lb_vectors_generate_command, argc, argv, &r, &paths, &status))
        return status;
    r.wish.paths = paths.items;
    r.wish.path_count = paths.count;
    r.wish.wanted = r.wanted;
    r.wish.of_suites = r.functions.count == 0 && !r.family;
    r.wish.level = r.level.is_given ? lb_level_name(r.level.level) : NULL;
    if (r.cover || r.faults || r.wish.pairs || r.pairwise)
        return r.status ? (lb_usage_error("vectors generate", "--status goes by itself"), 2)
                        : fill_gaps(&r);
    if (paths.count > 0)
        return lb_usage_error("vectors generate",
                              "%s: paths go with --cover, --faults, --pairs and --pairwise",
                              paths.items[0]),
               2;
    if (r.status)
        return choose(&r) ? lb_generate_status(&r.wish) : 2;
    if (!r.family && r.functions.count == 0)
        return lb_usage_error("vectors generate", "give --family NAME or --function GLOB"), 2;
    return generate(&r);
}

static const lb_option kinds[] = {
    {"family", 0, LB_TEXT, "NAME", LB_INTO(request, family),
     .help = "conv2d, depthwise_conv2d, fully_connected, relu, eltwise ...: its functions in turn"},
    {"count", 0, LB_NUMBER, "N", LB_INTO(request, count), .help = "cases (default 100)"},
    {"bad", 0, LB_NUMBER, "N", LB_INTO(request, bad),
     .help = "one case in N breaks a rule or two, to try the statuses (default 12; 0: none)"},
    {"small", 0, LB_FLAG, NULL, LB_INTO(request, small), .help = "shapes of a few elements"},
    {"status", 0, LB_FLAG, NULL, LB_INTO(request, status),
     .help =
         "calls that violate each check of the functions, and no earlier one: of all functions, "
         "or of --family or --function"},
    {"seed", 0, LB_NUMBER, "S", LB_INTO(request, wish.seed), .help = "seed (default 1)"},
    {"output", 'o', LB_TEXT, "FILE", LB_INTO(request, wish.output),
     .help = "where to write (default: standard output)"},
    {.name = NULL}};

static const lb_option gaps[] = {
    {"cover", 0, LB_FLAG, NULL, LB_INTO(request, cover),
     .help =
         "look for what the suites miss, in the functions that they call or those of --family or "
         "--function"},
    {"seconds", 0, LB_SECONDS, "S", LB_INTO(request, wish.seconds), .high = 1000000,
     .help = "with --cover: end after about S seconds (default 300), and say what was left"},
    {"faults", 0, LB_FLAG, NULL, LB_INTO(request, faults),
     .help = "look for cases that catch what survives the suites"},
    {"pairs", 0, LB_FLAG, NULL, LB_INTO(request, wish.pairs),
     .help = "look for cases that tell faults apart"},
    {"pairwise", 0, LB_FLAG, NULL, LB_INTO(request, pairwise),
     .help = "look for cases in which two classes of fields meet that no case of the suites has "
             "together: configuration, extents, strides, types, axes, places in memory"},
    {"list", 'l', LB_FLAG, NULL, LB_INTO(request, wish.list),
     .help = "with --pairwise: name the pairs that no try reaches, and which check excludes them; "
             "with --status: the checks that no case violates first"},
    {"first", 0, LB_TEXT, "SUITE", LB_INTO(request, wish.first), .reads = true,
     .help = "with --faults and --pairs: try the cases of SUITE before all others, as they are"},
    {"patience", 0, LB_NUMBER, "N", LB_INTO(request, wish.patience),
     .help = "give a function up after N tries without a find (default 3000; with --faults and "
             "--pairs 400); with --pairwise: N tries for each function (default 4000)"},
    {"gain", 0, LB_NUMBER, "N", LB_INTO(request, wish.gain),
     .help = "with --faults, --pairs and --pairwise: keep only cases that catch at least N faults, "
             "tell so many apart, or reach so many pairs (default 1)"},
    {"catches", 0, LB_NUMBER, "N", LB_INTO(request, wish.catches), .low = 1, .high = 1000,
     .help = "with --faults: until N different cases catch a fault (thin catches: 3; default 1: "
             "only faults that no case catches)"},
    {"level", 0, LB_CHOICE, "LEVEL", LB_INTO(request, level.level),
     LB_GIVEN(request, level.is_given), .choices = lb_level_names,
     .help = "tag of the cases that are found: smoke, standard, deep (default: none)"},
    {"up-to", 0, LB_CHOICE, "LEVEL", LB_INTO(request, wish.up_to), .choices = lb_level_names,
     .help = "with --cover, --faults, --pairs, --pairwise: cases of the suites up to this level "
             "count (default deep)"},
    {"jobs", 'j', LB_NUMBER, "N", LB_INTO(request, wish.jobs), .low = 1, .high = 64,
     .help = "with --faults and --pairs: processes side by side (default 1)"},
    {.name = NULL}};

const lb_command lb_vectors_generate_command = {
    .name = "vectors generate",
    .summary = "make up cases of a family or a function, or cases that suites lack",
    .usage = "[OPTION...] --family NAME | --function GLOB\n"
             "[OPTION...] --status\n"
             "[OPTION...] --cover | --faults | --pairs | --pairwise PATH...",
    .about =
        "Writes a suite of made-up cases in JSON Lines: random configurations, layouts, formats "
        "and data, with a liking for extremes. The cases carry no recorded results; the exact "
        "model is their oracle. The same seed gives the same cases on every machine.\n"
        "\n"
        "With --status: for each check of a function, calls that violate it and no earlier one, "
        "just "
        "beyond its limit, each by another field. The note of a case says what was changed.\n"
        "\n"
        "With --cover: cases that reach the coverpoints which the suites under PATH miss (lastbit "
        "vectors coverage), found by making up cases and changing those that are there, and made "
        "small. Each says in its note what it is for.\n"
        "\n"
        "With --faults: cases that catch faults of the bank (lastbit vectors strength) which the "
        "suites under PATH do not catch, the smallest first; with --catches N also those that "
        "fewer "
        "than N cases catch. With --pairs: cases on which two "
        "faults differ that give the same results on all cases so far, so that lastbit diagnose "
        "can tell them apart. Faults that no case can catch stay, however long it looks.\n"
        "\n"
        "With --pairwise: cases in which two classes of fields meet that no case of the suites has "
        "together (of functions that place elements: three of one dimension), those that reach "
        "most first. Tries are made up, or have one class and are changed to get the other "
        "with what the checks ask for then. What none reaches is excluded by a check, or open: "
        "both "
        "are counted, and with --list named.",
    .groups = {{kinds, 0, "What is made"},
               {lb_function_option, offsetof(request, functions), NULL},
               {gaps, 0, "What suites lack"},
               {lb_profile_option, offsetof(request, profiles), NULL}},
    .operand = {.name = "PATH", LB_SUITES_HELP, 0, 0, NULL, true},
    .statuses = {"written", NULL, "the command line or a suite is wrong",
                 "the file cannot be written"},
    .examples = "lastbit vectors generate --family conv2d --count 1000 --seed 7 -o conv.jsonl\n"
                "lastbit run conv.jsonl\n"
                "lastbit vectors generate --status --family conv2d -o status.jsonl\n"
                "lastbit vectors generate --cover vectors my_suite.yaml -o missed.jsonl\n"
                "lastbit vectors generate --faults --family relu vectors -o found.jsonl",
    .run = generate_command};
