/* The runs of the readings that reading_kinds.c lists, and their places. */
#ifndef LB_HARNESS_FAULTS_READING_RUNS_H
#define LB_HARNESS_FAULTS_READING_RUNS_H

#include "harness/faults/places.h"
#include "harness/faults/views.h"

/* Windows of convolutions and pooling; dim 0 is height, dim 1 width. */
bool lb_read_padding_filled_zero(lb_fault_run *run);
bool lb_read_padding_filled_lowest(lb_fault_run *run);
bool lb_read_padding_filled_edge(lb_fault_run *run);
/* Ends a view on which windows are read otherwise. */
bool lb_read_run_windows(lb_fault_view *view);

/* Elements of the fault's role, read or written: order, strides and indices. */
typedef enum lb_read_at {
    LB_READ_INDEX,     /* along the fault's dimension, by the operator */
    LB_READ_ORDER,     /* of dimensions: the argument */
    LB_READ_EXCHANGED, /* two dimensions */
    LB_READ_NUMBER,    /* in row-major order, so much further: the argument */
    LB_READ_STRIDES,
    LB_READ_STRIDE, /* of the dimension: dense */
    LB_READ_STRIDE_OF_NEXT,
    LB_READ_BASE, /* moved by the argument */
    LB_READ_ROWS_AND_COLUMNS,
    LB_READ_ONE /* element for all */
} lb_read_at;
bool lb_read_operand(lb_fault_run *run);
/* Where a kernel with the fault (`user`) takes an element to lie; below 0: nowhere. */
int64_t lb_source_found(const lb_tensor *t, const uint32_t *index, const void *user);
int64_t lb_source_dense(const lb_tensor *t, const uint32_t *index, const void *user);
/* Their elements, of the role or of all tensors of rank 0, by the operator. */
bool lb_read_form(lb_fault_run *run);
bool lb_read_scalar_form(lb_fault_run *run);
bool lb_read_vector_as_zero(lb_fault_run *run);
/* Several tensors: strides, gates, exchange. */
bool lb_read_all_dense(lb_fault_run *run);
bool lb_read_strides_of_other(lb_fault_run *run);
bool lb_read_gates_of_one(lb_fault_run *run);
bool lb_read_gates_of_all(lb_fault_run *run);
bool lb_read_elements_exchanged(lb_fault_run *run);
bool lb_read_list_exchanged(lb_fault_run *run);
bool lb_read_operands_exchanged(lb_fault_run *run);
bool lb_read_scalar_exchanged(lb_fault_run *run);

/* Quantization: one parameter; entries of lists, and what else a channel has, by blocks or groups.
 */
typedef enum lb_parameter { LB_OF_ZERO_POINT, LB_OF_SCALE, LB_OF_FRAC_BITS } lb_parameter;
enum { LB_OF_BLOCKS, LB_OF_GROUPS };
bool lb_read_quant(lb_fault_run *run);
bool lb_read_scales_exchanged(lb_fault_run *run);
bool lb_read_entries(lb_fault_run *run);
bool lb_read_entry_first_of_gates(lb_fault_run *run);
bool lb_read_channels(lb_fault_run *run);
enum { LB_LAST_DIMENSION = LB_MAX_RANK }; /* whatever the rank */
enum { LB_OF_ONE, LB_OF_BOTH };
bool lb_read_axis_of_lists(lb_fault_run *run);

/* Configuration, places that argmax finds, permutation, arguments of helpers. */
bool lb_read_frames_one_less(lb_fault_run *run);
bool lb_read_axis_as(lb_fault_run *run);
bool lb_read_axis_one_less(lb_fault_run *run);
enum { LB_BLOCK_OF_ONE, LB_BLOCK_WITHOUT_NEXT, LB_BLOCK_OF_AXIS };
bool lb_read_slopes_by_number(lb_fault_run *run); /* argument: one of these */
/* Works along this axis, where the call says another. */
bool lb_run_on_axis(lb_fault_run *run, int32_t axis);
bool lb_read_places_flat(lb_fault_run *run);
bool lb_read_places_in_slice(lb_fault_run *run);
bool lb_read_ties_other(lb_fault_run *run);
bool lb_read_permutation(lb_fault_run *run); /* LB_MIRRORED: inverted; LB_AS_IS: none */
bool lb_read_type_ignored(lb_fault_run *run);

/* Movement. */
bool lb_read_mov_padding_as_zero_point(lb_fault_run *run);
/* A view of a movement whose fields follow; dropped where nothing has changed, or where it would
 * leave the memory of the call. */
bool lb_read_mov_run_with_fields(lb_fault_view *view, bool changed);
/* Does the movement write the output's element at `index`? From the input's element at `from`, or,
 * not `inside`, as padding. */
bool lb_is_moved(const lb_tensor *in, const lb_config *config, const uint32_t *index,
                 uint32_t *from, bool *inside);

/* Where they can sit, and how that is told. */
LB_PLACES(lb_places_slope_blocks);
LB_DESCRIBES(lb_tell_slope_block);
LB_PLACES(lb_places_lists);
LB_PLACES(lb_places_list_blocks);
LB_PLACES(lb_places_group_lists);
LB_PLACES(lb_places_channel_blocks);
LB_PLACES(lb_places_axis_of_lists);
LB_PLACES(lb_places_scales_exchanged);
LB_DESCRIBES(lb_tell_axis_of_lists);
LB_PLACES(lb_places_zero_point);
LB_PLACES(lb_places_zero_point_pairs);
LB_PLACES(lb_places_scale);
LB_PLACES(lb_places_scale_pairs);
LB_PLACES(lb_places_frac_bits);
LB_PLACES(lb_places_frac_bits_pairs);
LB_PLACES(lb_places_read);
LB_PLACES(lb_places_read_both_ways);
LB_PLACES(lb_places_read_strided);
LB_PLACES(lb_places_all_strided);
LB_PLACES(lb_places_strides_of_other);
LB_PLACES(lb_places_side_operands);
LB_PLACES(lb_places_channel_vectors);
LB_PLACES(lb_places_channel_vectors_beyond);
LB_PLACES(lb_places_broadcast);
LB_PLACES(lb_places_read_dims);
LB_PLACES(lb_places_strided_dims);
LB_PLACES(lb_places_read_dims_both_ways);
LB_PLACES(lb_places_read_blocks);
LB_PLACES(lb_places_mirrored);
LB_PLACES(lb_places_orders);
LB_PLACES(lb_places_gates_of_one);
LB_PLACES(lb_places_gates_of_all);
LB_PLACES(lb_places_exchanged);
LB_PLACES(lb_places_lists_exchanged);
LB_PLACES(lb_places_difference);
LB_PLACES(lb_places_scalar_difference);
LB_PLACES(lb_places_unsigned);
LB_PLACES(lb_places_wide);
LB_PLACES(lb_places_held); /* ... by the bits that are left */
LB_PLACES(lb_places_integers);
LB_PLACES(lb_places_axis);
LB_PLACES(lb_places_compare);
LB_DESCRIBES(lb_tell_role_lists);
LB_DESCRIBES(lb_tell_channel_block);
LB_DESCRIBES(lb_tell_scalar);

#endif
