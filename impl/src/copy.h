/* Moves a box of elements from one strided place to another, in any order of dimensions: for
 * permutation and data movement. Finds the longest contiguous runs, and hands the rest to the loops
 * that suit it. */
#ifndef LB_MLI_COPY_H
#define LB_MLI_COPY_H

#include "internal.h"

/* A box: rank dimensions, those of the destination, outermost first. */
struct lb_mli_box {
    uint32_t rank;                /* 0 (one element) .. MLI_MAX_RANK */
    size_t extent[MLI_MAX_RANK];  /* 0: nothing at all is moved */
    ptrdiff_t from[MLI_MAX_RANK]; /* elements from one index to the next in the source, above 0 */
    ptrdiff_t to[MLI_MAX_RANK];   /* the same in the destination, above 0, falling */
};

/* size: bytes of an element. Source and destination do not overlap; between elements nothing is
 * touched. */
LB_MLI_HIDDEN void lb_mli_copy_box(const void *from, void *to, size_t size,
                                   const struct lb_mli_box *box);

/* Sets the elements of the destination to all bits 0. box->from is not read. */
LB_MLI_HIDDEN void lb_mli_clear_box(void *to, size_t size, const struct lb_mli_box *box);

#endif
