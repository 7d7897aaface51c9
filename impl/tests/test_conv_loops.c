/* The inner loops of convolutions at every level of this processor, at the ends of their contracts:
 * packing, products of packed rows, depthwise sums, of every length and from any start. */
#include "every_level.h"

/*
 * Products of packed rows. Memory is exactly what the contract names, in the middle of margins that
 * must not change.
 */
enum { PIXELS = 14, CHANNELS = 11, DEPTH = 160, MARGIN = 5, ACC_ROW = CHANNELS + MARGIN };

static int32_t acc[PIXELS * ACC_ROW], expected[PIXELS * ACC_ROW];

static void start_sums(void)
{
    random_bytes(acc, sizeof acc);
    memcpy(expected, acc, sizeof acc);
}

static void dot_s16(const struct lb_mli_loops *loops)
{
    static int16_t x[PIXELS * (DEPTH + MARGIN)], w[CHANNELS * (DEPTH + MARGIN)];
    const size_t unit = loops->dot_unit / 2;
    for (int n = 0; n < 600; n++) {
        const size_t depth = (size_t)random_in(0, (int)(DEPTH / unit)) * unit,
                     row = depth + (size_t)random_in(0, MARGIN);
        const size_t pixels = (size_t)n % (PIXELS + 1), channels = (size_t)random_in(0, CHANNELS);
        random_bytes(x, sizeof x);
        random_bytes(w, sizeof w);
        for (size_t i = 0; i < COUNT(x) && n % 5 == 0; i++)
            x[i] = INT16_MIN;
        for (size_t i = 0; i < COUNT(w) && n % 10 == 0; i++)
            w[i] = INT16_MIN;
        start_sums();
        for (size_t p = 0; p < pixels; p++) {
            for (size_t c = 0; c < channels; c++) {
                uint32_t sum = (uint32_t)expected[p * ACC_ROW + c];
                for (size_t k = 0; k < depth; k++)
                    sum += (uint32_t)(x[p * row + k] * w[c * row + k]);
                expected[p * ACC_ROW + c] = (int32_t)sum;
            }
        }
        loops->dot_s16(x, row, pixels, w, row, channels, depth, acc, ACC_ROW);
        assert_memory_equal(acc, expected, sizeof acc);
    }
}

static void dot_u8s8(const struct lb_mli_loops *loops)
{
    static uint8_t x[PIXELS * (DEPTH + MARGIN)];
    static int8_t w[CHANNELS * (DEPTH + MARGIN)];
    const size_t unit = loops->dot_unit;
    for (int n = 0; n < 600 && loops->dot_u8s8; n++) {
        const size_t depth = (size_t)random_in(0, (int)(DEPTH / unit)) * unit,
                     row = depth + (size_t)random_in(0, MARGIN);
        const size_t pixels = (size_t)n % (PIXELS + 1), channels = (size_t)random_in(0, CHANNELS);
        random_bytes(x, sizeof x);
        random_bytes(w, sizeof w);
        if (n % 5 == 0)
            memset(x, UINT8_MAX, sizeof x);
        if (n % 10 == 0)
            memset(w, INT8_MIN, sizeof w);
        start_sums();
        for (size_t p = 0; p < pixels; p++) {
            for (size_t c = 0; c < channels; c++) {
                uint32_t sum = (uint32_t)expected[p * ACC_ROW + c];
                for (size_t k = 0; k < depth; k++)
                    sum += (uint32_t)(x[p * row + k] * w[c * row + k]);
                expected[p * ACC_ROW + c] = (int32_t)sum;
            }
        }
        loops->dot_u8s8(x, row, pixels, w, row, channels, depth, acc, ACC_ROW);
        assert_memory_equal(acc, expected, sizeof acc);
    }
}

static void test_dots(void **state)
{
    (void)state;
    at_every_level(dot_s16, false);
    at_every_level(dot_u8s8, false);
}

/*
 * Packing
 */
enum { ROWS = 37, COLS = 41 };

static void load(const struct lb_mli_loops *loops)
{
    int8_t in[ROWS];
    int16_t wide[ROWS + 1];
    uint8_t bytes[ROWS + 1];
    for (int n = 0; n < 1000; n++) {
        const size_t count = (size_t)n % (ROWS + 1);
        const int32_t zero = random_in(-128, 127);
        random_bytes(in, sizeof in);
        in[0] = INT8_MIN, in[1] = INT8_MAX;
        wide[count] = 0x5A5A, bytes[count] = 0x5A;
        loops->widen_s8(in, count, zero, wide);
        loops->offset_s8(in, count, bytes);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(wide[i], in[i] - zero);
            assert_int_equal(bytes[i], in[i] + 128);
        }
        assert_true(wide[count] == 0x5A5A && bytes[count] == 0x5A);
    }
}

