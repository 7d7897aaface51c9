/* Where the operands of one output element lie: see receptive_field.h. Geometry of conv.md 6 to 10,
 * pooling_and_movement.md 2.2, 3, elementwise.md 4, 5. */
#include "harness/trial/receptive_field.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct text {
    char buffer[320];
    size_t length;
} text;

static void put(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(t->buffer + t->length, sizeof t->buffer - t->length, format, arguments);
    va_end(arguments);
    if (written > 0)
        t->length += (size_t)written;
    if (t->length >= sizeof t->buffer)
        t->length = sizeof t->buffer - 1;
}

/* "role[i,j,k]", or "role (scalar)" where one element serves them all. */
static void put_same_place(text *t, const lb_case *c, lb_role role, const uint32_t *index,
                           unsigned rank)
{
    const lb_case_operand *operand = &c->operand[role];
    if (!operand->present || operand->is_list)
        return;
    size_t count = 1;
    for (unsigned d = 0; d < operand->tensors[0].rank; d++)
        count *= operand->tensors[0].shape[d];
    put(t, "%s%s", t->length ? ", " : "", lb_role_name(role));
    if (count == 1 && role != LB_ROLE_IN) {
        put(t, " (scalar)");
        return;
    }
    put(t, "[");
    for (unsigned d = 0; d < rank; d++)
        put(t, "%s%u", d ? "," : "", index[d]);
    put(t, "]");
}

static void put_slope(text *t, const lb_case *c, const uint32_t *index, unsigned rank)
{
    int32_t axis = c->kernel->family == LB_FAMILY_PRELU ? c->config.axis : -1;
    if (axis < 0 || (unsigned)axis >= rank)
        put(t, ", slope (scalar)");
    else
        put(t, ", slope %u along axis %d", index[axis], axis);
}

/* The rows (or columns) of a window, cut to the map; "none" where it lies wholly in padding. */
static void put_range(text *t, const char *what, int64_t first, int64_t step, int64_t taps,
                      int64_t extent)
{
    int64_t skip = first < 0 ? (-first + step - 1) / step : 0;
    int64_t low = first + skip * step;
    int64_t high = first + (taps - 1) * step;
    while (high >= extent && high >= low)
        high -= step;
    if (skip >= taps || high < low)
        put(t, "%s in padding", what);
    else if (step > 1 && high > low)
        put(t, "%s %lld..%lld by %lld", what, (long long)low, (long long)high, (long long)step);
    else
        put(t, "%s %lld..%lld", what, (long long)low, (long long)high);
}

static void put_window(text *t, const lb_case *c, const uint32_t *index, bool pooling)
{
    const lb_config *cfg = &c->config;
    const lb_case_tensor *in = &c->operand[LB_ROLE_IN].tensors[0];
    const lb_case_tensor *weights = pooling ? NULL : &c->operand[LB_ROLE_WEIGHTS].tensors[0];
    int64_t kernel_height = pooling ? cfg->kernel_height : weights->shape[0];
    int64_t kernel_width = pooling ? cfg->kernel_width : weights->shape[1];
    put(t, "in ");
    put_range(t, "rows", (int64_t)index[0] * cfg->stride_height - cfg->padding_top,
              pooling || !cfg->dilation_height ? 1 : cfg->dilation_height, kernel_height,
              in->shape[0]);
    put_range(t, ", columns", (int64_t)index[1] * cfg->stride_width - cfg->padding_left,
              pooling || !cfg->dilation_width ? 1 : cfg->dilation_width, kernel_width,
              in->shape[1]);
    if (pooling)
        put(t, ", channel %u", index[2]);
    else
        put(t, "; weights[*,*,*,%u], bias[%u]", index[2], index[2]);
}

static bool has_plain_ranks(const lb_case *c, unsigned in_rank, unsigned weights_rank)
{
    return c->operand[LB_ROLE_IN].present && c->operand[LB_ROLE_IN].tensors[0].rank == in_rank &&
           (!weights_rank || (c->operand[LB_ROLE_WEIGHTS].present &&
                              c->operand[LB_ROLE_WEIGHTS].tensors[0].rank == weights_rank));
}

const char *lb_operands_text(const lb_case *c, const uint32_t *index, unsigned rank,
                             lb_arena *arena)
{
    text t = {.length = 0};
    t.buffer[0] = '\0';
    if (!c->kernel)
        return "";
    switch (c->kernel->family) {
    case LB_FAMILY_RELU:
    case LB_FAMILY_SIGM:
    case LB_FAMILY_TANH:
    case LB_FAMILY_CONVERT:
        put_same_place(&t, c, LB_ROLE_IN, index, rank);
        break;
    case LB_FAMILY_LEAKY_RELU:
    case LB_FAMILY_PRELU:
        put_same_place(&t, c, LB_ROLE_IN, index, rank);
        put_slope(&t, c, index, rank);
        break;
    case LB_FAMILY_ELTWISE:
        put_same_place(&t, c, LB_ROLE_IN1, index, rank);
        put_same_place(&t, c, LB_ROLE_IN2, index, rank);
        break;
    case LB_FAMILY_FULLY_CONNECTED:
        if (rank == 1)
            put(&t, "in[*], weights[*,%u], bias[%u]", index[0], index[0]);
        break;
    case LB_FAMILY_RNN_DENSE:
        if (rank == 1)
            put(&t, "every in[*], every weights[*,%u], bias[%u]", index[0], index[0]);
        break;
    case LB_FAMILY_CONV2D:
    case LB_FAMILY_DEPTHWISE_CONV2D:
    case LB_FAMILY_GROUP_CONV2D:
        if (rank == 3 && has_plain_ranks(c, 3, 4))
            put_window(&t, c, index, false);
        break;
    case LB_FAMILY_MAXPOOL:
    case LB_FAMILY_AVEPOOL:
        if (rank == 3 && has_plain_ranks(c, 3, 0))
            put_window(&t, c, index, true);
        break;
    /* clang-format off */
    case LB_FAMILY_TRANSPOSE_CONV2D: case LB_FAMILY_LSTM: case LB_FAMILY_GRU: case LB_FAMILY_ARGMAX:
    case LB_FAMILY_SOFTMAX: case LB_FAMILY_L2_NORMALIZE: case LB_FAMILY_PERMUTE: case LB_FAMILY_LUT:
    case LB_FAMILY_HELPER: case LB_FAMILY_MOV: case LB_FAMILY_FLOAT4:
        /* clang-format on */
        break;
    }
    return lb_arena_strdup(arena, t.buffer);
}
