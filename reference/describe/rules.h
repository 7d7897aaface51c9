/* The status checker: what lists of rules are made of. Spec: numerics.md 2, 9; conv.md 11;
 * elementwise.md 2; recurrent.md 2; pooling_and_movement.md 1.3.
 *
 * A list is data: an array of lb_rule in the order of the spec, ended by LB_RULES_END. Most rows
 * are conditions over leaves (describe/check.h), written with the macros below; the others name a
 * check function in C, which reads the rule's a, b, c as its comment says. A role that is NULL
 * never brings a check down: it gives LB_BAD_TENSOR, also where the spec calls a NULL pointer
 * undefined. Rules on plain roles look at the first tensor; functions with lists of tensors
 * (rnn_dense) have checks of their own, made from the conditions at the end of this file. */
#ifndef LB_REFERENCE_RULES_H
#define LB_REFERENCE_RULES_H

#include "check.h"

/* clang-format off */

#define LB_RULES_END {.check = NULL}

/* ---- Rows as data: {"name", ROW} ---- */

/* Leaves. */
#define LB_EXTENT_OF(role_, d) {.kind = LB_LEAF_EXTENT, .by = LB_BY_FIELD, .role = (role_), .dim = (d)}
#define LB_STRIDE_OF(role_, d) {.kind = LB_LEAF_STRIDE, .by = LB_BY_FIELD, .role = (role_), .dim = (d)}
#define LB_EXTENT_BY(by_, role_) {.kind = LB_LEAF_EXTENT, .by = LB_BY_##by_, .role = (role_)}
#define LB_STRIDE_BY(by_, role_) {.kind = LB_LEAF_STRIDE, .by = LB_BY_##by_, .role = (role_)}
#define LB_OF_TENSOR(kind_, role_) {.kind = LB_LEAF_##kind_, .role = (role_)}
#define LB_NUMBER_OF(n) {.kind = LB_LEAF_NUMBER, .at = (n)}
#define LB_OF_FUNCTION(kind_) {.kind = LB_LEAF_##kind_}
#define LB_FIELD(member, type_) {.kind = LB_LEAF_CONFIG, .type = (type_), .at = offsetof(lb_config, member)}
#define LB_EACH_FIELD(member, type_) \
    {.kind = LB_LEAF_CONFIG, .by = LB_BY_EACH, .type = (type_), .at = offsetof(lb_config, member)}

/* Products: a number, times a leaf, times two. */
#define LB_N(n) {(n), {{0}}}
#define LB_X(n, leaf_) {(n), {leaf_}}
#define LB_XY(n, leaf_, other_) {(n), {leaf_, other_}}

/* Conditions: of sums, once or for each dimension of a role. */
#define LB_THAT(relation_, ...) {.is = (relation_), .term = {__VA_ARGS__}}
#define LB_THAT_EACH(role_, relation_, ...) {.is = (relation_), .each = LB_OF_TENSOR(RANK, role_), .term = {__VA_ARGS__}}

/* A row: the status where a condition does not hold (LB_UNDEFINED: the API promises nothing there),
 * and the conditions. */
#define LB_ASKS(status_, ...) lb_check_ask, 0, 0, (status_), (const lb_condition[]){__VA_ARGS__, {.is = LB_NO_CONDITION}}
/* A row whose check is a function, with its a, b and c. */
#define LB_IN_C(function_, a_, b_, c_) (function_), (a_), (b_), (c_), NULL

/* The tensor is not NULL; the configuration is not. */
#define LB_PRESENT(role_, status_) LB_ASKS(status_, LB_THAT(LB_UNLIKE, LB_X(1, LB_OF_TENSOR(GIVEN, role_))))
#define LB_THAT_CONFIG_GIVEN LB_THAT(LB_UNLIKE, LB_X(1, LB_OF_FUNCTION(CONFIG_GIVEN)))
#define LB_CONFIG_PRESENT LB_ASKS(LB_BAD_FUNC_CFG, LB_THAT_CONFIG_GIVEN)
#define LB_CONFIG_DEFINED LB_ASKS(LB_UNDEFINED, LB_THAT_CONFIG_GIVEN)
/* cfg.axis is below the rank of the role (below 0: it is); it is -1 or more (elementwise.md 12). */
#define LB_AXIS_BELOW_RANK(role_) \
    LB_ASKS(LB_BAD_FUNC_CFG, LB_THAT_CONFIG_GIVEN, LB_THAT(LB_AT_MOST, LB_X(1, LB_FIELD(axis, LB_FIELD_I32)), LB_N(1), LB_X(-1, LB_OF_TENSOR(RANK, role_))))
