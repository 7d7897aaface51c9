/* The decoder: quantization taken from an encodings file ("encoding"), and data given as real
 * numbers ("real_data"). Spec: encodings.md 5. */
#include "harness/suite/decode_encoding.h"
#include "harness/encodings/cache.h"
#include "harness/encodings/convert.h"
#include "harness/suite/decode_prepared.h"
#include "reference/core/float4.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { E_FILE, E_TENSOR, E_AXIS, E_INPUT, E_WEIGHTS, E_TF_OFFSETS, E_BARE, E_KEY_COUNT };

static const lb_key encoding_keys[] = {{"file", false},
                                       {"tensor", false},
                                       {"axis", false},
                                       {"input", false},
                                       {"weights", false},
                                       {"tf_offsets", false},
                                       {"bare_parameters", false},
                                       {NULL, false}};

/* ---- The file ---- */

static bool read_options(lb_decoder *d, const cJSON **slots, lb_enc_options *options)
{
    static const char *const choices[] = {"refuse", "recompute", NULL};
    unsigned chosen = 0;
    if (slots[E_TF_OFFSETS] && !lb_read_choice(d, slots[E_TF_OFFSETS], choices, &chosen))
        return false;
    options->recompute_tf_offsets = chosen == 1;
    return !slots[E_BARE] || lb_read_bool(d, slots[E_BARE], &options->bare_parameters);
}

static const lb_enc_file *open_encodings(lb_decoder *d, const cJSON *node, const cJSON **slots)
{
    lb_enc_options options = {0};
    const char *path = slots[E_FILE] ? lb_read_text(d, slots[E_FILE]) : d->document->encodings;
    if (!slots[E_FILE] && !path)
        lb_complain(d, node, "file", "the path of the encodings file, from the folder of the suite",
                    "the key is missing");
    if (!path || !read_options(d, slots, &options))
        return NULL;
    if (slots[E_FILE])
        path = lb_companion_path(d->document->companions, d->arena, d->problems->file, "encodings",
                                 path);
    const lb_enc_file *file = lb_enc_cached(path, &options);
    if (file->is_valid)
        return file;
    char place[64] = "";
    if (file->error.line > 0)
        snprintf(place, sizeof place, ":%u:%u", file->error.line, file->error.column);
    lb_complain(d, slots[E_FILE] ? slots[E_FILE] : node, NULL, file->error.remedy,
                "%.200s%s: %s%s%.200s: %.300s", path, place, file->error.where,
                file->error.where[0] ? ": " : "", file->error.code, file->error.problem);
    return NULL;
}

static const lb_enc_tensor *find_tensor(lb_decoder *d, const cJSON *node, const lb_enc_file *file)
{
    const char *name = lb_read_text(d, node);
    const lb_enc_tensor *tensor = name ? lb_enc_find(file, name) : NULL;
    if (name && !tensor) {
        char remedy[400];
        lb_suggest_text(name, lb_enc_name_at, file, remedy, sizeof remedy);
        lb_complain(d, node, NULL, remedy, "%.200s has no tensor \"%.100s\"", file->path, name);
    }
    return tensor;
}

/* ---- What it says, into the tensor ---- */

static void refuse_code(lb_decoder *d, const cJSON *node, const lb_case_tensor *t, const char *code)
{
    lb_complain(d, node, NULL, "another type, or another encoding",
                "%s: this encoding cannot be %s: %s", code, lb_el_type_name((uint32_t)t->type),
                lb_enc_reason(code));
}

static void make_lists(lb_decoder *d, lb_case_tensor *t, lb_real_rule *rule, size_t count)
{
    t->quant_count = count;
    t->scale = lb_arena_array(d->arena, count, sizeof *t->scale);
    t->zero_point = lb_arena_array(d->arena, count, sizeof *t->zero_point);
    t->scale_frac_bits = lb_arena_array(d->arena, count, sizeof *t->scale_frac_bits);
    rule->grids = lb_arena_array(d->arena, count, sizeof *rule->grids);
    rule->grid_count = count;
}

