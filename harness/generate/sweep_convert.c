/* Domains of the conversions from 8 and 16 bits. Spec: numerics.md 5.1, 7. Where one side is sa8 or
 * sa32 it is quantized per axis, a row of all inputs to each set of its parameters, so that one
 * call holds many sets. */
#include "harness/generate/sweep_block.h"

enum { MIXED_ROWS = 64, PAIR_ROWS = 256 };

static const int scales_8[] = {1, 2, 3, 16384, 16385, 21845, 23170, 32767};
static const int scale_pairs[][2] = {{1, 1},         {16384, 16384}, {16385, 32767}, {32767, 16385},
                                     {21845, 20001}, {1, 32767},     {32767, 1},     {3, 7}};
static const int zero_points_8[] = {-128, -127, -1, 0, 1, 64, 126, 127};
static const int zero_points_32[] = {-32768, -129, -1, 0, 1, 128, 255, 32767};
static const int end_zero_points[] = {-128, -1, 0, 127};

/* ---- Building ---- */

/* The parameters that one row of the source and one of the target have beside frac_bits. */
typedef struct row {
    int in_scale, in_zero_point, out_scale, out_zero_point;
} row;

static void set_row(lb_case_tensor *t, size_t i, int scale, int frac, int zero_point)
{
    t->scale[i] = (int16_t)scale;
    t->scale_frac_bits[i] = (int8_t)frac;
    t->zero_point[i] = (int16_t)zero_point;
}

/* `rows` times all inputs of 8 bits; row_of may be NULL where no side is sa. */
static void fill_rows(lb_sweep_call *call, uint32_t rows,
                      row (*row_of)(lb_el_type from, lb_el_type to, size_t i), int in_frac,
                      int out_frac)
{
    const uint32_t shape[] = {rows, LB_SWEEP_8};
    lb_el_type from = call->block->from, to = call->block->to;
    lb_case_tensor *in = lb_sweep_input(call, LB_ROLE_IN, from, 2, shape, call->inputs->fast_8);
    lb_case_tensor *out = lb_sweep_output(call, to, 2, shape);
    if (lb_is_fx(from))
        lb_build_fx(in, in_frac);
    if (lb_is_fx(to))
        lb_build_fx(out, out_frac);
    if (lb_is_sa(from))
        lb_build_sa_axis(&call->build, in, 0);
    if (lb_is_sa(to))
        lb_build_sa_axis(&call->build, out, 0);
    for (size_t i = 0; row_of && i < rows; i++) {
        row r = row_of(from, to, i);
        if (lb_is_sa(from))
            set_row(in, i, r.in_scale, in_frac, r.in_zero_point);
        if (lb_is_sa(to))
            set_row(out, i, r.out_scale, out_frac, r.out_zero_point);
    }
}

static row single_side(lb_el_type from, lb_el_type to, size_t i)
{
    const int *targets = to == LB_SA32 ? zero_points_32 : zero_points_8;
    (void)from;
    return (row){scales_8[i / 8], zero_points_8[i % 8], scales_8[i / 8], targets[i % 8]};
}

static row both_sides(lb_el_type from, lb_el_type to, size_t i)
{
    const int *pair = scale_pairs[i / 16 % 8];
    (void)from;
    int target = to == LB_SA32 ? zero_points_32[i % 4 * 2] : end_zero_points[i % 4];
    return (row){pair[0], end_zero_points[i / 4 % 4], pair[1], target};
}

static row every_zero_point(lb_el_type from, lb_el_type to, size_t i)
{
    const int *pair = scale_pairs[i % 8];
    (void)from;
    (void)to;
    return (row){pair[0], (int)i - 128, pair[1], 127 - (int)i};
}

/* n = in_frac_bits, out_frac_bits; the latter missing for fp32 */
static void fill_fx_to_fx(lb_sweep_call *call)
{
    const uint32_t shape[] = {(uint32_t)call->block->inputs};
    lb_el_type from = call->block->from;
    int32_t *data = from == LB_FX16 ? call->inputs->all_16 : call->inputs->all_8;
    lb_case_tensor *in = lb_sweep_input(call, LB_ROLE_IN, from, 1, shape, data);
    lb_case_tensor *out = lb_sweep_output(call, call->block->to, 1, shape);
    lb_build_fx(in, call->numbers[0]);
    if (lb_is_fx(call->block->to))
        lb_build_fx(out, call->numbers[1]);
}

static void fill_mixed(lb_sweep_call *call)
{
    fill_rows(call, MIXED_ROWS, single_side, call->numbers[0],
              call->block->to == LB_FP32 ? 0 : call->numbers[1]);
}

static void fill_sa_to_sa(lb_sweep_call *call)
{
    fill_rows(call, PAIR_ROWS / 2, both_sides, call->numbers[0], call->numbers[1]);
}

static void fill_zero_points(lb_sweep_call *call)
{
    fill_rows(call, PAIR_ROWS, every_zero_point, call->numbers[0], call->numbers[1]);
}

