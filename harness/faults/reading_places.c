/* Where readings of operands, configurations and movements can sit in a function. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"
#include "reference/describe/check.h"

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

/* ---- Roles ---- */

LB_ROLES(lb_places_read, LB_NO_DIMS, lb_reads_data(kernel, at->role), 0)

LB_ROLES(lb_places_read_both_ways, LB_NO_DIMS, reads_many(kernel, at->role), -1, 1)

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

LB_ROLES(lb_places_read_strided, LB_NO_DIMS, reads_strided(kernel, at->role), 0)

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

/* A number for each channel. */
static bool is_channel_vector(const lb_kernel *kernel, int role)
{
    return (role == LB_ROLE_BIAS || role == LB_ROLE_SLOPE) && lb_reads_data(kernel, role) &&
           !lb_is_recurrent(kernel);
}

LB_ROLES(lb_places_channel_vectors, LB_NO_DIMS, is_channel_vector(kernel, at->role), 2, 4, 8, 16)
LB_ROLES(lb_places_channel_vectors_beyond, LB_NO_DIMS, is_channel_vector(kernel, at->role), 1, 2, 4,
         8, 16, 32, 64)

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
static bool reads_beyond(const lb_kernel *kernel, const lb_fault *at, int32_t length)
{
    return reads_by_index(kernel, at->role) &&
           lb_longest(kernel, at->role, (unsigned)at->dim) > (uint32_t)length;
}

LB_ROLES(lb_places_read_dims, LB_EACH_DIM, reads_beyond(kernel, at, 1), 0)

/* Outer dimensions of tensors that may have gaps. */
LB_ROLES(lb_places_strided_dims, LB_OUTER_DIMS,
         reads_by_index(kernel, at->role) && lb_may_have_gaps(kernel, at->role) &&
             at->role != LB_ROLE_BIAS && !lb_is_recurrent(kernel),
         0)

LB_ROLES(lb_places_read_dims_both_ways, LB_EACH_DIM, reads_beyond(kernel, at, 1), -1, 1)

LB_ROLES(lb_places_read_blocks, LB_EACH_DIM, reads_beyond(kernel, at, at->argument), 4, 8, 16, 32,
         64, 128, 256, 512)

LB_ROLES(lb_places_mirrored, LB_NO_DIMS,
         at->role == LB_ROLE_WEIGHTS && lb_is_conv(kernel) && kernel->kernel_size != 1, 0)

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

static bool may_have_rank(const lb_kernel *kernel, int role, int rank)
{
    const lb_leaf_range range =
        lb_checks_bound(kernel, (lb_leaf){.kind = LB_LEAF_RANK, .role = (int8_t)role});
    return rank >= range.low && rank <= range.high;
}

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
        if (dims == 2 || (any_rank && may_have_rank(kernel, role, 2)))
            put_orders(&like, orders_2, sink, user);
        if (dims == 3 || (any_rank && may_have_rank(kernel, role, 3)))
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

LB_ROLES(lb_places_lists_exchanged, LB_NO_DIMS,
         kernel->family == LB_FAMILY_RNN_DENSE &&
             (at->role == LB_ROLE_IN || at->role == LB_ROLE_WEIGHTS),
         0)

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
static bool takes_as_they_come(const lb_kernel *kernel, int role)
{
    uint32_t type = lb_type_of_role(kernel, role);
    bool is_weights = lb_role_is_weights((lb_role)role);
    if (!lb_reads_data(kernel, role) || role == LB_ROLE_BIAS)
        return false;
    if (kernel->family == LB_FAMILY_RNN_DENSE)
        return is_weights && type != LB_FX16;
    if (lb_is_recurrent(kernel))
        return is_weights && type == LB_SA8;
    return kernel->family == LB_FAMILY_ELTWISE || kernel->family == LB_FAMILY_PRELU ||
           kernel->family == LB_FAMILY_LEAKY_RELU || lb_is_pool(kernel) || lb_has_weights(kernel);
}

LB_ROLES(lb_places_unsigned, LB_NO_DIMS, takes_as_they_come(kernel, at->role), 0)

/* Integers of more bits. */
static bool reads_wider(const lb_kernel *kernel, int role, int32_t bits)
{
    uint32_t type = lb_type_of_role(kernel, role);
    return lb_reads_data(kernel, role) && kernel->family != LB_FAMILY_FLOAT4 &&
           (type == 0 || 8 * lb_element_bytes(type) > (unsigned)bits);
}

LB_ROLES(lb_places_wide, LB_NO_DIMS, reads_wider(kernel, at->role, 8), 0)

LB_ROLES(lb_places_held, LB_NO_DIMS, reads_wider(kernel, at->role, at->argument), 8, 12, 16, 24)

/* Elements that are integers. */
LB_ROLES(lb_places_integers, LB_NO_DIMS,
         kernel->family != LB_FAMILY_FLOAT4 && lb_reads_data(kernel, at->role), 0)

/* ---- Configurations ---- */

LB_NUMBERS(lb_places_axis, lb_has_axis(kernel), -1, 0, 1, 2, 3)

LB_NUMBERS(lb_places_compare,
           kernel->family == LB_FAMILY_HELPER &&
               lb_fault_role_use(kernel, LB_ROLE_IN2) != LB_USE_NONE,
           0)

/* ---- In words ---- */

LB_DESCRIBES(lb_tell_argument)
{
    return lb_arena_printf(arena, "%d", (int)fault->argument);
}
