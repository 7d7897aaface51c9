/* Checks of the LSTM and the GRU cell: their order, in all four lists. Spec: recurrent.md 2,
 * 7 (Status), 8. */
#include "cells.h"
#include "order.h"

static void fresh_as(fixture *f, const char *function)
{
    make_cell_call(f, function, 4);
    f->in.data.capacity_bytes = sizeof f->in_data; /* so that junk formats and gaps fit */
    f->prev_out.data.capacity_bytes = sizeof f->prev_out_data;
    f->weights_in.data.capacity_bytes = sizeof f->weights_in_data;
    f->weights_out.data.capacity_bytes = sizeof f->weights_out_data;
    f->bias.data.capacity_bytes = sizeof f->bias_data;
    f->cell.data.capacity_bytes = sizeof f->cell_data;
    for (int i = 0; i < 3; i++)
        for (int g = 0; g < LIST_ENTRIES; g++)
            f->lists[i].scale[g] = 1;
}

static void fresh_lstm_fx(void *f)
{
    fresh_as(f, "mli_krn_lstm_cell_fx16");
}

static void fresh_lstm_sa8(void *f)
{
    fresh_as(f, "mli_krn_lstm_cell_sa8_sa8_sa32");
}

static void fresh_gru_fx(void *f)
{
    fresh_as(f, "mli_krn_gru_cell_fx16");
}

static void fresh_gru_sa8(void *f)
{
    fresh_as(f, "mli_krn_gru_cell_sa8_sa8_sa32");
}

static void per_axis(lb_tensor *t, quant_lists *lists)
{
    set_per_axis(t, 0, lists->scale, lists->frac, lists->zero_point);
}

DAMAGE(null_cfg, f->call.config_null = true)
DAMAGE(null_in, f->in.data.mem.ptr = NULL)
DAMAGE(null_prev_out, f->call.tensor[LB_ROLE_PREV_OUT] = NULL)
DAMAGE(in_rank, f->in.rank = 1; f->in.mem_stride[0] = 1)
DAMAGE(prev_out_rank, f->prev_out.rank = 2; f->prev_out.shape[1] = 1; f->prev_out.mem_stride[1] = 1)
DAMAGE(in_gaps, f->in.mem_stride[0] = INPUTS + 1)
DAMAGE(prev_out_gaps, f->prev_out.mem_stride[0] = 2)
DAMAGE(small_weights_in, f->weights_in.data.capacity_bytes = 1)
DAMAGE(small_weights_out, f->weights_out.data.capacity_bytes = 1)
DAMAGE(weights_in_rank, f->weights_in.rank = 2)
DAMAGE(weights_out_rank, f->weights_out.rank = 2)
DAMAGE(weights_in_gates, f->weights_in.shape[0] = 2)
DAMAGE(weights_in_rows, f->weights_in.shape[1] = INPUTS - 1)
DAMAGE(weights_in_columns, f->weights_in.shape[2] = WIDTH - 1)
DAMAGE(weights_out_gates, f->weights_out.shape[0] = 2)
DAMAGE(weights_out_rows, f->weights_out.shape[1] = WIDTH - 1)
DAMAGE(weights_out_columns, f->weights_out.shape[2] = WIDTH - 1)
DAMAGE(weights_in_gaps, f->weights_in.mem_stride[2] = 2; f->weights_in.mem_stride[1] = 2 * WIDTH;
       f->weights_in.mem_stride[0] = 2 * WIDTH * INPUTS)
DAMAGE(weights_out_gaps, f->weights_out.mem_stride[2] = 2; f->weights_out.mem_stride[1] = 2 * WIDTH;
       f->weights_out.mem_stride[0] = 2 * WIDTH * WIDTH)
DAMAGE(small_bias, f->bias.data.capacity_bytes = 3)
DAMAGE(bias_rank, f->bias.rank = 1)
DAMAGE(bias_gates, f->bias.shape[0] = 2)
DAMAGE(bias_columns, f->bias.shape[1] = WIDTH - 1)
DAMAGE(null_cell, f->call.tensor[LB_ROLE_CELL] = NULL)
DAMAGE(cell_rank, f->cell.rank = 2; f->cell.shape[1] = 1; f->cell.mem_stride[1] = 1)
DAMAGE(cell_length, f->cell.shape[0] = WIDTH - 1)
DAMAGE(bad_out, f->out.mem_stride[1] = 0)
DAMAGE(out_type, f->out.el_type = LB_FX8)
DAMAGE(small_out, f->out.shape[0] = 1; f->out.data.capacity_bytes = 2 * WIDTH)
DAMAGE(small_scratch, f->call.config.scratch_bytes -= 1)
DAMAGE(bias_gaps, f->bias.mem_stride[1] = 2; f->bias.mem_stride[0] = 2 * WIDTH;
       f->bias.data.capacity_bytes = 2 * sizeof f->bias_data)
