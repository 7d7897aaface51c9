/* Writes its output densely, whatever its strides. */
#include "broken.h"

static mli_status broken_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    mli_tensor dense = out ? *out : (mli_tensor){.rank = 0};
    if (out && out->rank > 0 && out->rank <= 4)
        mli_hlp_set_tensor_mem_strides(&dense);
    mli_status status = mli_krn_relu_fx16(in, cfg, out ? &dense : NULL);
    if (out)
        out->el_params = dense.el_params;
    return status;
}

BROKEN_PORT("broken: output stride ignored")
#define mli_krn_relu_fx16 broken_relu
#include "../../port_kit/lb_kit.c"
