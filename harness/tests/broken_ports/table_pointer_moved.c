/* Writes a table with the pointer of the caller's structure, which ends behind the last entry. */
#include "broken.h"

static mli_status broken_create(mli_lut *lut)
{
    mli_status status = mli_krn_softmax_create_lut(lut);
    if (status == MLI_STATUS_OK)
        lut->data.mem.pi16 += lut->length;
    return status;
}

BROKEN_PORT("broken: pointer of a table moved")
#define mli_krn_softmax_create_lut broken_create
#include "../../port_kit/lb_kit.c"
