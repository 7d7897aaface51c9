/* Reads one byte in front of its input, in one function, and makes nothing of it. */
#include "broken.h"

static volatile int8_t sink;

static mli_status broken_permute(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_permute_fx8(in, cfg, out);
    if (status == MLI_STATUS_OK)
        sink = in->data.mem.pi8[-1];
    return status;
}

BROKEN_PORT("broken: reads in front of its input")
#define mli_krn_permute_fx8 broken_permute
#include "../../port_kit/lb_kit.c"
