/* The section of version 2.0: objects in the manner of ONNX QuantizeLinear. The order of checks is
 * that of encodings.md 2.1, row 6. */
#include "harness/encodings/reader.h"

#include <math.h>
#include <string.h>

/* What output_dtype says. Zero points of floats lie among the type's values. */
static const struct dtype {
    const char *name;
    bool is_float, is_signed;
    int bits;
    double low, high;
} dtypes[] = {
    {"int2", false, true, 2, -2, 1},
    {"uint2", false, false, 2, 0, 3},
    {"int4", false, true, 4, -8, 7},
    {"uint4", false, false, 4, 0, 15},
    {"int8", false, true, 8, -128, 127},
    {"uint8", false, false, 8, 0, 255},
    {"int16", false, true, 16, -32768, 32767},
    {"uint16", false, false, 16, 0, 65535},
    {"int32", false, true, 32, -2147483648.0, 2147483647.0},
    {"float4e2m1", true, true, 4, -6, 6},
    {"float8e4m3fn", true, true, 8, -448, 448},
    {"float8e4m3fnuz", true, true, 8, -240, 240},
    {"float8e5m2", true, true, 8, -57344, 57344},
    {"float8e5m2fnuz", true, true, 8, -57344, 57344},
};
enum { DTYPE_COUNT = sizeof dtypes / sizeof dtypes[0] };

typedef struct encoding {
    const cJSON *node;
    const lb_pointer *where;
    const struct dtype *dtype;
    const cJSON *y_scale, *y_zero_point; /* NULL: absent or null */
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
    for (size_t i = 0; i < DTYPE_COUNT; i++)
        if (strcmp(text, dtypes[i].name) == 0)
            e->dtype = &dtypes[i];
    if (!e->dtype)
        return lb_enc_fail(r, "E_DTYPE", &where, node,
                           "int2, uint2, int4, uint4, int8, uint8, int16, uint16, int32, "
                           "float4e2m1, float8e4m3fn, "
                           "float8e4m3fnuz, float8e5m2 or float8e5m2fnuz",
                           "%s", lb_enc_describe(r, node));
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
    if (!lb_enc_integer(r, node, &where, &axis))
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
    if (!lb_enc_integer(r, node, &where, &size))
        return false;
    if (size < 1)
        return lb_enc_fail(r, "E_FIELD_RANGE", &where, node, "1 or more",
                           "a block of %.17g elements", size);
    if (cJSON_IsNumber(e->y_scale) && !e->block_scale && !e->channel_scale)
        return lb_enc_fail(r, "E_CONFLICT", &where, node,
                           "a list with a scale for each block, or no block_size",
                           "the tensor has one scale, and blocks of %.17g elements", size);
    e->has_blocks = true;
    return true;
}

/* ---- Shapes ---- */

static size_t count_numbers(const cJSON *node)
{
    size_t count = 0;
    if (!cJSON_IsArray(node))
        return 1;
    for (const cJSON *child = node->child; child; child = child->next)
        count += count_numbers(child);
    return count;
}

/* A number, or lists of equal lengths down to numbers. `like`: a node of the shape that is due, or
 * NULL. */
