/* Where the operands of one output element lie: see receptive_field.h. Geometry of conv.md 6 to 10,
 * pooling_and_movement.md 2.2, 3, elementwise.md 4, 5. */
#include "harness/trial/receptive_field.h"
#include "harness/base/format_checked.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct text {
    char buffer[320];
    size_t length;
} text;

static void put(text *t, const char *format, ...) LB_FORMAT_CHECKED(2, 3);

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

static bool has_rank(const lb_case *c, lb_role role, unsigned rank)
{
    return c->operand[role].present && c->operand[role].tensors[0].rank == rank;
}

/* Of pools and of functions with weights; nothing where a tensor has another rank than usual. */
static void put_window(text *t, const lb_case *c, const uint32_t *index, unsigned rank)
{
    bool pooling = !lb_kernel_role(c->kernel, LB_ROLE_WEIGHTS);
    if (rank != 3 || !has_rank(c, LB_ROLE_IN, 3) || (!pooling && !has_rank(c, LB_ROLE_WEIGHTS, 4)))
        return;
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

static void put_dense(text *t, const lb_case *c, uint32_t column)
{
    const char *every = lb_kernel_role(c->kernel, LB_ROLE_IN)->list ? "every " : "";
    put(t, "%sin[*], %sweights[*,%u], bias[%u]", every, every, column, column);
}

const char *lb_operands_text(const lb_case *c, const uint32_t *index, unsigned rank,
                             lb_arena *arena)
{
    text t = {.length = 0};
    t.buffer[0] = '\0';
    if (!c->kernel)
        return "";
    switch (lb_families[c->kernel->family].reach) {
    case LB_REACH_PLACE:
        put_same_place(&t, c, LB_ROLE_IN, index, rank);
        put_same_place(&t, c, LB_ROLE_IN1, index, rank);
        put_same_place(&t, c, LB_ROLE_IN2, index, rank);
        if (lb_kernel_role(c->kernel, LB_ROLE_SLOPE))
            put_slope(&t, c, index, rank);
        break;
    case LB_REACH_WINDOW:
        put_window(&t, c, index, rank);
        break;
    case LB_REACH_DENSE:
        if (rank == 1)
            put_dense(&t, c, index[0]);
        break;
    case LB_REACH_OWN:
        break;
    }
    return lb_arena_strdup(arena, t.buffer);
}
