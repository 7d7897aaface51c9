/* See rnn_panel.h. Operands as in conv_panel.c:
 *
 *     bytes:  sa8: x + 128 unsigned (some levels: x signed); sums start at -(128 + zero point)
 *             times the sum of weights
 *     words:  sa8 of other levels: x - zero point; fx16 with weights of 8 bits: x
 *     split:  fx16: x in two halves of 8 bits, rows of their own, whose sums are joined into 64
 *             bits
 *
 * Vectors of a gate are its own: the last may have fewer columns than lanes. */
#include "rnn_panel.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

enum {
    STEP = 4,    /* bytes of x */
    LINE = 64,   /* bytes, of a cache */
    FRAMES = 28, /* whose products with the inputs are made at once: two tiles of the largest */
    FRAMES_TO_PACK = 3, /* fewer are as fast without */
    PACK_COLS = 128,    /* that are packed at once: whole panels of any level */
    VECTORS = PACK_COLS / 4,
    SPLIT_STEPS = 252 /* most steps of a half of x in a sum of 32 bits: 504 products of at most 2^22
                       */
};

/* One of the two operands: packed weights of all gates, and what is multiplied by them. */
struct operand {
    size_t rows, steps, x_row; /* x_row: bytes of packed x, of one frame or half of it */
    size_t panel_bytes, gate_bytes;
    char *weights, *x;
    int32_t *start; /* of the sums, for each gate and lane; split: zeros */
    int32_t *sums;  /* bytes: of weights */
};

struct lb_mli_cell_panels {
    const struct lb_mli_cell *cell;
    bool bytes, split;
    size_t parts;   /* of x: 2 if it is split, else 1 */
    size_t vectors; /* of a gate */
    size_t sum_row; /* sums of a gate: lanes of its vectors, to whole groups of four */
    struct operand in, hidden;
    size_t frames, next;         /* whose sums are made at once; the frame that asks for new ones */
    size_t gate_sums, gate_row;  /* bytes of a gate's sums as they are added up, of its results */
    char *in_sums, *hidden_sums; /* of frames, gate after gate; of one gate */
    int32_t *halves; /* split: sums of one gate before they are joined, a row for each half */
    int64_t *total;
    char *gates; /* results */
    bool paired[LB_MLI_GATES_MAX];
    struct lb_mli_dense_pair pair[LB_MLI_GATES_MAX];
};

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/*
 * Weights
 */
static void pack_step(const struct lb_mli_cell_panels *p, const void *const *rows, size_t n,
                      void *const *out)
{
    const struct lb_mli_loops *loops = p->cell->dense.loops;
    if (p->bytes)
        loops->panel_pack_s8((const int8_t *const *)rows, n, (int8_t *const *)out);
    else if (p->split)
        loops->panel_pack_s16((const int16_t *const *)rows, n, (int16_t *const *)out);
    else
        loops->panel_pack_s8_s16((const int8_t *const *)rows, n, (int16_t *const *)out);
}

/* Columns first .. first + n - 1 of a gate, whose vectors begin at number `vector`. */
static void pack_columns(const struct lb_mli_cell_panels *p, const struct operand *o,
                         const mli_tensor *weights, const char *gate, size_t first, size_t n,
                         char *packed)
{
    static const int16_t none[PACK_COLS];
    const size_t lanes = p->cell->dense.loops->panel_lanes, vector_bytes = lanes * STEP;
    const size_t size = lb_mli_element_size(weights->el_type),
                 row_bytes = (size_t)weights->mem_stride[1] * size;
    const size_t rows_of_step = p->bytes ? STEP : STEP / 2, before = first / lanes,
                 count = (n + lanes - 1) / lanes;
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
            rows[r] =
                k + r < o->rows ? (const void *)(gate + (k + r) * row_bytes + first * size) : none;
        pack_step(p, rows, n, out);
        for (size_t i = 0; i < count; i++)
            out[i] = (char *)out[i] + move[i];
    }
}

