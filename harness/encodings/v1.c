/* Sections of version 1.0: lists of objects with a name. The order of checks is that of
 * encodings.md 2.1, row 5. */
#include "harness/encodings/nested.h"

#include <math.h>
#include <string.h>

typedef enum enc_type { PER_TENSOR, PER_CHANNEL, PER_BLOCK, LPBQ, VECTOR, ENC_TYPE_COUNT } enc_type;

static const char *const enc_type_names[] = {"PER_TENSOR", "PER_CHANNEL", "PER_BLOCK", "LPBQ",
                                             "VECTOR"};
static const char *const vector_keys[] = {"rows_per_block", "cols_per_block", "vector_dim",
                                          "vector_stride",  "index_bw",       NULL};

/* One object on its way to a tensor. */
typedef struct encoding {
    const cJSON *node;
    const lb_pointer *where;
    enc_type type;
    const cJSON *scale, *offset;
    const cJSON *shift;  /* NULL: absent */
    int compressed_bits; /* of LPBQ */
    size_t count;
    lb_enc_tensor *tensor;
} encoding;

/* ---- name, enc_type, dtype, bw, is_sym ---- */

static bool read_enc_type(lb_enc_reader *r, encoding *e)
{
    const cJSON *node;
    const char *text;
    lb_pointer where = lb_step_key(e->where, "enc_type");
    if (!lb_enc_require(r, e->node, e->where, "enc_type", &node) ||
        !lb_enc_text_of(r, node, &where, &text))
        return false;
    for (e->type = PER_TENSOR; e->type < ENC_TYPE_COUNT; e->type++)
        if (strcmp(text, enc_type_names[e->type]) == 0)
            return true;
    return lb_enc_fail(r, "E_ENC_TYPE", &where, node,
                       "PER_TENSOR, PER_CHANNEL, PER_BLOCK, LPBQ or VECTOR", "%s",
                       lb_enc_describe(r, node));
}

static bool read_dtype(lb_enc_reader *r, encoding *e)
{
    const cJSON *node;
    const char *text;
    lb_pointer where = lb_step_key(e->where, "dtype");
    if (!lb_enc_require(r, e->node, e->where, "dtype", &node) ||
        !lb_enc_text_of(r, node, &where, &text))
        return false;
    e->tensor->is_float = strcmp(text, "FLOAT") == 0;
    e->tensor->dtype = e->tensor->is_float ? "float" : "int";
    if (e->tensor->is_float || strcmp(text, "INT") == 0)
        return true;
    return lb_enc_fail(r, "E_DTYPE", &where, node, "\"INT\" or \"FLOAT\", in upper case", "%s",
                       lb_enc_describe(r, node));
}

static bool read_bw(lb_enc_reader *r, encoding *e)
{
    const cJSON *node;
    lb_pointer where = lb_step_key(e->where, "bw");
    return lb_enc_require(r, e->node, e->where, "bw", &node) &&
           lb_enc_width(r, node, &where, 2, 32, &e->tensor->bits);
}

static bool read_symmetry(lb_enc_reader *r, encoding *e)
{
    const cJSON *node;
    lb_pointer where = lb_step_key(e->where, "is_sym");
    if (!lb_enc_require(r, e->node, e->where, "is_sym", &node))
        return false;
    if (!cJSON_IsBool(node))
        return lb_enc_fail(r, "E_FIELD_TYPE", &where, node, "true or false, without quotes",
                           "expected a flag, found %s", lb_enc_describe(r, node));
    e->tensor->is_symmetric = cJSON_IsTrue(node);
    return true;
}

/* ---- Lists and their lengths ---- */

