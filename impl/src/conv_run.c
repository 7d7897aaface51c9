/* The choice between the ways to run a convolution. */
#include "conv_run.h"

#include "conv_ways.h"

/* Below so many outputs of a channel each weight is used too seldom to pay for packing it. */
enum { OUTPUTS_TO_PACK = 10 };

void lb_mli_conv_run(const struct lb_mli_conv *conv)
{
    const bool pays =
        !LB_MLI_SMALL && conv->rows.out * conv->cols.out >= (conv->prepared ? 1 : OUTPUTS_TO_PACK);
    if (!pays || !(lb_mli_conv_run_panels(conv) || lb_mli_conv_run_packed(conv)))
        lb_mli_conv_run_direct(conv);
}

void lb_mli_conv_run_channels(const struct lb_mli_conv *conv)
{
    if (LB_MLI_SMALL || !lb_mli_conv_run_depthwise_taps(conv))
        lb_mli_conv_run_depthwise(conv);
}
