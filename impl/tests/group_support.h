/* What the tests of softmax and l2_normalize share: tensors with gaps whose elements belong to
 * groups, and the list of faults, which has the same order for both. */
#ifndef LB_TEST_GROUP_SUPPORT_H
#define LB_TEST_GROUP_SUPPORT_H

#include "rnn_support.h"

enum { GROUP_MAX = 60000, GAP = 0x5A };

/* A problem: data, results and the strides of both. */
struct groups {
    uint32_t rank, shape[4];
    int32_t in_stride[4], out_stride[4];
    int axis;
    uint32_t count;
    int16_t in[GROUP_MAX], before[GROUP_MAX], out[GROUP_MAX];
};

/* Lines across the memory, so many side by side that they do not fit a buffer at once; rows of out
 * have a gap. */
static inline void many_lines(struct groups *g)
{
    enum { OUTER = 2, LENGTH = 40, LINES = 350, PITCH = 353 };
    *g = (struct groups){.rank = 3, .axis = 1, .count = OUTER * LENGTH * LINES};
    const uint32_t shape[] = {OUTER, LENGTH, LINES};
    memcpy(g->shape, shape, sizeof shape);
    memcpy(g->in_stride, (const int32_t[]){LENGTH * LINES, LINES, 1}, 3 * sizeof g->in_stride[0]);
    memcpy(g->out_stride, (const int32_t[]){LENGTH * PITCH, PITCH, 1}, 3 * sizeof g->out_stride[0]);
    random_bytes(g->in, sizeof g->in);
}

/* A random shape of up to limit elements, dense or with gaps. */
static inline void random_groups(struct groups *g, uint32_t limit, int with_gaps)
{
    int32_t in = 1, out = 1;
    uint32_t count = 1;
    g->rank = (uint32_t)random_in(1, 4);
    for (uint32_t d = g->rank; d-- > 0;) {
        const int most = (int)(limit / count) < 2 ? 1 : (int)(limit / count);
        g->shape[d] =
            (uint32_t)(random_in(0, 3) ? random_in(1, most < 24 ? most : 24) : random_in(1, most));
        g->in_stride[d] = in;
        g->out_stride[d] = out;
        in = in * (int32_t)g->shape[d] + (with_gaps ? random_in(0, 3) : 0);
        out = out * (int32_t)g->shape[d] + (with_gaps ? random_in(0, 3) : 0);
        count *= g->shape[d];
        if (in > GROUP_MAX / 8 || out > GROUP_MAX / 8)
            limit = count;
    }
    g->count = count;
    g->axis = random_in(-1, (int)g->rank - 1);
}

/* Place of element number i in row-major order. */
static inline ptrdiff_t place_of(const struct groups *g, const int32_t *stride, uint32_t i)
{
    ptrdiff_t at = 0;
    for (uint32_t d = g->rank; d-- > 0;) {
        at += (ptrdiff_t)(i % g->shape[d]) * stride[d];
        i /= g->shape[d];
    }
    return at;
}

/* Whether two elements, by number, are in one group: all indices equal but that of the axis. */
static inline int same_group(const struct groups *g, uint32_t i, uint32_t j)
{
    for (uint32_t d = g->rank; d-- > 0;) {
        if (g->axis >= 0 && (int)d != g->axis && i % g->shape[d] != j % g->shape[d])
            return 0;
        i /= g->shape[d];
        j /= g->shape[d];
    }
    return 1;
}

/* Results: expected[i] for element number i; everything else in out untouched. */
static inline void compare_groups(const struct groups *g, mli_element_type type, const int16_t *got,
                                  const int32_t *stride, const int16_t *expected,
                                  const int16_t *before)
{
    static uint8_t written[GROUP_MAX];
    memset(written, 0, sizeof written);
    for (uint32_t i = 0; i < g->count; i++) {
        const ptrdiff_t at = place_of(g, stride, i);
        written[at] = 1;
        if (element(type, got, at) != expected[i])
            fail_msg("element %u of %u: %d, should be %d", i, g->count, (int)element(type, got, at),
                     expected[i]);
    }
    for (ptrdiff_t at = 0; at < GROUP_MAX / 2; at++)
        assert_true(written[at] || element(type, got, at) == element(type, before, at));
}

/*
 * Statuses
 */
struct group_call {
    mli_tensor in, out;
    mli_lut lut;
    mli_softmax_cfg cfg;
    const mli_tensor *p_in;
    const mli_lut *p_lut;
    const mli_softmax_cfg *p_cfg;
    mli_tensor *p_out;
};

