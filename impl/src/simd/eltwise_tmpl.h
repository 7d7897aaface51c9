/* Element-wise operations of two operands (elementwise.md 5) in vectors. Every operation makes
 * words out of words; operands of 8 bits are widened. What fills no vector is the end of one that
 * overlaps the one before. Plans out of the ordinary, and rows shorter than a vector, go to the
 * loops of the level before. */
#include "eltwise.h"
#include "simd/rounding.h"

static lb_mli_eltwise_fn *plain_eltwise[LB_MLI_OPS][LB_MLI_KINDS]
                                       [LB_MLI_ROUNDS]; /* written by the fill function alone */

/* What operations need of a plan; each uses a part, and the rest costs nothing. */
struct constants {
    struct rounding sum;         /* fx16 add, sub, mul: of 32 bits; sa8 mul: pre */
    struct word_rounding narrow; /* fx8 add, sub, mul; fx min, max */
    V weights;                   /* fx16 add, sub: of a and b */
    V most;                      /* fx min, max: what has room for the half */
    int32_t left_a, left_b;      /* fx8 */
    V power_a, power_b;          /* sa8 near: 2^n, to the left by n */
    V mul_a, mul_b;
    struct scaling far_a, far_b; /* sa8; mul: far_a */
    V left;                      /* sa8 mul: of the product */
};

/*
 * fx
 */

LB_MLI_INLINE V fx16_sum(V a, V b, const struct constants *k, enum lb_mli_round round)
{
    const V low = MADD_WORDS(LOW_WORDS(a, b), k->weights),
            high = MADD_WORDS(HIGH_WORDS(a, b), k->weights);
    return PACK_WORDS(rounded(low, &k->sum, round), rounded(high, &k->sum, round));
}

LB_MLI_INLINE V fx16_mul(V a, V b, const struct constants *k, enum lb_mli_round round)
{
    const struct products p = products_of(a, b);
    return PACK_WORDS(rounded(p.low, &k->sum, round), rounded(p.high, &k->sum, round));
}

LB_MLI_INLINE V fx8_add(V a, V b, const struct constants *k, enum lb_mli_round round)
{
    return rounded_words(ADD_WORDS(SLL_WORDS(a, k->left_a), SLL_WORDS(b, k->left_b)), &k->narrow,
                         round);
}

LB_MLI_INLINE V fx8_sub(V a, V b, const struct constants *k, enum lb_mli_round round)
{
    return rounded_words(SUB_WORDS_SATURATING(SLL_WORDS(a, k->left_a), SLL_WORDS(b, k->left_b)),
                         &k->narrow, round);
}

LB_MLI_INLINE V fx8_mul(V a, V b, const struct constants *k, enum lb_mli_round round)
{
    return rounded_words(MUL_WORDS(a, b), &k->narrow, round);
}

/* The one shift whose half saturates, in the width of the element (elementwise.md 1). Convergent:
 * nothing saturates, so the half is that of the rest alone. */
LB_MLI_INLINE V fx_shifted(V v, const struct constants *k, enum lb_mli_round round)
{
    if (round == LB_MLI_UP)
        return SRA_WORDS(ADD_WORDS(MIN_WORDS(v, k->most), k->narrow.half), k->narrow.n);
    const V rest = ADD_WORDS(AND(v, k->narrow.mask), k->narrow.half);
    const V y = ADD_WORDS(SRA_WORDS(v, k->narrow.n), SRL_WORDS(rest, k->narrow.n));
    return EVEN_WORDS_WHERE_0(y, OR(AND(rest, k->narrow.mask), k->narrow.whole));
}

LB_MLI_INLINE V fx_min(V a, V b, const struct constants *k, enum lb_mli_round round)
{
    return fx_shifted(MIN_WORDS(a, b), k, round);
}

LB_MLI_INLINE V fx_max(V a, V b, const struct constants *k, enum lb_mli_round round)
{
    return fx_shifted(MAX_WORDS(a, b), k, round);
}

/*
 * sa8: operands less their zero points, 9 bits. near: shifts of 8 to 15, where a difference can go
 * left by what is missing to 15; far: shifts of 10 to 23, from a difference that went left by 7.
 */
