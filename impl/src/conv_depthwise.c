/* Convolution channel by channel. For each output pixel the taps become a list of pointers to rows
 * of channels; a tap outside the input points to a row of containers that stand for 0, so that
 * every pixel has all taps and a zero point costs one correction for a channel. */
#include <string.h>

#include "conv_ways.h"

enum {
    WEIGHTS = 8192, /* of a block at once, widened to 16 bits */
    NARROW = 16,    /* fewest channels of a block, whatever the number of taps */
    LIST = 63       /* taps handed to the loops at once: they take nine in one pass */
};

/* Memory of a call on the stack: some 25 kB. */
struct work {
    int16_t weights[WEIGHTS]; /* [taps][channels of the block] */
    union {
        int8_t s8[LB_MLI_BLOCK];
        int16_t s16[LB_MLI_BLOCK];
    } zero;
    union {
        const int8_t *s8[LIST];
        const int16_t *s16[LIST];
    } list;
    union {
        int32_t s32[LB_MLI_BLOCK];
        int64_t s64[LB_MLI_BLOCK];
    } start, acc;
    union lb_mli_conv_results results;
};

/* One block of channels of a call. Taps count in row-major order. */
struct block {
    const struct lb_mli_conv *conv;
    size_t first, n; /* channels */
    size_t taps;     /* of the kernel */
    size_t slice;    /* taps whose weights are widened at once */
};

static const void *weights_of_tap(const struct block *b, size_t tap)
{
    const struct lb_mli_conv *conv = b->conv;
    const size_t cols = (size_t)conv->cols.taps;
    const ptrdiff_t at =
        (ptrdiff_t)(tap / cols) * conv->w_row + (ptrdiff_t)(tap % cols) * conv->w_col;
    return lb_mli_at(conv->weights, at + (ptrdiff_t)b->first, lb_mli_conv_w_size(conv->plan->kind));
}

static void widen_weights(const struct block *b, size_t tap, size_t end, struct work *work)
{
    for (int16_t *to = work->weights; tap < end; tap++, to += b->n)
        if (b->conv->plan->kind == LB_MLI_CONV_FX16)
            memcpy(to, weights_of_tap(b, tap), b->n * sizeof *to);
        else
            b->conv->plan->loops->widen_s8(weights_of_tap(b, tap), b->n, 0, to);
}

/* Accumulators start at 0, or at what the zero point brings into the products with all taps. */
static void plan_start(const struct block *b, struct work *work)
{
    memset(&work->start, 0, sizeof work->start);
    if (b->conv->plan->zero_in == 0)
        return;
    const int32_t zero = b->conv->plan->zero_in;
    for (size_t tap = 0; tap < b->taps; tap++) {
        const int8_t *w = weights_of_tap(b, tap);
        for (size_t c = 0; c < b->n; c++)
            work->start.s32[c] = lb_mli_wrap32(work->start.s32[c] - (int64_t)zero * w[c]);
    }
}

static void plan_zero(const struct block *b, struct work *work)
{
    if (b->conv->plan->kind == LB_MLI_CONV_SA8)
        memset(work->zero.s8, b->conv->plan->zero_in, sizeof work->zero.s8);
    else
        memset(work->zero.s16, 0, sizeof work->zero.s16);
}

/* Adds the count taps of the list, whose weights begin at w. */
static void add_list(const struct block *b, const int16_t *w, size_t count, struct work *work)
{
    const struct lb_mli_loops *loops = b->conv->plan->loops;
    switch (b->conv->plan->kind) {
    case LB_MLI_CONV_SA8:
        loops->depthwise_s8(work->list.s8, w, b->n, count, b->n, work->acc.s32);
        break;
    case LB_MLI_CONV_FX16_FX8:
        loops->depthwise_s16s8(work->list.s16, w, b->n, count, b->n, work->acc.s32);
        break;
    case LB_MLI_CONV_FX16:
        loops->depthwise_s16(work->list.s16, w, b->n, count, b->n, work->acc.s64);
        break;
    }
}