DAMAGE(cell_gaps, f->cell.mem_stride[0] = 2; f->cell.data.capacity_bytes = 2 * sizeof f->cell_data)
DAMAGE(out_gaps, f->out.mem_stride[0] = WIDTH + 1; f->out.data.capacity_bytes = sizeof f->out_data)
DAMAGE(scratch_in_in, f->call.config.scratch = f->in_data + 1)
DAMAGE(in_and_out_type, f->in.el_type = f->out.el_type = f->in.el_type == LB_SA8 ? LB_FX8 : LB_FX4)
DAMAGE(prev_out_type, f->prev_out.el_type = LB_FX8)
DAMAGE(weights_in_type, f->weights_in.el_type = LB_FX8)
DAMAGE(weights_out_type, f->weights_out.el_type = LB_FX8)
DAMAGE(bias_type, f->bias.el_type = LB_FX8)
DAMAGE(cell_type, f->cell.el_type = LB_FX8)
DAMAGE(bias_frac, f->bias.frac_bits = 28)
DAMAGE(in_axis, per_axis(&f->in, &f->lists[0]))
DAMAGE(prev_out_axis, per_axis(&f->prev_out, &f->lists[0]))
DAMAGE(cell_axis, per_axis(&f->cell, &f->lists[0]))
DAMAGE(bias_axis, per_axis(&f->bias, &f->lists[2]))
DAMAGE(quant_in, f->in.sa.scale.capacity_bytes = 1)
DAMAGE(quant_prev_out, f->prev_out.sa.scale.capacity_bytes = 1)
DAMAGE(quant_cell, f->cell.sa.scale.capacity_bytes = 1)
DAMAGE(quant_weights_in, f->weights_in.sa.scale.capacity_bytes = 1)
DAMAGE(quant_weights_out, f->weights_out.sa.zero_point.mem.i16 = 1)
DAMAGE(quant_bias, f->bias.sa.scale.capacity_bytes = 1)
DAMAGE(scale_bias, f->bias.sa.scale.mem.i16 = 21 * 17 + 2)
DAMAGE(out_rank_0, f->out.rank = 0)
DAMAGE(out_scale, f->out.sa.scale.mem.i16 = 0)

/* clang-format off */

#define TENSORS                                                                        \
    {"cfg.given", LB_BAD_TENSOR, null_cfg, false},                                     \
    {"in.tensor", LB_BAD_TENSOR, null_in, false},                                      \
    {"prev_out.tensor", LB_BAD_TENSOR, null_prev_out, false},                          \
    {"in.rank", LB_SHAPE_MISMATCH, in_rank, false},                                    \
    {"prev_out.rank", LB_SHAPE_MISMATCH, prev_out_rank, false},                        \
    {"in.contiguous", LB_INCOMPATIBLE_TENSORS, in_gaps, false},                        \
    {"prev_out.inner_stride", LB_INCOMPATIBLE_TENSORS, prev_out_gaps, false},          \
    {"weights_in.tensor", LB_NOT_ENOUGH_MEM, small_weights_in, false},                 \
    {"weights_out.tensor", LB_NOT_ENOUGH_MEM, small_weights_out, false},               \
    {"weights_in.rank", LB_SHAPE_MISMATCH, weights_in_rank, false},                    \
    {"weights_out.rank", LB_SHAPE_MISMATCH, weights_out_rank, false},                  \
    {"weights_in.gates", LB_SHAPE_MISMATCH, weights_in_gates, false},                  \
    {"weights_in.rows_equal_in", LB_SHAPE_MISMATCH, weights_in_rows, false},           \
    {"weights_in.columns_equal_prev_out", LB_SHAPE_MISMATCH, weights_in_columns, false},   \
    {"weights_out.gates", LB_SHAPE_MISMATCH, weights_out_gates, false},                \
    {"weights_out.rows_equal_prev_out", LB_SHAPE_MISMATCH, weights_out_rows, false},   \
    {"weights_out.columns_equal_prev_out", LB_SHAPE_MISMATCH, weights_out_columns, false}, \
    {"weights_in.inner_stride", LB_INCOMPATIBLE_TENSORS, weights_in_gaps, false},      \
    {"weights_out.inner_stride", LB_INCOMPATIBLE_TENSORS, weights_out_gaps, false},    \
    {"bias.tensor", LB_NOT_ENOUGH_MEM, small_bias, false},                             \
    {"bias.rank", LB_SHAPE_MISMATCH, bias_rank, false},                                \
    {"bias.gates", LB_SHAPE_MISMATCH, bias_gates, false},                              \
    {"bias.columns_equal_prev_out", LB_SHAPE_MISMATCH, bias_columns, false}

