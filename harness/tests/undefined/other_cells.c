/* LSTM and GRU whose first result is always another, and that crash where out's zero point is no
 * int8: what a port may do where the API promises nothing. */
#include "../broken_ports/broken.h"

#include <stdlib.h>

static mli_status other(mli_status status, mli_tensor *out)
{
    if (status == MLI_STATUS_OK)
        broken_put(out, 0, broken_get(out, 0) ^ 1);
    return status;
}

static mli_status other_lstm(const mli_tensor *in, const mli_tensor *prev_out,
                             const mli_tensor *weights_in, const mli_tensor *weights_out,
                             const mli_tensor *bias, const mli_lut *tanh_lut,
                             const mli_lut *sigm_lut, const mli_rnn_cell_cfg *cfg, mli_tensor *cell,
                             mli_tensor *out)
{
    if (out->el_params.sa.zero_point.mem.i16 > INT8_MAX)
        abort();
    return other(mli_krn_lstm_cell_sa8_sa8_sa32(in, prev_out, weights_in, weights_out, bias,
                                                tanh_lut, sigm_lut, cfg, cell, out),
                 out);
}

static mli_status other_gru(const mli_tensor *in, const mli_tensor *prev_out,
                            const mli_tensor *weights_in, const mli_tensor *weights_out,
                            const mli_tensor *bias, const mli_lut *tanh_lut,
                            const mli_lut *sigm_lut, const mli_rnn_cell_cfg *cfg, mli_tensor *out)
{
    return other(mli_krn_gru_cell_sa8_sa8_sa32(in, prev_out, weights_in, weights_out, bias,
                                               tanh_lut, sigm_lut, cfg, out),
                 out);
}

BROKEN_PORT("cells whose first result is another")
#define mli_krn_lstm_cell_sa8_sa8_sa32 other_lstm
#define mli_krn_gru_cell_sa8_sa8_sa32  other_gru
#include "../../port_kit/lb_kit.c"
