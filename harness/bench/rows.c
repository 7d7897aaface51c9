/* The rows of lastbit bench and their operands: see rows.h. */
#include "harness/bench/operands.h"
#include "harness/generate/random.h"
#include "reference/describe/map.h"
#include "reference/describe/program.h"

#include <stdlib.h>
#include <string.h>

#define CONV(v)      "mli_krn_conv2d_hwcn_" v
#define DEPTHWISE(v) "mli_krn_depthwise_conv2d_hwcn_" v
#define S8           "sa8_sa8_sa32"
#define S16X8        "fx16_fx8_fx8"
#define S16          "fx16"
#define MOV          "mli_mov_tensor_sync"
#define CONVERT      "mli_hlp_convert_tensor"
/* Shape, kernel, channels and stride as below, and what only some have. */
#define ROW(name_, function_, peak_, ...)                                                          \
    {                                                                                              \
        .name = name_, function_, LB_PEAK_##peak_, __VA_ARGS__                                     \
    }
#define LITERT(name_, function_, peak_, ...)                                                       \
    {                                                                                              \
        "litert_" name_, "litert_" function_, LB_PEAK_##peak_, __VA_ARGS__, .groups = 0            \
    }

/* name, function, peak, in, kernel, channels, stride, pad, and by name what only some functions
 * have */
