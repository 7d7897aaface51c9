/* The exact model of element-wise functions: examples and quirks of the text, scalars, order of
 * checks. Spec: elementwise.md 2, 5. */
#include "violations.h"

/* Operands and outputs of one type; up to 4 elements. */
typedef struct pair {
    lb_tensor in1, in2, out;
    lb_call call;
} pair;

static void set_pair(pair *p, const char *function)
{
    p->call = make_call(function);
    set_role(&p->call, LB_ROLE_IN1, &p->in1);
    set_role(&p->call, LB_ROLE_IN2, &p->in2);
    set_role(&p->call, LB_ROLE_OUT, &p->out);
}

/* One pair of fx8 containers. */
static int fx8(const char *function, int profile, int a, int frac1, int b, int frac2, int frac_out)
{
    int8_t x[1] = {(int8_t)a};
    int8_t z[1] = {(int8_t)b};
    int8_t y[1] = {0};
    pair p;
    p.in1 = make_fx(LB_FX8, frac1, SHAPE(1), x);
    p.in2 = make_fx(LB_FX8, frac2, SHAPE(1), z);
    p.out = make_fx(LB_FX8, frac_out, SHAPE(1), y);
    set_pair(&p, function);
    assert_string_equal(run(&p.call, profile), "");
    return y[0];
}

/* One pair of sa8 containers. */
static int sa8(const char *function, int profile, int a, lb_quant q1, int b, lb_quant q2,
               lb_quant q_out)
{
    int8_t x[1] = {(int8_t)a};
    int8_t z[1] = {(int8_t)b};
    int8_t y[1] = {0};
    pair p;
    p.in1 = make_sa(LB_SA8, q1, SHAPE(1), x);
    p.in2 = make_sa(LB_SA8, q2, SHAPE(1), z);
    p.out = make_sa(LB_SA8, q_out, SHAPE(1), y);
    set_pair(&p, function);
    assert_string_equal(run(&p.call, profile), "");
    return y[0];
}

enum { UP = 0, CONVERGENT = 2 };

/* elementwise.md 5: the examples */
static void fx_examples(void **state)
{
    (void)state;
    assert_int_equal(fx8("mli_krn_eltwise_max_fx8", UP, 127, 7, -128, 7, 6), 63);
    assert_int_equal(fx8("mli_krn_eltwise_max_fx8", CONVERGENT, 127, 7, -128, 7, 6), 64);
    assert_int_equal(fx8("mli_krn_eltwise_max_fx8", UP, 127, 7, 0, 7, 0), 0);
    assert_int_equal(fx8("mli_krn_eltwise_max_fx8", CONVERGENT, 127, 7, 0, 7, 0), 1);
    assert_int_equal(fx8("mli_krn_eltwise_max_fx8", CONVERGENT, 127, 7, 0, 7, -5),
                     1); /* a shift of 12 acts as 7 */
    assert_int_equal(fx8("mli_krn_eltwise_min_fx8", UP, -100, 7, 127, 7, 8), -128);
    assert_int_equal(fx8("mli_krn_eltwise_min_fx8", UP, 5, 7, 4, 7, 8), 8);
    /* a true shift of 20 acts as 15 */
    assert_int_equal(fx8("mli_krn_eltwise_mul_fx8", UP, -128, 10, -128, 10, 0), 1);
    assert_int_equal(fx8("mli_krn_eltwise_mul_fx8", CONVERGENT, -128, 10, -128, 10, 0), 0);
    /* 2^21 at a true shift of 28, taken as 15 */
    assert_int_equal(fx8("mli_krn_eltwise_add_fx8", UP, 1, 7, 0, 28, 0), 64);
    assert_int_equal(fx8("mli_krn_eltwise_sub_fx8", UP, 0, 28, 1, 7, 0), -64);
}

