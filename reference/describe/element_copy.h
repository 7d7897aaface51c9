/* Moving elements and quantization parameters without looking at them: what permute and movement
 * have in common. Spec: pooling_and_movement.md 3, 4. Tensors here have rank >= 1 and a type with
 * containers. */
#ifndef LB_REFERENCE_ELEMENT_COPY_H
#define LB_REFERENCE_ELEMENT_COPY_H

#include "core/steps.h"

/* Copies one container bit for bit, of any type; offsets in elements. Both tensors have the type of
 * `from`. */
void lb_element_copy(lb_tensor *to, size_t to_offset, const lb_tensor *from, size_t from_offset);
/* Sets one container to zero bits. */
void lb_element_clear(lb_tensor *to, size_t to_offset);
/* Tells a listener (steps may be NULL) of such a copy from role `in`, at this index of it, or,
 * `from` NULL, of zero bits. */
void lb_element_tell_copy(lb_steps *steps, const lb_tensor *to, size_t to_offset,
                          const lb_tensor *from, size_t from_offset, const uint32_t *from_index);

/* The union of element parameters as a whole: frac_bits and all of sa. */
void lb_params_copy(lb_tensor *to, const lb_tensor *from);
/* The three containers of a per-axis tensor: pointers and capacities, not what they point to. */
void lb_axis_lists_share(lb_tensor *to, const lb_tensor *from);
/* Entry of the three lists of a per-axis tensor; they need not be aligned. */
void lb_axis_entry_set(lb_tensor *to, uint32_t entry, lb_quant quant);
/* How the lists of a destination stand to those of a per-axis source: what permute and movement
 * decide by. */
typedef enum lb_axis_lists {
    LB_LISTS_NULL, /* all three pointers NULL */
    LB_LISTS_SAME, /* all three those of the source */
    LB_LISTS_OWN,  /* none of them NULL, none that of the source */
    LB_LISTS_MIXED
} lb_axis_lists;
lb_axis_lists lb_axis_lists_of(const lb_tensor *to, const lb_tensor *from);
/* None of the three pointers is NULL. */
bool lb_axis_lists_present(const lb_tensor *t);
/* The lists have room for `count` entries by their capacities (2, 2 and 1 bytes each). */
bool lb_axis_lists_hold(const lb_tensor *t, uint64_t count);
/* The places of the parameters hold pointers, or nothing: not the one value of a tensor that is
 * quantized as a whole. */
bool lb_axis_lists_are_pointers(const lb_tensor *t);
/* No list of one tensor meets a list of the other. */
bool lb_axis_lists_apart(const lb_tensor *a, const lb_tensor *b);
/* sa with a list of parameters per index of a dimension. */
bool lb_is_per_axis(const lb_tensor *t);

#endif
