/* The loops that only levels with vectors have, at every such level of this processor, held to
 * their contracts in loops.h: panels, rows of results, maxima of windows, tables and sums of
 * bytes. */
#include "every_level.h"

#include "eltwise.h"

/* Whole words of random bits, often of few bits, often at an end. */
static int32_t word(void)
{
    int32_t v;
    random_bytes(&v, sizeof v);
    switch (random_in(0, 5)) {
    case 0:
        return v;
    case 1:
        return random_in(0, 1) ? INT32_MIN : INT32_MAX;
    default:
        return v >> random_in(0, 31);
    }
}

/*
 * Panels
 */
enum {
    PIXELS = 33,
    VECTORS = 11,
    RUNS = 3,
    STEPS = 6,
    MOST_LANES = 16,
    LANES_ALL = VECTORS * MOST_LANES
};

static int8_t x_bytes[RUNS][PIXELS * 12 + STEPS * 4];
static int8_t weights[(VECTORS + 1) * RUNS * STEPS * MOST_LANES * 4];
static int32_t start[LANES_ALL], acc[PIXELS * (LANES_ALL + 3)];

/* The product of a step in one lane, as bytes or as words. */
static uint32_t step_product(const int8_t *x, const int8_t *w, bool bytes)
{
    const bool is_signed = lb_mli_loops()->bytes_excess == 0;
    uint32_t sum = 0;
    if (bytes) {
        for (int i = 0; i < 4; i++)
            sum += (uint32_t)((is_signed ? x[i] : (uint8_t)x[i]) * w[i]);
        return sum;
    }
    int16_t xs[2], ws[2];
    memcpy(xs, x, sizeof xs);
    memcpy(ws, w, sizeof ws);
    return (uint32_t)(xs[0] * ws[0]) + (uint32_t)(xs[1] * ws[1]);
}

/* Weights as far from 0 as these may be, alike or of any sign, and such pixels. */
static void make_narrow(void)
{
    const int way = random_in(0, 4);
    for (size_t i = 0; i < sizeof weights; i++) {
        const int near = random_in(-LB_MLI_NARROW, LB_MLI_NARROW);
        const int end = random_in(0, 1) ? LB_MLI_NARROW : -LB_MLI_NARROW;
        weights[i] = (int8_t)(way < 2 ? near : way == 2 ? end : way == 3 ? 64 : -64);
    }
    if (way > 0)
        memset(x_bytes, 0xFF, sizeof x_bytes);
}

static void panel_once(const struct lb_mli_loops *loops, lb_mli_panel_fn *panel, bool bytes)
{
    const size_t lanes = loops->panel_lanes, vector = lanes * 4;
    const size_t pixels = (size_t)random_in(1, random_in(0, 3) ? PIXELS : 1),
                 vectors = (size_t)random_in(1, VECTORS);
    const size_t runs = (size_t)random_in(1, RUNS), steps = (size_t)random_in(1, STEPS),
                 row = vectors * lanes + 3;
    const size_t panel_bytes = runs * steps * 2 * vector;
    const ptrdiff_t step = random_in(0, 12);
    const char *run[RUNS];
    random_bytes(x_bytes, sizeof x_bytes);
    random_bytes(weights, sizeof weights);
    random_bytes(start, sizeof start);
    if (random_in(0, 3) == 0)
        memset(x_bytes, 0x80, sizeof x_bytes), memset(weights, 0x80, sizeof weights);
    if (bytes && panel == loops->panel_narrow)
        make_narrow();
    for (size_t r = 0; r < runs; r++)
        run[r] = (const char *)x_bytes[r];
    memset(acc, 0x5A, sizeof acc);
    panel(&(struct lb_mli_pixels){run, runs, steps, step}, pixels, weights, panel_bytes, vectors,
          start, acc, row);
    for (size_t p = 0; p < pixels; p++) {
        for (size_t c = 0; c < row; c++) {
            const size_t v = c / lanes, of_panel = v / 2 * 2 + 2 <= vectors ? 2 : 1;
            const int8_t *w = weights + v / 2 * panel_bytes + v % 2 * vector + c % lanes * 4;
            uint32_t sum = c < vectors * lanes ? (uint32_t)start[c] : UINT32_C(0x5A5A5A5A);
            for (size_t s = 0; s < runs * steps && c < vectors * lanes; s++, w += of_panel * vector)
                sum += step_product(x_bytes[s / steps] + (ptrdiff_t)p * step +
                                        (ptrdiff_t)(s % steps) * 4,
                                    w, bytes);
            assert_int_equal(acc[p * row + c], (int32_t)sum);
        }
    }
}