static const lb_bench_row own_rows[] = {
    ROW("conv1x1_s8_28x256", CONV(S8 "_k1x1"), MAC_S8, {28, 28, 256}, 1, 256, 1, 0),
    ROW("conv1x1_s8_7x1024", CONV(S8 "_k1x1"), MAC_S8, {7, 7, 1024}, 1, 1024, 1, 0),
    ROW("conv3x3_s8_28x64", CONV(S8 "_k3x3"), MAC_S8, {28, 28, 64}, 3, 64, 1, 1),
    ROW("conv3x3s2_s8_224x3", CONV(S8 "_k3x3"), MAC_S8, {224, 224, 3}, 3, 32, 2, 1),
    ROW("dw3x3_s8_56x128", DEPTHWISE(S8 "_k3x3"), MAC_S8, {56, 56, 128}, 3, 128, 1, 1),
    ROW("fc_s8_1024x1000", "mli_krn_fully_connected_" S8, LOAD_L3, {1024}, 0, 1000, 0, 0),
    ROW("conv3x3_s16_28x64", CONV(S16 "_k3x3"), MAC_S16, {28, 28, 64}, 3, 64, 1, 1),
    ROW("conv1x1_s16x8_28x256", CONV(S16X8 "_k1x1"), MAC_S16, {28, 28, 256}, 1, 256, 1, 0),
    ROW("dw3x3_s16_56x128", DEPTHWISE(S16 "_k3x3"), MAC_S16, {56, 56, 128}, 3, 128, 1, 1),
    ROW("maxpool3x3s2_s8_112x64", "mli_krn_maxpool_hwc_sa8", LOAD_L2, {112, 112, 64}, 3, 0, 2, 1),
    ROW("add_s8_64k", "mli_krn_eltwise_add_sa8", LOAD_L2, {65536}, 0, 0, 0, 0),
    ROW("sigmoid_s8_64k", "mli_krn_sigm_sa8", LOAD_L2, {65536}, 0, 0, 0, 0),
    ROW("lstm_s8_128", "mli_krn_lstm_cell_" S8, MAC_S8, {16, 128}, 0, 128, 0, 0),
    /* beyond the table of targets */
    ROW("conv5x5_s8_28x32", CONV(S8 "_k5x5"), MAC_S8, {28, 28, 32}, 5, 32, 1, 2),
    ROW("conv3x3_s16x8_28x64", CONV(S16X8 "_k3x3"), MAC_S16, {28, 28, 64}, 3, 64, 1, 1),
    ROW("dw3x3_s16x8_56x128", DEPTHWISE(S16X8 "_k3x3"), MAC_S16, {56, 56, 128}, 3, 128, 1, 1),
    ROW("group3x3_s8_28x64", "mli_krn_group_conv2d_hwcn_" S8 "_k3x3", MAC_S8, {28, 28, 64}, 3, 64,
        1, 1, .groups = 4),
    ROW("transpose4x4s2_s8_14x64", "mli_krn_transpose_conv2d_hwcn_" S8 "_k4x4_str2", MAC_S8,
        {14, 14, 64}, 4, 64, 2, 1),
    ROW("fc_s16x8_1024x1000", "mli_krn_fully_connected_" S16X8, LOAD_L3, {1024}, 0, 1000, 0, 0),
    ROW("fc_s16_1024x1000", "mli_krn_fully_connected_" S16, LOAD_L3, {1024}, 0, 1000, 0, 0),
    ROW("avepool3x3s2_s8_112x64", "mli_krn_avepool_hwc_sa8", LOAD_L2, {112, 112, 64}, 3, 0, 2, 1),
    ROW("add_s16_64k", "mli_krn_eltwise_add_fx16", LOAD_L2, {65536}, 0, 0, 0, 0),
    ROW("mul_s8_64k", "mli_krn_eltwise_mul_sa8", LOAD_L2, {65536}, 0, 0, 0, 0),
    ROW("sigmoid_s16_64k", "mli_krn_sigm_fx16", LOAD_L2, {65536}, 0, 0, 0, 0),
    ROW("tanh_s8_64k", "mli_krn_tanh_sa8", LOAD_L2, {65536}, 0, 0, 0, 0),
    ROW("lstm_s16_128", "mli_krn_lstm_cell_" S16, MAC_S16, {16, 128}, 0, 128, 0, 0),
    ROW("gru_s8_128", "mli_krn_gru_cell_" S8, MAC_S8, {16, 128}, 0, 128, 0, 0),
    /* windows: strides of 2, and a whole map at once */
    ROW("maxpool3x3s2_s16_112x64", "mli_krn_maxpool_hwc_fx16", LOAD_L2, {112, 112, 64}, 3, 0, 2, 1),
    ROW("maxpool2x2s2_s8_112x32", "mli_krn_maxpool_hwc_sa8_k2x2", LOAD_L2, {112, 112, 32}, 2, 0, 2,
        0),
    ROW("avepool3x3s2_s16_112x64", "mli_krn_avepool_hwc_fx16", LOAD_L2, {112, 112, 64}, 3, 0, 2, 1),
    ROW("avepool7x7_s8_7x1024", "mli_krn_avepool_hwc_sa8", LOAD_L2, {7, 7, 1024}, 7, 0, 1, 0),
    ROW("avepool7x7_s16_7x1024", "mli_krn_avepool_hwc_fx16", LOAD_L2, {7, 7, 1024}, 7, 0, 1, 0),
    /* groups: one, or a line for each row */
    ROW("softmax_s8_1000", "mli_krn_softmax_sa8", LOAD_L2, {1000}, 0, 0, 0, 0),
    ROW("softmax_s16_1000", "mli_krn_softmax_fx16", LOAD_L2, {1000}, 0, 0, 0, 0),
    ROW("softmax_s8_256x256", "mli_krn_softmax_sa8", LOAD_L2, {256, 256}, 0, 0, 0, 0),
    ROW("softmax_s16_256x256", "mli_krn_softmax_fx16", LOAD_L2, {256, 256}, 0, 0, 0, 0),
    ROW("l2_normalize_s8_256x256", "mli_krn_l2_normalize_sa8", LOAD_L2, {256, 256}, 0, 0, 0, 0),
    ROW("l2_normalize_s16_256x256", "mli_krn_l2_normalize_fx16", LOAD_L2, {256, 256}, 0, 0, 0, 0),
    ROW("argmax_s8_64k", "mli_krn_argmax_sa8", LOAD_L2, {65536}, 0, 0, 0, 0),
    ROW("argmax_s16_64k", "mli_krn_argmax_fx16", LOAD_L2, {65536}, 0, 0, 0, 0),
    /* movement: HWC to CHW and back, channels of an memory, a border of zeros */
    ROW("permute_s8_56x64", "mli_krn_permute_sa8", LOAD_L2, {56, 56, 64}, 0, 0, 0, 0,
        .order = {2, 0, 1}),
    ROW("permute_s16_56x64", "mli_krn_permute_fx16", LOAD_L2, {56, 56, 64}, 0, 0, 0, 0,
        .order = {2, 0, 1}),
    ROW("permute_s8_224x3", "mli_krn_permute_sa8", LOAD_L2, {224, 224, 3}, 0, 0, 0, 0,
        .order = {2, 0, 1}),
    ROW("mov_transpose_s8_64x56", MOV, LOAD_L2, {64, 56, 56}, 0, 0, 0, 0, .type = LB_SA8,
        .order = {1, 2, 0}),
    ROW("mov_pad_s8_56x64", MOV, LOAD_L2, {56, 56, 64}, 0, 0, 0, 1, .type = LB_SA8,
        .order = {0, 1, 2}),
    /* formats: the type of the input, that of the output */
    ROW("convert_s8_s8_64k", CONVERT, LOAD_L2, {65536}, 0, 0, 0, 0, .type = LB_SA8,
        .out_type = LB_SA8),
    ROW("convert_s8_s16_64k", CONVERT, LOAD_L2, {65536}, 0, 0, 0, 0, .type = LB_SA8,
        .out_type = LB_FX16),
    ROW("convert_s16_s8_64k", CONVERT, LOAD_L2, {65536}, 0, 0, 0, 0, .type = LB_FX16,
        .out_type = LB_SA8),
    ROW("convert_s32_s8_64k", CONVERT, LOAD_L2, {65536}, 0, 0, 0, 0, .type = LB_SA32,
        .out_type = LB_SA8),
    ROW("convert_f32_s8_64k", CONVERT, LOAD_L2, {65536}, 0, 0, 0, 0, .type = LB_FP32,
        .out_type = LB_SA8),
    ROW("convert_s8_f32_64k", CONVERT, LOAD_L2, {65536}, 0, 0, 0, 0, .type = LB_SA8,
        .out_type = LB_FP32),
    /* of LiteRT: whole shapes */
    LITERT("conv1x1_s8_28x256", "conv_2d_s8", MAC_S8, {1, 28, 28, 256}, 1, 256, 1, 0),
    LITERT("conv3x3_s8_28x64", "conv_2d_s8", MAC_S8, {1, 28, 28, 64}, 3, 64, 1, 1),
    LITERT("conv3x3s2_s8_224x3", "conv_2d_s8", MAC_S8, {1, 224, 224, 3}, 3, 32, 2, 1),
    LITERT("conv3x3_s16_28x64", "conv_2d_s16", MAC_S16, {1, 28, 28, 64}, 3, 64, 1, 1),
    LITERT("dw3x3_s8_56x128", "depthwise_conv_2d_s8", MAC_S8, {1, 56, 56, 128}, 3, 128, 1, 1),
    LITERT("dw3x3_s16_56x128", "depthwise_conv_2d_s16", MAC_S16, {1, 56, 56, 128}, 3, 128, 1, 1),
    LITERT("transpose4x4s2_s8_14x64", "transpose_conv_s8", MAC_S8, {1, 14, 14, 64}, 4, 64, 2, 1),
    LITERT("transpose4x4s2_s16_14x64", "transpose_conv_s16", MAC_S16, {1, 14, 14, 64}, 4, 64, 2, 1),
    LITERT("fc_s8_1024x1000", "fully_connected_s8", LOAD_L3, {1, 1024}, 0, 1000, 0, 0),
    LITERT("fc_per_channel_s8_1024x1000", "fully_connected_per_channel_s8", LOAD_L3, {1, 1024}, 0,
           1000, 0, 0),
    LITERT("fc_s16_1024x1000", "fully_connected_s16", LOAD_L3, {1, 1024}, 0, 1000, 0, 0),
    LITERT("fc_per_channel_s16_1024x1000", "fully_connected_per_channel_s16", LOAD_L3, {1, 1024}, 0,
           1000, 0, 0),
    LITERT("maxpool3x3s2_s8_112x64", "max_pool_2d_s8", LOAD_L2, {1, 112, 112, 64}, 3, 0, 2, 1),
    LITERT("maxpool3x3s2_s16_112x64", "max_pool_2d_s16", LOAD_L2, {1, 112, 112, 64}, 3, 0, 2, 1),
    LITERT("avepool7x7_s8_7x1024", "average_pool_2d_s8", LOAD_L2, {1, 7, 7, 1024}, 7, 0, 1, 0),
    LITERT("avepool7x7_s16_7x1024", "average_pool_2d_s16", LOAD_L2, {1, 7, 7, 1024}, 7, 0, 1, 0),
    LITERT("mean_s8_7x1024", "mean_s8", LOAD_L2, {1, 7, 7, 1024}, 0, 0, 0, 0),
    LITERT("mean_s16_7x1024", "mean_s16", LOAD_L2, {1, 7, 7, 1024}, 0, 0, 0, 0),
};
enum { OWN_ROWS = sizeof own_rows / sizeof own_rows[0] };

