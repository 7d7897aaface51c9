/* Convolution as small matrix products. The weights of a block of channels are packed once, a row
 * for each channel; the taps of a few output pixels at a time are gathered, a row for each pixel;
 * the dot loops of loops.h multiply the two. What a tap is, where padding lies and which stride
 * applies is a matter of gathering alone: rows of pixels have all taps, those outside the input
 * with the container that stands for 0, so that a zero point costs one correction for a channel and
 * nothing for a pixel.
 *
 *     depth of a row:  kernel row, kernel column, input channel, padded to the unit of the loops
 *     sa8:             in - zero point as 16 bits; or, where the loops take bytes, in + 128
 * unsigned, and accumulators start at -(128 + zero point) * sum of weights fx16:            weights
 * are split in two halves of 8 bits, and two 32-bit sums are joined into 64 bits */
#include <stdlib.h>
#include <string.h>

#include "conv_ways.h"

enum {
    PIXELS = 12,           /* gathered at once; all tiles of the loops divide it */
    PIXEL_BYTES = 21 * 64, /* most of a pixel's row at once: 12 of them fit the first-level cache
                              with some weights */
    SPLIT_DEPTH = 448,     /* most products of split weights in a 32-bit sum: below 512 (loops.h), a
                              multiple of 64 */
    SPLIT_BLOCK = 128,     /* channels of a block of split weights */
    LOCAL_WEIGHTS = 16384, /* bytes of packed weights that need no allocation */
    LINE = 64,             /* bytes, of a cache */
    SPREAD_FROM =
        512 /* bytes, rows at least so long are kept from meeting in the same sets of a cache */
};

_Static_assert(PIXEL_BYTES >= 2 * SPLIT_DEPTH, "a slice of split weights fits a pixel's row");

/* How a call packs. Lengths in packed elements. */
struct layout {
    bool bytes;         /* x is uint8, w is int8; else both are int16 */
    bool split;         /* w is two sets of rows: low and high halves */
    size_t element;     /* bytes */
    size_t depth;       /* of a row of weights, padded */
    size_t w_row;       /* from one row of weights to the next */
    size_t slice;       /* of a row at once, a multiple of the unit */
    size_t block;       /* channels at once */
    bool joined;        /* the taps of a kernel row follow each other in the input without a gap */
    unsigned char zero; /* byte that padding is made of */
};

/* Memory of a call on the stack: some 45 kB with the results. */
struct work {
    _Alignas(LINE) union {
        uint8_t u8[PIXELS * PIXEL_BYTES];
        int16_t s16[PIXELS * PIXEL_BYTES / 2];
    } x;
    union {
        int32_t s32[PIXELS * LB_MLI_BLOCK];
        struct {
            int64_t acc[PIXELS * SPLIT_BLOCK];
            int32_t low_high[PIXELS * 2 * SPLIT_BLOCK];
        } s64;
    } sums;
    union lb_mli_conv_results results;
    int32_t start[LB_MLI_BLOCK]; /* of 32-bit accumulators */
};

struct pixel {
    int64_t y, x;
    struct lb_mli_span rows, cols;
};

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static size_t taps_depth(const struct lb_mli_conv *conv)
{
    return (size_t)(conv->rows.taps * conv->cols.taps) * conv->depth;
}

/* Steps between long rows are an odd number of lines. */
static size_t spread(size_t row_bytes)
{
    return row_bytes < SPREAD_FROM ? row_bytes : (round_up(row_bytes, LINE) / LINE | 1) * LINE;
}

