/* An encodings file in another version: what can be said there, with a remark for everything else.
 * See convert.h. */
#include "harness/encodings/nested.h"
#include "harness/encodings/writer.h"

#include "reports/escape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef lb_enc_writer writer;

/* ---- JSON ---- */

void lb_enc_put_number(lb_doc *doc, double value)
{
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    lb_doc_puts(doc, text);
}

void lb_enc_put_copy(lb_doc *doc, const cJSON *node)
{
    bool is_object = cJSON_IsObject(node);
    if (is_object || cJSON_IsArray(node)) {
        lb_doc_char(doc, is_object ? '{' : '[');
        for (const cJSON *child = node->child; child; child = child->next) {
            if (is_object) {
                lb_escape_json(doc, child->string);
                lb_doc_puts(doc, ": ");
            }
            lb_enc_put_copy(doc, child);
            lb_doc_puts(doc, child->next ? ", " : "");
        }
        lb_doc_char(doc, is_object ? '}' : ']');
    } else if (cJSON_IsString(node)) {
        lb_escape_json(doc, node->valuestring);
    } else if (cJSON_IsNumber(node) && isinf(node->valuedouble)) {
        lb_doc_puts(doc, node->valuedouble > 0 ? "1e999" : "-1e999");
    } else if (cJSON_IsNumber(node)) {
        lb_enc_put_number(doc, node->valuedouble);
    } else {
        lb_doc_puts(doc, cJSON_IsTrue(node) ? "true" : cJSON_IsFalse(node) ? "false" : "null");
    }
}

void lb_enc_begin_entry(writer *w)
{
    lb_doc_puts(w->doc, w->first ? "\n        " : ",\n        ");
    w->first = false;
}

void lb_enc_leave_out(writer *w, const lb_enc_tensor *t, const char *why)
{
    lb_enc_remark(w->remarks, t, "left out: %s", why);
    w->remarks->has_failed = true;
}

/* ---- What the versions say differently of a grid ---- */

int64_t lb_enc_offset_of(const lb_enc_tensor *t, const lb_enc_grid *g)
{
    int64_t half = (int64_t)1 << (t->bits - 1);
    return t->has_own_dtype ? -(g->zero_point + (t->is_signed ? half : 0)) : g->offset;
}

bool lb_enc_is_symmetric(const lb_enc_tensor *t)
{
    if (!t->has_own_dtype)
        return t->is_symmetric;
    for (size_t i = 0; i < t->scale_count; i++)
        if (!t->is_signed || t->grids[i].zero_point != 0)
            return false;
    return true;
}

/* Symmetric with the offset of a strict grid, and all codes in use: 0.x says that by min and max.
 */
static bool is_wide(const lb_enc_tensor *t)
{
    for (size_t i = 0; t->is_symmetric && i < t->scale_count; i++)
        if (!t->grids[i].is_strict && t->grids[i].offset == 1 - ((int64_t)1 << (t->bits - 1)))
            return true;
    return false;
}

/* Versions below 1.0 give a range beside the grid, which may differ from it by a fraction of a
 * step. */
static bool range_is_off_grid(const lb_enc_tensor *t, const lb_enc_grid *g)
{
    double steps = ldexp(1, t->bits) - 1 - (g->is_strict ? 1 : 0);
    double low = g->scale * (double)g->offset;
    double high = g->scale * (steps + (double)g->offset);
    return fabs(g->low - low) > 1e-3 * g->scale || fabs(g->high - high) > 1e-3 * g->scale;
}

static void remark_range(writer *w, const lb_enc_tensor *t)
{
    for (size_t i = 0; w->file->family <= LB_ENC_06 && i < t->scale_count; i++)
        if (range_is_off_grid(t, &t->grids[i])) {
            lb_enc_remark(
                w->remarks, t,
                "lost: min and max lie beside the grid, and this version keeps the grid alone");
            return;
        }
}

static void remark_axis(writer *w, const lb_enc_tensor *t)
{
    if (t->has_axis && t->form == LB_ENC_PER_CHANNEL)
        lb_enc_remark(w->remarks, t, "lost: axis %lld, for which this version has no word",
                      (long long)t->axis);
}

