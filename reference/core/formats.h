/* Quantization parameters from real numbers, and integers from real numbers: how the scale, the
 * range and the values of a trained network become those of an MLI tensor. Spec: encodings.md 5.1
 * to 5.5. */
#ifndef LB_REFERENCE_FORMATS_H
#define LB_REFERENCE_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

/* A scale as MLI keeps it: mantissa * 2^-frac, mantissa 1..32767, frac -128..127
 * (encodings.md 5.1). */
typedef struct lb_scale {
    int16_t mantissa;
    int8_t frac;
} lb_scale;

/* The pair nearest to a scale > 0, ties to even, normalised. False (U_SCALE_RANGE): it would be 0,
 * or needs frac < -128. */
bool lb_scale_from_real(double scale, lb_scale *pair);
/* Does the scale keep fewer than 15 bits as a pair (W_SCALE_PRECISION)? */
bool lb_scale_is_coarse(double scale);
double lb_scale_real(lb_scale pair);
/* Exact product of two scales: that of a bias, or of anything in the accumulator
 * (encodings.md 5.4). */
double lb_scale_product(lb_scale in, lb_scale weights);

typedef enum lb_halves {
    LB_HALVES_TO_EVEN, /* the rule of encodings.md 5.3 */
    LB_HALVES_UP       /* the option half-up: towards plus infinity */
} lb_halves;

/* Where a real number is quantized to: value = (q - zero_point) * step, q in low .. high. */
typedef struct lb_grid {
    double step; /* > 0, at most 31 bits of mantissa */
    int64_t zero_point, low, high;
} lb_grid;

/* The grid of a pair. */
lb_grid lb_grid_of(lb_scale pair, int64_t zero_point, int64_t low, int64_t high);
/* q of a binary32 number, in one exact rounding; infinities clamp. False for NaN: it has no q. */
bool lb_quantize(lb_grid grid, float value, lb_halves halves, int64_t *q);
/* Value of q, rounded to binary32 (exact where q - zero_point has 9 bits, unless it underflows). */
float lb_dequantize(lb_grid grid, int64_t q);

/* The most fractional bits (0 .. bits - 1) with which an fx container of 8 or 16 bits holds a
 * range, or -1 (U_FX_RANGE). */
int lb_frac_bits_of_range(double low, double high, int bits);

#endif
