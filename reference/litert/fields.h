/* The fields of a LiteRT call's configuration (litert.21.2), by their numbers (config.h). */
#ifndef LB_REFERENCE_LITERT_FIELDS_H
#define LB_REFERENCE_LITERT_FIELDS_H

#include "describe/kernels.h"

/* The field's number, or -1: there is none of this name. */
int lb_lite_field_find(const char *name);

static inline int32_t lb_lite_field_of(const lb_call *call, lb_lite_field field)
{
    return call->config.of_litert[field];
}

#endif
