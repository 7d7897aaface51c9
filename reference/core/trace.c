/* Composes the names of traced steps and hands the values to the listener. */
#include "trace.h"

#include <stdio.h>

enum { NAME_BYTES = 64 };

static const char *dot(const char *before, const char *after)
{
    return before && after ? "." : "";
}

static const char *text(const char *part)
{
    return part ? part : "";
}

void lb_trace_value(const lb_trace *trace, lb_trace_step step, unsigned index, int64_t value,
                    double real)
{
    if (!trace)
        return;
    char name[NAME_BYTES];
    const char *before_what = step.term ? step.term : step.part;
    snprintf(name, sizeof name, "%s%s%s%s%s", text(step.part), dot(step.part, step.term),
             text(step.term), dot(before_what, step.what), text(step.what));
    trace->value(trace->user, name, step.frame, index, value, real);
}
