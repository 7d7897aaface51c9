/* Encodings as parameters of cases, and the scale of a bias: see convert.h. */
#include "harness/encodings/convert.h"
#include "harness/encodings/reader.h"

#include "reports/escape.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lb_enc_remark(lb_enc_remarks *remarks, const lb_enc_tensor *tensor, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (tensor) {
        lb_escape_json(&remarks->lines, tensor->name);
        lb_doc_puts(&remarks->lines, ": ");
    }
    lb_doc_puts(&remarks->lines, text);
    lb_doc_char(&remarks->lines, '\n');
}

/* ---- Biases (encodings.md 5.4) ---- */

const char *lb_enc_map_bias(const lb_enc_map *input, const lb_enc_map *weights, lb_arena *arena,
                            lb_enc_bias_map *map)
{
    const char *code = input->all ? input->all : weights->all;
    if (!code)
        code = input->sa_code ? input->sa_code : weights->sa_code;
    if (code || !input->has_sa || !weights->has_sa || input->sa_type != LB_SA8 ||
        weights->sa_type != LB_SA8)
        return code ? code : "U_BITWIDTH";
    map->count = weights->count;
    map->per_axis = weights->per_axis;
    map->pairs = lb_arena_array(arena, map->count, sizeof *map->pairs);
    map->products = lb_arena_array(arena, map->count, sizeof *map->products);
    for (size_t c = 0; c < map->count; c++) {
        map->products[c] = lb_scale_product(input->scales[0], weights->scales[c]);
        if (!lb_scale_from_real(map->products[c], &map->pairs[c]))
            return "U_SCALE_RANGE";
    }
    return NULL;
}

/* ---- YAML ---- */

static void put_list(lb_doc *doc, const char *key, bool per_axis, size_t count,
                     int (*item)(const void *of, size_t i), const void *of)
{
    lb_doc_printf(doc, "%s: %s", key, per_axis ? "[" : "");
    for (size_t i = 0; i < count; i++)
        lb_doc_printf(doc, "%s%d", i ? ", " : "", item(of, i));
    lb_doc_puts(doc, per_axis ? "], " : ", ");
}

static int mantissa_of(const void *pairs, size_t i)
{
    return ((const lb_scale *)pairs)[i].mantissa;
}

static int frac_of(const void *pairs, size_t i)
{
    return ((const lb_scale *)pairs)[i].frac;
}

static int zero_of(const void *zeros, size_t i)
{
    return zeros ? ((const int16_t *)zeros)[i] : 0;
}

static void put_pairs(lb_doc *doc, const lb_scale *pairs, const int16_t *zeros, size_t count,
                      bool per_axis, int axis)
{
    put_list(doc, "scale", per_axis, count, mantissa_of, pairs);
    put_list(doc, "scale_frac_bits", per_axis, count, frac_of, pairs);
    put_list(doc, "zero_point", per_axis, count, zero_of, zeros);
    lb_doc_printf(doc, "axis: %d", per_axis ? axis : -1);
}

/* The keys of a case's tensor that say its quantization: "scale: 16384, scale_frac_bits: 20,
 * zero_point: -64, axis: -1". */
static void enc_put_sa(lb_doc *doc, const lb_enc_map *map)
{
    put_pairs(doc, map->scales, map->zero_points, map->count, map->per_axis, map->axis);
}

static bool is_wanted(const lb_enc_mli_request *request, const char *target)
{
    return !request->target || strcmp(request->target, target) == 0;
}

/* A target that the tensor cannot be: told in the text, and a failure where it was asked for. */
static void refuse(lb_doc *doc, const lb_enc_tensor *t, const lb_enc_mli_request *request,
                   lb_enc_remarks *remarks, const char *target, const char *code)
{
    if (!is_wanted(request, target))
        return;
    lb_doc_printf(doc, "  # no %s: %s, %s\n", target, code, lb_enc_reason(code));
    lb_enc_remark(remarks, t, "no %s: %s, %s", target, code, lb_enc_reason(code));
    remarks->has_failed |= request->target != NULL;
}

static void put_sa_line(lb_doc *doc, const lb_enc_tensor *t, const lb_enc_map *map,
                        const lb_enc_mli_request *request, lb_enc_remarks *remarks)
{
    const char *name = map->sa_type == LB_SA32 ? "sa32" : "sa8";
    if (map->sa_code) {
        refuse(doc, t, request, remarks, name, map->sa_code);
        return;
    }
    if (!is_wanted(request, name))
        return;
    lb_doc_printf(doc, "  %s: {type: %s, ", name, name);
    enc_put_sa(doc, map);
    lb_doc_puts(doc, "}");
    size_t strict = 0;
    for (size_t i = 0; i < map->count; i++)
        strict += map->lows[i] == -127;
    if (strict == map->count)
        lb_doc_puts(doc, " # data -127 to 127");
    else if (strict > 0)
        lb_doc_printf(doc, " # data of %zu channels -127 to 127", strict);
    if (map->per_axis && !map->has_axis)
        lb_doc_puts(doc, " # the axis is assumed");
    lb_doc_puts(doc, "\n");
    if (map->per_axis && !map->has_axis)
        lb_enc_remark(remarks, t,
                      "axis 0 is assumed for %zu channels; --axis NAME=AXIS says better",
                      map->count);
}

