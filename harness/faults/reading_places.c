/* Where readings of operands, configurations and movements can sit in a function. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"

#include <string.h>

static void put(const lb_fault *fault, lb_fault_sink sink, void *user)
{
    sink(user, fault);
}

/* Elements are read by index, and not all in a row whatever the shape. */
static bool reads_by_index(const lb_kernel *kernel, int role)
{
    bool in_a_row =
        (kernel->family == LB_FAMILY_FULLY_CONNECTED || kernel->family == LB_FAMILY_RNN_DENSE) &&
        role == LB_ROLE_IN;
    bool is_slope = role == LB_ROLE_SLOPE && kernel->family == LB_FAMILY_LEAKY_RELU;
    return lb_reads_data(kernel, role) && !in_a_row && !is_slope;
}

/* Of an operand that is one element there is no other one. */
static bool reads_many(const lb_kernel *kernel, int role)
{
    bool is_one = kernel->family == LB_FAMILY_LEAKY_RELU && role == LB_ROLE_SLOPE;
    return lb_reads_data(kernel, role) && !is_one;
}

LB_PLACES(lb_places_group_begins)
{
    for (int wraps = 0; scope->kernel->family == LB_FAMILY_GROUP_CONV2D && wraps < 2; wraps++)
        put(&(lb_fault){.kind = kind, .argument = wraps}, sink, user);
}

LB_DESCRIBES(lb_tell_begins)
{
    (void)arena;
    return fault->argument == 1 ? "beyond the last again from the first"
                                : "beyond the last what lies behind it";
}

/* ---- Roles ---- */

LB_PLACES(lb_places_read)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (lb_reads_data(scope->kernel, role))
            put(&(lb_fault){.kind = kind, .role = (int8_t)role}, sink, user);
}

LB_PLACES(lb_places_read_both_ways)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (int by = -1; by <= 1; by += 2)
            if (reads_many(scope->kernel, role))
                put(&(lb_fault){.kind = kind, .role = (int8_t)role, .argument = by}, sink, user);
}

/* Roles whose tensors may have gaps. */
static bool reads_strided(const lb_kernel *kernel, int role)
{
    return reads_by_index(kernel, role) && lb_may_have_gaps(kernel, role) && role != LB_ROLE_BIAS &&
           role != LB_ROLE_SLOPE && role != LB_ROLE_CELL && role != LB_ROLE_PREV_OUT &&
           !lb_is_recurrent(kernel);
}

/* All of them at once: where there are several, and with the output. */
LB_PLACES(lb_places_all_strided)
{
    int reads = 0;
    bool writes = false;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        reads += reads_strided(scope->kernel, role);
        writes |= lb_writes_data(scope->kernel, role) && lb_may_have_gaps(scope->kernel, role);
    }
    if (reads > 1)
        put(&(lb_fault){.kind = kind}, sink, user);
    if (reads > 0 && writes)
        put(&(lb_fault){.kind = kind, .argument = 1}, sink, user);
}

LB_PLACES(lb_places_read_strided)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (reads_strided(scope->kernel, role))
            put(&(lb_fault){.kind = kind, .role = (int8_t)role}, sink, user);
}

/* Tensors of one shape, whose strides may be taken for each other's. */
LB_PLACES(lb_places_strides_of_other)
{
    static const int roles[] = {LB_ROLE_IN, LB_ROLE_IN1, LB_ROLE_IN2, LB_ROLE_OUT};
    enum { COUNT = sizeof roles / sizeof *roles };
    bool by_place = lb_families[scope->kernel->family].reach == LB_REACH_PLACE;
    for (size_t i = 0; i < COUNT && by_place; i++)
        for (size_t k = 0; k < COUNT; k++) {
            lb_fault fault = {
                .kind = kind, .role = (int8_t)roles[i], .other_role = (int8_t)roles[k]};
            if (i != k && roles[i] != LB_ROLE_OUT && reads_by_index(scope->kernel, roles[i]) &&
                lb_may_have_gaps(scope->kernel, roles[i]) &&
                lb_fault_role_use(scope->kernel, roles[k]) != LB_USE_NONE &&
                lb_may_have_gaps(scope->kernel, roles[k]))
                put(&fault, sink, user);
        }
}

