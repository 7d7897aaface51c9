/* Changed views of a call: the exact model runs on other configurations, other parameters and
 * operands read in another way. Whatever a view says, it points at real memory: operands that are
 * read otherwise are copies in which the elements have been moved. */
#ifndef LB_HARNESS_FAULTS_VIEWS_H
#define LB_HARNESS_FAULTS_VIEWS_H

#include "harness/faults/faults.h"

/* A view at work. Its call is that of run->out; what a kernel does not write is put back by the
 * three functions that end it. */
typedef struct lb_fault_view {
    lb_fault_run *run;
    lb_call *call;
    lb_arena scratch; /* changed operands, until the view ends */
    lb_config kept_config;
    lb_tensor kept[LB_ROLE_COUNT][LB_MAX_LIST];
} lb_fault_view;

/* False: the exact model has computed nothing in this case, so no reading behind the checks has a
 * say. */
bool lb_view_begin(lb_fault_view *view, lb_fault_run *run);

/* Tensor `index` of a role as the view has it, or NULL. */
lb_tensor *lb_view_tensor(lb_fault_view *view, int role, unsigned index);

/* The quantization of the first entry; that of numbers without one where there is no tensor, or
 * where its lists cannot be read, as an output's may be that a port fills in. */
lb_quant lb_view_first_quant(const lb_tensor *t);

/* Where in its memory (in elements, from its data pointer) a kernel with the fault looks for the
 * element at `index`. Places outside of the tensor's buffer are cut to its ends. */
typedef int64_t (*lb_view_source)(const lb_tensor *t, const uint32_t *index, const void *user);

/* Moves the elements of an operand so that the exact model reads what a kernel with the fault
 * would. False: nothing has changed. Once per tensor. */
bool lb_view_remap(lb_fault_view *view, int role, unsigned tensor_index, lb_view_source source,
                   const void *user);

/* Gives the tensor memory of its own with room for `bytes`, and its old bytes in front; returns
 * that memory. NULL: it has no memory (rank 0, no data). */
unsigned char *lb_view_own_memory(lb_fault_view *view, int role, unsigned tensor_index,
                                  size_t bytes);

/* Bytes from the tensor's data pointer to the end of its buffer; 0 for none. */
size_t lb_view_available(const lb_fault_view *view, const lb_tensor *t);

/* Gives the tensor lists of its own for its quantization, of `count` entries each: entry i as entry
 * i % (the old number) was. False: it is not quantized per axis. */
bool lb_view_own_lists(lb_fault_view *view, lb_tensor *t, uint32_t count);

/* Would the function accept the call as the view has it? */
bool lb_view_is_accepted(const lb_fault_view *view);

/* Ends: runs the exact model. Data are as it leaves them on this view; fields of outputs are right:
 * the fault is in how data are read. Always true. */
bool lb_view_run(lb_fault_view *view);
/* The same, fields as the model leaves them on this view. */
bool lb_view_run_with_fields(lb_fault_view *view);
/* The same behind the function's checks, which see the view as well. */
bool lb_view_run_checked(lb_fault_view *view);
/* The same for runs that have run a model themselves. */
bool lb_view_end(lb_fault_view *view);
bool lb_view_end_with_fields(lb_fault_view *view);
/* Ends without a run, everything as before. Always false. */
bool lb_view_drop(lb_fault_view *view);
/* Runs where something has changed, or another fault stands beside this one; else drops. */
bool lb_view_run_if(lb_fault_view *view, bool changed);

/* After a run: is anything of the output, or any byte, not as it should be? */
bool lb_view_has_changed(const lb_fault_run *run);
/* Of kinds that have a `change`: it is made, and the model run where it is one. */
bool lb_view_change_run(lb_fault_run *run);

/* ---- Memory after the call ---- */

/* Has the exact model computed in this case? */
bool lb_fault_has_result(const lb_fault_run *run);
/* Makes run->out what the exact model leaves: bytes, fields, status, returned value. */
void lb_fault_take_right(lb_fault_run *run);
/* What a kernel with the fault gives for element `flat` of the output is not known, for example
 * because it reads what lies outside of the call's memory. After the view has ended. */
void lb_fault_unsay(lb_fault_run *run, int role, size_t flat);
/* The same of all elements of `out` whose index in a dimension is `first` or more. */
void lb_fault_unsay_from(lb_fault_run *run, unsigned dim, uint32_t first);
/* How a function uses a role. */
lb_role_use lb_fault_role_use(const lb_kernel *kernel, int role);

#endif