/* ---- Rows of functions that have none of their own ---- */

static bool has_own_row(const char *function)
{
    bool has = false;
    for (size_t r = 0; r < OWN_ROWS; r++)
        has = has || strcmp(own_rows[r].function, function) == 0;
    return has;
}

static bool is_by_element(const lb_kernel *kernel)
{
    const lb_pattern pattern = lb_pattern_of(kernel);
    return pattern == LB_PATTERN_LIMITS || pattern == LB_PATTERN_SLOPES ||
           pattern == LB_PATTERN_CURVE || pattern == LB_PATTERN_PAIR;
}

/* As rows of their own are called: mli_krn_eltwise_max_sa8 is max_s8. */
static const char *row_name(const lb_kernel *kernel, const char *size, lb_arena *arena)
{
    const char *stem = strstr(kernel->name, "krn_") + strlen("krn_");
    stem += strncmp(stem, "eltwise_", 8) == 0 ? 8 : 0;
    const int length = (int)(strlen(stem) - strlen(lb_el_type_name(kernel->in_type)));
    return kernel->in_type == LB_FX8 ? lb_arena_printf(arena, "%s_%s", stem, size)
                                     : lb_arena_printf(arena, "%.*ss%d_%s", length, stem,
                                                       lb_container_bits(kernel->in_type), size);
}

