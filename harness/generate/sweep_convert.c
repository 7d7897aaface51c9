/* Domains of the conversions from 8 and 16 bits. Spec: numerics.md 5.1, 7. Where one side is sa8 or
 * sa32 it is quantized per axis, a row of all inputs to each set of its parameters, so that one
 * call holds many sets. */
#include "harness/generate/sweep_block.h"

enum { MIXED_ROWS = 64, PAIR_ROWS = 256 };

static const int scales_8[] = {1, 2, 3, 16384, 16385, 21845, 23170, 32767};
/* clang-format off */
#define PAIRS_OF_SCALES {1, 1}, {16384, 16384}, {16385, 32767}, {32767, 16385}, {21845, 20001}, {1, 32767}, {32767, 1}, {3, 7}
/* clang-format on */
static const int scale_pairs[][2] = {PAIRS_OF_SCALES};
static const int zero_points_8[] = {-128, -127, -1, 0, 1, 64, 126, 127};
static const int zero_points_32[] = {-32768, -129, -1, 0, 1, 128, 255, 32767};
static const int end_zero_points[] = {-128, -1, 0, 127};

/* ---- Building ---- */

/* The parameters that one row of the source and one of the target have beside frac_bits. */
typedef struct row {
    int in_scale, in_zero_point, out_scale, out_zero_point;
} row;

static void set_row(lb_case_tensor *t, size_t i, int scale, int zero_point)
{
    if (!t->scale)
        return;
    t->scale[i] = (int16_t)scale;
    t->zero_point[i] = (int16_t)zero_point;
}

/* A row of all inputs of 8 bits to each set of parameters. */
static void fill_rows(lb_sweep_call *call, row (*row_of)(lb_el_type to, size_t i))
{
    const uint32_t rows = (uint32_t)(call->block->inputs / LB_SWEEP_8),
                   shape[] = {rows, LB_SWEEP_8};
    lb_case_tensor *in = lb_sweep_put(call, LB_ROLE_IN, 2, shape, call->inputs->fast_8);
    lb_case_tensor *out = lb_sweep_put(call, LB_ROLE_OUT, 2, shape, NULL);
    lb_build_spread(&call->build, in, 0);
    lb_build_spread(&call->build, out, 0);
    for (size_t i = 0; i < rows; i++) {
        row r = row_of(call->block->to, i);
        set_row(in, i, r.in_scale, r.in_zero_point);
        set_row(out, i, r.out_scale, r.out_zero_point);
    }
}

static row single_side(lb_el_type to, size_t i)
{
    const int *targets = to == LB_SA32 ? zero_points_32 : zero_points_8;
    return (row){scales_8[i / 8], zero_points_8[i % 8], scales_8[i / 8], targets[i % 8]};
}

static row both_sides(lb_el_type to, size_t i)
{
    const int *pair = scale_pairs[i / 16 % 8];
    int target = to == LB_SA32 ? zero_points_32[i % 4 * 2] : end_zero_points[i % 4];
    return (row){pair[0], end_zero_points[i / 4 % 4], pair[1], target};
}

static row every_zero_point(lb_el_type to, size_t i)
{
    const int *pair = scale_pairs[i % 8];
    (void)to;
    return (row){pair[0], (int)i - 128, pair[1], 127 - (int)i};
}

static void fill_mixed(lb_sweep_call *call)
{
    fill_rows(call, single_side);
}

static void fill_sa_to_sa(lb_sweep_call *call)
{
    fill_rows(call, both_sides);
}

static void fill_zero_points(lb_sweep_call *call)
{
    fill_rows(call, every_zero_point);
}

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
#define ALL   LB_SWEEP_SPLIT(-255, 255, 1, FRACS) /* differences that there are */
#define NEAR  LB_SPLIT_AND(-34, 28, "in_frac_bits", "out_frac_bits", FAR_DIFFERENCES)
#define WIDE  LB_SPLIT_AND(-50, 30, "in_frac_bits", "out_frac_bits", FAR_DIFFERENCES) /* to sa32 */
#define FEW   LB_SWEEP_SPLIT(-32, 32, 4, FRACS)
#define TARGET(...) LB_TWO("out_scale", "out_zero_point", __VA_ARGS__)
#define SCALE_PAIRS LB_TWO("in_scale", "out_scale", PAIRS_OF_SCALES)
#define ZERO_PAIRS LB_TWO("in_zero_point", "out_zero_point", {-128, 127}, {0, 0}, {127, -128}, {-3, 5})