enum { FAR_LEFT = 7 };

LB_MLI_INLINE V near_a(V d, const struct constants *k, enum lb_mli_round round)
{
    return scaled_near(MUL_WORDS(d, k->power_a), k->mul_a, round);
}

LB_MLI_INLINE V near_b(V d, const struct constants *k, enum lb_mli_round round)
{
    return scaled_near(MUL_WORDS(d, k->power_b), k->mul_b, round);
}

LB_MLI_INLINE V far_a(V d, const struct constants *k, enum lb_mli_round round)
{
    return scaled_far(SLL_WORDS(d, FAR_LEFT), &k->far_a, round);
}

LB_MLI_INLINE V far_b(V d, const struct constants *k, enum lb_mli_round round)
{
    return scaled_far(SLL_WORDS(d, FAR_LEFT), &k->far_b, round);
}

/* A sum that 16 bits do not hold is beyond 8 bits in any case. */
#define SA_OPERATION(name, expression)                                                             \
    LB_MLI_INLINE V name(V a, V b, const struct constants *k, enum lb_mli_round round)             \
    {                                                                                              \
        return expression;                                                                         \
    }

SA_OPERATION(add_near, ADD_WORDS_SATURATING(near_a(a, k, round), near_b(b, k, round)))
SA_OPERATION(add_far, ADD_WORDS_SATURATING(far_a(a, k, round), far_b(b, k, round)))
SA_OPERATION(sub_near, SUB_WORDS_SATURATING(near_a(a, k, round), near_b(b, k, round)))
SA_OPERATION(sub_far, SUB_WORDS_SATURATING(far_a(a, k, round), far_b(b, k, round)))
SA_OPERATION(min_far, far_a(MIN_WORDS(a, b), k, round))
SA_OPERATION(max_far, far_a(MAX_WORDS(a, b), k, round))

/* Products of 17 bits become words: those that do not fit give a result beyond 8 bits, saturated or
 * not. */
LB_MLI_INLINE V mul_near(V a, V b, const struct constants *k, enum lb_mli_round round)
{
    const struct products p = products_of(a, b);
    return scaled_far(PACK_WORDS(SLL(p.low, k->left), SLL(p.high, k->left)), &k->far_a, round);
}

/* Where zero points are so small that products are words (plan_sa8_mul). cut: with a first shift.
 */
LB_MLI_INLINE V mul_words(V a, V b, const struct constants *k, enum lb_mli_round round)
{
    return scaled_far(MUL_WORDS(a, b), &k->far_a, round);
}

LB_MLI_INLINE V mul_words_cut(V a, V b, const struct constants *k, enum lb_mli_round round)
{
    return scaled_far(rounded_words(MUL_WORDS(a, b), &k->narrow, round), &k->far_a, round);
}

LB_MLI_INLINE V mul_far(V a, V b, const struct constants *k, enum lb_mli_round round)
{
    const struct products p = products_of(a, b);
    const V cut = PACK_WORDS(rounded(p.low, &k->sum, round), rounded(p.high, &k->sum, round));
    return scaled_far(cut, &k->far_a, round);
}

/*
 * Loops
 */

/* n: a vector or more. Zero points: 0 for fx. Words of the even bytes, and of the odd ones. */
#define BYTE_LOOP(name, operation, round)                                                          \
    static void name(const int8_t *a, const int8_t *b, size_t n, const struct lb_mli_eltwise *p,   \
                     const struct constants *constants, int8_t *out)                               \
    {                                                                                              \
        const struct constants k = *constants;                                                     \
        const V zero = SET_WORDS(p->zero_out);                                                     \
        for (size_t at = 0; at < n; at += VECTOR_BYTES) {                                          \
            const size_t i = lb_mli_min_size(at, n - VECTOR_BYTES);                                \
            const V a_bytes = LOAD(a + i), b_bytes = LOAD(b + i);                                  \
            const V a0 = SUB_WORDS(EVEN_BYTES(a_bytes), p->zero1),                                 \
                    b0 = SUB_WORDS(EVEN_BYTES(b_bytes), p->zero2);                                 \
            const V a1 = SUB_WORDS(ODD_BYTES(a_bytes), p->zero1),                                  \
                    b1 = SUB_WORDS(ODD_BYTES(b_bytes), p->zero2);                                  \
            const V y0 = ADD_WORDS_SATURATING(operation(a0, b0, &k, round), zero);                 \
            const V y1 = ADD_WORDS_SATURATING(operation(a1, b1, &k, round), zero);                 \
            STORE(out + i, JOINED_BYTES(y0, y1));                                                  \
        }                                                                                          \
    }
