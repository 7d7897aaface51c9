/*
 * rnn_panel.c: see rnn_panel.h. Operands as in conv_panel.c:
 *
 *     bytes:  sa8: x + 128 unsigned (some levels: x signed); sums start at -(128 + zero point) * sum of weights
 *     words:  sa8 of other levels: x - zero point; fx16 with weights of 8 bits: x
 *     split:  fx16: weights in two halves of 8 bits, whose sums are joined into 64 bits
 *
 * Vectors of a gate are its own: the last may have fewer columns than lanes.
 */
#include "rnn_panel.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

enum {
    STEP = 4,           /* bytes of x */
    LINE = 64,          /* bytes, of a cache */
    FRAMES = 28,        /* whose products with the inputs are made at once: two tiles of the largest */
    FRAMES_TO_PACK = 3, /* fewer are as fast without */
    PACK_COLS = 128,    /* that are packed at once: whole panels of any level */
    VECTORS = PACK_COLS / 4 * 2,
    SPLIT_STEPS = 252 /* most steps of split weights in a sum of 32 bits, whatever the weights: 504 products */
};

/* One of the two operands: packed weights of all gates, and what is multiplied by them. */
struct operand {
    size_t rows, steps, x_row; /* x_row: bytes of packed x, of one frame */
    size_t panel_bytes, gate_bytes;
    char *weights, *x;
    int32_t *start; /* of the sums, for each gate and lane; split: zeros */
    int32_t *sums;  /* bytes: of weights */
};

struct lb_mli_cell_panels {
    const struct lb_mli_cell *cell;
    bool bytes, split;
    size_t width;            /* lanes of a gate that sums are made in: its columns and more */
    size_t vectors, sum_row; /* of a gate, split: of both halves; sum_row: their lanes */
    struct operand in, hidden;
    size_t frames, next; /* of totals; the frame that asks for new ones */
    int32_t *sums;       /* of the panels: of frames, or of one */
    char *wide;          /* split: sums of a frame of one gate, joined */
    char *totals;        /* of the inputs: frame after frame, gate after gate */
    char *gates;         /* results */
};

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/*
 * Weights
 */
static void pack_step(const struct lb_mli_cell_panels *p, const void *const *rows, size_t n, void *const *out)
{
    const struct lb_mli_loops *loops = p->cell->dense.loops;
    if (p->bytes)
        loops->panel_pack_s8((const int8_t *const *)rows, n, (int8_t *const *)out);
    else if (p->split)
        loops->panel_pack_s16_split((const int16_t *const *)rows, n, (int16_t *const *)out);
    else
        loops->panel_pack_s8_s16((const int8_t *const *)rows, n, (int16_t *const *)out);
}

/* Columns first .. first + n - 1 of a gate, whose vectors begin at number `vector`. */
static void pack_columns(const struct lb_mli_cell_panels *p, const struct operand *o, const mli_tensor *weights,
                         const char *gate, size_t first, size_t n, char *packed)
{
    static const int16_t none[PACK_COLS];
    const size_t lanes = p->cell->dense.loops->panel_lanes, vector_bytes = lanes * STEP;
    const size_t size = lb_mli_element_size(weights->el_type), row_bytes = (size_t)weights->mem_stride[1] * size;
    const size_t rows_of_step = p->bytes ? STEP : STEP / 2, before = first / lanes * (p->split ? 2 : 1);
    const size_t count = (n + lanes - 1) / lanes * (p->split ? 2 : 1);
    const void *rows[STEP];
    void *out[VECTORS];
    size_t move[VECTORS];
    for (size_t i = 0; i < count; i++) {
        const size_t v = before + i;
        out[i] = packed + v / 2 * o->panel_bytes + v % 2 * vector_bytes;
        move[i] = (v / 2 * 2 + 2 <= p->vectors ? 2 : 1) * vector_bytes;
    }
    for (size_t k = 0; k < o->rows; k += rows_of_step) {
        for (size_t r = 0; r < rows_of_step; r++)
            rows[r] = k + r < o->rows ? (const void *)(gate + (k + r) * row_bytes + first * size) : none;
        pack_step(p, rows, n, out);
        for (size_t i = 0; i < count; i++)
            out[i] = (char *)out[i] + move[i];
    }
}

