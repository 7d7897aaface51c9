/* lastbit requantize --encodings: what the encodings of a layer's tensors become in LiteRT. */
#ifndef LB_HARNESS_COMMAND_REQUANTIZE_LAYER_H
#define LB_HARNESS_COMMAND_REQUANTIZE_LAYER_H

#include "harness/base/options.h"
#include "reference/litert/prepare.h"

typedef struct lb_requantize_layers {
    const char *encodings;
    lb_list layers; /* "IN,WEIGHTS,OUT" each */
    lb_lite_fused fused;
    bool is_fully_connected;
} lb_requantize_layers;

/* Prints the configuration of each layer as YAML, to be pasted into a case. The exit status; what
 * is wrong is told. */
int lb_requantize_print_layers(const lb_requantize_layers *asked);

#endif