/* A slope for each channel, where there is more than one. */
static lb_bench_row row_by_element(const lb_kernel *kernel, lb_arena *arena)
{
    const bool has_axis = kernel->config_kind == LB_CONFIG_AXIS;
    lb_bench_row row = {.function = kernel->name, .peak = LB_PEAK_LOAD_L2, .in = {65536}};
    if (has_axis)
        memcpy(row.in, (const uint32_t[4]){56, 56, 64}, sizeof row.in);
    row.name = row_name(kernel, has_axis ? "56x64" : "64k", arena);
    return row;
}

/* Of a set that prepares calls, element by element or along rows. */
static bool is_prepared(const lb_kernel *kernel)
{
    return lb_kernel_set_of(kernel)->prepare && kernel->real;
}

static lb_bench_row row_prepared(const lb_kernel *kernel, lb_arena *arena)
{
    const lb_map *map = lb_map_of(kernel);
    const bool has_rows = map->loops > map->outer;
    lb_bench_row row = {.function = kernel->name, .peak = LB_PEAK_LOAD_L2, .in = {65536}};
    if (has_rows)
        row.in[0] = row.in[1] = 256;
    row.name = lb_arena_printf(arena, "%s_%s", kernel->name, has_rows ? "256x256" : "64k");
    return row;
}

