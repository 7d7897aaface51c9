/* Tells a table that is one entry longer than it is, and leaves out its last field. */
#include "broken.h"

static mli_status broken_create(mli_lut *lut)
{
    int32_t output_offset = lut ? lut->output_offset : 0;
    mli_status status = mli_krn_tanh_create_lut(lut);
    if (status == MLI_STATUS_OK) {
        lut->length++;
        lut->output_offset = output_offset;
    }
    return status;
}

BROKEN_PORT("broken: table too long")
#define mli_krn_tanh_create_lut broken_create
#include "../../port_kit/lb_kit.c"
