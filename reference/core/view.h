/* Views: tensors made over memory that stands already, so that a row of a tensor, a scratch row and
 * a whole tensor are read and written alike. Nothing is copied. Spec: recurrent.md 6 (slices of
 * weights and bias, frames, scratch rows). */
#ifndef LB_REFERENCE_VIEW_H
#define LB_REFERENCE_VIEW_H

#include "tensor.h"

/* Sets the quantization as kernels do that fix the format of their output: frac_bits for fx; for sa
 * the three values, type 0 and dim -1 (the capacities of per-axis lists stay, a QUIRK of
 * recurrent.md 4). */
void lb_set_quant(lb_tensor *t, lb_quant quant);

/* A dense vector of `length` elements at `memory`. */
lb_tensor lb_vector(void *memory, uint32_t el_type, uint32_t length, lb_quant quant);

/* The part of t at `index` of its outermost dimension: rank one less, rank(t) >= 2. Quantization
 * per axis 0 becomes that of the index, per another axis keeps its lists. */
lb_tensor lb_slice(const lb_tensor *t, uint32_t index);

/* The same memory in another format. */
lb_tensor lb_with_quant(const lb_tensor *t, lb_quant quant);

#endif