static bool read_shift_list(lb_enc_reader *r, encoding *e)
{
    lb_pointer where = lb_step_key(e->where, "zero_point_shift");
    e->shift = lb_enc_member(e->node, "zero_point_shift");
    if (!e->shift)
        return true;
    if (!lb_enc_list(r, e->shift, &where))
        return false;
    size_t shifts = (size_t)cJSON_GetArraySize(e->shift);
    if (shifts != e->count)
        return lb_enc_fail(r, "E_LENGTH", &where, e->shift, "one shift for each scale",
                           "%zu shifts for %zu scales", shifts, e->count);
    return true;
}

static bool read_lists(lb_enc_reader *r, encoding *e)
{
    lb_pointer scale = lb_step_key(e->where, "scale");
    lb_pointer offset = lb_step_key(e->where, "offset");
    if (!lb_enc_require(r, e->node, e->where, "scale", &e->scale) ||
        !lb_enc_list(r, e->scale, &scale))
        return false;
    e->count = (size_t)cJSON_GetArraySize(e->scale);
    if (e->count == 0)
        return lb_enc_fail(r, "E_EMPTY_LIST", &scale, e->scale, "one scale at least",
                           "the list is empty");
    if (!lb_enc_require(r, e->node, e->where, "offset", &e->offset) ||
        !lb_enc_list(r, e->offset, &offset))
        return false;
    size_t offsets = (size_t)cJSON_GetArraySize(e->offset);
    if (e->type == PER_TENSOR && e->count != 1)
        return lb_enc_fail(r, "E_LENGTH", &scale, e->scale, "one scale, or enc_type PER_CHANNEL",
                           "%zu scales of a tensor that is PER_TENSOR", e->count);
    if (offsets != e->count)
        return lb_enc_fail(r, "E_LENGTH", &offset, e->offset, "one offset for each scale",
                           "%zu offsets for %zu scales", offsets, e->count);
    return read_shift_list(r, e);
}

/* ---- Block fields ---- */

static bool read_block_size(lb_enc_reader *r, const encoding *e)
{
    const cJSON *node;
    lb_pointer where = lb_step_key(e->where, "block_size");
    return lb_enc_require(r, e->node, e->where, "block_size", &node) &&
           lb_enc_block_size(r, node, &where, &e->tensor->block_size);
}

static bool check_block_scale(lb_enc_reader *r, const cJSON *node, const lb_pointer *where,
                              double highest)
{
    double scale;
    if (!lb_enc_integer(r, node, where, &scale))
        return false;
    if (!(scale >= 1 && scale <= highest))
        return lb_enc_fail(
            r, "E_FIELD_RANGE", where, node,
            lb_arena_printf(&r->file->arena, "1 to %.17g, 2^(bw - compressed_bw)", highest),
            "the integer scale %.17g of a block", scale);
    return true;
}

typedef struct block_range {
    double highest;
    size_t total;
} block_range;

static bool take_block_scale(lb_enc_reader *r, void *user, const cJSON *node,
                             const lb_pointer *where)
{
    block_range *range = user;
    range->total++;
    return check_block_scale(r, node, where, range->highest);
}

/* A flat list, the blocks of a channel beside each other, or a list for each channel. */
static bool read_block_scales(lb_enc_reader *r, const encoding *e, double highest)
{
    const cJSON *list;
    lb_pointer where = lb_step_key(e->where, "per_block_int_scale");
    block_range range = {.highest = highest};
    size_t shape[LB_ENC_RANK];
    if (!lb_enc_require(r, e->node, e->where, "per_block_int_scale", &list) ||
        !lb_enc_list(r, list, &where) || !lb_enc_nested_check(r, list, &where, NULL) ||
        !lb_enc_nested_each(r, list, &where, take_block_scale, &range))
        return false;
    unsigned rank = lb_enc_nested_shape(list, shape);
    if (rank > 2)
        return lb_enc_fail(r, "E_FIELD_TYPE", &where, list, "one list, or a list for each channel",
                           "lists %u deep", rank);
    if (range.total % e->count != 0 || (rank == 2 && shape[0] != e->count))
        return lb_enc_fail(r, "E_LENGTH", &where, list, "as many blocks for each channel",
                           "%zu integer scales for %zu channels", range.total, e->count);
    return true;
}

