/* mli_krn_conv2d_hwcn_*: small sums by hand, random problems against the text of conv.md at every
 * level in every profile, operands of every shape around vector lengths, accumulators past their
 * limits, calls without memory, statuses in order. */
#include "conv_faults.h"

/* Linked with --wrap=aligned_alloc: the allocation of the convolutions can fail. */
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
static int allocations, refuse;

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    allocations++;
    return refuse ? NULL : __real_aligned_alloc(alignment, size);
}

/* in 2x2x1 = 1 2 / 3 4, one 2x2 kernel of 10 20 / 30 40, padding 1 on the left and at the top. */
static void test_by_hand_fx(void **state)
{
    (void)state;
    int16_t in_data[] = {1, 2, 3, 4}, out_data[4];
    int8_t w_data[] = {10, 20, 30, 40}, b_data[] = {5};
    const mli_tensor in = tensor(MLI_EL_FX_16, in_data, SHAPE3(2, 2, 1), NULL);
    const mli_tensor weights = tensor(MLI_EL_FX_8, w_data, 4, (const uint32_t[]){2, 2, 1, 1}, NULL);
    const mli_tensor bias = tensor(MLI_EL_FX_8, b_data, SHAPE1(1), NULL);
    mli_tensor out = tensor(MLI_EL_FX_16, out_data, SHAPE3(2, 2, 1), NULL);
    const mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, 1, 1, 1, 0, 1, 0, 1, 1};
    assert_int_equal(mli_krn_conv2d_hwcn_fx16_fx8_fx8(&in, &weights, &bias, &cfg, &out),
                     MLI_STATUS_OK);
    const int16_t expected[] = {1 * 40 + 5, 1 * 30 + 2 * 40 + 5, 1 * 20 + 3 * 40 + 5,
                                10 + 40 + 90 + 160 + 5};
    assert_memory_equal(out_data, expected, sizeof expected);
}

/* The same with zero points: padding is real 0, so it adds nothing. Scales are chosen so that the
 * factor is exactly 1: si = so = 2^14, sw = 2^14 with 14 fraction bits. */
static void test_by_hand_sa8(void **state)
{
    (void)state;
    int8_t in_data[] = {101, 102, 103, 104}, w_data[] = {1, 2, 3, 4}, out_data[4];
    int32_t b_data[] = {5};
    const mli_tensor in =
        with_scale(tensor(MLI_EL_SA_8, in_data, SHAPE3(2, 2, 1), NULL), 16384, 14, 100);
    const mli_tensor weights = with_scale(
        tensor(MLI_EL_SA_8, w_data, 4, (const uint32_t[]){2, 2, 1, 1}, NULL), 16384, 14, 0);
    const mli_tensor bias = with_scale(tensor(MLI_EL_SA_32, b_data, SHAPE1(1), NULL), 16384, 14, 0);
    mli_tensor out =
        with_scale(tensor(MLI_EL_SA_8, out_data, SHAPE3(2, 2, 1), NULL), 16384, 14, -7);
    const mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, 1, 1, 1, 0, 1, 0, 1, 1};
    for (int p = 0; p < 4; p++) {
        use_profile(p);
        assert_int_equal(mli_krn_conv2d_hwcn_sa8_sa8_sa32(&in, &weights, &bias, &cfg, &out),
                         MLI_STATUS_OK);
        const int8_t expected[] = {4 + 5 - 7, 3 + 8 + 5 - 7, 2 + 12 + 5 - 7,
                                   1 + 4 + 9 + 16 + 5 - 7};
        assert_memory_equal(out_data, expected, sizeof expected);
    }
}

static void test_random(void **state)
{
    (void)state;
    for (int n = 0; n < 2000; n++) {
        struct problem p = {.family = CONV2D};
        random_rest(&p);
        random_geometry(&p);
        p.in[2] = p.depth = random_in(0, 1) ? random_count() : (uint32_t)random_in(1, 20);
        p.channels = random_in(0, 1) ? random_count() : (uint32_t)random_in(1, 20);
        check(&p);
    }
}