/* Per tensor. n = in_frac_bits, out_frac_bits, scale and zero point of out */
static void fill_fx16_to_sa(lb_sweep_call *call)
{
    const int *n = call->numbers;
    const uint32_t shape[] = {LB_SWEEP_16};
    lb_build_fx(lb_sweep_input(call, LB_ROLE_IN, LB_FX16, 1, shape, call->inputs->all_16), n[0]);
    lb_build_sa(&call->build, lb_sweep_output(call, call->block->to, 1, shape), n[2], n[1], n[3]);
}

/* Per tensor. n = in_frac_bits, out_frac_bits, scale of in and out, zero point of in and out */
static void fill_sa_per_tensor(lb_sweep_call *call)
{
    const int *n = call->numbers;
    const uint32_t shape[] = {LB_SWEEP_8};
    lb_case_tensor *in = lb_sweep_input(call, LB_ROLE_IN, LB_SA8, 1, shape, call->inputs->all_8);
    lb_build_sa(&call->build, in, n[2], n[0], n[4]);
    lb_build_sa(&call->build, lb_sweep_output(call, call->block->to, 1, shape), n[3], n[1], n[5]);
}

/* ---- Axes ---- */

/* The shift is in_frac_bits - out_frac_bits + 14 or so for equal scales, and up to 15 more or less
 * for lopsided ones (numerics.md 5.1). What 255 * 32767 becomes vanishes from a difference of 24
 * on; 1 / 32767 saturates 8 bits up to -23, 16 bits up to -31, and sa32 up to -47. */
enum {
    ALL_COUNT = 511, /* differences that there are */
    NEAR_LOW = -34,
    NEAR_HIGH = 28,
    WIDE_LOW = -50, /* to sa32 more is lost only further left */
    WIDE_HIGH = 30,
    FEW_STEP = 4
};

static const int far_differences[] = {-255, -128, -127, -80, 80, 127, 128, 255};

static void make_all(size_t point, int *numbers)
{
    lb_sweep_split((int)point - 255, &numbers[0], &numbers[1]);
}

static void range_or_far(int low, int high, size_t point, int *numbers)
{
    size_t count = (size_t)(high - low) + 1;
    lb_sweep_split(point < count ? low + (int)point : far_differences[point - count], &numbers[0],
                   &numbers[1]);
}

static void make_near(size_t point, int *numbers)
{
    range_or_far(NEAR_LOW, NEAR_HIGH, point, numbers);
}

static void make_wide(size_t point, int *numbers)
{
    range_or_far(WIDE_LOW, WIDE_HIGH, point, numbers);
}

static void make_few(size_t point, int *numbers)
{
    lb_sweep_split(-32 + FEW_STEP * (int)point, &numbers[0], &numbers[1]);
}

#define FRACS "in_frac_bits", "out_frac_bits"
#define ALL   LB_SWEEP_MADE(ALL_COUNT, make_all, FRACS)
#define NEAR                                                                                       \
    LB_SWEEP_MADE(NEAR_HIGH - NEAR_LOW + 1 + LB_SWEEP_LENGTH(far_differences), make_near, FRACS)
#define WIDE                                                                                       \
    LB_SWEEP_MADE(WIDE_HIGH - WIDE_LOW + 1 + LB_SWEEP_LENGTH(far_differences), make_wide, FRACS)
#define FEW LB_SWEEP_MADE(17, make_few, FRACS)

static const int sa8_targets[][2] = {{1, -128}, {21845, 127}};
static const int sa32_targets[][2] = {{1, -32768}, {21845, 32767}};
static const int zero_point_pairs[][2] = {{-128, 127}, {0, 0}, {127, -128}, {-3, 5}};

#define TARGET(LIST) LB_SWEEP_TUPLES(LIST, "out_scale", "out_zero_point")
#define SCALE_PAIRS  LB_SWEEP_TUPLES(scale_pairs, "in_scale", "out_scale")
#define ZERO_PAIRS   LB_SWEEP_TUPLES(zero_point_pairs, "in_zero_point", "out_zero_point")

/* ---- The table ---- */

