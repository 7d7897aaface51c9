/* Reading .tflite files: what a written model says comes back; what is broken is told with its byte
 * and field, and never followed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "harness/tflite/model.h"
#include "models.h"

static w_file file;

static void write_small(void)
{
    m_model *b = m_small();
    w_write(&file, &b->m);
    free(b);
}

static void test_small(void **state)
{
    (void)state;
    lb_tflite_model m;
    char text[160];
    write_small();
    assert_true(lb_tflite_read(&m, file.bytes, file.size));
    assert_int_equal(m.tensor_count, 13);
    assert_int_equal(m.operator_count, 6);
    assert_int_equal(m.subgraphs, 1);
    const lb_tflite_tensor *w = &m.tensors[1];
    assert_string_equal(w->name, "conv.weights");
    assert_int_equal(w->type, LB_TFLITE_INT8);
    assert_int_equal(w->rank, 4);
    assert_int_equal(w->shape[3], 3);
    assert_true(w->data.is_there);
    assert_int_equal(w->data.count, 108);
    assert_int_equal(w->scale.count, 4);
    assert_true(lb_flat_float32(&m.flat, &w->scale, 3) == 0.002F + 0.0007F * 3);
    assert_int_equal(lb_flat_int64(&m.flat, &m.tensors[0].zero_point, 0), -3);
    assert_false(m.tensors[0].data.is_there);
    const lb_tflite_operator *o = &m.operators[1];
    assert_string_equal(lb_tflite_operator_name(o, text), "DEPTHWISE_CONV_2D");
    assert_int_equal(o->input_count, 3);
    assert_int_equal(o->inputs[0], 3);
    assert_int_equal(o->outputs[0], 6);
    assert_int_equal(o->options.padding, 1);
    assert_int_equal(o->options.depth_multiplier, 2);
    assert_int_equal(o->options.fused, M_RELU_N1_TO_1);
    assert_int_equal(o->options.dilation_w, 1);
    assert_true(m.operators[5].options.beta == 1);
    lb_tflite_free(&m);
}

static void test_names(void **state)
{
    (void)state;
    lb_tflite_model m;
    char text[160], type[24];
    m_model *b = m_cut();
    w_write(&file, &b->m);
    free(b);
    assert_true(lb_tflite_read(&m, file.bytes, file.size));
    assert_string_equal(lb_tflite_operator_name(&m.operators[1], text), "custom operator Wobble");
    assert_string_equal(lb_tflite_operator_name(&m.operators[3], text), "DEQUANTIZE");
    const lb_tflite_operator unknown = {.code = 999};
    assert_string_equal(lb_tflite_operator_name(&unknown, text), "operator 999");
    assert_string_equal(lb_tflite_type_name(0, type), "float32");
    assert_string_equal(lb_tflite_type_name(-3, type), "type -3");
    lb_tflite_free(&m);
}

/* ---- Broken files ---- */

/* The bytes on a heap of exactly their size, so that a sanitizer sees every step beside them. */
static bool read_copy(size_t size, char *why, size_t why_bytes)
{
    lb_tflite_model m;
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, file.bytes, size);
    const bool good = lb_tflite_read(&m, copy, size);
    assert_true(good == !m.flat.why);
    snprintf(why, why_bytes, "%s", good ? "" : m.flat.why);
    lb_tflite_free(&m);
    free(copy);
    return good;
}

static void expect_why(const char *what)
{
    char why[500];
    assert_false(read_copy(file.size, why, sizeof why));
    if (!strstr(why, what))
        fail_msg("\"%s\" does not say \"%s\"", why, what);
    assert_true(strncmp(why, "byte ", 5) == 0);
}

static void test_cut_short(void **state)
{
    (void)state;
    char why[500];
    write_small();
    /* The last buffers have no constants: a few bytes at the end belong to nobody. */
    for (size_t size = 0; size < file.size; size++)
        if (read_copy(size, why, sizeof why))
            assert_true(size + 64 > file.size);
        else
            assert_true(strncmp(why, "byte ", 5) == 0);
}

/* Every byte takes a few other values: told or read, nothing else. */
static void test_spoilt(void **state)
{
    (void)state;
    static const uint8_t values[] = {0, 1, 0x7F, 0x80, 0xFF};
    char why[500];
    size_t refused = 0;
    write_small();
    for (size_t at = 0; at < file.size; at++) {
        const uint8_t was = file.bytes[at];
        for (size_t v = 0; v < sizeof values; v++) {
            file.bytes[at] = values[v];
            refused += !read_copy(file.size, why, sizeof why);
        }
        file.bytes[at] = was;
    }
    assert_true(refused > 1000);
}

static void test_messages(void **state)
{
    (void)state;
    m_model *b = m_small();
    w_write(&file, &b->m);
    memcpy(file.bytes + 4, "TFL2", 4);
    expect_why("byte 4: the identifier TFL3 is not there");
    w_write(&file, &b->m);
    w_set(&file, 0, 0x7FFFFFF0, 4);
    expect_why("byte 0: the first table: an offset of 2147483632 leads out of the file");
    b->m.operators[2].inputs[0] = 40;
    w_write(&file, &b->m);
    expect_why("operators[2]: inputs: there is no tensor 40, only 13");
    b->m.operators[2].inputs[0] = 6;
    b->m.operators[0].options = 2;
    w_write(&file, &b->m);
    expect_why("operators[0]: builtin_options_type: 2, and operator 3 has options 1");
    b->m.operators[0].options = 1;
    b->m.tensors[3].shape[1] = -4;
    w_write(&file, &b->m);
    expect_why("tensors[3]: shape: dimension 1 is -4");
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),     cmocka_unit_test(test_names),
        cmocka_unit_test(test_cut_short), cmocka_unit_test(test_spoilt),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
