/* Suites from .tflite models. What a case expects is held against the model's own real numbers:
 * scales, weights and biases in double precision, by code that shares nothing with the models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "harness/generate/from_tflite.h"
#include "harness/suite/suite.h"
#include "harness/tflite/tests/models.h"
#include "reference/litert/kernels.h"

#include <math.h>

enum { MOST_CASES = 32 };

/* A model, its suite, and the cases of that. */
typedef struct suite {
    m_model *source;
    w_file file;
    lb_tflite_model model;
    lb_doc doc, remarks;
    lb_arena arena;
    lb_case cases[MOST_CASES];
    size_t count;
} suite;

static void read_cases(suite *s)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    for (char *line = s->doc.text, *end; line && *line; line = end + 1) {
        end = strchr(line, '\n');
        assert_non_null(end);
        assert_true(s->count < MOST_CASES);
        assert_true(lb_case_from_line(line, (size_t)(end - line), "made", (unsigned)s->count + 1,
                                      &diagnostics, &s->arena, &s->cases[s->count]));
        s->count++;
    }
}

static suite *make(m_model *source)
{
    suite *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->source = source;
    w_write(&s->file, &source->m);
    assert_true(lb_tflite_read(&s->model, s->file.bytes, s->file.size));
    s->doc = lb_doc_make();
    s->remarks = lb_doc_make();
    lb_from_tflite f = {.model = &s->model,
                        .profile = &lb_lite_profiles[0],
                        .doc = &s->doc,
                        .remarks = &s->remarks};
    lb_write_tflite_cases(&f);
    lb_doc_char(&s->doc, '\0');
    lb_doc_char(&s->remarks, '\0');
    read_cases(s);
    assert_int_equal(f.cases, s->count);
    return s;
}

static void drop(suite *s)
{
    lb_doc_free(&s->doc);
    lb_doc_free(&s->remarks);
    lb_arena_free(&s->arena);
    lb_tflite_free(&s->model);
    free(s->source);
    free(s);
}

static const lb_case *find(const suite *s, const char *id)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->cases[i].id, id) == 0)
            return &s->cases[i];
    fail_msg("no case %s", id);
    return NULL;
}

static const lb_values *data_of(const lb_case *c, lb_role role)
{
    return &c->operand[role].tensors[0].data;
}

static const lb_values *expected(const lb_case *c, int profile)
{
    const lb_expect *e = lb_case_expect(c, &lb_lite_profiles[profile]);
    assert_non_null(e);
    return &e->output[LB_ROLE_OUT];
}

/* ---- In real numbers ---- */

static const w_tensor *tensor(const suite *s, const char *name)
{
    for (unsigned i = 0; i < s->source->m.tensor_count; i++)
        if (strcmp(s->source->m.tensors[i].name, name) == 0)
            return &s->source->m.tensors[i];
    fail_msg("no tensor %s", name);
    return NULL;
}

static double real(const w_tensor *t, int32_t code)
{
    return (double)t->scale[0] * (code - (double)t->zero_point[0]);
}

/* Of weights: element i, whose channel is this. */
static double weight(const w_tensor *t, int i, int channel)
{
    return (double)t->scale[t->scales > 1 ? channel : 0] * ((const int8_t *)t->data)[i];
}

static double bias(const w_tensor *t, const w_tensor *in, const w_tensor *w, int channel)
{
    int32_t code;
    memcpy(&code, (const int8_t *)t->data + 4 * channel, sizeof code);
    return code * (double)in->scale[0] * (double)w->scale[w->scales > 1 ? channel : 0];
}

/* How far an expected code may lie from the real number: half a step of rounding twice, and what
 * the multiplier misses. */
static void hold(const suite *s, const lb_case *c, const char *out, size_t i, double value)
{
    const w_tensor *t = tensor(s, out);
    const double code =
        fmin(fmax(value / (double)t->scale[0] + (double)t->zero_point[0], -128), 127);
    for (int profile = 0; profile < 2; profile++)
        if (fabs(expected(c, profile)->items[i] - code) > 0.80)
            fail_msg("%s [%d]: %d is expected, and the real number is %.3f", c->id, (int)i,
                     expected(c, profile)->items[i], code);
}

