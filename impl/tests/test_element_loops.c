/* Element-wise loops at every level of this processor, held to their contracts in loops.h by the
 * total primitives: operations of two operands, conversion, averages, parametric ReLU. Lengths
 * around vectors, any alignment, parameters over their whole range. */
#include "every_level.h"

#include <math.h>

#include "eltwise.h"

enum { MOST = 333 };

/* Operands that lie at any address: element 0 is anywhere in the first vector. */
static int8_t a8[MOST + 64], b8[MOST + 64], out8[MOST + 65];
static int16_t a16[MOST + 64], b16[MOST + 64], out16[MOST + 65];

static int16_t often_at_end(int16_t v, int lo, int hi)
{
    const int choice = random_in(0, 9);
    return (int16_t)(choice == 0 ? lo : choice == 1 ? hi : choice == 2 ? v >> 6 : v);
}

static void fill(void)
{
    random_bytes(a8, sizeof a8), random_bytes(b8, sizeof b8);
    random_bytes(a16, sizeof a16), random_bytes(b16, sizeof b16);
    for (size_t i = 0; i < COUNT(a16); i++) {
        a8[i] = (int8_t)often_at_end(a8[i], INT8_MIN, INT8_MAX);
        b8[i] = (int8_t)often_at_end(b8[i], INT8_MIN, INT8_MAX);
        a16[i] = often_at_end(a16[i], INT16_MIN, INT16_MAX);
        b16[i] = often_at_end(b16[i], INT16_MIN, INT16_MAX);
    }
    memset(out8, 0x5A, sizeof out8), memset(out16, 0x5A, sizeof out16);
}

/* elementwise.md 5 */
static int32_t fx_pair(const struct lb_mli_eltwise *p, int32_t a, int32_t b)
{
    const int bits = p->kind == LB_MLI_FX16 ? 16 : 8;
    const int32_t picked = (p->op == LB_MLI_MIN) == (a < b) ? a : b;
    const int64_t of_a = (int64_t)a * (1 << p->shift1), of_b = (int64_t)b * (1 << p->shift2);
    if (p->op == LB_MLI_MIN || p->op == LB_MLI_MAX)
        return lb_mli_rsh_in(picked, p->shift, bits, p->round);
    const int64_t wide = p->op == LB_MLI_ADD   ? of_a + of_b
                         : p->op == LB_MLI_SUB ? of_a - of_b
                                               : (int64_t)a * b;
    return (int32_t)model_sat(lb_mli_rsh64(wide, p->shift, p->round), bits);
}

static int32_t sa_pair(const struct lb_mli_eltwise *p, int32_t a, int32_t b)
{
    const int32_t u = a - p->zero1, v = b - p->zero2,
                  picked = (p->op == LB_MLI_MIN) == (a < b) ? u : b - p->zero1;
    const int32_t of_a = lb_mli_rsh32(u * p->mul1, p->shift1, p->round);
    const int32_t of_b = lb_mli_rsh32(v * p->mul2, p->shift2, p->round);
    const int32_t cut = lb_mli_sat16(lb_mli_rsh32(u * v, p->pre, p->round));
    const int64_t w = p->op == LB_MLI_ADD   ? (int64_t)of_a + of_b
                      : p->op == LB_MLI_SUB ? (int64_t)of_a - of_b
                      : p->op == LB_MLI_MUL ? lb_mli_rsh32(cut * p->mul1, p->shift, p->round)
                                            : lb_mli_rsh32(picked * p->mul1, p->shift, p->round);
    return lb_mli_sat8(lb_mli_sat16(w) + p->zero_out);
}

