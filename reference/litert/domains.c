/* Functions of LiteRT with domains that are small enough to be tried whole: which inputs, and with
 * which numbers of the configuration; these are such that scales of models lead to (litert.22), and
 * the ends. Spec: litert.11 to litert.14, litert.17, litert.18. */
#include "describe/domain.h"
#include "kernels.h"

/* clang-format off */

#define LB_LITE_ENDS_OF_8 -128, -1, 0, 1, 127

#define LB_LITE_SIGMOIDS_S8 \
    {1073741824, 20, 1920}, {1462152832, 25, 60}, {1073741824, 24, 1}, {1073741824, 24, 120}, \
    {1073741824, 27, 15}, {1986422400, 29, 3}, {1228214656, 27, 15}, {1374389504, 21, 960}, \
    {1614907648, 22, 480}, {1717986944, 23, 240}, {1786914432, 25, 60}, {2026057984, 21, 960}, \
    {2125410816, 22, 480}, {1136283136, 26, 30}, {1280768256, 19, 3840}
#define LB_LITE_SIGMOIDS_S16 \
    {0, 0}, {0, 3}, {1, 0}, {3, 0}, {16384, 14}, {16471, 8}, {16824, 15}, {17773, 11}, {18384, 16}, {18595, 9}, \
    {19453, 12}, {19660, 4}, {20000, 1}, {24576, 13}, {25165, 12}, {26987, 13}, {28293, 10}, {30342, 10}, \
    {31457, 8}, {32767, 15}
#define LB_LITE_SOFTMAXES_S8 \
    {1073741824, 0, -255}, {1073741824, 19, -3968}, {1073741824, 23, -248}, {1073741824, 25, -62}, \
    {1073741824, 28, -7}, {1191958944, 23, -248}, {1288490240, 25, -1}, {1342177280, 30, -1}, \
    {1374389504, 20, -1984}, {1374389504, 21, -255}, {1503238576, 25, -62}, {1602115173, 24, -124}, \
    {1711053312, 26, -31}, {1717986944, 22, -496}, {1717986944, 23, 0}, {2061584256, 21, -992}, \
    {2132702720, 18, -7936}, {2147483646, 30, -1}
#define LB_LITE_SOFTMAXES_S16 \
    {1073741824, 1}, {1099494826, 7}, {1145798192, 4}, {1201520738, -2}, {1263984604, 6}, {1319393832, 5}, \
    {1374368584, 10}, {1407353373, 0}, {1407353497, -1}, {1717960704, 0}, {1759191844, 3}, {2114581314, 4}
#define LB_LITE_RELUISH \
    {16384, -15}, {16384, 15}, {16428, 2}, {17351, 1}, {19823, 0}, {19911, -1}, {21845, 3}, {21845, 9}, \
    {22370, -3}, {26200, 5}, {32767, 31}, {30000, 7}
#define LB_LITE_SWISH_OUT \
    {16384, -15}, {16384, -7}, {19571, -5}, {22775, -3}, {30720, 0}, {32767, -1}
#define LB_LITE_REQUANTIZES \
    {0, 0}, {1, -31}, {1073741824, -20}, {1073741824, -8}, {1073741824, -3}, {1073741824, -1}, {1073741824, 0}, \
    {1073741824, 1}, {1107850121, 2}, {1399756832, -1}, {1492079046, 2}, {1527506256, 0}, {1578522868, 1}, \
    {1610612736, -1}, {1610612736, 0}, {1717986918, -4}, {1898714605, 1}, {2111055346, 0}, {2147483647, 0}, \
    {2147483647, -31}

static const lb_domain_block sigmoid_s8[] = {
    {"", "all 256 inputs at every zero point, at multipliers, shifts and radii that scales from 2^-11 to 1 lead to (litert.13)",
     LB_ALL_OF_8, LB_LAY_ALL, .axes = {LB_THREE("input_multiplier", "input_left_shift", "input_range_radius", LB_LITE_SIGMOIDS_S8), LB_RANGE("input_zero_point", -128, 127)}},
    {0},
};

static const lb_domain_block sigmoid_s16[] = {
    {"", "all 65,536 inputs, at multipliers and shifts that scales lead to, those of powers of two (multiplier 0, 1, 3) among them (litert.14)",
     LB_ALL_OF_16, LB_LAY_ALL, .axes = {LB_TWO("input_multiplier", "input_left_shift", LB_LITE_SIGMOIDS_S16)}},
    {0},
};

static const lb_domain_block softmax_s8[] = {
    {"", "rows of two: all 65,536 pairs, so that each difference from the maximum meets each sum of two, at multipliers, shifts and diff_min that scales lead to (litert.11)",
     LB_ALL_PAIRS, LB_LAY_TWOS, .axes = {LB_THREE("input_multiplier", "input_left_shift", "diff_min", LB_LITE_SOFTMAXES_S8)}},
    {"rows", "rows of 512, in each one number 256 times among all 256",
     LB_ALL_PAIRS, LB_LAY_LONG, .axes = {LB_THREE("input_multiplier", "input_left_shift", "diff_min", LB_LITE_SOFTMAXES_S8)}},
    {0},
};

