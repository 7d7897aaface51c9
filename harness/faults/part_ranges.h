/* What values steps of single parts of the computation can have: formulas that hold their result
 * where the ranges of their operands do not tell. */
#ifndef LB_HARNESS_FAULTS_PART_RANGES_H
#define LB_HARNESS_FAULTS_PART_RANGES_H

#include "harness/faults/ranges.h"

/* The place that this operand has as its only source, if it is of this operation; else -1. */
int lb_flow_source_of(const lb_fault_list *list, size_t site, unsigned operand,
                      lb_operation operation);

/* Makes *range less, where the part says so. */
void lb_part_range(const lb_fault_list *list, size_t site, lb_range *range);

#endif
