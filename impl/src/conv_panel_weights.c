/* The weights of convolutions on panels, packed once for a block of channels, and what sums start
 * from because of them. */
#include <string.h>

#include "conv_panel.h"

/*
 * Weights
 */

/* The packed memory of each vector of a step, which moves from step to step. */
struct cursors {
    void *out[LB_MLI_BLOCK / 4];
    size_t move[LB_MLI_BLOCK / 4];
    size_t count;
};

/* Of vectors first .. vectors - 1. */
static void start_cursors(const struct lb_mli_panel_layout *l, size_t first, size_t vectors,
                          char *packed, struct cursors *c)
{
    c->count = vectors - first;
    for (size_t i = 0; i < c->count; i++) {
        const size_t v = first + i, of_panel = v / 2 * 2 + 2 <= vectors ? 2 : 1;
        c->out[i] = packed + v / 2 * l->panel_bytes + v % 2 * l->vector_bytes;
        c->move[i] = of_panel * l->vector_bytes;
    }
}

static void pack_step(const struct lb_mli_conv *conv, const struct lb_mli_panel_layout *l,
                      const void *const *rows, size_t n, struct cursors *c)
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
static void pack_run(const struct lb_mli_conv *conv, const struct lb_mli_panel_layout *l,
                     ptrdiff_t tap, size_t first, size_t n, struct cursors *c)
{
    static const int16_t none[LB_MLI_BLOCK];
    const size_t size = lb_mli_conv_w_size(conv->plan->kind);
    const void *rows[LB_MLI_PANEL_STEP];
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

/* Rows of weights of a run that lie the same distance apart: those of all its taps, or of one. */
static size_t rows_of_piece(const struct lb_mli_conv *conv, const struct lb_mli_panel_layout *l)
{
    return conv->w_col == (ptrdiff_t)conv->depth * conv->w_depth ? l->run_rows : conv->depth;
}

/* Channels of a block that are packed in such pieces: where these are whole steps of weights of
 * bytes, all that fill vectors of bytes. */
static size_t channels_in_pieces(const struct lb_mli_panel_block *b)
{
    const size_t unit = 4 * b->conv->plan->loops->panel_lanes;
    const bool whole = rows_of_piece(b->conv, b->layout) % b->layout->rows_of_step == 0;
    return !b->layout->split && whole ? b->n / unit * unit : 0;
}

/* The pieces of the run that begins at a tap; n channels, whose sums of weights are added to where
 * they are bytes. */
static void pack_pieces(const struct lb_mli_panel_block *b, ptrdiff_t tap, size_t n, char *packed,
                        int32_t *sums)
{
    const struct lb_mli_conv *conv = b->conv;
    const struct lb_mli_panel_layout *l = b->layout;
    const struct lb_mli_loops *loops = conv->plan->loops;
    const size_t rows = rows_of_piece(conv, l), steps = rows / l->rows_of_step;
    for (size_t k = 0; k < l->run_rows; k += rows) {
        const int8_t *const w = (const int8_t *)conv->weights + tap + (ptrdiff_t)b->first;
        if (l->bytes)
            loops->panel_pack_rows_s8(w, conv->w_depth, steps, n, packed, l->panel_bytes, sums);
        else
            loops->panel_pack_rows_s8_s16(w, conv->w_depth, steps, n, packed, l->panel_bytes);
        packed += steps * 2 * l->vector_bytes;
        tap += conv->w_col;
    }
}

void lb_mli_panel_pack(const struct lb_mli_panel_block *b, char *packed, int32_t *sums)
{
    const size_t in_pieces = channels_in_pieces(b);
    const struct lb_mli_conv *conv = b->conv;
    const struct lb_mli_panel_layout *l = b->layout;
    const ptrdiff_t taps_of_run = (ptrdiff_t)conv->cols.taps / (ptrdiff_t)l->runs_in_row;
    struct cursors cursors;
    start_cursors(l, in_pieces / conv->plan->loops->panel_lanes, b->vectors, packed, &cursors);
    memset(sums, 0, in_pieces * sizeof sums[0]);
    for (size_t r = 0; r < l->runs; r++) {
        const ptrdiff_t row = (ptrdiff_t)(r / l->runs_in_row),
                        col = (ptrdiff_t)(r % l->runs_in_row) * taps_of_run;
        const ptrdiff_t tap = row * conv->w_row + col * conv->w_col;
        if (in_pieces > 0)
            pack_pieces(b, tap, in_pieces, packed + r * l->steps * 2 * l->vector_bytes, sums);
        if (in_pieces < b->n)
            pack_run(conv, l, tap, b->first + in_pieces, b->n - in_pieces, &cursors);
    }
}

/*
 * What sums start from
 */

/* Bytes have 128 and the zero point too much in every input, padding included. The sums of weights
 * that packing has not found are those of a pixel that is 1 everywhere; ones: memory of a run. */
static void plan_excess(const struct lb_mli_panel_block *b, size_t in_pieces, char *ones)
{
    const struct lb_mli_panel_layout *l = b->layout;
    const struct lb_mli_loops *loops = b->conv->plan->loops;
    const int64_t excess = b->conv->plan->zero_in + loops->bytes_excess;
    const struct lb_mli_pixels pixel = {b->work->run, l->runs, l->steps, 0};
    const size_t vectors = in_pieces / loops->panel_lanes;
    memset(ones, 1, l->steps * LB_MLI_PANEL_STEP);
    for (size_t r = 0; r < l->runs; r++)
        b->work->run[r] = ones;
    if (in_pieces < b->n)
        lb_mli_panel_of_bytes(loops)(
            &pixel, 1, b->weights + vectors / 2 * l->panel_bytes, l->panel_bytes,
            b->vectors - vectors, b->work->start + in_pieces, b->work->acc + in_pieces, b->acc_row);
    for (size_t c = 0; c < b->n; c++)
        b->work->start[c] = lb_mli_wrap32(-excess * b->work->acc[c]);
}

/* Do the weights prove that sums of halves, joined, fit 32 bits? */
static bool halves_fit(const struct lb_mli_panel_block *b)
{
    const struct lb_mli_panel_layout *l = b->layout;
    const struct lb_mli_loops *loops = b->conv->plan->loops;
    uint32_t sums[LB_MLI_PANEL_LINE];
    for (size_t v = 0; v < b->vectors; v++) {
        const char *w = b->weights + v / 2 * l->panel_bytes + v % 2 * l->vector_bytes;
        loops->panel_magnitude_s16((const void *)w, l->vector_bytes, l->runs * l->steps, sums);
        for (size_t i = 0; i < loops->panel_lanes; i++)
            if (sums[i] > (v % 2 ? LB_MLI_HIGH_SUM : LB_MLI_LOW_SUM))
                return false;
    }
    return true;
}

void lb_mli_panel_start(const struct lb_mli_panel_block *b, struct lb_mli_panel_layout *l,
                        const int32_t *sums, char *memory)
{
    const struct lb_mli_conv_plan *plan = b->conv->plan;
    const size_t in_pieces = channels_in_pieces(b);
    if (sums != b->work->acc)
        memcpy(b->work->acc, sums, in_pieces * sizeof sums[0]);
    l->split16 = l->split && lb_mli_conv_split16_shift(plan) && halves_fit(b);
    memset(b->work->start, 0, sizeof b->work->start);
    if (l->bytes)
        plan_excess(b, in_pieces, memory);
    else if (l->split16)
        lb_mli_conv_plan_split16(plan, &b->work->results, b->n, b->work->start, &b->work->split16);
    if (!l->split)
        lb_mli_conv_add_bias(plan, &b->work->results, b->n, b->work->start);
}
