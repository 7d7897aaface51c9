/* Checks of rnn_dense: their order, and the rules of every one of the four pairs. Spec:
 * recurrent.md 5.5. */
#include "order.h"
#include "rnn_dense_calls.h"

#include <stdio.h>

DAMAGE(null_cfg, f->call.config_null = true)
DAMAGE(five_inputs, f->call.config.inputs_num = 5)
DAMAGE(null_in0, f->in[0].data.mem.ptr = NULL)
DAMAGE(small_weights0, f->weights[0].data.capacity_bytes = 1)
DAMAGE(rows0, f->weights[0].shape[0] = 5)
DAMAGE(gaps0, f->in[0].mem_stride[0] = 4; f->in[0].data.capacity_bytes = 7)
DAMAGE(overlap0, f->out.data.mem.ptr = f->x[0] + 1)
DAMAGE(null_in1, f->in[1].data.mem.ptr = NULL)
DAMAGE(small_weights1, f->weights[1].data.capacity_bytes = 1)
DAMAGE(columns1, f->weights[1].shape[1] = 1)
DAMAGE(inner1, f->weights[1].mem_stride[1] = 2; f->weights[1].mem_stride[0] = 4;
       f->weights[1].data.capacity_bytes = 12)
DAMAGE(overlap1, f->out.data.mem.ptr = f->x[1])
DAMAGE(small_bias, f->bias.data.capacity_bytes = 1)
DAMAGE(bias_rank, f->bias.rank = 2; f->bias.shape[1] = 1; f->bias.mem_stride[1] = 1)
DAMAGE(bias_length, f->bias.shape[0] = 1)
DAMAGE(bad_out, f->out.mem_stride[0] = 0)
DAMAGE(out_rank, f->out.rank = 2; f->out.shape[1] = 1; f->out.mem_stride[1] = 1)
DAMAGE(out_length, f->out.shape[0] = 1)
DAMAGE(out_type, f->out.el_type = LB_FX16)
DAMAGE(bias_gaps, f->bias.mem_stride[0] = 2; f->bias.data.capacity_bytes = 12)
DAMAGE(out_gaps, f->out.mem_stride[0] = 2; f->out.data.capacity_bytes = 6)
DAMAGE(types0, f->weights[0].el_type = LB_FX8)
DAMAGE(types1, f->in[1].el_type = LB_FX8)
DAMAGE(bias_type, f->bias.el_type = LB_FX16)
DAMAGE(quant_in0, f->in[0].sa.scale.capacity_bytes = 1)
DAMAGE(zero_weights0, f->weights[0].sa.zero_point.mem.i16 = 1)
DAMAGE(zero_in1, f->in[1].sa.zero_point.mem.i16 = 128)
DAMAGE(quant_weights1, f->weights[1].sa.zero_point.capacity_bytes = 1)
DAMAGE(quant_out, f->out.sa.scale_frac_bits.capacity_bytes = 1)
DAMAGE(quant_bias, f->bias.sa.scale.capacity_bytes = 1)
DAMAGE(per_axis0, set_per_axis(&f->in[0], 0, f->scale, f->frac, f->zero_point))
DAMAGE(per_axis1, set_per_axis(&f->weights[1], 1, f->scale, f->frac, f->zero_point))
DAMAGE(per_axis_out, set_per_axis(&f->out, 0, f->scale, f->frac, f->zero_point))
DAMAGE(per_axis_bias, set_per_axis(&f->bias, 0, f->scale, f->frac, f->zero_point))
DAMAGE(scale_bias, f->bias.sa.scale.mem.i16 = 7)
DAMAGE(rank_0, f->in[0].rank = 0; f->weights[0].shape[0] = 1)

/* clang-format off */

/* Pairs that two inputs do not reach: below. */
#define UNREACHED(rule) {rule, LB_OK, NULL, false}
#define UNREACHED_PAIR(in, weights)                                                                                    \
    UNREACHED(in ".tensor"), UNREACHED(weights ".tensor"), UNREACHED(weights ".shape"), UNREACHED(in ".strides"),      \
    UNREACHED(in ".apart_from_out")

