/* What a model run says of its steps: every intermediate number by name, for whoever wants to show
 * them. A trace costs nothing where nobody listens: models emit through these functions, which do
 * nothing without one. */
#ifndef LB_REFERENCE_TRACE_H
#define LB_REFERENCE_TRACE_H

#include <stdint.h>

/* The listener. `name` is valid during the callback only: parts joined by dots, "i.x.acc", "cell",
 * "out". frame: number of the processed frame, from 0 (0 for functions without frames); index:
 * element of a vector of results. value: the integer; real: the real number that it stands for in
 * its format. */
typedef struct lb_trace {
    void (*value)(void *user, const char *name, unsigned frame, unsigned index, int64_t value,
                  double real);
    void *user;
} lb_trace;

/* Where a step stands. The parts of the name may be NULL. */
typedef struct lb_trace_step {
    const char *part; /* of the function: "i", "n", ... (a gate) */
    const char *term; /* of that part: "x", "h", "in0", ... (an input) */
    const char *what; /* "acc", "mul", ... */
    unsigned frame;
} lb_trace_step;

/* Tells the listener of one value. trace may be NULL. */
void lb_trace_value(const lb_trace *trace, lb_trace_step step, unsigned index, int64_t value,
                    double real);

#endif