static struct layout plan_layout(const struct lb_mli_conv *conv)
{
    const struct lb_mli_loops *loops = conv->plan->loops;
    struct layout l = {0};
    l.bytes = conv->plan->kind == LB_MLI_CONV_SA8 && loops->dot_u8s8;
    l.split = conv->plan->kind == LB_MLI_CONV_FX16;
    l.element = l.bytes ? 1 : 2;
    const size_t unit = loops->dot_unit / l.element;
    l.depth = round_up(taps_depth(conv), unit);
    l.w_row = spread(l.depth * l.element) / l.element;
    const size_t most = l.split ? SPLIT_DEPTH : PIXEL_BYTES / l.element / unit * unit;
    const size_t slices = (l.depth + most - 1) / most;
    l.slice = round_up((l.depth + slices - 1) / slices, unit);
    l.block = lb_mli_min_size(conv->channels, l.split ? SPLIT_BLOCK : LB_MLI_BLOCK);
    l.joined = conv->cols.dilation == 1 && conv->in_col == (ptrdiff_t)conv->depth;
    l.zero = l.bytes ? (unsigned char)(conv->plan->zero_in + 128) : 0;
    return l;
}

/*
 * Weights
 */

/* Channels block .. block + n - 1. */
static void pack_weights(const struct lb_mli_conv *conv, const struct layout *l, size_t block,
                         size_t n, void *packed)
{
    const struct lb_mli_loops *loops = conv->plan->loops;
    const size_t row_bytes = l->w_row * l->element, half = n * l->w_row;
    const size_t used = taps_depth(conv);
    for (size_t c = 0; c < n * (l->split ? 2 : 1); c++)
        memset((char *)packed + c * row_bytes + used * l->element, 0,
               (l->depth - used) * l->element);
    size_t k = 0;
    for (int64_t i = 0; i < conv->rows.taps; i++) {
        for (int64_t j = 0; j < conv->cols.taps; j++, k += conv->depth) {
            const ptrdiff_t at =
                (ptrdiff_t)i * conv->w_row + (ptrdiff_t)j * conv->w_col + (ptrdiff_t)block;
            const void *w = lb_mli_at(conv->weights, at, lb_mli_conv_w_size(conv->plan->kind));
            int16_t *const wide = (int16_t *)packed + k;
            if (l->bytes)
                loops->pack_s8(w, conv->w_depth, conv->depth, n, (int8_t *)packed + k, l->w_row);
            else if (l->split)
                loops->pack_s16_split(w, conv->w_depth, conv->depth, n, wide, wide + half,
                                      l->w_row);
            else
                loops->pack_s8_s16(w, conv->w_depth, conv->depth, n, wide, l->w_row);
        }
    }
}

/* What 32-bit accumulators start from: bytes have 128 and the zero point too much in every input,
 * padding included. */
static void plan_start(const struct lb_mli_conv *conv, const struct layout *l, const void *packed,
                       size_t n, int32_t *start)
{
    memset(start, 0, n * sizeof start[0]);
    if (!l->bytes)
        return;
    const int64_t excess = conv->plan->zero_in + 128;
    for (size_t c = 0; c < n; c++) {
        const int8_t *w = (const int8_t *)packed + c * l->w_row;
        int64_t sum = 0;
        for (size_t k = 0; k < l->depth; k++)
            sum += w[k];
        start[c] = lb_mli_wrap32(-excess * sum);
    }
}

/*
 * Pixels
 */

/* n containers of the input to x. Short runs, a pixel of an image for one, are not worth a call. */
static void load(const struct lb_mli_conv *conv, const struct layout *l, ptrdiff_t from, size_t n,
                 void *x)
{
    enum { SHORT = 12 };
    if (conv->plan->kind != LB_MLI_CONV_SA8) {
        memcpy(x, lb_mli_at(conv->in, from, 2), n * 2);
        return;
    }
    const int8_t *in = (const int8_t *)conv->in + from;
    uint8_t *bytes = x;
    int16_t *wide = x;
    if (n >= SHORT && l->bytes) {
        conv->plan->loops->offset_s8(in, n, bytes);
    } else if (n >= SHORT) {
        conv->plan->loops->widen_s8(in, n, conv->plan->zero_in, wide);
    } else {
        for (size_t i = 0; i < n; i++)
            if (l->bytes)
                bytes[i] = (uint8_t)(in[i] + 128);
            else
                wide[i] = (int16_t)(in[i] - conv->plan->zero_in);
    }
}