/* Columns of a gate that are packed many rows at a time, together with the sums of their weights.
 */
static size_t columns_in_rows(const struct lb_mli_cell_panels *p, const struct operand *o)
{
    const size_t unit = 4 * p->cell->dense.loops->panel_lanes;
    return p->bytes && o->rows % STEP == 0 ? p->cell->cols / unit * unit : 0;
}

static void pack_weights(const struct lb_mli_cell_panels *p, const struct operand *o,
                         const mli_tensor *weights)
{
    const size_t in_rows = columns_in_rows(p, o);
    for (uint32_t g = 0; g < p->cell->call->gates; g++) {
        const char *const gate = lb_mli_cell_slice(weights, g);
        char *const packed = o->weights + g * o->gate_bytes;
        if (in_rows > 0)
            p->cell->dense.loops->panel_pack_rows_s8((const int8_t *)gate, weights->mem_stride[1],
                                                     o->steps, in_rows, packed, o->panel_bytes,
                                                     o->sums + g * p->sum_row);
        for (size_t c = in_rows; c < p->cell->cols; c += PACK_COLS)
            pack_columns(p, o, weights, gate, c, lb_mli_min_size(p->cell->cols - c, PACK_COLS),
                         packed);
    }
}

/*
 * Products
 */

/* Sums of `vectors` vectors of gate g from number `first` on, which is even, for so many frames of
 * packed x, steps of it from first_step on. */
static void run_vectors(const struct lb_mli_cell_panels *p, const struct operand *o, uint32_t g,
                        size_t first, size_t vectors, size_t first_step, size_t steps,
                        size_t frames, int32_t *acc, size_t acc_row)
{
    const struct lb_mli_loops *loops = p->cell->dense.loops;
    const char *const run = o->x + first_step * STEP;
    const struct lb_mli_pixels pixels = {&run, 1, steps, (ptrdiff_t)o->x_row};
    const char *const w = o->weights + g * o->gate_bytes + first / 2 * o->panel_bytes +
                          first_step * (vectors > 1 ? 2 : 1) * loops->panel_lanes * STEP;
    const int32_t *const start = o->start + g * p->sum_row + first * loops->panel_lanes;
    acc += first * loops->panel_lanes;
    if (p->bytes && frames == 1 && loops->panel_row_u8s8)
        loops->panel_row_u8s8((const void *)run, steps, (const void *)w, o->panel_bytes, vectors,
                              start, acc);
    else
        (p->bytes ? loops->panel_u8s8 : loops->panel_s16)(&pixels, frames, w, o->panel_bytes,
                                                          vectors, start, acc, acc_row);
}

/* Those of all vectors of the gate. The last, if it has a panel of its own, takes half as many
 * bytes a step as the others: begun in the middle, it is another run. */
static void run_gate(const struct lb_mli_cell_panels *p, const struct operand *o, uint32_t g,
                     size_t first_step, size_t steps, size_t frames, int32_t *acc, size_t acc_row)
{
    const size_t alone = first_step > 0 ? p->vectors % 2 : 0, others = p->vectors - alone;
    if (others > 0)
        run_vectors(p, o, g, 0, others, first_step, steps, frames, acc, acc_row);
    if (alone > 0)
        run_vectors(p, o, g, others, alone, first_step, steps, frames, acc, acc_row);
}

/* Those of weights: of a frame that is 1 everywhere. */
static void sum_weights(const struct lb_mli_cell_panels *p, const struct operand *o)
{
    memset(o->x, 1, o->x_row);
    for (uint32_t g = 0; g < p->cell->call->gates; g++)
        run_gate(p, o, g, 0, o->steps, 1, o->sums + g * p->sum_row, p->sum_row);
    memset(o->x, 0, o->x_row);
}