#define LB_AXIS_FROM_MINUS_1 LB_ASKS(LB_UNDEFINED, LB_THAT(LB_AT_MOST, LB_X(-1, LB_FIELD(axis, LB_FIELD_I32)), LB_N(-1)))

/* Element types: of two roles; this one; that of the function's variant. */
#define LB_SAME_TYPE(role_, other_, status_) \
    LB_ASKS(status_, LB_THAT(LB_EQUAL, LB_X(1, LB_OF_TENSOR(TYPE, role_)), LB_X(-1, LB_OF_TENSOR(TYPE, other_))))
#define LB_TYPE_IS(role_, type_) LB_ASKS(LB_TYPE_MISMATCH, LB_THAT(LB_EQUAL, LB_X(1, LB_OF_TENSOR(TYPE, role_)), LB_N(-(type_))))
#define LB_TYPE_OF_VARIANT(role_) \
    LB_ASKS(LB_TYPE_MISMATCH, LB_THAT(LB_EQUAL, LB_X(1, LB_OF_TENSOR(TYPE, role_)), LB_X(-1, LB_OF_TENSOR(ASKED_TYPE, role_))))

/* Shapes. */
#define LB_SAME_SHAPE(role_, other_) \
    LB_ASKS(LB_SHAPE_MISMATCH, \
            LB_THAT(LB_EQUAL, LB_X(1, LB_OF_TENSOR(RANK, role_)), LB_X(-1, LB_OF_TENSOR(RANK, other_))), \
            LB_THAT_EACH(role_, LB_EQUAL, LB_X(1, LB_EXTENT_BY(EACH, role_)), LB_X(-1, LB_EXTENT_BY(EACH, other_))))
#define LB_RANK_IS(role_, n) LB_ASKS(LB_SHAPE_MISMATCH, LB_THAT(LB_EQUAL, LB_X(1, LB_OF_TENSOR(RANK, role_)), LB_N(-(n))))
#define LB_EXTENT_IS(role_, d, n) LB_ASKS(LB_SHAPE_MISMATCH, LB_THAT(LB_EQUAL, LB_X(1, LB_EXTENT_OF(role_, d)), LB_N(-(n))))
#define LB_SAME_EXTENT(role_, d, other_, e) \
    LB_ASKS(LB_SHAPE_MISMATCH, LB_THAT(LB_EQUAL, LB_X(1, LB_EXTENT_OF(role_, d)), LB_X(-1, LB_EXTENT_OF(other_, e))))
#define LB_COUNT_IS_EXTENT(role_, other_, d) \
    LB_ASKS(LB_SHAPE_MISMATCH, LB_THAT(LB_EQUAL, LB_X(1, LB_OF_TENSOR(COUNT, role_)), LB_X(-1, LB_EXTENT_OF(other_, d))))
/* The first two extents are the kernel size that the function is made for. */
#define LB_KERNEL_SIZE_IS(role_, status_) \
    LB_ASKS(status_, LB_THAT(LB_EQUAL, LB_X(1, LB_EXTENT_OF(role_, 0)), LB_X(-1, LB_OF_FUNCTION(KERNEL_SIZE))), \
            LB_THAT(LB_EQUAL, LB_X(1, LB_EXTENT_OF(role_, 1)), LB_X(-1, LB_OF_FUNCTION(KERNEL_SIZE))))
/* Rank is not 0. Stands last in lists of functions for which rank 0 is undefined, since a rank-0
 * tensor holds its value where the others hold a pointer: no model should compute with it. */
#define LB_RANK_NOT_0(role_) LB_ASKS(LB_UNDEFINED, LB_THAT(LB_UNLIKE, LB_X(1, LB_OF_TENSOR(RANK, role_))))

/* Strides: the innermost is 1, of rank 0 too; all are dense, those of dimensions of size 1 too. */
#define LB_INNER_STRIDE_1(role_) \
    LB_ASKS(LB_INCOMPATIBLE_TENSORS, LB_THAT(LB_EQUAL, LB_X(1, LB_STRIDE_BY(INNERMOST, role_)), LB_N(-1)))
#define LB_DENSE(role_) \
    LB_ASKS(LB_INCOMPATIBLE_TENSORS, \
            LB_THAT_EACH(role_, LB_EQUAL, LB_X(1, LB_STRIDE_BY(EACH, role_)), \
                         LB_XY(-1, LB_EXTENT_BY(NEXT, role_), LB_STRIDE_BY(NEXT, role_))))

