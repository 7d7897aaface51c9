/* mli_krn_argmax_*: the examples of elementwise.md 9, random tensors with many equal elements and
 * every axis against the heap described there, at every level; the format of out, statuses in
 * order. */
#include "rnn_support.h"

enum { MAX = 20000 };

static int16_t data[MAX];
static mli_element_type type;

static int64_t value(int32_t place)
{
    return element(type, data, place);
}

static void sift(int32_t *d, int n, int r)
{
    for (;;) {
        int m = r;
        const int l = 2 * r + 1;
        if (l < n && value(d[l]) < value(d[m]))
            m = l;
        if (l + 1 < n && value(d[l + 1]) < value(d[m]))
            m = l + 1;
        if (m == r)
            return;
        const int32_t swapped = d[r];
        d[r] = d[m];
        d[m] = swapped;
        r = m;
    }
}

/* p: places of n elements of a slice in row-major order. */
static void model(const int32_t *p, int n, int k, int32_t *d)
{
    memcpy(d, p, (size_t)k * sizeof d[0]);
    for (int i = k / 2 - 1; i >= 0; i--)
        sift(d, k, i);
    for (int i = k; i < n; i++) {
        if (value(p[i]) >= value(d[0])) {
            d[0] = p[i];
            sift(d, k, 0);
        }
    }
    for (int i = k - 1; i > 0; i--) {
        const int32_t swapped = d[0];
        d[0] = d[i];
        d[i] = swapped;
        sift(d, i, 0);
    }
}

static mli_status run(const mli_tensor *in, const mli_argmax_cfg *cfg, mli_tensor *out)
{
    return type == MLI_EL_FX_16 ? mli_krn_argmax_fx16(in, cfg, out)
                                : mli_krn_argmax_sa8(in, cfg, out);
}

static void test_examples(void **state)
{
    (void)state;
    static const int32_t expected[][6] = {{5},          {1, 5},          {1, 2, 5},
                                          {4, 2, 1, 5}, {5, 2, 1, 4, 0}, {5, 2, 1, 4, 0, 3}};
    static const int32_t equal[][5] = {{1, 2, 3, 4}, {1, 2, 3, 4, 0}};
    static const int16_t values[] = {5, 9, 9, 1, 9, 9};
    int32_t result[6];
    type = MLI_EL_FX_16;
    memcpy(data, values, sizeof values);
    for (uint32_t k = 1; k <= 6; k++) {
        const mli_tensor in = tensor(type, data, SHAPE1(6), NULL);
        mli_tensor out = with_scale(tensor(MLI_EL_SA_32, result, SHAPE2(1, k), NULL), 7, 7, 7);
        const mli_argmax_cfg cfg = {-1, (int32_t)k};
        assert_int_equal(run(&in, &cfg, &out), MLI_STATUS_OK);
        assert_memory_equal(result, expected[k - 1], k * sizeof result[0]);
        assert_int_equal(out.el_params.sa.scale.mem.i16, 1);
        assert_int_equal(out.el_params.sa.scale_frac_bits.mem.i8, 0);
        assert_int_equal(out.el_params.sa.zero_point.mem.i16, 0);
        assert_int_equal(out.el_params.sa.dim, -1);
    }
    memset(data, 0, sizeof data);
    for (uint32_t k = 4; k <= 5; k++) {
        const mli_tensor in = tensor(type, data, SHAPE1(5), NULL);
        mli_tensor out = tensor(MLI_EL_SA_32, result, SHAPE2(1, k), NULL);
        const mli_argmax_cfg cfg = {-3, (int32_t)k};
        assert_int_equal(run(&in, &cfg, &out), MLI_STATUS_OK);
        assert_memory_equal(result, equal[k - 4], k * sizeof result[0]);
    }
}

struct problem {
    uint32_t rank, shape[4];
    int32_t stride[4];
    int axis, topk;
};

/* Places of a slice in row-major order. */
static int places(const struct problem *q, uint32_t slice, int32_t *p)
{
    uint32_t total = 1;
    int n = 0;
    for (uint32_t d = 0; d < q->rank; d++)
        total *= q->shape[d];
    for (uint32_t i = 0; i < total; i++) {
        uint32_t rest = i;
        int32_t at = 0;
        int inside = 1;
        for (uint32_t d = q->rank; d-- > 0; rest /= q->shape[d]) {
            at += (int32_t)(rest % q->shape[d]) * q->stride[d];
            inside = inside && ((int)d != q->axis || rest % q->shape[d] == slice);
        }
        if (inside)
            p[n++] = at;
    }
    return n;
}

