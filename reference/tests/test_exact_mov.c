/* Movement and the helpers that fill its configuration. Spec: pooling_and_movement.md 4, 5. */
#include "tensors.h"

/* The neutral configuration, by the helper that makes it. */
static lb_call mov_call(lb_tensor *src, lb_tensor *dst)
{
    lb_call call = make_call("mli_mov_cfg_for_copy");
    (void)run(&call, 0);
    call.kernel = lb_kernel_find("mli_mov_tensor_sync");
    set_role(&call, LB_ROLE_IN, src);
    set_role(&call, LB_ROLE_OUT, dst);
    return call;
}

/* A destination with nothing but a buffer. */
static lb_tensor blank(void *data, uint32_t capacity_bytes)
{
    lb_tensor t;
    memset(&t, 0, sizeof t);
    t.data.mem.ptr = data;
    t.data.capacity_bytes = capacity_bytes;
    return t;
}

static void expect(lb_call *call, const char *rule, lb_status status)
{
    assert_string_equal(run(call, 0), rule);
    assert_int_equal(call->status, status);
}

static void expect_undefined(lb_call *call, const char *rule)
{
    assert_string_equal(run(call, 0), rule);
    assert_int_not_equal(call->undefined, LB_SAID);
}

static void assert_shape(const lb_tensor *t, const uint32_t *shape, int32_t stride0,
                         int32_t stride1)
{
    assert_memory_equal(t->shape, shape, sizeof t->shape);
    assert_int_equal(t->mem_stride[0], stride0);
    assert_int_equal(t->mem_stride[1], stride1);
}

/* ---- Data ---- */

static void test_copy_of_every_type(void **state)
{
    (void)state;
    static const uint32_t types[] = {LB_FX8, LB_FX16, LB_SA8, LB_SA32, LB_FP32};
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        const uint32_t data[] = {0x7FA00001u, 0x80000000u, 0xFFFFFFFFu,
                                 0}; /* as fp32: NaN and -0 among them */
        uint32_t source[4];
        uint32_t result[4] = {0};
        memcpy(source, data, sizeof data);
        lb_tensor src = make_sa(types[i], (lb_quant){3, 2, 1}, SHAPE(2, 2), source);
        src.frac_bits = 5;
        lb_tensor dst = blank(result, sizeof result);
        lb_call call = mov_call(&src, &dst);
        expect(&call, "", LB_OK);
        assert_memory_equal(result, source, 4 * lb_element_bytes(types[i]));
        assert_int_equal(dst.el_type, types[i]);
        assert_int_equal(dst.rank, 2);
        assert_shape(&dst, SHAPE(2, 2, 1, 1), 2, 1);
        assert_int_equal(dst.mem_stride[2], 0);
        assert_int_equal(dst.frac_bits, 5);
        assert_int_equal(dst.sa.scale.mem.i16, 3);
    }
}

/* Pad, crop, subsample, permute, place: all at once on [2][4], padded to [3][5] and taken from (1,
 * 1) by (1, 2). */
static void test_all_at_once(void **state)
{
    (void)state;
    int8_t data[] = {1, 2, 3, 4, 5, 6, 7, 8};
    int8_t result[12];
    memset(result, 0x5A, sizeof result);
    lb_tensor src = make_fx(LB_FX8, 0, SHAPE(2, 4), data);
    lb_tensor dst = blank(result, sizeof result);
    lb_call call = mov_call(&src, &dst);
    call.config.padding_pre[1] = 1;  /* columns 0 1 2 3 4 of which 0 is padding */
    call.config.padding_post[0] = 1; /* row 2 is padding */
    call.config.offset[1] = 1;
    call.config.size[1] = 3;
    call.config.sub_sample_step[1] = 2; /* source columns 0 and 2 */
    call.config.perm_dim[0] = 1;
    call.config.perm_dim[1] = 0;
    call.config.dst_offset[1] = 1;
    expect(&call, "", LB_OK);
    assert_shape(&dst, SHAPE(2, 4, 1, 1), 4, 1);
    const int8_t expected[] = {0x5A, 1, 5, 0, 0x5A, 3, 7, 0, 0x5A, 0x5A, 0x5A, 0x5A};
    assert_memory_equal(result, expected, sizeof expected);
}

