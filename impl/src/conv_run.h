/* Running a plain convolution. */
#ifndef LB_MLI_CONV_RUN_H
#define LB_MLI_CONV_RUN_H

#include "conv_plan.h"

/* In the way that suits its size. */
LB_MLI_HIDDEN void lb_mli_conv_run(const struct lb_mli_conv *conv);

/* Likewise where depth is 1, and channel c of the output has input channel c. */
LB_MLI_HIDDEN void lb_mli_conv_run_channels(const struct lb_mli_conv *conv);

#endif
