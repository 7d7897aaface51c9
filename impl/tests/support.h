/* What the tests of this room share: tensors on memory with margins, the four profiles, fault lists
 * for the order of statuses, and the primitives of numerics.md 3 written a second time, by
 * definition instead of by bits. */
#ifndef LB_TEST_SUPPORT_H
#define LB_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "mli_api.h"
#include "mli_lastbit.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *const profiles[] = {"up-full", "up-reduced", "convergent-full",
                                       "convergent-reduced"};

static inline void use_profile(int index)
{
    assert_int_equal(mli_ext_set_profile(profiles[index]), MLI_STATUS_OK);
}

static inline int is_convergent(int profile)
{
    return profile >= 2;
}

static inline int is_reduced(int profile)
{
    return profile % 2;
}

/* First line of a test of statuses: a library built with MLI_CHECKS=OFF has none. */
static inline void needs_checks(void)
{
    if (strstr(mli_hlp_compile_options_string(), "DBG_MODE_RELEASE"))
        skip();
}

/*
 * Tensors. shape and stride are lists of rank entries; stride NULL: dense. capacity is what the
 * elements span.
 */
static inline uint32_t bytes_of(mli_element_type type)
{
    return type == MLI_EL_FX_16 ? 2 : type == MLI_EL_SA_32 || type == MLI_EL_FP_32 ? 4 : 1;
}

static inline mli_tensor tensor(mli_element_type type, void *data, uint32_t rank,
                                const uint32_t *shape, const int32_t *stride)
{
    mli_tensor t;
    memset(&t, 0, sizeof t);
    t.data.mem.pi8 = data;
    t.rank = rank;
    t.el_type = type;
    uint32_t last = 0;
    int32_t packed = 1;
    for (uint32_t d = rank; d-- > 0;) {
        t.shape[d] = shape[d];
        t.mem_stride[d] = stride ? stride[d] : packed;
        packed = (int32_t)((uint32_t)t.mem_stride[d] *
                           shape[d]); /* a test may ask for more than there is */
        last += (shape[d] - 1) * (uint32_t)t.mem_stride[d];
    }
    t.data.capacity = (last + 1) * bytes_of(type);
    if (type == MLI_EL_SA_8 || type == MLI_EL_SA_32)
        t.el_params.sa.dim = -1;
    return t;
}

static inline mli_tensor with_frac(mli_tensor t, int frac_bits)
{
    t.el_params.fx.frac_bits = (int8_t)frac_bits;
    return t;
}

static inline mli_tensor with_scale(mli_tensor t, int scale, int frac_bits, int zero_point)
{
    t.el_params.sa.scale.mem.i16 = (int16_t)scale;
    t.el_params.sa.scale_frac_bits.mem.i8 = (int8_t)frac_bits;
    t.el_params.sa.zero_point.mem.i16 = (int16_t)zero_point;
    return t;
}

/* Lists of n entries along dimension axis. */
static inline mli_tensor with_axis(mli_tensor t, int axis, uint32_t n, int16_t *scale,
                                   int8_t *frac_bits, int16_t *zero)
{
    t.el_params.sa.dim = axis;
    t.el_params.sa.scale.mem.pi16 = scale;
    t.el_params.sa.scale.capacity = 2 * n;
    t.el_params.sa.zero_point.mem.pi16 = zero;
    t.el_params.sa.zero_point.capacity = 2 * n;
    t.el_params.sa.scale_frac_bits.mem.pi8 = frac_bits;
    t.el_params.sa.scale_frac_bits.capacity = n;
    return t;
}

#define SHAPE1(a)                                                                                  \
    1, (const uint32_t[])                                                                          \
    {                                                                                              \
        a                                                                                          \
    }
#define SHAPE2(a, b)                                                                               \
    2, (const uint32_t[])                                                                          \
    {                                                                                              \
        a, b                                                                                       \
    }
#define SHAPE3(a, ...)                                                                             \
    3, (const uint32_t[])                                                                          \
    {                                                                                              \
        a, __VA_ARGS__                                                                             \
    }

/* Random numbers, the same in every run. */
static inline uint32_t random_bits(void)
{
    static uint64_t state = 88172645463325252U;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static inline int random_in(int lo, int hi)
{
    return lo + (int)(random_bits() % (uint32_t)(hi - lo + 1));
}

static inline void random_bytes(void *memory, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)memory)[i] = (uint8_t)random_bits();
}

/*
 * numerics.md 3, by definition: v / 2^n with floored division, ties decided by comparing twice the
 * rest. Width w, 64 at most; |v| * 2^-n must stay below 2^62 for shifts to the left.
 */
static inline int64_t model_sat(int64_t v, int w)
{
    const int64_t top = w == 64 ? INT64_MAX : ((int64_t)1 << (w - 1)) - 1;
    return v > top ? top : v < -top - 1 ? -top - 1 : v;
}

static inline int64_t model_floor_div(int64_t v, int64_t by)
{
    const int64_t q = v / by;
    return v % by < 0 ? q - 1 : q;
}

static inline int64_t model_rsh(int64_t v, int n, int w, int convergent)
{
    if (n < 0) {
        for (; n < 0; n++) {
            v = model_sat(v, w); /* once saturated, doubling stays saturated */
            v = w == 64 && (v > INT64_MAX / 2 || v < INT64_MIN / 2)
                    ? (v > 0 ? INT64_MAX : INT64_MIN)
                    : v * 2;
        }
        return model_sat(v, w);
    }
    if (n == 0)
        return v;
    if (n >= w)
        return 0;
    if (n == 63) { /* 2^63 is no int64: the quotient is -1, 0 or 1 */
        const int64_t half = (int64_t)1 << 62;
        if (!convergent)
            return v >= -half ? 0 : -1;
        return v > half ? 1 : v < -half ? -1 : 0;
    }
    const int64_t by = (int64_t)1 << n;
    if (!convergent) {
        const int64_t half = by / 2;
        const int64_t sum = w == 64 && v > INT64_MAX - half ? INT64_MAX : model_sat(v + half, w);
        return model_floor_div(sum, by);
    }
    const int64_t q = model_floor_div(v, by);
    const int64_t rest = v - q * by;
    return rest > by / 2 || (rest == by / 2 && q % 2 != 0) ? q + 1 : q;
}

static inline int model_norm(int64_t v, int w)
{
    int n = 0;
    while (n < w - 1 && model_sat(v * 2, w) == v * 2 && v != 0) {
        v *= 2;
        n++;
        if (v == -((int64_t)1 << (w - 1)))
            break;
    }
    return v == 0 ? w - 1 : n;
}

/* x ~ mantissa * 2^exponent in 16 bits. */
static inline void model_norm_cast(int64_t x, int convergent, int64_t *mantissa, int *exponent)
{
    *exponent = 16 - model_norm(x, 32);
    *mantissa = model_sat(model_rsh(x, *exponent, 32, convergent), 16);
}

#endif
