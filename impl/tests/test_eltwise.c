/* mli_krn_eltwise_*: every pair of 8-bit operands under random formats (shifts to the left and past
 * the caps included) against the formulas of elementwise.md 5, the quirks named there, scalars,
 * strides, in place, statuses. */
#include "support.h"

typedef mli_status kernel(const mli_tensor *, const mli_tensor *, mli_tensor *);

enum op { ADD, SUB, MUL, MIN, MAX, OPS };
enum kind { FX8, FX16, SA8, KINDS };

static kernel *const kernels[OPS][KINDS] = {
    {mli_krn_eltwise_add_fx8, mli_krn_eltwise_add_fx16, mli_krn_eltwise_add_sa8},
    {mli_krn_eltwise_sub_fx8, mli_krn_eltwise_sub_fx16, mli_krn_eltwise_sub_sa8},
    {mli_krn_eltwise_mul_fx8, mli_krn_eltwise_mul_fx16, mli_krn_eltwise_mul_sa8},
    {mli_krn_eltwise_min_fx8, mli_krn_eltwise_min_fx16, mli_krn_eltwise_min_sa8},
    {mli_krn_eltwise_max_fx8, mli_krn_eltwise_max_fx16, mli_krn_eltwise_max_sa8},
};
static const mli_element_type types[KINDS] = {MLI_EL_FX_8, MLI_EL_FX_16, MLI_EL_SA_8};

/* Scale, zero, bits of in1, in2, out. */
struct formats {
    int s[3], z[3], f[3];
};

static int64_t model_fx(enum op op, int bits, const struct formats *q, int64_t a, int64_t b,
                        int convergent)
{
    const int common = q->f[0] > q->f[1] ? q->f[0] : q->f[1];
    int shift;
    int64_t c;
    switch (op) {
    case ADD:
    case SUB:
        a = model_rsh(a, q->f[0] - common, 32, convergent);
        b = model_rsh(b, q->f[1] - common, 32, convergent);
        c = model_sat(op == ADD ? a + b : a - b, 32);
        shift = common - q->f[2];
        break;
    case MUL:
        c = a * b;
        shift = q->f[0] + q->f[1] - q->f[2];
        break;
    default:
        c = (op == MIN) == (a < b) ? a : b;
        shift = q->f[0] - q->f[2];
        return model_rsh(c, shift > bits - 1 ? bits - 1 : shift, bits, convergent);
    }
    return model_sat(model_rsh(c, shift > 2 * bits - 1 ? 2 * bits - 1 : shift, 64, convergent),
                     bits);
}

struct factor {
    int64_t mul;
    int shift;
};

static struct factor model_ratio(int64_t p, int64_t so, int t, int hi, int convergent)
{
    struct factor f;
    int e;
    const int n = model_norm(p, 32);
    model_norm_cast(p * ((int64_t)1 << n) / so, convergent, &f.mul, &e);
    f.shift = t + n - e;
    const int c = (f.shift > hi ? f.shift - hi : 0) + (f.shift + 31 < 0 ? f.shift + 31 : 0);
    f.mul = model_rsh(f.mul, c, 16, convergent);
    f.shift -= c;
    return f;
}

