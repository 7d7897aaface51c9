/* mli_krn_permute_* (pooling_and_movement.md 3): every order of dimensions, tiles and their edges
 * at every level of inner loops, gaps, what becomes of the quantization parameters, statuses in
 * order. */
#include "levels.h"
#include "support.h"

#include <stdlib.h>

typedef mli_status permute_fn(const mli_tensor *, const mli_permute_cfg *, mli_tensor *);

static const struct variant {
    mli_element_type type;
    permute_fn *run;
} variants[] = {
    {MLI_EL_SA_8, mli_krn_permute_sa8},
    {MLI_EL_FX_8, mli_krn_permute_fx8},
    {MLI_EL_FX_16, mli_krn_permute_fx16},
};

static uint8_t *in_bytes, *out_bytes, *want_bytes;
enum { BYTES = 4 << 20 };

static int set_up(void **state)
{
    (void)state;
    in_bytes = malloc(BYTES);
    out_bytes = malloc(BYTES);
    want_bytes = malloc(BYTES);
    if (!in_bytes || !out_bytes || !want_bytes)
        return -1;
    random_bytes(in_bytes, BYTES);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(in_bytes);
    free(out_bytes);
    free(want_bytes);
    return 0;
}

/* want_bytes: everything 0x5A but the elements of out. */
static void model(const mli_tensor *in, const uint8_t *perm, const mli_tensor *out, size_t bytes)
{
    const size_t size = bytes_of(in->el_type);
    uint32_t i[MLI_MAX_RANK] = {0};
    memset(want_bytes, 0x5A, bytes);
    for (;;) {
        size_t from = 0, to = 0;
        for (uint32_t k = 0; k < in->rank; k++) {
            from += (size_t)i[k] * (size_t)in->mem_stride[perm[k]];
            to += (size_t)i[k] * (size_t)out->mem_stride[k];
        }
        memcpy(want_bytes + to * size, in_bytes + from * size, size);
        uint32_t k = in->rank;
        while (k-- > 0) {
            if (++i[k] < out->shape[k])
                break;
            i[k] = 0;
        }
        if (k > in->rank)
            return;
    }
}

/* Strides of a shape with gaps after the elements of some dimensions. */
static void strides(uint32_t rank, const uint32_t *shape, int gaps, int32_t *stride)
{
    int32_t next = gaps ? random_in(1, 3) : 1;
    for (uint32_t d = rank; d-- > 0;) {
        stride[d] = next;
        next = next * (int32_t)shape[d] + (gaps ? random_in(0, 2) : 0);
    }
}

static void check(const struct variant *variant, uint32_t rank, const uint32_t *shape,
                  const uint8_t *perm, int in_gaps, int out_gaps)
{
    int32_t in_stride[MLI_MAX_RANK], out_stride[MLI_MAX_RANK];
    uint32_t out_shape[MLI_MAX_RANK];
    mli_permute_cfg cfg = {{9, 9, 9, 9}}; /* entries from the rank on are not looked at */
    for (uint32_t k = 0; k < rank && k < MLI_MAX_RANK; k++) {
        out_shape[k] = shape[perm[k]];
        cfg.perm_dim[k] = perm[k];
    }
    strides(rank, shape, in_gaps, in_stride);
    strides(rank, out_shape, out_gaps, out_stride);
    const mli_tensor in = tensor(variant->type, in_bytes, rank, shape, in_stride);
    mli_tensor out = tensor(variant->type, out_bytes, rank, out_shape, out_stride);
    const size_t bytes = out.data.capacity + 8;
    assert_true(in.data.capacity <= BYTES && bytes <= BYTES);
    model(&in, perm, &out, bytes);
    for (size_t level = 0; level < COUNT(levels); level++) {
        if (mli_ext_set_cpu(levels[level]) != MLI_STATUS_OK)
            continue;
        memset(out_bytes, 0x5A, bytes);
        assert_int_equal(variant->run(&in, &cfg, &out), MLI_STATUS_OK);
        if (memcmp(out_bytes, want_bytes, bytes) != 0)
            fail_msg("%s, type %#x, rank %u shape %u %u %u %u perm %d %d %d %d", levels[level],
                     (unsigned)variant->type, rank, shape[0], rank > 1 ? shape[1] : 0,
                     rank > 2 ? shape[2] : 0, rank > 3 ? shape[3] : 0, perm[0], perm[1], perm[2],
                     perm[3]);
    }
}

/* Order number n of 256, of which 24 are orders of four dimensions: its digits to the base 4. */
static int order_of(uint32_t n, uint32_t rank, uint8_t perm[MLI_MAX_RANK])
{
    uint32_t seen = 0;
    for (uint32_t k = 0; k < MLI_MAX_RANK; k++) {
        perm[k] = (uint8_t)(n >> (2 * k) & 3);
        if (k < rank)
            seen |= UINT32_C(1) << perm[k];
        else if (perm[k] != 0)
            return 0;
    }
    return seen == (UINT32_C(1) << rank) - 1;
}

