/* Finding differences between what was expected and what is there: statuses, data, fields, gaps,
 * inputs, guard zones. */
#ifndef LB_HARNESS_TRIAL_COMPARE_H
#define LB_HARNESS_TRIAL_COMPARE_H

#include "harness/call/fields.h"
#include "reports/results.h"

/* Where differences go. `differences` has room for LB_MAX_DIFFERENCES; further ones are counted
 * only. */
typedef struct lb_findings {
    lb_arena *arena;
    const lb_call_memory *memory;
    const char *oracle; /* of the findings to come */
    unsigned count;
    lb_difference *differences;
    lb_result
        *pictured; /* gets a map of the first output whose data differ; NULL: nobody wants one */
} lb_findings;

/* Room for one more finding, filled with empty texts, one of one. */
lb_difference *lb_findings_add(lb_findings *findings, lb_differs what, const char *role);
/* An element as differences show it: "-12 (0xf4)". */
char *lb_container_text(lb_arena *arena, uint32_t el_type, int32_t value);
/* A container of 1, 2 or 4 bytes, sign-extended; any alignment. */
int32_t lb_read_container(const unsigned char *at, unsigned bytes);
/* The containers of elements that lie so, in row-major order. */
lb_values lb_read_elements(const unsigned char *base, const lb_layout *layout, lb_arena *arena);

/* Bytes of a tensor's elements under a recorded expectation, and how they lie. */
typedef struct lb_element_view {
    const unsigned char *base; /* NULL: nothing to read */
    lb_layout layout;
    uint32_t el_type;
} lb_element_view;

/* The elements that an expectation's list speaks of: through the expected view where the function
 * returns one (data_in), else as given. changed: may be NULL; expected: fields after the call. */
lb_element_view lb_recorded_view(const lb_instance *instance, lb_role role,
                                 const lb_changed *changed, const lb_fields *expected);
/* Is the whole view inside the block? An expectation may describe a view that the case's buffers do
 * not hold. */
bool lb_view_is_inside(const lb_instance *instance, const lb_element_view *view);

/* What the recorded expectation says against what an instance holds after its call. */
void lb_compare_recorded(lb_findings *findings, const lb_expect *expect, const lb_instance *got,
                         const lb_fields (*given)[LB_MAX_LIST]);

/* What the exact model's instance holds against the port's. */
void lb_compare_exact(lb_findings *findings, const lb_instance *exact, const lb_instance *port);

/* What nobody may touch: inputs, gaps between elements, guard zones. (Found by lb_compare_exact too
 * where the exact model is right; this tells what it was.) */
void lb_compare_untouched(lb_findings *findings, const lb_instance *got);

#endif
