/* Convolution on operands as they lie in memory: each output pixel runs over the channels of its
 * taps, rows of weights being contiguous. For outputs of a few pixels, and where there is no memory
 * for packing. */
#include <string.h>

#include "conv_ways.h"

union accumulators {
    int32_t s32[LB_MLI_BLOCK];
    int64_t s64[LB_MLI_BLOCK];
};

/* Adds the products of input channels and n columns of weights; length rows of weights, contiguous
 * input. */
static void add_run(const struct lb_mli_conv *conv, const void *in, const void *weights,
                    size_t length, size_t n, union accumulators *acc)
{
    const struct lb_mli_loops *loops = conv->plan->loops;
    switch (conv->plan->kind) {
    case LB_MLI_CONV_SA8:
        loops->gemv_s8(in, conv->plan->zero_in, weights, conv->w_depth, length, n, acc->s32);
        break;
    case LB_MLI_CONV_FX16_FX8:
        loops->gemv_s16s8(in, weights, conv->w_depth, length, n, acc->s32);
        break;
    case LB_MLI_CONV_FX16:
        loops->gemv_s16(in, weights, conv->w_depth, length, n, acc->s64);
        break;
    }
}

/* Channels block .. block + n - 1 of one pixel. joined: the taps of a kernel row follow each other
 * in input and weights without a gap. */
static void add_pixel(const struct lb_mli_conv *conv, struct lb_mli_span rows,
                      struct lb_mli_span cols, bool joined, size_t block, size_t n,
                      union accumulators *acc)
{
    const size_t in_size = lb_mli_conv_in_size(conv->plan->kind),
                 w_size = lb_mli_conv_w_size(conv->plan->kind);
    const int64_t taps_at_once = joined && cols.hi > cols.lo ? cols.hi - cols.lo : 1;
    for (int64_t i = rows.lo; i < rows.hi; i++) {
        const ptrdiff_t in_row = (ptrdiff_t)(rows.base + i * conv->rows.dilation) * conv->in_row;
        const ptrdiff_t w_row = (ptrdiff_t)i * conv->w_row + (ptrdiff_t)block;
        for (int64_t j = cols.lo; j < cols.hi; j += taps_at_once) {
            const ptrdiff_t in_at =
                in_row + (ptrdiff_t)(cols.base + j * conv->cols.dilation) * conv->in_col;
            const ptrdiff_t w_at = w_row + (ptrdiff_t)j * conv->w_col;
            add_run(conv, lb_mli_at(conv->in, in_at, in_size),
                    lb_mli_at(conv->weights, w_at, w_size), (size_t)taps_at_once * conv->depth, n,
                    acc);
        }
    }
}

static void run_block(const struct lb_mli_conv *conv, size_t block, size_t n)
{
    const ptrdiff_t depth = (ptrdiff_t)conv->depth;
    const bool joined =
        conv->cols.dilation == 1 && conv->in_col == depth && conv->w_col == depth * conv->w_depth;
    union lb_mli_conv_results results;
    union accumulators acc;
    lb_mli_conv_results(conv->plan, conv->first + block, n, SIZE_MAX, &results);
    for (int64_t y = 0; y < conv->rows.out; y++) {
        const struct lb_mli_span rows = lb_mli_axis_span(&conv->rows, y);
        for (int64_t x = 0; x < conv->cols.out; x++) {
            memset(&acc, 0, n * lb_mli_conv_acc_size(conv->plan->kind));
            add_pixel(conv, rows, lb_mli_axis_span(&conv->cols, x), joined, block, n, &acc);
            lb_mli_conv_finish(conv->plan, &results, &acc, n, lb_mli_out_at(conv, y, x, block));
        }
    }
}

void lb_mli_conv_run_direct(const struct lb_mli_conv *conv)
{
    for (size_t block = 0; block < conv->channels; block += LB_MLI_BLOCK)
        run_block(conv, block, lb_mli_min_size(conv->channels - block, LB_MLI_BLOCK));
}