static void random_problem(struct problem *q, int i)
{
    uint32_t room = i % 30 ? 300 : 2000;
    int32_t stride = 1;
    q->rank = (uint32_t)random_in(1, 4);
    for (uint32_t d = q->rank; d-- > 0;) {
        q->shape[d] = (uint32_t)random_in(1, (int)(i % 2 && room > 12 ? 12 : room));
        q->stride[d] = stride;
        stride = stride * (int32_t)q->shape[d] + (i % 3 ? random_in(0, 2) : 0);
        room = stride > 9000 || room / q->shape[d] < 1 ? 1 : room / q->shape[d];
    }
    q->axis = random_in(-1, (int)q->rank - 1);
}

static void run_problem(struct problem *q, int i)
{
    static int32_t p[MAX], expected[MAX], result[MAX];
    const uint32_t slices = q->axis < 0 ? 1 : q->shape[q->axis];
    const int size = places(q, 0, p);
    q->topk = i % 3 ? 1 : random_in(1, size < 40 ? size : 40);
    const mli_tensor in = tensor(type, data, q->rank, q->shape, q->stride);
    mli_tensor out = tensor(MLI_EL_SA_32, result, SHAPE2(slices, (uint32_t)q->topk), NULL);
    const mli_argmax_cfg cfg = {q->axis, q->topk};
    result[slices * (uint32_t)q->topk] = 0x5A5A;
    assert_int_equal(run(&in, &cfg, &out), MLI_STATUS_OK);
    for (uint32_t j = 0; j < slices; j++) {
        assert_int_equal(places(q, j, p), size);
        model(p, size, q->topk, expected);
        assert_memory_equal(result + j * (uint32_t)q->topk, expected,
                            (size_t)q->topk * sizeof expected[0]);
    }
    assert_int_equal(result[slices * (uint32_t)q->topk], 0x5A5A);
}

static void test_random(void **state)
{
    (void)state;
    for (int i = 0; i < 3000; i++) {
        struct problem q;
        type = i % 2 ? MLI_EL_FX_16 : MLI_EL_SA_8;
        random_bytes(data, sizeof data);
        for (int k = 0; i % 4 < 2 && k < MAX; k++)
            data[k] = (int16_t)(data[k] & 0x0303); /* many equal ones */
        if (i % 50 == 0)                           /* the least there is, everywhere */
            for (int k = 0; k < MAX; k++)
                data[k] = (int16_t)(type == MLI_EL_FX_16 ? INT16_MIN : (int16_t)0x8080);
        random_problem(&q, i / 4);
        if (use_level((size_t)random_in(0, 2)))
            run_problem(&q, i);
    }
}

/* Rows longer than a search piece, columns more than a block, the largest in every corner. */
static void test_long(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        const uint32_t row = i % 4 == 2 ? 700 : 9000;
        struct problem q = {2, {2, row}, {9001, 1}, i % 4 == 3 ? -1 : i % 4 == 2 ? 1 : 0, 1};
        type = i % 2 ? MLI_EL_FX_16 : MLI_EL_SA_8;
        random_bytes(data, sizeof data);
        set_element(type, data, random_in(0, 8999), type == MLI_EL_FX_16 ? 32767 : 127);
        set_element(type, data, i % 3 ? 0 : 4095 + i % 5, type == MLI_EL_FX_16 ? 32767 : 127);
        if (use_level((size_t)i % COUNT(levels)))
            run_problem(&q, 1);
    }
}

struct call {
    mli_tensor in, out;
    mli_argmax_cfg cfg;
    const mli_tensor *p_in;
    const mli_argmax_cfg *p_cfg;
    mli_tensor *p_out;
};

static int32_t status_out[8];

static void in_null(struct call *c)
{
    c->p_in = NULL;
}
static void out_null(struct call *c)
{
    c->p_out = NULL;
}
static void topk_zero(struct call *c)
{
    c->out.shape[1] = 0; /* a shape that no tensor has */
    c->cfg.topk = 0;
}
static void out_type(struct call *c)
{
    c->out.el_type = MLI_EL_SA_8;
}
static void out_gap(struct call *c)
{
    c->out.mem_stride[0] = 3;
    c->out.data.capacity = 32;
}
static void cfg_null(struct call *c)
{
    c->p_cfg = NULL;
}
static void axis_above_rank(struct call *c)
{
    c->cfg.axis = 3;
}
static void in_stride(struct call *c)
{
    c->in.mem_stride[1] = 2;
    c->in.mem_stride[0] = 6;
    c->in.data.capacity = 100; /* checked only, never touched */
}
static void axis_is_rank(struct call *c)
{
    c->cfg.axis = 2;
}
static void topk_large(struct call *c)
{
    c->cfg.topk = 4;
}
static void topk_negative(struct call *c)
{
    c->cfg.topk = -1;
}
static void in_type(struct call *c)
{
    c->in.el_type = MLI_EL_FX_8;
}
static void in_axis(struct call *c)
{
    c->in.el_params.sa.dim = 1; /* its arrays are not looked at */
}

