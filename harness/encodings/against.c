/* An encodings file held against the tensors of its network: see against.h. */
#include "harness/encodings/against.h"
#include "harness/base/suggest.h"
#include "harness/encodings/nested.h"
#include "harness/encodings/reader.h"

#include <math.h>
#include <string.h>

enum { MOST_SUGGESTIONS = 20 }; /* each looks at every name of the model */

typedef struct holder {
    lb_enc_file *file;
    const lb_model *model;
    size_t faults, suggestions;
} holder;

static const char *name_at(const void *set, size_t index)
{
    const lb_model *model = set;
    return index < model->count ? model->tensors[index].name : NULL;
}

/* "[64, 3, ?, 3]" */
static const char *shape_text(const lb_model_tensor *m, lb_arena *arena)
{
    const char *text = "[";
    for (unsigned d = 0; d < m->rank; d++)
        text = m->shape[d] < 0 ? lb_arena_printf(arena, "%s%s?", text, d ? ", " : "")
                               : lb_arena_printf(arena, "%s%s%lld", text, d ? ", " : "",
                                                 (long long)m->shape[d]);
    return lb_arena_printf(arena, "%s]", text);
}

static void fault(holder *h, const lb_enc_tensor *t, const char *code, const char *remedy,
                  const char *problem)
{
    lb_enc_warn_at(h->file, code, t->where, t->offset, remedy, "%s", problem);
    h->faults++;
}

static void tell_unknown(holder *h, const lb_enc_tensor *t)
{
    const char *near =
        h->suggestions++ < MOST_SUGGESTIONS ? lb_suggest(t->name, name_at, h->model) : NULL;
    fault(h, t, "M_NAME",
          near ? lb_arena_printf(&h->file->arena, "did you mean \"%.200s\"?", near) : "",
          "the network has no tensor of this name");
}

/* The dimensions with this extent, "0 or 2", or NULL. */
static const char *dimensions_with(const lb_model_tensor *m, size_t extent, lb_arena *arena)
{
    const char *text = NULL;
    for (unsigned d = 0; d < m->rank; d++)
        if (m->shape[d] == (int64_t)extent)
            text = text ? lb_arena_printf(arena, "%s or %u", text, d)
                        : lb_arena_printf(arena, "%u", d);
    return text;
}

static bool has_unknown(const lb_model_tensor *m)
{
    for (unsigned d = 0; d < m->rank; d++)
        if (m->shape[d] < 0)
            return true;
    return false;
}

/* The axis of a list of scales, as a dimension of the tensor; false: there is none (told). */
static bool find_axis(holder *h, const lb_enc_tensor *t, const lb_model_tensor *m, int64_t axis,
                      unsigned *dimension)
{
    lb_arena *arena = &h->file->arena;
    if (axis >= -(int64_t)m->rank && axis < (int64_t)m->rank) {
        *dimension = (unsigned)(axis < 0 ? axis + m->rank : axis);
        return true;
    }
    const char *right = dimensions_with(m, t->scale_count, arena);
    fault(h, t, "M_AXIS",
          right ? lb_arena_printf(arena, "axis %s has %zu", right, t->scale_count) : "",
          lb_arena_printf(arena, "axis %lld, and the tensor is %s", (long long)axis,
                          shape_text(m, arena)));
    return false;
}

static void hold_channels(holder *h, const lb_enc_tensor *t, const lb_model_tensor *m,
                          const lb_enc_axis *given)
{
    lb_arena *arena = &h->file->arena;
    const char *right = dimensions_with(m, t->scale_count, arena);
    bool has_axis = t->has_axis || given;
    unsigned dimension = 0;
    if (!has_axis && !right && !has_unknown(m))
        fault(h, t, "M_CHANNELS", "as many scales as the dimension of the channels has",
              lb_arena_printf(arena, "%zu channels, and the tensor is %s", t->scale_count,
                              shape_text(m, arena)));
    if (!has_axis || !find_axis(h, t, m, given ? given->axis : t->axis, &dimension) ||
        m->shape[dimension] < 0 || m->shape[dimension] == (int64_t)t->scale_count)
        return;
    if (right)
        fault(h, t, "M_AXIS", lb_arena_printf(arena, "axis %s has %zu", right, t->scale_count),
              lb_arena_printf(arena, "%zu channels along axis %u, and the tensor is %s",
                              t->scale_count, dimension, shape_text(m, arena)));
    else
        fault(h, t, "M_CHANNELS",
              lb_arena_printf(arena, "%lld scales along axis %u", (long long)m->shape[dimension],
                              dimension),
              lb_arena_printf(arena, "%zu channels, and the tensor is %s", t->scale_count,
                              shape_text(m, arena)));
}

/* ---- Blocks ---- */

