/*
 * convert.c: mli_hlp_convert_tensor and _safx (numerics.md 7): requantization between all formats. Parameters are
 * computed once for each stretch of elements that shares them; elements are converted in pieces of rows.
 */
#include <string.h>

#include "api/mli_helpers_api.h"
#include "check.h"
#include "dispatch.h"
#include "quant.h"
#include "rows.h"

enum {
    PIECE = 512,  /* elements converted at a time */
    ENTRIES = 64, /* parameter sets prepared at a time where every element has its own */
};

/* Formats that share their steps. */
enum way {
    NARROW,     /* 8 and 16 bits on both sides */
    WIDE,       /* 32 bits on a side or on both */
    QUANTIZE,   /* from FP_32 */
    DEQUANTIZE, /* to FP_32 */
    COPY,       /* FP_32 to FP_32 */
};

/* What a stretch of elements shares. */
struct entry {
    struct lb_mli_convert q; /* integers: shift not limited to the range of the table's loops */
    float factor;            /* FP_32 */
};

struct job {
    const mli_tensor *src;
    const mli_tensor *dst;
    enum way way;
    enum lb_mli_round round;
    size_t in_size, out_size;
    int32_t lo, hi; /* of dst's container, unless that is FP_32 */
    bool in_place;
    lb_mli_convert_fn *narrow; /* NARROW: the table's loop */
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
    for (uint32_t d = 0; d + 1 < a->rank; d++) {
        if (a->mem_stride[d] != b->mem_stride[d])
            return false;
    }
    return true;
}

/* Parameters that the original would read or divide by, whatever they are. Scales matter between integers alone. */
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
    LB_MLI_REQUIRE(lb_mli_inner_dense(src) && lb_mli_inner_dense(dst), MLI_STATUS_INCOMPATEBLE_TENSORS);
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

/* f * 2^n, |n| <= 128, in two steps: 2^128 itself is no float, and a result below the normal numbers is rounded once. */
static float scale_by(float f, int32_t n)
{
    return f * power_of_two(n / 2) * power_of_two(n - n / 2);
}

/* The parameters at index i along the axis. */
static struct entry entry_at(const struct job *job, uint32_t i)
{
    const struct lb_mli_quant from = lb_mli_quant_at(job->src, i);
    const struct lb_mli_quant to = lb_mli_quant_at(job->dst, i);
    struct entry e = {{from.zero, to.zero, 0, 0}, 1.0F};
    if (job->way == QUANTIZE) {
        e.factor = scale_by(1.0F / (float)to.scale, to.shift);
    } else if (job->way == DEQUANTIZE) {
        e.factor = scale_by((float)from.scale, -from.shift);
    } else if (job->way != COPY) {
        const struct lb_mli_requant r = lb_mli_requant(from, to, job->round);
        e.q.mul = r.scale;
        e.q.shift = lb_mli_min(r.shift, job->way == NARROW ? 31 : 63);
    }
    return e;
}

static struct job make_job(const mli_tensor *src, const mli_tensor *dst)
{
    struct job job = {.src = src, .dst = dst, .round = lb_mli_round_now()};
    job.in_size = lb_mli_element_size(src->el_type);
    job.out_size = lb_mli_element_size(dst->el_type);
    job.in_place = src->data.mem.pi8 == dst->data.mem.pi8;
    job.hi = job.out_size == 1 ? INT8_MAX : job.out_size == 2 ? INT16_MAX : INT32_MAX;
    job.lo = ~job.hi;
    if (src->el_type == MLI_EL_FP_32)
        job.way = dst->el_type == MLI_EL_FP_32 ? COPY : QUANTIZE;
    else if (dst->el_type == MLI_EL_FP_32)
        job.way = DEQUANTIZE;
    else
        job.way = job.in_size == 4 || job.out_size == 4 ? WIDE : NARROW;
    if (job.way == NARROW)
        job.narrow = lb_mli_loops()->convert[job.in_size == 1 ? LB_MLI_8BIT : LB_MLI_16BIT]
                                            [job.out_size == 1 ? LB_MLI_8BIT : LB_MLI_16BIT][job.round];
    return job;
}

/*
 * Single elements
 */

static int32_t clamp_sum(int32_t a, int32_t b, const struct job *job)
{
    const int64_t sum = (int64_t)a + b;
    return (int32_t)(sum < job->lo ? job->lo : sum > job->hi ? job->hi : sum);
}

/* 7.2, without a side of 32 bits; any shift. */
static int32_t narrow_one(int32_t x, const struct entry *e, const struct job *job)
{
    const int32_t d = lb_mli_sat16((int64_t)x - e->q.from_zero);
    return clamp_sum(lb_mli_rsh32(d * e->q.mul, e->q.shift, job->round), e->q.to_zero, job);
}

/* 7.2, with a side of 32 bits: the high half of the product of two normalized factors is rounded. mul has 15 bits, so
 * that it moves left by 16. */
static int32_t wide_one(int32_t x, const struct entry *e, const struct job *job)
{
    const int32_t d = lb_mli_sat32((int64_t)x - e->q.from_zero);
    const int left = lb_mli_norm32(d);
    const int64_t high = ((int64_t)d * ((int64_t)1 << left) * e->q.mul) >> 16;
    return clamp_sum(lb_mli_rsh32((int32_t)high, e->q.shift + left - 16, job->round), e->q.to_zero, job);
}

/* 7.3. Beyond 32 bits, where the original has no defined result: the nearest number; not a number: the zero point. Each
 * operation is a statement, so that none is fused with another. */