/* Every pair of telling channel counts, 3x3 on enough pixels to be packed. */
static void test_channels(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(telling_counts); i++) {
        for (size_t o = 0; o < COUNT(telling_counts); o++) {
            struct problem p = {.family = CONV2D,
                                .kind = (enum conv_kind)((i + o) % KINDS),
                                .in = {4, 5, telling_counts[i]},
                                .kernel = {3, 3},
                                .depth = telling_counts[i],
                                .channels = telling_counts[o],
                                .out = {4, 4},
                                .cfg = {{MLI_RELU_NONE}, 1, 1, 1, 0, 1, 1, 1, 1},
                                .per_axis = 1};
            check(&p);
        }
    }
}

/* Depths that are summed in several slices, and more channels than a block has. */
static void test_large(void **state)
{
    (void)state;
    static const struct {
        uint32_t depth, channels, kernel;
    } sizes[] = {{700, 5, 1}, {600, 4, 1}, {1400, 3, 1}, {160, 3, 3}, {2, 600, 2}, {100, 260, 2}};
    for (size_t s = 0; s < COUNT(sizes); s++) {
        for (int kind = 0; kind < KINDS; kind++) {
            const uint8_t pad = (uint8_t)(sizes[s].kernel - 1);
            struct problem p = {.family = CONV2D,
                                .kind = (enum conv_kind)kind,
                                .in = {3, 5, sizes[s].depth},
                                .kernel = {sizes[s].kernel, sizes[s].kernel},
                                .depth = sizes[s].depth,
                                .channels = sizes[s].channels,
                                .out = {3, 5},
                                .cfg = {{MLI_RELU_NONE}, 1, 1, pad, 0, 0, pad, 1, 1},
                                .per_axis = (int)(s % 2),
                                .extreme = kind != SA8,
                                .gap = (int)(s % 3)};
            check(&p);
        }
    }
}

/* Windows that lie wholly in padding: taps are three apart, so the outputs in the middle miss the
 * only pixel. */
/* Weights that products of bytes may have at levels where pairs of them saturate, at the ends of
 * that range and beyond, by inputs at theirs. Pairs at an end are weighed up by others, so that
 * what a pair lacks shows in the outputs. */
static void narrow_once(int end, int input)
{
    enum { DEPTH = 36, CHANNELS = 70, NARROW = 64 };
    struct problem p = {.family = CONV2D,
                        .kind = SA8,
                        .in = {4, 5, DEPTH},
                        .kernel = {2, 2},
                        .depth = DEPTH,
                        .channels = CHANNELS,
                        .out = {4, 4},
                        .cfg = {{MLI_RELU_NONE}, 1, 1, 1, 0, 1, 0, 1, 1},
                        .per_axis = 1};
    build(&p);
    memset(p.t_bias.data.mem.pi8, 0, p.t_bias.data.capacity);
    if (input != 0)
        memset(p.t_in.data.mem.pi8, input, p.t_in.data.capacity);
    for (uint32_t i = 0; i < p.t_weights.data.capacity; i++) {
        const int other = end > 0 ? -NARROW : NARROW;
        p.t_weights.data.mem.pi8[i] = (int8_t)(end == 0               ? random_in(-64, 64)
                                               : i / CHANNELS % 4 < 2 ? end
                                                                      : other);
    }
    check_with(&p, generic[CONV2D][SA8]);
    destroy(&p);
}

static void test_narrow_weights(void **state)
{
    (void)state;
    static const int ends[] = {0, 64, -64, 65, -65, -128, 127};
    static const int inputs[] = {0, INT8_MAX, INT8_MIN};
    for (int n = 0; n < 8; n++) { /* of random scales and zero points */
        for (size_t e = 0; e < COUNT(ends); e++)
            for (size_t i = 0; i < COUNT(inputs); i++)
                narrow_once(ends[e], inputs[i]);
    }
}

