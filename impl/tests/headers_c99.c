/* The public headers under C99, each by the names that programs use (api.md 1), twice, and a
 * program in the style of that language. Compiled with -std=c99; run as a test. */
#include "mli_config.h"
#include <mli_api.h>

#include "mli_api.h"
#include "mli_check.h"
#include "mli_config.h"
#include "mli_helpers_api.h"
#include "mli_kernels_api.h"
#include "mli_lastbit.h"
#include "mli_mov_api.h"
#include "mli_types.h"

#include <stdio.h>

/* Tags that C programs may use. */
static enum _mli_status status;
static struct _mli_tensor in_tensor, out_tensor;
struct uses_tags {
    enum _mli_mov_state state;
    struct _mli_data_container container;
    union _mli_element_params params;
    struct _mli_lut lut;
    struct _mli_mov_cfg cfg;
    struct _mli_mov_handle_t handle;
};

static MLI_FORCE_INLINE int16_t twice(int16_t v)
{
    return (int16_t)(v * 2);
}

int main(void)
{
    int16_t data[3] = {-5, 0, 5}, result[3];
    const mli_relu_cfg cfg = {MLI_RELU_GEN};
    in_tensor.data.mem.pi16 = data;
    in_tensor.data.capacity = sizeof data;
    in_tensor.rank = 1;
    in_tensor.shape[0] = 3;
    in_tensor.el_type = MLI_EL_FX_16;
    in_tensor.el_params.fx.frac_bits = 2;
    mli_hlp_set_tensor_mem_strides(&in_tensor);
    out_tensor = in_tensor;
    out_tensor.data.mem.pi16 = result;
    status = mli_krn_relu_fx16(&in_tensor, &cfg, &out_tensor);
    if (status != MLI_STATUS_OK || result[0] != 0 || result[2] != 5 || twice(result[2]) != 10) {
        fprintf(stderr, "status %d, result %d %d %d\n", (int)status, result[0], result[1],
                result[2]);
        return 1;
    }
    return PLATFORM == X86_PLATFORM ? 0 : 1;
}
