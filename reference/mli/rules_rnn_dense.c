/* What rnn_dense checks, in its order. Spec: recurrent.md 5.5. Rows about an input stand for one of
 * the up to four pairs (in, weights): row->a is the pair's number, and a pair beyond inputs_num
 * passes. The last rows refuse what is undefined. */
#include "describe/rules.h"
#include "models.h"

enum {
    IN = LB_ROLE_IN,
    WEIGHTS = LB_ROLE_WEIGHTS,
    BIAS = LB_ROLE_BIAS,
    OUT = LB_ROLE_OUT,
    MAX_PAIRS = 4
};

static bool is_used(const lb_call *call, int pair)
{
    return pair < call->config.inputs_num;
}

/* A tensor of a list; NULL where the case gives fewer than inputs_num. */
static const lb_tensor *listed(const lb_call *call, int role, int pair)
{
    bool here = call->tensor[role] && (unsigned)pair < call->list_count[role];
    return here ? &call->tensor[role][pair] : NULL;
}

/* For checks of one pair: leaves where the pair is not used, or not there. */
#define PAIR(in_, weights_)                                                                        \
    const lb_tensor *in_ = listed(call, IN, rule->a);                                              \
    const lb_tensor *weights_ = listed(call, WEIGHTS, rule->a);                                    \
    (void)context;                                                                                 \
    if (!is_used(call, rule->a))                                                                   \
        return LB_OK;                                                                              \
    if (!(in_) || !(weights_))                                                                     \
        return LB_BAD_TENSOR;

static lb_status unless(bool condition, lb_status status)
{
    return condition ? LB_OK : status;
}

/* Undefined: arrays of tensors that are not there, or shorter than the call says. */
static lb_status check_inputs_given(const lb_context *context, const lb_call *call,
                                    const lb_rule *rule)
{
    (void)context;
    (void)rule;
    unsigned pairs = call->config.inputs_num;
    bool given = call->tensor[IN] && call->tensor[WEIGHTS] && call->list_count[IN] >= pairs &&
                 call->list_count[WEIGHTS] >= pairs;
    return unless(given, LB_BAD_TENSOR);
}

static lb_status check_in(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    return is_used(call, rule->a) ? lb_chk(listed(call, IN, rule->a)) : LB_OK;
}

static lb_status check_weights(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    return is_used(call, rule->a) ? lb_chk(listed(call, WEIGHTS, rule->a)) : LB_OK;
}

static lb_status check_pair_shape(const lb_context *context, const lb_call *call,
                                  const lb_rule *rule)
{
    PAIR(in, weights)
    bool fits = weights->rank == 2 && lb_element_count(in) == weights->shape[0] &&
                weights->shape[1] == call->tensor[WEIGHTS][0].shape[1];
    return unless(fits, LB_SHAPE_MISMATCH);
}

static lb_status check_pair_strides(const lb_context *context, const lb_call *call,
                                    const lb_rule *rule)
{
    PAIR(in, weights)
    return unless(lb_is_contiguous(in) && lb_has_inner_stride_1(weights), LB_INCOMPATIBLE_TENSORS);
}

lb_status lb_check_pair_apart(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    PAIR(in, weights)
    const lb_tensor *out = lb_role_tensor(call, OUT);
    if (!out)
        return LB_BAD_TENSOR; /* undefined: a row before this one */
    return unless(lb_is_apart(&in->data, &out->data), LB_INCOMPATIBLE_TENSORS);
}

/* Undefined: a buffer of no bytes in another (lb_check_ranges). */
static lb_status check_pair_range(const lb_context *context, const lb_call *call,
                                  const lb_rule *rule)
{
    PAIR(in, weights)
    lb_call pair = {
        .tensor = {[LB_ROLE_IN] = call->tensor[IN] + rule->a, [LB_ROLE_OUT] = call->tensor[OUT]}};
    return lb_check_ranges(context, &pair, &(lb_rule){.a = LB_ROLE_IN, .b = LB_ROLE_OUT});
}

static lb_status check_pair_types(const lb_context *context, const lb_call *call,
                                  const lb_rule *rule)
{
    PAIR(in, weights)
    bool fits =
        in->el_type == call->kernel->in_type && weights->el_type == call->kernel->weights_type;
    return unless(fits, LB_TYPE_MISMATCH);
}

/* fx: the format of out is not finer than that of the products. */
static lb_status check_pair_frac_bits(const lb_context *context, const lb_call *call,
                                      const lb_rule *rule)
{
    PAIR(in, weights)
    return unless(call->tensor[OUT]->frac_bits <= in->frac_bits + weights->frac_bits,
                  LB_INCOMPATIBLE_TENSORS);
}

lb_status lb_check_pair_in_quant(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    PAIR(in, weights)
    return lb_chkq(in, -128, 127);
}

lb_status lb_check_pair_weights_quant(const lb_context *context, const lb_call *call,
                                      const lb_rule *rule)
{
    PAIR(in, weights)
    return lb_chkq(weights, 0, 0);
}

static lb_status check_pair_per_tensor(const lb_context *context, const lb_call *call,
                                       const lb_rule *rule)
{
    PAIR(in, weights)
    return unless(in->sa.dim < 0 && weights->sa.dim < 0,
                  LB_INCOMPATIBLE_TENSORS); /* checked above */
}

