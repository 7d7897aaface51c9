/* The rule lists of LiteRT's kernels (rules.c), for their table. */
#ifndef LB_REFERENCE_LITERT_RULES_H
#define LB_REFERENCE_LITERT_RULES_H

#include "describe/kernels.h"

extern const lb_rule lb_lite_rules_conv_2d[], lb_lite_rules_depthwise_conv_2d[],
    lb_lite_rules_transpose_conv[], lb_lite_rules_fully_connected[], lb_lite_rules_pool[],
    lb_lite_rules_broadcast[], lb_lite_rules_pairs[], lb_lite_rules_same[], lb_lite_rules_reduce[];

#endif
