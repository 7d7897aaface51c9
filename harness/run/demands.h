/* What becomes of a run beside its verdicts: was anything tested at all, and is it as much as was
 * asked for (--fail-on-skip, --min-passed, --require-functions)? */
#ifndef LB_HARNESS_RUN_DEMANDS_H
#define LB_HARNESS_RUN_DEMANDS_H

#include "harness/port/port.h"
#include "harness/run/journal.h"
#include "harness/run/run_options.h"

enum { LB_STATUS_NOTHING_TESTED = 4 };

enum { LB_MAX_SKIP_REASONS = 8 };

typedef struct lb_skip_reason {
    char *text;
    uint64_t count;
} lb_skip_reason;

/* What the lines of a journal say, gathered in one pass. */
typedef struct lb_gathered {
    const lb_port *port;
    lb_skip_reason skips[LB_MAX_SKIP_REASONS];
    size_t skip_count;
    uint64_t other_skips;     /* with reasons that found no place */
    uint64_t *passed;         /* results of each function, by lb_kernel_number */
    uint64_t sequences;       /* passes of sequences of movement calls */
    uint64_t far;             /* passes that are out of tolerance of the real model */
    uint64_t exact, recorded; /* passes that the exact model, and a recording, agrees with */
} lb_gathered;

/* False: the journal cannot be read back, with a message. Freed by lb_gathered_free either way. */
bool lb_gather(const lb_journal *journal, uint64_t order_count, const lb_port *port,
               lb_gathered *gathered);
void lb_gathered_free(lb_gathered *gathered);

/* Are the names of --require-functions functions of the API? False: a message. */
bool lb_demands_check(const lb_run_options *options);

/* Passes that are far from the real numbers, which a profile found by experiments allows. */
void lb_print_far(const lb_gathered *gathered, FILE *out);
/* Why results were skipped, one line a reason, on standard output. */
void lb_print_skips(const lb_gathered *gathered, FILE *out);

/* What the run is asked to have done and has not, on standard error; gives how many demands are not
 * met. */
unsigned lb_demands_unmet(const lb_run_options *options, const lb_port *port, lb_set set,
                          const lb_run_info *info, const lb_tally *tally,
                          const lb_gathered *gathered);

/* Says on standard error why nothing was tested: no result passed, and none failed. */
void lb_tell_nothing_tested(const lb_run_options *options, const lb_plan *plan,
                            const lb_tally *tally);

#endif
