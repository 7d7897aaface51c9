/* The inner loops of look-ups, reductions and dense layers at every level of this processor, at the
 * ends of their contracts, which whole kernels hardly reach, against the total primitives. */
#include "every_level.h"

#include "lookup.h"

enum { N = 67 }; /* no multiple of any vector length */

static const enum lb_mli_round rounds[] = {LB_MLI_UP, LB_MLI_CONVERGENT};

/* Small, large, and next to powers of two, within so many bits. */
static int64_t telling(int bits)
{
    const int64_t wide = (int64_t)((uint64_t)random_bits() << 32 | random_bits());
    const int64_t v = wide >> (64 - random_in(1, bits));
    const uint64_t power = (UINT64_C(1) << random_in(0, bits - 1)) - (uint64_t)random_in(0, 1);
    const int64_t near_power = power > INT64_MAX ? INT64_MAX : (int64_t)power;
    return random_in(0, 1) ? v : model_sat(random_in(0, 1) ? near_power : -near_power, bits);
}

static void lookups(const struct lb_mli_loops *loops)
{
    static struct lb_mli_lookup plan;
    static int16_t table[LB_MLI_LOOKUP_PAIRS];
    int16_t in[N], out[N + 1], out_wide[N + 1];
    int32_t x[N];
    for (int k = 0; k < 4000; k++) {
        const size_t n = (size_t)random_in(0, N);
        const enum lb_mli_round round = rounds[k % 2];
        mli_lut lut = {.length = random_in(2, LB_MLI_LOOKUP_PAIRS),
                       .in_frac_bits = random_in(-4, 10)};
        lut.data.mem.pi16 = table;
        lut.input_offset = k % 3 ? random_in(-20, 400) : random_in(-8192, 8192);
        for (int i = 0; i < lut.length; i++)
            table[i] = (int16_t)telling(15);
        lb_mli_lookup_plan(&lut, random_in(-10, 50), 1000, &plan);
        assert_true(plan.packed);
        int32_t largest = INT16_MIN;
        for (size_t i = 0; i < N; i++) {
            in[i] = (int16_t)telling(16);
            largest = lb_mli_max(largest, in[i]);
            x[i] = (int32_t)telling(plan.bits > 0 ? 32 : 17);
        }
        out[n] = out_wide[n] = 0x5A5A;
        const int32_t base = random_in(0, 1)   ? 0
                             : random_in(0, 1) ? largest
                                               : random_in(largest, 32767);
        loops->lookup_s16[round](in, base, n, &plan, out);
        loops->lookup_s32[round](x, n, &plan, out_wide);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(out[i], lb_mli_lookup_one(&plan, in[i] - base, round));
            assert_int_equal(out_wide[i], lb_mli_lookup_one(&plan, x[i], round));
        }
        assert_true(out[n] == 0x5A5A && out_wide[n] == 0x5A5A);
    }
}

static void test_lookups(void **state)
{
    (void)state;
    at_every_level(lookups, false);
}

/* What is not packed: few elements, offsets far away, steps that do not fit 16 bits, long tables.
 */
static void test_packing(void **state)
{
    (void)state;
    static struct lb_mli_lookup plan;
    static int16_t table[LB_MLI_LOOKUP_PAIRS + 1];
    mli_lut lut = {.length = LB_MLI_LOOKUP_PAIRS};
    lut.data.mem.pi16 = table;
    lb_mli_lookup_plan(&lut, 8, LB_MLI_LOOKUP_PAYS, &plan);
    assert_true(plan.packed);
    assert_true(plan.pre == 0 && plan.bits == 8 && plan.last == LB_MLI_LOOKUP_PAIRS - 2);
    lb_mli_lookup_plan(&lut, 100, LB_MLI_LOOKUP_PAYS, &plan); /* 30 bits at most are dropped */
    assert_true(plan.pre == 15 && plan.bits == 15);
    lb_mli_lookup_plan(&lut, 8, LB_MLI_LOOKUP_PAYS - 1, &plan);
    assert_false(plan.packed);
    lut.input_offset = 8193;
    lb_mli_lookup_plan(&lut, 8, 1000, &plan);
    assert_false(plan.packed);
    lut.input_offset = 0;
    lut.length++;
    lb_mli_lookup_plan(&lut, 8, 1000, &plan);
    assert_false(plan.packed);
    lut.length = 3;
    table[1] = INT16_MAX;
    lb_mli_lookup_plan(&lut, 8, 1000, &plan);
    assert_true(plan.packed);
    table[0] = -1;
    lb_mli_lookup_plan(&lut, 8, 1000, &plan);
    assert_false(plan.packed);
}