static void hold_conv(const suite *s)
{
    const lb_case *c = find(s, "00.conv_2d_s8");
    const w_tensor *in = tensor(s, "image"), *w = tensor(s, "conv.weights");
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            for (int o = 0; o < 4; o++) {
                double sum = bias(tensor(s, "conv.bias"), in, w, o);
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        for (int k = 0; k < 3; k++)
                            if (2 * y + i < 8 && 2 * x + j < 8) /* SAME, 8 to 4: all behind */
                                sum += weight(w, ((o * 3 + i) * 3 + j) * 3 + k, o) *
                                       real(in, data_of(c, LB_ROLE_IN)
                                                    ->items[((2 * y + i) * 8 + 2 * x + j) * 3 + k]);
                hold(s, c, "conv", (size_t)((y * 4 + x) * 4 + o), fmin(fmax(sum, 0), 6));
            }
}

static void hold_depthwise(const suite *s)
{
    const lb_case *c = find(s, "01.depthwise_conv_2d_s8");
    const w_tensor *in = tensor(s, "conv"), *w = tensor(s, "depthwise.weights");
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 2; x++)
            for (int o = 0; o < 8; o++) {
                double sum = bias(tensor(s, "depthwise.bias"), in, w, o);
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        sum +=
                            weight(w, (i * 3 + j) * 8 + o, o) *
                            real(in,
                                 data_of(c, LB_ROLE_IN)->items[((y + i) * 4 + x + j) * 4 + o / 2]);
                hold(s, c, "depthwise", (size_t)((y * 2 + x) * 8 + o), fmin(fmax(sum, -1), 1));
            }
}

static void hold_rest(const suite *s)
{
    const lb_case *pool = find(s, "02.average_pool_2d_s8"), *fc = find(s, "04.fully_connected_s8"),
                  *soft = find(s, "05.softmax_s8");
    const w_tensor *flat = tensor(s, "flat"), *w = tensor(s, "fc.weights");
    double whole = 0;
    for (int o = 0; o < 8; o++) {
        double sum = 0;
        for (int i = 0; i < 4; i++)
            sum += real(tensor(s, "depthwise"), data_of(pool, LB_ROLE_IN)->items[i * 8 + o]);
        hold(s, pool, "pooled", (size_t)o, sum / 4);
    }
    for (int o = 0; o < 5; o++) {
        double sum = bias(tensor(s, "fc.bias"), flat, w, o);
        for (int i = 0; i < 8; i++)
            sum += weight(w, o * 8 + i, 0) * real(flat, data_of(fc, LB_ROLE_IN)->items[i]);
        hold(s, fc, "fc", (size_t)o, sum);
        whole += exp(real(tensor(s, "fc"), data_of(soft, LB_ROLE_IN)->items[o]));
    }
    for (int o = 0; o < 5; o++)
        hold(s, soft, "probabilities", (size_t)o,
             exp(real(tensor(s, "fc"), data_of(soft, LB_ROLE_IN)->items[o])) / whole);
}

static void test_numbers(void **state)
{
    (void)state;
    suite *s = make(m_small());
    assert_int_equal(s->count, 5);
    assert_string_equal(s->remarks.text, "");
    hold_conv(s);
    hold_depthwise(s);
    hold_rest(s);
    drop(s);
}

/* Codes of an output are those of the input that it feeds; what nothing makes is random. */
static void hold_wired(const suite *s, const char *id, const char *from, lb_role to)
{
    const lb_case *c = find(s, id);
    const lb_values *in = data_of(c, to), *out = expected(find(s, from), 0);
    bool fed = false;
    for (unsigned i = 0; i < c->layer_feed_count; i++)
        fed = fed || (c->layer_feeds[i].to == to && strcmp(c->layer_feeds[i].layer, from) == 0);
    assert_true(fed);
    assert_int_equal(in->count, out->count);
    assert_memory_equal(in->items, out->items, in->count * sizeof *in->items);
}

