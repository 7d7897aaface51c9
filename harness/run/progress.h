/* A progress bar on standard error, on a terminal only. */
#ifndef LB_HARNESS_RUN_PROGRESS_H
#define LB_HARNESS_RUN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lb_progress {
    bool visible;
    uint64_t total;
    uint64_t started_ns, shown_ns;
} lb_progress;

/* Visible only if wanted and standard error is a terminal. */
void lb_progress_start(lb_progress *progress, bool wanted, uint64_t total);
void lb_progress_show(lb_progress *progress, uint64_t done);
/* Wipes the bar. */
void lb_progress_end(lb_progress *progress);

#endif
