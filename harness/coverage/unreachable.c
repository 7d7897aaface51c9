/* Coverpoints that no call reaches, each with its reason: what the checks refuse, what the spec
 * leaves undefined, what a case cannot say. Patterns with * and | over the function's name and the
 * point's. A row that fits no point fails a test, and so does a suite that reaches what stands
 * here. */
#include "harness/coverage/coverpoints.h"

#define CONVOLUTIONS "conv2d*|depthwise*|group*|transpose*"
#define WEIGHTED     CONVOLUTIONS "|fully_connected*"
#define CELLS        "lstm*|gru*"
#define TRANSPOSED_2 "transpose*_str2"
#define POOLS        "maxpool*|avepool*"
#define RECURRENT_32                                                                               \
    "rnn_dense_fx16_fx8_fx8|rnn_dense_sa8*|lstm*_fx16_fx8_fx8|lstm*_sa8*|gru*_fx16_fx8_fx8|gru*_"  \
    "sa8*"
#define BITS(n) "value.accumulator.bits." #n
#define BITS_2_TO_14                                                                               \
    BITS(2)                                                                                        \
    "|" BITS(3) "|" BITS(4) "|" BITS(5) "|" BITS(6) "|" BITS(7) "|" BITS(8) "|" BITS(9) "|" BITS(  \
        10) "|" BITS(11) "|" BITS(12) "|" BITS(13) "|" BITS(14)

/* clang-format off */
#define TOO_SMALL(n) "each_reciprocal_too_small.out." #n "|"
/* Averages of 8 bits by a reciprocal that is rounded down: no sum of n elements gives one that lies
 * so little above a half. */
#define NEVER_TOO_SMALL                                                                            \
    TOO_SMALL(3) TOO_SMALL(5) TOO_SMALL(6) TOO_SMALL(7) TOO_SMALL(9) TOO_SMALL(10) TOO_SMALL(11) \
    TOO_SMALL(12) TOO_SMALL(13) TOO_SMALL(14) TOO_SMALL(15) TOO_SMALL(17) TOO_SMALL(18) \
    TOO_SMALL(19) TOO_SMALL(20) TOO_SMALL(21) TOO_SMALL(22) TOO_SMALL(23) TOO_SMALL(24) \
    TOO_SMALL(25) TOO_SMALL(26) TOO_SMALL(27) TOO_SMALL(28) TOO_SMALL(29) TOO_SMALL(30) \
    TOO_SMALL(31) TOO_SMALL(33) TOO_SMALL(34) TOO_SMALL(35) TOO_SMALL(36) TOO_SMALL(37) \
    TOO_SMALL(38) TOO_SMALL(39) TOO_SMALL(40) TOO_SMALL(41) TOO_SMALL(42) TOO_SMALL(43) \
    TOO_SMALL(44) TOO_SMALL(45) TOO_SMALL(46) TOO_SMALL(47) TOO_SMALL(48) TOO_SMALL(49) \
    TOO_SMALL(50) TOO_SMALL(51) TOO_SMALL(52) TOO_SMALL(53) TOO_SMALL(54) TOO_SMALL(55) \
    TOO_SMALL(56) TOO_SMALL(57) TOO_SMALL(58) TOO_SMALL(60) TOO_SMALL(62)
/* clang-format on */

/* Profiles, as sets of bits. */
enum { UP_FULL = 1, UP = 1 | 2, CONVERGENT = 4 | 8, ALL = UP | CONVERGENT };

