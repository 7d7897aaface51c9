/* Convolution channel by channel on loaded rows (loops.h, taps), for levels with vectors. The input
 * rows that an output row looks at are kept in a ring of rows, loaded once and padded left and
 * right, so that the taps of an output row are as many rows of pixels a constant step apart. Sums
 * start and end as in conv_panel.c. */
#include <stdlib.h>
#include <string.h>

#include "conv_ways.h"

enum {
    SUMS = 14 * LB_MLI_BLOCK, /* at once */
    LINE = 64,                /* bytes, of a cache */
    TAPS = 448,               /* most; LB_MLI_HIGH_SUM / 128 are proved for any split weights */
    OUTPUTS_TO_LOAD = 4,   /* below so many outputs of a channel loading and packing do not pay */
    PIXELS = 4,            /* fewest where neighbours share columns */
    RING_BYTES = 14 << 10, /* of rows, if possible */
    LOCAL_BYTES = 48 << 10 /* of weights and ring that need no allocation */
};
_Static_assert(TAPS * 128 <= LB_MLI_HIGH_SUM && TAPS * 128 <= LB_MLI_LOW_SUM,
               "sums of halves fit whatever the weights");

struct layout {
    bool bytes, split;
    bool columns;           /* steps are columns of taps that neighbours share */
    size_t taps, step_taps; /* padded to a multiple of those of a step */
    size_t group;           /* channels */
    size_t group_vectors;   /* of weights */
    size_t group_weight_bytes;
    size_t vector_bytes;
    size_t block;                /* channels at once, full groups */
    size_t width, rows;          /* pixels, rows of the ring */
    size_t weight_bytes, memory; /* of a block, of all */
};

struct work {
    _Alignas(LINE) int32_t acc[SUMS];
    _Alignas(LINE) int32_t start[LB_MLI_BLOCK];
    union lb_mli_conv_results results;
    struct lb_mli_split16_result split16;
    const char *tap[TAPS];
};

struct block {
    const struct lb_mli_conv *conv;
    const struct layout *layout;
    char *weights, *ring;
    size_t first, n; /* channels */
    size_t groups, acc_row;
    size_t pixel_bytes, row_bytes; /* of the ring */
    struct work *work;
};

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Few, so that the ring stays in the first-level cache, but no fewer than a line of the input has.
 */
static size_t groups_of_block(const struct lb_mli_conv *conv, const struct layout *l)
{
    const size_t most = (l->split ? LB_MLI_BLOCK / 2 : LB_MLI_BLOCK) / l->group;
    const size_t line =
        LINE / lb_mli_min_size(LINE, l->group * lb_mli_conv_in_size(conv->plan->kind));
    const size_t fitting = RING_BYTES / (l->rows * l->width * l->vector_bytes);
    return fitting > most ? most : fitting > line ? fitting : line;
}

static bool plan_layout(const struct lb_mli_conv *conv, struct layout *l)
{
    const struct lb_mli_loops *loops = conv->plan->loops;
    const uint64_t taps = (uint64_t)(conv->rows.taps * conv->cols.taps);
    *l =
        (struct layout){.split = conv->plan->kind == LB_MLI_CONV_FX16,
                        .bytes = conv->plan->kind == LB_MLI_CONV_SA8 && loops->depthwise_taps_u8s8};
    if (!loops->depthwise_taps_s16 || taps > TAPS ||
        conv->rows.out * conv->cols.out < OUTPUTS_TO_LOAD ||
        (l->split && !lb_mli_conv_split16_shift(conv->plan)))
        return false;
    l->step_taps = l->bytes ? 4 : 2;
    l->columns = conv->cols.taps == 3 &&
                 (conv->rows.taps == 3 || (l->bytes && conv->rows.taps == 4)) &&
                 conv->cols.stride == 1 && conv->cols.dilation == 1 && conv->cols.out >= PIXELS &&
                 (!l->split || loops->depthwise_taps_split_columns);
    l->taps = round_up((size_t)taps, l->step_taps);
    l->group = loops->panel_lanes * l->step_taps;
    l->group_vectors = l->bytes || l->split ? 4 : 2;
    l->vector_bytes = loops->panel_lanes * 4;
    l->group_weight_bytes = l->taps / l->step_taps * l->group_vectors * l->vector_bytes;
    l->width = (size_t)((conv->cols.out - 1) * conv->cols.stride +
                        (conv->cols.taps - 1) * conv->cols.dilation + 1);
    l->rows = (size_t)((conv->rows.taps - 1) * conv->rows.dilation + 1);
    const size_t groups = groups_of_block(conv, l);
    l->block = groups * l->group;
    l->weight_bytes = groups * l->group_weight_bytes;
    l->memory = l->weight_bytes + l->rows * l->width * groups * l->vector_bytes;
    return true;
}

