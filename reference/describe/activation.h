/* sigmoid and tanh of an element, as the kernels have it, and on a vector, a step of the recurrent
 * cells.
 * Spec: recurrent.md 4, 6 (act). */
#ifndef LB_REFERENCE_ACTIVATION_H
#define LB_REFERENCE_ACTIVATION_H

#include "core/scale_num.h"

/* The numbers are those of `act` in the configuration of recurrent cells. */
typedef enum lb_activation {
    LB_ACTIVATION_NONE,
    LB_ACTIVATION_TANH,
    LB_ACTIVATION_SIGM
} lb_activation;

/* Format of the result: fx8 7, fx16 15 fractional bits; sa8 (1, 8, -128) of sigm, (1, 7, 0) of
 * tanh. */
lb_quant lb_activation_format(lb_activation activation, uint32_t el_type);

/* Who listens to one element of an activation. */
typedef struct lb_activation_place {
    lb_steps *steps; /* NULL: nobody */
    size_t element;
    lb_origin in;                 /* name of the input */
    const lb_known_format *known; /* of the input's format; NULL: nothing */
} lb_activation_place;

/* One element, of an input of this type and format. */
lb_num lb_activated(const lb_profile *profile, lb_activation activation, uint32_t el_type,
                    lb_num_quant from, lb_num v, lb_steps *steps);
/* Its steps come next. */
void lb_activation_enter(lb_activation activation, lb_steps *steps);

/* out[i] = activation(in[i]), tanh or sigm, of every element; sets the quantization of out, but no
 * other field. in: fx8, fx16 or sa8, per-tensor quantization; out: same type and shape. They may be
 * one tensor. */
void lb_activate(const lb_profile *profile, lb_activation activation, const lb_tensor *in,
                 lb_tensor *out, lb_activation_place place);

/* The function of a real number; the identity for LB_ACTIVATION_NONE. */
double lb_activation_real(lb_activation activation, double x);

#endif
