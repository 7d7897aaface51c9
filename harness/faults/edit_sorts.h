/* What numbers of configurations are for. */
#ifndef LB_HARNESS_FAULTS_EDIT_SORTS_H
#define LB_HARNESS_FAULTS_EDIT_SORTS_H

#include "reference/describe/kernels.h"

typedef enum lb_sort {
    LB_SORT_NUMBER,
    LB_SORT_STEP,
    LB_SORT_GAP,
    LB_SORT_SIZE,
    LB_SORT_PADDING,
    LB_SORT_OFFSET,
    LB_SORT_LENGTH,
    LB_SORT_ORDER
} lb_sort;

typedef struct lb_sorted {
    lb_sort sort;
    int dimension;
    int neutral;
} lb_sorted;

lb_sorted lb_edit_sorted(const lb_config_field *field);

#endif
