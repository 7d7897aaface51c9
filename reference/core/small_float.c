/* Casts between floating-point formats: see small_float.h. */
#include "small_float.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* largest: the pattern of the largest finite number. nan: of the positive quiet NaN; 0: there is
 * none. is_fnuz: the pattern of -0 is the one NaN. */
static const struct format {
    unsigned bits, exponent_bits, mantissa_bits;
    int bias;
    bool has_infinity;
    uint32_t largest, nan;
    lb_overflow_rule overflow;
    bool is_fnuz;
} formats[LB_FLOAT_TYPE_COUNT] = {
    [LB_FLOAT32] = {32, 8, 23, 127, true, 0x7F7FFFFF, 0x7FC00000, LB_OVERFLOW_INFINITY, false},
    [LB_FLOAT16] = {16, 5, 10, 15, true, 0x7BFF, 0x7E00, LB_OVERFLOW_INFINITY, false},
    [LB_BFLOAT16] = {16, 8, 7, 127, true, 0x7F7F, 0x7FC0, LB_OVERFLOW_INFINITY, false},
    [LB_FLOAT8_E4M3FN] = {8, 4, 3, 7, false, 0x7E, 0x7F, LB_OVERFLOW_SATURATE, false},
    [LB_FLOAT8_E5M2] = {8, 5, 2, 15, true, 0x7B, 0x7E, LB_OVERFLOW_SATURATE, false},
    [LB_FLOAT4_E2M1] = {4, 2, 1, 1, false, 0x7, 0, LB_OVERFLOW_SATURATE, false},
    [LB_FLOAT8_E4M3FNUZ] = {8, 4, 3, 8, false, 0x7F, 0x80, LB_OVERFLOW_SATURATE, true},
    [LB_FLOAT8_E5M2FNUZ] = {8, 5, 2, 16, false, 0x7F, 0x80, LB_OVERFLOW_SATURATE, true},
    [LB_FLOAT8_E8M0] = {8, 8, 0, 127, false, 0xFE, 0xFF, LB_OVERFLOW_SATURATE, false},
    [LB_FLOAT6_E2M3] = {6, 2, 3, 1, false, 0x1F, 0, LB_OVERFLOW_SATURATE, false},
    [LB_FLOAT6_E3M2] = {6, 3, 2, 3, false, 0x1F, 0, LB_OVERFLOW_SATURATE, false},
};

const char *const lb_float_type_names[] = {
    "float32",        "float16",        "bfloat16",   "float8e4m3fn", "float8e5m2", "float4e2m1",
    "float8e4m3fnuz", "float8e5m2fnuz", "float8e8m0", "float6e2m3",   "float6e3m2", NULL};

const char *lb_float_type_name(lb_float_type type)
{
    return lb_float_type_names[type];
}

unsigned lb_float_bits(lb_float_type type)
{
    return formats[type].bits;
}

bool lb_float_has_nan(lb_float_type type)
{
    return formats[type].nan != 0;
}

double lb_float_largest(lb_float_type type)
{
    return lb_float_value(type, formats[type].largest);
}

unsigned lb_float_fraction_bits(lb_float_type type)
{
    return formats[type].mantissa_bits;
}

/* ---- float8e8m0 (float4.md 4.2): 2^(code - 127), 255 is NaN ---- */

enum { E8M0_BIAS = 127, E8M0_NAN = 255, E8M0_LARGEST = 254 };

static lb_float unpack_e8m0(uint32_t code)
{
    if (code == E8M0_NAN)
        return (lb_float){.kind = LB_FLOAT_NAN};
    return (lb_float){.mantissa = 1, .exponent = (int)code - E8M0_BIAS};
}

/* The nearest power of two; half way between two, the even code. There is none for what is below 0,
 * and the smallest stands for 0. */
static uint32_t pack_e8m0(lb_float number, lb_overflow_rule overflow)
{
    bool is_zero = number.kind == LB_FLOAT_FINITE && number.mantissa == 0;
    uint32_t beyond = overflow == LB_OVERFLOW_INFINITY ? E8M0_NAN : E8M0_LARGEST;
    if (number.kind == LB_FLOAT_NAN || (number.negative && !is_zero))
        return E8M0_NAN;
    if (number.kind == LB_FLOAT_INFINITE)
        return beyond;
    if (is_zero)
        return 0;
    int top = 63;
    while (!(number.mantissa >> top & 1))
        top--;
    int code = top + number.exponent + E8M0_BIAS;
    uint64_t rest = number.mantissa ^ ((uint64_t)1 << top); /* against half of what top is */
    uint64_t half = top > 0 ? (uint64_t)1 << (top - 1) : 1;
    code += rest > half || (top > 0 && rest == half && (code & 1));
    return code < 0 ? 0 : code > E8M0_LARGEST ? beyond : (uint32_t)code;
}

