/* Conversion between formats (numerics.md 7) in vectors. What is left over by whole vectors is the
 * end of one that overlaps the one before (7.2), or goes to the plain loops. */
#include "loops.h"
#include "simd/rounding.h"

/* Written by the fill function alone. */
static lb_mli_convert_fn *plain_convert[2][2][LB_MLI_ROUNDS];
static lb_mli_convert_wide_fn *plain_wide[LB_MLI_ROUNDS];
static lb_mli_convert_s32_fn *plain_convert_s32[2];
static lb_mli_quantize_fn *plain_quantize[LB_MLI_WIDTHS];
static lb_mli_dequantize_fn *plain_dequantize[LB_MLI_WIDTHS];

/*
 * 8 and 16 bits (7.2)
 */

struct format {
    int32_t from_zero;
    V mul, to_zero;
    struct rounding shift;
};

/* Likewise for shifts of FAR or more, where the high halves of products do: no need of 32 bits. */
enum { FAR = 17 };
struct far_format {
    V from_zero, to_zero;
    struct scaling scale;
};

LB_MLI_INLINE struct format format_of(const struct lb_mli_convert *q)
{
    struct format f;
    f.from_zero = q->from_zero;
    f.mul = SET_WORDS(q->mul);
    f.to_zero = SET(q->to_zero);
    f.shift = rounding_by(q->shift);
    return f;
}

LB_MLI_INLINE struct far_format far_format_of(const struct lb_mli_convert *q)
{
    return (struct far_format){SET_WORDS(q->from_zero), SET_WORDS(q->to_zero),
                               scaling_by(q->mul, q->shift)};
}

LB_MLI_INLINE V converted(V x, const struct format *f, enum lb_mli_round round)
{
    const struct products p = products_of(SUB_WORDS_SATURATING(x, SET_WORDS(f->from_zero)), f->mul);
    return PACK_WORDS(ADD(rounded(p.low, &f->shift, round), f->to_zero),
                      ADD(rounded(p.high, &f->shift, round), f->to_zero));
}

LB_MLI_INLINE V converted_far(V x, const struct far_format *f, enum lb_mli_round round)
{
    const V y = scaled_far(SUB_WORDS_SATURATING(x, f->from_zero), &f->scale, round);
    return ADD_WORDS_SATURATING(y, f->to_zero);
}

#define STORE_CONVERTED_WORDS(from, loaded, by) STORE(b + i, by(loaded(from + i), &f, round));
#define STORE_CONVERTED_BYTES(from, loaded, by)                                                    \
    STORE(b + i, WORDS_TO_BYTES(by(loaded(from + i), &f, round),                                   \
                                by(loaded(from + i + VECTOR_WORDS), &f, round)));

#define CONVERT_BLOCKS(loaded, step, store, by)                                                    \
    for (size_t at = 0; at < n; at += (step)) {                                                    \
        const size_t i = lb_mli_min_size(at, n - (step));                                          \
        store(a, loaded, by)                                                                       \
    }

#define CONVERT(name, in_width, out_width, from, to, loaded, step, store, round_mode)              \
    static void name(const void *in, size_t n, const struct lb_mli_convert *q, void *out)          \
    {                                                                                              \
        const enum lb_mli_round round = round_mode;                                                \
        const from *const a = in;                                                                  \
        to *const b = out;                                                                         \
        if (n < (step)) {                                                                          \
            plain_convert[in_width][out_width][round](in, n, q, out);                              \
        } else if (q->shift >= FAR) {                                                              \
            const struct far_format f = far_format_of(q);                                          \
            CONVERT_BLOCKS(loaded, step, store, converted_far)                                     \
        } else {                                                                                   \
            const struct format f = format_of(q);                                                  \
            CONVERT_BLOCKS(loaded, step, store, converted)                                         \
        }                                                                                          \
    }