/* QUIRK: the pad value is container 0, and once there is a padding any size is defined. */
static void test_padding_without_end(void **state)
{
    (void)state;
    int8_t data[] = {9, 9};
    int8_t result[6];
    memset(result, 0x5A, sizeof result);
    lb_tensor src = make_sa(LB_SA8, (lb_quant){1, 0, 9}, SHAPE(2), data);
    lb_tensor dst = blank(result, sizeof result);
    lb_call call = mov_call(&src, &dst);
    call.config.padding_pre[0] = 1;
    call.config.size[0] = 6;
    expect(&call, "", LB_OK);
    const int8_t expected[] = {0, 9, 9, 0, 0, 0};
    assert_memory_equal(result, expected, sizeof expected);
}

/* QUIRK: a plain copy of everything, where dst_offset + count happens to be the source's shape. */
static void test_whole_copy_ignores_offsets(void **state)
{
    (void)state;
    int8_t data[] = {1, 2, 3, 4};
    int8_t result[7] = {0};
    lb_tensor src = make_fx(LB_FX8, 0, SHAPE(4), data);
    lb_tensor dst = blank(result, sizeof result);
    lb_call call = mov_call(&src, &dst);
    call.config.size[0] = 2;
    call.config.offset[0] = 1;
    call.config.dst_offset[0] = 2;
    expect(&call, "", LB_OK);
    assert_memory_equal(result, data, sizeof data);
    /* with a stride that is not packed the general rule applies */
    int8_t spread[7];
    memset(spread, 0x5A, sizeof spread);
    dst = blank(spread, sizeof spread);
    call.config.dst_mem_stride[0] = 2;
    expect(&call, "", LB_OK);
    const int8_t expected[] = {0x5A, 0x5A, 0x5A, 0x5A, 2, 0x5A, 3};
    assert_memory_equal(spread, expected, sizeof expected);
}

/* cfg first, then what dst has (a QUIRK), then packed. */
static void test_strides_of_the_destination(void **state)
{
    (void)state;
    int8_t data[6] = {1, 2, 3, 4, 5, 6};
    int8_t result[16] = {0};
    lb_tensor src = make_fx(LB_FX8, 0, SHAPE(1, 2, 3), data);
    lb_tensor dst = blank(result, sizeof result);
    dst.mem_stride[1] = 5;
    dst.mem_stride[2] = 7;
    lb_call call = mov_call(&src, &dst);
    call.config.dst_mem_stride[2] = 1;
    expect(&call, "", LB_OK);
    const int32_t strides[] = {10, 5, 1, 0};
    assert_memory_equal(dst.mem_stride, strides, sizeof strides);
    assert_int_equal(result[5], 4);
}

/* ---- Quantization per axis ---- */

typedef struct per_axis_case {
    int8_t data[6], result[24];
    int16_t scale[3], zero_point[3], own_scale[6], own_zero_point[6];
    int8_t frac[3], own_frac[6];
    lb_tensor src, dst;
    lb_call call;
} per_axis_case;

/* [2][3] quantized along dimension 1. */
static void make_per_axis(per_axis_case *c, bool own_lists)
{
    memset(c, 0, sizeof *c);
    for (int i = 0; i < 3; i++) {
        c->scale[i] = (int16_t)(100 + i);
        c->zero_point[i] = (int16_t)(10 + i);
        c->frac[i] = (int8_t)(1 + i);
    }
    for (int i = 0; i < 6; i++)
        c->own_scale[i] = c->own_zero_point[i] = c->own_frac[i] = 77;
    c->src = make_tensor(LB_SA8, SHAPE(2, 3), c->data);
    set_per_axis(&c->src, 1, c->scale, c->frac, c->zero_point);
    c->dst = blank(c->result, sizeof c->result);
    if (own_lists) {
        c->dst.sa.scale = (lb_container){12, {.pi16 = c->own_scale}};
        c->dst.sa.zero_point = (lb_container){12, {.pi16 = c->own_zero_point}};
        c->dst.sa.scale_frac_bits = (lb_container){6, {.pi8 = c->own_frac}};
    }
    c->call = mov_call(&c->src, &c->dst);
}

