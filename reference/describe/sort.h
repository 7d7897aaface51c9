/* Sorts of numbers: what a number of a call is for. Numbers of sorts that go with one another are
 * what a kernel can take for each other; most sorts have a neutral value, with which the number
 * does nothing. */
#ifndef LB_REFERENCE_DESCRIBE_SORT_H
#define LB_REFERENCE_DESCRIBE_SORT_H

#include <stdint.h>

/* code, name, neutral value, what it is taken for (bits), what it is multiplied with where a kernel
 * counts in the wrong unit (bits) */
/* clang-format off */
#define LB_SORTS(X) \
    X(NUMBER,     "number",     LB_NO_NEUTRAL, 0, 0)              /* a constant of the formula */ \
    X(EXTENT,     "extent",     1, LB_SORT_BIT(EXTENT), 0) \
    X(STRIDE,     "stride",     0, LB_SORT_BIT(STRIDE), 0)        /* of memory, in elements; 0: as dense */ \
    X(STEP,       "step",       1, LB_SORTS_OF_WINDOWS, LB_SORT_BIT(PADDING) | LB_SORT_BIT(OFFSET)) \
    X(GAP,        "gap",        1, LB_SORTS_OF_WINDOWS, LB_SORT_BIT(PADDING) | LB_SORT_BIT(OFFSET)) /* dilation */ \
    X(SIZE,       "size",       1, LB_SORTS_OF_WINDOWS, LB_SORT_BIT(PADDING) | LB_SORT_BIT(OFFSET)) /* of a kernel; a count */ \
    X(PADDING,    "padding",    0, LB_SORT_BIT(PADDING), LB_SORTS_OF_WINDOWS) \
    X(OFFSET,     "offset",     0, LB_SORT_BIT(OFFSET),  LB_SORTS_OF_WINDOWS) \
    X(LENGTH,     "length",     0, LB_SORT_BIT(LENGTH), 0)        /* of what is taken; 0: all there is */ \
    X(INDEX,      "index",      0, LB_SORT_BIT(INDEX), 0)         /* of a dimension, of an entry */ \
    X(DIMENSIONS, "dimensions", LB_NO_NEUTRAL, LB_SORT_BIT(DIMENSIONS), 0) /* how many: a rank */ \
    X(AXIS,       "axis",       LB_NO_NEUTRAL, LB_SORT_BIT(AXIS), 0) \
    X(ORDER,      "order",      LB_NO_NEUTRAL, 0, 0)              /* of dimensions: an entry of a permutation */ \
    X(CHOICE,     "choice",     LB_NO_NEUTRAL, 0, 0)              /* one of a few named values */ \
    X(FLAG,       "flag",       LB_NO_NEUTRAL, 0, 0)              /* 0 or 1 */ \
    X(TYPE,       "type",       LB_NO_NEUTRAL, LB_SORT_BIT(TYPE), 0)       /* of elements */ \
    X(SCALE,      "scale",      1, LB_SORT_BIT(SCALE), 0) \
    X(ZERO_POINT, "zero point", 0, LB_SORT_BIT(ZERO_POINT), 0) \
    X(FRAC_BITS,  "fraction bits", 0, LB_SORT_BIT(FRAC_BITS), 0) \
    X(MULTIPLIER, "multiplier", LB_NO_NEUTRAL, LB_SORT_BIT(MULTIPLIER), 0) /* fixed point, in place of a scale */ \
    X(SHIFT,      "shift",      0, LB_SORT_BIT(SHIFT), 0) \
    X(LIMIT,      "limit",      LB_NO_NEUTRAL, LB_SORT_BIT(LIMIT), 0)      /* of results */ \
    X(BYTES,      "bytes",      LB_NO_NEUTRAL, 0, 0)              /* of memory */ \
    X(DERIVED,    "derived",    1, 0, 0)                          /* from two others, which it is taken for */
/* clang-format on */

#define LB_SORT_CODE(code, ...) LB_SORT_##code,
typedef enum lb_sort { LB_SORTS(LB_SORT_CODE) LB_SORT_COUNT } lb_sort;

#define LB_SORT_BIT(code)   (UINT32_C(1) << LB_SORT_##code)
#define LB_SORTS_OF_WINDOWS (LB_SORT_BIT(STEP) | LB_SORT_BIT(GAP) | LB_SORT_BIT(SIZE))

/* In place of a neutral value: there is none. */
#define LB_NO_NEUTRAL INT64_MIN

typedef struct lb_sort_row {
    const char *name;
    int64_t neutral;
    uint32_t taken_for, times; /* bits: 1 << lb_sort */
} lb_sort_row;

extern const lb_sort_row lb_sorts[LB_SORT_COUNT];

#endif
