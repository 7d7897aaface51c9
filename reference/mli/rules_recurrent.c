/* What the LSTM and the GRU cell check, in their order. Spec: recurrent.md 7 (Status), 8; steps in
 * brackets below. Step 1, the capacity of the tables, always passes: whoever makes the call makes
 * them. The first rows and the last ones stand for what the spec leaves undefined. */
#include "describe/rules.h"
#include "models.h"

enum {
    IN = LB_ROLE_IN,
    PREV_OUT = LB_ROLE_PREV_OUT,
    WEIGHTS_IN = LB_ROLE_WEIGHTS_IN,
    WEIGHTS_OUT = LB_ROLE_WEIGHTS_OUT,
    BIAS = LB_ROLE_BIAS,
    CELL = LB_ROLE_CELL,
    OUT = LB_ROLE_OUT
};

enum { RESULTS_ALL = 1 };

/* Bytes of `rows` rows of hidden state, in the element type of in. 2^31 * 2^31 * 4 fits. */
static uint64_t row_bytes(const lb_call *call, uint64_t rows)
{
    return rows * call->tensor[PREV_OUT]->shape[0] * lb_element_bytes(call->tensor[IN]->el_type);
}

/* The buffer holds all result rows. QUIRK: bad_tensor, not not_enough_mem. */
static lb_status check_out_room(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    uint64_t rows = call->config.results == RESULTS_ALL ? call->tensor[IN]->shape[0] : 1;
    return call->tensor[OUT]->data.capacity_bytes >= row_bytes(call, rows) ? LB_OK : LB_BAD_TENSOR;
}

/* a: number of gates, each with a row of scratch. */
static lb_status check_scratch(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    bool fits =
        call->config.scratch && call->config.scratch_bytes >= row_bytes(call, (uint64_t)rule->a);
    return fits ? LB_OK : LB_BAD_FUNC_CFG;
}

static lb_status check_scratch_apart(const lb_context *context, const lb_call *call,
                                     const lb_rule *rule)
{
    (void)context;
    (void)rule;
    lb_container scratch = {.capacity_bytes = call->config.scratch_bytes,
                            .mem = {.ptr = call->config.scratch}};
    return lb_is_apart(&call->tensor[IN]->data, &scratch) ? LB_OK : LB_INCOMPATIBLE_TENSORS;
}

/* weights_in, weights_out and bias: all per tensor, or all per gate. */
static lb_status check_gate_axes(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    (void)context;
    (void)rule;
    int32_t in = call->tensor[WEIGHTS_IN]->sa.dim;
    int32_t out = call->tensor[WEIGHTS_OUT]->sa.dim;
    int32_t bias = call->tensor[BIAS]->sa.dim;
    bool fits = (in < 0 && out < 0 && bias < 0) || (in == 0 && out == 0 && bias == 0);
    return fits ? LB_OK : LB_INCOMPATIBLE_TENSORS;
}

/* The output's quantization is not checked by the function, but it computes with it. */
lb_status lb_check_cell_out_quant(const lb_context *context, const lb_call *call,
                                  const lb_rule *rule)
{
    (void)context;
    (void)rule;
    const lb_tensor *out = call->tensor[OUT];
    if (!lb_is_sa(out->el_type))
        return LB_OK;
    return out->sa.dim >= 0 ? LB_INCOMPATIBLE_TENSORS : lb_chkq(out, -128, 127);
}

/* clang-format off */

#define IS_N(role, dim) LB_SAME_EXTENT(role, dim, IN, 1)
#define IS_M(role, dim) LB_SAME_EXTENT(role, dim, PREV_OUT, 0)

/* Undefined: numbers that are none of the enumerations. The GRU looks at no activation. */
#define FROM_0_TO(member, n) \
    LB_THAT(LB_AT_MOST, LB_X(-1, LB_FIELD(member, LB_FIELD_I32))), LB_THAT(LB_AT_MOST, LB_X(1, LB_FIELD(member, LB_FIELD_I32)), LB_N(-(n)))
