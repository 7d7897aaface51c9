/* The section of versions 2.0 and 2.1: objects in the manner of ONNX QuantizeLinear. The order of
 * checks is that of encodings.md 2.1, row 6. */
#include "harness/encodings/nested.h"

#include <math.h>
#include <string.h>

typedef struct encoding {
    const cJSON *node;
    const lb_pointer *where;
    const lb_enc_dtype *dtype;
    const cJSON *y_scale, *y_zero_point; /* NULL: absent or null; y_scale: of an object its x */
    const cJSON *meta;                   /* the object in the place of y_scale, or NULL */
    const cJSON *block_scale, *channel_scale;
    lb_enc_tensor *tensor;
    bool has_blocks;    /* block_size stands there */
    lb_enc_grid *grids; /* of y_scale, in order */
    size_t count, next;
} encoding;

/* A member that may be left out, or be null. */
static const cJSON *optional(const encoding *e, const char *key)
{
    const cJSON *node = lb_enc_member(e->node, key);
    return node && !cJSON_IsNull(node) ? node : NULL;
}

static bool is_nested(const cJSON *list)
{
    return cJSON_IsArray(list) && cJSON_IsArray(list->child);
}

/* ---- output_dtype, axis, block_size ---- */

static bool read_dtype(lb_enc_reader *r, encoding *e)
{
    const cJSON *node;
    const char *text;
    lb_pointer where = lb_step_key(e->where, "output_dtype");
    if (!lb_enc_require(r, e->node, e->where, "output_dtype", &node) ||
        !lb_enc_text_of(r, node, &where, &text))
        return false;
    e->dtype = lb_enc_dtype_of(text);
    if (!e->dtype)
        return lb_enc_fail(r, "E_DTYPE", &where, node, lb_enc_dtype_names, "%s",
                           lb_enc_describe(r, node));
    e->tensor->dtype = e->dtype->name;
    e->tensor->has_own_dtype = true;
    e->tensor->is_float = e->dtype->is_float;
    e->tensor->is_signed = e->dtype->is_signed;
    e->tensor->bits = e->dtype->bits;
    return true;
}

static bool read_axis(lb_enc_reader *r, encoding *e)
{
    const cJSON *node = optional(e, "axis");
    lb_pointer where = lb_step_key(e->where, "axis");
    double axis;
    if (!node && cJSON_IsArray(e->y_scale))
        return lb_enc_fail(r, "E_MISSING_FIELD", &where, e->node,
                           "the dimension that the list of scales belongs to",
                           "y_scale is a list, and the member \"axis\" is missing");
    if (!node)
        return true;
    if (!lb_enc_axis_number(r, node, &where, &axis))
        return false;
    e->tensor->has_axis = true;
    e->tensor->axis = (int64_t)fmax(fmin(axis, 1e9), -1e9);
    return true;
}

static bool read_block_size(lb_enc_reader *r, encoding *e)
{
    const cJSON *node = optional(e, "block_size");
    lb_pointer where = lb_step_key(e->where, "block_size");
    double size;
    if (!node && (is_nested(e->y_scale) || e->block_scale || e->channel_scale))
        return lb_enc_fail(
            r, "E_MISSING_FIELD", &where, e->node, "the elements that share a scale",
            "the scales are those of blocks, and the member \"block_size\" is missing");
    if (!node)
        return true;
    if (!lb_enc_block_size(r, node, &where, &size))
        return false;
    if (cJSON_IsNumber(e->y_scale) && !e->block_scale && !e->channel_scale)
        return lb_enc_fail(r, "E_CONFLICT", &where, node,
                           "a list with a scale for each block, or no block_size",
                           "the tensor has one scale, and blocks of %.17g elements", size);
    e->has_blocks = true;
    e->tensor->block_size = size;
    return true;
}

/* ---- Shapes ---- */