#define CONVERTS(name, in_width, out_width, from, to, loaded, step, store)                         \
    CONVERT(name##_up, in_width, out_width, from, to, loaded, step, store, LB_MLI_UP)              \
    CONVERT(name##_convergent, in_width, out_width, from, to, loaded, step, store,                 \
            LB_MLI_CONVERGENT)

CONVERTS(s8_s8, LB_MLI_8BIT, LB_MLI_8BIT, int8_t, int8_t, WIDENED, VECTOR_BYTES,
         STORE_CONVERTED_BYTES)
CONVERTS(s8_s16, LB_MLI_8BIT, LB_MLI_16BIT, int8_t, int16_t, WIDENED, VECTOR_WORDS,
         STORE_CONVERTED_WORDS)
CONVERTS(s16_s8, LB_MLI_16BIT, LB_MLI_8BIT, int16_t, int8_t, LOAD, VECTOR_BYTES,
         STORE_CONVERTED_BYTES)
CONVERTS(s16_s16, LB_MLI_16BIT, LB_MLI_16BIT, int16_t, int16_t, LOAD, VECTOR_WORDS,
         STORE_CONVERTED_WORDS)

/*
 * 32 bits (7.2)
 */

/* a + b and a - b, saturated, for b of 16 bits. */
LB_MLI_INLINE V add_saturating(V a, V b)
{
    const V least = SUB(SET(INT32_MIN), MIN(b, SET(0))), most = SUB(SET(INT32_MAX), MAX(b, SET(0)));
    return ADD(MAX(MIN(a, most), least), b);
}

LB_MLI_INLINE V sub_saturating(V a, V b)
{
    return add_saturating(a, SUB(SET(0), b));
}

/* Redundant sign bits, from the exponent of a binary32: bits below the highest that might round it
 * up are cleared. */
LB_MLI_INLINE V norm_of(V v)
{
    const V m = XOR(v, SRA(v, SET(31))), top = AND(m, XOR(SRL_1(m), SET(-1)));
    return MIN(SUB(SET(157), SRL(REAL(top), SET(23))), SET(31));
}

/* v / 2^n for |v| <= 2^30, rounded; n below 0: to the left, saturated. From 31 on all is 0. */
LB_MLI_INLINE V shifted_any(V v, V n, enum lb_mli_round round)
{
    const V left = MAX(SUB(SET(0), n), SET(0)), right = MIN(MAX(n, SET(0)), SET(31));
    const V moved = SLL(v, left), end = XOR(SRA(v, SET(31)), SET(INT32_MAX));
    const V half = SRL_1(SLL(SET(1), right));
    const V total = ADD(SELECT_EQUAL(SRA(moved, left), v, moved, end), half), y = SRA(total, right);
    if (round == LB_MLI_UP)
        return y;
    const V whole = SRL_31(SUB(right, SET(1))); /* 1 where nothing is rounded */
    return EVEN_WHERE_0(y, OR(AND(total, SUB(ADD(half, half), SET(1))), whole));
}

LB_MLI_INLINE V converted_wide(V v, const struct lb_mli_convert_each *q, size_t i,
                               enum lb_mli_round round)
{
    const V d = sub_saturating(v, LOAD(q->from_zero + i)), left = norm_of(d), normal = SLL(d, left);
    const V mul = SLL(LOAD(q->mul + i), SET(16));
    const V even = MUL_EVEN(normal, mul), odd = MUL_EVEN(ODD_DOWN(normal), ODD_DOWN(mul));
    const V n = ADD(SUB(LOAD(q->shift + i), SET(16)), left);
    return add_saturating(shifted_any(HIGH_HALVES(even, odd), n, round), LOAD(q->to_zero + i));
}

#define WIDE(name, round)                                                                          \
    static void name(int32_t *v, size_t n, const struct lb_mli_convert_each *q)                    \
    {                                                                                              \
        size_t i = 0;                                                                              \
        for (; i + LANES <= n; i += LANES)                                                         \
            STORE(v + i, converted_wide(LOAD(v + i), q, i, round));                                \
        const struct lb_mli_convert_each rest = {q->from_zero + i, q->to_zero + i, q->mul + i,     \
                                                 q->shift + i};                                    \
        if (i < n)                                                                                 \
            plain_wide[round](v + i, n - i, &rest);                                                \
    }

WIDE(wide_up, LB_MLI_UP)
WIDE(wide_convergent, LB_MLI_CONVERGENT)

/* One set of parameters, rounded upwards: the half goes to the high half of the product, for the
 * low one cannot change the result. */
struct from_s32 {
    V from_zero, mul, half, shift, to_zero;
};

LB_MLI_INLINE V converted_s32(const int32_t *in, const struct from_s32 *f, bool moved)
{
    const V x = LOAD(in), d = moved ? sub_saturating(x, f->from_zero) : x;
    const V even = MUL_EVEN(d, f->mul), odd = MUL_EVEN(ODD_DOWN(d), f->mul);
    return ADD(SRA(ADD(HIGH_HALVES(even, odd), f->half), f->shift), f->to_zero);
}

#define STORE_FROM_S32_8(b, a)                                                                     \
    STORE(b + i,                                                                                   \
          to_bytes(converted_s32(a + i, &f, moved), converted_s32(a + i + LANES, &f, moved),       \
                   converted_s32(a + i + 2 * LANES, &f, moved),                                    \
                   converted_s32(a + i + 3 * LANES, &f, moved), 0, INT8_MIN, INT8_MAX))
#define STORE_FROM_S32_16(b, a)                                                                    \
    STORE(b + i, TO_WORDS(converted_s32(a + i, &f, moved), converted_s32(a + i + LANES, &f, moved)))

#define FROM_S32(name, to, width, step, store)                                                     \
    LB_MLI_INLINE size_t name##_of(const int32_t *in, size_t n, const struct lb_mli_convert *q,    \
                                   to *out, bool moved)                                            \
    {                                                                                              \
        const struct from_s32 f = {SET(q->from_zero), SET(q->mul << 16),                           \
                                   SET((int32_t)(UINT32_C(1) << (q->shift - 17))),                 \
                                   SET(q->shift - 16), SET(q->to_zero)};                           \
        size_t i = 0;                                                                              \
        for (; i + (step) <= n; i += (step))                                                       \
            store(out, in);                                                                        \
        return i;                                                                                  \
    }                                                                                              \
    static void name(const int32_t *in, size_t n, const struct lb_mli_convert *q, void *out)       \
    {                                                                                              \
        to *const b = out;                                                                         \
        const size_t i =                                                                           \
            q->from_zero ? name##_of(in, n, q, b, true) : name##_of(in, n, q, b, false);           \
        plain_convert_s32[width](in + i, n - i, q, b + i);                                         \
    }