/* clang-format off */
const lb_cover_exception lb_cover_exceptions[] = {
    /* ---- In some profiles alone ---- */
    {UP, "*", "value.*.tie_down.positive|value.*.tie_down.negative", "rounding up never takes a half down (numerics.md 3)"},
    {CONVERGENT, "*", "value.requantize.half_saturates", "rounding to the even neighbour adds no half (numerics.md 3)"},
    {UP_FULL, "*_sa8_sa8_sa32*", "value.requantize.half_saturates", "the accumulator times the multiplier stays below 2^61: there is room for the half (numerics.md 5.3)"},

    {ALL, "compile_options_string", "*", "it returns a text about the build of the port, which no model can know (api.md 4)"},

    /* ---- Statuses that a case cannot bring about ---- */
    {ALL, CELLS, "status.cfg.scratch_apart_from_in", "a case has no way to lay the scratch memory on a tensor (vectors/FORMAT.md)"},

    /* ---- Statuses that another row gives first ---- */
    {ALL, "eltwise_min*|eltwise_max*", "status.in2.type", "both operands have one type by then: in1's row refuses first (elementwise.md 2)"},
    {ALL, "eltwise_min_sa8|eltwise_max_sa8", "status.in2.per_tensor|status.in2.quant.incompatible_tensors", "both operands are quantized alike by then: in1's row refuses first (elementwise.md 2)"},
    {ALL, "maxpool_hwc_sa8|maxpool_hwc_fx8|maxpool_hwc_fx16|avepool_hwc_sa8|avepool_hwc_fx8|avepool_hwc_fx16", "status.cfg.kernel_size", "only the specializations look at the kernel size (pooling_and_movement.md 2.1)"},

    /* ---- Geometry ---- */
    {ALL, "conv2d*_k1x1", "padding_*.inside|padding_*.largest|padding_*.beyond_kernel|window.*.cut|window.*.no_tap|cross.padding_*|cross.uneven_padding", "a padding is smaller than the kernel, which is 1 (conv.md 11 D4)"},
    {ALL, TRANSPOSED_2, "cross.uneven_strides", "both strides are 2 (conv.md 11 X1)"},
    {ALL, "transpose*", "padding_*.beyond_kernel", "a padding is smaller than the kernel (conv.md 11 D4t)"},
    {ALL, "transpose*", "window.*.no_tap", "the stride is at most the kernel: every output has a tap (conv.md 9)"},
    {ALL, "transpose*", "window.*.out_smaller", "the output is exactly as large as the geometry says (conv.md 11 D4u)"},
    {ALL, TRANSPOSED_2, "window.*.whole", "at stride 2 every second tap meets no input (conv.md 9)"},
    {ALL, POOLS, "padding_*.beyond_kernel", "a padding is smaller than the kernel (pooling_and_movement.md 2.1, 7)"},
    {ALL, "maxpool*_k2x2|maxpool*_k3x3", "long.*_window", "the kernel is 2x2 or 3x3 (pooling_and_movement.md 2.1, 2)"},

    {ALL, "avepool*_k2x2", "each_divisor.out.3|each_reciprocal_*.out.3", "cut at its edges the window has 1, 2 or 4 positions (pooling_and_movement.md 2.2)"},
    {ALL, "avepool*_k3x3", "each_divisor.out.5|each_divisor.out.7|each_divisor.out.8|each_reciprocal_*.out.5|each_reciprocal_*.out.7|each_reciprocal_*.out.8", "cut at its edges the window has 1, 2, 3, 4, 6 or 9 positions (pooling_and_movement.md 2.2)"},
    {ALL, "avepool*_fx8*", NEVER_TOO_SMALL, "of so few 8-bit elements no sum lies so little above a half (pooling_and_movement.md 2.4, 2.5)"},

    /* ---- Layouts ---- */
    {ALL, WEIGHTED "|rnn_dense*", "stride.bias.gaps", "a bias of rank 1 has stride 1 (conv.md 11 D2, E3; recurrent.md 5.5)"},
    {ALL, "fully_connected*", "stride.in.gaps|stride.out.gaps", "in is contiguous, out of rank 1 with stride 1 (conv.md 11 E3)"},
    {ALL, "rnn_dense*", "stride.in.gaps|stride.out.gaps", "inputs and output are contiguous (recurrent.md 5.1)"},
    {ALL, CELLS, "stride.in.gaps|stride.out.gaps", "in and out are contiguous (recurrent.md 6)"},
    {ALL, CELLS, "stride.prev_out.gaps|stride.cell.gaps", "a vector has inner stride 1 (recurrent.md 6)"},
    {ALL, "argmax*", "stride.out.gaps", "the output is dense (elementwise.md 2)"},
    {ALL, "leaky_relu*", "scalar.slope.no", "the slope is a scalar (elementwise.md 2)"},
    {ALL, "*", "stride.slope.gaps", "slopes are read densely, so gaps are undefined (elementwise.md 4, 12)"},

    /* ---- Ranks and types ---- */
    {ALL, "create_subtensor", "type.in.fp32", "fp32 is refused (numerics.md 8.3)"},
    {ALL, "point_to_subtensor", "type.in.fp32", "fp32 is broken there, and undefined (numerics.md 8.4)"},
    {ALL, "convert_tensor_safx", "types.from_fp32.*|types.*.fp32", "fp32 is refused (numerics.md 7.5)"},

    /* ---- Formats ---- */
    {ALL, WEIGHTED "|rnn_dense*", "shift.bias.negative", "the bias has at most the fractional bits of the products (conv.md 11 B, recurrent.md 5.5)"},
    {ALL, "conv2d*_fx16*|depthwise*_fx16*|group*_fx16*|transpose*_fx16*|fully_connected_fx*|rnn_dense_fx*", "shift.out.negative", "the output has at most the fractional bits of the products (conv.md 11 C, recurrent.md 5.5)"},
    {ALL, "lstm*_fx16*|gru*_fx16*", "shift.x.negative", "the intermediate format has at most the fractional bits of the products (recurrent.md 7, 8)"},

    /* ---- Values ---- */
    {ALL, "*_fx16|*_fx16_k*", "value.bias.saturates_*", "the bias is cut to 32 bits before it is added to 64 (a QUIRK of conv.md 3)"},
    {ALL, "*_fx16|*_fx16_k*|l2_normalize*", "value.accumulator.wraps|value.accumulator.comes_back", "64 bits hold 2^33 products: more than a case can have (numerics.md 4.4)"},
    {ALL, "depthwise*_k3x3|depthwise*_k5x5", "value.accumulator.wraps|value.accumulator.comes_back", "9 or 25 products stay inside the accumulator (conv.md 12)"},
    {ALL, RECURRENT_32, "value.accumulator.wraps|value.accumulator.comes_back", "beyond its width the accumulator is undefined here (recurrent.md 5.4)"},
    {ALL, "avepool*|softmax*", "value.accumulator.wraps|value.accumulator.comes_back", "beyond its width the sum is undefined here (pooling_and_movement.md 2.5, 2.6; elementwise.md 12)"},
    {ALL, "avepool*_fx*", BITS_2_TO_14, "every product is a multiple of a reciprocal of 15 bits (pooling_and_movement.md 2.4)"},
    {ALL, "eltwise_mul_sa8|eltwise_min_sa8|eltwise_max_sa8", "value.requantize_in*", "only add and sub scale their operands one by one (elementwise.md 5)"},
    {ALL, "softmax*", BITS(1) "|" BITS(15) "|" BITS_2_TO_14, "the largest element alone gives 32767 (elementwise.md 7)"},
    {ALL, "eltwise_min_fx*|eltwise_max_fx*", "value.requantize.saturates.*", "the shift itself is done in the container's width: nothing is left to saturate (elementwise.md 5)"},
    {ALL, RECURRENT_32, "value.bias.saturates_*", "sums with the bias stay inside the accumulator, else all is undefined (recurrent.md 5.4)"},
    {ALL, "gru*_sa8*", "value.sigm.clamped.high|value.tanh.clamped.high", "the intermediate format ends at 5.25, inside both tables (recurrent.md 3, 8)"},
    {ALL, "softmax_fx8", "value.result.out.lowest|value.result.out.highest", "every output is 0 (a QUIRK of elementwise.md 7)"},
    {ALL, "softmax_fx16", "value.result.out.lowest", "no output is negative (elementwise.md 7)"},
    {ALL, "sigm_fx8|sigm_fx16", "value.result.out.lowest", "the function is not negative (recurrent.md 4)"},
    {ALL, "sigm_fx16", "value.result.out.zero|value.result.out.highest", "the table has 1 .. 32766, and nothing beyond (a QUIRK of recurrent.md 4)"},
    {ALL, "tanh_fx16", "value.result.out.lowest", "the table has -32767 .. 32767 (recurrent.md 3)"},
};
/* clang-format on */

const size_t lb_cover_exception_count = sizeof lb_cover_exceptions / sizeof lb_cover_exceptions[0];