lb_bench_rows lb_bench_all_rows(lb_arena *arena)
{
    size_t count = OWN_ROWS;
    lb_bench_row *rows = lb_arena_array(arena, OWN_ROWS + lb_kernel_total(), sizeof *rows);
    memcpy(rows, own_rows, sizeof own_rows);
    for (size_t k = 0; k < lb_kernel_total(); k++) {
        const lb_kernel *kernel = lb_kernel_at(k);
        if (has_own_row(kernel->name))
            continue;
        if (is_by_element(kernel))
            rows[count++] = row_by_element(kernel, arena);
        else if (is_prepared(kernel))
            rows[count++] = row_prepared(kernel, arena);
    }
    return (lb_bench_rows){rows, count};
}

const char *lb_bench_unit(const lb_bench_row *row)
{
    return row->peak == LB_PEAK_MAC_S8 || row->peak == LB_PEAK_MAC_S16 ? "GMAC/s" : "GB/s";
}

static uint32_t rank_of(const uint32_t shape[4])
{
    uint32_t rank = 0;
    while (rank < 4 && shape[rank] > 0)
        rank++;
    return rank;
}

/* Height and width of the output of a function with windows (conv.md 6, 9; pooling_and_movement.md
 * 2). */
static uint32_t out_size(const lb_bench_row *row, lb_family family, unsigned dimension)
{
    if (family == LB_FAMILY_TRANSPOSE_CONV2D)
        return (row->in[dimension] - 1) * row->stride + row->kernel - 2 * row->pad;
    return (row->in[dimension] + 2 * row->pad - row->kernel) / row->stride + 1;
}

static bool moves(lb_family family)
{
    return family == LB_FAMILY_PERMUTE || family == LB_FAMILY_MOV;
}

static void out_shape(const lb_bench_row *row, lb_family family, uint32_t shape[4])
{
    memcpy(shape, row->in, 4 * sizeof shape[0]);
    for (unsigned d = 0; moves(family) && d < rank_of(row->in); d++)
        shape[d] = row->in[row->order[d]] + (row->order[d] < 2 ? 2 * row->pad : 0);
    if (family == LB_FAMILY_FULLY_CONNECTED)
        shape[0] = row->channels;
    for (unsigned d = 0; row->kernel > 0 && d < 2; d++)
        shape[d] = out_size(row, family, d);
    if (row->kernel > 0 && row->channels > 0)
        shape[2] = row->channels;
    if (family == LB_FAMILY_LSTM || family == LB_FAMILY_GRU)
        shape[1] = row->channels;
}

static uint32_t gates_of(lb_family family)
{
    return lb_program_of_family(family)->gates;
}

/* Types of the elements of input and output. */
static uint32_t in_type(const lb_bench_row *row)
{
    return row->type ? row->type : lb_kernel_find(row->function)->in_type;
}

static uint32_t out_type(const lb_bench_row *row)
{
    return row->out_type ? row->out_type : in_type(row);
}

/* ---- Work, from what describes the function ---- */

/* Of all outputs with all terms of their sums; of spread inputs those terms that meet one. */
static double products_of_map(const lb_call *call)
{
    lb_bound_map bound;
    double products = 1;
    if (!lb_map_bind(&bound, lb_map_of(call->kernel), call))
        return 0;
    for (unsigned l = 0; l < bound.loops; l++)
        products *= bound.extent[l];
    for (unsigned d = 0; d < bound.access[LB_MAP_X].rank; d++)
        products /= (double)bound.access[LB_MAP_X].index[d].divisor;
    return products;
}

/* Each frame meets all weights once. */
static double products_of_program(const lb_program *program, const lb_call *call)
{
    double weights = 0;
    for (unsigned p = 0; p < program->pairs; p++)
        weights += (double)lb_element_count(call->tensor[program->pair[p].role]);
    return weights * call->tensor[LB_ROLE_IN]->shape[0];
}

static double bytes_of_map(const lb_call *call)
{
    const lb_map *map = lb_map_of(call->kernel);
    double bytes = 0;
    for (unsigned a = 0; a < LB_MAP_ACCESSES; a++) {
        const lb_access *access = &map->access[a];
        const lb_tensor *t = call->tensor[access->role];
        if (access->rank == 0 || access->of_parameters || !t)
            continue;
        bytes += (double)lb_element_count(t) * lb_element_bytes(t->el_type);
    }
    return bytes;
}