static void test_windows_in_padding(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (uint32_t channels = 1; channels < 40; channels += 19) {
            struct problem p = {.family = CONV2D,
                                .kind = (enum conv_kind)kind,
                                .in = {1, 1, channels},
                                .kernel = {2, 2},
                                .depth = channels,
                                .channels = channels,
                                .out = {4, 4},
                                .cfg = {{MLI_RELU_NONE}, 1, 1, 3, 3, 3, 3, 3, 3},
                                .gap = 2};
            check(&p);
        }
    }
}

/* Strides and dilations at the end of their range. */
static void test_far_steps(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct problem strides = {.family = CONV2D,
                                  .kind = (enum conv_kind)kind,
                                  .in = {300, 257, 3},
                                  .kernel = {3, 2},
                                  .depth = 3,
                                  .channels = 5,
                                  .out = {2, 2},
                                  .cfg = {{MLI_RELU_NONE}, 255, 255, 0, 0, 0, 0, 1, 1}};
        struct problem dilations = {.family = CONV2D,
                                    .kind = (enum conv_kind)kind,
                                    .in = {5, 260, 3},
                                    .kernel = {2, 2},
                                    .depth = 3,
                                    .channels = 5,
                                    .out = {5, 5},
                                    .cfg = {{MLI_RELU_NONE}, 1, 1, 0, 0, 255, 0, 255, 255}};
        check(&strides);
        check(&dilations);
    }
}

/* 600 products of (-32768) * (-128) and 140000 of (-128) * (-128) leave 32 bits: sums wrap before
 * the bias. */
static void test_accumulator_wraps(void **state)
{
    (void)state;
    static const struct {
        enum conv_kind kind;
        uint32_t depth;
    } wraps[] = {{FX16_FX8, 600}, {SA8, 140000}};
    for (size_t w = 0; w < COUNT(wraps); w++) {
        struct problem p = {.family = CONV2D,
                            .kind = wraps[w].kind,
                            .in = {1, 12, wraps[w].depth},
                            .kernel = {1, 1},
                            .depth = wraps[w].depth,
                            .channels = 2,
                            .out = {1, 12},
                            .cfg = {{MLI_RELU_NONE}, 1, 1, 0, 0, 0, 0, 1, 1}};
        build(&p);
        const int narrow = p.kind == SA8;
        for (uint32_t i = 0; i < p.t_in.data.capacity / (narrow ? 1 : 2); i++)
            if (narrow)
                p.t_in.data.mem.pi8[i] = INT8_MIN;
            else
                p.t_in.data.mem.pi16[i] = INT16_MIN;
        memset(p.t_weights.data.mem.pi8, INT8_MIN, p.t_weights.data.capacity);
        if (narrow)
            p.t_in.el_params.sa.zero_point.mem.i16 = 0;
        else
            p.t_out = with_frac(p.t_out, p.t_in.el_params.fx.frac_bits +
                                             p.t_weights.el_params.fx.frac_bits - 16);
        assert_true(accumulate(&p, 0, 0, 0) < 0); /* all products are positive */
        check_with(&p, generic[CONV2D][p.kind]);
        destroy(&p);
    }
}

/* What is too large to be packed on the stack is packed in memory; without memory it is computed
 * all the same. */
static void test_without_memory(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct problem p = {.family = CONV2D,
                            .kind = (enum conv_kind)kind,
                            .in = {5, 6, 130},
                            .kernel = {3, 3},
                            .depth = 130,
                            .channels = 40,
                            .out = {5, 6},
                            .cfg = {{MLI_RELU_6}, 1, 1, 1, 1, 1, 1, 1, 1},
                            .gap = kind % 2};
        allocations = 0;
        check(&p);
        assert_true(allocations > 0);
        refuse = 1;
        check(&p);
        refuse = 0;
    }
    allocations = 0;
    struct problem small = {.family = CONV2D,
                            .in = {8, 8, 16},
                            .kernel = {3, 3},
                            .depth = 16,
                            .channels = 32,
                            .out = {8, 8},
                            .cfg = {{MLI_RELU_NONE}, 1, 1, 1, 1, 1, 1, 1, 1}};
    check(&small);
    assert_int_equal(allocations, 0);
}

