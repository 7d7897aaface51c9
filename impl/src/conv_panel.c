/* Convolution on panels (loops.h), for levels with vectors. The weights of a block of channels are
 * packed once, for vectors of channels; the input rows that an output row looks at are kept in a
 * ring of rows, padded left and right, converted once. A kernel row is then one run of bytes, the
 * pixels of an output row lie a constant step apart, and nothing is gathered for a pixel.
 *
 * - bytes: in + 128 unsigned; sums start at -(128 + zero point) * sum of weights; padding is the
 *   zero point. (Some levels take signed bytes: in, and 0 for 128.)
 * - words: in - zero point, padding is 0
 * - split: fx16, weights in two halves of 8 bits: two sums of 32 bits for each channel, joined into
 *   64 bits, or brought straight to the output where the weights prove that 32 bits hold */
#include <stdlib.h>
#include <string.h>

#include "conv_panel.h"
#include "conv_prepared.h"

enum {
    SPLIT_BLOCK = 128, /* channels of a block of split weights */
    SPLIT_STEPS = 252, /* most steps of split weights in a sum of 32 bits, whatever the weights: 504
                          products */
    BLOCK_BYTES = 512 << 10, /* of packed weights: half of a second-level cache */
    LOCAL_BYTES = 32 << 10,  /* of weights and ring that need no allocation */
};

/* Convolutions of which this is a part share weights: a map of output pixels, and the ring for it.
 */
struct map {
    struct lb_mli_axis rows, cols;
    const char *in;
    char *out;
    ptrdiff_t in_row, in_col, out_row,
        out_col;   /* in_col, out_col as the convolution's, in elements */
    bool in_place; /* the input is as a ring would be: there is no ring */
};

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static size_t vectors_of(const struct lb_mli_conv *conv, const struct lb_mli_panel_layout *l,
                         size_t channels)
{
    const size_t lanes = conv->plan->loops->panel_lanes;
    return (channels + lanes - 1) / lanes * (l->split ? 2 : 1);
}

static bool row_is_narrow(const int8_t *w, size_t n)
{
    uint8_t most = 0;
    for (size_t i = 0; i < n; i++) {
        const uint8_t moved = (uint8_t)(w[i] + LB_MLI_NARROW);
        most = most > moved ? most : moved;
    }
    return most <= 2 * LB_MLI_NARROW;
}

/* Is no weight further from 0 than LB_MLI_NARROW? Weights of the whole range show it soon. */
static bool is_narrow(const struct lb_mli_conv *conv)
{
    for (int64_t i = 0; i < conv->rows.taps; i++) {
        for (int64_t j = 0; j < conv->cols.taps; j++) {
            for (size_t k = 0; k < conv->depth; k++) {
                const ptrdiff_t at = (ptrdiff_t)i * conv->w_row + (ptrdiff_t)j * conv->w_col +
                                     (ptrdiff_t)k * conv->w_depth;
                if (!row_is_narrow((const int8_t *)conv->weights + at, conv->channels))
                    return false;
            }
        }
    }
    return true;
}

static bool goes_by_bytes(const struct lb_mli_conv *conv)
{
    const struct lb_mli_loops *loops = conv->plan->loops;
    if (conv->plan->kind != LB_MLI_CONV_SA8)
        return false;
    if (conv->prepared)
        return lb_mli_prepared_bytes(conv->prepared);
    return loops->panel_u8s8 || (loops->panel_narrow && is_narrow(conv));
}

