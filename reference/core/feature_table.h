/* Features: what platforms outside the four built-in profiles do otherwise, each a named choice,
 * for a family and its operand types. Spec: features.md. A value of 0 is what the profile says
 * without the feature. One table (feature_table.c) holds names, ranges and sections; readers,
 * writers and experiments go by it. */
#ifndef LB_REFERENCE_FEATURE_TABLE_H
#define LB_REFERENCE_FEATURE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum lb_feature {
    LB_FEATURE_ROUNDING,        /* of results; 1 + lb_rounding */
    LB_FEATURE_SCALE_ROUNDING,  /* of ratios and multipliers; 1 + lb_rounding */
    LB_FEATURE_REQUANTIZE,      /* lb_requantize */
    LB_FEATURE_FIRST_ROUNDING,  /* of the high multiplication; 1 + lb_rounding */
    LB_FEATURE_SCALE_RATIO,     /* lb_scale_ratio */
    LB_FEATURE_MULTIPLIER_BITS, /* a number */
    LB_FEATURE_ACC_BITS,        /* a number */
    LB_FEATURE_OVERFLOW,        /* lb_sum_overflow */
    LB_FEATURE_LANES,           /* a number */
    LB_FEATURE_BIAS,            /* lb_bias_time */
    LB_FEATURE_BIAS_BITS,       /* lb_bias_bits */
    LB_FEATURE_ZERO_POINT,      /* of inputs; lb_zero_point_time */
    LB_FEATURE_PADDING,         /* lb_padding_value */
    LB_FEATURE_OUT_ZERO_POINT,  /* lb_out_zero_point_time */
    LB_FEATURE_RIGHT_SHIFT,     /* of counts past the width; lb_right_shift */
    LB_FEATURE_LEFT_SHIFT,      /* lb_left_shift */
    LB_FEATURE_LOWEST,          /* lb_lowest */
    LB_FEATURE_INNER_ROUNDING,  /* of steps before the last; 1 + lb_rounding */
    LB_FEATURE_TABLE_ROUNDING,  /* of interpolations; 1 + lb_rounding */
    LB_FEATURE_TABLE,           /* lb_table_size */
    LB_FEATURE_INTERPOLATION,   /* lb_interpolation */
    LB_FEATURE_TABLE_ENDS,      /* lb_table_ends */
    LB_FEATURE_SHIFT_CAP,       /* lb_shift_cap */
    LB_FEATURE_OUT_OVERFLOW,    /* lb_out_overflow */
    LB_FEATURE_SUM,             /* of scaled operands; lb_scaled_sum */
    LB_FEATURE_AVERAGE,         /* lb_average */
    LB_FEATURE_DIVISOR,         /* lb_divisor */
    LB_FEATURE_WINDOW_PADDING,  /* of maxima; lb_window_padding */
    LB_FEATURE_NORMALIZE,       /* lb_normalize */
    LB_FEATURE_FX8_SOFTMAX,     /* lb_fx8_softmax */
    LB_FEATURE_TIES,            /* lb_ties */
    LB_FEATURE_RELU_LIMITS,     /* lb_relu_limit_rounding */
    LB_FEATURE_WIDE_PRODUCT,    /* lb_wide_product */
    LB_FEATURE_MOVED_PADDING,   /* lb_moved_padding */
    LB_FEATURE_COUNT
} lb_feature;

