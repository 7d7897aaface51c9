/* lastbit's own kernels with one mistake, as porters make them: "lastbit demo" puts this on trial.
 *
 * A port as any other: a description, the kit compiled with the library's headers, and here one
 * kernel that stands in the way of the right one. */
#include "lb_kit.h"

#include <mli_api.h>
#include <mli_lastbit.h>

static void set_profile(const char *name)
{
    mli_ext_set_profile(name);
}

const lb_kit_port lb_port = {"lastbit's kernels with a mistake", LB_KIT_ALL_PROFILES, set_profile};

static mli_status mistaken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                  const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                  mli_tensor *out)
{
    if (!cfg)
        return mli_krn_conv2d_hwcn_sa8_sa8_sa32(in, weights, bias, cfg, out);
    mli_conv2d_cfg wrong = *cfg;
    wrong.stride_height = cfg->stride_width; /* the mistake: */
    wrong.stride_width = cfg->stride_height; /* the strides have changed places */
    return mli_krn_conv2d_hwcn_sa8_sa8_sa32(in, weights, bias, &wrong, out);
}

#define mli_krn_conv2d_hwcn_sa8_sa8_sa32 mistaken_conv2d
#include "lb_kit.c"
