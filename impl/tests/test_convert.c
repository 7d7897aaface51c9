/* mli_hlp_convert_tensor and _safx (numerics.md 7): all 25 pairs of types against the definitions,
 * per tensor and per axis, with gaps and in place, at every level of inner loops; numbers the
 * original leaves undefined; statuses in order. */
#include "levels.h"
#include "support.h"

#include <math.h>

static const mli_element_type types[] = {MLI_EL_FX_8, MLI_EL_FX_16, MLI_EL_SA_8, MLI_EL_SA_32,
                                         MLI_EL_FP_32};

/* Parameters at an index of the axis. */
struct params {
    int64_t s, z;
    int n;
};

static struct params params_at(const mli_tensor *t, uint32_t i)
{
    if (t->el_type == MLI_EL_FX_8 || t->el_type == MLI_EL_FX_16)
        return (struct params){1, 0, t->el_params.fx.frac_bits};
    if (t->el_type == MLI_EL_FP_32)
        return (struct params){1, 0, 0};
    if (t->el_params.sa.dim < 0)
        return (struct params){t->el_params.sa.scale.mem.i16, t->el_params.sa.zero_point.mem.i16,
                               t->el_params.sa.scale_frac_bits.mem.i8};
    return (struct params){t->el_params.sa.scale.mem.pi16[i],
                           t->el_params.sa.zero_point.mem.pi16[i],
                           t->el_params.sa.scale_frac_bits.mem.pi8[i]};
}

static int width_of(mli_element_type type)
{
    return type == MLI_EL_FX_16 ? 16 : type == MLI_EL_SA_32 || type == MLI_EL_FP_32 ? 32 : 8;
}

/* 7.2, integer to integer. */
static int64_t model_integer(int64_t x, struct params a, struct params b, int wide, int bits,
                             int convergent)
{
    const int k = model_norm(a.s, 32) - model_norm(b.s, 16);
    const int64_t q = (a.s * ((int64_t)1 << k)) / b.s;
    int64_t scale;
    int m;
    model_norm_cast(q, convergent, &scale, &m);
    const int shift = k + a.n - b.n - m;
    if (!wide) {
        const int64_t d = model_sat(x - a.z, 16);
        return model_sat(model_rsh(d * scale, shift < 31 ? shift : 31, 32, convergent) + b.z, bits);
    }
    const int64_t d = model_sat(x - a.z, 32);
    const int e1 = model_norm(d, 32), e2 = model_norm(scale, 32);
    const int64_t h =
        model_floor_div(d * ((int64_t)1 << e1) * (scale << (e2 - 16)), (int64_t)1 << 16);
    const int64_t r = model_rsh(h, (shift < 63 ? shift : 63) + e1 + e2 - 32, 32, convergent);
    return model_sat(model_sat(r + b.z, 32), bits);
}

/* v * 2^n, exact in double for what floats and n of 8 bits need. */
static double times_power(double v, int n)
{
    for (; n > 0; n--)
        v *= 2;
    for (; n < 0; n++)
        v /= 2;
    return v;
}

/* 7.3; every operation is stored as a float. */
static int64_t model_quantize(float x, struct params b, int bits)
{
    const volatile float inverse = 1.0F / (float)b.s;
    const volatile float k = (float)times_power((double)inverse, b.n);
    const volatile float t = x * k;
    const volatile float u = t + (x > 0 ? 0.5F : -0.5F);
    if (u != u)
        return model_sat(b.z, bits);
    const int64_t v = u >= 2147483648.0F ? INT32_MAX : u < -2147483648.0F ? INT32_MIN : (int64_t)u;
    return model_sat(model_sat(v + b.z, 32), bits);
}

static float model_dequantize(int64_t x, struct params a)
{
    const volatile float k = (float)times_power((double)a.s, -a.n);
    const volatile float d = (float)model_sat(x - a.z, 32);
    return d * k;
}

enum { ELEMENTS = 3000 };

