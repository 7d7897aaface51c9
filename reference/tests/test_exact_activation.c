/* sigm and tanh: landmarks and QUIRKs of recurrent.md 4, what is written, stated accuracy, order of
 * checks. */
#include "order.h"

#include <math.h>

/* One call; its status. */
static lb_status activate(const char *function, lb_tensor *in, lb_tensor *out, int profile)
{
    lb_call call = make_call(function);
    set_role(&call, LB_ROLE_IN, in);
    set_role(&call, LB_ROLE_OUT, out);
    run(&call, profile);
    return call.status;
}

static int fx16_at(const char *function, int16_t x, int frac, int profile)
{
    int16_t y = 0;
    lb_tensor in = make_fx(LB_FX16, frac, SHAPE(1), &x);
    lb_tensor out = make_fx(LB_FX16, 0, SHAPE(1), &y);
    assert_int_equal(activate(function, &in, &out, profile), LB_OK);
    assert_int_equal(out.frac_bits, 15);
    return y;
}

static void fx16_landmarks(void **state)
{
    (void)state;
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        for (int frac = -128; frac <= 127; frac++) {
            assert_int_equal(fx16_at("mli_krn_sigm_fx16", 0, frac, p), 16384);
            assert_int_equal(fx16_at("mli_krn_tanh_fx16", 0, frac, p), 0);
        }
        /* 1.0 without interpolation: sigm [176] = 23955, tanh [204] = 24956 */
        assert_int_equal(fx16_at("mli_krn_sigm_fx16", 1, 0, p), 23955);
        assert_int_equal(fx16_at("mli_krn_tanh_fx16", 1, 0, p), 24956);
        assert_int_equal(fx16_at("mli_krn_sigm_fx16", -1, -128, p), 1);
        assert_int_equal(fx16_at("mli_krn_sigm_fx16", 1, -128, p), 32766);
    }
}

/* Never 0 and never above 32766 in fx16 (a QUIRK), whatever x and its format. */
static void sigm_fx16_stays_inside(void **state)
{
    (void)state;
    for (int frac = -128; frac <= 127; frac += 5)
        for (int x = -32768; x <= 32767; x += 257)
            assert_in_range(fx16_at("mli_krn_sigm_fx16", (int16_t)x, frac, 0), 1, 32766);
}

/* fx8 is fx16's result rounded once more: 24956 * 2^-8 = 97.48, 23955 * 2^-8 = 93.57. */
static void fx8_rounds_twice(void **state)
{
    (void)state;
    int8_t x[3] = {1, -1, 127};
    int8_t y[3];
    lb_tensor in = make_fx(LB_FX8, 0, SHAPE(3), x);
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(3), y);
    assert_int_equal(activate("mli_krn_tanh_fx8", &in, &out, 0), LB_OK);
    assert_int_equal(out.frac_bits, 7);
    assert_int_equal(y[0], 97);
    assert_int_equal(y[1], -97);
    assert_int_equal(y[2], 127); /* 128 does not fit */
    assert_int_equal(activate("mli_krn_sigm_fx8", &in, &out, 0), LB_OK);
    assert_int_equal(y[0], 94);
    assert_int_equal(y[1], 34); /* 8813 * 2^-8 = 34.4 */
}

/* sa8: (v - z) * s * 2^-f = 1 gives sigm 0.7311 = 187/256, tanh 0.7616 = 97/128. */
static void sa8_formats(void **state)
{
    (void)state;
    int8_t x[2] = {26, 10};
    int8_t y[2];
    lb_tensor in = make_sa(LB_SA8, (lb_quant){1, 4, 10}, SHAPE(2), x);
    lb_tensor out = make_sa(LB_SA8, (lb_quant){77, 3, 5}, SHAPE(2), y);
    out.sa.type = 1;
    assert_int_equal(activate("mli_krn_sigm_sa8", &in, &out, 0), LB_OK);
    assert_int_equal(y[0], 187 - 128);
    assert_int_equal(y[1], 0);
    lb_quant q = lb_quant_at(&out, 0);
    assert_true(q.scale == 1 && q.frac == 8 && q.zero_point == -128);
    assert_int_equal(out.sa.type, 0);
    assert_int_equal(activate("mli_krn_tanh_sa8", &in, &out, 0), LB_OK);
    assert_int_equal(y[0], 97);
    assert_int_equal(y[1], 0);
    q = lb_quant_at(&out, 0);
    assert_true(q.scale == 1 && q.frac == 7 && q.zero_point == 0);
}