static void test_lists_are_shared(void **state)
{
    (void)state;
    per_axis_case c;
    make_per_axis(&c, false);
    c.call.config.perm_dim[0] = 1;
    c.call.config.perm_dim[1] = 0;
    c.call.config.offset[0] = 1; /* another dimension may do what it likes */
    expect(&c.call, "", LB_OK);
    assert_int_equal(c.dst.sa.dim, 0);
    assert_ptr_equal(c.dst.sa.scale.mem.ptr, c.scale);
    assert_int_equal(c.dst.sa.scale_frac_bits.capacity_bytes, 3);
    c.call.config.size[1] = 2; /* but a part of the axis has no lists of its own */
    expect(&c.call, "out.quant_lists", LB_SPEC_PARAM_MISMATCH);
}

static void test_lists_are_moved(void **state)
{
    (void)state;
    per_axis_case c;
    make_per_axis(&c, true);
    c.call.config.padding_pre[1] = 1;
    c.call.config.sub_sample_step[1] = 2; /* padding, then entry 1 */
    c.call.config.dst_offset[1] = 2;
    expect(&c.call, "", LB_OK);
    const int16_t scale[] = {77, 77, 1, 101, 77, 77};
    const int16_t zero_point[] = {77, 77, 0, 11, 77, 77};
    const int8_t frac[] = {77, 77, 0, 2, 77, 77};
    assert_memory_equal(c.own_scale, scale, sizeof scale);
    assert_memory_equal(c.own_zero_point, zero_point, sizeof zero_point);
    assert_memory_equal(c.own_frac, frac, sizeof frac);
    assert_int_equal(c.dst.sa.dim, 1);
    c.dst.sa.zero_point.capacity_bytes = 7; /* count 2 + dst_offset 2 need 8 */
    expect(&c.call, "out.quant_lists", LB_SPEC_PARAM_MISMATCH);
}

static void test_mixed_lists(void **state)
{
    (void)state;
    per_axis_case c;
    make_per_axis(&c, true);
    c.dst.sa.scale.mem.ptr = NULL;
    expect(&c.call, "out.quant_lists", LB_SPEC_PARAM_MISMATCH);
    c.dst.sa.scale.mem.ptr = c.scale;
    expect(&c.call, "out.quant_lists", LB_SPEC_PARAM_MISMATCH);
}

/* ---- Checks ---- */

static void test_order_of_checks(void **state)
{
    (void)state;
    per_axis_case c;
    make_per_axis(&c, true);
    c.call.config_null = true;
    c.call.config.size[0] = 3;
    c.dst.sa.scale.mem.ptr = NULL;
    c.dst.data.mem.ptr = c.data;
    c.src.mem_stride[1] = 0;
    expect(&c.call, "in.tensor", LB_BAD_TENSOR);
    c.src.mem_stride[1] = 1;
    expect(&c.call, "cfg.present", LB_BAD_FUNC_CFG);
    c.call.config_null = false;
    expect(&c.call, "cfg.per_axis_source", LB_BAD_FUNC_CFG);
    c.call.config.size[0] = 2;
    expect(&c.call, "out.quant_lists", LB_SPEC_PARAM_MISMATCH);
    c.dst.sa.scale.mem.ptr = c.own_scale;
    expect(&c.call, "out.apart_from_in", LB_INCOMPATIBLE_TENSORS);
    assert_int_equal(c.dst.rank, 0); /* nothing written so far */
    c.dst.data.mem.ptr = NULL;
    expect(&c.call, "", LB_BAD_TENSOR);
    assert_int_equal(c.dst.rank, 2);
}

