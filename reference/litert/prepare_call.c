/* From a call as a model tells of it to its integers (litert.22): which of prepare.h makes them,
 * and what scales and zero points each operator asks for. */
#include "describe/prepared_call.h"
#include "prepare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const lb_lite_activations[] = {[LB_LITE_FUSED_NONE] = "none",
                                           [LB_LITE_FUSED_RELU] = "relu",
                                           [LB_LITE_FUSED_RELU6] = "relu6",
                                           [LB_LITE_FUSED_RELU_N1_TO_1] = "relu_n1_to_1",
                                           NULL};

/* Gives false. */
#define REFUSE(m, role, ...)                                                                       \
    ((void)snprintf((m)->why, sizeof(m)->why, __VA_ARGS__), (m)->wrong = (role), false)

/* ---- What an operand says ---- */

/* The one scale of an operand. */
static bool take(lb_prepared_call *m, lb_role role, lb_lite_quant *quant)
{
    const lb_model_quant *q = &m->operand[role];
    if (q->count != 1)
        return q->count == 0 ? REFUSE(m, role, "its scale and zero point are not given")
                             : REFUSE(m, role, "%zu scales, where the kernel knows one", q->count);
    *quant = (lb_lite_quant){q->scales[0], q->zero_point};
    return true;
}

static bool take_both(lb_prepared_call *m, lb_lite_quant *in, lb_lite_quant *out)
{
    return take(m, LB_ROLE_IN, in) && take(m, LB_ROLE_OUT, out);
}

static bool needs_zero(lb_prepared_call *m, lb_role role)
{
    const int32_t zero_point = m->operand[role].zero_point;
    return zero_point == 0 || REFUSE(m, role,
                                     "the zero point is %d, and the kernel knows none: a symmetric "
                                     "encoding",
                                     zero_point);
}

/* Of a kernel that knows one format of its output alone. */
static bool needs_quant(lb_prepared_call *m, double scale, int32_t zero_point)
{
    lb_lite_quant out;
    if (m->operand[LB_ROLE_OUT].count == 0)
        return true;
    if (!take(m, LB_ROLE_OUT, &out))
        return false;
    if (fabs((double)out.scale - scale) <= scale * 0x1p-10 && out.zero_point == zero_point)
        return true;
    return REFUSE(m, LB_ROLE_OUT,
                  "scale %g and zero point %d, and the kernel gives %g and %d whatever the model "
                  "says",
                  (double)out.scale, out.zero_point, scale, zero_point);
}

static bool needs_same(lb_prepared_call *m, lb_lite_quant in, lb_lite_quant out)
{
    return (in.scale == out.scale && in.zero_point == out.zero_point) ||
           REFUSE(m, LB_ROLE_OUT, "scale %g and zero point %d, and the input has %g and %d",
                  (double)out.scale, out.zero_point, (double)in.scale, in.zero_point);
}

static bool made(lb_prepared_call *m, bool good)
{
    return good || REFUSE(m, LB_ROLE_COUNT, "the reference refuses these scales");
}

static lb_el_type type_of(const lb_prepared_call *m)
{
    return (lb_el_type)m->kernel->in_type;
}

static lb_lite_fused fused_of(const lb_prepared_call *m)
{
    return m->has_activation ? (lb_lite_fused)m->activation : LB_LITE_FUSED_NONE;
}

/* ---- Weights (22.4) ---- */

static bool check_weights(lb_prepared_call *m, int32_t dimension)
{
    const lb_model_quant *w = &m->operand[LB_ROLE_WEIGHTS];
    if (w->count == 0)
        return REFUSE(m, LB_ROLE_WEIGHTS, "its scale is not given");
    if (w->count != 1 && w->count != m->channels)
        return REFUSE(m, LB_ROLE_WEIGHTS, "%zu scales, and %u channels", w->count, m->channels);
    if (w->count > 1 && w->axis != dimension)
        return REFUSE(m, LB_ROLE_WEIGHTS,
                      "the scales run along dimension %d, those of this kernel along %d", w->axis,
                      dimension);
    return needs_zero(m, LB_ROLE_WEIGHTS);
}