/* Arguments of look-ups, every shift. */
static void scales(const struct lb_mli_loops *loops)
{
    int32_t x[N], scaled[N];
    for (int shift = -70; shift <= 70; shift++) {
        for (int k = 0; k < 40; k++) {
            for (size_t i = 0; i < N; i++)
                scaled[i] = x[i] = (int32_t)telling(30);
            loops->lookup_scale[rounds[k % 2]](scaled, N, shift);
            for (size_t i = 0; i < N; i++)
                assert_int_equal(scaled[i], lb_mli_rsh32(x[i], shift, rounds[k % 2]));
        }
    }
}

static void test_scale(void **state)
{
    (void)state;
    at_every_level(scales, false);
}

static void reductions(const struct lb_mli_loops *loops)
{
    int8_t s8[N], best8[N], best8_before[N];
    int16_t s16[N], best16[N], best16_before[N];
    int32_t at8[N], at16[N];
    for (int k = 0; k < 4000; k++) {
        const size_t n = (size_t)random_in(0, N);
        const int32_t zero = random_in(-128, 127), first = random_in(0, 1 << 30);
        int32_t max8 = INT8_MIN, max16 = INT16_MIN;
        uint64_t squares8 = 0, squares16 = 0;
        for (size_t i = 0; i < N; i++) {
            s8[i] = (int8_t)(k % 7 ? telling(8) : INT8_MIN);
            s16[i] = (int16_t)(k % 7 ? telling(16) : INT16_MIN);
            best8_before[i] = best8[i] = (int8_t)(random_in(0, 3) ? telling(8) : s8[i]);
            best16_before[i] = best16[i] = (int16_t)(random_in(0, 3) ? telling(16) : s16[i]);
            at8[i] = at16[i] = -1;
        }
        for (size_t i = 0; i < n; i++) {
            max8 = s8[i] > max8 ? s8[i] : max8;
            max16 = s16[i] > max16 ? s16[i] : max16;
            squares8 += (uint64_t)((s8[i] - zero) * (s8[i] - zero));
            squares16 += (uint64_t)((int64_t)s16[i] * s16[i]);
        }
        assert_int_equal(loops->max_s8(s8, n), max8);
        assert_int_equal(loops->max_s16(s16, n), max16);
        assert_true(loops->squares_s8(s8, zero, n) == squares8);
        assert_true(loops->squares_s16(s16, n) == squares16);
        loops->last_max_s8(s8, first, n, best8, at8);
        loops->last_max_s16(s16, first, n, best16, at16);
        for (size_t i = 0; i < N; i++) {
            const int better8 = i < n && s8[i] >= best8_before[i],
                      better16 = i < n && s16[i] >= best16_before[i];
            assert_int_equal(best8[i], better8 ? s8[i] : best8_before[i]);
            assert_int_equal(best16[i], better16 ? s16[i] : best16_before[i]);
            assert_int_equal(at8[i], better8 ? first + (int32_t)i : -1);
            assert_int_equal(at16[i], better16 ? first + (int32_t)i : -1);
        }
    }
}

/* Sums of squares past 32 bits, in pieces and whole. */
static void large_squares(const struct lb_mli_loops *loops)
{
    static int8_t s8[100001];
    static int16_t s16[100001];
    memset(s8, INT8_MIN, sizeof s8);
    for (size_t i = 0; i < COUNT(s16); i++)
        s16[i] = INT16_MIN;
    for (size_t n = 99990; n <= 100001; n++) {
        assert_true(loops->squares_s8(s8, 127, n) == (uint64_t)n * 255 * 255);
        assert_true(loops->squares_s16(s16, n) == (uint64_t)n << 30);
    }
}

