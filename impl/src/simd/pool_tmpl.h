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
    struct scaling scaling; /* s8 */
    V power, offset;        /* likewise; power: 2^n, to the left by n */
    int32_t left;           /* s16 */
    V mul;
    struct rounding shift;
};

static inline int32_t room(int32_t most, int bits)
{
    return bits - 1 - lb_mli_bit_length((uint64_t)most - 1);
}

/* False: the offset is not whole output steps, or 32 bits may not hold a sum. */
static bool plan_offset_s8(const struct lb_mli_average *q, struct average *a)
{
    const int64_t half = ((int64_t)1 << q->shift) >> 1, offset = q->offset;
    if ((offset & (((int64_t)1 << q->shift) - 1)) != 0 ||
        (offset < 0 ? -offset : offset) + (int64_t)q->mul * q->most + half > INT32_MAX)
        return false;
    a->offset =
        SET_WORDS(lb_mli_sat16(offset >> q->shift)); /* beyond 16 bits it is beyond 8 in any case */
    return true;
}

/* False: a shift out of the ordinary, too. */
static bool plan_average_s8(const struct lb_mli_average *q, struct average *a)
{
    const int32_t left = room(q->most, 16), mul_left = room(q->mul + 1, 16),
                  shift = q->shift + left + mul_left;
    if (left < 0 || shift < 17 || shift > 31 || !plan_offset_s8(q, a))
        return false;
    a->power = SET_WORDS(1 << left);
    a->scaling = scaling_by(q->mul << mul_left, shift);
    return true;
}

LB_MLI_INLINE V averaged_words_of(V sum, const struct average *a, enum lb_mli_round round)
{
    const struct scaling *s = &a->scaling;
    const V v = MUL_WORDS(sum, a->power), high = MUL_HIGH_WORDS(v, s->mul);
    const V y = ADD_WORDS_SATURATING(MUL_ROUND_WORDS(high, s->unit), a->offset);
    if (round == LB_MLI_UP)
        return y;
    const V total = ADD_WORDS(high, s->high.half);
    return EVEN_WORDS_WHERE_0(y, OR(AND(total, s->high.mask), MUL_WORDS(v, s->mul)));
}