static int64_t model_sa(enum op op, const struct formats *q, int64_t a, int64_t b, int convergent)
{
    const int64_t u = a - q->z[0], v = b - q->z[1];
    int64_t w;
    if (op == ADD || op == SUB) {
        const struct factor f1 = model_ratio(q->s[0], q->s[2], q->f[0] - q->f[2], 23, convergent);
        const struct factor f2 = model_ratio(q->s[1], q->s[2], q->f[1] - q->f[2], 23, convergent);
        const int64_t x = model_rsh(u * f1.mul, f1.shift, 32, convergent);
        const int64_t y = model_rsh(v * f2.mul, f2.shift, 32, convergent);
        w = model_sat(op == ADD ? x + y : x - y, 32);
    } else if (op == MUL) {
        const struct factor f = model_ratio((int64_t)q->s[0] * q->s[1], q->s[2],
                                            q->f[0] + q->f[1] - q->f[2], 31, convergent);
        const int pre = f.shift - 21 < 0 ? 0 : f.shift - 21 > 3 ? 3 : f.shift - 21;
        w = model_rsh(model_sat(model_rsh(u * v, pre, 32, convergent), 16) * f.mul, f.shift - pre,
                      32, convergent);
    } else {
        const struct factor f = model_ratio(q->s[0], q->s[2], q->f[0] - q->f[2], 23, convergent);
        const int64_t x = u * f.mul, y = v * f.mul;
        w = model_rsh((op == MIN) == (x < y) ? x : y, f.shift, 32, convergent);
    }
    return model_sat(model_sat(model_sat(w, 16) + q->z[2], 16), 8);
}

static int64_t model(enum op op, enum kind kind, const struct formats *q, int64_t a, int64_t b,
                     int convergent)
{
    return kind == SA8 ? model_sa(op, q, a, b, convergent)
                       : model_fx(op, kind == FX16 ? 16 : 8, q, a, b, convergent);
}

static mli_tensor formatted(enum kind kind, mli_tensor t, const struct formats *q, int role)
{
    return kind == SA8 ? with_scale(t, q->s[role], q->f[role], q->z[role])
                       : with_frac(t, q->f[role]);
}

/* ordinary: formats a few octaves apart; else anything. min and max want equal operands. */
static struct formats random_formats(enum op op, enum kind kind, int ordinary)
{
    struct formats q;
    const int middle = random_in(-100, 100);
    for (int i = 0; i < 3; i++) {
        q.s[i] = random_in(1, 32767);
        q.z[i] = random_in(-128, 127);
        q.f[i] = ordinary ? middle / 8 + random_in(0, 8) : random_in(-128, 127);
    }
    if (ordinary && op == MUL)
        q.f[2] = q.f[0] + q.f[1] - random_in(0, 14);
    if (ordinary && kind != SA8 && op != MUL)
        q.f[2] = q.f[0] - random_in(0, 6);
    if (op >= MIN)
        q.s[1] = q.s[0], q.z[1] = q.z[0], q.f[1] = q.f[0];
    if (op >= MIN && random_in(0, 3) == 0) /* nothing to requantize but, at times, the zero point */
        q.s[2] = q.s[0], q.z[2] = random_in(0, 1) ? q.z[0] : q.z[2], q.f[2] = q.f[0];
    return q;
}

static int64_t element(enum kind kind, const void *data, size_t i)
{
    return kind == FX16 ? ((const int16_t *)data)[i] : ((const int8_t *)data)[i];
}

/* All 65536 pairs of 8 bits; for 16 bits as many pairs, the ends of the range among them. */
static void test_pairs(void **state)
{
    (void)state;
    enum { PAIRS = 65536 };
    static int16_t a16[PAIRS], b16[PAIRS], out[PAIRS];
    static int8_t a8[PAIRS], b8[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        a8[i] = (int8_t)(i / 256 - 128);
        b8[i] = (int8_t)(i % 256 - 128);
        a16[i] = (int16_t)(i % 7 ? (int)random_bits() % 32768 : i % 2 ? -32768 : 32767);
        b16[i] = (int16_t)(i % 5 ? (int)random_bits() % 32768 : i % 3 ? -32768 : 32767);
    }
    for (int i = 0; i < OPS * KINDS * 8; i++) {
        const enum op op = (enum op)(i % OPS);
        const enum kind kind = (enum kind)(i / OPS % KINDS);
        const struct formats q = random_formats(op, kind, i / (OPS * KINDS) % 2);
        void *const a = kind == FX16 ? (void *)a16 : (void *)a8;
        void *const b = kind == FX16 ? (void *)b16 : (void *)b8;
        const mli_tensor in1 = formatted(kind, tensor(types[kind], a, SHAPE1(PAIRS), NULL), &q, 0);
        const mli_tensor in2 = formatted(kind, tensor(types[kind], b, SHAPE1(PAIRS), NULL), &q, 1);
        mli_tensor result = formatted(kind, tensor(types[kind], out, SHAPE1(PAIRS), NULL), &q, 2);
        for (int p = 0; p < 4; p += 2) {
            use_profile(p + i % 2); /* full and reduced are the same here */
            assert_int_equal(kernels[op][kind](&in1, &in2, &result), MLI_STATUS_OK);
            for (size_t k = 0; k < PAIRS; k++) {
                const int64_t x = element(kind, a, k), y = element(kind, b, k);
                if (element(kind, out, k) != model(op, kind, &q, x, y, is_convergent(p)))
                    fail_msg("op %d kind %d formats %d: %d, %d gives %d", op, kind, i, (int)x,
                             (int)y, (int)element(kind, out, k));
            }
        }
    }
}

