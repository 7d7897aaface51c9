/* What tests of activations and recurrent layers share: levels, look-up tables, and the steps of
 * recurrent.md 4 to 6 element by element on mathematical integers, written from the text and not
 * from the library. */
#ifndef LB_TEST_RNN_SUPPORT_H
#define LB_TEST_RNN_SUPPORT_H

#include "levels.h"
#include "support.h"

/* False if this processor lacks the level. */
static inline int use_level(size_t index)
{
    return mli_ext_set_cpu(levels[index]) == MLI_STATUS_OK;
}

typedef mli_status create_fn(mli_lut *);

struct table {
    mli_lut lut;
    int16_t data[360];
};

static inline void make_table(struct table *t, create_fn *create)
{
    memset(t, 0, sizeof *t);
    t->lut.data.mem.pi16 = t->data;
    t->lut.data.capacity = sizeof t->data;
    assert_int_equal(create(&t->lut), MLI_STATUS_OK);
}

/* Scale, zero point, bits; fx: 1, 0, frac_bits. */
struct fmt {
    int s, z, f;
};

enum function { SIGM, TANH };
enum type { T_FX8, T_FX16, T_SA8 };

static inline int64_t model_clamp(int64_t v, int64_t lo, int64_t hi)
{
    v = v < hi ? v : hi;
    return v > lo ? v : lo;
}

/* floor(v / 2^n) */
static inline int64_t model_asr(int64_t v, int n)
{
    return model_floor_div(v, (int64_t)1 << n);
}

static inline int64_t model_interp(const mli_lut *lut, int64_t x, int k, int convergent)
{
    const int16_t *t = lut->data.mem.pi16;
    const int64_t i =
        model_clamp(model_sat(model_asr(x, k) + lut->input_offset, 32), 0, lut->length - 2);
    const int64_t rest = x - model_asr(x, k) * ((int64_t)1 << k);
    return t[i] - model_sat(model_rsh((t[i] - t[i + 1]) * rest, k, 32, convergent), 16);
}

static inline int64_t model_direct(const mli_lut *lut, int64_t x, int left)
{
    const int64_t i = model_sat(model_rsh(x, -left, 32, 0) + lut->input_offset, 32);
    return lut->data.mem.pi16[model_clamp(i, 0, lut->length - 1)];
}

/* elementwise.md 6: x with frac fractional bits. */
static inline int64_t model_lookup(const mli_lut *lut, int64_t x, int frac, int convergent)
{
    const int d = frac - lut->in_frac_bits;
    if (d <= 0)
        return model_direct(lut, x, -d);
    return model_interp(lut, model_asr(x, (int)model_clamp(d - 15, 0, 15)), d < 15 ? d : 15,
                        convergent);
}

/* recurrent.md 4: one element. */
static inline int64_t model_activation(enum function function, enum type type, const mli_lut *lut,
                                       struct fmt in, int64_t v, int convergent)
{
    if (type == T_SA8) {
        const int g = function == SIGM ? 8 : 7, zero = function == SIGM ? -128 : 0;
        const int64_t x =
            model_rsh((v - in.z) * in.s, in.f - (lut->in_frac_bits + 8), 32, convergent);
        const int64_t res = model_interp(lut, x, 8, convergent);
        return model_sat(model_rsh(res, lut->out_frac_bits - g, 32, convergent) + zero, 8);
    }
    const int64_t res = model_lookup(lut, v, in.f, convergent);
    return type == T_FX16 ? res : model_sat(model_rsh(res, 8, 16, convergent), 8);
}

static inline struct fmt activation_format(enum function function, enum type type)
{
    static const struct fmt fx8 = {1, 0, 7}, fx16 = {1, 0, 15}, sigm = {1, -128, 8},
                            tanh = {1, 0, 7};
    return type == T_FX8 ? fx8 : type == T_FX16 ? fx16 : function == SIGM ? sigm : tanh;
}

