/* Largest elements, sums and averages of pooling windows, and the largest of many elements
 * (loops.h), in vectors. Windows of few elements and at least a vector of channels are done here, a
 * vector of channels at a time along the whole row of windows; the plain loops do the others. */
#include "loops.h"
#include "simd/rounding.h"

enum { FEW = 16 };

/* Written by the fill function alone. */
static lb_mli_pool_max_s8_fn *plain_max_s8;
static lb_mli_pool_max_s16_fn *plain_max_s16;
static lb_mli_pool_sum_s8_fn *plain_sum_s8;
static lb_mli_pool_sum_s16_fn *plain_sum_s16;
static lb_mli_max_s8_fn *plain_largest_s8;
static lb_mli_max_s16_fn *plain_largest_s16;
static lb_mli_average_s8_fn *plain_average_s8[LB_MLI_ROUNDS];
static lb_mli_average_s16_fn *plain_average_s16[LB_MLI_ROUNDS];

/* width: bytes of an element in a vector. Instances for sizes that the compiler knows have no loop
 * over a window. Windows of 3 columns two apart share one. */
#define WINDOWS(name, from, to, width, loaded, start, combine)                                     \
    LB_MLI_INLINE void name##_of(const from *in, const struct lb_mli_pool_windows *w, size_t rows, \
                                 size_t cols, to *out)                                             \
    {                                                                                              \
        for (size_t o = 0; o < w->outs; o++, in += w->hop, out += w->out_hop) {                    \
            V all = start;                                                                         \
            for (size_t y = 0; y < rows; y++) {                                                    \
                const from *const row = in + (ptrdiff_t)y * w->row;                                \
                for (size_t x = 0; x < cols; x++)                                                  \
                    all = combine(all, loaded(row + (ptrdiff_t)x * w->col));                       \
            }                                                                                      \
            STORE(out, all);                                                                       \
        }                                                                                          \
    }                                                                                              \
    LB_MLI_INLINE V name##_column(const from *in, ptrdiff_t row)                                   \
    {                                                                                              \
        return combine(combine(loaded(in), loaded(in + row)), loaded(in + 2 * row));               \
    }                                                                                              \
    static void name##_3x3_by_2(const from *in, const struct lb_mli_pool_windows *w, to *out)      \
    {                                                                                              \
        V left = name##_column(in, w->row);                                                        \
        for (size_t o = 0; o < w->outs; o++, in += w->hop, out += w->out_hop) {                    \
            const V middle = name##_column(in + w->col, w->row),                                   \
                    right = name##_column(in + 2 * w->col, w->row);                                \
            STORE(out, combine(combine(left, middle), right));                                     \
            left = right;                                                                          \
        }                                                                                          \
    }                                                                                              \
    static void name(const from *in, const struct lb_mli_pool_windows *w, to *out)                 \
    {                                                                                              \
        enum { CHANNELS = VECTOR_BYTES / (width) };                                                \
        if (w->channels < CHANNELS || w->rows * w->cols > FEW) {                                   \
            plain_##name(in, w, out);                                                              \
            return;                                                                                \
        }                                                                                          \
        for (size_t c = 0; c < w->channels; c += CHANNELS) {                                       \
            const size_t at = lb_mli_min_size(                                                     \
                c, w->channels - CHANNELS); /* the last may overlap the one before */              \
            if (w->rows == 3 && w->cols == 3 && w->hop == 2 * w->col)                              \
                name##_3x3_by_2(in + at, w, out + at);                                             \
            else if (w->rows == 3 && w->cols == 3)                                                 \
                name##_of(in + at, w, 3, 3, out + at);                                             \
            else if (w->rows == 2 && w->cols == 2)                                                 \
                name##_of(in + at, w, 2, 2, out + at);                                             \
            else                                                                                   \
                name##_of(in + at, w, w->rows, w->cols, out + at);                                 \
        }                                                                                          \
    }

WINDOWS(max_s8, int8_t, int8_t, 1, LOAD, LOAD(in), MAX_BYTES)
WINDOWS(max_s16, int16_t, int16_t, 2, LOAD, LOAD(in), MAX_WORDS)
WINDOWS(sum_s8, int8_t, int16_t, 2, WIDENED, SET(0), ADD_WORDS)
WINDOWS(sum_s16, int16_t, int32_t, 4, WORDS_WIDENED, SET(0), ADD)

/* Largest of n elements, two vectors at a time. */
#define LARGEST(name, type, max)                                                                   \
    static int32_t name(const type *in, size_t n)                                                  \
    {                                                                                              \
        enum { STEP = VECTOR_BYTES / sizeof(type) };                                               \
        type each[STEP];                                                                           \
        if (n < 2 * STEP)                                                                          \
            return plain_##name(in, n);                                                            \
        V a = LOAD(in), b = LOAD(in + STEP);                                                       \
        for (size_t at = 2 * STEP; at < n; at += 2 * STEP) {                                       \
            const size_t i = lb_mli_min_size(at, n - 2 * STEP);                                    \
            a = max(a, LOAD(in + i));                                                              \
            b = max(b, LOAD(in + i + STEP));                                                       \
        }                                                                                          \
        STORE(each, max(a, b));                                                                    \
        return plain_##name(each, STEP);                                                           \
    }