static void panels(const struct lb_mli_loops *loops)
{
    for (int n = 0; n < 300; n++) {
        panel_once(loops, loops->panel_s16, false);
        if (loops->panel_u8s8)
            panel_once(loops, loops->panel_u8s8, true);
        if (loops->panel_narrow)
            panel_once(loops, loops->panel_narrow, true);
    }
}

/* Packing by rows is packing by steps; of bytes it finds sums of weights, and reads nothing else.
 */
static void pack_rows_of(const struct lb_mli_loops *loops, bool bytes)
{
    enum {
        MOST_STEPS = 20,
        COLS = 5 * 4 * MOST_LANES, /* more than a line, and less */
        W_ROW = COLS + 5,
        PANEL = MOST_STEPS * 2 * MOST_LANES * 4
    };
    static int8_t w[MOST_STEPS * 4 * W_ROW];
    static char packed[COLS / 4 / 2 * PANEL], expected[sizeof packed];
    const size_t rows_of_step = bytes ? 4 : 2, lanes = loops->panel_lanes;
    for (int k = 0; k < 100; k++) {
        const size_t cols = (size_t)random_in(1, 5) * 4 * lanes;
        const size_t steps = (size_t)random_in(1, MOST_STEPS);
        const bool backwards = random_in(0, 1) == 1;
        const ptrdiff_t w_row = backwards ? -W_ROW : W_ROW;
        const int8_t *const first = backwards ? w + (steps * rows_of_step - 1) * W_ROW : w;
        int32_t sums[COLS + 1], wanted[COLS + 1];
        random_bytes(w, sizeof w);
        random_bytes(sums, sizeof sums);
        memcpy(wanted, sums, sizeof sums);
        memset(packed, 0x5A, sizeof packed);
        memset(expected, 0x5A, sizeof expected);
        for (size_t s = 0; s < steps; s++) {
            const int8_t *rows[4];
            void *out[COLS];
            for (size_t i = 0; i < rows_of_step; i++)
                rows[i] = first + (ptrdiff_t)(s * rows_of_step + i) * w_row;
            for (size_t v = 0; v < cols / lanes; v++)
                out[v] = expected + v / 2 * PANEL + (s * 2 + v % 2) * lanes * 4;
            if (!bytes) {
                loops->panel_pack_s8_s16(rows, cols, (int16_t *const *)out);
                continue;
            }
            loops->panel_pack_s8(rows, cols, (int8_t *const *)out);
            for (size_t c = 0; c < cols; c++)
                wanted[c] = (int32_t)((uint32_t)wanted[c] + (uint32_t)(rows[0][c] + rows[1][c] +
                                                                       rows[2][c] + rows[3][c]));
        }
        if (bytes)
            loops->panel_pack_rows_s8(first, w_row, steps, cols, packed, PANEL, sums);
        else
            loops->panel_pack_rows_s8_s16(first, w_row, steps, cols, packed, PANEL);
        assert_memory_equal(packed, expected, sizeof packed);
        assert_memory_equal(sums, wanted, sizeof sums);
    }
}

static void pack_rows(const struct lb_mli_loops *loops)
{
    pack_rows_of(loops, false);
    if (loops->panel_pack_rows_s8)
        pack_rows_of(loops, true);
}

