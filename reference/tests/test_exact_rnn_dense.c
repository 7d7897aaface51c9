/* rnn_dense: worked numbers and QUIRKs of recurrent.md 5, what it watches and tells. The order of
 * its checks: test_rules_rnn_dense.c. */
#include "rnn_dense_calls.h"

enum { MOST_INPUTS = 256 };

/* One output, up to four inputs of one element each, weights and bias given. */
typedef struct small {
    lb_call call;
    lb_tensor in[LB_MAX_LIST], weights[LB_MAX_LIST], bias, out;
    int16_t x[4], w[4], b, y;
} small;

static void make_small(small *s, const char *function, unsigned count)
{
    memset(s, 0, sizeof *s);
    s->call = make_call(function);
    for (unsigned j = 0; j < 4; j++) {
        s->in[j] = make_fx(s->call.kernel->in_type, 0, SHAPE(1), &s->x[j]);
        s->weights[j] = make_fx(s->call.kernel->weights_type, 0, SHAPE(1, 1), &s->w[j]);
    }
    s->bias = make_fx(s->call.kernel->bias_type, 0, SHAPE(1), &s->b);
    s->out = make_fx(s->call.kernel->in_type, 0, SHAPE(1), &s->y);
    set_role(&s->call, LB_ROLE_IN, s->in);
    set_role(&s->call, LB_ROLE_WEIGHTS, s->weights);
    s->call.list_count[LB_ROLE_IN] = s->call.list_count[LB_ROLE_WEIGHTS] = count;
    set_role(&s->call, LB_ROLE_BIAS, &s->bias);
    set_role(&s->call, LB_ROLE_OUT, &s->out);
    s->call.config.inputs_num = (uint8_t)count;
}

static int run_small(small *s, int profile)
{
    assert_string_equal(run(&s->call, profile), "");
    return s->y;
}

/* Halves of two inputs are rounded one by one: 1 + 1, where one concatenated input would give 1. */
static void each_input_is_rounded_on_its_own(void **state)
{
    (void)state;
    small s;
    make_small(&s, "mli_krn_rnn_dense_fx16", 2);
    for (int j = 0; j < 2; j++) {
        s.in[j].frac_bits = 1;
        s.x[j] = s.w[j] = 1;
    }
    s.bias.frac_bits = 1;
    assert_int_equal(run_small(&s, 0), 2);
    assert_int_equal(run_small(&s, 2), 0); /* convergent: each half to even */
    s.b = 1; /* the bias belongs to the first input: two halves there */
    assert_int_equal(run_small(&s, 0), 2);
    assert_int_equal(run_small(&s, 2), 1);
}

/* recurrent.md 5.2, QUIRK: b = 32767, bs = 17 gives -131072 in fx16; an fx8 bias saturates instead
 */
static void aligned_bias(void **state)
{
    (void)state;
    small s;
    make_small(&s, "mli_krn_rnn_dense_fx16", 1);
    s.in[0].frac_bits = 17;
    s.b = 32767;
    s.out.frac_bits = 5; /* os = 12 */
    assert_int_equal(run_small(&s, 0), -131072 / 4096);
    make_small(&s, "mli_krn_rnn_dense_fx16_fx8_fx8", 1);
    int8_t bias = 127;
    s.bias.data.mem.ptr = &bias;
    s.in[0].frac_bits = 30;
    s.out.frac_bits = 10; /* os = 20: 2^31-1, whose rounding up saturates too */
    assert_int_equal(run_small(&s, 0), 2047);
    assert_int_equal(run_small(&s, 2), 2048);
}

/* QUIRK: os above 39 acts as 39 in fx16; in fx16_fx8_fx8 os >= 32 gives 0. */
static void long_shifts(void **state)
{
    (void)state;
    static int16_t x[MOST_INPUTS];
    static int16_t w[MOST_INPUTS];
    static int8_t narrow[MOST_INPUTS];
    for (int i = 0; i < MOST_INPUTS; i++) {
        x[i] = w[i] = -32768;
        narrow[i] = 127;
    }
    small s;
    make_small(&s, "mli_krn_rnn_dense_fx16", 1);
    s.in[0] = make_fx(LB_FX16, 100, SHAPE(MOST_INPUTS), x);
    s.weights[0] = make_fx(LB_FX16, 100, SHAPE(MOST_INPUTS, 1), w);
    assert_int_equal(run_small(&s, 0), 1); /* 2^38 is a half of the 39th bit; os is 200 */
    assert_int_equal(run_small(&s, 2), 0);
    make_small(&s, "mli_krn_rnn_dense_fx16_fx8_fx8", 1);
    narrow[0] = -128;
    s.weights[0] = make_fx(LB_FX8, 0, SHAPE(MOST_INPUTS, 1), narrow);
    s.b = 0;
    for (int os = 30; os <= 33; os++) {
        s.in[0] = make_fx(LB_FX16, os, SHAPE(2, MOST_INPUTS / 2), x);
        assert_int_equal(run_small(&s, 0),
                         os == 30 ? -1 : 0); /* 254 * 127 * 32768 and a bit: -0.98 of 2^30 */
    }
}

/* fx16: 64 bits hold every sum; the result saturates. */
static void result_saturates(void **state)
{
    (void)state;
    small s;
    make_small(&s, "mli_krn_rnn_dense_fx16", 4);
    for (int j = 0; j < 4; j++) {
        s.x[j] = 32767;
        s.w[j] = (int16_t)(j % 2 == 0 ? 32767 : -32767);
    }
    s.b = 5;
    assert_int_equal(run_small(&s, 1), 5);
    s.w[0] = s.w[3] = 1;
    s.w[1] = s.w[2] = 0;
    assert_int_equal(run_small(&s, 1), 32767);
}

