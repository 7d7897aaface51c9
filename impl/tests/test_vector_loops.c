/* The loops that only levels with vectors have, at every such level of this processor, held to
 * their contracts in loops.h: panels, taps, rows of results, maxima of windows, tables and sums of
 * bytes. */
#include "support.h"

#include "eltwise.h"
#include "levels.h"
#include "loops.h"

/* Runs a test at each level that has vectors. */
static void at_every_level(void (*test)(const struct lb_mli_loops *))
{
    for (size_t l = 0; l < COUNT(levels); l++)
        if (mli_ext_set_cpu(levels[l]) == MLI_STATUS_OK && lb_mli_loops()->panel_s16)
            test(lb_mli_loops());
}

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
 * Taps: loaded, interleaved and summed, they are the sums of products of the channels; what goes
 * straight to outputs is what rows of results make of these sums.
 */
enum { TAPS = 9, CHANNELS = 150, TAP_PIXELS = 7, ROOM = 192 };

struct groups {
    struct lb_mli_depthwise_taps taps; /* of the first */
    const char *weights;
    size_t n, channels, sums, weight_bytes; /* number; of each */
    size_t pixels;
};

static void groups_to_sa8(const struct lb_mli_loops *loops, const struct groups *of,
                          const int32_t *begin, const int32_t *sums)
{
    static int32_t mul[ROOM], shift[ROOM], pre[ROOM], far_half[ROOM];
    static int8_t got[TAP_PIXELS * ROOM], wanted[TAP_PIXELS * ROOM];
    const enum lb_mli_profile profile = (enum lb_mli_profile)random_in(0, LB_MLI_PROFILES - 1);
    const struct lb_mli_sa_result q = {
        NULL,     mul, shift, pre, random_in(-128, 127), -random_in(0, 128), random_in(0, 127),
        far_half, true};
    for (size_t c = 0; c < of->n * of->channels; c++) {
        mul[c] =
            lb_mli_profile_reduced(profile) ? random_in(16384, 32768) : random_in(1, (1 << 30) - 1);
        shift[c] = random_in(33, 55);
        far_half[c] = (int32_t)(UINT32_C(1) << (shift[c] - 33));
        pre[c] = random_in(0, 8);
    }
    memset(got, 0x5A, sizeof got), memset(wanted, 0x5A, sizeof wanted);
    loops->sa8_rows[profile](sums, of->n * of->sums, of->pixels, of->n * of->channels, &q, wanted,
                             ROOM);
    for (size_t g = 0; g < of->n; g++) {
        struct lb_mli_depthwise_taps taps = of->taps;
        taps.at = g * loops->panel_lanes * 4;
        loops->depthwise_taps_sa8[profile](&taps, of->pixels, of->weights + g * of->weight_bytes,
                                           begin + g * of->sums, &q, g * of->channels,
                                           got + g * of->channels, ROOM);
    }
    assert_memory_equal(got, wanted, sizeof got);
}

static void groups_to_fx16(const struct lb_mli_loops *loops, const struct groups *of,
                           const int32_t *begin, const int32_t *sums, bool split)
{
    static int16_t got[TAP_PIXELS * ROOM], wanted[TAP_PIXELS * ROOM];
    const enum lb_mli_round round = (enum lb_mli_round)random_in(0, LB_MLI_ROUNDS - 1);
    const int32_t shift = random_in(0, 28), lo = -random_in(0, 32768), hi = random_in(0, 32767);
    const struct lb_mli_fx_result q = {shift, lo, hi};
    const struct lb_mli_split16_result split16 = {shift, (int32_t)((UINT32_C(1) << shift) - 1), lo,
                                                  hi};
    const size_t row = of->n * of->sums, channels = of->n * of->channels;
    memset(got, 0x5A, sizeof got), memset(wanted, 0x5A, sizeof wanted);
    if (split)
        loops->split16_rows[round](sums, row, of->pixels, channels, &split16, wanted, ROOM);
    else
        loops->fx16_rows[round](sums, row, of->pixels, channels, &q, wanted, ROOM);
    for (size_t g = 0; g < of->n; g++) {
        struct lb_mli_depthwise_taps taps = of->taps;
        taps.at = g * loops->panel_lanes * 4;
        const char *const packed = of->weights + g * of->weight_bytes;
        const int32_t *const start_of = begin + g * of->sums;
        int16_t *const to = got + g * of->channels;
        if (split)
            loops->depthwise_taps_split16[round](&taps, of->pixels, packed, start_of, &split16, to,
                                                 ROOM);
        else
            loops->depthwise_taps_fx16[round](&taps, of->pixels, packed, start_of, &q, to, ROOM);
    }
    assert_memory_equal(got, wanted, sizeof got);
}

