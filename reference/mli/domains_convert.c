/* Domains of the conversions from 8 and 16 bits. Spec: numerics.md 5.1, 7. Where one side is sa8 or
 * sa32 it is quantized per axis, a row of all inputs to each set of its parameters, so that one
 * call holds many sets. */
#include "domains.h"

#include <string.h>

enum { MIXED_ROWS = 64, PAIR_ROWS = 256 };

/* clang-format off */
#define PAIRS_OF_SCALES {1, 1}, {16384, 16384}, {16385, 32767}, {32767, 16385}, {21845, 20001}, {1, 32767}, {32767, 1}, {3, 7}
#define SCALE_PAIRS LB_TWO("in_scale", "out_scale", PAIRS_OF_SCALES)

/* ---- What rows have ---- */

/* One side alone has scales and zero points, or both have the same. */
#define EQUAL_SCALES LB_TWO("in_scale", "out_scale", {1, 1}, {2, 2}, {3, 3}, {16384, 16384}, {16385, 16385}, {21845, 21845}, {23170, 23170}, {32767, 32767})
static const lb_axis single_8[LB_DOMAIN_AXES] = {EQUAL_SCALES, LB_TWO("in_zero_point", "out_zero_point", {-128, -128}, {-127, -127}, {-1, -1}, {0, 0}, {1, 1}, {64, 64}, {126, 126}, {127, 127})};
static const lb_axis single_32[LB_DOMAIN_AXES] = {EQUAL_SCALES, LB_TWO("in_zero_point", "out_zero_point", {-128, -32768}, {-127, -129}, {-1, -1}, {0, 0}, {1, 1}, {64, 128}, {126, 255}, {127, 32767})};
static const lb_axis both_8[LB_DOMAIN_AXES] = {SCALE_PAIRS, LB_ONE("in_zero_point", -128, -1, 0, 127), LB_ONE("out_zero_point", -128, -1, 0, 127)};
static const lb_axis both_32[LB_DOMAIN_AXES] = {SCALE_PAIRS, LB_ONE("in_zero_point", -128, -1, 0, 127), LB_ONE("out_zero_point", -32768, -1, 1, 255)};
/* clang-format on */

/* Every zero point on both sides, with pairs of scales in turns. */
static void make_zero_points(int first, size_t point, int *n)
{
    static const int pairs[][2] = {PAIRS_OF_SCALES};
    memcpy(n, pairs[point % LB_COUNT_OF(pairs)], sizeof *pairs);
    n[2] = first + (int)point;
    n[3] = -1 - n[2];
}

static const lb_axis zero_points[LB_DOMAIN_AXES] = {LB_MADE(
    PAIR_ROWS, -128, make_zero_points, "in_scale", "out_scale", "in_zero_point", "out_zero_point")};

/* ---- The table ---- */

/* To fp32 no result may be beyond the range of binary32, where the spec leaves it open
 * (numerics.md 7.3). */
enum { FX8_FRAC_LOW = -120, FX16_FRAC_LOW = -112, SA8_FRAC_LOW = -104, TO_FP32 = 3 };

/* clang-format off */
/* The shift is in_frac_bits - out_frac_bits + 14 or so for equal scales, and up to 15 more or less
 * for lopsided ones (numerics.md 5.1). What 255 * 32767 becomes vanishes from a difference of 24
 * on; 1 / 32767 saturates 8 bits up to -23, 16 bits up to -31, and sa32 up to -47. */
#define FAR_DIFFERENCES -255, -128, -127, -80, 80, 127, 128, 255
#define FRACS "in_frac_bits", "out_frac_bits"
#define ALL   LB_SPLIT(-255, 255, 1, FRACS) /* differences that there are */
#define NEAR  LB_SPLIT_AND(-34, 28, "in_frac_bits", "out_frac_bits", FAR_DIFFERENCES)
#define WIDE  LB_SPLIT_AND(-50, 30, "in_frac_bits", "out_frac_bits", FAR_DIFFERENCES) /* to sa32 */
#define FEW   LB_SPLIT(-32, 32, 4, FRACS)
#define TARGET(...) LB_TWO("out_scale", "out_zero_point", __VA_ARGS__)
#define ZERO_PAIRS LB_TWO("in_zero_point", "out_zero_point", {-128, 127}, {0, 0}, {127, -128}, {-3, 5})