/* Many formats, few elements: the planning. */
static void test_formats(void **state)
{
    (void)state;
    enum { N = 64 };
    int16_t a[N], b[N], out[N];
    for (int i = 0; i < OPS * KINDS * 3000; i++) {
        const enum op op = (enum op)(i % OPS);
        const enum kind kind = (enum kind)(i / OPS % KINDS);
        const struct formats q = random_formats(op, kind, i / (OPS * KINDS) % 2);
        random_bytes(a, sizeof a);
        random_bytes(b, sizeof b);
        const mli_tensor in1 = formatted(kind, tensor(types[kind], a, SHAPE1(N), NULL), &q, 0);
        const mli_tensor in2 = formatted(kind, tensor(types[kind], b, SHAPE1(N), NULL), &q, 1);
        mli_tensor result = formatted(kind, tensor(types[kind], out, SHAPE1(N), NULL), &q, 2);
        const int p = i / 7 % 4;
        use_profile(p);
        assert_int_equal(kernels[op][kind](&in1, &in2, &result), MLI_STATUS_OK);
        for (size_t k = 0; k < N; k++)
            assert_int_equal(element(kind, out, k), model(op, kind, &q, element(kind, a, k),
                                                          element(kind, b, k), is_convergent(p)));
    }
}

static int single_fx8(enum op op, int a, int f1, int b, int f2, int fo)
{
    int8_t x[] = {(int8_t)a}, y[] = {(int8_t)b}, z[] = {0};
    const mli_tensor in1 = with_frac(tensor(MLI_EL_FX_8, x, SHAPE1(1), NULL), f1);
    const mli_tensor in2 = with_frac(tensor(MLI_EL_FX_8, y, SHAPE1(1), NULL), f2);
    mli_tensor out = with_frac(tensor(MLI_EL_FX_8, z, SHAPE1(1), NULL), fo);
    assert_int_equal(kernels[op][FX8](&in1, &in2, &out), MLI_STATUS_OK);
    return z[0];
}

/* The examples that elementwise.md 5 names. */
static void test_quirks(void **state)
{
    (void)state;
    use_profile(0);
    assert_int_equal(single_fx8(MUL, -128, 10, -128, 10, 0), 1); /* the shift of 20 is cut to 15 */
    assert_int_equal(single_fx8(MAX, 127, 7, 127, 7, 6), 63);    /* the half saturates in 8 bits */
    assert_int_equal(single_fx8(MAX, 127, 7, 127, 7, 0), 0);
    assert_int_equal(single_fx8(ADD, 127, 0, 0, 20, 0), 127); /* 127 * 2^20 / 2^15, saturated */
    use_profile(2);
    assert_int_equal(single_fx8(MAX, 127, 7, 127, 7, 6), 64);
    assert_int_equal(single_fx8(MAX, 127, 7, 127, 7, 0), 1);
    assert_int_equal(single_fx8(MUL, -128, 10, -128, 10, 0), 0);
}