bool lb_mli_panel_plan(const struct lb_mli_conv *conv, struct lb_mli_panel_layout *l)
{
    const struct lb_mli_loops *loops = conv->plan->loops;
    const size_t taps_cols = (size_t)conv->cols.taps;
    if (!loops->panel_s16)
        return false;
    *l = (struct lb_mli_panel_layout){.split = conv->plan->kind == LB_MLI_CONV_FX16,
                                      .bytes = goes_by_bytes(conv)};
    l->element = l->bytes ? 1 : 2;
    l->rows_of_step = LB_MLI_PANEL_STEP / l->element;
    l->depth_bytes = conv->depth * l->element;
    l->runs_in_row = conv->cols.dilation == 1 ? 1 : taps_cols;
    l->run_rows = taps_cols / l->runs_in_row * conv->depth;
    l->runs = (size_t)conv->rows.taps * l->runs_in_row;
    l->steps = (l->run_rows + l->rows_of_step - 1) / l->rows_of_step;
    l->vector_bytes = loops->panel_lanes * LB_MLI_PANEL_STEP;
    l->panel_bytes = l->runs * l->steps * 2 * l->vector_bytes;
    if (l->runs > LB_MLI_PANEL_RUNS || l->panel_bytes > BLOCK_BYTES * 8)
        return false;
    const size_t panel_channels = loops->panel_lanes * (l->split ? 1 : 2);
    const size_t fitting = BLOCK_BYTES / l->panel_bytes * panel_channels;
    l->block = lb_mli_min_size(l->split ? SPLIT_BLOCK : LB_MLI_BLOCK, fitting < 64 ? 64 : fitting);
    l->block = lb_mli_min_size(l->block, conv->channels);
    l->weight_bytes = (vectors_of(conv, l, l->block) + 1) / 2 * l->panel_bytes;
    return true;
}

struct lb_mli_panel_block lb_mli_panel_block(const struct lb_mli_conv *conv,
                                             const struct lb_mli_panel_layout *layout, size_t first,
                                             const char *weights, struct lb_mli_panel_work *work)
{
    const size_t n = lb_mli_min_size(conv->channels - first, layout->block);
    const size_t vectors = vectors_of(conv, layout, n);
    return (struct lb_mli_panel_block){.conv = conv,
                                       .layout = layout,
                                       .weights = weights,
                                       .first = first,
                                       .n = n,
                                       .vectors = vectors,
                                       .acc_row = vectors * conv->plan->loops->panel_lanes,
                                       .work = work};
}

/*
 * Ring
 */

/* Pixels of n containers of the input, in_col apart, one behind the other in the ring. */
static void load(const struct lb_mli_conv *conv, const struct lb_mli_panel_layout *l,
                 const char *in, ptrdiff_t in_col, size_t pixels, size_t n, char *to)
{
    const struct lb_mli_loops *loops = conv->plan->loops;
    if (l->bytes) {
        loops->panel_load_s8((const int8_t *)in, in_col, pixels, n, to);
        return;
    }
    for (size_t p = 0; p < pixels; p++, to += n * 2)
        if (conv->plan->kind == LB_MLI_CONV_SA8)
            loops->widen_s8((const int8_t *)in + (ptrdiff_t)p * in_col, n, conv->plan->zero_in,
                            (int16_t *)(void *)to);
        else
            memcpy(to, in + (ptrdiff_t)p * in_col * 2, n * 2);
}

/* Pixels that the windows of an output row span. */
static size_t ring_width(const struct lb_mli_axis *cols)
{
    return (size_t)((cols->out - 1) * cols->stride + (cols->taps - 1) * cols->dilation + 1);
}

static size_t ring_row_bytes(const struct lb_mli_panel_layout *l, const struct map *map)
{
    return round_up(ring_width(&map->cols) * l->depth_bytes + LB_MLI_PANEL_STEP,
                    LB_MLI_PANEL_LINE); /* the last step may go past the last pixel */
}

static size_t ring_rows(const struct map *map)
{
    return (size_t)((map->rows.taps - 1) * map->rows.dilation + 1);
}

/* Input row `row`, which may be outside, as a row of the ring. */
static void load_row(const struct lb_mli_panel_block *b, const struct map *map, int64_t row,
                     char *to)
{
    const struct lb_mli_panel_layout *l = b->layout;
    const int zero = l->bytes ? b->conv->plan->zero_in + b->conv->plan->loops->bytes_excess : 0;
    const int64_t width = (int64_t)ring_width(&map->cols),
                  first = -map->cols.pad; /* column that the ring begins with */
    const int64_t lo = first < 0 ? -first : 0,
                  hi = map->cols.in - first < width ? map->cols.in - first : width;
    if (row < 0 || row >= map->rows.in || lo >= hi) {
        memset(to, zero, (size_t)width * l->depth_bytes);
        return;
    }
    const size_t size = lb_mli_conv_in_size(b->conv->plan->kind), depth = b->conv->depth;
    const ptrdiff_t at = (ptrdiff_t)row * map->in_row + (ptrdiff_t)(first + lo) * map->in_col;
    memset(to, zero, (size_t)lo * l->depth_bytes);
    const bool joined = map->in_col == (ptrdiff_t)depth;
    load(b->conv, l, lb_mli_at(map->in, at, size), map->in_col, joined ? 1 : (size_t)(hi - lo),
         joined ? (size_t)(hi - lo) * depth : depth, to + (size_t)lo * l->depth_bytes);
    memset(to + (size_t)hi * l->depth_bytes, zero, (size_t)(width - hi) * l->depth_bytes);
}