#define GRU_WORDS FROM_0_TO(direction, 1), FROM_0_TO(results, RESULTS_ALL)
#define LSTM_WORDS GRU_WORDS, FROM_0_TO(act, 2)

#define TENSORS(gates, words)                                                    \
    {"cfg.given",          LB_CONFIG_DEFINED},    \
    {"cfg.words",          words},    \
    {"in.tensor",          LB_IN_C(lb_check_tensor, IN, 0, 0)},       /* [2] */ \
    {"prev_out.tensor",    LB_IN_C(lb_check_tensor, PREV_OUT, 0, 0)},        \
    {"in.rank",            LB_RANK_IS(IN, 2)},              \
    {"prev_out.rank",      LB_RANK_IS(PREV_OUT, 1)},        \
    {"in.contiguous",      LB_DENSE(IN)},              \
    {"prev_out.inner_stride", LB_INNER_STRIDE_1(PREV_OUT)},     \
    {"weights_in.tensor",  LB_IN_C(lb_check_tensor, WEIGHTS_IN, 0, 0)}, /* [3] */ \
    {"weights_out.tensor", LB_IN_C(lb_check_tensor, WEIGHTS_OUT, 0, 0)},     \
    {"weights_in.rank",    LB_RANK_IS(WEIGHTS_IN, 3)},      \
    {"weights_out.rank",   LB_RANK_IS(WEIGHTS_OUT, 3)},     \
    {"weights_in.gates",   LB_EXTENT_IS(WEIGHTS_IN, 0, gates)},                \
    {"weights_in.rows_equal_in", IS_N(WEIGHTS_IN, 1)},               \
    {"weights_in.columns_equal_prev_out", IS_M(WEIGHTS_IN, 2)},      \
    {"weights_out.gates",  LB_EXTENT_IS(WEIGHTS_OUT, 0, gates)},               \
    {"weights_out.rows_equal_prev_out", IS_M(WEIGHTS_OUT, 1)},       \
    {"weights_out.columns_equal_prev_out", IS_M(WEIGHTS_OUT, 2)},    \
    {"weights_in.inner_stride", LB_INNER_STRIDE_1(WEIGHTS_IN)}, \
    {"weights_out.inner_stride", LB_INNER_STRIDE_1(WEIGHTS_OUT)}, \
    {"bias.tensor",        LB_IN_C(lb_check_tensor, BIAS, 0, 0)},     /* [4] */ \
    {"bias.rank",          LB_RANK_IS(BIAS, 2)},            \
    {"bias.gates",         LB_EXTENT_IS(BIAS, 0, gates)},                      \
    {"bias.columns_equal_prev_out", IS_M(BIAS, 1)}

#define CELL_TENSOR                                                       \
    {"cell.tensor",        LB_IN_C(lb_check_tensor, CELL, 0, 0)},     /* [5] */ \
    {"cell.rank",          LB_RANK_IS(CELL, 1)},            \
    {"cell.length_equals_prev_out", IS_M(CELL, 0)}

#define OUT_AND_SCRATCH(gates)                                            \
    {"out.tensor",         LB_IN_C(lb_check_tensor, OUT, 0, 0)},      /* [6] */ \
    {"out.type_equals_in", LB_SAME_TYPE(OUT, IN, LB_TYPE_MISMATCH)}, \
    {"out.room",           LB_IN_C(check_out_room, 0, 0, 0)},               \
    {"cfg.scratch",        LB_IN_C(check_scratch, gates, 0, 0)}     /* [7] */

