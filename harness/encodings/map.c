/* From the grids of an encodings file to MLI parameters: see map.h. */
#include "harness/encodings/map.h"
#include "harness/encodings/reader.h"

#include <math.h>
#include <string.h>

const char *lb_enc_reason(const char *code)
{
    static const struct {
        const char *code, *reason;
    } reasons[] = {
        {"U_BITWIDTH", "no sa type has this width: sa8 has 8 bits, sa32 has 32"},
        {"U_FLOAT_WIDTH", "the one float type is fp32"},
        {"U_PARTIAL", "the file gives no scale"},
        {"U_UNKNOWN", "the reader does not know its type"},
        {"U_BLOCK", "its scales are those of blocks, and no kernel of MLI has blocks"},
        {"U_VECTOR", "the encoding is one of vectors, and no kernel of MLI has them"},
        {"U_ZERO_POINT_RANGE", "the zero point does not fit in 16 bits"},
        {"U_BIAS_ZERO_POINT", "sa32 has the zero point 0, and this is another"},
        {"U_SCALE_RANGE", "the scale does not fit a 16-bit mantissa with an 8-bit shift"},
        {"U_FX_RANGE", "the range does not fit even without fractional bits"},
        {"U_ACT_PER_CHANNEL", "kernels take inputs and outputs with one scale only"},
        {"U_AXIS", "the count of channels is not the extent of the tensor along that axis"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (strcmp(code, reasons[i].code) == 0)
            return reasons[i].reason;
    return "";
}

/* ---- sa8 and sa32 (encodings.md 5.2) ---- */

bool lb_enc_zero_point(const lb_enc_tensor *t, const lb_enc_grid *g, int64_t *zero_point,
                       int64_t *low, int64_t *high)
{
    int64_t half = (int64_t)1 << (t->bits - 1);
    int64_t steps = half * 2 - 1;
    int64_t shift = g->is_strict ? half - 1 : half;
    if (t->has_own_dtype) {
        *zero_point = g->zero_point - (t->is_signed ? 0 : half);
        *low = -half;
        *high = half - 1;
    } else {
        *zero_point = -g->offset - shift;
        *low = -shift;
        *high = (g->is_strict ? steps - 1 : steps) - shift;
    }
    return *zero_point >= INT16_MIN && *zero_point <= INT16_MAX;
}

static const char *map_channel(const lb_enc_tensor *t, size_t i, lb_enc_map *map)
{
    int64_t zero_point;
    const lb_enc_grid *g = &t->grids[i];
    if (!lb_enc_zero_point(t, g, &zero_point, &map->lows[i], &map->highs[i]))
        return "U_ZERO_POINT_RANGE";
    if (map->sa_type == LB_SA32 && zero_point != 0)
        return "U_BIAS_ZERO_POINT";
    if (!lb_scale_from_real(g->scale, &map->scales[i]))
        return "U_SCALE_RANGE";
    map->zero_points[i] = (int16_t)zero_point;
    map->has_zero_point |= zero_point != 0;
    map->is_coarse |= lb_scale_is_coarse(g->scale);
    return NULL;
}

static const char *map_axis(const lb_enc_tensor *t, const lb_enc_axis *axis, lb_enc_map *map)
{
    map->per_axis = t->form == LB_ENC_PER_CHANNEL;
    if (!map->per_axis)
        return NULL;
    map->has_axis = t->has_axis || axis;
    map->axis = (int32_t)t->axis;
    if (!axis)
        return NULL;
    map->axis = axis->axis; /* after the caller's change of layout: the file's own may be another
                               (encodings.md 5.2) */
    return axis->extent != 0 && axis->extent != t->scale_count ? "U_AXIS" : NULL;
}

static const char *map_sa(const lb_enc_tensor *t, const lb_enc_axis *axis, lb_arena *arena,
                          lb_enc_map *map)
{
    map->sa_type = t->bits == 32 ? LB_SA32 : LB_SA8;
    map->has_sa = true;
    if (t->bits != 8 && t->bits != 32)
        return "U_BITWIDTH";
    if (lb_enc_is_activation(t) && t->scale_count > 1)
        return "U_ACT_PER_CHANNEL";
    const char *code = map_axis(t, axis, map);
    map->count = t->scale_count;
    map->scales = lb_arena_array(arena, map->count, sizeof *map->scales);
    map->zero_points = lb_arena_array(arena, map->count, sizeof *map->zero_points);
    map->lows = lb_arena_array(arena, map->count, sizeof *map->lows);
    map->highs = lb_arena_array(arena, map->count, sizeof *map->highs);
    for (size_t i = 0; i < map->count && !code; i++)
        code = map_channel(t, i, map);
    if (code)
        map->has_zero_point = map->is_coarse = false; /* of a mapping that there is not */
    return code;
}

/* ---- fx16 and fx8 (encodings.md 5.5) ---- */

static void map_fx(const lb_enc_tensor *t, lb_enc_map *map)
{
    static const int widths[2] = {16, 8};
    map->has_fx = true;
    map->low = t->grids[0].low;
    map->high = t->grids[0].high;
    for (size_t i = 1; i < t->scale_count; i++) {
        map->low = fmin(map->low, t->grids[i].low);
        map->high = fmax(map->high, t->grids[i].high);
    }
    for (unsigned w = 0; w < 2; w++) {
        map->frac_bits[w] = lb_frac_bits_of_range(map->low, map->high, widths[w]);
        map->fx_code[w] = map->frac_bits[w] < 0 ? "U_FX_RANGE" : NULL;
    }
}

/* ---- The tensor ---- */

void lb_enc_map_tensor(const lb_enc_tensor *tensor, const lb_enc_axis *axis, lb_arena *arena,
                       lb_enc_map *map)
{
    *map = (lb_enc_map){.all = NULL};
    if (tensor->is_unknown) {
        map->all = "U_UNKNOWN";
    } else if (tensor->form == LB_ENC_PER_BLOCK || tensor->form == LB_ENC_VECTOR) {
        map->all = tensor->form == LB_ENC_VECTOR ? "U_VECTOR" : "U_BLOCK";
    } else if (tensor->is_float) {
        map->is_fp32 = true;
        map->fp32_code = tensor->bits == 32 ? NULL : "U_FLOAT_WIDTH";
    } else if (tensor->is_partial) {
        map->all = "U_PARTIAL";
    } else {
        map_fx(tensor, map);
        map->sa_code = map_sa(tensor, axis, arena, map);
    }
}

void lb_enc_map_warnings(lb_enc_file *file)
{
    lb_arena arena = {0};
    for (size_t i = 0; i < file->tensor_count; i++) {
        const lb_enc_tensor *t = &file->tensors[i];
        lb_enc_map map;
        lb_enc_map_tensor(t, NULL, &arena, &map);
        if (map.has_zero_point && lb_enc_is_parameter(t))
            lb_enc_warn_at(file, "W_PARAM_ZERO_POINT", t->where, t->offset,
                           "quantize parameters symmetrically",
                           "sa8 weights have the zero point 0, and this maps to another");
        if (map.is_coarse)
            lb_enc_warn_at(file, "W_SCALE_PRECISION", t->where, t->offset, "",
                           "the scale is so small that fewer than 15 bits of it fit");
        lb_arena_reset(&arena);
    }
    lb_arena_free(&arena);
}
