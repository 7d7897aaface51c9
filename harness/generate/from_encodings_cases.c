/* Cases from an encodings file: round trips of every tensor, and those of a template. See
 * from_encodings.h. */
#include "harness/base/inside.h"
#include "harness/base/utf8.h"
#include "harness/base/xalloc.h"
#include "harness/encodings/convert.h"
#include "harness/generate/from_encodings.h"
#include "harness/suite/case_write.h"
#include "harness/suite/suite.h"

#include "reports/escape.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALL_PROFILES                                                                               \
    "\"profiles\":[\"up-full\",\"up-reduced\",\"convergent-full\",\"convergent-reduced\"],"        \
    "\"status\":\"ok\""

/* "encoding": {...} of a tensor; axis below 0: none. */
static void put_encoding(lb_from_encodings *f, const char *tensor, int axis)
{
    lb_doc_puts(f->doc, "\"encoding\":{\"file\":");
    lb_escape_json(f->doc, f->path_in_suite);
    lb_doc_puts(f->doc, ",\"tensor\":");
    lb_escape_json(f->doc, tensor);
    if (axis >= 0)
        lb_doc_printf(f->doc, ",\"axis\":%d", axis);
    if (f->options->read.recompute_tf_offsets)
        lb_doc_puts(f->doc, ",\"tf_offsets\":\"recompute\"");
    if (f->options->read.bare_parameters)
        lb_doc_puts(f->doc, ",\"bare_parameters\":true");
    lb_doc_puts(f->doc, "}");
}

/* ---- Round trips ---- */

/* One tensor on its way to two cases: its type, its codes, and the real numbers that they are. */
typedef struct trip {
    const lb_enc_tensor *tensor;
    const char *type;
    lb_enc_map map;
    size_t channels, per_channel;
    int64_t *codes; /* channel by channel */
    float *reals;
    bool is_recordable; /* every real number is exact, whatever the order of operations */
    bool is_finite;
} trip;

enum { ALL_CODES = 256, FEW_CODES = 16, SOME_CODES = 64 };

static lb_template_tensor *template_of(const lb_from_encodings *f, const char *name)
{
    for (size_t i = 0; f->template && i < f->template->tensor_count; i++)
        if (strcmp(f->template->tensors[i].name, name) == 0) {
            f->template->tensors[i].is_used = true;
            return &f->template->tensors[i];
        }
    return NULL;
}

/* The code that keeps a tensor from being a type, or NULL. */
static const char *code_of(const lb_enc_map *map, const char *type)
{
    bool is_fx16 = strcmp(type, "fx16") == 0;
    if (map->all)
        return map->all;
    if (map->is_fp32)
        return map->fp32_code ? map->fp32_code : "U_FLOAT_WIDTH";
    if (type[0] == 'f')
        return map->fx_code[is_fx16 ? 0 : 1];
    if (strcmp(type, map->sa_type == LB_SA32 ? "sa32" : "sa8") != 0)
        return "U_BITWIDTH";
    return map->sa_code;
}

/* The first type that the tensor can be; NULL: none, with the code that says why. */
static const char *choose_type(const lb_enc_map *map, const char *wanted, const char **code)
{
    static const char *const types[] = {"sa8", "sa32", "fx16", "fx8"};
    if (wanted)
        return (*code = code_of(map, wanted)) == NULL ? wanted : NULL;
    *code = NULL;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const char *why = code_of(map, types[i]);
        if (!why)
            return types[i];
        *code = *code && strcmp(why, "U_BITWIDTH") == 0 ? *code : why;
    }
    return NULL;
}

static lb_grid grid_of(const trip *t, size_t channel)
{
    const lb_enc_map *m = &t->map;
    if (t->type[0] == 's')
        return lb_grid_of(m->scales[channel], m->zero_points[channel], m->lows[channel],
                          m->highs[channel]);
    bool is_fx16 = strcmp(t->type, "fx16") == 0;
    int64_t half = is_fx16 ? 32768 : 128;
    return (lb_grid){
        .step = ldexp(1, -m->frac_bits[is_fx16 ? 0 : 1]), .low = -half, .high = half - 1};
}

/* All codes of a tensor of 8 bits, and from end to end of the others; of sa32 those that binary32
 * holds with their scale. */