static void load_bytes(const struct lb_mli_loops *loops)
{
    enum { MOST = 200, MOST_PIXELS = 5, COL = MOST + 7 };
    static int8_t in[MOST_PIXELS * COL];
    static char out[MOST_PIXELS * MOST + 1];
    for (int k = 0; k < 500 && loops->panel_load_s8; k++) {
        const size_t n = (size_t)random_in(1, MOST), pixels = (size_t)random_in(1, MOST_PIXELS);
        const ptrdiff_t col = (ptrdiff_t)n + random_in(0, 7);
        random_bytes(in, sizeof in);
        memset(out, 0x5A, sizeof out);
        loops->panel_load_s8(in, col, pixels, n, out);
        for (size_t i = 0; i < pixels * n; i++)
            assert_int_equal(
                (uint8_t)out[i],
                (uint8_t)(in[(ptrdiff_t)(i / n) * col + (ptrdiff_t)(i % n)] + loops->bytes_excess));
        assert_int_equal(out[pixels * n], 0x5A);
    }
}

/*
 * Rows of results
 */
enum { N = LANES_ALL + 4, ROWS = 5 };

static int32_t muls[N], shifts[N], pres[N], far_halves[N];

/* Parameters of n channels. */
static struct lb_mli_sa_result random_result(size_t n, bool reduced, bool ties)
{
    for (size_t i = 0; i < n; i++) {
        muls[i] =
            reduced ? random_in(16384, 32768) : random_in(1, (1 << 30) - 1) >> random_in(0, 15);
        if (ties)
            muls[i] = 1 << random_in(14, reduced ? 15 : 29);
        shifts[i] = random_in(reduced ? 0 : 33, 63);
        far_halves[i] = reduced ? 0 : (int32_t)(UINT32_C(1) << (shifts[i] - 33));
        pres[i] = random_in(0, 8);
    }
    return (struct lb_mli_sa_result){
        NULL,       muls, shifts, pres, random_in(-128, 127), -random_in(0, 128), random_in(0, 127),
        far_halves, true};
}

static void sa8_rows(const struct lb_mli_loops *loops)
{
    static int32_t sums[ROWS * N];
    static int8_t out[ROWS * N + 1];
    for (int k = 0; k < 4000 && loops->sa8_rows_channels < N; k++) {
        const enum lb_mli_profile profile = (enum lb_mli_profile)(k % LB_MLI_PROFILES);
        const enum lb_mli_round round = lb_mli_profile_round(profile);
        const bool reduced = lb_mli_profile_reduced(profile);
        const size_t n = (size_t)random_in((int)loops->sa8_rows_channels, N),
                     rows = (size_t)random_in(1, ROWS);
        const struct lb_mli_sa_result q = random_result(n, reduced, k % 3 == 0);
        for (size_t i = 0; i < rows * N; i++)
            sums[i] = word();
        memset(out, 0x5A, sizeof out);
        loops->sa8_rows[profile](sums, N, rows, n, &q, out, N);
        for (size_t i = 0; i < rows * N; i++) {
            const size_t c = i % N;
            int64_t a = sums[i];
            if (reduced)
                a = lb_mli_sat16(lb_mli_rsh32(sums[i], c < n ? pres[c] : 0, round));
            const int64_t y =
                c < n ? lb_mli_rsh64(a * muls[c], lb_mli_min(shifts[c], 63), round) : 0;
            const int64_t moved = y + q.zero;
            const int64_t wanted = moved < q.lo ? q.lo : moved > q.hi ? q.hi : moved;
            assert_int_equal(out[i], c < n ? wanted : 0x5A);
        }
        assert_int_equal(out[ROWS * N], 0x5A);
    }
}