/* Adds taps tap .. end - 1, whose weights are in work. */
static void add_taps(const struct block *b, struct lb_mli_span rows, struct lb_mli_span cols,
                     size_t tap, size_t end, struct work *work)
{
    const struct lb_mli_conv *conv = b->conv;
    const bool sa8 = conv->plan->kind == LB_MLI_CONV_SA8;
    const size_t size = lb_mli_conv_in_size(conv->plan->kind);
    const ptrdiff_t step = (ptrdiff_t)conv->cols.dilation * conv->in_col;
    int64_t i = (int64_t)tap / conv->cols.taps, j = (int64_t)tap % conv->cols.taps;
    const int16_t *w = work->weights;
    size_t count = 0;
    for (; tap < end; i++, j = 0) {
        const bool row_inside = i >= rows.lo && i < rows.hi;
        const ptrdiff_t row = (ptrdiff_t)(rows.base + i * conv->rows.dilation) * conv->in_row +
                              (ptrdiff_t)cols.base * conv->in_col + (ptrdiff_t)b->first;
        for (; j < conv->cols.taps && tap < end; j++, tap++) {
            const bool inside = row_inside && j >= cols.lo && j < cols.hi;
            if (sa8)
                work->list.s8[count] =
                    inside ? lb_mli_at(conv->in, row + (ptrdiff_t)j * step, size) : work->zero.s8;
            else
                work->list.s16[count] =
                    inside ? lb_mli_at(conv->in, row + (ptrdiff_t)j * step, size) : work->zero.s16;
            if (++count == LIST || tap + 1 == end) {
                add_list(b, w, count, work);
                w += count * b->n;
                count = 0;
            }
        }
    }
}

static void run_pixel(const struct block *b, int64_t y, int64_t x, struct lb_mli_span rows,
                      struct work *work)
{
    const struct lb_mli_conv *conv = b->conv;
    const struct lb_mli_span cols = lb_mli_axis_span(&conv->cols, x);
    memcpy(&work->acc, &work->start, b->n * lb_mli_conv_acc_size(conv->plan->kind));
    for (size_t tap = 0; tap < b->taps; tap += b->slice) {
        const size_t end = lb_mli_min_size(tap + b->slice, b->taps);
        if (b->slice < b->taps)
            widen_weights(b, tap, end, work);
        add_taps(b, rows, cols, tap, end, work);
    }
    lb_mli_conv_finish(conv->plan, &work->results, &work->acc, b->n,
                       lb_mli_out_at(conv, y, x, b->first));
}

static void run_block(const struct block *b, struct work *work)
{
    const struct lb_mli_conv *conv = b->conv;
    lb_mli_conv_results(conv->plan, conv->first + b->first, b->n, SIZE_MAX, &work->results);
    plan_start(b, work);
    if (b->slice == b->taps)
        widen_weights(b, 0, b->taps, work);
    for (int64_t y = 0; y < conv->rows.out; y++) {
        const struct lb_mli_span rows = lb_mli_axis_span(&conv->rows, y);
        for (int64_t x = 0; x < conv->cols.out; x++)
            run_pixel(b, y, x, rows, work);
    }
}

void lb_mli_conv_run_depthwise(const struct lb_mli_conv *conv)
{
    struct work work;
    struct block b = {.conv = conv, .taps = (size_t)(conv->rows.taps * conv->cols.taps)};
    const size_t fitting = WEIGHTS / lb_mli_min_size(b.taps, WEIGHTS / NARROW) / NARROW * NARROW;
    const size_t most = lb_mli_min_size(fitting, LB_MLI_BLOCK);
    plan_zero(&b, &work);
    for (b.first = 0; b.first < conv->channels; b.first += most) {
        b.n = lb_mli_min_size(conv->channels - b.first, most);
        b.slice = lb_mli_min_size(b.taps, WEIGHTS / b.n);
        run_block(&b, &work);
    }
}
