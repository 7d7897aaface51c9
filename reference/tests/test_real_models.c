/* The real models against the exact ones on random calls with ordinary quantization: containers lie
 * within the bounds that the spec states. Spec: conv.md 15, elementwise.md 13. */
#include "tensors.h"

#include "core/scale.h"

#include <math.h>

enum { ROUNDS = 4000, MOST = 24 };

/* A tensor with its own memory, random containers and an ordinary quantization. */
typedef struct random_tensor {
    lb_tensor t;
    int32_t data[MOST * MOST];
    int16_t scale[MOST], zero[MOST];
    int8_t frac[MOST];
} random_tensor;

static void fill(random_tensor *r, uint32_t *random, int32_t low, int32_t high)
{
    size_t count = lb_element_count(&r->t);
    for (size_t i = 0; i < count; i++)
        lb_store(&r->t, i, random_in(random, low, high));
}

static void make_random(random_tensor *r, uint32_t *random, uint32_t el_type, int frac,
                        int zero_point, const uint32_t *shape)
{
    if (lb_is_sa(el_type)) {
        r->t = make_sa(el_type, (lb_quant){random_in(random, 8192, 32767), frac, zero_point}, shape,
                       r->data);
    } else {
        r->t = make_fx(el_type, frac, shape, r->data);
    }
    int bits = lb_container_bits(el_type);
    fill(r, random, (int32_t)lb_min_of(bits), (int32_t)lb_max_of(bits));
}

/* The real number in steps of the tensor, zero point included, inside the container's range. */
static double in_steps(const lb_tensor *t, double value)
{
    lb_quant q = lb_quant_at(t, 0);
    double steps = ldexp(value, q.frac) / q.scale + q.zero_point;
    int bits = lb_container_bits(t->el_type);
    return fmax((double)lb_min_of(bits), fmin((double)lb_max_of(bits), steps));
}

/* Runs both models; gives the real values in `real`. The real model goes first: it must see the
 * arguments as given. */
static void run_both(lb_call *call, int profile, double *real)
{
    lb_context context = {.profile = &lb_profiles[profile]};
    lb_real_outputs outputs = {.value = {NULL}};
    outputs.value[LB_ROLE_OUT] = real;
    call->kernel->real(&context, call, &outputs);
    assert_null(lb_run_exact(&context, call));
}

static void assert_near(const lb_tensor *out, size_t offset, double wanted, double bound)
{
    double distance = fabs((double)lb_load(out, offset) - wanted);
    if (distance > bound + 1e-9)
        fail_msg("container %d, real %.6f, bound %.6f", lb_load(out, offset), wanted, bound);
}

/* ---- fully connected ---- */

static void set_weighted(lb_call *call, const char *function, random_tensor *in,
                         random_tensor *weights, random_tensor *bias, random_tensor *out)
{
    *call = make_call(function);
    set_role(call, LB_ROLE_IN, &in->t);
    set_role(call, LB_ROLE_WEIGHTS, &weights->t);
    set_role(call, LB_ROLE_BIAS, &bias->t);
    set_role(call, LB_ROLE_OUT, &out->t);
}

static void fully_connected_fx(void **state)
{
    (void)state;
    static const struct {
        const char *function;
        uint32_t in, weights;
        int shift; /* that brings most sums into the range of the output */
    } rows[] = {
        {"mli_krn_fully_connected_fx8", LB_FX8, LB_FX8, 9},
        {"mli_krn_fully_connected_fx16_fx8_fx8", LB_FX16, LB_FX8, 8},
        {"mli_krn_fully_connected_fx16", LB_FX16, LB_FX16, 16},
    };
    static random_tensor in, weights, bias, out;
    uint32_t random = 4711;
    for (int i = 0; i < ROUNDS; i++) {
        size_t row = (size_t)i % COUNT_OF(rows);
        uint32_t n = (uint32_t)random_in(&random, 1, MOST);
        uint32_t channels = (uint32_t)random_in(&random, 1, 4);
        int fi = random_in(&random, 0, 7);
        int fw = random_in(&random, 0, 7);
        make_random(&in, &random, rows[row].in, fi, 0, SHAPE(n));
        make_random(&weights, &random, rows[row].weights, fw, 0, SHAPE(n, channels));
        make_random(&bias, &random, rows[row].weights, random_in(&random, fi + fw - 8, fi + fw), 0,
                    SHAPE(channels));
        make_random(&out, &random, rows[row].in,
                    fi + fw - random_in(&random, rows[row].shift - 2, rows[row].shift + 3), 0,
                    SHAPE(channels));
        lb_call call;
        set_weighted(&call, rows[row].function, &in, &weights, &bias, &out);
        call.config.relu = random_in(&random, 0, 3);
        double real[4];
        run_both(&call, i % LB_PROFILE_COUNT, real);
        for (uint32_t c = 0; c < channels; c++) {
            /* Limits of ReLU are whole steps, cut off: up to one step below the real ones. */
            assert_near(&out.t, c, in_steps(&out.t, real[c]), call.config.relu > 1 ? 1.5 : 0.5);
        }
    }
}