static void pack_weights(const struct lb_mli_cell_panels *p, const struct operand *o, const mli_tensor *weights)
{
    for (uint32_t g = 0; g < p->cell->call->gates; g++) {
        const char *const gate = lb_mli_cell_slice(weights, g);
        for (size_t c = 0; c < p->cell->cols; c += PACK_COLS)
            pack_columns(p, o, weights, gate, c, lb_mli_min_size(p->cell->cols - c, PACK_COLS),
                         o->weights + g * o->gate_bytes);
    }
}

/*
 * Products
 */

/* Sums of gate g for so many frames of packed x, to p->sums. */
static void run_gate(const struct lb_mli_cell_panels *p, const struct operand *o, uint32_t g, size_t first_step,
                     size_t steps, size_t frames, const int32_t *start)
{
    const struct lb_mli_loops *loops = p->cell->dense.loops;
    const char *const run = o->x + first_step * STEP;
    const struct lb_mli_pixels pixels = {&run, 1, steps, (ptrdiff_t)o->x_row};
    const char *const w = o->weights + g * o->gate_bytes + first_step * 2 * loops->panel_lanes * STEP;
    (p->bytes ? loops->panel_u8s8 : loops->panel_s16)(&pixels, frames, w, o->panel_bytes, p->vectors, start, p->sums,
                                                      p->sum_row);
}

/* Those of weights: of a frame that is 1 everywhere. */
static void sum_weights(const struct lb_mli_cell_panels *p, const struct operand *o)
{
    memset(o->x, 1, o->x_row);
    memset(o->start, 0, p->sum_row * sizeof o->start[0]);
    for (uint32_t g = 0; g < p->cell->call->gates; g++) {
        run_gate(p, o, g, 0, o->steps, 1, o->start);
        memcpy(o->sums + g * p->sum_row, p->sums, p->sum_row * sizeof p->sums[0]);
    }
    memset(o->x, 0, o->x_row);
}

/* Takes away what bytes and the zero point have too much. */
static void start_sums(const struct lb_mli_cell_panels *p, const struct operand *o, int32_t zero)
{
    const int64_t excess = zero + p->cell->dense.loops->bytes_excess;
    for (size_t i = 0; i < p->cell->call->gates * p->sum_row; i++)
        o->start[i] = lb_mli_wrap32(-excess * o->sums[i]);
}

/* A frame to its packed row; what is behind its elements stays zero, or any number: weights are zero there. */
static void load(const struct lb_mli_cell_panels *p, const struct operand *o, const void *from, int32_t zero, char *to)
{
    const struct lb_mli_loops *loops = p->cell->dense.loops;
    if (p->cell->kind != LB_MLI_SA8)
        memcpy(to, from, o->rows * 2);
    else if (!p->bytes)
        loops->widen_s8(from, o->rows, zero, (int16_t *)(void *)to);
    else if (loops->bytes_excess == 0)
        memcpy(to, from, o->rows);
    else
        loops->offset_s8(from, o->rows, (uint8_t *)to);
}