/*
 * Scalars, strides, in place: each result against the same operation on dense vectors.
 */
enum { H = 3, W = 700, PITCH = 704 };

static void check_layout(enum kind kind, enum op op, int scalar1, int scalar2, int place)
{
    static int16_t a[H * PITCH], b[H * PITCH], out[H * PITCH], a0[H * PITCH], b0[H * PITCH];
    random_bytes(a, sizeof a);
    random_bytes(b, sizeof b);
    memset(out, 0x5A, sizeof out);
    memcpy(a0, a, sizeof a);
    memcpy(b0, b, sizeof b);
    const struct formats q = random_formats(op, kind, 1);
    const int32_t pitch[] = {PITCH, 1};
    mli_tensor in1 = formatted(kind, tensor(types[kind], a, SHAPE2(H, W), pitch), &q, 0);
    mli_tensor in2 = formatted(kind, tensor(types[kind], b, SHAPE2(H, W), pitch), &q, 1);
    void *const target = place == 1 ? a : place == 2 ? b : out;
    mli_tensor result = formatted(kind, tensor(types[kind], target, SHAPE2(H, W), pitch), &q, 2);
    if (scalar1 == 1) {
        in1 = formatted(kind, tensor(types[kind], NULL, 0, NULL, NULL), &q, 0);
        in1.data.capacity = 0;
        if (kind == FX16)
            in1.data.mem.i16 = a[0];
        else
            in1.data.mem.i8 = (int8_t)element(kind, a, 0);
    } else if (scalar1 == 2) {
        in1 = formatted(kind, tensor(types[kind], a, SHAPE3(1, 1, 1), NULL), &q, 0);
    }
    if (scalar2)
        in2 = formatted(kind, tensor(types[kind], b, SHAPE1(1), NULL), &q, 1);
    use_profile(0);
    assert_int_equal(kernels[op][kind](&in1, &in2, &result), MLI_STATUS_OK);
    for (size_t i = 0; i < H * PITCH; i++) {
        const int64_t x = element(kind, a0, scalar1 ? 0 : i),
                      y = element(kind, b0, scalar2 ? 0 : i);
        const void *const untouched = place == 1 ? a0 : place == 2 ? b0 : NULL;
        if (i % PITCH < W)
            assert_int_equal(element(kind, target, i), model(op, kind, &q, x, y, 0));
        else
            assert_int_equal(element(kind, target, i), untouched ? element(kind, untouched, i)
                                                                 : (kind == FX16 ? 0x5A5A : 0x5A));
    }
}

static void test_layouts(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int op = 0; op < OPS; op++) {
            check_layout((enum kind)kind, (enum op)op, 0, 0, 0);
            check_layout((enum kind)kind, (enum op)op, 0, 0, 1);
            check_layout((enum kind)kind, (enum op)op, 0, 0, 2);
            check_layout((enum kind)kind, (enum op)op, 1, 0, 0);
            check_layout((enum kind)kind, (enum op)op, 2, 0, 0);
            check_layout((enum kind)kind, (enum op)op, 1, 0, 2);
            check_layout((enum kind)kind, (enum op)op, 0, 1, 0);
            check_layout((enum kind)kind, (enum op)op, 0, 1, 1);
        }
    }
}

/* An operand with itself, and the result on both. */
static void test_same_tensor(void **state)
{
    (void)state;
    int8_t data[600], before[600];
    random_bytes(data, sizeof data);
    memcpy(before, data, sizeof data);
    mli_tensor t = with_frac(tensor(MLI_EL_FX_8, data, SHAPE1(600), NULL), 4);
    use_profile(0);
    assert_int_equal(mli_krn_eltwise_mul_fx8(&t, &t, &t), MLI_STATUS_OK);
    const struct formats q = {{1, 1, 1}, {0, 0, 0}, {4, 4, 4}};
    for (int i = 0; i < 600; i++)
        assert_int_equal(data[i], model_fx(MUL, 8, &q, before[i], before[i], 0));
}