LARGEST(largest_s8, int8_t, MAX_BYTES)
LARGEST(largest_s16, int16_t, MAX_WORDS)

/*
 * Averages. Sums and multipliers go to the left as far as they can, so that the high half of their
 * product holds all that counts. The offset of sa8 is whole output steps: it goes behind the shift.
 */
struct average {
    int32_t left;
    struct scaling scaling; /* s8 */
    V offset;
    V mul; /* s16 */
    struct rounding shift;
};

static inline int32_t room(int32_t most, int bits)
{
    return bits - 1 - lb_mli_bit_length((uint64_t)most - 1);
}

/* False: a shift out of the ordinary, or sums that 32 bits may not hold. */
static bool plan_average_s8(const struct lb_mli_average *q, struct average *a)
{
    const int32_t left = room(q->most, 16), mul_left = room(q->mul + 1, 16),
                  shift = q->shift + left + mul_left;
    const int64_t half = ((int64_t)1 << q->shift) >> 1, offset = q->offset;
    if (left < 0 || shift < 17 || shift > 31 || (offset & (((int64_t)1 << q->shift) - 1)) != 0)
        return false;
    if ((offset < 0 ? -offset : offset) + (int64_t)q->mul * q->most + half > INT32_MAX)
        return false;
    a->left = left;
    a->scaling = scaling_by(q->mul << mul_left, shift);
    a->offset =
        SET_WORDS(lb_mli_sat16(offset >> q->shift)); /* beyond 16 bits it is beyond 8 in any case */
    return true;
}

LB_MLI_INLINE V averaged_words(const int16_t *sum, const struct average *a, enum lb_mli_round round)
{
    const struct scaling *s = &a->scaling;
    const V v = SLL_WORDS(LOAD(sum), a->left),
            total = ADD_WORDS(MUL_HIGH_WORDS(v, s->mul), s->high.half);
    const V y = ADD_WORDS_SATURATING(SRA_WORDS(total, s->high.n), a->offset);
    if (round == LB_MLI_UP)
        return y;
    return EVEN_WORDS_WHERE_0(y, OR(AND(total, s->high.mask), MUL_WORDS(v, s->mul)));
}

static bool plan_average_s16(const struct lb_mli_average *q, struct average *a)
{
    a->left = room(q->most, 32);
    const int32_t shift = q->shift + a->left + 16;
    if (a->left < 0 || shift < 33 || shift > 63)
        return false;
    a->mul = SET(q->mul << 16);
    a->shift = rounding_by(shift - 32);
    return true;
}

LB_MLI_INLINE V averaged(const int32_t *sum, const struct average *a, enum lb_mli_round round)
{
    return scaled_high(SLL(LOAD(sum), SET(a->left)), a->mul, &a->shift, round);
}

#define AVERAGE(name, from, to, piece, half, scaled, narrowed, round)                              \
    static void name##_##round(const from *sum, size_t n, const struct lb_mli_average *q, to *out) \
    {                                                                                              \
        struct average a;                                                                          \
        size_t i = 0;                                                                              \
        if (n >= (piece) && plan_##name(q, &a))                                                    \
            for (; i + (piece) <= n; i += (piece))                                                 \
                STORE(out + i,                                                                     \
                      narrowed(scaled(sum + i, &a, round), scaled(sum + i + (half), &a, round)));  \
        if (i < n)                                                                                 \
            plain_##name[round](sum + i, n - i, q, out + i);                                       \
    }

AVERAGE(average_s8, int16_t, int8_t, LANES * 4, LANES * 2, averaged_words, WORDS_TO_BYTES,
        LB_MLI_UP)
AVERAGE(average_s8, int16_t, int8_t, LANES * 4, LANES * 2, averaged_words, WORDS_TO_BYTES,
        LB_MLI_CONVERGENT)
AVERAGE(average_s16, int32_t, int16_t, LANES * 2, LANES, averaged, TO_WORDS, LB_MLI_UP)
AVERAGE(average_s16, int32_t, int16_t, LANES * 2, LANES, averaged, TO_WORDS, LB_MLI_CONVERGENT)

/* After the plain loops of the level. */
static void fill_pool(struct lb_mli_loops *loops)
{
    plain_max_s8 = loops->pool_max_s8;
    plain_max_s16 = loops->pool_max_s16;
    plain_sum_s8 = loops->pool_sum_s8;
    plain_sum_s16 = loops->pool_sum_s16;
    memcpy(plain_average_s8, loops->average_s8, sizeof plain_average_s8);
    memcpy(plain_average_s16, loops->average_s16, sizeof plain_average_s16);
    plain_largest_s8 = loops->max_s8;
    plain_largest_s16 = loops->max_s16;
    loops->max_s8 = largest_s8;
    loops->max_s16 = largest_s16;
    loops->pool_max_s8 = max_s8;
    loops->pool_max_s16 = max_s16;
    loops->pool_sum_s8 = sum_s8;
    loops->pool_sum_s16 = sum_s16;
    loops->average_s8[LB_MLI_UP] = average_s8_LB_MLI_UP;
    loops->average_s8[LB_MLI_CONVERGENT] = average_s8_LB_MLI_CONVERGENT;
    loops->average_s16[LB_MLI_UP] = average_s16_LB_MLI_UP;
    loops->average_s16[LB_MLI_CONVERGENT] = average_s16_LB_MLI_CONVERGENT;
}
