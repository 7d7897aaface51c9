/* Sums of the two vectors of a panel, two pixels at a time, to sa8 outputs. The file that includes
 * it has the header of its vectors first. */
#ifndef LB_MLI_SA8_PAIRS_H
#define LB_MLI_SA8_PAIRS_H

#include "simd/sa8_scale.h"

/* Of the two vectors of a panel. */
struct panel_results {
    struct factors a, b;
    V zero, lo, hi;
};

LB_MLI_INLINE void plan_results(const struct lb_mli_sa_result *q, size_t c, bool reduced,
                                struct panel_results *r)
{
    r->a = load_factors(q, c, reduced);
    r->b = load_factors(q, c + LANES, reduced);
    r->zero = SET_WORDS(q->zero);
    r->lo = SET_BYTES(q->lo);
    r->hi = SET_BYTES(q->hi);
}

/* Two pixels of two vectors: a and b, c and d. */
LB_MLI_INLINE void finish_pair(V a, V a_odd, V b, V b_odd, V c, V c_odd, V d, V d_odd,
                               const struct panel_results *r, enum lb_mli_profile profile,
                               int8_t *out_ab, int8_t *out_cd)
{
    const enum lb_mli_round round = lb_mli_profile_round(profile);
    const bool reduced = lb_mli_profile_reduced(profile);
    V ab = to_unordered_words(scale(a, a_odd, r->a, round, reduced),
                              scale(b, b_odd, r->b, round, reduced), r->zero);
    KEEP(ab);
    const V cd = to_unordered_words(scale(c, c_odd, r->a, round, reduced),
                                    scale(d, d_odd, r->b, round, reduced), r->zero);
    const V bytes = to_ordered_bytes(ab, cd, r->lo, r->hi);
    STORE_HALF(out_ab, bytes, 0);
    STORE_HALF(out_cd, bytes, 1);
}

#endif