/* Plans that eltwise_vector.c can make, regular ones. */
static struct lb_mli_eltwise random_plan(enum lb_mli_op op, enum lb_mli_kind kind,
                                         enum lb_mli_round round)
{
    const bool picks = op == LB_MLI_MIN || op == LB_MLI_MAX,
               sums = op == LB_MLI_ADD || op == LB_MLI_SUB;
    struct lb_mli_eltwise p = {.op = op, .kind = kind, .round = round, .regular = true};
    if (kind == LB_MLI_SA8) {
        p.zero1 = random_in(-128, 127);
        p.zero2 = picks ? p.zero1 : random_in(-128, 127);
        p.zero_out = random_in(-128, 127);
        p.mul1 = random_in(0, 3) ? random_in(16384, 32767) : 16384;
        p.mul2 = random_in(0, 3) ? random_in(16384, 32767) : 16384;
        p.shift1 = sums ? random_in(0, 23) : 0;
        p.shift2 = sums ? random_in(0, 23) : 0;
        const int32_t shift = random_in(0, 31);
        p.pre = op == LB_MLI_MUL ? lb_mli_clamp(shift - 21, 0, 3) : 0;
        p.shift = op == LB_MLI_MUL ? shift - p.pre : picks ? random_in(0, 23) : 0;
        return p;
    }
    const int bits = kind == LB_MLI_FX16 ? 16 : 8;
    *(random_in(0, 1) ? &p.shift1 : &p.shift2) = sums && random_in(0, 2) ? random_in(0, 14) : 0;
    p.shift = random_in(0, 3) ? random_in(0, picks ? bits - 1 : 2 * bits - 1) : 0;
    return p;
}

static void eltwise(const struct lb_mli_loops *loops)
{
    for (int k = 0; k < 6000; k++) {
        const struct lb_mli_eltwise p = random_plan(
            (enum lb_mli_op)(k % LB_MLI_OPS), (enum lb_mli_kind)(k / LB_MLI_OPS % LB_MLI_KINDS),
            (enum lb_mli_round)random_in(0, 1));
        const size_t n = (size_t)(k % 3 ? random_in(0, 130) : random_in(0, MOST));
        const size_t at = (size_t)random_in(0, 63), to = (size_t)random_in(0, 63);
        fill();
        lb_mli_eltwise_fn *const loop = loops->eltwise[p.op][p.kind][p.round];
        if (p.kind == LB_MLI_FX16)
            loop(a16 + at, b16 + to, n, &p, out16 + to);
        else
            loop(a8 + at, b8 + to, n, &p, out8 + to);
        for (size_t i = 0; i < n; i++)
            if (p.kind == LB_MLI_FX16)
                assert_int_equal(out16[to + i], fx_pair(&p, a16[at + i], b16[to + i]));
            else if (p.kind == LB_MLI_FX8)
                assert_int_equal(out8[to + i], fx_pair(&p, a8[at + i], b8[to + i]));
            else
                assert_int_equal(out8[to + i], sa_pair(&p, a8[at + i], b8[to + i]));
        assert_true(out8[to + n] == 0x5A || p.kind == LB_MLI_FX16);
        assert_true(out16[to + n] == 0x5A5A || p.kind != LB_MLI_FX16);
    }
}

/*
 * Conversion (numerics.md 7.2, 7.3)
 */

static int32_t narrow(int32_t x, const struct lb_mli_convert *q, enum lb_mli_round round)
{
    return lb_mli_sat32(
        (int64_t)lb_mli_rsh32(lb_mli_sat16(x - q->from_zero) * q->mul, q->shift, round) +
        q->to_zero);
}

