/* The whole MLI 2.0 API in one include: types, helpers, kernels, data movement. Platform numbers
 * and build limits stand in mli_config.h, which programs include by themselves. */
#ifndef MLI_API_H
#define MLI_API_H

#include "api/mli_helpers_api.h"
#include "api/mli_kernels_api.h"
#include "api/mli_mov_api.h"
#include "mli_types.h"

#endif
