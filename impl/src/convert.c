/* mli_hlp_convert_tensor and _safx (numerics.md 7): requantization between all formats. Parameters
 * are computed once for each stretch of elements that shares them; elements are converted in pieces
 * of rows. */
#include <string.h>

#include "api/mli_helpers_api.h"
#include "check.h"
#include "loops.h"
#include "quant.h"
#include "rows.h"

/* Elements converted at a time, and parameter sets prepared at a time where every element has its
 * own. */
enum { PIECE = 64, LINE = 64 /* bytes of a cache line: vectors of parameters lie in one each */ };

/* Formats that share their steps. */
enum way {
    NARROW,     /* 8 and 16 bits on both sides */
    WIDE,       /* 32 bits on a side or on both */
    QUANTIZE,   /* from FP_32 */
    DEQUANTIZE, /* to FP_32 */
    COPY,       /* FP_32 to FP_32 */
};

/* Parameters of the elements of a piece. same: the first set is that of all; those of WIDE and of
 * the real formats are there for each element too. */
struct params {
    bool same;
    bool in_table; /* NARROW: every shift is in the range that the table's loops demand */
    bool from_s32; /* WIDE: likewise that of convert_s32 */
    _Alignas(LINE) int32_t from_zero[PIECE];
    int32_t to_zero[PIECE], mul[PIECE], shift[PIECE]; /* the last two: between integers */
    float factor[PIECE];                              /* with FP_32 */
};

struct job {
    const mli_tensor *src;
    const mli_tensor *dst;
    enum way way;
    enum lb_mli_round round;
    enum lb_mli_width in, out;
    size_t in_size, out_size;
    bool in_place;
    const struct lb_mli_loops *loops;
};

/*
 * Checks (7.5)
 */

static bool is_sa_per_axis(const mli_tensor *t)
{
    return lb_mli_is_sa(t) && lb_mli_per_axis(t);
}

static bool same_outer_strides(const mli_tensor *a, const mli_tensor *b)
{
    for (uint32_t d = 0; d + 1 < a->rank; d++)
        if (a->mem_stride[d] != b->mem_stride[d])
            return false;
    return true;
}

/* Parameters that the original would read or divide by, whatever they are. Scales matter between
 * integers alone. */
static mli_status check_params(const mli_tensor *t, bool scales)
{
    if (!lb_mli_is_sa(t))
        return MLI_STATUS_OK;
    uint32_t entries = 1;
    if (lb_mli_per_axis(t)) {
        LB_MLI_REQUIRE((uint32_t)t->el_params.sa.dim < t->rank, MLI_STATUS_BAD_TENSOR);
        LB_MLI_REQUIRE(t->el_params.sa.scale.mem.pi16 && t->el_params.sa.zero_point.mem.pi16 &&
                           t->el_params.sa.scale_frac_bits.mem.pi8,
                       MLI_STATUS_BAD_TENSOR);
        entries = t->shape[t->el_params.sa.dim];
    }
    for (uint32_t i = 0; scales && i < entries; i++)
        LB_MLI_REQUIRE(lb_mli_quant_at(t, i).scale > 0, MLI_STATUS_BAD_TENSOR);
    return MLI_STATUS_OK;
}