static void conversions(const struct lb_mli_loops *loops)
{
    for (int k = 0; k < 3000; k++) {
        const bool zeros = random_in(0, 1);
        const struct lb_mli_convert q = {zeros ? random_in(-32768, 32767) >> random_in(0, 15) : 0,
                                         zeros ? random_in(-32768, 32767) >> random_in(0, 15) : 0,
                                         random_in(0, 2) ? random_in(16384, 32767) : 16384,
                                         random_in(0, 31)};
        const size_t n = (size_t)(k % 3 ? random_in(0, 130) : random_in(0, MOST));
        const size_t at = (size_t)random_in(0, 63), to = (size_t)random_in(0, 63);
        const int in = k & 1, out = k >> 1 & 1;
        const enum lb_mli_round round = (enum lb_mli_round)(k >> 2 & 1);
        fill();
        loops->convert[in][out][round](in ? (const void *)(a16 + at) : a8 + at, n, &q,
                                       out ? (void *)(out16 + to) : out8 + to);
        for (size_t i = 0; i < n; i++) {
            const int32_t y = narrow(in ? a16[at + i] : a8[at + i], &q, round);
            assert_int_equal(out ? out16[to + i] : out8[to + i],
                             out ? lb_mli_sat16(y) : lb_mli_sat8(y));
        }
        assert_int_equal(out ? out16[to + n] : out8[to + n], out ? 0x5A5A : 0x5A);
    }
}

static void wide_conversions(const struct lb_mli_loops *loops)
{
    int32_t v[MOST], got[MOST + 1], from_zero[MOST], to_zero[MOST], mul[MOST], shift[MOST];
    for (int k = 0; k < 3000; k++) {
        const size_t n = (size_t)random_in(0, 130);
        const enum lb_mli_round round = (enum lb_mli_round)(k & 1);
        random_bytes(v, sizeof v);
        for (size_t i = 0; i < n; i++) {
            const int choice = random_in(0, 9);
            v[i] = choice == 0 ? INT32_MIN : choice == 1 ? INT32_MAX : v[i] >> random_in(0, 31);
            from_zero[i] = random_in(0, 1) ? random_in(-32768, 32767) >> random_in(0, 15) : 0;
            to_zero[i] = random_in(0, 1) ? random_in(-32768, 32767) >> random_in(0, 15) : 0;
            mul[i] = random_in(0, 2) ? random_in(16384, 32767) : 16384;
            shift[i] = random_in(0, 7) ? random_in(-20, 63) : random_in(-400, 63);
        }
        memcpy(got, v, n * sizeof v[0]);
        got[n] = 0x5A5A;
        loops->convert_wide[round](got, n,
                                   &(struct lb_mli_convert_each){from_zero, to_zero, mul, shift});
        for (size_t i = 0; i < n; i++) {
            const int32_t d = lb_mli_sat32((int64_t)v[i] - from_zero[i]);
            const int left = lb_mli_norm32(d);
            const int64_t high = (d * ((int64_t)1 << left) * mul[i]) >> 16;
            const int32_t y = lb_mli_rsh32((int32_t)high, shift[i] + left - 16, round);
            assert_int_equal(got[i], lb_mli_sat32((int64_t)y + to_zero[i]));
        }
        assert_int_equal(got[n], 0x5A5A);
    }
}

/* Held to the formula of numerics.md 7.2, which drops bits before it rounds. */
static void conversions_from_s32(const struct lb_mli_loops *loops)
{
    int32_t v[MOST];
    int16_t got16[MOST + 1];
    int8_t got8[MOST + 1];
    for (int k = 0; k < 6000; k++) {
        const size_t n = (size_t)random_in(0, 200);
        const struct lb_mli_convert q = {
            .from_zero = random_in(0, 1) ? random_in(-32768, 32767) >> random_in(0, 15) : 0,
            .to_zero = random_in(0, 1) ? random_in(-32768, 32767) >> random_in(0, 15) : 0,
            .mul = random_in(0, 2) ? random_in(16384, 32767) : 16384,
            .shift = random_in(LB_MLI_CONVERT_LEAST, LB_MLI_CONVERT_MOST)};
        random_bytes(v, sizeof v);
        for (size_t i = 0; i < n; i++) {
            const int choice = random_in(0, 9);
            v[i] = choice == 0 ? INT32_MIN : choice == 1 ? INT32_MAX : v[i] >> random_in(0, 31);
        }
        got8[n] = 0x5A;
        got16[n] = 0x5A5A;
        loops->convert_s32[LB_MLI_8BIT](v, n, &q, got8);
        loops->convert_s32[LB_MLI_16BIT](v, n, &q, got16);
        for (size_t i = 0; i < n; i++) {
            const int32_t d = lb_mli_sat32((int64_t)v[i] - q.from_zero);
            const int left = lb_mli_norm32(d);
            const int64_t high = (d * ((int64_t)1 << left) * q.mul) >> 16;
            const int64_t y = lb_mli_rsh32((int32_t)high, q.shift + left - 16, LB_MLI_UP);
            assert_int_equal(got8[i], lb_mli_sat8(lb_mli_sat32(y + q.to_zero)));
            assert_int_equal(got16[i], lb_mli_sat16(lb_mli_sat32(y + q.to_zero)));
        }
        assert_int_equal(got8[n], 0x5A);
        assert_int_equal(got16[n], 0x5A5A);
    }
}

