/* Blocks with a shared scale, and elements packed bit by bit: see mx.h. */
#include "mx.h"

#include <math.h>
#include <string.h>

enum { E8M0_BIAS = 127, FLOAT32_FRACTION = 23 };

const lb_mx_format lb_mx_formats[] = {
    {"mxfp4", LB_FLOAT4_E2M1, 2},      {"mxfp6e2m3", LB_FLOAT6_E2M3, 2},
    {"mxfp6e3m2", LB_FLOAT6_E3M2, 4},  {"mxfp8e4m3", LB_FLOAT8_E4M3FN, 8},
    {"mxfp8e5m2", LB_FLOAT8_E5M2, 15}, {NULL, LB_FLOAT32, 0},
};

const lb_mx_format *lb_mx_format_of(const char *name)
{
    for (const lb_mx_format *f = lb_mx_formats; f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}

/* The exponent by a rule, of a largest magnitude that is finite and not 0. */
static int find_exponent(const lb_mx_format *format, lb_mx_rule rule, uint32_t largest)
{
    unsigned cut = FLOAT32_FRACTION - lb_float_fraction_bits(format->element);
    double value = lb_float_value(LB_FLOAT32, largest);
    int exponent = ilogb(value);
    switch (rule) {
    case LB_MX_FLOOR:
        break;
    case LB_MX_CEIL:
        exponent += value > ldexp(1, exponent);
        break;
    case LB_MX_EVEN: { /* a fraction from this on is the next power of two */
        lb_float number = lb_float_unpack(LB_FLOAT32, largest);
        while (number.mantissa >> FLOAT32_FRACTION == 0)
            number.mantissa <<= 1;
        exponent += (number.mantissa + ((uint64_t)1 << (cut - 1))) >> (FLOAT32_FRACTION + 1) != 0;
        break;
    }
    case LB_MX_FIT:
        exponent -= format->top_exponent;
        return exponent + (value > ldexp(lb_float_largest(format->element), exponent));
    }
    return exponent - format->top_exponent;
}

uint8_t lb_mx_block_scale(const lb_mx_format *format, lb_mx_rule rule,
                          const uint32_t patterns[LB_MX_BLOCK])
{
    uint32_t largest = 0; /* magnitudes are ordered as their patterns */
    for (size_t i = 0; i < LB_MX_BLOCK; i++) {
        uint32_t magnitude = patterns[i] & 0x7FFFFFFF;
        largest = magnitude > largest ? magnitude : largest;
    }
    if (largest >= 0x7F800000)
        return LB_MX_NAN;
    if (largest == 0)
        return 0;
    int exponent = find_exponent(format, rule, largest);
    return (uint8_t)((exponent < -E8M0_BIAS ? -E8M0_BIAS : exponent) + E8M0_BIAS);
}

uint8_t lb_mx_block_encode(const lb_mx_format *format, lb_mx_rule rule,
                           const uint32_t patterns[LB_MX_BLOCK], uint8_t codes[LB_MX_BLOCK])
{
    uint8_t scale = lb_mx_block_scale(format, rule, patterns);
    memset(codes, 0, LB_MX_BLOCK);
    for (size_t i = 0; i < LB_MX_BLOCK && scale != LB_MX_NAN; i++) {
        lb_float number = lb_float_unpack(LB_FLOAT32, patterns[i]);
        uint32_t code;
        number.exponent -= scale - E8M0_BIAS; /* divided by the scale, exactly */
        lb_float_pack(format->element, number, LB_NAN_DOCUMENT, LB_OVERFLOW_SATURATE, &code);
        codes[i] = (uint8_t)code;
    }
    return scale;
}

uint32_t lb_mx_block_decode(const lb_mx_format *format, uint8_t scale, uint8_t code)
{
    lb_float number = lb_float_unpack(format->element, code);
    uint32_t pattern;
    number.exponent += scale - E8M0_BIAS;
    if (scale == LB_MX_NAN)
        number = (lb_float){.kind = LB_FLOAT_NAN};
    lb_float_pack(LB_FLOAT32, number, LB_NAN_DOCUMENT, LB_OVERFLOW_INFINITY, &pattern);
    return pattern;
}

/* ---- Bits ---- */

size_t lb_bits_bytes(size_t count, unsigned bits)
{
    return count / 8 * bits + (count % 8 * bits + 7) / 8;
}

void lb_bits_pack(const uint8_t *elements, size_t count, unsigned bits, uint8_t *bytes)
{
    memset(bytes, 0, lb_bits_bytes(count, bits));
    for (size_t i = 0; i < count; i++)
        for (unsigned b = 0; b < bits; b++) {
            size_t at = i * bits + b;
            bytes[at / 8] |= (uint8_t)((elements[i] >> b & 1u) << at % 8);
        }
}

uint8_t lb_bits_at(const uint8_t *bytes, size_t i, unsigned bits)
{
    unsigned value = 0;
    for (unsigned b = 0; b < bits; b++) {
        size_t at = i * bits + b;
        value |= ((unsigned)bytes[at / 8] >> at % 8 & 1u) << b;
    }
    return (uint8_t)value;
}