static void fill_codes(trip *t, lb_arena *arena)
{
    bool is_sa = t->type[0] == 's';
    bool is_wide = strcmp(t->type, "sa32") == 0;
    bool is_per_axis = is_sa && t->map.per_axis;
    t->channels = is_per_axis ? t->map.count : 1;
    t->per_channel = is_per_axis || is_wide         ? FEW_CODES
                     : strcmp(t->type, "fx16") == 0 ? SOME_CODES
                                                    : ALL_CODES;
    t->codes = lb_arena_array(arena, t->channels * t->per_channel, sizeof *t->codes);
    t->reals = lb_arena_array(arena, t->channels * t->per_channel, sizeof *t->reals);
    t->is_recordable = t->is_finite = true;
    for (size_t c = 0; c < t->channels; c++) {
        lb_grid grid = grid_of(t, c);
        int64_t low = is_wide ? -255 : grid.low, high = is_wide ? 255 : grid.high;
        for (size_t i = 0; i < t->per_channel; i++) {
            int64_t code = low + (high - low) * (int64_t)i / (int64_t)(t->per_channel - 1);
            float real = lb_dequantize(grid, code);
            t->codes[c * t->per_channel + i] = code;
            t->reals[c * t->per_channel + i] = real;
            t->is_finite &= isfinite(real) != 0;
            t->is_recordable &= real == 0 ? code == grid.zero_point
                                          : fabsf(real) >= FLT_MIN * 4 && fabsf(real) < FLT_MAX / 4;
        }
    }
}

static void put_id(lb_from_encodings *f, size_t number, const char *name, const char *what)
{
    char id[160];
    size_t length = (size_t)snprintf(id, sizeof id, "t%zu.", number);
    for (const char *c = name; *c && length < 110;) {
        uint32_t code_point;
        unsigned bytes = lb_utf8_decode(c, strlen(c), &code_point);
        bool is_good = bytes > 0 && !lb_utf8_is_control(code_point);
        memcpy(id + length, is_good ? c : "_", is_good ? bytes : 1);
        length += is_good ? bytes : 1;
        c += bytes ? bytes : 1;
    }
    snprintf(id + length, sizeof id - length, "%s", what);
    lb_escape_json(f->doc, id);
}

static bool is_per_axis(const trip *t)
{
    return t->type[0] == 's' && t->map.per_axis;
}

/* The codes, or the real numbers that they are. */
static void put_numbers(lb_from_encodings *f, const trip *t, bool as_real)
{
    lb_doc_puts(f->doc, "[");
    for (size_t i = 0; i < t->channels * t->per_channel; i++) {
        lb_doc_puts(f->doc, i ? "," : "");
        if (!as_real)
            lb_doc_printf(f->doc, "%lld", (long long)t->codes[i]);
        else if (isfinite(t->reals[i]))
            lb_doc_printf(f->doc, "%.9g", (double)t->reals[i]);
        else
            lb_doc_printf(f->doc, "\"%sinf\"", t->reals[i] < 0 ? "-" : "");
    }
    lb_doc_puts(f->doc, "]");
}

static void put_tensor(lb_from_encodings *f, const trip *t, bool as_real, bool with_data)
{
    lb_doc_printf(f->doc, "{\"type\":\"%s\",\"shape\":[", as_real ? "fp32" : t->type);
    if (is_per_axis(t))
        lb_doc_printf(f->doc, "%zu,", t->channels);
    lb_doc_printf(f->doc, "%zu]", t->per_channel);
    if (!as_real) {
        lb_doc_puts(f->doc, ",");
        put_encoding(f, t->tensor->name, is_per_axis(t) ? 0 : -1);
    }
    if (with_data) {
        lb_doc_puts(f->doc, ",\"data\":");
        put_numbers(f, t, as_real);
    }
    lb_doc_puts(f->doc, "}");
}

