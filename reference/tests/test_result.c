/* Result programs: that kernels with a fault are edits of them. Each call is fully connected with
 * one input and one weight. Spec: numerics.md 5.3, 6; conv.md 4, 5. */
#include "core/result.h"
#include "tensors.h"

/* x * w + b, in sa8 with a step of 1 on the way in, and of `step` on the way out. */
typedef struct numbers {
    int8_t x, w;
    int32_t b;
    int step_log2;
    int32_t zero_point;
    int32_t relu;
} numbers;

static int32_t output_of(const numbers *n, const lb_result_edit *edit)
{
    int8_t x[] = {n->x}, w[] = {n->w}, y[1];
    int32_t b[] = {n->b};
    const int out_frac = 14 - n->step_log2;
    lb_tensor in = make_sa(LB_SA8, (lb_quant){16384, 14, 0}, SHAPE(1), x);
    lb_tensor weights = make_sa(LB_SA8, (lb_quant){16384, 14, 0}, SHAPE(1, 1), w);
    lb_tensor bias = make_sa(LB_SA32, (lb_quant){16384, 14, 0}, SHAPE(1), b);
    lb_tensor out = make_sa(LB_SA8, (lb_quant){16384, out_frac, n->zero_point}, SHAPE(1), y);
    lb_call call = make_call("mli_krn_fully_connected_sa8_sa8_sa32");
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_WEIGHTS, &weights);
    set_role(&call, LB_ROLE_BIAS, &bias);
    set_role(&call, LB_ROLE_OUT, &out);
    call.config.relu = n->relu;
    lb_context context = {.profile = &lb_profiles[0], .result = edit};
    assert_null(lb_run_exact(&context, &call));
    return y[0];
}

static lb_result_edit of_weighted(void)
{
    return (lb_result_edit){LB_RESULT_WEIGHTED_SA8, lb_results[LB_RESULT_WEIGHTED_SA8]};
}

/* The zero point as four profiles add it: the step without another one for some platforms. */
static unsigned plain_zero_point(const lb_result_program *p)
{
    unsigned n = 0;
    while (p->step[n].operation != LB_RESULT_ZERO_POINT ||
           p->step[n].when != LB_RESULT_ZERO_POINT_NOT_FIRST)
        n++;
    return n;
}

static void unedited_copies_change_nothing(void **state)
{
    (void)state;
    const numbers n = {100, 2, 7, 1, -10, 0};
    lb_result_edit same = of_weighted();
    assert_int_equal(output_of(&n, NULL), 94); /* 103.5 and up, less 10 */
    assert_int_equal(output_of(&n, &same), 94);
    same.of = LB_RESULT_ELTWISE; /* of no step of this call */
    lb_result_leave_out(&same.program, plain_zero_point(&same.program));
    assert_int_equal(output_of(&n, &same), 94);
}

static void limits_before_the_zero_point(void **state)
{
    (void)state;
    enum { RELU = 1 };
    const numbers low = {25, -2, 0, 0, -100, RELU}, high = {100, 2, 0, 0, -100, 0};
    lb_result_edit edit = of_weighted();
    unsigned zero = plain_zero_point(&edit.program);
    assert_int_equal(output_of(&low, NULL), -100);
    lb_result_move(&edit.program, lb_result_find(&edit.program, LB_RESULT_LIMIT), zero);
    assert_int_equal(output_of(&low, &edit), -128); /* -50 - 100 */

    edit = of_weighted();
    lb_result_step container = edit.program.step[zero + 1];
    assert_int_equal(container.operation, LB_RESULT_SATURATE);
    assert_int_equal(output_of(&high, NULL), 100);
    lb_result_move(&edit.program, zero + 1, zero);
    assert_int_equal(output_of(&high, &edit), 27); /* 127 - 100 */
}

static void bias_scaled_alone(void **state)
{
    (void)state;
    const numbers n = {3, 1, 3, 1, 0, 0};
    lb_result_edit edit = of_weighted();
    lb_result_program *p = &edit.program;
    assert_int_equal(output_of(&n, NULL), 3);
    unsigned add = lb_result_find(p, LB_RESULT_ADD_BIAS);
    lb_result_move(p, add, lb_result_find(p, LB_RESULT_SHIFT));
    assert_int_equal(output_of(&n, &edit), 5); /* 1.5 and up; the bias as it is */
    add = lb_result_find(p, LB_RESULT_ADD_BIAS);
    lb_result_step multiply = {LB_RESULT_MULTIPLY, .value = LB_RESULT_BIAS},
                   shift = {LB_RESULT_SHIFT, .value = LB_RESULT_BIAS};
    assert_true(lb_result_insert(p, add, shift));
    assert_true(lb_result_insert(p, add, multiply));
    assert_int_equal(output_of(&n, &edit), 4); /* 1.5 and 1.5, each up */
}

static void steps_left_out_and_other_formats(void **state)
{
    (void)state;
    const numbers n = {100, 1, 0, 0, 5, 0};
    lb_result_edit edit = of_weighted();
    unsigned zero = plain_zero_point(&edit.program);
    assert_int_equal(output_of(&n, NULL), 105);
    edit.program.step[zero + 1].bits = 7;
    assert_int_equal(output_of(&n, &edit), 63);
    lb_result_leave_out(&edit.program, zero + 1);
    assert_int_equal(output_of(&n, &edit), 105);
    lb_result_leave_out(&edit.program, zero);
    assert_int_equal(output_of(&n, &edit), 100);
    lb_result_leave_out(&edit.program, lb_result_find(&edit.program, LB_RESULT_MULTIPLY));
    lb_result_leave_out(&edit.program, lb_result_find(&edit.program, LB_RESULT_SHIFT));
    assert_int_equal(output_of(&n, &edit), 100);
}

static void programs_have_room_and_an_end(void **state)
{
    (void)state;
    for (int name = 0; name < LB_RESULT_COUNT; name++) {
        unsigned length = lb_result_length(&lb_results[name]);
        assert_in_range(length, 2, LB_RESULT_STEPS - 2);
    }
    lb_result_program p = lb_results[LB_RESULT_TABLE];
    lb_result_step container = p.step[1];
    while (lb_result_insert(&p, 1, container))
        ;
    assert_int_equal(lb_result_length(&p), LB_RESULT_STEPS);
    assert_int_equal(lb_result_find(&p, LB_RESULT_MULTIPLY), LB_RESULT_STEPS);
    lb_result_leave_out(&p, LB_RESULT_STEPS - 1);
    assert_int_equal(lb_result_length(&p), LB_RESULT_STEPS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unedited_copies_change_nothing),
        cmocka_unit_test(limits_before_the_zero_point),
        cmocka_unit_test(bias_scaled_alone),
        cmocka_unit_test(steps_left_out_and_other_formats),
        cmocka_unit_test(programs_have_room_and_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