/* recurrent.md 6, MUL. */
static inline int64_t model_mul(enum type type, int64_t a, int64_t b, struct fmt qa, struct fmt qb,
                                struct fmt qo, int convergent)
{
    if (type != T_SA8) {
        const int shift = qa.f + qb.f - qo.f;
        return model_sat(model_rsh(a * b, shift < 31 ? shift : 31, 64, convergent), 16);
    }
    const int64_t p = (int64_t)qa.s * qb.s;
    const int n = model_norm(p, 32);
    const int64_t q = p * ((int64_t)1 << n) / qo.s;
    const int k = 16 - model_norm(q, 32);
    int64_t m = model_sat(model_rsh(q, k, 32, convergent), 16);
    int post = qa.f + qb.f - qo.f + n - k;
    const int e = (post > 31 ? post - 31 : 0) + (post < -31 ? post + 31 : 0);
    m = model_rsh(m, e, 16, convergent);
    post -= e;
    const int pre = (int)model_clamp(post - 21, 0, 3);
    int64_t v = model_sat(model_rsh((a - qa.z) * (b - qb.z), pre, 32, convergent), 16);
    v = model_sat(model_rsh(v * m, post - pre, 32, convergent), 16);
    return model_sat(model_sat(v + qo.z, 16), 8);
}

static inline int64_t model_add_operand(int64_t v, struct fmt q, struct fmt qo, int convergent)
{
    const int n = model_norm(q.s, 32);
    const int64_t quotient = q.s * ((int64_t)1 << n) / qo.s;
    const int k = 16 - model_norm(quotient, 32);
    int64_t m = model_sat(model_rsh(quotient, k, 32, convergent), 16);
    const int t = n + q.f - qo.f - k;
    const int e = (t > 23 ? t - 23 : 0) + (t < -31 ? t + 31 : 0);
    m = model_rsh(m, e, 16, convergent);
    return model_rsh((v - q.z) * m, t - e, 32, convergent);
}

/* recurrent.md 6, ADD. */
static inline int64_t model_add(enum type type, int64_t a, int64_t b, struct fmt qa, struct fmt qb,
                                struct fmt qo, int convergent)
{
    if (type == T_SA8) {
        const int64_t y = model_sat(model_add_operand(a, qa, qo, convergent) +
                                        model_add_operand(b, qb, qo, convergent),
                                    32);
        return model_sat(model_sat(model_sat(y, 16) + qo.z, 16), 8);
    }
    const int f = qa.f > qb.f ? qa.f : qb.f;
    const int64_t sum =
        model_sat(model_rsh(a, qa.f - f, 32, 0) + model_rsh(b, qb.f - f, 32, 0), 32);
    return model_sat(model_rsh(sum, f - qo.f < 31 ? f - qo.f : 31, 64, convergent), 16);
}

/*
 * Dense layers (recurrent.md 5): operands in the containers of the variant.
 */
enum variant { V_FX16, V_FX16_FX8, V_SA8, VARIANTS };

static const struct {
    mli_element_type in, weights, bias;
    int width; /* of the accumulator */
} variants[VARIANTS] = {
    {MLI_EL_FX_16, MLI_EL_FX_16, MLI_EL_FX_16, 64},
    {MLI_EL_FX_16, MLI_EL_FX_8, MLI_EL_FX_8, 32},
    {MLI_EL_SA_8, MLI_EL_SA_8, MLI_EL_SA_32, 32},
};

static inline int64_t element(mli_element_type type, const void *data, ptrdiff_t i)
{
    const uint32_t bytes = bytes_of(type);
    return bytes == 1   ? ((const int8_t *)data)[i]
           : bytes == 2 ? ((const int16_t *)data)[i]
                        : ((const int32_t *)data)[i];
}

static inline void set_element(mli_element_type type, void *data, ptrdiff_t i, int64_t v)
{
    if (bytes_of(type) == 1)
        ((int8_t *)data)[i] = (int8_t)v;
    else
        ((int16_t *)data)[i] = (int16_t)v;
}

/* One input of a layer: n elements; matrix from element first on, row elements from one row to the
 * next. */
