/* Products of pixels with panels of bytes, by instructions that multiply whole tiles: 16 rows of 64
 * bytes each. Packed panels (loops.h) are tiles already: a step of a vector is a row, its lanes are
 * columns of four bytes. Rows of a tile of pixels are pixels.
 *
 * Who includes this names the instructions: TILES_SET(plan), TILES_FREE(), TILE_LOAD(tile, memory,
 * row_bytes), TILE_STORE(tile, memory, row_bytes), TILE_DOT(sums, pixels, weights); and how sums
 * become results: TILE_NUMBERS, the type of what belongs to the channels of a panel,
 * TILE_NUMBERS_OF(q, profile, numbers), which fills it, and TILE_FINISH_PAIR(sums, other_sums,
 * numbers, profile, out, other_out), a panel of two pixels. These are in line, between the tiles:
 * the processor does both at once. Nothing here needs vectors, so that a test can have all of it in
 * plain C. */
#include "loops.h"

#include <string.h>

enum {
    TILE_ROWS = 16,
    TILE_LANES = 16,
    TILE_BYTES = 64, /* of a row */
    TILE_STEP = 4,   /* bytes of a pixel */
    TILE_PANEL = 2 * TILE_LANES,
    LEAST_STEPS = 4, /* of a tile, and pixels: fewer are faster in vectors */
    LEAST_PIXELS = 4,
};

/* Sums of two tiles of pixels by two vectors, the pixels, the weights. Compilers take numbers of
 * tiles as text. */
#define SUMS_0A   0
#define SUMS_0B   1
#define SUMS_1A   2
#define SUMS_1B   3
#define PIXELS_0  4
#define PIXELS_1  5
#define WEIGHTS_A 6
#define WEIGHTS_B 7
enum { TILES = 8 };

/* What the processor is told of its tiles. */
struct tile_plan {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
};

/* How a call is cut up: tiles of so many pixels and steps. steps 0: not for tiles. */
struct tile_cut {
    size_t pixels, steps;
};

/* All tiles alike: the steps of a run in equal parts; of the pixels the last tile takes some of the
 * one before it again, which gives the same once more. */
static struct tile_cut cut_tiles(size_t pixels, size_t steps)
{
    const size_t tiles = (pixels + TILE_ROWS - 1) / TILE_ROWS;
    struct tile_cut cut = {0, 0};
    if (pixels < LEAST_PIXELS || steps < LEAST_STEPS)
        return cut;
    cut.pixels = (pixels + tiles - 1) / tiles;
    for (size_t parts = (steps + TILE_ROWS - 1) / TILE_ROWS;
         cut.steps == 0 && steps / parts >= LEAST_STEPS; parts++)
        if (steps % parts == 0)
            cut.steps = steps / parts;
    return cut;
}

static void set_tiles(const struct tile_cut *cut)
{
    struct tile_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.palette = 1;
    for (size_t i = 0; i < TILES; i++) {
        plan.rows[i] = (uint8_t)(i >= WEIGHTS_A ? cut->steps : cut->pixels);
        plan.row_bytes[i] =
            (uint16_t)(i == PIXELS_0 || i == PIXELS_1 ? cut->steps * TILE_STEP : TILE_BYTES);
    }
    TILES_SET(&plan);
}

/* Sums of a pair of tiles, of the channels of a panel, that are to become results. */
struct tile_results {
    TILE_NUMBERS numbers; /* of a whole panel */
    const int32_t *sums;  /* pixel behind pixel */
    size_t pixels, split; /* of both tiles, of the first */
    size_t first, second; /* pixels of the output that the tiles begin with */
    int8_t *out;          /* of the panel's channels of pixel 0 */
    size_t out_row;
    lb_mli_sa8_rows_fn *rows; /* of other panels */
    struct lb_mli_sa_result q;
    size_t n; /* channels */
};

static inline int8_t *out_of_pixel(const struct tile_results *f, size_t pixel)
{
    const size_t at = pixel < f->split ? f->first + pixel : f->second + (pixel - f->split);
    return f->out + at * f->out_row;
}