static void fx_sums(void **state)
{
    (void)state;
    assert_int_equal(fx8("mli_krn_eltwise_add_fx8", UP, 3, 1, 5, 3, 3), 17);
    assert_int_equal(fx8("mli_krn_eltwise_sub_fx8", UP, 3, 1, 5, 3, 3), 7);
    assert_int_equal(fx8("mli_krn_eltwise_add_fx8", UP, 1, 2, 1, 2, 0), 1); /* 0.5 */
    assert_int_equal(fx8("mli_krn_eltwise_add_fx8", CONVERGENT, 1, 2, 1, 2, 0), 0);
    assert_int_equal(fx8("mli_krn_eltwise_add_fx8", UP, 100, 0, 100, 0, 0), 127);
    assert_int_equal(fx8("mli_krn_eltwise_sub_fx8", UP, -100, 0, 100, 0, 0), -128);
    /* aligned operands saturate at 32 bits, so their sum is not what the reals say: 2^31 - 1 - 2^31
     */
    assert_int_equal(fx8("mli_krn_eltwise_add_fx8", UP, 127, -128, -128, 127, 127), 127);
    assert_int_equal(fx8("mli_krn_eltwise_mul_fx8", UP, 6, 2, -7, 3, 4), -21);
    assert_int_equal(fx8("mli_krn_eltwise_mul_fx8", UP, 6, -128, -7, -128, 127), -128);
}

/* elementwise.md 5: each operand is rounded before the sum */
static void sa8_sums(void **state)
{
    (void)state;
    lb_quant half = {1, 1, 3};
    lb_quant one = {1, 0, -4};
    assert_int_equal(sa8("mli_krn_eltwise_add_sa8", UP, 4, half, 4, half, one),
                     2 - 4); /* 0.5 + 0.5 */
    assert_int_equal(sa8("mli_krn_eltwise_add_sa8", CONVERGENT, 4, half, 4, half, one), 0 - 4);
    assert_int_equal(sa8("mli_krn_eltwise_sub_sa8", UP, 4, half, 0, half, one),
                     1 + 1 - 4); /* 0.5 + 1.5 */
    assert_int_equal(sa8("mli_krn_eltwise_sub_sa8", CONVERGENT, 4, half, 0, half, one), 0 + 2 - 4);
    assert_int_equal(sa8("mli_krn_eltwise_add_sa8", UP, 127, one, 127, one, one), 127);
    assert_int_equal(sa8("mli_krn_eltwise_sub_sa8", UP, -128, one, 127, one, one), -128);
    assert_int_equal(sa8("mli_krn_eltwise_add_sa8", UP, -1, (lb_quant){3, 0, 0}, 5,
                         (lb_quant){2, 1, 0}, (lb_quant){1, 0, 0}),
                     2);
}

/* elementwise.md 5: up to three bits of the product go, with rounding, before it is scaled */
static void sa8_products(void **state)
{
    (void)state;
    lb_quant one = {1, 0, 0};
    lb_quant coarse = {1, -10, 0};
    assert_int_equal(sa8("mli_krn_eltwise_mul_sa8", UP, 7, one, 73, one, coarse),
                     1); /* 511 / 1024 by way of 64 / 128 */
    assert_int_equal(sa8("mli_krn_eltwise_mul_sa8", CONVERGENT, 7, one, 73, one, coarse), 0);
    assert_int_equal(sa8("mli_krn_eltwise_mul_sa8", UP, 4, one, 127, one, coarse),
                     1); /* 508: 63.5 / 128 */
    assert_int_equal(sa8("mli_krn_eltwise_mul_sa8", UP, 6, one, 84, one, coarse),
                     0); /* 504: 63 / 128 */
    assert_int_equal(sa8("mli_krn_eltwise_mul_sa8", UP, 10, (lb_quant){3, 2, 2}, -4,
                         (lb_quant){5, 1, 1}, (lb_quant){15, 3, 7}),
                     8 * -5 + 7);
    assert_int_equal(sa8("mli_krn_eltwise_mul_sa8", UP, 127, one, 127, one, one), 127);
}