/* Choices, 0 being that of the profile (features.md). */
typedef enum lb_requantize {
    LB_REQUANTIZE_FULL = 1,
    LB_REQUANTIZE_REDUCED,
    LB_REQUANTIZE_HIGH,
    LB_REQUANTIZE_FLOAT
} lb_requantize;
typedef enum lb_scale_ratio { LB_SCALE_RATIO_EXACT = 1 } lb_scale_ratio;
typedef enum lb_sum_overflow { LB_SUM_WRAP = 1, LB_SUM_SATURATE, LB_SUM_AT_END } lb_sum_overflow;
typedef enum lb_bias_time {
    LB_BIAS_AFTER_WRAPPING = 1,
    LB_BIAS_FIRST,
    LB_BIAS_AFTER_SATURATING
} lb_bias_time;
typedef enum lb_bias_bits { LB_BIAS_ALL_BITS = 1, LB_BIAS_TOP_16 } lb_bias_bits;
typedef enum lb_zero_point_time { LB_ZERO_POINT_IN_PRODUCTS = 1 } lb_zero_point_time;
typedef enum lb_padding_value { LB_PADDING_RAW_ZERO = 1 } lb_padding_value;
typedef enum lb_out_zero_point_time {
    LB_OUT_ZERO_POINT_BEFORE = 1,
    LB_OUT_ZERO_POINT_LAST
} lb_out_zero_point_time;
typedef enum lb_right_shift {
    LB_RIGHT_SHIFT_MODULO_32 = 1,
    LB_RIGHT_SHIFT_MODULO_64
} lb_right_shift;
typedef enum lb_left_shift { LB_LEFT_SHIFT_WRAPS = 1, LB_LEFT_SHIFT_IGNORED } lb_left_shift;
typedef enum lb_lowest { LB_LOWEST_SYMMETRIC = 1 } lb_lowest;
typedef enum lb_table_size { LB_TABLE_HALF = 1, LB_TABLE_DOUBLE, LB_TABLE_COMPUTED } lb_table_size;
typedef enum lb_interpolation {
    LB_INTERPOLATION_NONE = 1,
    LB_INTERPOLATION_NEAREST
} lb_interpolation;
typedef enum lb_table_ends { LB_TABLE_ENDS_CLAMPED = 1 } lb_table_ends;
typedef enum lb_shift_cap { LB_SHIFT_CAP_NONE = 1 } lb_shift_cap;
typedef enum lb_out_overflow { LB_OUT_WRAPS = 1 } lb_out_overflow;
typedef enum lb_scaled_sum { LB_SUM_ONE_ROUNDING = 1 } lb_scaled_sum;
typedef enum lb_average { LB_AVERAGE_ROUNDED = 1, LB_AVERAGE_DIVISION } lb_average;
typedef enum lb_divisor { LB_DIVISOR_KERNEL = 1, LB_DIVISOR_KERNEL_RAW } lb_divisor;
typedef enum lb_window_padding { LB_WINDOW_RAW_ZERO = 1, LB_WINDOW_ZERO_POINT } lb_window_padding;
typedef enum lb_normalize { LB_NORMALIZE_DIVISION = 1 } lb_normalize;
typedef enum lb_fx8_softmax { LB_FX8_SOFTMAX_COMPUTED = 1 } lb_fx8_softmax;
typedef enum lb_ties { LB_TIES_FIRST = 1, LB_TIES_LAST } lb_ties;
typedef enum lb_relu_limit_rounding { LB_RELU_LIMITS_ROUNDED = 1 } lb_relu_limit_rounding;
typedef enum lb_wide_product { LB_WIDE_PRODUCT_ALL = 1 } lb_wide_product;
typedef enum lb_moved_padding { LB_MOVED_ZERO_POINT = 1 } lb_moved_padding;

typedef struct lb_feature_set {
    uint8_t value[LB_FEATURE_COUNT];
} lb_feature_set;

/* Operand types, as far as features tell them apart. */
typedef enum lb_types {
    LB_TYPES_FX8,
    LB_TYPES_FX16,
    LB_TYPES_FX16_FX8,
    LB_TYPES_SA8,
    LB_TYPES_ANY, /* functions for all of them */
    LB_TYPES_COUNT
} lb_types;

const char *lb_types_name(lb_types types); /* "fx8", "fx16", "fx16_fx8", "sa8", "any" */
int lb_types_find(const char *name);       /* -1: none */

typedef struct lb_feature_choice {
    const char *name;  /* as in files; NULL behind the last */
    const char *words; /* what it does */
    const char *means; /* what comes of it in numbers */
} lb_feature_choice;

typedef struct lb_feature_row {
    const char *name; /* as in files: "rounding" */
    const char *section;
    const char *words;                /* what it is about */
    const lb_feature_choice *choices; /* choice i has the value i + 1; NULL: a number */
    const uint8_t *numbers;           /* that experiments try, ended by 0 */
    int low, high;                    /* of a number */
    uint32_t families;                /* that have it, a bit for each (lb_family) */
    uint8_t types;                    /* with these operand types, a bit for each (lb_types) */
} lb_feature_row;

extern const lb_feature_row lb_feature_rows[LB_FEATURE_COUNT];

int lb_feature_find(const char *name); /* -1: none */
/* Can a family (lb_family) with these operand types have the feature? */
bool lb_feature_applies(lb_feature feature, int family, lb_types types);
/* Can it have this value of a feature that it has? */
bool lb_feature_allows(lb_feature feature, uint8_t value, int family);
/* Does a family (lb_family) sum up several inputs or gates, each with its own requantization? */
bool lb_family_is_recurrent(int family);
/* Choices of a feature: the number of values that experiments try beside 0, and the i-th of them,
 * from 0. */
unsigned lb_feature_value_count(lb_feature feature);
uint8_t lb_feature_value(lb_feature feature, unsigned i);
/* Name of a value, "" for 0; numbers are written into `text`. */
const char *lb_feature_value_name(lb_feature feature, uint8_t value, char text[8]);
/* Why these features mean nothing together; NULL: they do. */
const char *lb_features_conflict(const lb_feature_set *features);
/* Changes what means nothing beside the feature that was set last: the feature that it needs, or
 * what cannot stand beside it. */
void lb_features_make_room(lb_feature_set *features, lb_feature set_last);
bool lb_features_any(const lb_feature_set *features);

#endif
