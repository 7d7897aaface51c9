/* What softmax and l2_normalize check, in their order. Spec: elementwise.md 2, 12.
 * The table, epsilon and the quantization of out are not looked at. The last rows stand for
 * what the spec leaves undefined. */
#include "describe/rules.h"
#include "models.h"

/* clang-format off */

#define COMMON                                                                 \
    LB_UNARY,                                                                  \
    {"cfg.present", LB_CONFIG_PRESENT},                                 \
    {"cfg.axis", LB_AXIS_BELOW_RANK(LB_ROLE_IN)}

#define LAST LB_UNARY_LAST, LB_RULES_END

#define AXIS {"cfg.axis_from_minus_1", LB_AXIS_FROM_MINUS_1}

const lb_rule lb_rules_softmax_fx[] = {COMMON, LAST};
const lb_rule lb_rules_softmax_sa8[] = {COMMON, LB_UNARY_QUANT, LAST};
const lb_rule lb_rules_l2_normalize_fx[] = {COMMON, AXIS, LAST};
const lb_rule lb_rules_l2_normalize_sa8[] = {COMMON, LB_UNARY_QUANT, AXIS, LAST};

/* clang-format on */