/* As panels: a step is four (two) taps, rows of weights that are not there are 0. */
static void pack_weights(const struct block *b)
{
    static const int16_t none[LB_MLI_BLOCK];
    const struct lb_mli_conv *conv = b->conv;
    const struct layout *l = b->layout;
    const size_t size = lb_mli_conv_w_size(conv->plan->kind), cols = (size_t)conv->cols.taps;
    const size_t taps = (size_t)conv->rows.taps * cols, steps = l->taps / l->step_taps;
    memset(b->weights, 0, l->weight_bytes);
    for (size_t s = 0; s < steps; s++) {
        const void *rows[4];
        void *out[LB_MLI_BLOCK]; /* vectors have at least four channels, a split one has two */
        for (size_t r = 0; r < l->step_taps; r++) {
            const size_t t = l->columns && s < cols ? r * cols + s : s * l->step_taps + r;
            const ptrdiff_t at =
                (ptrdiff_t)(t / cols) * conv->w_row + (ptrdiff_t)(t % cols) * conv->w_col;
            rows[r] = t < taps ? lb_mli_at(conv->weights, at + (ptrdiff_t)b->first, size) : none;
        }
        for (size_t v = 0; v < b->groups * l->group_vectors; v++)
            out[v] = b->weights + v / l->group_vectors * l->group_weight_bytes +
                     (s * l->group_vectors + v % l->group_vectors) * l->vector_bytes;
        if (l->bytes)
            conv->plan->loops->panel_pack_s8((const int8_t *const *)rows, b->n,
                                             (int8_t *const *)out);
        else if (l->split)
            conv->plan->loops->panel_pack_s16_split((const int16_t *const *)rows, b->n,
                                                    (int16_t *const *)out);
        else
            conv->plan->loops->panel_pack_s8_s16((const int8_t *const *)rows, b->n,
                                                 (int16_t *const *)out);
    }
}

/* Taps of group g from pixel x on. */
static struct lb_mli_depthwise_taps taps_of(const struct block *b, size_t g, size_t x)
{
    const size_t step = (size_t)b->conv->cols.stride * b->pixel_bytes;
    return (struct lb_mli_depthwise_taps){b->work->tap, b->layout->taps, step,
                                          x * step + g * b->layout->vector_bytes,
                                          b->layout->columns};
}

/* Sums of all groups. */
static void add_taps(const struct block *b, size_t x, size_t pixels)
{
    const struct lb_mli_loops *loops = b->conv->plan->loops;
    const struct layout *l = b->layout;
    const size_t sums = l->group_vectors * loops->panel_lanes;
    lb_mli_depthwise_taps_fn *const run = l->bytes   ? loops->depthwise_taps_u8s8
                                          : l->split ? loops->depthwise_taps_s16_split
                                                     : loops->depthwise_taps_s16;
    for (size_t g = 0; g < b->groups; g++) {
        const struct lb_mli_depthwise_taps taps = taps_of(b, g, x);
        run(&taps, pixels, b->weights + g * l->group_weight_bytes, b->work->start + g * sums,
            b->work->acc + g * sums, b->acc_row);
    }
}

/* Full groups of a level that has rows of results go straight to outputs; false: nothing done. */
static bool add_and_finish(const struct block *b, size_t pixels, char *out, size_t out_step)
{
    const struct lb_mli_conv_plan *plan = b->conv->plan;
    const struct lb_mli_loops *loops = plan->loops;
    const struct layout *l = b->layout;
    const struct work *work = b->work;
    const bool sa8 = plan->kind == LB_MLI_CONV_SA8;
    if (!loops->depthwise_taps_sa8[0] || b->n % l->group != 0 ||
        !(l->split || (sa8 ? work->results.sa.bias_in_start : work->results.fx.bias_in_start)))
        return false;
    for (size_t g = 0; g < b->groups; g++) {
        const struct lb_mli_depthwise_taps taps = taps_of(b, g, 0);
        const char *const weights = b->weights + g * l->group_weight_bytes;
        const int32_t *const start = work->start + g * l->group_vectors * loops->panel_lanes;
        const size_t first = g * l->group;
        int16_t *const words = (int16_t *)(void *)out + first;
        if (sa8)
            loops->depthwise_taps_sa8[plan->sa.profile](&taps, pixels, weights, start,
                                                        &work->results.sa.result, first,
                                                        (int8_t *)out + first, out_step);
        else if (l->split)
            loops->depthwise_taps_split16[plan->fx.round](&taps, pixels, weights, start,
                                                          &work->split16, words, out_step / 2);
        else
            loops->depthwise_taps_fx16[plan->fx.round](&taps, pixels, weights, start,
                                                       &plan->fx.result, words, out_step / 2);
    }
    return true;
}

