/* Packs its weights once and keeps them: a second call with other weights at the same place gets
 * the results of the first. */
#include "broken.h"

static mli_status broken_rnn_dense(const mli_tensor **in, const mli_tensor **weights,
                                   const mli_tensor *bias, const mli_rnn_dense_cfg *cfg,
                                   mli_tensor *out)
{
    static int8_t packed[4096];
    static const int8_t *packed_from;
    mli_status status = mli_krn_rnn_dense_sa8_sa8_sa32(in, weights, bias, cfg, out);
    if (status != MLI_STATUS_OK || broken_count(weights[0]) > sizeof packed)
        return status;
    mli_tensor first = *weights[0];
    const mli_tensor *list[4] = {&first, weights[1], weights[2], weights[3]};
    if (packed_from != first.data.mem.pi8)
        memcpy(packed, first.data.mem.pi8, broken_count(&first));
    packed_from = first.data.mem.pi8;
    first.data.mem.pi8 = packed;
    return mli_krn_rnn_dense_sa8_sa8_sa32(in, list, bias, cfg, out);
}

BROKEN_PORT("broken: stale cache of weights")
#define mli_krn_rnn_dense_sa8_sa8_sa32 broken_rnn_dense
#include "../../port_kit/lb_kit.c"