/* The channels must be those of the axis (U_AXIS). */
static bool take_axis(lb_decoder *d, const cJSON *node, const cJSON **slots, bool per_axis,
                      bool has_own, int64_t own, size_t channels, lb_case_tensor *t)
{
    int64_t axis = has_own ? own : 0;
    t->axis = -1;
    if (slots[E_AXIS] && !lb_read_integer(d, slots[E_AXIS], -1, INT32_MAX, "axis", &axis))
        return false;
    if (!per_axis)
        return true;
    t->axis = (int32_t)axis;
    if (axis >= 0 && axis < (int64_t)t->rank && t->shape[axis] == channels)
        return true;
    if (axis >= 0 && axis < (int64_t)t->rank)
        lb_complain(d, node, "axis", "the dimension of the shape that the channels lie along",
                    "U_AXIS: %zu channels, and dimension %lld has %u", channels, (long long)axis,
                    t->shape[axis]);
    else
        lb_complain(d, node, "axis", "a dimension of the shape",
                    "U_AXIS: %zu channels, and the shape has no dimension %lld", channels,
                    (long long)axis);
    return false;
}

static void take_sa(lb_decoder *d, const cJSON *node, const cJSON **slots,
                    const lb_enc_tensor *source, const lb_enc_map *map, lb_case_tensor *t,
                    lb_real_rule *rule)
{
    const char *code = map->all                  ? map->all
                       : map->is_fp32            ? "U_FLOAT_WIDTH"
                       : map->sa_code            ? map->sa_code
                       : map->sa_type != t->type ? "U_BITWIDTH"
                                                 : NULL;
    if (code) {
        refuse_code(d, node, t, code);
        return;
    }
    make_lists(d, t, rule, map->count);
    for (size_t i = 0; i < map->count; i++) {
        t->scale[i] = map->scales[i].mantissa;
        t->scale_frac_bits[i] = map->scales[i].frac;
        t->zero_point[i] = map->zero_points[i];
        rule->grids[i] =
            lb_grid_of(map->scales[i], map->zero_points[i], map->lows[i], map->highs[i]);
    }
    rule->is_ready =
        take_axis(d, node, slots, map->per_axis, source->has_axis, source->axis, t->quant_count, t);
}

static void take_fx(lb_decoder *d, const cJSON *node, const lb_enc_map *map, lb_case_tensor *t,
                    lb_real_rule *rule)
{
    unsigned which = t->type == LB_FX16 ? 0 : 1;
    const char *code = map->all ? map->all : map->is_fp32 ? "U_FLOAT_WIDTH" : map->fx_code[which];
    if (code) {
        refuse_code(d, node, t, code);
        return;
    }
    t->frac_bits = (int8_t)map->frac_bits[which];
    lb_own_rule(d, t, rule);
}

/* A bias: what its kernel's input and weights make it (encodings.md 5.4). Its data are divided by
 * the exact product. */
static void take_bias(lb_decoder *d, const cJSON *node, const cJSON **slots,
                      const lb_enc_file *file, lb_case_tensor *t, lb_real_rule *rule)
{
    const lb_enc_tensor *input = find_tensor(d, slots[E_INPUT], file);
    const lb_enc_tensor *weights = find_tensor(d, slots[E_WEIGHTS], file);
    lb_enc_map maps[2];
    lb_enc_bias_map bias;
    if (!input || !weights)
        return;
    if (lb_is_model_type(d, t->type)) {
        lb_take_model_bias(d, node, input, weights, t, rule);
        return;
    }
    if (t->type != LB_SA32) {
        lb_complain(d, node, NULL, "type sa32",
                    "\"input\" and \"weights\" give the encoding of a bias");
        return;
    }
    lb_enc_map_tensor(input, NULL, d->arena, &maps[0]);
    lb_enc_map_tensor(weights, NULL, d->arena, &maps[1]);
    const char *code = lb_enc_map_bias(&maps[0], &maps[1], d->arena, &bias);
    if (code) {
        refuse_code(d, node, t, code);
        return;
    }
    make_lists(d, t, rule, bias.count);
    for (size_t i = 0; i < bias.count; i++) {
        t->scale[i] = bias.pairs[i].mantissa;
        t->scale_frac_bits[i] = bias.pairs[i].frac;
        rule->grids[i] = (lb_grid){.step = bias.products[i], .low = INT32_MIN, .high = INT32_MAX};
    }
    rule->is_ready = take_axis(d, node, slots, bias.per_axis, false, 0, t->quant_count, t);
}

