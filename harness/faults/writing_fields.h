/* Runs of the faults of writing that concern fields of outputs, filled configurations and returned
 * values. */
#ifndef LB_HARNESS_FAULTS_WRITING_FIELDS_H
#define LB_HARNESS_FAULTS_WRITING_FIELDS_H

#include "harness/faults/places.h"

/* For a field: left as given, and written as that of the (first) input is. */
#define LB_FIELD_RUNS(field)                                                                       \
    bool lb_write_##field##_kept(lb_fault_run *run);                                               \
    bool lb_write_##field##_as_input(lb_fault_run *run);

LB_FIELD_RUNS(rank)
LB_FIELD_RUNS(shape)
LB_FIELD_RUNS(mem_stride)
LB_FIELD_RUNS(frac_bits)
LB_FIELD_RUNS(scale)
LB_FIELD_RUNS(zero_point)
LB_FIELD_RUNS(scale_frac_bits)
LB_FIELD_RUNS(axis)
LB_FIELD_RUNS(capacity)
LB_FIELD_RUNS(data)

bool lb_write_el_type_kept(lb_fault_run *run);
bool lb_write_last_dims_kept(lb_fault_run *run);
bool lb_write_config_kept(lb_fault_run *run);
bool lb_write_config_one_more(lb_fault_run *run);
bool lb_write_config_one_less(lb_fault_run *run);
bool lb_write_config_negated(lb_fault_run *run);
bool lb_write_config_zero(lb_fault_run *run);
bool lb_write_returned_zero(lb_fault_run *run);
bool lb_write_returned_one_more(lb_fault_run *run);
bool lb_write_returned_as_byte(lb_fault_run *run);
bool lb_write_returned_negated(lb_fault_run *run);

/* Does the function write fields of its outputs? */
bool lb_writes_fields(const lb_kernel *kernel);
/* Which it gives (bits), of those that a tensor of this role's type has. */
uint32_t lb_fields_written(const lb_kernel *kernel, int role);
/* Can a kind about fields show in an output of this role? */
bool lb_field_fault_sits_in(const lb_fault_kind *kind, const lb_kernel *kernel, int role);
LB_PLACES(lb_places_field_outputs); /* outputs of functions that write fields of them */
LB_PLACES(lb_places_filled_config);
LB_PLACES(lb_places_table_numbers); /* argument: the field */
LB_DESCRIBES(lb_tell_config_field);
LB_PLACES(lb_places_returned);
LB_PLACES(lb_places_returned_large); /* whose number may exceed a byte */

#endif
