/* A fault to be found: a kernel whose last output is one too large. The kit calls this function in
 * place of the library's (the name is swapped on the compiler's command line), as a porter's own
 * file might stand in for a kernel. */
#include <mli_api.h>

#undef mli_krn_eltwise_add_sa8
mli_status mli_krn_eltwise_add_sa8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
mli_status seeded_fault_eltwise_add_sa8(const mli_tensor *in1, const mli_tensor *in2,
                                        mli_tensor *out);

mli_status seeded_fault_eltwise_add_sa8(const mli_tensor *in1, const mli_tensor *in2,
                                        mli_tensor *out)
{
    mli_status status = mli_krn_eltwise_add_sa8(in1, in2, out);
    if (status == MLI_STATUS_OK && out->rank > 0) {
        int32_t last = 0;
        for (uint32_t d = 0; d < out->rank; d++)
            last += (int32_t)(out->shape[d] - 1) * out->mem_stride[d];
        out->data.mem.pi8[last] =
            (int8_t)(out->data.mem.pi8[last] < 127 ? out->data.mem.pi8[last] + 1 : 126);
    }
    return status;
}
