/* mli_hlp_create_subtensor and mli_hlp_point_to_subtensor (numerics.md 8.3, 8.4): every field of
 * the view, parameters per axis, statuses in order. */
#include "support.h"

static int16_t data[240];

/* What out holds before a call: fields that are not written must keep it. */
static mli_tensor garbage(void)
{
    mli_tensor t;
    memset(&t, 0x77, sizeof t);
    return t;
}

static void test_views(void **state)
{
    (void)state;
    const int32_t stride[] = {70, 20, 5, 1};
    const mli_tensor in =
        with_frac(tensor(MLI_EL_FX_16, data, 4, (const uint32_t[]){2, 3, 4, 5}, stride), -3);
    mli_tensor out = garbage();
    mli_sub_tensor_cfg cfg = {{1, 0, 2, 1}, {1, 3, 2, 4}, 4};
    assert_int_equal(mli_hlp_create_subtensor(&in, &cfg, &out), MLI_STATUS_OK);
    assert_ptr_equal(out.data.mem.pi16, data + 70 + 10 + 1);
    assert_int_equal(out.data.capacity, in.data.capacity - 2 * 81);
    assert_memory_equal(out.shape, cfg.size, sizeof out.shape);
    assert_memory_equal(out.mem_stride, stride, sizeof stride);
    assert_int_equal(out.rank, 4);
    assert_int_equal(out.el_type, MLI_EL_FX_16);
    assert_int_equal(out.el_params.fx.frac_bits, -3);

    out = garbage(); /* the outermost dimension of size 1 goes */
    cfg.sub_tensor_rank = 3;
    assert_int_equal(mli_hlp_create_subtensor(&in, &cfg, &out), MLI_STATUS_OK);
    assert_memory_equal(out.shape, ((const uint32_t[]){3, 2, 4, 0x77777777}), 16);
    assert_memory_equal(out.mem_stride, ((const int32_t[]){20, 5, 1, 0x77777777}), 16);
    assert_int_equal(out.rank, 3);

    /* two of size 1, one to go: the first; and none to spare: the last dimensions are cut off */
    cfg = (mli_sub_tensor_cfg){{0, 0, 0, 4}, {2, 1, 3, 1}, 3};
    out = garbage();
    assert_int_equal(mli_hlp_create_subtensor(&in, &cfg, &out), MLI_STATUS_OK);
    assert_memory_equal(out.shape, ((const uint32_t[]){2, 3, 1}), 12);
    assert_memory_equal(out.mem_stride, ((const int32_t[]){70, 5, 1}), 12);
    cfg.sub_tensor_rank = 1;
    out = garbage();
    assert_int_equal(mli_hlp_create_subtensor(&in, &cfg, &out), MLI_STATUS_OK);
    assert_int_equal(out.rank, 1);
    assert_memory_equal(out.shape, ((const uint32_t[]){2, 3, 0x77777777, 0x77777777}), 16);

    mli_tensor self = in; /* out may be in; a size of 0 is taken */
    cfg = (mli_sub_tensor_cfg){{1, 1, 1, 1}, {0, 1, 2, 3}, 4};
    assert_int_equal(mli_hlp_create_subtensor(&self, &cfg, &self), MLI_STATUS_OK);
    assert_ptr_equal(self.data.mem.pi16, data + 96);
    assert_memory_equal(self.shape, cfg.size, sizeof self.shape);
}