/* A run of taps and channels whose elements valid_lo .. valid_hi - 1 lie in the input, element 0 at
 * in_at: elements from .. to - 1 to x. */
static void gather_run(const struct lb_mli_conv *conv, const struct layout *l, ptrdiff_t in_at,
                       size_t valid_lo, size_t valid_hi, size_t from, size_t to, char *x)
{
    const size_t lo = valid_lo < from ? from : lb_mli_min_size(valid_lo, to);
    const size_t hi = valid_hi < lo ? lo : lb_mli_min_size(valid_hi, to);
    if (lo > from)
        memset(x, l->zero, (lo - from) * l->element);
    if (hi > lo)
        load(conv, l, in_at + (ptrdiff_t)lo, hi - lo, x + (lo - from) * l->element);
    if (to > hi)
        memset(x + (hi - from) * l->element, l->zero, (to - hi) * l->element);
}

/* Elements from .. to - 1 of kernel row i. */
static void gather_row(const struct lb_mli_conv *conv, const struct layout *l,
                       const struct pixel *pixel, int64_t i, size_t from, size_t to, char *x)
{
    const size_t depth = conv->depth, lo = (size_t)pixel->cols.lo, hi = (size_t)pixel->cols.hi;
    if (i < pixel->rows.lo || i >= pixel->rows.hi || lo == hi) {
        memset(x, l->zero, (to - from) * l->element);
        return;
    }
    const ptrdiff_t at = (ptrdiff_t)(pixel->rows.base + i * conv->rows.dilation) * conv->in_row +
                         (ptrdiff_t)pixel->cols.base * conv->in_col;
    if (l->joined) {
        gather_run(conv, l, at, lo * depth, hi * depth, from, to, x);
        return;
    }
    const ptrdiff_t step = (ptrdiff_t)conv->cols.dilation * conv->in_col;
    for (size_t j = from / depth; j * depth < to; j++) {
        const size_t tap = j * depth, first = tap < from ? from - tap : 0;
        const size_t end = lb_mli_min_size(to - tap, depth);
        gather_run(conv, l, at + (ptrdiff_t)j * step, 0, j >= lo && j < hi ? depth : 0, first, end,
                   x + (tap + first - from) * l->element);
    }
}

/* Elements first .. first + n - 1 of a pixel's row. */
static void gather(const struct lb_mli_conv *conv, const struct layout *l,
                   const struct pixel *pixel, size_t first, size_t n, char *x)
{
    const size_t row = (size_t)conv->cols.taps * conv->depth, end = first + n;
    for (size_t i = first / row; i * row < end; i++) {
        const size_t from = i * row < first ? first : i * row,
                     to = lb_mli_min_size(end, (i + 1) * row);
        gather_row(conv, l, pixel, (int64_t)i, from - i * row, to - i * row,
                   x + (from - first) * l->element);
    }
}

/*
 * Products
 */

/* Adds one slice of the depth, which starts at first, for n channels. */
static void add_slice(const struct lb_mli_conv *conv, const struct layout *l,
                      const struct pixel *pixels, size_t count, const void *weights, size_t first,
                      size_t n, struct work *work)
{
    const struct lb_mli_loops *loops = conv->plan->loops;
    const size_t depth = lb_mli_min_size(l->slice, l->depth - first);
    const size_t used =
        lb_mli_min_size(depth, taps_depth(conv) - first); /* the rest has weights of 0 */
    for (size_t p = 0; p < count; p++)
        gather(conv, l, &pixels[p], first, used, (char *)&work->x + p * l->slice * l->element);
    if (l->bytes) {
        loops->dot_u8s8(work->x.u8, l->slice, count, (const int8_t *)weights + first, l->w_row, n,
                        depth, work->sums.s32, n);
        return;
    }
    const int16_t *x = work->x.s16, *w = (const int16_t *)weights + first;
    if (!l->split) {
        loops->dot_s16(x, l->slice, count, w, l->w_row, n, depth, work->sums.s32, n);
        return;
    }
    int32_t *const halves = work->sums.s64.low_high;
    memset(halves, 0, count * 2 * n * sizeof halves[0]);
    loops->dot_s16(x, l->slice, count, w, l->w_row, 2 * n, depth, halves, 2 * n);
    for (size_t p = 0; p < count; p++)
        loops->join_s64(halves + p * 2 * n, halves + p * 2 * n + n, n, work->sums.s64.acc + p * n);
}

