/* Where CMSIS-NN is known to differ from the kernels of LiteRT: the list of litert.24, D1 to D11.
 * Conditions and names are those of the specification. */
#include "known.h"

#include "core/num.h"
#include "fields.h"

static int64_t field(const lb_call *call, lb_lite_field number)
{
    return lb_lite_field_of(call, number);
}

#define F(name) field(call, LB_LITE_##name)

static int64_t size(const lb_call *call, lb_role role, unsigned dim)
{
    return call->tensor[role]->shape[dim];
}

#define IN(dim)      size(call, LB_ROLE_IN, dim)
#define WEIGHTS(dim) size(call, LB_ROLE_WEIGHTS, dim)
#define OUT(dim)     size(call, LB_ROLE_OUT, dim)

enum { N, H, W, C }; /* dimensions of an image */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- D1 to D4: transpose_conv ---- */

/* The wrapper takes another way, a reversed convolution, which has none of these. */
static bool is_reversed(const lb_call *call)
{
    return IN(C) > 16 && F(stride_height) <= 2 && F(stride_width) <= 2;
}

static bool padding_splits_a_stride(const lb_call *call)
{
    return !is_reversed(call) && F(padding_top) % F(stride_height) != 0;
}

static bool has_rows_too_few(const lb_call *call)
{
    return !is_reversed(call) && IN(H) * F(stride_height) - F(padding_top) > OUT(H);
}

/* The last rows are never written; where too many rows are made as well, they may be. */
static int64_t last_row_is_kept(const lb_call *call, const uint32_t *index, int64_t right,
                                int64_t before, bool *known)
{
    (void)right;
    *known = index[H] + 1 == OUT(H) && !has_rows_too_few(call);
    return before;
}

static int64_t reached(const lb_call *call, unsigned dim, int64_t stride, int64_t padding)
{
    return IN(dim) * stride - padding + larger(0, WEIGHTS(dim) - stride);
}

static bool is_of_bias_alone(const lb_call *call, const uint32_t *index)
{
    return index[H] >= reached(call, H, F(stride_height), F(padding_top)) ||
           index[W] >= reached(call, W, F(stride_width), F(padding_left));
}

static bool has_bias_alone(const lb_call *call)
{
    const uint32_t last[LB_MAX_RANK] = {0, call->tensor[LB_ROLE_OUT]->shape[H] - 1,
                                        call->tensor[LB_ROLE_OUT]->shape[W] - 1, 0};
    return !is_reversed(call) && is_of_bias_alone(call, last);
}

static bool has_steps_wider_than_high(const lb_call *call)
{
    return !is_reversed(call) && F(stride_width) > WEIGHTS(W) && F(stride_width) > F(stride_height);
}

/* ---- D5: offsets of int16 ---- */

static const lb_lite_field offsets[] = {LB_LITE_input_offset, LB_LITE_weights_offset,
                                        LB_LITE_output_offset, LB_LITE_input1_offset,
                                        LB_LITE_input2_offset};
enum { OFFSETS = sizeof offsets / sizeof offsets[0] };

static bool has_offsets(const lb_call *call)
{
    for (int i = 0; i < OFFSETS; i++)
        if (field(call, offsets[i]) != 0)
            return true;
    return false;
}

static void without_offsets(lb_call *call)
{
    for (int i = 0; i < OFFSETS; i++)
        call->config.of_litert[offsets[i]] = 0;
}

/* ---- D6 to D8: steps ---- */

static bool is_wide(const lb_call *call)
{
    return F(accumulator_bits) != 32;
}

static int64_t sum_of_32_bits(const lb_num_step *step)
{
    return step->operation == LB_STEP_MAC ? lb_wrap(step->result, 32) : step->result;
}

/* Rounded half a bit late: what is cut off first leaves 32 bits, one of which goes. */
static int64_t scaled_by_way_of_32_bits(const lb_num_step *step)
{
    if (step->site != LB_SITE_LITE_SCALED_64_ROUNDED_UP)
        return step->result;
    int64_t doubled = lb_asr(step->operand[0].v, (int)step->operand[1].v - 1, 64);
    return lb_asr(lb_wrap(lb_wrap(doubled, 32) + 1, 32), 1, 64);
}

static int64_t not_limited(const lb_num_step *step)
{
    return step->site == LB_SITE_LITE_AT_MOST_32767 ? lb_wrap(step->operand[0].v, 16)
                                                    : step->result;
}

/* ---- D9: groups ---- */

static bool has_groups(const lb_call *call)
{
    return IN(C) != WEIGHTS(C);
}

/* ---- D10: windows without elements ---- */

static bool is_beside(int64_t at, int64_t stride, int64_t padding, int64_t window, int64_t extent)
{
    int64_t first = at * stride - padding;
    return first + window <= 0 || first >= extent;
}

