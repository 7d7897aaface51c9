/* Small models of their own numbers, for tests: a chain of the operators that most networks have,
 * one that is cut by an operator that no kernel set has, and one with all the others. */
#ifndef LB_TEST_TFLITE_MODELS_H
#define LB_TEST_TFLITE_MODELS_H

#include "writer.h"

enum { M_INT8 = 9, M_INT16 = 7, M_INT32 = 2, M_INT64 = 4 };

/* Numbers that look random. */
static inline int m_number(unsigned *state, int low, int high)
{
    *state = *state * 1664525U + 1013904223U;
    return low + (int)((*state >> 8) % (unsigned)(high - low + 1));
}

static inline unsigned m_count(unsigned rank, const int32_t *shape)
{
    unsigned count = 1;
    for (unsigned d = 0; d < rank; d++)
        count *= (unsigned)shape[d];
    return count;
}

typedef struct m_model {
    w_model m;
    unsigned state;
    int8_t bytes[4096]; /* of the constants */
    unsigned used;
} m_model;

/* ---- Tensors ---- */

static inline int m_tensor(m_model *b, const char *name, int type, unsigned rank,
                           const int32_t shape[], float scale, int zero_point)
{
    w_tensor *t = &b->m.tensors[b->m.tensor_count];
    *t = (w_tensor){.name = name, .rank = rank, .type = type, .scales = scale > 0};
    memcpy(t->shape, shape, rank * sizeof *shape);
    t->scale[0] = scale;
    t->zero_point[0] = zero_point;
    return (int)b->m.tensor_count++;
}

#define M_SHAPE(...)                                                                               \
    sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t), (const int32_t[])                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Gives a tensor numbers from low to high. */
static inline int m_constant(m_model *b, int tensor, int low, int high)
{
    w_tensor *t = &b->m.tensors[tensor];
    const unsigned each = t->type == M_INT8    ? 1
                          : t->type == M_INT16 ? 2
                          : t->type == M_INT32 ? 4
                                               : 8;
    const unsigned count = m_count(t->rank, t->shape);
    b->used = (b->used + 7) / 8 * 8;
    assert(b->used + count * each <= sizeof b->bytes);
    t->data = b->bytes + b->used;
    t->data_bytes = count * each;
    for (unsigned i = 0; i < count; i++) {
        const int64_t v = m_number(&b->state, low, high);
        for (unsigned k = 0; k < each; k++)
            b->bytes[b->used++] = (int8_t)(uint8_t)((uint64_t)v >> (8 * k));
    }
    return tensor;
}

/* Weights with a scale for each channel along a dimension. */
static inline int m_weights(m_model *b, const char *name, unsigned rank, const int32_t shape[],
                            int dimension)
{
    const int tensor = m_constant(b, m_tensor(b, name, M_INT8, rank, shape, 0, 0), -127, 127);
    w_tensor *t = &b->m.tensors[tensor];
    t->scales = (unsigned)shape[dimension];
    t->dimension = dimension;
    for (unsigned i = 0; i < t->scales; i++)
        t->scale[i] = 0.002F + 0.0007F * (float)i;
    return tensor;
}

/* ---- Operators ---- */

static inline w_operator *m_operator(m_model *b, int code, int options, int output,
                                     unsigned input_count, const int32_t inputs[])
{
    w_operator *o = &b->m.operators[b->m.operator_count++];
    *o = (w_operator){
        .code = code, .options = options, .outputs = {output}, .input_count = input_count};
    memcpy(o->inputs, inputs, input_count * sizeof *inputs);
    return o;
}

static inline void m_field(w_operator *o, unsigned number, unsigned bytes, uint64_t value)
{
    o->fields[o->field_count++] = (w_field){number, bytes, value, NULL};
}

/* Padding and strides, which windows have first: numbers 0 to 2. */
static inline void m_window(w_operator *o, int padding, uint64_t stride)
{
    m_field(o, 0, 1, (uint64_t)padding);
    m_field(o, 1, 4, stride);
    m_field(o, 2, 4, stride);
}

enum { M_SAME = 0, M_VALID = 1, M_RELU = 1, M_RELU_N1_TO_1 = 2, M_RELU6 = 3 };

static inline m_model *m_begin(void)
{
    m_model *b = calloc(1, sizeof *b);
    assert(b);
    b->state = 20261127;
    return b;
}

