/* Problems of one file: see problems.h. */
#include "harness/json/problems.h"

#include <stdio.h>

bool lb_problems_full(const lb_problems *problems)
{
    return problems->found >= LB_MAX_PROBLEMS;
}

void lb_problems_stop(lb_problems *problems)
{
    problems->found = LB_MAX_PROBLEMS;
}

void lb_problem_v(lb_problems *problems, lb_place place, const char *remedy, const char *format,
                  va_list arguments)
{
    lb_diagnostics *to = problems->diagnostics;
    if (lb_problems_full(problems))
        return;
    problems->found++;
    if (!to)
        return;
    lb_diagnostic d = {.line = place.line, .column = place.column};
    snprintf(d.file, sizeof d.file, "%s", problems->file ? problems->file : "");
    snprintf(d.case_id, sizeof d.case_id, "%s", place.case_id ? place.case_id : "");
    snprintf(d.key, sizeof d.key, "%s", place.key ? place.key : "");
    snprintf(d.remedy, sizeof d.remedy, "%s", remedy);
    vsnprintf(d.problem, sizeof d.problem, format, arguments);
    to->count++;
    if (to->report)
        to->report(to->user, &d);
}

void lb_problem(lb_problems *problems, lb_place place, const char *remedy, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lb_problem_v(problems, place, remedy, format, arguments);
    va_end(arguments);
}
