/* Products of pixels with panels of weights, straight to sa8 outputs. A level with 32 registers and
 * products of bytes includes this file behind panel_tmpl.h.
 *
 * Sums of whole and half tiles become results where they are, in registers; those of other tiles go
 * through memory. */
#include "simd/sa8_pairs.h"

enum { PANEL_CHANNELS = 2 * LANES, HALF_TILE = PANEL_PIXELS / 2 };

/* Keeps results of a pair behind those of the pair before it, and what they need out of registers
 * until then. */
#define FINISH(p, q, profile)                                                                      \
    __asm__ volatile("" : "+r"(r)::"memory");                                                      \
    finish_pair(SUM(a##p), SUM(b##p), SUM(a##q), SUM(b##q), r, profile, out + (p)*out_row,         \
                out + (q)*out_row);

#define PAIRS_7(profile)                                                                           \
    FINISH(0, 1, profile) FINISH(2, 3, profile) FINISH(4, 5, profile) FINISH(6, 6, profile)
#define PAIRS_14(profile)                                                                          \
    FINISH(0, 1, profile)                                                                          \
    FINISH(2, 3, profile)                                                                          \
    FINISH(4, 5, profile)                                                                          \
    FINISH(6, 7, profile) FINISH(8, 9, profile) FINISH(10, 11, profile) FINISH(12, 13, profile)

#define TILE_SA8(name, profile, pixels)                                                            \
    static void name##_##pixels(const struct lb_mli_pixels *in, size_t first, const char *w,       \
                                const int32_t *start, const struct panel_results *r, int8_t *out,  \
                                size_t out_row)                                                    \
    {                                                                                              \
        SUM_UP(U8S8, pixels, 2)                                                                    \
        PIXELS_##pixels(SETTLE) PAIRS_##pixels(profile)                                            \
    }

typedef void tile_sa8_fn(const struct lb_mli_pixels *in, size_t first, const char *w,
                         const int32_t *start, const struct panel_results *r, int8_t *out,
                         size_t out_row);

/* Sums of channels from .. from + n - 1, n at most those of a panel, to outputs. */
static void finish_sums(const int32_t *sums, size_t pixels, size_t from, size_t n,
                        const struct lb_mli_sa_result *q, lb_mli_sa8_rows_fn *rows, int8_t *out,
                        size_t out_row)
{
    const struct lb_mli_sa_result part = lb_mli_sa_result_from(q, from);
    rows(sums, PANEL_CHANNELS, pixels, n, &part, out, out_row);
}

LB_MLI_INLINE void panel_sa8(const struct lb_mli_pixels *in, size_t pixels, const char *w,
                             size_t w_panel, size_t n, const int32_t *start,
                             const struct lb_mli_sa_result *q, lb_mli_sa8_rows_fn *rows,
                             int8_t *out, size_t out_row, bool reduced, tile_sa8_fn *whole,
                             tile_sa8_fn *half)
{
    static panel_tile_fn *const tiles[PANEL_PIXELS][2] = {
        PANEL_TILES(PANEL_PIXELS)(NAME_TILES, U8S8)};
    int32_t sums[PANEL_PIXELS * PANEL_CHANNELS];
    struct panel_results results;
    for (size_t c = 0; c < n; c += PANEL_CHANNELS, w += w_panel, start += PANEL_CHANNELS) {
        const size_t channels = lb_mli_min_size(n - c, PANEL_CHANNELS);
        const bool both = channels == PANEL_CHANNELS;
        if (both)
            plan_results(q, c, reduced, &results);
        for (size_t p = 0, count; p < pixels; p += count) {
            int8_t *const to = out + p * out_row + c;
            count = next_tile(pixels - p);
            if (both && (count == PANEL_PIXELS || count == HALF_TILE)) {
                (count == PANEL_PIXELS ? whole : half)(in, p, w, start, &results, to, out_row);
            } else {
                tiles[count - 1][both](in, p, w, start, sums, PANEL_CHANNELS);
                finish_sums(sums, count, c, channels, q, rows, to, out_row);
            }
        }
    }
}

#define PANEL_SA8(name, profile)                                                                   \
    TILE_SA8(name, profile, 7)                                                                     \
    TILE_SA8(name, profile, 14)                                                                    \
    static void name(const struct lb_mli_pixels *in, size_t pixels, const void *w, size_t w_panel, \
                     size_t n, const int32_t *start, const struct lb_mli_sa_result *q,             \
                     lb_mli_sa8_rows_fn *rows, int8_t *out, size_t out_row)                        \
    {                                                                                              \
        panel_sa8(in, pixels, w, w_panel, n, start, q, rows, out, out_row,                         \
                  lb_mli_profile_reduced(profile), name##_14, name##_7);                           \
    }

PANEL_SA8(panel_up_full, LB_MLI_UP_FULL)
PANEL_SA8(panel_up_reduced, LB_MLI_UP_REDUCED)
PANEL_SA8(panel_convergent_full, LB_MLI_CONVERGENT_FULL)
PANEL_SA8(panel_convergent_reduced, LB_MLI_CONVERGENT_REDUCED)

static void fill_panel_sa8(struct lb_mli_loops *loops)
{
    loops->panel_sa8[LB_MLI_UP_FULL] = panel_up_full;
    loops->panel_sa8[LB_MLI_UP_REDUCED] = panel_up_reduced;
    loops->panel_sa8[LB_MLI_CONVERGENT_FULL] = panel_convergent_full;
    loops->panel_sa8[LB_MLI_CONVERGENT_REDUCED] = panel_convergent_reduced;
}
