/* Rows of sa8 accumulators to outputs (conv.md 4.5) in vectors.
 *
 * Four vectors at a time, which are 4 * LANES channels of one pixel, or half as many of two, or
 * LANES of four: what is the same for all pixels stays in registers, and four vectors make one of
 * bytes. */
#include "simd/sa8_scale.h"

/* together: vectors of a pixel at once, 4, 2 or 1. Pixels past the last are the last once more. */
LB_MLI_INLINE void finish_rows(const int32_t *acc, size_t acc_row, size_t pixels, size_t together,
                               const struct lb_mli_sa_result *q, size_t c,
                               enum lb_mli_profile profile, int8_t *out, size_t out_row)
{
    const enum lb_mli_round round = lb_mli_profile_round(profile);
    const bool reduced = lb_mli_profile_reduced(profile);
    const size_t at_b = 1 % together * LANES, at_c = 2 % together * LANES,
                 at_d = 3 % together * LANES;
    const struct factors f_a = load_factors(q, c, reduced),
                         f_b = load_factors(q, c + at_b, reduced);
    const struct factors f_c = load_factors(q, c + at_c, reduced),
                         f_d = load_factors(q, c + at_d, reduced);
    const int32_t zero = q->zero, lo = q->lo, hi = q->hi;
    for (size_t p = 0; p < pixels; p += 4 / together) {
        const size_t last = pixels - 1;
        const size_t p_b = lb_mli_min_size(p + 1 / together, last),
                     p_c = lb_mli_min_size(p + 2 / together, last);
        const size_t p_d = lb_mli_min_size(p + 3 / together, last);
        const V a = scale(SUM_AT(acc + p * acc_row + c), f_a, round, reduced);
        const V b = scale(SUM_AT(acc + p_b * acc_row + c + at_b), f_b, round, reduced);
        const V d = scale(SUM_AT(acc + p_c * acc_row + c + at_c), f_c, round, reduced);
        const V e = scale(SUM_AT(acc + p_d * acc_row + c + at_d), f_d, round, reduced);
        const V bytes = to_bytes(a, b, d, e, zero, lo, hi);
        if (together == 4) {
            STORE(out + p * out_row + c, bytes);
        } else if (together == 2) {
            STORE_HALF(out + p * out_row + c, bytes, 0);
            STORE_HALF(out + p_c * out_row + c, bytes, 1);
        } else {
            STORE_QUARTER(out + p * out_row + c, bytes, 0);
            STORE_QUARTER(out + p_b * out_row + c, bytes, 1);
            STORE_QUARTER(out + p_c * out_row + c, bytes, 2);
            STORE_QUARTER(out + p_d * out_row + c, bytes, 3);
        }
    }
}

/* Channels that fill no vector are the end of one that overlaps the one before. */
LB_MLI_INLINE void sa8_rows(const int32_t *acc, size_t acc_row, size_t pixels, size_t n,
                            const struct lb_mli_sa_result *q, enum lb_mli_profile profile,
                            int8_t *out, size_t out_row)
{
    size_t c = 0;
    for (; c + 4 * LANES <= n; c += 4 * LANES)
        finish_rows(acc, acc_row, pixels, 4, q, c, profile, out, out_row);
    for (; c + 2 * LANES <= n; c += 2 * LANES)
        finish_rows(acc, acc_row, pixels, 2, q, c, profile, out, out_row);
    for (; c + LANES <= n; c += LANES)
        finish_rows(acc, acc_row, pixels, 1, q, c, profile, out, out_row);
    if (c < n)
        finish_rows(acc, acc_row, pixels, 1, q, n - LANES, profile, out, out_row);
}

#define SA8_ROWS(name, profile)                                                                    \
    static void name(const int32_t *acc, size_t acc_row, size_t pixels, size_t n,                  \
                     const struct lb_mli_sa_result *q, int8_t *out, size_t out_row)                \
    {                                                                                              \
        sa8_rows(acc, acc_row, pixels, n, q, profile, out, out_row);                               \
    }

SA8_ROWS(sa8_rows_up_full, LB_MLI_UP_FULL)
SA8_ROWS(sa8_rows_up_reduced, LB_MLI_UP_REDUCED)
SA8_ROWS(sa8_rows_convergent_full, LB_MLI_CONVERGENT_FULL)
SA8_ROWS(sa8_rows_convergent_reduced, LB_MLI_CONVERGENT_REDUCED)

static void fill_sa8_rows(struct lb_mli_loops *loops)
{
    loops->sa8_rows_channels = LANES;
    loops->sa8_rows[LB_MLI_UP_FULL] = sa8_rows_up_full;
    loops->sa8_rows[LB_MLI_UP_REDUCED] = sa8_rows_up_reduced;
    loops->sa8_rows[LB_MLI_CONVERGENT_FULL] = sa8_rows_convergent_full;
    loops->sa8_rows[LB_MLI_CONVERGENT_REDUCED] = sa8_rows_convergent_reduced;
}
