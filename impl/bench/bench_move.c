/* Speed of data movement, permutation, pooling and conversion at every level of this processor:
 * bench_move [NAME] (rows whose name contains NAME). Each figure is the median of RUNS runs of at
 * least RUN_NS of processor time each, one thread. GB/s counts the bytes of the output (of the
 * input for pooling) once; rows named memcpy are the measure for the others. */
#define _POSIX_C_SOURCE 199309L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mli_api.h"
#include "mli_lastbit.h"

enum { RUNS = 9 };
#define RUN_NS 10000000.0

enum how { MEMCPY, MOVE, PERMUTE, POOL, CONVERT };

typedef mli_status pool_fn(const mli_tensor *, const mli_pool_cfg *, mli_tensor *);
typedef mli_status permute_fn(const mli_tensor *, const mli_permute_cfg *, mli_tensor *);

static const struct row {
    const char *name;
    enum how how;
    mli_element_type from, to;
    uint32_t rank, in[4], out[4]; /* out: capacity alone for MOVE */
    mli_mov_cfg_t mov;            /* steps of 0 stand for 1; perm_dim {0} for no permutation */
    mli_permute_cfg permute;
    permute_fn *permute_fn;
    mli_pool_cfg
        pool; /* kernel width, height; stride width, height; padding left, right, top, bottom */
    pool_fn *pool_fn;
    int axis; /* CONVERT: parameters per axis along dimension axis - 1; 0: per tensor */
} rows[] = {
#define FX8(r, ...)  .from = MLI_EL_FX_8, .to = MLI_EL_FX_8, .rank = r, .in = {__VA_ARGS__}
#define FX16(r, ...) .from = MLI_EL_FX_16, .to = MLI_EL_FX_16, .rank = r, .in = {__VA_ARGS__}
#define SA8(r, ...)  .from = MLI_EL_SA_8, .to = MLI_EL_SA_8, .rank = r, .in = {__VA_ARGS__}
#define SA32(r, ...) .from = MLI_EL_SA_32, .to = MLI_EL_SA_32, .rank = r, .in = {__VA_ARGS__}
    {"memcpy 16 KiB", MEMCPY, SA8(1, 16384), .out = {16384}},
    {"copy 16 KiB", MOVE, SA8(3, 16, 16, 64), .out = {16, 16, 64}},
    {"memcpy 1 MiB", MEMCPY, SA8(1, 1048576), .out = {1048576}},
    {"copy 1 MiB", MOVE, SA8(3, 128, 128, 64), .out = {128, 128, 64}},
    {"memcpy 32 MiB", MEMCPY, SA8(1, 33554432), .out = {33554432}},
    {"copy 32 MiB", MOVE, SA8(3, 512, 1024, 64), .out = {512, 1024, 64}},
    {"slice 100x100x64 of 128x128x64", MOVE, SA8(3, 128, 128, 64), .out = {100, 100, 64},
     .mov.size = {100, 100, 0}},
    {"concat 112x112x32 into 64 channels", MOVE, SA8(3, 112, 112, 32), .out = {112, 112, 64},
     .mov.dst_mem_stride = {112 * 64, 64, 1}, .mov.dst_offset = {0, 0, 32}},
    {"subsample 2x2 of 112x112x64", MOVE, SA8(3, 112, 112, 64), .out = {56, 56, 64},
     .mov.sub_sample_step = {2, 2}},
    {"subsample 2x2 of 64 CHW 112x112", MOVE, SA8(3, 64, 112, 112), .out = {64, 56, 56},
     .mov.sub_sample_step = {0, 2, 2}},
    {"pad 1 of 112x112x64", MOVE, SA8(3, 112, 112, 64), .out = {114, 114, 64},
     .mov.padding_pre = {1, 1}, .mov.padding_post = {1, 1}},
    {"pad 1 of 112x112x3", MOVE, SA8(3, 112, 112, 3), .out = {114, 114, 3},
     .mov.padding_pre = {1, 1}, .mov.padding_post = {1, 1}},
    {"pad 1 of 64 CHW 112x112", MOVE, SA8(3, 64, 112, 112), .out = {64, 114, 114},
     .mov.padding_pre = {0, 1, 1}, .mov.padding_post = {0, 1, 1}},
    {"transpose 8 bit 1024x1024", PERMUTE, FX8(2, 1024, 1024), .out = {1024, 1024},
     .permute = {{1, 0}}, .permute_fn = mli_krn_permute_fx8},
    {"transpose 8 bit 1000x1000", PERMUTE, FX8(2, 1000, 1000), .out = {1000, 1000},
     .permute = {{1, 0}}, .permute_fn = mli_krn_permute_fx8},
    {"transpose 16 bit 1024x1024", PERMUTE, FX16(2, 1024, 1024), .out = {1024, 1024},
     .permute = {{1, 0}}, .permute_fn = mli_krn_permute_fx16},
    {"transpose 32 bit 1024x1024", MOVE, SA32(2, 1024, 1024), .out = {1024, 1024},
     .mov.perm_dim = {1, 0}},
    {"HWC to CHW 112x112x64", PERMUTE, SA8(3, 112, 112, 64), .out = {64, 112, 112},
     .permute = {{2, 0, 1}}, .permute_fn = mli_krn_permute_sa8},
    {"HWC to CHW 224x224x3", PERMUTE, SA8(3, 224, 224, 3), .out = {3, 224, 224},
     .permute = {{2, 0, 1}}, .permute_fn = mli_krn_permute_sa8},
    {"CHW to HWC 224x224x3", PERMUTE, SA8(3, 3, 224, 224), .out = {224, 224, 3},
     .permute = {{1, 2, 0}}, .permute_fn = mli_krn_permute_sa8},
    {"HWC to WHC 112x112x64", PERMUTE, SA8(3, 112, 112, 64), .out = {112, 112, 64},
     .permute = {{1, 0, 2}}, .permute_fn = mli_krn_permute_sa8},
    {"HWC to WHC 224x224x3", PERMUTE, SA8(3, 224, 224, 3), .out = {224, 224, 3},
     .permute = {{1, 0, 2}}, .permute_fn = mli_krn_permute_sa8},
    {"HWCN to NHWC 3x3x64x128", PERMUTE, SA8(4, 3, 3, 64, 128), .out = {128, 3, 3, 64},
     .permute = {{3, 0, 1, 2}}, .permute_fn = mli_krn_permute_sa8},
    {"maxpool 3x3 s2 sa8 112x112x64", POOL, SA8(3, 112, 112, 64), .out = {56, 56, 64},
     .pool = {3, 3, 2, 2, 1, 1, 1, 1}, .pool_fn = mli_krn_maxpool_hwc_sa8_k3x3},
    {"maxpool 3x3 s1 sa8 56x56x64", POOL, SA8(3, 56, 56, 64), .out = {56, 56, 64},
     .pool = {3, 3, 1, 1, 1, 1, 1, 1}, .pool_fn = mli_krn_maxpool_hwc_sa8},
    {"maxpool 5x5 s1 sa8 28x28x64", POOL, SA8(3, 28, 28, 64), .out = {28, 28, 64},
     .pool = {5, 5, 1, 1, 2, 2, 2, 2}, .pool_fn = mli_krn_maxpool_hwc_sa8},
    {"maxpool 2x2 s2 sa8 112x112x64", POOL, SA8(3, 112, 112, 64), .out = {56, 56, 64},
     .pool = {2, 2, 2, 2, 0, 0, 0, 0}, .pool_fn = mli_krn_maxpool_hwc_sa8_k2x2},
    {"maxpool 3x3 s2 sa8 224x224x3", POOL, SA8(3, 224, 224, 3), .out = {112, 112, 3},
     .pool = {3, 3, 2, 2, 1, 1, 1, 1}, .pool_fn = mli_krn_maxpool_hwc_sa8},
    {"maxpool 3x3 s2 fx16 112x112x64", POOL, FX16(3, 112, 112, 64), .out = {56, 56, 64},
     .pool = {3, 3, 2, 2, 1, 1, 1, 1}, .pool_fn = mli_krn_maxpool_hwc_fx16},
    {"avepool 2x2 s2 sa8 112x112x64", POOL, SA8(3, 112, 112, 64), .out = {56, 56, 64},
     .pool = {2, 2, 2, 2, 0, 0, 0, 0}, .pool_fn = mli_krn_avepool_hwc_sa8_k2x2},
    {"avepool 2x2 s2 fx8 112x112x64", POOL, FX8(3, 112, 112, 64), .out = {56, 56, 64},
     .pool = {2, 2, 2, 2, 0, 0, 0, 0}, .pool_fn = mli_krn_avepool_hwc_fx8_k2x2},
    {"avepool 2x2 s2 fx16 112x112x64", POOL, FX16(3, 112, 112, 64), .out = {56, 56, 64},
     .pool = {2, 2, 2, 2, 0, 0, 0, 0}, .pool_fn = mli_krn_avepool_hwc_fx16_k2x2},
    {"avepool 3x3 s1 sa8 56x56x64", POOL, SA8(3, 56, 56, 64), .out = {56, 56, 64},
     .pool = {3, 3, 1, 1, 1, 1, 1, 1}, .pool_fn = mli_krn_avepool_hwc_sa8_k3x3},
    {"avepool 7x7 sa8 7x7x1280", POOL, SA8(3, 7, 7, 1280), .out = {1, 1, 1280},
     .pool = {7, 7, 1, 1, 0, 0, 0, 0}, .pool_fn = mli_krn_avepool_hwc_sa8},
    {"convert sa8 to sa8 1 MiB", CONVERT, SA8(1, 1048576), .out = {1048576}},
    {"convert sa8 to fx16 1 Mi", CONVERT, .from = MLI_EL_SA_8, .to = MLI_EL_FX_16, .rank = 1,
     .in = {1048576}, .out = {1048576}},
    {"convert sa8 to sa8 per axis 16384x64", CONVERT, SA8(2, 16384, 64), .out = {16384, 64},
     .axis = 2},
    {"convert fp32 to sa8 1 Mi", CONVERT, .from = MLI_EL_FP_32, .to = MLI_EL_SA_8, .rank = 1,
     .in = {1048576}, .out = {1048576}},
    {"convert sa8 to fp32 1 Mi", CONVERT, .from = MLI_EL_SA_8, .to = MLI_EL_FP_32, .rank = 1,
     .in = {1048576}, .out = {1048576}},
    {"convert sa32 to sa32 1 Mi", CONVERT, SA32(1, 1048576), .out = {1048576}},
};
enum { ROWS = sizeof rows / sizeof rows[0], AXIS = 64 };

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int16_t scales[AXIS], zeros[AXIS];
static int8_t frac_bits[AXIS];

