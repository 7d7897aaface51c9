/* What a port gives, as an expectation of the case: an analysis of trials that takes status, data
 * and changed fields from the port's instance. */
#ifndef LB_HARNESS_GENERATE_RECORDING_H
#define LB_HARNESS_GENERATE_RECORDING_H

#include "harness/trial/analysis.h"

/* Results of one case, one a profile that was tried. */
typedef struct lb_recording {
    lb_expect expect[LB_NUMERICS_COUNT];
    size_t count;
    const char *refused; /* why the last result was not taken; NULL: it was */
} lb_recording;

/* Listens to trials and fills *recording; the caller empties it before each case. A result is
 * refused where the specification leaves it undefined, or where an expectation cannot say it. */
lb_analysis lb_recording_analysis(lb_recording *recording);

/* Puts `found` beside what the case has; a profile that has a result already keeps it, or, with
 * `replace`, gets the new one. Equal results of several profiles become one entry. Gives how many
 * profiles were kept as they were. */
size_t lb_recording_merge(lb_case *c, const lb_recording *found, const lb_source *from,
                          bool replace, lb_arena *arena);

#endif