/* ---- Patterns ---- */

static uint32_t sign_bit(const struct format *f)
{
    return (uint32_t)1 << (f->bits - 1);
}

lb_float lb_float_unpack(lb_float_type type, uint32_t pattern)
{
    const struct format *f = &formats[type];
    if (type == LB_FLOAT8_E8M0)
        return unpack_e8m0(pattern & 0xFF);
    uint32_t magnitude = pattern & (sign_bit(f) - 1);
    uint32_t exponent = magnitude >> f->mantissa_bits;
    uint32_t fraction = magnitude & (((uint32_t)1 << f->mantissa_bits) - 1);
    lb_float number = {.negative = (pattern & sign_bit(f)) != 0};
    if (f->is_fnuz && pattern == f->nan)
        return (lb_float){.kind = LB_FLOAT_NAN};
    if (magnitude > f->largest) {
        number.kind = f->has_infinity && fraction == 0 ? LB_FLOAT_INFINITE : LB_FLOAT_NAN;
        return number;
    }
    int scale = exponent == 0
                    ? 1
                    : (int)exponent; /* subnormals have the scale of the smallest normal numbers */
    number.mantissa = exponent == 0 ? fraction : fraction | (uint32_t)1 << f->mantissa_bits;
    number.exponent = scale - f->bias - (int)f->mantissa_bits;
    return number;
}

/* value / 2^shift, to nearest, ties to even. */
static uint64_t round_shift(uint64_t value, int shift)
{
    if (shift > 63)
        return 0; /* less than half, as value < 2^63 */
    uint64_t quotient = value >> shift;
    uint64_t rest = value & (((uint64_t)1 << shift) - 1);
    uint64_t half = (uint64_t)1 << (shift - 1);
    return quotient + (rest > half || (rest == half && (quotient & 1)));
}

static int highest_bit(uint64_t value)
{
    int bit = -1;
    for (; value; value >>= 1)
        bit++;
    return bit;
}

/* Magnitude pattern of a finite number > 0, as if exponents went on for ever; cut off where it is
 * too large anyway. */
static uint32_t round_magnitude(const struct format *f, lb_float number)
{
    int top = highest_bit(number.mantissa) + number.exponent; /* 2^top <= value */
    int lowest = 1 - f->bias;
    if (top > f->bias + 1)
        return UINT32_MAX;
    int binade = top < lowest ? lowest : top;
    int shift = binade - (int)f->mantissa_bits - number.exponent;
    uint64_t rounded = shift > 0 ? round_shift(number.mantissa, shift) : number.mantissa << -shift;
    /* A normal number carries its leading 1 into the exponent field; so does one that rounds up to
     * the next binade. */
    return (uint32_t)(((uint64_t)(binade - lowest) << f->mantissa_bits) + rounded);
}

static uint32_t too_large(const struct format *f, lb_overflow_rule overflow)
{
    lb_overflow_rule rule = overflow == LB_OVERFLOW_OF_TYPE || f->nan == 0 ? f->overflow : overflow;
    if (rule == LB_OVERFLOW_SATURATE)
        return f->largest;
    return f->has_infinity ? f->largest + 1 : f->nan;
}

bool lb_float_pack(lb_float_type type, lb_float number, lb_nan_rule nan, lb_overflow_rule overflow,
                   uint32_t *pattern)
{
    const struct format *f = &formats[type];
    uint32_t sign = number.negative ? sign_bit(f) : 0;
    if (type == LB_FLOAT8_E8M0) {
        *pattern = pack_e8m0(number, overflow);
        return number.kind != LB_FLOAT_NAN || nan != LB_NAN_ERROR;
    }
    if (number.kind == LB_FLOAT_NAN) {
        if (f->is_fnuz)
            *pattern = f->nan;
        else if (f->nan != 0)
            *pattern = sign | f->nan;
        else
            *pattern = nan == LB_NAN_LIBRARY ? sign ^ sign_bit(f) : f->largest;
        return nan != LB_NAN_ERROR;
    }
    if (number.kind == LB_FLOAT_INFINITE) {
        uint32_t magnitude = too_large(f, overflow);
        *pattern = f->is_fnuz && magnitude == f->nan ? magnitude : sign | magnitude;
        return true;
    }
    uint32_t magnitude = number.mantissa == 0 ? 0 : round_magnitude(f, number);
    if (magnitude > f->largest)
        magnitude = too_large(f, overflow);
    bool has_sign = !f->is_fnuz || (magnitude != 0 && magnitude != f->nan);
    *pattern = has_sign ? sign | magnitude : magnitude;
    return true;
}

