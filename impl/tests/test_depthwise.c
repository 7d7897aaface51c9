/* mli_krn_depthwise_conv2d_hwcn_*: sums by hand, random problems against the text of conv.md at
 * every level in every profile, kernels of many taps, statuses in order. */
#include "conv_faults.h"

/* Two channels that do not mix: in 1x2x2, kernel 1x2. */
static void test_by_hand(void **state)
{
    (void)state;
    int16_t in_data[] = {1, 100, 2, 200}, out_data[4];
    int8_t w_data[] = {3, 5, 7, 11}, b_data[] = {1, 2};
    const mli_tensor in = tensor(MLI_EL_FX_16, in_data, SHAPE3(1, 2, 2), NULL);
    const mli_tensor weights = tensor(MLI_EL_FX_8, w_data, 4, (const uint32_t[]){1, 2, 1, 2}, NULL);
    const mli_tensor bias = tensor(MLI_EL_FX_8, b_data, SHAPE1(2), NULL);
    mli_tensor out = tensor(MLI_EL_FX_16, out_data, SHAPE3(1, 2, 2), NULL);
    const mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, 1, 1, 0, 1, 0, 0, 1, 1};
    assert_int_equal(mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8(&in, &weights, &bias, &cfg, &out),
                     MLI_STATUS_OK);
    const int16_t expected[] = {1 * 3 + 2 * 7 + 1, 100 * 5 + 200 * 11 + 2, 2 * 3 + 1, 200 * 5 + 2};
    assert_memory_equal(out_data, expected, sizeof expected);
}

static void test_random(void **state)
{
    (void)state;
    for (int n = 0; n < 2000; n++) {
        struct problem p = {.family = DEPTHWISE, .depth = 1};
        random_rest(&p);
        random_geometry(&p);
        p.in[2] = p.channels = random_in(0, 1) ? random_count() : (uint32_t)random_in(1, 70);
        check(&p);
    }
}

/* Every telling number of channels and numbers of taps around those that are summed in one pass. */
static void test_channels_and_taps(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(telling_counts); c++) {
        for (uint32_t width = 1; width <= 11; width++) {
            struct problem p = {.family = DEPTHWISE,
                                .kind = (enum conv_kind)((c + width) % KINDS),
                                .in = {3, 12, telling_counts[c]},
                                .kernel = {1, width},
                                .depth = 1,
                                .channels = telling_counts[c],
                                .out = {3, 2},
                                .cfg = {{MLI_RELU_NONE}, 1, 1, 0, 0, 0, 0, 1, 1},
                                .per_axis = 1,
                                .extreme = width % 2};
            check(&p);
        }
    }
}

/* Three columns of three or four rows, which neighbours share; parts of rows, groups of channels
 * that overlap. */
static void test_shared_columns(void **state)
{
    (void)state;
    static const uint32_t channels[] = {8, 16, 31, 32, 63, 64, 65, 100, 128},
                          widths[] = {3, 4, 5, 7, 8, 57, 114};
    for (size_t c = 0; c < COUNT(channels); c++) {
        for (size_t w = 0; w < COUNT(widths); w++) {
            for (int kind = 0; kind < KINDS; kind++) {
                const uint32_t rows = 3 + (uint32_t)random_in(0, 1),
                               pad = (uint32_t)random_in(0, 1);
                struct problem p = {
                    .family = DEPTHWISE,
                    .kind = (enum conv_kind)kind,
                    .in = {rows + 1, widths[w] + 2 - 2 * pad, channels[c]},
                    .kernel = {rows, 3},
                    .depth = 1,
                    .channels = channels[c],
                    .out = {2, widths[w]},
                    .cfg = {{MLI_RELU_NONE}, 1, 1, (uint8_t)pad, (uint8_t)pad, 0, 0, 1, 1},
                    .per_axis = random_in(0, 1),
                    .extreme = random_in(0, 1),
                    .gap = random_in(0, 1)};
                check(&p);
            }
        }
    }
}

/* More channels than a block has, more taps than a list has, more weights than are widened at once.
 */
static void test_large(void **state)
{
    (void)state;
    static const struct {
        uint32_t channels, kernel, in;
    } sizes[] = {{600, 3, 4}, {300, 8, 9}, {40, 13, 14}, {17, 23, 24}, {1, 100, 98}};
    for (size_t s = 0; s < COUNT(sizes); s++) {
        for (int kind = 0; kind < KINDS; kind++) {
            struct problem p = {.family = DEPTHWISE,
                                .kind = (enum conv_kind)kind,
                                .in = {sizes[s].in, sizes[s].in, sizes[s].channels},
                                .kernel = {sizes[s].kernel, sizes[s].kernel},
                                .depth = 1,
                                .channels = sizes[s].channels,
                                .out = {2, 2},
                                .cfg = {{MLI_RELU_NONE}, 1, 1, 2, 1, 1, 2, 1, 1},
                                .extreme = kind != SA8,
                                .gap = (int)(s % 3)};
            check(&p);
        }
    }
}

static void test_windows_in_padding(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (uint32_t channels = 1; channels < 40; channels += 19) {
            struct problem p = {.family = DEPTHWISE,
                                .kind = (enum conv_kind)kind,
                                .in = {1, 1, channels},
                                .kernel = {2, 2},
                                .depth = 1,
                                .channels = channels,
                                .out = {4, 4},
                                .cfg = {{MLI_RELU_NONE}, 1, 1, 3, 3, 3, 3, 3, 3},
                                .gap = 2};
            check(&p);
        }
    }
}

static const struct specialized specialized[] = {
    {mli_krn_depthwise_conv2d_hwcn_fx16_k3x3, FX16, 3},
    {mli_krn_depthwise_conv2d_hwcn_fx16_k5x5, FX16, 5},
    {mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8_k3x3, FX16_FX8, 3},
    {mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8_k5x5, FX16_FX8, 5},
    {mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_k3x3, SA8, 3},
    {mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_k5x5, SA8, 5},
};

static struct problem plain(enum conv_kind kind, uint32_t kernel)
{
    const uint8_t pad = (uint8_t)(kernel / 2);
    return (struct problem){.family = DEPTHWISE,
                            .kind = kind,
                            .in = {5, 6, 7},
                            .kernel = {kernel, kernel},
                            .depth = 1,
                            .channels = 7,
                            .out = {5, 6},
                            .cfg = {{MLI_RELU_1}, 1, 1, pad, pad, pad, pad, 1, 1}};
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

/* One filter for each channel, no multiplier (D1). */
static void test_shapes(void **state)
{
    (void)state;
    needs_checks();
    struct problem p = plain(FX16, 3);
    conv_fn *const run = generic[DEPTHWISE][FX16];
    build(&p);
    p.t_in.shape[2]--;
    assert_int_equal(status_with(&p, run, &p.cfg), MLI_STATUS_SHAPE_MISMATCH);
    p.t_in.shape[2]++;
    p.t_weights.shape[0] = 1, p.t_weights.shape[2] = 2; /* within the same memory */
    p.t_weights.mem_stride[1] *= 2, p.t_weights.mem_stride[0] *= 2;
    p.t_weights.shape[1] = 1;
    assert_int_equal(status_with(&p, run, &p.cfg), MLI_STATUS_SHAPE_MISMATCH);
    destroy(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_channels_and_taps),
        cmocka_unit_test(test_shared_columns),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_windows_in_padding),
        cmocka_unit_test(test_specializations),
        cmocka_unit_test(test_status_order),
        cmocka_unit_test(test_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