static inline int32_t quantize_one(float x, float factor)
{
    const float scaled = x * factor;
    const float half = x > 0.0F ? 0.5F : -0.5F;
    const float up = scaled + half;
    const float number = up == up ? up : 0.0F;
    const float low = number < -0x1p31F ? -0x1p31F : number;
    return low < 0x1p31F ? (int32_t)low : INT32_MAX;
}

/*
 * Pieces
 */

/* n containers of integers as int32. */
static void load(const void *in, size_t size, size_t n, int32_t *restrict v)
{
    if (size == 4) {
        memcpy(v, in, 4 * n);
    } else if (size == 2) {
        const int16_t *p = in;
        for (size_t i = 0; i < n; i++)
            v[i] = p[i];
    } else {
        const int8_t *p = in;
        for (size_t i = 0; i < n; i++)
            v[i] = p[i];
    }
}

/* The reverse: values are in range. */
static void store(const int32_t *restrict v, size_t size, size_t n, void *out)
{
    if (size == 4) {
        memcpy(out, v, 4 * n);
    } else if (size == 2) {
        int16_t *p = out;
        for (size_t i = 0; i < n; i++)
            p[i] = (int16_t)v[i];
    } else {
        int8_t *p = out;
        for (size_t i = 0; i < n; i++)
            p[i] = (int8_t)v[i];
    }
}

static void quantize(const struct job *job, const struct entry *e, size_t each, const void *in, size_t n, void *out)
{
    float x[PIECE];
    int32_t v[PIECE];
    memcpy(x, in, n * sizeof x[0]);
    if (each == 0) {
        const float factor = e->factor;
        for (size_t i = 0; i < n; i++)
            v[i] = quantize_one(x[i], factor);
    } else {
        for (size_t i = 0; i < n; i++)
            v[i] = quantize_one(x[i], e[i].factor);
    }
    for (size_t i = 0; i < n; i++)
        v[i] = clamp_sum(v[i], e[i * each].q.to_zero, job);
    store(v, job->out_size, n, out);
}

static void dequantize(const struct job *job, const struct entry *e, size_t each, const void *in, size_t n, void *out)
{
    int32_t v[PIECE];
    float x[PIECE];
    load(in, job->in_size, n, v);
    for (size_t i = 0; i < n; i++) {
        const struct entry *p = &e[i * each];
        x[i] = (float)lb_mli_sat32((int64_t)v[i] - p->q.from_zero) * p->factor;
    }
    memcpy(out, x, n * sizeof x[0]);
}

/* n elements, at most PIECE, that are contiguous on both sides. each 0: all have the parameters *e; 1: element i has
 * e[i]. Everything is read before anything is written. */
static void convert_piece(const struct job *job, const struct entry *e, size_t each, const void *in, size_t n,
                          void *out)
{
    int32_t v[PIECE];
    if (job->way == COPY) {
        memmove(out, in, n * job->in_size);
    } else if (job->way == QUANTIZE) {
        quantize(job, e, each, in, n, out);
    } else if (job->way == DEQUANTIZE) {
        dequantize(job, e, each, in, n, out);
    } else if (job->way == NARROW && each == 0 && e->q.shift >= 0) {
        job->narrow(job->in_place ? memcpy(v, in, n * job->in_size) : in, n, &e->q, out);
    } else {
        load(in, job->in_size, n, v);
        for (size_t i = 0; i < n; i++)
            v[i] = job->way == NARROW ? narrow_one(v[i], &e[i * each], job) : wide_one(v[i], &e[i * each], job);
        store(v, job->out_size, n, out);
    }
}

/*
 * Walk
 */

/* Elements of a box of both tensors that begins at index first of dimension axis and has the given shape. own > 0: that
 * dimension is the innermost, shape says 1 there, and own elements of it have parameters of their own. */
static void convert_box(const struct job *job, const struct entry *e, size_t own, uint32_t axis, uint32_t first,
                        const uint32_t *shape)
{
    const mli_tensor *src = job->src, *dst = job->dst;
    const char *in = (const char *)src->data.mem.pi8;
    char *out = (char *)dst->data.mem.pi8;
    if (first > 0) {
        in += (ptrdiff_t)first * src->mem_stride[axis] * (ptrdiff_t)job->in_size;
        out += (ptrdiff_t)first * dst->mem_stride[axis] * (ptrdiff_t)job->out_size;
    }
    struct lb_mli_rows rows;
    lb_mli_rows_start(&rows, src->rank, shape, 2, (const int32_t *const[]){src->mem_stride, dst->mem_stride});
    const size_t length = own > 0 ? own : rows.length;
    do {
        const char *a = in + rows.at[0] * (ptrdiff_t)job->in_size;
        char *b = out + rows.at[1] * (ptrdiff_t)job->out_size;
        for (size_t done = 0; done < length; done += PIECE)
            convert_piece(job, e, own > 0, a + done * job->in_size, lb_mli_min_size(length - done, PIECE),
                          b + done * job->out_size);
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
    struct entry e[ENTRIES];
    uint32_t shape[MLI_MAX_RANK];
    const uint32_t axis = axis_of(job), rank = job->src->rank;
    memcpy(shape, job->src->shape, sizeof shape);
    if (axis == rank) {
        e[0] = entry_at(job, 0);
        convert_box(job, e, 0, 0, 0, shape);
        return;
    }
    const uint32_t extent = shape[axis];
    const uint32_t together = axis == rank - 1 ? ENTRIES : 1;
    shape[axis] = 1;
    for (uint32_t first = 0; first < extent; first += together) {
        const uint32_t n = extent - first < together ? extent - first : together;
        for (uint32_t i = 0; i < n; i++)
            e[i] = entry_at(job, first + i);
        convert_box(job, e, axis == rank - 1 ? n : 0, axis, first, shape);
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