static void test_wired(void **state)
{
    (void)state;
    suite *s = make(m_small());
    assert_int_equal(find(s, "00.conv_2d_s8")->layer_feed_count, 0);
    hold_wired(s, "01.depthwise_conv_2d_s8", "00.conv_2d_s8", LB_ROLE_IN);
    hold_wired(s, "04.fully_connected_s8", "02.average_pool_2d_s8",
               LB_ROLE_IN); /* a reshape between */
    hold_wired(s, "05.softmax_s8", "04.fully_connected_s8", LB_ROLE_IN);
    drop(s);
    s = make(m_cut());
    assert_int_equal(s->count, 2);
    assert_string_equal(s->remarks.text,
                        "operators[1] custom operator Wobble: no case: the kernel set has no such "
                        "operator\n"
                        "operators[3] DEQUANTIZE: no case: the kernel set has no such operator\n"
                        "operators[4] RELU: no case: \"real\" is float32\n");
    assert_int_equal(find(s, "02.add_s8")->layer_feed_count, 1); /* what Wobble made is not fed */
    hold_wired(s, "02.add_s8", "00.logistic_s8", LB_ROLE_IN2);
    drop(s);
}

static void test_others(void **state)
{
    (void)state;
    static const char *const ids[] = {"00.mul_s8",
                                      "01.sub_s8",
                                      "02.max_pool_2d_s8",
                                      "03.leaky_relu_s8",
                                      "04.relu_s8",
                                      "05.relu6_s8",
                                      "06.hard_swish_s8",
                                      "07.transpose_conv_s8",
                                      "08.mean_s8",
                                      "09.mean_s8",
                                      "10.l2_normalization_s8",
                                      "11.tanh_s8",
                                      "12.requantize_s8_s16",
                                      "14.conv_2d_s16",
                                      "15.fully_connected_per_channel_s16",
                                      "16.logistic_s16",
                                      "17.softmax_s16",
                                      "19.add_s8"};
    suite *s = make(m_others());
    assert_int_equal(s->count, sizeof ids / sizeof ids[0]);
    for (size_t i = 0; i < s->count; i++)
        assert_string_equal(s->cases[i].id, ids[i]);
    const lb_config *c = &find(s, "07.transpose_conv_s8")->config;
    assert_int_equal(c->litert.padding_top, 0);
    assert_int_equal(find(s, "08.mean_s8")->config.litert.sum, 0);
    assert_int_equal(find(s, "09.mean_s8")->config.litert.sum, 1);
    assert_int_equal(find(s, "14.conv_2d_s16")->config.litert.accumulator_bits, 64);
    hold_wired(s, "14.conv_2d_s16", "12.requantize_s8_s16", LB_ROLE_IN);
    drop(s);
}

/* A constant under another shape is that constant, and nothing random. */
static void test_reshaped_constant(void **state)
{
    (void)state;
    suite *s = make(m_others());
    const lb_values *in = data_of(find(s, "19.add_s8"), LB_ROLE_IN2);
    const int8_t *constant = tensor(s, "c")->data;
    assert_int_equal(in->count, 3);
    for (size_t i = 0; i < in->count; i++)
        assert_int_equal(in->items[i], constant[i]);
    drop(s);
}

/* ---- What has no case ---- */

typedef struct odd {
    void (*spoil)(w_model *m);
    const char *why;
} odd;

static void zero_point_of_weights(w_model *m)
{
    m->tensors[1].zero_point[2] = 1;
}

static void scales_along_another(w_model *m)
{
    m->tensors[1].dimension = 3;
}

static void other_size(w_model *m)
{
    m->tensors[3].shape[1] = 5;
}

static void short_weights(w_model *m)
{
    m->tensors[1].data_bytes--;
}

static void no_stride(w_model *m)
{
    m->operators[0].fields[1].value = 0;
}

static void other_activation(w_model *m)
{
    m->operators[0].fields[3].value = 4;
}

static void no_scale(w_model *m)
{
    m->tensors[0].scales = 0;
}