static void transposed(const struct lb_mli_loops *loops)
{
    enum { OUT_ROW = ROWS + 2 };
    static int8_t w8[ROWS * COLS], bytes[COLS * OUT_ROW];
    static int16_t w16[ROWS * COLS], wide[COLS * OUT_ROW], low[COLS * OUT_ROW],
        high[COLS * OUT_ROW];
    for (int n = 0; n < 200; n++) {
        const size_t rows = (size_t)random_in(0, ROWS), cols = (size_t)random_in(0, COLS);
        random_bytes(w8, sizeof w8);
        random_bytes(w16, sizeof w16);
        w16[0] = INT16_MIN, w16[1] = INT16_MAX, w16[2] = 127, w16[3] = 128, w16[4] = -129;
        memset(bytes, 0x5A, sizeof bytes), memset(wide, 0x5A, sizeof wide);
        memset(low, 0x5A, sizeof low), memset(high, 0x5A, sizeof high);
        loops->pack_s8(w8, COLS, rows, cols, bytes, OUT_ROW);
        loops->pack_s8_s16(w8, COLS, rows, cols, wide, OUT_ROW);
        loops->pack_s16_split(w16, COLS, rows, cols, low, high, OUT_ROW);
        for (size_t c = 0; c < COLS; c++) {
            for (size_t r = 0; r < OUT_ROW; r++) {
                const size_t to = c * OUT_ROW + r, from = r * COLS + c;
                if (r >= rows || c >= cols) {
                    assert_true(bytes[to] == 0x5A && wide[to] == 0x5A5A && low[to] == 0x5A5A &&
                                high[to] == 0x5A5A);
                    continue;
                }
                assert_int_equal(bytes[to], w8[from]);
                assert_int_equal(wide[to], w8[from]);
                assert_int_equal(256 * high[to] + low[to], w16[from]);
                assert_true(low[to] >= -128 && low[to] <= 128 && high[to] >= -128 &&
                            high[to] <= 128);
            }
        }
    }
}

static void join(const struct lb_mli_loops *loops)
{
    int32_t low[ROWS], high[ROWS];
    int64_t sums[ROWS + 1], before[ROWS + 1];
    for (int n = 0; n < 500; n++) {
        const size_t count = (size_t)n % (ROWS + 1);
        random_bytes(low, sizeof low);
        random_bytes(high, sizeof high);
        random_bytes(sums, sizeof sums);
        low[0] = high[0] = INT32_MIN, sums[0] = INT64_MIN;
        memcpy(before, sums, sizeof sums);
        loops->join_s64(low, high, count, sums);
        for (size_t i = 0; i <= ROWS; i++) {
            const int64_t more = i < count ? (int64_t)high[i] * 256 + low[i] : 0;
            assert_true((uint64_t)sums[i] == (uint64_t)before[i] + (uint64_t)more);
        }
    }
}

static void test_packing(void **state)
{
    (void)state;
    at_every_level(load, false);
    at_every_level(transposed, false);
    at_every_level(join, false);
}

/*
 * Depthwise sums
 */
static void depthwise(const struct lb_mli_loops *loops)
{
    enum { TAPS = 23, W_ROW = COLS + 3 };
    static int8_t x8[TAPS][COLS];
    static int16_t x16[TAPS][COLS], w8[TAPS * W_ROW], w16[TAPS * W_ROW];
    const int8_t *list8[TAPS];
    const int16_t *list16[TAPS];
    int32_t narrow[COLS + 1], mixed[COLS + 1], start[COLS + 1];
    int64_t wide[COLS + 1], start_wide[COLS + 1];
    for (int n = 0; n < 1000; n++) {
        const size_t taps = (size_t)n % (TAPS + 1), count = (size_t)random_in(0, COLS);
        random_bytes(x8, sizeof x8), random_bytes(x16, sizeof x16), random_bytes(w16, sizeof w16);
        random_bytes(start, sizeof start), random_bytes(start_wide, sizeof start_wide);
        for (size_t i = 0; i < COUNT(w8); i++) {
            w8[i] = (int16_t)(n % 4 ? random_in(-128, 127) : -128);
            w16[i] = n % 4 ? w16[i] : INT16_MIN;
        }
        for (size_t t = 0; t < TAPS; t++) {
            for (size_t c = 0; c < COLS && n % 4 == 0; c++)
                x8[t][c] = INT8_MIN, x16[t][c] = INT16_MIN;
            list8[t] = x8[t], list16[t] = x16[t];
        }
        memcpy(narrow, start, sizeof start), memcpy(mixed, start, sizeof start);
        memcpy(wide, start_wide, sizeof start_wide);
        loops->depthwise_s8(list8, w8, W_ROW, taps, count, narrow);
        loops->depthwise_s16s8(list16, w8, W_ROW, taps, count, mixed);
        loops->depthwise_s16(list16, w16, W_ROW, taps, count, wide);
        for (size_t c = 0; c <= COLS; c++) {
            uint32_t sum8 = (uint32_t)start[c], sum16 = sum8;
            uint64_t sum_wide = (uint64_t)start_wide[c];
            for (size_t t = 0; t < taps && c < count; t++) {
                sum8 += (uint32_t)(x8[t][c] * w8[t * W_ROW + c]);
                sum16 += (uint32_t)(x16[t][c] * w8[t * W_ROW + c]);
                sum_wide += (uint64_t)(int64_t)(x16[t][c] * w16[t * W_ROW + c]);
            }
            assert_int_equal(narrow[c], (int32_t)sum8);
            assert_int_equal(mixed[c], (int32_t)sum16);
            assert_true((uint64_t)wide[c] == sum_wide);
        }
    }
}

static void test_depthwise(void **state)
{
    (void)state;
    at_every_level(depthwise, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dots),
        cmocka_unit_test(test_packing),
        cmocka_unit_test(test_depthwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
