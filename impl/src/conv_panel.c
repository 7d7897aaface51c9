/*
 * conv_panel.c: convolution on panels (dispatch.h), for levels with vectors. The weights of a block of channels are packed
 * once, for vectors of channels; the input rows that an output row looks at are kept in a ring of rows, padded left and
 * right, converted once. A kernel row is then one run of bytes, the pixels of an output row lie a constant step apart,
 * and nothing is gathered for a pixel.
 *
 *     bytes:  in + 128 unsigned; sums start at -(128 + zero point) * sum of weights; padding is the zero point. (Some levels
 *             take signed bytes: in, and 0 for 128.)
 *     words:  in - zero point, padding is 0
 *     split:  fx16, weights in two halves of 8 bits: two sums of 32 bits for each channel, joined into 64 bits, or
 *             brought straight to the output where the weights prove that 32 bits hold
 */
#include <stdlib.h>
#include <string.h>

#include "conv.h"

enum {
    SUMS = 14 * LB_MLI_BLOCK, /* at once: a tile of pixels of all channels, or more pixels of fewer */
    STEP = 4,                 /* bytes of a pixel */
    LINE = 64,                /* bytes, of a cache */
    SPLIT_BLOCK = 128,        /* channels of a block of split weights */
    SPLIT_STEPS = 252,        /* most steps of split weights in a sum of 32 bits, whatever the weights: 504 products */
    BLOCK_BYTES = 512 << 10,  /* of packed weights: half of a second-level cache */
    LOCAL_BYTES = 32 << 10,   /* of weights and ring that need no allocation */
    RUNS = 128,               /* most of a pixel */
};

/* How a call packs. */
struct layout {
    bool bytes, split, planes; /* planes: split sums go straight to outputs */
    bool straight;             /* bytes: likewise, by panel_sa8 */
    size_t element;            /* bytes, of the ring */
    size_t depth_bytes;        /* of a tap in the ring */
    size_t rows_of_step;       /* rows of weights in a step */
    size_t run_rows;           /* rows of weights that a run takes: taps of a kernel row, or one, times the depth */
    size_t runs, runs_in_row;  /* of a pixel, of a kernel row */
    size_t steps;              /* of a run */
    size_t block;              /* channels at once */
    size_t vector_bytes, panel_bytes;
    size_t weight_bytes; /* of a block */
};

/* Convolutions of which this is a part share weights: a map of output pixels, and the ring for it. */
struct map {
    struct lb_mli_axis rows, cols;
    const char *in;
    char *out;
    ptrdiff_t in_row, in_col, out_row, out_col; /* in_col, out_col as the convolution's, in elements */
};

/* Memory of a call on the stack: some 50 kB with the results. */
struct work {
    _Alignas(LINE) int32_t acc[SUMS];
    _Alignas(LINE) int32_t start[LB_MLI_BLOCK];
    int64_t wide[SUMS / 2];
    union lb_mli_conv_results results;
    struct lb_mli_planes_result planes;
    const char *run[RUNS]; /* of the first pixel of an output row */
};

/* One block of channels of a call. */
struct block {
    const struct lb_mli_conv *conv;
    const struct layout *layout;
    const char *weights; /* packed */
    size_t first, n;     /* channels */
    size_t vectors, acc_row;
    struct work *work;
};

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static size_t vectors_of(const struct lb_mli_conv *conv, const struct layout *l, size_t channels)
{
    const size_t lanes = conv->plan->loops->panel_lanes;
    return (channels + lanes - 1) / lanes * (l->split ? 2 : 1);
}

/* False: this way does not suit the convolution. */
static bool plan_layout(const struct lb_mli_conv *conv, struct layout *l)
{
    const struct lb_mli_loops *loops = conv->plan->loops;
    const size_t taps_cols = (size_t)conv->cols.taps;
    *l = (struct layout){.split = conv->plan->kind == LB_MLI_CONV_FX16,
                         .bytes = conv->plan->kind == LB_MLI_CONV_SA8 && loops->panel_u8s8};
    l->element = l->bytes ? 1 : 2;
    l->rows_of_step = STEP / l->element;
    l->depth_bytes = conv->depth * l->element;
    l->runs_in_row = conv->cols.dilation == 1 ? 1 : taps_cols;
    l->run_rows = taps_cols / l->runs_in_row * conv->depth;
    l->runs = (size_t)conv->rows.taps * l->runs_in_row;
    l->steps = (l->run_rows + l->rows_of_step - 1) / l->rows_of_step;
    l->vector_bytes = loops->panel_lanes * STEP;
    l->panel_bytes = l->runs * l->steps * 2 * l->vector_bytes;
    if (l->runs > RUNS || l->panel_bytes > BLOCK_BYTES * 8)
        return false;
    const size_t panel_channels = loops->panel_lanes * (l->split ? 1 : 2);
    const size_t fitting = BLOCK_BYTES / l->panel_bytes * panel_channels;
    l->block = lb_mli_min_size(l->split ? SPLIT_BLOCK : LB_MLI_BLOCK, fitting < 64 ? 64 : fitting);
    l->block = lb_mli_min_size(l->block, conv->channels);
    l->weight_bytes = (vectors_of(conv, l, l->block) + 1) / 2 * l->panel_bytes;
    return true;
}

