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

/* Elements of a tensor; 0: none, or more than a case may have. */
uint64_t lb_tflite_elements(const lb_tflite_tensor *t);
/* The numbers of a constant, into an operand of as many elements. */
bool lb_tflite_fill_constant(lb_tflite_build *b, const lb_tflite_tensor *t, lb_case_tensor *made);
/* Fills the case but for id, note, feeds and data that layers give. False: why. */
bool lb_tflite_build_case(lb_tflite_build *b);
/* Does the operator hand on the elements of its input as they are (RESHAPE and its like)? */
bool lb_tflite_hands_on(const lb_tflite_operator *o);

#endif