static void test_orders(void **state)
{
    (void)state;
    static const uint32_t shapes[][MLI_MAX_RANK] = {{2, 3, 4, 5},   {1, 6, 1, 9},  {17, 2, 33, 3},
                                                    {3, 16, 4, 64}, {5, 1, 18, 2}, {9, 8, 7, 16},
                                                    {4, 3, 70, 2},  {2, 2, 2, 2}};
    for (size_t s = 0; s < COUNT(shapes); s++) {
        for (uint32_t rank = 1; rank <= MLI_MAX_RANK; rank++) {
            uint8_t perm[MLI_MAX_RANK];
            int orders = 0;
            for (uint32_t n = 0; n < 256; n++) {
                if (!order_of(n, rank, perm))
                    continue;
                for (int gaps = 0; gaps < 4; gaps++)
                    check(&variants[(s + (size_t)orders) % 3], rank, shapes[s], perm, gaps & 1,
                          gaps & 2);
                orders++;
            }
            assert_int_equal(orders, rank == 1 ? 1 : rank == 2 ? 2 : rank == 3 ? 6 : 24);
        }
    }
}

/* Every size around those of tiles and blocks; lines of the result at large powers of two; runs of
 * 1 to 70 bytes. */
static void test_transposes(void **state)
{
    (void)state;
    static const uint8_t swap[] = {1, 0, 2, 0};
    for (uint32_t rows = 1; rows < 40; rows++) {
        for (uint32_t cols = 1; cols < 40; cols += 1 + rows % 3)
            for (size_t v = 1; v < COUNT(variants); v++)
                check(&variants[v], 2, (const uint32_t[]){rows, cols}, swap, 0, 0);
    }
    static const uint32_t large[][2] = {{1024, 100}, {2048, 65}, {1024, 64},
                                        {512, 130},  {131, 129}, {1030, 67}};
    for (size_t i = 0; i < COUNT(large); i++)
        for (size_t v = 1; v < COUNT(variants); v++)
            check(&variants[v], 2, large[i], swap, 0, 0);
    for (uint32_t run = 1; run < 71; run++) {
        check(&variants[0], 3, (const uint32_t[]){5, 67, run}, swap, 0, 0);
        check(&variants[2], 3, (const uint32_t[]){70, 3, run}, swap, 0, 0);
    }
}

/* Parameters of out that are not those of the data stay; 8 and 16 bits without parameters per axis.
 */
static void test_fields(void **state)
{
    (void)state;
    int8_t data[6] = {1, 2, 3, 4, 5, 6}, result[6];
    const mli_permute_cfg cfg = {{1, 0, 0, 0}};
    const mli_tensor in = with_scale(tensor(MLI_EL_SA_8, data, SHAPE2(2, 3), NULL), 111, 5, -6);
    mli_tensor out = with_scale(tensor(MLI_EL_SA_8, result, SHAPE2(3, 2), NULL), 7, 7, 7);
    out.el_params.sa.dim = 1;
    out.el_params.sa.scale.capacity = 10; /* an earlier use: stays */
    mli_tensor want = with_scale(out, 111, 5, -6);
    want.el_params.sa.dim = -1;
    assert_int_equal(mli_krn_permute_sa8(&in, &cfg, &out), MLI_STATUS_OK);
    assert_memory_equal(&out, &want, sizeof out);
    assert_memory_equal(result, ((const int8_t[]){1, 4, 2, 5, 3, 6}), 6);

    int16_t wide[2] = {-5, 6}, wide_result[2];
    const mli_tensor fx = with_frac(tensor(MLI_EL_FX_16, wide, SHAPE1(2), NULL), -9);
    mli_tensor fx_out = tensor(MLI_EL_FX_16, wide_result, SHAPE1(2), NULL);
    want = with_frac(fx_out, -9);
    assert_int_equal(mli_krn_permute_fx16(&fx, &(mli_permute_cfg){{0, 0, 0, 0}}, &fx_out),
                     MLI_STATUS_OK);
    assert_memory_equal(&fx_out, &want, sizeof want);
}