static void test_reductions(void **state)
{
    (void)state;
    at_every_level(reductions, false);
    at_every_level(large_squares, false);
}

static void dense(const struct lb_mli_loops *loops)
{
    int32_t acc[N], start[N], total[N], shifted[N];
    int64_t acc64[N], start64[N], total64[N];
    for (int k = 0; k < 6000; k++) {
        const size_t n = (size_t)random_in(0, N);
        const enum lb_mli_round round = rounds[k % 2];
        const int32_t mul = (int32_t)model_sat(telling(31), 31), shift = random_in(0, 61);
        for (size_t i = 0; i < N; i++) {
            acc[i] = (int32_t)telling(32);
            start[i] = total[i] = shifted[i] = (int32_t)telling(32);
            acc64[i] = telling(62);
            start64[i] = total64[i] = telling(63);
        }
        loops->rescale_s32[round](acc, n, mul, shift, total);
        loops->shift_s32[round](acc, n, shift % 32, shifted);
        loops->shift_s64[round](acc64, n, shift, total64);
        for (size_t i = 0; i < N; i++) {
            const int32_t part = lb_mli_sat32(lb_mli_rsh64((int64_t)acc[i] * mul, shift, round));
            assert_int_equal(total[i], i < n ? lb_mli_sat32((int64_t)start[i] + part) : start[i]);
            const int64_t sum = (int64_t)start[i] + lb_mli_rsh32(acc[i], shift % 32, round);
            assert_int_equal(shifted[i], i < n ? lb_mli_sat32(sum) : start[i]);
            assert_true(total64[i] ==
                        (i < n ? start64[i] + lb_mli_rsh64(acc64[i], shift, round) : start64[i]));
        }
    }
}

static void narrowing(const struct lb_mli_loops *loops)
{
    int32_t total[N], cut[N + 1];
    int64_t total64[N];
    int16_t out16[N + 1], out64[N + 1];
    int8_t out8[N + 1];
    for (int k = 0; k < 4000; k++) {
        const size_t n = (size_t)random_in(0, N);
        const int32_t zero = random_in(-128, 127);
        for (size_t i = 0; i < N; i++) {
            total[i] = (int32_t)telling(32);
            total64[i] = telling(64);
        }
        out8[n] = 0x5A, out16[n] = out64[n] = 0x5A5A, cut[n] = 0x5A5A5A5A;
        loops->narrow_s32_s8(total, n, zero, out8);
        loops->narrow_s32_s16(total, n, out16);
        loops->narrow_s64_s16(total64, n, out64);
        loops->cut_bias(total, n, cut);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(out8[i], model_sat((int64_t)total[i] + zero, 8));
            assert_int_equal(out16[i], model_sat(total[i], 16));
            assert_int_equal(out64[i], model_sat(total64[i], 16));
            const int drop = 16 - model_norm(total[i], 32) > 0 ? 16 - model_norm(total[i], 32) : 0;
            assert_int_equal(cut[i],
                             model_floor_div(total[i], (int64_t)1 << drop) * ((int64_t)1 << drop));
        }
        assert_true(out8[n] == 0x5A && out16[n] == 0x5A5A && out64[n] == 0x5A5A &&
                    cut[n] == 0x5A5A5A5A);
    }
}