union data {
    int8_t i8[4 * ELEMENTS];
    int16_t i16[2 * ELEMENTS];
    int32_t i32[ELEMENTS];
    float f32[ELEMENTS];
};

static int64_t integer_at(const union data *data, mli_element_type type, size_t i)
{
    return width_of(type) == 8 ? data->i8[i] : width_of(type) == 16 ? data->i16[i] : data->i32[i];
}

static void check_element(const mli_tensor *src, const union data *from, size_t i,
                          const mli_tensor *dst, const union data *to, size_t j,
                          uint32_t axis_index, int convergent)
{
    const struct params a = params_at(src, axis_index), b = params_at(dst, axis_index);
    if (dst->el_type == MLI_EL_FP_32) {
        const float want = src->el_type == MLI_EL_FP_32
                               ? from->f32[i]
                               : model_dequantize(integer_at(from, src->el_type, i), a);
        assert_memory_equal(&to->f32[j], &want, sizeof want);
        return;
    }
    const int bits = width_of(dst->el_type), wide = bits == 32 || width_of(src->el_type) == 32;
    const int64_t want =
        src->el_type == MLI_EL_FP_32
            ? model_quantize(from->f32[i], b, bits)
            : model_integer(integer_at(from, src->el_type, i), a, b, wide, bits, convergent);
    const int64_t got = integer_at(to, dst->el_type, j);
    if (got != want)
        fail_msg("type %#x to %#x: container %lld with (%lld, %lld, %d) to (%lld, %lld, %d) is "
                 "%lld, not %lld",
                 (unsigned)src->el_type, (unsigned)dst->el_type,
                 src->el_type == MLI_EL_FP_32 ? 0 : (long long)integer_at(from, src->el_type, i),
                 (long long)a.s, (long long)a.z, a.n, (long long)b.s, (long long)b.z, b.n,
                 (long long)got, (long long)want);
}

/* Compares all of dst's memory: elements with the definition, gaps with the bytes before. */
static void check_tensor(const mli_tensor *src, const union data *from, const mli_tensor *dst,
                         const union data *to, const union data *before, int convergent)
{
    static uint8_t touched[sizeof(union data)];
    const size_t size = bytes_of(dst->el_type);
    memset(touched, 0, sizeof touched);
    const mli_tensor *quantized = (src->el_type & 0x100) && src->el_params.sa.dim >= 0   ? src
                                  : (dst->el_type & 0x100) && dst->el_params.sa.dim >= 0 ? dst
                                                                                         : NULL;
    uint32_t index[MLI_MAX_RANK] = {0}, d;
    do {
        size_t i = 0, j = 0;
        for (d = 0; d < src->rank; d++) {
            i += (size_t)index[d] * (size_t)src->mem_stride[d];
            j += (size_t)index[d] * (size_t)dst->mem_stride[d];
        }
        check_element(src, from, i, dst, to, j, quantized ? index[quantized->el_params.sa.dim] : 0,
                      convergent);
        memset(touched + j * size, 1, size);
        for (d = src->rank; d-- > 0;) {
            if (++index[d] < src->shape[d])
                break;
            index[d] = 0;
        }
    } while (d < src->rank);
    for (size_t k = 0; k < sizeof touched; k++)
        if (!touched[k])
            assert_int_equal(to->i8[k], before->i8[k]);
}

/*
 * Random tensors
 */
enum { ENTRIES = 200 };

struct lists {
    int16_t scale[ENTRIES], zero[ENTRIES];
    int8_t bits[ENTRIES];
};

