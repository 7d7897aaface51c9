/* What the files of edits share: see edit.h. */
#ifndef LB_HARNESS_FAULTS_EDIT_PARTS_H
#define LB_HARNESS_FAULTS_EDIT_PARTS_H

#include "harness/faults/edit.h"

void lb_edit_each_number(const lb_kernel *kernel, lb_edit_sink sink, void *user);
void lb_edit_each_place(const lb_kernel *kernel, lb_edit_sink sink, void *user);

/* "stride_height", "offset of dimension 2", "height of weights". */
const char *lb_edit_leaf_label(const lb_kernel *kernel, lb_leaf leaf, lb_arena *arena);
/* "offset", of a list as a whole. */
const char *lb_edit_list_label(const lb_kernel *kernel, lb_leaf leaf);

#endif