/* 7.3 by binary64, which rounds as binary32 does where a statement ends in one. */
static int64_t integer_of(float x, float factor)
{
    const float scaled = (float)((double)x * (double)factor);
    const float sum = (float)((double)scaled + (x > 0.0F ? 0.5 : -0.5));
    return sum != sum       ? 0
           : sum > 0x1p40F  ? INT64_C(1) << 40
           : sum < -0x1p40F ? -(INT64_C(1) << 40)
                            : (int64_t)sum;
}

static void real_conversions(const struct lb_mli_loops *loops)
{
    static const float telling[] = {0.0F,      -0.0F, 0.5F,    -0.5F,    1.5F,  INFINITY,
                                    -INFINITY, NAN,   0x1p31F, -0x1p31F, 1e-40F};
    float x[MOST], factor[MOST], y[MOST + 1];
    int32_t zero[MOST];
    for (int k = 0; k < 1500; k++) {
        const size_t n = (size_t)random_in(0, 130), to = (size_t)random_in(0, 63);
        fill();
        for (size_t i = 0; i < n; i++) {
            const float some = (float)random_in(-1000000, 1000000) * 0.001F;
            x[i] = random_in(0, 5) ? some : telling[random_in(0, (int)COUNT(telling) - 1)];
            factor[i] = random_in(0, 3) ? (float)random_in(1, 1000) * 0.01F : 1.0F;
            zero[i] = random_in(-32768, 32767) >> random_in(0, 15);
        }
        loops->quantize[LB_MLI_8BIT](x, n, factor, zero, out8 + to);
        loops->quantize[LB_MLI_16BIT](x, n, factor, zero, out16 + to);
        for (size_t i = 0; i < n; i++) {
            const int64_t v = integer_of(x[i], factor[i]);
            assert_int_equal(out8[to + i], lb_mli_sat8(v + zero[i]));
            assert_int_equal(out16[to + i], lb_mli_sat16(v + zero[i]));
        }
        assert_true(out8[to + n] == 0x5A && out16[to + n] == 0x5A5A);
        for (int wide = 0; wide < 2; wide++) {
            y[n] = 12345.0F;
            loops->dequantize[wide ? LB_MLI_16BIT : LB_MLI_8BIT](
                wide ? (const void *)(a16 + to) : a8 + to, n, factor, zero, y);
            for (size_t i = 0; i < n; i++)
                assert_true(y[i] ==
                            (float)((wide ? a16[to + i] : a8[to + i]) - zero[i]) * factor[i]);
            assert_true(y[n] == 12345.0F);
        }
    }
}

/*
 * Averages (pooling_and_movement.md 2.5, 2.6)
 */
