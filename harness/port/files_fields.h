/* Fields of outputs that somebody tells beside the elements of a port that is only files. */
#ifndef LB_HARNESS_PORT_FILES_FIELDS_H
#define LB_HARNESS_PORT_FILES_FIELDS_H

#include "harness/suite/case.h"

#include <cjson/cJSON.h>

/* {"changed": {"out": {"frac_bits": 7}}} into the tensors of the call: what is told is what the
 * port left there; what is not, stays as it must be. `told` may be NULL. What is wrong, or NULL. */
const char *lb_files_take_changed(const cJSON *told, const lb_case *c, lb_call *call,
                                  lb_arena *arena);

#endif