/* Step 6: what was written before the check stays, no element is moved. */
static void test_failed_destination_keeps_its_fields(void **state)
{
    (void)state;
    per_axis_case c;
    make_per_axis(&c, true);
    memset(c.data, 3, sizeof c.data);
    c.dst.data.capacity_bytes = 5;
    expect(&c.call, "", LB_NOT_ENOUGH_MEM);
    assert_int_equal(c.dst.el_type, LB_SA8);
    assert_shape(&c.dst, SHAPE(2, 3, 1, 1), 3, 1);
    assert_int_equal(c.dst.sa.dim, 1);
    assert_int_equal(c.own_scale[2], 102);
    assert_int_equal(c.result[0], 0);
}

/* What a library may divide by or run away with is refused. */
static void test_undefined_configurations(void **state)
{
    (void)state;
    int8_t data[6] = {0};
    int8_t result[64] = {0};
    lb_tensor src = make_fx(LB_FX8, 0, SHAPE(2, 3), data);
    lb_tensor dst = blank(result, sizeof result);
    for (int fault = 0; fault < 4; fault++) {
        lb_call call = mov_call(&src, &dst);
        call.config.sub_sample_step[1] = fault == 0 ? 0 : 1;
        call.config.perm_dim[0] = fault == 1 ? 200 : 0;
        call.config.perm_dim[1] = fault == 2 ? 0 : 1;
        call.config.offset[1] = fault == 3 ? 4 : 0;
        expect_undefined(&call, "cfg.defined");
    }
    /* past the end of a source: undefined without padding, zeros with any */
    lb_call call = mov_call(&src, &dst);
    call.config.size[1] = 4;
    memset(data, 1, sizeof data);
    expect_undefined(&call, "cfg.defined");
    call.config.padding_post[1] = 1;
    expect(&call, "", LB_OK);
    const int8_t expected[] = {1, 1, 1, 0, 1, 1, 1, 0};
    assert_memory_equal(result, expected, sizeof expected);
    call.config.offset[0] = UINT32_MAX;
    call.config.size[0] = 1;
    expect_undefined(&call, "cfg.width");
    src.rank = 0; /* pooling_and_movement.md 1.3 */
    expect_undefined(&call, "in.movable");
    src.rank = 2;
    src.el_type = LB_FX4;
    expect_undefined(&call, "in.movable");
    src.el_type = LB_FX8;
    src.set_for = LB_SA8; /* the type was changed behind its parameters */
    expect_undefined(&call, "tensors.parameters");
    set_role(&call, LB_ROLE_OUT, NULL);
    expect_undefined(&call, "out.given");
}

/* A destination that would need more than 32 bits is refused, not moved into. */
static void test_huge_destinations(void **state)
{
    (void)state;
    int8_t data[2] = {0};
    int8_t result[4] = {0};
    lb_tensor src = make_fx(LB_FX8, 0, SHAPE(2), data);
    lb_tensor dst = blank(result, sizeof result);
    lb_call call = mov_call(&src, &dst);
    call.config.size[0] = UINT32_MAX;
    call.config.dst_offset[0] = 2;
    expect_undefined(&call, "cfg.defined"); /* the source ends before */
    call.config.padding_pre[0] = 1;
    expect_undefined(&call, "cfg.defined"); /* the sum leaves 32 bits */
    call.config.dst_offset[0] = 0;
    expect(&call, "", LB_BAD_TENSOR);
    call.config.padding_pre[0] = 0;
    memset(&dst.mem_stride, 0, sizeof dst.mem_stride);
    call.config.size[0] = 0;
    call.config.dst_offset[0] = 1000;
    expect(&call, "", LB_NOT_ENOUGH_MEM);
}

/* ---- Configuration helpers ---- */

