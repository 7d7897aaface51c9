/* Encodings as plain integers with float32 scales: see plain.h. */
#include "harness/encodings/plain.h"
#include "harness/encodings/map.h"

#include "reports/escape.h"

#include <math.h>

/* Why the encoding is none of integers of this width; NULL: it is one. */
static const char *refuse_form(const lb_enc_tensor *t, unsigned bits, lb_arena *arena)
{
    if (t->is_unknown)
        return lb_arena_printf(arena, "U_UNKNOWN: %s", lb_enc_reason("U_UNKNOWN"));
    if (t->form == LB_ENC_PER_BLOCK || t->form == LB_ENC_VECTOR)
        return "its scales are those of blocks or vectors, and no kernel has them";
    if (t->is_float)
        return "it is one of floats, and kernels take integers";
    if (t->is_partial || !t->grids || t->scale_count == 0)
        return lb_arena_printf(arena, "U_PARTIAL: %s", lb_enc_reason("U_PARTIAL"));
    if (bits ? (unsigned)t->bits != bits : t->bits != 8 && t->bits != 16 && t->bits != 32)
        return lb_arena_printf(arena, "U_BITWIDTH: it has %u bits, not %s", (unsigned)t->bits,
                               !bits        ? "8, 16 or 32"
                               : bits == 8  ? "8"
                               : bits == 16 ? "16"
                               : bits == 32 ? "32"
                                            : "64");
    if (lb_enc_is_activation(t) && t->scale_count > 1)
        return lb_arena_printf(arena, "U_ACT_PER_CHANNEL: %s", lb_enc_reason("U_ACT_PER_CHANNEL"));
    return NULL;
}

static const char *map_channel(const lb_enc_tensor *t, size_t i, lb_arena *arena,
                               lb_enc_plain *plain)
{
    const int64_t half = (int64_t)1 << (t->bits - 1);
    int64_t zero_point, low, high;
    plain->scales[i] = (float)t->grids[i].scale;
    if (!(plain->scales[i] > 0) || !isfinite(plain->scales[i]))
        return lb_arena_printf(arena, "scale %zu is %g, which as float32 is not above 0", i,
                               t->grids[i].scale);
    if (!lb_enc_zero_point(t, &t->grids[i], &zero_point, &low, &high) || zero_point < -half ||
        zero_point >= half)
        return lb_arena_printf(arena, "its zero point lies outside of %u bits", (unsigned)t->bits);
    if (i > 0 && zero_point != plain->zero_point)
        return "its channels have different zero points, and kernels know one";
    plain->zero_point = (int32_t)zero_point;
    plain->grids[i] = (lb_grid){
        .step = (double)plain->scales[i], .zero_point = zero_point, .low = low, .high = high};
    return NULL;
}

const char *lb_enc_map_plain(const lb_enc_tensor *t, unsigned bits, lb_arena *arena,
                             lb_enc_plain *plain)
{
    const char *why = refuse_form(t, bits, arena);
    if (why)
        return why;
    *plain = (lb_enc_plain){.bits = (unsigned)t->bits, .count = t->scale_count};
    plain->scales = lb_arena_array(arena, plain->count, sizeof *plain->scales);
    plain->grids = lb_arena_array(arena, plain->count, sizeof *plain->grids);
    for (size_t i = 0; i < plain->count && !why; i++)
        why = map_channel(t, i, arena, plain);
    return why;
}

/* ---- YAML ---- */

static void put_plain(lb_doc *doc, const lb_enc_plain *plain, int32_t axis)
{
    lb_doc_printf(doc, " {type: s%u, scale: %s", plain->bits, plain->count > 1 ? "[" : "");
    for (size_t i = 0; i < plain->count; i++)
        lb_doc_printf(doc, "%s%.9g", i ? ", " : "", (double)plain->scales[i]);
    lb_doc_printf(doc, "%s, zero_point: %d", plain->count > 1 ? "]" : "", plain->zero_point);
    if (plain->count > 1)
        lb_doc_printf(doc, ", axis: %d", axis);
    lb_doc_puts(doc, "}\n");
}

void lb_enc_write_plain(lb_doc *doc, const lb_enc_file *file, const lb_enc_axes *axes,
                        lb_enc_remarks *remarks)
{
    lb_arena arena = {0};
    lb_enc_write_origin(doc, file, "Scales (float32) and zero points");
    for (size_t i = 0; i < file->tensor_count; i++) {
        const lb_enc_tensor *t = &file->tensors[i];
        const lb_enc_axis *axis = lb_enc_axis_of(axes, t->name);
        lb_enc_plain plain;
        const char *why = lb_enc_map_plain(t, 0, &arena, &plain);
        if (!why && axis && axis->extent != 0 && axis->extent != plain.count)
            why = lb_arena_printf(&arena, "U_AXIS: %s", lb_enc_reason("U_AXIS"));
        lb_escape_json(doc, t->name);
        lb_doc_char(doc, ':');
        if (why) {
            lb_doc_printf(doc, " {} # %s\n", why);
            lb_enc_remark(remarks, t, "no integers: %s", why);
            remarks->has_failed = true;
        } else {
            if (plain.count > 1 && !axis && !t->has_axis)
                lb_enc_remark(remarks, t,
                              "axis 0 is assumed for %zu channels; --axis NAME=AXIS says better",
                              plain.count);
            put_plain(doc, &plain, axis ? axis->axis : (int32_t)t->axis);
        }
        lb_arena_reset(&arena);
    }
    lb_arena_free(&arena);
}
