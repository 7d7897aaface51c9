/* Coverage counted again: the points that the cases of stored results reach in the exact model,
 * held to what the head of the results says. */
#ifndef LB_HARNESS_PACKAGE_RECOUNT_H
#define LB_HARNESS_PACKAGE_RECOUNT_H

#include "harness/coverage/observe.h"

#include "reports/results.h"

/* Of results that passed all points count. What became of others (the port lacks the function, it
 * crashed before it came so far) may have left some out: they may be there, and need not. */
typedef struct lb_recount {
    struct lb_cover_map *sure, *most;
    bool is_sure; /* of the result at hand */
} lb_recount;

void lb_recount_start(lb_recount *recount, const lb_profile *const *profiles, size_t count);
/* Listens for the result at hand. */
lb_cover_listener lb_recount_listener(lb_recount *recount);
/* Calls of movement in steps are not made again: nothing is said of their functions. */
void lb_recount_hold(const lb_recount *recount, const lb_run_info *info,
                     void (*contradiction)(void *user, const char *text), void *user);
void lb_recount_end(lb_recount *recount);

#endif