static mli_status check_convert(const mli_tensor *src, const mli_tensor *dst, bool floats)
{
    LB_MLI_TRY(lb_mli_check_tensor(src));
    LB_MLI_TRY(lb_mli_check_tensor(dst));
    LB_MLI_REQUIRE(lb_mli_same_shape(src, dst), MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_inner_dense(src) && lb_mli_inner_dense(dst),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    if (src->el_type == dst->el_type && src->data.mem.pi8 == dst->data.mem.pi8)
        LB_MLI_REQUIRE(same_outer_strides(src, dst), MLI_STATUS_INCOMPATEBLE_TENSORS);
    if (is_sa_per_axis(src) && is_sa_per_axis(dst))
        LB_MLI_REQUIRE(src->el_params.sa.dim == dst->el_params.sa.dim, MLI_STATUS_SIZE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_element_size(src->el_type) > 0 && lb_mli_element_size(dst->el_type) > 0,
                   MLI_STATUS_TYPE_MISMATCH);
    const bool real = src->el_type == MLI_EL_FP_32 || dst->el_type == MLI_EL_FP_32;
    LB_MLI_REQUIRE(floats || !real, MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_TRY(check_params(src, !real));
    return check_params(dst, !real);
}

/*
 * Plan
 */

/* 2^n as a float, |n| <= 64. */
static float power_of_two(int32_t n)
{
    const uint32_t bits = (uint32_t)(127 + n) << 23; /* IEEE binary32 */
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* f * 2^n, |n| <= 128, in two steps: 2^128 itself is no float, and a result below the normal
 * numbers is rounded once.
 * */
static float scale_by(float f, int32_t n)
{
    return f * power_of_two(n / 2) * power_of_two(n - n / 2);
}

/* Set at of the parameters: those at index i along the axis. */
static void set_params(const struct job *job, uint32_t i, struct params *p, size_t at)
{
    const struct lb_mli_quant from = lb_mli_quant_at(job->src, i);
    const struct lb_mli_quant to = lb_mli_quant_at(job->dst, i);
    p->from_zero[at] = from.zero;
    p->to_zero[at] = to.zero;
    if (job->way == QUANTIZE) {
        p->factor[at] = scale_by(1.0F / (float)to.scale, to.shift);
    } else if (job->way == DEQUANTIZE) {
        p->factor[at] = scale_by((float)from.scale, -from.shift);
    } else if (job->way != COPY) {
        const struct lb_mli_requant r = lb_mli_requant(from, to, job->round);
        p->mul[at] = r.scale;
        p->shift[at] = lb_mli_min(r.shift, job->way == NARROW ? 31 : 63);
    }
}

static bool takes_from_s32(const struct job *job, const struct params *p)
{
    return job->way == WIDE && job->in == LB_MLI_32BIT && job->out != LB_MLI_32BIT &&
           job->round == LB_MLI_UP && !job->in_place && p->mul[0] >= 1 << 14 &&
           p->shift[0] >= LB_MLI_CONVERT_LEAST && p->shift[0] <= LB_MLI_CONVERT_MOST;
}

/* One set for all elements: index i along the axis. */
static void plan_same(const struct job *job, uint32_t i, struct params *p)
{
    set_params(job, i, p, 0);
    p->same = true;
    p->in_table = job->way == NARROW && p->shift[0] >= 0;
    p->from_s32 = takes_from_s32(job, p);
    if (job->way == NARROW || job->way == COPY)
        return;
    const bool real = job->way != WIDE;
    for (size_t k = 1; k < PIECE; k++) {
        p->from_zero[k] = p->from_zero[0];
        p->to_zero[k] = p->to_zero[0];
        if (real) {
            p->factor[k] = p->factor[0];
        } else {
            p->mul[k] = p->mul[0];
            p->shift[k] = p->shift[0];
        }
    }
}

/* A set for each of n elements: indices first, first + 1, ... */
static void plan_each(const struct job *job, uint32_t first, uint32_t n, struct params *p)
{
    p->same = false;
    p->in_table = job->way == NARROW;
    p->from_s32 = false;
    for (uint32_t k = 0; k < n; k++) {
        set_params(job, first + k, p, k);
        if (job->way == NARROW && p->shift[k] < 0)
            p->in_table = false;
    }
}

static enum lb_mli_width width_of(size_t size)
{
    return size == 1 ? LB_MLI_8BIT : size == 2 ? LB_MLI_16BIT : LB_MLI_32BIT;
}

static struct job make_job(const mli_tensor *src, const mli_tensor *dst)
{
    struct job job = {.src = src, .dst = dst, .round = lb_mli_round_now(), .loops = lb_mli_loops()};
    job.in_size = lb_mli_element_size(src->el_type);
    job.out_size = lb_mli_element_size(dst->el_type);
    job.in = width_of(job.in_size);
    job.out = width_of(job.out_size);
    job.in_place = src->data.mem.pi8 == dst->data.mem.pi8;
    if (src->el_type == MLI_EL_FP_32)
        job.way = dst->el_type == MLI_EL_FP_32 ? COPY : QUANTIZE;
    else if (dst->el_type == MLI_EL_FP_32)
        job.way = DEQUANTIZE;
    else
        job.way = job.in == LB_MLI_32BIT || job.out == LB_MLI_32BIT ? WIDE : NARROW;
    return job;
}

/*
 * Elements whose shifts the table has no loops for
 */

/* 7.2, without a side of 32 bits; any shift. */
static inline int32_t narrow_one(int32_t x, const struct params *p, size_t at,
                                 enum lb_mli_round round)
{
    const int32_t d = lb_mli_clamp(x - p->from_zero[at], INT16_MIN, INT16_MAX);
    return lb_mli_lane_add32(lb_mli_rsh32(d * p->mul[at], p->shift[at], round), p->to_zero[at]);
}

/*
 * Pieces: n elements, at most PIECE, that are contiguous on both sides. Where in lies on out,
 * everything is read before anything is written.
 */

/* n containers of integers as int32. */
static void load(const void *in, enum lb_mli_width width, size_t n, int32_t *restrict v)
{
    const int8_t *narrow = in;
    const int16_t *wide = in;
    if (width == LB_MLI_32BIT)
        memcpy(v, in, 4 * n);
    else if (width == LB_MLI_16BIT)
        for (size_t i = 0; i < n; i++)
            v[i] = wide[i];
    else
        for (size_t i = 0; i < n; i++)
            v[i] = narrow[i];
}

/* The reverse, saturated. */
static void store(const struct lb_mli_loops *loops, const int32_t *v, enum lb_mli_width width,
                  size_t n, void *out)
{
    if (width == LB_MLI_32BIT)
        memcpy(out, v, 4 * n);
    else if (width == LB_MLI_16BIT)
        loops->narrow_s32_s16(v, n, out);
    else
        loops->narrow_s32_s8(v, n, 0, out);
}

/* Integers as 32 bits: formats of that width, and shifts that the loops for containers do not take.
 */
static void convert_singly(const struct job *job, const struct params *p, const void *in, size_t n,
                           void *out)
{
    _Alignas(LINE) int32_t v[PIECE];
    load(in, job->in, n, v);
    if (job->way == NARROW) {
        for (size_t i = 0; i < n; i++)
            v[i] = narrow_one(v[i], p, p->same ? 0 : i, job->round);
    } else {
        job->loops->convert_wide[job->round](
            v, n, &(struct lb_mli_convert_each){p->from_zero, p->to_zero, p->mul, p->shift});
    }
    store(job->loops, v, job->out, n, out);
}

static void convert_piece(const struct job *job, const struct params *p, const void *in, size_t n,
                          void *out)
{
    if (job->way == COPY) {
        memmove(out, in, n * job->in_size);
    } else if (job->way == QUANTIZE) {
        job->loops->quantize[job->out](in, n, p->factor, p->to_zero, out);
    } else if (job->way == DEQUANTIZE) {
        job->loops->dequantize[job->in](in, n, p->factor, p->from_zero, out);
    } else if (p->from_s32) {
        const struct lb_mli_convert q = {p->from_zero[0], p->to_zero[0], p->mul[0], p->shift[0]};
        job->loops->convert_s32[job->out](in, n, &q, out);
    } else if (!p->in_table) {
        convert_singly(job, p, in, n, out);
    } else if (p->same) {
        const struct lb_mli_convert q = {p->from_zero[0], p->to_zero[0], p->mul[0], p->shift[0]};
        job->loops->convert[job->in][job->out][job->round](in, n, &q, out);
    } else {
        const struct lb_mli_convert_each q = {p->from_zero, p->to_zero, p->mul, p->shift};
        job->loops->convert_each[job->in][job->out][job->round](in, n, &q, out);
    }
}

/*
 * Walk
 */

static void convert_row(const struct job *job, const struct params *p, const char *in, size_t n,
                        char *out)
{
    union {
        int32_t i[PIECE];
        float f[PIECE];
    } copy;
    const size_t piece =
        p->same && !job->in_place && (p->in_table || p->from_s32 || job->way == COPY) ? n : PIECE;
    for (size_t done = 0; done < n; done += piece) {
        const size_t part = lb_mli_min_size(n - done, piece);
        const char *from = in + done * job->in_size;
        convert_piece(job, p, job->in_place ? memcpy(&copy, from, part * job->in_size) : from, part,
                      out + done * job->out_size);
    }
}

/* Elements of a box of both tensors that begins at index first of dimension axis and has the given
 * shape. each > 0: that dimension is the innermost, shape says 1 there, and each elements of it
 * have parameters of their own. */
static void convert_box(const struct job *job, const struct params *p, size_t each, uint32_t axis,
                        uint32_t first, const uint32_t *shape)
{
    const mli_tensor *src = job->src, *dst = job->dst;
    const char *in = (const char *)src->data.mem.pi8;
    char *out = (char *)dst->data.mem.pi8;
    if (first > 0) {
        in += (ptrdiff_t)first * src->mem_stride[axis] * (ptrdiff_t)job->in_size;
        out += (ptrdiff_t)first * dst->mem_stride[axis] * (ptrdiff_t)job->out_size;
    }
    struct lb_mli_rows rows;
    lb_mli_rows_start(&rows, src->rank, shape, 2,
                      (const int32_t *const[]){src->mem_stride, dst->mem_stride});
    do {
        convert_row(job, p, in + rows.at[0] * (ptrdiff_t)job->in_size,
                    each > 0 ? each : rows.length, out + rows.at[1] * (ptrdiff_t)job->out_size);
    } while (lb_mli_rows_next(&rows));
}

/* The dimension along which parameters differ: rank if they do not. */
static uint32_t axis_of(const struct job *job)
{
    const mli_tensor *t = is_sa_per_axis(job->src) ? job->src : job->dst;
    if (!is_sa_per_axis(t) || t->shape[t->el_params.sa.dim] == 1)
        return t->rank;
    return (uint32_t)t->el_params.sa.dim;
}

static void convert(const struct job *job)
{
    struct params p;
    uint32_t shape[MLI_MAX_RANK];
    const uint32_t axis = axis_of(job), rank = job->src->rank;
    memcpy(shape, job->src->shape, sizeof shape);
    if (axis == rank) {
        plan_same(job, 0, &p);
        convert_box(job, &p, 0, 0, 0, shape);
        return;
    }
    const uint32_t extent = shape[axis];
    shape[axis] = 1;
    for (uint32_t first = 0; axis < rank - 1 && first < extent; first++) {
        plan_same(job, first, &p);
        convert_box(job, &p, 0, axis, first, shape);
    }
    for (uint32_t first = 0; axis == rank - 1 && first < extent; first += PIECE) {
        const uint32_t n = extent - first < PIECE ? extent - first : PIECE;
        plan_each(job, first, n, &p);
        convert_box(job, &p, n, axis, first, shape);
    }
}

mli_status mli_hlp_convert_tensor(const mli_tensor *src, mli_tensor *dst)
{
    LB_MLI_CHECK(check_convert(src, dst, true));
    const struct job job = make_job(src, dst);
    convert(&job);
    return MLI_STATUS_OK;
}

mli_status mli_hlp_convert_tensor_safx(const mli_tensor *src, mli_tensor *dst)
{
    LB_MLI_CHECK(check_convert(src, dst, false));
    const struct job job = make_job(src, dst);
    convert(&job);
    return MLI_STATUS_OK;
}