#define STRIDES                                                           \
    {"bias.inner_stride",  LB_INNER_STRIDE_1(BIAS)},     /* [8] */ \
    {"out.contiguous",     LB_DENSE(OUT)},             \
    {"cfg.scratch_apart_from_in", LB_IN_C(check_scratch_apart, 0, 0, 0)},   /* [9] */ \
    {"in.type",            LB_TYPE_OF_VARIANT(IN)},       /* [10] */ \
    {"prev_out.type",      LB_TYPE_OF_VARIANT(PREV_OUT)},        \
    {"weights_in.type",    LB_TYPE_OF_VARIANT(WEIGHTS_IN)},      \
    {"weights_out.type",   LB_TYPE_OF_VARIANT(WEIGHTS_OUT)},     \
    {"bias.type",          LB_TYPE_OF_VARIANT(BIAS)}

#define CELL_STRIDE {"cell.inner_stride", LB_INNER_STRIDE_1(CELL)}
#define CELL_TYPE   {"cell.type",         LB_TYPE_OF_VARIANT(CELL)}

#define FRAC_BITS   {"bias.frac_bits",    LB_FRAC_BITS_WITHIN(IN, WEIGHTS_IN, BIAS)} /* [11] */

#define PER_TENSOR                                                        \
    {"in.per_tensor",       LB_PER_TENSOR(IN)},        /* [11] */ \
    {"prev_out.per_tensor", LB_PER_TENSOR(PREV_OUT)}

#define CELL_PER_TENSOR {"cell.per_tensor", LB_PER_TENSOR(CELL)}

#define INPUT_QUANT                                                       \
    {"weights.axes",      LB_IN_C(check_gate_axes, 0, 0, 0)},                      \
    {"in.quant",          LB_IN_C(lb_check_quant, IN, -128, 127)},                \
    {"prev_out.quant",    LB_IN_C(lb_check_quant, PREV_OUT, -128, 127)}

#define CELL_QUANT {"cell.quant", LB_IN_C(lb_check_quant, CELL, -128, 127)}

#define WEIGHTS_QUANT                                                     \
    {"weights_in.quant",  LB_IN_C(lb_check_quant, WEIGHTS_IN, 0, 0)},             \
    {"weights_out.quant", LB_IN_C(lb_check_quant, WEIGHTS_OUT, 0, 0)},            \
    {"bias.quant",        LB_IN_C(lb_check_quant, BIAS, 0, 0)},                   \
    LB_BIAS_SCALE(WEIGHTS_IN)

#define GUARDS                                                            \
    {"out.rank",          LB_RANK_NOT_0(OUT)},                 \
    {"out.quant",         LB_IN_C(lb_check_cell_out_quant, 0, 0, LB_UNDEFINED)},        \
    LB_PARAMETERS,                                                        \
    {"out.place",         LB_IN_C(lb_check_cell_place, 0, 0, LB_UNDEFINED)}

const lb_rule lb_rules_lstm_fx[] = {
    TENSORS(4, LB_ASKS(LB_UNDEFINED, LSTM_WORDS)), CELL_TENSOR, OUT_AND_SCRATCH(4), CELL_STRIDE, STRIDES, CELL_TYPE, FRAC_BITS, GUARDS, LB_RULES_END,
};

const lb_rule lb_rules_lstm_sa8[] = {
    TENSORS(4, LB_ASKS(LB_UNDEFINED, LSTM_WORDS)), CELL_TENSOR, OUT_AND_SCRATCH(4), CELL_STRIDE, STRIDES, CELL_TYPE,
    PER_TENSOR, CELL_PER_TENSOR, INPUT_QUANT, CELL_QUANT, WEIGHTS_QUANT, GUARDS, LB_RULES_END,
};

const lb_rule lb_rules_gru_fx[] = {
    TENSORS(3, LB_ASKS(LB_UNDEFINED, GRU_WORDS)), OUT_AND_SCRATCH(3), STRIDES, FRAC_BITS, GUARDS, LB_RULES_END,
};

const lb_rule lb_rules_gru_sa8[] = {
    TENSORS(3, LB_ASKS(LB_UNDEFINED, GRU_WORDS)), OUT_AND_SCRATCH(3), STRIDES, PER_TENSOR, INPUT_QUANT, WEIGHTS_QUANT, GUARDS, LB_RULES_END,
};

/* clang-format on */