static void run_pixels(const struct lb_mli_conv *conv, const struct layout *l,
                       const struct pixel *pixels, size_t count, const void *weights, size_t block,
                       size_t n, struct work *work)
{
    for (size_t p = 0; p < count; p++)
        if (l->split)
            memset(work->sums.s64.acc + p * n, 0, n * sizeof work->sums.s64.acc[0]);
        else
            memcpy(work->sums.s32 + p * n, work->start, n * sizeof work->start[0]);
    for (size_t first = 0; first < l->depth; first += l->slice)
        add_slice(conv, l, pixels, count, weights, first, n, work);
    for (size_t p = 0; p < count; p++) {
        const void *acc =
            l->split ? (const void *)(work->sums.s64.acc + p * n) : work->sums.s32 + p * n;
        lb_mli_conv_finish(conv->plan, &work->results, acc, n,
                           lb_mli_out_at(conv, pixels[p].y, pixels[p].x, block));
    }
}

static void run_block(const struct lb_mli_conv *conv, const struct layout *l, const void *weights,
                      size_t block, size_t n, struct work *work)
{
    struct pixel pixels[PIXELS];
    size_t count = 0;
    lb_mli_conv_results(conv->plan, conv->first + block, n, SIZE_MAX, &work->results);
    plan_start(conv, l, weights, n, work->start);
    for (int64_t y = 0; y < conv->rows.out; y++) {
        const struct lb_mli_span rows = lb_mli_axis_span(&conv->rows, y);
        for (int64_t x = 0; x < conv->cols.out; x++) {
            pixels[count++] = (struct pixel){y, x, rows, lb_mli_axis_span(&conv->cols, x)};
            if (count == PIXELS) {
                run_pixels(conv, l, pixels, count, weights, block, n, work);
                count = 0;
            }
        }
    }
    if (count)
        run_pixels(conv, l, pixels, count, weights, block, n, work);
}

static void run_blocks(const struct lb_mli_conv *conv, const struct layout *l, void *weights)
{
    struct work work;
    memset(&work.x, 0,
           PIXELS * l->slice * l->element); /* gathering leaves out what has weights of 0 */
    for (size_t block = 0; block < conv->channels; block += l->block) {
        const size_t n = lb_mli_min_size(conv->channels - block, l->block);
        pack_weights(conv, l, block, n, weights);
        run_block(conv, l, weights, block, n, &work);
    }
}

/* A function of its own: calls with much to pack do not carry this memory on their stack. */
static void run_with_local_weights(const struct lb_mli_conv *conv, const struct layout *l)
{
    _Alignas(LINE) union {
        int8_t s8[LOCAL_WEIGHTS];
        int16_t s16[LOCAL_WEIGHTS / 2];
    } weights;
    run_blocks(conv, l, &weights);
}

bool lb_mli_conv_run_packed(const struct lb_mli_conv *conv)
{
    const struct layout l = plan_layout(conv);
    const uint64_t bytes = (uint64_t)l.block * (l.split ? 2 : 1) * l.w_row * l.element;
    if (bytes <= LOCAL_WEIGHTS) {
        run_with_local_weights(conv, &l);
        return true;
    }
    void *weights =
        bytes < SIZE_MAX / 2 ? aligned_alloc(LINE, round_up((size_t)bytes, LINE)) : NULL;
    if (!weights)
        return false;
    run_blocks(conv, &l, weights);
    free(weights);
    return true;
}
