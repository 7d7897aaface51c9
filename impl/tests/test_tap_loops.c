/* The loops over taps of depthwise convolutions, at every level of this processor that has vectors,
 * held to their contract in loops.h. */
#include "every_level.h"

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

TEST(taps, true)
TEST(columns, true)

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_taps), cmocka_unit_test(test_columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
