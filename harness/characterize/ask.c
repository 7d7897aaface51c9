/* Calls in the time that is left: see ask.h. */
#include "harness/characterize/ask.h"
#include "harness/base/clock.h"

#include <math.h>

bool lb_ask_in_time(const lb_ask *ask)
{
    return lb_worked_seconds() < *ask->end;
}

const lb_left *lb_ask_port(const lb_ask *ask, const lb_case *c, unsigned misaligned,
                           const char **trouble)
{
    enum { SHARE = 8 };
    static const double least = 0.5; /* the last call may pass the end by so much */
    lb_port *port = ask->character->port;
    bool passed = false;
    double now = lb_now_seconds(), worked = lb_worked_seconds(),
           share = floor(100 * (*ask->end - worked) / SHARE) / 100;
    port->seconds_left = share > least ? share : least;
    const lb_left *left = lb_evidence_call(ask->evidence, port, c, ask->character->asked,
                                           misaligned, ask->arena, &passed, trouble);
    double waited = lb_now_seconds() - now - (lb_worked_seconds() - worked);
    port->seconds_left = 0;
    *ask->end -= waited;
    *ask->waited += waited;
    /* Where the asked numerics leave their accumulator a result is judged by nobody, but the port's
     * is what is looked for. */
    if (left && !port->failure)
        *trouble = NULL;
    return *trouble ? NULL : left;
}
