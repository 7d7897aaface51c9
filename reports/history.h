/* Many stored runs, in the order of time: how verdicts, speed, headroom, coverage and strength
 * went, which cases change their verdict to and fro, and since when others fail. */
#ifndef LB_REPORTS_HISTORY_H
#define LB_REPORTS_HISTORY_H

#include "doc.h"
#include "names.h"
#include "results.h"

/* What is kept of one run. */
typedef struct lb_history_run {
    char *path, *started, *port, *commit, *product;
    char *
        sha256; /* of the port and the suites: runs with equal ones tried the same; "": not known */
    lb_tally tally;
    bool is_part, is_short;
    uint64_t points, hit;    /* of coverage; 0: not told */
    uint64_t faults, caught; /* of strength; 0: not told */
    int headroom;            /* the smallest; INT_MAX: none was told */
    double microseconds;     /* of all calls that passed */
    double speed;            /* rates of the benchmark against those of the first run that has the
                                row: their geometric mean; 0: no row that another run has */
    unsigned char *verdicts; /* of each case in its profile, by number: 0 not there, else 1 +
                                verdict; beyond verdict_count: not there */
    size_t verdict_count;
    lb_speed *rows; /* its strings are owned */
    size_t row_count;
} lb_history_run;

/* Of a case in its profile. */
typedef struct lb_history_case {
    size_t changes;  /* of pass to fail or back, from run to run */
    size_t unsteady; /* of these, between runs that tried the same; and runs in which the case was
                        not the same each time */
    size_t
        failing_since; /* it fails in the last run and has since this one; SIZE_MAX: it does not */
} lb_history_case;

typedef struct lb_history {
    lb_history_run *runs; /* the earliest first */
    size_t count, room;
    lb_names cases; /* "SUITE\nID\nPROFILE" */
    lb_history_case *facts;
    unsigned char *again; /* of each case: it was told to change within a run */
    size_t again_room;
} lb_history;

/* Reads files of results, and in folders all that are below. False: the cause in error.
 * lb_history_free either way. */
bool lb_history_read(lb_history *history, char *const *paths, size_t count, char *error,
                     size_t error_bytes);
void lb_history_free(lb_history *history);

/* The page. */
bool lb_history_html(const lb_history *history, FILE *out);

#endif
