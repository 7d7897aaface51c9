/* Faults of the group "writing". */
#include "harness/faults/faults.h"

const lb_fault_kind lb_fault_writing_kinds[] = {{.name = NULL}};
