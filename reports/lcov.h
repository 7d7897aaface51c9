/* Line coverage from a tracefile of lcov (.info), summed up per room. */
#ifndef LB_REPORTS_LCOV_H
#define LB_REPORTS_LCOV_H

#include "names.h"
#include "results.h"

typedef struct lb_lcov {
    lb_line_coverage *list; /* one entry per room, in the order of the file */
    size_t count;
    lb_names rooms;
    char *link;
} lb_lcov;

/* Reads the tracefile. A room is a folder right below the deepest folder that holds all sources.
 * `link` ("" for none) is where lcov's pages stand, as seen from the document. False: a message
 * ("FILE:LINE: ...") in error; lb_lcov_free either way. */
bool lb_lcov_read(lb_lcov *lcov, const char *path, const char *link, char *error,
                  size_t error_bytes);
void lb_lcov_free(lb_lcov *lcov);

#endif
