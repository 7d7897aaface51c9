/* Scales that are quantized themselves, in 2.1 an object in the place of y_scale: the numbers x,
 * and what makes scales of them, (x - x_zero_point) * x_scale. Spec: encodings.md 1.2. */
#include "harness/encodings/nested.h"

#include <math.h>
#include <string.h>

typedef struct meta {
    const cJSON *node, *x, *x_scale, *x_zero_point; /* the last: NULL if absent or null */
    const lb_pointer *where;
    const lb_enc_dtype *dtype; /* NULL: it is not told */
    size_t shape[LB_ENC_RANK]; /* of x */
    unsigned rank;
    int64_t axis;
    double block_size;             /* 0: none */
    double *factors, *zero_points; /* of x_scale and x_zero_point, in order */
    double *scales;                /* of x, in order */
    size_t next;
} meta;

static const cJSON *optional(const meta *m, const char *key)
{
    const cJSON *node = lb_enc_member(m->node, key);
    return node && !cJSON_IsNull(node) ? node : NULL;
}

const cJSON *lb_enc_meta_values(const cJSON *y_scale)
{
    const cJSON *x = lb_enc_member(y_scale, "x");
    return cJSON_IsArray(x) ? x : NULL;
}

/* ---- input_dtype, axis, block_size ---- */

static bool read_dtype(lb_enc_reader *r, meta *m)
{
    const cJSON *node = optional(m, "input_dtype");
    lb_pointer where = lb_step_key(m->where, "input_dtype");
    const char *text;
    if (!node)
        return true;
    if (!lb_enc_text_of(r, node, &where, &text))
        return false;
    m->dtype = lb_enc_dtype_of(text);
    return m->dtype || lb_enc_fail(r, "E_DTYPE", &where, node, lb_enc_dtype_names, "%s",
                                   lb_enc_describe(r, node));
}

static bool read_axis(lb_enc_reader *r, meta *m)
{
    const cJSON *node = optional(m, "axis");
    lb_pointer where = lb_step_key(m->where, "axis");
    unsigned rank = m->rank;
    double axis = 0;
    if (!node && cJSON_IsArray(m->x_scale))
        return lb_enc_fail(r, "E_MISSING_FIELD", &where, m->node,
                           "the dimension of x that the list x_scale belongs to",
                           "x_scale is a list, and the member \"axis\" is missing");
    if (!node)
        return true;
    if (!lb_enc_axis_number(r, node, &where, &axis))
        return false;
    if (!(axis >= -(double)rank && axis < rank))
        return lb_enc_fail(
            r, "E_FIELD_RANGE", &where, node,
            lb_arena_printf(&r->file->arena, "a dimension of x, %d to %u", -(int)rank, rank - 1),
            "the axis is %.17g, and x has %u %s", axis, rank,
            rank == 1 ? "dimension" : "dimensions");
    m->axis = (int64_t)axis + (axis < 0 ? (int64_t)rank : 0);
    return true;
}

static bool read_block_size(lb_enc_reader *r, meta *m)
{
    const cJSON *node = optional(m, "block_size");
    lb_pointer where = lb_step_key(m->where, "block_size");
    bool is_nested = cJSON_IsArray(m->x_scale) && cJSON_IsArray(m->x_scale->child);
    if (!node && is_nested)
        return lb_enc_fail(r, "E_MISSING_FIELD", &where, m->node,
                           "the entries of x that share an entry of x_scale",
                           "x_scale is nested, and the member \"block_size\" is missing");
    if (node && !cJSON_IsArray(m->x_scale))
        return lb_enc_fail(r, "E_CONFLICT", &where, node, "lists of x_scale, or no block_size",
                           "x has one x_scale, and blocks");
    return !node || lb_enc_block_size(r, node, &where, &m->block_size);
}

/* ---- Shapes ---- */

/* x_scale is a number, a list along the axis of x, or with blocks as x is, but shorter along the
 * axis. */
static bool check_factors(lb_enc_reader *r, const meta *m)
{
    size_t f[LB_ENC_RANK];
    unsigned f_rank = lb_enc_nested_shape(m->x_scale, f);
    lb_pointer where = lb_step_key(m->where, "x_scale");
    unsigned due_rank = m->block_size > 0 ? m->rank : 1;
    if (f_rank == 0)
        return true;
    if (m->rank > LB_ENC_RANK || f_rank != due_rank)
        return lb_enc_fail(r, "E_LENGTH", &where, m->x_scale,
                           "lists as deep as those of x, of 8 levels at most",
                           "lists %u deep for an x of %u", f_rank, m->rank);
    for (unsigned i = 0; i < f_rank; i++) {
        unsigned of_x = m->block_size > 0 ? i : (unsigned)m->axis;
        double due = (double)m->shape[of_x];
        if (m->block_size > 0 && i == (unsigned)m->axis)
            due = ceil(due / m->block_size);
        if ((double)f[i] != due)
            return lb_enc_fail(
                r, "E_LENGTH", &where, m->x_scale,
                lb_arena_printf(&r->file->arena, "%.17g along dimension %u of x", due, of_x),
                "%zu scales", f[i]);
    }
    return true;
}

