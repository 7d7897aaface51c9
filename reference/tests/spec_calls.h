/* Examples of tensors and of whole calls: formats, checks, conversion, helpers, statuses, one dot
 * product, one window. Spec: numerics.md 1, 2, 7 to 9; conv.md 14; pooling_and_movement.md 2. */
#ifndef LB_REFERENCE_TESTS_SPEC_CALLS_H
#define LB_REFERENCE_TESTS_SPEC_CALLS_H

#include "spec_examples.h"

#include "core/arith.h"
#include "mli/pool_divisor.h"

/* ---- numerics.md 1, 2 ---- */

static void do_value(const task *t)
{
    int32_t data = 0;
    lb_tensor one = vector_of(type(t, 0), 1, quant(t, 2), &data);
    lb_store(&one, 0, integer(t, 1));
    give_real(t, lb_load_real(&one, 0, 0));
}

static void set_strides(lb_tensor *tensor, const spec_value *strides)
{
    for (int i = 0; i < strides->count; i++)
        tensor->mem_stride[i] = (int32_t)strides->item[i]->integer;
}

static void do_offset(const task *t)
{
    uint32_t index[LB_MAX_RANK] = {0};
    lb_tensor tensor = tensor_of(LB_FX8, t->e->argument[0], plain, NULL);
    set_strides(&tensor, t->e->argument[1]);
    for (int i = 0; i < t->e->argument[2]->count; i++)
        index[i] = (uint32_t)t->e->argument[2]->item[i]->integer;
    give(t, (int64_t)lb_offset_of(&tensor, index));
}

static void do_chk(const task *t)
{
    int32_t data[4];
    lb_tensor tensor = tensor_of(type(t, 0), t->e->argument[1], plain, data);
    tensor.rank = (uint32_t)t->e->argument[1]->count;
    set_strides(&tensor, t->e->argument[2]);
    tensor.data.capacity_bytes = (uint32_t)integer(t, 3);
    give_word(t, lb_status_name((int)lb_chk(&tensor)));
}

static void do_chkq(const task *t)
{
    int8_t data[4];
    int bits = small(t, 1);
    lb_tensor tensor = vector_of(LB_SA8, 4, quant(t, 0), data);
    give_word(t, lb_status_name((int)lb_chkq(&tensor, bits ? (int32_t)lb_min_of(bits + 1) : 0,
                                             bits ? (int32_t)lb_max_of(bits + 1) : 0)));
}

/* ---- numerics.md 7 ---- */

static lb_call conversion(const char *function, lb_tensor *from, lb_tensor *to)
{
    lb_call call = make_call(function);
    set_role(&call, LB_ROLE_IN, from);
    set_role(&call, LB_ROLE_OUT, to);
    return call;
}

/* convert(type, x, format, type, format) */
static void do_convert(const task *t)
{
    int32_t source = 0;
    int32_t result = 0;
    lb_tensor from = vector_of(type(t, 0), 1, quant(t, 2), &source);
    lb_tensor to = vector_of(type(t, 3), 1, quant(t, 4), &result);
    if (from.el_type == LB_FP32)
        from.data.mem.pf32[0] = (float)t->e->argument[1]->number;
    else
        lb_store(&from, 0, integer(t, 1));
    lb_call call = conversion("mli_hlp_convert_tensor", &from, &to);
    assert_string_equal(run_call(t, &call), "");
    if (to.el_type == LB_FP32)
        give_real(t, (double)to.data.mem.pf32[0]);
    else
        give(t, lb_load(&to, 0));
}

/* convert_axis(type, [x, ...], [format, ...], type, format): each element has parameters of its
 * own. */
static void do_convert_axis(const task *t)
{
    int8_t source[8] = {0};
    int8_t result[8] = {0};
    int16_t scale[8], zero_point[8];
    int8_t frac[8];
    int64_t numbers[8];
    const spec_value *formats = t->e->argument[2];
    uint32_t count = (uint32_t)formats->count;
    lb_tensor from = vector_of(type(t, 0), count, plain, source);
    lb_tensor to = vector_of(type(t, 3), count, quant(t, 4), result);
    fill(&from, t->e->argument[1]);
    for (uint32_t i = 0; i < count; i++) {
        lb_quant q = quant_of(formats->item[i]);
        scale[i] = (int16_t)q.scale;
        frac[i] = (int8_t)q.frac;
        zero_point[i] = (int16_t)q.zero_point;
    }
    set_per_axis(&from, 0, scale, frac, zero_point);
    lb_call call = conversion("mli_hlp_convert_tensor", &from, &to);
    assert_string_equal(run_call(t, &call), "");
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = lb_load(&to, i);
    give_list(t, numbers, (int)count);
}

