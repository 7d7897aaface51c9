/* Networks: cases of a suite whose inputs are outputs of others ("feed"), run one behind the other,
 * by a port or by the models. */
#ifndef LB_HARNESS_TRIAL_NETWORK_H
#define LB_HARNESS_TRIAL_NETWORK_H

#include "harness/call/call_memory.h"
#include "harness/port/port.h"
#include "harness/suite/suite.h"

/* What a layer gave. */
typedef struct lb_layer_output {
    lb_el_type type;
    lb_quant quant;       /* after the call */
    size_t count;         /* 0: the layer has no such output */
    const int32_t *codes; /* containers, of fp32 patterns, in row-major order */
    const double *reals;  /* of the real model, fed with its own outputs; NULL: it has none */
} lb_layer_output;

typedef struct lb_layer {
    const char *id;
    const char *failed; /* why it gave nothing; NULL: it gave outputs */
    lb_layer_output output[LB_ROLE_COUNT];
} lb_layer;

/* The layers that have run, with one source of outputs. */
typedef struct lb_network {
    lb_port *port; /* NULL: the exact model */
    const lb_profile *profile;
    bool with_reals;
    lb_arena *arena; /* of what is kept */
    lb_layer *layers;
    size_t count, room; /* layers: the caller's to free */
} lb_network;

const lb_layer *lb_network_layer(const lb_network *n, const char *id);

/* A copy of the case, from the arena, with the data that the layers before it gave. NULL: *why. */
lb_case *lb_network_fed(const lb_network *n, const lb_case *c, lb_arena *arena, const char **why);

/* Runs the case, fed, and keeps what it gave. False: nothing (the layer says why). */
bool lb_network_run(lb_network *n, const lb_case *c);

/* Runs whatever the case is fed by, and that in turn. False: *why. */
bool lb_network_run_before(lb_network *n, lb_suite_reader *reader, size_t case_count,
                           const lb_case *c, const char **why);

#endif