/* ---- Numbers ---- */

static bool take_factor(lb_enc_reader *r, void *user, const cJSON *node, const lb_pointer *where)
{
    meta *m = user;
    return lb_enc_scale(r, node, where, &m->factors[m->next++]);
}

static bool take_zero_point(lb_enc_reader *r, void *user, const cJSON *node,
                            const lb_pointer *where)
{
    meta *m = user;
    return lb_enc_number(r, node, where, &m->zero_points[m->next++]);
}

/* The entry of x_scale for entry i of x. */
static size_t factor_of(const meta *m, size_t i)
{
    size_t index[LB_ENC_RANK] = {0}, place = 0;
    if (!cJSON_IsArray(m->x_scale))
        return 0;
    for (unsigned d = m->rank; d-- > 0; i /= m->shape[d])
        index[d] = i % m->shape[d];
    if (m->block_size == 0)
        return index[m->axis];
    for (unsigned d = 0; d < m->rank; d++) {
        bool has_blocks = d == (unsigned)m->axis;
        size_t extent =
            has_blocks ? (size_t)ceil((double)m->shape[d] / m->block_size) : m->shape[d];
        size_t at = has_blocks ? (size_t)((double)index[d] / m->block_size) : index[d];
        place = place * extent + at;
    }
    return place;
}

static bool take_x(lb_enc_reader *r, void *user, const cJSON *node, const lb_pointer *where)
{
    meta *m = user;
    double x;
    if (!lb_enc_number(r, node, where, &x))
        return false;
    if (x != floor(x) && !(m->dtype && m->dtype->is_float))
        return lb_enc_fail(r, "E_NOT_INTEGER", where, node,
                           "a whole number, or the name of a float type as input_dtype",
                           "%.17g has a fraction", x);
    if (m->dtype && !(x >= m->dtype->low && x <= m->dtype->high))
        return lb_enc_fail(r, "E_FIELD_RANGE", where, node,
                           lb_arena_printf(&r->file->arena, "%s: %.17g to %.17g", m->dtype->name,
                                           m->dtype->low, m->dtype->high),
                           "the number %.17g lies outside its type", x);
    size_t factor = factor_of(m, m->next);
    double scale = (x - (m->zero_points ? m->zero_points[factor] : 0)) * m->factors[factor];
    if (!(scale > 0))
        return lb_enc_fail(r, "E_SCALE_NONPOS", where, node, "a scale is greater than 0",
                           "with x_scale this makes the scale %.17g", scale);
    if (!isfinite(scale))
        return lb_enc_fail(r, "E_NONFINITE", where, node, "a binary64 number reaches to 1.8e308",
                           "with x_scale the scale is too large");
    m->scales[m->next++] = scale;
    return true;
}

static bool read_zero_points(lb_enc_reader *r, meta *m)
{
    lb_pointer where = lb_step_key(m->where, "x_zero_point");
    m->x_zero_point = optional(m, "x_zero_point");
    m->next = 0;
    if (!m->x_zero_point)
        return true;
    m->zero_points =
        lb_arena_array(&r->file->arena, lb_enc_nested_count(m->x_scale), sizeof *m->zero_points);
    return lb_enc_nested_check(r, m->x_zero_point, &where, m->x_scale) &&
           lb_enc_nested_each(r, m->x_zero_point, &where, take_zero_point, m);
}

bool lb_enc_read_meta(lb_enc_reader *r, const cJSON *y_scale, const lb_pointer *where,
                      double *scales)
{
    static const char *const known[] = {
        "x", "x_scale", "x_zero_point", "input_dtype", "axis", "block_size", NULL};
    meta m = {.node = y_scale, .x = lb_enc_meta_values(y_scale), .where = where, .scales = scales};
    lb_pointer x = lb_step_key(where, "x"), x_scale = lb_step_key(where, "x_scale");
    m.rank = lb_enc_nested_shape(m.x, m.shape);
    lb_enc_unknown_members(r, y_scale, where, known);
    if (!read_dtype(r, &m) || !lb_enc_require(r, y_scale, where, "x_scale", &m.x_scale) ||
        !lb_enc_nested_check(r, m.x_scale, &x_scale, NULL) || !read_axis(r, &m) ||
        !read_block_size(r, &m) || !check_factors(r, &m))
        return false;
    m.factors = lb_arena_array(&r->file->arena, lb_enc_nested_count(m.x_scale), sizeof *m.factors);
    if (!lb_enc_nested_each(r, m.x_scale, &x_scale, take_factor, &m) || !read_zero_points(r, &m))
        return false;
    m.next = 0;
    return lb_enc_nested_each(r, m.x, &x, take_x, &m);
}
