/* Products of pixels with panels of weights of 16 bits, straight to FX_16 outputs. A level with 32
 * registers includes this file behind panel_tmpl.h.
 *
 * Sums of whole and half tiles become results where they are, in registers; those of other tiles go
 * through memory. */
#include "simd/fx16_scale.h"

enum { PANEL_SUMS = 2 * LANES };

/* One pixel of two vectors, two pixels of split ones. */
LB_MLI_INLINE void finish_words(V a, V b, const struct shifting *s, enum lb_mli_round round,
                                int16_t *out)
{
    const V words = TO_WORDS(shifted_sum(a, s, round), shifted_sum(b, s, round));
    STORE(out, MAX_WORDS(MIN_WORDS(words, s->hi), s->lo));
}

LB_MLI_INLINE void finish_split16(V a, V b, V c, V d, const struct joining *j,
                                  enum lb_mli_round round, int16_t *out_ab, int16_t *out_cd)
{
    const V words = TO_WORDS(joined_sums(a, b, j, round), joined_sums(c, d, j, round));
    const V bounded = MAX_WORDS(MIN_WORDS(words, j->hi), j->lo);
    STORE_HALF(out_ab, bounded, 0);
    STORE_HALF(out_cd, bounded, 1);
}

/* Results come one behind the other, and what they need stays out of registers until then; behind
 * the first few, registers are free. */
#define IN_TURN               __asm__ volatile("" : "+r"(r)::"memory")
#define FINISH_WORDS(p, from) finish_words(a##p, b##p, from, round, out + (p)*out_row)
#define FINISH_SPLIT16(p, q, from)                                                                 \
    finish_split16(a##p, b##p, a##q, b##q, from, round, out + (p)*out_row, out + (q)*out_row)

#define ALL_WORDS_7                                                                                \
    IN_TURN;                                                                                       \
    const struct shifting kept = *r;                                                               \
    FINISH_WORDS(0, &kept);                                                                        \
    FINISH_WORDS(1, &kept);                                                                        \
    FINISH_WORDS(2, &kept);                                                                        \
    FINISH_WORDS(3, &kept);                                                                        \
    FINISH_WORDS(4, &kept);                                                                        \
    FINISH_WORDS(5, &kept);                                                                        \
    FINISH_WORDS(6, &kept);

#define ALL_WORDS_14                                                                               \
    IN_TURN;                                                                                       \
    FINISH_WORDS(0, r);                                                                            \
    IN_TURN;                                                                                       \
    FINISH_WORDS(1, r);                                                                            \
    IN_TURN;                                                                                       \
    FINISH_WORDS(2, r);                                                                            \
    IN_TURN;                                                                                       \
    const struct shifting kept = *r;                                                               \
    FINISH_WORDS(3, &kept);                                                                        \
    FINISH_WORDS(4, &kept);                                                                        \
    FINISH_WORDS(5, &kept);                                                                        \
    FINISH_WORDS(6, &kept);                                                                        \
    FINISH_WORDS(7, &kept);                                                                        \
    FINISH_WORDS(8, &kept);                                                                        \
    FINISH_WORDS(9, &kept);                                                                        \
    FINISH_WORDS(10, &kept);                                                                       \
    FINISH_WORDS(11, &kept);                                                                       \
    FINISH_WORDS(12, &kept);                                                                       \
    FINISH_WORDS(13, &kept);

#define ALL_SPLIT16_7                                                                              \
    IN_TURN;                                                                                       \
    const struct joining kept = *r;                                                                \
    FINISH_SPLIT16(0, 1, &kept);                                                                   \
    FINISH_SPLIT16(2, 3, &kept);                                                                   \
    FINISH_SPLIT16(4, 5, &kept);                                                                   \
    FINISH_SPLIT16(6, 6, &kept);

#define ALL_SPLIT16_14                                                                             \
    IN_TURN;                                                                                       \
    FINISH_SPLIT16(0, 1, r);                                                                       \
    IN_TURN;                                                                                       \
    FINISH_SPLIT16(2, 3, r);                                                                       \
    IN_TURN;                                                                                       \
    const struct joining kept = *r;                                                                \
    FINISH_SPLIT16(4, 5, &kept);                                                                   \
    FINISH_SPLIT16(6, 7, &kept);                                                                   \
    FINISH_SPLIT16(8, 9, &kept);                                                                   \
    FINISH_SPLIT16(10, 11, &kept);                                                                 \
    FINISH_SPLIT16(12, 13, &kept);

#define TILE_FX16(name, plan, finish, rounding, pixels)                                            \
    static void name##_##pixels(const struct lb_mli_pixels *in, size_t first, const char *w,       \
                                const int32_t *start, const plan *r, int16_t *out, size_t out_row) \
    {                                                                                              \
        const enum lb_mli_round round = rounding;                                                  \
        SUM_UP(S16, pixels, 2)                                                                     \
        PIXELS_##pixels(SETTLE) finish##_##pixels                                                  \
    }

