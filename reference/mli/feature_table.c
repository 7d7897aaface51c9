/* The table of features, and which of them go together. Spec: features.md. */
#include "core/feature_table.h"

#include "describe/kernels.h"

#include <stdio.h>
#include <string.h>

static const char *const types_names[LB_TYPES_COUNT] = {"fx8", "fx16", "fx16_fx8", "sa8", "any"};

const char *lb_types_name(lb_types types)
{
    return types_names[types];
}

int lb_types_find(const char *name)
{
    for (int i = 0; i < LB_TYPES_COUNT; i++)
        if (strcmp(types_names[i], name) == 0)
            return i;
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
    {"float",
     "the accumulator times the ratio of scales in single precision, rounded to an integer",
     "accumulators of more than 24 bits lose low bits; fractions near a half may go either way"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice scale_ratios[] = {
    {"exact", "the multiplier is the ratio of all three scales, rounded once to 31 bits",
     "results are nearer to the real ones: by up to 1 in 2^15 of them"},
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
    {"after-saturating", "added after the products, saturating",
     "a bias past the width ends at the limit"},
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

static const lb_feature_choice table_sizes[] = {
    {"half", "every second entry of the table, intervals twice as wide",
     "between the entries results lie farther from the function"},
    {"double", "twice as many entries, intervals half as wide",
     "results lie nearer to the function"},
    {"computed", "the function itself, rounded to nearest; no table",
     "results lie within half a step of the function"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice interpolations[] = {
    {"none", "the entry at or below the argument", "results come in steps of the table"},
    {"nearest", "the entry nearest to the argument", "results come in steps of the table"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice table_ends[] = {
    {"clamped", "outside the table its first or last entry",
     "far arguments all have the same result"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice shift_caps[] = {
    {"none", "shifts to the right are not capped", "shifts by the width and more give 0"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice out_overflows[] = {
    {"wrap", "results past the container wrap", "large results turn their sign over"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice scaled_sums[] = {
    {"one-rounding", "the sum of both scaled operands is rounded once",
     "results are half a step nearer to the real sum"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice averages[] = {
    {"rounded-reciprocal", "the reciprocal is rounded to nearest, not down",
     "averages are not too small any more where 1/n has no exact reciprocal"},
    {"division", "the sum is divided, and rounded once", "averages are as near as the format is"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice divisors[] = {
    {"kernel", "positions in padding count, as the real number 0",
     "averages at the border are pulled towards 0"},
    {"kernel-raw-zero", "positions in padding count, as the container 0",
     "averages at the border are pulled towards the container 0"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice window_paddings[] = {
    {"raw-zero", "positions in padding hold the container 0",
     "maxima at the border are not below the container 0"},
    {"zero-point", "positions in padding hold the real number 0",
     "maxima at the border are not below 0"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice normalizations[] = {
    {"division", "each exponential is divided by the sum, and rounded once",
     "results are as near as the exponentials are"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice fx8_softmaxes[] = {
    {"computed", "results are computed, not 0", "there are results in place of zeros"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice ties[] = {
    {"lowest-place", "among equals the one that stands first comes first",
     "other places among equal values"},
    {"highest-place", "among equals the one that stands last comes first",
     "other places among equal values"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice relu_limits[] = {
    {"rounded", "limits are rounded to nearest, not cut", "a limit may be one step higher"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice wide_products[] = {
    {"all-bits", "all bits of the product are rounded, not its high half",
     "results with more than 29 significant bits keep them"},
    {NULL, NULL, NULL},
};

static const lb_feature_choice moved_paddings[] = {
    {"zero-point", "padding holds the zero point, not the container 0",
     "padding of sa8 and sa32 is the real number 0"},
    {NULL, NULL, NULL},
};

static const uint8_t multiplier_widths[] = {7, 8, 12, 15, 16, 24, 0};
static const uint8_t acc_widths[] = {16, 18, 20, 24, 28, 32, 34, 36, 40, 48, 64, 0};
/* Ratios are positive: away is up, and zero is floor. */
static const uint8_t scale_values[] = {1, 2, 5, 0};
static const uint8_t lane_counts[] = {2, 4, 8, 16, 32, 0};

/* Families, and operand types, as bits. */
#define F(CODE)      (1u << LB_FAMILY_##CODE)
#define CONVOLUTIONS (F(CONV2D) | F(DEPTHWISE_CONV2D) | F(GROUP_CONV2D) | F(TRANSPOSE_CONV2D))
#define WEIGHTED     (CONVOLUTIONS | F(FULLY_CONNECTED))
#define CELLS        (F(LSTM) | F(GRU))
#define RECURRENT    (F(RNN_DENSE) | CELLS)
#define SLOPES       (F(LEAKY_RELU) | F(PRELU))
#define NORMALIZED   (F(SOFTMAX) | F(L2_NORMALIZE))
#define SUMS         (WEIGHTED | RECURRENT | F(AVEPOOL) | NORMALIZED)
#define TABLES       (F(SIGM) | F(TANH) | NORMALIZED | CELLS)
#define SCALED       (SLOPES | F(ELTWISE) | F(CONVERT))
#define ROUNDED      (SUMS | SCALED | F(SIGM) | F(TANH))
#define FX           ((1u << LB_TYPES_FX8) | (1u << LB_TYPES_FX16) | (1u << LB_TYPES_FX16_FX8))
#define ANY          (1u << LB_TYPES_ANY)
#define SA           (1u << LB_TYPES_SA8 | ANY)
#define ALL          (FX | SA)

#define CHOICE(NAME, SECTION, WORDS, CHOICES, FAMILIES, TYPES)                                     \
    {                                                                                              \
        NAME, "features.md " SECTION, WORDS, CHOICES, NULL, 0, 0, FAMILIES, TYPES                  \
    }
#define NUMBER(NAME, SECTION, WORDS, NUMBERS, LOW, HIGH, FAMILIES, TYPES)                          \
    {                                                                                              \
        NAME, "features.md " SECTION, WORDS, NULL, NUMBERS, LOW, HIGH, FAMILIES, TYPES             \
    }

const lb_feature_row lb_feature_rows[LB_FEATURE_COUNT] = {
    [LB_FEATURE_ROUNDING] = CHOICE("rounding", "2", "rounding of results", roundings, ROUNDED, ALL),
    [LB_FEATURE_SCALE_ROUNDING] = {"scale-rounding", "features.md 3",
                                   "rounding of ratios and multipliers", roundings, scale_values, 0,
                                   0, WEIGHTED | RECURRENT | SCALED | F(AVEPOOL), SA},
    [LB_FEATURE_REQUANTIZE] = CHOICE("requantize", "4", "way from the accumulator to the output",
                                     requantizations, WEIGHTED | RECURRENT | SCALED, SA),
    [LB_FEATURE_FIRST_ROUNDING] =
        CHOICE("first-rounding", "4", "rounding of the high multiplication", roundings,
               WEIGHTED | RECURRENT | SCALED, SA),
    [LB_FEATURE_SCALE_RATIO] =
        CHOICE("scale-ratio", "5", "ratio of the scales", scale_ratios, WEIGHTED, SA),
    [LB_FEATURE_MULTIPLIER_BITS] =
        NUMBER("multiplier-bits", "5", "bits of the multiplier, without its sign",
               multiplier_widths, 7, 30, WEIGHTED | RECURRENT | F(AVEPOOL), SA),
    [LB_FEATURE_ACC_BITS] =
        NUMBER("accumulator-bits", "6", "width of the accumulator", acc_widths, 16, 64, SUMS, ALL),
    [LB_FEATURE_OVERFLOW] = CHOICE("overflow", "7", "sums past the width", overflows, SUMS, ALL),
    [LB_FEATURE_LANES] = NUMBER("lanes", "8", "partial sums kept apart", lane_counts, 2, 32,
                                WEIGHTED | RECURRENT | F(AVEPOOL), ALL),
    [LB_FEATURE_BIAS] =
        CHOICE("bias", "9", "when the bias is added", bias_times, WEIGHTED | RECURRENT, ALL),
    [LB_FEATURE_BIAS_BITS] =
        CHOICE("bias-bits", "9", "width of the bias", bias_widths, WEIGHTED | RECURRENT, SA),
    [LB_FEATURE_ZERO_POINT] = CHOICE("zero-point", "10", "when the input's zero point is taken off",
                                     zero_point_times, WEIGHTED | RECURRENT, SA),
    [LB_FEATURE_PADDING] = CHOICE("padding", "10", "what positions in padding hold", paddings,
                                  F(CONV2D) | F(DEPTHWISE_CONV2D) | F(GROUP_CONV2D), SA),
    [LB_FEATURE_OUT_ZERO_POINT] =
        CHOICE("output-zero-point", "11", "when the output's zero point is added", out_zero_points,
               WEIGHTED | F(RNN_DENSE) | SLOPES | F(ELTWISE), SA),
    [LB_FEATURE_RIGHT_SHIFT] =
        CHOICE("right-shift-past-width", "12", "right shifts by the width and more", right_shifts,
               WEIGHTED | RECURRENT | SCALED, ALL),
    [LB_FEATURE_LEFT_SHIFT] = CHOICE("left-shift", "12", "shifts by negative counts", left_shifts,
                                     WEIGHTED | RECURRENT | SCALED, ALL),
    [LB_FEATURE_LOWEST] =
        CHOICE("lowest-output", "13", "lowest result", lowest, ROUNDED | F(MAXPOOL) | F(RELU), ALL),
    [LB_FEATURE_INNER_ROUNDING] =
        CHOICE("inner-rounding", "14", "rounding of steps before the last", roundings,
               F(ELTWISE) | F(SIGM) | F(TANH) | NORMALIZED | CELLS, ALL),
    [LB_FEATURE_TABLE_ROUNDING] =
        CHOICE("table-rounding", "15", "rounding of interpolations", roundings, TABLES, ALL),
    [LB_FEATURE_TABLE] = CHOICE("table", "15", "size of the table", table_sizes, TABLES, ALL),
    [LB_FEATURE_INTERPOLATION] =
        CHOICE("interpolation", "15", "between two entries", interpolations, TABLES, ALL),
    [LB_FEATURE_TABLE_ENDS] = CHOICE("table-ends", "15", "arguments outside the table", table_ends,
                                     F(SIGM) | F(TANH) | CELLS, ALL),
    [LB_FEATURE_SHIFT_CAP] = CHOICE("shift-cap", "12", "highest count of shifts to the right",
                                    shift_caps, RECURRENT | F(ELTWISE) | F(CONVERT), FX | ANY),
    [LB_FEATURE_OUT_OVERFLOW] =
        CHOICE("output-overflow", "13", "results past the container", out_overflows,
               RECURRENT | SCALED | F(AVEPOOL) | F(SIGM) | F(TANH) | NORMALIZED, ALL),
    [LB_FEATURE_SUM] =
        CHOICE("sum", "16", "sums of scaled operands", scaled_sums, F(ELTWISE) | CELLS, SA),
    [LB_FEATURE_AVERAGE] =
        CHOICE("average", "17", "how a sum is divided", averages, F(AVEPOOL), ALL),
    [LB_FEATURE_DIVISOR] =
        CHOICE("divisor", "17", "positions that are counted", divisors, F(AVEPOOL), ALL),
    [LB_FEATURE_WINDOW_PADDING] = CHOICE("window-padding", "17", "what positions in padding hold",
                                         window_paddings, F(MAXPOOL), ALL),
    [LB_FEATURE_NORMALIZE] = CHOICE("normalize", "18", "how exponentials are divided by their sum",
                                    normalizations, F(SOFTMAX), ALL),
    [LB_FEATURE_FX8_SOFTMAX] = CHOICE("fx8-softmax", "18", "results of softmax_fx8", fx8_softmaxes,
                                      F(SOFTMAX), 1u << LB_TYPES_FX8),
    [LB_FEATURE_TIES] = CHOICE("ties", "19", "order among equal values", ties, F(ARGMAX), ALL),
    [LB_FEATURE_RELU_LIMITS] = CHOICE("relu-limits", "20", "limits of ReLU1 and ReLU6", relu_limits,
                                      F(RELU) | WEIGHTED, SA),
    [LB_FEATURE_WIDE_PRODUCT] = CHOICE("wide-product", "21", "products of sa32 conversions",
                                       wide_products, F(CONVERT), ALL),
    [LB_FEATURE_MOVED_PADDING] =
        CHOICE("moved-padding", "21", "padding of movement", moved_paddings, F(MOV), ALL),
};

int lb_feature_find(const char *name)
{
    for (int i = 0; i < LB_FEATURE_COUNT; i++)
        if (strcmp(lb_feature_rows[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- Which family has which ---- */

/* Families of other sets have numbers behind the bits of a row, and no features. */
static bool is_one_of(uint32_t families, int family)
{
    return family < LB_FEATURE_FAMILIES && (families >> family & 1) != 0;
}

bool lb_family_is_recurrent(int family)
{
    return is_one_of(RECURRENT, family);
}

/* Features that fx functions of the family have no step for, or in which it never shows. */
static bool has_none_of_fx(lb_feature feature, int family)
{
    bool unary = family == LB_FAMILY_SIGM || family == LB_FAMILY_TANH;
    switch (feature) {
    case LB_FEATURE_LEFT_SHIFT: /* counts of results are not negative */
        return is_one_of(WEIGHTED | F(RNN_DENSE), family);
    case LB_FEATURE_INNER_ROUNDING: /* one rounding, and that of the table */
        return unary || is_one_of(F(ELTWISE) | CELLS, family);
    case LB_FEATURE_LOWEST: /* results are not negative */
        return family == LB_FAMILY_SIGM || family == LB_FAMILY_SOFTMAX;
    default:
        return false;
    }
}

bool lb_feature_applies(lb_feature feature, int family, lb_types types)
{
    const lb_feature_row *row = &lb_feature_rows[feature];
    bool is_fx = types == LB_TYPES_FX8 || types == LB_TYPES_FX16 || types == LB_TYPES_FX16_FX8;
    bool fx8_softmax = family == LB_FAMILY_SOFTMAX && types == LB_TYPES_FX8;
    if (is_fx && has_none_of_fx(feature, family))
        return false;
    if (feature == LB_FEATURE_RIGHT_SHIFT && family == LB_FAMILY_ELTWISE && types == LB_TYPES_SA8)
        return false; /* its counts are below the width */
    if (fx8_softmax && feature != LB_FEATURE_FX8_SOFTMAX)
        return false; /* every result is 0, or as features.md 18 says */
    return is_one_of(row->families, family) && (row->types >> types & 1) != 0;
}

bool lb_feature_allows(lb_feature feature, uint8_t value, int family)
{
    bool weighted = is_one_of(WEIGHTED, family);
    switch (feature) {
    case LB_FEATURE_REQUANTIZE:
        return weighted || (value != LB_REQUANTIZE_REDUCED && value != LB_REQUANTIZE_FLOAT);
    case LB_FEATURE_OUT_ZERO_POINT:
        return weighted || value != LB_OUT_ZERO_POINT_BEFORE;
    case LB_FEATURE_MULTIPLIER_BITS:
        return family == LB_FAMILY_AVEPOOL ? value <= 15 : value == 0 || value >= 8;
    default:
        return true;
    }
}

/* ---- Values ---- */

unsigned lb_feature_value_count(lb_feature feature)
{
    const lb_feature_row *row = &lb_feature_rows[feature];
    unsigned count = 0;
    while (row->numbers ? row->numbers[count] != 0 : row->choices[count].name != NULL)
        count++;
    return count;
}

uint8_t lb_feature_value(lb_feature feature, unsigned i)
{
    const lb_feature_row *row = &lb_feature_rows[feature];
    return row->numbers ? row->numbers[i] : (uint8_t)(i + 1);
}

const char *lb_feature_value_name(lb_feature feature, uint8_t value, char text[8])
{
    const lb_feature_row *row = &lb_feature_rows[feature];
    if (value == 0)
        return "";
    if (row->choices)
        return row->choices[value - 1].name;
    snprintf(text, 8, "%u", (unsigned)value);
    return text;
}

bool lb_features_any(const lb_feature_set *features)
{
    for (int i = 0; i < LB_FEATURE_COUNT; i++)
        if (features->value[i] != 0)
            return true;
    return false;
}

/* ---- What means nothing together ---- */

enum { ANY_CHOICE = UINT8_MAX, GIVES_WAY = UINT8_MAX };

/* A choice of `a` and these of `b` mean nothing together. Where `a` was set last, `b` becomes
 * `then`, or GIVES_WAY: `a` goes, as it does where `a` was not set last. */
typedef struct exclusion {
    lb_feature a;
    uint8_t choice; /* or ANY_CHOICE */
    lb_feature b;
    uint8_t low, high, then;
    const char *words;
} exclusion;

static const char high_alone[] = "first-rounding belongs to requantize: high-multiply",
                  saturating_alone[] =
                      "lanes matter where every addition saturates: overflow: saturate is "
                      "expected too",
                  full_alone[] =
                      "output-zero-point: before-rounding is defined for requantize: full alone",
                  no_entries[] = "table: computed has no entries, so interpolation, table-ends and "
                                 "table-rounding say nothing";

static const exclusion exclusions[] = {
    {LB_FEATURE_FIRST_ROUNDING, ANY_CHOICE, LB_FEATURE_REQUANTIZE, 0, LB_REQUANTIZE_REDUCED,
     LB_REQUANTIZE_HIGH, high_alone},
    {LB_FEATURE_FIRST_ROUNDING, ANY_CHOICE, LB_FEATURE_REQUANTIZE, LB_REQUANTIZE_FLOAT,
     LB_REQUANTIZE_FLOAT, LB_REQUANTIZE_HIGH, high_alone},
    {LB_FEATURE_SCALE_RATIO, ANY_CHOICE, LB_FEATURE_REQUANTIZE, LB_REQUANTIZE_REDUCED,
     LB_REQUANTIZE_REDUCED, LB_REQUANTIZE_FULL,
     "requantize: reduced has a multiplier of 16 bits: scale-ratio is defined for full and "
     "high-multiply"},
    {LB_FEATURE_SCALE_RATIO, ANY_CHOICE, LB_FEATURE_REQUANTIZE, LB_REQUANTIZE_FLOAT,
     LB_REQUANTIZE_FLOAT, GIVES_WAY,
     "requantize: float has a ratio of its own, so scale-ratio says nothing"},
    {LB_FEATURE_SCALE_ROUNDING, ANY_CHOICE, LB_FEATURE_REQUANTIZE, LB_REQUANTIZE_FLOAT,
     LB_REQUANTIZE_FLOAT, GIVES_WAY,
     "requantize: float rounds ratios as single precision does, so scale-rounding says nothing"},
    {LB_FEATURE_MULTIPLIER_BITS, ANY_CHOICE, LB_FEATURE_REQUANTIZE, LB_REQUANTIZE_REDUCED,
     LB_REQUANTIZE_REDUCED, GIVES_WAY,
     "requantize: reduced has a multiplier of 16 bits, so multiplier-bits says nothing"},
    {LB_FEATURE_MULTIPLIER_BITS, ANY_CHOICE, LB_FEATURE_REQUANTIZE, LB_REQUANTIZE_FLOAT,
     LB_REQUANTIZE_FLOAT, GIVES_WAY,
     "requantize: float has a multiplier of 24 bits, so multiplier-bits says nothing"},
    {LB_FEATURE_OUT_ZERO_POINT, LB_OUT_ZERO_POINT_BEFORE, LB_FEATURE_REQUANTIZE,
     LB_REQUANTIZE_REDUCED, LB_REQUANTIZE_FLOAT, GIVES_WAY, full_alone},
    {LB_FEATURE_LANES, ANY_CHOICE, LB_FEATURE_OVERFLOW, 0, LB_SUM_WRAP, LB_SUM_SATURATE,
     saturating_alone},
    {LB_FEATURE_LANES, ANY_CHOICE, LB_FEATURE_OVERFLOW, LB_SUM_AT_END, LB_SUM_AT_END,
     LB_SUM_SATURATE, saturating_alone},
    {LB_FEATURE_SHIFT_CAP, ANY_CHOICE, LB_FEATURE_RIGHT_SHIFT, 1, UINT8_MAX, 0,
     "with right-shift-past-width no shift is capped, so shift-cap says nothing"},
    {LB_FEATURE_MULTIPLIER_BITS, ANY_CHOICE, LB_FEATURE_AVERAGE, LB_AVERAGE_DIVISION,
     LB_AVERAGE_DIVISION, GIVES_WAY,
     "average: division has no multiplier, so multiplier-bits says nothing"},
    {LB_FEATURE_INTERPOLATION, ANY_CHOICE, LB_FEATURE_TABLE, LB_TABLE_COMPUTED, LB_TABLE_COMPUTED,
     GIVES_WAY, no_entries},
    {LB_FEATURE_TABLE_ENDS, ANY_CHOICE, LB_FEATURE_TABLE, LB_TABLE_COMPUTED, LB_TABLE_COMPUTED,
     GIVES_WAY, no_entries},
    {LB_FEATURE_TABLE_ROUNDING, ANY_CHOICE, LB_FEATURE_TABLE, LB_TABLE_COMPUTED, LB_TABLE_COMPUTED,
     GIVES_WAY, no_entries},
    {LB_FEATURE_TABLE_ROUNDING, ANY_CHOICE, LB_FEATURE_INTERPOLATION, 1, UINT8_MAX, GIVES_WAY,
     "without interpolation table-rounding says nothing"},
};

static bool is_excluded(const exclusion *x, const uint8_t *v)
{
    bool chosen = x->choice == ANY_CHOICE ? v[x->a] != 0 : v[x->a] == x->choice;
    return chosen && v[x->b] >= x->low && v[x->b] <= x->high;
}

const char *lb_features_conflict(const lb_feature_set *features)
{
    for (size_t i = 0; i < sizeof exclusions / sizeof *exclusions; i++)
        if (is_excluded(&exclusions[i], features->value))
            return exclusions[i].words;
    return NULL;
}

void lb_features_make_room(lb_feature_set *features, lb_feature set_last)
{
    for (size_t i = 0; i < sizeof exclusions / sizeof *exclusions; i++) {
        const exclusion *x = &exclusions[i];
        if (!is_excluded(x, features->value))
            continue;
        if (x->a == set_last && x->then != GIVES_WAY)
            features->value[x->b] = x->then;
        else
            features->value[x->a] = 0;
    }
}
