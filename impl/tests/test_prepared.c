/* Weights that are packed before the call (mli_lastbit.h): the same bits as the text of conv.md at
 * every level in every profile, what was packed for something else, statuses. */
#include "conv_support.h"

enum { BEHIND = 16, MARK = 0x5A };

/* Memory that is packed into, at an odd address, or NULL; nothing behind its size is written. */
struct packed {
    char *memory;
    uint32_t size;
};

static struct packed pack(const mli_tensor *in, const mli_tensor *weights,
                          const mli_conv2d_cfg *cfg)
{
    struct packed p = {NULL, 0};
    const mli_status status = mli_ext_prepare_conv2d(in, weights, cfg, NULL, &p.size);
    if (status == MLI_STATUS_NOT_SUPPORTED) {
        assert_int_equal(p.size, 0);
        return p;
    }
    assert_int_equal(status, MLI_STATUS_OK);
    p.memory = malloc(p.size + 1 + BEHIND);
    assert_non_null(p.memory);
    memset(p.memory, MARK, p.size + 1 + BEHIND);
    uint32_t less = p.size - 1;
    assert_int_equal(mli_ext_prepare_conv2d(in, weights, cfg, p.memory + 1, &less),
                     MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(less, p.size);
    for (uint32_t i = 0; i < p.size; i++)
        assert_int_equal(p.memory[1 + i], MARK);
    assert_int_equal(mli_ext_prepare_conv2d(in, weights, cfg, p.memory + 1, &p.size),
                     MLI_STATUS_OK);
    for (int i = 0; i < BEHIND; i++)
        assert_int_equal(p.memory[1 + p.size + (uint32_t)i], MARK);
    return p;
}

static const void *begin(const struct packed *p)
{
    return p->memory ? p->memory + 1 : NULL;
}

/* As a kernel: packs, calls. */
static mli_status packed_call(const mli_tensor *in, const mli_tensor *weights,
                              const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    const struct packed p = pack(in, weights, cfg);
    const mli_status status = mli_ext_conv2d_prepared(in, weights, bias, cfg, out, begin(&p));
    free(p.memory);
    return status;
}

static void check_packed(struct problem *p)
{
    build(p);
    check_with(p, packed_call);
    destroy(p);
}

static void test_random(void **state)
{
    (void)state;
    for (int n = 0; n < 500; n++) {
        struct problem p = {.family = CONV2D};
        random_rest(&p);
        random_geometry(&p);
        p.in[2] = p.depth = random_in(0, 1) ? random_count() : (uint32_t)random_in(1, 20);
        p.channels = random_in(0, 1) ? random_count() : (uint32_t)random_in(1, 20);
        check_packed(&p);
    }
}

static struct problem problem_of(enum conv_kind kind, uint32_t depth, uint32_t channels)
{
    return (struct problem){.family = CONV2D,
                            .kind = kind,
                            .in = {4, 5, depth},
                            .kernel = {2, 2},
                            .depth = depth,
                            .channels = channels,
                            .out = {4, 4},
                            .cfg = {{MLI_RELU_NONE}, 1, 1, 1, 0, 1, 0, 1, 1},
                            .per_axis = 1};
}

/* More channels than a block, depths in pieces and not, operands at the ends of their ranges. */
static void test_large(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{2, 600}, {100, 260}, {64, 64}, {33, 256}, {700, 5}};
    for (size_t s = 0; s < COUNT(sizes); s++) {
        for (int kind = 0; kind < KINDS; kind++) {
            struct problem p = problem_of((enum conv_kind)kind, sizes[s][0], sizes[s][1]);
            p.extreme = s % 2 == 1;
            check_packed(&p);
        }
    }
}

/* Narrow weights go another way at some levels; so does what was packed for them when they are
 * narrow no more, in memory that was meant for less. */
static void test_narrow_weights(void **state)
{
    (void)state;
    struct problem p = problem_of(SA8, 40, 70);
    build(&p);
    for (uint32_t i = 0; i < p.t_weights.data.capacity; i++)
        p.t_weights.data.mem.pi8[i] = (int8_t)random_in(-64, 64);
    check_with(&p, packed_call);
    for (size_t l = 0; l < COUNT(levels); l++) {
        if (mli_ext_set_cpu(levels[l]) != MLI_STATUS_OK)
            continue;
        struct packed packed = pack(&p.t_in, &p.t_weights, &p.cfg);
        p.t_weights.data.mem.pi8[5] = INT8_MIN;
        mli_ext_conv2d_prepared(&p.t_in, &p.t_weights, &p.t_bias, &p.cfg, &p.t_out, begin(&packed));
        p.t_weights.data.mem.pi8[5] = 0;
        free(packed.memory);
    }
    destroy(&p);
}

