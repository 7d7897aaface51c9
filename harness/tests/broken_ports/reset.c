/* A watchdog resets the machine in the middle of a call: it starts anew and says so. */
#include "broken.h"

static mli_status broken_tanh(const mli_tensor *in, const mli_lut *lut, mli_tensor *out);

BROKEN_PORT("broken: reset")
#define mli_krn_tanh_fx16 broken_tanh
#include "../../port_kit/lb_kit.c"

static mli_status broken_tanh(const mli_tensor *in, const mli_lut *lut, mli_tensor *out)
{
    (void)in, (void)lut, (void)out;
    lb_kit_notice(LB_WIRE_READY);
    return MLI_STATUS_OK;
}