/* A case of one direction. What comes out is recorded where it is exact: then no profile rounds. */
static void put_trip(lb_from_encodings *f, const trip *t, size_t number, bool to_real)
{
    lb_doc_puts(f->doc, "{\"id\":");
    put_id(f, number, t->tensor->name, to_real ? ".to_real" : ".from_real");
    lb_doc_puts(f->doc, ",\"function\":\"mli_hlp_convert_tensor\",\"inputs\":{\"in\":");
    put_tensor(f, t, !to_real, true);
    lb_doc_puts(f->doc, "},\"outputs\":{\"out\":");
    put_tensor(f, t, to_real, false);
    lb_doc_puts(f->doc, "},\"tags\":[\"encodings\",\"round_trip\"]");
    if (t->is_recordable) {
        lb_doc_puts(f->doc, ",\"expect\":[{" ALL_PROFILES ",\"outputs\":{\"out\":");
        put_numbers(f, t, to_real);
        lb_doc_puts(f->doc, "}}]");
    }
    lb_doc_puts(f->doc, "}\n");
}

static void remark(lb_from_encodings *f, const char *name, const char *code, const char *reason)
{
    lb_escape_json(f->remarks, name);
    lb_doc_printf(f->remarks, ": no round trip: %s%s%s\n", code ? code : "", code ? ", " : "",
                  reason);
}

void lb_write_round_trips(lb_from_encodings *f)
{
    lb_arena arena = {0};
    for (size_t i = 0; i < f->file->tensor_count; i++) {
        trip t = {.tensor = &f->file->tensors[i]};
        const lb_template_tensor *own = template_of(f, t.tensor->name);
        const char *code;
        if ((f->template && f->template->no_round_trips) || (own && own->no_round_trip))
            continue;
        lb_enc_map_tensor(t.tensor, NULL, &arena, &t.map);
        t.type = choose_type(&t.map, own ? own->type : NULL, &code);
        if (!t.type) {
            bool is_fp32 = t.map.is_fp32 && !t.map.fp32_code;
            remark(f, t.tensor->name, is_fp32 ? NULL : code,
                   is_fp32 ? "fp32 has no codes" : lb_enc_reason(code));
        } else {
            fill_codes(&t, &arena);
            put_trip(f, &t, i, true);
            if (t.is_finite)
                put_trip(f, &t, i, false);
            else
                remark(f, t.tensor->name, NULL, "its numbers are too large for fp32 to come back");
        }
        lb_arena_reset(&arena);
    }
    lb_arena_free(&arena);
}

/* ---- Cases of the template ---- */

static const cJSON *text_member(const cJSON *object, const char *key)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(member) ? member : NULL;
}

/* A range that inputs of this encoding have: that of its tensor, or of a bias what an accumulator
 * of some thousand products reaches. */
static bool find_range(const lb_from_encodings *f, const cJSON *encoding, double *low, double *high)
{
    const cJSON *names[3] = {text_member(encoding, "tensor"), text_member(encoding, "input"),
                             text_member(encoding, "weights")};
    const lb_enc_tensor *tensors[3] = {NULL};
    lb_enc_map maps[3];
    lb_enc_bias_map bias;
    lb_arena arena = {0};
    bool found = false;
    for (unsigned i = 0; i < 3; i++) {
        tensors[i] = names[i] ? lb_enc_find(f->file, names[i]->valuestring) : NULL;
        if (tensors[i])
            lb_enc_map_tensor(tensors[i], NULL, &arena, &maps[i]);
    }
    if (tensors[0]) {
        found = tensors[0]->grids && maps[0].has_fx;
        *low = found ? maps[0].low : -1;
        *high = found ? maps[0].high : 1;
        found = true;
    } else if (tensors[1] && tensors[2] && !lb_enc_map_bias(&maps[1], &maps[2], &arena, &bias)) {
        *high = 0;
        for (size_t c = 0; c < bias.count; c++)
            *high = fmax(*high, bias.products[c] * 0x1p15);
        *low = -*high;
        found = true;
    }
    lb_arena_free(&arena);
    *low = fmax(*low, -FLT_MAX / 4);
    *high = fmin(*high, FLT_MAX / 4);
    return found;
}