static bool has_no_elements(const lb_call *call, const uint32_t *index)
{
    return is_beside(index[H], F(stride_height), F(padding_top), F(filter_height), IN(H)) ||
           is_beside(index[W], F(stride_width), F(padding_left), F(filter_width), IN(W));
}

static int64_t kept_within_limits(const lb_call *call, const uint32_t *index, int64_t right,
                                  int64_t before, bool *known)
{
    (void)index, (void)right;
    *known = true;
    int64_t raised = larger(before, F(activation_min));
    return raised > F(activation_max) ? F(activation_max) : raised;
}

/* ---- D11: the middle column of a window of 3x3 ---- */

static bool begins_in_the_last_column(const lb_call *call, const uint32_t *index)
{
    return index[W] * F(stride_width) - F(padding_left) >= IN(W) - 1;
}

static bool is_3x3_over_the_edge(const lb_call *call)
{
    const uint32_t last[LB_MAX_RANK] = {0, 0, call->tensor[LB_ROLE_OUT]->shape[W] - 1, 0};
    return WEIGHTS(H) == 3 && WEIGHTS(W) == 3 && F(depth_multiplier) == 1 && IN(N) == 1 &&
           F(dilation_height) == 1 && F(dilation_width) == 1 && F(padding_top) <= 1 &&
           F(padding_left) <= 1 && begins_in_the_last_column(call, last);
}

/* ---- The list ---- */

#define OF_CMSIS_NN(name_, says)                                                                   \
    .name = name_, .library = "CMSIS-NN", .section = "litert.24", .sentence = says
#define TRANSPOSE_CONV .function = {"litert_transpose_conv_s8"}

/* clang-format off */
const lb_known_difference lb_lite_known_differences[] = {
    {OF_CMSIS_NN("D1", "lets rows out of the rolling buffer too late where padding_top is no multiple of stride_height"),
     TRANSPOSE_CONV, .shows = LB_KNOWN_NUMBERS, .applies = padding_splits_a_stride, .leaves = last_row_is_kept},
    {OF_CMSIS_NN("D2", "writes rows beyond the output where the input makes more of them"),
     TRANSPOSE_CONV, .shows = LB_KNOWN_OUTSIDE, .applies = has_rows_too_few},
    {OF_CMSIS_NN("D3", "does not make rows and columns that come from the bias alone"),
     TRANSPOSE_CONV, .shows = LB_KNOWN_NUMBERS | LB_KNOWN_OUTSIDE, .applies = has_bias_alone, .reaches = is_of_bias_alone},
    {OF_CMSIS_NN("D4", "asks for a buffer that is too small: stride_height stands in its size for stride_width"),
     TRANSPOSE_CONV, .shows = LB_KNOWN_OUTSIDE, .applies = has_steps_wider_than_high},
    {OF_CMSIS_NN("D5", "ignores the offsets of int16"),
     .function = {"litert_add_s16", "litert_fully_connected_s16"}, .shows = LB_KNOWN_EXACT, .applies = has_offsets, .takes = without_offsets},
    {OF_CMSIS_NN("D6", "adds products in 32 bits, which wrap"),
     .function = {"litert_conv_2d_s16"}, .shows = LB_KNOWN_EXACT, .applies = is_wide, .step = sum_of_32_bits},
    {OF_CMSIS_NN("D7", "scales 64-bit sums by way of 32 bits: results of 2^30 and more wrap"),
     .function = {"litert_conv_2d_s16", "litert_depthwise_conv_2d_s16", "litert_fully_connected_s16"}, .shows = LB_KNOWN_EXACT,
     .step = scaled_by_way_of_32_bits},
    {OF_CMSIS_NN("D8", "does not limit the result to 32767: probability 1 becomes -32768"),
     .function = {"litert_softmax_s16"}, .shows = LB_KNOWN_EXACT, .step = not_limited},
    {OF_CMSIS_NN("D9", "has no groups in convolutions of int16, and does not refuse them"),
     .function = {"litert_conv_2d_s16"}, .shows = LB_KNOWN_NUMBERS | LB_KNOWN_OUTSIDE, .applies = has_groups},
    {OF_CMSIS_NN("D10", "leaves the output as it was, within the limits, where a window has no elements"),
     .function = {"litert_max_pool_2d_s8", "litert_max_pool_2d_s16"}, .shows = LB_KNOWN_EXACT, .reaches = has_no_elements,
     .leaves = kept_within_limits},
    {OF_CMSIS_NN("D11", "reads the middle column of a 3x3 window that begins in the last column of the input"),
     .function = {"litert_depthwise_conv_2d_s8"}, .shows = LB_KNOWN_NUMBERS | LB_KNOWN_OUTSIDE, .applies = is_3x3_over_the_edge,
     .reaches = begins_in_the_last_column},
    {.name = NULL},
};
/* clang-format on */
