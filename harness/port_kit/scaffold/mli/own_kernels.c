/* Kernels of your own. Each takes the place of one of the library (own_kernels in CMakeLists.txt);
 * write your code where this one forwards. */
#include <mli_api.h>

mli_status my_port_relu_fx8(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out);

mli_status my_port_relu_fx8(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    return mli_krn_relu_fx8(in, cfg, out);
}