/* Runs a helper on a configuration full of garbage; every argument is named in all eight. */
static lb_config fill(const char *function)
{
    lb_call call = make_call(function);
    memset(&call.config, 0xA7, sizeof call.config);
    for (int i = 0; i < LB_MAX_RANK; i++) {
        call.config.arg_offsets[i] = i - 1;
        call.config.arg_sizes[i] = 10 + i;
        call.config.arg_subsample_step[i] = 20 + i;
        call.config.arg_dst_offsets[i] = 30 + i;
        call.config.arg_dst_mem_stride[i] = 40 - 50 * i;
        call.config.arg_perm_dim[i] = (uint8_t)(3 - i);
    }
    call.config.padleft = 51;
    call.config.padright = 52;
    call.config.padtop = 53;
    call.config.padbot = 254;
    assert_string_equal(run(&call, 0), "");
    assert_int_equal(call.status, LB_OK);
    return call.config;
}

enum {
    OFFSET = 1,
    SIZE = 2,
    STEP = 4,
    DST_OFFSET = 8,
    STRIDE = 16,
    PERM = 32,
    PAD_HWC = 64,
    PAD_CHW = 128
};

static void assert_filled(const char *function, unsigned taken)
{
    static const uint8_t pre[3][4] = {{0, 0, 0, 0}, {53, 51, 0, 0}, {0, 53, 51, 0}};
    static const uint8_t post[3][4] = {{0, 0, 0, 0}, {254, 52, 0, 0}, {0, 254, 52, 0}};
    lb_config cfg = fill(function);
    for (uint32_t i = 0; i < LB_MAX_RANK; i++) {
        assert_int_equal(cfg.offset[i], taken & OFFSET ? i - 1 : 0); /* -1 is its bit pattern */
        assert_int_equal(cfg.size[i], taken & SIZE ? 10 + i : 0);
        assert_int_equal(cfg.sub_sample_step[i], taken & STEP ? 20 + i : 1);
        assert_int_equal(cfg.dst_offset[i], taken & DST_OFFSET ? 30 + i : 0);
        assert_int_equal(cfg.dst_mem_stride[i], taken & STRIDE ? 40 - 50 * (int)i : 0);
        assert_int_equal(cfg.perm_dim[i], taken & PERM ? 3 - i : i);
    }
    int padding = taken & PAD_HWC ? 1 : taken & PAD_CHW ? 2 : 0;
    assert_memory_equal(cfg.padding_pre, pre[padding], 4);
    assert_memory_equal(cfg.padding_post, post[padding], 4);
}

/* pooling_and_movement.md 4.3, 5: what is neutral is not zero. */
static void test_configuration_helpers(void **state)
{
    (void)state;
    assert_filled("mli_mov_cfg_for_copy", 0);
    assert_filled("mli_mov_cfg_for_slice", OFFSET | SIZE | STRIDE);
    assert_filled("mli_mov_cfg_for_concat", DST_OFFSET | STRIDE);
    assert_filled("mli_mov_cfg_for_subsample", STEP | STRIDE);
    assert_filled("mli_mov_cfg_for_permute", PERM);
    assert_filled("mli_mov_cfg_for_padding2d_chw", PAD_CHW | STRIDE);
    assert_filled("mli_mov_cfg_for_padding2d_hwc", PAD_HWC | STRIDE);
    assert_filled("mli_mov_cfg_all", OFFSET | SIZE | STEP | DST_OFFSET | STRIDE | PERM | PAD_HWC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy_of_every_type),
        cmocka_unit_test(test_all_at_once),
        cmocka_unit_test(test_padding_without_end),
        cmocka_unit_test(test_whole_copy_ignores_offsets),
        cmocka_unit_test(test_strides_of_the_destination),
        cmocka_unit_test(test_lists_are_shared),
        cmocka_unit_test(test_lists_are_moved),
        cmocka_unit_test(test_mixed_lists),
        cmocka_unit_test(test_order_of_checks),
        cmocka_unit_test(test_failed_destination_keeps_its_fields),
        cmocka_unit_test(test_undefined_configurations),
        cmocka_unit_test(test_huge_destinations),
        cmocka_unit_test(test_configuration_helpers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