static void averages(const struct lb_mli_loops *loops)
{
    int16_t sum8[MOST];
    int32_t sum16[MOST];
    for (int k = 0; k < 4000; k++) {
        const size_t n = (size_t)random_in(0, 130), to = (size_t)random_in(0, 63);
        const enum lb_mli_round round = (enum lb_mli_round)(k & 1);
        const int32_t elements = random_in(0, 3) ? random_in(1, 16) : random_in(1, 256);
        const bool small = random_in(0, 1);
        struct lb_mli_average q = {small ? random_in(64, 127) : random_in(16384, 32767), 0,
                                   random_in(0, 31), elements * 128};
        fill();
        if (random_in(0, 7))
            q.offset = lb_mli_shl32(random_in(-32768, 32767) >> random_in(0, 15), q.shift);
        else if (random_in(0, 1))
            random_bytes(&q.offset, sizeof q.offset);
        struct lb_mli_average wide = {random_in(16384, 32767), 0, random_in(0, 63),
                                      elements * 32768};
        for (size_t i = 0; i < n; i++) {
            sum8[i] = (int16_t)(random_in(0, 9) ? random_in(-elements * 128, elements * 127)
                                                : -elements * 128);
            sum16[i] = random_in(0, 9) ? random_in(-elements * 32768, elements * 32767)
                                       : -elements * 32768;
            if (k % 3 == 0)
                sum8[i] = (int16_t)(sum8[i] & ~15), sum16[i] &= ~4095; /* ties */
        }
        if (k % 3 == 0)
            q.mul = small ? 64 : 16384, wide.mul = 16384;
        loops->average_s8[round](sum8, n, &q, out8 + to);
        loops->average_s16[round](sum16, n, &wide, out16 + to);
        for (size_t i = 0; i < n; i++) {
            const uint32_t acc = (uint32_t)q.offset + (uint32_t)(q.mul * sum8[i]);
            assert_int_equal(out8[to + i], lb_mli_sat8(lb_mli_rsh32((int32_t)acc, q.shift, round)));
            assert_int_equal(out16[to + i], lb_mli_sat16(lb_mli_rsh64((int64_t)wide.mul * sum16[i],
                                                                      wide.shift, round)));
        }
        assert_true(out8[to + n] == 0x5A && out16[to + n] == 0x5A5A);
    }
}

/* Sums of windows, the right ends of rows of channels that fill no vector among them. */
static void sums(const struct lb_mli_loops *loops)
{
    enum { CHANNELS = 130, OUTS = 4, SIDE = 12 };
    static int16_t in16[SIDE * SIDE * CHANNELS], sum8[OUTS * CHANNELS];
    static int8_t in8[SIDE * SIDE * CHANNELS];
    static int32_t sum16[OUTS * CHANNELS];
    for (int k = 0; k < 400; k++) {
        const size_t channels = (size_t)random_in(1, CHANNELS), rows = (size_t)random_in(1, 4);
        const size_t cols = (size_t)random_in(1, 4), outs = (size_t)random_in(1, OUTS);
        const ptrdiff_t col = (ptrdiff_t)channels, row = SIDE * col, hop = random_in(1, 2) * col;
        const struct lb_mli_pool_windows w = {rows, cols, row, col, outs, hop, col, channels};
        random_bytes(in8, sizeof in8), random_bytes(in16, sizeof in16);
        memset(sum8, 0x5A, sizeof sum8), memset(sum16, 0x5A, sizeof sum16);
        loops->pool_sum_s8(in8, &w, sum8);
        loops->pool_sum_s16(in16, &w, sum16);
        for (size_t i = 0; i < OUTS * channels; i++) {
            int32_t of8 = 0, of16 = 0;
            for (size_t e = 0; e < rows * cols; e++) {
                const ptrdiff_t at = (ptrdiff_t)(i / channels) * hop + (ptrdiff_t)(e / cols) * row +
                                     (ptrdiff_t)(e % cols) * col + (ptrdiff_t)(i % channels);
                of8 += in8[at], of16 += in16[at];
            }
            assert_int_equal(sum8[i], i / channels < outs ? of8 : 0x5A5A);
            assert_int_equal(sum16[i], i / channels < outs ? of16 : 0x5A5A5A5A);
        }
    }
}

