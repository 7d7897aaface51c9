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

/* Undefined: numbers that are none of the enumerations. The GRU looks at no activation. */
static lb_status check_words(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    const lb_config *cfg = &call->config;
    bool known = cfg->direction >= 0 && cfg->direction <= 1 && cfg->results >= 0 &&
                 cfg->results <= RESULTS_ALL &&
                 (call->kernel->family == LB_FAMILY_GRU || (cfg->act >= 0 && cfg->act <= 2));
    return known ? LB_OK : LB_BAD_FUNC_CFG;
}

/* clang-format off */

#define IS_SIZE(role, dim, size) lb_check_dim,        LB_DIM(role, dim), size, LB_SHAPE_MISMATCH
#define IS_DIM(role, dim, other) lb_check_dims_equal, LB_DIM(role, dim), other, 0
#define N LB_DIM(IN, 1)
#define M LB_DIM(PREV_OUT, 0)

#define TENSORS(gates)                                                    \
    {"cfg.given",          lb_check_config_given, 0, 0, LB_UNDEFINED},    \
    {"cfg.words",          check_words,           0, 0, LB_UNDEFINED},    \
    {"in.tensor",          lb_check_tensor,       IN, 0, 0},       /* [2] */ \
    {"prev_out.tensor",    lb_check_tensor,       PREV_OUT, 0, 0},        \
    {"in.rank",            lb_check_rank,         IN, 2, 0},              \
    {"prev_out.rank",      lb_check_rank,         PREV_OUT, 1, 0},        \
    {"in.contiguous",      lb_check_contiguous,   IN, 0, 0},              \
    {"prev_out.inner_stride", lb_check_inner_stride, PREV_OUT, 0, 0},     \
    {"weights_in.tensor",  lb_check_tensor,       WEIGHTS_IN, 0, 0}, /* [3] */ \
    {"weights_out.tensor", lb_check_tensor,       WEIGHTS_OUT, 0, 0},     \
    {"weights_in.rank",    lb_check_rank,         WEIGHTS_IN, 3, 0},      \
    {"weights_out.rank",   lb_check_rank,         WEIGHTS_OUT, 3, 0},     \
    {"weights_in.gates",   IS_SIZE(WEIGHTS_IN, 0, gates)},                \
    {"weights_in.rows_equal_in", IS_DIM(WEIGHTS_IN, 1, N)},               \
    {"weights_in.columns_equal_prev_out", IS_DIM(WEIGHTS_IN, 2, M)},      \
    {"weights_out.gates",  IS_SIZE(WEIGHTS_OUT, 0, gates)},               \
    {"weights_out.rows_equal_prev_out", IS_DIM(WEIGHTS_OUT, 1, M)},       \
    {"weights_out.columns_equal_prev_out", IS_DIM(WEIGHTS_OUT, 2, M)},    \
    {"weights_in.inner_stride", lb_check_inner_stride, WEIGHTS_IN, 0, 0}, \
    {"weights_out.inner_stride", lb_check_inner_stride, WEIGHTS_OUT, 0, 0}, \
    {"bias.tensor",        lb_check_tensor,       BIAS, 0, 0},     /* [4] */ \
    {"bias.rank",          lb_check_rank,         BIAS, 2, 0},            \
    {"bias.gates",         IS_SIZE(BIAS, 0, gates)},                      \
    {"bias.columns_equal_prev_out", IS_DIM(BIAS, 1, M)}

#define CELL_TENSOR                                                       \
    {"cell.tensor",        lb_check_tensor,       CELL, 0, 0},     /* [5] */ \
    {"cell.rank",          lb_check_rank,         CELL, 1, 0},            \
    {"cell.length_equals_prev_out", IS_DIM(CELL, 0, M)}

#define OUT_AND_SCRATCH(gates)                                            \
    {"out.tensor",         lb_check_tensor,       OUT, 0, 0},      /* [6] */ \
    {"out.type_equals_in", lb_check_same_type,    OUT, IN, LB_TYPE_MISMATCH}, \
    {"out.room",           check_out_room,        0, 0, 0},               \
    {"cfg.scratch",        check_scratch,         gates, 0, 0}     /* [7] */