bool lb_float_cast(lb_float_type from, lb_float_type to, uint32_t pattern, lb_nan_rule nan,
                   lb_overflow_rule overflow, uint32_t *result)
{
    lb_float number = lb_float_unpack(from, pattern);
    if (from == to) {
        *result = pattern;
        return number.kind != LB_FLOAT_NAN || nan != LB_NAN_ERROR;
    }
    return lb_float_pack(to, number, nan, overflow, result);
}

double lb_float_value(lb_float_type type, uint32_t pattern)
{
    lb_float number = lb_float_unpack(type, pattern);
    double magnitude = number.kind == LB_FLOAT_NAN ? (double)NAN
                       : number.kind == LB_FLOAT_INFINITE
                           ? (double)INFINITY
                           : ldexp((double)number.mantissa, number.exponent);
    return number.negative ? -magnitude : magnitude;
}

/* ---- Text ---- */

/* strtod, rounded in a direction. */
static double read_towards(int direction, const char *text)
{
    int before = fegetround();
    fesetround(direction);
    double value = strtod(text, NULL);
    fesetround(before);
    return value;
}

/* The number of a text without a sign, finite. binary64 is not wide enough to round to and then
 * round again: what it cuts off becomes a last bit that only says "and more". */
static lb_float exact_enough(const char *text)
{
    double below = read_towards(FE_DOWNWARD, text);
    double above = read_towards(FE_UPWARD, text);
    if (isinf(below) || below > 0x1p1000) /* far beyond every type, with room to shift */
        return (lb_float){.mantissa = 1, .exponent = 1000};
    int exponent;
    double fraction = frexp(below, &exponent);
    lb_float number = {.mantissa = (uint64_t)ldexp(fraction, 53) * 2, .exponent = exponent - 54};
    if (below == 0)
        number = (lb_float){.mantissa = 0, .exponent = -1200};
    number.mantissa += below < above ? 1 : 0;
    return number;
}

bool lb_float_from_text(lb_float_type type, const char *text, lb_nan_rule nan,
                        lb_overflow_rule overflow, uint32_t *pattern, bool *is_nan)
{
    bool negative = *text == '-';
    const char *digits = text + (*text == '-' || *text == '+');
    char *end = NULL;
    lb_float number = {.kind = LB_FLOAT_FINITE};
    *is_nan = strcasecmp(digits, "nan") == 0;
    if (*is_nan) {
        number.kind = LB_FLOAT_NAN;
    } else if (strcasecmp(digits, "inf") == 0 || strcasecmp(digits, "infinity") == 0) {
        number.kind = LB_FLOAT_INFINITE;
    } else {
        bool begins_well = (*digits >= '0' && *digits <= '9') || *digits == '.';
        (void)strtod(digits, &end);
        if (!begins_well || end == digits || *end != '\0')
            return false;
        number = exact_enough(digits);
    }
    number.negative = negative;
    /* An infinity in words is a value of its type, where the type has one: nothing overflows. */
    bool is_value = number.kind == LB_FLOAT_INFINITE && formats[type].has_infinity;
    return lb_float_pack(type, number, nan, is_value ? LB_OVERFLOW_INFINITY : overflow, pattern);
}

void lb_float_to_text(lb_float_type type, uint32_t pattern, char *text, size_t text_bytes)
{
    double value = lb_float_value(type, pattern);
    if (isnan(value)) {
        snprintf(text, text_bytes, "%s", signbit(value) ? "-nan" : "nan");
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, text_bytes, "%.*g", digits, value);
        double back = type == LB_FLOAT32 ? (double)strtof(text, NULL) : strtod(text, NULL);
        if (back == value)
            return;
    }
}