double lb_bench_work(const lb_bench_row *row, const lb_call *call)
{
    const lb_program *program = lb_program_of(call->kernel);
    if (program)
        return products_of_program(program, call);
    return row->peak == LB_PEAK_MAC_S8 || row->peak == LB_PEAK_MAC_S16 ? products_of_map(call)
                                                                       : bytes_of_map(call);
}

/* ---- Operands ---- */

/* Formats: scales of sa tensors are 2^14 or more, so that `frac` says how fine a tensor is; fx:
 * frac alone. */
static void quantize(lb_tensor *t, int frac, int zero_point)
{
    if (lb_is_fx(t->el_type))
        t->frac_bits = (int8_t)frac;
    if (!lb_is_sa(t->el_type))
        return;
    t->sa.dim = -1;
    t->sa.scale.mem.i16 = 16384;
    t->sa.scale_frac_bits.mem.i8 = (int8_t)(frac + 14);
    t->sa.zero_point.mem.i16 = (int16_t)zero_point;
}

/* Scales of its own for each entry of the last dimension, all within a tenth of the one they
 * replace. */
static void quantize_per_axis(lb_tensor *t, lb_arena *arena, int axis)
{
    const uint32_t n = t->shape[axis];
    const int8_t frac = t->sa.scale_frac_bits.mem.i8;
    int16_t *scales = lb_arena_alloc(arena, n * sizeof *scales),
            *zeros = lb_arena_alloc(arena, n * sizeof *zeros);
    int8_t *fracs = lb_arena_alloc(arena, n);
    for (uint32_t i = 0; i < n; i++) {
        scales[i] = (int16_t)(16384 + i % 1600);
        zeros[i] = 0;
        fracs[i] = frac;
    }
    t->sa.dim = axis;
    t->sa.scale = (lb_container){n * (uint32_t)sizeof *scales, {.pi16 = scales}};
    t->sa.zero_point = (lb_container){n * (uint32_t)sizeof *zeros, {.pi16 = zeros}};
    t->sa.scale_frac_bits = (lb_container){n, {.pi8 = fracs}};
}

lb_tensor *lb_bench_tensor(lb_arena *arena, uint32_t type, const uint32_t shape[4])
{
    lb_tensor *t = lb_arena_alloc(arena, sizeof *t);
    memset(t, 0, sizeof *t);
    t->el_type = type;
    t->rank = rank_of(shape);
    uint32_t n = 1;
    for (uint32_t d = t->rank; d-- > 0; n *= shape[d]) {
        t->shape[d] = shape[d];
        t->mem_stride[d] = (int32_t)n;
    }
    enum { LINE = 64 };
    t->data.capacity_bytes = n * lb_element_bytes(type);
    char *memory = lb_arena_alloc(arena, t->data.capacity_bytes + LINE);
    t->data.mem.ptr = memory + (LINE - (uintptr_t)memory % LINE) % LINE;
    lb_random random = lb_random_start(type, n);
    for (uint32_t i = 0; i < t->data.capacity_bytes; i++)
        t->data.mem.pi8[i] = (int8_t)lb_random_in(&random, -128, 127);
    return t;
}

void lb_bench_put(lb_call *call, lb_role role, lb_tensor *t)
{
    call->tensor[role] = t;
    call->list_count[role] = 1;
}

int lb_bench_growth(double products)
{
    int bits = 0;
    for (double n = products; n > 1; n /= 4)
        bits++;
    return bits;
}

/* Operands of 8 bits have 7 fractional bits, those of 16 have 15; the output is as coarse as sums
 * need. */