static bool prepare_weighted(const lb_profile *profile, lb_prepared_call *m, int32_t dimension,
                             bool has_offsets)
{
    lb_lite_quant in, out;
    if (!take_both(m, &in, &out) || !check_weights(m, dimension) ||
        (!has_offsets && (!needs_zero(m, LB_ROLE_IN) || !needs_zero(m, LB_ROLE_OUT))))
        return false;
    const lb_model_quant *w = &m->operand[LB_ROLE_WEIGHTS];
    for (uint32_t o = 0; o < m->channels && m->multiplier; o++) {
        const lb_lite_factor f =
            lb_lite_prepare_conv(profile, in.scale, w->scales[w->count > 1 ? o : 0], out.scale);
        m->multiplier[o] = f.multiplier;
        m->shift[o] = f.shift;
    }
    m->config.litert.input_offset = -in.zero_point;
    m->config.litert.output_offset = out.zero_point;
    lb_lite_prepare_limits((lb_el_type)m->kernel->out_type, fused_of(m), out, &m->config);
    return true;
}

static bool conv(const lb_profile *profile, lb_prepared_call *m)
{
    return prepare_weighted(profile, m, 0, type_of(m) == LB_S8);
}

static bool depthwise(const lb_profile *profile, lb_prepared_call *m)
{
    return prepare_weighted(profile, m, 3, type_of(m) == LB_S8);
}

static bool per_channel(const lb_profile *profile, lb_prepared_call *m)
{
    return prepare_weighted(profile, m, 0, true);
}

static bool fully_connected(const lb_profile *profile, lb_prepared_call *m)
{
    const lb_model_quant *w = &m->operand[LB_ROLE_WEIGHTS];
    lb_lite_quant in, out, weights;
    if (w->count > 1)
        return REFUSE(m, LB_ROLE_WEIGHTS,
                      "%zu scales: litert_fully_connected_per_channel takes several", w->count);
    if (!prepare_weighted(profile, m, 0, true) || !take_both(m, &in, &out) ||
        !take(m, LB_ROLE_WEIGHTS, &weights))
        return false;
    const lb_lite_factor f =
        lb_lite_prepare_fully_connected(profile, in.scale, weights.scale, out.scale);
    m->config.litert.multiplier = f.multiplier;
    m->config.litert.shift = f.shift;
    return true;
}

/* ---- Without weights ---- */

static bool pool(const lb_profile *profile, lb_prepared_call *m)
{
    lb_lite_quant in, out;
    (void)profile;
    if (!take_both(m, &in, &out) || !needs_same(m, in, out))
        return false;
    lb_lite_prepare_limits(type_of(m), fused_of(m), out, &m->config);
    return true;
}

typedef bool prepare_two(const lb_profile *, lb_el_type, lb_lite_quant, lb_lite_quant,
                         lb_lite_quant, lb_lite_fused, lb_config *);

static bool two(const lb_profile *profile, lb_prepared_call *m, prepare_two *prepare)
{
    lb_lite_quant in1, in2, out;
    return take(m, LB_ROLE_IN1, &in1) && take(m, LB_ROLE_IN2, &in2) && take(m, LB_ROLE_OUT, &out) &&
           made(m, prepare(profile, type_of(m), in1, in2, out, fused_of(m), &m->config));
}

static bool add(const lb_profile *profile, lb_prepared_call *m)
{
    return two(profile, m, lb_lite_prepare_add);
}

static bool sub(const lb_profile *profile, lb_prepared_call *m)
{
    return two(profile, m, lb_lite_prepare_sub);
}

static bool mul(const lb_profile *profile, lb_prepared_call *m)
{
    return two(profile, m, lb_lite_prepare_mul);
}

static bool softmax(const lb_profile *profile, lb_prepared_call *m)
{
    lb_lite_quant in;
    const bool is_s8 = type_of(m) == LB_S8, gives_s8 = m->kernel->out_type == LB_S8;
    return take(m, LB_ROLE_IN, &in) &&
           (gives_s8 ? needs_quant(m, 1 / 256.0, INT8_MIN)
            : is_s8  ? needs_quant(m, 1 / 65536.0, INT16_MIN)
                     : needs_quant(m, 1 / 32768.0, 0)) &&
           made(m, lb_lite_prepare_softmax(profile, type_of(m), in.scale, m->has_beta ? m->beta : 1,
                                           &m->config));
}

static bool sigmoid(lb_prepared_call *m, bool is_tanh)
{
    lb_lite_quant in;
    const bool is_s8 = type_of(m) == LB_S8;
    if (!take(m, LB_ROLE_IN, &in) || (!is_s8 && !needs_zero(m, LB_ROLE_IN)) ||
        !needs_quant(m,
                     !is_s8    ? 1 / 32768.0
                     : is_tanh ? 1 / 128.0
                               : 1 / 256.0,
                     is_s8 && !is_tanh ? INT8_MIN : 0))
        return false;
    return made(
        m, (is_tanh ? lb_lite_prepare_tanh : lb_lite_prepare_logistic)(type_of(m), in, &m->config));
}