static int8_t status_in[8], status_out[8];

static void in_null(struct group_call *c)
{
    c->p_in = NULL;
}
static void in_no_data(struct group_call *c)
{
    c->in.data.mem.pi8 = NULL;
}
static void out_small(struct group_call *c)
{
    c->out.data.capacity = 2;
}
static void out_type(struct group_call *c)
{
    c->out.el_type = MLI_EL_FX_8;
}
static void out_rank(struct group_call *c)
{
    c->out.rank = 1;
}
static void out_stride(struct group_call *c)
{
    c->out.mem_stride[1] = 2;
    c->out.mem_stride[0] = 4;
    c->out.data.capacity = c->out.data.capacity == 2 ? 2 : 8;
}
static void both_types(struct group_call *c)
{
    c->in.el_type = MLI_EL_FX_8;
    c->out.el_type = MLI_EL_FX_8;
}
static void cfg_null(struct group_call *c)
{
    c->p_cfg = NULL;
}
static void axis_is_rank(struct group_call *c)
{
    c->cfg.axis = 2;
}
static void in_scale(struct group_call *c)
{
    c->in.el_params.sa.scale.mem.i16 = 0;
}
static void in_axis(struct group_call *c)
{
    static int16_t scales[2] = {1, 1}, zeros[2];
    static int8_t bits[2];
    scales[1] = c->in.el_params.sa.scale.mem.i16;
    c->in = with_axis(c->in, 0, 2, scales, bits, zeros);
}
static void lut_null(struct group_call *c)
{
    c->p_lut = NULL;
}
static void lut_short(struct group_call *c)
{
    c->lut.length = 1;
}

static const struct {
    void (*apply)(struct group_call *);
    mli_status status;
} group_faults[] = {
    {in_null, MLI_STATUS_BAD_TENSOR},           {in_no_data, MLI_STATUS_BAD_TENSOR},
    {out_small, MLI_STATUS_NOT_ENGH_MEM},       {out_type, MLI_STATUS_TYPE_MISMATCH},
    {out_rank, MLI_STATUS_SHAPE_MISMATCH},      {out_stride, MLI_STATUS_INCOMPATEBLE_TENSORS},
    {both_types, MLI_STATUS_TYPE_MISMATCH},     {cfg_null, MLI_STATUS_BAD_FUNC_CFG},
    {axis_is_rank, MLI_STATUS_BAD_FUNC_CFG},    {in_scale, MLI_STATUS_BAD_TENSOR},
    {in_axis, MLI_STATUS_INCOMPATEBLE_TENSORS}, {lut_null, MLI_STATUS_BAD_FUNC_CFG},
    {lut_short, MLI_STATUS_BAD_FUNC_CFG},
};

/* A fault of the type of out hides behind the same of in: both_types after out_type is none. */
static inline void check_group_faults(const mli_lut *lut,
                                      mli_status (*run)(const struct group_call *))
{
    for (size_t i = 0; i < COUNT(group_faults); i++) {
        for (size_t j = i; j < COUNT(group_faults); j++) {
            struct group_call c;
            memset(&c, 0, sizeof c);
            c.in = with_scale(tensor(MLI_EL_SA_8, status_in, SHAPE2(2, 2), NULL), 3, 1, 0);
            c.out = with_scale(tensor(MLI_EL_SA_8, status_out, SHAPE2(2, 2), NULL), 0, 1,
                               999); /* not looked at */
            c.lut = *lut;
            c.p_in = &c.in, c.p_lut = &c.lut, c.p_cfg = &c.cfg, c.p_out = &c.out;
            assert_int_equal(run(&c), MLI_STATUS_OK);
            if (group_faults[i].apply == out_type && group_faults[j].apply == both_types)
                continue;
            memset(status_out, 0x5A, sizeof status_out);
            group_faults[i].apply(&c);
            if (j > i)
                group_faults[j].apply(&c);
            const mli_tensor before = c.out;
            const mli_status got = run(&c);
            if (got != group_faults[i].status)
                fail_msg("faults %zu and %zu: status %d, should be %d", i, j, got,
                         group_faults[i].status);
            assert_memory_equal(&c.out, &before, sizeof before);
            for (size_t k = 0; k < sizeof status_out; k++)
                assert_int_equal(status_out[k], 0x5A);
        }
    }
}

#endif
