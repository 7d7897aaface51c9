/* Scales of blocks as a matrix: see blocks.h. What stands in the nodes has passed all checks. */
#include "harness/encodings/blocks.h"
#include "harness/encodings/nested.h"

#include <math.h>
#include <string.h>

static const cJSON *member(const lb_enc_tensor *t, const char *key)
{
    const cJSON *node = lb_enc_member(t->node, key);
    return node && !cJSON_IsNull(node) ? node : NULL;
}

static double *numbers_into(const cJSON *node, double *into)
{
    if (!cJSON_IsArray(node)) {
        *into = node->valuedouble;
        return into + 1;
    }
    for (const cJSON *child = node->child; child; child = child->next)
        into = numbers_into(child, into);
    return into;
}

static double *numbers_of(const cJSON *node, lb_arena *arena)
{
    double *numbers = lb_arena_array(arena, lb_enc_nested_count(node) + 1, sizeof *numbers);
    numbers_into(node, numbers);
    return numbers;
}

/* Channels stand one after the other, or (blocks first) their n-th blocks do. */
static void place_all(lb_enc_matrix *m, bool blocks_first, lb_arena *arena)
{
    m->places = lb_arena_array(arena, m->channels * m->blocks, sizeof *m->places);
    for (size_t c = 0; c < m->channels; c++)
        for (size_t b = 0; b < m->blocks; b++)
            m->places[c * m->blocks + b] = blocks_first ? b * m->channels + c : c * m->blocks + b;
}

static const char *take_axis(const lb_enc_axis *axis, lb_enc_matrix *m)
{
    m->is_assumed = !axis;
    m->block_axis = axis ? (int)axis->axis : 1;
    return m->block_axis > 1 ? "blocks lie along dimension 0 or 1: the input channels of weights"
                             : NULL;
}

/* ---- 1.0 ---- */

/* One list of all scales, channel by channel; how many channels there are, it does not say. */
static const char *of_plain_1(const lb_enc_tensor *t, const lb_enc_axis *axis, lb_arena *arena,
                              lb_enc_matrix *m)
{
    const char *why = take_axis(axis, m);
    if (!axis || axis->extent == 0)
        return "1.0.0 does not tell how many blocks a channel has; --axis NAME=1:EXTENT does, the "
               "dimension that has the blocks";
    double blocks = ceil(axis->extent / m->block_size);
    if (why)
        return why;
    if (fmod((double)t->scale_count, blocks) != 0)
        return "with that extent its count of scales is not that of whole channels";
    m->blocks = (size_t)blocks;
    m->channels = t->scale_count / m->blocks;
    place_all(m, false, arena);
    return NULL;
}

static const char *of_lpbq_1(const lb_enc_tensor *t, const lb_enc_axis *axis, lb_arena *arena,
                             lb_enc_matrix *m)
{
    const cJSON *integers = member(t, "per_block_int_scale");
    m->channels = t->scale_count;
    m->blocks = lb_enc_nested_count(integers) / m->channels;
    m->wide_bits = t->bits;
    m->bits = member(t, "compressed_bw")->valueint;
    m->integers = numbers_of(integers, arena);
    m->of_channel = numbers_of(member(t, "scale"), arena);
    for (size_t c = 0; c < m->channels; c++)
        if (t->grids[c].shift != 0)
            return "the other versions have no shifts with LPBQ";
    place_all(m, false, arena);
    return take_axis(axis, m);
}

/* ---- 2.x ---- */

/* The lists of a matrix: the dimension of the blocks from "axis". */
static const char *of_lists(const lb_enc_tensor *t, const cJSON *lists, lb_arena *arena,
                            lb_enc_matrix *m)
{
    size_t shape[LB_ENC_RANK];
    if (lb_enc_nested_shape(lists, shape) != 2)
        return "1.0.0 has blocks of matrices alone, in two dimensions";
    if (t->has_axis && (t->axis < -2 || t->axis > 1))
        return "its axis is none of its two dimensions";
    m->block_axis = t->has_axis ? (int)(t->axis & 1) : 1; /* -2 and 0, -1 and 1 are the same */
    m->channels = shape[m->block_axis == 1 ? 0 : 1];
    m->blocks = shape[m->block_axis];
    place_all(m, m->block_axis == 0, arena);
    return NULL;
}