/* Results of pixels from .. to - 1, pairs but for the last of all. */
LB_MLI_INLINE void finish_pixels(const struct tile_results *f, size_t from, size_t to,
                                 enum lb_mli_profile profile)
{
    const TILE_NUMBERS numbers = f->numbers; /* in registers: stores of bytes could change others */
    for (size_t p = from; p < to; p += 2) {
        const size_t other = lb_mli_min_size(p + 1, f->pixels - 1);
        TILE_FINISH_PAIR(f->sums + p * TILE_PANEL, f->sums + other * TILE_PANEL, &numbers, profile,
                         out_of_pixel(f, p), out_of_pixel(f, other));
    }
}

LB_MLI_INLINE void finish_all(const struct tile_results *f, enum lb_mli_profile profile)
{
    if (f->n == TILE_PANEL) {
        finish_pixels(f, 0, f->pixels, profile);
        return;
    }
    for (size_t p = 0; p < f->pixels; p += f->split)
        f->rows(f->sums + p * TILE_PANEL, TILE_PANEL, f->split, f->n, &f->q, out_of_pixel(f, p),
                f->out_row);
}

/* Where the sums of a tile begin with the same row for all pixels. */
enum { SAME_ROW = 0 };

/* One or two tiles of pixels: the first pixel of each. */
struct tile_pair {
    size_t first, second;
    bool two;
};

/* From pixel p on, which is below pixels. */
static inline struct tile_pair tiles_at(const struct tile_cut *cut, size_t pixels, size_t p)
{
    const size_t last = pixels - cut->pixels, next = p + cut->pixels;
    return (struct tile_pair){lb_mli_min_size(p, last), lb_mli_min_size(next, last), next < pixels};
}

/* The sums of a pair of tiles by one or two vectors; meanwhile the results of the pair before, for
 * which the processor has time: NULL: there are none. */
LB_MLI_INLINE void sum_tiles(const struct lb_mli_pixels *in, const struct tile_cut *cut,
                             const struct tile_pair *pair, const char *w, const int32_t *start,
                             bool two_tiles, bool two_vectors, const struct tile_results *before,
                             enum lb_mli_profile profile)
{
    const size_t w_row = two_vectors ? 2 * TILE_BYTES : TILE_BYTES;
    const size_t x_row = (size_t)in->step, x_move = cut->steps * TILE_STEP;
    const size_t parts = in->runs * (in->steps / cut->steps),
                 each = before ? ((before->pixels + parts - 1) / parts + 1) / 2 * 2 : 0;
    size_t done = 0;
    TILE_LOAD(SUMS_0A, start, SAME_ROW);
    if (two_vectors)
        TILE_LOAD(SUMS_0B, start + TILE_LANES, SAME_ROW);
    if (two_tiles)
        TILE_LOAD(SUMS_1A, start, SAME_ROW);
    if (two_tiles && two_vectors)
        TILE_LOAD(SUMS_1B, start + TILE_LANES, SAME_ROW);
    for (size_t r = 0; r < in->runs; r++) {
        const char *x = in->run[r] + (ptrdiff_t)pair->first * in->step;
        const char *y = in->run[r] + (ptrdiff_t)pair->second * in->step;
        for (size_t k = 0; k < in->steps; k += cut->steps, x += x_move, y += x_move) {
            TILE_LOAD(WEIGHTS_A, w, w_row);
            TILE_LOAD(PIXELS_0, x, x_row);
            TILE_DOT(SUMS_0A, PIXELS_0, WEIGHTS_A);
            if (two_tiles) {
                TILE_LOAD(PIXELS_1, y, x_row);
                TILE_DOT(SUMS_1A, PIXELS_1, WEIGHTS_A);
            }
            if (two_vectors) {
                TILE_LOAD(WEIGHTS_B, w + TILE_BYTES, w_row);
                TILE_DOT(SUMS_0B, PIXELS_0, WEIGHTS_B);
            }
            if (two_tiles && two_vectors)
                TILE_DOT(SUMS_1B, PIXELS_1, WEIGHTS_B);
            w += cut->steps * w_row;
            if (before) {
                const size_t next = lb_mli_min_size(done + each, before->pixels);
                finish_pixels(before, done, next, profile);
                done = next;
            }
        }
    }
}

