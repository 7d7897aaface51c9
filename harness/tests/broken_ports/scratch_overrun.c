/* Writes past the end of the scratch memory of a recurrent cell. */
#include "broken.h"

static mli_status broken_gru(const mli_tensor *in, const mli_tensor *prev_out,
                             const mli_tensor *weights_in, const mli_tensor *weights_out,
                             const mli_tensor *bias, const mli_lut *tanh_lut,
                             const mli_lut *sigm_lut, const mli_rnn_cell_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_gru_cell_sa8_sa8_sa32(in, prev_out, weights_in, weights_out, bias,
                                                      tanh_lut, sigm_lut, cfg, out);
    if (status == MLI_STATUS_OK)
        cfg->scratch_data.mem.pi8[cfg->scratch_data.capacity] = 0;
    return status;
}

BROKEN_PORT("broken: scratch memory overrun")
#define mli_krn_gru_cell_sa8_sa8_sa32 broken_gru
#include "../../port_kit/lb_kit.c"
