/* The API of MLI 2.0 as another library might declare it: same names, but fields in another order
 * and of other widths, and enumerations with other values. lastbit's kit and implementation are
 * compiled with these to show that they depend on names alone. */
#ifndef MLI_API_H
#define MLI_API_H

#include "mli_types.h"

#include "api/mli_mov_api.h"
#include "mli_helpers_api.h"
#include "mli_kernels_api.h"

#endif
