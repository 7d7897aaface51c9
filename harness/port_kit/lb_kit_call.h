/* A call as the kit makes it, in words of the wire: part of lb_kit.c, and of lastbit's own port. */
#ifndef LB_KIT_CALL_H
#define LB_KIT_CALL_H

#include "lb_kit_functions.h"
#include "lb_kit_wire.h"

#define LB_KIT_NUMBER(shape, name) LB_KIT_NUMBER_##name,
enum { LB_KIT_FUNCTIONS(LB_KIT_NUMBER) LB_KIT_FUNCTION_COUNT };
enum { LB_KIT_LITERT_FUNCTIONS(LB_KIT_NUMBER) LB_KIT_LITERT_COUNT };

/* What one CALL asks for, and what it gives. */
typedef struct lb_kit_call {
    uint32_t function;
    int config_is_null;
    uint32_t config[LB_WIRE_CONFIG_WORDS];
    uint32_t more[LB_WIRE_M_WORDS];
    uint8_t slot[LB_WIRE_ROLES], count[LB_WIRE_ROLES]; /* count 0: the role is NULL */
    uint32_t result[LB_WIRE_R_WORDS];
    uint32_t config_out[LB_WIRE_CONFIG_WORDS];
    struct {
        uint8_t which;
        int32_t cookie;
    } callbacks[LB_WIRE_CALLBACKS];
} lb_kit_call;

#endif
