/* Which input met which weight at which output, on the port and as it should be: what is the matter
 * with it, in words. */
#ifndef LB_HARNESS_DIAGNOSE_INDEX_MAP_H
#define LB_HARNESS_DIAGNOSE_INDEX_MAP_H

#include "harness/suite/case.h"

typedef struct lb_index_map {
    const lb_case *c;
    const lb_case_tensor *in, *weights, *out;
    size_t inputs, weight_count, outputs;
    const int32_t *right, *port; /* [weight][output]: flat number of the input; -1: none */
} lb_index_map;

/* "takes in[y, x+1, c] where in[y, x, c] is due, where the distance of the output to the end of
 * dimension 1 is 0"; NULL: no short way to say it. */
const char *lb_index_map_words(const lb_index_map *map, lb_arena *arena);

#endif
