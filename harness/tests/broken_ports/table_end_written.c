/* Writes one byte behind the table when it makes it. */
#include "broken.h"

static mli_status broken_create(mli_lut *lut)
{
    mli_status status = mli_krn_tanh_create_lut(lut);
    if (status == MLI_STATUS_OK)
        lut->data.mem.pi8[mli_krn_tanh_get_lut_size()] = 0;
    return status;
}

BROKEN_PORT("broken: one byte behind a table")
#define mli_krn_tanh_create_lut broken_create
#include "../../port_kit/lb_kit.c"
