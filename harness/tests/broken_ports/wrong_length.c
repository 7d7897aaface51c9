/* Answers with fewer results than were asked for. */
#include "broken.h"

static mli_status broken_permute(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out);

BROKEN_PORT("broken: wrong length")
#define mli_krn_permute_fx16 broken_permute
#include "../../port_kit/lb_kit.c"

static mli_status broken_permute(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out)
{
    uint8_t frame[LB_WIRE_FRAME_BYTES + 5] = {0};
    (void)in, (void)cfg, (void)out;
    uint32_t bytes =
        lb_wire_seal(frame, LB_WIRE_WORK | LB_WIRE_REPLY, lb_wire_get16(lb_kit.rx + 4), 5);
    lb_kit.transport->write(lb_kit.transport->line, frame, bytes);
    return MLI_STATUS_OK;
}