void lb_decode_encoding(lb_decoder *d, const cJSON *node, lb_case_tensor *t, lb_real_rule *rule)
{
    const cJSON *slots[E_KEY_COUNT];
    lb_enc_map map;
    if (!lb_read_members(d, node, encoding_keys, slots))
        return;
    if (!d->model && lb_is_plain(t->type)) {
        lb_complain(d, node, NULL,
                    "\"lastbit vectors from-encodings --template\" makes such a suite",
                    "a suite holds the integers that are made of encodings: %s has none",
                    lb_el_type_name((uint32_t)t->type));
        return;
    }
    bool is_bias = slots[E_INPUT] && slots[E_WEIGHTS] && !slots[E_TENSOR];
    bool is_tensor = slots[E_TENSOR] && !slots[E_INPUT] && !slots[E_WEIGHTS];
    if (!is_bias && !is_tensor) {
        lb_complain(d, node, NULL, "either \"tensor\", or for a bias \"input\" and \"weights\"",
                    "it is not clear whose encoding this is");
        return;
    }
    const lb_enc_file *file = open_encodings(d, node, slots);
    if (!file)
        return;
    if (is_bias) {
        take_bias(d, node, slots, file, t, rule);
        return;
    }
    const lb_enc_tensor *source = find_tensor(d, slots[E_TENSOR], file);
    if (!source)
        return;
    if (lb_is_model_type(d, t->type)) {
        rule->is_ready = lb_take_model_tensor(d, node, source, t, rule) &&
                         take_axis(d, node, slots, rule->grid_count > 1, source->has_axis,
                                   source->axis, rule->grid_count, t);
        if (rule->is_ready)
            d->model->operand[d->role].axis = t->axis;
        return;
    }
    lb_enc_map_tensor(source, NULL, d->arena, &map);
    if (lb_is_sa((uint32_t)t->type))
        take_sa(d, node, slots, source, &map, t, rule);
    else if (lb_is_fx((uint32_t)t->type))
        take_fx(d, node, &map, t, rule);
    else if (map.fp32_code || !map.is_fp32)
        refuse_code(d, node, t, map.all ? map.all : map.fp32_code ? map.fp32_code : "U_BITWIDTH");
    else
        rule->is_ready = true;
}

/* ---- Real numbers ---- */

void lb_own_rule(lb_decoder *d, const lb_case_tensor *t, lb_real_rule *rule)
{
    int64_t low, high;
    size_t count = lb_is_sa((uint32_t)t->type) ? t->quant_count : 1;
    rule->is_ready = count > 0; /* none of its own: quant_in */
    if (t->type == LB_FP32 || lb_is_extension((uint32_t)t->type))
        return;
    lb_container_range(t->type, &low, &high);
    rule->grids = lb_arena_array(d->arena, count, sizeof *rule->grids);
    rule->grid_count = count;
    for (size_t i = 0; i < count; i++) {
        if (lb_is_fx((uint32_t)t->type)) {
            rule->grids[i] = (lb_grid){.step = ldexp(1, -t->frac_bits), .low = low, .high = high};
            continue;
        }
        rule->is_ready &= t->scale && t->scale[i] > 0;
        if (rule->is_ready)
            rule->grids[i] = lb_grid_of((lb_scale){t->scale[i], t->scale_frac_bits[i]},
                                        t->zero_point[i], low, high);
    }
}

/* Which grid an element in row-major order has. */
static size_t channel_of(const lb_case_tensor *t, size_t flat)
{
    size_t inner = 1;
    if (t->axis < 0 || lb_is_fx((uint32_t)t->type))
        return 0;
    for (unsigned i = (unsigned)t->axis + 1; i < t->rank; i++)
        inner *= t->shape[i];
    return flat / inner % t->shape[t->axis];
}

/* May the numbers be told their channels? */
static bool check_layout(lb_decoder *d, const cJSON *node, const lb_case_tensor *t,
                         const lb_real_rule *rule)
{
    bool per_axis = (lb_is_sa((uint32_t)t->type) || d->model) && t->axis >= 0;
    if (t->type == LB_EL_PACKED4 || t->type == LB_EL_FLOAT8E8M0)
        lb_complain(d, node, NULL, "\"data\" in bit patterns", "%s has no real numbers to round to",
                    lb_el_type_name((uint32_t)t->type));
    else if (!rule->is_ready)
        lb_complain(d, node, NULL, "scale 1 to 32767",
                    "real numbers need scales above 0 of the tensor's own");
    else if (per_axis && (t->has_buffer_elements || (uint32_t)t->axis >= t->rank))
        lb_complain(d, node, NULL, "\"data\" in containers",
                    "real numbers per axis need a place in the shape");
    else if (per_axis && t->shape[t->axis] > rule->grid_count)
        lb_complain(d, node, NULL, "one scale per index of the axis",
                    "%u indices along the axis, and %zu scales", t->shape[t->axis],
                    rule->grid_count);
    else
        return true;
    return false;
}