#define BLOCK(LABEL, FROM, TO, INPUTS, FILL, WORDS, ...)                                           \
    {                                                                                              \
        .label = LABEL, .words = WORDS, .inputs = INPUTS, .fill = FILL, .from = FROM, .to = TO,    \
        .axes = {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* What both functions convert. */
#define INTEGER_BLOCKS                                                                             \
    BLOCK("fx8_to_fx8", LB_FX8, LB_FX8, LB_SWEEP_8, fill_fx_to_fx,                                 \
          "fx8 to fx8: all 256 inputs at every difference of frac_bits (numerics.md 7)", ALL),     \
        BLOCK("fx8_to_fx16", LB_FX8, LB_FX16, LB_SWEEP_8, fill_fx_to_fx, "fx8 to fx16: the same",  \
              ALL),                                                                                \
        BLOCK("fx8_to_sa8", LB_FX8, LB_SA8, MIXED_ROWS *LB_SWEEP_8, fill_mixed,                    \
              "fx8 to sa8: all 256 inputs for 8 scales with 8 zero points, every difference of "   \
              "frac_bits where results "                                                           \
              "are not all alike (-34 to 28) and 8 far beyond",                                    \
              NEAR),                                                                               \
        BLOCK("fx8_to_sa32", LB_FX8, LB_SA32, MIXED_ROWS *LB_SWEEP_8, fill_mixed,                  \
              "fx8 to sa32: the same, differences -50 to 30", WIDE),                               \
        BLOCK(                                                                                     \
            "fx16_to_fx8", LB_FX16, LB_FX8, LB_SWEEP_16, fill_fx_to_fx,                            \
            "fx16 to fx8: all 65,536 inputs, differences of frac_bits -34 to 28 and 8 far beyond", \
            NEAR),                                                                                 \
        BLOCK("fx16_to_fx16", LB_FX16, LB_FX16, LB_SWEEP_16, fill_fx_to_fx,                        \
              "fx16 to fx16: the same", NEAR),                                                     \
        BLOCK("fx16_to_sa8", LB_FX16, LB_SA8, LB_SWEEP_16, fill_fx16_to_sa,                        \
              "fx16 to sa8: the same at 2 scales and zero points", NEAR, TARGET(sa8_targets)),     \
        BLOCK("fx16_to_sa32", LB_FX16, LB_SA32, LB_SWEEP_16, fill_fx16_to_sa,                      \
              "fx16 to sa32: the same, differences -50 to 30", WIDE, TARGET(sa32_targets)),        \
        BLOCK("sa8_to_fx8", LB_SA8, LB_FX8, MIXED_ROWS *LB_SWEEP_8, fill_mixed,                    \
              "sa8 to fx8: all 256 inputs for 8 scales with 8 zero points, differences -34 to 28 " \
              "and 8 far beyond",                                                                  \
              NEAR),                                                                               \
        BLOCK("sa8_to_fx16", LB_SA8, LB_FX16, MIXED_ROWS *LB_SWEEP_8, fill_mixed,                  \
              "sa8 to fx16: the same", NEAR),                                                      \
        BLOCK("sa8_to_sa8", LB_SA8, LB_SA8, PAIR_ROWS / 2 * LB_SWEEP_8, fill_sa_to_sa,             \
              "sa8 to sa8: all 256 inputs for 8 pairs of scales with 16 of zero points, "          \
              "differences -34 to 28 and 8 "                                                       \
              "far "                                                                               \
              "beyond",                                                                            \
              NEAR),                                                                               \
        BLOCK("sa8_to_sa32", LB_SA8, LB_SA32, PAIR_ROWS / 2 * LB_SWEEP_8, fill_sa_to_sa,           \
              "sa8 to sa32: the same, differences -50 to 30", WIDE),                               \
        BLOCK("zero_points", LB_SA8, LB_SA8, PAIR_ROWS *LB_SWEEP_8, fill_zero_points,              \
              "sa8 to sa8: every zero point on both sides, differences -32 to 32 in steps of 4",   \
              FEW),                                                                                \
        BLOCK("per_tensor", LB_SA8, LB_SA8, LB_SWEEP_8, fill_sa_per_tensor,                        \
              "sa8 to sa8 quantized per tensor: 8 pairs of scales, 4 of zero points, differences " \
              "-32 to 32 in steps "                                                                \
              "of 4",                                                                              \
              FEW, SCALE_PAIRS, ZERO_PAIRS)

static const lb_sweep_block convert_safx[] = {INTEGER_BLOCKS, {0}};

/* To fp32 no result may be beyond the range of binary32, where the spec leaves it open
 * (numerics.md 7.3). */
enum { FX8_FRAC_LOW = -120, FX16_FRAC_LOW = -112, SA8_FRAC_LOW = -104 };

/* clang-format off */
static const lb_sweep_block convert[] = {
    INTEGER_BLOCKS,
    BLOCK("fx8_to_fp32", LB_FX8, LB_FP32, LB_SWEEP_8, fill_fx_to_fx,
          "fx8 to fp32: all 256 inputs at every frac_bits whose results are finite",
          LB_SWEEP_RANGE("frac_bits", FX8_FRAC_LOW, 127)),
    BLOCK("fx16_to_fp32", LB_FX16, LB_FP32, LB_SWEEP_16, fill_fx_to_fx,
          "fx16 to fp32: the same, all 65,536 inputs",
          LB_SWEEP_RANGE("frac_bits", FX16_FRAC_LOW, 127)),
    BLOCK("sa8_to_fp32", LB_SA8, LB_FP32, MIXED_ROWS *LB_SWEEP_8, fill_mixed,
          "sa8 to fp32: the same, for 8 scales with 8 zero points",
          LB_SWEEP_RANGE("scale_frac_bits", SA8_FRAC_LOW, 127)),
    {0},
};

const lb_sweep_row lb_sweep_conversions[] = {
    {convert, LB_PATTERN_CONVERSION, .function = "mli_hlp_convert_tensor"},
    {convert_safx, LB_PATTERN_CONVERSION, .function = "mli_hlp_convert_tensor_safx"},
    {0},
};
/* clang-format on */
