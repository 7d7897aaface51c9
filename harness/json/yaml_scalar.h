/* What an unquoted YAML word means: the core schema of YAML 1.2, less what two readers would take
 * differently. */
#ifndef LB_HARNESS_JSON_YAML_SCALAR_H
#define LB_HARNESS_JSON_YAML_SCALAR_H

#include "harness/json/document.h"

/* A node for the plain scalar: null, boolean, number or string. A hexadecimal number keeps its text
 * in valuestring. */
cJSON *lb_yaml_plain_scalar(lb_arena *arena, const char *text);

#endif