static bool are_zero(const cJSON *node)
{
    if (!node || cJSON_IsNumber(node))
        return !node || node->valuedouble == 0;
    for (const cJSON *child = node->child; child; child = child->next)
        if (!are_zero(child))
            return false;
    return true;
}

/* Whole numbers with one scale for each channel, and signed codes around 0: LPBQ. */
static const char *of_pair(const lb_enc_tensor *t, const cJSON *integers, const cJSON *factors,
                           lb_arena *arena, lb_enc_matrix *m)
{
    const char *why = of_lists(t, integers, arena, m);
    if (why)
        return why;
    if (t->is_float || !t->is_signed || !are_zero(member(t, "y_zero_point")))
        return "LPBQ has signed integers with the zero point 0";
    if (lb_enc_nested_count(factors) != m->channels)
        return "its scales are not those of its channels";
    m->integers = numbers_of(integers, arena);
    m->of_channel = numbers_of(factors, arena);
    for (size_t i = 0; i < m->channels * m->blocks; i++)
        if (m->integers[i] < 1 || m->integers[i] != floor(m->integers[i]))
            return "its scales of blocks are not whole numbers from 1 on";
    m->bits = t->bits;
    return NULL;
}

/* The list of channels must lie along the dimension that has no blocks. */
static bool lies_along_channels(const cJSON *factors, const lb_enc_matrix *m)
{
    size_t shape[LB_ENC_RANK];
    unsigned rank = lb_enc_nested_shape(factors, shape);
    return rank == 1 || (rank == 2 && shape[m->block_axis] == 1);
}

static const char *of_meta(const lb_enc_tensor *t, lb_arena *arena, lb_enc_matrix *m)
{
    const cJSON *meta = member(t, "y_scale"), *axis = lb_enc_member(meta, "axis");
    const cJSON *factors = lb_enc_member(meta, "x_scale"), *x = lb_enc_meta_values(meta);
    size_t shape[LB_ENC_RANK];
    const char *why = of_pair(t, x, factors, arena, m);
    if (why)
        return why;
    if (lb_enc_nested_shape(factors, shape) != 1 || !cJSON_IsNumber(axis) ||
        ((int)axis->valuedouble & 1) == m->block_axis ||
        !are_zero(lb_enc_member(meta, "x_zero_point")))
        return "its quantized scales are not those of LPBQ, one for each channel";
    return NULL;
}

const char *lb_enc_matrix_of(const lb_enc_tensor *t, const lb_enc_axis *axis, lb_arena *arena,
                             lb_enc_matrix *m)
{
    const cJSON *integers = member(t, "per_block_int_scale");
    const cJSON *factors = member(t, "per_channel_float_scale"), *y_scale = member(t, "y_scale");
    const char *why;
    *m = (lb_enc_matrix){.bits = t->bits, .block_size = t->block_size};
    if (!t->has_own_dtype)
        return integers && strcmp(member(t, "enc_type")->valuestring, "LPBQ") == 0
                   ? of_lpbq_1(t, axis, arena, m)
                   : of_plain_1(t, axis, arena, m);
    if (t->is_float)
        return "1.0.0 has blocks of integers alone";
    if (cJSON_IsObject(y_scale) && !of_meta(t, arena, m))
        return NULL;
    m->integers = m->of_channel = NULL;
    if (y_scale) /* quantized in another way than LPBQ: the numbers that they are */
        return of_lists(t, t->scales ? lb_enc_meta_values(y_scale) : y_scale, arena, m);
    why = of_pair(t, integers, factors, arena, m);
    return why                               ? why
           : lies_along_channels(factors, m) ? NULL
                                             : "its scales are not those of its channels";
}
