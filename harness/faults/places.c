/* Where faults can sit in a function: see places.h. */
#include "harness/faults/places.h"

#include "harness/faults/views.h"
#include "reference/describe/check.h"
#include "reference/describe/map.h"
#include "reference/describe/program.h"

bool lb_is_conv(const lb_kernel *kernel)
{
    return kernel->config_kind == LB_CONFIG_CONV2D;
}

bool lb_is_pool(const lb_kernel *kernel)
{
    return kernel->config_kind == LB_CONFIG_POOL;
}

bool lb_is_direct_conv(const lb_kernel *kernel)
{
    return lb_is_conv(kernel) &&
           lb_map_of(kernel)->access[LB_MAP_X].index[0].divisor.kind == LB_LEAF_NONE;
}

bool lb_is_average(const lb_kernel *kernel)
{
    return lb_is_pool(kernel) && lb_families[kernel->family].sums != LB_SUMS_NONE;
}

bool lb_sums_channels(const lb_kernel *kernel)
{
    enum { CHANNELS = 2 };
    const lb_map *map = lb_map_of(kernel);
    bool sums = false;
    for (int loop = map ? map->outer : 0; map && loop < map->loops; loop++)
        sums = sums || lb_index_follows(&map->access[LB_MAP_X].index[CHANNELS], loop);
    return sums;
}

bool lb_goes_in_groups(const lb_kernel *kernel, int dim)
{
    const lb_map *map = lb_map_of(kernel);
    const lb_access *out = map ? &map->access[LB_MAP_OUT] : NULL;
    return out && dim < out->rank && lb_index_in_blocks(&out->index[dim]) &&
           out->index[dim].term->times[0].kind == LB_LEAF_DERIVED;
}

lb_groups lb_groups_in(const lb_call *call, int dim)
{
    if (!lb_goes_in_groups(call->kernel, dim))
        return (lb_groups){0, 0};
    const lb_map *map = lb_map_of(call->kernel);
    const lb_term *term = map->access[LB_MAP_OUT].index[dim].term;
    return (lb_groups){(size_t)lb_leaf_value(map, call, term->times[0]),
                       (size_t)lb_leaf_value(map, call, map->loop[term->loop].extent)};
}

bool lb_is_recurrent(const lb_kernel *kernel)
{
    return kernel->config_kind == LB_CONFIG_RNN_CELL;
}

bool lb_has_weights(const lb_kernel *kernel)
{
    return kernel->weights_type != 0;
}

bool lb_has_relu(const lb_kernel *kernel)
{
    return kernel->config_kind == LB_CONFIG_CONV2D || kernel->config_kind == LB_CONFIG_RELU ||
           kernel->config_kind == LB_CONFIG_FULLY_CONNECTED;
}

bool lb_has_axis(const lb_kernel *kernel)
{
    return (kernel->config_kind == LB_CONFIG_AXIS || kernel->config_kind == LB_CONFIG_ARGMAX) &&
           lb_reads_data(kernel, LB_ROLE_IN);
}

unsigned lb_gate_count(const lb_kernel *kernel)
{
    const lb_program *program = lb_program_of(kernel);
    return program ? program->gates : 0;
}

static unsigned weighted_dims(const lb_kernel *kernel, int role)
{
    bool conv = lb_is_conv(kernel), recurrent = lb_is_recurrent(kernel);
    switch (role) {
    case LB_ROLE_IN:
        return conv ? 3 : LB_MAX_RANK;
    case LB_ROLE_OUT:
        return conv ? 3 : recurrent ? 2 : 1;
    case LB_ROLE_BIAS:
        return recurrent ? 2 : 1;
    case LB_ROLE_PREV_OUT:
    case LB_ROLE_CELL:
        return 1;
    default:
        return conv ? 4 : recurrent ? 3 : 2;
    }
}

/* The number to which the checks of the function hold a leaf; 0: they leave it more than one. */
static uint32_t asked(const lb_kernel *kernel, lb_leaf leaf)
{
    lb_leaf_range range = lb_checks_bound(kernel, leaf);
    return range.low == range.high ? (uint32_t)range.low : 0;
}

static unsigned asked_rank(const lb_kernel *kernel, int role)
{
    return asked(kernel, (lb_leaf){.kind = LB_LEAF_RANK, .role = (int8_t)role});
}

unsigned lb_dims_of(const lb_kernel *kernel, int role)
{
    unsigned asked = asked_rank(kernel, role);
    if (asked > 0)
        return asked;
    if (lb_has_weights(kernel))
        return weighted_dims(kernel, role);
    if (lb_is_pool(kernel))
        return 3;
    if (lb_pattern_of(kernel) == LB_PATTERN_SLICES && role == LB_ROLE_OUT)
        return 2; /* slices, and the largest of each */
    if (lb_pattern_of(kernel) == LB_PATTERN_TABLE || role == LB_ROLE_SLOPE)
        return 1;
    if (kernel->config_kind == LB_CONFIG_POINT_TO_SUBTENSOR && role == LB_ROLE_OUT)
        return 1; /* numerics.md 8.4 */
    return LB_MAX_RANK;
}