static void set_params(mli_tensor *t, int axis, struct lists *lists)
{
    for (int i = 0; i < ENTRIES; i++) {
        lists->scale[i] = (int16_t)(random_in(0, 3) ? random_in(1, 32767) : 1 << random_in(0, 14));
        lists->zero[i] =
            (int16_t)(random_in(0, 7) ? random_in(-128, 127) : random_in(-32768, 32767));
        lists->bits[i] = (int8_t)(random_in(0, 15) ? random_in(5, 20) : random_in(-128, 127));
    }
    if (t->el_type == MLI_EL_FX_8 || t->el_type == MLI_EL_FX_16)
        *t = with_frac(*t, random_in(0, 7) ? random_in(-4, 10) : random_in(-128, 127));
    else if (t->el_type != MLI_EL_FP_32 && axis >= 0)
        *t = with_axis(*t, axis, t->shape[axis], lists->scale, lists->bits, lists->zero);
    else if (t->el_type != MLI_EL_FP_32)
        *t = with_scale(*t, lists->scale[0], lists->bits[0], lists->zero[0]);
}

static void fill(mli_element_type type, union data *data)
{
    random_bytes(data, sizeof *data);
    for (size_t i = 0; i < ELEMENTS; i++)
        if (type == MLI_EL_FP_32)
            data->f32[i] = (float)times_power(random_in(-(1 << 24), 1 << 24), random_in(-40, 8));
        else if (width_of(type) == 32)
            data->i32[i] >>= random_in(0, 31);
        else if (i % 8 == 0 && width_of(type) == 16)
            data->i16[i] = (int16_t)(i % 16 ? INT16_MIN : INT16_MAX);
}

static void test_pairs(void **state)
{
    (void)state;
    static union data from, to, before;
    static struct lists lists[2];
    for (int k = 0; k < 25 * 60; k++) {
        const mli_element_type a = types[k % 5], b = types[k / 5 % 5];
        const uint32_t rank = (uint32_t)random_in(1, 4);
        uint32_t shape[MLI_MAX_RANK];
        int32_t stride[2][MLI_MAX_RANK];
        for (uint32_t d = 0; d < rank; d++)
            shape[d] = (uint32_t)random_in(1, rank == 1 ? 180 : rank == 2 ? 40 : 6);
        if (rank == 2 && random_in(0, 2) == 0)
            shape[1] =
                (uint32_t)random_in(60, 70); /* more than parameters are prepared at a time */
        const int gaps = random_in(0, 1);
        for (int side = 0; side < 2; side++) {
            int32_t next = 1;
            for (uint32_t d = rank; d-- > 0;) {
                stride[side][d] = next;
                next = next * (int32_t)shape[d] + (gaps ? random_in(0, 1) : 0);
            }
        }
        mli_tensor src = tensor(a, &from, rank, shape, stride[0]);
        mli_tensor dst = tensor(b, &to, rank, shape, stride[1]);
        assert_true(src.data.capacity <= sizeof from && dst.data.capacity <= sizeof to);
        const int axis = random_in(0, (int)rank - 1);
        set_params(&src, random_in(0, 2) ? -1 : axis, &lists[0]);
        set_params(&dst, random_in(0, 2) ? -1 : axis, &lists[1]);
        fill(a, &from);
        memset(&before, 0x5A, sizeof before);
        const int profile = k / 25 % 4;
        use_profile(profile);
        for (size_t level = 0; level < COUNT(levels); level++) {
            if (mli_ext_set_cpu(levels[level]) != MLI_STATUS_OK)
                continue;
            memcpy(&to, &before, sizeof to);
            const mli_tensor fields = dst;
            assert_int_equal(mli_hlp_convert_tensor(&src, &dst), MLI_STATUS_OK);
            assert_memory_equal(&dst, &fields, sizeof dst);
            check_tensor(&src, &from, &dst, &to, &before, is_convergent(profile));
        }
    }
}