#define WORD_LOOP(name, operation, round)                                                          \
    static void name(const int16_t *a, const int16_t *b, size_t n,                                 \
                     const struct constants *constants, int16_t *out)                              \
    {                                                                                              \
        const struct constants k = *constants;                                                     \
        for (size_t at = 0; at < n; at += VECTOR_BYTES / 2) {                                      \
            const size_t i = lb_mli_min_size(at, n - VECTOR_BYTES / 2);                            \
            STORE(out + i, operation(LOAD(a + i), LOAD(b + i), &k, round));                        \
        }                                                                                          \
    }
#define BOTH(loop, name, operation)                                                                \
    loop(name##_up, operation, LB_MLI_UP) loop(name##_convergent, operation, LB_MLI_CONVERGENT)

BOTH(BYTE_LOOP, bytes_add, fx8_add)
BOTH(BYTE_LOOP, bytes_sub, fx8_sub)
BOTH(BYTE_LOOP, bytes_mul, fx8_mul)
BOTH(BYTE_LOOP, bytes_min, fx_min)
BOTH(BYTE_LOOP, bytes_max, fx_max)
BOTH(BYTE_LOOP, bytes_add_near, add_near)
BOTH(BYTE_LOOP, bytes_add_far, add_far)
BOTH(BYTE_LOOP, bytes_sub_near, sub_near)
BOTH(BYTE_LOOP, bytes_sub_far, sub_far)
BOTH(BYTE_LOOP, bytes_mul_near, mul_near)
BOTH(BYTE_LOOP, bytes_mul_far, mul_far)
BOTH(BYTE_LOOP, bytes_mul_words, mul_words)
BOTH(BYTE_LOOP, bytes_mul_words_cut, mul_words_cut)
BOTH(BYTE_LOOP, bytes_min_far, min_far)
BOTH(BYTE_LOOP, bytes_max_far, max_far)
BOTH(WORD_LOOP, words_sum, fx16_sum)
BOTH(WORD_LOOP, words_mul, fx16_mul)
BOTH(WORD_LOOP, words_min, fx_min)
BOTH(WORD_LOOP, words_max, fx_max)

typedef void bytes_fn(const int8_t *a, const int8_t *b, size_t n, const struct lb_mli_eltwise *p,
                      const struct constants *constants, int8_t *out);
typedef void words_fn(const int16_t *a, const int16_t *b, size_t n,
                      const struct constants *constants, int16_t *out);

#define BOTH_ROUNDS(name)                                                                          \
    {                                                                                              \
        name##_up, name##_convergent                                                               \
    }

static bytes_fn *const fx8_loops[LB_MLI_OPS][LB_MLI_ROUNDS] = {
    [LB_MLI_ADD] = BOTH_ROUNDS(bytes_add), [LB_MLI_SUB] = BOTH_ROUNDS(bytes_sub),
    [LB_MLI_MUL] = BOTH_ROUNDS(bytes_mul), [LB_MLI_MIN] = BOTH_ROUNDS(bytes_min),
    [LB_MLI_MAX] = BOTH_ROUNDS(bytes_max),
};
static bytes_fn *const near_loops[LB_MLI_OPS][LB_MLI_ROUNDS] = {
    [LB_MLI_ADD] = BOTH_ROUNDS(bytes_add_near),
    [LB_MLI_SUB] = BOTH_ROUNDS(bytes_sub_near),
    [LB_MLI_MUL] = BOTH_ROUNDS(bytes_mul_near),
};
static bytes_fn *const far_loops[LB_MLI_OPS][LB_MLI_ROUNDS] = {
    [LB_MLI_ADD] = BOTH_ROUNDS(bytes_add_far), [LB_MLI_SUB] = BOTH_ROUNDS(bytes_sub_far),
    [LB_MLI_MUL] = BOTH_ROUNDS(bytes_mul_far), [LB_MLI_MIN] = BOTH_ROUNDS(bytes_min_far),
    [LB_MLI_MAX] = BOTH_ROUNDS(bytes_max_far),
};
/* sa8 mul: without a first shift, with one. */
static bytes_fn *const mul_words_loops[2][LB_MLI_ROUNDS] = {BOTH_ROUNDS(bytes_mul_words),
                                                            BOTH_ROUNDS(bytes_mul_words_cut)};
static words_fn *const fx16_loops[LB_MLI_OPS][LB_MLI_ROUNDS] = {
    [LB_MLI_ADD] = BOTH_ROUNDS(words_sum), [LB_MLI_SUB] = BOTH_ROUNDS(words_sum),
    [LB_MLI_MUL] = BOTH_ROUNDS(words_mul), [LB_MLI_MIN] = BOTH_ROUNDS(words_min),
    [LB_MLI_MAX] = BOTH_ROUNDS(words_max),
};

static inline bool compares(const struct lb_mli_eltwise *p)
{
    return p->op == LB_MLI_MIN || p->op == LB_MLI_MAX;
}

static void plan_comparison(const struct lb_mli_eltwise *p, int32_t top, struct constants *k)
{
    k->narrow = word_rounding_by(p->shift);
    k->most = SET_WORDS(top - ((1 << p->shift) >> 1));
}

/* The loop for a plan, NULL if there is none. Everything stays within words. */
static bytes_fn *plan_fx8(const struct lb_mli_eltwise *p, struct constants *k)
{
    if (compares(p)) {
        plan_comparison(p, INT8_MAX, k);
    } else {
        if (p->shift1 > 7 || p->shift2 > 7 || p->shift > 14)
            return NULL;
        k->left_a = p->shift1;
        k->left_b = p->shift2;
        k->narrow = word_rounding_by(p->shift);
    }
    return fx8_loops[p->op][p->round];
}

static inline bool both_within(const struct lb_mli_eltwise *p, int32_t least, int32_t most)
{
    return p->shift1 >= least && p->shift1 <= most && p->shift2 >= least && p->shift2 <= most;
}

/* Products of operands less their zero points, and the half of the first shift, are words. */
static inline bool products_are_words(const struct lb_mli_eltwise *p)
{
    const int32_t a = 128 + (p->zero1 < 0 ? -p->zero1 : p->zero1),
                  b = 128 + (p->zero2 < 0 ? -p->zero2 : p->zero2);
    return a * b + ((1 << p->pre) >> 1) <= INT16_MAX;
}

static bytes_fn *plan_sa8_mul(const struct lb_mli_eltwise *p, struct constants *k)
{
    if (p->shift < (p->pre ? 17 : 4) || p->shift > 30)
        return NULL;
    const int32_t left = lb_mli_max(17 - p->shift, 0);
    k->left = SET(left);
    k->far_a = scaling_by(p->mul1, p->shift + left);
    k->sum = rounding_by(p->pre);
    k->narrow = word_rounding_by(p->pre);
    if (left == 0 && products_are_words(p))
        return mul_words_loops[p->pre > 0][p->round];
    return (p->pre ? far_loops : near_loops)[LB_MLI_MUL][p->round];
}

static bytes_fn *plan_sa8(const struct lb_mli_eltwise *p, struct constants *k)
{
    if (p->op == LB_MLI_MUL)
        return plan_sa8_mul(p, k);
    if (compares(p)) {
        if (p->shift < 10 || p->shift > 23)
            return NULL;
        k->far_a = scaling_by(p->mul1, p->shift + FAR_LEFT);
        return far_loops[p->op][p->round];
    }
    if (both_within(p, 8, 15)) {
        k->power_a = SET_WORDS(1 << (15 - p->shift1));
        k->power_b = SET_WORDS(1 << (15 - p->shift2));
        k->mul_a = SET_WORDS(p->mul1);
        k->mul_b = SET_WORDS(p->mul2);
        return near_loops[p->op][p->round];
    }
    if (!both_within(p, 10, 23))
        return NULL;
    k->far_a = scaling_by(p->mul1, p->shift1 + FAR_LEFT);
    k->far_b = scaling_by(p->mul2, p->shift2 + FAR_LEFT);
    return far_loops[p->op][p->round];
}

/* Shifted sums stay below 2^30; a product of 2^30 leaves no room for the half of a shift of 31. */
static words_fn *plan_fx16(const struct lb_mli_eltwise *p, struct constants *k)
{
    if (compares(p)) {
        plan_comparison(p, INT16_MAX, k);
    } else {
        if (p->op == LB_MLI_MUL && p->shift > 30)
            return NULL;
        const uint32_t of_a = UINT32_C(1) << p->shift1, of_b = UINT32_C(1) << p->shift2;
        k->weights = SET((int32_t)(of_a | (p->op == LB_MLI_SUB ? 0 - of_b : of_b) << 16));
        k->sum = rounding_by(p->shift);
    }
    return fx16_loops[p->op][p->round];
}

/*
 * Entries
 */

/* fx8 without any shift, which is all of it where formats are equal. */
#define EQUAL(name, operation)                                                                     \
    static void name(const int8_t *a, const int8_t *b, size_t n, int8_t *out)                      \
    {                                                                                              \
        for (size_t at = 0; at < n; at += VECTOR_BYTES) {                                          \
            const size_t i = lb_mli_min_size(at, n - VECTOR_BYTES);                                \
            STORE(out + i, operation(LOAD(a + i), LOAD(b + i)));                                   \
        }                                                                                          \
    }

EQUAL(equal_add, ADD_BYTES_SATURATING)
EQUAL(equal_sub, SUB_BYTES_SATURATING)
EQUAL(equal_min, MIN_BYTES)
EQUAL(equal_max, MAX_BYTES)

typedef void equal_fn(const int8_t *a, const int8_t *b, size_t n, int8_t *out);
static equal_fn *const equal_loops[LB_MLI_OPS] = {[LB_MLI_ADD] = equal_add,
                                                  [LB_MLI_SUB] = equal_sub,
                                                  [LB_MLI_MIN] = equal_min,
                                                  [LB_MLI_MAX] = equal_max};

static inline bool shifts_nothing(const struct lb_mli_eltwise *p)
{
    return p->kind == LB_MLI_FX8 && p->op != LB_MLI_MUL && p->shift == 0 && p->shift1 == 0 &&
           p->shift2 == 0;
}

static void eltwise_s8(const void *a, const void *b, size_t n, const struct lb_mli_eltwise *p,
                       void *out)
{
    struct constants k;
    bytes_fn *loop = NULL;
    if (n >= VECTOR_BYTES && shifts_nothing(p)) {
        equal_loops[p->op](a, b, n, out);
        return;
    }
    if (n >= VECTOR_BYTES)
        loop = p->kind == LB_MLI_FX8 ? plan_fx8(p, &k) : plan_sa8(p, &k);
    if (loop)
        loop(a, b, n, p, &k, out);
    else
        plain_eltwise[p->op][p->kind][p->round](a, b, n, p, out);
}

static void eltwise_s16(const void *a, const void *b, size_t n, const struct lb_mli_eltwise *p,
                        void *out)
{
    struct constants k;
    words_fn *const loop = n >= VECTOR_BYTES / 2 ? plan_fx16(p, &k) : NULL;
    if (loop)
        loop(a, b, n, &k, out);
    else
        plain_eltwise[p->op][p->kind][p->round](a, b, n, p, out);
}

/* After the loops of the level before. */
static void fill_eltwise(struct lb_mli_loops *loops)
{
    for (int op = 0; op < LB_MLI_OPS; op++) {
        for (int kind = 0; kind < LB_MLI_KINDS; kind++) {
            for (int round = 0; round < LB_MLI_ROUNDS; round++) {
                plain_eltwise[op][kind][round] = loops->eltwise[op][kind][round];
                loops->eltwise[op][kind][round] = kind == LB_MLI_FX16 ? eltwise_s16 : eltwise_s8;
            }
        }
    }
}