/* The pattern of an extension type that is nearest to a binary32 number; false for a NaN that has
 * none. */
static bool cast_element(lb_el_type type, int32_t bits, int32_t *value)
{
    static const struct {
        lb_el_type type;
        lb_float_type format;
    } floats[] = {{LB_EL_FLOAT4E2M1, LB_FLOAT4_E2M1},
                  {LB_EL_FLOAT8E4M3FN, LB_FLOAT8_E4M3FN},
                  {LB_EL_FLOAT8E5M2, LB_FLOAT8_E5M2},
                  {LB_EL_FLOAT16, LB_FLOAT16},
                  {LB_EL_BFLOAT16, LB_BFLOAT16}};
    uint32_t pattern;
    int8_t integer;
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
        if (floats[i].type == type) {
            lb_float_cast(LB_FLOAT32, floats[i].format, (uint32_t)bits, LB_NAN_DOCUMENT,
                          LB_OVERFLOW_OF_TYPE, &pattern);
            *value = lb_as_container(type, (int32_t)pattern);
            return true;
        }
    if (!lb_int4_from_float32((uint32_t)bits, type == LB_EL_INT4, &integer))
        return false;
    *value = integer;
    return true;
}

/* sa8 is meant to clamp; a bias in 32 bits that does has lost its value. The first is told, and how
 * many more there are. */
static void tell_clamped(lb_decoder *d, lb_case_tensor *t, const lb_grid *grid, size_t element,
                         float real, int64_t q, size_t count)
{
    const char *more = count > 1 ? lb_arena_printf(d->arena, ", and %zu more", count - 1) : "";
    t->clamped = lb_arena_printf(d->arena, "%s %zu: %.9g is stored as %.9g%s",
                                 t->rank == 1 ? "channel" : "element", element, (double)real,
                                 (double)lb_dequantize(*grid, q), more);
}

/* Did the number lose more than rounding does? */
static bool is_clamped(const lb_case_tensor *t, const lb_grid *grid, float real, int64_t q)
{
    return (t->type == LB_SA32 || t->type == LB_S32 || t->type == LB_S64) && isfinite(real) &&
           (q == grid->low || q == grid->high) &&
           fabs((double)real - (double)(q - grid->zero_point) * grid->step) > grid->step / 2;
}

static bool quantize_all(lb_decoder *d, const cJSON *node, lb_case_tensor *t,
                         const lb_real_rule *rule, lb_values *values)
{
    unsigned found = d->found;
    struct {
        size_t count, element;
        float real;
        int64_t q;
    } clamped = {.count = 0};
    const cJSON *item = cJSON_IsArray(node) ? node->child : NULL;
    for (size_t i = 0; i < values->count && t->type != LB_FP32; i++) {
        float real;
        int64_t q;
        memcpy(&real, &values->items[i], sizeof real);
        bool is_extension = lb_is_extension((uint32_t)t->type);
        if (is_extension && cast_element(t->type, values->items[i], &values->items[i]))
            ;
        else if (!is_extension &&
                 lb_quantize(rule->grids[channel_of(t, i)], real, rule->halves, &q)) {
            values->items[i] = (int32_t)q;
            if (is_clamped(t, &rule->grids[channel_of(t, i)], real, q) && clamped.count++ == 0) {
                clamped.element = i;
                clamped.real = real;
                clamped.q = q;
            }
        } else
            lb_complain(d, item ? item : node, NULL, "a number, or an infinity, which clamps",
                        "element %zu is NaN, which has no code", i);
        item = item ? item->next : NULL;
    }
    if (clamped.count > 0)
        tell_clamped(d, t, &rule->grids[channel_of(t, clamped.element)], clamped.element,
                     clamped.real, clamped.q, clamped.count);
    return d->found == found;
}

bool lb_read_real_data(lb_decoder *d, const cJSON *node, lb_case_tensor *t,
                       const lb_real_rule *rule, uint64_t due, lb_values *values)
{
    bool is_read = lb_is_npy_data(node)   ? lb_read_npy_data(d, node, t, LB_FP32, due, values)
                   : cJSON_IsObject(node) ? lb_read_generator(d, node, LB_FP32, (size_t)due, values)
                                          : lb_read_data(d, node, LB_FP32, values);
    return is_read && check_layout(d, node, t, rule) && quantize_all(d, node, t, rule, values);
}