/* What is added or multiplied beside the main operands, and may be forgotten. */
LB_PLACES(lb_places_side_operands)
{
    static const int roles[] = {LB_ROLE_BIAS, LB_ROLE_SLOPE, LB_ROLE_PREV_OUT, LB_ROLE_CELL};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (lb_reads_data(scope->kernel, roles[i]))
            put(&(lb_fault){.kind = kind, .role = (int8_t)roles[i]}, sink, user);
}

/* A number for each channel; powers of 2 as argument. */
static void put_channel_vectors(const lb_fault_kind *kind, const lb_fault_scope *scope,
                                int32_t first, int32_t last, lb_fault_sink sink, void *user)
{
    static const int roles[] = {LB_ROLE_BIAS, LB_ROLE_SLOPE};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        for (int32_t n = first; n <= last; n *= 2)
            if (lb_reads_data(scope->kernel, roles[i]) && !lb_is_recurrent(scope->kernel))
                put(&(lb_fault){.kind = kind, .role = (int8_t)roles[i], .argument = n}, sink, user);
}

LB_PLACES(lb_places_channel_vectors)
{
    put_channel_vectors(kind, scope, 2, 16, sink, user);
}

LB_PLACES(lb_places_channel_vectors_beyond)
{
    put_channel_vectors(kind, scope, 1, 64, sink, user);
}

/* Operands of which one element may serve for all. */
LB_PLACES(lb_places_broadcast)
{
    static const int roles[] = {LB_ROLE_BIAS, LB_ROLE_SLOPE, LB_ROLE_IN1, LB_ROLE_IN2};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (reads_many(scope->kernel, roles[i]))
            put(&(lb_fault){.kind = kind, .role = (int8_t)roles[i]}, sink, user);
}

/* ---- Dimensions ---- */

/* Dimensions that can be longer than this. */
static bool reads_beyond(const lb_kernel *kernel, int role, int dim, uint32_t length)
{
    return reads_by_index(kernel, role) && lb_longest(kernel, role, (unsigned)dim) > length;
}

LB_PLACES(lb_places_read_dims)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (int dim = 0; dim < (int)lb_dims_of(scope->kernel, role); dim++)
            if (reads_beyond(scope->kernel, role, dim, 1))
                put(&(lb_fault){.kind = kind, .role = (int8_t)role, .dim = (int8_t)dim}, sink,
                    user);
}

/* Outer dimensions of tensors that may have gaps. */
LB_PLACES(lb_places_strided_dims)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (int dim = 0; dim + 1 < (int)lb_dims_of(scope->kernel, role); dim++)
            if (reads_by_index(scope->kernel, role) && lb_may_have_gaps(scope->kernel, role) &&
                role != LB_ROLE_BIAS && !lb_is_recurrent(scope->kernel))
                put(&(lb_fault){.kind = kind, .role = (int8_t)role, .dim = (int8_t)dim}, sink,
                    user);
}

LB_PLACES(lb_places_read_dims_both_ways)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (int dim = 0; dim < (int)lb_dims_of(scope->kernel, role); dim++)
            for (int by = -1; by <= 1; by += 2)
                if (reads_beyond(scope->kernel, role, dim, 1))
                    put(
                        &(lb_fault){
                            .kind = kind, .role = (int8_t)role, .dim = (int8_t)dim, .argument = by},
                        sink, user);
}

LB_PLACES(lb_places_read_blocks)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (int dim = 0; dim < (int)lb_dims_of(scope->kernel, role); dim++)
            for (int block = 4; block <= 512; block *= 2)
                if (reads_beyond(scope->kernel, role, dim, (uint32_t)block))
                    put(&(lb_fault){.kind = kind,
                                    .role = (int8_t)role,
                                    .dim = (int8_t)dim,
                                    .argument = block},
                        sink, user);
}

LB_PLACES(lb_places_mirrored)
{
    if (lb_is_conv(scope->kernel) && scope->kernel->kernel_size != 1)
        put(&(lb_fault){.kind = kind, .role = LB_ROLE_WEIGHTS}, sink, user);
}

/* ---- Orders: decimal digits, from 1 ---- */

