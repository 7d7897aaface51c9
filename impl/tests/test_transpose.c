/* mli_krn_transpose_conv2d_hwcn_*: sums by hand, random problems against the text of conv.md at
 * every level in every profile, every stride up to the kernel with every padding, statuses in
 * order. */
#include "conv_faults.h"

/* in 1 2 spreads the kernel 10 20 30 with stride 2: 10 20 30+20 40 60; padding 1 takes the ends
 * off. */
static void test_by_hand(void **state)
{
    (void)state;
    int16_t in_data[] = {1, 2}, out_data[5];
    int8_t w_data[] = {10, 20, 30}, b_data[] = {1};
    const mli_tensor in = tensor(MLI_EL_FX_16, in_data, SHAPE3(1, 2, 1), NULL);
    const mli_tensor weights = tensor(MLI_EL_FX_8, w_data, 4, (const uint32_t[]){1, 3, 1, 1}, NULL);
    const mli_tensor bias = tensor(MLI_EL_FX_8, b_data, SHAPE1(1), NULL);
    mli_tensor out = tensor(MLI_EL_FX_16, out_data, SHAPE3(1, 5, 1), NULL);
    mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, 2, 1, 0, 0, 0, 0, 1, 1};
    assert_int_equal(mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8(&in, &weights, &bias, &cfg, &out),
                     MLI_STATUS_OK);
    const int16_t expected[] = {11, 21, 51, 41, 61};
    assert_memory_equal(out_data, expected, sizeof expected);
    cfg.padding_left = cfg.padding_right = 1;
    out = tensor(MLI_EL_FX_16, out_data, SHAPE3(1, 3, 1), NULL);
    assert_int_equal(mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8(&in, &weights, &bias, &cfg, &out),
                     MLI_STATUS_OK);
    assert_memory_equal(out_data, expected + 1, 3 * sizeof expected[0]);
}

/* Size of out in a direction; 0 or less: there is none. */
static int spread(uint32_t in, int stride, uint32_t kernel, int pads)
{
    return ((int)in - 1) * stride + (int)kernel - pads;
}

static void random_spread(struct problem *p)
{
    mli_conv2d_cfg *g = &p->cfg;
    int height, width;
    do {
        for (int d = 0; d < 2; d++) {
            p->in[d] = (uint32_t)random_in(1, 6);
            p->kernel[d] = (uint32_t)random_in(1, 6);
        }
        const int top = (int)p->kernel[0], left = (int)p->kernel[1];
        g->stride_height = (uint8_t)random_in(1, top),
        g->stride_width = (uint8_t)random_in(1, left);
        g->padding_top = (uint8_t)random_in(0, top - 1),
        g->padding_bottom = (uint8_t)random_in(0, top - 1);
        g->padding_left = (uint8_t)random_in(0, left - 1),
        g->padding_right = (uint8_t)random_in(0, left - 1);
        height =
            spread(p->in[0], g->stride_height, p->kernel[0], g->padding_top + g->padding_bottom);
        width = spread(p->in[1], g->stride_width, p->kernel[1], g->padding_left + g->padding_right);
    } while (height <= 0 || width <= 0);
    g->dilation_height = g->dilation_width = 1;
    p->out[0] = (uint32_t)height, p->out[1] = (uint32_t)width;
}

static void test_random(void **state)
{
    (void)state;
    for (int n = 0; n < 1500; n++) {
        struct problem p = {.family = TRANSPOSE};
        random_rest(&p);
        random_spread(&p);
        p.in[2] = p.depth = random_in(0, 2) ? (uint32_t)random_in(1, 12) : random_count();
        p.channels = random_in(0, 2) ? (uint32_t)random_in(1, 12) : random_count();
        check(&p);
    }
}

/* One direction, every kernel up to 5 with every stride and padding. */
static void test_every_step(void **state)
{
    (void)state;
    for (int code = 0; code < 5 * 5 * 5 * 5; code++) {
        const int kernel = code % 5 + 1, stride = code / 5 % 5 + 1, before = code / 25 % 5,
                  after = code / 125;
        const int width = spread(4, stride, (uint32_t)kernel, before + after);
        if (stride > kernel || before >= kernel || after >= kernel || width <= 0)
            continue;
        struct problem p = {
            .family = TRANSPOSE,
            .kind = (enum conv_kind)(code % KINDS),
            .in = {1, 4, 2},
            .kernel = {1, (uint32_t)kernel},
            .depth = 2,
            .channels = 3,
            .out = {1, (uint32_t)width},
            .cfg =
                {{MLI_RELU_NONE}, (uint8_t)stride, 1, (uint8_t)before, (uint8_t)after, 0, 0, 1, 1},
        };
        check(&p);
    }
}

