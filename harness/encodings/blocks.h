/* Scales of blocks as a matrix, whichever version lays them out: a row for each channel, in it a
 * scale for each block. Spec: encodings.md 1.3. */
#ifndef LB_HARNESS_ENCODINGS_BLOCKS_H
#define LB_HARNESS_ENCODINGS_BLOCKS_H

#include "harness/encodings/map.h"

typedef struct lb_enc_matrix {
    size_t channels, blocks;
    double block_size;
    int block_axis;     /* of the tensor: 1, or 0 where its first dimension has the blocks */
    bool is_assumed;    /* the axis is not told */
    int bits;           /* of the codes */
    int wide_bits;      /* LPBQ of 1.0: of the codes times their integers; 0: not told */
    size_t *places;     /* of block b of channel c, c * blocks + b, in the order of the file */
    double *integers;   /* LPBQ: of that order; else NULL */
    double *of_channel; /* LPBQ: the scale of each channel */
} lb_enc_matrix;

/* The matrix of a PER_BLOCK or LPBQ tensor. `axis`: what the caller says of it, or NULL. NULL, or
 * why there is none, in words. Arrays are in the arena. */
const char *lb_enc_matrix_of(const lb_enc_tensor *t, const lb_enc_axis *axis, lb_arena *arena,
                             lb_enc_matrix *m);

#endif
