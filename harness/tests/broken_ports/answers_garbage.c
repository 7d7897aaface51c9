/* Writes over the line itself when one function is called. */
#include "broken.h"

static mli_status broken_leaky_relu(const mli_tensor *in, const mli_tensor *slope, mli_tensor *out);

BROKEN_PORT("broken: garbage")
#define mli_krn_leaky_relu_fx16 broken_leaky_relu
#include "../../port_kit/lb_kit.c"

static mli_status broken_leaky_relu(const mli_tensor *in, const mli_tensor *slope, mli_tensor *out)
{
    static const uint8_t garbage[64] = "leaky relu here! \xB5\x4C\x82\xB5\x4C";
    (void)in, (void)slope, (void)out;
    while (lb_kit.transport->write(lb_kit.transport->line, garbage, sizeof garbage))
        ;
    return MLI_STATUS_OK;
}