static void make_weighted(const lb_bench_row *row, lb_arena *arena, lb_call *call)
{
    const lb_kernel *k = call->kernel;
    const bool sa = lb_is_sa(k->in_type), layer = k->family == LB_FAMILY_FULLY_CONNECTED;
    const int in_bits = lb_container_bits(k->in_type) - 1,
              w_bits = lb_container_bits(k->weights_type) - 1;
    const uint32_t depth = k->family == LB_FAMILY_DEPTHWISE_CONV2D ? 1
                           : row->groups                           ? row->in[2] / row->groups
                                                                   : row->in[2];
    const uint32_t w_shape[4] = {row->kernel, row->kernel, depth, row->channels},
                   flat[4] = {row->channels};
    const uint32_t layer_shape[4] = {row->in[0], row->channels};
    const double products = layer ? row->in[0] : (double)row->kernel * row->kernel * depth;
    uint32_t shape[4];
    out_shape(row, k->family, shape);
    lb_tensor *in = lb_bench_tensor(arena, k->in_type, row->in),
              *out = lb_bench_tensor(arena, k->in_type, shape);
    lb_tensor *weights = lb_bench_tensor(arena, k->weights_type, layer ? layer_shape : w_shape);
    lb_tensor *bias = lb_bench_tensor(arena, k->bias_type, flat);
    quantize(in, in_bits, 5);
    quantize(weights, w_bits, 0);
    quantize(out, in_bits - lb_bench_growth(products), -3);
    quantize(bias, lb_is_fx(k->bias_type) ? w_bits : in_bits + w_bits, 0);
    for (uint32_t i = 0; sa && i < row->channels; i++)
        bias->data.mem.pi32[i] %= 100000;
    if (sa && !layer) {
        quantize_per_axis(weights, arena, 3);
        quantize_per_axis(bias, arena, 0);
    }
    lb_bench_put(call, LB_ROLE_IN, in);
    lb_bench_put(call, LB_ROLE_WEIGHTS, weights);
    lb_bench_put(call, LB_ROLE_BIAS, bias);
    lb_bench_put(call, LB_ROLE_OUT, out);
}

/* A recurrent cell: small formats of states, so that gates are not all saturated. */
static void make_cell(const lb_bench_row *row, lb_arena *arena, lb_call *call)
{
    const lb_kernel *k = call->kernel;
    const bool sa = lb_is_sa(k->in_type);
    const uint32_t gates = gates_of(k->family), m = row->channels,
                   width = lb_element_bytes(k->in_type);
    const uint32_t state[4] = {m}, bias_shape[4] = {gates, m}, frames[4] = {row->in[0], m};
    const uint32_t w_in[4] = {gates, row->in[1], m}, w_out[4] = {gates, m, m};
    const int bits = sa ? 5 : 12, w_bits = lb_container_bits(k->weights_type) - 1;
    lb_tensor *in = lb_bench_tensor(arena, k->in_type, row->in),
              *hidden = lb_bench_tensor(arena, k->in_type, state);
    lb_tensor *weights_in = lb_bench_tensor(arena, k->weights_type, w_in),
              *weights_out = lb_bench_tensor(arena, k->weights_type, w_out);
    lb_tensor *bias = lb_bench_tensor(arena, k->bias_type, bias_shape),
              *out = lb_bench_tensor(arena, k->in_type, frames);
    quantize(in, bits, 3);
    quantize(hidden, bits, -4);
    quantize(weights_in, w_bits, 0);
    quantize(weights_out, w_bits, 0);
    quantize(bias, sa ? bits + w_bits : w_bits, 0);
    quantize(out, bits, -4);
    memset(bias->data.mem.ptr, 0, bias->data.capacity_bytes);
    lb_bench_put(call, LB_ROLE_IN, in);
    lb_bench_put(call, LB_ROLE_PREV_OUT, hidden);
    lb_bench_put(call, LB_ROLE_WEIGHTS_IN, weights_in);
    lb_bench_put(call, LB_ROLE_WEIGHTS_OUT, weights_out);
    lb_bench_put(call, LB_ROLE_BIAS, bias);
    lb_bench_put(call, LB_ROLE_OUT, out);
    if (k->family == LB_FAMILY_LSTM) {
        lb_tensor *cell = lb_bench_tensor(arena, k->in_type, state);
        quantize(cell, bits, 0);
        lb_bench_put(call, LB_ROLE_CELL, cell);
    }
    call->config.results = 1; /* of all frames */
    call->config.act = 1;     /* tangent */
    call->config.scratch_bytes = 2 * gates * m * width;
    call->config.scratch = lb_arena_alloc(arena, call->config.scratch_bytes);
}

