/* Elementwise steps of the recurrent cells: roundings, caps and saturations of recurrent.md 6 that
 * whole cells seldom reach. */
#include "tensors.h"

#include "describe/cell_ops.h"

static int64_t mul_fx(int16_t a, int fa, int16_t b, int fb, int fo, lb_rounding rounding)
{
    int16_t o = 0;
    lb_tensor ta = make_fx(LB_FX16, fa, SHAPE(1), &a);
    lb_tensor tb = make_fx(LB_FX16, fb, SHAPE(1), &b);
    lb_tensor to = make_fx(LB_FX16, fo, SHAPE(1), &o);
    const lb_profile profile = {.rounding = rounding};
    lb_cell_mul(&(lb_context){.profile = &profile}, &ta, &tb, &to, NULL);
    return o;
}

static void mul_fx16(void **state)
{
    (void)state;
    assert_int_equal(mul_fx(1000, 12, 16384, 15, 14, LB_ROUND_UP), 2000);
    assert_int_equal(mul_fx(3, 0, 1, 1, 0, LB_ROUND_UP), 2);
    assert_int_equal(mul_fx(5, 0, 1, 1, 0, LB_ROUND_UP), 3);
    assert_int_equal(mul_fx(5, 0, 1, 1, 0, LB_ROUND_CONVERGENT), 2);
    assert_int_equal(mul_fx(300, 0, 300, 0, 4, LB_ROUND_UP), 32767); /* shifts left */
    /* QUIRK: a shift above 31 acts as 31, so 2^30 is still a half */
    assert_int_equal(mul_fx(-32768, 20, -32768, 20, 0, LB_ROUND_UP), 1);
    assert_int_equal(mul_fx(-32768, 127, -32768, 127, -128, LB_ROUND_UP), 1);
    assert_int_equal(mul_fx(-32768, 20, -32768, 20, 0, LB_ROUND_CONVERGENT), 0);
}

static int64_t add_fx(int16_t a, int fa, int16_t b, int fb, int fo, lb_rounding rounding)
{
    int16_t o = 0;
    lb_tensor ta = make_fx(LB_FX16, fa, SHAPE(1), &a);
    lb_tensor tb = make_fx(LB_FX16, fb, SHAPE(1), &b);
    lb_tensor to = make_fx(LB_FX16, fo, SHAPE(1), &o);
    const lb_profile profile = {.rounding = rounding};
    lb_cell_add(&(lb_context){.profile = &profile}, &ta, &tb, &to, NULL);
    return o;
}

static void add_fx16(void **state)
{
    (void)state;
    assert_int_equal(add_fx(1, 0, 1, 1, 0, LB_ROUND_UP), 2); /* 1.5, rounded once */
    assert_int_equal(add_fx(2, 0, 1, 1, 0, LB_ROUND_UP), 3);
    assert_int_equal(add_fx(2, 0, 1, 1, 0, LB_ROUND_CONVERGENT), 2);
    /* an operand saturates at 32 bits when it is aligned: 2^31-1, shifted by 20 */
    assert_int_equal(add_fx(32767, 0, 1, 40, 20, LB_ROUND_UP), 2048);
    assert_int_equal(add_fx(-32768, 0, -32768, 20, 0, LB_ROUND_UP), -2048);
    assert_int_equal(add_fx(32767, 0, 32767, 17, 2, LB_ROUND_UP), 32767);
    /* a shift above 31 acts as 31 */
    assert_int_equal(add_fx(1, 0, 1, 0, -128, LB_ROUND_UP), 0);
    assert_int_equal(add_fx(-1, 0, -32768, 31, -31, LB_ROUND_UP), -1);
    assert_int_equal(add_fx(1, 0, 32767, 31, -31, LB_ROUND_UP), 1);
}

static int64_t mul_sa(int8_t a, lb_quant qa, int8_t b, lb_quant qb, lb_quant qo)
{
    int8_t o = 0;
    lb_tensor ta = make_sa(LB_SA8, qa, SHAPE(1), &a);
    lb_tensor tb = make_sa(LB_SA8, qb, SHAPE(1), &b);
    lb_tensor to = make_sa(LB_SA8, qo, SHAPE(1), &o);
    lb_cell_mul(&(lb_context){.profile = &lb_profiles[0]}, &ta, &tb, &to, NULL);
    return o;
}