/* Does the tensor lack a type that it could have in principle, for another reason than its codes?
 */
static void refuse_other_types(lb_doc *doc, const lb_enc_tensor *t, const lb_enc_map *map,
                               const lb_enc_mli_request *request, lb_enc_remarks *remarks)
{
    if (!request->target)
        return;
    bool is_float_target = strcmp(request->target, "fp32") == 0;
    bool is_other_sa = strncmp(request->target, "sa", 2) == 0 && !map->is_fp32 &&
                       strcmp(request->target, map->sa_type == LB_SA32 ? "sa32" : "sa8") != 0;
    if (is_float_target != map->is_fp32 || is_other_sa)
        refuse(doc, t, request, remarks, request->target,
               map->is_fp32 ? "U_FLOAT_WIDTH" : "U_BITWIDTH");
}

static void put_tensor(lb_doc *doc, const lb_enc_tensor *t, const lb_enc_map *map,
                       const lb_enc_mli_request *request, lb_enc_remarks *remarks)
{
    static const char *const fx[2] = {"fx16", "fx8"};
    lb_escape_json(doc, t->name);
    lb_doc_printf(doc, ":%s\n", map->all ? " {}" : "");
    if (map->all) {
        lb_doc_printf(doc, "  # nothing: %s, %s\n", map->all, lb_enc_reason(map->all));
        lb_enc_remark(remarks, t, "no type: %s, %s", map->all, lb_enc_reason(map->all));
        remarks->has_failed |= request->target != NULL;
        return;
    }
    if (map->has_sa)
        put_sa_line(doc, t, map, request, remarks);
    for (unsigned w = 0; map->has_fx && w < 2; w++) {
        if (map->fx_code[w])
            refuse(doc, t, request, remarks, fx[w], map->fx_code[w]);
        else if (is_wanted(request, fx[w]))
            lb_doc_printf(doc, "  %s: {type: %s, frac_bits: %d}\n", fx[w], fx[w],
                          map->frac_bits[w]);
    }
    if (map->is_fp32 && map->fp32_code)
        refuse(doc, t, request, remarks, "fp32", map->fp32_code);
    else if (map->is_fp32 && is_wanted(request, "fp32"))
        lb_doc_puts(doc, "  fp32: {type: fp32}\n");
    refuse_other_types(doc, t, map, request, remarks);
}

/* ---- Biases in YAML ---- */

/* ---- A bias's own encoding ---- */

typedef struct comparison {
    const lb_enc_tensor *own;
    const lb_enc_bias_map *derived;
    lb_arena *arena;
    lb_enc_tell_fn tell;
    void *user;
} comparison;

static void compare_scales(const comparison *k, const lb_enc_map *own)
{
    const lb_enc_bias_map *derived = k->derived;
    for (size_t c = 0; c < own->count && own->count == derived->count; c++) {
        double unit = ldexp(1, -derived->pairs[c].frac);
        if (fabs(lb_scale_real(own->scales[c]) - lb_scale_real(derived->pairs[c])) <= unit)
            continue;
        k->tell(k->user, k->own, "W_BIAS_SCALE",
                lb_arena_printf(k->arena,
                                "channel %zu: its own encoding has the scale %.9g, input and "
                                "weights give %.9g",
                                c, lb_scale_real(own->scales[c]),
                                lb_scale_real(derived->pairs[c])));
        return;
    }
    if (own->count != derived->count)
        k->tell(k->user, k->own, "W_BIAS_SCALE",
                lb_arena_printf(k->arena, "its own encoding has %zu channels, its weights have %zu",
                                own->count, derived->count));
}

/* The ends of its range, in steps of the product of the scales, against those of int32. */
static void compare_ranges(const comparison *k)
{
    size_t found = 0, first = 0, channels = k->derived->count;
    double wanted = 0, stored = 0;
    for (size_t c = 0; c < channels; c++) {
        const lb_enc_grid *g = &k->own->grids[k->own->scale_count == channels ? c : 0];
        const double ends[] = {g->high, g->low}, limits[] = {INT32_MAX, INT32_MIN};
        for (unsigned e = 0; e < 2; e++) {
            double most = limits[e] * k->derived->products[c];
            bool fits = e == 0 ? ends[e] <= most * (1 + 0x1p-15) : ends[e] >= most * (1 + 0x1p-15);
            if (fits)
                continue;
            if (found++ == 0) {
                first = c;
                wanted = ends[e];
                stored = most;
            }
            break;
        }
    }
    if (found > 0)
        k->tell(
            k->user, k->own, "W_BIAS_RANGE",
            lb_arena_printf(
                k->arena, "channel %zu: %.9g is stored as %.9g, where int32 ends%s", first, wanted,
                stored,
                found > 1 ? lb_arena_printf(k->arena, ", and %zu channels more", found - 1) : ""));
}