/* Takes away what bytes and the zero point have too much. */
static void start_sums(const struct lb_mli_cell_panels *p, const struct operand *o, int32_t zero)
{
    const uint32_t excess = (uint32_t)(zero + p->cell->dense.loops->bytes_excess);
    for (size_t i = 0; i < p->cell->call->gates * p->sum_row; i++)
        o->start[i] = (int32_t)(0U - excess * (uint32_t)o->sums[i]);
}

/* x = 256 * high + low, low within int8; likewise high, or 128. */
static void split(const int16_t *x, size_t n, int16_t *low, int16_t *high)
{
    for (size_t i = 0; i < n; i++) {
        low[i] = (int16_t)(((x[i] & 0xFF) ^ 0x80) - 0x80);
        high[i] = (int16_t)((x[i] - low[i]) / 256);
    }
}

/* A frame to its packed row; what is behind its elements stays zero, or any number: weights are
 * zero there. */
static void load(const struct lb_mli_cell_panels *p, const struct operand *o, const void *from,
                 int32_t zero, char *to)
{
    const struct lb_mli_loops *loops = p->cell->dense.loops;
    if (p->split)
        split(from, o->rows, (int16_t *)(void *)to, (int16_t *)(void *)(to + o->x_row));
    else if (p->cell->kind != LB_MLI_SA8)
        memcpy(to, from, o->rows * 2);
    else if (!p->bytes)
        loops->widen_s8(from, o->rows, zero, (int16_t *)(void *)to);
    else if (loops->bytes_excess == 0)
        memcpy(to, from, o->rows);
    else
        loops->offset_s8(from, o->rows, (uint8_t *)to);
}

/* Sums of gate g for so many frames, to `to`, as they are added up; row: bytes from frame to frame.
 * bias: NULL but for split inputs, whose sums start with it after they are joined.
 */
static void sum_gate(const struct lb_mli_cell_panels *p, const struct operand *o, uint32_t g,
                     size_t frames, const void *bias, char *to, size_t row)
{
    const struct lb_mli_dense *dense = &p->cell->dense;
    if (!p->split) {
        run_gate(p, o, g, 0, o->steps, frames, (int32_t *)(void *)to, row / sizeof(int32_t));
        return;
    }
    for (size_t f = 0; f < frames; f++)
        if (bias)
            lb_mli_dense_bias(dense, bias, p->cell->cols, to + f * row);
        else
            memset(to + f * row, 0, p->gate_sums);
    for (size_t k = 0; k < o->steps; k += SPLIT_STEPS) {
        run_gate(p, o, g, k, lb_mli_min_size(o->steps - k, SPLIT_STEPS), frames * 2, p->halves,
                 p->sum_row);
        for (size_t f = 0; f < frames; f++)
            dense->loops->panel_join_rows_s64(p->halves + 2 * f * p->sum_row,
                                              p->halves + (2 * f + 1) * p->sum_row, p->cell->cols,
                                              (void *)(to + f * row));
    }
}

/* The inputs of the frames from number t on. */
static void sum_inputs(struct lb_mli_cell_panels *p, size_t t)
{
    const struct lb_mli_cell *cell = p->cell;
    const size_t frames = lb_mli_min_size(lb_mli_cell_frames(cell) - t, p->frames);
    for (size_t f = 0; f < frames; f++)
        load(p, &p->in, lb_mli_cell_frame(cell, t + f), cell->from_in[0].zero,
             p->in.x + f * p->parts * p->in.x_row);
    for (uint32_t g = 0; g < cell->call->gates; g++)
        sum_gate(p, &p->in, g, frames, lb_mli_cell_slice(cell->call->bias, g),
                 p->in_sums + g * p->gate_sums, cell->call->gates * p->gate_sums);
    p->next = t + frames;
}