static void sa8_picks(void **state)
{
    (void)state;
    lb_quant q = {3, 1, 10};
    lb_quant out = {3, 0, -1};
    assert_int_equal(sa8("mli_krn_eltwise_max_sa8", UP, 13, q, -50, q, out), 2 - 1); /* 1.5 steps */
    assert_int_equal(sa8("mli_krn_eltwise_min_sa8", UP, 13, q, 7, q, out), -1 - 1);  /* -1.5 */
    assert_int_equal(sa8("mli_krn_eltwise_min_sa8", CONVERGENT, 13, q, 7, q, out), -2 - 1);
}

/* Neither M nor the shift leaves its word for any scale_frac_bits (the line with c). */
static void sa8_extreme_shifts(void **state)
{
    (void)state;
    static const char *const functions[] = {"mli_krn_eltwise_add_sa8", "mli_krn_eltwise_mul_sa8",
                                            "mli_krn_eltwise_max_sa8"};
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        lb_quant fine = {1, 127, 0};
        lb_quant coarse = {1, -128, 0};
        assert_int_equal(sa8(functions[i], UP, 100, fine, 100, fine, coarse), 0);
        assert_int_equal(sa8(functions[i], UP, 1, coarse, 1, coarse, fine), 127);
        assert_int_equal(sa8(functions[i], UP, 0, coarse, 0, coarse, fine), 0);
    }
}

static void scalars(void **state)
{
    (void)state;
    int8_t x[4] = {1, 2, 3, 4};
    int8_t s[1] = {10};
    int8_t y[4];
    pair p;
    p.in1 = make_fx(LB_FX8, 0, SHAPE(2, 2), x);
    p.in2 = make_fx(LB_FX8, 0, SHAPE(1, 1, 1), s);
    p.out = make_fx(LB_FX8, 0, SHAPE(2, 2), y);
    set_pair(&p, "mli_krn_eltwise_sub_fx8");
    assert_string_equal(run(&p.call, 0), "");
    assert_memory_equal(y, ((const int8_t[]){-9, -8, -7, -6}), 4);
    p.in2 = p.in1; /* scalar - x, the scalar of rank 0 */
    p.in1 = make_fx(LB_FX8, 0, SHAPE(0), NULL);
    p.in1.data.mem.i8 = 10;
    assert_string_equal(run(&p.call, 0), "");
    assert_memory_equal(y, ((const int8_t[]){9, 8, 7, 6}), 4);

    /* Two scalars: out has the shape of in2. */
    p.in1 = make_fx(LB_FX8, 0, SHAPE(1, 1), x);
    p.in2 = make_fx(LB_FX8, 0, SHAPE(1), s);
    p.out = make_fx(LB_FX8, 0, SHAPE(1), y);
    assert_string_equal(run(&p.call, 0), "");
    assert_int_equal(y[0], -9);
    p.out = make_fx(LB_FX8, 0, SHAPE(1, 1), y);
    assert_string_equal(run(&p.call, 0), "out.shape_equals_operands");
    p.in1 = make_fx(LB_FX8, 0, SHAPE(0), NULL);
    p.in1.data.mem.i8 = -3;
    p.out = make_fx(LB_FX8, 0, SHAPE(1), y);
    assert_string_equal(run(&p.call, 0), "");
    assert_int_equal(y[0], -13);
}

static void in_place_and_strided(void **state)
{
    (void)state;
    int16_t x[6] = {1, 2, 77, 3, 4, 77};
    int16_t z[4] = {10, 20, 30, 40};
    for (int place = 0; place < 2; place++) {
        pair p;
        p.in1 = make_fx(LB_FX16, 0, SHAPE(2, 2), place == 0 ? x : z);
        p.in2 = make_fx(LB_FX16, 0, SHAPE(2, 2), place == 0 ? z : x);
        lb_tensor *strided = place == 0 ? &p.in1 : &p.in2;
        strided->mem_stride[0] = 3;
        strided->data.capacity_bytes = sizeof x;
        p.out = *strided;
        set_pair(&p, "mli_krn_eltwise_add_fx16");
        assert_string_equal(run(&p.call, 0), "");
    }
    assert_memory_equal(x, ((const int16_t[]){21, 42, 77, 63, 84, 77}), sizeof x);
}