/*
 * Weights
 */

/* The packed memory of each vector of a step, which moves from step to step. */
struct cursors {
    void *out[LB_MLI_BLOCK / 4];
    size_t move[LB_MLI_BLOCK / 4];
    size_t count;
};

static void start_cursors(const struct layout *l, size_t vectors, char *packed, struct cursors *c)
{
    c->count = vectors;
    for (size_t v = 0; v < vectors; v++) {
        const size_t of_panel = v / 2 * 2 + 2 <= vectors ? 2 : 1;
        c->out[v] = packed + v / 2 * l->panel_bytes + v % 2 * l->vector_bytes;
        c->move[v] = of_panel * l->vector_bytes;
    }
}

static void pack_step(const struct lb_mli_conv *conv, const struct layout *l, const void *const *rows, size_t n,
                      struct cursors *c)
{
    const struct lb_mli_loops *loops = conv->plan->loops;
    if (l->bytes)
        loops->panel_pack_s8((const int8_t *const *)rows, n, (int8_t *const *)c->out);
    else if (l->split)
        loops->panel_pack_s16_split((const int16_t *const *)rows, n, (int16_t *const *)c->out);
    else
        loops->panel_pack_s8_s16((const int8_t *const *)rows, n, (int16_t *const *)c->out);
    for (size_t v = 0; v < c->count; v++)
        c->out[v] = (char *)c->out[v] + c->move[v];
}

/* Channels first .. first + n - 1 of all steps of the run that begins at tap (i, j). */
static void pack_run(const struct lb_mli_conv *conv, const struct layout *l, ptrdiff_t tap, size_t first, size_t n,
                     struct cursors *c)
{
    static const int16_t none[LB_MLI_BLOCK];
    const size_t size = lb_mli_conv_w_size(conv->plan->kind);
    const void *rows[STEP];
    size_t channel = 0;
    for (size_t k = 0; k < l->run_rows; k += l->rows_of_step) {
        for (size_t r = 0; r < l->rows_of_step; r++) {
            const ptrdiff_t at = tap + (ptrdiff_t)channel * conv->w_depth + (ptrdiff_t)first;
            rows[r] = k + r < l->run_rows ? lb_mli_at(conv->weights, at, size) : none;
            if (++channel == conv->depth) {
                channel = 0;
                tap += conv->w_col;
            }
        }
        pack_step(conv, l, rows, n, c);
    }
}

static void pack_weights(const struct block *b, char *packed)
{
    const struct lb_mli_conv *conv = b->conv;
    const size_t taps_of_run = (size_t)conv->cols.taps / b->layout->runs_in_row;
    struct cursors cursors;
    start_cursors(b->layout, b->vectors, packed, &cursors);
    for (int64_t i = 0; i < conv->rows.taps; i++) {
        for (size_t j = 0; j < b->layout->runs_in_row; j++) {
            const ptrdiff_t tap = (ptrdiff_t)i * conv->w_row + (ptrdiff_t)(j * taps_of_run) * conv->w_col;
            pack_run(conv, b->layout, tap, b->first, b->n, &cursors);
        }
    }
}

/*
 * What sums start from
 */

/* Bytes have 128 and the zero point too much in every input, padding included. The sums of weights are those of a pixel
 * that is 1 everywhere; ones: memory of a run. */
static void plan_excess(const struct block *b, char *ones)
{
    const struct layout *l = b->layout;
    const int64_t excess = b->conv->plan->zero_in + b->conv->plan->loops->bytes_excess;
    const struct lb_mli_pixels pixel = {b->work->run, l->runs, l->steps, 0};
    memset(ones, 1, l->steps * STEP);
    for (size_t r = 0; r < l->runs; r++)
        b->work->run[r] = ones;
    b->conv->plan->loops->panel_u8s8(&pixel, 1, b->weights, l->panel_bytes, b->vectors, b->work->start, b->work->acc,
                                     b->acc_row);
    for (size_t c = 0; c < b->n; c++)
        b->work->start[c] = lb_mli_wrap32(-excess * b->work->acc[c]);
}