/* A per-axis out is accepted, becomes per tensor, and keeps its capacities (a QUIRK). */
static void per_axis_out(void **state)
{
    (void)state;
    int8_t x[2] = {0, 0};
    int8_t y[2];
    int16_t scale[2] = {1, 1};
    int8_t frac[2] = {0, 0};
    int16_t zero_point[2] = {0, 0};
    lb_tensor in = make_sa(LB_SA8, (lb_quant){1, 4, 0}, SHAPE(2), x);
    lb_tensor out = make_tensor(LB_SA8, SHAPE(2), y);
    set_per_axis(&out, 0, scale, frac, zero_point);
    assert_int_equal(activate("mli_krn_sigm_sa8", &in, &out, 0), LB_OK);
    assert_int_equal(out.sa.dim, -1);
    assert_int_equal(out.sa.scale.capacity_bytes, 4);
    assert_int_equal(lb_chkq(&out, -128, 127), LB_BAD_TENSOR);
}

/* Rows with gaps: the gaps stay, in place and out of place agree, other fields of out stay. */
static void strides_and_in_place(void **state)
{
    (void)state;
    int16_t x[12];
    int16_t y[10];
    int16_t same[12];
    for (int i = 0; i < 12; i++) {
        x[i] = same[i] = (int16_t)(i * 700 - 4000);
        y[i % 10] = 12345;
    }
    lb_tensor in = make_fx(LB_FX16, 11, SHAPE(3, 3), x);
    lb_tensor out = make_fx(LB_FX16, 0, SHAPE(3, 3), y);
    in.mem_stride[0] = 4;
    out.mem_stride[0] = 3;
    lb_tensor in_place = in;
    lb_tensor out_place = in;
    in_place.data.mem.ptr = out_place.data.mem.ptr = same;
    in.data.capacity_bytes = in_place.data.capacity_bytes = out_place.data.capacity_bytes = 22;
    assert_int_equal(activate("mli_krn_tanh_fx16", &in, &out, 0), LB_OK);
    assert_int_equal(activate("mli_krn_tanh_fx16", &in_place, &out_place, 0), LB_OK);
    for (int i = 0; i < 9; i++) {
        int at = i / 3 * 4 + i % 3;
        assert_int_equal(y[i], same[at]);
        assert_int_equal(y[i], fx16_at("mli_krn_tanh_fx16", x[at], 11, 0));
    }
    for (int row = 0; row < 3; row++)
        assert_int_equal(same[row * 4 + 3], x[row * 4 + 3]);
    assert_int_equal(y[9], 12345);
    assert_true(out.rank == 2 && out.shape[0] == 3 && out.mem_stride[0] == 3 &&
                out.data.capacity_bytes == 18);
}

/* Largest distance of exact from real in output steps over every `step`-th container. */
static double worst_distance(const char *function, uint32_t el_type, lb_quant q, int profile,
                             int step)
{
    static int16_t x[65536];
    static int16_t y[65536];
    static double value[65536];
    int bits = lb_container_bits(el_type);
    uint32_t count = 0;
    for (int v = -(1 << (bits - 1)); v < 1 << (bits - 1); v += step, count++)
        if (bits == 8)
            ((int8_t *)x)[count] = (int8_t)v;
        else
            x[count] = (int16_t)v;
    lb_tensor in = lb_is_fx(el_type) ? make_fx(el_type, q.frac, SHAPE(count), x)
                                     : make_sa(el_type, q, SHAPE(count), x);
    lb_tensor out = in;
    out.data.mem.ptr = y;
    lb_call call = make_call(function);
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_OUT, &out);
    lb_context context = {.profile = &lb_profiles[profile]};
    lb_real_outputs real = {.value = {[LB_ROLE_OUT] = value}};
    call.kernel->real(&context, &call, &real);
    assert_string_equal(run(&call, profile), "");
    lb_quant to = lb_quant_at(&out, 0);
    double worst = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        double steps = ldexp(value[i], to.frac) + to.zero_point;
        worst = fmax(worst, fabs(lb_load(&out, i) - steps));
    }
    return worst;
}

/* recurrent.md 4, "Accuracy": fx16 2.2 and 3.8 steps for f = -4..29; fx8 and sa8 1.0 (where 1.0
 * itself does not fit). */
static void accuracy(void **state)
{
    (void)state;
    for (int p = 0; p < LB_PROFILE_COUNT; p += 2) {
        double worst[2] = {0.0, 0.0};
        for (int frac = -4; frac <= 29; frac++) {
            worst[0] = fmax(worst[0], worst_distance("mli_krn_sigm_fx16", LB_FX16,
                                                     (lb_quant){1, frac, 0}, p, 7));
            worst[1] = fmax(worst[1], worst_distance("mli_krn_tanh_fx16", LB_FX16,
                                                     (lb_quant){1, frac, 0}, p, 7));
            assert_true(worst_distance("mli_krn_sigm_fx8", LB_FX8, (lb_quant){1, frac, 0}, p, 1) <=
                        1.0);
            assert_true(worst_distance("mli_krn_tanh_fx8", LB_FX8, (lb_quant){1, frac, 0}, p, 1) <=
                        1.0);
            lb_quant q = {32767 - 911 * (frac + 4), frac, 7 * frac - 100};
            assert_true(worst_distance("mli_krn_sigm_sa8", LB_SA8, q, p, 1) <= 1.0);
            assert_true(worst_distance("mli_krn_tanh_sa8", LB_SA8, q, p, 1) <= 1.0);
        }
        assert_true(worst[0] > 1.8 && worst[0] < 2.25);
        assert_true(worst[1] > 3.2 && worst[1] < 3.85);
    }
}