static bool read_lpbq(lb_enc_reader *r, encoding *e)
{
    const cJSON *node;
    int bits = e->tensor->bits;
    lb_pointer where = lb_step_key(e->where, "compressed_bw");
    return lb_enc_require(r, e->node, e->where, "compressed_bw", &node) &&
           lb_enc_width(r, node, &where, 2, bits - 1, &e->compressed_bits) &&
           read_block_scales(r, e, ldexp(1, bits - e->compressed_bits));
}

static bool read_vector(lb_enc_reader *r, const encoding *e)
{
    for (const char *const *key = vector_keys; *key; key++) {
        const cJSON *node;
        double number;
        lb_pointer where = lb_step_key(e->where, *key);
        if (!lb_enc_require(r, e->node, e->where, *key, &node) ||
            !lb_enc_integer(r, node, &where, &number))
            return false;
    }
    return true;
}

static bool read_block_fields(lb_enc_reader *r, encoding *e)
{
    if ((e->type == PER_BLOCK || e->type == LPBQ) && !read_block_size(r, e))
        return false;
    return e->type == LPBQ ? read_lpbq(r, e) : e->type == VECTOR ? read_vector(r, e) : true;
}

/* ---- Values ---- */

static bool check_lpbq_offset(lb_enc_reader *r, const cJSON *node, const lb_pointer *where,
                              double offset, int bits)
{
    if (offset == -ldexp(1, bits - 1))
        return true;
    return lb_enc_fail(
        r, "E_SYM_OFFSET", where, node,
        lb_arena_printf(&r->file->arena, "%.17g for every channel of LPBQ", -ldexp(1, bits - 1)),
        "the offset is %.17g", offset);
}

static bool read_offset(lb_enc_reader *r, const encoding *e, const cJSON *node,
                        const lb_pointer *where, lb_enc_grid *g)
{
    const lb_enc_tensor *t = e->tensor;
    double offset;
    if (!lb_enc_integer(r, node, where, &offset) ||
        !lb_enc_check_offset(r, node, where, offset, t->bits, t->is_symmetric, NULL) ||
        (e->type == LPBQ && !check_lpbq_offset(r, node, where, offset, t->bits)))
        return false;
    g->offset = (int64_t)offset;
    g->is_strict = lb_enc_may_be_strict(t->is_symmetric, t->bits, g->offset);
    double highest = ldexp(1, t->bits) - 1 - (g->is_strict ? 1 : 0);
    g->low = g->scale * offset;
    g->high = g->scale * (highest + offset);
    return true;
}

/* Codes between the multiples of the scale. The format document has shifts for 2 bits, and does not
 * tell their sign: of the two readings this is the one in which 0.5 gives the grid that it draws
 * for zero points of -0.5 in 2.0.0. */
static bool read_shift(lb_enc_reader *r, const encoding *e, const cJSON *node,
                       const lb_pointer *where, lb_enc_grid *g)
{
    int bits = e->type == LPBQ ? e->compressed_bits : e->tensor->bits;
    if (!lb_enc_number(r, node, where, &g->shift))
        return false;
    if (!(fabs(g->shift) < 1))
        return lb_enc_fail(r, "E_FIELD_RANGE", where, node, "a fraction, as 0.5 is",
                           "the shift %.17g is a step or more", g->shift);
    if (g->shift != 0 && bits != 2)
        return lb_enc_fail(r, "E_FIELD_RANGE", where, node, "0: only grids of 2 bits are shifted",
                           "the shift %.17g of a grid of %d bits", g->shift, bits);
    g->low += g->scale * g->shift;
    g->high += g->scale * g->shift;
    return true;
}