/* Do the weights prove that sums of halves, joined, fit 32 bits? */
static bool halves_fit(const struct block *b)
{
    const struct layout *l = b->layout;
    const struct lb_mli_loops *loops = b->conv->plan->loops;
    uint32_t sums[LINE];
    for (size_t v = 0; v < b->vectors; v++) {
        const char *w = b->weights + v / 2 * l->panel_bytes + v % 2 * l->vector_bytes;
        loops->panel_magnitude_s16((const void *)w, l->vector_bytes, l->runs * l->steps, sums);
        for (size_t i = 0; i < loops->panel_lanes; i++) {
            if (sums[i] > (v % 2 ? LB_MLI_HIGH_SUM : LB_MLI_LOW_SUM))
                return false;
        }
    }
    return true;
}

/*
 * Ring
 */

/* n containers of the input. */
static void load(const struct lb_mli_conv *conv, const struct layout *l, const void *in, size_t n, char *to)
{
    if (conv->plan->kind != LB_MLI_CONV_SA8)
        memcpy(to, in, n * 2);
    else if (l->bytes && conv->plan->loops->bytes_excess == 0)
        memcpy(to, in, n);
    else if (l->bytes)
        conv->plan->loops->offset_s8(in, n, (uint8_t *)to);
    else
        conv->plan->loops->widen_s8(in, n, conv->plan->zero_in, (int16_t *)(void *)to);
}

/* Pixels that the windows of an output row span. */
static size_t ring_width(const struct lb_mli_axis *cols)
{
    return (size_t)((cols->out - 1) * cols->stride + (cols->taps - 1) * cols->dilation + 1);
}

static size_t ring_row_bytes(const struct layout *l, const struct map *map)
{
    return round_up(ring_width(&map->cols) * l->depth_bytes + STEP,
                    LINE); /* the last step may go past the last pixel */
}

static size_t ring_rows(const struct map *map)
{
    return (size_t)((map->rows.taps - 1) * map->rows.dilation + 1);
}

/* Input row `row`, which may be outside, as a row of the ring. */
static void load_row(const struct block *b, const struct map *map, int64_t row, char *to)
{
    const struct layout *l = b->layout;
    const int zero = l->bytes ? b->conv->plan->zero_in + b->conv->plan->loops->bytes_excess : 0;
    const int64_t width = (int64_t)ring_width(&map->cols),
                  first = -map->cols.pad; /* column that the ring begins with */
    const int64_t lo = first < 0 ? -first : 0, hi = map->cols.in - first < width ? map->cols.in - first : width;
    if (row < 0 || row >= map->rows.in || lo >= hi) {
        memset(to, zero, (size_t)width * l->depth_bytes);
        return;
    }
    const size_t size = lb_mli_conv_in_size(b->conv->plan->kind), depth = b->conv->depth;
    const ptrdiff_t at = (ptrdiff_t)row * map->in_row + (ptrdiff_t)(first + lo) * map->in_col;
    memset(to, zero, (size_t)lo * l->depth_bytes);
    if (map->in_col == (ptrdiff_t)depth) {
        load(b->conv, l, lb_mli_at(map->in, at, size), (size_t)(hi - lo) * depth, to + (size_t)lo * l->depth_bytes);
    } else {
        for (int64_t x = lo; x < hi; x++)
            load(b->conv, l, lb_mli_at(map->in, at + (ptrdiff_t)(x - lo) * map->in_col, size), depth,
                 to + (size_t)x * l->depth_bytes);
    }
    memset(to + (size_t)hi * l->depth_bytes, zero, (size_t)(width - hi) * l->depth_bytes);
}

/*
 * Products
 */

/* Sums of split weights in slices that 32 bits hold, joined. */
static void add_slices(const struct block *b, const struct lb_mli_pixels *pixels, size_t count)
{
    static const int32_t none[LB_MLI_BLOCK];
    const struct layout *l = b->layout;
    const struct lb_mli_loops *loops = b->conv->plan->loops;
    const size_t runs = l->steps < SPLIT_STEPS ? SPLIT_STEPS / l->steps : 1;
    memset(b->work->wide, 0, count * b->n * sizeof b->work->wide[0]);
    for (size_t r = 0; r < l->runs; r += runs) {
        for (size_t k = 0; k < l->steps; k += SPLIT_STEPS) {
            const char *run[RUNS];
            const struct lb_mli_pixels slice = {run, lb_mli_min_size(runs, l->runs - r),
                                                lb_mli_min_size(SPLIT_STEPS, l->steps - k), pixels->step};
            for (size_t i = 0; i < slice.runs; i++)
                run[i] = pixels->run[r + i] + k * STEP;
            loops->panel_s16(&slice, count, b->weights + (r * l->steps + k) * 2 * l->vector_bytes, l->panel_bytes,
                             b->vectors, none, b->work->acc, b->acc_row);
            for (size_t p = 0; p < count; p++)
                loops->panel_join_s64(b->work->acc + p * b->acc_row, b->n, b->work->wide + p * b->n);
        }
    }
}

