/* Real numbers to MLI parameters and containers: see formats.h. Everything is one exact step and
 * one rounding. */
#include "formats.h"

#include <math.h>

enum { SCALE_BITS = 15, FRAC_HIGH = 127, FRAC_LOW = -128 };

/* ---- Scales (encodings.md 5.1) ---- */

bool lb_scale_from_real(double scale, lb_scale *pair)
{
    int exponent;
    if (!(scale > 0) || isinf(scale))
        return false;
    (void)frexp(scale, &exponent);
    int frac = SCALE_BITS - exponent;
    if (frac > FRAC_HIGH)
        frac = FRAC_HIGH;
    double mantissa = rint(ldexp(scale, frac)); /* the scaling is exact; rint goes to even */
    if (mantissa == 32768.0) {
        mantissa = 16384.0;
        frac--;
    }
    if (mantissa == 0 || frac < FRAC_LOW)
        return false;
    *pair = (lb_scale){(int16_t)mantissa, (int8_t)frac};
    return true;
}

bool lb_scale_is_coarse(double scale)
{
    return scale < 0x1p-113;
}

double lb_scale_real(lb_scale pair)
{
    return ldexp(pair.mantissa, -pair.frac);
}

double lb_scale_product(lb_scale in, lb_scale weights)
{
    return ldexp((double)in.mantissa * weights.mantissa, -(in.frac + weights.frac));
}

/* ---- Values (encodings.md 5.3, 5.4) ---- */

lb_grid lb_grid_of(lb_scale pair, int64_t zero_point, int64_t low, int64_t high)
{
    return (lb_grid){
        .step = lb_scale_real(pair), .zero_point = zero_point, .low = low, .high = high};
}

/* value / step to the nearest whole number. The quotient in binary64 may fall on a tie that the
 * exact one only comes near to (a step of 30 bits, encodings.md 5.4), so the remainder, which fma
 * gives exactly, decides. */
static double nearest(double value, double step, lb_halves halves)
{
    double q = rint(value / step);
    double remainder = fma(-q, step, value); /* in about -step/2 .. step/2 */
    double half = step / 2;
    bool is_odd = fmod(q, 2) != 0;
    if (remainder > half || (remainder == half && (halves == LB_HALVES_UP || is_odd)))
        return q + 1;
    if (remainder < -half || (remainder == -half && halves == LB_HALVES_TO_EVEN && is_odd))
        return q - 1;
    return q;
}

bool lb_quantize(lb_grid grid, float value, lb_halves halves, int64_t *q)
{
    if (isnan(value))
        return false;
    double steps = (double)value / grid.step;
    double far = 0x1p40; /* beyond every container: clamped without a look at the digits */
    if (steps > far || steps < -far) {
        *q = steps > 0 ? grid.high : grid.low;
        return true;
    }
    int64_t wide = (int64_t)nearest((double)value, grid.step, halves) + grid.zero_point;
    *q = wide < grid.low ? grid.low : wide > grid.high ? grid.high : wide;
    return true;
}

float lb_dequantize(lb_grid grid, int64_t q)
{
    return (float)((double)(q - grid.zero_point) * grid.step);
}

/* ---- Ranges (encodings.md 5.5) ---- */

int lb_frac_bits_of_range(double low, double high, int bits)
{
    double limit = ldexp(1, bits - 1);
    int frac = bits - 1;
    while (frac >= 0 && !(rint(ldexp(high, frac)) <= limit - 1 && rint(ldexp(low, frac)) >= -limit))
        frac--;
    return frac;
}