static void remark_assumed_strict(writer *w, const lb_enc_tensor *t)
{
    if (t->may_be_wide)
        lb_enc_remark(w->remarks, t,
                      "assumed: strict, the last code is not used; the file does not tell");
}

/* ---- 0.6.1 ---- */

static bool fits_v0(writer *w, const lb_enc_tensor *t)
{
    const char *why = NULL;
    if (t->is_unknown)
        why = "this reader does not know its type";
    else if (t->form == LB_ENC_PER_BLOCK || t->form == LB_ENC_VECTOR)
        why = "0.6.1 has no blocks and no vectors";
    else if (t->is_float && t->has_own_dtype)
        why = "0.6.1 has no float type of 8 or 4 bits";
    else if (t->bits < 4)
        why = "0.6.1 has widths from 4 on";
    for (size_t i = 0; !why && t->grids && i < t->scale_count; i++)
        if (!isfinite(t->grids[i].low) || !isfinite(t->grids[i].high) ||
            !isfinite((t->grids[i].high - t->grids[i].low)))
            why = "its range is too large for min and max";
    if (why)
        lb_enc_leave_out(w, t, why);
    return !why;
}

static void put_entry_v0(writer *w, const lb_enc_tensor *t, const lb_enc_grid *g)
{
    int64_t offset = g ? lb_enc_offset_of(t, g) : 0;
    lb_doc_printf(w->doc, "{\"bitwidth\": %d, \"dtype\": \"%s\"", t->bits,
                  t->is_float ? "float" : "int");
    if (g) {
        double steps = ldexp(1, t->bits) - 1;
        double low = t->has_own_dtype ? g->scale * (double)offset : g->low;
        double high = t->has_own_dtype ? g->scale * (steps + (double)offset) : g->high;
        lb_doc_printf(w->doc, ", \"is_symmetric\": \"%s\", \"max\": ",
                      lb_enc_is_symmetric(t) ? "True" : "False");
        lb_enc_put_number(w->doc, high);
        lb_doc_puts(w->doc, ", \"min\": ");
        lb_enc_put_number(w->doc, low == 0 ? 0 : low);
        lb_doc_puts(w->doc, ", \"offset\": ");
        lb_doc_i64(w->doc, offset);
        lb_doc_puts(w->doc, ", \"scale\": ");
        lb_enc_put_number(w->doc, g->scale);
    }
    lb_doc_puts(w->doc, "}");
}

static void put_tensor_v0(writer *w, const lb_enc_tensor *t)
{
    if (!fits_v0(w, t))
        return;
    size_t count = t->scale_count ? t->scale_count : 1;
    if (t->form == LB_ENC_PER_CHANNEL && count == 1)
        lb_enc_remark(w->remarks, t, "lost: one channel reads as a tensor with one scale");
    remark_axis(w, t);
    remark_assumed_strict(w, t);
    lb_enc_begin_entry(w);
    lb_escape_json(w->doc, t->name);
    lb_doc_puts(w->doc, ": [");
    for (size_t i = 0; i < count; i++) {
        lb_doc_puts(w->doc, i ? ",\n            " : "\n            ");
        put_entry_v0(w, t, t->grids ? &t->grids[i] : NULL);
    }
    lb_doc_puts(w->doc, "\n        ]");
}

/* ---- 1.0.0 ---- */

static bool fits_v1(writer *w, const lb_enc_tensor *t)
{
    const char *why = t->is_unknown                     ? "this reader does not know its type"
                      : t->is_float && t->has_own_dtype ? "1.0.0 has no float type by that name"
                      : t->is_partial                   ? "1.0.0 has no encoding without a scale"
                                                        : NULL;
    if (why)
        lb_enc_leave_out(w, t, why);
    return !why;
}

static bool has_shift(const lb_enc_tensor *t)
{
    for (size_t i = 0; t->grids && i < t->scale_count; i++)
        if (t->grids[i].shift != 0)
            return true;
    return false;
}

static void put_scales(writer *w, const lb_enc_tensor *t)
{
    for (size_t i = 0; i < t->scale_count; i++) {
        lb_doc_puts(w->doc, i ? ", " : "");
        lb_enc_put_number(w->doc, t->grids[i].scale);
    }
}