static void test_axis(void **state)
{
    (void)state;
    needs_checks();
    int8_t data[6] = {1, 2, 3, 4, 5, 6}, result[6];
    int16_t scale[3] = {11, 12, 13}, zero[3] = {1, 2, 3}, own_scale[4] = {7, 7, 7, 7},
            own_zero[4] = {8, 8, 8, 8};
    int8_t bits[3] = {4, 5, 6}, own_bits[4] = {9, 9, 9, 9};
    const mli_permute_cfg cfg = {{1, 0, 0, 0}};
    const mli_tensor in =
        with_axis(tensor(MLI_EL_SA_8, data, SHAPE2(2, 3), NULL), 1, 3, scale, bits, zero);
    const mli_tensor bare = tensor(MLI_EL_SA_8, result, SHAPE2(3, 2), NULL);

    mli_tensor out = bare; /* no arrays: in's */
    assert_int_equal(mli_krn_permute_sa8(&in, &cfg, &out), MLI_STATUS_OK);
    mli_tensor want = with_axis(bare, 0, 3, scale, bits, zero);
    assert_memory_equal(&out, &want, sizeof out);

    out = with_axis(bare, 1, 1, scale, bits,
                    zero); /* in's already: their capacities stay as they were */
    want = out, want.el_params.sa.dim = 0;
    assert_int_equal(mli_krn_permute_sa8(&in, &cfg, &out), MLI_STATUS_OK);
    assert_memory_equal(&out, &want, sizeof out);

    out = with_axis(bare, -1, 4, own_scale, own_bits,
                    own_zero); /* its own: three of the four entries */
    want = out, want.el_params.sa.dim = 0;
    assert_int_equal(mli_krn_permute_sa8(&in, &cfg, &out), MLI_STATUS_OK);
    assert_memory_equal(&out, &want, sizeof out);
    assert_memory_equal(own_scale, ((const int16_t[]){11, 12, 13, 7}), 8);
    assert_memory_equal(own_zero, ((const int16_t[]){1, 2, 3, 8}), 8);
    assert_memory_equal(own_bits, ((const int8_t[]){4, 5, 6, 9}), 4);

    out = with_axis(bare, 1, 3, own_scale, own_bits, own_zero); /* no room to spare */
    assert_int_equal(mli_krn_permute_sa8(&in, &cfg, &out), MLI_STATUS_OK);

    static const int changes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (size_t i = 0; i < COUNT(changes); i++) {
        out = with_axis(bare, 1, 4, own_scale, own_bits, own_zero);
        mli_tensor from = in;
        mli_status status = MLI_STATUS_SPEC_PARAM_MISMATCH;
        switch (changes[i]) {
        case 0:
            out.el_params.sa.scale.capacity = 5;
            break;
        case 1:
            out.el_params.sa.zero_point.capacity = 5;
            break;
        case 2:
            out.el_params.sa.scale_frac_bits.capacity = 2;
            break;
        case 3:
            out.el_params.sa.scale.mem.pi16 = NULL;
            break;
        case 4:
            out.el_params.sa.scale_frac_bits.mem.pi8 = bits;
            break;
        case 5:
            out.el_params.sa.zero_point.mem.pi16 = NULL;
            break;
        case 6:
            out.el_params.sa.zero_point.mem.pi16 = zero;
            break;
        case 7: /* undefined in the original: nothing to copy from */
            from.el_params.sa.scale.mem.pi16 = NULL;
            break;
        case 8:
            out.el_params.sa.scale.mem.pi16 = scale;
            break;
        default: /* undefined in the original */
            from.el_params.sa.dim = 2;
            status = MLI_STATUS_BAD_TENSOR;
            break;
        }
        const mli_tensor before = out;
        memset(result, 0x5A, sizeof result);
        assert_int_equal(mli_krn_permute_sa8(&from, &cfg, &out), status);
        assert_memory_equal(&out, &before, sizeof out);
        for (size_t k = 0; k < sizeof result; k++)
            assert_int_equal(result[k], 0x5A);
    }
}

struct call {
    mli_tensor in, out;
    mli_permute_cfg cfg;
    const mli_tensor *p_in;
    const mli_permute_cfg *p_cfg;
    mli_tensor *p_out;
};

static int8_t status_in[64], status_out[64];

static void in_stride(struct call *c)
{
    c->in.mem_stride[2] = 0;
}
static void out_room(struct call *c)
{
    c->out.data.capacity = 5;
}
static void out_type(struct call *c)
{
    c->out.el_type = MLI_EL_FX_8;
}
static void cfg_null(struct call *c)
{
    c->p_cfg = NULL;
}
static void first_order(struct call *c)
{
    c->cfg.perm_dim[0] = 3;
}
static void first_twice(struct call *c)
{
    if (c->cfg.perm_dim[0] < 3)
        c->cfg.perm_dim[0] = 1;
}
static void first_shape(struct call *c)
{
    c->out.shape[0] = 3;
}
static void second_order(struct call *c)
{
    c->cfg.perm_dim[1] = 7;
}
static void second_shape(struct call *c)
{
    c->out.shape[1] = 1;
}
static void overlap(struct call *c)
{
    c->out.data.mem.pi8 = status_in + 23;
}
static void both_types(struct call *c)
{
    if (c->out.el_type == MLI_EL_SA_8)
        c->out.el_type = MLI_EL_FX_8;
    c->in.el_type = MLI_EL_FX_8;
}
static void axis(struct call *c)
{
    c->in.el_params.sa.dim = 0;
    c->out.el_params.sa.scale.mem.pi16 = (int16_t *)(void *)status_in;
}

