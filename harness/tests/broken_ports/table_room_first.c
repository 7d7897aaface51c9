/* Looks whether there is room for a table before anything else: the type, which is to be written
 * all the same (recurrent.md 3), stays as it was. */
#include "broken.h"

static mli_status broken_create(mli_lut *lut)
{
    if (lut && (int32_t)lut->data.capacity < mli_krn_l2_normalize_get_lut_size())
        return MLI_STATUS_NOT_ENGH_MEM;
    return mli_krn_l2_normalize_create_lut(lut);
}

BROKEN_PORT("broken: room for a table first")
#define mli_krn_l2_normalize_create_lut broken_create
#include "../../port_kit/lb_kit.c"