static void put_tensor_v1(writer *w, const lb_enc_tensor *t)
{
    if (w->file->family == LB_ENC_10) {
        lb_enc_begin_entry(w);
        lb_enc_put_copy(w->doc, t->node);
        return;
    }
    if (t->form == LB_ENC_PER_BLOCK) {
        lb_enc_put_blocks_v1(w, t);
        return;
    }
    if (!fits_v1(w, t))
        return;
    bool is_called_symmetric = t->grids && lb_enc_is_symmetric(t) && !is_wide(t);
    if (t->grids && lb_enc_is_symmetric(t) && !is_called_symmetric)
        lb_enc_remark(w->remarks, t,
                      "is_sym is written as false: with true, 1.0.0 could not say that all codes "
                      "are used");
    remark_axis(w, t);
    lb_enc_begin_entry(w);
    lb_doc_puts(w->doc, "{\"name\": ");
    lb_escape_json(w->doc, t->name);
    lb_doc_printf(w->doc, ", \"enc_type\": \"%s\", \"dtype\": \"%s\", \"bw\": %d",
                  t->form == LB_ENC_PER_CHANNEL ? "PER_CHANNEL" : "PER_TENSOR",
                  t->is_float ? "FLOAT" : "INT", t->bits);
    if (t->grids) {
        remark_range(w, t);
        lb_doc_printf(w->doc, ", \"is_sym\": %s, \"scale\": [",
                      is_called_symmetric ? "true" : "false");
        put_scales(w, t);
        lb_doc_puts(w->doc, "], \"offset\": [");
        for (size_t i = 0; i < t->scale_count; i++) {
            lb_doc_puts(w->doc, i ? ", " : "");
            lb_doc_i64(w->doc, lb_enc_offset_of(t, &t->grids[i]));
        }
        lb_doc_puts(w->doc, "]");
        for (size_t i = 0; has_shift(t) && i < t->scale_count; i++) {
            lb_doc_puts(w->doc, i ? ", " : ", \"zero_point_shift\": [");
            lb_enc_put_number(w->doc, t->grids[i].shift);
            lb_doc_puts(w->doc, i + 1 < t->scale_count ? "" : "]");
        }
    }
    lb_doc_puts(w->doc, "}");
}

/* ---- 2.0.0 and 2.1.0 ---- */

bool lb_enc_becomes_signed(const lb_enc_tensor *t)
{
    if (t->bits == 32)
        return true;
    for (size_t i = 0; i < t->scale_count; i++)
        if (!t->is_symmetric || t->grids[i].offset == 0)
            return false;
    return true;
}

int64_t lb_enc_zero_point_of(const lb_enc_tensor *t, const lb_enc_grid *g, bool is_signed)
{
    int64_t half = (int64_t)1 << (t->bits - 1);
    return -g->offset - (!is_signed ? 0 : g->is_strict ? half - 1 : half);
}

bool lb_enc_has_width(int bits)
{
    return bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 32;
}

bool lb_enc_has_zero_points(const lb_enc_tensor *t)
{
    bool is_signed = lb_enc_becomes_signed(t);
    double half = ldexp(1, t->bits - 1), low = is_signed ? -half : 0;
    for (size_t i = 0; t->grids && i < t->scale_count; i++) {
        double z = (double)lb_enc_zero_point_of(t, &t->grids[i], is_signed) - t->grids[i].shift;
        if (z < low || z > low + 2 * half - 1)
            return false;
    }
    return true;
}

static bool fits_v2(writer *w, const lb_enc_tensor *t)
{
    const char *why = t->is_float                  ? "2.x has no float type by its width alone"
                      : t->form == LB_ENC_VECTOR   ? "2.x has no vectors"
                      : t->is_partial              ? "2.x has no encoding without a scale"
                      : !lb_enc_has_width(t->bits) ? "2.x has integers of 2, 4, 8, 16 and 32 bits"
                      : !lb_enc_has_zero_points(t)
                          ? "with its shift, the zero point lies outside the types of 2.x"
                          : NULL;
    if (why)
        lb_enc_leave_out(w, t, why);
    return !why;
}