static const damage damages[] = {
    {"cfg.present", LB_BAD_FUNC_CFG, null_cfg, false},
    {"cfg.inputs_num", LB_BAD_FUNC_CFG, five_inputs, false},
    {"in0.tensor", LB_BAD_TENSOR, null_in0, false},
    {"weights0.tensor", LB_NOT_ENOUGH_MEM, small_weights0, false},
    {"weights0.shape", LB_SHAPE_MISMATCH, rows0, false},
    {"in0.strides", LB_INCOMPATIBLE_TENSORS, gaps0, false},
    {"in0.apart_from_out", LB_INCOMPATIBLE_TENSORS, overlap0, false},
    {"in1.tensor", LB_BAD_TENSOR, null_in1, false},
    {"weights1.tensor", LB_NOT_ENOUGH_MEM, small_weights1, false},
    {"weights1.shape", LB_SHAPE_MISMATCH, columns1, false},
    {"in1.strides", LB_INCOMPATIBLE_TENSORS, inner1, false},
    {"in1.apart_from_out", LB_INCOMPATIBLE_TENSORS, overlap1, false},
    UNREACHED_PAIR("in2", "weights2"), UNREACHED_PAIR("in3", "weights3"),
    {"bias.tensor", LB_NOT_ENOUGH_MEM, small_bias, false},
    {"bias.rank", LB_SHAPE_MISMATCH, bias_rank, false},
    {"bias.length_equals_channels", LB_SHAPE_MISMATCH, bias_length, false},
    {"out.tensor", LB_BAD_TENSOR, bad_out, false},
    {"out.rank", LB_SHAPE_MISMATCH, out_rank, false},
    {"out.length_equals_channels", LB_SHAPE_MISMATCH, out_length, false},
    {"out.type_equals_in", LB_TYPE_MISMATCH, out_type, false},
    {"bias.inner_stride", LB_INCOMPATIBLE_TENSORS, bias_gaps, false},
    {"out.contiguous", LB_INCOMPATIBLE_TENSORS, out_gaps, false},
    {"in0.types", LB_TYPE_MISMATCH, types0, false},
    {"in1.types", LB_TYPE_MISMATCH, types1, false},
    UNREACHED("in2.types"), UNREACHED("in3.types"),
    {"bias.type", LB_TYPE_MISMATCH, bias_type, false},
    {"in0.quant", LB_BAD_TENSOR, quant_in0, false},
    {"weights0.quant", LB_INCOMPATIBLE_TENSORS, zero_weights0, false},
    {"in1.quant", LB_INCOMPATIBLE_TENSORS, zero_in1, false},
    {"weights1.quant", LB_BAD_TENSOR, quant_weights1, false},
    UNREACHED("in2.quant"), UNREACHED("weights2.quant"), UNREACHED("in3.quant"), UNREACHED("weights3.quant"),
    {"out.quant", LB_BAD_TENSOR, quant_out, false},
    {"bias.quant", LB_BAD_TENSOR, quant_bias, false},
    {"in0.per_tensor", LB_INCOMPATIBLE_TENSORS, per_axis0, false},
    {"in1.per_tensor", LB_INCOMPATIBLE_TENSORS, per_axis1, false},
    UNREACHED("in2.per_tensor"), UNREACHED("in3.per_tensor"),
    {"out.per_tensor", LB_INCOMPATIBLE_TENSORS, per_axis_out, false},
    {"bias.per_tensor", LB_INCOMPATIBLE_TENSORS, per_axis_bias, false},
    {"bias.scale", LB_INCOMPATIBLE_TENSORS, scale_bias, false},
    {"in0.rank", LB_NOT_SUPPORTED, rank_0, true},
    UNREACHED("in1.rank"), UNREACHED("in2.rank"), UNREACHED("in3.rank"),
};

/* clang-format on */

static void order_of_checks(void **state)
{
    (void)state;
    static fixture f;
    check_order(damages, COUNT_OF(damages), &f, make_two_inputs, &f.call);
}

/* Four pairs: 2 and 3 are copies of pair 1, with memory of their own. */
static void make_four_inputs(fixture *f)
{
    make_two_inputs(f);
    for (int j = 2; j < 4; j++) {
        f->in[j] = f->in[1];
        f->weights[j] = f->weights[1];
        f->in[j].data.mem.ptr = f->x[j];
        f->weights[j].data.mem.ptr = f->w[j];
    }
    f->call.list_count[LB_ROLE_IN] = f->call.list_count[LB_ROLE_WEIGHTS] = 4;
    f->call.config.inputs_num = 4;
}

static void expect_pair_rule(fixture *f, int pair, const char *format, lb_status status)
{
    char rule[32];
    snprintf(rule, sizeof rule, format[0] == 'w' ? "weights%d%s" : "in%d%s", pair,
             strchr(format, '.'));
    assert_string_equal(run(&f->call, 0), rule);
    assert_int_equal(f->call.status, status);
    make_four_inputs(f);
}

