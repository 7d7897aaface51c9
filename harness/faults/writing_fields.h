/* Runs of the faults of writing that concern fields of outputs, filled configurations and returned
 * values. */
#ifndef LB_HARNESS_FAULTS_WRITING_FIELDS_H
#define LB_HARNESS_FAULTS_WRITING_FIELDS_H

#include "harness/faults/places.h"

#define FIELD_SECTIONS                                                                             \
    "elementwise.md 10; recurrent.md 6; pooling_and_movement.md 2.3, 3, 4.1; numerics.md 8"
#define LAYOUT_SECTIONS "numerics.md 2; pooling_and_movement.md 1.3"

/* The output of the fault's role, in run->out as the exact model leaves it; NULL: nothing has been
 * computed. Then: are its fields, or any byte, not as they should be? */
lb_tensor *lb_write_begin(lb_fault_run *run);
bool lb_write_differs(const lb_fault_run *run);

/* That output with its elements; false: nothing has been computed, or it has no memory. */
typedef struct lb_write_memory {
    lb_fault_run *run;
    lb_tensor *t;
    unsigned char *start;               /* its first element */
    const unsigned char *given, *right; /* the same place before the call, and as it should be */
    size_t bytes;                       /* of an element */
    size_t places;                      /* elements to the end of its buffer */
    size_t count;
} lb_write_memory;
bool lb_write_elements(lb_write_memory *w, lb_fault_run *run);

/* By what the kind says: its fields and way, or its operator. */
bool lb_write_fields(lb_fault_run *run);
bool lb_write_number(lb_fault_run *run);
bool lb_write_packed_strides(lb_fault_run *run);
bool lb_write_config(lb_fault_run *run);
bool lb_write_returned(lb_fault_run *run);
bool lb_write_last_dims_kept(lb_fault_run *run);

/* Does the function write fields of its outputs? */
bool lb_writes_fields(const lb_kernel *kernel);
/* Which it gives (bits), of those that a tensor of this role's type has. */
uint32_t lb_fields_written(const lb_kernel *kernel, int role);
/* Can a kind about fields show in an output of this role? */
bool lb_field_fault_sits_in(const lb_fault_kind *kind, const lb_kernel *kernel, int role);
LB_PLACES(lb_places_field_outputs); /* outputs of functions that write fields of them */
LB_PLACES(lb_places_filled_config);
LB_PLACES(lb_places_table_numbers); /* argument: the field */
LB_PLACES(lb_places_returned);
LB_PLACES(lb_places_returned_large); /* whose number may exceed a byte */

#endif