/*
 * Products
 */

/* Sums of split weights in slices that 32 bits hold, joined. */
static void add_slices(const struct lb_mli_panel_block *b, const struct lb_mli_pixels *pixels,
                       size_t count)
{
    static const int32_t none[LB_MLI_BLOCK];
    const struct lb_mli_panel_layout *l = b->layout;
    const struct lb_mli_loops *loops = b->conv->plan->loops;
    const size_t runs = l->steps < SPLIT_STEPS ? SPLIT_STEPS / l->steps : 1;
    memset(b->work->wide, 0, count * b->n * sizeof b->work->wide[0]);
    for (size_t r = 0; r < l->runs; r += runs) {
        for (size_t k = 0; k < l->steps; k += SPLIT_STEPS) {
            const char *run[LB_MLI_PANEL_RUNS];
            const struct lb_mli_pixels slice = {run, lb_mli_min_size(runs, l->runs - r),
                                                lb_mli_min_size(SPLIT_STEPS, l->steps - k),
                                                pixels->step};
            for (size_t i = 0; i < slice.runs; i++)
                run[i] = pixels->run[r + i] + k * LB_MLI_PANEL_STEP;
            loops->panel_s16(&slice, count, b->weights + (r * l->steps + k) * 2 * l->vector_bytes,
                             l->panel_bytes, b->vectors, none, b->work->acc, b->acc_row);
            for (size_t p = 0; p < count; p++)
                loops->panel_join_s64(b->work->acc + p * b->acc_row, b->n,
                                      b->work->wide + p * b->n);
        }
    }
}

static void run_straight(const struct lb_mli_panel_block *b, const struct lb_mli_pixels *pixels,
                         size_t count, char *out, size_t out_step)
{
    const struct lb_mli_conv_plan *plan = b->conv->plan;
    const struct lb_mli_loops *loops = plan->loops;
    const enum lb_mli_round round = plan->fx.round;
    struct lb_mli_panel_work *const work = b->work;
    const size_t panel_bytes = b->layout->panel_bytes;
    if (b->layout->bytes)
        loops->panel_sa8[plan->sa.profile](
            pixels, count, b->weights, panel_bytes, b->n, work->start, &work->results.sa.result,
            loops->sa8_rows[plan->sa.profile], (int8_t *)out, out_step);
    else if (b->layout->split16)
        loops->panel_split16[round](pixels, count, b->weights, panel_bytes, b->n, work->start,
                                    &work->split16, loops->split16_rows[round],
                                    (int16_t *)(void *)out, out_step / 2);
    else
        loops->panel_fx16[round](pixels, count, b->weights, panel_bytes, b->n, work->start,
                                 &plan->fx.result, loops->fx16_rows[round], (int16_t *)(void *)out,
                                 out_step / 2);
}

/* count pixels of an output row, whose runs are in pixels, to outputs. */
static void run_pixels(const struct lb_mli_panel_block *b, const struct lb_mli_pixels *pixels,
                       size_t count, char *out, size_t out_step)
{
    const struct lb_mli_conv_plan *plan = b->conv->plan;
    const struct lb_mli_panel_layout *l = b->layout;
    if (l->straight) {
        run_straight(b, pixels, count, out, out_step);
        return;
    }
    if (l->split && !l->split16)
        add_slices(b, pixels, count);
    else
        (l->bytes ? lb_mli_panel_of_bytes(plan->loops)
                  : plan->loops->panel_s16)(pixels, count, b->weights, l->panel_bytes, b->vectors,
                                            b->work->start, b->work->acc, b->acc_row);
    if (!l->split || l->split16) {
        lb_mli_conv_finish_rows(plan, &b->work->results, l->split16 ? &b->work->split16 : NULL,
                                b->work->acc, b->acc_row, count, b->n, out, out_step);
        return;
    }
    for (size_t p = 0; p < count; p++, out += out_step)
        lb_mli_conv_finish(plan, &b->work->results, b->work->wide + p * b->n, b->n, out);
}