static double blocks_along(const lb_enc_tensor *t, int64_t extent)
{
    return ceil((double)extent / t->block_size);
}

/* 1.0: channels of dimension 0, blocks of dimension 1. */
static void hold_flat_blocks(holder *h, const lb_enc_tensor *t, const lb_model_tensor *m)
{
    const cJSON *integers = lb_enc_member(t->node, "per_block_int_scale");
    size_t count = integers ? lb_enc_nested_count(integers) : t->scale_count;
    lb_arena *arena = &h->file->arena;
    if (m->rank < 2 || m->shape[0] < 0 || m->shape[1] < 0)
        return;
    double due = (double)m->shape[0] * blocks_along(t, m->shape[1]);
    if ((double)count != due || (integers && (int64_t)t->scale_count != m->shape[0]))
        fault(h, t, "M_BLOCKS",
              lb_arena_printf(arena, "%.17g scales of blocks, of %lld channels", due,
                              (long long)m->shape[0]),
              lb_arena_printf(arena,
                              "%zu scales of blocks of %.9g, of %zu channels, and the tensor "
                              "is %s",
                              count, t->block_size, integers ? t->scale_count : 0,
                              shape_text(m, arena)));
}

static const cJSON *scales_of(const lb_enc_tensor *t)
{
    const cJSON *y_scale = lb_enc_member(t->node, "y_scale");
    return cJSON_IsObject(y_scale)  ? lb_enc_meta_values(y_scale)
           : cJSON_IsArray(y_scale) ? y_scale
                                    : lb_enc_member(t->node, "per_block_int_scale");
}

/* 2.x: lists in the dimensions of the tensor, shorter along the axis. */
static void hold_nested_blocks(holder *h, const lb_enc_tensor *t, const lb_model_tensor *m)
{
    size_t shape[LB_ENC_RANK];
    unsigned rank = lb_enc_nested_shape(scales_of(t), shape), dimension = 0;
    lb_arena *arena = &h->file->arena;
    const char *problem = NULL;
    if (rank != m->rank)
        problem = lb_arena_printf(arena, "lists %u deep", rank);
    else if (t->has_axis && !find_axis(h, t, m, t->axis, &dimension))
        return;
    for (unsigned d = 0; !problem && t->has_axis && d < rank; d++) {
        double due = d == dimension ? blocks_along(t, m->shape[d]) : (double)m->shape[d];
        if (m->shape[d] >= 0 && (double)shape[d] != due)
            problem = lb_arena_printf(arena, "%zu scales along dimension %u, where %.17g are due",
                                      shape[d], d, due);
    }
    if (problem)
        fault(h, t, "M_BLOCKS",
              lb_arena_printf(arena, "lists in the dimensions of the tensor, %s",
                              shape_text(m, arena)),
              problem);
}

/* ---- All of them ---- */

static void hold(holder *h, const lb_enc_tensor *t, const lb_enc_axes *axes)
{
    const lb_model_tensor *m = lb_model_find(h->model, t->name);
    if (!m)
        tell_unknown(h, t);
    else if (!m->has_shape || t->is_unknown)
        return;
    else if (t->form == LB_ENC_PER_CHANNEL)
        hold_channels(h, t, m, lb_enc_axis_of(axes, t->name));
    else if (t->form == LB_ENC_PER_BLOCK && t->has_own_dtype)
        hold_nested_blocks(h, t, m);
    else if (t->form == LB_ENC_PER_BLOCK)
        hold_flat_blocks(h, t, m);
}

static bool is_same_name(void *user, size_t earlier, const char *name)
{
    return strcmp(((const lb_enc_file *)user)->tensors[earlier].name, name) == 0;
}

static void tell_missing(holder *h)
{
    lb_id_set names = {0};
    size_t number;
    for (size_t i = 0; i < h->file->tensor_count; i++)
        lb_id_set_add(&names, h->file->tensors[i].name, is_same_name, h->file, &number);
    for (size_t i = 0; i < h->model->count; i++) {
        const lb_model_tensor *m = &h->model->tensors[i];
        if (m->is_due && !lb_id_set_find(&names, m->name, is_same_name, h->file, &number))
            lb_enc_warn_at(h->file, "M_MISSING", "", 0, "", "the tensor \"%.200s\" has no encoding",
                           m->name);
    }
    lb_id_set_free(&names);
}

size_t lb_enc_hold_against(lb_enc_file *file, const lb_model *model, const lb_enc_axes *axes)
{
    holder h = {.file = file, .model = model};
    for (size_t i = 0; i < file->tensor_count; i++)
        hold(&h, &file->tensors[i], axes);
    lb_enc_place_warnings(file);
    size_t placed = file->warning_count;
    tell_missing(&h);
    for (size_t i = placed; i < file->warning_count; i++)
        file->warnings[i].line = 0;
    return h.faults;
}
