/* Max and average pooling in real numbers. Spec: pooling_and_movement.md 2.8. */
#include "models.h"
#include "pool_window.h"

#include <math.h>

typedef struct summary {
    double highest;
    double sum;
} summary;

static summary summarize(const lb_call *call, const lb_pool_window *window, uint32_t channel)
{
    summary s = {.highest = -HUGE_VAL};
    for (uint32_t y = window->top; y < window->bottom; y++) {
        for (uint32_t x = window->left; x < window->right; x++) {
            double value = lb_load_real(call->tensor[LB_ROLE_IN], lb_pool_in_offset(call, y, x, channel), 0);
            s.highest = fmax(s.highest, value);
            s.sum += value;
        }
    }
    return s;
}

static void pool(const lb_call *call, bool average, lb_real_outputs *outputs)
{
    const lb_tensor *out = call->tensor[LB_ROLE_OUT];
    double *value = outputs->value[LB_ROLE_OUT];
    if (value == NULL) {
        return;
    }
    size_t count = lb_element_count(out);
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK];
        lb_unflatten(out, flat, index);
        lb_pool_window window = lb_pool_window_at(call, index[0], index[1]);
        summary s = summarize(call, &window, index[2]);
        value[flat] = average ? s.sum / (double)lb_pool_window_count(&window) : s.highest;
    }
}

void lb_real_maxpool(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    pool(call, false, outputs);
}

void lb_real_avepool(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    pool(call, true, outputs);
}