static void taps_once(const struct lb_mli_loops *loops, bool bytes, bool split)
{
    static int8_t in8[TAPS][TAP_PIXELS * CHANNELS], w8[TAPS][CHANNELS];
    static int16_t in16[TAPS][TAP_PIXELS * CHANNELS], w16[TAPS][CHANNELS];
    static char ring[TAPS][TAP_PIXELS * ROOM * 2], packed[(TAPS + 3) * ROOM * 4];
    static int32_t begin[ROOM * 2], sums[TAP_PIXELS * ROOM * 2];
    static const int16_t none[CHANNELS];
    const size_t lanes = loops->panel_lanes, vector = lanes * 4, step_taps = bytes ? 4 : 2;
    const size_t n = (size_t)random_in(1, CHANNELS), taps = (size_t)random_in(1, TAPS);
    const size_t pixels = (size_t)random_in(1, TAP_PIXELS), group = lanes * step_taps,
                 groups = (n + group - 1) / group;
    const size_t padded = (taps + step_taps - 1) / step_taps * step_taps,
                 steps = padded / step_taps;
    const size_t of_group = bytes || split ? 4 : 2, row = groups * group * (split ? 2 : 1);
    const char *tap[TAPS + 3];
    random_bytes(in8, sizeof in8), random_bytes(in16, sizeof in16);
    random_bytes(w8, sizeof w8), random_bytes(w16, sizeof w16), random_bytes(begin, sizeof begin);
    w16[0][0] = INT16_MIN, in16[0][0] = INT16_MIN, w16[0][n - 1] = INT16_MAX;
    memset(packed, 0, sizeof packed);
    for (size_t s = 0; s < steps; s++) {
        const void *rows[4];
        void *out[ROOM];
        for (size_t i = 0; i < step_taps; i++) {
            const size_t t = s * step_taps + i;
            rows[i] = t >= taps ? (const void *)none
                      : split   ? (const void *)w16[t]
                                : (const void *)w8[t];
        }
        for (size_t v = 0; v < groups * of_group; v++)
            out[v] = packed + ((v / of_group * steps + s) * of_group + v % of_group) * vector;
        if (bytes)
            loops->panel_pack_s8((const int8_t *const *)rows, n, (int8_t *const *)out);
        else if (split)
            loops->panel_pack_s16_split((const int16_t *const *)rows, n, (int16_t *const *)out);
        else
            loops->panel_pack_s8_s16((const int8_t *const *)rows, n, (int16_t *const *)out);
    }
    const int32_t zero = split || bytes ? 0 : random_in(-128, 127);
    for (size_t t = 0; t < taps; t++)
        if (bytes)
            loops->depthwise_taps_load_u8(in8[t], CHANNELS, pixels, n, 0, ring[t]);
        else if (split)
            loops->depthwise_taps_load_s16(in16[t], CHANNELS, pixels, n, 0, ring[t]);
        else
            loops->depthwise_taps_load_s8_s16(in8[t], CHANNELS, pixels, n, zero, ring[t]);
    for (size_t t = 0; t < padded; t++)
        tap[t] = ring[t < taps ? t : 0];
    struct groups all = {{tap, padded, groups * vector, 0, false},
                         packed,
                         groups,
                         group,
                         row / groups,
                         steps * of_group * vector,
                         pixels};
    for (size_t g = 0; g < groups; g++) {
        struct lb_mli_depthwise_taps one = all.taps;
        one.at = g * vector;
        (bytes   ? loops->depthwise_taps_u8s8
         : split ? loops->depthwise_taps_s16_split
                 : loops->depthwise_taps_s16)(&one, pixels, packed + g * all.weight_bytes,
                                              begin + g * all.sums, sums + g * all.sums, row);
    }
    if (loops->depthwise_taps_sa8[0] && (bytes || (!split && !loops->depthwise_taps_u8s8)))
        groups_to_sa8(loops, &all, begin, sums);
    if (loops->depthwise_taps_sa8[0] && !bytes)
        groups_to_fx16(loops, &all, begin, sums, split);
    for (size_t p = 0; p < pixels; p++) {
        for (size_t c = 0; c < n; c++) {
            const size_t at = split ? c / lanes * 2 * lanes + c % lanes : c;
            uint64_t expected = (uint64_t)(int64_t)begin[at];
            uint64_t got = (uint64_t)(int64_t)sums[p * row + at];
            if (split) {
                expected += (uint64_t)(int64_t)begin[at + lanes] * 256;
                got += (uint64_t)(int64_t)sums[p * row + at + lanes] * 256;
            }
            for (size_t t = 0; t < taps; t++) {
                const int64_t x = bytes   ? in8[t][p * CHANNELS + c] + loops->bytes_excess
                                  : split ? in16[t][p * CHANNELS + c]
                                          : in8[t][p * CHANNELS + c] - zero;
                expected += (uint64_t)(x * (split ? w16[t][c] : w8[t][c]));
            }
            if (split)
                assert_int_equal((uint32_t)got, (uint32_t)expected);
            else
                assert_int_equal((int32_t)got, (int32_t)(uint32_t)expected);
        }
    }
}