/* conv_2d, depthwise_conv_2d, average_pool_2d, reshape, fully_connected, softmax. */
static inline m_model *m_small(void)
{
    m_model *b = m_begin();
    const int in = m_tensor(b, "image", M_INT8, M_SHAPE(1, 8, 8, 3), 0.02F, -3);
    const int w1 = m_weights(b, "conv.weights", M_SHAPE(4, 3, 3, 3), 0);
    const int b1 = m_constant(b, m_tensor(b, "conv.bias", M_INT32, M_SHAPE(4), 0, 0), -3000, 9000);
    const int conv = m_tensor(b, "conv", M_INT8, M_SHAPE(1, 4, 4, 4), 0.025F, -100);
    const int w2 = m_weights(b, "depthwise.weights", M_SHAPE(1, 3, 3, 8), 3);
    const int b2 =
        m_constant(b, m_tensor(b, "depthwise.bias", M_INT32, M_SHAPE(8), 0, 0), -999, 999);
    const int depthwise = m_tensor(b, "depthwise", M_INT8, M_SHAPE(1, 2, 2, 8), 0.05F, -20);
    const int pooled = m_tensor(b, "pooled", M_INT8, M_SHAPE(1, 1, 1, 8), 0.05F, -20);
    const int flat = m_tensor(b, "flat", M_INT8, M_SHAPE(1, 8), 0.05F, -20);
    const int w3 =
        m_constant(b, m_tensor(b, "fc.weights", M_INT8, M_SHAPE(5, 8), 0.004F, 0), -127, 127);
    const int b3 = m_constant(b, m_tensor(b, "fc.bias", M_INT32, M_SHAPE(5), 0, 0), -999, 999);
    const int fc = m_tensor(b, "fc", M_INT8, M_SHAPE(1, 5), 0.03F, 4);
    const int out = m_tensor(b, "probabilities", M_INT8, M_SHAPE(1, 5), 1 / 256.0F, -128);
    w_operator *o = m_operator(b, 3, 1, conv, 3, (int32_t[]){in, w1, b1});
    m_window(o, M_SAME, 2);
    m_field(o, 3, 1, M_RELU6);
    o = m_operator(b, 4, 2, depthwise, 3, (int32_t[]){conv, w2, b2});
    m_window(o, M_VALID, 1);
    m_field(o, 3, 4, 2);
    m_field(o, 4, 1, M_RELU_N1_TO_1);
    o = m_operator(b, 1, 5, pooled, 1, (int32_t[]){depthwise});
    m_window(o, M_VALID, 2);
    m_field(o, 3, 4, 2);
    m_field(o, 4, 4, 2);
    m_operator(b, 22, 0, flat, 1, (int32_t[]){pooled});
    m_field(m_operator(b, 9, 8, fc, 3, (int32_t[]){flat, w3, b3}), 0, 1, 0);
    m_field(m_operator(b, 25, 9, out, 1, (int32_t[]){fc}), 0, 4, w_real(1));
    return b;
}

/* logistic, a custom operator, add of both, relu of float. */
static inline m_model *m_cut(void)
{
    m_model *b = m_begin();
    const int in = m_tensor(b, "in", M_INT8, M_SHAPE(2, 6), 0.05F, 3);
    const int gate = m_tensor(b, "gate", M_INT8, M_SHAPE(2, 6), 1 / 256.0F, -128);
    const int odd = m_tensor(b, "odd", M_INT8, M_SHAPE(2, 6), 0.1F, 0);
    const int sum = m_tensor(b, "sum", M_INT8, M_SHAPE(2, 6), 0.1F, -7);
    const int real = m_tensor(b, "real", 0, M_SHAPE(2, 6), 0, 0);
    const int real2 = m_tensor(b, "real2", 0, M_SHAPE(2, 6), 0, 0);
    m_operator(b, 14, 0, gate, 1, (int32_t[]){in});
    m_operator(b, 32, 0, odd, 1, (int32_t[]){gate})->custom = "Wobble";
    m_field(m_operator(b, 0, 11, sum, 2, (int32_t[]){odd, gate}), 0, 1, M_RELU);
    m_operator(b, 6, 0, real, 1, (int32_t[]){sum});
    m_operator(b, 19, 0, real2, 1, (int32_t[]){real});
    return b;
}