void lb_enc_compare_bias(const lb_enc_file *file, const lb_enc_bias *bias, const lb_enc_axes *axes,
                         lb_enc_tell_fn tell, void *user)
{
    lb_arena arena = {0};
    lb_enc_map input, weights, own_map;
    lb_enc_bias_map derived;
    comparison k = {.own = lb_enc_find(file, bias->name),
                    .derived = &derived,
                    .arena = &arena,
                    .tell = tell,
                    .user = user};
    lb_enc_map_tensor(bias->input, NULL, &arena, &input);
    lb_enc_map_tensor(bias->weights, lb_enc_axis_of(axes, bias->weights->name), &arena, &weights);
    if (k.own && !lb_enc_map_bias(&input, &weights, &arena, &derived)) {
        lb_enc_map_tensor(k.own, NULL, &arena, &own_map);
        if (own_map.has_sa && own_map.sa_type == LB_SA32 && !own_map.sa_code)
            compare_scales(&k, &own_map);
        if (k.own->grids && !own_map.all)
            compare_ranges(&k);
    }
    lb_arena_free(&arena);
}

static void tell_remark(void *user, const lb_enc_tensor *own, const char *code, const char *text)
{
    lb_enc_remark(user, own, "%s: %s", code, text);
}

static void tell_warning(void *user, const lb_enc_tensor *own, const char *code, const char *text)
{
    lb_enc_warn_at(user, code, own->where, own->offset, "", "%s", text);
}

void lb_enc_warn_of_bias(lb_enc_file *file, const lb_enc_bias *bias, const lb_enc_axes *axes)
{
    lb_enc_compare_bias(file, bias, axes, tell_warning, file);
    lb_enc_place_warnings(file);
}

static void put_bias(lb_doc *doc, const lb_enc_file *file, const lb_enc_bias *bias,
                     const lb_enc_axes *axes, lb_enc_remarks *remarks)
{
    lb_arena arena = {0};
    lb_enc_map input, weights;
    lb_enc_bias_map map;
    lb_enc_tensor shown = {.name = bias->name};
    lb_enc_map_tensor(bias->input, NULL, &arena, &input);
    lb_enc_map_tensor(bias->weights, lb_enc_axis_of(axes, bias->weights->name), &arena, &weights);
    const char *code = lb_enc_map_bias(&input, &weights, &arena, &map);
    lb_escape_json(doc, bias->name);
    if (code) {
        lb_doc_printf(doc, ": {}\n  # no sa32: %s, %s\n", code, lb_enc_reason(code));
        lb_enc_remark(remarks, &shown, "no sa32 from input and weights: %s, %s", code,
                      lb_enc_reason(code));
        remarks->has_failed = true;
    } else {
        lb_doc_puts(doc, ":\n  sa32: {type: sa32, ");
        put_pairs(doc, map.pairs, NULL, map.count, map.per_axis, 0);
        lb_doc_puts(doc, "} # from ");
        lb_escape_json(doc, bias->input->name);
        lb_doc_puts(doc, " and ");
        lb_escape_json(doc, bias->weights->name);
        lb_doc_puts(doc, "\n");
        lb_enc_compare_bias(file, bias, axes, tell_remark, remarks);
    }
    lb_arena_free(&arena);
}

static bool is_derived(const lb_enc_mli_request *request, const char *name)
{
    for (size_t i = 0; i < request->bias_count; i++)
        if (strcmp(request->biases[i].name, name) == 0)
            return true;
    return false;
}

void lb_enc_write_origin(lb_doc *doc, const lb_enc_file *file, const char *what)
{
    lb_doc_printf(doc, "# %s, from ", what);
    lb_escape_json(doc, file->path);
    lb_doc_printf(doc, ", %s%s\n", file->version ? "version " : "without a version",
                  file->version ? file->version : "");
}

void lb_enc_write_mli(lb_doc *doc, const lb_enc_file *file, const lb_enc_mli_request *request,
                      lb_enc_remarks *remarks)
{
    lb_arena arena = {0};
    lb_enc_write_origin(doc, file, "Tensor parameters for cases");
    for (size_t i = 0; i < file->tensor_count; i++) {
        const lb_enc_tensor *t = &file->tensors[i];
        lb_enc_map map;
        if (is_derived(request, t->name))
            continue;
        lb_enc_map_tensor(t, lb_enc_axis_of(request->axes, t->name), &arena, &map);
        put_tensor(doc, t, &map, request, remarks);
        lb_arena_reset(&arena);
    }
    for (size_t i = 0; i < request->bias_count; i++)
        put_bias(doc, file, &request->biases[i], request->axes, remarks);
    lb_arena_free(&arena);
}