/* Bytes have 128 (or 0) and the zero point too much in every input; the sums of weights are those
 * of a pixel of ones. */
static void plan_start(const struct block *b)
{
    const struct layout *l = b->layout;
    const int64_t excess = b->conv->plan->zero_in + b->conv->plan->loops->bytes_excess;
    memset(b->work->start, 0, sizeof b->work->start);
    if (l->bytes) {
        memset(b->ring, 1, l->columns ? b->row_bytes : b->pixel_bytes);
        for (size_t t = 0; t < l->taps; t++)
            b->work->tap[t] = b->ring;
        add_taps(b, 0, l->columns ? PIXELS : 1);
        for (size_t c = 0; c < b->n; c++)
            b->work->start[c] = lb_mli_wrap32(-excess * b->work->acc[c]);
    }
    if (l->split)
        lb_mli_conv_plan_split16(b->conv->plan, &b->work->results, b->n, b->work->start,
                                 &b->work->split16);
    else
        lb_mli_conv_add_bias(b->conv->plan, &b->work->results, b->n, b->work->start);
}

/* Input row `row`, which may be outside, as a row of the ring. */
static void load_row(const struct block *b, int64_t row, char *to)
{
    const struct lb_mli_conv *conv = b->conv;
    const struct layout *l = b->layout;
    const struct lb_mli_loops *loops = conv->plan->loops;
    const int zero = l->bytes ? conv->plan->zero_in + loops->bytes_excess : 0;
    const int64_t width = (int64_t)l->width, first = -conv->cols.pad;
    const int64_t lo = first < 0 ? -first : 0,
                  hi = conv->cols.in - first < width ? conv->cols.in - first : width;
    if (row < 0 || row >= conv->rows.in || lo >= hi) {
        memset(to, zero, b->row_bytes);
        return;
    }
    const ptrdiff_t at = (ptrdiff_t)row * conv->in_row + (ptrdiff_t)(first + lo) * conv->in_col +
                         (ptrdiff_t)b->first;
    const void *in = lb_mli_at(conv->in, at, lb_mli_conv_in_size(conv->plan->kind));
    lb_mli_depthwise_taps_load_fn *const load = l->bytes ? loops->depthwise_taps_load_u8
                                                : conv->plan->kind == LB_MLI_CONV_SA8
                                                    ? loops->depthwise_taps_load_s8_s16
                                                    : loops->depthwise_taps_load_s16;
    memset(to, zero, (size_t)lo * b->pixel_bytes);
    load(in, conv->in_col, (size_t)(hi - lo), b->n, conv->plan->zero_in,
         to + (size_t)lo * b->pixel_bytes);
    memset(to + (size_t)hi * b->pixel_bytes, zero, (size_t)(width - hi) * b->pixel_bytes);
}

static void run_row(const struct block *b, int64_t y)
{
    const struct lb_mli_conv *conv = b->conv;
    const size_t width = (size_t)conv->cols.out, most = SUMS / b->acc_row;
    const size_t out_step = (size_t)conv->out_col * lb_mli_conv_in_size(conv->plan->kind);
    if (add_and_finish(b, width, lb_mli_out_at(conv, y, 0, b->first), out_step))
        return;
    for (size_t part = (width + most - 1) / most, x = 0, count; part > 0; part--, x += count) {
        count = (width - x + part - 1) / part; /* parts of about the same size */
        add_taps(b, x, count);
        lb_mli_conv_finish_rows(conv->plan, &b->work->results,
                                b->layout->split ? &b->work->split16 : NULL, b->work->acc,
                                b->acc_row, count, b->n,
                                lb_mli_out_at(conv, y, (int64_t)x, b->first), out_step);
    }
}

