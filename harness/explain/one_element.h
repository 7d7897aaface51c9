/* One element of an output with a fault in the steps that it comes from, all others left out: most
 * faults are refuted by one element, for a small part of what a whole call costs. */
#ifndef LB_HARNESS_EXPLAIN_ONE_ELEMENT_H
#define LB_HARNESS_EXPLAIN_ONE_ELEMENT_H

#include "harness/explain/replayed_call.h"
#include "harness/faults/faults.h"

/* Steps from one place of the model's code, in their order. */
typedef struct lb_one_spot {
    size_t first, last; /* in `told` */
} lb_one_spot;

/* A step as the model told it. */
typedef struct lb_told_step {
    lb_num_step step;
    int64_t left; /* taps of its sum that follow; -1: it is no tap */
    size_t next;  /* of its spot; SIZE_MAX: it is the last */
} lb_told_step;

typedef struct lb_one_element {
    lb_fault_bench *bench;
    lb_steps listener; /* to the element, as it is before a call */
    size_t offset;     /* where it stands in a block of the bench */
    unsigned bytes;
    bool stands_alone; /* it comes from nothing that steps of other elements make */
    lb_told_step *told;
    size_t told_count, told_room;
    lb_one_spot *spots;
    size_t spot_count, spot_room, last_spot;
    size_t *numbered; /* of each operation its place in `told` */
    size_t number_count, number_room;
} lb_one_element;

/* Hears what leads to the element. The bench is of the call at hand. To be freed. */
void lb_one_element_hear(lb_one_element *e, lb_fault_bench *bench, const lb_replayed *replayed,
                         lb_role role, size_t flat);
/* Does the element alone show what the fault makes of it? */
bool lb_one_element_shows(const lb_one_element *e, const lb_fault *fault);
/* Of such a fault: does it change a step that leads to the element? */
bool lb_one_element_feels(const lb_one_element *e, const lb_fault *fault);
/* And what it makes of the element. */
int64_t lb_one_element_value(const lb_one_element *e, const lb_fault *fault);
void lb_one_element_free(lb_one_element *e);

#endif