/* A gate is (1, 8, -128): the product is rounded by one bit and then by seven (recurrent.md 6,
 * check value). */
static void mul_sa8_rounds_twice(void **state)
{
    (void)state;
    lb_quant value = {40, 10, 3};
    lb_quant gate = {1, 8, -128};
    assert_int_equal(mul_sa(4, value, -1, gate, value),
                     4); /* 1 * 127/256: 64, then a half: 1 + 3 */
    assert_int_equal(mul_sa(4, value, -2, gate, value), 3);      /* 1 * 126/256: 63 */
    assert_int_equal(mul_sa(-125, value, -1, gate, value), -60); /* -128 * 127/256 = -63.5 */
    assert_int_equal(mul_sa(127, value, 127, gate, value),
                     127); /* 124 * 255/256 = 123.5: 124 + 3 */
    assert_int_equal(mul_sa(127, value, 127, gate, (lb_quant){1, 20, 0}), 127);
    assert_int_equal(mul_sa(-128, value, 127, gate, (lb_quant){1, 20, 0}), -128);
}

static int64_t add_sa(int8_t a, lb_quant qa, int8_t b, lb_quant qb, lb_quant qo)
{
    int8_t o = 0;
    lb_tensor ta = make_sa(LB_SA8, qa, SHAPE(1), &a);
    lb_tensor tb = make_sa(LB_SA8, qb, SHAPE(1), &b);
    lb_tensor to = make_sa(LB_SA8, qo, SHAPE(1), &o);
    lb_cell_add(&(lb_context){.profile = &lb_profiles[0]}, &ta, &tb, &to, NULL);
    return o;
}

/* Each operand is rounded to a step of the output by itself: two halves make two. */
static void add_sa8_rounds_each_operand(void **state)
{
    (void)state;
    lb_quant half = {1, 1, 10};
    lb_quant one = {1, 0, -20};
    assert_int_equal(add_sa(11, half, 11, half, one), 2 - 20);
    assert_int_equal(add_sa(9, half, 9, half, one), 0 - 20);
    assert_int_equal(add_sa(9, half, 11, half, one), 1 - 20);
    assert_int_equal(add_sa(127, one, 127, one, one), 127);
    assert_int_equal(add_sa(-128, one, -128, one, half), -128);
    /* far apart: one operand vanishes, or the sum saturates, whatever the shifts are */
    assert_int_equal(add_sa(100, (lb_quant){32767, 127, 0}, 5, one, one), 5);
    assert_int_equal(add_sa(1, (lb_quant){32767, -128, 0}, 5, one, one), 127);
}

static void complement(void **state)
{
    (void)state;
    int16_t wide[] = {0, 1, 16384, 32766, 32767};
    lb_tensor t = make_fx(LB_FX16, 15, SHAPE(5), wide);
    lb_cell_complement(&t, NULL);
    static const int16_t expected[] = {32767, 32766, 16383, 1, 0};
    assert_memory_equal(wide, expected, sizeof expected);
    int8_t narrow[] = {-128, 0, 127};
    t = make_sa(LB_SA8, (lb_quant){1, 8, -128}, SHAPE(3), narrow);
    lb_cell_complement(&t, NULL);
    static const int8_t expected_narrow[] = {127, -1, -128}; /* 0 -> 255/256, 128/256 -> 127/256 */
    assert_memory_equal(narrow, expected_narrow, sizeof expected_narrow);
}

static void in_place(void **state)
{
    (void)state;
    int16_t a[] = {100, -7, 32767};
    int16_t b[] = {16384, 32767, -32768};
    int16_t apart[3];
    lb_tensor ta = make_fx(LB_FX16, 12, SHAPE(3), a);
    lb_tensor tb = make_fx(LB_FX16, 15, SHAPE(3), b);
    lb_tensor to = make_fx(LB_FX16, 12, SHAPE(3), apart);
    lb_cell_mul(&(lb_context){.profile = &lb_profiles[0]}, &ta, &tb, &to, NULL);
    lb_cell_mul(&(lb_context){.profile = &lb_profiles[0]}, &ta, &tb, &ta, NULL);
    assert_memory_equal(a, apart, sizeof apart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mul_fx16),
        cmocka_unit_test(add_fx16),
        cmocka_unit_test(mul_sa8_rounds_twice),
        cmocka_unit_test(add_sa8_rounds_each_operand),
        cmocka_unit_test(complement),
        cmocka_unit_test(in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
