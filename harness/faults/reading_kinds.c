/* Faults of the group "reading". */
#include "harness/faults/faults.h"

const lb_fault_kind lb_fault_reading_kinds[] = {{.name = NULL}};
