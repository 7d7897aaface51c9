/* Speed of the convolutions at every level of this processor, in 10^9 multiply-accumulates a
 * second: bench_conv [NAME] (rows whose name contains NAME). Each figure is the median of RUNS runs
 * of at least RUN_NS of processor time each, one thread. Multiply-accumulates are counted for all
 * taps, padding included: outputs * taps of a kernel, transposed: inputs * taps. Convolutions in
 * two dimensions: also with weights packed before (mli_ext_prepare_conv2d), in the same rounds. */
#define _POSIX_C_SOURCE 199309L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mli_api.h"
#include "mli_lastbit.h"

enum { RUNS = 9 };
#define RUN_NS 20000000.0

typedef mli_status conv_fn(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                           const mli_conv2d_cfg *, mli_tensor *);

enum kind { SA8, FX16_FX8, FX16, SA8_NARROW /* weights from -64 to 64 */ };

static const struct row {
    const char *name;
    conv_fn *run;
    enum kind kind;
    uint32_t in[3], weights[4]; /* output channels: the last of weights */
    uint32_t stride, pad;
    int transpose;
} rows[] = {
    {"conv3x3 sa8 28x28x64->64",
     mli_krn_conv2d_hwcn_sa8_sa8_sa32_k3x3,
     SA8,
     {28, 28, 64},
     {3, 3, 64, 64},
     1,
     1,
     0},
    {"conv3x3 fx16_fx8 28x28x64->64",
     mli_krn_conv2d_hwcn_fx16_fx8_fx8_k3x3,
     FX16_FX8,
     {28, 28, 64},
     {3, 3, 64, 64},
     1,
     1,
     0},
    {"conv3x3 fx16 28x28x64->64",
     mli_krn_conv2d_hwcn_fx16_k3x3,
     FX16,
     {28, 28, 64},
     {3, 3, 64, 64},
     1,
     1,
     0},
    {"conv1x1 sa8 28x28x256->256",
     mli_krn_conv2d_hwcn_sa8_sa8_sa32_k1x1,
     SA8,
     {28, 28, 256},
     {1, 1, 256, 256},
     1,
     0,
     0},
    {"conv1x1 sa8 7x7x1024->1024",
     mli_krn_conv2d_hwcn_sa8_sa8_sa32_k1x1,
     SA8,
     {7, 7, 1024},
     {1, 1, 1024, 1024},
     1,
     0,
     0},
    {"conv3x3 sa8 28x28x64->64, narrow",
     mli_krn_conv2d_hwcn_sa8_sa8_sa32_k3x3,
     SA8_NARROW,
     {28, 28, 64},
     {3, 3, 64, 64},
     1,
     1,
     0},
    {"conv1x1 sa8 28x28x256->256, narrow",
     mli_krn_conv2d_hwcn_sa8_sa8_sa32_k1x1,
     SA8_NARROW,
     {28, 28, 256},
     {1, 1, 256, 256},
     1,
     0,
     0},
    {"conv1x1 sa8 7x7x1024->1024, narrow",
     mli_krn_conv2d_hwcn_sa8_sa8_sa32_k1x1,
     SA8_NARROW,
     {7, 7, 1024},
     {1, 1, 1024, 1024},
     1,
     0,
     0},
    {"conv1x1 sa8 56x56x32->64",
     mli_krn_conv2d_hwcn_sa8_sa8_sa32_k1x1,
     SA8,
     {56, 56, 32},
     {1, 1, 32, 64},
     1,
     0,
     0},
    {"conv3x3 sa8 96x96x3->32 stride 2",
     mli_krn_conv2d_hwcn_sa8_sa8_sa32_k3x3,
     SA8,
     {96, 96, 3},
     {3, 3, 3, 32},
     2,
     1,
     0},
    {"conv3x3 sa8 7x7x512->512",
     mli_krn_conv2d_hwcn_sa8_sa8_sa32_k3x3,
     SA8,
     {7, 7, 512},
     {3, 3, 512, 512},
     1,
     1,
     0},
    {"conv3x3 sa8 3x3x256->256, no padding",
     mli_krn_conv2d_hwcn_sa8_sa8_sa32_k3x3,
     SA8,
     {3, 3, 256},
     {3, 3, 256, 256},
     1,
     0,
     0},
    {"depthwise3x3 sa8 56x56x128",
     mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_k3x3,
     SA8,
     {56, 56, 128},
     {3, 3, 1, 128},
     1,
     1,
     0},
    {"depthwise3x3 fx16_fx8 56x56x128",
     mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8_k3x3,
     FX16_FX8,
     {56, 56, 128},
     {3, 3, 1, 128},
     1,
     1,
     0},
    {"depthwise3x3 fx16 56x56x128",
     mli_krn_depthwise_conv2d_hwcn_fx16_k3x3,
     FX16,
     {56, 56, 128},
     {3, 3, 1, 128},
     1,
     1,
     0},
    {"group3x3 sa8 28x28x64->64, 4 groups",
     mli_krn_group_conv2d_hwcn_sa8_sa8_sa32_k3x3,
     SA8,
     {28, 28, 64},
     {3, 3, 16, 64},
     1,
     1,
     0},
    {"transpose4x4s2 sa8 14x14x64->64",
     mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32_k4x4_str2,
     SA8,
     {14, 14, 64},
     {4, 4, 64, 64},
     2,
     1,
     1},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A dense tensor with random contents. */
static mli_tensor make(mli_element_type type, uint32_t rank, const uint32_t *shape)
{
    mli_tensor t;
    memset(&t, 0, sizeof t);
    uint32_t count = 1;
    for (uint32_t d = rank; d-- > 0;) {
        t.shape[d] = shape[d];
        t.mem_stride[d] = (int32_t)count;
        count *= shape[d];
    }
    t.rank = rank;
    t.el_type = type;
    t.data.capacity = count * (type == MLI_EL_SA_32 ? 4 : type == MLI_EL_FX_16 ? 2 : 1);
    t.data.mem.pi8 = malloc(t.data.capacity);
    if (!t.data.mem.pi8)
        exit(1);
    for (uint32_t i = 0; i < t.data.capacity; i++)
        t.data.mem.pi8[i] = (int8_t)(rand() >> 8);
    if (type == MLI_EL_SA_8 || type == MLI_EL_SA_32) {
        t.el_params.sa.dim = -1;
        t.el_params.sa.scale.mem.i16 = 16384;
        t.el_params.sa.scale_frac_bits.mem.i8 = (int8_t)(type == MLI_EL_SA_32 ? 28 : 21);
    }
    return t;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Operands of a call. prepared: NULL, or weights packed before; then the call is
 * mli_ext_conv2d_prepared. */
struct call {
    const struct row *row;
    const mli_tensor *in, *weights, *bias;
    const mli_conv2d_cfg *cfg;
    mli_tensor *out;
    const void *prepared;
};

/* Time of so many calls in ns. */
static double time_calls(const struct call *c, long calls)
{
    const double start = now_ns();
    for (long i = 0; i < calls; i++) {
        const mli_status status =
            c->prepared
                ? mli_ext_conv2d_prepared(c->in, c->weights, c->bias, c->cfg, c->out, c->prepared)
                : c->row->run(c->in, c->weights, c->bias, c->cfg, c->out);
        if (status != MLI_STATUS_OK)
            exit(1);
    }
    return now_ns() - start;
}

/* Median times of a call in ns, without weights packed before and, where there are such, with; both
 * in the same rounds. */
static void time_row(struct call c, const void *prepared, double median[2])
{
    double times[2][RUNS];
    const int ways = prepared ? 2 : 1;
    long calls = 1;
    while (time_calls(&c, calls) < RUN_NS)
        calls *= 2;
    for (int r = 0; r < RUNS; r++) {
        for (int way = 0; way < ways; way++) {
            c.prepared = way ? prepared : NULL;
            times[way][r] = time_calls(&c, calls) / (double)calls;
        }
    }
    for (int way = 0; way < ways; way++) {
        qsort(times[way], RUNS, sizeof times[way][0], compare);
        median[way] = times[way][RUNS / 2];
    }
}

/* Weights of a 2D convolution, packed: to be freed. NULL: another function, or nothing is packed at
 * this level. */
static void *prepare(const struct row *row, const mli_tensor *in, const mli_tensor *weights,
                     const mli_conv2d_cfg *cfg)
{
    uint32_t size;
    if (row->transpose || row->weights[2] != row->in[2] ||
        mli_ext_prepare_conv2d(in, weights, cfg, NULL, &size) != MLI_STATUS_OK)
        return NULL;
    void *memory = malloc(size);
    if (!memory || mli_ext_prepare_conv2d(in, weights, cfg, memory, &size) != MLI_STATUS_OK)
        exit(1);
    return memory;
}

static void bench(const struct row *row, const char *level)
{
    const int sa8 = row->kind == SA8 || row->kind == SA8_NARROW;
    const mli_element_type in_type = sa8 ? MLI_EL_SA_8 : MLI_EL_FX_16;
    const mli_element_type w_type = sa8                 ? MLI_EL_SA_8
                                    : row->kind == FX16 ? MLI_EL_FX_16
                                                        : MLI_EL_FX_8;
    const uint32_t kernel = row->weights[0], channels = row->weights[3];
    uint32_t shape[3] = {0, 0, channels};
    for (int d = 0; d < 2; d++)
        shape[d] = row->transpose ? (row->in[d] - 1) * row->stride + kernel - 2 * row->pad
                                  : (row->in[d] + 2 * row->pad - kernel) / row->stride + 1;
    mli_tensor in = make(in_type, 3, row->in), weights = make(w_type, 4, row->weights),
               out = make(in_type, 3, shape);
    mli_tensor bias = make(sa8 ? MLI_EL_SA_32 : w_type, 1, &channels);
    for (uint32_t i = 0; row->kind == SA8_NARROW && i < weights.data.capacity; i++)
        weights.data.mem.pi8[i] /= 2;
    if (sa8) {
        in.el_params.sa.zero_point.mem.i16 = 5;
        weights.el_params.sa.scale_frac_bits.mem.i8 = 21;
        out.el_params.sa.zero_point.mem.i16 = -3;
        out.el_params.sa.scale_frac_bits.mem.i8 = 14;
        memset(bias.data.mem.pi8, 0, bias.data.capacity);
    } else {
        in.el_params.fx.frac_bits = 12;
        weights.el_params.fx.frac_bits = 7;
        out.el_params.fx.frac_bits = 8;
        bias.el_params.fx.frac_bits = 7;
    }
    const uint8_t step = (uint8_t)row->stride, pad = (uint8_t)row->pad;
    const mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, step, step, pad, pad, pad, pad, 1, 1};
    const struct call call = {row, &in, &weights, &bias, &cfg, &out, NULL};
    void *const prepared = prepare(row, &in, &weights, &cfg);
    double ns[2];
    time_row(call, prepared, ns);
    const uint32_t *counted = row->transpose ? row->in : shape;
    const double taps = (double)kernel * kernel * row->weights[2];
    const double macs = (double)counted[0] * counted[1] * channels * taps;
    printf("%-40s %-10s %9.1f us %8.2f GMAC/s", row->name, level, ns[0] / 1000, macs / ns[0]);
    if (prepared)
        printf("   weights packed before %9.1f us %8.2f GMAC/s", ns[1] / 1000, macs / ns[1]);
    printf("\n");
    free(prepared);
    free(in.data.mem.pi8);
    free(weights.data.mem.pi8);
    free(bias.data.mem.pi8);
    free(out.data.mem.pi8);
}

int main(int argc, char **argv)
{
    const char *level;
    for (int r = 0; r < ROWS; r++) {
        if (argc > 1 && !strstr(rows[r].name, argv[1]))
            continue;
        for (uint32_t l = 0; (level = mli_ext_cpu_level(l)) != NULL; l++)
            if (mli_ext_set_cpu(level) == MLI_STATUS_OK)
                bench(&rows[r], level);
    }
    return 0;
}