static const struct {
    void (*apply)(struct call *);
    mli_status status;
} faults[] = {
    {in_stride, MLI_STATUS_BAD_TENSOR},        {out_room, MLI_STATUS_NOT_ENGH_MEM},
    {out_type, MLI_STATUS_TYPE_MISMATCH},      {cfg_null, MLI_STATUS_BAD_FUNC_CFG},
    {first_order, MLI_STATUS_BAD_FUNC_CFG},    {first_twice, MLI_STATUS_BAD_FUNC_CFG},
    {first_shape, MLI_STATUS_SHAPE_MISMATCH},  {second_order, MLI_STATUS_BAD_FUNC_CFG},
    {second_shape, MLI_STATUS_SHAPE_MISMATCH}, {overlap, MLI_STATUS_INCOMPATEBLE_TENSORS},
    {both_types, MLI_STATUS_TYPE_MISMATCH},    {axis, MLI_STATUS_SPEC_PARAM_MISMATCH},
};

static void test_status(void **state)
{
    (void)state;
    needs_checks();
    for (size_t i = 0; i < COUNT(faults); i++) {
        for (size_t j = i; j < COUNT(faults); j++) {
            struct call c;
            memset(&c, 0, sizeof c);
            c.in = tensor(MLI_EL_SA_8, status_in, SHAPE3(2, 3, 4), NULL);
            c.out = tensor(MLI_EL_SA_8, status_out, SHAPE3(4, 2, 3), NULL);
            c.cfg = (mli_permute_cfg){{2, 0, 1, 0}};
            c.p_in = &c.in, c.p_cfg = &c.cfg, c.p_out = &c.out;
            assert_int_equal(mli_krn_permute_sa8(c.p_in, c.p_cfg, c.p_out), MLI_STATUS_OK);
            c.out.el_params.sa.zero_point.mem.pi16 = NULL;
            memset(status_out, 0x5A, sizeof status_out);
            faults[i].apply(&c);
            if (j > i)
                faults[j].apply(&c);
            const mli_tensor before = c.out;
            const mli_status got = mli_krn_permute_sa8(c.p_in, c.p_cfg, c.p_out);
            if (got != faults[i].status)
                fail_msg("faults %zu and %zu: status %d, should be %d", i, j, got,
                         faults[i].status);
            assert_memory_equal(&c.out, &before, sizeof before);
            for (size_t k = 0; k < sizeof status_out; k++)
                assert_int_equal(status_out[k], 0x5A);
        }
    }
}

/* out's rank is not compared; what it hides must still not lead outside. Rank 0 is no tensor to
 * permute. */
static void test_ranks(void **state)
{
    (void)state;
    needs_checks();
    const mli_permute_cfg cfg = {{1, 0, 0, 0}};
    const mli_tensor in = tensor(MLI_EL_FX_8, status_in, SHAPE2(2, 3), NULL);
    mli_tensor out = tensor(MLI_EL_FX_8, status_out, SHAPE3(3, 2, 5), NULL);
    memset(status_out, 0x5A, sizeof status_out);
    for (int i = 0; i < 6; i++)
        status_in[i] = (int8_t)i;
    assert_int_equal(mli_krn_permute_fx8(&in, &cfg, &out), MLI_STATUS_OK);
    for (int i = 0; i < 64; i++)
        assert_int_equal(status_out[i], i % 5 == 0 && i < 30 ? i / 5 % 2 * 3 + i / 10 : 0x5A);
    out = tensor(MLI_EL_FX_8, status_out, SHAPE2(3, 2), NULL);
    out.rank = 1;
    assert_int_equal(mli_krn_permute_fx8(&in, &cfg, &out), MLI_STATUS_OK);
    assert_int_equal(status_out[5], 5);
    out.data.capacity = 5;
    assert_int_equal(mli_krn_permute_fx8(&in, &cfg, &out), MLI_STATUS_NOT_ENGH_MEM);
    out.mem_stride[1] = 100;
    out.data.capacity = 6;
    assert_int_equal(mli_krn_permute_fx8(&in, &cfg, &out), MLI_STATUS_BAD_TENSOR);
    mli_tensor scalar = in, other = out;
    scalar.rank = other.rank = 0;
    assert_int_equal(mli_krn_permute_fx8(&scalar, &cfg, &other), MLI_STATUS_NOT_SUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders), cmocka_unit_test(test_transposes),
        cmocka_unit_test(test_fields), cmocka_unit_test(test_axis),
        cmocka_unit_test(test_status), cmocka_unit_test(test_ranks),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