/* Numbers that formats with three bits before the point can hold. */
static void fill_real(lb_tensor *t)
{
    lb_random random = lb_random_start(t->el_type, t->shape[0]);
    for (uint32_t i = 0; i < t->data.capacity_bytes / sizeof(float); i++)
        ((float *)t->data.mem.ptr)[i] = (float)lb_random_in(&random, -8000, 8000) * 1e-3F;
}

/* A slope for each channel, or one. */
static lb_tensor *make_slope(const lb_bench_row *row, lb_arena *arena, uint32_t type, bool each)
{
    uint32_t shape[4] = {1, each ? 1 : 0, each ? row->in[2] : 0};
    lb_tensor *slope = lb_bench_tensor(arena, type, shape);
    quantize(slope, lb_container_bits(type) - 1, 0);
    return slope;
}

static void make_plain(const lb_bench_row *row, lb_arena *arena, lb_call *call)
{
    const lb_kernel *k = call->kernel;
    const bool two = k->family == LB_FAMILY_ELTWISE;
    uint32_t shape[4];
    out_shape(row, k->family, shape);
    for (lb_role r = two ? LB_ROLE_IN1 : LB_ROLE_IN; r <= (two ? LB_ROLE_IN2 : LB_ROLE_IN); r++) {
        lb_tensor *in = lb_bench_tensor(arena, in_type(row), row->in);
        quantize(in, lb_container_bits(in_type(row)) - 4, 5);
        if (in->el_type == LB_FP32)
            fill_real(in);
        lb_bench_put(call, r, in);
    }
    if (lb_kernel_role(k, LB_ROLE_SLOPE))
        lb_bench_put(call, LB_ROLE_SLOPE,
                     make_slope(row, arena, k->in_type, k->config_kind == LB_CONFIG_AXIS));
    const uint32_t one_place[4] = {1, 1};
    const bool place = k->family == LB_FAMILY_ARGMAX;
    lb_tensor *out =
        lb_bench_tensor(arena, place ? LB_SA32 : out_type(row), place ? one_place : shape);
    quantize(out, lb_container_bits(out->el_type) - 4, 5);
    lb_bench_put(call, LB_ROLE_OUT, out);
    call->config.axis = place ? -1 : (int32_t)rank_of(row->in) - 1;
    call->config.topk = 1;
    call->config.relu = 1;
    for (unsigned d = 0; d < 4; d++) {
        call->config.sub_sample_step[d] = 1;
        call->config.perm_dim[d] =
            moves(k->family) && d < rank_of(row->in) ? row->order[d] : (uint8_t)d;
        call->config.padding_pre[d] = call->config.padding_post[d] =
            (uint8_t)(d < 2 ? row->pad : 0);
    }
}

void lb_bench_call(const lb_bench_row *row, lb_arena *arena, lb_call *call)
{
    const uint8_t kernel = (uint8_t)row->kernel, stride = (uint8_t)row->stride,
                  pad = (uint8_t)row->pad;
    memset(call, 0, sizeof *call);
    call->kernel = lb_kernel_find(row->function);
    if (lb_kernel_set_of(call->kernel)->prepare) {
        lb_bench_prepare(row, arena, call);
        return;
    }
    call->config.stride_width = call->config.stride_height = stride;
    call->config.kernel_width = call->config.kernel_height = kernel;
    call->config.dilation_width = call->config.dilation_height = 1;
    call->config.padding_left = call->config.padding_right = pad;
    call->config.padding_top = call->config.padding_bottom = pad;
    if (call->kernel->family == LB_FAMILY_LSTM || call->kernel->family == LB_FAMILY_GRU)
        make_cell(row, arena, call);
    else if (row->channels > 0)
        make_weighted(row, arena, call);
    else
        make_plain(row, arena, call);
}
