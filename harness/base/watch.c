/* Waiting awake: see watch.h. */
#include "harness/base/watch.h"
#include "harness/base/clock.h"

#include <sched.h>

enum { AWAKE_NS = 50000 };

bool lb_watch(struct pollfd *events, nfds_t count)
{
    const uint64_t until = lb_now_ns() + AWAKE_NS;
    do {
        if (poll(events, count, 0) != 0)
            return true;
        sched_yield();
    } while (lb_now_ns() < until);
    return false;
}