/* All other operators that have a case, in int8 and int16. */
static inline m_model *m_others(void)
{
    m_model *b = m_begin();
    const int in = m_tensor(b, "in", M_INT8, M_SHAPE(1, 4, 4, 2), 0.04F, 10);
    const int k =
        m_constant(b, m_tensor(b, "k", M_INT8, M_SHAPE(1, 1, 1, 2), 0.01F, -3), -128, 127);
    const int mul = m_tensor(b, "mul", M_INT8, M_SHAPE(1, 4, 4, 2), 0.02F, 1);
    const int sub = m_tensor(b, "sub", M_INT8, M_SHAPE(1, 4, 4, 2), 0.05F, -1);
    const int max = m_tensor(b, "max", M_INT8, M_SHAPE(1, 4, 4, 2), 0.05F, -1);
    const int leaky = m_tensor(b, "leaky", M_INT8, M_SHAPE(1, 4, 4, 2), 0.04F, 5);
    const int relu = m_tensor(b, "relu", M_INT8, M_SHAPE(1, 4, 4, 2), 0.03F, -128);
    const int relu6 = m_tensor(b, "relu6", M_INT8, M_SHAPE(1, 4, 4, 2), 0.03F, -128);
    const int swish = m_tensor(b, "swish", M_INT8, M_SHAPE(1, 4, 4, 2), 0.03F, -100);
    const int shape = m_constant(b, m_tensor(b, "shape", M_INT32, M_SHAPE(4), 0, 0), 1, 1);
    const int w = m_weights(b, "back.weights", M_SHAPE(3, 3, 3, 2), 0);
    const int back = m_tensor(b, "back", M_INT8, M_SHAPE(1, 8, 8, 3), 0.05F, 0);
    const int axes = m_constant(b, m_tensor(b, "axes", M_INT32, M_SHAPE(2), 0, 0), 2, 2);
    const int mean = m_tensor(b, "mean", M_INT8, M_SHAPE(1, 8, 3), 0.04F, 2);
    const int sum = m_tensor(b, "sum", M_INT8, M_SHAPE(1, 8, 3), 0.1F, 2);
    const int norm = m_tensor(b, "norm", M_INT8, M_SHAPE(1, 8, 3), 1 / 128.0F, 0);
    const int tanh = m_tensor(b, "tanh", M_INT8, M_SHAPE(1, 8, 3), 1 / 128.0F, 0);
    const int wide = m_tensor(b, "wide", M_INT16, M_SHAPE(1, 8, 3), 0.0001F, 0);
    const int image = m_tensor(b, "image16", M_INT16, M_SHAPE(1, 2, 4, 3), 0.0001F, 0);
    const int w16 = m_weights(b, "conv16.weights", M_SHAPE(4, 1, 2, 3), 0);
    const int b16 =
        m_constant(b, m_tensor(b, "conv16.bias", M_INT64, M_SHAPE(4), 0, 0), -9999, 9999);
    const int conv16 = m_tensor(b, "conv16", M_INT16, M_SHAPE(1, 2, 3, 4), 0.0002F, 0);
    const int wfc = m_weights(b, "fc16.weights", M_SHAPE(4, 4), 0);
    const int fc16 = m_tensor(b, "fc16", M_INT16, M_SHAPE(6, 4), 0.0003F, 0);
    const int logistic = m_tensor(b, "logistic16", M_INT16, M_SHAPE(6, 4), 1 / 32768.0F, 0);
    const int softmax = m_tensor(b, "softmax16", M_INT16, M_SHAPE(6, 4), 1 / 32768.0F, 0);
    m_field(m_operator(b, 18, 21, mul, 2, (int32_t[]){in, k}), 0, 1, 0);
    m_field(m_operator(b, 41, 28, sub, 2, (int32_t[]){mul, in}), 0, 1, 0);
    w_operator *o = m_operator(b, 17, 5, max, 1, (int32_t[]){sub});
    m_window(o, M_SAME, 1);
    m_field(o, 3, 4, 3);
    m_field(o, 4, 4, 2);
    m_field(m_operator(b, 98, 75, leaky, 1, (int32_t[]){max}), 0, 4, w_real(0.1F));
    m_operator(b, 19, 0, relu, 1, (int32_t[]){leaky});
    m_operator(b, 21, 0, relu6, 1, (int32_t[]){relu});
    m_operator(b, 117, 0, swish, 1, (int32_t[]){relu6});
    m_window(m_operator(b, 67, 49, back, 3, (int32_t[]){shape, w, swish}), M_SAME, 2);
    m_operator(b, 40, 0, mean, 2, (int32_t[]){back, axes});
    m_operator(b, 74, 0, sum, 2, (int32_t[]){back, axes});
    m_operator(b, 11, 0, norm, 1, (int32_t[]){sum});
    m_operator(b, 28, 0, tanh, 1, (int32_t[]){mean});
    m_operator(b, 114, 0, wide, 1, (int32_t[]){tanh});
    m_operator(b, 22, 0, image, 1, (int32_t[]){wide});
    m_window(m_operator(b, 3, 1, conv16, 3, (int32_t[]){image, w16, b16}), M_VALID, 1);
    m_operator(b, 9, 8, fc16, 2, (int32_t[]){conv16, wfc});
    m_operator(b, 14, 0, logistic, 1, (int32_t[]){fc16});
    m_field(m_operator(b, 25, 9, softmax, 1, (int32_t[]){fc16}), 0, 4, w_real(0.5F));
    const int flat = m_constant(b, m_tensor(b, "c", M_INT8, M_SHAPE(3), 0.05F, 2), -128, 127);
    const int row = m_tensor(b, "c.row", M_INT8, M_SHAPE(1, 1, 3), 0.05F, 2);
    const int shifted = m_tensor(b, "shifted", M_INT8, M_SHAPE(1, 8, 3), 0.06F, 0);
    m_operator(b, 22, 0, row, 1, (int32_t[]){flat});
    m_field(m_operator(b, 0, 11, shifted, 2, (int32_t[]){mean, row}), 0, 1, 0);
    return b;
}

#endif