/* Those to fp32, and what both functions convert. */
static const lb_sweep_block convert[] = {
    {"fx8_to_fp32", "fx8 to fp32: all 256 inputs at every frac_bits whose results are finite",
     LB_SWEEP_8, lb_sweep_fill_all, LB_FX8, LB_FP32, .axes = {LB_RANGE("frac_bits", FX8_FRAC_LOW, 127)}},
    {"fx16_to_fp32", "fx16 to fp32: the same, all 65,536 inputs",
     LB_SWEEP_16, lb_sweep_fill_all, LB_FX16, LB_FP32, .axes = {LB_RANGE("frac_bits", FX16_FRAC_LOW, 127)}},
    {"sa8_to_fp32", "sa8 to fp32: the same, for 8 scales with 8 zero points",
     MIXED_ROWS * LB_SWEEP_8, fill_mixed, LB_SA8, LB_FP32, .axes = {LB_RANGE("scale_frac_bits", SA8_FRAC_LOW, 127)}},
    {"fx8_to_fx8", "fx8 to fx8: all 256 inputs at every difference of frac_bits (numerics.md 7)",
     LB_SWEEP_8, lb_sweep_fill_all, LB_FX8, LB_FX8, .axes = {ALL}},
    {"fx8_to_fx16", "fx8 to fx16: the same",
     LB_SWEEP_8, lb_sweep_fill_all, LB_FX8, LB_FX16, .axes = {ALL}},
    {"fx8_to_sa8", "fx8 to sa8: all 256 inputs for 8 scales with 8 zero points, every difference of frac_bits where results are not all alike (-34 to 28) and 8 far beyond",
     MIXED_ROWS * LB_SWEEP_8, fill_mixed, LB_FX8, LB_SA8, .axes = {NEAR}},
    {"fx8_to_sa32", "fx8 to sa32: the same, differences -50 to 30",
     MIXED_ROWS * LB_SWEEP_8, fill_mixed, LB_FX8, LB_SA32, .axes = {WIDE}},
    {"fx16_to_fx8", "fx16 to fx8: all 65,536 inputs, differences of frac_bits -34 to 28 and 8 far beyond",
     LB_SWEEP_16, lb_sweep_fill_all, LB_FX16, LB_FX8, .axes = {NEAR}},
    {"fx16_to_fx16", "fx16 to fx16: the same",
     LB_SWEEP_16, lb_sweep_fill_all, LB_FX16, LB_FX16, .axes = {NEAR}},
    {"fx16_to_sa8", "fx16 to sa8: the same at 2 scales and zero points",
     LB_SWEEP_16, lb_sweep_fill_all, LB_FX16, LB_SA8, .axes = {NEAR, TARGET({1, -128}, {21845, 127})}},
    {"fx16_to_sa32", "fx16 to sa32: the same, differences -50 to 30",
     LB_SWEEP_16, lb_sweep_fill_all, LB_FX16, LB_SA32, .axes = {WIDE, TARGET({1, -32768}, {21845, 32767})}},
    {"sa8_to_fx8", "sa8 to fx8: all 256 inputs for 8 scales with 8 zero points, differences -34 to 28 and 8 far beyond",
     MIXED_ROWS * LB_SWEEP_8, fill_mixed, LB_SA8, LB_FX8, .axes = {NEAR}},
    {"sa8_to_fx16", "sa8 to fx16: the same",
     MIXED_ROWS * LB_SWEEP_8, fill_mixed, LB_SA8, LB_FX16, .axes = {NEAR}},
    {"sa8_to_sa8", "sa8 to sa8: all 256 inputs for 8 pairs of scales with 16 of zero points, differences -34 to 28 and 8 far beyond",
     PAIR_ROWS / 2 * LB_SWEEP_8, fill_sa_to_sa, LB_SA8, LB_SA8, .axes = {NEAR}},
    {"sa8_to_sa32", "sa8 to sa32: the same, differences -50 to 30",
     PAIR_ROWS / 2 * LB_SWEEP_8, fill_sa_to_sa, LB_SA8, LB_SA32, .axes = {WIDE}},
    {"zero_points", "sa8 to sa8: every zero point on both sides, differences -32 to 32 in steps of 4",
     PAIR_ROWS * LB_SWEEP_8, fill_zero_points, LB_SA8, LB_SA8, .axes = {FEW}},
    {"per_tensor", "sa8 to sa8 quantized per tensor: 8 pairs of scales, 4 of zero points, differences -32 to 32 in steps of 4",
     LB_SWEEP_8, lb_sweep_fill_all, LB_SA8, LB_SA8, .axes = {FEW, SCALE_PAIRS, ZERO_PAIRS}},
    {0},
};

const lb_sweep_row lb_sweep_conversions[] = {
    {convert, LB_PATTERN_CONVERSION, .function = "mli_hlp_convert_tensor"},
    {convert + TO_FP32, LB_PATTERN_CONVERSION, .function = "mli_hlp_convert_tensor_safx"},
    {0},
};
/* clang-format on */