/* Sums of inputs and hidden state to the results of gate g. */
static void finish_gate(const struct lb_mli_cell_panels *p, uint32_t g, const char *in_sums)
{
    const struct lb_mli_cell *cell = p->cell;
    const struct lb_mli_dense *dense = &cell->dense;
    char *const out = p->gates + g * p->gate_row;
    if (p->paired[g]) {
        dense->loops->dense_pair_s8[cell->round]((const void *)in_sums,
                                                 (const void *)p->hidden_sums, cell->cols,
                                                 &p->pair[g], (int8_t *)out);
        return;
    }
    memset(p->total, 0, p->gate_sums);
    lb_mli_dense_add(dense, in_sums, cell->cols, cell->from_in[g], p->total);
    lb_mli_dense_add(dense, p->hidden_sums, cell->cols, cell->from_hidden[g], p->total);
    lb_mli_dense_narrow(dense, p->total, cell->cols, out);
}

void lb_mli_cell_panels_gates(struct lb_mli_cell_panels *p, uint32_t first, uint32_t end, size_t t,
                              const void *hidden)
{
    if (t == p->next)
        sum_inputs(p, t);
    load(p, &p->hidden, hidden, p->cell->from_hidden[0].zero, p->hidden.x);
    for (uint32_t i = first; i < end; i++) {
        /* There and back: the weights that were used last are still near. */
        const uint32_t g = t % 2 ? first + end - 1 - i : i;
        sum_gate(p, &p->hidden, g, 1, NULL, p->hidden_sums, p->gate_sums);
        finish_gate(p, g, p->in_sums + (t % p->frames * p->cell->call->gates + g) * p->gate_sums);
    }
}

void *lb_mli_cell_panels_gate(struct lb_mli_cell_panels *p, uint32_t g)
{
    return p->gates + g * p->gate_row;
}

/* The same quotient with the largest multiplier; false: not within what the loop for pairs takes.
 */
static bool far_scale(struct lb_mli_dense_scale scale, int32_t *mul, int32_t *shift)
{
    const int32_t left = lb_mli_max(lb_mli_norm32(scale.mul) - 1, 0);
    *mul = (int32_t)((uint32_t)scale.mul << left);
    *shift = lb_mli_min(scale.shift, 63) + left;
    if (*shift < 33)
        return false;
    *shift = lb_mli_min(*shift, 63); /* quotients are 0 from there on */
    return true;
}