/* Same memory, containers of one size, equal strides: as with separate buffers. */
static void test_in_place(void **state)
{
    (void)state;
    static union data from, place;
    static struct lists lists[2];
    for (int k = 0; k < 25 * 12; k++) {
        const mli_element_type a = types[k % 5], b = types[k / 5 % 5];
        if (width_of(a) != width_of(b))
            continue;
        const uint32_t shape[] = {(uint32_t)random_in(1, 3), (uint32_t)random_in(1, 3),
                                  (uint32_t)random_in(1, 190)};
        const int32_t row = (int32_t)shape[2] + random_in(0, 1),
                      plane = row * (int32_t)shape[1] + random_in(0, 5);
        const int32_t stride[] = {plane, row, 1};
        mli_tensor src = tensor(a, &place, 3, shape, stride),
                   dst = tensor(b, &place, 3, shape, stride);
        const int axis = random_in(0, 2);
        set_params(&src, random_in(0, 1) ? -1 : axis, &lists[0]);
        set_params(&dst, random_in(0, 1) ? -1 : axis, &lists[1]);
        fill(a, &from);
        const int profile = k / 25 % 4;
        use_profile(profile);
        for (size_t level = 0; level < COUNT(levels); level++) {
            if (mli_ext_set_cpu(levels[level]) != MLI_STATUS_OK)
                continue;
            memcpy(&place, &from, sizeof place);
            assert_int_equal(mli_hlp_convert_tensor(&src, &dst), MLI_STATUS_OK);
            check_tensor(&src, &from, &dst, &place, &from, is_convergent(profile));
        }
    }
}

/* Values by hand: 7.2 and 7.3 of the text. */
static void test_examples(void **state)
{
    (void)state;
    for (int profile = 0; profile < 4; profile++) {
        use_profile(profile);
        int8_t x8[] = {5, -5, 3, -3, 1, -128, 127, 0}, y8[8];
        mli_tensor src = with_frac(tensor(MLI_EL_FX_8, x8, SHAPE1(8), NULL), 3);
        mli_tensor dst = with_frac(tensor(MLI_EL_FX_8, y8, SHAPE1(8), NULL), 2);
        assert_int_equal(mli_hlp_convert_tensor_safx(&src, &dst), MLI_STATUS_OK);
        const int8_t up[] = {3, -2, 2, -1, 1, -64, 64, 0},
                     convergent[] = {2, -2, 2, -2, 0, -64, 64, 0};
        assert_memory_equal(y8, is_convergent(profile) ? convergent : up, 8);
        dst = with_frac(dst, 127); /* saturated to the left */
        assert_int_equal(mli_hlp_convert_tensor_safx(&src, &dst), MLI_STATUS_OK);
        assert_memory_equal(y8, ((const int8_t[]){127, -128, 127, -128, 127, -128, 127, 0}), 8);

        int32_t x32[] = {INT32_MAX, (1 << 29) - 1, -(1 << 29), INT32_MIN, 7}, y32[5];
        src = with_scale(tensor(MLI_EL_SA_32, x32, SHAPE1(5), NULL), 77, 3, 0);
        dst = with_scale(tensor(MLI_EL_SA_32, y32, SHAPE1(5), NULL), 77, 3, 0);
        assert_int_equal(mli_hlp_convert_tensor(&src, &dst), MLI_STATUS_OK);
        assert_memory_equal(
            y32, ((const int32_t[]){INT32_MAX - 3, (1 << 29) - 1, -(1 << 29), INT32_MIN, 7}), 20);

        float f[] = {0.49999997F, 8388609.0F, 2.5F, -2.5F, 0.4F, -0.6F};
        src = tensor(MLI_EL_FP_32, f, SHAPE1(6), NULL);
        dst = with_scale(tensor(MLI_EL_SA_32, y32, SHAPE1(5), NULL), 1, 0, 0);
        dst.shape[0] = src.shape[0] = 5;
        assert_int_equal(mli_hlp_convert_tensor(&src, &dst), MLI_STATUS_OK);
        assert_memory_equal(y32, ((const int32_t[]){1, 8388610, 3, -3, 0}), 20);
        float g[5];
        src = with_scale(tensor(MLI_EL_SA_32, y32, SHAPE1(5), NULL), 3, 1, 1);
        dst = tensor(MLI_EL_FP_32, g, SHAPE1(5), NULL);
        assert_int_equal(mli_hlp_convert_tensor(&src, &dst), MLI_STATUS_OK);
        assert_memory_equal(g, ((const float[]){0.0F, 12582914.0F, 3.0F, -6.0F, -1.5F}), 20);
    }
}