/* Panels straight to outputs are panels and rows of results. */
static void panel_sa8(const struct lb_mli_loops *loops)
{
    static int8_t out[PIXELS * (LANES_ALL + 3)], expected[PIXELS * (LANES_ALL + 3)];
    for (int k = 0; k < 2000 && loops->panel_sa8[k % LB_MLI_PROFILES]; k++) {
        const enum lb_mli_profile profile = (enum lb_mli_profile)(k % LB_MLI_PROFILES);
        const size_t vectors = (size_t)random_in(1, VECTORS), n = vectors * loops->panel_lanes;
        const size_t pixels = (size_t)random_in(1, PIXELS), steps = (size_t)random_in(1, STEPS),
                     row = n + 3;
        const size_t runs = (size_t)random_in(1, RUNS),
                     panel_bytes = runs * steps * 2 * loops->panel_lanes * 4;
        const struct lb_mli_sa_result q =
            random_result(n, lb_mli_profile_reduced(profile), k % 3 == 0);
        const char *const run[RUNS] = {(const char *)x_bytes[0], (const char *)x_bytes[1],
                                       (const char *)x_bytes[2]};
        const struct lb_mli_pixels in = {run, runs, steps, random_in(0, 12)};
        random_bytes(x_bytes, sizeof x_bytes);
        random_bytes(weights, sizeof weights);
        for (size_t i = 0; i < n; i++)
            start[i] = word();
        memset(out, 0x5A, sizeof out);
        memset(expected, 0x5A, sizeof expected);
        loops->panel_u8s8(&in, pixels, weights, panel_bytes, vectors, start, acc, n);
        loops->sa8_rows[profile](acc, n, pixels, n, &q, expected, row);
        loops->panel_sa8[profile](&in, pixels, weights, panel_bytes, n, start, &q,
                                  loops->sa8_rows[profile], out, row);
        assert_memory_equal(out, expected, sizeof out);
    }
}

static void fx16_rows(const struct lb_mli_loops *loops)
{
    static int32_t sums[ROWS * N * 2];
    static int16_t out[ROWS * N];
    for (int k = 0; k < 2000 && loops->fx16_rows[0]; k++) {
        const enum lb_mli_round round = (enum lb_mli_round)(k % LB_MLI_ROUNDS);
        const size_t n = (size_t)random_in(1, N), rows = (size_t)random_in(1, ROWS);
        const struct lb_mli_fx_result q = {random_in(0, 31), -random_in(0, 32768),
                                           random_in(0, 32767)};
        for (size_t i = 0; i < COUNT(sums); i++)
            sums[i] = word();
        memset(out, 0x5A, sizeof out);
        loops->fx16_rows[round](sums, N, rows, n, &q, out, N);
        for (size_t i = 0; i < rows * N; i++) {
            const int32_t y = lb_mli_clamp(lb_mli_rsh32(sums[i], q.shift, round), q.lo, q.hi);
            assert_int_equal(out[i], i % N < n ? y : 0x5A5A);
        }
    }
}

static void split16_rows(const struct lb_mli_loops *loops)
{
    static int32_t sums[ROWS * N * 4];
    static int16_t out[ROWS * N];
    const size_t lanes = loops->panel_lanes, row = (N + lanes) * 2;
    for (int k = 0; k < 2000 && loops->split16_rows[0]; k++) {
        const enum lb_mli_round round = (enum lb_mli_round)(k % LB_MLI_ROUNDS);
        const size_t n = (size_t)random_in(1, N), rows = (size_t)random_in(1, 2);
        const int32_t shift = random_in(0, 28), mask = (int32_t)((UINT32_C(1) << shift) - 1);
        const struct lb_mli_split16_result q = {shift, mask, -random_in(0, 32768),
                                                random_in(0, 32767)};
        for (size_t i = 0; i < COUNT(sums); i++) {
            sums[i] = word() >> 1;
            if (k % 2)
                sums[i] &= -256; /* ties */
        }
        memset(out, 0x5A, sizeof out);
        loops->split16_rows[round](sums, row, rows, n, &q, out, N);
        for (size_t i = 0; i < rows * N; i++) {
            const size_t c = i % N, at = i / N * row + c / lanes * 2 * lanes + c % lanes;
            const int64_t total = (int64_t)sums[at + lanes] + (sums[at] >> 8);
            if (c < n && total != (int32_t)total)
                continue;
            int64_t y = total >> shift;
            if (round == LB_MLI_CONVERGENT && (total & mask) == 0 && (sums[at] & 255) == 0)
                y &= -2;
            assert_int_equal(out[i], c < n ? lb_mli_clamp((int32_t)y, q.lo, q.hi) : 0x5A5A);
        }
    }
}

