/* What softmax and l2_normalize check, in their order. Spec: elementwise.md 2, 12.
 * The table, epsilon and the quantization of out are not looked at. The last rows stand for
 * what the spec leaves undefined. */
#include "describe/rules.h"
#include "models.h"

/* clang-format off */

#define COMMON                                                                 \
    LB_UNARY,                                                                  \
    {"cfg.present", lb_check_config, 0, 0, 0},                                 \
    {"cfg.axis", lb_check_axis, LB_ROLE_IN, 0, 0}

#define LAST LB_UNARY_LAST, LB_RULES_END

#define AXIS {"cfg.axis_from_minus_1", lb_check_axis_from_minus_1, 0, 0, LB_UNDEFINED}

const lb_rule lb_rules_softmax_fx[] = {COMMON, LAST};
const lb_rule lb_rules_softmax_sa8[] = {COMMON, LB_UNARY_QUANT, LAST};
const lb_rule lb_rules_l2_normalize_fx[] = {COMMON, AXIS, LAST};
const lb_rule lb_rules_l2_normalize_sa8[] = {COMMON, LB_UNARY_QUANT, AXIS, LAST};

/* clang-format on */
