/* Blocks in another version: matrices of scales, written as 1.0.0, 2.0.0 and 2.1.0 lay them out.
 * Spec: encodings.md 1.3. */
#include "harness/encodings/blocks.h"
#include "harness/encodings/nested.h"
#include "harness/encodings/writer.h"

#include "reports/escape.h"

#include <math.h>
#include <string.h>

/* What stands at a place of the file's order. */
typedef void (*put_fn)(lb_enc_writer *w, const lb_enc_tensor *t, const lb_enc_matrix *m, size_t at);

static void put_scale(lb_enc_writer *w, const lb_enc_tensor *t, const lb_enc_matrix *m, size_t at)
{
    lb_enc_put_number(w->doc, m->integers ? m->integers[at] : t->grids[at].scale);
}

static void put_offset(lb_enc_writer *w, const lb_enc_tensor *t, const lb_enc_matrix *m, size_t at)
{
    (void)m;
    lb_doc_i64(w->doc, lb_enc_offset_of(t, &t->grids[at]));
}

static void put_shift(lb_enc_writer *w, const lb_enc_tensor *t, const lb_enc_matrix *m, size_t at)
{
    (void)m;
    lb_enc_put_number(w->doc, t->grids[at].shift);
}

static void put_zero_point(lb_enc_writer *w, const lb_enc_tensor *t, const lb_enc_matrix *m,
                           size_t at)
{
    (void)m;
    int64_t zero_point = lb_enc_zero_point_of(t, &t->grids[at], lb_enc_becomes_signed(t));
    lb_enc_put_number(w->doc, (double)zero_point - t->grids[at].shift);
}

/* One list, channel by channel, as 1.0.0 has it. */
static void put_flat(lb_enc_writer *w, const lb_enc_tensor *t, const lb_enc_matrix *m,
                     const char *key, put_fn put)
{
    lb_doc_printf(w->doc, ", \"%s\": [", key);
    for (size_t i = 0; i < m->channels * m->blocks; i++) {
        lb_doc_puts(w->doc, i ? ", " : "");
        put(w, t, m, m->places[i]);
    }
    lb_doc_char(w->doc, ']');
}

/* Lists of lists in the order of the tensor's dimensions, as 2.x has them. */
static void put_nested(lb_enc_writer *w, const lb_enc_tensor *t, const lb_enc_matrix *m,
                       const char *key, put_fn put)
{
    bool blocks_first = m->block_axis == 0;
    size_t rows = blocks_first ? m->blocks : m->channels;
    size_t columns = blocks_first ? m->channels : m->blocks;
    lb_doc_printf(w->doc, "%s\"%s\": [", key[0] == 'x' ? "" : ", ", key);
    for (size_t r = 0; r < rows; r++) {
        lb_doc_puts(w->doc, r ? ", [" : "[");
        for (size_t k = 0; k < columns; k++) {
            lb_doc_puts(w->doc, k ? ", " : "");
            put(w, t, m, m->places[blocks_first ? k * m->blocks + r : r * m->blocks + k]);
        }
        lb_doc_char(w->doc, ']');
    }
    lb_doc_char(w->doc, ']');
}

static void begin(lb_enc_writer *w, const lb_enc_tensor *t)
{
    lb_enc_begin_entry(w);
    lb_doc_puts(w->doc, "{\"name\": ");
    lb_escape_json(w->doc, t->name);
}

/* The matrix, or the tensor is left out. */
static bool find_matrix(lb_enc_writer *w, const lb_enc_tensor *t, lb_arena *arena, lb_enc_matrix *m)
{
    const char *why = lb_enc_matrix_of(t, lb_enc_axis_of(w->axes, t->name), arena, m);
    if (why)
        lb_enc_leave_out(w, t, why);
    return !why;
}

/* ---- 1.0.0 ---- */

/* The width that codes of LPBQ are decompressed to, which 2.x does not tell: the next that has room
 * for the largest integer. */
static int find_wide_bits(const lb_enc_matrix *m)
{
    double largest = 1;
    for (size_t i = 0; i < m->channels * m->blocks; i++)
        largest = fmax(largest, m->integers[i]);
    for (int bits = 4; bits <= 32; bits *= 2)
        if (bits > m->bits && largest <= ldexp(1, bits - m->bits))
            return bits;
    return 0;
}

static void put_lpbq_v1(lb_enc_writer *w, const lb_enc_tensor *t, const lb_enc_matrix *m)
{
    int bits = find_wide_bits(m);
    if (bits == 0) {
        lb_enc_leave_out(w, t, "its integers need more than 32 bits in 1.0.0");
        return;
    }
    lb_enc_remark(w->remarks, t,
                  "assumed: codes are decompressed to %d bits, which %s does not say", bits,
                  w->file->version);
    begin(w, t);
    lb_doc_printf(
        w->doc,
        ", \"enc_type\": \"LPBQ\", \"dtype\": \"INT\", \"bw\": %d, \"compressed_bw\": %d, "
        "\"block_size\": ",
        bits, m->bits);
    lb_enc_put_number(w->doc, m->block_size);
    lb_doc_puts(w->doc, ", \"is_sym\": true, \"scale\": [");
    for (size_t c = 0; c < m->channels; c++) {
        lb_doc_puts(w->doc, c ? ", " : "");
        lb_enc_put_number(w->doc, m->of_channel[c]);
    }
    lb_doc_puts(w->doc, "], \"offset\": [");
    for (size_t c = 0; c < m->channels; c++)
        lb_doc_printf(w->doc, "%s%lld", c ? ", " : "", -(1LL << (bits - 1)));
    lb_doc_char(w->doc, ']');
    put_flat(w, t, m, "per_block_int_scale", put_scale);
    lb_doc_char(w->doc, '}');
}