/* sums_of: 32-bit numbers of an accumulator. */
#define PANEL_FX16(name, q_type, rows_type, plan, plan_of, finish, sums_of, round)                 \
    TILE_FX16(name, plan, finish, round, 7)                                                        \
    TILE_FX16(name, plan, finish, round, 14)                                                       \
    static void name(const struct lb_mli_pixels *in, size_t pixels, const void *weights,           \
                     size_t w_panel, size_t n, const int32_t *start, const q_type *q,              \
                     rows_type *rows, int16_t *out, size_t out_row)                                \
    {                                                                                              \
        static panel_tile_fn *const tiles[PANEL_PIXELS][2] = {                                     \
            PANEL_TILES(PANEL_PIXELS)(NAME_TILES, S16)};                                           \
        enum { CHANNELS = PANEL_SUMS / (sums_of) };                                                \
        const plan results = plan_of(q);                                                           \
        const char *w = weights;                                                                   \
        int32_t sums[PANEL_PIXELS * PANEL_SUMS];                                                   \
        for (size_t c = 0; c < n; c += CHANNELS, w += w_panel, start += PANEL_SUMS) {              \
            const size_t channels = lb_mli_min_size(n - c, CHANNELS);                              \
            for (size_t p = 0, count; p < pixels; p += count) {                                    \
                int16_t *const to = out + p * out_row + c;                                         \
                count = next_tile(pixels - p);                                                     \
                if (channels == CHANNELS && count == 14) {                                         \
                    name##_14(in, p, w, start, &results, to, out_row);                             \
                } else if (channels == CHANNELS && count == 7) {                                   \
                    name##_7(in, p, w, start, &results, to, out_row);                              \
                } else {                                                                           \
                    tiles[count - 1][(sums_of) == 2 || channels > LANES](in, p, w, start, sums,    \
                                                                         PANEL_SUMS);              \
                    rows(sums, PANEL_SUMS, count, channels, q, to, out_row);                       \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

#define PANEL_WORDS(name, round)                                                                   \
    PANEL_FX16(name, struct lb_mli_fx_result, lb_mli_fx16_rows_fn, struct shifting, plan_shifting, \
               ALL_WORDS, 1, round)
#define PANEL_SPLIT16(name, round)                                                                 \
    PANEL_FX16(name, struct lb_mli_split16_result, lb_mli_split16_rows_fn, struct joining,         \
               plan_joining, ALL_SPLIT16, 2, round)

PANEL_WORDS(panel_fx16_up, LB_MLI_UP)
PANEL_WORDS(panel_fx16_convergent, LB_MLI_CONVERGENT)
PANEL_SPLIT16(panel_planes_up, LB_MLI_UP)
PANEL_SPLIT16(panel_planes_convergent, LB_MLI_CONVERGENT)

static void fill_panel_fx16(struct lb_mli_loops *loops)
{
    loops->panel_fx16[LB_MLI_UP] = panel_fx16_up;
    loops->panel_fx16[LB_MLI_CONVERGENT] = panel_fx16_convergent;
    loops->panel_split16[LB_MLI_UP] = panel_planes_up;
    loops->panel_split16[LB_MLI_CONVERGENT] = panel_planes_convergent;
}
