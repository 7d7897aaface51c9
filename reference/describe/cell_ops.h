/* Elementwise steps of the recurrent cells, on vectors with formats of their own. Spec:
 * recurrent.md 6 (MUL, ADD), 8 step 5. a, b, out: vectors of one length and type (fx16 or sa8, per
 * tensor), inner stride 1; out may be a or b. */
#ifndef LB_REFERENCE_CELL_OPS_H
#define LB_REFERENCE_CELL_OPS_H

#include "core/scale_num.h"
#include "kernels.h"

/* Who listens to one unit of a step, and what its vectors are called. NULL in its place: nobody. */
typedef struct lb_cell_place {
    lb_steps *steps; /* NULL: nobody */
    uint32_t unit;
    lb_part part;
    const char *section;
    lb_origin a, b;
    lb_owner out;
    const lb_known_format *of_a, *of_b, *of_out; /* of their formats; NULL: nothing */
    bool keeps_format; /* a has the format of out; of mul, b is a gate that sigm has made */
} lb_cell_place;

/* out = a * b, in the format of out. */
void lb_cell_mul(const lb_context *context, const lb_tensor *a, const lb_tensor *b, lb_tensor *out,
                 const lb_cell_place *place);
/* out = a + b, in the format of out. */
void lb_cell_add(const lb_context *context, const lb_tensor *a, const lb_tensor *b, lb_tensor *out,
                 const lb_cell_place *place);
/* v = 1 - v, where v is a result of sigm. */
void lb_cell_complement(lb_tensor *v, const lb_cell_place *place);

#endif