/* The form of scale that stands there, whole, and not both. */
static bool check_forms(lb_enc_reader *r, encoding *e)
{
    lb_pointer y_scale = lb_step_key(e->where, "y_scale");
    lb_pointer block = lb_step_key(e->where, "per_block_int_scale");
    lb_pointer channel = lb_step_key(e->where, "per_channel_float_scale");
    const cJSON *other = e->block_scale ? e->block_scale : e->channel_scale;
    const cJSON *node;
    if (e->y_scale && other)
        return lb_enc_fail(r, "E_CONFLICT", &y_scale, e->y_scale,
                           "either y_scale, or per_block_int_scale and per_channel_float_scale",
                           "both forms of scale stand in one encoding");
    if (!other) {
        if (!lb_enc_require(r, e->node, e->where, "y_scale", &node))
            return false;
        if (!e->y_scale)
            return lb_enc_fail(r, "E_FIELD_TYPE", &y_scale, node,
                               "a number, a list, or lists of lists",
                               "expected a scale, found null");
        if (cJSON_IsObject(e->y_scale))
            return lb_enc_fail(r, "E_FIELD_TYPE", &y_scale, e->y_scale,
                               "\"version\": \"2.1.0\", which has objects there",
                               "expected a scale, found an object");
        lb_pointer x = lb_step_key(&y_scale, "x");
        return lb_enc_nested_check(r, e->y_scale, e->meta ? &x : &y_scale, NULL);
    }
    if (!e->block_scale)
        return lb_enc_require(r, e->node, e->where, "per_block_int_scale", &node) &&
               lb_enc_list(r, node, &block);
    if (!e->channel_scale)
        return lb_enc_require(r, e->node, e->where, "per_channel_float_scale", &node) &&
               lb_enc_list(r, node, &channel);
    if (!lb_enc_list(r, e->block_scale, &block) ||
        !lb_enc_nested_check(r, e->block_scale, &block, NULL) ||
        !lb_enc_list(r, e->channel_scale, &channel) ||
        !lb_enc_nested_check(r, e->channel_scale, &channel, NULL))
        return false;
    size_t blocks = lb_enc_nested_count(e->block_scale);
    size_t channels = lb_enc_nested_count(e->channel_scale);
    if (blocks % channels != 0)
        return lb_enc_fail(r, "E_LENGTH", &block, e->block_scale, "as many blocks for each channel",
                           "%zu integer scales for %zu channels", blocks, channels);
    return true;
}

/* ---- Values ---- */

static bool read_scale(lb_enc_reader *r, void *user, const cJSON *node, const lb_pointer *where)
{
    encoding *e = user;
    return lb_enc_scale(r, node, where, &e->grids[e->next++].scale);
}

static bool read_channel_scale(lb_enc_reader *r, void *user, const cJSON *node,
                               const lb_pointer *where)
{
    double scale;
    (void)user;
    return lb_enc_scale(r, node, where, &scale);
}

static bool read_block_scale(lb_enc_reader *r, void *user, const cJSON *node,
                             const lb_pointer *where)
{
    double scale;
    (void)user;
    if (!lb_enc_integer(r, node, where, &scale))
        return false;
    if (scale < 1)
        return lb_enc_fail(r, "E_FIELD_RANGE", where, node, "1 or more",
                           "the integer scale %.17g of a block", scale);
    return true;
}

static bool read_zero_point(lb_enc_reader *r, void *user, const cJSON *node,
                            const lb_pointer *where)
{
    encoding *e = user;
    double zero_point;
    bool may_have_fraction = e->dtype->is_float || e->dtype->bits == 2;
    bool is_read = may_have_fraction ? lb_enc_number(r, node, where, &zero_point)
                                     : lb_enc_integer(r, node, where, &zero_point);
    if (!is_read)
        return false;
    if (!(zero_point >= e->dtype->low && zero_point <= e->dtype->high))
        return lb_enc_fail(r, "E_OFFSET_RANGE", where, node,
                           lb_arena_printf(&r->file->arena, "%s: %.17g to %.17g", e->dtype->name,
                                           e->dtype->low, e->dtype->high),
                           "the zero point %.17g lies outside its type", zero_point);
    if (e->grids && e->next < e->count) {
        lb_enc_grid *g = &e->grids[e->next++];
        g->zero_point = (int64_t)ceil(zero_point);
        g->shift = ceil(zero_point) - zero_point;
    }
    return true;
}

static bool read_scales(lb_enc_reader *r, encoding *e)
{
    lb_pointer where = lb_step_key(e->where, e->y_scale ? "y_scale" : "per_block_int_scale");
    lb_pointer channel = lb_step_key(e->where, "per_channel_float_scale");
    if (!e->y_scale)
        return lb_enc_nested_each(r, e->block_scale, &where, read_block_scale, e) &&
               lb_enc_nested_each(r, e->channel_scale, &channel, read_channel_scale, e);
    e->count = lb_enc_nested_count(e->y_scale);
    e->grids = lb_arena_array(&r->file->arena, e->count, sizeof *e->grids);
    if (!e->meta)
        return lb_enc_nested_each(r, e->y_scale, &where, read_scale, e);
    double *scales = lb_arena_array(&r->file->arena, e->count, sizeof *scales);
    if (!lb_enc_read_meta(r, e->meta, &where, scales))
        return false;
    for (size_t i = 0; i < e->count; i++)
        e->grids[i].scale = scales[i];
    e->tensor->scales = scales;
    return true;
}