/* Weights and bias per tensor or per channel; the bias has the scale that the rule asks for. */
static void quantize_per_channel(random_tensor *in, random_tensor *weights, random_tensor *bias,
                                 uint32_t *random)
{
    uint32_t channels = weights->t.shape[1];
    lb_quant qi = lb_quant_at(&in->t, 0);
    for (uint32_t c = 0; c < channels; c++) {
        lb_quant qw = {random_in(random, 8192, 32767), random_in(random, 14, 17), 0};
        lb_quant qb = {(int32_t)lb_rsh(LB_ROUND_UP, (int64_t)qi.scale * qw.scale, 15, 32),
                       qi.frac + qw.frac - 15, 0};
        weights->scale[c] = (int16_t)qw.scale;
        weights->frac[c] = (int8_t)qw.frac;
        bias->scale[c] = (int16_t)qb.scale;
        bias->frac[c] = (int8_t)qb.frac;
        weights->zero[c] = bias->zero[c] = 0;
    }
    if (random_in(random, 0, 1) == 1) {
        set_per_axis(&weights->t, 1, weights->scale, weights->frac, weights->zero);
        set_per_axis(&bias->t, 0, bias->scale, bias->frac, bias->zero);
    } else {
        weights->t = make_sa(LB_SA8, (lb_quant){weights->scale[0], weights->frac[0], 0},
                             weights->t.shape, weights->data);
        bias->t = make_sa(LB_SA32, (lb_quant){bias->scale[0], bias->frac[0], 0}, bias->t.shape,
                          bias->data);
    }
}

static double sa8_bound(const lb_call *call, uint32_t c, double real, const lb_profile *profile)
{
    const lb_tensor *out = call->tensor[LB_ROLE_OUT];
    lb_quant qi = lb_quant_at(call->tensor[LB_ROLE_IN], 0);
    lb_quant qw = lb_quant_at(call->tensor[LB_ROLE_WEIGHTS], c);
    lb_quant qo = lb_quant_at(out, 0);
    double v = fabs(ldexp(real, qo.frac) / qo.scale);
    double limits = call->config.relu > 0 ? 1.0 : 0.0;
    if (!profile->reduced)
        return 0.5 + v * 0x1p-14 + limits;
    int32_t b = lb_load(call->tensor[LB_ROLE_BIAS], c);
    double cut = (double)b - (double)lb_bias_sa(profile, b);
    double cut_in_steps = ldexp(cut * qi.scale * qw.scale / qo.scale, qo.frac - qi.frac - qw.frac);
    return 0.52 + v * 0x1p-13 + cut_in_steps + limits;
}

static void fully_connected_sa8(void **state)
{
    (void)state;
    static const char *const functions[] = {"mli_krn_fully_connected_sa8_sa8_sa32",
                                            "mli_krn_fully_connected_sa8_sa8_sa32_ext_bias"};
    static random_tensor in, weights, bias, out;
    uint32_t random = 815;
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t n = (uint32_t)random_in(&random, 1, MOST);
        uint32_t channels = (uint32_t)random_in(&random, 1, 4);
        make_random(&in, &random, LB_SA8, 15, random_in(&random, -128, 127), SHAPE(n));
        make_random(&weights, &random, LB_SA8, 15, 0, SHAPE(n, channels));
        make_random(&bias, &random, LB_SA32, 15, 0, SHAPE(channels));
        fill(&bias, &random, -200000, 200000);
        make_random(&out, &random, LB_SA8, random_in(&random, 2, 6), random_in(&random, -128, 127),
                    SHAPE(channels));
        quantize_per_channel(&in, &weights, &bias, &random);
        lb_call call;
        set_weighted(&call, functions[i / 4 % 2], &in, &weights, &bias, &out);
        call.config.relu = random_in(&random, 0, 3);
        double real[4];
        int profile = i % LB_PROFILE_COUNT;
        run_both(&call, profile, real);
        for (uint32_t c = 0; c < channels; c++) {
            /* The relative error is that of the sum before ReLU. */
            lb_call plain = call;
            plain.config.relu = 0;
            double unclamped[4];
            lb_real_outputs outputs = {.value = {NULL}};
            outputs.value[LB_ROLE_OUT] = unclamped;
            call.kernel->real(&(lb_context){.profile = &lb_profiles[profile]}, &plain, &outputs);
            assert_near(&out.t, c, in_steps(&out.t, real[c]),
                        sa8_bound(&call, c, unclamped[c], &lb_profiles[profile]));
        }
    }
}

