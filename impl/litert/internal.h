/* What the files of this library share: arguments that are checked, and elements of any type in
 * blocks of int32_t, so that each kernel is written once. */
#ifndef LB_LITERT_INTERNAL_H
#define LB_LITERT_INTERNAL_H

#include "fixed.h"

/* Elements that are worked on at a time. */
enum { LB_LITERT_BLOCK = 256 };

/* ---- Arguments ---- */

static inline lb_litert_profile lb_litert_profile_of(const lb_litert_context *ctx)
{
    return ctx ? ctx->profile : LB_LITERT_DOUBLE;
}

static inline bool lb_litert_in(int32_t v, int32_t low, int32_t high)
{
    return low <= v && v <= high;
}

/* A multiplier, and a shift within its range (litert.1.5 U2, U6). */
static inline bool lb_litert_scales(int32_t multiplier, int32_t shift, int32_t low, int32_t high)
{
    return multiplier >= 0 && lb_litert_in(shift, low, high);
}

static inline bool lb_litert_dims_hold(const lb_litert_dims *d)
{
    return d && d->n >= 0 && d->h >= 0 && d->w >= 0 && d->c >= 0;
}

static inline bool lb_litert_tile_is_in(lb_litert_tile t, int32_t low, int32_t high)
{
    return lb_litert_in(t.w, low, high) && lb_litert_in(t.h, low, high);
}

static inline int32_t lb_litert_lowest(lb_litert_type type)
{
    return type == LB_LITERT_S8 ? INT8_MIN : type == LB_LITERT_S16 ? INT16_MIN : INT32_MIN;
}

static inline int32_t lb_litert_highest(lb_litert_type type)
{
    return type == LB_LITERT_S8 ? INT8_MAX : type == LB_LITERT_S16 ? INT16_MAX : INT32_MAX;
}

/* Limits of an output of this type, the lower one first (U7). */
static inline bool lb_litert_limits_hold(lb_litert_activation a, lb_litert_type type)
{
    return a.min <= a.max && a.min >= lb_litert_lowest(type) && a.max <= lb_litert_highest(type);
}

/* ---- Elements ---- */

/* Reads `count` elements from number `at` on. */
static inline void lb_litert_load(lb_litert_type type, const void *from, size_t at, size_t count,
                                  int32_t *to)
{
    if (type == LB_LITERT_S8)
        for (size_t i = 0; i < count; i++)
            to[i] = ((const int8_t *)from)[at + i];
    else if (type == LB_LITERT_S16)
        for (size_t i = 0; i < count; i++)
            to[i] = ((const int16_t *)from)[at + i];
    else
        for (size_t i = 0; i < count; i++)
            to[i] = ((const int32_t *)from)[at + i];
}

/* Writes `count` elements, all within the range of the type. */
static inline void lb_litert_store(lb_litert_type type, void *to, size_t at, size_t count,
                                   const int32_t *from)
{
    if (type == LB_LITERT_S8)
        for (size_t i = 0; i < count; i++)
            ((int8_t *)to)[at + i] = (int8_t)from[i];
    else if (type == LB_LITERT_S16)
        for (size_t i = 0; i < count; i++)
            ((int16_t *)to)[at + i] = (int16_t)from[i];
    else
        for (size_t i = 0; i < count; i++)
            ((int32_t *)to)[at + i] = from[i];
}

/* The taps of a window that lie in the input: from *from to below *to, of `count` taps at
 * start + tap * step. */
static inline void lb_litert_valid_taps(int64_t start, int64_t step, int64_t count, int64_t size,
                                        int64_t *from, int64_t *to)
{
    int64_t end = start < size ? (size - start + step - 1) / step : 0;
    *from = start < 0 ? (-start + step - 1) / step : 0;
    *to = end < count ? end : count;
}

#endif