static bool read_zero_points(lb_enc_reader *r, encoding *e)
{
    lb_pointer where = lb_step_key(e->where, "y_zero_point");
    const cJSON *like = e->y_scale ? e->y_scale : e->block_scale;
    if (!e->y_zero_point)
        return true;
    e->next = 0;
    return lb_enc_nested_check(r, e->y_zero_point, &where, like) &&
           lb_enc_nested_each(r, e->y_zero_point, &where, read_zero_point, e);
}

/* ---- Objects ---- */

static void finish(encoding *e)
{
    lb_enc_tensor *t = e->tensor;
    t->form = e->has_blocks               ? LB_ENC_PER_BLOCK
              : cJSON_IsArray(e->y_scale) ? LB_ENC_PER_CHANNEL
                                          : LB_ENC_PER_TENSOR;
    if (t->is_float || !e->y_scale)
        return;
    t->scale_count = e->count;
    t->grids = e->grids;
    for (size_t i = 0; i < e->count; i++) {
        lb_enc_grid *g = &e->grids[i];
        g->low = g->scale * (e->dtype->low - (double)g->zero_point + g->shift);
        g->high = g->scale * (e->dtype->high - (double)g->zero_point + g->shift);
    }
}

/* From 2.1 on, y_scale may be an object; its numbers stand in for a list of scales. */
static bool take_meta(lb_enc_reader *r, encoding *e)
{
    const cJSON *x;
    lb_pointer y_scale = lb_step_key(e->where, "y_scale"), where = lb_step_key(&y_scale, "x");
    if (r->file->family != LB_ENC_21)
        return true; /* no scale of 2.0: told where scales are read */
    if (!lb_enc_require(r, e->y_scale, &y_scale, "x", &x) || !lb_enc_list(r, x, &where))
        return false;
    e->meta = e->y_scale;
    e->y_scale = lb_enc_meta_values(e->meta);
    return true;
}

static bool is_unknown_type(const cJSON *name)
{
    return cJSON_IsString(name) && !lb_enc_dtype_of(name->valuestring);
}

/* The newest version gains types faster than we learn of them: a tensor of one is told and left
 * alone, and the others can be used. */
static bool is_newer(lb_enc_reader *r, encoding *e)
{
    const cJSON *output = lb_enc_member(e->node, "output_dtype");
    const cJSON *y_scale = lb_enc_member(e->node, "y_scale");
    const cJSON *input = cJSON_IsObject(y_scale) ? lb_enc_member(y_scale, "input_dtype") : NULL;
    bool is_output = is_unknown_type(output);
    lb_pointer above = lb_step_key(e->where, "y_scale");
    lb_pointer where =
        is_output ? lb_step_key(e->where, "output_dtype") : lb_step_key(&above, "input_dtype");
    const cJSON *unknown = is_output ? output : input;
    if (r->file->family != LB_ENC_21 || !is_unknown_type(unknown))
        return false;
    *e->tensor = (lb_enc_tensor){.name = e->tensor->name,
                                 .section = e->tensor->section,
                                 .where = e->tensor->where,
                                 .offset = e->tensor->offset,
                                 .dtype = unknown->valuestring,
                                 .has_own_dtype = true,
                                 .is_unknown = true,
                                 .node = e->node};
    lb_enc_warn(r, "W_UNKNOWN_DTYPE", &where, unknown, "",
                "the format document has no type \"%.40s\"; the tensor is left alone",
                unknown->valuestring);
    return true;
}

static bool read_encoding(lb_enc_reader *r, encoding *e)
{
    static const char *const known[] = {"name",
                                        "output_dtype",
                                        "y_scale",
                                        "y_zero_point",
                                        "axis",
                                        "block_size",
                                        "per_block_int_scale",
                                        "per_channel_float_scale",
                                        NULL};
    if (is_newer(r, e))
        return true;
    e->y_scale = optional(e, "y_scale");
    if (cJSON_IsObject(e->y_scale) && !take_meta(r, e))
        return false;
    e->y_zero_point = optional(e, "y_zero_point");
    e->block_scale = optional(e, "per_block_int_scale");
    e->channel_scale = optional(e, "per_channel_float_scale");
    if (!read_dtype(r, e))
        return false;
    lb_enc_unknown_members(r, e->node, e->where, known);
    if (!read_axis(r, e) || !read_block_size(r, e) || !check_forms(r, e) || !read_scales(r, e) ||
        !read_zero_points(r, e))
        return false;
    finish(e);
    return true;
}

static bool read_entry(lb_enc_reader *r, const cJSON *node, const lb_pointer *at,
                       lb_enc_tensor *tensor)
{
    encoding e = {.node = node, .where = at, .tensor = tensor};
    return read_encoding(r, &e);
}

bool lb_enc_read_section_2(lb_enc_reader *r, const cJSON *section, const lb_pointer *where,
                           const char *name)
{
    return lb_enc_read_named(r, section, where, name, read_entry);
}