/* ---- sa8 ---- */

/* Product steps are 5/32 and 21/512, output steps 1/2. */
static void sa8_worked_example(void **state)
{
    (void)state;
    fixture f;
    make_two_inputs(&f);
    f.x[0][5] = 14;  /* 4 steps */
    f.w[0][10] = 8;  /* to output 0: 32 products = 5.0 = 10 steps */
    f.x[1][2] = 12;  /* 32 steps */
    f.w[1][5] = -64; /* to output 1: -2048 products = -84.0 = -168 steps */
    f.b[1] = 64;     /* 10.0 = 20 steps */
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        assert_string_equal(run(&f.call, p), "");
        assert_int_equal(f.y[0], 10 + 4);
        assert_int_equal(f.y[1], -128); /* -144 */
    }
    f.w[1][5] = -32;
    run(&f.call, 0);
    assert_int_equal(f.y[1], -84 + 20 + 4);
}

/* recurrent.md 5.3: reduced keeps the 16 leading bits of the bias, truncated down */
static void sa8_bias_in_reduced(void **state)
{
    (void)state;
    fixture f;
    make_two_inputs(&f);
    f.bias.sa.scale.mem.i16 = f.weights[0].sa.scale.mem.i16 = 1;
    f.in[0].sa.scale_frac_bits.mem.i8 = 21;
    f.bias.sa.scale_frac_bits.mem.i8 = 24; /* an output step is 2^23 */
    static const struct {
        int32_t bias;
        int full, reduced;
    } expected[] = {
        {(1 << 22) + 3 * (1 << 23), 4, 4}, /* 3.5: to even */
        {-(1 << 22) - (1 << 23) + 1, -1,
         -2},                  /* a bit above -1.5: cut down to -1.5, which goes to even */
        {(1 << 22) + 1, 1, 0}, /* a bit above 0.5: cut down to 0.5 */
    };
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        f.b[0] = expected[i].bias;
        assert_string_equal(run(&f.call, 2), "");
        assert_int_equal(f.y[0], expected[i].full + 4);
        assert_string_equal(run(&f.call, 3), "");
        assert_int_equal(f.y[0], expected[i].reduced + 4);
    }
}

/* Each input saturates at 32 bits in the output's format, and so does their sum, before the zero
 * point. */
static void sa8_sums_saturate(void **state)
{
    (void)state;
    fixture f;
    make_two_inputs(&f);
    f.out.sa.scale_frac_bits.mem.i8 = 100; /* steps so fine that everything overflows */
    f.x[0][0] = 11;
    f.w[0][0] = 1;
    f.x[1][0] = -19;
    f.w[1][0] = -1;
    f.x[0][1] = 11;
    f.w[0][3] = 1;
    assert_string_equal(run(&f.call, 0), "");
    assert_int_equal(f.y[0], 3); /* 2^31-1 - 2^31 + 4 */
    assert_int_equal(f.y[1], 127);
}

/* ---- What it watches and tells ---- */

typedef struct heard {
    unsigned calls;
    char names[64][16];
    int64_t value[64];
    double real[64];
} heard;

/* Steps of output 1. */
static void hear(void *user, const char *name, unsigned frame, unsigned index, int64_t value,
                 double real)
{
    heard *h = user;
    assert_int_equal(frame, 0);
    if (index == 1 && h->calls < COUNT_OF(h->names)) {
        strcpy(h->names[h->calls], name);
        h->value[h->calls] = value;
        h->real[h->calls++] = real;
    }
}

static void watch_and_trace(void **state)
{
    (void)state;
    fixture f;
    make_two_inputs(&f);
    f.x[1][2] = 12;
    f.w[1][5] = -32;
    f.b[1] = 64;
    lb_watch watch = {0};
    heard h = {0};
    lb_trace trace = {hear, &h};
    lb_context context = {.profile = &lb_profiles[0], .watch = &watch, .trace = &trace};
    assert_null(lb_run_exact(&context, &f.call));
    assert_int_equal(watch.chains, 4);
    assert_int_equal(watch.macs, 12); /* six products, six corrections of the zero point */
    assert_int_equal(watch.final_low, -1024);
    static const struct {
        const char *name;
        int64_t value;
        double real;
    } expected[] = {
        {"in0.bias", 64, 10.0},
        {"in0.acc", 64, 10.0},
        {"in0.mul", 5 * 16384, 5.0 / 16.0}, /* 5/32 of a product to halves of an output */
        {"in0.shift", 18, 18.0},
        {"in0.sum", 20, 10.0},
        {"in1.acc", -1024, -42.0},
        {"in1.mul", 7 * 24576, 21.0 / 256.0},
        {"in1.shift", 21, 21.0},
        {"in1.sum", -84, -42.0},
        {"pre", -64, -32.0},
    };
    assert_int_equal(h.calls, COUNT_OF(expected));
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_string_equal(h.names[i], expected[i].name);
        assert_int_equal(h.value[i], expected[i].value);
        assert_true(h.real[i] == expected[i].real);
    }
    assert_int_equal(f.y[1], -64 + 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_input_is_rounded_on_its_own),
        cmocka_unit_test(aligned_bias),
        cmocka_unit_test(long_shifts),
        cmocka_unit_test(result_saturates),
        cmocka_unit_test(sa8_worked_example),
        cmocka_unit_test(sa8_bias_in_reduced),
        cmocka_unit_test(sa8_sums_saturate),
        cmocka_unit_test(watch_and_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