static void test_channels(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(telling_counts); i++) {
        struct problem p = {.family = TRANSPOSE,
                            .kind = (enum conv_kind)(i % KINDS),
                            .in = {4, 5, telling_counts[i]},
                            .kernel = {4, 4},
                            .depth = telling_counts[i],
                            .channels = telling_counts[(i * 3 + 1) % COUNT(telling_counts)],
                            .out = {8, 10},
                            .cfg = {{MLI_RELU_NONE}, 2, 2, 1, 1, 1, 1, 1, 1},
                            .per_axis = 1};
        check(&p);
    }
}

static const struct specialized specialized[] = {
    {mli_krn_transpose_conv2d_hwcn_fx16_k2x2_str2, FX16, 2},
    {mli_krn_transpose_conv2d_hwcn_fx16_k4x4_str2, FX16, 4},
    {mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8_k2x2_str2, FX16_FX8, 2},
    {mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8_k4x4_str2, FX16_FX8, 4},
    {mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32_k2x2_str2, SA8, 2},
    {mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32_k4x4_str2, SA8, 4},
};

static struct problem plain(enum conv_kind kind, uint32_t kernel)
{
    const uint8_t pad = (uint8_t)(kernel / 2 - 1);
    return (struct problem){.family = TRANSPOSE,
                            .kind = kind,
                            .in = {3, 4, 5},
                            .kernel = {kernel, kernel},
                            .depth = 5,
                            .channels = 6,
                            .out = {6, 8},
                            .cfg = {{MLI_RELU_GEN}, 2, 2, pad, pad, pad, pad, 1, 1}};
}

static void test_specializations(void **state)
{
    (void)state;
    check_specializations(plain, specialized, COUNT(specialized));
}

static void test_status_order(void **state)
{
    (void)state;
    check_status_order(plain, 4, specialized, COUNT(specialized));
}

/* Steps D4t and D4u. */
static void test_bounds(void **state)
{
    (void)state;
    needs_checks();
    struct problem p = plain(SA8, 4);
    conv_fn *const run = generic[TRANSPOSE][SA8];
    build(&p);
    use_profile(0);
    mli_conv2d_cfg cfg = p.cfg;
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_OK);
    cfg.padding_left = 2, cfg.padding_right = 0; /* the same size */
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_OK);
    cfg.padding_left = 0, cfg.padding_right = 1;
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_BAD_FUNC_CFG);
    cfg = p.cfg, cfg.dilation_height = 2;
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_BAD_FUNC_CFG);
    cfg = p.cfg, cfg.padding_top = 4;
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_BAD_FUNC_CFG);
    p.t_out.shape[1]--;
    assert_int_equal(status_with(&p, run, &p.cfg), MLI_STATUS_BAD_FUNC_CFG);
    destroy(&p);
}

/* With one row of input the size of out does not tell the strides apart. */
static void test_largest_stride(void **state)
{
    (void)state;
    needs_checks();
    struct problem p = plain(SA8, 4);
    conv_fn *const run = generic[TRANSPOSE][SA8];
    p.in[0] = 1, p.out[0] = 2;
    p.cfg.stride_height = 4;
    build(&p);
    use_profile(0);
    mli_conv2d_cfg cfg = p.cfg;
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_OK);
    cfg.stride_height = 5;
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_BAD_FUNC_CFG);
    destroy(&p);
}

/* Steps X: the specializations ask last, for strides before the kernel. */
static void test_specialized_bounds(void **state)
{
    (void)state;
    needs_checks();
    for (size_t s = 0; s < COUNT(specialized); s++) {
        struct problem strides = plain(specialized[s].kind, specialized[s].kernel);
        strides.cfg.stride_width = 1;
        strides.out[1] =
            (uint32_t)spread(strides.in[1], 1, strides.kernel[1], 2 * strides.cfg.padding_left);
        build(&strides);
        use_profile(0);
        assert_int_equal(status_with(&strides, generic[TRANSPOSE][strides.kind], &strides.cfg),
                         MLI_STATUS_OK);
        assert_int_equal(status_with(&strides, specialized[s].run, &strides.cfg),
                         MLI_STATUS_BAD_FUNC_CFG);
        if (strides.kind == SA8) { /* behind the formats */
            strides.t_in.el_params.sa.scale.mem.i16 = 0;
            assert_int_equal(status_with(&strides, specialized[s].run, &strides.cfg),
                             MLI_STATUS_BAD_TENSOR);
        }
        destroy(&strides);
        struct problem kernel = plain(specialized[s].kind, specialized[s].kernel);
        kernel.kernel[0]++;
        kernel.out[0]++;
        build(&kernel);
        assert_int_equal(status_with(&kernel, generic[TRANSPOSE][kernel.kind], &kernel.cfg),
                         MLI_STATUS_OK);
        assert_int_equal(status_with(&kernel, specialized[s].run, &kernel.cfg),
                         MLI_STATUS_INCOMPATEBLE_TENSORS);
        destroy(&kernel);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_every_step),
        cmocka_unit_test(test_channels),
        cmocka_unit_test(test_specializations),
        cmocka_unit_test(test_status_order),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_largest_stride),
        cmocka_unit_test(test_specialized_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