static const struct {
    void (*apply)(struct call *);
    mli_status status;
} faults[] = {
    {in_null, MLI_STATUS_BAD_TENSOR},           {out_null, MLI_STATUS_BAD_TENSOR},
    {topk_zero, MLI_STATUS_BAD_TENSOR},         {out_type, MLI_STATUS_TYPE_MISMATCH},
    {out_gap, MLI_STATUS_INCOMPATEBLE_TENSORS}, {cfg_null, MLI_STATUS_BAD_FUNC_CFG},
    {axis_above_rank, MLI_STATUS_BAD_FUNC_CFG}, {in_stride, MLI_STATUS_INCOMPATEBLE_TENSORS},
    {axis_is_rank, MLI_STATUS_BAD_FUNC_CFG},    {topk_large, MLI_STATUS_BAD_FUNC_CFG},
    {topk_negative, MLI_STATUS_SHAPE_MISMATCH}, {in_type, MLI_STATUS_TYPE_MISMATCH},
    {in_axis, MLI_STATUS_INCOMPATEBLE_TENSORS},
};

/* Two faults in one field: the later one replaces the earlier. */
static int in_one_field(size_t i, size_t j)
{
    return (faults[i].apply == axis_above_rank && faults[j].apply == axis_is_rank) ||
           (faults[i].apply == topk_large && faults[j].apply == topk_negative) ||
           (faults[i].apply == topk_zero &&
            (faults[j].apply == topk_large || faults[j].apply == topk_negative));
}

static void good_call(struct call *c)
{
    memset(c, 0, sizeof *c);
    c->in =
        with_scale(tensor(MLI_EL_SA_8, data, SHAPE2(2, 3), NULL), 0, 1, 999); /* not looked at */
    c->out = with_scale(tensor(MLI_EL_SA_32, status_out, SHAPE2(2, 2), NULL), 0, 1, 9);
    c->cfg = (mli_argmax_cfg){0, 2};
    c->p_in = &c->in, c->p_cfg = &c->cfg, c->p_out = &c->out;
}

static void test_status(void **state)
{
    (void)state;
    needs_checks();
    struct call c;
    good_call(&c);
    assert_int_equal(mli_krn_argmax_sa8(c.p_in, c.p_cfg, c.p_out), MLI_STATUS_OK);
    for (size_t i = 0; i < COUNT(faults); i++) {
        for (size_t j = i; j < COUNT(faults); j++) {
            if (in_one_field(i, j))
                continue;
            good_call(&c);
            memset(status_out, 0x5A, sizeof status_out);
            faults[i].apply(&c);
            if (j > i)
                faults[j].apply(&c);
            const mli_tensor before = c.out;
            const mli_status got = mli_krn_argmax_sa8(c.p_in, c.p_cfg, c.p_out);
            if (got != faults[i].status)
                fail_msg("faults %zu and %zu: status %d, should be %d", i, j, got,
                         faults[i].status);
            assert_memory_equal(&c.out, &before, sizeof before);
            for (size_t k = 0; k < COUNT(status_out); k++)
                assert_int_equal(status_out[k], 0x5A5A5A5A);
        }
    }
}

/* The rank of out is not looked at, but what it leaves unchecked must have room. */
static void test_rank_of_out(void **state)
{
    (void)state;
    needs_checks();
    struct call c;
    good_call(&c);
    c.out = tensor(MLI_EL_SA_32, status_out, SHAPE3(2, 2, 1), NULL);
    assert_int_equal(mli_krn_argmax_sa8(c.p_in, c.p_cfg, c.p_out), MLI_STATUS_OK);
    c.out = tensor(MLI_EL_SA_32, status_out, SHAPE1(2), NULL);
    c.out.shape[1] = 2;
    assert_int_equal(mli_krn_argmax_sa8(c.p_in, c.p_cfg, c.p_out), MLI_STATUS_NOT_ENGH_MEM);
    c.out.data.capacity = 16;
    assert_int_equal(mli_krn_argmax_sa8(c.p_in, c.p_cfg, c.p_out), MLI_STATUS_OK);
    c.out.shape[1] = 0, c.cfg.topk = 0;
    memset(status_out, 0x5A, sizeof status_out);
    assert_int_equal(mli_krn_argmax_sa8(c.p_in, c.p_cfg, c.p_out), MLI_STATUS_OK);
    assert_int_equal(status_out[0], 0x5A5A5A5A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),    cmocka_unit_test(test_random),
        cmocka_unit_test(test_long),        cmocka_unit_test(test_status),
        cmocka_unit_test(test_rank_of_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