/* Panels straight to FX_16 outputs are panels and rows of results; split weights: vectors in pairs.
 */
static void panel_fx16(const struct lb_mli_loops *loops)
{
    static int16_t out[PIXELS * (LANES_ALL + 3)], expected[PIXELS * (LANES_ALL + 3)];
    for (int k = 0; k < 2000 && loops->panel_fx16[0]; k++) {
        const bool split = k % 4 >= LB_MLI_ROUNDS;
        const enum lb_mli_round round = (enum lb_mli_round)(k % LB_MLI_ROUNDS);
        const size_t lanes = loops->panel_lanes,
                     n = (size_t)random_in(1, (split ? VECTORS / 2 : VECTORS) * (int)lanes);
        const size_t vectors = (n + lanes - 1) / lanes * (split ? 2 : 1),
                     pixels = (size_t)random_in(1, PIXELS);
        const size_t runs = (size_t)random_in(1, RUNS), steps = (size_t)random_in(1, STEPS),
                     row = n + 3;
        const size_t panel_bytes = runs * steps * 2 * lanes * 4, acc_row = vectors * lanes;
        const struct lb_mli_fx_result q = {random_in(0, 31), -random_in(0, 32768),
                                           random_in(0, 32767)};
        const struct lb_mli_split16_result split16 = {
            q.shift, (int32_t)((UINT32_C(1) << q.shift) - 1), q.lo, q.hi};
        const char *const run[RUNS] = {(const char *)x_bytes[0], (const char *)x_bytes[1],
                                       (const char *)x_bytes[2]};
        const struct lb_mli_pixels in = {run, runs, steps, random_in(0, 12)};
        random_bytes(x_bytes, sizeof x_bytes);
        random_bytes(weights, sizeof weights);
        for (size_t i = 0; i < vectors * lanes; i++)
            start[i] = word();
        memset(out, 0x5A, sizeof out);
        memset(expected, 0x5A, sizeof expected);
        loops->panel_s16(&in, pixels, weights, panel_bytes, vectors, start, acc, acc_row);
        if (split) {
            loops->split16_rows[round](acc, acc_row, pixels, n, &split16, expected, row);
            loops->panel_split16[round](&in, pixels, weights, panel_bytes, n, start, &split16,
                                        loops->split16_rows[round], out, row);
        } else {
            loops->fx16_rows[round](acc, acc_row, pixels, n, &q, expected, row);
            loops->panel_fx16[round](&in, pixels, weights, panel_bytes, n, start, &q,
                                     loops->fx16_rows[round], out, row);
        }
        assert_memory_equal(out, expected, sizeof out);
    }
}

/*
 * Maxima, tables, sums
 */
