/* Domains of functions with slopes. Spec: elementwise.md 4; s, f and z in names of numbers are
 * scale, frac_bits and zero point, as there. */
#include "domains.h"

/* ---- fx: in and out have equal frac_bits, or the call is refused (elementwise.md 2) ---- */

/* For fx16 a row of all inputs to each of eight slopes. */
static const int32_t slopes_of_rows_16[][LB_ROWS_OF_16] = {
    {-32768, -16384, -1, 0, 1, 16384, 32766, 32767},
    {-21846, -9830, -256, -2, 4, 1638, 11585, 26214}};

/* clang-format off */
/* Slopes that tell most: ends, powers of two with both signs, -1, neighbours of powers, and some
 * without a pattern. */
#define SLOPES_8      -128, -127, -65, -64, -1, 0, 1, 63, 64, 126, 127
#define END_SLOPES_16 -32768, 1
#define MIDDLE_FRAC_8    4
#define MIDDLE_FRAC_16   11
#define ALL_FRACS        -128, -1, 7, 127
#define FAR_SLOPE_FRACS  -128, -32, -31, 32, 127
#define SOME_SLOPE_FRACS -128, -15, 0, 7, 15, 31, 127

static const lb_domain_block one_fx8[] = {
    {"", "all 256 inputs with all 256 slopes at every frac_bits of the slope where results differ: below -7 all but 0 saturate, above 15 all are 0 (elementwise.md 4)",
     LB_ALL_OF_8, LB_LAY_SLOPE, .axes = {LB_RANGE("slope", -128, 127), LB_RANGE("f_slope", -8, 17), LB_ONE("frac_bits", MIDDLE_FRAC_8)}},
    {"shifts", "11 slopes at every frac_bits of the slope, past the cap of the shift at 31 on both sides",
     LB_ALL_OF_8, LB_LAY_SLOPE, .axes = {LB_ONE("slope", SLOPES_8), LB_RANGE("f_slope", -128, 127), LB_ONE("frac_bits", MIDDLE_FRAC_8)}},
    {"formats", "the same results at 4 frac_bits of in and out, which cancel",
     LB_ALL_OF_8, LB_LAY_SLOPE, .axes = {LB_ONE("slope", SLOPES_8), LB_ONE("f_slope", SOME_SLOPE_FRACS), LB_ONE("frac_bits", ALL_FRACS)}},
    {0},
};

static const lb_domain_block lines_fx8[] = {
    {"", "all 256 inputs with all 256 slopes along axis 0 at every frac_bits of the slope (elementwise.md 4)",
     LB_ALL_PAIRS, LB_LAY_SLOPES, .axes = {LB_RANGE("f_slope", -128, 127), LB_ONE("frac_bits", MIDDLE_FRAC_8)}},
    {"axis1", "the same along axis 1 where results differ, at 4 frac_bits of in and out",
     LB_ALL_PAIRS, LB_LAY_ACROSS, .axes = {LB_RANGE("f_slope", -8, 17), LB_ONE("frac_bits", ALL_FRACS)}},
    {"scalar", "axis -1: all 256 inputs with 11 slopes, one at a time",
     LB_ALL_OF_8, LB_LAY_SLOPE, .axes = {LB_ONE("slope", SLOPES_8), LB_RANGE("f_slope", -8, 17), LB_ONE("frac_bits", MIDDLE_FRAC_8)}},
    {0},
};