/* Adds gate g of so many frames to the totals from `to` on, frame after frame. bias: NULL but for the inputs of fx16. */
static void add_gate(const struct lb_mli_cell_panels *p, const struct operand *o, uint32_t g, size_t frames,
                     struct lb_mli_dense_scale scale, const void *bias, char *to)
{
    const struct lb_mli_dense *dense = &p->cell->dense;
    const size_t cols = p->cell->cols, sum_size = lb_mli_dense_sum_size(dense->variant);
    const size_t frame_bytes = p->cell->call->gates * p->width * sum_size;
    if (!p->split) {
        run_gate(p, o, g, 0, o->steps, frames, o->start + g * p->sum_row);
        for (size_t f = 0; f < frames; f++)
            lb_mli_dense_add(dense, p->sums + f * p->sum_row, cols, scale, to + f * frame_bytes);
        return;
    }
    const size_t wide_row = cols * sum_size;
    for (size_t f = 0; f < frames; f++) {
        if (bias)
            lb_mli_dense_bias(dense, bias, cols, p->wide + f * wide_row);
        else
            memset(p->wide + f * wide_row, 0, wide_row);
    }
    for (size_t k = 0; k < o->steps; k += SPLIT_STEPS) {
        run_gate(p, o, g, k, lb_mli_min_size(o->steps - k, SPLIT_STEPS), frames, o->start);
        for (size_t f = 0; f < frames; f++)
            dense->loops->panel_join_s64(p->sums + f * p->sum_row, cols, (void *)(p->wide + f * wide_row));
    }
    for (size_t f = 0; f < frames; f++)
        lb_mli_dense_add(dense, p->wide + f * wide_row, cols, scale, to + f * frame_bytes);
}

/* Totals of the inputs of the frames from number t on. */
static void run_inputs(struct lb_mli_cell_panels *p, size_t t)
{
    const struct lb_mli_cell *cell = p->cell;
    const size_t gate_bytes = p->width * lb_mli_dense_sum_size(cell->dense.variant);
    const size_t frames = lb_mli_min_size(lb_mli_cell_frames(cell) - t, p->frames);
    for (size_t f = 0; f < frames; f++)
        load(p, &p->in, lb_mli_cell_frame(cell, t + f), cell->from_in[0].zero, p->in.x + f * p->in.x_row);
    memset(p->totals, 0, frames * cell->call->gates * gate_bytes);
    for (uint32_t g = 0; g < cell->call->gates; g++)
        add_gate(p, &p->in, g, frames, cell->from_in[g], lb_mli_cell_slice(cell->call->bias, g),
                 p->totals + g * gate_bytes);
    p->next = t + frames;
}

void lb_mli_cell_panels_gates(struct lb_mli_cell_panels *p, uint32_t first, uint32_t end, size_t t, const void *hidden)
{
    const struct lb_mli_cell *cell = p->cell;
    const size_t gate_bytes = p->width * lb_mli_dense_sum_size(cell->dense.variant);
    if (t == p->next)
        run_inputs(p, t);
    char *const totals = p->totals + t % p->frames * cell->call->gates * gate_bytes;
    load(p, &p->hidden, hidden, cell->from_hidden[0].zero, p->hidden.x);
    for (uint32_t g = first; g < end; g++) {
        add_gate(p, &p->hidden, g, 1, cell->from_hidden[g], NULL, totals + g * gate_bytes);
        lb_mli_dense_narrow(&cell->dense, totals + g * gate_bytes, cell->cols, lb_mli_cell_panels_gate(p, g));
    }
}

void *lb_mli_cell_panels_gate(struct lb_mli_cell_panels *p, uint32_t g)
{
    return p->gates + g * p->cell->cols * p->cell->size;
}

void lb_mli_cell_panels_hidden(struct lb_mli_cell_panels *p)
{
    if (p->bytes)
        start_sums(p, &p->hidden, p->cell->from_hidden[0].zero);
}

/*
 * Making
 */

/* Memory of a call is counted first (memory NULL), then given out. */
struct memory {
    char *memory;
    size_t bytes;
};

static void *take(struct memory *m, size_t bytes)
{
    void *const at = m->memory ? m->memory + m->bytes : NULL;
    m->bytes += round_up(bytes, LINE);
    return at;
}