static void expect_same(const struct problem *p, const void *prepared)
{
    uint8_t *const plain = malloc(p->out_bytes);
    assert_non_null(plain);
    mli_tensor out = p->t_out;
    memset(out.data.mem.pi8, 0, p->out_bytes);
    assert_int_equal(generic[CONV2D][p->kind](&p->t_in, &p->t_weights, &p->t_bias, &p->cfg, &out),
                     MLI_STATUS_OK);
    memcpy(plain, out.data.mem.pi8, p->out_bytes);
    memset(out.data.mem.pi8, 1, p->out_bytes);
    assert_int_equal(
        mli_ext_conv2d_prepared(&p->t_in, &p->t_weights, &p->t_bias, &p->cfg, &out, prepared),
        MLI_STATUS_OK);
    assert_memory_equal(out.data.mem.pi8, plain, p->out_bytes);
    free(plain);
}

/* What is packed for another level or other weights is not used; neither is NULL. */
static void test_something_else(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct problem p = problem_of((enum conv_kind)kind, 40, 70),
                       other = problem_of((enum conv_kind)kind, 40, 70);
        build(&p);
        build(&other);
        for (size_t l = 0; l < COUNT(levels); l++) {
            if (mli_ext_set_cpu(levels[l]) != MLI_STATUS_OK)
                continue;
            struct packed mine = pack(&p.t_in, &p.t_weights, &p.cfg);
            struct packed others = pack(&p.t_in, &other.t_weights, &p.cfg);
            expect_same(&p, begin(&mine));
            expect_same(&p, begin(&others));
            expect_same(&p, NULL);
            for (size_t m = 0; m < COUNT(levels); m++)
                if (mli_ext_set_cpu(levels[m]) == MLI_STATUS_OK)
                    expect_same(&p, begin(&mine));
            free(mine.memory);
            free(others.memory);
        }
        destroy(&p);
        destroy(&other);
    }
}

/* Weights that changed: told in builds for debugging, the old ones in others. */
static void test_changed_weights(void **state)
{
    (void)state;
    struct problem p = problem_of(FX16_FX8, 40, 70);
    build(&p);
    for (size_t l = 0; l < COUNT(levels); l++) {
        if (mli_ext_set_cpu(levels[l]) != MLI_STATUS_OK)
            continue;
        struct packed packed = pack(&p.t_in, &p.t_weights, &p.cfg);
        if (!packed.memory)
            continue;
        p.t_weights.data.mem.pi8[3] = (int8_t)(p.t_weights.data.mem.pi8[3] ^ 1);
        const mli_status status = mli_ext_conv2d_prepared(&p.t_in, &p.t_weights, &p.t_bias, &p.cfg,
                                                          &p.t_out, begin(&packed));
#ifdef NDEBUG
        assert_int_equal(status, MLI_STATUS_OK);
#else
        assert_int_equal(status, MLI_STATUS_ARGUMENT_ERROR);
#endif
        free(packed.memory);
    }
    destroy(&p);
}

static void test_statuses(void **state)
{
    (void)state;
    struct problem p = problem_of(SA8, 8, 8);
    build(&p);
    uint32_t size = 0;
    mli_conv2d_cfg no_dilation = p.cfg;
    no_dilation.dilation_width = 0;
    mli_tensor flat = p.t_weights, apart = p.t_weights, other = p.t_weights;
    flat.rank = 1;
    apart.mem_stride[3] = 2;
    apart.shape[3] = 4;
    other.el_type = MLI_EL_FX_8;
    assert_int_equal(mli_ext_prepare_conv2d(NULL, &p.t_weights, &p.cfg, NULL, &size),
                     MLI_STATUS_BAD_TENSOR);
    assert_int_equal(mli_ext_prepare_conv2d(&p.t_in, NULL, &p.cfg, NULL, &size),
                     MLI_STATUS_BAD_TENSOR);
    assert_int_equal(mli_ext_prepare_conv2d(&p.t_in, &flat, &p.cfg, NULL, &size),
                     MLI_STATUS_SHAPE_MISMATCH);
    assert_int_equal(mli_ext_prepare_conv2d(&p.t_in, &apart, &p.cfg, NULL, &size),
                     MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(mli_ext_prepare_conv2d(&p.t_in, &p.t_weights, NULL, NULL, &size),
                     MLI_STATUS_BAD_FUNC_CFG);
    assert_int_equal(mli_ext_prepare_conv2d(&p.t_in, &p.t_weights, &no_dilation, NULL, &size),
                     MLI_STATUS_BAD_FUNC_CFG);
    assert_int_equal(mli_ext_prepare_conv2d(&p.t_in, &p.t_weights, &p.cfg, NULL, NULL),
                     MLI_STATUS_ARGUMENT_ERROR);
    assert_int_equal(mli_ext_prepare_conv2d(&p.t_in, &other, &p.cfg, NULL, &size),
                     MLI_STATUS_TYPE_MISMATCH);
    assert_int_equal(mli_ext_conv2d_prepared(NULL, &p.t_weights, &p.t_bias, &p.cfg, &p.t_out, NULL),
                     MLI_STATUS_BAD_TENSOR);
    assert_int_equal(mli_ext_conv2d_prepared(&p.t_in, &other, &p.t_bias, &p.cfg, &p.t_out, NULL),
                     MLI_STATUS_TYPE_MISMATCH);
    destroy(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),         cmocka_unit_test(test_large),
        cmocka_unit_test(test_something_else), cmocka_unit_test(test_changed_weights),
        cmocka_unit_test(test_statuses),       cmocka_unit_test(test_narrow_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
