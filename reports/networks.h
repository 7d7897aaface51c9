/* Networks of a run, in the order of the results: the layers of one, and the profiles that agree on
 * every figure of them. */
#ifndef LB_REPORTS_NETWORKS_H
#define LB_REPORTS_NETWORKS_H

#include "doc.h"
#include "results.h"

/* Begins with all zero. */
typedef struct lb_network_walk {
    const lb_layer_drift *layers; /* of the first of the profiles */
    size_t count;
    lb_doc profiles;    /* "up-full, up-reduced", terminated */
    size_t next, suite; /* the next network, and the first one of its suite */
} lb_network_walk;

/* Goes to the next network. False: there is none, and `profiles` is released; or no memory, which
 * profiles.failed says. */
bool lb_network_next(lb_network_walk *walk, const lb_run_info *info);

#endif