void lb_enc_remark_symmetry(writer *w, const lb_enc_tensor *t)
{
    size_t strict = 0;
    for (size_t i = 0; i < t->scale_count; i++)
        strict += t->grids[i].is_strict;
    if (strict > 0 && strict < t->scale_count)
        lb_enc_remark(w->remarks, t,
                      "lost: the lowest code is not used in %zu of %zu channels, which %s does "
                      "not say",
                      strict, t->scale_count, w->version);
    else if (strict > 0)
        lb_enc_remark(w->remarks, t, "lost: the lowest code is not used, which %s does not say",
                      w->version);
    if (strict == t->scale_count)
        return;
    if (t->is_symmetric && (!lb_enc_becomes_signed(t) || is_wide(t)))
        lb_enc_remark(w->remarks, t,
                      "lost: that the encoding is called symmetric, which %s does not say",
                      w->version);
}

static void put_axis(writer *w, const lb_enc_tensor *t)
{
    const lb_enc_axis *axis = lb_enc_axis_of(w->axes, t->name);
    if (!axis)
        lb_enc_remark(w->remarks, t,
                      "axis 0 is assumed for %zu channels; --axis NAME=AXIS says better",
                      t->scale_count);
    lb_doc_printf(w->doc, ", \"axis\": %d", axis ? (int)axis->axis : 0);
}

/* Scales in the lists that `like` is. */
static const double *put_scales_like(lb_doc *doc, const cJSON *like, const double *scales)
{
    if (!cJSON_IsArray(like)) {
        lb_enc_put_number(doc, *scales);
        return scales + 1;
    }
    lb_doc_char(doc, '[');
    for (const cJSON *child = like->child; child; child = child->next) {
        scales = put_scales_like(doc, child, scales);
        lb_doc_puts(doc, child->next ? ", " : "");
    }
    lb_doc_char(doc, ']');
    return scales;
}

/* 2.0 has no scales that are quantized themselves: it gets the numbers that they are. */
static void put_plain_scales(writer *w, const lb_enc_tensor *t)
{
    lb_enc_remark(w->remarks, t, "lost: that the scales are quantized, which %s does not say here",
                  w->version);
    lb_enc_begin_entry(w);
    lb_doc_char(w->doc, '{');
    for (const cJSON *member = t->node->child; member; member = member->next) {
        lb_escape_json(w->doc, member->string);
        lb_doc_puts(w->doc, ": ");
        if (strcmp(member->string, "y_scale") == 0)
            put_scales_like(w->doc, lb_enc_meta_values(member), t->scales);
        else
            lb_enc_put_copy(w->doc, member);
        lb_doc_puts(w->doc, member->next ? ", " : "");
    }
    lb_doc_char(w->doc, '}');
}

static void put_tensor_v2(writer *w, const lb_enc_tensor *t)
{
    bool is_older = strcmp(w->version, "2.0.0") == 0;
    if (is_older && t->is_unknown) {
        lb_enc_leave_out(w, t, "2.0.0 has no type by that name");
        return;
    }
    if (is_older && t->scales) {
        if (!lb_enc_put_lpbq_of_meta(w, t))
            put_plain_scales(w, t);
        return;
    }
    if (w->file->family >= LB_ENC_20) {
        lb_enc_begin_entry(w);
        lb_enc_put_copy(w->doc, t->node);
        return;
    }
    if (t->form == LB_ENC_PER_BLOCK) {
        lb_enc_put_blocks_v2(w, t);
        return;
    }
    if (!fits_v2(w, t))
        return;
    bool is_list = t->form == LB_ENC_PER_CHANNEL;
    bool is_signed = lb_enc_becomes_signed(t);
    remark_range(w, t);
    remark_assumed_strict(w, t);
    lb_enc_remark_symmetry(w, t);
    lb_enc_begin_entry(w);
    lb_doc_puts(w->doc, "{\"name\": ");
    lb_escape_json(w->doc, t->name);
    lb_doc_printf(w->doc, ", \"y_scale\": %s", is_list ? "[" : "");
    put_scales(w, t);
    lb_doc_printf(w->doc, "%s, \"y_zero_point\": %s", is_list ? "]" : "", is_list ? "[" : "");
    for (size_t i = 0; i < t->scale_count; i++) {
        lb_doc_puts(w->doc, i ? ", " : "");
        int64_t zero_point = lb_enc_zero_point_of(t, &t->grids[i], is_signed);
        if (t->grids[i].shift == 0)
            lb_doc_i64(w->doc, zero_point);
        else
            lb_enc_put_number(w->doc, (double)zero_point - t->grids[i].shift);
    }
    lb_doc_puts(w->doc, is_list ? "]" : "");
    if (is_list)
        put_axis(w, t);
    lb_doc_printf(w->doc, ", \"output_dtype\": \"%sint%d\"}", is_signed ? "" : "u", t->bits);
}