typedef struct fixture {
    int8_t in1_data[32], in2_data[32], out_data[32];
    int16_t ones[16], zeros[16];
    int8_t fracs[16];
    lb_tensor in1, in2, out;
    lb_call call;
} fixture;

static void set_up(fixture *f, const char *function, bool is_sa)
{
    memset(f, 0, sizeof *f);
    for (int i = 0; i < 16; i++)
        f->ones[i] = 1;
    lb_quant q = {1, 0, 0};
    f->in1 = is_sa ? make_sa(LB_SA8, q, SHAPE(2, 3), f->in1_data)
                   : make_fx(LB_FX8, 2, SHAPE(2, 3), f->in1_data);
    f->in2 = is_sa ? make_sa(LB_SA8, q, SHAPE(2, 3), f->in2_data)
                   : make_fx(LB_FX8, 2, SHAPE(2, 3), f->in2_data);
    f->out = is_sa ? make_sa(LB_SA8, q, SHAPE(2, 3), f->out_data)
                   : make_fx(LB_FX8, 2, SHAPE(2, 3), f->out_data);
    f->in1.data.capacity_bytes = f->in2.data.capacity_bytes = f->out.data.capacity_bytes = 32;
    f->call = make_call(function);
    set_role(&f->call, LB_ROLE_IN1, &f->in1);
    set_role(&f->call, LB_ROLE_IN2, &f->in2);
    set_role(&f->call, LB_ROLE_OUT, &f->out);
}

static void set_up_add_fx8(void *f)
{
    set_up(f, "mli_krn_eltwise_add_fx8", false);
}

static void set_up_mul_sa8(void *f)
{
    set_up(f, "mli_krn_eltwise_mul_sa8", true);
}

static void set_up_min_fx8(void *f)
{
    set_up(f, "mli_krn_eltwise_min_fx8", false);
}

static void set_up_max_sa8(void *f)
{
    set_up(f, "mli_krn_eltwise_max_sa8", true);
}

/* clang-format off */
#define COMMON_VIOLATIONS                                                                                              \
    {"in1.tensor", LB_BAD_TENSOR, {SET_NULL(call.tensor[LB_ROLE_IN1])}},                                               \
    {"in1.tensor", LB_NOT_ENOUGH_MEM, {SET_U32(in1.data.capacity_bytes, 5)}},                                          \
    {"in2.tensor", LB_BAD_TENSOR, {SET_U32(in2.rank, 5)}},                                                             \
    {"out.tensor", LB_BAD_TENSOR, {SET_NULL(out.data.mem.ptr)}},                                                       \
    {"in2.one_operand_has_rank", LB_NOT_SUPPORTED, {SET_U32(in1.rank, 0), SET_U32(in2.rank, 0)}},                      \
    {"in1.inner_stride", LB_INCOMPATIBLE_TENSORS, {SET_I32(in1.mem_stride[1], 2), SET_I32(in1.mem_stride[0], 6)}},     \
    {"in2.inner_stride", LB_INCOMPATIBLE_TENSORS, {SET_I32(in2.mem_stride[1], 2), SET_I32(in2.mem_stride[0], 6)}},     \
    {"out.inner_stride", LB_INCOMPATIBLE_TENSORS, {SET_I32(out.mem_stride[1], 2), SET_I32(out.mem_stride[0], 6)}},     \
    {"out.type_equals_in1", LB_INCOMPATIBLE_TENSORS, {SET_U32(out.el_type, LB_FX16), SET_U32(out.shape[0], 1)}},       \
    {"out.shape_equals_operands", LB_SHAPE_MISMATCH, {SET_U32(out.shape[0], 1)}},                                      \
    {"out.shape_equals_operands", LB_SHAPE_MISMATCH, {SET_U32(in2.shape[0], 1)}},                                      \
    {"in1.type", LB_TYPE_MISMATCH, {SET_U32(in1.el_type, LB_SA32), SET_U32(in2.el_type, LB_SA32),                      \
                                    SET_U32(out.el_type, LB_SA32)}},                                                   \
    {"out.rank", LB_NOT_SUPPORTED, {SET_U32(out.rank, 0), SET_U32(in2.rank, 0), SET_U32(in1.shape[0], 1),              \
                                    SET_U32(in1.shape[1], 1)}}

