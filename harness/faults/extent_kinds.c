/* Faults of the group "extent". */
#include "harness/faults/faults.h"

const lb_fault_kind lb_fault_extent_kinds[] = {{.name = NULL}};