/* Numbers that leave the defined range of the original: the nearest container; none at all: the
 * zero point. */
static void test_real_extremes(void **state)
{
    (void)state;
    float x[] = {3e9F, -3e9F, INFINITY, -INFINITY, NAN, 2147483648.0F, 1e38F, -2147483648.0F};
    int8_t y8[8];
    int16_t y16[8];
    int32_t y32[8];
    const mli_tensor src = tensor(MLI_EL_FP_32, x, SHAPE1(8), NULL);
    mli_tensor dst8 = with_scale(tensor(MLI_EL_SA_8, y8, SHAPE1(8), NULL), 1, 0, -9);
    mli_tensor dst16 = with_frac(tensor(MLI_EL_FX_16, y16, SHAPE1(8), NULL), 5);
    mli_tensor dst32 = with_scale(tensor(MLI_EL_SA_32, y32, SHAPE1(8), NULL), 1, 0, 5);
    for (size_t level = 0; level < COUNT(levels); level++) {
        if (mli_ext_set_cpu(levels[level]) != MLI_STATUS_OK)
            continue;
        assert_int_equal(mli_hlp_convert_tensor(&src, &dst8), MLI_STATUS_OK);
        assert_memory_equal(y8, ((const int8_t[]){127, -128, 127, -128, -9, 127, 127, -128}),
                            sizeof y8);
        assert_int_equal(mli_hlp_convert_tensor(&src, &dst16), MLI_STATUS_OK);
        const int16_t high = INT16_MAX, low = INT16_MIN;
        assert_memory_equal(y16, ((const int16_t[]){high, low, high, low, 0, high, high, low}),
                            sizeof y16);
        assert_int_equal(mli_hlp_convert_tensor(&src, &dst32), MLI_STATUS_OK);
        const int32_t top = INT32_MAX, bottom = INT32_MIN + 5;
        assert_memory_equal(y32, ((const int32_t[]){top, bottom, top, bottom, 5, top, top, bottom}),
                            sizeof y32);
    }
    /* the largest float below 2^31 is exact; formats at the ends of their range, where 2^128 itself
     * is no float */
    float edges[] = {0x1.fffffep30F, 0x1.8p127F, 0x1p-120F, -0x1p-127F};
    mli_tensor edge = tensor(MLI_EL_FP_32, edges, SHAPE1(1), NULL);
    dst32 = with_scale(tensor(MLI_EL_SA_32, y32, SHAPE1(1), NULL), 1, 0, 0);
    assert_int_equal(mli_hlp_convert_tensor(&edge, &dst32), MLI_STATUS_OK);
    assert_int_equal(y32[0], 2147483520);
    static const struct {
        size_t from;
        int frac_bits, want;
    } ends[] = {{1, -128, 1},  {1, -127, 2}, {1, -126, 3},
                {2, 127, 128}, {2, 126, 64}, {3, 127, -1}};
    for (size_t i = 0; i < COUNT(ends); i++) {
        edge = tensor(MLI_EL_FP_32, edges + ends[i].from, SHAPE1(1), NULL);
        dst16 = with_frac(tensor(MLI_EL_FX_16, y16, SHAPE1(1), NULL), ends[i].frac_bits);
        assert_int_equal(mli_hlp_convert_tensor(&edge, &dst16), MLI_STATUS_OK);
        assert_int_equal(y16[0], ends[i].want);
    }
    int8_t one = 1;
    float power = 0;
    mli_tensor reals = tensor(MLI_EL_FP_32, &power, SHAPE1(1), NULL);
    mli_tensor ones = with_frac(tensor(MLI_EL_FX_8, &one, SHAPE1(1), NULL), 127);
    assert_int_equal(mli_hlp_convert_tensor(&ones, &reals), MLI_STATUS_OK);
    assert_true(power == 0x1p-127F);
    ones = with_frac(ones, -127);
    assert_int_equal(mli_hlp_convert_tensor(&ones, &reals), MLI_STATUS_OK);
    assert_true(power == 0x1p127F);

    uint32_t bits[] = {0x7F800001, 0xFFC12345, 0x80000000, 1},
             copy[4]; /* FP_32 to FP_32 keeps every bit */
    const mli_tensor from = tensor(MLI_EL_FP_32, bits, SHAPE1(4), NULL);
    mli_tensor to = tensor(MLI_EL_FP_32, copy, SHAPE1(4), NULL);
    assert_int_equal(mli_hlp_convert_tensor(&from, &to), MLI_STATUS_OK);
    assert_memory_equal(copy, bits, sizeof bits);
}

