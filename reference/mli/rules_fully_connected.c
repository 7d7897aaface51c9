/* What fully connected functions check, in their order. Spec: conv.md 11 (steps in brackets below).
 */
#include "describe/rules.h"
#include "models.h"

enum { IN = LB_ROLE_IN, WEIGHTS = LB_ROLE_WEIGHTS, BIAS = LB_ROLE_BIAS, OUT = LB_ROLE_OUT };

/* clang-format off */
/* T1 to T4, then E1 to E3 and D5: common to fx and sa8 */
#define COMMON                                                                                                         \
    {"in.tensor", LB_IN_C(lb_check_tensor, IN, 0, 0)},                                                                          \
    {"weights.tensor", LB_IN_C(lb_check_tensor, WEIGHTS, 0, 0)},                                                                \
    {"bias.tensor", LB_IN_C(lb_check_tensor, BIAS, 0, 0)},                                                                      \
    {"out.tensor", LB_IN_C(lb_check_tensor, OUT, 0, 0)},                                                                        \
    {"out.type_equals_in", LB_SAME_TYPE(OUT, IN, LB_TYPE_MISMATCH)},                                             \
    {"cfg.present", LB_CONFIG_PRESENT},                                                                         \
    {"weights.rank", LB_RANK_IS(WEIGHTS, 2)},                                                                    \
    {"bias.rank", LB_RANK_IS(BIAS, 1)},                                                                          \
    {"out.rank", LB_RANK_IS(OUT, 1)},                                                                            \
    {"in.count_equals_weights_rows", LB_COUNT_IS_EXTENT(IN, WEIGHTS, 0)},                                \
    {"bias.length_equals_channels", LB_SAME_EXTENT(BIAS, 0, WEIGHTS, 1)},                      \
    {"out.length_equals_channels", LB_SAME_EXTENT(OUT, 0, WEIGHTS, 1)},                        \
    {"in.contiguous", LB_DENSE(IN)},                                                                  \
    {"bias.contiguous", LB_DENSE(BIAS)},                                                              \
    {"weights.inner_stride", LB_INNER_STRIDE_1(WEIGHTS)},                                                    \
    {"out.inner_stride", LB_INNER_STRIDE_1(OUT)},                                                            \
    LB_APART

/* A or Q1 */
#define TYPES                                                                                                          \
    {"in.type", LB_TYPE_OF_VARIANT(IN)},                                                                      \
    {"weights.type", LB_TYPE_OF_VARIANT(WEIGHTS)},                                                            \
    {"bias.type", LB_TYPE_OF_VARIANT(BIAS)}
/* clang-format on */

/* Undefined: an input without a buffer, and what no check looks at. */
#define LAST {"in.rank", LB_RANK_NOT_0(IN)}, LB_PARAMETERS, LB_PLACE(0), LB_RULES_END

const lb_rule lb_rules_fully_connected_fx[] = {
    LB_GIVEN_ROLE("in", IN),
    LB_GIVEN_ROLE("weights", WEIGHTS),
    LB_GIVEN_ROLE("bias", BIAS),
    LB_GIVEN_ROLE("out", OUT),
    TYPES,
    {"bias.frac_bits", LB_FRAC_BITS_WITHIN(IN, WEIGHTS, BIAS)}, /* B */
    {"out.frac_bits", LB_FRAC_BITS_WITHIN(IN, WEIGHTS, OUT)},   /* C */
    COMMON,
    LAST,
};

const lb_rule lb_rules_fully_connected_sa8[] = {
    COMMON,
    TYPES,
    {"in.quant", LB_IN_C(lb_check_quant, IN, -128, 127)}, /* Q2, Q3 */
    {"out.quant", LB_IN_C(lb_check_quant, OUT, -128, 127)},
    {"weights.quant", LB_IN_C(lb_check_quant, WEIGHTS, 0, 0)},
    {"bias.quant", LB_IN_C(lb_check_quant, BIAS, 0, 0)},
    {"bias.axis_matches_weights", LB_IN_C(lb_check_channel_axes, WEIGHTS, BIAS, 1)}, /* Q4 */
    {"in.per_tensor", LB_PER_TENSOR(IN)},                                            /* Q5 */
    {"out.per_tensor", LB_PER_TENSOR(OUT)},
    LB_BIAS_SCALE(WEIGHTS), /* Q6 */
    LAST,
};