static void test_axis(void **state)
{
    (void)state;
    int16_t scale[5] = {1, 2, 3, 4, 5}, zero[5] = {6, 7, 8, 9, 10};
    int8_t bits[5] = {11, 12, 13, 14, 15};
    const mli_tensor in =
        with_axis(tensor(MLI_EL_SA_8, data, SHAPE3(3, 4, 5), NULL), 2, 5, scale, bits, zero);
    mli_tensor out = garbage();
    mli_sub_tensor_cfg cfg = {{2, 0, 3, 0}, {1, 4, 2, 0}, 2};
    assert_int_equal(mli_hlp_create_subtensor(&in, &cfg, &out), MLI_STATUS_OK);
    assert_int_equal(out.el_params.sa.dim, 1);
    assert_ptr_equal(out.el_params.sa.scale.mem.pi16, scale + 3);
    assert_ptr_equal(out.el_params.sa.zero_point.mem.pi16, zero + 3);
    assert_ptr_equal(out.el_params.sa.scale_frac_bits.mem.pi8, bits + 3);
    assert_int_equal(out.el_params.sa.scale.capacity, 10);

    /* the quantized dimension itself goes: the one entry that is left becomes the tensor's */
    const mli_tensor first =
        with_axis(tensor(MLI_EL_SA_8, data, SHAPE3(5, 4, 3), NULL), 0, 5, scale, bits, zero);
    cfg = (mli_sub_tensor_cfg){{3, 0, 0, 0}, {1, 4, 3, 0}, 2};
    out = garbage();
    assert_int_equal(mli_hlp_create_subtensor(&first, &cfg, &out), MLI_STATUS_OK);
    assert_int_equal((uintptr_t)out.el_params.sa.scale.mem.pi16,
                     4); /* all of the union: nothing of a pointer is left */
    assert_int_equal(out.el_params.sa.zero_point.mem.i16, 9);
    assert_int_equal(out.el_params.sa.scale_frac_bits.mem.i8, 14);
    assert_int_equal(out.el_params.sa.scale.capacity, 0);
    assert_int_equal(out.el_params.sa.zero_point.capacity, 0);
    assert_int_equal(out.el_params.sa.scale_frac_bits.capacity, 0);
    assert_int_equal(out.el_params.sa.dim, -1);
    int8_t result[12]; /* and is fit for use */
    mli_tensor copy = with_scale(tensor(MLI_EL_SA_8, result, SHAPE2(4, 3), NULL), 4, 14, 9);
    assert_int_equal(mli_krn_relu_sa8(&out, &(mli_relu_cfg){MLI_RELU_NONE}, &copy), MLI_STATUS_OK);

    mli_tensor bare = first; /* no arrays: nothing is read or advanced */
    bare.el_params.sa.scale.mem.pi16 = bare.el_params.sa.zero_point.mem.pi16 = NULL;
    bare.el_params.sa.scale_frac_bits.mem.pi8 = NULL;
    assert_int_equal(mli_hlp_create_subtensor(&bare, &cfg, &out), MLI_STATUS_OK);
    assert_int_equal(out.el_params.sa.scale.mem.i16, 0);
    cfg.sub_tensor_rank = 3;
    assert_int_equal(mli_hlp_create_subtensor(&bare, &cfg, &out), MLI_STATUS_OK);
    assert_null(out.el_params.sa.scale.mem.pi16);
    assert_int_equal(out.el_params.sa.dim, 0);
}

