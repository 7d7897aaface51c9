/* The inner loops of the current level at the ends of their contracts, which whole kernels hardly
 * reach: accumulators over their full range, every shift, every length, against the total
 * primitives (conv.md 3, 4.5). MLI_CPU chooses the level, so that each can be tested. */
#include <stdlib.h>

#include "support.h"

#include "weighted.h"

enum { N = 131 }; /* no multiple of any vector length */

static const enum lb_mli_round rounds[] = {LB_MLI_UP, LB_MLI_CONVERGENT};

/* Small, large, and next to powers of two. */
static int64_t telling(int bits)
{
    const int64_t wide = (int64_t)((uint64_t)random_bits() << 32 | random_bits());
    const int64_t v = wide >> (64 - random_in(1, bits));
    const int64_t near_power = (int64_t)((uint64_t)1 << random_in(0, bits - 2)) - random_in(0, 2);
    return random_in(0, 1) ? v : model_sat(random_in(0, 1) ? near_power : -near_power, bits);
}

static int64_t add_64(int64_t a, int32_t b)
{
    if (b > 0 && a > INT64_MAX - b)
        return INT64_MAX;
    if (b < 0 && a < INT64_MIN - b)
        return INT64_MIN;
    return a + b;
}

static void test_fx_results(void **state)
{
    (void)state;
    const struct lb_mli_loops *const loops = lb_mli_loops();
    int64_t acc64[N];
    int32_t acc[N], bias[N];
    int16_t out16[N + 1], wide[N + 1];
    int8_t out8[N + 1];
    for (int k = 0; k < 20000; k++) {
        const size_t n = (size_t)random_in(0, N);
        for (size_t i = 0; i < N; i++) {
            acc64[i] = telling(64);
            acc[i] = (int32_t)telling(32);
            bias[i] = (int32_t)telling(32);
        }
        const struct lb_mli_fx_result narrow = {k % 32, -random_in(0, 128), random_in(0, 127)};
        const struct lb_mli_fx_result full = {k % 64, -random_in(0, 32768), random_in(0, 32767)};
        const enum lb_mli_round round = rounds[k / 64 % 2];
        out8[n] = 0x5A, out16[n] = wide[n] = 0x5A5A;
        loops->result_s32_s8[round](acc, bias, n, &narrow, out8);
        loops->result_s32_s16[round](acc, bias, n, &narrow, out16);
        loops->result_s64_s16[round](acc64, bias, n, &full, wide);
        for (size_t i = 0; i < n; i++) {
            const int32_t y =
                lb_mli_rsh32(lb_mli_sat32((int64_t)acc[i] + bias[i]), narrow.shift, round);
            assert_int_equal(out8[i], lb_mli_clamp(y, narrow.lo, narrow.hi));
            assert_int_equal(out16[i], lb_mli_clamp(y, narrow.lo, narrow.hi));
            const int64_t z = lb_mli_rsh64(add_64(acc64[i], bias[i]), full.shift, round);
            assert_int_equal(wide[i], lb_mli_clamp(lb_mli_sat32(z), full.lo, full.hi));
        }
        assert_true(out8[n] == 0x5A && out16[n] == 0x5A5A && wide[n] == 0x5A5A);
    }
}

static void test_sa_results(void **state)
{
    (void)state;
    const struct lb_mli_loops *const loops = lb_mli_loops();
    int32_t acc[N], bias[N], mul[N], shift[N], pre[N], far_half[N];
    int8_t out[N + 1];
    for (int k = 0; k < 20000; k++) {
        const enum lb_mli_profile profile = (enum lb_mli_profile)(k % LB_MLI_PROFILES);
        const enum lb_mli_round round = lb_mli_profile_round(profile);
        const bool reduced = lb_mli_profile_reduced(profile);
        const size_t n = (size_t)random_in(0, N);
        const bool far = random_in(0, 2) > 0,
                   near_zero = random_in(0, 1) > 0; /* many sums saturate, or few */
        for (size_t i = 0; i < N; i++) {
            acc[i] = (int32_t)telling(32) >> (near_zero ? random_in(1, 20) : 0);
            bias[i] = (int32_t)telling(32) >> (near_zero ? random_in(1, 20) : 0);
            mul[i] =
                reduced ? random_in(16384, 32768) : random_in(1, (1 << 30) - 1) >> random_in(0, 15);
            shift[i] = random_in(far ? 33 : 0, 63);
            far_half[i] = shift[i] >= 33 ? (int32_t)(UINT32_C(1) << (shift[i] - 33)) : -1;
            pre[i] = random_in(0, 8);
        }
        const struct lb_mli_sa_result q = {
            bias,     mul, shift, pre, random_in(-128, 127), -random_in(0, 128), random_in(0, 127),
            far_half, far};
        out[n] = 0x5A;
        loops->result_sa8[profile](acc, n, &q, out);
        for (size_t i = 0; i < n; i++) {
            int32_t a = lb_mli_sat32((int64_t)acc[i] + bias[i]);
            if (reduced)
                a = lb_mli_sat16(lb_mli_rsh32(a, pre[i], round));
            const int32_t y = lb_mli_sat16(lb_mli_rsh64((int64_t)a * mul[i], shift[i], round));
            assert_int_equal(out[i], lb_mli_clamp(lb_mli_sat8(y + q.zero), q.lo, q.hi));
        }
        assert_int_equal(out[n], 0x5A);
    }
}

/* Every number of rows and columns up to a few vectors, worst-case operands among them, sums that
 * wrap. */