static bool read_shifts(lb_enc_reader *r, encoding *e, lb_enc_grid *grids)
{
    lb_pointer where = lb_step_key(e->where, "zero_point_shift");
    bool is_negative = false;
    size_t i = 0;
    for (const cJSON *node = e->shift ? e->shift->child : NULL; node; node = node->next, i++) {
        lb_pointer at = lb_step_index(&where, i);
        if (!read_shift(r, e, node, &at, &grids[i]))
            return false;
        is_negative |= grids[i].shift < 0;
    }
    if (is_negative)
        lb_enc_warn(r, "W_SHIFT_SIGN", &where, e->shift, "",
                    "a negative shift is read as scale * (u + offset + shift); the format document "
                    "does not tell the sign");
    return true;
}

static bool read_values(lb_enc_reader *r, encoding *e)
{
    lb_pointer scale = lb_step_key(e->where, "scale");
    lb_pointer offset = lb_step_key(e->where, "offset");
    lb_enc_grid *grids = lb_arena_array(&r->file->arena, e->count, sizeof *grids);
    size_t i = 0;
    for (const cJSON *node = e->scale->child; node; node = node->next, i++) {
        lb_pointer at = lb_step_index(&scale, i);
        if (!lb_enc_scale(r, node, &at, &grids[i].scale))
            return false;
    }
    i = 0;
    for (const cJSON *node = e->offset->child; node; node = node->next, i++) {
        lb_pointer at = lb_step_index(&offset, i);
        if (!read_offset(r, e, node, &at, &grids[i]))
            return false;
    }
    if (!read_shifts(r, e, grids))
        return false;
    size_t strict = 0;
    for (i = 0; i < e->count; i++)
        strict += grids[i].is_strict;
    lb_enc_warn_wide(r, &offset, e->offset, strict, e->tensor);
    e->tensor->scale_count = e->count;
    e->tensor->grids = grids;
    return true;
}

/* ---- Objects ---- */

static void warn_of_unknown(lb_enc_reader *r, const encoding *e)
{
    static const char *const of_float[] = {"name", "enc_type", "dtype", "bw", NULL};
    static const char *const all[] = {"name",
                                      "enc_type",
                                      "dtype",
                                      "bw",
                                      "is_sym",
                                      "scale",
                                      "offset",
                                      "block_size",
                                      "zero_point_shift",
                                      "compressed_bw",
                                      "per_block_int_scale",
                                      "rows_per_block",
                                      "cols_per_block",
                                      "vector_dim",
                                      "vector_stride",
                                      "index_bw",
                                      NULL};
    lb_enc_unknown_members(r, e->node, e->where, e->tensor->is_float ? of_float : all);
}

static bool read_encoding(lb_enc_reader *r, encoding *e)
{
    static const lb_enc_form forms[] = {[PER_TENSOR] = LB_ENC_PER_TENSOR,
                                        [PER_CHANNEL] = LB_ENC_PER_CHANNEL,
                                        [PER_BLOCK] = LB_ENC_PER_BLOCK,
                                        [LPBQ] = LB_ENC_PER_BLOCK,
                                        [VECTOR] = LB_ENC_VECTOR};
    if (!read_enc_type(r, e) || !read_dtype(r, e) || !read_bw(r, e))
        return false;
    e->tensor->form = forms[e->type];
    warn_of_unknown(r, e);
    if (e->tensor->is_float) {
        e->tensor->form = LB_ENC_PER_TENSOR;
        e->tensor->scale_count = 1;
        return true;
    }
    return read_symmetry(r, e) && read_lists(r, e) && read_block_fields(r, e) && read_values(r, e);
}

static bool read_entry(lb_enc_reader *r, const cJSON *node, const lb_pointer *at,
                       lb_enc_tensor *tensor)
{
    encoding e = {.node = node, .where = at, .tensor = tensor};
    return read_encoding(r, &e);
}

bool lb_enc_read_section_1(lb_enc_reader *r, const cJSON *section, const lb_pointer *where,
                           const char *name)
{
    return lb_enc_read_named(r, section, where, name, read_entry);
}
