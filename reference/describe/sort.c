/* The table of sorts: see sort.h. */
#include "sort.h"

#define ROW(code, name, neutral, taken_for, times) {name, neutral, taken_for, times},

const lb_sort_row lb_sorts[LB_SORT_COUNT] = {LB_SORTS(ROW)};