void lb_mli_cell_panels_hidden(struct lb_mli_cell_panels *p)
{
    const struct lb_mli_cell *cell = p->cell;
    if (p->bytes)
        start_sums(p, &p->hidden, cell->from_hidden[0].zero);
    for (uint32_t g = 0; g < cell->call->gates; g++) {
        struct lb_mli_dense_pair *const pair = &p->pair[g];
        p->paired[g] = cell->kind == LB_MLI_SA8 && cell->dense.loops->dense_pair_s8[cell->round] &&
                       far_scale(cell->from_in[g], &pair->mul_a, &pair->shift_a) &&
                       far_scale(cell->from_hidden[g], &pair->mul_b, &pair->shift_b);
        pair->zero = cell->dense.zero_out;
    }
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

static void place_operand(struct lb_mli_cell_panels *p, struct operand *o, size_t frames,
                          struct memory *m)
{
    const uint32_t gates = p->cell->call->gates;
    const size_t lanes = gates * p->sum_row * sizeof o->start[0];
    o->steps = (o->rows + (p->bytes ? STEP : STEP / 2) - 1) / (p->bytes ? STEP : STEP / 2);
    o->x_row = o->steps * STEP;
    o->panel_bytes = o->steps * 2 * p->cell->dense.loops->panel_lanes * STEP;
    o->gate_bytes = (p->vectors + 1) / 2 * o->panel_bytes;
    o->weights = take(m, gates * o->gate_bytes);
    o->x = take(m, frames * p->parts * o->x_row);
    o->start = take(m, lanes);
    o->sums = take(m, p->bytes ? lanes : 0);
}

static void place(struct lb_mli_cell_panels *p, struct memory *m)
{
    const struct lb_mli_cell *cell = p->cell;
    place_operand(p, &p->in, p->frames, m);
    place_operand(p, &p->hidden, 1, m);
    p->in_sums = take(m, p->frames * cell->call->gates * p->gate_sums);
    p->hidden_sums = take(m, p->gate_sums);
    p->halves = take(m, p->split ? p->frames * 2 * p->sum_row * sizeof p->halves[0] : 0);
    p->total = take(m, p->gate_sums);
    p->gates = take(m, cell->call->gates * p->gate_row);
}

static void start_operand(const struct lb_mli_cell_panels *p, const struct operand *o,
                          const mli_tensor *weights, size_t frames)
{
    const size_t lanes_bytes = p->cell->call->gates * p->sum_row * sizeof o->start[0];
    if (p->bytes)
        memset(o->sums, 0, lanes_bytes);
    memset(o->start, 0, lanes_bytes);
    memset(o->x, 0, frames * p->parts * o->x_row);
    pack_weights(p, o, weights);
    if (p->bytes && columns_in_rows(p, o) < p->cell->cols)
        sum_weights(p, o);
}

static void start(struct lb_mli_cell_panels *p)
{
    const struct lb_mli_cell *cell = p->cell;
    start_operand(p, &p->in, cell->call->weights_in, p->frames);
    start_operand(p, &p->hidden, cell->call->weights_out, 1);
    memset(p->hidden_sums, 0, p->gate_sums);
    if (p->vectors * cell->dense.loops->panel_lanes < p->sum_row)
        memset(p->in_sums, 0, p->frames * cell->call->gates * p->gate_sums);
    if (p->split)
        return;
    if (p->bytes)
        start_sums(p, &p->in, cell->from_in[0].zero);
    for (uint32_t g = 0; g < cell->call->gates; g++) {
        uint32_t *const at = (uint32_t *)p->in.start + g * p->sum_row;
        const uint32_t *const bias = (const uint32_t *)(const void *)p->hidden_sums;
        lb_mli_dense_bias(&cell->dense, lb_mli_cell_slice(cell->call->bias, g), cell->cols,
                          p->hidden_sums);
        for (size_t c = 0; c < cell->cols; c++)
            at[c] += bias[c];
    }
}

struct lb_mli_cell_panels *lb_mli_cell_panels_make(const struct lb_mli_cell *cell)
{
    const struct lb_mli_loops *loops = cell->dense.loops;
    if (!loops->panel_s16 || lb_mli_cell_frames(cell) < FRAMES_TO_PACK)
        return NULL;
    struct lb_mli_cell_panels p = {
        .cell = cell,
        .bytes = cell->kind == LB_MLI_SA8 && loops->panel_u8s8,
        .split = cell->dense.variant == LB_MLI_V_FX16,
        .in.rows = cell->inputs,
        .hidden.rows = cell->cols,
        .frames = lb_mli_min_size(lb_mli_cell_frames(cell), FRAMES),
    };
    p.parts = p.split ? 2 : 1;
    p.vectors = (cell->cols + loops->panel_lanes - 1) / loops->panel_lanes;
    p.sum_row = round_up(p.vectors, 4) * loops->panel_lanes;
    p.gate_sums = p.split ? cell->cols * sizeof(int64_t) : p.sum_row * sizeof(int32_t);
    p.gate_row = round_up(p.sum_row * cell->size, LINE);
    const size_t header = round_up(sizeof p, LINE);
    struct memory m = {NULL, header};
    place(&p, &m);
    m.memory = aligned_alloc(LINE, m.bytes);
    if (!m.memory)
        return NULL;
    m.bytes = header;
    place(&p, &m);
    start(&p);
    memcpy(m.memory, &p, sizeof p);
    return (struct lb_mli_cell_panels *)(void *)m.memory;
}

void lb_mli_cell_panels_free(struct lb_mli_cell_panels *panels)
{
    free(panels);
}