static void put_orders(const lb_fault *like, const int *orders, lb_fault_sink sink, void *user)
{
    for (; *orders != 0; orders++) {
        lb_fault fault = *like;
        fault.argument = *orders;
        sink(user, &fault);
    }
}

static const int orders_2[] = {21, 0};
static const int orders_3[] = {132, 213, 231, 312, 321, 0};
static const int orders_4[] = {1243, 1324, 1342, 1423, 1432, 2134, 2143, 2314,
                               2341, 2413, 2431, 3124, 3142, 3214, 3241, 3412,
                               3421, 4123, 4132, 4213, 4231, 4312, 4321, 0};
static const int few_orders_4[] = {1243, 1324, 1342, 1423, 2134, 2341, 4123, 4321, 0};

LB_PLACES(lb_places_orders)
{
    const lb_kernel *kernel = scope->kernel;
    bool is_movement = kernel->family == LB_FAMILY_PERMUTE || kernel->family == LB_FAMILY_MOV;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        unsigned dims = lb_dims_of(kernel, role);
        bool any_rank = dims == LB_MAX_RANK && role != LB_ROLE_WEIGHTS;
        lb_fault like = {.kind = kind, .role = (int8_t)role};
        if (!reads_by_index(kernel, role) || is_movement)
            continue;
        if (dims == 2 || any_rank)
            put_orders(&like, orders_2, sink, user);
        if (dims == 3 || any_rank)
            put_orders(&like, orders_3, sink, user);
        if (dims == 4)
            put_orders(&like, any_rank ? few_orders_4 : orders_4, sink, user);
    }
}

static const int gate_roles[] = {LB_ROLE_WEIGHTS_IN, LB_ROLE_WEIGHTS_OUT, LB_ROLE_BIAS};

/* In one operand: pairs of gates exchanged, and one gate read for another. */
LB_PLACES(lb_places_gates_of_one)
{
    static const int of_4[] = {1243, 1324, 1432, 2134, 3214, 4231, 2234, 3234, 4234, 1134,
                               1334, 1434, 1214, 1224, 1244, 1231, 1232, 1233, 0};
    static const int of_3[] = {132, 213, 321, 223, 323, 113, 133, 121, 122, 0};
    unsigned gates = lb_gate_count(scope->kernel);
    for (size_t i = 0; gates > 0 && i < sizeof gate_roles / sizeof *gate_roles; i++) {
        lb_fault like = {.kind = kind, .role = (int8_t)gate_roles[i]};
        put_orders(&like, gates == 4 ? of_4 : of_3, sink, user);
    }
}

LB_PLACES(lb_places_gates_of_all)
{
    unsigned gates = lb_gate_count(scope->kernel);
    if (gates > 0)
        put_orders(&(lb_fault){.kind = kind}, gates == 4 ? orders_4 : orders_3, sink, user);
}

LB_PLACES(lb_places_group_ways)
{
    for (int by = -1; by <= 1; by += 2)
        if (scope->kernel->family == LB_FAMILY_GROUP_CONV2D)
            put(&(lb_fault){.kind = kind, .argument = by}, sink, user);
}

/* ---- Pairs of operands ---- */

