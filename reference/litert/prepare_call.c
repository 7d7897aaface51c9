/* From a call as a model tells of it to its integers (litert.22): what scales and zero points each
 * operator asks for, and what it makes of them. Where the specification says float32, every
 * operation has a variable or a cast of its own, so that it is rounded. */
#include "core/arith.h"
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

/* A multiplier and its shift, into two fields of the configuration. */
#define PUT_FACTOR(m, of_multiplier, of_shift, factor)                                             \
    do {                                                                                           \
        const lb_lite_factor f_ = (factor);                                                        \
        (m)->config.litert.of_multiplier = f_.multiplier;                                          \
        (m)->config.litert.of_shift = f_.shift;                                                    \
    } while (0)

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
    PUT_FACTOR(m, multiplier, shift,
               lb_lite_prepare_fully_connected(profile, in.scale, weights.scale, out.scale));
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

/* ---- Two inputs (22.5) ---- */

typedef struct two_inputs {
    lb_lite_quant in1, in2, out;
} two_inputs;

static int32_t minus(int32_t zero_point)
{
    return (int32_t)lb_wrap(-(int64_t)zero_point, 32);
}

/* With the offsets and limits, which are made alike for all. */
static bool take_two(lb_prepared_call *m, two_inputs *t)
{
    if (!take(m, LB_ROLE_IN1, &t->in1) || !take(m, LB_ROLE_IN2, &t->in2) ||
        !take(m, LB_ROLE_OUT, &t->out))
        return false;
    m->config.litert.input1_offset = minus(t->in1.zero_point);
    m->config.litert.input2_offset = minus(t->in2.zero_point);
    m->config.litert.output_offset = t->out.zero_point;
    lb_lite_prepare_limits(type_of(m), fused_of(m), t->out, &m->config);
    return true;
}

static int sum_shift(const lb_prepared_call *m)
{
    return type_of(m) == LB_S8 ? 20 : 15;
}

static bool is_proper(double real)
{
    return real > 0 && real < 1;
}

static bool sum(const lb_profile *profile, lb_prepared_call *m, double of_in1, double of_in2,
                double of_out)
{
    if (!is_proper(of_in1) || !is_proper(of_in2) || !is_proper(of_out))
        return made(m, false);
    m->config.litert.left_shift = sum_shift(m);
    PUT_FACTOR(m, input1_multiplier, input1_shift, lb_lite_prepare_multiplier(profile, of_in1));
    PUT_FACTOR(m, input2_multiplier, input2_shift, lb_lite_prepare_multiplier(profile, of_in2));
    PUT_FACTOR(m, output_multiplier, output_shift, lb_lite_prepare_multiplier(profile, of_out));
    return true;
}

static bool add(const lb_profile *profile, lb_prepared_call *m)
{
    two_inputs q;
    if (!take_two(m, &q))
        return false;
    const double t = 2 * (double)fmaxf(q.in1.scale, q.in2.scale);
    return sum(profile, m, (double)q.in1.scale / t, (double)q.in2.scale / t,
               t / (ldexp(1, sum_shift(m)) * (double)q.out.scale));
}

static bool sub(const lb_profile *profile, lb_prepared_call *m)
{
    two_inputs q;
    if (!take_two(m, &q))
        return false;
    const float t = 2 * fmaxf(q.in1.scale, q.in2.scale);
    const float of_in1 = q.in1.scale / t, of_in2 = q.in2.scale / t;
    const float divisor = ldexpf(q.out.scale, sum_shift(m)), of_out = t / divisor;
    return sum(profile, m, (double)of_in1, (double)of_in2, (double)of_out);
}

static bool mul(const lb_profile *profile, lb_prepared_call *m)
{
    two_inputs q;
    if (!take_two(m, &q))
        return false;
    PUT_FACTOR(m, output_multiplier, output_shift,
               lb_lite_prepare_conv(profile, q.in1.scale, q.in2.scale, q.out.scale));
    return true;
}

/* ---- Softmax (22.6) ---- */