#define SA8_VIOLATIONS                                                                                                 \
    {"in1.quant", LB_INCOMPATIBLE_TENSORS, {SET_I16(in1.sa.zero_point.mem.i16, 128), SET_I16(in2.sa.zero_point.mem.i16, 128)}}, \
    {"out.quant", LB_BAD_TENSOR, {SET_I16(out.sa.scale.mem.i16, 0)}},                                                  \
    {"out.per_tensor", LB_INCOMPATIBLE_TENSORS, {SET_PER_AXIS(out)}}

static const violation add_fx_violations[] = {
    COMMON_VIOLATIONS,
    {"in2.type", LB_TYPE_MISMATCH, {SET_U32(in2.el_type, LB_SA8)}},
};

static const violation mul_sa8_violations[] = {
    COMMON_VIOLATIONS,
    SA8_VIOLATIONS,
    {"in2.type", LB_TYPE_MISMATCH, {SET_U32(in2.el_type, LB_FX8)}},
    {"in2.quant", LB_BAD_TENSOR, {SET_U32(in2.sa.scale.capacity_bytes, 2)}},
    {"in1.per_tensor", LB_INCOMPATIBLE_TENSORS, {SET_PER_AXIS(in1)}},
    {"in2.per_tensor", LB_INCOMPATIBLE_TENSORS, {SET_PER_AXIS(in2)}},
};

/* min, max: with equal quantization in1's type and axis fail before in2's. */
static const violation min_fx_violations[] = {
    COMMON_VIOLATIONS,
    {"in2.quant_equals_in1", LB_INCOMPATIBLE_TENSORS, {SET_U32(in2.el_type, LB_SA8)}},
    {"in2.quant_equals_in1", LB_INCOMPATIBLE_TENSORS, {SET_I8(in2.frac_bits, 1)}},
    {"in2.type", LB_OK, {{0}}},
};

static const violation max_sa8_violations[] = {
    COMMON_VIOLATIONS,
    SA8_VIOLATIONS,
    {"in2.quant_equals_in1", LB_INCOMPATIBLE_TENSORS, {SET_I16(in2.sa.scale.mem.i16, 2)}},
    {"in2.quant_equals_in1", LB_INCOMPATIBLE_TENSORS, {SET_PER_AXIS(in2)}},
    {"in2.type", LB_OK, {{0}}},
    {"in2.quant", LB_BAD_TENSOR, {SET_U32(in2.sa.scale.capacity_bytes, 2)}},
    {"in1.per_tensor", LB_INCOMPATIBLE_TENSORS, {SET_PER_AXIS(in1), SET_PER_AXIS(in2)}},
    {"in2.per_tensor", LB_OK, {{0}}},
};
/* clang-format on */

static void rules_in_order(void **state)
{
    (void)state;
    static fixture f;
    check_violations(&f, &f.call, set_up_add_fx8, add_fx_violations, COUNT_OF(add_fx_violations));
    check_violations(&f, &f.call, set_up_mul_sa8, mul_sa8_violations, COUNT_OF(mul_sa8_violations));
    check_violations(&f, &f.call, set_up_min_fx8, min_fx_violations, COUNT_OF(min_fx_violations));
    check_violations(&f, &f.call, set_up_max_sa8, max_sa8_violations, COUNT_OF(max_sa8_violations));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fx_examples),    cmocka_unit_test(fx_sums),
        cmocka_unit_test(sa8_sums),       cmocka_unit_test(sa8_products),
        cmocka_unit_test(sa8_picks),      cmocka_unit_test(sa8_extreme_shifts),
        cmocka_unit_test(scalars),        cmocka_unit_test(in_place_and_strided),
        cmocka_unit_test(rules_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
