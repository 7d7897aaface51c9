/* An operator of a model on its way to a case: what the parts of from_tflite share. */
#ifndef LB_HARNESS_GENERATE_FROM_TFLITE_CASE_H
#define LB_HARNESS_GENERATE_FROM_TFLITE_CASE_H

#include "harness/suite/case.h"
#include "harness/tflite/model.h"
#include "reference/litert/prepare.h"

typedef struct lb_tflite_build {
    const lb_tflite_model *model;
    const lb_tflite_operator *o;
    const lb_profile *profile;
    lb_arena *arena;
    lb_case *c;
    int32_t source[LB_ROLE_COUNT]; /* the tensor that feeds a role; LB_TFLITE_NO_TENSOR: none */
    lb_prepared_call call;         /* what is said of it in real numbers */
    uint64_t products;             /* that the call sums up, as far as they count */
    const char *why;               /* the operator has no case; NULL: so far it has */
} lb_tflite_build;

/* Notes the first reason, and gives false. */
bool lb_tflite_refuse(lb_tflite_build *b, const char *format, ...) LB_FORMAT_CHECKED(2, 3);

/* ---- Operands (from_tflite_operands.c) ---- */

/* The tensor of an operand; NULL: refused, because it is not there. */
const lb_tflite_tensor *lb_tflite_input(lb_tflite_build *b, unsigned place);
const lb_tflite_tensor *lb_tflite_output(lb_tflite_build *b);
/* Elements of a tensor; 0: none, or more than a case may have. */
uint64_t lb_tflite_elements(const lb_tflite_tensor *t);
/* The type of the set; false: it has none (refused). */
bool lb_tflite_el_type(lb_tflite_build *b, const lb_tflite_tensor *t, lb_el_type *type);
/* One scale above 0 and one zero point that the type holds. */
bool lb_tflite_quant(lb_tflite_build *b, const lb_tflite_tensor *t, lb_lite_quant *quant);
/* The operator's input as an operand: with the numbers of a constant, or to be fed. */
bool lb_tflite_put_input(lb_tflite_build *b, lb_role role, unsigned place);
bool lb_tflite_put_output(lb_tflite_build *b);
/* The numbers of a constant, into an operand of as many elements. */
bool lb_tflite_fill_constant(lb_tflite_build *b, const lb_tflite_tensor *t, lb_case_tensor *made);
/* Weights of int8, constant. */
bool lb_tflite_put_weights(lb_tflite_build *b, unsigned place);
/* The bias, if it is given, of one number for each of so many channels. */
bool lb_tflite_put_bias(lb_tflite_build *b, unsigned place, uint32_t channels);
/* A list of numbers of 32 bits, which are the caller's to fill. */
int32_t *lb_tflite_put_list(lb_tflite_build *b, lb_role role, uint32_t count);

/* ---- The operator (from_tflite_operators.c) ---- */

/* Fills the case but for id, note, feeds and data that layers give. False: why. */
bool lb_tflite_build_case(lb_tflite_build *b);
/* Does the operator hand on the elements of its input as they are (RESHAPE and its like)? */
bool lb_tflite_hands_on(const lb_tflite_operator *o);

#endif