static bool softmax(const lb_profile *profile, lb_prepared_call *m)
{
    lb_lite_quant in;
    lb_lite_factor f;
    const bool is_s8 = type_of(m) == LB_S8, gives_s8 = m->kernel->out_type == LB_S8;
    const double beta = m->has_beta ? (double)m->beta : 1;
    if (!take(m, LB_ROLE_IN, &in) || !(gives_s8 ? needs_quant(m, 1 / 256.0, INT8_MIN)
                                       : is_s8  ? needs_quant(m, 1 / 65536.0, INT16_MIN)
                                                : needs_quant(m, 1 / 32768.0, 0)))
        return false;
    if (is_s8) {
        const double limit = ldexp(1, profile->rounds_once ? 30 : 31) - 1;
        const double real = fmin(beta * (double)in.scale * 0x1p26, limit);
        if (!(real > 1))
            return made(m, false);
        f = lb_lite_prepare_multiplier(profile, real);
        m->config.litert.diff_min = (int32_t)-floor(31 * 0x1p26 / ldexp(1, f.shift));
    } else {
        f = lb_lite_prepare_multiplier(profile, (double)in.scale * beta / (10.0 / 65535.0));
    }
    PUT_FACTOR(m, input_multiplier, input_left_shift, f);
    return true;
}

/* ---- Logistic and tanh (22.7) ---- */

static bool sigmoid_s8(lb_prepared_call *m, lb_lite_quant in)
{
    int shift;
    const double q = frexp((double)in.scale * 0x1p27, &shift);
    const double radius = floor(15 * 0x1p27 / ldexp(1, shift));
    if (!(radius <= INT32_MAX))
        return made(m, false);
    m->config.litert.input_zero_point = in.zero_point;
    m->config.litert.input_range_radius = (int32_t)radius;
    m->config.litert.input_multiplier = (int32_t)lb_sat(lb_lite_nearest(q * 0x1p31), 32);
    m->config.litert.input_left_shift = shift;
    return true;
}

