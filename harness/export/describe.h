/* What stands in a case's case.json. */
#ifndef LB_HARNESS_EXPORT_DESCRIBE_H
#define LB_HARNESS_EXPORT_DESCRIBE_H

#include "harness/call/call_memory.h"
#include "harness/export/export.h"

#include <cjson/cJSON.h>

/* A tensor: type, shape, strides, format, dtype; the file's name and digest where it has one. The
 * caller's to free. */
cJSON *lb_describe_tensor(const lb_case_tensor *t, const char *file, const char *sha256);

/* Functions with weights and one accumulator per output: what a call fixes once, in the numerics of
 * the profile. `before` is ready to be called. NULL: another kind of function. */
cJSON *lb_describe_requantization(const lb_profile *profile, const lb_call *before);

#endif
