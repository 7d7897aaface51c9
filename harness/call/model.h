/* The one runner of the models: calls of a case on memory of their own, up to any call of a chain.
 */
#ifndef LB_HARNESS_CALL_MODEL_H
#define LB_HARNESS_CALL_MODEL_H

#include "harness/call/call_memory.h"

/* What the exact model made of a call. */
typedef struct lb_ran {
    const lb_rule *violated; /* NULL: none */
    lb_unsaid undefined;     /* LB_SAID, or why the API promises nothing for the call */
    bool computed;           /* no rule is violated, and the status is ok */
} lb_ran;

/* A fresh instance of the case, in the arena with all that it needs. */
lb_instance *lb_instance_of(const lb_case *c, lb_arena *arena);
/* Runs the exact model. */
lb_ran lb_model_call(const lb_context *context, lb_instance *instance);
/* From before call number `from` of a chain to before call number `to`. Gives the number of the
 * call that the instance stands before: a smaller one, where a call does not compute. */
uint32_t lb_model_go_to(const lb_profile *profile, lb_instance *instance, uint32_t from,
                        uint32_t to);
/* How many calls a case makes. */
uint32_t lb_calls_of(const lb_case *c);
/* Runs the real model on the arguments as they stand. Its lists are made where they are missing;
 * what it does not fill is NAN. */
void lb_model_real_values(const lb_profile *profile, const lb_instance *instance,
                          lb_real_outputs *real, lb_arena *arena);

#endif
