/* The checks of the convolution families, in the order of conv.md 11. Not called in a build without
 * checks. */
#ifndef LB_MLI_CONV_CHECK_H
#define LB_MLI_CONV_CHECK_H

#include "conv_plan.h"

enum lb_mli_conv_family { LB_MLI_CONV2D, LB_MLI_DEPTHWISE_CONV2D, LB_MLI_GROUP_CONV2D };

/* kernel: height and width that a specialization demands, 0: any. round: of the call's profile. A
 * NULL tensor is BAD_TENSOR where the original crashes. */
LB_MLI_HIDDEN mli_status lb_mli_check_conv(enum lb_mli_conv_family family,
                                           enum lb_mli_conv_kind kind, uint32_t kernel,
                                           const mli_tensor *in, const mli_tensor *weights,
                                           const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                           const mli_tensor *out, enum lb_mli_round round);

/* As above for transposed convolutions, whose specializations demand strides of 2 as well. */
LB_MLI_HIDDEN mli_status lb_mli_check_transpose(enum lb_mli_conv_kind kind, uint32_t kernel,
                                                const mli_tensor *in, const mli_tensor *weights,
                                                const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                                const mli_tensor *out, enum lb_mli_round round);

#endif