/* count pixels of an output row, whose runs are in pixels, to outputs. */
static void run_pixels(const struct block *b, const struct lb_mli_pixels *pixels, size_t count, char *out,
                       size_t out_step)
{
    const struct lb_mli_conv_plan *plan = b->conv->plan;
    const struct layout *l = b->layout;
    if (l->straight) {
        plan->loops->panel_sa8[plan->sa.profile](pixels, count, b->weights, l->panel_bytes, b->n, b->work->start,
                                                 &b->work->results.sa.result, plan->loops->sa8_rows[plan->sa.profile],
                                                 (int8_t *)out, out_step);
        return;
    }
    if (l->split && !l->planes)
        add_slices(b, pixels, count);
    else
        (l->bytes ? plan->loops->panel_u8s8 : plan->loops->panel_s16)(
            pixels, count, b->weights, l->panel_bytes, b->vectors, b->work->start, b->work->acc, b->acc_row);
    if (!l->split || l->planes) {
        lb_mli_conv_finish_rows(plan, &b->work->results, l->planes ? &b->work->planes : NULL, b->work->acc, b->acc_row,
                                count, b->n, out, out_step);
        return;
    }
    for (size_t p = 0; p < count; p++, out += out_step)
        lb_mli_conv_finish(plan, &b->work->results, b->work->wide + p * b->n, b->n, out);
}

static void run_row(const struct block *b, const struct map *map, int64_t y)
{
    const size_t size = lb_mli_conv_in_size(b->conv->plan->kind), width = (size_t)map->cols.out;
    const size_t most = b->layout->straight ? width : SUMS / b->acc_row, parts = (width + most - 1) / most;
    const ptrdiff_t step = (ptrdiff_t)map->cols.stride * (ptrdiff_t)b->layout->depth_bytes;
    const size_t out_step = (size_t)map->out_col * size;
    char *out = map->out + ((ptrdiff_t)y * map->out_row + (ptrdiff_t)b->first) * (ptrdiff_t)size;
    for (size_t part = parts, x = 0; part > 0; part--) {
        const size_t count = (width - x + part - 1) / part; /* parts of about the same size */
        const struct lb_mli_pixels pixels = {b->work->run, b->layout->runs, b->layout->steps, step};
        run_pixels(b, &pixels, count, out + x * out_step, out_step);
        for (size_t r = 0; r < b->layout->runs; r++)
            b->work->run[r] += (ptrdiff_t)count * step;
        x += count;
    }
}

static void run_map(const struct block *b, const struct map *map, char *ring)
{
    const struct layout *l = b->layout;
    const size_t rows = ring_rows(map), row_bytes = ring_row_bytes(l, map);
    const int64_t first = -map->rows.pad;
    int64_t next = first; /* row of the input that the ring does not hold yet */
    for (int64_t y = 0; y < map->rows.out; y++) {
        const int64_t base = first + y * map->rows.stride;
        for (next = next < base ? base : next; next < base + (int64_t)rows; next++)
            load_row(b, map, next, ring + (size_t)(next - first) % rows * row_bytes);
        for (size_t r = 0; r < l->runs; r++) {
            const int64_t row = base + (int64_t)(r / l->runs_in_row) * map->rows.dilation;
            b->work->run[r] = ring + (size_t)(row - first) % rows * row_bytes +
                              r % l->runs_in_row * (size_t)map->cols.dilation * l->depth_bytes;
        }
        run_row(b, map, y);
    }
}

/* Where pixels of the whole map lie one behind the other, and each depends on one input: rows of other lengths, the last
 * of which is a map of its own. Gives the number of maps. */
