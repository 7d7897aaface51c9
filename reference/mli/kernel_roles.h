/* Role lists of the functions' argument lists, for the rows of kernels.c. Spec: api.md 4. */
#ifndef LB_REFERENCE_KERNEL_ROLES_H
#define LB_REFERENCE_KERNEL_ROLES_H

#include "describe/kernels.h"

extern const lb_role_spec lb_roles_none[];
extern const lb_role_spec lb_roles_weighted[];  /* in, weights, bias, out */
extern const lb_role_spec lb_roles_rnn_dense[]; /* the same with lists of in and weights */
extern const lb_role_spec
    lb_roles_lstm[]; /* in, prev_out, weights_in, weights_out, bias, cell, out */
extern const lb_role_spec lb_roles_gru[];          /* as lstm without cell */
extern const lb_role_spec lb_roles_unary[];        /* in, out */
extern const lb_role_spec lb_roles_slope[];        /* in, slope, out */
extern const lb_role_spec lb_roles_l2_normalize[]; /* in, epsilon, out */
extern const lb_role_spec lb_roles_binary[];       /* in1, in2, out */
extern const lb_role_spec lb_roles_getter[];       /* in */
extern const lb_role_spec lb_roles_compare[];      /* in1, in2 */
extern const lb_role_spec lb_roles_table[];        /* out: the memory of a table */
extern const lb_role_spec lb_roles_set_strides[];  /* in, both ways */

#endif