/* Averages of windows in one step: those of the sums, or nothing at all. */
static void averages_at_once(const struct lb_mli_loops *loops)
{
    enum { CHANNELS = 200, OUTS = 4, SIDE = 12 };
    static int8_t in[SIDE * SIDE * CHANNELS], out[OUTS * CHANNELS];
    unsigned taken[LB_MLI_ROUNDS][2] = {{0}};
    for (int k = 0; k < 1500; k++) {
        const enum lb_mli_round round = (enum lb_mli_round)(k & 1);
        lb_mli_pool_average_s8_fn *const average = loops->pool_average_s8[round];
        const size_t channels = (size_t)random_in(1, CHANNELS),
                     rows = (size_t)(k % 4 ? 3 : random_in(1, 6)),
                     cols = (size_t)(k % 4 ? 3 : random_in(1, 4)),
                     outs = (size_t)random_in(1, OUTS);
        const ptrdiff_t col = (ptrdiff_t)channels, row = SIDE * col, hop = random_in(1, 2) * col;
        const struct lb_mli_pool_windows w = {rows, cols, row, col, outs, hop, col, channels};
        const bool wide = k % 7 == 6; /* the multipliers of fx8 */
        const int32_t elements = (int32_t)(rows * cols);
        struct lb_mli_average q = {wide ? random_in(16384, 32767) : random_in(64, 127), 0,
                                   random_in(wide ? 13 : 5, wide ? 24 : 17), elements * 128};
        if (!average)
            continue;
        if (random_in(0, 3))
            q.offset = lb_mli_shl32(random_in(-32768, 32767) >> random_in(4, 15), q.shift);
        else if (random_in(0, 1))
            random_bytes(&q.offset, sizeof q.offset);
        if (k % 3 == 0)
            q.mul = wide ? 16384 : 64; /* ties */
        random_bytes(in, sizeof in);
        if (k % 5 == 0)
            memset(in, random_in(0, 1) ? INT8_MIN : INT8_MAX, sizeof in / 2);
        memset(out, 0x5A, sizeof out);
        const bool done = average(in, &w, &q, out);
        taken[round][wide] += done;
        for (size_t i = 0; i < OUTS * channels; i++) {
            int32_t sum = 0;
            for (size_t e = 0; e < rows * cols; e++)
                sum += in[(ptrdiff_t)(i / channels) * hop + (ptrdiff_t)(e / cols) * row +
                          (ptrdiff_t)(e % cols) * col + (ptrdiff_t)(i % channels)];
            const uint32_t acc = (uint32_t)q.offset + (uint32_t)(q.mul * sum);
            const int32_t mean = lb_mli_sat8(lb_mli_rsh32((int32_t)acc, q.shift, round));
            assert_int_equal(out[i], done && i / channels < outs ? mean : 0x5A);
        }
    }
    for (int round = 0; round < LB_MLI_ROUNDS; round++)
        assert_true(!loops->pool_average_s8[round] ||
                    (taken[round][0] > 50 && taken[round][1] > 9));
}

/*
 * Parametric ReLU (elementwise.md 4)
 */