/* ---- Limits and slopes ---- */

static void relu(void **state)
{
    (void)state;
    static const char *const functions[] = {"mli_krn_relu_fx8", "mli_krn_relu_fx16",
                                            "mli_krn_relu_sa8"};
    static const uint32_t types[] = {LB_FX8, LB_FX16, LB_SA8};
    static random_tensor in, out;
    uint32_t random = 99;
    for (int i = 0; i < ROUNDS; i++) {
        size_t row = (size_t)i % COUNT_OF(types);
        int frac = types[row] == LB_SA8 ? random_in(&random, 14, 20) : random_in(&random, -2, 7);
        make_random(&in, &random, types[row], frac, random_in(&random, -128, 127), SHAPE(3, 5));
        make_random(&out, &random, types[row], 3, 3, SHAPE(3, 5));
        lb_call call = make_call(functions[row]);
        set_role(&call, LB_ROLE_IN, &in.t);
        set_role(&call, LB_ROLE_OUT, &out.t);
        call.config.relu = random_in(&random, 0, 3);
        double real[15];
        run_both(&call, i % LB_PROFILE_COUNT, real);
        for (size_t e = 0; e < COUNT_OF(real); e++)
            assert_near(&out.t, e, in_steps(&out.t, real[e]), call.config.relu > 1 ? 1.0 : 0.0);
    }
}

/* The function of this type with one slope, or one for each entry of a dimension. */
static const char *with_slopes(uint32_t type, bool per_axis)
{
    for (size_t k = 0; k < lb_kernel_count; k++)
        if (lb_kernel_role(&lb_kernels[k], LB_ROLE_SLOPE) && lb_kernels[k].in_type == type &&
            (lb_kernels[k].config_kind == LB_CONFIG_AXIS) == per_axis)
            return lb_kernels[k].name;
    return NULL;
}

static void slopes(void **state)
{
    (void)state;
    static const uint32_t types[] = {LB_FX8, LB_FX16, LB_SA8};
    static random_tensor in, slope, out;
    uint32_t random = 2024;
    for (int i = 0; i < ROUNDS; i++) {
        size_t row = (size_t)i % COUNT_OF(types);
        bool per_axis = random_in(&random, 0, 1) == 1;
        bool is_sa = types[row] == LB_SA8;
        int frac = is_sa ? random_in(&random, 14, 17) : random_in(&random, 0, 7);
        make_random(&in, &random, types[row], frac, random_in(&random, -128, 127), SHAPE(3, 5));
        make_random(&slope, &random, types[row], is_sa ? 21 : lb_container_bits(types[row]) - 1,
                    random_in(&random, -128, 127), per_axis ? SHAPE(1, 5) : SHAPE(1));
        make_random(&out, &random, types[row], is_sa ? frac - 1 : frac,
                    random_in(&random, -128, 127), SHAPE(3, 5));
        lb_call call = make_call(with_slopes(types[row], per_axis));
        set_role(&call, LB_ROLE_IN, &in.t);
        set_role(&call, LB_ROLE_SLOPE, &slope.t);
        set_role(&call, LB_ROLE_OUT, &out.t);
        call.config.axis = 1;
        double real[15];
        run_both(&call, i % LB_PROFILE_COUNT, real);
        for (size_t e = 0; e < COUNT_OF(real); e++)
            assert_near(&out.t, e, in_steps(&out.t, real[e]), is_sa ? 0.51 : 0.5);
    }
}

/* ---- eltwise ---- */

static double eltwise_bound(const lb_kernel *kernel, const lb_profile *profile)
{
    bool sum = kernel->op == LB_OP_ADD || kernel->op == LB_OP_SUB;
    bool pick = lb_op_picks(kernel->op);
    if (kernel->in_type == LB_SA8)
        return sum ? 1.01 : 0.51;
    return pick && profile->rounding == LB_ROUND_UP ? 1.0 : 0.5;
}