static const lb_domain_block one_fx16[] = {
    {"", "all 65,536 inputs with 48 slopes (0, all powers of two with both signs, both ends, 7 neighbours of these, 8 without a pattern) at every frac_bits of the slope from where "
     "all but 0 saturate to past the cap of the shift, and 5 far beyond (elementwise.md 4)",
     LB_ALL_OF_16, LB_LAY_SLOPE, .axes = {LB_ONE("slope", -32768, -16384, -8192, -4096, -2048, -1024, -512, -256, -128, -64, -32, -16, -8, -4, -2, -1, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32767, 32766, 16385, 16383, -32767, -16385, -3, 3, 21845, 26214, 1638, -21846, 11585, 23170, 327, -9830), LB_RANGE_AND("f_slope", -17, 31, FAR_SLOPE_FRACS), LB_ONE("frac_bits", MIDDLE_FRAC_16)}},
    {"shifts", "the slopes -32768 and 1 at every frac_bits of the slope",
     LB_ALL_OF_16, LB_LAY_SLOPE, .axes = {LB_ONE("slope", END_SLOPES_16), LB_RANGE("f_slope", -128, 127), LB_ONE("frac_bits", MIDDLE_FRAC_16)}},
    {"formats", "the same results at 4 frac_bits of in and out, which cancel",
     LB_ALL_OF_16, LB_LAY_SLOPE, .axes = {LB_ONE("slope", END_SLOPES_16), LB_ONE("f_slope", SOME_SLOPE_FRACS), LB_ONE("frac_bits", ALL_FRACS)}},
    {0},
};

static const lb_domain_block lines_fx16[] = {
    {"", "all 65,536 inputs with 16 slopes (ends, powers of two, -1, 0, some without a pattern) in two lists along axis 0, at every frac_bits of the slope from where all but 0 "
     "saturate to past the cap of the shift, and 12 far beyond (elementwise.md 4)",
     LB_ROWS_OF_16 * LB_ALL_OF_16, LB_LAY_SLOPES, .slopes = slopes_of_rows_16, .axes = {LB_RANGE("set", 0, 1), LB_RANGE_AND("f_slope", -17, 31, FAR_SLOPE_FRACS), LB_ONE("frac_bits", MIDDLE_FRAC_16)}},
    {"scalar", "axis -1: all 65,536 inputs with 3 slopes, one at a time",
     LB_ALL_OF_16, LB_LAY_SLOPE, .axes = {LB_ONE("slope", -32768, -1, 1638), LB_RANGE("f_slope", -17, 32), LB_ONE("frac_bits", MIDDLE_FRAC_16)}},
    {0},
};
/* clang-format on */

/* ---- sa8 ---- */

/* clang-format off */
/* in, slope, out. With full mantissas h = f_in - f_out + 14 or so, and g = h + f_slope - 22 or so.
 */
#define FOUR_SCALES {16384, 16384, 16384}, {16385, 21845, 32767}, {32767, 23170, 16385}, {20001, 32767, 31003}
#define SOME_SCALES {16385, 21845, 32767}, {32767, 23170, 16385}
#define ODD_SCALES {1, 1, 1}, {1, 32767, 1}, {1, 1, 32767}, {32767, 1, 1}, {3, 2, 32766}, {255, 257, 3}
#define THREE_ZERO_POINTS {0, 0, 0}, {-128, 17, 127}, {127, -16384, -128}
#define SOME_ZERO_POINTS {0, 0, 0}, {-5, 16383, 127}
#define ONE_ZERO_POINTS {-5, 16383, 127}
/* h from below 0, where the mantissa saturates, to above 24, where all differences of 9 bits
 * vanish; and three differences at which no result of in to out is trivial. */
#define NEAR             LB_SPLIT_AND(-18, 14, "f_in", "f_out", -255, -128, -64, 64, 128, 255)
#define WIDE             LB_SPLIT(-34, 34, 1, "f_in", "f_out")
#define MIDDLE           LB_SPLIT(-7, 5, 6, "f_in", "f_out")
#define SCALES(...)      LB_THREE("s_in", "s_slope", "s_out", __VA_ARGS__)
#define ZERO_POINTS(...) LB_THREE("z_in", "z_slope", "z_out", __VA_ARGS__)
#define USUAL_SLOPE_FRACS 7, 15, 22