/* Weights of one step of a group: rows of them by their number, -1: none. */
static void pack_step(const struct lb_mli_loops *loops, bool bytes, bool split, int16_t (*w)[ROOM],
                      const int *numbers, char *to)
{
    static const int16_t none[ROOM];
    static int8_t narrow[4][ROOM];
    const size_t n = loops->panel_lanes * (bytes ? 4 : 2);
    const void *rows[4];
    void *out[4];
    for (size_t r = 0; r < (bytes ? 4 : 2); r++) {
        for (size_t c = 0; c < n && numbers[r] >= 0; c++)
            narrow[r][c] = (int8_t)w[numbers[r]][c];
        rows[r] = numbers[r] < 0 ? (const void *)none
                  : split        ? (const void *)w[numbers[r]]
                                 : (const void *)narrow[r];
    }
    for (size_t v = 0; v < 4; v++)
        out[v] = to + v * loops->panel_lanes * 4;
    if (bytes)
        loops->panel_pack_s8((const int8_t *const *)rows, n, (int8_t *const *)out);
    else if (split)
        loops->panel_pack_s16_split((const int16_t *const *)rows, n, (int16_t *const *)out);
    else
        loops->panel_pack_s8_s16((const int8_t *const *)rows, n, (int16_t *const *)out);
}

/* Columns have the sums of the same taps one by one. */
static void columns_once(const struct lb_mli_loops *loops, bool bytes, bool split)
{
    static char ring[4][(TAP_PIXELS + 2) * ROOM], by_tap[6 * 4 * ROOM], by_column[6 * 4 * ROOM];
    static int16_t w[12][ROOM];
    static int32_t begin[ROOM], wanted[TAP_PIXELS * ROOM], got[TAP_PIXELS * ROOM];
    const int rows = bytes ? random_in(3, 4) : 3, unit = bytes ? 4 : 2, taps = rows * 3,
              steps = (taps + unit - 1) / unit;
    const size_t vector = loops->panel_lanes * 4, pixels = (size_t)random_in(4, TAP_PIXELS);
    const size_t step_bytes = (bytes || split ? 4 : 2) * vector, sums = step_bytes / 4;
    const char *each[12], *first[4] = {ring[0], ring[1], ring[2], ring[rows - 1]};
    random_bytes(ring, sizeof ring), random_bytes(w, sizeof w), random_bytes(begin, sizeof begin);
    for (int s = 0; s < steps; s++) {
        int in_order[4], in_columns[4];
        for (int r = 0; r < unit; r++) {
            const int t = s * unit + r, in_column = s < 3 ? r * 3 + s : t;
            each[t] = ring[t < taps ? t / 3 : 0] + (size_t)(t < taps ? t % 3 : 0) * vector;
            in_order[r] = t < taps ? t : -1;
            in_columns[r] = in_column < taps ? in_column : -1;
        }
        pack_step(loops, bytes, split, w, in_order, by_tap + (size_t)s * step_bytes);
        pack_step(loops, bytes, split, w, in_columns, by_column + (size_t)s * step_bytes);
    }
    lb_mli_depthwise_taps_fn *const run = bytes   ? loops->depthwise_taps_u8s8
                                          : split ? loops->depthwise_taps_s16_split
                                                  : loops->depthwise_taps_s16;
    const size_t all = (size_t)steps * (size_t)unit;
    run(&(struct lb_mli_depthwise_taps){each, all, vector, 0, false}, pixels, by_tap, begin, wanted,
        sums);
    run(&(struct lb_mli_depthwise_taps){first, all, vector, 0, true}, pixels, by_column, begin, got,
        sums);
    assert_memory_equal(got, wanted, pixels * sums * sizeof got[0]);
}

static void columns(const struct lb_mli_loops *loops)
{
    for (int n = 0; n < 200; n++) {
        columns_once(loops, false, false);
        if (loops->depthwise_taps_split_columns)
            columns_once(loops, false, true);
        if (loops->depthwise_taps_u8s8)
            columns_once(loops, true, false);
    }
}

static void taps(const struct lb_mli_loops *loops)
{
    for (int n = 0; n < 200; n++) {
        taps_once(loops, false, false);
        taps_once(loops, false, true);
        if (loops->depthwise_taps_u8s8)
            taps_once(loops, true, false);
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

#define TEST(name)                                                                                 \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        at_every_level(name);                                                                      \
    }

TEST(panels)
TEST(pack_rows)
TEST(load_bytes)
TEST(taps)
TEST(columns)
TEST(sa8_rows)
TEST(panel_sa8)
TEST(fx16_rows)
TEST(split16_rows)
TEST(panel_fx16)
TEST(windows)
TEST(bytes)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_panels),     cmocka_unit_test(test_taps),
        cmocka_unit_test(test_columns),    cmocka_unit_test(test_sa8_rows),
        cmocka_unit_test(test_fx16_rows),  cmocka_unit_test(test_split16_rows),
        cmocka_unit_test(test_windows),    cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_panel_sa8),  cmocka_unit_test(test_pack_rows),
        cmocka_unit_test(test_load_bytes), cmocka_unit_test(test_panel_fx16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