static size_t plan_maps(const struct lb_mli_conv *conv, struct map maps[2])
{
    enum { TILES_OF_ROW = 4 };
    const int64_t row = (int64_t)conv->plan->loops->panel_pixels * TILES_OF_ROW;
    const int64_t pixels = conv->rows.out * conv->cols.out;
    const bool one_tap = conv->rows.taps == 1 && conv->cols.taps == 1 && conv->rows.stride == 1 &&
                         conv->cols.stride == 1 && conv->rows.pad == 0 && conv->cols.pad == 0;
    const bool behind = conv->cols.out == conv->cols.in && conv->in_row == conv->cols.in * conv->in_col &&
                        conv->out_row == conv->cols.out * conv->out_col;
    maps[0] = (struct map){.rows = conv->rows,
                           .cols = conv->cols,
                           .in = conv->in,
                           .out = conv->out,
                           .in_row = conv->in_row,
                           .in_col = conv->in_col,
                           .out_row = conv->out_row,
                           .out_col = conv->out_col};
    if (!one_tap || !behind)
        return 1;
    const size_t size = lb_mli_conv_in_size(conv->plan->kind);
    const int64_t whole = pixels / row, rest = pixels % row;
    maps[0].rows.in = maps[0].rows.out = whole;
    maps[0].cols.in = maps[0].cols.out = row;
    maps[0].in_row = (ptrdiff_t)row * conv->in_col;
    maps[0].out_row = (ptrdiff_t)row * conv->out_col;
    maps[1] = maps[0];
    maps[1].rows.in = maps[1].rows.out = 1;
    maps[1].cols.in = maps[1].cols.out = rest;
    maps[1].in += (ptrdiff_t)(whole * row) * conv->in_col * (ptrdiff_t)size;
    maps[1].out += (ptrdiff_t)(whole * row) * conv->out_col * (ptrdiff_t)size;
    if (whole == 0)
        maps[0] = maps[1];
    return whole > 0 && rest > 0 ? 2 : 1;
}

static size_t ring_bytes(const struct layout *l, const struct map *maps, size_t count)
{
    size_t bytes = round_up(l->steps * STEP, LINE); /* plan_excess */
    for (size_t m = 0; m < count; m++) {
        const size_t wanted = ring_rows(&maps[m]) * ring_row_bytes(l, &maps[m]);
        bytes = wanted > bytes ? wanted : bytes;
    }
    return bytes;
}

/* Do panels of bytes give outputs? */
static bool goes_straight(const struct block *b)
{
    const struct lb_mli_loops *loops = b->conv->plan->loops;
    return b->layout->bytes && loops->panel_sa8[b->conv->plan->sa.profile] && b->work->results.sa.bias_in_start &&
           b->n % loops->panel_lanes == 0;
}

static void run_blocks(const struct lb_mli_conv *conv, struct layout *l, const struct map *maps, size_t map_count,
                       char *memory)
{
    struct work work;
    char *const ring = memory + l->weight_bytes;
    for (size_t first = 0; first < conv->channels; first += l->block) {
        const size_t n = lb_mli_min_size(conv->channels - first, l->block);
        const size_t vectors = vectors_of(conv, l, n);
        const struct block b = {conv, l, memory, first, n, vectors, vectors * conv->plan->loops->panel_lanes, &work};
        lb_mli_conv_results(conv->plan, conv->first + first, n, l->runs * l->run_rows, &work.results);
        pack_weights(&b, memory);
        l->planes = l->split && lb_mli_conv_planes_shift(conv->plan) && halves_fit(&b);
        memset(work.start, 0, sizeof work.start);
        if (l->bytes)
            plan_excess(&b, ring);
        else if (l->planes)
            lb_mli_conv_plan_planes(conv->plan, &work.results, n, work.start, &work.planes);
        if (!l->split)
            lb_mli_conv_add_bias(conv->plan, &work.results, n, work.start);
        l->straight = goes_straight(&b);
        for (size_t m = 0; m < map_count; m++)
            run_map(&b, &maps[m], ring);
    }
}

/* A function of its own: calls with much to pack do not carry this memory on their stack. */
static void run_in_local_memory(const struct lb_mli_conv *conv, struct layout *l, const struct map *maps,
                                size_t map_count)
{
    _Alignas(LINE) char memory[LOCAL_BYTES];
    run_blocks(conv, l, maps, map_count, memory);
}

bool lb_mli_conv_run_panels(const struct lb_mli_conv *conv)
{
    struct layout l;
    struct map maps[2];
    if (!conv->plan->loops->panel_s16 || !plan_layout(conv, &l))
        return false;
    const size_t map_count = plan_maps(conv, maps), bytes = l.weight_bytes + ring_bytes(&l, maps, map_count);
    if (bytes <= LOCAL_BYTES) {
        run_in_local_memory(conv, &l, maps, map_count);
        return true;
    }
    char *memory = aligned_alloc(LINE, round_up(bytes, LINE));
    if (!memory)
        return false;
    run_blocks(conv, &l, maps, map_count, memory);
    free(memory);
    return true;
}
