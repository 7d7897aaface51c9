/* Leaves garbage in the fields of a table, and says as an old agent did that it does not tell them.
 */
#include "broken.h"

#include "../../port_kit/lb_kit_wire.h"

static mli_status broken_create(mli_lut *lut)
{
    mli_status status = mli_krn_softmax_create_lut(lut);
    if (status == MLI_STATUS_OK)
        lut->length = lut->in_frac_bits = lut->input_offset = 99;
    return status;
}

BROKEN_PORT("broken: fields of a table untold")
#define mli_krn_softmax_create_lut broken_create
enum { NOWHERE = LB_WIRE_CONFIG_WORDS - 2 };
#define LB_WIRE_LUT_IS_TOLD NOWHERE
#include "../../port_kit/lb_kit.c"