static void test_status(void **state)
{
    (void)state;
    needs_checks();
    const mli_tensor in = tensor(MLI_EL_SA_8, data, SHAPE2(3, 4), NULL);
    const mli_sub_tensor_cfg good = {{1, 1, 0, 0}, {2, 3, 0, 0}, 2};
    static const struct {
        mli_sub_tensor_cfg cfg;
        mli_status status;
    } cases[] = {
        {{{1, 1, 9, 9}, {2, 3, 9, 9}, 2}, MLI_STATUS_OK},
        {{{1, 1, 0, 0}, {2, 3, 0, 0}, 3}, MLI_STATUS_BAD_FUNC_CFG},
        {{{3, 1, 0, 0}, {0, 3, 0, 0}, 2}, MLI_STATUS_BAD_FUNC_CFG},
        {{{1, 1, 0, 0}, {3, 3, 0, 0}, 2}, MLI_STATUS_BAD_FUNC_CFG},
        {{{1, 2, 0, 0}, {2, 3, 0, 0}, 2}, MLI_STATUS_BAD_FUNC_CFG},
        {{{1, 1, 0, 0}, {2, UINT32_MAX, 0, 0}, 2}, MLI_STATUS_BAD_FUNC_CFG},
    };
    const mli_tensor before = garbage();
    for (size_t i = 0; i < COUNT(cases); i++) {
        mli_tensor out = before;
        assert_int_equal(mli_hlp_create_subtensor(&in, &cases[i].cfg, &out), cases[i].status);
        if (cases[i].status != MLI_STATUS_OK)
            assert_memory_equal(&out, &before, sizeof out);
    }
    mli_tensor out = before, bad = in;
    bad.data.mem.pi8 = NULL;
    assert_int_equal(mli_hlp_create_subtensor(&bad, NULL, NULL), MLI_STATUS_BAD_TENSOR);
    bad = in, bad.data.capacity = 11;
    assert_int_equal(mli_hlp_create_subtensor(&bad, NULL, NULL), MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(mli_hlp_create_subtensor(&in, NULL, NULL), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(mli_hlp_create_subtensor(&in, NULL, &out), MLI_STATUS_BAD_FUNC_CFG);
    bad = in, bad.el_params.sa.dim = 2; /* undefined in the original, as is rank 0 */
    assert_int_equal(mli_hlp_create_subtensor(&bad, &good, &out), MLI_STATUS_BAD_TENSOR);
    bad = in, bad.rank = 0;
    assert_int_equal(mli_hlp_create_subtensor(&bad, &(mli_sub_tensor_cfg){{0}, {0}, 0}, &out),
                     MLI_STATUS_NOT_SUPPORTED);
    assert_memory_equal(&out, &before, sizeof out);
    for (int i = 0; i < 2; i++) { /* data and el_type are written before the type is looked at */
        bad = in;
        bad.el_type = i ? MLI_EL_FP_16 : MLI_EL_FP_32;
        bad.data.capacity = 48;
        assert_int_equal(mli_hlp_create_subtensor(&bad, &good, &out), MLI_STATUS_NOT_SUPPORTED);
        assert_int_equal(out.el_type, bad.el_type);
        assert_int_equal(out.data.capacity, i ? 48 : 48 - 20);
        assert_int_equal(out.rank, before.rank);
    }
}

static void test_point(void **state)
{
    (void)state;
    const mli_tensor in = with_frac(tensor(MLI_EL_FX_16, data, SHAPE3(3, 4, 5), NULL), 6);
    mli_tensor out = garbage();
    out.mem_stride[0] = 1;
    mli_point_to_subtsr_cfg cfg = {{1, 2, 1, 9}, 3, 4};
    assert_int_equal(mli_hlp_point_to_subtensor(&in, &cfg, &out), MLI_STATUS_OK);
    assert_ptr_equal(out.data.mem.pi16, data + 31);
    assert_int_equal(out.data.capacity, 8);
    assert_int_equal(out.rank, 1);
    assert_int_equal(out.shape[0], 4);
    assert_int_equal(out.shape[1], 0x77777777);
    assert_int_equal(out.mem_stride[0], 1);
    assert_int_equal(out.el_type, MLI_EL_FX_16);
    assert_int_equal(out.el_params.fx.frac_bits, 6);
}

static void test_point_status(void **state)
{
    (void)state;
    needs_checks();
    const mli_tensor in = tensor(MLI_EL_FX_8, data, SHAPE2(3, 4), NULL);
    const mli_point_to_subtsr_cfg good = {{1, 1, 0, 0}, 2, 3};
    static const struct {
        mli_point_to_subtsr_cfg cfg;
        mli_status status;
    } cases[] = {
        {{{1, 1, 0, 0}, 2, 4}, MLI_STATUS_BAD_FUNC_CFG},
        {{{3, 1, 0, 0}, 2, 1}, MLI_STATUS_BAD_FUNC_CFG},
        {{{1, 4, 0, 0}, 2, 0}, MLI_STATUS_BAD_FUNC_CFG},
        {{{1, 1, 0, 0}, 3, 1}, MLI_STATUS_BAD_FUNC_CFG},
        {{{1, 1, 0, 0}, 1, 1}, MLI_STATUS_INCOMPATEBLE_TENSORS},
        {{{1, 1, 0, 0}, 0, 1}, MLI_STATUS_BAD_FUNC_CFG},
    };
    mli_tensor before = garbage();
    before.mem_stride[0] = 1;
    mli_tensor out = before;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(mli_hlp_point_to_subtensor(&in, &cases[i].cfg, &out), cases[i].status);
    assert_int_equal(mli_hlp_point_to_subtensor(NULL, NULL, NULL), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(mli_hlp_point_to_subtensor(&in, NULL, NULL), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(mli_hlp_point_to_subtensor(&in, NULL, &out), MLI_STATUS_BAD_FUNC_CFG);
    mli_tensor gaps =
        tensor(MLI_EL_FX_8, data, 2, (const uint32_t[]){3, 4}, (const int32_t[]){5, 1});
    assert_int_equal(mli_hlp_point_to_subtensor(&gaps, &good, &out),
                     MLI_STATUS_INCOMPATEBLE_TENSORS);
    mli_tensor real = tensor(MLI_EL_FP_32, data, SHAPE2(3, 4), NULL);
    assert_int_equal(mli_hlp_point_to_subtensor(&real, &good, &out), MLI_STATUS_NOT_SUPPORTED);
    assert_memory_equal(&out, &before, sizeof out);
    out.mem_stride[0] = 2;
    assert_int_equal(mli_hlp_point_to_subtensor(&in, &good, &out), MLI_STATUS_INCOMPATEBLE_TENSORS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_views),        cmocka_unit_test(test_axis),
        cmocka_unit_test(test_status),       cmocka_unit_test(test_point),
        cmocka_unit_test(test_point_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