void lb_enc_put_blocks_v1(lb_enc_writer *w, const lb_enc_tensor *t)
{
    lb_arena arena = {0};
    lb_enc_matrix m;
    if (!find_matrix(w, t, &arena, &m)) {
        /* told */
    } else if (m.integers) {
        put_lpbq_v1(w, t, &m);
    } else {
        bool has_shift = false;
        for (size_t i = 0; i < t->scale_count; i++)
            has_shift |= t->grids[i].shift != 0;
        if (t->scales)
            lb_enc_remark(w->remarks, t,
                          "lost: that the scales are quantized, which 1.0.0 does not say here");
        if (m.block_axis == 0)
            lb_enc_remark(w->remarks, t, "lost: axis 0, for which this version has no word");
        begin(w, t);
        lb_doc_printf(w->doc,
                      ", \"enc_type\": \"PER_BLOCK\", \"dtype\": \"INT\", \"bw\": %d, "
                      "\"block_size\": ",
                      t->bits);
        lb_enc_put_number(w->doc, m.block_size);
        lb_doc_printf(w->doc, ", \"is_sym\": %s", lb_enc_is_symmetric(t) ? "true" : "false");
        put_flat(w, t, &m, "scale", put_scale);
        put_flat(w, t, &m, "offset", put_offset);
        if (has_shift)
            put_flat(w, t, &m, "zero_point_shift", put_shift);
        lb_doc_char(w->doc, '}');
    }
    lb_arena_free(&arena);
}

/* ---- 2.0.0 and 2.1.0 ---- */

static void put_ending(lb_enc_writer *w, const lb_enc_matrix *m, bool is_signed)
{
    lb_doc_printf(w->doc, ", \"axis\": %d, \"block_size\": ", m->block_axis);
    lb_enc_put_number(w->doc, m->block_size);
    lb_doc_printf(w->doc, ", \"output_dtype\": \"%sint%d\"}", is_signed ? "" : "u", m->bits);
}

static void put_lpbq_v2(lb_enc_writer *w, const lb_enc_tensor *t, const lb_enc_matrix *m)
{
    bool is_older = strcmp(w->version, "2.0.0") == 0;
    begin(w, t);
    if (!is_older)
        lb_doc_puts(w->doc, ", \"y_scale\": {");
    put_nested(w, t, m, is_older ? "per_block_int_scale" : "x", put_scale);
    lb_doc_printf(w->doc, ", \"%s\": [", is_older ? "per_channel_float_scale" : "x_scale");
    const char *left = is_older && m->block_axis == 1 ? "[" : "";
    const char *right = is_older && m->block_axis == 1 ? "]" : "";
    lb_doc_puts(w->doc, is_older && m->block_axis == 0 ? "[" : "");
    for (size_t c = 0; c < m->channels; c++) {
        lb_doc_printf(w->doc, "%s%s", c ? ", " : "", left);
        lb_enc_put_number(w->doc, m->of_channel[c]);
        lb_doc_puts(w->doc, right);
    }
    lb_doc_puts(w->doc, is_older && m->block_axis == 0 ? "]]" : "]");
    if (!is_older)
        lb_doc_printf(w->doc, ", \"axis\": %d}", 1 - m->block_axis);
    put_ending(w, m, true);
}

static void put_plain_v2(lb_enc_writer *w, const lb_enc_tensor *t, const lb_enc_matrix *m)
{
    lb_enc_remark_symmetry(w, t);
    begin(w, t);
    put_nested(w, t, m, "y_scale", put_scale);
    put_nested(w, t, m, "y_zero_point", put_zero_point);
    put_ending(w, m, lb_enc_becomes_signed(t));
}

void lb_enc_put_blocks_v2(lb_enc_writer *w, const lb_enc_tensor *t)
{
    lb_arena arena = {0};
    lb_enc_matrix m;
    if (!find_matrix(w, t, &arena, &m)) {
        /* told */
    } else if (!lb_enc_has_width(m.bits)) {
        lb_enc_leave_out(w, t, "2.x has integers of 2, 4, 8, 16 and 32 bits");
    } else if (!m.integers && !lb_enc_has_zero_points(t)) {
        lb_enc_leave_out(w, t, "with its shift, the zero point lies outside the types of 2.x");
    } else {
        if (m.is_assumed)
            lb_enc_remark(w->remarks, t,
                          "axis 1 is assumed for the blocks; --axis NAME=AXIS says better");
        if (m.wide_bits)
            lb_enc_remark(w->remarks, t,
                          "lost: that codes are decompressed to %d bits, which %s does not say",
                          m.wide_bits, w->version);
        (m.integers ? put_lpbq_v2 : put_plain_v2)(w, t, &m);
    }
    lb_arena_free(&arena);
}

bool lb_enc_put_lpbq_of_meta(lb_enc_writer *w, const lb_enc_tensor *t)
{
    lb_arena arena = {0};
    lb_enc_matrix m;
    bool is_lpbq =
        t->form == LB_ENC_PER_BLOCK && lb_enc_matrix_of(t, NULL, &arena, &m) == NULL && m.integers;
    if (is_lpbq)
        put_lpbq_v2(w, t, &m);
    lb_arena_free(&arena);
    return is_lpbq;
}
