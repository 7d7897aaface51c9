/* The look-up tables of the activation kernels, and the look-up itself, with and without
 * interpolation. Spec: recurrent.md 3 (sigm, tanh) and 4; elementwise.md 6 (softmax, l2_normalize).
 * The models always work with these tables: a table is an argument of the API, but never of a case.
 */
#ifndef LB_REFERENCE_LUT_H
#define LB_REFERENCE_LUT_H

#include "steps.h"

struct lb_kernel;

#include <stdint.h>

typedef enum lb_lut_kind {
    LB_LUT_SIGM,         /* 1 / (1 + e^-x) */
    LB_LUT_TANH,         /* tanh x */
    LB_LUT_SOFTMAX,      /* e^x, x <= 0 */
    LB_LUT_L2_NORMALIZE, /* 1 / sqrt x */
    LB_LUT_COUNT
} lb_lut_kind;

/* Fields of mli_lut after create_lut. Entry i stands for the argument (i - input_offset) /
 * 2^in_frac_bits; it is the function's value times 2^out_frac_bits, rounded to nearest. */
typedef struct lb_lut {
    const char *name; /* of the functions: mli_krn_<name>_create_lut, mli_krn_<name>_get_lut_size */
    const int16_t *table;
    int32_t length; /* entries */
    int32_t in_frac_bits;
    int32_t out_frac_bits;
    int32_t input_offset;
    int32_t output_offset;
} lb_lut;

extern const lb_lut lb_luts[LB_LUT_COUNT];

/* The table that a create_lut or get_lut_size is about: its name stands behind "mli_krn_". */
lb_lut_kind lb_lut_of(const struct lb_kernel *kernel);

/* Bytes that create_lut asks for: 640, 688, 716, 194. */
int32_t lb_lut_size_bytes(lb_lut_kind kind);

/* The table at x, an int32 with `frac` fractional bits (any int8, or 13); the result has
 * out_frac_bits. frac > in_frac_bits interpolates (up to 30 bits of difference count), else the
 * nearest entry is taken. Arguments outside the table continue its first or last interval, or are
 * its first or last entry. */
int64_t lb_lut_lookup(lb_lut_kind kind, lb_rounding rounding, int64_t x, int frac);
/* The same, told to a listener (steps may be NULL). */
lb_num lb_num_lut(lb_steps *steps, lb_lut_kind kind, const lb_profile *profile, lb_num x,
                  lb_num frac);

#endif
