/* What a tensor of an encodings file is in MLI: parameters of sa8 or sa32, fx16, fx8, fp32, or the
 * code that says why not. Spec: encodings.md 5. */
#ifndef LB_HARNESS_ENCODINGS_MAP_H
#define LB_HARNESS_ENCODINGS_MAP_H

#include "harness/encodings/encodings.h"
#include "reference/core/formats.h"
#include "reference/core/tensor.h"

/* What the caller knows of a tensor and the file does not: "--axis NAME=AXIS[:COUNT]". */
typedef struct lb_enc_axis {
    const char *name;
    int32_t axis;
    uint32_t extent; /* of the tensor along it; 0: not known */
    bool is_used;
} lb_enc_axis;

typedef struct lb_enc_map {
    const char *all;     /* U_ code that stands for every target, or NULL */
    const char *sa_code; /* U_ code, or NULL: the next six hold */
    lb_el_type sa_type;  /* LB_SA8 or LB_SA32 (also of the code) */
    bool has_sa;         /* false: not asked for (floats) */
    size_t count;        /* of the three lists */
    lb_scale *scales;
    int16_t *zero_points;
    int64_t *lows; /* lowest code of each channel (strict: one less than the type's) */
    int64_t *highs;
    bool per_axis;
    bool has_axis;
    int32_t axis;
    const char *fx_code[2]; /* of fx16, fx8: NULL: frac_bits holds */
    bool has_fx;
    int frac_bits[2];
    double low, high; /* of the values, over all channels */
    bool is_fp32;     /* floats */
    const char *fp32_code;
    bool is_coarse;      /* W_SCALE_PRECISION */
    bool has_zero_point; /* a zero point other than 0 */
} lb_enc_map;

/* Maps the tensor. `axis` may be NULL: the file's own, or none. */
void lb_enc_map_tensor(const lb_enc_tensor *tensor, const lb_enc_axis *axis, lb_arena *arena,
                       lb_enc_map *map);
/* Zero point and codes of a channel as signed numbers of the tensor's width; false where the zero
 * point fits no field of 16 bits. */
bool lb_enc_zero_point(const lb_enc_tensor *tensor, const lb_enc_grid *grid, int64_t *zero_point,
                       int64_t *low, int64_t *high);
/* What a code says, in words. */
const char *lb_enc_reason(const char *code);
/* Adds the warnings that only mapping shows: W_PARAM_ZERO_POINT, W_SCALE_PRECISION. */
void lb_enc_map_warnings(lb_enc_file *file);

#endif