#define CELL_TENSOR                                                                    \
    {"cell.tensor", LB_BAD_TENSOR, null_cell, false},                                  \
    {"cell.rank", LB_SHAPE_MISMATCH, cell_rank, false},                                \
    {"cell.length_equals_prev_out", LB_SHAPE_MISMATCH, cell_length, false}

#define OUT_AND_SCRATCH                                                                \
    {"out.tensor", LB_BAD_TENSOR, bad_out, false},                                     \
    {"out.type_equals_in", LB_TYPE_MISMATCH, out_type, false},                         \
    {"out.room", LB_BAD_TENSOR, small_out, false},                                     \
    {"cfg.scratch", LB_BAD_FUNC_CFG, small_scratch, false}

#define CELL_STRIDE {"cell.inner_stride", LB_INCOMPATIBLE_TENSORS, cell_gaps, false}
#define CELL_TYPE   {"cell.type", LB_TYPE_MISMATCH, cell_type, false}

#define STRIDES                                                                        \
    {"bias.inner_stride", LB_INCOMPATIBLE_TENSORS, bias_gaps, false},                  \
    {"out.contiguous", LB_INCOMPATIBLE_TENSORS, out_gaps, false},                      \
    {"cfg.scratch_apart_from_in", LB_INCOMPATIBLE_TENSORS, scratch_in_in, false},      \
    {"in.type", LB_TYPE_MISMATCH, in_and_out_type, true},                              \
    {"prev_out.type", LB_TYPE_MISMATCH, prev_out_type, false},                         \
    {"weights_in.type", LB_TYPE_MISMATCH, weights_in_type, false},                     \
    {"weights_out.type", LB_TYPE_MISMATCH, weights_out_type, false},                   \
    {"bias.type", LB_TYPE_MISMATCH, bias_type, false}

#define INPUT_AXES                                                                     \
    {"in.per_tensor", LB_INCOMPATIBLE_TENSORS, in_axis, false},                        \
    {"prev_out.per_tensor", LB_INCOMPATIBLE_TENSORS, prev_out_axis, false}

#define INPUT_QUANT                                                                    \
    {"weights.axes", LB_INCOMPATIBLE_TENSORS, bias_axis, false},                       \
    {"in.quant", LB_BAD_TENSOR, quant_in, false},                                      \
    {"prev_out.quant", LB_BAD_TENSOR, quant_prev_out, false}

#define WEIGHTS_QUANT                                                                  \
    {"weights_in.quant", LB_BAD_TENSOR, quant_weights_in, false},                      \
    {"weights_out.quant", LB_INCOMPATIBLE_TENSORS, quant_weights_out, false},          \
    {"bias.quant", LB_BAD_TENSOR, quant_bias, false},                                  \
    {"bias.scale", LB_INCOMPATIBLE_TENSORS, scale_bias, false}

#define GUARDS(quant_guard)                                                            \
    {"out.rank", LB_BAD_TENSOR, out_rank_0, true},                                     \
    {"out.quant", LB_BAD_TENSOR, quant_guard, true}

static const damage lstm_fx[] = {
    TENSORS, CELL_TENSOR, OUT_AND_SCRATCH, CELL_STRIDE, STRIDES, CELL_TYPE,
    {"bias.frac_bits", LB_INCOMPATIBLE_TENSORS, bias_frac, false}, GUARDS(NULL),
};

