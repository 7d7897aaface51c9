/* What LiteRT adds to the configuration of a call (describe/config.h), from its rows: members, each
 * an int32, and kinds. Spec: litert.21.2. */
#ifndef LB_REFERENCE_LITERT_CONFIG_H
#define LB_REFERENCE_LITERT_CONFIG_H

#include "rows.h"

#include <stdint.h>

#define LB_LITE_FIELD_CODE(name, sort, dimension) LB_LITE_##name,
typedef enum lb_lite_field { LB_LITE_FIELDS(LB_LITE_FIELD_CODE) LB_LITE_FIELD_COUNT } lb_lite_field;

/* By name, and by number. */
#define LB_LITE_MEMBER(name, sort, dimension) int32_t name;
#define LB_LITERT_CONFIG                                                                           \
    struct {                                                                                       \
        LB_LITE_FIELDS(LB_LITE_MEMBER)                                                             \
    } litert;                                                                                      \
    int32_t of_litert[LB_LITE_FIELD_COUNT];

#define LB_LITE_KIND_CODE(name, members) LB_CONFIG_LITERT_##name,
enum {
    LB_CONFIG_OF_LITERT = 64,
    LB_CONFIG_BEFORE_LITERT = LB_CONFIG_OF_LITERT - 1,
    LB_LITE_KINDS(LB_LITE_KIND_CODE, , ) LB_CONFIG_END_OF_LITERT
};

#endif