/* ---- Sections ---- */

/* 2.0 has one section; a tensor with a list of scales is taken for a parameter, the others for
 * activations. */
static bool is_in_section(const lb_enc_tensor *t, const char *section)
{
    if (t->has_own_dtype)
        return (strcmp(section, "param_encodings") == 0) == (t->form != LB_ENC_PER_TENSOR);
    return strcmp(t->section, section) == 0;
}

static void put_section(writer *w, const char *section, bool is_list,
                        void (*put)(writer *w, const lb_enc_tensor *t))
{
    w->first = true;
    lb_doc_printf(w->doc, ",\n    \"%s\": %c", section, is_list ? '[' : '{');
    for (size_t i = 0; i < w->file->tensor_count; i++)
        if (strcmp(section, "encodings") == 0 || is_in_section(&w->file->tensors[i], section))
            put(w, &w->file->tensors[i]);
    lb_doc_printf(w->doc, "%s%c", w->first ? "" : "\n    ", is_list ? ']' : '}');
}

/* Members of the top level that the new version knows too, and those that it does not. */
static void put_members(writer *w, const char *version)
{
    static const char *const known[] = {"quantizer_args", "excluded_layers"};
    bool has_source = w->file->family == LB_ENC_06 || w->file->family == LB_ENC_10;
    for (size_t i = 0; i < 2 && has_source; i++) {
        const cJSON *node = cJSON_GetObjectItemCaseSensitive(w->file->root, known[i]);
        if (node && version[0] == '2') {
            lb_enc_remark(w->remarks, NULL, "lost: \"%s\", which %s does not know", known[i],
                          version);
        } else if (node) {
            lb_doc_printf(w->doc, ",\n    \"%s\": ", known[i]);
            lb_enc_put_copy(w->doc, node);
        }
    }
}

static void remark_unknown(writer *w, const char *version)
{
    bool is_copied = (version[0] == '1' && w->file->family == LB_ENC_10) ||
                     (version[0] == '2' && w->file->family >= LB_ENC_20);
    for (size_t i = 0; i < w->file->warning_count; i++) {
        const lb_enc_note *note = &w->file->warnings[i];
        bool is_inside = strchr(note->where + (note->where[0] == '/'), '/') != NULL;
        if (strcmp(note->code, "W_UNKNOWN_FIELD") == 0 && !(is_copied && is_inside))
            lb_enc_remark(w->remarks, NULL, "lost: %.300s, a member that no version knows there",
                          note->where);
    }
}

void lb_enc_write_version(lb_doc *doc, const lb_enc_file *file, const char *version,
                          const lb_enc_axes *axes, lb_enc_remarks *remarks)
{
    writer w = {.doc = doc, .file = file, .axes = axes, .remarks = remarks, .version = version};
    lb_doc_printf(doc, "{\n    \"version\": \"%s\"", version);
    if (version[0] == '2') {
        put_section(&w, "encodings", true, put_tensor_v2);
        if (file->family < LB_ENC_20)
            lb_enc_remark(remarks, NULL,
                          "lost: which tensors are activations and which are parameters");
    } else {
        bool is_list = version[0] == '1';
        put_section(&w, "activation_encodings", is_list, is_list ? put_tensor_v1 : put_tensor_v0);
        put_section(&w, "param_encodings", is_list, is_list ? put_tensor_v1 : put_tensor_v0);
        if (file->family >= LB_ENC_20)
            lb_enc_remark(remarks, NULL,
                          "assumed: tensors with one scale are activations, the others parameters; "
                          "%s does not say",
                          file->version);
    }
    put_members(&w, version);
    remark_unknown(&w, version);
    lb_doc_puts(doc, "\n}\n");
}
