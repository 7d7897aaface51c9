/* The window of an output position of pooling, cut to the input. Spec: pooling_and_movement.md 2.2.
 */
#include "pool_window.h"

/* One dimension: first and one past the last input index. */
static void cut(uint32_t out_index, uint8_t stride, uint8_t padding, uint8_t kernel,
                uint32_t in_size, uint32_t *first, uint32_t *end)
{
    int64_t start = (int64_t)out_index * stride - padding;
    int64_t stop = start + kernel;
    *first = start > 0 ? (uint32_t)start : 0;
    *end = stop < in_size ? (uint32_t)stop : in_size;
}

lb_pool_window lb_pool_window_at(const lb_call *call, uint32_t out_y, uint32_t out_x)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    const lb_config *cfg = &call->config;
    lb_pool_window w;
    cut(out_y, cfg->stride_height, cfg->padding_top, cfg->kernel_height, in->shape[0], &w.top,
        &w.bottom);
    cut(out_x, cfg->stride_width, cfg->padding_left, cfg->kernel_width, in->shape[1], &w.left,
        &w.right);
    return w;
}

uint32_t lb_pool_window_count(const lb_pool_window *window)
{
    return (window->bottom - window->top) * (window->right - window->left);
}

size_t lb_pool_in_offset(const lb_call *call, uint32_t y, uint32_t x, uint32_t channel)
{
    const uint32_t index[LB_MAX_RANK] = {y, x, channel};
    return lb_offset_of(call->tensor[LB_ROLE_IN], index);
}