struct operand {
    const void *x, *w;
    int n;
    ptrdiff_t first, row;
    struct fmt qx, qw;
};

static inline int64_t model_aligned_bias(enum variant v, int64_t b, int shift)
{
    if (v == V_FX16_FX8)
        return model_rsh(b, -shift, 32, 0);
    return (int32_t)(uint32_t)(uint64_t)model_rsh(b, -shift, 64, 0); /* the low 32 bits */
}

static inline int64_t model_leading_bits(int64_t b)
{
    const int cut = 16 - model_norm(b, 32) > 0 ? 16 - model_norm(b, 32) : 0;
    return model_floor_div(b, (int64_t)1 << cut) * ((int64_t)1 << cut);
}

/* Column m. bias: container, qb its format. */
static inline int64_t model_dense(enum variant v, const struct operand *inputs, int count,
                                  ptrdiff_t m, int64_t bias, struct fmt qb, struct fmt qo,
                                  int profile)
{
    const int convergent = is_convergent(profile), width = variants[v].width;
    int64_t total = 0;
    for (int j = 0; j < count; j++) {
        const struct operand *o = &inputs[j];
        int64_t acc = 0, part;
        for (int k = 0; k < o->n; k++)
            acc += (element(variants[v].in, o->x, k) - o->qx.z) *
                   element(variants[v].weights, o->w, o->first + k * o->row + m);
        if (v == V_SA8) {
            if (j == 0)
                acc += is_reduced(profile) ? model_leading_bits(bias) : bias;
            const int n1 = model_norm(o->qx.s, 32);
            const int64_t q = o->qx.s * ((int64_t)1 << n1) / qo.s;
            const int n2 = model_norm(q, 32);
            const int64_t ratio = model_sat(model_rsh(q, 16 - n2, 32, convergent), 16);
            const int shift = o->qx.f + n1 - qo.f - (16 - n2) + o->qw.f;
            part = model_sat(
                model_rsh(acc * (ratio * o->qw.s), shift < 63 ? shift : 63, 64, convergent), 32);
        } else {
            const int shift = o->qx.f + o->qw.f - qo.f;
            if (j == 0)
                acc += model_aligned_bias(v, bias, o->qx.f + o->qw.f - qb.f);
            part = model_rsh(acc, v == V_FX16 && shift > 39 ? 39 : shift, width, convergent);
        }
        if (width == 64) /* no test comes near the ends, but for parts that saturate there */
            total = part > 0 && total > INT64_MAX - part   ? INT64_MAX
                    : part < 0 && total < INT64_MIN - part ? INT64_MIN
                                                           : total + part;
        else
            total = model_sat(total + part, 32);
    }
    return v == V_SA8 ? model_sat(model_sat(model_sat(total, 16) + qo.z, 16), 8)
                      : model_sat(total, 16);
}

/* Format of a tensor from fmt. */
static inline mli_tensor with_fmt(mli_tensor t, struct fmt q)
{
    if (t.el_type == MLI_EL_SA_8 || t.el_type == MLI_EL_SA_32)
        return with_scale(t, q.s, q.f, q.z);
    return with_frac(t, q.f);
}

/* Scale and bits of a bias that the checks accept beside such an input and weights; 0 if there are
 * none. */
static inline int fit_bias_scale(struct fmt in, struct fmt weights, struct fmt *bias)
{
    const int64_t product = (int64_t)in.s * weights.s;
    for (int d = 0; d < 17; d++) {
        const int64_t e = model_rsh(product, d, 32, 0);
        const int f = in.f + weights.f - d;
        if (e > 1 && e <= 32767 && f >= -128 && f <= 127) {
            *bias = (struct fmt){(int)e, 0, f};
            return 1;
        }
    }
    return 0;
}

/* Parameters from tiny to huge, mostly ordinary. */
static inline int random_scale(void)
{
    const int s = random_in(1, 32767) >> random_in(0, 14);
    return s > 0 ? s : 1;
}

#endif