LB_MLI_INLINE V averaged_words(const int16_t *sum, const struct average *a, enum lb_mli_round round)
{
    return averaged_words_of(LOAD(sum), a, round);
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

#ifdef EVEN_BYTES
/*
 * Averages of bytes whose sums stay in registers: of the even bytes of a vector, and of its odd
 * ones, as words. A multiplier of sa8 has 7 bits: often it goes so far to the left that one
 * instruction multiplies and rounds.
 */
static lb_mli_pool_average_s8_fn *plain_pool_average_s8[LB_MLI_ROUNDS];

enum way { WAY_UP = LB_MLI_UP, WAY_CONVERGENT = LB_MLI_CONVERGENT, WAY_UP_AT_ONCE };

struct halves {
    V even, odd;
};

static bool plan_average_at_once(const struct lb_mli_average *q, struct average *a)
{
    if (q->shift > 15 || (int64_t)q->mul << (15 - q->shift) > INT16_MAX || q->most > 1 << 15)
        return false;
    a->scaling.mul = SET_WORDS(q->mul << (15 - q->shift));
    return plan_offset_s8(q, a);
}

LB_MLI_INLINE V mean_words(V sum, const struct average *a, enum way way)
{
    return way == WAY_UP_AT_ONCE
               ? ADD_WORDS_SATURATING(MUL_ROUND_WORDS(sum, a->scaling.mul), a->offset)
               : averaged_words_of(sum, a, (enum lb_mli_round)way);
}

LB_MLI_INLINE void store_mean(int8_t *out, struct halves sum, const struct average *a, enum way way)
{
    STORE(out, JOINED_BYTES(mean_words(sum.even, a, way), mean_words(sum.odd, a, way)));
}

LB_MLI_INLINE struct halves halves_at(const int8_t *in)
{
    V bytes = LOAD(in);
    KEEP(bytes);
    return (struct halves){EVEN_BYTES(bytes), ODD_BYTES(bytes)};
}

/* In this order: the compiler would load all of a window first, and keep it in memory. */
LB_MLI_INLINE struct halves with(struct halves a, struct halves b)
{
    a.even = ADD_WORDS(a.even, b.even);
    a.odd = ADD_WORDS(a.odd, b.odd);
    KEEP(a.even);
    KEEP(a.odd);
    return a;
}

LB_MLI_INLINE struct halves column_halves(const int8_t *in, ptrdiff_t row, size_t rows)
{
    struct halves all = halves_at(in);
    for (size_t y = 1; y < rows; y++)
        all = with(all, halves_at(in + (ptrdiff_t)y * row));
    return all;
}

/* w and a: copies, which nothing that is stored can change. */
LB_MLI_INLINE void means_of(const int8_t *in, struct lb_mli_pool_windows w, size_t rows,
                            size_t cols, struct average a, enum way way, int8_t *out)
{
    for (size_t o = 0; o < w.outs; o++, in += w.hop, out += w.out_hop) {
        struct halves all = column_halves(in, w.row, rows);
        for (size_t x = 1; x < cols; x++)
            all = with(all, column_halves(in + (ptrdiff_t)x * w.col, w.row, rows));
        store_mean(out, all, &a, way);
    }
}

LB_MLI_INLINE void means_3x3_by_2(const int8_t *in, struct lb_mli_pool_windows w, struct average a,
                                  enum way way, int8_t *out)
{
    struct halves left = column_halves(in, w.row, 3);
    for (size_t o = 0; o < w.outs; o++, in += w.hop, out += w.out_hop) {
        const struct halves middle = column_halves(in + w.col, w.row, 3),
                            right = column_halves(in + 2 * w.col, w.row, 3);
        store_mean(out, with(with(left, middle), right), &a, way);
        left = right;
    }
}

#define POOL_AVERAGE(name, way)                                                                    \
    static void name(const int8_t *in, const struct lb_mli_pool_windows *w,                        \
                     const struct average *a, int8_t *out)                                         \
    {                                                                                              \
        for (size_t c = 0; c < w->channels; c += VECTOR_BYTES) {                                   \
            const size_t at = lb_mli_min_size(                                                     \
                c, w->channels - VECTOR_BYTES); /* the last may overlap the one before */          \
            if (w->rows == 3 && w->cols == 3 && w->hop == 2 * w->col)                              \
                means_3x3_by_2(in + at, *w, *a, way, out + at);                                    \
            else if (w->rows == 3 && w->cols == 3)                                                 \
                means_of(in + at, *w, 3, 3, *a, way, out + at);                                    \
            else if (w->rows == 2 && w->cols == 2)                                                 \
                means_of(in + at, *w, 2, 2, *a, way, out + at);                                    \
            else                                                                                   \
                means_of(in + at, *w, w->rows, w->cols, *a, way, out + at);                        \
        }                                                                                          \
    }

POOL_AVERAGE(pool_means_up, WAY_UP)
POOL_AVERAGE(pool_means_convergent, WAY_CONVERGENT)
POOL_AVERAGE(pool_means_up_at_once, WAY_UP_AT_ONCE)

static bool are_means_here(const struct lb_mli_pool_windows *w)
{
    return w->channels >= VECTOR_BYTES && w->rows * w->cols <= FEW;
}

static bool pool_average_s8_up(const int8_t *in, const struct lb_mli_pool_windows *w,
                               const struct lb_mli_average *q, int8_t *out)
{
    struct average a;
    if (!are_means_here(w))
        return plain_pool_average_s8[LB_MLI_UP] && plain_pool_average_s8[LB_MLI_UP](in, w, q, out);
    if (plan_average_at_once(q, &a))
        pool_means_up_at_once(in, w, &a, out);
    else if (plan_average_s8(q, &a))
        pool_means_up(in, w, &a, out);
    else
        return false;
    return true;
}

static bool pool_average_s8_convergent(const int8_t *in, const struct lb_mli_pool_windows *w,
                                       const struct lb_mli_average *q, int8_t *out)
{
    struct average a;
    if (!are_means_here(w))
        return plain_pool_average_s8[LB_MLI_CONVERGENT] &&
               plain_pool_average_s8[LB_MLI_CONVERGENT](in, w, q, out);
    if (!plan_average_s8(q, &a))
        return false;
    pool_means_convergent(in, w, &a, out);
    return true;
}

static void fill_pool_average(struct lb_mli_loops *loops)
{
    memcpy(plain_pool_average_s8, loops->pool_average_s8, sizeof plain_pool_average_s8);
    loops->pool_average_s8[LB_MLI_UP] = pool_average_s8_up;
    loops->pool_average_s8[LB_MLI_CONVERGENT] = pool_average_s8_convergent;
}
#endif

/* After the plain loops of the level. */
static void fill_pool(struct lb_mli_loops *loops)
{
    plain_max_s8 = loops->pool_max_s8;
    plain_max_s16 = loops->pool_max_s16;
    plain_sum_s8 = loops->pool_sum_s8;
    plain_sum_s16 = loops->pool_sum_s16;
    memcpy(plain_average_s8, loops->average_s8, sizeof plain_average_s8);
    memcpy(plain_average_s16, loops->average_s16, sizeof plain_average_s16);
#ifdef EVEN_BYTES
    fill_pool_average(loops);
#endif
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