#define STRIDES                                                           \
    {"bias.inner_stride",  lb_check_inner_stride, BIAS, 0, 0},     /* [8] */ \
    {"out.contiguous",     lb_check_contiguous,   OUT, 0, 0},             \
    {"cfg.scratch_apart_from_in", check_scratch_apart, 0, 0, 0},   /* [9] */ \
    {"in.type",            lb_check_variant_type, IN, 0, 0},       /* [10] */ \
    {"prev_out.type",      lb_check_variant_type, PREV_OUT, 0, 0},        \
    {"weights_in.type",    lb_check_variant_type, WEIGHTS_IN, 0, 0},      \
    {"weights_out.type",   lb_check_variant_type, WEIGHTS_OUT, 0, 0},     \
    {"bias.type",          lb_check_variant_type, BIAS, 0, 0}

#define CELL_STRIDE {"cell.inner_stride", lb_check_inner_stride, CELL, 0, 0}
#define CELL_TYPE   {"cell.type",         lb_check_variant_type, CELL, 0, 0}

#define FRAC_BITS   {"bias.frac_bits",    lb_check_frac_bits, IN, WEIGHTS_IN, BIAS} /* [11] */

#define PER_TENSOR                                                        \
    {"in.per_tensor",       lb_check_per_tensor, IN, 0, 0},        /* [11] */ \
    {"prev_out.per_tensor", lb_check_per_tensor, PREV_OUT, 0, 0}

#define CELL_PER_TENSOR {"cell.per_tensor", lb_check_per_tensor, CELL, 0, 0}

#define INPUT_QUANT                                                       \
    {"weights.axes",      check_gate_axes, 0, 0, 0},                      \
    {"in.quant",          lb_check_quant,  IN, -128, 127},                \
    {"prev_out.quant",    lb_check_quant,  PREV_OUT, -128, 127}

#define CELL_QUANT {"cell.quant", lb_check_quant, CELL, -128, 127}

#define WEIGHTS_QUANT                                                     \
    {"weights_in.quant",  lb_check_quant,  WEIGHTS_IN, 0, 0},             \
    {"weights_out.quant", lb_check_quant,  WEIGHTS_OUT, 0, 0},            \
    {"bias.quant",        lb_check_quant,  BIAS, 0, 0},                   \
    LB_BIAS_SCALE(WEIGHTS_IN)

#define GUARDS                                                            \
    {"out.rank",          lb_check_not_rank0, OUT, 0, LB_UNDEFINED},                 \
    {"out.quant",         lb_check_cell_out_quant,    0, 0, LB_UNDEFINED},        \
    LB_PARAMETERS,                                                        \
    {"out.place",         lb_check_cell_place, 0, 0, LB_UNDEFINED}

const lb_rule lb_rules_lstm_fx[] = {
    TENSORS(4), CELL_TENSOR, OUT_AND_SCRATCH(4), CELL_STRIDE, STRIDES, CELL_TYPE, FRAC_BITS, GUARDS, LB_RULES_END,
};

const lb_rule lb_rules_lstm_sa8[] = {
    TENSORS(4), CELL_TENSOR, OUT_AND_SCRATCH(4), CELL_STRIDE, STRIDES, CELL_TYPE,
    PER_TENSOR, CELL_PER_TENSOR, INPUT_QUANT, CELL_QUANT, WEIGHTS_QUANT, GUARDS, LB_RULES_END,
};

const lb_rule lb_rules_gru_fx[] = {
    TENSORS(3), OUT_AND_SCRATCH(3), STRIDES, FRAC_BITS, GUARDS, LB_RULES_END,
};

const lb_rule lb_rules_gru_sa8[] = {
    TENSORS(3), OUT_AND_SCRATCH(3), STRIDES, PER_TENSOR, INPUT_QUANT, WEIGHTS_QUANT, GUARDS, LB_RULES_END,
};

/* clang-format on */