uint32_t lb_longest(const lb_kernel *kernel, int role, unsigned dim)
{
    lb_leaf extent = {
        .kind = LB_LEAF_EXTENT, .by = LB_BY_FIELD, .role = (int8_t)role, .dim = (int8_t)dim};
    return dim < lb_dims_of(kernel, role) ? (uint32_t)lb_checks_bound(kernel, extent).high : 0;
}

/* All strides are dense, or there is one, and it is 1. */
static bool asks_for_inner_stride(const lb_kernel *kernel, int role)
{
    return asked(kernel,
                 (lb_leaf){.kind = LB_LEAF_STRIDE, .by = LB_BY_INNERMOST, .role = (int8_t)role}) ==
           1;
}

bool lb_may_have_gaps(const lb_kernel *kernel, int role)
{
    const int8_t r = (int8_t)role;
    const lb_leaf stride = {.kind = LB_LEAF_STRIDE, .by = LB_BY_EACH, .role = r};
    const lb_leaf next = {.kind = LB_LEAF_STRIDE, .by = LB_BY_NEXT, .role = r};
    const lb_leaf next_extent = {.kind = LB_LEAF_EXTENT, .by = LB_BY_NEXT, .role = r};
    const lb_condition dense = {.is = LB_EQUAL,
                                .each = {.kind = LB_LEAF_RANK, .role = r},
                                .term = {{1, {stride}}, {-1, {next_extent, next}}}};
    return !lb_checks_have(kernel, &dense) &&
           !(asked_rank(kernel, role) == 1 && asks_for_inner_stride(kernel, role));
}

bool lb_may_have_inner_gaps(const lb_kernel *kernel, int role)
{
    return lb_may_have_gaps(kernel, role) && !asks_for_inner_stride(kernel, role);
}

uint32_t lb_type_of_role(const lb_kernel *kernel, int role)
{
    uint32_t type = asked(kernel, (lb_leaf){.kind = LB_LEAF_TYPE, .role = (int8_t)role});
    return type != 0 || lb_pattern_of(kernel) == LB_PATTERN_CODES
               ? type
               : lb_variant_type(kernel, (lb_role)role);
}

static bool moves_elements(const lb_kernel *kernel)
{
    return lb_pattern_of(kernel) != LB_PATTERN_HELPER &&
           lb_pattern_of(kernel) != LB_PATTERN_TABLE &&
           (lb_pattern_of(kernel) != LB_PATTERN_MOVEMENT || kernel->config_kind == LB_CONFIG_MOV);
}

bool lb_reads_data(const lb_kernel *kernel, int role)
{
    lb_role_use use = lb_fault_role_use(kernel, role);
    return kernel->exact && moves_elements(kernel) && use != LB_USE_NONE && use != LB_USE_OUTPUT &&
           role != LB_ROLE_EPSILON && !lb_kernel_writes_zeros(kernel);
}

bool lb_writes_data(const lb_kernel *kernel, int role)
{
    lb_role_use use = lb_fault_role_use(kernel, role);
    bool writes = use == LB_USE_OUTPUT || use == LB_USE_INOUT;
    return kernel->exact && writes &&
           (moves_elements(kernel) || lb_pattern_of(kernel) == LB_PATTERN_TABLE);
}

/* ---- Places by conditions ---- */

static void put_numbers(lb_fault *at, const lb_kernel *kernel, lb_place_fits fits,
                        const lb_place_span *span, lb_fault_sink sink, void *user)
{
    for (int32_t i = 0; span->numbers ? span->numbers[i] != LB_NO_NUMBER : i <= span->most; i++) {
        at->argument = span->numbers ? span->numbers[i] : i;
        if (fits(kernel, at))
            sink(user, at);
    }
}

void lb_put_places(const lb_fault_kind *kind, const lb_fault_scope *scope, lb_place_fits fits,
                   const lb_place_span *span, lb_fault_sink sink, void *user)
{
    lb_fault at = {.kind = kind};
    for (int role = span->role.first; scope->kernel->exact && role <= span->role.last; role++)
        for (int other = span->other.first; other <= span->other.last; other++)
            for (int dim = span->dim.first; dim <= span->dim.last; dim++)
                for (int to = span->to.first; to <= span->to.last; to++) {
                    at.role = (int8_t)role;
                    at.other_role = (int8_t)other;
                    at.dim = (int8_t)dim;
                    at.other_dim = (int8_t)to;
                    put_numbers(&at, scope->kernel, fits, span, sink, user);
                }
}

/* ---- One place of a function ---- */

LB_NUMBERS(lb_places_gates, lb_is_recurrent(kernel), 0)
LB_NUMBERS(lb_places_argmax, lb_pattern_of(kernel) == LB_PATTERN_SLICES, 0)
LB_NUMBERS(lb_places_mov, kernel->config_kind == LB_CONFIG_MOV, 0)
