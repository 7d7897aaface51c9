/* What a tensor of an encodings file is in kernels that take plain integers, and whose calls are
 * prepared from float32 scales (litert.22). */
#ifndef LB_HARNESS_ENCODINGS_PLAIN_H
#define LB_HARNESS_ENCODINGS_PLAIN_H

#include "harness/encodings/convert.h"

/* A number is scale * (integer - zero_point), with a scale for each channel where there are
 * several. */
typedef struct lb_enc_plain {
    unsigned bits;
    size_t count;
    float *scales;
    int32_t zero_point;
    lb_grid *grids; /* the same, for real numbers of each channel */
} lb_enc_plain;

/* Integers of so many bits; 0: of as many as the encoding has, 8, 16 or 32. NULL, or why the tensor
 * cannot be such. Lists and texts are in the arena. */
const char *lb_enc_map_plain(const lb_enc_tensor *tensor, unsigned bits, lb_arena *arena,
                             lb_enc_plain *plain);
/* Of all tensors, as YAML: "NAME": {type: s8, scale: 0.05, zero_point: -10}. */
void lb_enc_write_plain(lb_doc *doc, const lb_enc_file *file, const lb_enc_axes *axes,
                        lb_enc_remarks *remarks);

#endif
