/* What fully connected functions check, in their order. Spec: conv.md 11 (steps in brackets below).
 */
#include "describe/rules.h"
#include "models.h"

enum { IN = LB_ROLE_IN, WEIGHTS = LB_ROLE_WEIGHTS, BIAS = LB_ROLE_BIAS, OUT = LB_ROLE_OUT };

/* clang-format off */
/* T1 to T4, then E1 to E3 and D5: common to fx and sa8 */
#define COMMON                                                                                                         \
    {"in.tensor", lb_check_tensor, IN, 0, 0},                                                                          \
    {"weights.tensor", lb_check_tensor, WEIGHTS, 0, 0},                                                                \
    {"bias.tensor", lb_check_tensor, BIAS, 0, 0},                                                                      \
    {"out.tensor", lb_check_tensor, OUT, 0, 0},                                                                        \
    {"out.type_equals_in", lb_check_same_type, OUT, IN, LB_TYPE_MISMATCH},                                             \
    {"cfg.present", lb_check_config, 0, 0, 0},                                                                         \
    {"weights.rank", lb_check_rank, WEIGHTS, 2, 0},                                                                    \
    {"bias.rank", lb_check_rank, BIAS, 1, 0},                                                                          \
    {"out.rank", lb_check_rank, OUT, 1, 0},                                                                            \
    {"in.count_equals_weights_rows", lb_check_count_is_dim, IN, LB_DIM(WEIGHTS, 0), 0},                                \
    {"bias.length_equals_channels", lb_check_dims_equal, LB_DIM(BIAS, 0), LB_DIM(WEIGHTS, 1), 0},                      \
    {"out.length_equals_channels", lb_check_dims_equal, LB_DIM(OUT, 0), LB_DIM(WEIGHTS, 1), 0},                        \
    {"in.contiguous", lb_check_contiguous, IN, 0, 0},                                                                  \
    {"bias.contiguous", lb_check_contiguous, BIAS, 0, 0},                                                              \
    {"weights.inner_stride", lb_check_inner_stride, WEIGHTS, 0, 0},                                                    \
    {"out.inner_stride", lb_check_inner_stride, OUT, 0, 0},                                                            \
    LB_APART

/* A or Q1 */
#define TYPES                                                                                                          \
    {"in.type", lb_check_variant_type, IN, 0, 0},                                                                      \
    {"weights.type", lb_check_variant_type, WEIGHTS, 0, 0},                                                            \
    {"bias.type", lb_check_variant_type, BIAS, 0, 0}
/* clang-format on */

/* Undefined: an input without a buffer, and what no check looks at. */
#define LAST                                                                                       \
    {"in.rank", lb_check_not_rank0, IN, 0, LB_UNDEFINED}, LB_PARAMETERS, LB_PLACE(0), LB_RULES_END

const lb_rule lb_rules_fully_connected_fx[] = {
    LB_GIVEN_ROLE("in", IN),
    LB_GIVEN_ROLE("weights", WEIGHTS),
    LB_GIVEN_ROLE("bias", BIAS),
    LB_GIVEN_ROLE("out", OUT),
    TYPES,
    {"bias.frac_bits", lb_check_frac_bits, IN, WEIGHTS, BIAS}, /* B */
    {"out.frac_bits", lb_check_frac_bits, IN, WEIGHTS, OUT},   /* C */
    COMMON,
    LAST,
};

const lb_rule lb_rules_fully_connected_sa8[] = {
    COMMON,
    TYPES,
    {"in.quant", lb_check_quant, IN, -128, 127}, /* Q2, Q3 */
    {"out.quant", lb_check_quant, OUT, -128, 127},
    {"weights.quant", lb_check_quant, WEIGHTS, 0, 0},
    {"bias.quant", lb_check_quant, BIAS, 0, 0},
    {"bias.axis_matches_weights", lb_check_channel_axes, WEIGHTS, BIAS, 1}, /* Q4 */
    {"in.per_tensor", lb_check_per_tensor, IN, 0, 0},                       /* Q5 */
    {"out.per_tensor", lb_check_per_tensor, OUT, 0, 0},
    LB_BIAS_SCALE(WEIGHTS), /* Q6 */
    LAST,
};
