/* What the files of readings share with one another, and with edits and writings. */
#ifndef LB_HARNESS_FAULTS_READING_RUNS_H
#define LB_HARNESS_FAULTS_READING_RUNS_H

#include "harness/faults/places.h"
#include "harness/faults/views.h"

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
    LB_READ_BASE,      /* moved by the argument */
    LB_READ_BACKWARDS, /* in these dimensions (bits): the argument, or the number of the kind */
    LB_READ_ONE        /* element for all */
} lb_read_at;
/* Where a kernel with the fault (`user`) takes an element to lie; below 0: nowhere. */
int64_t lb_source_found(const lb_tensor *t, const uint32_t *index, const void *user);
int64_t lb_source_dense(const lb_tensor *t, const uint32_t *index, const void *user);

/* Orders of dimensions, but for those that are the memory's own, or (`kernel` is NULL) of gates, as
 * decimal digits from 1; ended by 0. */
extern const int lb_orders_3[], lb_orders_4[];
enum { LB_GATE_ROLES = 3 };
extern const int lb_gate_roles[LB_GATE_ROLES]; /* operands of a cell that have gates */
void lb_put_orders(const lb_fault *like, const lb_kernel *kernel, const int *orders,
                   lb_fault_sink sink, void *user);

/* The exact model with another form of its formulas (reference/mli/forms.h): the number of the
 * kind, or the argument. */
bool lb_run_form(lb_fault_run *run);

/* Lists of quantization parameters: of all, or of one, each entry i of `count` is as entry
 * from(view, i, count) was. False: nothing has changed. */
typedef enum lb_lists { LB_ALL_LISTS, LB_SCALE_LIST, LB_ZERO_POINT_LIST, LB_FRAC_LIST } lb_lists;
typedef uint32_t (*lb_entry_source)(const lb_fault_view *view, uint32_t i, uint32_t count);
bool lb_read_entries(lb_fault_view *view, lb_tensor *t, lb_lists which, lb_entry_source from);

/* Movement. */
/* A view of a movement whose fields follow; dropped where nothing has changed, or where it would
 * leave the memory of the call. */
bool lb_read_mov_run_with_fields(lb_fault_view *view, bool changed);
#endif
