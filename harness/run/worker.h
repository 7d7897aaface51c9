/* Inside one worker: takes chunks of cases, tries them, appends the results. Shared with pool.c
 * alone. */
#ifndef LB_HARNESS_RUN_WORKER_H
#define LB_HARNESS_RUN_WORKER_H

#include "harness/run/pool.h"

#include <stdatomic.h>

enum { LB_CHUNK_CASES = 16, LB_RESULT_BYTES = 1 << 16 };

/* What a worker tells its parent, in shared memory. */
typedef struct lb_worker_slot {
    atomic_uint_fast64_t chunk_first,
        chunk_end;              /* case numbers that this worker has taken and not finished */
    atomic_uint_fast64_t order; /* of the result in work */
    atomic_uint_fast64_t works; /* times that the port has begun to work: each has its own limit */
    atomic_bool at_work;        /* on that result */
    atomic_bool port_works;     /* the port is at work on it: its time counts */
    atomic_bool failed;         /* it gave up for a reason that it has printed */
} lb_worker_slot;

typedef struct lb_worker_shared {
    atomic_uint_fast64_t next_case; /* first case that nobody has taken */
    atomic_uint_fast64_t results;   /* appended so far in this run */
    atomic_uint_fast64_t failing;   /* fails and errors, those known before too */
    atomic_bool stopped;            /* there were as many as the run bears, and cases are left */
    atomic_uint_fast64_t marked;    /* of them, those whose accumulator is too narrow */
    atomic_uint_fast64_t vacuous;   /* and those whose case proves little */
    lb_worker_slot slots[];
} lb_worker_shared;

/* Works until no case is left. False: failed, with a message. */
bool lb_worker_run(const lb_pool_options *options, unsigned char *verdicts,
                   lb_worker_shared *shared, unsigned slot);

/* Appends an `error` result for one order, in the name of a worker that is gone. */
bool lb_worker_append_error(const lb_pool_options *options, unsigned char *verdicts, uint64_t order,
                            const char *reason, bool out_of_time);

#endif