static bool sigmoid_s16(lb_prepared_call *m, float scale, int32_t most)
{
    const float of_scale = (float)log((double)scale), of_two = (float)log(2.0);
    const float inverse = 1 / of_two, l = of_scale * inverse;
    const int64_t r = lb_lite_nearest((double)l);
    int64_t shift = 12 + r, multiplier = 0;
    if (!(fabs((double)l - (double)r) < 0.001) || shift < 0 || shift > most) {
        double v = (double)scale * 4096 * 3;
        for (shift = 0; v <= 32767 / 2.0 && shift <= 30; shift++)
            v *= 2;
        if (!(v <= INT32_MAX))
            return made(m, false);
        multiplier = (int64_t)v;
    }
    m->config.litert.input_multiplier = (int32_t)multiplier;
    m->config.litert.input_left_shift = (int32_t)shift;
    return true;
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
    return is_s8 ? sigmoid_s8(m, in) : sigmoid_s16(m, in.scale, is_tanh);
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

/* ---- One input (22.8, 22.9) ---- */

/* With the zero points, which are as they are. */
static bool take_one(lb_prepared_call *m, lb_lite_quant *in, lb_lite_quant *out)
{
    if (!take_both(m, in, out))
        return false;
    m->config.litert.input_zero_point = in->zero_point;
    m->config.litert.output_zero_point = out->zero_point;
    return true;
}

static bool leaky_relu(const lb_profile *profile, lb_prepared_call *m)
{
    lb_lite_quant in, out;
    if (!m->has_alpha)
        return REFUSE(m, LB_ROLE_COUNT, "alpha is not given");
    if (!take_one(m, &in, &out))
        return false;
    const float slope = in.scale * m->alpha, of_alpha = slope / out.scale;
    const float of_identity = in.scale / out.scale;
    PUT_FACTOR(m, alpha_multiplier, alpha_shift,
               lb_lite_prepare_multiplier(profile, (double)of_alpha));
    PUT_FACTOR(m, identity_multiplier, identity_shift,
               lb_lite_prepare_multiplier(profile, (double)of_identity));
    return true;
}

static bool relu(const lb_profile *profile, lb_prepared_call *m)
{
    lb_lite_quant in, out;
    if (!take_one(m, &in, &out))
        return false;
    const float real = in.scale / out.scale;
    PUT_FACTOR(m, multiplier, shift, lb_lite_prepare_multiplier(profile, (double)real));
    lb_lite_prepare_limits(type_of(m), LB_LITE_FUSED_RELU, out, &m->config);
    return true;
}

static bool relu6(const lb_profile *profile, lb_prepared_call *m)
{
    lb_lite_quant in, out;
    (void)profile;
    if (!take_both(m, &in, &out) || !needs_same(m, in, out))
        return false;
    m->config.litert.zero = in.zero_point;
    m->config.litert.six =
        (int32_t)lb_sat(lb_lite_quantized(6, in), lb_container_bits(m->kernel->in_type));
    return true;
}

static int32_t upper_16(int32_t multiplier)
{
    const int64_t half = 1 << 15, most = (int64_t)INT32_MAX - half;
    return multiplier >= most ? INT16_MAX : (int32_t)lb_asr(multiplier + half, 16, 64);
}

static lb_lite_factor with_16_bits(lb_lite_factor f)
{
    return (lb_lite_factor){upper_16(f.multiplier), f.shift};
}

static bool hard_swish(const lb_profile *profile, lb_prepared_call *m)
{
    lb_lite_quant in, out;
    if (!take_one(m, &in, &out))
        return false;
    const float h = (1.0f / 128.0f) * in.scale, unit = 3.0f / 32768.0f;
    const float of_out = h / out.scale, of_reluish = h / unit;
    PUT_FACTOR(m, output_multiplier, output_exponent,
               with_16_bits(lb_lite_prepare_multiplier(profile, (double)of_out)));
    PUT_FACTOR(m, reluish_multiplier, reluish_exponent,
               with_16_bits(lb_lite_prepare_multiplier(profile, (double)of_reluish)));
    return made(m, m->config.litert.output_exponent <= 0);
}

/* Of requantize and of mean. */
static bool requantize(const lb_profile *profile, lb_prepared_call *m)
{
    lb_lite_quant in, out;
    if (!take_one(m, &in, &out))
        return false;
    PUT_FACTOR(m, multiplier, shift,
               lb_lite_prepare_multiplier(profile, (double)in.scale / (double)out.scale));
    return true;
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

#define ACTIVATION LB_BRINGS_ACTIVATION
#define BETA       LB_BRINGS_BETA
#define ALPHA      LB_BRINGS_ALPHA

static const struct preparer {
    const char *function; /* before the types of its operands; the first that fits */
    unsigned brings;
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

static const struct preparer *preparer_of(const lb_kernel *kernel)
{
    for (size_t i = 0; i < sizeof preparers / sizeof preparers[0]; i++)
        if (strncmp(kernel->name, preparers[i].function, strlen(preparers[i].function)) == 0)
            return &preparers[i];
    return NULL;
}

unsigned lb_lite_brings(const lb_kernel *kernel)
{
    const struct preparer *p = preparer_of(kernel);
    return p ? p->brings : 0;
}

bool lb_lite_prepare_call(const lb_profile *profile, lb_prepared_call *m)
{
    const struct preparer *p = preparer_of(m->kernel);
    if (!p)
        return REFUSE(m, LB_ROLE_COUNT, "%s is not made of scales", m->kernel->name);
    const char *odd = m->has_activation && !(p->brings & ACTIVATION) ? "activation"
                      : m->has_beta && !(p->brings & BETA)           ? "beta"
                      : m->has_alpha && !(p->brings & ALPHA)         ? "alpha"
                                                                     : NULL;
    return odd ? REFUSE(m, LB_ROLE_COUNT, "%s has no %s", m->kernel->name, odd)
               : p->prepare(profile, m);
}
