/* Convolutions in real numbers: hand-made values, and the exact models held to them within the
 * tolerances of conv.md 15. */
#include "conv_calls.h"

#include "core/scale.h"

#include <math.h>

/* ---- By hand ---- */

static void real_of(conv_call *c, double *value)
{
    lb_context context = {.profile = &lb_profiles[UP_FULL], .watch = NULL};
    lb_real_outputs outputs = {.value = {[LB_ROLE_OUT] = value}};
    c->call.kernel->real(&context, &c->call, &outputs);
}

/* in 0.25 * (5 - 1), ...; weights 0.5 * w; the bias by the scales of in and weights, whatever its
 * own say. */
static void values_and_relu(void **state)
{
    (void)state;
    int8_t in[] = {5, 1, -7, 9}, weights[] = {1, 2, -1, 3}, out[2];
    int32_t bias[] = {8, -4};
    conv_call c = {
        .in = make_sa(LB_SA8, (lb_quant){1, 2, 1}, SHAPE(1, 2, 2), in),
        .weights = make_sa(LB_SA8, (lb_quant){3, 1, 0}, SHAPE(1, 2, 1, 2), weights),
        .bias = make_sa(LB_SA32, (lb_quant){77, 5, 0}, SHAPE(2), bias),
        .out = make_sa(LB_SA8, (lb_quant){1, 0, 0}, SHAPE(1, 1, 2), out),
    };
    bind_call(&c, "mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32");
    /* channel 0: 1 * 1.5 + (-2) * (-1.5) + 3; channel 1: 0 * 3 + 2 * 4.5 - 1.5 */
    static const struct {
        int relu;
        double expected[2];
    } cases[] = {
        {RELU_NONE, {7.5, 7.5}}, {RELU_1, {1, 1}}, {RELU_6, {6, 6}}, {RELU_GEN, {7.5, 7.5}}};
    double value[2];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        c.call.config.relu = cases[i].relu;
        real_of(&c, value);
        assert_memory_equal(value, cases[i].expected, sizeof value);
    }
    bias[0] = bias[1] = -40; /* - 15 */
    c.call.config.relu = RELU_1;
    real_of(&c, value);
    assert_true(value[0] == -1.0 && value[1] == -1.0);
    c.call.config.relu = RELU_GEN;
    real_of(&c, value);
    assert_true(value[0] == 0.0 && value[1] == 0.0);
    real_of(&c, NULL); /* nobody asks: nothing to do */
}

/* Row-major whatever the strides of out are; padding is the real 0; groups and transposed geometry
 * as in the exact model. */
static void order_and_padding(void **state)
{
    (void)state;
    int16_t in[] = {1, 10, 2, 20}, weights[] = {1, 2}, bias[] = {1, 2}, out[32];
    conv_call c = {
        .in = make_fx(LB_FX16, 1, SHAPE(1, 2, 2), in),
        .weights = make_fx(LB_FX16, 0, SHAPE(1, 1, 1, 2), weights),
        .bias = make_fx(LB_FX16, 0, SHAPE(2), bias),
        .out = make_fx(LB_FX16, 0, SHAPE(1, 2, 2), out),
    };
    bind_call(&c, "mli_krn_group_conv2d_hwcn_fx16");
    c.out.mem_stride[1] = 7;
    double value[6];
    const double expected[] = {1.5, 12, 2, 22};
    real_of(&c, value);
    assert_memory_equal(value, expected, sizeof expected);

    bind_call(&c, "mli_krn_transpose_conv2d_hwcn_fx16");
    c.call.config.stride_width = 2;
    c.in = make_fx(LB_FX16, 1, SHAPE(1, 2, 1), in);
    c.weights = make_fx(LB_FX16, 0, SHAPE(1, 2, 1, 1), weights);
    c.bias = make_fx(LB_FX16, 0, SHAPE(1), bias);
    c.out = make_fx(LB_FX16, 0, SHAPE(1, 4, 1), out);
    const double spread[] = {1.5, 2, 6, 11};
    real_of(&c, value);
    assert_memory_equal(value, spread, sizeof spread);
    c.call.config.padding_left = 1;
    c.out = make_fx(LB_FX16, 0, SHAPE(1, 3, 1), out);
    real_of(&c, value);
    assert_memory_equal(value, spread + 1, 3 * sizeof value[0]);
}

/* ---- Random calls against the exact models ---- */

enum { MAX_ELEMENTS = 4096, MAX_CHANNELS = 8 };

typedef struct random_call {
    conv_call c;
    union {
        int8_t i8[MAX_ELEMENTS];
        int16_t i16[MAX_ELEMENTS];
        int32_t i32[MAX_ELEMENTS];
    } in, weights, bias, out;
    int16_t weights_scale[MAX_CHANNELS], bias_scale[MAX_CHANNELS], zero[MAX_CHANNELS];
    int8_t weights_frac[MAX_CHANNELS], bias_frac[MAX_CHANNELS];
    double value[MAX_ELEMENTS];
} random_call;

typedef struct direction {
    uint32_t in, kernel, out;
    uint8_t stride, dilation, before, after;
} direction;