static const lb_domain_block softmax_s16[] = {
    {"", "rows of two, the largest number and each of all 65,536: every difference from the maximum, at multipliers and shifts that scales lead to (litert.12)",
     LB_ALL_OF_16, LB_LAY_TWOS, .axes = {LB_TWO("input_multiplier", "input_left_shift", LB_LITE_SOFTMAXES_S16)}},
    {0},
};

static const lb_domain_block hard_swish_s8[] = {
    {"", "all 256 inputs at zero points at the ends and around 0, so that all 511 differences are there, with multipliers and exponents that scales lead to, and the ends (litert.17)",
     LB_ALL_OF_8, LB_LAY_ALL, .axes = {LB_ONE("input_zero_point", LB_LITE_ENDS_OF_8), LB_ONE("output_zero_point", LB_LITE_ENDS_OF_8), LB_TWO("reluish_multiplier", "reluish_exponent", LB_LITE_RELUISH), LB_TWO("output_multiplier", "output_exponent", LB_LITE_SWISH_OUT)}},
    {0},
};

static const lb_domain_block requantize_s8_s8[] = {
    {"", "all 256 inputs at zero points at the ends and around 0, at multipliers and shifts that scales lead to, and the ends (litert.18)",
     LB_ALL_OF_8, LB_LAY_ALL, .axes = {LB_TWO("multiplier", "shift", LB_LITE_REQUANTIZES), LB_ONE("input_zero_point", LB_LITE_ENDS_OF_8), LB_ONE("output_zero_point", LB_LITE_ENDS_OF_8)}},
    {0},
};

static const lb_domain_block requantize_s8[] = {
    {"", "all 256 inputs at zero points at the ends and around 0, at multipliers and shifts that scales lead to, and the ends (litert.18)",
     LB_ALL_OF_8, LB_LAY_ALL, .axes = {LB_TWO("multiplier", "shift", LB_LITE_REQUANTIZES), LB_ONE("input_zero_point", LB_LITE_ENDS_OF_8), LB_ONE("output_zero_point", 0)}},
    {0},
};

static const lb_domain_block requantize_s16_s8[] = {
    {"", "all 65,536 inputs, zero points of the output at the ends and around 0, at multipliers and shifts that scales lead to, and the ends (litert.18)",
     LB_ALL_OF_16, LB_LAY_ALL, .axes = {LB_TWO("multiplier", "shift", LB_LITE_REQUANTIZES), LB_ONE("input_zero_point", 0), LB_ONE("output_zero_point", LB_LITE_ENDS_OF_8)}},
    {0},
};

static const lb_domain_block requantize_s16[] = {
    {"", "all 65,536 inputs, at multipliers and shifts that scales lead to, and the ends (litert.18)",
     LB_ALL_OF_16, LB_LAY_ALL, .axes = {LB_TWO("multiplier", "shift", LB_LITE_REQUANTIZES), LB_ONE("input_zero_point", 0), LB_ONE("output_zero_point", 0)}},
    {0},
};

static const lb_domain domains[] = {
    {sigmoid_s8, LB_PATTERN_LITERT, .config_kind = LB_CONFIG_LITERT_sigmoid_s8},
    {sigmoid_s16, LB_PATTERN_LITERT, .config_kind = LB_CONFIG_LITERT_sigmoid_s16},
    {softmax_s8, LB_PATTERN_LITERT, .config_kind = LB_CONFIG_LITERT_softmax_s8},
    {softmax_s16, LB_PATTERN_LITERT, .config_kind = LB_CONFIG_LITERT_softmax_s16, .in_type = LB_S16, .out_type = LB_S16},
    {hard_swish_s8, LB_PATTERN_LITERT, .config_kind = LB_CONFIG_LITERT_hard_swish},
    {requantize_s8_s8, LB_PATTERN_LITERT, .config_kind = LB_CONFIG_LITERT_requantize, .in_type = LB_S8, .out_type = LB_S8},
    {requantize_s8, LB_PATTERN_LITERT, .config_kind = LB_CONFIG_LITERT_requantize, .in_type = LB_S8},
    {requantize_s16_s8, LB_PATTERN_LITERT, .config_kind = LB_CONFIG_LITERT_requantize, .in_type = LB_S16, .out_type = LB_S8},
    {requantize_s16, LB_PATTERN_LITERT, .config_kind = LB_CONFIG_LITERT_requantize, .in_type = LB_S16},
    {0},
};
/* clang-format on */

const lb_domain *const lb_lite_domains[] = {domains, NULL};