/* Whole groups of vectors are written. */
static void pairs(const struct lb_mli_loops *loops)
{
    enum { GROUPS = 256 };
    int32_t a[GROUPS], b[GROUPS];
    int8_t out[GROUPS + 1];
    for (int k = 0; k < 4000 && loops->dense_pair_s8[0]; k++) {
        const enum lb_mli_round round = rounds[k % 2];
        const size_t n = (size_t)random_in(1, 130), group = 4 * loops->panel_lanes;
        const size_t written = (n + group - 1) / group * group;
        struct lb_mli_dense_pair q = {.mul_a = (int32_t)model_sat(telling(31), 31),
                                      .shift_a = random_in(0, 1) ? 33 : random_in(33, 63),
                                      .mul_b = (int32_t)model_sat(telling(31), 31),
                                      .shift_b = random_in(33, 63),
                                      .zero = random_in(-128, 127)};
        for (size_t i = 0; i < GROUPS; i++) {
            a[i] = (int32_t)telling(32);
            b[i] = (int32_t)telling(32);
        }
        out[written] = 0x5A;
        loops->dense_pair_s8[round](a, b, n, &q, out);
        for (size_t i = 0; i < n; i++) {
            const int64_t sum = lb_mli_rsh64((int64_t)a[i] * q.mul_a, q.shift_a, round) +
                                lb_mli_rsh64((int64_t)b[i] * q.mul_b, q.shift_b, round);
            assert_int_equal(out[i], model_sat(sum + q.zero, 8));
        }
        assert_int_equal(out[written], 0x5A);
    }
}

/* One row of bytes by packed weights, against the panels for any number of pixels. */
static void panel_rows(const struct lb_mli_loops *loops)
{
    enum { LANES = 16, VECTORS = 19, STEPS = 9, PANEL = STEPS * 2 * LANES * 4 };
    static _Alignas(64) int8_t w[(VECTORS + 1) / 2 * PANEL];
    _Alignas(64) int32_t start[VECTORS * LANES], acc[VECTORS * LANES + 1],
        expected[VECTORS * LANES];
    uint8_t x[STEPS * 4];
    for (int k = 0; k < 400 && loops->panel_row_u8s8; k++) {
        const size_t vectors = (size_t)random_in(1, VECTORS), steps = (size_t)random_in(1, STEPS);
        const char *const run = (const char *)x;
        const struct lb_mli_pixels pixel = {&run, 1, steps, 0};
        assert_int_equal(loops->panel_lanes, LANES);
        random_bytes(w, sizeof w), random_bytes(x, sizeof x), random_bytes(start, sizeof start);
        acc[vectors * LANES] = 0x5A5A5A5A;
        loops->panel_u8s8(&pixel, 1, w, PANEL, vectors, start, expected, VECTORS * LANES);
        loops->panel_row_u8s8(x, steps, w, PANEL, vectors, start, acc);
        assert_memory_equal(acc, expected, vectors * LANES * sizeof acc[0]);
        assert_int_equal(acc[vectors * LANES], 0x5A5A5A5A);
    }
}

static void test_dense(void **state)
{
    (void)state;
    at_every_level(dense, false);
    at_every_level(narrowing, false);
    at_every_level(pairs, false);
    at_every_level(panel_rows, false);
}

/* One step of words: each lane has its two rows, lanes without a column are 0, nothing else is
 * written. */
static void pack_words(const struct lb_mli_loops *loops)
{
    enum { COLS = 131, ROOM = 2 * (COLS + 64) };
    static int16_t row[2][COLS], packed[ROOM];
    for (int k = 0; k < 3000 && loops->panel_pack_s16; k++) {
        const size_t n = (size_t)random_in(1, COLS), lanes = loops->panel_lanes,
                     vectors = (n + lanes - 1) / lanes, written = vectors * lanes;
        const int16_t *const rows[2] = {row[0], row[k % 5 ? 1 : 0]};
        int16_t *out[COLS];
        for (size_t c = 0; c < COLS; c++) {
            row[0][c] = (int16_t)telling(16);
            row[1][c] = (int16_t)(k % 7 ? telling(16) : INT16_MIN);
        }
        for (size_t i = 0; i < ROOM; i++)
            packed[i] = 0x5A5A;
        for (size_t v = 0; v < vectors; v++)
            out[vectors - 1 - v] = packed + v * 2 * lanes; /* any place will do */
        loops->panel_pack_s16(rows, n, out);
        for (size_t c = 0; c < written; c++)
            for (size_t r = 0; r < 2; r++)
                assert_int_equal(out[c / lanes][c % lanes * 2 + r], c < n ? rows[r][c] : 0);
        for (size_t i = 2 * written; i < ROOM; i++)
            assert_int_equal(packed[i], 0x5A5A);
    }
}

