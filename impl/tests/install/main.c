/* A program that knows libmli only as installed: prints version and profile, and the rectified 1.5
 * and -1.5. */
#include <stdio.h>

#include <mli_api.h>
#include <mli_lastbit.h>

int main(void)
{
    int8_t data[2] = {24, -24}, result[2];
    mli_tensor in = {0};
    const mli_relu_cfg cfg = {MLI_RELU_1};
    in.data.mem.pi8 = data;
    in.data.capacity = sizeof data;
    in.rank = 1;
    in.shape[0] = 2;
    in.mem_stride[0] = 1;
    in.el_type = MLI_EL_FX_8;
    in.el_params.fx.frac_bits = 4;
    mli_tensor out = in;
    out.data.mem.pi8 = result;
    if (mli_krn_relu_fx8(&in, &cfg, &out) != MLI_STATUS_OK)
        return 1;
    printf("%s %s %d %d\n", mli_ext_version(), mli_ext_get_profile(), result[0], result[1]);
    return 0;
}