static direction random_direction(uint32_t *seed, bool transposed)
{
    direction d = {.in = (uint32_t)random_in(seed, 1, 6),
                   .kernel = (uint32_t)random_in(seed, 1, 4),
                   .dilation = 1};
    if (transposed) {
        d.stride = (uint8_t)random_in(seed, 1, (int32_t)d.kernel);
        d.before = (uint8_t)random_in(seed, 0, (int32_t)(d.kernel - 1) / 2);
        d.after = (uint8_t)random_in(seed, 0, (int32_t)(d.kernel - 1) / 2);
        d.out = (d.in - 1) * d.stride + d.kernel - d.before - d.after;
        return d;
    }
    d.stride = (uint8_t)random_in(seed, 1, 3);
    d.dilation = (uint8_t)random_in(seed, 1, 3);
    uint32_t effective = (d.kernel - 1) * d.dilation + 1;
    d.before = (uint8_t)random_in(seed, 0, (int32_t)effective - 1);
    d.after = (uint8_t)(effective - 1); /* so that a window fits whatever the input is */
    d.out = (d.in + d.before + d.after - effective) / d.stride + 1;
    return d;
}

static void random_data(uint32_t *seed, lb_tensor *t, int64_t low, int64_t high)
{
    size_t count = lb_element_count(t);
    assert_true(count <= MAX_ELEMENTS);
    for (size_t i = 0; i < count; i++)
        lb_store(t, i, random_in(seed, (int32_t)low, (int32_t)high));
}

/* Formats for which accumulators of about `peak` fill the output, so that few results are clipped.
 */
static void random_fx(uint32_t *seed, random_call *x, double peak)
{
    lb_tensor *in = &x->c.in;
    lb_tensor *weights = &x->c.weights;
    in->frac_bits = (int8_t)random_in(seed, -3, 12);
    weights->frac_bits = (int8_t)random_in(seed, 1, 12);
    int product_frac = in->frac_bits + weights->frac_bits;
    x->c.bias.frac_bits = (int8_t)(product_frac - random_in(seed, 0, 8));
    int out_shift = (int)lround(log2(peak / 32768.0)) + random_in(seed, -1, 1);
    x->c.out.frac_bits = (int8_t)(product_frac - (out_shift < 0 ? 0 : out_shift));
}

static void random_sa(uint32_t *seed, random_call *x, double peak)
{
    lb_tensor *weights = &x->c.weights;
    bool per_axis = random_in(seed, 0, 1) == 1;
    lb_quant in = {random_in(seed, 512, 32767), random_in(seed, 10, 20),
                   random_in(seed, -128, 127)};
    int frac = random_in(seed, 10, 20);
    for (int i = 0; i < MAX_CHANNELS; i++) {
        x->weights_scale[i] = (int16_t)random_in(seed, 16384, 32767);
        x->weights_frac[i] = (int8_t)frac;
        x->bias_scale[i] = (int16_t)(((int64_t)in.scale * x->weights_scale[i]) >>
                                     15); /* within 1 in both roundings */
        x->bias_frac[i] = (int8_t)(in.frac + frac - 15);
    }
    lb_quant out = {random_in(seed, 1, 32767), 0, random_in(seed, -128, 127)};
    double real_peak = ldexp(peak * in.scale * 24576.0, -(in.frac + frac));
    out.frac = (int)lround(log2(out.scale * 100.0 / real_peak)) + random_in(seed, -1, 1);
    x->c.in = make_sa(LB_SA8, in, x->c.in.shape, x->in.i8);
    x->c.out = make_sa(LB_SA8, out, x->c.out.shape, x->out.i8);
    *weights =
        make_sa(LB_SA8, (lb_quant){x->weights_scale[0], frac, 0}, weights->shape, x->weights.i8);
    x->c.bias = make_sa(LB_SA32, (lb_quant){x->bias_scale[0], in.frac + frac - 15, 0},
                        x->c.bias.shape, x->bias.i32);
    if (per_axis) {
        set_per_axis(weights, 3, x->weights_scale, x->weights_frac, x->zero);
        set_per_axis(&x->c.bias, 0, x->bias_scale, x->bias_frac, x->zero);
    }
}

