/* The window of an output position of pooling, cut to the input. Spec: pooling_and_movement.md 2.2.
 */
#ifndef LB_REFERENCE_POOL_WINDOW_H
#define LB_REFERENCE_POOL_WINDOW_H

#include "describe/kernels.h"

/* Rows top .. bottom - 1 and columns left .. right - 1 of the input. Never empty once the rules of
 * pooling have passed: a padding is smaller than the kernel, and the output is not larger than the
 * padded input allows. */
typedef struct lb_pool_window {
    uint32_t top, bottom;
    uint32_t left, right;
} lb_pool_window;

lb_pool_window lb_pool_window_at(const lb_call *call, uint32_t out_y, uint32_t out_x);
/* Input positions in it: 1 .. 65025. */
uint32_t lb_pool_window_count(const lb_pool_window *window);
/* Offset in elements of an input position. */
size_t lb_pool_in_offset(const lb_call *call, uint32_t y, uint32_t x, uint32_t channel);

#endif