static void windows(const struct lb_mli_loops *loops)
{
    enum { MOST = 130, OUTS = 4 };
    static int16_t in16[12 * 12 * MOST], out16[OUTS * MOST];
    static int8_t in8[12 * 12 * MOST], out8[OUTS * MOST];
    for (int k = 0; k < 400; k++) {
        const size_t channels = (size_t)random_in(1, MOST), rows = (size_t)random_in(1, 4),
                     cols = (size_t)random_in(1, 4);
        const ptrdiff_t col = (ptrdiff_t)channels, row = 12 * col;
        const ptrdiff_t hop = random_in(1, 2) * col;
        const struct lb_mli_pool_windows w = {rows, cols, row,     col, (size_t)random_in(1, OUTS),
                                              hop,  col,  channels};
        random_bytes(in8, sizeof in8), random_bytes(in16, sizeof in16);
        memset(out8, 0x5A, sizeof out8), memset(out16, 0x5A, sizeof out16);
        loops->pool_max_s8(in8, &w, out8);
        loops->pool_max_s16(in16, &w, out16);
        for (size_t i = 0; i < OUTS * channels; i++) {
            int32_t most8 = INT8_MIN, most16 = INT16_MIN;
            for (size_t e = 0; e < rows * cols; e++) {
                const ptrdiff_t at = (ptrdiff_t)(i / channels) * hop + (ptrdiff_t)(e / cols) * row +
                                     (ptrdiff_t)(e % cols) * col + (ptrdiff_t)(i % channels);
                most8 = lb_mli_max(most8, in8[at]);
                most16 = lb_mli_max(most16, in16[at]);
            }
            assert_int_equal(out8[i], i / channels < w.outs ? most8 : 0x5A);
            assert_int_equal(out16[i], i / channels < w.outs ? most16 : 0x5A5A);
        }
    }
}

static void bytes(const struct lb_mli_loops *loops)
{
    enum { MOST = 333 };
    static int8_t a[MOST], b[MOST], table[256], out[MOST + 1];
    for (int k = 0; k < 1000; k++) {
        const size_t n = (size_t)random_in(0, MOST);
        const enum lb_mli_round round = (enum lb_mli_round)(k % LB_MLI_ROUNDS);
        const bool add = random_in(0, 1);
        const struct lb_mli_eltwise p = {.op = add ? LB_MLI_ADD : LB_MLI_SUB,
                                         .kind = LB_MLI_SA8,
                                         .round = round,
                                         .regular = true,
                                         .zero1 = random_in(-128, 127),
                                         .zero2 = random_in(-128, 127),
                                         .zero_out = random_in(-128, 127),
                                         .mul1 = random_in(0, 1) ? 16384 : random_in(16384, 32767),
                                         .mul2 = random_in(16384, 32767),
                                         .shift1 = random_in(k % 3 ? 8 : 0, k % 3 ? 15 : 23),
                                         .shift2 = random_in(k % 3 ? 8 : 0, k % 3 ? 15 : 23)};
        random_bytes(a, sizeof a), random_bytes(b, sizeof b), random_bytes(table, sizeof table);
        out[n] = 0x5A;
        loops->lut8(a, n, table, out);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(out[i], table[a[i] + 128]);
        loops->eltwise[p.op][LB_MLI_SA8][round](a, b, n, &p, out);
        for (size_t i = 0; i < n; i++) {
            const int32_t of_a = lb_mli_rsh32((a[i] - p.zero1) * p.mul1, p.shift1, round);
            const int32_t of_b = lb_mli_rsh32((b[i] - p.zero2) * p.mul2, p.shift2, round);
            assert_int_equal(out[i], lb_mli_sat8((add ? of_a + of_b : of_a - of_b) + p.zero_out));
        }
        assert_int_equal(out[n], 0x5A);
    }
}

TEST(panels, true)
TEST(pack_rows, true)
TEST(load_bytes, true)
TEST(sa8_rows, true)
TEST(panel_sa8, true)
TEST(fx16_rows, true)
TEST(split16_rows, true)
TEST(panel_fx16, true)
TEST(windows, true)
TEST(bytes, true)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_panels),     cmocka_unit_test(test_sa8_rows),
        cmocka_unit_test(test_fx16_rows),  cmocka_unit_test(test_split16_rows),
        cmocka_unit_test(test_windows),    cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_panel_sa8),  cmocka_unit_test(test_pack_rows),
        cmocka_unit_test(test_load_bytes), cmocka_unit_test(test_panel_fx16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
