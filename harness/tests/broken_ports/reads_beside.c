/* Reads the bytes beside its input, as a window that is one too wide does, and makes nothing of
 * them.
 */
#include "broken.h"

static volatile int8_t sink;

static mli_status broken_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_relu_fx8(in, cfg, out);
    if (status == MLI_STATUS_OK) {
        sink = in->data.mem.pi8[-1];
        sink = in->data.mem.pi8[broken_count(in)];
    }
    return status;
}

BROKEN_PORT("broken: reads beside its input")
#define mli_krn_relu_fx8 broken_relu
#include "../../port_kit/lb_kit.c"