static const damage lstm_sa8[] = {
    TENSORS, CELL_TENSOR, OUT_AND_SCRATCH, CELL_STRIDE, STRIDES, CELL_TYPE,
    INPUT_AXES, {"cell.per_tensor", LB_INCOMPATIBLE_TENSORS, cell_axis, false},
    INPUT_QUANT, {"cell.quant", LB_BAD_TENSOR, quant_cell, false}, WEIGHTS_QUANT, GUARDS(out_scale),
};

static const damage gru_fx[] = {
    TENSORS, OUT_AND_SCRATCH, STRIDES,
    {"bias.frac_bits", LB_INCOMPATIBLE_TENSORS, bias_frac, false}, GUARDS(NULL),
};

static const damage gru_sa8[] = {
    TENSORS, OUT_AND_SCRATCH, STRIDES, INPUT_AXES, INPUT_QUANT, WEIGHTS_QUANT, GUARDS(out_scale),
};

/* clang-format on */

static void order_of_checks(void **state)
{
    (void)state;
    static fixture f;
    check_order(lstm_fx, COUNT_OF(lstm_fx), &f, fresh_lstm_fx, &f.call);
    check_order(lstm_sa8, COUNT_OF(lstm_sa8), &f, fresh_lstm_sa8, &f.call);
    check_order(gru_fx, COUNT_OF(gru_fx), &f, fresh_gru_fx, &f.call);
    check_order(gru_sa8, COUNT_OF(gru_sa8), &f, fresh_gru_sa8, &f.call);
}

static void expect(fixture *f, const char *rule)
{
    assert_string_equal(run(&f->call, 0), rule);
}

/* Room is asked for the rows that results need. */
static void room_for_results(void **state)
{
    (void)state;
    fixture f;
    make_cell_call(&f, "mli_krn_gru_cell_fx16", 1);
    f.out = make_fx(LB_FX16, 13, SHAPE(WIDTH), f.out_data);
    expect(&f, "out.room");
    f.call.config.results = 0;
    expect(&f, "");
    f.out = make_fx(LB_FX16, 13, SHAPE(WIDTH - 1), f.out_data);
    expect(&f, "out.room");
    f.out = make_fx(LB_FX16, 13, SHAPE(WIDTH + 1), f.out_data);
    f.call.config.scratch = NULL;
    expect(&f, "cfg.scratch");
    f.call.config.scratch = f.scratch;
    f.call.config.scratch_bytes = 3 * WIDTH * 2 - 1;
    expect(&f, "cfg.scratch");
}

/* All per tensor, or all per gate; another axis is neither. */
static void axes_of_weights(void **state)
{
    (void)state;
    fixture f;
    make_cell_call(&f, "mli_krn_lstm_cell_sa8_sa8_sa32", 1);
    make_per_gate(&f);
    expect(&f, "");
    f.weights_out.sa.dim = -1;
    expect(&f, "weights.axes");
    f.weights_out.sa.dim = 1;
    expect(&f, "weights.axes");
    f.weights_out.sa.dim = 0;
    f.lists[0].scale[3] = 0;
    expect(&f, "weights_in.quant");
    assert_int_equal(f.call.status, LB_BAD_TENSOR);
    f.lists[0].scale[3] = 17;
    f.lists[2].zero_point[1] = 1;
    expect(&f, "bias.quant");
    assert_int_equal(f.call.status, LB_INCOMPATIBLE_TENSORS);
    f.lists[2].zero_point[1] = 0;
    f.lists[2].frac[3]++;
    expect(&f, "bias.scale");
}

/* What the functions leave undefined and no model should compute with. */
static void undefined_quantization_of_out(void **state)
{
    (void)state;
    fixture f;
    make_cell_call(&f, "mli_krn_gru_cell_sa8_sa8_sa32", 1);
    f.out.sa.zero_point.mem.i16 = 128;
    expect(&f, "out.quant");
    f.out.sa.zero_point.mem.i16 = 127;
    expect(&f, "");
    make_cell_call(&f, "mli_krn_gru_cell_sa8_sa8_sa32", 1);
    f.out.sa.dim = 0; /* with no lists behind it */
    expect(&f, "out.quant");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_checks),
        cmocka_unit_test(room_for_results),
        cmocka_unit_test(axes_of_weights),
        cmocka_unit_test(undefined_quantization_of_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