/*
 * Statuses (7.5)
 */
struct call {
    mli_tensor src, dst;
    mli_tensor *p_src, *p_dst;
};

static int16_t status_src[64], status_dst[64];
static int16_t status_list[8] = {1, 1, 1, 1, 1, 1, 1, 1};

static void src_null(struct call *c)
{
    c->p_src = NULL;
}
static void src_room(struct call *c)
{
    c->src.data.capacity = 3;
}
static void dst_stride(struct call *c)
{
    c->dst.mem_stride[0] = 2;
}
static void shape(struct call *c)
{
    c->src.shape[0] = 1;
}
static void inner(struct call *c)
{
    c->src.mem_stride[1] = 2, c->src.mem_stride[0] = 8;
}
static void place(struct call *c)
{
    c->dst.data.mem.pi8 = c->src.data.mem.pi8;
    c->dst.mem_stride[0] += 5;
}
static void dims(struct call *c)
{
    c->src.el_params.sa.dim = 0;
    c->dst.el_params.sa.dim = 1;
}
static void type(struct call *c)
{
    c->dst.el_type = MLI_EL_FX_4;
}
static void lists(struct call *c)
{
    if (c->src.el_params.sa.dim < 0)
        c->src.el_params.sa.dim = 0; /* pointers that are 0x0003, 1, 0: only NULL is seen */
    c->src.el_params.sa.zero_point.mem.pi16 = NULL;
}

static const struct {
    void (*apply)(struct call *);
    mli_status status;
} faults[] = {
    {src_null, MLI_STATUS_BAD_TENSOR},        {src_room, MLI_STATUS_NOT_ENGH_MEM},
    {dst_stride, MLI_STATUS_BAD_TENSOR},      {shape, MLI_STATUS_SHAPE_MISMATCH},
    {inner, MLI_STATUS_INCOMPATEBLE_TENSORS}, {place, MLI_STATUS_INCOMPATEBLE_TENSORS},
    {dims, MLI_STATUS_SIZE_MISMATCH},         {type, MLI_STATUS_TYPE_MISMATCH},
    {lists, MLI_STATUS_BAD_TENSOR},
};