/* Sums of halves into 64 bits, modulo 2^64. */
static void join_rows(const struct lb_mli_loops *loops)
{
    int32_t low[N], high[N];
    int64_t acc[N], before[N];
    for (int k = 0; k < 3000 && loops->panel_join_rows_s64; k++) {
        const size_t n = (size_t)random_in(0, N);
        for (size_t i = 0; i < N; i++) {
            low[i] = (int32_t)(k % 7 ? telling(32) : INT32_MIN);
            high[i] = (int32_t)(k % 7 ? telling(32) : INT32_MAX);
            before[i] = acc[i] = telling(64);
        }
        loops->panel_join_rows_s64(low, high, n, acc);
        for (size_t i = 0; i < N; i++) {
            const uint64_t sum =
                (uint64_t)before[i] + (uint64_t)((int64_t)low[i] + (int64_t)high[i] * 256);
            assert_true(acc[i] == (i < n ? (int64_t)sum : before[i]));
        }
    }
}

/* Words by words in two halves of x, as cells of 16 bits do: packed, multiplied, joined. With as
 * many steps as a sum of 32 bits holds, of the largest products too. */
static void words_in_halves(const struct lb_mli_loops *loops)
{
    enum { LANES = 16, VECTORS = 5, COLS = VECTORS * LANES, MOST = 252 };
    static int16_t w[2 * MOST][COLS], x[2 * MOST], half[2][2 * MOST];
    static _Alignas(64) int16_t packed[(VECTORS + 1) / 2 * 2 * LANES * 2 * MOST];
    static const int32_t zeros[COLS];
    int32_t sums[2][COLS];
    int64_t acc[COLS];
    for (int k = 0; k < 60 && loops->panel_pack_s16; k++) {
        const size_t lanes = loops->panel_lanes, n = (size_t)random_in(1, COLS),
                     vectors = (n + lanes - 1) / lanes, panel = 4 * lanes * MOST;
        const size_t steps = k < 8 ? MOST : (size_t)random_in(1, MOST);
        const char *const run = (const char *)half;
        const struct lb_mli_pixels pixels = {&run, 1, steps, sizeof half[0]};
        assert_true(lanes <= LANES);
        for (size_t i = 0; i < 2 * steps; i++) {
            x[i] = (int16_t)(k >= 8 ? telling(16) : k % 2 ? INT16_MAX : INT16_MIN + k / 2 * 0x80);
            half[0][i] = (int16_t)(((x[i] & 0xFF) ^ 0x80) - 0x80);
            half[1][i] = (int16_t)((x[i] - half[0][i]) / 256);
            for (size_t c = 0; c < n; c++)
                w[i][c] = (int16_t)(k >= 8 ? telling(16) : c % 2 ? INT16_MIN : INT16_MAX);
        }
        for (size_t s = 0; s < steps; s++) {
            const int16_t *const rows[2] = {w[2 * s], w[2 * s + 1]};
            int16_t *out[COLS];
            for (size_t v = 0; v < vectors; v++) {
                const size_t of_panel = v / 2 * 2 + 2 <= vectors ? 2 : 1;
                out[v] = packed + v / 2 * panel + (s * of_panel + v % 2) * 2 * lanes;
            }
            loops->panel_pack_s16(rows, n, out);
        }
        loops->panel_s16(&pixels, 2, packed, panel * sizeof packed[0], vectors, zeros, sums[0],
                         COLS);
        memset(acc, 0, sizeof acc);
        loops->panel_join_rows_s64(sums[0], sums[1], n, acc);
        for (size_t c = 0; c < n; c++) {
            int64_t expected = 0;
            for (size_t i = 0; i < 2 * steps; i++)
                expected += (int64_t)x[i] * w[i][c];
            assert_true(acc[c] == expected);
        }
    }
}

static void test_words(void **state)
{
    (void)state;
    at_every_level(pack_words, false);
    at_every_level(join_rows, false);
    at_every_level(words_in_halves, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lookups), cmocka_unit_test(test_packing),
        cmocka_unit_test(test_scale),   cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_dense),   cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