static bool check_shape(lb_enc_reader *r, const cJSON *node, const lb_pointer *where,
                        const cJSON *like)
{
    bool list_due = like ? cJSON_IsArray(like) : cJSON_IsArray(node);
    if (list_due != (bool)cJSON_IsArray(node) || (!list_due && !cJSON_IsNumber(node)))
        return lb_enc_fail(r, "E_FIELD_TYPE", where, node,
                           !like      ? "a number, a list of numbers, or lists of lists of them"
                           : list_due ? "a list, as its neighbour is one"
                                      : "a number, as its neighbour is one",
                           "%s", lb_enc_describe(r, node));
    if (!list_due)
        return true;
    int count = cJSON_GetArraySize(node);
    if (count == 0)
        return lb_enc_fail(r, "E_EMPTY_LIST", where, node, "one entry at least",
                           "the list is empty");
    if (like && count != cJSON_GetArraySize(like))
        return lb_enc_fail(r, "E_LENGTH", where, node,
                           lb_arena_printf(&r->file->arena, "as many as its neighbour has: %d",
                                           cJSON_GetArraySize(like)),
                           "%d entries", count);
    const cJSON *first = like ? like->child : node->child;
    size_t i = 0;
    for (const cJSON *child = node->child; child; child = child->next, i++) {
        lb_pointer at = lb_step_index(where, i);
        if (!check_shape(r, child, &at, first == child ? NULL : first))
            return false;
        if (like)
            first = first->next;
    }
    return true;
}

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
        return check_shape(r, e->y_scale, &y_scale, NULL);
    }
    if (!e->block_scale)
        return lb_enc_require(r, e->node, e->where, "per_block_int_scale", &node) &&
               lb_enc_list(r, node, &block);
    if (!e->channel_scale)
        return lb_enc_require(r, e->node, e->where, "per_channel_float_scale", &node) &&
               lb_enc_list(r, node, &channel);
    if (!lb_enc_list(r, e->block_scale, &block) || !check_shape(r, e->block_scale, &block, NULL) ||
        !lb_enc_list(r, e->channel_scale, &channel) ||
        !check_shape(r, e->channel_scale, &channel, NULL))
        return false;
    size_t blocks = count_numbers(e->block_scale);
    size_t channels = count_numbers(e->channel_scale);
    if (blocks % channels != 0)
        return lb_enc_fail(r, "E_LENGTH", &block, e->block_scale, "as many blocks for each channel",
                           "%zu integer scales for %zu channels", blocks, channels);
    return true;
}

/* ---- Values ---- */

/* Calls for every number below the node. */
typedef bool (*number_fn)(lb_enc_reader *r, encoding *e, const cJSON *node,
                          const lb_pointer *where);

static bool each_number(lb_enc_reader *r, encoding *e, const cJSON *node, const lb_pointer *where,
                        number_fn fn)
{
    size_t i = 0;
    if (!cJSON_IsArray(node))
        return fn(r, e, node, where);
    for (const cJSON *child = node->child; child; child = child->next, i++) {
        lb_pointer at = lb_step_index(where, i);
        if (!each_number(r, e, child, &at, fn))
            return false;
    }
    return true;
}

static bool read_scale(lb_enc_reader *r, encoding *e, const cJSON *node, const lb_pointer *where)
{
    return lb_enc_scale(r, node, where, &e->grids[e->next++].scale);
}

static bool read_channel_scale(lb_enc_reader *r, encoding *e, const cJSON *node,
                               const lb_pointer *where)
{
    double scale;
    (void)e;
    return lb_enc_scale(r, node, where, &scale);
}

static bool read_block_scale(lb_enc_reader *r, encoding *e, const cJSON *node,
                             const lb_pointer *where)
{
    double scale;
    (void)e;
    if (!lb_enc_integer(r, node, where, &scale))
        return false;
    if (scale < 1)
        return lb_enc_fail(r, "E_FIELD_RANGE", where, node, "1 or more",
                           "the integer scale %.17g of a block", scale);
    return true;
}

static bool read_zero_point(lb_enc_reader *r, encoding *e, const cJSON *node,
                            const lb_pointer *where)
{
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
        return each_number(r, e, e->block_scale, &where, read_block_scale) &&
               each_number(r, e, e->channel_scale, &channel, read_channel_scale);
    e->count = count_numbers(e->y_scale);
    e->grids = lb_arena_array(&r->file->arena, e->count, sizeof *e->grids);
    return each_number(r, e, e->y_scale, &where, read_scale);
}

static bool read_zero_points(lb_enc_reader *r, encoding *e)
{
    lb_pointer where = lb_step_key(e->where, "y_zero_point");
    const cJSON *like = e->y_scale ? e->y_scale : e->block_scale;
    if (!e->y_zero_point)
        return true;
    e->next = 0;
    return check_shape(r, e->y_zero_point, &where, like) &&
           each_number(r, e, e->y_zero_point, &where, read_zero_point);
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
    e->y_scale = optional(e, "y_scale");
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
