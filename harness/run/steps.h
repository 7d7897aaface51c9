/* Every step behind failing results, for the documents of a run: of each function the simplest
 * failing case is explained. */
#ifndef LB_HARNESS_RUN_STEPS_H
#define LB_HARNESS_RUN_STEPS_H

#include "harness/explain/explanation.h"
#include "harness/port/port.h"
#include "harness/run/journal.h"
#include "harness/run/run_plan.h"

/* With what calls are made again. */
typedef struct lb_steps_wish {
    lb_port *port;
    unsigned misalign;             /* as in lb_memory_options */
    double seconds;                /* that one call may take */
    const lb_diagnosed *diagnosed; /* what the failure is under; NULL: not known */
} lb_steps_wish;

/* The explanation of the case, its steps in cells (explain/text.h), in the arena. NULL: there is
 * none, for the case is no single call with an exact model, or the port cannot make it. */
const char *lb_steps_text(const lb_steps_wish *wish, const lb_case *c, const char *file,
                          const lb_profile *profile, lb_arena *arena);

typedef struct lb_told_steps {
    uint64_t order; /* of the result */
    const char *text;
} lb_told_steps;

typedef struct lb_run_steps {
    lb_told_steps *list; /* in the order of the run */
    size_t count;
    lb_arena arena;
} lb_run_steps;

/* Explains while there is time. `verdicts`: 0 not tried, else 1 + verdict. */
void lb_run_steps_make(lb_run_steps *steps, const lb_steps_wish *wish, const lb_plan *plan,
                       const lb_journal *journal, const unsigned char *verdicts,
                       uint64_t order_count, double seconds);
/* Of this result; NULL: it has none. */
const char *lb_run_steps_of(const lb_run_steps *steps, uint64_t order);
void lb_run_steps_free(lb_run_steps *steps);

#endif