static void negative_scale(w_model *m)
{
    m->tensors[3].scale[0] = -1;
}

static void bytes_without_sign(w_model *m)
{
    m->tensors[0].type = 3;
}

static void zero_point_beyond(w_model *m)
{
    m->tensors[0].zero_point[0] = 200;
}

static void few_biases(w_model *m)
{
    m->tensors[2].shape[0] = 2;
    m->tensors[2].data_bytes = 8;
}

static void huge(w_model *m)
{
    m->tensors[0].shape[1] = 1 << 20;
}

static void many_dimensions(w_model *m)
{
    m->tensors[0].rank = 5;
    m->tensors[0].shape[4] = 1;
}

static void unknown_dimension(w_model *m)
{
    m->tensors[0].shape[0] = -1;
}

static void scales_along_none(w_model *m)
{
    m->tensors[1].dimension = 9;
}

static void other_ratio(w_model *m)
{
    m->tensors[1].shape[3] = 2;
    m->tensors[1].data_bytes = 72;
}

static void test_odd(void **state)
{
    (void)state;
    static const odd all[] = {
        {zero_point_of_weights, "zero point 2 of its weights is not 0"},
        {scales_along_another, "run along dimension 3, those of this kernel along 0"},
        {scales_along_none, "run along dimension 9, those of this kernel along 0"},
        {unknown_dimension, "dimension 0 of \"image\" is known at run time only"},
        {other_size, "the output has the height 5, and SAME padding gives 4"},
        {short_weights, "\"conv.weights\" has 107 bytes of data, and its shape asks for 108"},
        {no_stride, "filter 3, stride 0 or dilation 1 of its width is not from 1 to 32767"},
        {other_activation, "fused activation 4"},
        {no_scale, "\"image\" has 0 scales and 0 zero points, not one each"},
        {negative_scale, "\"conv\" has the scale -1, which is not above 0"},
        {bytes_without_sign, "\"image\" is uint8"},
        {zero_point_beyond, "\"image\" has the zero point 200, which its type does not hold"},
        {few_biases, "its bias \"conv.bias\" is no constant of 4 numbers"},
        {huge, "or more than 16777216"},
        {many_dimensions, "\"image\" has 5 dimensions"},
        {other_ratio, "undefined in litert-double: groups"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        m_model *b = m_small();
        all[i].spoil(&b->m);
        suite *s = make(b);
        assert_non_null(s->remarks.text);
        if (strncmp(s->remarks.text, "operators[0] CONV_2D: ", 22) != 0 ||
            !strstr(s->remarks.text, all[i].why))
            fail_msg("%s: no word of: %s", s->remarks.text, all[i].why);
        for (size_t k = 0; k < s->count; k++)
            assert_string_not_equal(s->cases[k].id, "00.conv_2d_s8");
        drop(s);
    }
}

/* Fully connected layers: weights in an order of their own, and scales along their inputs. */
static void test_odd_layers(void **state)
{
    (void)state;
    enum { LAYER = 4, WEIGHTS = 9, UNITS = 5 };
    m_model *b = m_small();
    m_field(&b->m.operators[LAYER], 1, 1, 1);
    suite *s = make(b);
    assert_string_equal(s->remarks.text,
                        "operators[4] FULLY_CONNECTED: no case: weights_format 1: its weights are "
                        "in another order\n");
    assert_int_equal(s->count, 4);
    drop(s);
    b = m_small();
    w_tensor *w = &b->m.tensors[WEIGHTS];
    assert_string_equal(w->name, "fc.weights");
    w->dimension = 1;
    w->scales = UNITS;
    for (unsigned i = 0; i < UNITS; i++)
        w->scale[i] = 0.004F;
    s = make(b);
    assert_string_equal(s->remarks.text,
                        "operators[4] FULLY_CONNECTED: no case: its weights: the scales run along "
                        "dimension 1, those of this kernel along 0\n");
    drop(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_wired),
        cmocka_unit_test(test_others),  cmocka_unit_test(test_reshaped_constant),
        cmocka_unit_test(test_odd),     cmocka_unit_test(test_odd_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
