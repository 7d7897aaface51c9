/* Weights of a convolution that were packed before the call (mli_lastbit.h). */
#ifndef LB_MLI_CONV_PREPARED_H
#define LB_MLI_CONV_PREPARED_H

#include "conv_panel.h"

/* A block of channels: its weights, and the sums that packing found. */
struct lb_mli_packed {
    const char *weights;
    const int32_t *sums;
};

/* The caller's memory as it stands in a call: NULL if it has not the weights of this convolution at
 * its level, which then packs them itself. */
LB_MLI_HIDDEN const struct lb_mli_prepared *lb_mli_prepared_for(const struct lb_mli_conv *conv,
                                                                const void *memory);

/* Debug builds: are the weights what they were when they were packed? Other builds: true. */
LB_MLI_HIDDEN bool lb_mli_prepared_is_current(const struct lb_mli_conv *conv,
                                              const struct lb_mli_prepared *prepared);

/* Layout.bytes of what was packed. */
LB_MLI_HIDDEN bool lb_mli_prepared_bytes(const struct lb_mli_prepared *prepared);

LB_MLI_HIDDEN struct lb_mli_packed lb_mli_prepared_block(const struct lb_mli_prepared *prepared,
                                                         const struct lb_mli_panel_layout *layout,
                                                         size_t index);

#endif
