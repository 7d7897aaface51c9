/* The exact model against our implementation: a case of vectors/, changed step by step, must give
 * the same in both, in every profile. Two bytes choose the case, one how it is called, and each two
 * further bytes are a change, so that the fuzzer adds, drops and swaps changes. What the case
 * format does not allow, and what the specification leaves undefined, is not tried. */
#include "fuzz.h"
#include "harness/coverage/defined.h"
#include "harness/generate/case_change.h"
#include "harness/guard/verdict.h"
#include "harness/suite/case_write.h"
#include "harness/suite/suite.h"
#include "harness/trial/trial.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CHANGES = 12,
    MOST_TEXT = 1 << 15,     /* bytes of a case to start from */
    MOST_ELEMENTS = 1 << 14, /* of a tensor */
    MOST_WORK = 1 << 24      /* elements of out times those of weights */
};

/* Cases to start from: the lines of vectors/coverage_*.jsonl, which reach every named behaviour of
 * every function with small tensors. */
static struct {
    size_t count, room;
    char **lines;
} seeds;

static void keep_seed(char *line)
{
    if (seeds.count == seeds.room) {
        seeds.room = seeds.room * 2 + 1024;
        seeds.lines = realloc(seeds.lines, seeds.room * sizeof *seeds.lines);
        if (!seeds.lines)
            abort();
    }
    seeds.lines[seeds.count++] = line;
}

static void read_seeds(const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    if (!file || getline(&line, &room, file) < 0) /* the suite's header */
        abort();
    for (ssize_t length; (length = getline(&line, &room, file)) > 0;)
        if (length <= MOST_TEXT)
            keep_seed(strdup(line));
    free(line);
    fclose(file);
}

static void find_seeds(void)
{
    glob_t found;
    if (glob(LASTBIT_SOURCE_DIR "/vectors/coverage_*.jsonl", 0, NULL, &found) != 0)
        abort();
    for (size_t i = 0; i < found.gl_pathc; i++)
        read_seeds(found.gl_pathv[i]);
    globfree(&found);
}

static size_t element_count(const lb_case_tensor *t)
{
    size_t count = 1;
    for (unsigned d = 0; d < t->rank && count <= MOST_ELEMENTS; d++)
        count *= t->shape[d] <= MOST_ELEMENTS ? t->shape[d] : MOST_ELEMENTS + 1;
    return count;
}

/* Small enough for thousands of them a minute? */
static bool is_small(const lb_case *c)
{
    size_t out = 1, weights = 1;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; c->operand[role].present && i < c->operand[role].count; i++) {
            size_t count = element_count(&c->operand[role].tensors[i]);
            if (count > MOST_ELEMENTS)
                return false;
            if (role == LB_ROLE_OUT || role == LB_ROLE_IN)
                out = count > out ? count : out;
            else
                weights = count > weights ? count : weights;
        }
    return out * weights <= MOST_WORK;
}

static void tell(void *user, size_t profile_index, lb_result *result)
{
    const char *text = user;
    (void)profile_index;
    if (result->verdict != LB_FAIL && result->verdict != LB_ERROR)
        return;
    fprintf(stderr, "model and implementation differ in %s: %s; %s, %s\n", result->profile,
            result->reason, result->status_expected, result->status_got);
    for (unsigned i = 0; i < result->difference_count; i++)
        fprintf(stderr, "  %s%s %s: %s, %s\n", lb_differs_name(result->differences[i].what),
                result->differences[i].index, result->differences[i].field,
                result->differences[i].expected, result->differences[i].got);
    fprintf(stderr, "{\"format\":\"lastbit/cases-1\",\"suite\":\"fuzz\"}\n%s\n", text);
    abort();
}

static void try_text(const char *text, unsigned how, lb_arena *arena)
{
    static lb_port *port;
    static const char *levels[16];
    static unsigned level_count;
    const lb_profile *profiles[LB_PROFILE_COUNT];
    bool wanted[LB_PROFILE_COUNT];
    lb_case c = {0};
    if (!lb_case_from_json(text, strlen(text), arena, &c) || !is_small(&c) ||
        !lb_cover_is_defined(&c))
        return;
    if (!port) {
        port = lb_port_builtin();
        while (level_count < 16 && (levels[level_count] = port->level(port, level_count)))
            level_count++;
    }
    port->set_level(port, levels[how / 2 % level_count]);
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        profiles[p] = &lb_profiles[p];
        wanted[p] = true;
    }
    /* What comes out of accumulators past their width is not specified. */
    lb_guard_listener listener = {.mode = LB_GUARD_OFF};
    const lb_analysis guard = lb_guard_analysis(&listener), *const analyses[] = {&guard};
    lb_trial_setup setup = {.port = port,
                            .suite = "fuzz",
                            .file = "fuzz.jsonl",
                            .misalign = how % 2,
                            .tolerance_off = true,
                            .analyses = analyses,
                            .analysis_count = 1,
                            .arena = arena};
    lb_trial_run(&setup, &c, profiles, wanted, LB_PROFILE_COUNT, NULL, tell, (void *)text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    lb_arena arena = {0};
    lb_case c = {0};
    lb_random_options options = {.small = true};
    lb_build b = {.arena = &arena, .c = &c, .options = &options};
    if (seeds.count == 0)
        find_seeds();
    if (size < 3)
        return 0;
    const char *text = seeds.lines[(size_t)(bytes[0] * 256 + bytes[1]) % seeds.count];
    if (!lb_case_from_json(text, strlen(text), &arena, &c))
        abort();
    c.expect_count = 0;
    c.chain.steps = c.kernel ? 0 : c.chain.steps;
    for (size_t at = 3; at + 2 <= size && at < 3 + 2 * MOST_CHANGES; at += 2) {
        b.random = lb_random_start(bytes[at], bytes[at + 1]);
        lb_case_mutate(&b);
    }
    text = is_small(&c) ? lb_case_to_json(&c, &arena) : NULL;
    if (text)
        try_text(text, bytes[2], &arena);
    lb_arena_free(&arena);
    return 0;
}