static lb_status check_pair_rank(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    PAIR(in, weights)
    return unless(in->rank != 0, LB_NOT_SUPPORTED);
}

/* clang-format off */

#define INPUTS LB_FIELD(inputs_num, LB_FIELD_U8)
#define INPUTS_NUM \
    LB_ASKS(LB_BAD_FUNC_CFG, LB_THAT(LB_UNLIKE, LB_X(1, INPUTS)), LB_THAT(LB_AT_MOST, LB_X(1, INPUTS), LB_N(-MAX_PAIRS)))

/* Undefined: inputs without a buffer, and what no check looks at. */
#define LAST                                                   \
    {"in0.rank", LB_IN_C(check_pair_rank, 0, 0, LB_UNDEFINED)},          \
    {"in1.rank", LB_IN_C(check_pair_rank, 1, 0, LB_UNDEFINED)},          \
    {"in2.rank", LB_IN_C(check_pair_rank, 2, 0, LB_UNDEFINED)},          \
    {"in3.rank", LB_IN_C(check_pair_rank, 3, 0, LB_UNDEFINED)},          \
    LB_PARAMETERS, LB_PLACE(0), LB_RULES_END

#define FOR_PAIRS(what, check)     \
    {"in0." what, LB_IN_C(check, 0, 0, 0)}, \
    {"in1." what, LB_IN_C(check, 1, 0, 0)}, \
    {"in2." what, LB_IN_C(check, 2, 0, 0)}, \
    {"in3." what, LB_IN_C(check, 3, 0, 0)}

/* step 2 */
#define PAIR_LAYOUT(in, weights, j)                          \
    {in ".tensor",                  LB_IN_C(check_in, j, 0, 0)}, \
    {weights ".tensor",             LB_IN_C(check_weights, j, 0, 0)}, \
    {weights ".shape",              LB_IN_C(check_pair_shape, j, 0, 0)}, \
    {in ".strides",                 LB_IN_C(check_pair_strides, j, 0, 0)}, \
    {in ".out_given",               LB_PRESENT(OUT, LB_UNDEFINED)}, \
    {in ".range",                   LB_IN_C(check_pair_range, j, 0, LB_UNDEFINED)}, \
    {in ".apart_from_out",          LB_IN_C(lb_check_pair_apart, j, 0, 0)}

/* step 5, sa8 */
#define PAIR_QUANT(in, weights, j)                                    \
    {in ".quant",      LB_IN_C(lb_check_pair_in_quant, j, 0, 0)},            \
    {weights ".quant", LB_IN_C(lb_check_pair_weights_quant, j, 0, 0)}

/* steps 1 to 4 */
#define COMMON                                                                               \
    {"cfg.present",    LB_CONFIG_PRESENT},                                           \
    {"cfg.inputs_num", INPUTS_NUM},                                           \
    {"cfg.inputs_given", LB_IN_C(check_inputs_given, 0, 0, LB_UNDEFINED)},                            \
    PAIR_LAYOUT("in0", "weights0", 0),                                                       \
    PAIR_LAYOUT("in1", "weights1", 1),                                                       \
    PAIR_LAYOUT("in2", "weights2", 2),                                                       \
    PAIR_LAYOUT("in3", "weights3", 3),                                                       \
    {"bias.tensor",    LB_IN_C(lb_check_tensor, BIAS, 0, 0)},                                     \
    {"bias.rank",      LB_RANK_IS(BIAS, 1)},                                     \
    {"bias.length_equals_channels", LB_SAME_EXTENT(BIAS, 0, WEIGHTS, 1)}, \
    {"out.tensor",     LB_IN_C(lb_check_tensor, OUT, 0, 0)},                                      \
    {"out.rank",       LB_RANK_IS(OUT, 1)},                                      \
    {"out.length_equals_channels", LB_SAME_EXTENT(OUT, 0, BIAS, 0)}, \
    {"out.type_equals_in", LB_SAME_TYPE(OUT, IN, LB_TYPE_MISMATCH)},                   \
    {"bias.inner_stride", LB_INNER_STRIDE_1(BIAS)},                                \
    {"out.contiguous", LB_DENSE(OUT)},                                      \
    FOR_PAIRS("types", check_pair_types),                                                    \
    {"bias.type",      LB_TYPE_OF_VARIANT(BIAS)}

const lb_rule lb_rules_rnn_dense_fx[] = {
    COMMON,
    FOR_PAIRS("out_frac_bits", check_pair_frac_bits),
    {"bias.frac_bits", LB_FRAC_BITS_WITHIN(IN, WEIGHTS, BIAS)},
    LAST,
};

const lb_rule lb_rules_rnn_dense_sa8[] = {
    COMMON,
    PAIR_QUANT("in0", "weights0", 0),
    PAIR_QUANT("in1", "weights1", 1),
    PAIR_QUANT("in2", "weights2", 2),
    PAIR_QUANT("in3", "weights3", 3),
    {"out.quant",       LB_IN_C(lb_check_quant, OUT, -128, 127)},
    {"bias.quant",      LB_IN_C(lb_check_quant, BIAS, 0, 0)},
    FOR_PAIRS("per_tensor", check_pair_per_tensor),
    {"out.per_tensor",  LB_PER_TENSOR(OUT)},
    {"bias.per_tensor", LB_PER_TENSOR(BIAS)},
    LB_BIAS_SCALE(WEIGHTS),
    LAST,
};

/* clang-format on */