/* A dense tensor with random contents (whole numbers for FP_32). */
static mli_tensor make(mli_element_type type, uint32_t rank, const uint32_t *shape, int axis)
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
    t.data.capacity = count * mli_hlp_tensor_element_size(&t);
    t.data.mem.pi8 = malloc(t.data.capacity);
    if (!t.data.mem.pi8)
        exit(1);
    for (uint32_t i = 0; i < t.data.capacity; i++)
        t.data.mem.pi8[i] = (int8_t)(rand() >> 8);
    for (uint32_t i = 0; type == MLI_EL_FP_32 && i < count; i++)
        t.data.mem.pf32[i] = (float)(rand() % 200 - 100);
    if (type == MLI_EL_SA_8 || type == MLI_EL_SA_32) {
        t.el_params.sa.dim = axis - 1;
        t.el_params.sa.scale.mem.i16 = 20000;
        t.el_params.sa.scale_frac_bits.mem.i8 = 15;
    }
    if (axis > 0) {
        t.el_params.sa.scale.mem.pi16 = scales;
        t.el_params.sa.zero_point.mem.pi16 = zeros;
        t.el_params.sa.scale_frac_bits.mem.pi8 = frac_bits;
    }
    return t;
}

static mli_status run(const struct row *row, const mli_tensor *in, const mli_mov_cfg_t *cfg,
                      mli_tensor *out)
{
    switch (row->how) {
    case MOVE:
        memset(out->mem_stride, 0,
               sizeof out->mem_stride); /* packed, unless the configuration says otherwise */
        return mli_mov_tensor_sync(in, cfg, out);
    case PERMUTE:
        return row->permute_fn(in, &row->permute, out);
    case POOL:
        return row->pool_fn(in, &row->pool, out);
    case CONVERT:
        return mli_hlp_convert_tensor(in, out);
    default:
        memcpy(out->data.mem.pi8, in->data.mem.pi8, in->data.capacity);
        return MLI_STATUS_OK;
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median time of a call in ns. */
static double time_row(const struct row *row, const mli_tensor *in, const mli_mov_cfg_t *cfg,
                       mli_tensor *out)
{
    double times[RUNS];
    long calls = 1;
    for (int r = -1; r < RUNS; r++) { /* run -1 warms up and finds the number of calls */
        double elapsed;
        for (;;) {
            const double start = now_ns();
            for (long i = 0; i < calls; i++)
                if (run(row, in, cfg, out) != MLI_STATUS_OK)
                    exit(1);
            elapsed = now_ns() - start;
            if (elapsed >= RUN_NS || r >= 0)
                break;
            calls *= 2;
        }
        if (r >= 0)
            times[r] = elapsed / (double)calls;
    }
    qsort(times, RUNS, sizeof times[0], compare);
    return times[RUNS / 2];
}

static void bench(const struct row *row, const char *level)
{
    mli_tensor in = make(row->from, row->rank, row->in, row->axis),
               out = make(row->to, row->rank, row->out, row->axis);
    mli_mov_cfg_t cfg = row->mov;
    for (int d = 0; d < MLI_MAX_RANK; d++) {
        cfg.sub_sample_step[d] = cfg.sub_sample_step[d] ? cfg.sub_sample_step[d] : 1;
        if (row->mov.perm_dim[0] == 0)
            cfg.perm_dim[d] = (uint8_t)d;
    }
    const double ns = time_row(row, &in, &cfg, &out);
    const double bytes = row->how == POOL ? in.data.capacity : out.data.capacity;
    printf("%-40s %-10s %9.1f us %8.2f GB/s\n", row->name, row->how == MEMCPY ? "libc" : level,
           ns / 1000, bytes / ns);
    free(in.data.mem.pi8);
    free(out.data.mem.pi8);
}

int main(int argc, char **argv)
{
    const char *level;
    for (int i = 0; i < AXIS; i++) {
        scales[i] = (int16_t)(10000 + 100 * i);
        frac_bits[i] = (int8_t)(14 + i % 3);
    }
    for (int r = 0; r < ROWS; r++) {
        if (argc > 1 && !strstr(rows[r].name, argv[1]))
            continue;
        for (uint32_t l = 0; (level = mli_ext_cpu_level(l)) != NULL; l++)
            if (mli_ext_set_cpu(level) == MLI_STATUS_OK && (l == 0 || rows[r].how != MEMCPY))
                bench(&rows[r], level);
    }
    return 0;
}
