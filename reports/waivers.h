/* Waivers: failures that somebody has signed for, until a date. A waived failure is shown as
 * waived, never as passed. */
#ifndef LB_REPORTS_WAIVERS_H
#define LB_REPORTS_WAIVERS_H

#include "results.h"

typedef struct lb_waiver {
    unsigned line;                             /* in the waiver file */
    const char *case_pattern, *port, *profile; /* shell patterns; "*": any */
    const char *owner, *reason, *link;         /* link: "" if there is none */
    const char *expires; /* "2031-12-31": the last day on which it holds, UTC */
    const char *words;   /* owner, reason, link and expiry in one line */
    uint64_t used;       /* failures that it matched */
} lb_waiver;

typedef struct lb_waivers {
    const char *path;
    lb_waiver *list;
    size_t count;
} lb_waivers;

/* Is the text a date of the calendar, YYYY-MM-DD? */
bool lb_waiver_date_is_good(const char *text);
/* Today in UTC, as such a date. */
void lb_waiver_today(char text[11]);
/* Has it expired on that day? Dates of this form compare as texts. */
bool lb_waiver_has_expired(const lb_waiver *waiver, const char *today);

/* If the result failed or was an error and a waiver matches it: makes it a waived one and counts
 * the use. Of a result that was waived before (read from a journal) the use is counted. Strings of
 * the waiver are lent to the result. */
void lb_waivers_apply(lb_waivers *waivers, const char *port, lb_result *result);

/* Tells on standard error, as FILE:LINE, of the waivers that no failure needed, and gives their
 * number. Waivers for other ports and profiles are left aside. Of a run that is not whole (a shard,
 * chosen cases) nothing can be said: 0. */
unsigned lb_waivers_tell_unused(const lb_waivers *waivers, const lb_run_info *info);

/* Opens a results file as lb_results_open does, with waivers applied. An unused waiver is told on
 * standard error and is a failure as well. */
lb_results_reader *lb_waivers_open(lb_waivers *waivers, const char *path, char *error,
                                   size_t error_bytes);

#endif
