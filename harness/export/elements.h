/* Elements of a tensor in the form of an export. */
#ifndef LB_HARNESS_EXPORT_ELEMENTS_H
#define LB_HARNESS_EXPORT_ELEMENTS_H

#include "harness/arrays/array.h"
#include "harness/call/call_memory.h"
#include "harness/export/export.h"

#include <cjson/cJSON.h>

/* "<i1", "<i2", "<i4", "<f4", "|u1", "<u2": dtype of the containers of an element type. */
const char *lb_export_dtype(lb_el_type type);

/* The content of the file of a tensor of this instance, as it is now. */
lb_bytes lb_export_elements(const lb_export *e, const lb_instance *instance, lb_role role,
                            unsigned list_index, lb_arena *arena);

/* The same as an initialized C array of that name. */
lb_bytes lb_export_c_array(const lb_instance *instance, lb_role role, unsigned list_index,
                           const char *name, lb_arena *arena);

/* The same as a list of JSON: containers; numbers of fp32. The caller's to free. */
cJSON *lb_export_list(const lb_instance *instance, lb_role role, unsigned list_index);

#endif