static void place_operand(struct lb_mli_cell_panels *p, struct operand *o, size_t frames, struct memory *m)
{
    const uint32_t gates = p->cell->call->gates;
    const size_t lanes = gates * p->sum_row * sizeof o->start[0];
    o->steps = (o->rows + (p->bytes ? STEP : STEP / 2) - 1) / (p->bytes ? STEP : STEP / 2);
    o->x_row = o->steps * STEP;
    o->panel_bytes = o->steps * 2 * p->cell->dense.loops->panel_lanes * STEP;
    o->gate_bytes = (p->vectors + 1) / 2 * o->panel_bytes;
    o->weights = take(m, gates * o->gate_bytes);
    o->x = take(m, frames * o->x_row);
    o->start = take(m, lanes);
    o->sums = take(m, p->bytes ? lanes : 0);
}

static void place(struct lb_mli_cell_panels *p, struct memory *m)
{
    const size_t sum_size = lb_mli_dense_sum_size(p->cell->dense.variant);
    place_operand(p, &p->in, p->frames, m);
    place_operand(p, &p->hidden, 1, m);
    p->sums = take(m, p->frames * p->sum_row * sizeof p->sums[0]);
    p->wide = take(m, p->split ? p->frames * p->cell->cols * sum_size : 0);
    p->totals = take(m, p->frames * p->cell->call->gates * p->width * sum_size);
    p->gates = take(m, p->cell->call->gates * p->cell->cols * p->cell->size);
}

static void start(struct lb_mli_cell_panels *p)
{
    const struct lb_mli_cell *cell = p->cell;
    struct operand *const both[] = {&p->in, &p->hidden};
    for (size_t i = 0; i < 2; i++) {
        struct operand *const o = both[i];
        pack_weights(p, o, i == 0 ? cell->call->weights_in : cell->call->weights_out);
        memset(o->x, 0, (i == 0 ? p->frames : 1) * o->x_row);
        memset(o->start, 0, cell->call->gates * p->sum_row * sizeof o->start[0]);
        if (p->bytes)
            sum_weights(p, o);
    }
    if (p->bytes)
        start_sums(p, &p->in, cell->from_in[0].zero);
    for (uint32_t g = 0; !p->split && g < cell->call->gates; g++) {
        int32_t *const at = p->in.start + g * p->sum_row;
        lb_mli_dense_bias(&cell->dense, lb_mli_cell_slice(cell->call->bias, g), cell->cols, p->sums);
        for (size_t c = 0; c < cell->cols; c++)
            at[c] = (int32_t)((uint32_t)at[c] + (uint32_t)p->sums[c]);
    }
}

struct lb_mli_cell_panels *lb_mli_cell_panels_make(const struct lb_mli_cell *cell)
{
    const struct lb_mli_loops *loops = cell->dense.loops;
    if (LB_MLI_SMALL || !loops->panel_s16 || lb_mli_cell_frames(cell) < FRAMES_TO_PACK)
        return NULL;
    struct lb_mli_cell_panels p = {
        .cell = cell,
        .bytes = cell->kind == LB_MLI_SA8 && loops->panel_u8s8,
        .split = cell->dense.variant == LB_MLI_V_FX16,
        .in.rows = cell->inputs,
        .hidden.rows = cell->cols,
        .frames = lb_mli_min_size(lb_mli_cell_frames(cell), FRAMES),
    };
    p.width = round_up(cell->cols, loops->panel_lanes);
    p.vectors = p.width / loops->panel_lanes * (p.split ? 2 : 1);
    p.sum_row = p.vectors * loops->panel_lanes;
    struct memory m = {NULL, round_up(sizeof p, LINE)};
    place(&p, &m);
    m.memory = aligned_alloc(LINE, m.bytes);
    if (!m.memory)
        return NULL;
    m.bytes = round_up(sizeof p, LINE);
    place(&p, &m);
    start(&p);
    memcpy(m.memory, &p, sizeof p);
    return (struct lb_mli_cell_panels *)(void *)m.memory;
}

void lb_mli_cell_panels_free(struct lb_mli_cell_panels *panels)
{
    free(panels);
}
