/* The table of features, and which of them go together. Spec: features.md. */
#include "feature_table.h"

#include "kernels.h"

#include <stdio.h>
#include <string.h>

static const char *const types_names[LB_TYPES_COUNT] = {"fx8", "fx16", "fx16_fx8", "sa8"};

const char *lb_types_name(lb_types types)
{
    return types_names[types];
}

int lb_types_find(const char *name)
{
    for (int i = 0; i < LB_TYPES_COUNT; i++) {
        if (strcmp(types_names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

/* ---- Choices ---- */

static const lb_feature_choice roundings[] = {
    {"up", "halves go towards plus infinity",
     "ties go up: on average no error but at ties, where it is +0.5 steps"},
    {"convergent", "halves go to the even neighbour",
     "ties go either way, so that they cancel on average"},
    {"away", "halves go away from zero", "ties of negative numbers go down, of positive ones up"},
    {"zero", "fractions are cut off, towards zero",
     "results lie 0.5 steps nearer to zero on average"},
    {"floor", "fractions are cut off, towards minus infinity",
     "results lie 0.5 steps lower on average"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice requantizations[] = {
    {"full", "one multiplication in 64 bits, one rounding shift", "one rounding"},
    {"reduced", "the accumulator is shifted into 16 bits, then multiplied by 16 bits",
     "large accumulators lose low bits before the multiplication"},
    {"high-multiply",
     "the high half of the product of two 32-bit numbers, then a shift: two roundings",
     "a fraction just below a half may be rounded up twice: one step too many in about 1 of "
     "2^(shift+1) results"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice overflows[] = {
    {"wrap", "sums wrap at the width", "past the width the sign turns over"},
    {"saturate", "every addition saturates at the width",
     "past the width the order of additions matters"},
    {"saturate-at-end", "sums are exact, and saturate when all is added",
     "only the final sum can be clipped"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice bias_times[] = {
    {"after-wrapping", "added after the products, without saturation",
     "a bias past the width turns the sign over"},
    {"first", "the accumulator starts with it", "a bias past the width is treated as a product is"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice bias_widths[] = {
    {"all", "all bits of the bias are added", "no bit of the bias is lost"},
    {"top16", "the 16 leading bits of the bias are added",
     "a bias of more than 16 bits is cut towards minus infinity"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice zero_point_times[] = {
    {"in-products", "taken off each input before its product",
     "no difference but where sums leave the accumulator on the way"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice paddings[] = {
    {"raw-zero", "padding is the container 0, not the real number 0",
     "positions in padding add minus zero point times weight"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice out_zero_points[] = {
    {"before-rounding", "added in front of the rounding shift",
     "which way a tie goes depends on the sum with it"},
    {"after-clipping", "added to a result that is clipped already",
     "results beyond 8 bits end at limits moved by it"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice right_shifts[] = {
    {"modulo-32", "counts are taken modulo 32", "a count of 32 shifts by nothing"},
    {"modulo-64", "counts are taken modulo 64", "a count of 64 shifts by nothing"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice left_shifts[] = {
    {"wrap", "what leaves the width to the left is lost", "large results turn their sign over"},
    {"ignored", "negative counts shift by nothing", "results are too small by powers of two"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice lowest[] = {
    {"symmetric", "the lowest container is not used: -127, -32767",
     "the lowest result is one step higher"},
    {NULL, NULL, NULL},
};

static const uint8_t multiplier_widths[] = {8, 12, 15, 16, 24, 0};
static const uint8_t acc_widths[] = {16, 18, 20, 24, 28, 32, 34, 36, 40, 48, 64, 0};
/* Ratios are positive: away is up, and zero is floor. */
static const uint8_t scale_values[] = {1, 2, 5, 0};
static const uint8_t lane_counts[] = {2, 4, 8, 16, 32, 0};

#define CHOICE(NAME, SECTION, WORDS, CHOICES)                                                      \
    {                                                                                              \
        NAME, "features.md " SECTION, WORDS, CHOICES, NULL, 0, 0                                   \
    }
#define NUMBER(NAME, SECTION, WORDS, NUMBERS, LOW, HIGH)                                           \
    {                                                                                              \
        NAME, "features.md " SECTION, WORDS, NULL, NUMBERS, LOW, HIGH                              \
    }

const lb_feature_row lb_feature_rows[LB_FEATURE_COUNT] = {
    [LB_FEATURE_ROUNDING] = CHOICE("rounding", "2", "rounding of results", roundings),
    [LB_FEATURE_SCALE_ROUNDING] = {"scale-rounding", "features.md 3",
                                   "rounding of ratios and multipliers", roundings, scale_values, 0,
                                   0},
    [LB_FEATURE_REQUANTIZE] =
        CHOICE("requantize", "4", "way from the accumulator to the output", requantizations),
    [LB_FEATURE_FIRST_ROUNDING] =
        CHOICE("first-rounding", "4", "rounding of the high multiplication", roundings),
    [LB_FEATURE_MULTIPLIER_BITS] =
        NUMBER("multiplier-bits", "5", "bits of the multiplier, without its sign",
               multiplier_widths, 8, 30),
    [LB_FEATURE_ACC_BITS] =
        NUMBER("accumulator-bits", "6", "width of the accumulator", acc_widths, 16, 64),
    [LB_FEATURE_OVERFLOW] = CHOICE("overflow", "7", "sums past the width", overflows),
    [LB_FEATURE_LANES] = NUMBER("lanes", "8", "partial sums kept apart", lane_counts, 2, 32),
    [LB_FEATURE_BIAS] = CHOICE("bias", "9", "when the bias is added", bias_times),
    [LB_FEATURE_BIAS_BITS] = CHOICE("bias-bits", "9", "width of the bias", bias_widths),
    [LB_FEATURE_ZERO_POINT] =
        CHOICE("zero-point", "10", "when the input's zero point is taken off", zero_point_times),
    [LB_FEATURE_PADDING] = CHOICE("padding", "10", "what positions in padding hold", paddings),
    [LB_FEATURE_OUT_ZERO_POINT] =
        CHOICE("output-zero-point", "11", "when the output's zero point is added", out_zero_points),
    [LB_FEATURE_RIGHT_SHIFT] =
        CHOICE("right-shift-past-width", "12", "right shifts by the width and more", right_shifts),
    [LB_FEATURE_LEFT_SHIFT] = CHOICE("left-shift", "12", "shifts by negative counts", left_shifts),
    [LB_FEATURE_LOWEST] = CHOICE("lowest-output", "13", "lowest result", lowest),
};

int lb_feature_find(const char *name)
{
    for (int i = 0; i < LB_FEATURE_COUNT; i++) {
        if (strcmp(lb_feature_rows[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* ---- Which family has which ---- */

static bool is_convolution(int family)
{
    return family == LB_FAMILY_CONV2D || family == LB_FAMILY_DEPTHWISE_CONV2D ||
           family == LB_FAMILY_GROUP_CONV2D || family == LB_FAMILY_TRANSPOSE_CONV2D;
}

static bool is_weighted(int family)
{
    return is_convolution(family) || family == LB_FAMILY_FULLY_CONNECTED;
}

bool lb_feature_applies(lb_feature feature, int family, lb_types types)
{
    bool sa = types == LB_TYPES_SA8;
    if (!is_weighted(family)) {
        return false;
    }
    switch (feature) {
    case LB_FEATURE_SCALE_ROUNDING:
    case LB_FEATURE_REQUANTIZE:
    case LB_FEATURE_FIRST_ROUNDING:
    case LB_FEATURE_MULTIPLIER_BITS:
    case LB_FEATURE_BIAS_BITS:
    case LB_FEATURE_ZERO_POINT:
    case LB_FEATURE_OUT_ZERO_POINT:
    case LB_FEATURE_LEFT_SHIFT:
        return sa;
    case LB_FEATURE_PADDING:
        return sa && is_convolution(family) && family != LB_FAMILY_TRANSPOSE_CONV2D;
    default:
        return true;
    }
}

/* ---- Values ---- */

unsigned lb_feature_value_count(lb_feature feature)
{
    const lb_feature_row *row = &lb_feature_rows[feature];
    unsigned count = 0;
    while (row->numbers != NULL ? row->numbers[count] != 0 : row->choices[count].name != NULL) {
        count++;
    }
    return count;
}

uint8_t lb_feature_value(lb_feature feature, unsigned i)
{
    const lb_feature_row *row = &lb_feature_rows[feature];
    return row->numbers != NULL ? row->numbers[i] : (uint8_t)(i + 1);
}

const char *lb_feature_value_name(lb_feature feature, uint8_t value, char text[8])
{
    const lb_feature_row *row = &lb_feature_rows[feature];
    if (value == 0) {
        return "";
    }
    if (row->choices != NULL) {
        return row->choices[value - 1].name;
    }
    snprintf(text, 8, "%u", (unsigned)value);
    return text;
}

bool lb_features_any(const lb_feature_set *features)
{
    for (int i = 0; i < LB_FEATURE_COUNT; i++) {
        if (features->value[i] != 0) {
            return true;
        }
    }
    return false;
}

const char *lb_features_conflict(const lb_feature_set *f)
{
    const uint8_t *v = f->value;
    bool is_high = v[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_HIGH;
    if (v[LB_FEATURE_FIRST_ROUNDING] != 0 && !is_high) {
        return "first-rounding belongs to requantize: high-multiply";
    }
    if (v[LB_FEATURE_MULTIPLIER_BITS] != 0 && v[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_REDUCED) {
        return "requantize: reduced has a multiplier of 16 bits, so multiplier-bits says nothing";
    }
    if (v[LB_FEATURE_OUT_ZERO_POINT] == LB_OUT_ZERO_POINT_BEFORE &&
        v[LB_FEATURE_REQUANTIZE] > LB_REQUANTIZE_FULL) {
        return "output-zero-point: before-rounding is defined for requantize: full alone";
    }
    if (v[LB_FEATURE_LANES] != 0 && v[LB_FEATURE_OVERFLOW] != LB_SUM_SATURATE) {
        return "lanes matter where every addition saturates: overflow: saturate is expected too";
    }
    return NULL;
}