/* Where the taps of an output row lie, of columns the first tap. slot: the ring's row of the first.
 */
static void place_taps(const struct block *b, size_t slot)
{
    const struct lb_mli_conv *conv = b->conv;
    const struct layout *l = b->layout;
    const size_t cols = l->columns ? 1 : (size_t)conv->cols.taps,
                 dilation = (size_t)conv->rows.dilation;
    const size_t step = (size_t)conv->cols.dilation * b->pixel_bytes;
    const char **tap = b->work->tap;
    for (size_t i = 0; i < (size_t)conv->rows.taps; i++) {
        const char *row = b->ring + slot * b->row_bytes;
        for (size_t j = 0; j < cols; j++, row += step)
            *tap++ = row;
        slot += dilation;
        slot -= slot < l->rows ? 0 : l->rows;
    }
    while (tap < b->work->tap + l->taps) /* what fills up a step has weights of 0 */
        *tap++ = b->ring;
}

static void run_block(const struct block *b)
{
    const struct lb_mli_conv *conv = b->conv;
    const struct layout *l = b->layout;
    const int64_t first = -conv->rows.pad;
    int64_t next = first; /* row of the input that the ring does not hold yet */
    for (int64_t y = 0; y < conv->rows.out; y++) {
        const int64_t base = first + y * conv->rows.stride;
        for (next = next < base ? base : next; next < base + (int64_t)l->rows; next++)
            load_row(b, next, b->ring + (size_t)(next - first) % l->rows * b->row_bytes);
        place_taps(b, (size_t)(base - first) % l->rows);
        run_row(b, y);
    }
}

/* Groups are full, the last perhaps with channels of the one before; but for a single group of few
 * channels. */
static void run_blocks(const struct lb_mli_conv *conv, const struct layout *l, char *memory)
{
    struct work work;
    const size_t taps = (size_t)(conv->rows.taps * conv->cols.taps);
    for (size_t done = 0, groups; done < conv->channels; done += groups * l->group) {
        groups = lb_mli_min_size(conv->channels - done, l->block) / l->group;
        groups += groups == 0;
        const size_t n = lb_mli_min_size(groups * l->group, conv->channels);
        const struct block b = {.conv = conv,
                                .layout = l,
                                .weights = memory,
                                .ring = memory + l->weight_bytes,
                                .first = lb_mli_min_size(done, conv->channels - n),
                                .n = n,
                                .groups = groups,
                                .pixel_bytes = groups * l->vector_bytes,
                                .row_bytes = l->width * groups * l->vector_bytes,
                                .acc_row =
                                    groups * l->group_vectors * conv->plan->loops->panel_lanes,
                                .work = &work};
        lb_mli_conv_results(conv->plan, conv->first + b.first, n, taps, &work.results);
        pack_weights(&b);
        plan_start(&b);
        run_block(&b);
    }
}

/* A function of its own: calls with large rows do not carry this memory on their stack. */
static void run_in_local_memory(const struct lb_mli_conv *conv, const struct layout *l)
{
    _Alignas(LINE) char memory[LOCAL_BYTES];
    run_blocks(conv, l, memory);
}

/* The same with rows for columns. */
static struct lb_mli_conv transposed(const struct lb_mli_conv *conv)
{
    struct lb_mli_conv t = *conv;
    t.rows = conv->cols, t.cols = conv->rows;
    t.in_row = conv->in_col, t.in_col = conv->in_row;
    t.w_row = conv->w_col, t.w_col = conv->w_row;
    t.out_row = conv->out_col, t.out_col = conv->out_row;
    return t;
}

bool lb_mli_conv_run_depthwise_taps(const struct lb_mli_conv *conv)
{
    struct layout l;
    const struct lb_mli_conv upright = transposed(conv);
    if (conv->cols.out < PIXELS && conv->cols.out < conv->rows.out)
        conv = &upright; /* loops run over columns, several at a time */
    if (!plan_layout(conv, &l))
        return false;
    if (l.memory <= LOCAL_BYTES) {
        run_in_local_memory(conv, &l);
        return true;
    }
    char *memory = aligned_alloc(LINE, round_up(l.memory, LINE));
    if (!memory)
        return false;
    run_blocks(conv, &l, memory);
    free(memory);
    return true;
}