/* Those to fp32, and what both functions convert. */
static const lb_domain_block convert[] = {
    {"fx8_to_fp32", "fx8 to fp32: all 256 inputs at every frac_bits whose results are finite",
     LB_ALL_OF_8, LB_LAY_ALL, LB_FX8, LB_FP32, .axes = {LB_RANGE("frac_bits", FX8_FRAC_LOW, 127)}},
    {"fx16_to_fp32", "fx16 to fp32: the same, all 65,536 inputs",
     LB_ALL_OF_16, LB_LAY_ALL, LB_FX16, LB_FP32, .axes = {LB_RANGE("frac_bits", FX16_FRAC_LOW, 127)}},
    {"sa8_to_fp32", "sa8 to fp32: the same, for 8 scales with 8 zero points",
     MIXED_ROWS * LB_ALL_OF_8, LB_LAY_ROWS, LB_SA8, LB_FP32, .rows = single_8, .axes = {LB_RANGE("scale_frac_bits", SA8_FRAC_LOW, 127)}},
    {"fx8_to_fx8", "fx8 to fx8: all 256 inputs at every difference of frac_bits (numerics.md 7)",
     LB_ALL_OF_8, LB_LAY_ALL, LB_FX8, LB_FX8, .axes = {ALL}},
    {"fx8_to_fx16", "fx8 to fx16: the same",
     LB_ALL_OF_8, LB_LAY_ALL, LB_FX8, LB_FX16, .axes = {ALL}},
    {"fx8_to_sa8", "fx8 to sa8: all 256 inputs for 8 scales with 8 zero points, every difference of frac_bits where results are not all alike (-34 to 28) and 8 far beyond",
     MIXED_ROWS * LB_ALL_OF_8, LB_LAY_ROWS, LB_FX8, LB_SA8, .rows = single_8, .axes = {NEAR}},
    {"fx8_to_sa32", "fx8 to sa32: the same, differences -50 to 30",
     MIXED_ROWS * LB_ALL_OF_8, LB_LAY_ROWS, LB_FX8, LB_SA32, .rows = single_32, .axes = {WIDE}},
    {"fx16_to_fx8", "fx16 to fx8: all 65,536 inputs, differences of frac_bits -34 to 28 and 8 far beyond",
     LB_ALL_OF_16, LB_LAY_ALL, LB_FX16, LB_FX8, .axes = {NEAR}},
    {"fx16_to_fx16", "fx16 to fx16: the same",
     LB_ALL_OF_16, LB_LAY_ALL, LB_FX16, LB_FX16, .axes = {NEAR}},
    {"fx16_to_sa8", "fx16 to sa8: the same at 2 scales and zero points",
     LB_ALL_OF_16, LB_LAY_ALL, LB_FX16, LB_SA8, .axes = {NEAR, TARGET({1, -128}, {21845, 127})}},
    {"fx16_to_sa32", "fx16 to sa32: the same, differences -50 to 30",
     LB_ALL_OF_16, LB_LAY_ALL, LB_FX16, LB_SA32, .axes = {WIDE, TARGET({1, -32768}, {21845, 32767})}},
    {"sa8_to_fx8", "sa8 to fx8: all 256 inputs for 8 scales with 8 zero points, differences -34 to 28 and 8 far beyond",
     MIXED_ROWS * LB_ALL_OF_8, LB_LAY_ROWS, LB_SA8, LB_FX8, .rows = single_8, .axes = {NEAR}},
    {"sa8_to_fx16", "sa8 to fx16: the same",
     MIXED_ROWS * LB_ALL_OF_8, LB_LAY_ROWS, LB_SA8, LB_FX16, .rows = single_8, .axes = {NEAR}},
    {"sa8_to_sa8", "sa8 to sa8: all 256 inputs for 8 pairs of scales with 16 of zero points, differences -34 to 28 and 8 far beyond",
     PAIR_ROWS / 2 * LB_ALL_OF_8, LB_LAY_ROWS, LB_SA8, LB_SA8, .rows = both_8, .axes = {NEAR}},
    {"sa8_to_sa32", "sa8 to sa32: the same, differences -50 to 30",
     PAIR_ROWS / 2 * LB_ALL_OF_8, LB_LAY_ROWS, LB_SA8, LB_SA32, .rows = both_32, .axes = {WIDE}},
    {"zero_points", "sa8 to sa8: every zero point on both sides, differences -32 to 32 in steps of 4",
     PAIR_ROWS * LB_ALL_OF_8, LB_LAY_ROWS, LB_SA8, LB_SA8, .rows = zero_points, .axes = {FEW}},
    {"per_tensor", "sa8 to sa8 quantized per tensor: 8 pairs of scales, 4 of zero points, differences -32 to 32 in steps of 4",
     LB_ALL_OF_8, LB_LAY_ALL, LB_SA8, LB_SA8, .axes = {FEW, SCALE_PAIRS, ZERO_PAIRS}},
    {0},
};

const lb_domain lb_mli_domains_convert[] = {
    {convert, LB_PATTERN_CONVERSION, .function = "mli_hlp_convert_tensor"},
    {convert + TO_FP32, LB_PATTERN_CONVERSION, .function = "mli_hlp_convert_tensor_safx"},
    {0},
};
/* clang-format on */
