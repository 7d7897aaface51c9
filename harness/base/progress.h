/* How far something is, on standard error: a bar on a terminal, a line now and then elsewhere. */
#ifndef LB_HARNESS_BASE_PROGRESS_H
#define LB_HARNESS_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum lb_progress_way {
    LB_PROGRESS_OFF,
    LB_PROGRESS_BAR,  /* on a terminal; elsewhere nothing */
    LB_PROGRESS_LINES /* where it is no terminal, a line every ten seconds */
} lb_progress_way;

typedef struct lb_progress {
    bool visible, is_bar;
    const char *what; /* that is counted: "results" */
    uint64_t total;
    uint64_t started_ns, shown_ns;
} lb_progress;

void lb_progress_start(lb_progress *progress, lb_progress_way way, const char *what,
                       uint64_t total);
void lb_progress_show(lb_progress *progress, uint64_t done);
/* Wipes the bar. */
void lb_progress_end(lb_progress *progress);

#endif