/* From a pixel of the ring, or of the input, to the next. */
static ptrdiff_t pixel_bytes(const struct lb_mli_panel_block *b, const struct map *map)
{
    if (map->in_place)
        return map->in_col * (ptrdiff_t)lb_mli_conv_in_size(b->conv->plan->kind);
    return (ptrdiff_t)b->layout->depth_bytes;
}

static void run_row(const struct lb_mli_panel_block *b, const struct map *map, int64_t y)
{
    const size_t size = lb_mli_conv_in_size(b->conv->plan->kind), width = (size_t)map->cols.out;
    const size_t most = b->layout->straight ? width : LB_MLI_PANEL_SUMS / b->acc_row,
                 parts = (width + most - 1) / most;
    const ptrdiff_t step = (ptrdiff_t)map->cols.stride * pixel_bytes(b, map);
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

/* Where an input row begins for the first output of its row, which is in the input. */
static const char *first_pixel(const struct lb_mli_panel_block *b, const struct map *map,
                               int64_t row)
{
    const ptrdiff_t at = (ptrdiff_t)row * map->in_row - (ptrdiff_t)map->cols.pad * map->in_col;
    return lb_mli_at(map->in, at, lb_mli_conv_in_size(b->conv->plan->kind));
}

static void run_map(const struct lb_mli_panel_block *b, const struct map *map, char *ring)
{
    const struct lb_mli_panel_layout *l = b->layout;
    const size_t rows = ring_rows(map), row_bytes = ring_row_bytes(l, map);
    const int64_t first = -map->rows.pad;
    int64_t next = first; /* row of the input that the ring does not hold yet */
    for (int64_t y = 0; y < map->rows.out; y++) {
        const int64_t base = first + y * map->rows.stride;
        for (next = next < base ? base : next; next < base + (int64_t)rows && !map->in_place;
             next++)
            load_row(b, map, next, ring + (size_t)(next - first) % rows * row_bytes);
        for (size_t r = 0; r < l->runs; r++) {
            const int64_t row = base + (int64_t)(r / l->runs_in_row) * map->rows.dilation;
            const int64_t col = (int64_t)(r % l->runs_in_row) * map->cols.dilation;
            const char *const begin = map->in_place
                                          ? first_pixel(b, map, row)
                                          : ring + (size_t)(row - first) % rows * row_bytes;
            b->work->run[r] = begin + (ptrdiff_t)col * pixel_bytes(b, map);
        }
        run_row(b, map, y);
    }
}

/* Are all taps of all outputs inside? */
static bool inside(const struct lb_mli_axis *axis)
{
    return axis->pad <= 0 &&
           (axis->out - 1) * axis->stride - axis->pad + (axis->taps - 1) * axis->dilation <
               axis->in;
}

/* May runs be read from the input? Its numbers are those of a ring, the channels of a run follow
 * each other, and no step goes past them. */
static bool serves_as_ring(const struct lb_mli_conv *conv, const struct lb_mli_panel_layout *l,
                           const struct map *map)
{
    const bool same =
        conv->plan->kind != LB_MLI_CONV_SA8 || (l->bytes && conv->plan->loops->bytes_excess == 0);
    const bool joined = l->run_rows == conv->depth || map->in_col == (ptrdiff_t)conv->depth;
    return same && joined && l->run_rows % l->rows_of_step == 0 && inside(&map->rows) &&
           inside(&map->cols);
}

/* Where pixels of the whole map lie one behind the other, and each depends on one input: rows of
 * other lengths, the last of which is a map of its own. Gives the number of maps. */
static size_t plan_maps(const struct lb_mli_conv *conv, struct map maps[2])
{
    enum { TILES_OF_ROW = 4 };
    const int64_t row = (int64_t)conv->plan->loops->panel_pixels * TILES_OF_ROW;
    const int64_t pixels = conv->rows.out * conv->cols.out;
    const bool one_tap = conv->rows.taps == 1 && conv->cols.taps == 1 && conv->rows.stride == 1 &&
                         conv->cols.stride == 1 && conv->rows.pad == 0 && conv->cols.pad == 0;
    const bool behind = conv->cols.out == conv->cols.in &&
                        conv->in_row == conv->cols.in * conv->in_col &&
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

static size_t ring_bytes(const struct lb_mli_panel_layout *l, const struct map *maps, size_t count)
{
    size_t bytes = round_up(l->steps * LB_MLI_PANEL_STEP, LB_MLI_PANEL_LINE); /* plan_excess */
    for (size_t m = 0; m < count; m++) {
        const size_t wanted =
            maps[m].in_place ? 0 : ring_rows(&maps[m]) * ring_row_bytes(l, &maps[m]);
        bytes = wanted > bytes ? wanted : bytes;
    }
    return bytes;
}

/* Are there loops that give outputs? */
static bool goes_straight(const struct lb_mli_panel_block *b)
{
    const struct lb_mli_conv_plan *plan = b->conv->plan;
    const struct lb_mli_loops *loops = plan->loops;
    const union lb_mli_conv_results *results = &b->work->results;
    switch (plan->kind) {
    case LB_MLI_CONV_SA8:
        return b->layout->bytes && loops->panel_sa8[plan->sa.profile] &&
               results->sa.bias_in_start && b->n % loops->panel_lanes == 0;
    case LB_MLI_CONV_FX16_FX8:
        return loops->panel_fx16[plan->fx.round] && results->fx.bias_in_start;
    case LB_MLI_CONV_FX16:
        return loops->panel_split16[plan->fx.round] && b->layout->split16;
    }
    return false;
}

static void run_blocks(const struct lb_mli_conv *conv, struct lb_mli_panel_layout *l,
                       const struct map *maps, size_t map_count, char *memory)
{
    struct lb_mli_panel_work work;
    char *const ring = memory + (conv->prepared ? 0 : l->weight_bytes);
    for (size_t first = 0; first < conv->channels; first += l->block) {
        const struct lb_mli_packed at =
            conv->prepared ? lb_mli_prepared_block(conv->prepared, l, first / l->block)
                           : (struct lb_mli_packed){memory, work.acc};
        const struct lb_mli_panel_block b = lb_mli_panel_block(conv, l, first, at.weights, &work);
        lb_mli_conv_results(conv->plan, conv->first + first, b.n, l->runs * l->run_rows,
                            &work.results);
        if (!conv->prepared)
            lb_mli_panel_pack(&b, memory, work.acc);
        lb_mli_panel_start(&b, l, at.sums, ring);
        l->straight = goes_straight(&b);
        for (size_t m = 0; m < map_count; m++)
            run_map(&b, &maps[m], ring);
    }
}

/* A function of its own: calls with much to pack do not carry this memory on their stack. */
static void run_in_local_memory(const struct lb_mli_conv *conv, struct lb_mli_panel_layout *l,
                                const struct map *maps, size_t map_count)
{
    _Alignas(LB_MLI_PANEL_LINE) char memory[LOCAL_BYTES];
    run_blocks(conv, l, maps, map_count, memory);
}

bool lb_mli_conv_run_panels(const struct lb_mli_conv *conv)
{
    struct lb_mli_panel_layout l;
    struct map maps[2];
    if (!lb_mli_panel_plan(conv, &l))
        return false;
    const size_t map_count = plan_maps(conv, maps);
    for (size_t m = 0; m < map_count; m++)
        maps[m].in_place = serves_as_ring(conv, &l, &maps[m]);
    const size_t bytes = (conv->prepared ? 0 : l.weight_bytes) + ring_bytes(&l, maps, map_count);
    if (bytes <= LOCAL_BYTES) {
        run_in_local_memory(conv, &l, maps, map_count);
        return true;
    }
    char *memory = aligned_alloc(LB_MLI_PANEL_LINE, round_up(bytes, LB_MLI_PANEL_LINE));
    if (!memory)
        return false;
    run_blocks(conv, &l, maps, map_count, memory);
    free(memory);
    return true;
}
