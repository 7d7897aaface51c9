/* The runs of the readings that reading_kinds.c lists, and their places. */
#ifndef LB_HARNESS_FAULTS_READING_RUNS_H
#define LB_HARNESS_FAULTS_READING_RUNS_H

#include "harness/faults/places.h"

/* Windows of convolutions and pooling; dim 0 is height, dim 1 width. */
bool lb_read_stride_swapped(lb_fault_run *run);
bool lb_read_stride_one_for_both(lb_fault_run *run);
bool lb_read_stride_ignored(lb_fault_run *run);
bool lb_read_stride_one_more(lb_fault_run *run);
bool lb_read_stride_as_kernel(lb_fault_run *run);
bool lb_read_dilation_swapped(lb_fault_run *run);
bool lb_read_dilation_one_for_both(lb_fault_run *run);
bool lb_read_dilation_ignored(lb_fault_run *run);
bool lb_read_dilation_one_more(lb_fault_run *run);
bool lb_read_stride_dilation_swapped(lb_fault_run *run);
bool lb_read_padding_axes_swapped(lb_fault_run *run);
bool lb_read_padding_one_for_both(lb_fault_run *run);
bool lb_read_padding_ends_swapped(lb_fault_run *run);
bool lb_read_padding_ignored(lb_fault_run *run);
bool lb_read_padding_one_more(lb_fault_run *run);
bool lb_read_padding_one_less(lb_fault_run *run);
bool lb_read_padding_halved(lb_fault_run *run);
bool lb_read_padding_times_dilation(lb_fault_run *run);
bool lb_read_padding_complement(lb_fault_run *run);
bool lb_read_padding_filled_zero(lb_fault_run *run);
bool lb_read_padding_filled_lowest(lb_fault_run *run);
bool lb_read_padding_filled_edge(lb_fault_run *run);
bool lb_read_kernel_swapped(lb_fault_run *run);
bool lb_read_kernel_one_for_both(lb_fault_run *run);
bool lb_read_kernel_one_more(lb_fault_run *run);
bool lb_read_kernel_one_less(lb_fault_run *run);

#endif