/* ---- Order of checks ---- */

typedef struct fixture {
    lb_call call;
    lb_tensor in, out;
    int8_t x[12], y[12]; /* room for fx16 too */
    int16_t scale[2], zero_point[2];
    int8_t frac[2];
} fixture;

static void fresh(void *memory)
{
    fixture *f = memory;
    memset(f, 0, sizeof *f);
    f->call = make_call("mli_krn_tanh_sa8");
    f->in = make_sa(LB_SA8, (lb_quant){1, 4, 0}, SHAPE(2, 3), f->x);
    f->out = make_sa(LB_SA8, (lb_quant){1, 4, 0}, SHAPE(2, 3), f->y);
    set_role(&f->call, LB_ROLE_IN, &f->in);
    set_role(&f->call, LB_ROLE_OUT, &f->out);
    f->in.data.capacity_bytes = f->out.data.capacity_bytes = 12;
    f->scale[0] = f->scale[1] = 1;
}

DAMAGE(null_in, f->in.data.mem.ptr = NULL)
DAMAGE(small_out, f->out.data.capacity_bytes = 1)
DAMAGE(other_type, f->out.el_type = LB_FX8)
DAMAGE(other_shape, f->in.shape[0] = 1)
DAMAGE(in_gaps, f->in.shape[1] = f->out.shape[1] = 1; f->in.mem_stride[1] = 2;
       f->in.mem_stride[0] = 3)
DAMAGE(out_gaps, f->in.shape[1] = f->out.shape[1] = 1; f->out.mem_stride[1] = 2;
       f->out.mem_stride[0] = 3)
DAMAGE(both_fx16, f->in.el_type = f->out.el_type = LB_FX16)
DAMAGE(no_scale, f->scale[1] = 0; set_per_axis(&f->in, 0, f->scale, f->frac, f->zero_point))
DAMAGE(per_axis, set_per_axis(&f->in, 0, f->scale, f->frac, f->zero_point))
DAMAGE(rank_0, f->in.rank = f->out.rank = 0)

static const damage damages[] = {
    {"in.tensor", LB_BAD_TENSOR, null_in, false},
    {"out.tensor", LB_NOT_ENOUGH_MEM, small_out, false},
    {"out.type_equals_in", LB_TYPE_MISMATCH, other_type, false},
    {"out.shape_equals_in", LB_SHAPE_MISMATCH, other_shape, false},
    {"in.inner_stride", LB_INCOMPATIBLE_TENSORS, in_gaps, false},
    {"out.inner_stride", LB_INCOMPATIBLE_TENSORS, out_gaps, false},
    {"in.type", LB_TYPE_MISMATCH, both_fx16, false},
    {"in.quant", LB_BAD_TENSOR, no_scale, false},
    {"in.per_tensor", LB_INCOMPATIBLE_TENSORS, per_axis, false},
    {"in.rank", LB_BAD_TENSOR, rank_0, true},
};

static void order_of_checks(void **state)
{
    (void)state;
    static fixture f;
    check_order(damages, COUNT_OF(damages), &f, fresh, &f.call);
}

/* A refused call leaves out as it was; the zero point of any entry counts. */
static void refused_calls_write_nothing(void **state)
{
    (void)state;
    fixture f;
    fresh(&f);
    per_axis(&f);
    f.zero_point[1] = 200;
    f.y[0] = 99;
    assert_string_equal(run(&f.call, 0), "in.quant");
    assert_int_equal(f.call.status, LB_INCOMPATIBLE_TENSORS);
    assert_int_equal(f.out.sa.scale_frac_bits.mem.i8, 4);
    assert_int_equal(f.y[0], 99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fx16_landmarks),
        cmocka_unit_test(sigm_fx16_stays_inside),
        cmocka_unit_test(fx8_rounds_twice),
        cmocka_unit_test(sa8_formats),
        cmocka_unit_test(per_axis_out),
        cmocka_unit_test(strides_and_in_place),
        cmocka_unit_test(accuracy),
        cmocka_unit_test(order_of_checks),
        cmocka_unit_test(refused_calls_write_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