static void eltwise(void **state)
{
    (void)state;
    static random_tensor in1, in2, out;
    uint32_t random = 31337;
    for (size_t k = 0; k < lb_kernel_count; k++) {
        const lb_kernel *kernel = &lb_kernels[k];
        bool pick = lb_op_picks(kernel->op);
        for (int i = 0; kernel->family == LB_FAMILY_ELTWISE && i < ROUNDS / 8; i++) {
            bool is_sa = kernel->in_type == LB_SA8;
            int frac = is_sa ? random_in(&random, 14, 17) : random_in(&random, 0, 7);
            int frac2 = pick ? frac : frac + random_in(&random, -1, 1);
            bool product = kernel->op == LB_OP_MUL;
            int frac_out =
                (product ? frac + frac2 - (is_sa ? 21 : lb_container_bits(kernel->in_type))
                         : frac) +
                random_in(&random, -1, 1);
            make_random(&in1, &random, kernel->in_type, frac, random_in(&random, -128, 127),
                        SHAPE(2, 4));
            make_random(&in2, &random, kernel->in_type, frac2, random_in(&random, -128, 127),
                        i % 5 == 0 ? SHAPE(1) : SHAPE(2, 4));
            make_random(&out, &random, kernel->in_type, frac_out, random_in(&random, -128, 127),
                        SHAPE(2, 4));
            if (pick)
                in2.t.sa = in1.t.sa;
            lb_call call = make_call(kernel->name);
            set_role(&call, LB_ROLE_IN1, i % 10 == 0 ? &in2.t : &in1.t);
            set_role(&call, LB_ROLE_IN2, i % 10 == 0 ? &in1.t : &in2.t);
            set_role(&call, LB_ROLE_OUT, &out.t);
            double real[8];
            const lb_profile *profile = &lb_profiles[i % LB_PROFILE_COUNT];
            run_both(&call, i % LB_PROFILE_COUNT, real);
            for (size_t e = 0; e < COUNT_OF(real); e++)
                assert_near(&out.t, e, in_steps(&out.t, real[e]), eltwise_bound(kernel, profile));
        }
    }
}

/* An output whose pointer is NULL is not computed, and no model minds. */
static void outputs_that_nobody_asks_for(void **state)
{
    (void)state;
    static const char *const functions[] = {"mli_krn_relu_fx8", "mli_krn_leaky_relu_fx8",
                                            "mli_krn_eltwise_add_fx8",
                                            "mli_krn_fully_connected_fx8"};
    int8_t data[1] = {1};
    lb_tensor t = make_fx(LB_FX8, 0, SHAPE(1), data);
    lb_tensor weights = make_fx(LB_FX8, 0, SHAPE(1, 1), data);
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        lb_call call = make_call(functions[i]);
        for (const lb_role_spec *spec = call.kernel->roles; spec->use != LB_USE_NONE; spec++)
            set_role(&call, spec->role, spec->role == LB_ROLE_WEIGHTS ? &weights : &t);
        lb_real_outputs outputs = {.value = {NULL}};
        call.kernel->real(&(lb_context){.profile = &lb_profiles[0]}, &call, &outputs);
        assert_int_equal(data[0], 1);
    }
}

/* Networks feed real models with real numbers: containers with fractions, at the tensor's offsets.
 */
static void fractions_take_the_place_of_containers(void **state)
{
    (void)state;
    static const double fine[] = {1.5, -2.25, 0.125};
    int8_t zeros[3] = {0}, data[3] = {16, 8, 4}, out_data[3];
    double real[3];
    lb_tensor in = make_fx(LB_FX8, 4, SHAPE(3), zeros), in2 = make_fx(LB_FX8, 4, SHAPE(3), data);
    lb_tensor out = make_fx(LB_FX8, 4, SHAPE(3), out_data);
    in.fine = fine;
    lb_call call = make_call("mli_krn_eltwise_add_fx8");
    set_role(&call, LB_ROLE_IN1, &in);
    set_role(&call, LB_ROLE_IN2, &in2);
    set_role(&call, LB_ROLE_OUT, &out);
    run_both(&call, 0, real);
    for (size_t i = 0; i < 3; i++) {
        assert_true(real[i] == (fine[i] + data[i]) / 16);
        assert_int_equal(out_data[i], data[i]); /* the exact model knows nothing of fractions */
    }
    lb_tensor weights = make_fx(LB_FX8, 0, SHAPE(3, 1), data);
    lb_tensor bias = make_fx(LB_FX8, 4, SHAPE(1), zeros);
    out = make_fx(LB_FX8, 0, SHAPE(1), out_data);
    call = make_call("mli_krn_fully_connected_fx8");
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_WEIGHTS, &weights);
    set_role(&call, LB_ROLE_BIAS, &bias);
    set_role(&call, LB_ROLE_OUT, &out);
    run_both(&call, 0, real);
    assert_true(real[0] == (16 * fine[0] + 8 * fine[1] + 4 * fine[2]) / 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fully_connected_fx),
        cmocka_unit_test(fully_connected_sa8),
        cmocka_unit_test(relu),
        cmocka_unit_test(slopes),
        cmocka_unit_test(eltwise),
        cmocka_unit_test(outputs_that_nobody_asks_for),
        cmocka_unit_test(fractions_take_the_place_of_containers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