LB_PLACES(lb_places_exchanged)
{
    static const int8_t pairs[][2] = {{LB_ROLE_IN1, LB_ROLE_IN2},
                                      {LB_ROLE_WEIGHTS_IN, LB_ROLE_WEIGHTS_OUT},
                                      {LB_ROLE_IN, LB_ROLE_PREV_OUT},
                                      {LB_ROLE_PREV_OUT, LB_ROLE_CELL}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (lb_reads_data(scope->kernel, pairs[i][0]) && lb_reads_data(scope->kernel, pairs[i][1]))
            put(&(lb_fault){.kind = kind, .role = pairs[i][0], .other_role = pairs[i][1]}, sink,
                user);
}

LB_PLACES(lb_places_lists_exchanged)
{
    if (scope->kernel->family != LB_FAMILY_RNN_DENSE)
        return;
    put(&(lb_fault){.kind = kind, .role = LB_ROLE_IN}, sink, user);
    put(&(lb_fault){.kind = kind, .role = LB_ROLE_WEIGHTS}, sink, user);
}

/* The other operations give the same either way round. */
LB_PLACES(lb_places_difference)
{
    if (scope->kernel->op == LB_OP_SUB)
        put(&(lb_fault){.kind = kind, .role = LB_ROLE_IN1, .other_role = LB_ROLE_IN2}, sink, user);
}

LB_PLACES(lb_places_scalar_difference)
{
    for (int32_t which = 0; which < 2 && scope->kernel->op == LB_OP_SUB; which++)
        put(
            &(lb_fault){
                .kind = kind, .role = LB_ROLE_IN1, .other_role = LB_ROLE_IN2, .argument = which},
            sink, user);
}

LB_DESCRIBES(lb_tell_scalar)
{
    (void)arena;
    return fault->argument == 0 ? "the first one" : "the second one";
}

/* ---- Forms of elements ---- */

/* Models that take elements as wide as they come. */
LB_PLACES(lb_places_unsigned)
{
    const lb_kernel *kernel = scope->kernel;
    bool recurrent = lb_is_recurrent(kernel);
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        uint32_t type = lb_type_of_role(kernel, role);
        bool is_weights = lb_role_is_weights((lb_role)role);
        bool fits = kernel->family == LB_FAMILY_RNN_DENSE ? is_weights && type != LB_FX16
                    : recurrent                           ? is_weights && type == LB_SA8
                                                          : kernel->family == LB_FAMILY_ELTWISE ||
                                      kernel->family == LB_FAMILY_PRELU ||
                                      kernel->family == LB_FAMILY_LEAKY_RELU ||
                                      kernel->family == LB_FAMILY_AVEPOOL ||
                                      kernel->family == LB_FAMILY_MAXPOOL || lb_has_weights(kernel);
        if (fits && lb_reads_data(kernel, role) && role != LB_ROLE_BIAS)
            put(&(lb_fault){.kind = kind, .role = (int8_t)role}, sink, user);
    }
}

/* Elements of more than one byte. */
LB_PLACES(lb_places_wide)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        uint32_t type = lb_type_of_role(scope->kernel, role);
        if (lb_reads_data(scope->kernel, role) && (type == 0 || lb_element_bytes(type) > 1) &&
            scope->kernel->family != LB_FAMILY_FLOAT4)
            put(&(lb_fault){.kind = kind, .role = (int8_t)role}, sink, user);
    }
}

LB_PLACES(lb_places_held)
{
    static const int32_t bits[] = {8, 12, 16, 24};
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
            uint32_t type = lb_type_of_role(scope->kernel, role);
            bool fits = type == 0 || 8 * lb_element_bytes(type) > (unsigned)bits[i];
            if (fits && lb_reads_data(scope->kernel, role) &&
                scope->kernel->family != LB_FAMILY_FLOAT4)
                put(&(lb_fault){.kind = kind, .role = (int8_t)role, .argument = bits[i]}, sink,
                    user);
        }
}

/* Elements that are integers. */
LB_PLACES(lb_places_integers)
{
    if (scope->kernel->family != LB_FAMILY_FLOAT4)
        lb_places_read(kind, scope, sink, user);
}

/* ---- Configurations ---- */

static void put_arguments(const lb_fault_kind *kind, bool holds, int first, int last,
                          lb_fault_sink sink, void *user)
{
    for (int argument = first; holds && argument <= last; argument++)
        put(&(lb_fault){.kind = kind, .argument = argument}, sink, user);
}

LB_PLACES(lb_places_relu)
{
    put_arguments(kind, lb_has_relu(scope->kernel), 0, 3, sink, user);
}

LB_PLACES(lb_places_act)
{
    put_arguments(kind, scope->kernel->family == LB_FAMILY_LSTM, 0, 2, sink, user);
}

LB_PLACES(lb_places_axis)
{
    lb_config_kind config = scope->kernel->config_kind;
    bool reads = lb_reads_data(scope->kernel, LB_ROLE_IN);
    put_arguments(kind, (config == LB_CONFIG_AXIS || config == LB_CONFIG_ARGMAX) && reads, -1, 3,
                  sink, user);
}

static bool moves(const lb_kernel *kernel)
{
    return kernel->config_kind == LB_CONFIG_MOV && kernel->exact;
}