/* A valid call of this function with everything else random. */
static void random_valid_call(uint32_t *seed, const lb_kernel *kernel, random_call *x)
{
    memset(x, 0, sizeof *x);
    bind_call(&x->c, kernel->name);
    direction height = random_direction(seed, kernel->family == LB_FAMILY_TRANSPOSE_CONV2D);
    direction width = random_direction(seed, kernel->family == LB_FAMILY_TRANSPOSE_CONV2D);
    x->c.call.config = (lb_config){
        .relu = random_in(seed, 0, 3),
        .stride_height = height.stride,
        .stride_width = width.stride,
        .dilation_height = height.dilation,
        .dilation_width = width.dilation,
        .padding_top = height.before,
        .padding_bottom = height.after,
        .padding_left = width.before,
        .padding_right = width.after,
    };
    uint32_t groups =
        kernel->family == LB_FAMILY_GROUP_CONV2D ? (uint32_t)random_in(seed, 1, 2) : 1;
    uint32_t group_channels = (uint32_t)random_in(seed, 1, 4);
    uint32_t filters = groups * (uint32_t)random_in(seed, 1, 4);
    if (kernel->family == LB_FAMILY_DEPTHWISE_CONV2D) {
        groups = filters;
        group_channels = 1;
    }
    bool is_sa = kernel->in_type == LB_SA8;
    int64_t in_max = lb_max_of(lb_container_bits(kernel->in_type));
    /* fx weights small enough for a 32-bit accumulator */
    int64_t weights_max = kernel->weights_type == LB_FX16 ? 32767 : is_sa ? 127 : 31;
    double taps = (double)(height.kernel * width.kernel * group_channels);
    double peak = sqrt(taps) * (double)in_max * (double)weights_max / 2;
    x->c.in =
        make_tensor(kernel->in_type, SHAPE(height.in, width.in, groups * group_channels), &x->in);
    x->c.weights =
        make_tensor(kernel->weights_type,
                    SHAPE(height.kernel, width.kernel, group_channels, filters), &x->weights);
    x->c.bias = make_tensor(kernel->bias_type, SHAPE(filters), &x->bias);
    x->c.out = make_tensor(kernel->in_type, SHAPE(height.out, width.out, filters), &x->out);
    if (is_sa)
        random_sa(seed, x, peak);
    else
        random_fx(seed, x, peak);
    random_data(seed, &x->c.in, -in_max - 1, in_max);
    random_data(seed, &x->c.weights, -weights_max - 1, weights_max);
    int64_t bias_max = is_sa ? (int64_t)peak : lb_max_of(lb_container_bits(kernel->bias_type));
    random_data(seed, &x->c.bias, -bias_max, bias_max);
}

/* conv.md 15: the bound in steps of the output, for a real result `v` in such steps without the
 * zero point. */
static double tolerance(const lb_profile *profile, const random_call *x, uint32_t channel, double v)
{
    double limits = x->c.call.config.relu == RELU_NONE ? 0.0 : 1.0;
    if (x->c.call.kernel->in_type != LB_SA8)
        return 0.5 + limits;
    if (!profile->reduced)
        return 0.5 + fabs(v) * ldexp(1, -14) + limits;
    lb_quant in = lb_quant_at(&x->c.in, 0), weights = lb_quant_at(&x->c.weights, channel),
             out = lb_quant_at(&x->c.out, 0);
    double cut = (double)(x->bias.i32[channel] - lb_bias_sa(profile, x->bias.i32[channel]));
    double cut_steps =
        ldexp(cut * in.scale * weights.scale / out.scale, out.frac - in.frac - weights.frac);
    return 0.52 + fabs(v) * ldexp(1, -13) + cut_steps + limits;
}

/* Elements that are not clipped by the container; fails on the first that is too far off. */
static int compare(const lb_profile *profile, const random_call *x)
{
    const lb_tensor *out = &x->c.out;
    lb_quant q = lb_quant_at(out, 0);
    int bits = lb_container_bits(out->el_type);
    int inside = 0;
    for (size_t i = 0; i < lb_element_count(out); i++) {
        double v = ldexp(x->value[i], q.frac) / q.scale;
        double clipped =
            fmin(fmax(v + q.zero_point, (double)lb_min_of(bits)), (double)lb_max_of(bits));
        double bound = tolerance(profile, x, (uint32_t)(i % out->shape[2]), v);
        double error = fabs((double)lb_load(out, i) - clipped);
        if (error > bound + 1e-6) {
            fail_msg("%s in %s: element %zu is %d, real %.6f, error %.6f > %.6f",
                     x->c.call.kernel->name, profile->name, i, lb_load(out, i), clipped, error,
                     bound);
        }
        inside += clipped == v + q.zero_point;
    }
    return inside;
}

static void exact_stays_near_real(void **state)
{
    (void)state;
    enum { CALLS = 60 };
    static random_call x;
    uint32_t seed = 20240611;
    int elements = 0;
    int inside = 0;
    for (size_t k = 0; k < lb_kernel_count; k++) {
        const lb_kernel *kernel = &lb_kernels[k];
        if (kernel->config_kind != LB_CONFIG_CONV2D || kernel->kernel_size != 0)
            continue;
        for (int n = 0; n < CALLS; n++) {
            random_valid_call(&seed, kernel, &x);
            real_of(&x.c, x.value);
            for (int p = 0; p < LB_PROFILE_COUNT; p++) {
                assert_string_equal(run_watched(&x.c, p), "");
                assert_int_equal(x.c.watch.persistent + x.c.watch.saturated, 0);
                inside += compare(&lb_profiles[p], &x);
                elements += (int)lb_element_count(&x.c.out);
            }
        }
    }
    assert_in_range(inside, elements / 2, elements); /* most of them say something */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_relu),
        cmocka_unit_test(order_and_padding),
        cmocka_unit_test(exact_stays_near_real),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
