/* What sigm and tanh check, in their order. Spec: recurrent.md 4. They do not look at their table,
 * and never at the quantization of out. The last rows stand for what the spec leaves undefined. */
#include "describe/rules.h"
#include "models.h"

const lb_rule lb_rules_activation_fx[] = {LB_UNARY, LB_UNARY_LAST, LB_RULES_END};
const lb_rule lb_rules_activation_sa8[] = {LB_UNARY, LB_UNARY_QUANT, LB_UNARY_LAST, LB_RULES_END};
