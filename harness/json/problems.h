/* Problems of one file on their way to the diagnostics: counted, and cut off where more would not
 * help. */
#ifndef LB_HARNESS_JSON_PROBLEMS_H
#define LB_HARNESS_JSON_PROBLEMS_H

#include "harness/base/format_checked.h"
#include "harness/json/diagnostics.h"

#include <stdarg.h>

enum { LB_MAX_PROBLEMS = 20 }; /* reported per file */

typedef struct lb_problems {
    lb_diagnostics *diagnostics;
    const char *file;
    unsigned found; /* in this file */
} lb_problems;

/* Where a problem is. Texts may be NULL. */
typedef struct lb_place {
    unsigned line, column; /* 0: not known */
    const char *case_id;
    const char *key;
} lb_place;

/* Reports one problem, described printf-like; `remedy` (may be "") says what would be right. Beyond
 * LB_MAX_PROBLEMS nothing is reported. */
void lb_problem(lb_problems *problems, lb_place place, const char *remedy, const char *format, ...)
    LB_FORMAT_CHECKED(4, 5);
void lb_problem_v(lb_problems *problems, lb_place place, const char *remedy, const char *format,
                  va_list arguments) LB_FORMAT_CHECKED(4, 0);

/* Enough: the reader of the file should stop. */
bool lb_problems_full(const lb_problems *problems);
/* Makes it enough: what follows could not be understood. Only after a problem. */
void lb_problems_stop(lb_problems *problems);

#endif
