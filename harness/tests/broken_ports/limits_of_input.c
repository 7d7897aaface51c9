/* The limits of ReLU stand about the zero point of the input, not that of the output. */
#include "broken.h"

/* The limit in steps of the output (numerics.md 6); the scale is positive. */
static int64_t steps_of(int64_t limit, const mli_tensor *out)
{
    const int frac = out->el_params.sa.scale_frac_bits.mem.i8;
    if (frac < 0)
        return (frac < -8 ? 0 : limit >> -frac) / out->el_params.sa.scale.mem.i16;
    return (limit << (frac > 40 ? 40 : frac)) / out->el_params.sa.scale.mem.i16;
}

static mli_status broken_fully_connected(const mli_tensor *in, const mli_tensor *weights,
                                         const mli_tensor *bias, const mli_fully_connected_cfg *cfg,
                                         mli_tensor *out)
{
    mli_status status = mli_krn_fully_connected_sa8_sa8_sa32(in, weights, bias, cfg, out);
    const int type = status == MLI_STATUS_OK ? (int)cfg->relu.type : MLI_RELU_NONE;
    const int frac = type != MLI_RELU_NONE ? out->el_params.sa.scale_frac_bits.mem.i8 : 0;
    if (type < MLI_RELU_GEN || type > MLI_RELU_6 || frac >= 28)
        return status;
    mli_fully_connected_cfg unlimited = *cfg;
    unlimited.relu.type = MLI_RELU_NONE;
    status = mli_krn_fully_connected_sa8_sa8_sa32(in, weights, bias, &unlimited, out);
    const int zero = in->el_params.sa.zero_point.mem.i16;
    const int64_t step = steps_of(type == MLI_RELU_6 ? 6 : 1, out);
    const int64_t low = type == MLI_RELU_1 ? zero - step : zero;
    const int64_t high = type == MLI_RELU_GEN ? INT8_MAX : zero + step;
    for (size_t i = 0; i < broken_count(out); i++) {
        const size_t at = broken_offset(out, i);
        int64_t value = broken_get(out, at);
        value = value > high ? high : value;
        value = value < low ? low : value;
        broken_put(out, at, broken_clip(value, out));
    }
    return status;
}

BROKEN_PORT("broken: limits of ReLU about the zero point of the input")
#define mli_krn_fully_connected_sa8_sa8_sa32 broken_fully_connected
#include "../../port_kit/lb_kit.c"
