/* Probes: see probe.h. */
#include "harness/characterize/probe.h"

#include "harness/characterize/probe_cell.h"
#include "harness/characterize/probe_plain.h"
#include "harness/characterize/probe_weighted.h"
#include "reference/describe/program.h"

enum { SUM_TAPS = 1100, CELL_SUM_TAPS = 4200, LONG_SUM_TAPS = 12600, VAST_SUM_TAPS = 200000 };

static bool is_weighted(const lb_kernel *kernel)
{
    bool any_kernel = kernel->family != LB_FAMILY_TRANSPOSE_CONV2D || kernel->kernel_size == 0;
    return lb_kernel_role(kernel, LB_ROLE_WEIGHTS) && any_kernel;
}

static bool is_cell(const lb_kernel *kernel)
{
    const lb_program *program = lb_program_of(kernel);
    return program && program->gates > 0;
}

static const char *const kind_names[LB_PROBE_KINDS] = {"result", "sum", "long_sum", "random",
                                                       "vast_sum"};

lb_case_tensor *lb_probe_operand(lb_build *b, lb_role role, unsigned rank, const uint32_t *shape)
{
    lb_case_tensor *t = lb_build_operand(b, role, rank, shape);
    if (role != LB_ROLE_OUT)
        lb_case_make_data(t, lb_build_count(t), b->arena);
    return t;
}

static lb_case *made_up(const lb_kernel *kernel, uint64_t seed, lb_arena *arena)
{
    lb_random_options options = {.seed = 2121, .small = seed % 4 != 3};
    lb_case *c = lb_arena_alloc(arena, sizeof *c);
    return lb_random_case(kernel, &options, seed, arena, c) ? c : NULL;
}

static bool fill(lb_build *b, lb_probe_kind kind)
{
    uint32_t taps = kind == LB_PROBE_SUM        ? SUM_TAPS
                    : kind == LB_PROBE_LONG_SUM ? LONG_SUM_TAPS
                                                : VAST_SUM_TAPS;
    bool weighted = is_weighted(b->c->kernel);
    bool cell = is_cell(b->c->kernel);
    if (cell && kind == LB_PROBE_RESULT)
        lb_probe_cell_result(b);
    else if (cell && kind == LB_PROBE_VAST_SUM)
        return false;
    else if (cell)
        lb_probe_cell_sum(b, kind == LB_PROBE_SUM ? SUM_TAPS : CELL_SUM_TAPS);
    else if (kind == LB_PROBE_RESULT && weighted)
        lb_probe_weighted_result(b);
    else if (weighted)
        lb_probe_weighted_sum(b, taps);
    else if (kind == LB_PROBE_RESULT)
        return lb_probe_plain_result(b);
    else
        return kind != LB_PROBE_VAST_SUM && lb_probe_plain_sum(b, taps);
    return true;
}

static lb_case *new_case(const lb_kernel *kernel, const char *kind, uint64_t seed, lb_arena *arena)
{
    lb_case *c = lb_arena_alloc(arena, sizeof *c);
    c->kernel = kernel;
    c->function = lb_arena_strdup(arena, kernel->name);
    c->id = lb_arena_printf(arena, "characterize.%s.%llu", kind, (unsigned long long)seed);
    return c;
}

lb_case *lb_probe_make(const lb_kernel *kernel, lb_probe_kind kind, uint64_t seed, lb_arena *arena)
{
    const lb_random_options options = {.seed = 1, .wide = (unsigned)seed};
    if (kind == LB_PROBE_RANDOM)
        return made_up(kernel, seed, arena);
    lb_case *c = new_case(kernel, kind_names[kind], seed, arena);
    lb_build b = {.random = lb_random_start(9000 + (uint64_t)kind, seed),
                  .arena = arena,
                  .c = c,
                  .options = &options};
    return fill(&b, kind) ? c : NULL;
}

bool lb_probe_has_limits(int family)
{
    /* Sums of exponentials and of squares are not negative. */
    return lb_feature_applies(LB_FEATURE_LANES, family, LB_TYPES_SA8);
}

lb_case *lb_probe_limit(const lb_kernel *kernel, const lb_probe_limits *limits, uint64_t seed,
                        lb_arena *arena)
{
    enum { STREAM = 9100 };
    const lb_random_options options = {.seed = 1};
    lb_case *c = new_case(kernel, "limit", seed, arena);
    lb_build b = {
        .random = lb_random_start(STREAM, seed), .arena = arena, .c = c, .options = &options};
    bool made = is_weighted(kernel) ? lb_probe_weighted_limit(&b, limits)
                : is_cell(kernel)
                    ? lb_probe_cell_limit(&b, limits)
                    : kernel->family == LB_FAMILY_AVEPOOL && lb_probe_average_limit(&b, limits);
    return made ? c : NULL;
}
