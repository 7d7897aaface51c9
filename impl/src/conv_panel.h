/* What conv_panel.c and conv_panel_weights.c share: how a call packs, and its memory. */
#ifndef LB_MLI_CONV_PANEL_H
#define LB_MLI_CONV_PANEL_H

#include "conv_ways.h"

enum {
    LB_MLI_PANEL_SUMS =
        14 * LB_MLI_BLOCK,  /* at once: a tile of pixels of all channels, or more pixels of fewer */
    LB_MLI_PANEL_STEP = 4,  /* bytes of a pixel */
    LB_MLI_PANEL_LINE = 64, /* bytes, of a cache */
    LB_MLI_PANEL_RUNS = 128, /* most of a pixel */
};

/* How a call packs. */
struct lb_mli_panel_layout {
    bool bytes, split, split16; /* split16: split sums go straight to outputs */
    bool straight;       /* sums and outputs are one loop: panel_sa8, panel_fx16, panel_split16 */
    size_t element;      /* bytes, of the ring */
    size_t depth_bytes;  /* of a tap in the ring */
    size_t rows_of_step; /* rows of weights in a step */
    size_t run_rows; /* rows of weights that a run takes: taps of a kernel row, or one, times the
                        depth */
    size_t runs, runs_in_row; /* of a pixel, of a kernel row */
    size_t steps;             /* of a run */
    size_t block;             /* channels at once */
    size_t vector_bytes, panel_bytes;
    size_t weight_bytes; /* of a block */
};

/* Products of bytes, of the weights that layout.bytes is for. */
static inline lb_mli_panel_fn *lb_mli_panel_of_bytes(const struct lb_mli_loops *loops)
{
    return loops->panel_u8s8 ? loops->panel_u8s8 : loops->panel_narrow;
}

/* Memory of a call on the stack: some 50 kB with the results. */
struct lb_mli_panel_work {
    _Alignas(LB_MLI_PANEL_LINE) int32_t acc[LB_MLI_PANEL_SUMS];
    _Alignas(LB_MLI_PANEL_LINE) int32_t start[LB_MLI_BLOCK];
    int64_t wide[LB_MLI_PANEL_SUMS / 2];
    union lb_mli_conv_results results;
    struct lb_mli_split16_result split16;
    const char *run[LB_MLI_PANEL_RUNS]; /* of the first pixel of an output row */
};

/* One block of channels of a call. */
struct lb_mli_panel_block {
    const struct lb_mli_conv *conv;
    const struct lb_mli_panel_layout *layout;
    const char *weights; /* packed */
    size_t first, n;     /* channels */
    size_t vectors, acc_row;
    struct lb_mli_panel_work *work;
};

/* False: this way does not suit the convolution. Weights and loops are looked at alone. */
LB_MLI_HIDDEN bool lb_mli_panel_plan(const struct lb_mli_conv *conv,
                                     struct lb_mli_panel_layout *layout);

/* The block that begins with channel `first`; weights: where they are, or will be, packed. */
LB_MLI_HIDDEN struct lb_mli_panel_block lb_mli_panel_block(const struct lb_mli_conv *conv,
                                                           const struct lb_mli_panel_layout *layout,
                                                           size_t first, const char *weights,
                                                           struct lb_mli_panel_work *work);

/* Packs the weights of a block. sums: for LB_MLI_BLOCK channels, those of the weights that packing
 * adds up. */
LB_MLI_HIDDEN void lb_mli_panel_pack(const struct lb_mli_panel_block *block, char *packed,
                                     int32_t *sums);

/* Plans what the sums of a packed block start from: excess of bytes, bias, half of the rounding.
 * The layout gets what depends on the weights. sums: as packing gave them, may be work's acc;
 * memory: of a run. */
LB_MLI_HIDDEN void lb_mli_panel_start(const struct lb_mli_panel_block *block,
                                      struct lb_mli_panel_layout *layout, const int32_t *sums,
                                      char *memory);

#endif
