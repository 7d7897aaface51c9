/* The status checker: conditions that functions check, as a library from which each family's list
 * of rules is made. Spec: numerics.md 2, 9; conv.md 11; elementwise.md 2; recurrent.md 2;
 * pooling_and_movement.md 1.3.
 *
 * A list is data: an array of lb_rule in the order of the spec, ended by LB_RULES_END. Every check
 * function reads the rule's a, b, c as its comment says. A role that is NULL never brings a check
 * down: it gives LB_BAD_TENSOR, also where the spec calls a NULL pointer undefined. Rules on plain
 * roles look at the first tensor; functions with lists of tensors (rnn_dense) have checks of their
 * own, made from the conditions at the end of this file. */
#ifndef LB_REFERENCE_RULES_H
#define LB_REFERENCE_RULES_H

#include "kernels.h"

/* A dimension of a role as one number, for rules about shapes. */
#define LB_DIM(role, dim) ((role)*LB_MAX_RANK + (dim))
#define LB_RULES_END                                                                               \
    {                                                                                              \
        .check = NULL                                                                              \
    }

/* ---- Check functions ---- */

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

/* The configuration is not NULL: LB_BAD_FUNC_CFG. */
lb_status lb_check_config(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a: role. cfg.axis < rank (negative: passes): LB_BAD_FUNC_CFG, for a NULL configuration too. */
lb_status lb_check_axis(const lb_context *context, const lb_call *call, const lb_rule *rule);

/* a, b: roles; c: status. Equal element types. */
lb_status lb_check_same_type(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a: role; b: element type. LB_TYPE_MISMATCH. */
lb_status lb_check_type(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a: role. The element type is that of the function's variant: its weights_type for weights,
 * bias_type for the bias, in_type for all others. LB_TYPE_MISMATCH. */
lb_status lb_check_variant_type(const lb_context *context, const lb_call *call,
                                const lb_rule *rule);

/* a, b: roles. Same rank and shape: LB_SHAPE_MISMATCH. */
lb_status lb_check_same_shape(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a: role; b: rank. LB_SHAPE_MISMATCH. */
lb_status lb_check_rank(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a: LB_DIM; b: value; c: status. A dimension has this size. */
lb_status lb_check_dim(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a, b: LB_DIM. Two dimensions are equal: LB_SHAPE_MISMATCH. */
lb_status lb_check_dims_equal(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a: role; b: LB_DIM. The number of elements of a is that dimension: LB_SHAPE_MISMATCH. */
lb_status lb_check_count_is_dim(const lb_context *context, const lb_call *call,
                                const lb_rule *rule);
/* a: role; c: status. shape[0] and shape[1] are the function's kernel_size. */
lb_status lb_check_kernel_size(const lb_context *context, const lb_call *call, const lb_rule *rule);

/* a: role. Rank 0 or innermost stride 1: LB_INCOMPATIBLE_TENSORS. */
lb_status lb_check_inner_stride(const lb_context *context, const lb_call *call,
                                const lb_rule *rule);
/* a: role. All strides dense, of dimensions of size 1 too: LB_INCOMPATIBLE_TENSORS. */
lb_status lb_check_contiguous(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a, b: roles. The containers [pointer, pointer + capacity) do not meet, full addresses:
 * LB_INCOMPATIBLE_TENSORS. */
lb_status lb_check_apart(const lb_context *context, const lb_call *call, const lb_rule *rule);
lb_status lb_check_pair_apart(const lb_context *context, const lb_call *call, const lb_rule *rule);
lb_status lb_check_float4_apart(const lb_context *context, const lb_call *call,
                                const lb_rule *rule);

/* a: role. Per-tensor quantization (sa.dim < 0) if it is sa: LB_INCOMPATIBLE_TENSORS. */
lb_status lb_check_per_tensor(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a: weights role; b: bias role; c: axis of the weights. Both per tensor, or weights per this axis
 * and bias per axis 0: LB_INCOMPATIBLE_TENSORS (conv.md 11, Q4). */
lb_status lb_check_channel_axes(const lb_context *context, const lb_call *call,
                                const lb_rule *rule);
/* a: input role; b: weights role; c: bias role. Bias scale = in scale * weights scale in every
 * channel: LB_INCOMPATIBLE_TENSORS (numerics.md 5.6). */
lb_status lb_check_bias_scale(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a: input role; b: weights role; c: role. frac_bits of c <= those of a + b:
 * LB_INCOMPATIBLE_TENSORS (numerics.md 5.6). */
lb_status lb_check_frac_bits(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* a, b: roles; c: status. Equal frac_bits (fx) or equal dim, scale, zero point and scale_frac_bits
 * (sa). */
lb_status lb_check_same_quant(const lb_context *context, const lb_call *call, const lb_rule *rule);

/* a: role. Rank is not 0: LB_NOT_SUPPORTED. Stands last in lists of functions for which rank 0 is
 * undefined, since a rank-0 tensor holds its value where the others hold a pointer: no model should
 * compute with it. */
lb_status lb_check_not_rank0(const lb_context *context, const lb_call *call, const lb_rule *rule);

/* ---- What the API leaves undefined: rows with c = LB_UNDEFINED (rules_undefined.c) ---- */

/* a: role. The tensor is not NULL, where the function looks at it before it checks. */
lb_status lb_check_given(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* The configuration is not NULL, likewise. */
lb_status lb_check_config_given(const lb_context *context, const lb_call *call,
                                const lb_rule *rule);
/* The parameters of all tensors were set for the element types that they have. */
lb_status lb_check_parameters(const lb_context *context, const lb_call *call, const lb_rule *rule);
/* cfg.axis is -1 or more (elementwise.md 12). */
lb_status lb_check_axis_from_minus_1(const lb_context *context, const lb_call *call,
                                     const lb_rule *rule);
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

#define LB_BIT_OF(role) (1 << (role))
#define LB_GIVEN_ROLE(name, role)                                                                  \
    {                                                                                              \
        name ".given", lb_check_given, role, 0, LB_UNDEFINED                                       \
    }
/* The last rows of every list: what no check looks at. */
#define LB_PARAMETERS                                                                              \
    {                                                                                              \
        "tensors.parameters", lb_check_parameters, 0, 0, LB_UNDEFINED                              \
    }
#define LB_PLACE(roles)                                                                            \
    {                                                                                              \
        "out.place", lb_check_place, roles, 0, LB_UNDEFINED                                        \
    }
/* Functions that make one tensor of one of its shape (elementwise.md 2, recurrent.md 4). */
#define LB_UNARY                                                                                   \
    {"in.tensor", lb_check_tensor, LB_ROLE_IN, 0, 0},                                              \
        {"out.tensor", lb_check_tensor, LB_ROLE_OUT, 0, 0},                                        \
        {"out.type_equals_in", lb_check_same_type, LB_ROLE_OUT, LB_ROLE_IN, LB_TYPE_MISMATCH},     \
        {"out.shape_equals_in", lb_check_same_shape, LB_ROLE_IN, LB_ROLE_OUT, 0},                  \
        {"in.inner_stride", lb_check_inner_stride, LB_ROLE_IN, 0, 0},                              \
        {"out.inner_stride", lb_check_inner_stride, LB_ROLE_OUT, 0, 0},                            \
    {                                                                                              \
        "in.type", lb_check_variant_type, LB_ROLE_IN, 0, 0                                         \
    }
/* ... of asymmetric containers. */
#define LB_UNARY_QUANT                                                                             \
    {"in.quant", lb_check_quant, LB_ROLE_IN, INT8_MIN, INT8_MAX},                                  \
    {                                                                                              \
        "in.per_tensor", lb_check_per_tensor, LB_ROLE_IN, 0, 0                                     \
    }
/* ... at the end: rank 0 is undefined, and what no check looks at. */
#define LB_UNARY_LAST                                                                              \
    {"in.rank", lb_check_not_rank0, LB_ROLE_IN, 0, LB_UNDEFINED}, LB_PARAMETERS,                   \
        LB_PLACE(LB_BIT_OF(LB_ROLE_IN))

/* in and out keep apart. */
#define LB_APART                                                                                   \
    {"out.range", lb_check_ranges, LB_ROLE_IN, LB_ROLE_OUT, LB_UNDEFINED},                         \
    {                                                                                              \
        "out.apart_from_in", lb_check_apart, LB_ROLE_IN, LB_ROLE_OUT, 0                            \
    }
/* Q6, and what has to hold before. */
#define LB_BIAS_SCALE(weights)                                                                     \
    {"bias.scale_width", lb_check_bias_width, LB_ROLE_IN, weights, LB_UNDEFINED},                  \
    {                                                                                              \
        "bias.scale", lb_check_bias_scale, LB_ROLE_IN, weights, LB_ROLE_BIAS                       \
    }

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