static void test_status(void **state)
{
    (void)state;
    needs_checks();
    for (size_t i = 0; i < COUNT(faults); i++) {
        for (size_t j = i; j < COUNT(faults); j++) {
            if (faults[i].apply == dst_stride && faults[j].apply == place)
                continue; /* undo each other */
            if ((faults[i].apply == place || faults[i].apply == dims) && faults[j].apply == type)
                continue; /* of another type: neither strides nor axes are compared */
            struct call c;
            memset(&c, 0, sizeof c);
            c.src = with_scale(tensor(MLI_EL_SA_8, status_src, SHAPE2(2, 4), NULL), 3, 1, 0);
            c.dst = with_scale(tensor(MLI_EL_SA_8, status_dst, SHAPE2(2, 4), NULL), 3, 1,
                               999); /* not looked at */
            c.src.data.capacity = c.dst.data.capacity = 64;
            c.p_src = &c.src, c.p_dst = &c.dst;
            assert_int_equal(mli_hlp_convert_tensor_safx(c.p_src, c.p_dst), MLI_STATUS_OK);
            memset(status_dst, 0x5A, sizeof status_dst);
            faults[i].apply(&c);
            if (j > i)
                faults[j].apply(&c);
            const mli_status got = mli_hlp_convert_tensor(c.p_src, c.p_dst);
            if (got != faults[i].status)
                fail_msg("faults %zu and %zu: status %d, should be %d", i, j, got,
                         faults[i].status);
            assert_int_equal(mli_hlp_convert_tensor_safx(c.p_src, c.p_dst), got);
            for (size_t k = 0; k < COUNT(status_dst); k++)
                assert_int_equal(status_dst[k], 0x5A5A);
        }
    }
    assert_int_equal(mli_hlp_convert_tensor(NULL, NULL), MLI_STATUS_BAD_TENSOR);
}

static void test_odd_tensors(void **state)
{
    (void)state;
    needs_checks();
    mli_tensor src = with_scale(tensor(MLI_EL_SA_8, status_src, SHAPE1(4), NULL), 3, 1, 0);
    mli_tensor fp = tensor(MLI_EL_FP_32, status_dst, SHAPE1(4), NULL);
    mli_tensor dst = with_scale(tensor(MLI_EL_SA_8, status_dst, SHAPE1(4), NULL), 3, 1, 0);
    assert_int_equal(mli_hlp_convert_tensor_safx(&src, &fp), MLI_STATUS_TYPE_MISMATCH);
    assert_int_equal(mli_hlp_convert_tensor_safx(&fp, &src), MLI_STATUS_TYPE_MISMATCH);
    assert_int_equal(mli_hlp_convert_tensor(&src, &fp), MLI_STATUS_OK);
    fp.el_type = MLI_EL_FP_16;
    assert_int_equal(mli_hlp_convert_tensor(&src, &fp), MLI_STATUS_TYPE_MISMATCH);
    /* undefined in the original: scales of 0 and below, an axis that is none */
    src.el_params.sa.scale.mem.i16 = 0;
    assert_int_equal(mli_hlp_convert_tensor(&src, &dst), MLI_STATUS_BAD_TENSOR);
    src.el_params.sa.scale.mem.i16 = 3;
    dst.el_params.sa.scale.mem.i16 = -1;
    assert_int_equal(mli_hlp_convert_tensor(&src, &dst), MLI_STATUS_BAD_TENSOR);
    int8_t bits[4] = {0};
    dst = with_axis(dst, 1, 4, status_list, bits, status_list);
    assert_int_equal(mli_hlp_convert_tensor(&src, &dst), MLI_STATUS_BAD_TENSOR);
    dst.el_params.sa.dim = 0;
    assert_int_equal(mli_hlp_convert_tensor(&src, &dst), MLI_STATUS_OK);
    /* rank 0: a scalar is refused; with a pointer it is one element */
    int8_t one = 24, result = 0;
    mli_tensor a = with_frac(tensor(MLI_EL_FX_8, &one, SHAPE1(1), NULL), 3);
    mli_tensor b = with_frac(tensor(MLI_EL_FX_8, &result, SHAPE1(1), NULL), 1);
    a.rank = b.rank = 0;
    assert_int_equal(mli_hlp_convert_tensor(&a, &b), MLI_STATUS_OK);
    assert_int_equal(result, 6);
    a.data.capacity = 0;
    assert_int_equal(mli_hlp_convert_tensor(&a, &b), MLI_STATUS_NOT_ENGH_MEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples), cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_in_place), cmocka_unit_test(test_real_extremes),
        cmocka_unit_test(test_status),   cmocka_unit_test(test_odd_tensors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