static bool has_data(const cJSON *tensor)
{
    static const char *const keys[] = {"data", "real_data", "data_in", "null_data"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (cJSON_GetObjectItemCaseSensitive(tensor, keys[i]))
            return true;
    return false;
}

/* The shortest text that is read as the same number. */
static void number_text(double value, char text[40])
{
    if (isnan(value) || isinf(value))
        snprintf(text, 40, "%s", isnan(value) ? "\"nan\"" : value < 0 ? "\"-inf\"" : "\"inf\"");
    for (int digits = 15; isfinite(value) && digits <= 17; digits += 2) {
        snprintf(text, 40, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
}

static void put_first(cJSON *object, const char *key, cJSON *item)
{
    cJSON_AddItemToObject(object, key, item);
    cJSON_InsertItemInArray(object, 0, cJSON_DetachItemViaPointer(object, item));
}

/* An "encoding" that names no file means the one at hand. */
static void name_file(const lb_from_encodings *f, cJSON *encoding)
{
    if (f->options->read.bare_parameters &&
        !cJSON_GetObjectItemCaseSensitive(encoding, "bare_parameters"))
        put_first(encoding, "bare_parameters", cJSON_CreateTrue());
    if (f->options->read.recompute_tf_offsets &&
        !cJSON_GetObjectItemCaseSensitive(encoding, "tf_offsets"))
        put_first(encoding, "tf_offsets", cJSON_CreateString("recompute"));
    put_first(encoding, "file", cJSON_CreateString(f->path_in_suite));
}

/* {"npy": FILE}: the template names it from its own folder, the suite from that of the suite. */
static void name_array(lb_from_encodings *f, cJSON *file)
{
    lb_arena *arena = &f->template->arena;
    const char *path = lb_arena_printf(arena, "%s%s", f->arrays, file->valuestring);
    if (!lb_name_is_inside(path))
        f->array_outside = lb_arena_strdup(arena, file->valuestring);
    cJSON_SetValuestring(file, path);
}

/* A tree of the template becomes one of the suite. */
static void complete(lb_from_encodings *f, cJSON *node)
{
    for (cJSON *child = node->child; child; child = child->next) {
        const char *key = child->string ? child->string : "";
        if (cJSON_IsNumber(child)) {
            child->valuestring = cJSON_malloc(40);
            child->type = cJSON_Raw;
            number_text(child->valuedouble, child->valuestring);
        } else if (cJSON_IsString(child) && (strcmp(key, "npy") == 0 || strcmp(key, "npz") == 0)) {
            name_array(f, child);
        }
        if (strcmp(key, "encoding") == 0 && cJSON_IsObject(child) &&
            !cJSON_GetObjectItemCaseSensitive(child, "file"))
            name_file(f, child);
        complete(f, child);
    }
}

/* The output that feeds this tensor; NULL: none does, or its layer gave nothing, which is told when
 * the case is run. */
static const lb_layer_output *feed_of(const lb_from_encodings *f, const cJSON *test_case,
                                      const char *role, int place)
{
    const cJSON *feeds = cJSON_GetObjectItemCaseSensitive(test_case, "feed");
    char name[64];
    if (place < 0)
        snprintf(name, sizeof name, "%s", role);
    else
        snprintf(name, sizeof name, "%s[%d]", role, place);
    for (const cJSON *feed = feeds ? feeds->child : NULL; feed && f->network; feed = feed->next) {
        const cJSON *to = text_member(feed, "to"), *from = text_member(feed, "from");
        const cJSON *id = text_member(feed, "case");
        int output = from ? lb_role_find(from->valuestring) : LB_ROLE_OUT;
        const lb_layer *layer = id ? lb_network_layer(f->network, id->valuestring) : NULL;
        if (to && layer && output >= 0 && strcmp(to->valuestring, name) == 0)
            return &layer->output[output];
    }
    return NULL;
}

static void add_codes(cJSON *tensor, const lb_layer_output *from)
{
    lb_doc data = lb_doc_make();
    char text[40];
    for (size_t i = 0; i < from->count; i++) {
        float real;
        memcpy(&real, &from->codes[i], sizeof real);
        number_text(from->type == LB_FP32 ? (double)real : from->codes[i], text);
        lb_doc_printf(&data, "%c%s", i ? ',' : '[', text);
    }
    lb_doc_char(&data, ']');
    lb_doc_char(&data, '\0');
    cJSON_AddRawToObject(tensor, "data", data.text);
    lb_doc_free(&data);
}

/* A tensor of the inputs: without data of its own it gets those of the layer that feeds it, or
 * random numbers over the range of its encoding. */
static void fill_input(lb_from_encodings *f, cJSON *tensor, const lb_layer_output *from,
                       size_t seed)
{
    const cJSON *encoding = cJSON_GetObjectItemCaseSensitive(tensor, "encoding");
    double low = 0, high = 0;
    char text[200], low_text[40], high_text[40];
    if (!cJSON_IsObject(tensor) || has_data(tensor))
        return;
    if (from && from->count > 0) {
        add_codes(tensor, from);
    } else if (encoding && find_range(f, encoding, &low, &high)) {
        number_text(low, low_text);
        number_text(high, high_text);
        snprintf(text, sizeof text,
                 "{\"generator\":\"uniform\",\"seed\":%zu,\"low\":%s,\"high\":%s}", seed, low_text,
                 high_text);
        cJSON_AddRawToObject(tensor, "real_data", text);
    }
}

static void fill_operands(lb_from_encodings *f, const cJSON *test_case, const char *key,
                          size_t *seed)
{
    const cJSON *operands = cJSON_GetObjectItemCaseSensitive(test_case, key);
    for (cJSON *role = operands ? operands->child : NULL; role; role = role->next) {
        const lb_layer_output *from = feed_of(f, test_case, role->string, -1);
        int place = 0;
        if (!cJSON_IsArray(role) && (from || strcmp(key, "inputs") == 0))
            fill_input(f, role, from, ++*seed);
        for (cJSON *one = cJSON_IsArray(role) ? role->child : NULL; one; one = one->next)
            fill_input(f, one, feed_of(f, test_case, role->string, place++), ++*seed);
    }
}

static void put_case(lb_from_encodings *f, const cJSON *test_case, size_t *seed)
{
    cJSON *made = cJSON_Duplicate(test_case, true);
    complete(f, made);
    fill_operands(f, made, "inputs", seed);
    fill_operands(f, made, "outputs", seed);
    char *text = cJSON_PrintUnformatted(made);
    lb_doc_puts(f->doc, text);
    cJSON_free(text);
    cJSON_Delete(made);
}

/* What has just been written becomes the case that its encodings make: plain integers, without the
 * file. */
static bool prepare(lb_from_encodings *f, size_t start)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_arena arena = {0};
    lb_case c = {.id = NULL};
    bool good =
        !f->doc->failed && lb_prepared_case_from_line(f->doc->text + start, f->doc->length - start,
                                                      f->suite_path, 1, &diagnostics, &arena, &c);
    if (good) {
        lb_doc_cut(f->doc, start);
        lb_doc_puts(f->doc, lb_case_to_json(&c, &arena));
    }
    lb_arena_free(&arena);
    return good;
}

/* Runs the case that has just been written, so that the layers behind it have inputs. */
static bool run_layer(lb_from_encodings *f, size_t start)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_arena arena = {0};
    lb_case c = {.id = NULL};
    if (f->doc->failed)
        return false;
    bool good = lb_case_from_line(f->doc->text + start, f->doc->length - start, f->suite_path, 1,
                                  &diagnostics, &arena, &c) &&
                c.kernel;
    if (good && !lb_network_run(f->network, &c)) {
        fprintf(stderr, "%s: case %s: %s\n", f->template->path, c.id,
                lb_network_layer(f->network, c.id)->failed);
        good = false;
    }
    lb_arena_free(&arena);
    return good;
}

bool lb_template_has_layers(const lb_template *t)
{
    for (size_t i = 0; i < t->case_count; i++)
        if (cJSON_GetObjectItemCaseSensitive(t->cases[i], "feed"))
            return true;
    return false;
}

bool lb_write_template_cases(lb_from_encodings *f)
{
    size_t seed = 0;
    for (size_t i = 0; f->template && i < f->template->case_count; i++) {
        size_t start = f->doc->length;
        put_case(f, f->template->cases[i], &seed);
        if (f->array_outside) {
            fprintf(stderr,
                    "%s: %s lies outside of the folder of the suite, which names its arrays from "
                    "there: write the suite where they are (-o)\n",
                    f->template->path, f->array_outside);
            return false;
        }
        if (f->template->set && f->template->set->prepare && !prepare(f, start))
            return false;
        if (f->network && !run_layer(f, start))
            return false;
        lb_doc_char(f->doc, '\n');
    }
    return true;
}