/* convert_in_place(type, [x, ...], format, format): source and destination are one buffer. */
static void do_convert_in_place(const task *t)
{
    int16_t data[8] = {0};
    int64_t numbers[8];
    int count = t->e->argument[1]->count;
    lb_tensor from = vector_of(type(t, 0), (uint32_t)count, quant(t, 2), data);
    lb_tensor to = vector_of(type(t, 0), (uint32_t)count, quant(t, 3), data);
    fill(&from, t->e->argument[1]);
    lb_call call = conversion("mli_hlp_convert_tensor", &from, &to);
    assert_string_equal(run_call(t, &call), "");
    for (int i = 0; i < count; i++)
        numbers[i] = lb_load(&to, (size_t)i);
    give_list(t, numbers, count);
}

static void convert_status(const task *t, const char *function)
{
    float source[8] = {0};
    float result[8] = {0};
    lb_tensor from = tensor_of(type(t, 0), t->e->argument[1], plain, source);
    lb_tensor to = tensor_of(type(t, 2), t->e->argument[3], plain, result);
    lb_call call = conversion(function, &from, &to);
    run_call(t, &call);
    give_word(t, lb_status_name((int)call.status));
}

static void do_convert_status(const task *t)
{
    convert_status(t, "mli_hlp_convert_tensor");
}

static void do_convert_safx_status(const task *t)
{
    convert_status(t, "mli_hlp_convert_tensor_safx");
}

/* ---- numerics.md 8 ---- */

static int64_t getter(const task *t, const char *function, lb_tensor *tensor, int index)
{
    lb_call call = make_call(function);
    set_role(&call, LB_ROLE_IN, tensor);
    call.config.start_dim = (uint32_t)index;
    assert_string_equal(run_call(t, &call), "");
    return call.return_value;
}

static void do_count_elem_num(const task *t)
{
    lb_tensor tensor = tensor_of(LB_FX8, t->e->argument[0], plain, NULL);
    give(t, getter(t, "mli_hlp_count_elem_num", &tensor, small(t, 1)));
}

static void get_of_type(const task *t, const char *function, lb_quant q)
{
    lb_tensor tensor = vector_of(type(t, 0), 1, q, NULL);
    give(t, getter(t, function, &tensor, 0));
}

static void do_tensor_element_size(const task *t)
{
    get_of_type(t, "mli_hlp_tensor_element_size", plain);
}

static void do_tensor_scale(const task *t)
{
    get_of_type(t, "mli_hlp_tensor_scale", quant(t, 1));
}

static void do_tensor_scale_shift(const task *t)
{
    get_of_type(t, "mli_hlp_tensor_scale_shift", quant(t, 1));
}

static void do_tensor_zero_offset(const task *t)
{
    get_of_type(t, "mli_hlp_tensor_zero_offset", quant(t, 1));
}

/* set_tensor_mem_strides(shape) = strides */
static void do_set_tensor_mem_strides(const task *t)
{
    int64_t numbers[LB_MAX_RANK];
    lb_tensor tensor = tensor_of(LB_FX8, t->e->argument[0], plain, NULL);
    memset(tensor.mem_stride, 0, sizeof tensor.mem_stride);
    getter(t, "mli_hlp_set_tensor_mem_strides", &tensor, 0);
    for (uint32_t d = 0; d < tensor.rank; d++)
        numbers[d] = tensor.mem_stride[d];
    give_list(t, numbers, (int)tensor.rank);
}

/* [element, shape ...] of a view into `data`, or the status of a refused one. */
static void give_view(const task *t, lb_call *call, const int8_t *data, const lb_tensor *view)
{
    int64_t numbers[1 + LB_MAX_RANK];
    if (*run_call(t, call) != '\0') {
        give_word(t, lb_status_name((int)call->status));
        return;
    }
    numbers[0] = view->data.mem.pi8 - data;
    for (uint32_t d = 0; d < view->rank; d++)
        numbers[1 + d] = view->shape[d];
    give_list(t, numbers, 1 + (int)view->rank);
}

/* create_subtensor(shape, offset, size, rank) */
static void do_create_subtensor(const task *t)
{
    static int8_t data[256];
    lb_tensor in = tensor_of(LB_FX8, t->e->argument[0], plain, data);
    lb_tensor out = {0};
    lb_call call = conversion("mli_hlp_create_subtensor", &in, &out);
    call.config.sub_tensor_rank = (uint32_t)integer(t, 3);
    for (int d = 0; d < t->e->argument[1]->count; d++) {
        call.config.offset[d] = (uint32_t)t->e->argument[1]->item[d]->integer;
        call.config.size[d] = (uint32_t)t->e->argument[2]->item[d]->integer;
    }
    give_view(t, &call, data, &out);
}

/* point_to_subtensor(shape, start, first_out_dim_size) */
static void do_point_to_subtensor(const task *t)
{
    static int8_t data[256];
    lb_tensor in = tensor_of(LB_FX8, t->e->argument[0], plain, data);
    lb_tensor out = {.mem_stride = {1}};
    lb_call call = conversion("mli_hlp_point_to_subtensor", &in, &out);
    call.config.coord_num = (uint8_t)t->e->argument[1]->count;
    call.config.first_out_dim_size = (uint8_t)integer(t, 2);
    for (int d = 0; d < t->e->argument[1]->count; d++)
        call.config.start_coord[d] = (uint32_t)t->e->argument[1]->item[d]->integer;
    give_view(t, &call, data, &out);
}