static bool logistic(const lb_profile *profile, lb_prepared_call *m)
{
    (void)profile;
    return sigmoid(m, false);
}

static bool tangent(const lb_profile *profile, lb_prepared_call *m)
{
    (void)profile;
    return sigmoid(m, true);
}

static bool leaky_relu(const lb_profile *profile, lb_prepared_call *m)
{
    lb_lite_quant in, out;
    if (!m->has_alpha)
        return REFUSE(m, LB_ROLE_COUNT, "alpha is not given");
    return take_both(m, &in, &out) &&
           made(m, lb_lite_prepare_leaky_relu(profile, in, out, m->alpha, &m->config));
}

static bool relu(const lb_profile *profile, lb_prepared_call *m)
{
    lb_lite_quant in, out;
    return take_both(m, &in, &out) &&
           made(m, lb_lite_prepare_relu(profile, type_of(m), in, out, &m->config));
}

static bool relu6(const lb_profile *profile, lb_prepared_call *m)
{
    lb_lite_quant in, out;
    (void)profile;
    return take_both(m, &in, &out) && needs_same(m, in, out) &&
           made(m, lb_lite_prepare_relu6(type_of(m), in, &m->config));
}

static bool hard_swish(const lb_profile *profile, lb_prepared_call *m)
{
    lb_lite_quant in, out;
    return take_both(m, &in, &out) &&
           made(m, lb_lite_prepare_hard_swish(profile, in, out, &m->config));
}

static bool requantize(const lb_profile *profile, lb_prepared_call *m)
{
    lb_lite_quant in, out;
    return take_both(m, &in, &out) &&
           made(m, lb_lite_prepare_requantize(profile, in, out, &m->config));
}

static bool l2_normalization(const lb_profile *profile, lb_prepared_call *m)
{
    lb_lite_quant in;
    (void)profile;
    if (!take(m, LB_ROLE_IN, &in) || !needs_quant(m, 1 / 128.0, 0))
        return false;
    m->config.litert.input_zero_point = in.zero_point;
    return true;
}

/* ---- All ---- */

enum { ACTIVATION = 1, BETA = 2, ALPHA = 4 };

static const struct {
    const char *function; /* before the types of its operands; the first that fits */
    unsigned options;
    bool (*prepare)(const lb_profile *, lb_prepared_call *);
} preparers[] = {
    {"litert_conv_2d_", ACTIVATION, conv},
    {"litert_depthwise_conv_2d_", ACTIVATION, depthwise},
    {"litert_transpose_conv_", ACTIVATION, conv},
    {"litert_fully_connected_per_channel_", ACTIVATION, per_channel},
    {"litert_fully_connected_", ACTIVATION, fully_connected},
    {"litert_average_pool_2d_", ACTIVATION, pool},
    {"litert_max_pool_2d_", ACTIVATION, pool},
    {"litert_add_", ACTIVATION, add},
    {"litert_sub_", ACTIVATION, sub},
    {"litert_mul_", ACTIVATION, mul},
    {"litert_softmax_", BETA, softmax},
    {"litert_logistic_s", 0, logistic},
    {"litert_tanh_s", 0, tangent},
    {"litert_leaky_relu_", ALPHA, leaky_relu},
    {"litert_relu_", 0, relu},
    {"litert_relu6_", 0, relu6},
    {"litert_hard_swish_", 0, hard_swish},
    {"litert_requantize_", 0, requantize},
    {"litert_mean_", 0, requantize},
    {"litert_l2_normalization_", 0, l2_normalization},
};

bool lb_lite_prepare_call(const lb_profile *profile, lb_prepared_call *m)
{
    for (size_t i = 0; i < sizeof preparers / sizeof preparers[0]; i++) {
        const char *name = preparers[i].function;
        const unsigned has = preparers[i].options;
        if (strncmp(m->kernel->name, name, strlen(name)) != 0)
            continue;
        const char *odd = m->has_activation && !(has & ACTIVATION) ? "activation"
                          : m->has_beta && !(has & BETA)           ? "beta"
                          : m->has_alpha && !(has & ALPHA)         ? "alpha"
                                                                   : NULL;
        return odd ? REFUSE(m, LB_ROLE_COUNT, "%s has no %s", m->kernel->name, odd)
                   : preparers[i].prepare(profile, m);
    }
    return REFUSE(m, LB_ROLE_COUNT, "%s is not made of scales", m->kernel->name);
}