/* The same, to memory, behind the results of the pair before. */
LB_MLI_INLINE void panel_of_tiles(const struct lb_mli_pixels *in, const struct tile_cut *cut,
                                  const struct tile_pair *pair, const char *w, const int32_t *start,
                                  bool two_vectors, int32_t *first, int32_t *second, size_t acc_row,
                                  const struct tile_results *before, enum lb_mli_profile profile)
{
    const size_t row = acc_row * sizeof *first;
    const bool between = before && pair->two && two_vectors && before->n == TILE_PANEL;
    if (before && !between)
        finish_all(before, profile);
    if (between)
        sum_tiles(in, cut, pair, w, start, true, true, before, profile);
    else if (pair->two && two_vectors)
        sum_tiles(in, cut, pair, w, start, true, true, NULL, profile);
    else if (pair->two)
        sum_tiles(in, cut, pair, w, start, true, false, NULL, profile);
    else if (two_vectors)
        sum_tiles(in, cut, pair, w, start, false, true, NULL, profile);
    else
        sum_tiles(in, cut, pair, w, start, false, false, NULL, profile);
    TILE_STORE(SUMS_0A, first, row);
    if (two_vectors)
        TILE_STORE(SUMS_0B, first + TILE_LANES, row);
    if (pair->two)
        TILE_STORE(SUMS_1A, second, row);
    if (pair->two && two_vectors)
        TILE_STORE(SUMS_1B, second + TILE_LANES, row);
}

/* As lb_mli_panel_fn of bytes. False, and nothing is done: not for tiles. */
static bool panel_tiles(const struct lb_mli_pixels *in, size_t pixels, const void *w,
                        size_t w_panel, size_t vectors, const int32_t *start, int32_t *acc,
                        size_t acc_row)
{
    const struct tile_cut cut = cut_tiles(pixels, in->steps);
    if (cut.steps == 0)
        return false;
    set_tiles(&cut);
    for (size_t v = 0; v < vectors; v += 2) {
        int32_t *const sums = acc + v * TILE_LANES;
        for (size_t p = 0; p < pixels; p += 2 * cut.pixels) {
            const struct tile_pair pair = tiles_at(&cut, pixels, p);
            panel_of_tiles(in, &cut, &pair, (const char *)w + v / 2 * w_panel,
                           start + v * TILE_LANES, v + 2 <= vectors, sums + pair.first * acc_row,
                           sums + pair.second * acc_row, acc_row, NULL, LB_MLI_UP_FULL);
        }
    }
    TILES_FREE();
    return true;
}

/* As lb_mli_panel_sa8_fn. False, and nothing is done: not for tiles. */
LB_MLI_INLINE bool panel_tiles_sa8(const struct lb_mli_pixels *in, size_t pixels, const void *w,
                                   size_t w_panel, size_t n, const int32_t *start,
                                   const struct lb_mli_sa_result *q, lb_mli_sa8_rows_fn *rows,
                                   enum lb_mli_profile profile, int8_t *out, size_t out_row)
{
    _Alignas(TILE_BYTES) int32_t sums[2][2 * TILE_ROWS * TILE_PANEL];
    const struct tile_cut cut = cut_tiles(pixels, in->steps);
    struct tile_results before = {.rows = rows, .out_row = out_row, .split = cut.pixels};
    const char *panel = w;
    size_t turn = 0;
    if (cut.steps == 0)
        return false;
    set_tiles(&cut);
    for (size_t c = 0; c < n; c += TILE_PANEL, panel += w_panel) {
        const size_t channels = lb_mli_min_size(n - c, TILE_PANEL);
        for (size_t p = 0; p < pixels; p += 2 * cut.pixels, turn ^= 1) {
            const struct tile_pair pair = tiles_at(&cut, pixels, p);
            panel_of_tiles(in, &cut, &pair, panel, start + c, channels == TILE_PANEL, sums[turn],
                           sums[turn] + cut.pixels * TILE_PANEL, TILE_PANEL,
                           before.sums ? &before : NULL, profile);
            if (p == 0) {
                before.q = lb_mli_sa_result_from(q, c);
                before.n = channels;
                if (channels == TILE_PANEL)
                    TILE_NUMBERS_OF(&before.q, profile, &before.numbers);
            }
            before.sums = sums[turn];
            before.pixels = pair.two ? 2 * cut.pixels : cut.pixels;
            before.first = pair.first;
            before.second = pair.second;
            before.out = out + c;
        }
    }
    finish_all(&before, profile);
    TILES_FREE();
    return true;
}