static void rules_of_every_pair(void **state)
{
    (void)state;
    fixture f;
    make_four_inputs(&f);
    assert_string_equal(run(&f.call, 0), "");
    for (int j = 1; j < 4; j++) {
        f.in[j].shape[0] = 0;
        expect_pair_rule(&f, j, "in.tensor", LB_BAD_TENSOR);
        f.weights[j].rank = 5;
        expect_pair_rule(&f, j, "weights.tensor", LB_BAD_TENSOR);
        f.in[j].shape[0] = 2;
        expect_pair_rule(&f, j, "weights.shape", LB_SHAPE_MISMATCH);
        f.weights[j].rank = 1;
        expect_pair_rule(&f, j, "weights.shape", LB_SHAPE_MISMATCH);
        f.in[j].mem_stride[0] = 2;
        f.in[j].data.capacity_bytes = 5;
        expect_pair_rule(&f, j, "in.strides", LB_INCOMPATIBLE_TENSORS);
        f.out.data.mem.ptr = f.x[j] + 2;
        expect_pair_rule(&f, j, "in.apart_from_out", LB_INCOMPATIBLE_TENSORS);
        f.weights[j].el_type = LB_FX8;
        expect_pair_rule(&f, j, "in.types", LB_TYPE_MISMATCH);
        f.in[j].sa.scale.mem.i16 = 0;
        expect_pair_rule(&f, j, "in.quant", LB_BAD_TENSOR);
        f.weights[j].sa.zero_point.mem.i16 = -1;
        expect_pair_rule(&f, j, "weights.quant", LB_INCOMPATIBLE_TENSORS);
        set_per_axis(&f.weights[j], 1, f.scale, f.frac, f.zero_point);
        expect_pair_rule(&f, j, "in.per_tensor", LB_INCOMPATIBLE_TENSORS);
        f.in[j].rank = 0;
        f.weights[j].shape[0] = 1;
        expect_pair_rule(&f, j, "in.rank", LB_NOT_SUPPORTED);
    }
}

/* inputs_num decides: pairs beyond it are not looked at, pairs that the lists do not have leave
 * the call undefined. */
static void number_of_pairs(void **state)
{
    (void)state;
    fixture f;
    make_four_inputs(&f);
    f.call.config.inputs_num = 2;
    f.in[2].data.mem.ptr = NULL;
    assert_string_equal(run(&f.call, 0), "");
    f.call.config.inputs_num = 0;
    assert_string_equal(run(&f.call, 0), "cfg.inputs_num");
    make_two_inputs(&f);
    f.call.config.inputs_num = 3;
    assert_string_equal(run(&f.call, 0), "cfg.inputs_given");
    assert_int_equal(f.call.undefined, LB_UNSAID_RULE);
    make_two_inputs(&f);
    f.call.tensor[LB_ROLE_WEIGHTS] = NULL;
    assert_string_equal(run(&f.call, 0), "cfg.inputs_given");
    make_two_inputs(&f);
    f.call.tensor[LB_ROLE_IN] = NULL;
    assert_string_equal(run(&f.call, 0), "cfg.inputs_given");
    make_two_inputs(&f);
    f.call.tensor[LB_ROLE_OUT] = NULL; /* its capacity is used before it is checked */
    assert_string_equal(run(&f.call, 0), "in0.out_given");
    assert_int_equal(f.call.undefined, LB_UNSAID_RULE);
}

/* fx: out is not finer than any pair's products, the bias not finer than the first pair's. */
static void frac_bits(void **state)
{
    (void)state;
    fixture f;
    make_two_inputs(&f);
    f.call.kernel = lb_kernel_find("mli_krn_rnn_dense_fx16_fx8_fx8");
    for (int j = 0; j < 2; j++) {
        f.in[j] = make_fx(LB_FX16, 4, SHAPE(3), f.x[j]);
        f.weights[j] = make_fx(LB_FX8, 3 + j, SHAPE(3, 2), f.w[j]);
    }
    f.bias = make_fx(LB_FX8, 7, SHAPE(2), f.b);
    f.out = make_fx(LB_FX16, 7, SHAPE(2), f.y);
    assert_string_equal(run(&f.call, 0), "");
    f.out.frac_bits = 8;
    assert_string_equal(run(&f.call, 0), "in0.out_frac_bits");
    f.out.frac_bits = 7;
    f.weights[1].frac_bits = 2;
    assert_string_equal(run(&f.call, 0), "in1.out_frac_bits");
    assert_int_equal(f.call.status, LB_INCOMPATIBLE_TENSORS);
    f.weights[1].frac_bits = 3;
    f.bias.frac_bits = 8;
    assert_string_equal(run(&f.call, 0), "bias.frac_bits");
    assert_int_equal(f.call.status, LB_INCOMPATIBLE_TENSORS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_checks),
        cmocka_unit_test(rules_of_every_pair),
        cmocka_unit_test(number_of_pairs),
        cmocka_unit_test(frac_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
