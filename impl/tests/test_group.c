/* mli_krn_group_conv2d_hwcn_*: sums by hand, random problems against the text of conv.md at every
 * level in every profile, one group and groups of one channel, statuses in order. */
#include "conv_faults.h"

/* Two groups of one channel with two filters each: 1x1 kernel. */
static void test_by_hand(void **state)
{
    (void)state;
    int16_t in_data[] = {10, 100}, out_data[4];
    int8_t w_data[] = {1, 2, 3, 4}, b_data[] = {0, 0, 0, 1};
    const mli_tensor in = tensor(MLI_EL_FX_16, in_data, SHAPE3(1, 1, 2), NULL);
    const mli_tensor weights = tensor(MLI_EL_FX_8, w_data, 4, (const uint32_t[]){1, 1, 1, 4}, NULL);
    const mli_tensor bias = tensor(MLI_EL_FX_8, b_data, SHAPE1(4), NULL);
    mli_tensor out = tensor(MLI_EL_FX_16, out_data, SHAPE3(1, 1, 4), NULL);
    const mli_conv2d_cfg cfg = {{MLI_RELU_NONE}, 1, 1, 0, 0, 0, 0, 1, 1};
    assert_int_equal(mli_krn_group_conv2d_hwcn_fx16_fx8_fx8(&in, &weights, &bias, &cfg, &out),
                     MLI_STATUS_OK);
    const int16_t expected[] = {10, 20, 300, 401};
    assert_memory_equal(out_data, expected, sizeof expected);
}

static void test_random(void **state)
{
    (void)state;
    for (int n = 0; n < 2000; n++) {
        struct problem p = {.family = GROUP};
        random_rest(&p);
        random_geometry(&p);
        const uint32_t groups = (uint32_t)(random_in(0, 3) ? random_in(1, 6) : random_in(1, 40));
        p.depth = (uint32_t)random_in(1, groups > 6 ? 3 : 20);
        p.in[2] = groups * p.depth;
        p.channels = groups * (uint32_t)random_in(1, groups > 6 ? 3 : 20);
        check(&p);
    }
}

/* Depth and filters of a group around vector lengths. */
static void test_channels(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(telling_counts); i++) {
        for (uint32_t groups = 1; groups <= 3; groups++) {
            const uint32_t filters = telling_counts[(i * 5 + groups) % COUNT(telling_counts)];
            struct problem p = {.family = GROUP,
                                .kind = (enum conv_kind)((i + groups) % KINDS),
                                .in = {4, 5, groups * telling_counts[i]},
                                .kernel = {2, 3},
                                .depth = telling_counts[i],
                                .channels = groups * filters,
                                .out = {4, 5},
                                .cfg = {{MLI_RELU_NONE}, 1, 1, 1, 1, 0, 1, 1, 1},
                                .per_axis = 1};
            check(&p);
        }
    }
}

/* Groups of one channel with one filter are a depthwise convolution, with the same bits. */
static void test_groups_of_one(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct problem p = {.family = GROUP,
                            .kind = (enum conv_kind)kind,
                            .in = {6, 7, 33},
                            .kernel = {3, 3},
                            .depth = 1,
                            .channels = 33,
                            .out = {3, 7},
                            .cfg = {{MLI_RELU_NONE}, 1, 2, 1, 1, 1, 1, 1, 1},
                            .per_axis = 1,
                            .gap = 3};
        build(&p);
        check_with(&p, generic[GROUP][kind]);
        p.family = DEPTHWISE;
        check_with(&p, generic[DEPTHWISE][kind]);
        destroy(&p);
    }
}

static const struct specialized specialized[] = {
    {mli_krn_group_conv2d_hwcn_fx16_k3x3, FX16, 3},
    {mli_krn_group_conv2d_hwcn_fx16_k5x5, FX16, 5},
    {mli_krn_group_conv2d_hwcn_fx16_fx8_fx8_k3x3, FX16_FX8, 3},
    {mli_krn_group_conv2d_hwcn_fx16_fx8_fx8_k5x5, FX16_FX8, 5},
    {mli_krn_group_conv2d_hwcn_sa8_sa8_sa32_k3x3, SA8, 3},
    {mli_krn_group_conv2d_hwcn_sa8_sa8_sa32_k5x5, SA8, 5},
};

static struct problem plain(enum conv_kind kind, uint32_t kernel)
{
    const uint8_t pad = (uint8_t)(kernel / 2);
    return (struct problem){.family = GROUP,
                            .kind = kind,
                            .in = {5, 6, 6},
                            .kernel = {kernel, kernel},
                            .depth = 2,
                            .channels = 9,
                            .out = {5, 6},
                            .cfg = {{MLI_RELU_6}, 1, 1, pad, pad, pad, pad, 1, 1}};
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

/* Groups must divide both sides (D1). A depth above the number of inputs makes no group at all. */
static void test_shapes(void **state)
{
    (void)state;
    needs_checks();
    struct problem p = plain(FX16, 3);
    conv_fn *const run = generic[GROUP][FX16];
    build(&p);
    p.t_in.shape[2] = 5; /* 5 / 2 */
    assert_int_equal(status_with(&p, run, &p.cfg), MLI_STATUS_SHAPE_MISMATCH);
    p.t_in.shape[2] = 4; /* 2 groups for 9 outputs */
    assert_int_equal(status_with(&p, run, &p.cfg), MLI_STATUS_SHAPE_MISMATCH);
    p.t_in.shape[2] = 1;
    assert_int_equal(status_with(&p, run, &p.cfg), MLI_STATUS_SHAPE_MISMATCH);
    p.t_in.shape[2] = 2; /* one group */
    assert_int_equal(status_with(&p, run, &p.cfg), MLI_STATUS_OK);
    destroy(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),         cmocka_unit_test(test_random),
        cmocka_unit_test(test_channels),        cmocka_unit_test(test_groups_of_one),
        cmocka_unit_test(test_specializations), cmocka_unit_test(test_status_order),
        cmocka_unit_test(test_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