static const struct specialized specialized[] = {
    {mli_krn_conv2d_hwcn_fx16_k1x1, FX16, 1},
    {mli_krn_conv2d_hwcn_fx16_k3x3, FX16, 3},
    {mli_krn_conv2d_hwcn_fx16_k5x5, FX16, 5},
    {mli_krn_conv2d_hwcn_fx16_fx8_fx8_k1x1, FX16_FX8, 1},
    {mli_krn_conv2d_hwcn_fx16_fx8_fx8_k3x3, FX16_FX8, 3},
    {mli_krn_conv2d_hwcn_fx16_fx8_fx8_k5x5, FX16_FX8, 5},
    {mli_krn_conv2d_hwcn_sa8_sa8_sa32_k1x1, SA8, 1},
    {mli_krn_conv2d_hwcn_sa8_sa8_sa32_k3x3, SA8, 3},
    {mli_krn_conv2d_hwcn_sa8_sa8_sa32_k5x5, SA8, 5},
};

static struct problem plain(enum conv_kind kind, uint32_t kernel)
{
    const uint8_t pad = (uint8_t)(kernel / 2);
    return (struct problem){.family = CONV2D,
                            .kind = kind,
                            .in = {5, 6, 7},
                            .kernel = {kernel, kernel},
                            .depth = 7,
                            .channels = 6,
                            .out = {5, 6},
                            .cfg = {{MLI_RELU_GEN}, 1, 1, pad, pad, pad, pad, 1, 1}};
}

static void test_specializations(void **state)
{
    (void)state;
    check_specializations(plain, specialized, COUNT(specialized));
}

static void test_status_order(void **state)
{
    (void)state;
    check_status_order(plain, 3, specialized, COUNT(specialized));
}

/* Step D4 at both sides of each bound, and the shapes of D1. */
static void test_bounds(void **state)
{
    (void)state;
    needs_checks();
    struct problem p = plain(SA8, 3);
    conv_fn *const run = generic[CONV2D][SA8];
    build(&p);
    use_profile(0);
    mli_conv2d_cfg cfg = p.cfg;
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_OK);
    cfg.padding_left = 2;
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_OK); /* out is smaller than it may be */
    cfg.padding_left = 3;
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_BAD_FUNC_CFG);
    cfg = p.cfg, cfg.padding_bottom = 0;
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_BAD_FUNC_CFG); /* out is too high */
    cfg = p.cfg, cfg.stride_height = 2;
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_BAD_FUNC_CFG);
    cfg = p.cfg, cfg.dilation_height = 0;
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_BAD_FUNC_CFG);
    cfg = p.cfg, cfg.dilation_width = 2, cfg.padding_left = cfg.padding_right = 2;
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_OK);
    cfg.padding_right = 5;
    assert_int_equal(status_with(&p, run, &cfg), MLI_STATUS_BAD_FUNC_CFG);
    p.t_in.shape[2]--;
    assert_int_equal(status_with(&p, run, &p.cfg), MLI_STATUS_SHAPE_MISMATCH);
    p.t_in.shape[2]++;
    p.t_in.rank = 2;
    p.t_in.mem_stride[1] = 1;
    assert_int_equal(status_with(&p, run, &p.cfg), MLI_STATUS_SHAPE_MISMATCH);
    destroy(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand_fx),
        cmocka_unit_test(test_by_hand_sa8),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_channels),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_windows_in_padding),
        cmocka_unit_test(test_narrow_weights),
        cmocka_unit_test(test_far_steps),
        cmocka_unit_test(test_accumulator_wraps),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_specializations),
        cmocka_unit_test(test_status_order),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
