/* The ways to run a plain convolution, between which conv_run.c chooses. */
#ifndef LB_MLI_CONV_WAYS_H
#define LB_MLI_CONV_WAYS_H

#include "conv_plan.h"

/* On panels of weights (conv_panel.c); false, and nothing done, if the level has no panels, or
 * there is no memory. */
LB_MLI_HIDDEN bool lb_mli_conv_run_panels(const struct lb_mli_conv *conv);

/* On packed operands and plain C (conv_packed.c); false, and nothing done, if there is no memory.
 */
LB_MLI_HIDDEN bool lb_mli_conv_run_packed(const struct lb_mli_conv *conv);

/* Without packing, for few outputs (conv_direct.c). */
LB_MLI_HIDDEN void lb_mli_conv_run_direct(const struct lb_mli_conv *conv);

/* Channel by channel: as lb_mli_conv_run_channels (conv_depthwise.c). */
LB_MLI_HIDDEN void lb_mli_conv_run_depthwise(const struct lb_mli_conv *conv);

/* Likewise on loaded rows (conv_depthwise_taps.c); false, and nothing done, if that does not suit
 * the level or the convolution. */
LB_MLI_HIDDEN bool lb_mli_conv_run_depthwise_taps(const struct lb_mli_conv *conv);

#endif