LB_PLACES(lb_places_mov_dims)
{
    for (int follow = 0; moves(scope->kernel) && follow < 2; follow++)
        for (int8_t dim = 0; dim <= LB_MAX_RANK; dim++)
            put(&(lb_fault){.kind = kind, .dim = dim, .argument = follow}, sink, user);
}

LB_PLACES(lb_places_mov_neighbours)
{
    for (int follow = 0; moves(scope->kernel) && follow < 2; follow++)
        for (int8_t dim = 0; dim + 1 < LB_MAX_RANK; dim++)
            put(&(lb_fault){.kind = kind, .dim = dim, .argument = follow}, sink, user);
}

LB_PLACES(lb_places_mov_sides)
{
    for (int follow = 0; moves(scope->kernel) && follow < 2; follow++)
        put(&(lb_fault){.kind = kind, .argument = follow}, sink, user);
}

/* Helpers, and the functions that fill configurations. */
static const lb_config_field *argument_fields(const lb_kernel *kernel)
{
    bool fills = lb_filled_config(kernel) == LB_CONFIG_MOV;
    return kernel->exact && (kernel->family == LB_FAMILY_HELPER || fills)
               ? lb_config_fields(kernel->config_kind)
               : NULL;
}

static void put_entries(const lb_fault_kind *kind, const lb_fault_scope *scope, unsigned less,
                        lb_fault_sink sink, void *user)
{
    const lb_config_field *fields = argument_fields(scope->kernel);
    for (int i = 0; fields && fields[i].name; i++)
        for (unsigned entry = 0; entry + less < fields[i].count; entry++)
            put(&(lb_fault){.kind = kind, .argument = i, .dim = (int8_t)entry}, sink, user);
}

LB_PLACES(lb_places_arguments)
{
    put_entries(kind, scope, 0, sink, user);
}

LB_PLACES(lb_places_argument_pairs)
{
    put_entries(kind, scope, 1, sink, user);
}

LB_PLACES(lb_places_two_arguments)
{
    const lb_config_field *fields = argument_fields(scope->kernel);
    for (int8_t a = 0; fields && fields[a].name; a++)
        for (int8_t b = (int8_t)(a + 1); fields[b].name; b++)
            if (fields[a].type == fields[b].type && fields[a].count == fields[b].count)
                put(&(lb_fault){.kind = kind, .dim = a, .other_dim = b, .role = LB_ROLE_IN}, sink,
                    user);
}

LB_PLACES(lb_places_compare)
{
    if (scope->kernel->family == LB_FAMILY_HELPER && scope->kernel->exact &&
        lb_fault_role_use(scope->kernel, LB_ROLE_IN2) != LB_USE_NONE)
        put(&(lb_fault){.kind = kind}, sink, user);
}

/* ---- In words ---- */

LB_DESCRIBES(lb_tell_argument)
{
    return lb_arena_printf(arena, "%d", (int)fault->argument);
}

LB_DESCRIBES(lb_tell_dim)
{
    return lb_arena_printf(arena, "dimension %d", fault->dim);
}

static const char *tell_following(const lb_fault *fault)
{
    return fault->argument == 0 ? "" : "numbers of elements too";
}

LB_DESCRIBES(lb_tell_mov_dim)
{
    const char *following = tell_following(fault), *between = *following ? ", " : "";
    return fault->dim == LB_MAX_RANK
               ? lb_arena_printf(arena, "all dimensions%s%s", between, following)
               : lb_arena_printf(arena, "dimension %d%s%s", fault->dim, between, following);
}

LB_DESCRIBES(lb_tell_mov_side)
{
    (void)arena;
    return tell_following(fault);
}

LB_DESCRIBES(lb_tell_entry)
{
    return lb_arena_printf(arena, "argument %d, entry %d", (int)fault->argument + 1, fault->dim);
}

LB_DESCRIBES(lb_tell_two_arguments)
{
    return lb_arena_printf(arena, "arguments %d and %d", fault->dim + 1, fault->other_dim + 1);
}

LB_DESCRIBES(lb_tell_relu)
{
    static const char *const names[] = {"none", "gen", "relu1", "relu6"};
    (void)arena;
    return names[fault->argument];
}

LB_DESCRIBES(lb_tell_act)
{
    static const char *const names[] = {"none", "tanh", "sigm"};
    (void)arena;
    return names[fault->argument];
}