/* Formats: per tensor, if it has an axis at all; frac_bits of the third are no more than those of
 * the others together (numerics.md 5.6), whatever the types are: the out of an fx function may still
 * be sa here (conv.md 11, step C). */
#define LB_PER_TENSOR(role_) LB_ASKS(LB_INCOMPATIBLE_TENSORS, LB_THAT(LB_AT_MOST, LB_X(1, LB_OF_TENSOR(AXIS, role_)), LB_N(1)))
#define LB_FRAC_BITS_WITHIN(in_, weights_, role_) \
    LB_ASKS(LB_INCOMPATIBLE_TENSORS, LB_THAT(LB_AT_MOST, LB_X(1, LB_OF_TENSOR(FRAC_BITS, role_)), \
                                             LB_X(-1, LB_OF_TENSOR(FRAC_BITS, in_)), LB_X(-1, LB_OF_TENSOR(FRAC_BITS, weights_))))

/* clang-format on */

/* ---- Check functions in C ---- */

/* a: role. The tensor check chk(t) (numerics.md 2): LB_BAD_TENSOR or LB_NOT_ENOUGH_MEM. */
lb_status lb_check_tensor(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a: role. VS(t) (elementwise.md 2): rank 0 with int16 zero points, or chk(t) and one element
 * (LB_SHAPE_MISMATCH). */
lb_status lb_check_scalar(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a: role. As lb_check_scalar for a scalar, else as lb_check_tensor (operands of eltwise). */
lb_status lb_check_operand(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a: role; b, c: lowest and highest zero point. The quantization check chkq (numerics.md 2):
 * LB_BAD_TENSOR or LB_INCOMPATIBLE_TENSORS. Passes what is not sa. */
lb_status lb_check_quant(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* The same with fixed ranges: the output of a cell (its input's ranges), and the input and the
 * weights of pair number a of rnn_dense. */
lb_status lb_check_cell_out_quant(const lb_context *context, const lb_call *call,
                                  const lb_rule *rule);
lb_status lb_check_pair_in_quant(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule);
lb_status lb_check_pair_weights_quant(const lb_context *context, const lb_call *call,
                                      const lb_rule *rule);

/* a, b: roles. The containers [pointer, pointer + capacity) do not meet, full addresses:
 * LB_INCOMPATIBLE_TENSORS. */
lb_status lb_check_apart(const lb_context *context, const lb_call *call, const lb_rule *rule);
lb_status lb_check_pair_apart(const lb_context *context, const lb_call *call, const lb_rule *rule);
lb_status lb_check_float4_apart(const lb_context *context, const lb_call *call,
                                const lb_rule *rule);

/* a: weights role; b: bias role; c: axis of the weights. Both per tensor, or weights per this axis
 * and bias per axis 0: LB_INCOMPATIBLE_TENSORS (conv.md 11, Q4). */
lb_status lb_check_channel_axes(const lb_context *context, const lb_call *call,
                                const lb_rule *rule);
/* a: input role; b: weights role; c: bias role. Bias scale = in scale * weights scale in every
 * channel: LB_INCOMPATIBLE_TENSORS (numerics.md 5.6). */
lb_status lb_check_bias_scale(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a, b: roles; c: status. Equal frac_bits (fx) or equal dim, scale, zero point and scale_frac_bits
 * (sa). */
lb_status lb_check_same_quant(const lb_context *context, const lb_call *call, const lb_rule *rule);

/* What the API leaves undefined: rows with c = LB_UNDEFINED (rules_undefined.c). */

/* The parameters of all tensors were set for the element types that they have. */
lb_status lb_check_parameters(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a: input role; b: weights role. The scale that lb_check_bias_scale compares that of the bias with
 * fits 32 bits (numerics.md 5.6). */
lb_status lb_check_bias_width(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a: roles, as bits, on which out may lie, element on element. It meets no other memory that is
 * read. */
lb_status lb_check_place(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* Of LSTM and GRU: out may begin where prev_out does; nothing else that is written meets what is
 * read or written (recurrent.md 6). */
lb_status lb_check_cell_place(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a, b: roles. No buffer of no bytes lies in the other: whether they meet is not said. */
lb_status lb_check_ranges(const lb_context *context, const lb_call *call, const lb_rule *rule);

/* ---- Rows that many lists have ---- */

/* clang-format off */

#define LB_BIT_OF(role) (1 << (role))
#define LB_GIVEN_ROLE(name, role) {name ".given", LB_PRESENT(role, LB_UNDEFINED)}
/* The last rows of every list: what no check looks at. */
#define LB_PARAMETERS {"tensors.parameters", LB_IN_C(lb_check_parameters, 0, 0, LB_UNDEFINED)}
#define LB_PLACE(roles) {"out.place", LB_IN_C(lb_check_place, roles, 0, LB_UNDEFINED)}
/* Functions that make one tensor of one of its shape (elementwise.md 2, recurrent.md 4). */
#define LB_UNARY \
    {"in.tensor", LB_IN_C(lb_check_tensor, LB_ROLE_IN, 0, 0)}, \
    {"out.tensor", LB_IN_C(lb_check_tensor, LB_ROLE_OUT, 0, 0)}, \
    {"out.type_equals_in", LB_SAME_TYPE(LB_ROLE_OUT, LB_ROLE_IN, LB_TYPE_MISMATCH)}, \
    {"out.shape_equals_in", LB_SAME_SHAPE(LB_ROLE_IN, LB_ROLE_OUT)}, \
    {"in.inner_stride", LB_INNER_STRIDE_1(LB_ROLE_IN)}, \
    {"out.inner_stride", LB_INNER_STRIDE_1(LB_ROLE_OUT)}, \
    {"in.type", LB_TYPE_OF_VARIANT(LB_ROLE_IN)}
/* ... of asymmetric containers. */
#define LB_UNARY_QUANT \
    {"in.quant", LB_IN_C(lb_check_quant, LB_ROLE_IN, INT8_MIN, INT8_MAX)}, \
    {"in.per_tensor", LB_PER_TENSOR(LB_ROLE_IN)}
/* ... at the end: rank 0 is undefined, and what no check looks at. */
#define LB_UNARY_LAST \
    {"in.rank", LB_RANK_NOT_0(LB_ROLE_IN)}, LB_PARAMETERS, LB_PLACE(LB_BIT_OF(LB_ROLE_IN))

/* in and out keep apart. */
#define LB_APART \
    {"out.range", LB_IN_C(lb_check_ranges, LB_ROLE_IN, LB_ROLE_OUT, LB_UNDEFINED)}, \
    {"out.apart_from_in", LB_IN_C(lb_check_apart, LB_ROLE_IN, LB_ROLE_OUT, 0)}
/* Q6, and what has to hold before. */
#define LB_BIAS_SCALE(weights) \
    {"bias.scale_width", LB_IN_C(lb_check_bias_width, LB_ROLE_IN, weights, LB_UNDEFINED)}, \
    {"bias.scale", LB_IN_C(lb_check_bias_scale, LB_ROLE_IN, weights, LB_ROLE_BIAS)}

/* clang-format on */

/* ---- The conditions themselves, for checks that a family writes for itself ---- */

/* What a check gives where the API does not say what comes of it. */
lb_status lb_unsaid_status(lb_unsaid why);
/* Elements from the first to the last one, gaps included; dimensions and strides above 0. */
uint64_t lb_span_elements(const lb_tensor *t);
/* The tensor of a role (of a list: the first), or NULL. */
const lb_tensor *lb_role_tensor(const lb_call *call, int role);
/* The same in a check, which it leaves with LB_BAD_TENSOR where the role is NULL. */
#define LB_FETCH(tensor, role)                                                                     \
    const lb_tensor *tensor = lb_role_tensor(call, role);                                          \
    if (!(tensor))                                                                                 \
        return LB_BAD_TENSOR;                                                                      \
    (void)context
/* chk(t) and chkq(t) of numerics.md 2; t may be NULL in the first. */
lb_status lb_chk(const lb_tensor *t);
lb_status lb_chkq(const lb_tensor *t, int32_t zero_point_low, int32_t zero_point_high);
/* Rank 0, or one element (elementwise.md 2). */
bool lb_is_scalar(const lb_tensor *t);
bool lb_has_same_shape(const lb_tensor *a, const lb_tensor *b);
/* Equal type and quantization; per axis: the same lists. */
bool lb_has_same_quant(const lb_tensor *a, const lb_tensor *b);
bool lb_has_inner_stride_1(const lb_tensor *t); /* rank 0: yes */
bool lb_is_contiguous(const lb_tensor *t);      /* rank 0: yes */
/* The buffers do not meet; a NULL pointer meets nothing. */
bool lb_is_apart(const lb_container *a, const lb_container *b);

#endif