static void test_macs(void **state)
{
    (void)state;
    enum { ROWS = 19, PITCH = N + 3 };
    const struct lb_mli_loops *const loops = lb_mli_loops();
    static int8_t x8[ROWS], w8[ROWS * PITCH];
    static int16_t x16[ROWS], w16[ROWS * PITCH];
    int32_t acc[N + 1], acc_mixed[N + 1], start32[N + 1];
    int64_t acc_wide[N + 1], start64[N + 1];
    for (int k = 0; k < 4000; k++) {
        const size_t rows = (size_t)k % (ROWS + 1), cols = (size_t)random_in(0, N);
        const int32_t zero = k % 3 ? random_in(-128, 127) : 0;
        random_bytes(x8, sizeof x8), random_bytes(w8, sizeof w8);
        random_bytes(x16, sizeof x16), random_bytes(w16, sizeof w16);
        if (k % 4 == 0) {
            memset(x8, INT8_MIN, sizeof x8), memset(w8, INT8_MIN, sizeof w8);
            for (size_t i = 0; i < ROWS; i++)
                x16[i] = INT16_MIN;
            for (size_t i = 0; i < COUNT(w16); i++)
                w16[i] = INT16_MIN;
        }
        for (size_t c = 0; c <= N; c++) {
            acc[c] = acc_mixed[c] = start32[c] = (int32_t)telling(32);
            acc_wide[c] = start64[c] = telling(64);
        }
        loops->gemv_s8(x8, zero, w8, PITCH, rows, cols, acc);
        loops->gemv_s16s8(x16, w8, PITCH, rows, cols, acc_mixed);
        loops->gemv_s16(x16, w16, PITCH, rows, cols, acc_wide);
        for (size_t c = 0; c <= N; c++) {
            uint32_t narrow = (uint32_t)start32[c], mixed = narrow;
            uint64_t wide = (uint64_t)start64[c];
            for (size_t r = 0; r < rows && c < cols; r++) {
                narrow += (uint32_t)((x8[r] - zero) * w8[r * PITCH + c]);
                mixed += (uint32_t)(x16[r] * w8[r * PITCH + c]);
                wide += (uint64_t)(int64_t)(x16[r] * w16[r * PITCH + c]);
            }
            assert_int_equal(acc[c], (int32_t)narrow);
            assert_int_equal(acc_mixed[c], (int32_t)mixed);
            assert_true(acc_wide[c] == (int64_t)wide);
        }
    }
}

/* Matrices larger than what a loop keeps at a time: more rows than a block, more than whose sums
 * fit 32 bits, more columns than have their sums at once. x is of one sign in some, mostly zero in
 * others: loops may treat these apart. The last row ends where its memory ends. */
static void test_large_macs(void **state)
{
    (void)state;
    static const struct {
        size_t rows, cols;
    } shapes[] = {{63, 5},    {64, 70}, {65, 64},  {127, 33},  {130, 128},
                  {200, 517}, {259, 3}, {5, 1100}, {70, 1300}, {65601, 3}};
    const struct lb_mli_loops *const loops = lb_mli_loops();
    for (size_t k = 0; k < 5 * COUNT(shapes); k++) {
        const size_t rows = shapes[k / 5].rows, cols = shapes[k / 5].cols, row = cols + k % 3;
        const size_t elements = (rows - 1) * row + cols;
        const int32_t zero = (int32_t[]){0, 5, -128, 127, -3}[k % 5];
        int8_t *const x8 = malloc(rows), *const w8 = malloc(elements);
        int16_t *const x16 = malloc(rows * sizeof *x16), *const w16 =
                                                             malloc(elements * sizeof *w16);
        int32_t *const acc = malloc(cols * sizeof *acc), *const mixed =
                                                             malloc(cols * sizeof *mixed);
        int64_t *const wide = malloc(cols * sizeof *wide);
        assert_true(x8 && w8 && x16 && w16 && acc && mixed && wide);
        random_bytes(x8, rows), random_bytes(w8, elements);
        random_bytes(x16, rows * sizeof *x16), random_bytes(w16, elements * sizeof *w16);
        for (size_t r = 0; r < rows; r++)
            if (k % 5 == 1)
                x8[r] = (int8_t)(x8[r] | 8), x16[r] &= INT16_MAX;
            else if (k % 5 == 2)
                x16[r] = INT16_MIN;
            else if (k % 5 == 3)
                x8[r] = r % 9 ? (int8_t)zero : x8[r], x16[r] = r % 9 ? 0 : x16[r];
        for (size_t i = 0; i < elements && k % 5 == 2; i++)
            w16[i] = INT16_MIN;
        for (size_t c = 0; c < cols; c++)
            acc[c] = mixed[c] = -1, wide[c] = -1;
        loops->gemv_s8(x8, zero, w8, (ptrdiff_t)row, rows, cols, acc);
        loops->gemv_s16s8(x16, w8, (ptrdiff_t)row, rows, cols, mixed);
        loops->gemv_s16(x16, w16, (ptrdiff_t)row, rows, cols, wide);
        for (size_t c = 0; c < cols; c++) {
            uint32_t sum = UINT32_MAX, sum_mixed = UINT32_MAX;
            int64_t sum_wide = -1;
            for (size_t r = 0; r < rows; r++) {
                sum += (uint32_t)((x8[r] - zero) * w8[r * row + c]);
                sum_mixed += (uint32_t)(x16[r] * w8[r * row + c]);
                sum_wide += x16[r] * w16[r * row + c];
            }
            assert_int_equal(acc[c], (int32_t)sum);
            assert_int_equal(mixed[c], (int32_t)sum_mixed);
            assert_true(wide[c] == sum_wide);
        }
        free(x8), free(w8), free(x16), free(w16), free(acc), free(mixed), free(wide);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fx_results),
        cmocka_unit_test(test_sa_results),
        cmocka_unit_test(test_macs),
        cmocka_unit_test(test_large_macs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
