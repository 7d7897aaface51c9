/* Binary floating-point formats of 32 bits and fewer, and exact casts between any two of them: one
 * rounding, to nearest, ties to even. Spec: float4.md 1, 2. Slow and obvious: a pattern becomes
 * sign, whole mantissa and exponent, and a pattern again. */
#ifndef LB_REFERENCE_SMALL_FLOAT_H
#define LB_REFERENCE_SMALL_FLOAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum lb_float_type {
    LB_FLOAT32,
    LB_FLOAT16,
    LB_BFLOAT16,
    LB_FLOAT8_E4M3FN, /* no infinity, one NaN of each sign */
    LB_FLOAT8_E5M2,
    LB_FLOAT4_E2M1,     /* neither infinity nor NaN */
    LB_FLOAT8_E4M3FNUZ, /* no infinity, no -0, one NaN in its place */
    LB_FLOAT8_E5M2FNUZ,
    LB_FLOAT8_E8M0, /* powers of two: no sign, no zero, no infinity */
    LB_FLOAT6_E2M3, /* neither infinity nor NaN */
    LB_FLOAT6_E3M2,
    LB_FLOAT_TYPE_COUNT
} lb_float_type;

/* What a NaN becomes in float4e2m1 and the float6 types, which have none (float4.md 2.2). */
typedef enum lb_nan_rule {
    LB_NAN_DOCUMENT, /* the largest number, whatever its sign */
    LB_NAN_LIBRARY,  /* -0, a negative NaN +0 */
    LB_NAN_ERROR     /* no cast: in every type */
} lb_nan_rule;

/* What becomes of a number beyond the largest, and of an infinity. float4e2m1 and the float6 types
 * saturate always. */
typedef enum lb_overflow_rule {
    LB_OVERFLOW_OF_TYPE,  /* saturate for the 8-bit types, infinity for the wider ones */
    LB_OVERFLOW_SATURATE, /* the largest number; an infinity too */
    LB_OVERFLOW_INFINITY  /* infinity; NaN in the 8-bit types that have none */
} lb_overflow_rule;

typedef enum lb_float_kind { LB_FLOAT_FINITE, LB_FLOAT_INFINITE, LB_FLOAT_NAN } lb_float_kind;

/* A number apart: (-1)^negative * mantissa * 2^exponent. */
typedef struct lb_float {
    lb_float_kind kind;
    bool negative;
    uint64_t mantissa; /* 0: a zero with a sign */
    int exponent;
} lb_float;

/* "float32", "float4e2m1"; the names of the command line. */
extern const char *const lb_float_type_names[]; /* ended by NULL */
const char *lb_float_type_name(lb_float_type type);
unsigned lb_float_bits(lb_float_type type);
bool lb_float_has_nan(lb_float_type type);
/* The largest finite number. */
double lb_float_largest(lb_float_type type);
/* Bits of the fraction. */
unsigned lb_float_fraction_bits(lb_float_type type);

/* Every pattern of the type's bits has a meaning. */
lb_float lb_float_unpack(lb_float_type type, uint32_t pattern);
/* The pattern nearest to a number. False: a NaN that the rule refuses. */
bool lb_float_pack(lb_float_type type, lb_float number, lb_nan_rule nan, lb_overflow_rule overflow,
                   uint32_t *pattern);
/* From one type to another, directly: never through a third (float4.md 2, double rounding). A
 * pattern of its own type stays as it is. */
bool lb_float_cast(lb_float_type from, lb_float_type to, uint32_t pattern, lb_nan_rule nan,
                   lb_overflow_rule overflow, uint32_t *result);
/* Value in binary64, exactly. */
double lb_float_value(lb_float_type type, uint32_t pattern);

/* The pattern nearest to a number in text: decimal, hexadecimal ("0x1.8p-2"), "nan", "inf", with a
 * sign or without. The text is rounded once. False: no number, or a NaN that the rule refuses
 * (*is_nan tells the two apart). */
bool lb_float_from_text(lb_float_type type, const char *text, lb_nan_rule nan,
                        lb_overflow_rule overflow, uint32_t *pattern, bool *is_nan);
/* The shortest decimal that reads back as the pattern (float32), or as its exact value in binary64
 * (the others): "-0", "0.5", "nan". */
void lb_float_to_text(lb_float_type type, uint32_t pattern, char *text, size_t text_bytes);

#endif
