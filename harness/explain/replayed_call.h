/* The call that an explanation is about: made once by exact model and port, and ready to be made
 * again and again. */
#ifndef LB_HARNESS_EXPLAIN_REPLAYED_CALL_H
#define LB_HARNESS_EXPLAIN_REPLAYED_CALL_H

#include "harness/call/fields.h"
#include "harness/port/port.h"
#include "reports/results.h"

/* Memory, tensors and call of an instance at one moment. */
typedef struct lb_snapshot {
    unsigned char *block;
    lb_tensor tensors[LB_ROLE_COUNT][LB_MAX_LIST];
    lb_call call;
} lb_snapshot;

typedef struct lb_replayed {
    const lb_case *test_case;
    const lb_profile *profile;
    lb_arena *arena;
    lb_call_memory memory;
    lb_snapshot before;      /* as the call finds it; of a chain: the call at hand */
    lb_instance exact, port; /* after it */
    lb_fields given[LB_ROLE_COUNT][LB_MAX_LIST];
    uint32_t call_number, calls; /* of a chain: this one, and all; else 1, 1 */
    const lb_rule *rule;         /* that the call violates, or NULL */
    bool computed;               /* the exact model has computed outputs */
    bool port_ran;
    bool port_skipped;        /* the port does not have the function, or cannot take the case */
    const char *port_trouble; /* why it did not: "not provided by the port", "crashed: ..." */
    const lb_expect *expect;  /* recorded; NULL: nothing is */
    lb_expect checkpoint;     /* room for it */
    lb_result result;         /* verdict and differences; without a port: recorded against exact */
    const double
        *real[LB_ROLE_COUNT]; /* real values of the outputs, row-major; NULL: there are none */
} lb_replayed;

/* Makes the call; a chain goes on to the first call that diverges, or to its last. The case is no
 * sequence and has an exact model. The port's calls get a process of their own, and at most so many
 * seconds. Memory comes from the arena. */
void lb_replayed_open(lb_replayed *replayed, const lb_case *c, const lb_profile *profile,
                      lb_port *port, unsigned misaligned, double seconds, lb_arena *arena);

/* The same replayed of a call that a port has made already: `port` is its instance after call
 * number `call_number` (of a chain; else 1). The exact model makes its calls anew. */
void lb_replayed_adopt(lb_replayed *replayed, const lb_case *c, const lb_profile *profile,
                       const lb_instance *port, uint32_t call_number, lb_arena *arena);

/* Does the port or the recording diverge from the exact model? */
bool lb_replayed_diverges(const lb_replayed *replayed);

/* Makes the call once more on the exact instance, in this context. */
void lb_replayed_repeat(lb_replayed *replayed, const lb_context *context);

/* ---- Elements of an output, row-major in the shape that the case gives ---- */

lb_layout lb_replayed_layout(const lb_replayed *replayed, lb_role role);
/* Where element `flat` stands in an instance of the replayed; NULL: the output has no memory. */
const unsigned char *lb_replayed_address(const lb_replayed *replayed, const lb_instance *instance,
                                         lb_role role, size_t flat);
/* Its container. fp32: the pattern. */
int64_t lb_replayed_value(const lb_replayed *replayed, const lb_instance *instance, lb_role role,
                          size_t flat);
/* What it was before the call. */
int64_t lb_replayed_value_before(const lb_replayed *replayed, lb_role role, size_t flat);
/* What is recorded of it; false: nothing is. */
bool lb_replayed_recorded(const lb_replayed *replayed, lb_role role, size_t flat, int64_t *value);
/* Number of the element in the tensor's own shape, as models count; false: the shape does not reach
 * it. */
bool lb_replayed_model_element(const lb_replayed *replayed, lb_role role, size_t flat,
                               size_t *element);

/* The tensor of a place that a step names, as the call found it: NULL: it is a
 * vector that the call makes. */
const lb_tensor *lb_replayed_tensor(const lb_replayed *replayed, lb_owner owner);

#endif
