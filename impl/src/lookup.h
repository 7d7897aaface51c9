/* Values out of the table of an mli_lut, with linear interpolation or without (recurrent.md 4,
 * elementwise.md 6). The caller's table is used as it is: data, length, in_frac_bits and
 * input_offset. */
#ifndef LB_MLI_LOOKUP_H
#define LB_MLI_LOOKUP_H

#include "loops.h"

enum {
    LB_MLI_LOOKUP_PAIRS =
        384, /* longest table that is packed; those of create_lut have up to 358 entries */
    LB_MLI_LOOKUP_MORE = 128, /* entries that loops may load behind the last */
    LB_MLI_LOOKUP_PAYS = 32   /* elements from which on packing pays */
};

/* What is the same for all elements. x is an integer with as many fractional bits as the plan was
 * made for. */
struct lb_mli_lookup {
    const int16_t *table;
    int32_t offset; /* of the index */
    int32_t last;   /* largest index: length - 2 with interpolation, length - 1 without */
    int32_t left;   /* without interpolation: x goes left by that, at least 0 */
    int32_t pre;    /* with: low bits of x that do not count, 0..15 */
    int32_t bits;   /* with: bits of the fraction between two entries, 1..15; without: 0 */
    bool packed;    /* the loops of loops.h apply: pair is filled, left is at most 14, nothing
                       saturates */
    /* An entry and the one after it in one word, high and low half, so that one load fetches both.
     */
    int32_t pair[LB_MLI_LOOKUP_PAIRS];
    /* The same apart: entries, and how far it is down to the next. What lies behind the last is any
     * number. */
    int16_t entry[LB_MLI_LOOKUP_PAIRS + LB_MLI_LOOKUP_MORE],
        fall[LB_MLI_LOOKUP_PAIRS + LB_MLI_LOOKUP_MORE];
    /* For levels that look up bytes: low and high ones of entry, then of fall. */
    uint8_t bytes[4][LB_MLI_LOOKUP_PAIRS + LB_MLI_LOOKUP_MORE];
};

/* Whether there is a table to look into: not NULL, and with an entry to interpolate to. */
LB_MLI_HIDDEN bool lb_mli_lut_usable(const mli_lut *lut);

/* frac: fractional bits of x, any. Above lut->in_frac_bits there is interpolation. count: elements
 * to expect. */
LB_MLI_HIDDEN void lb_mli_lookup_plan(const mli_lut *lut, int64_t frac, uint64_t count,
                                      struct lb_mli_lookup *plan);

/* One value by the total primitives, any x, packed or not. */
LB_MLI_HIDDEN int32_t lb_mli_lookup_one(const struct lb_mli_lookup *plan, int32_t x,
                                        enum lb_mli_round round);

#endif