/* ---- numerics.md 9 ---- */

/* relu_status([what is wrong, ...]): the status of a relu_sa8 with these faults. */
static void do_relu_status(const task *t)
{
    int8_t x[4] = {0};
    int8_t y[4] = {0};
    lb_tensor in = vector_of(LB_SA8, 4, plain, x);
    lb_tensor out = vector_of(LB_SA8, 4, plain, y);
    lb_call call = conversion("mli_krn_relu_sa8", &in, &out);
    for (int i = 0; i < t->e->argument[0]->count; i++) {
        const char *fault = t->e->argument[0]->item[i]->name;
        if (strcmp(fault, "in_null") == 0)
            call.tensor[LB_ROLE_IN] = NULL;
        else if (strcmp(fault, "cfg_null") == 0)
            call.config_null = true;
        else if (strcmp(fault, "out_null") == 0)
            call.tensor[LB_ROLE_OUT] = NULL;
        else if (strcmp(fault, "out_fx8") == 0)
            out.el_type = LB_FX8;
        else if (strcmp(fault, "out_short") == 0)
            out.shape[0] = 3;
        else if (strcmp(fault, "scale_0") == 0)
            in.sa.scale.mem.i16 = 0;
        else
            fail_msg("no fault %s", fault);
    }
    run_call(t, &call);
    give_word(t, lb_status_name((int)call.status));
}

/* ---- conv.md 14 ---- */

/* fully_connected(variant, [x, ...], format, [w, ...], format, bias, format, format of out): one
 * output */
static void do_fully_connected(const task *t)
{
    char function[64];
    int16_t x[16] = {0};
    int16_t w[16] = {0};
    int32_t b = 0;
    int16_t y = 0;
    snprintf(function, sizeof function, "mli_krn_fully_connected_%s", word(t, 0));
    lb_call call = make_call(function);
    uint32_t taps = (uint32_t)t->e->argument[1]->count;
    lb_tensor in = vector_of(call.kernel->in_type, taps, quant(t, 2), x);
    spec_value extent[2] = {{.integer = taps}, {.integer = 1}};
    spec_value shape = {.kind = VALUE_LIST, .count = 2, .item = {&extent[0], &extent[1]}};
    lb_tensor weights = tensor_of(call.kernel->weights_type, &shape, quant(t, 4), w);
    lb_tensor bias = vector_of(call.kernel->bias_type, 1, quant(t, 6), &b);
    lb_tensor out = vector_of(call.kernel->in_type, 1, quant(t, 7), &y);
    fill(&in, t->e->argument[1]);
    fill(&weights, t->e->argument[3]);
    lb_store(&bias, 0, integer(t, 5));
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_WEIGHTS, &weights);
    set_role(&call, LB_ROLE_BIAS, &bias);
    set_role(&call, LB_ROLE_OUT, &out);
    assert_string_equal(run_call(t, &call), "");
    give(t, lb_load(&out, 0));
}

/* ---- pooling_and_movement.md 2 ---- */

/* avepool(type, rows, columns, [x, ...], format, format of out): the one window that is the whole
 * map */
static void do_avepool(const task *t)
{
    char function[64];
    int16_t x[16] = {0};
    int16_t y = 0;
    snprintf(function, sizeof function, "mli_krn_avepool_hwc_%s", word(t, 0));
    spec_value extent[3] = {{.integer = integer(t, 1)}, {.integer = integer(t, 2)}, {.integer = 1}};
    spec_value shape = {
        .kind = VALUE_LIST, .count = 3, .item = {&extent[0], &extent[1], &extent[2]}};
    spec_value one[3] = {{.integer = 1}, {.integer = 1}, {.integer = 1}};
    spec_value single = {.kind = VALUE_LIST, .count = 3, .item = {&one[0], &one[1], &one[2]}};
    lb_tensor in = tensor_of(type(t, 0), &shape, quant(t, 4), x);
    lb_tensor out = tensor_of(type(t, 0), &single, quant(t, 5), &y);
    fill(&in, t->e->argument[3]);
    lb_call call = conversion(function, &in, &out);
    call.config.kernel_height = (uint8_t)integer(t, 1);
    call.config.kernel_width = (uint8_t)integer(t, 2);
    call.config.stride_height = call.config.stride_width = 1;
    assert_string_equal(run_call(t, &call), "");
    give(t, lb_load(&out, 0));
}

/* reciprocal(n) = [mul, ls] */
static void do_reciprocal(const task *t)
{
    int8_t data = 0;
    lb_tensor one = vector_of(LB_FX8, 1, plain, &data);
    lb_call call = conversion("mli_krn_avepool_hwc_fx8", &one, &one);
    lb_pool_divisor d = lb_pool_divisor_of(t->profile, &call, (uint32_t)integer(t, 0));
    give_list(t, (const int64_t[]){d.factor, d.shift}, 2);
}

#endif