FROM_S32(from_s32_s8, int8_t, LB_MLI_8BIT, VECTOR_BYTES, STORE_FROM_S32_8)
FROM_S32(from_s32_s16, int16_t, LB_MLI_16BIT, VECTOR_WORDS, STORE_FROM_S32_16)

/*
 * binary32 (7.3)
 */

LB_MLI_INLINE V quantized_at(const float *in, const float *factor, const int32_t *zero, size_t i)
{
    return ADD(quantized(in + i, factor + i), LOAD(zero + i));
}

static void quantize_s8(const float *in, size_t n, const float *factor, const int32_t *zero,
                        void *out)
{
    int8_t *const b = out;
    size_t i = 0;
    for (; i + VECTOR_BYTES <= n; i += VECTOR_BYTES) {
        const size_t j = i + LANES, k = j + LANES, l = k + LANES;
        STORE(b + i, to_bytes(quantized_at(in, factor, zero, i), quantized_at(in, factor, zero, j),
                              quantized_at(in, factor, zero, k), quantized_at(in, factor, zero, l),
                              0, INT8_MIN, INT8_MAX));
    }
    plain_quantize[LB_MLI_8BIT](in + i, n - i, factor + i, zero + i, b + i);
}

static void quantize_s16(const float *in, size_t n, const float *factor, const int32_t *zero,
                         void *out)
{
    int16_t *const b = out;
    size_t i = 0;
    for (; i + VECTOR_WORDS <= n; i += VECTOR_WORDS)
        STORE(b + i, TO_WORDS(quantized_at(in, factor, zero, i),
                              quantized_at(in, factor, zero, i + LANES)));
    plain_quantize[LB_MLI_16BIT](in + i, n - i, factor + i, zero + i, b + i);
}

#define DEQUANTIZE(name, from, width, loaded)                                                      \
    static void name(const void *in, size_t n, const float *factor, const int32_t *zero,           \
                     float *out)                                                                   \
    {                                                                                              \
        const from *const a = in;                                                                  \
        size_t i = 0;                                                                              \
        for (; i + LANES <= n; i += LANES)                                                         \
            STORE(out + i, MUL_REAL(REAL(SUB(loaded(a + i), LOAD(zero + i))), LOAD(factor + i)));  \
        plain_dequantize[width](a + i, n - i, factor + i, zero + i, out + i);                      \
    }

DEQUANTIZE(dequantize_s8, int8_t, LB_MLI_8BIT, WIDENED_TWICE)
DEQUANTIZE(dequantize_s16, int16_t, LB_MLI_16BIT, WORDS_WIDENED)

/* After the plain_convert loops of the level. */
static void fill_convert(struct lb_mli_loops *loops)
{
    static lb_mli_convert_fn *const convert[2][2][LB_MLI_ROUNDS] = {
        [LB_MLI_8BIT] = {{s8_s8_up, s8_s8_convergent}, {s8_s16_up, s8_s16_convergent}},
        [LB_MLI_16BIT] = {{s16_s8_up, s16_s8_convergent}, {s16_s16_up, s16_s16_convergent}},
    };
    memcpy(plain_convert, loops->convert, sizeof plain_convert);
    memcpy(loops->convert, convert, sizeof convert);
    memcpy(plain_wide, loops->convert_wide, sizeof plain_wide);
    loops->convert_wide[LB_MLI_UP] = wide_up;
    loops->convert_wide[LB_MLI_CONVERGENT] = wide_convergent;
    memcpy(plain_convert_s32, loops->convert_s32, sizeof plain_convert_s32);
    loops->convert_s32[LB_MLI_8BIT] = from_s32_s8;
    loops->convert_s32[LB_MLI_16BIT] = from_s32_s16;
    memcpy(plain_quantize, loops->quantize, sizeof plain_quantize);
    loops->quantize[LB_MLI_8BIT] = quantize_s8;
    loops->quantize[LB_MLI_16BIT] = quantize_s16;
    memcpy(plain_dequantize, loops->dequantize, sizeof plain_dequantize);
    loops->dequantize[LB_MLI_8BIT] = dequantize_s8;
    loops->dequantize[LB_MLI_16BIT] = dequantize_s16;
}
