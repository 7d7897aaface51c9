/* What probes are held against comes from the index map of the function, and is told by its labels.
 */
#include "harness/tests/fixture.h"

#include "harness/call/model.h"
#include "harness/diagnose/index_map.h"

enum { ROWS = 7, COLUMNS = 3, OUT_ROWS = 3, OUT_COLUMNS = 3, KERNEL = 3, STRIDE = 3, PADDING = 1 };

/* A kernel of three rows and one column, a stride of 3 down, a row of padding above and below. */
static const char json[] =
    "{\"format\":\"lastbit/cases-1\",\"suite\":\"s\",\"cases\":[{\"id\":\"a\",\"function\":"
    "\"mli_krn_depthwise_conv2d_hwcn_fx16\",\"config\":{\"relu\":\"none\",\"stride_width\":1,"
    "\"stride_height\":3,\"padding_left\":0,\"padding_right\":0,\"padding_top\":1,"
    "\"padding_bottom\":1,\"dilation_width\":1,\"dilation_height\":1},\"inputs\":{\"in\":{"
    "\"type\":\"fx16\",\"shape\":[7,3,1],\"frac_bits\":0,\"data\":[1,2,3,4,5,6,7,8,9,10,11,12,"
    "13,14,15,16,17,18,19,20,21]},\"weights\":{\"type\":\"fx16\",\"shape\":[3,1,1,1],"
    "\"frac_bits\":0,\"data\":[1,2,3]},\"bias\":{\"type\":\"fx16\",\"shape\":[1],"
    "\"frac_bits\":0,\"data\":[0]}},\"outputs\":{\"out\":{\"type\":\"fx16\",\"shape\":[3,3,1],"
    "\"frac_bits\":0}}}]}";

/* The input that a kernel row meets in an output, with this padding above. */
static int32_t met(size_t kernel_row, size_t out, int padding)
{
    int row = (int)(out / OUT_COLUMNS) * STRIDE + (int)kernel_row - padding;
    return row < 0 || row >= ROWS ? -1 : row * COLUMNS + (int32_t)(out % OUT_COLUMNS);
}

enum { OUTPUTS = OUT_ROWS * OUT_COLUMNS, MEETINGS = KERNEL * OUTPUTS };

/* With what the case's index map expects. */
static lb_index_map map_of(opened_case *o, int32_t *right, int32_t *port)
{
    lb_index_map map = {.in = &o->c->operand[LB_ROLE_IN].tensors[0],
                        .weights = &o->c->operand[LB_ROLE_WEIGHTS].tensors[0],
                        .out = &o->c->operand[LB_ROLE_OUT].tensors[0],
                        .inputs = ROWS * COLUMNS,
                        .weight_count = KERNEL,
                        .outputs = OUTPUTS,
                        .right = right,
                        .port = port};
    assert_true(lb_index_map_expect(&map, &lb_instance_of(o->c, &o->arena)->call, &o->arena));
    return map;
}

static void test_right_inputs_and_words_come_from_the_map(void **state)
{
    int32_t right[MEETINGS], port[MEETINGS];
    opened_case o = open_case(json);
    (void)state;
    lb_index_map map = map_of(&o, right, port);
    for (size_t i = 0; i < MEETINGS; i++) {
        assert_int_equal(right[i], met(i / OUTPUTS, i % OUTPUTS, PADDING));
        port[i] = met(i / OUTPUTS, i % OUTPUTS, 0);
    }
    assert_false(lb_index_map_is_right(&map));
    assert_string_equal(
        lb_index_map_tell(&map, 1, &o.arena).words,
        "takes input row 3 * output + 1 * kernel + 0 where row * stride_height - padding_top + "
        "kernel row * dilation_height = 3 * output + 1 * kernel - 1 is expected");
    memcpy(port, right, sizeof port);
    assert_true(lb_index_map_is_right(&map));
    close_case(&o);
}

static void test_chosen_weights_alone(void **state)
{
    static const uint32_t chosen[] = {2};
    int32_t right[OUTPUTS];
    opened_case o = open_case(json);
    (void)state;
    lb_index_map map = {.weight_count = 1, .outputs = OUTPUTS, .chosen = chosen, .right = right};
    assert_true(lb_index_map_expect(&map, &lb_instance_of(o.c, &o.arena)->call, &o.arena));
    for (size_t i = 0; i < OUTPUTS; i++)
        assert_int_equal(right[i], met(2, i, PADDING));
    close_case(&o);
}

/* Another row, memory that is no input, or what no input gives: nobody expects any there. */
static void test_what_is_met_where_none_is_due_is_one_mistake(void **state)
{
    static const int32_t instead[] = {0, ROWS * COLUMNS + 5, LB_MET_SEVERAL};
    int32_t right[MEETINGS], port[MEETINGS];
    opened_case o = open_case(json);
    size_t in_vain = 0;
    (void)state;
    lb_index_map map = map_of(&o, right, port);
    for (size_t i = 0; i < MEETINGS; i++)
        port[i] = right[i] == LB_MET_NONE ? instead[in_vain++ % 3] : right[i];
    assert_true(in_vain >= 3);
    lb_index_map_told told = lb_index_map_tell(&map, 1, &o.arena);
    assert_string_equal(told.words, "takes inputs where none is expected");
    assert_true(told.in_vain);
    for (size_t i = 0; i < MEETINGS; i++)
        port[i] = right[i] == LB_MET_NONE ? right[i] : LB_MET_SEVERAL;
    told = lb_index_map_tell(&map, 1, &o.arena);
    assert_string_equal(told.words, "adds other products than expected");
    assert_false(told.in_vain);
    close_case(&o);
}

/* Two channels of one element; of 1 by 1 kernels. */
static void test_weights_of_other_filters_are_told_as_such(void **state)
{
    static const uint32_t both[] = {1, 1, 1, 2};
    int32_t right[] = {0, LB_MET_NONE, LB_MET_NONE, 1}, port[] = {0, 0, LB_MET_NONE, 1};
    lb_case_tensor in = {.rank = 3}, weights = {.rank = 4};
    lb_arena arena = {0};
    (void)state;
    memcpy(in.shape, both + 1, 3 * sizeof *both);
    memcpy(weights.shape, both, sizeof both);
    const lb_index_map map = {.in = &in,
                              .weights = &weights,
                              .out = &in,
                              .inputs = 2,
                              .weight_count = 2,
                              .outputs = 2,
                              .right = right,
                              .port = port};
    const lb_index_map_told told = lb_index_map_tell(&map, 1, &arena);
    assert_memory_equal(told.words, "takes weights of other filters than expected", 44);
    assert_false(told.in_vain);
    lb_arena_free(&arena);
}

static void test_windows_hang_over_where_padding_is(void **state)
{
    opened_case o = open_case(json);
    lb_case *c = lb_case_copy(&o.arena, o.c);
    (void)state;
    assert_true(lb_map_hangs_over(&lb_instance_of(c, &o.arena)->call, true));
    assert_true(lb_map_hangs_over(&lb_instance_of(c, &o.arena)->call, false));
    c->config.padding_top = 0;
    assert_false(lb_map_hangs_over(&lb_instance_of(c, &o.arena)->call, true));
    close_case(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_inputs_and_words_come_from_the_map),
        cmocka_unit_test(test_chosen_weights_alone),
        cmocka_unit_test(test_what_is_met_where_none_is_due_is_one_mistake),
        cmocka_unit_test(test_weights_of_other_filters_are_told_as_such),
        cmocka_unit_test(test_windows_hang_over_where_padding_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