static void prelu(const struct lb_mli_loops *loops)
{
    int32_t mul[MOST], shift[MOST];
    int16_t mul16[MOST], half[MOST], back[MOST];
    for (int k = 0; k < 3000; k++) {
        const size_t n = (size_t)random_in(0, 130), at = (size_t)random_in(0, 63),
                     to = (size_t)random_in(0, 63);
        const enum lb_mli_round round = (enum lb_mli_round)(k & 1);
        const bool far = random_in(0, 3) > 0;
        const int32_t uniform = random_in(0, 31), least = far ? LB_MLI_PRELU_LEAST : 0;
        const struct lb_mli_prelu_sa8 q = {random_in(-128, 127), random_in(-128, 127),
                                           random_in(0, 2) ? random_in(16384, 32767) : 16384,
                                           random_in(least, 31)};
        fill();
        for (size_t i = 0; i < n; i++) {
            mul[i] = random_in(0, 2) ? random_in(-32768, 32767) : random_in(0, 1) ? 16384 : -32768;
            shift[i] = random_in(least, 31);
            const int32_t s = lb_mli_min(shift[i], LB_MLI_PRELU_MOST);
            mul16[i] = (int16_t)mul[i];
            half[i] = (int16_t)(far ? 1 << (s - 10) : 0);
            back[i] = (int16_t)(far ? 1 << (25 - s) : 0);
        }
        const struct lb_mli_prelu_slopes list = {mul, shift, far ? mul16 : NULL, half, back};
        loops->prelu_sa8[round](a8 + at, &list, n, &q, out8 + to);
        for (size_t i = 0; i < n; i++) {
            const int32_t d = a8[at + i] - q.zero_in;
            const int32_t y = d < 0 ? lb_mli_rsh32(d * mul[i], shift[i], round)
                                    : lb_mli_rsh32(d * q.mul, q.shift, round);
            assert_int_equal(out8[to + i], lb_mli_sat8((int64_t)y + q.zero_out));
        }
        assert_int_equal(out8[to + n], 0x5A);
        loops->prelu_s8[round](a8 + at, b8 + to, n, uniform, out8 + to);
        loops->prelu_s16[round](a16 + at, b16 + to, n, uniform, out16 + to);
        for (size_t i = 0; i < n; i++) {
            const int32_t x = a8[at + i], wide = a16[at + i];
            const int32_t y8 = lb_mli_sat8(lb_mli_rsh32(x * b8[to + i], uniform, round));
            const int32_t y16 = lb_mli_sat16(lb_mli_rsh32(wide * b16[to + i], uniform, round));
            assert_int_equal(out8[to + i], x < 0 ? y8 : x);
            assert_int_equal(out16[to + i], wide < 0 ? y16 : wide);
        }
        assert_true(out8[to + n] == 0x5A && out16[to + n] == 0x5A5A);
    }
}

/*
 * Values that bytes stand for, and their sums (softmax)
 */
static void values(const struct lb_mli_loops *loops)
{
    static int8_t x[1500 + 64], low[256], high[256], mapped[1500 + 65];
    static int16_t value[256], words[1500 + 64];
    for (int k = 0; k < 2000; k++) {
        const size_t n = (size_t)(k % 3 ? random_in(0, 130) : random_in(0, 1500)),
                     at = (size_t)random_in(0, 63);
        int64_t sum = 0, words_sum = 0;
        random_bytes(x, sizeof x), random_bytes(words, sizeof words);
        for (int i = 0; i < 256; i++) {
            value[i] = (int16_t)(k % 4 ? random_in(0, 32767) : random_in(-32768, 32767));
            low[i] = (int8_t)(uint8_t)value[i];
            high[i] = (int8_t)((value[i] >> 8) ^ INT8_MIN);
        }
        for (size_t i = 0; i < n; i++)
            sum += value[x[at + i] + 128], words_sum += words[at + i];
        assert_int_equal(loops->sum_lut8(x + at, n, &(struct lb_mli_values){value, low, high}),
                         sum);
        assert_int_equal(loops->sum_s16(words + at, n), words_sum);
        mapped[n + 64 - at] = 0x5A;
        loops->lut8(x + at, n, low, mapped + 64 - at);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(mapped[64 - at + i], low[x[at + i] + 128]);
        assert_int_equal(mapped[n + 64 - at], 0x5A);
    }
}

TEST(eltwise, false)
TEST(conversions, false)
TEST(wide_conversions, false)
TEST(conversions_from_s32, false)
TEST(real_conversions, false)
TEST(averages, false)
TEST(sums, false)
TEST(averages_at_once, false)
TEST(prelu, false)
TEST(values, false)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eltwise),
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_wide_conversions),
        cmocka_unit_test(test_conversions_from_s32),
        cmocka_unit_test(test_real_conversions),
        cmocka_unit_test(test_averages),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_averages_at_once),
        cmocka_unit_test(test_prelu),
        cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