static const lb_domain_block one_sa8[] = {
    {"", "all 256 inputs with all 256 slopes at 2 triples of scales, 3 differences of the scale_frac_bits of in and out and 2 triples of zero points (elementwise.md 4)",
     LB_ALL_OF_8, LB_LAY_SLOPE, .axes = {LB_RANGE("slope", -128, 127), MIDDLE, LB_ONE("f_slope", 15), SCALES(SOME_SCALES), ZERO_POINTS(SOME_ZERO_POINTS)}},
    {"shifts", "11 slopes with every shift from in to out: from where the mantissa saturates to where all differences of 9 bits vanish, and 6 far beyond",
     LB_ALL_OF_8, LB_LAY_SLOPE, .axes = {LB_ONE("slope", SLOPES_8), NEAR, LB_ONE("f_slope", USUAL_SLOPE_FRACS), SCALES(SOME_SCALES), ZERO_POINTS(SOME_ZERO_POINTS)}},
    {0},
};

static const lb_domain_block lines_sa8[] = {
    {"", "all 256 inputs with all 256 slopes along axis 0 and every shift from in to out: from where the mantissa saturates to where all differences of 9 bits vanish, and 6 far "
     "beyond; at 2 triples of scales, 3 scale_frac_bits of the slope, 3 triples of zero points (elementwise.md 4)",
     LB_ALL_PAIRS, LB_LAY_SLOPES, .axes = {NEAR, LB_ONE("f_slope", USUAL_SLOPE_FRACS), SCALES(SOME_SCALES), ZERO_POINTS(THREE_ZERO_POINTS)}},
    {"slope_shifts", "the same with every shift of the slope's branch: scale_frac_bits of the slope from -20 to 60, and 4 far beyond",
     LB_ALL_PAIRS, LB_LAY_SLOPES, .axes = {MIDDLE, LB_RANGE_AND("f_slope", -20, 60, -128, -64, 100, 127), SCALES(SOME_SCALES), ZERO_POINTS(ONE_ZERO_POINTS)}},
    {"odd_scales", "the same with small and lopsided scales at 2 scale_frac_bits of the slope, 69 differences of scale_frac_bits",
     LB_ALL_PAIRS, LB_LAY_SLOPES, .axes = {WIDE, LB_ONE("f_slope", 7, 22), SCALES(ODD_SCALES), ZERO_POINTS(ONE_ZERO_POINTS)}},
    {"axis1", "the same along axis 1 with 3 shifts, at 4 triples of scales",
     LB_ALL_PAIRS, LB_LAY_ACROSS, .axes = {MIDDLE, LB_ONE("f_slope", USUAL_SLOPE_FRACS), SCALES(FOUR_SCALES), ZERO_POINTS(THREE_ZERO_POINTS)}},
    {"scalar", "axis -1: all 256 inputs with 11 slopes, one at a time",
     LB_ALL_OF_8, LB_LAY_SLOPE, .axes = {LB_ONE("slope", SLOPES_8), MIDDLE, LB_ONE("f_slope", USUAL_SLOPE_FRACS), SCALES(FOUR_SCALES), ZERO_POINTS(THREE_ZERO_POINTS)}},
    {0},
};

const lb_domain lb_mli_domains_slope[] = {
    {one_sa8, LB_PATTERN_SLOPES, .in_type = LB_SA8},
    {one_fx8, LB_PATTERN_SLOPES, .in_type = LB_FX8},
    {one_fx16, LB_PATTERN_SLOPES, .in_type = LB_FX16},
    {lines_sa8, LB_PATTERN_SLOPES, .in_type = LB_SA8, .config_kind = LB_CONFIG_AXIS},
    {lines_fx8, LB_PATTERN_SLOPES, .in_type = LB_FX8, .config_kind = LB_CONFIG_AXIS},
    {lines_fx16, LB_PATTERN_SLOPES, .in_type = LB_FX16, .config_kind = LB_CONFIG_AXIS},
    {0},
};
/* clang-format on */