static void test_status(void **state)
{
    (void)state;
    needs_checks();
    int8_t x[8] = {1, 2, 3, 4}, y[8] = {0}, z[8] = {0};
    const mli_tensor a = with_scale(tensor(MLI_EL_SA_8, x, SHAPE1(4), NULL), 1, 0, 0);
    const mli_tensor one = with_scale(tensor(MLI_EL_SA_8, y, SHAPE1(1), NULL), 1, 0, 0);
    mli_tensor rank0 = with_scale(tensor(MLI_EL_SA_8, NULL, 0, NULL, NULL), 1, 0, 0);
    mli_tensor out = with_scale(tensor(MLI_EL_SA_8, z, SHAPE1(4), NULL), 1, 0, 0);
    mli_tensor out1 = with_scale(tensor(MLI_EL_SA_8, z, SHAPE1(1), NULL), 1, 0, 0);
    mli_tensor t;
    rank0.data.capacity = 0;
    kernel *const add = mli_krn_eltwise_add_sa8;
    kernel *const max = mli_krn_eltwise_max_sa8;
    use_profile(0);
    assert_int_equal(add(&a, &rank0, &out), MLI_STATUS_OK);
    assert_int_equal(add(NULL, &a, &out), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(add(&a, NULL, &out), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(add(&a, &a, NULL), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(add(&rank0, &rank0, &out1), MLI_STATUS_NOT_SUPPORTED);
    /* two scalars: out has the shape of in2 */
    assert_int_equal(add(&rank0, &one, &out1), MLI_STATUS_OK);
    assert_int_equal(add(&one, &rank0, &out1), MLI_STATUS_SHAPE_MISMATCH);
    assert_int_equal(add(&one, &one, &out1), MLI_STATUS_OK);
    /* a bad scalar of rank 0 is seen before a missing second operand */
    t = with_scale(rank0, 0, 0, 0);
    assert_int_equal(add(&t, NULL, &out), MLI_STATUS_BAD_TENSOR);
    t = with_scale(rank0, 1, 0, 1000); /* any int16 at first, 8 bits in the end */
    assert_int_equal(add(&a, &t, &out1), MLI_STATUS_SHAPE_MISMATCH);
    assert_int_equal(add(&a, &t, &out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    /* the type of out is incompatible, a wrong type of the inputs is a mismatch */
    t = out;
    t.el_type = MLI_EL_FX_8;
    assert_int_equal(add(&a, &a, &t), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(add(&t, &a, &t), MLI_STATUS_TYPE_MISMATCH);
    assert_int_equal(mli_krn_eltwise_add_fx8(&t, &a, &t), MLI_STATUS_TYPE_MISMATCH);
    /* min and max compare formats before they look at types */
    assert_int_equal(max(&a, &t, &out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    t = with_scale(a, 2, 0, 0);
    assert_int_equal(max(&a, &t, &out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(add(&a, &t, &out), MLI_STATUS_OK);
    t = a;
    t.mem_stride[0] = 2;
    t.data.capacity = 7;
    assert_int_equal(add(&a, &t, &out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    t = a;
    t.shape[0] = 3;
    assert_int_equal(add(&a, &t, &out), MLI_STATUS_SHAPE_MISMATCH);
    assert_int_equal(add(&t, &t, &out), MLI_STATUS_SHAPE_MISMATCH);
    int16_t scales[4] = {1, 1, 1, 1}, zeros[4] = {0};
    int8_t bits[4] = {0};
    t = with_axis(a, 0, 4, scales, bits, zeros);
    assert_int_equal(add(&a, &t, &out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    scales[3] = 0;
    assert_int_equal(add(&a, &t, &out), MLI_STATUS_BAD_TENSOR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),       cmocka_unit_test(test_formats),
        cmocka_unit_test(test_quirks),      cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_same_tensor), cmocka_unit_test(test_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
