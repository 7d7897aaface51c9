/* Arguments as nobody should give them: refused without a byte written, or computed without
 * undefined behaviour (a sanitizer looks) and without a byte beside the output; the ranges of
 * litert.1.5 at their ends; output in the place of the input. */
#include "recorded.h"

#include <math.h>

/* ---- Every recorded case with another number in its configuration, or in its tensors ---- */

static const int32_t strange[] = {
    INT32_MIN, INT32_MIN + 1, -65537, -32769, -129,    -32,      -31, -2, -1, 0, 1, 7, 8, 30, 31,
    32,        129,           32768,  65537,  1 << 30, INT32_MAX};

static struct {
    int calls, refused, failed;
    unsigned next; /* number in the list above */
} mutated;

static bool is_untouched(const tensor *t)
{
    const unsigned char *bytes = t->data;
    for (size_t i = 0; i < bytes_of(t); i++)
        if (bytes[i] != FILL)
            return false;
    return true;
}

/* Calls the case as it is now. */
static void call_strange(const char *file, const cJSON *line, test_case *c, const char *what)
{
    char why[256];
    lb_litert_context ctx = {(lb_litert_profile)(mutated.next % 2)};
    c->results = 0;
    make_buffers(c, GUARD_BYTES);
    lb_litert_status status = call_case(c, &ctx);
    if (!buffers_are_kept(c, GUARD_BYTES, why, sizeof why))
        fail_msg("%s: %s with another %s: %s", file, text_of(line, "id"), what, why);
    for (int i = 0; status == LB_LITERT_ARG_ERROR && i < c->outputs; i++)
        if (!is_untouched(&c->output[i]))
            fail_msg("%s: %s with another %s: refused, and %s is written", file,
                     text_of(line, "id"), what, c->output[i].role);
    assert_true(status == LB_LITERT_SUCCESS || status == LB_LITERT_ARG_ERROR ||
                status == LB_LITERT_FAILURE);
    mutated.calls++;
    mutated.refused += status == LB_LITERT_ARG_ERROR;
    mutated.failed += status == LB_LITERT_FAILURE;
    release_buffers(c);
}

static int64_t lowest_of(const tensor *t)
{
    return t->bits == 8    ? INT8_MIN
           : t->bits == 16 ? INT16_MIN
           : t->bits == 32 ? INT32_MIN
                           : INT64_MIN;
}

/* One end of the range or the other, in turns of the bits of a number: sums overflow. */
static void strange_elements(tensor *t, unsigned pattern)
{
    for (size_t i = 0; i < t->count; i++)
        t->values[i] = pattern >> (i % 7) & 1 ? lowest_of(t) : -(lowest_of(t) + 1);
}

/* Primitives have no checks, and geometry that would be divided by must be above 0. */
static bool may_change(const test_case *c, const char *key)
{
    bool padding = strcmp(c->function, "prepare_padding") == 0;
    return lb_litert_named_find(c->function) && !(padding && strcmp(key, "padding") != 0);
}

static void mutate_config(const char *file, const cJSON *line, test_case *c)
{
    for (int i = 0; i < c->configs; i++) {
        entry *e = &c->config[i], before = *e;
        if (e->word[0] || !may_change(c, e->key))
            continue;
        e->number = strange[mutated.next++ % COUNT_OF(strange)];
        /* Where the specification has a bit, a bit. */
        if (strcmp(e->key, "accumulator_bits") != 0)
            call_strange(file, line, c, e->key);
        *e = before;
    }
}

static void mutate_tensors(const char *file, const cJSON *line, test_case *c)
{
    for (int i = 0; i < c->inputs; i++) {
        tensor *t = &c->input[i];
        if (!lb_litert_named_find(c->function))
            continue;
        strange_elements(t, mutated.next++);
        call_strange(file, line, c, t->role);
    }
}

static void mutate(const char *file, const cJSON *line, test_case *c)
{
    mutate_config(file, line, c);
    mutate_tensors(file, line, c); /* last: the values stay as they are then */
}

static void test_strange_numbers(void **state)
{
    (void)state;
    visit_recorded(mutate);
    print_message("%d calls, %d refused, %d without a result\n", mutated.calls, mutated.refused,
                  mutated.failed);
    assert_true(mutated.calls > 30000);
    assert_true(mutated.refused > 5000 && mutated.refused < mutated.calls / 2);
}

/* ---- Output in the place of the input ---- */

static int in_place;

static void run_in_place(const char *file, const cJSON *line, test_case *c)
{
    char why[256];
    lb_litert_context ctx = {LB_LITERT_DOUBLE};
    bool fits = c->inputs > 0 && c->outputs == 1 && c->input[0].bits == c->output[0].bits &&
                c->input[0].count == c->output[0].count &&
                (c->inputs == 1 || c->input[1].count == c->output[0].count);
    /* what sums up reads an element more than once */
    bool sums = find_tensor(c->input, c->inputs, "weights") ||
                find_tensor(c->input, c->inputs, "axis") ||
                find_entry(c->config, c->configs, "filter_height");
    if (!fits || sums)
        return;
    tensor *out = &c->output[0];
    make_buffers(c, GUARD_BYTES);
    lb_litert_status status = call_case(c, &ctx);
    int64_t *wanted = malloc((out->count + 1) * sizeof *wanted);
    assert_non_null(wanted);
    for (size_t i = 0; i < out->count; i++)
        wanted[i] = element(out, i);
    void *own = out->data;
    out->data = c->input[0].data;
    lb_litert_status again = call_case(c, &ctx);
    if (status != again || !output_is(out, wanted, out->count, why, sizeof why))
        fail_msg("%s: %s in place: %s", file, text_of(line, "id"), why);
    out->data = own;
    free(wanted);
    release_buffers(c);
    in_place++;
}

static void test_in_place(void **state)
{
    (void)state;
    visit_recorded(run_in_place);
    assert_true(in_place > 1000);
}

/* ---- Ends of ranges ---- */

static lb_litert_status relu_with(int32_t multiplier, int32_t shift, int32_t min, int32_t max)
{
    lb_litert_relu_params p = {0, 0, multiplier, shift, {min, max}};
    int8_t in = 1, out = FILL;
    lb_litert_status status = lb_litert_relu_s8(NULL, &p, &in, 1, &out);
    assert_true(status == LB_LITERT_SUCCESS || out == FILL);
    return status;
}

/* litert.1.5 U2, U6, U7: the last that is taken, and the first that is not. */
static void test_ranges(void **state)
{
    (void)state;
    assert_int_equal(relu_with(0, 0, -128, 127), LB_LITERT_SUCCESS);
    assert_int_equal(relu_with(-1, 0, -128, 127), LB_LITERT_ARG_ERROR);
    assert_int_equal(relu_with(1, 30, -128, 127), LB_LITERT_SUCCESS);
    assert_int_equal(relu_with(1, 31, -128, 127), LB_LITERT_ARG_ERROR);
    assert_int_equal(relu_with(1, -31, -128, 127), LB_LITERT_SUCCESS);
    assert_int_equal(relu_with(1, -32, -128, 127), LB_LITERT_ARG_ERROR);
    assert_int_equal(relu_with(1, 0, 5, 5), LB_LITERT_SUCCESS);
    assert_int_equal(relu_with(1, 0, 6, 5), LB_LITERT_ARG_ERROR);
    assert_int_equal(relu_with(1, 0, -129, 5), LB_LITERT_ARG_ERROR);
    assert_int_equal(relu_with(1, 0, 0, 128), LB_LITERT_ARG_ERROR);
    int8_t x = 0;
    assert_int_equal(lb_litert_relu_s8(NULL, NULL, &x, 1, &x), LB_LITERT_ARG_ERROR);
}

/* The last sum of softmax that is defined, and the first that is not (litert.11). */
static void test_softmax_sums(void **state)
{
    int8_t in[4096] = {0}, out[4096];
    int16_t out16[4096];
    (void)state;
    assert_int_equal(lb_litert_softmax_s8(NULL, in, 1, 511, 1 << 30, 20, -10, out), 0);
    assert_int_equal(lb_litert_softmax_s8(NULL, in, 1, 512, 1 << 30, 20, -10, out),
                     LB_LITERT_FAILURE);
    assert_int_equal(lb_litert_softmax_s8_s16(NULL, in, 1, 4095, 1 << 30, 20, -10, out16), 0);
    assert_int_equal(lb_litert_softmax_s8_s16(NULL, in, 1, 4096, 1 << 30, 20, -10, out16),
                     LB_LITERT_FAILURE);
}

/* A window without a valid element has no average (litert.8), and dimensions of 0 (litert.1.6)
 * leave the bias, or write nothing. */
static void test_degenerate_shapes(void **state)
{
    lb_litert_pool_params pool = {{1, 1}, {3, 0}, {-128, 127}};
    lb_litert_dims one = {1, 1, 1, 1}, none = {1, 1, 1, 0}, filter = {1, 1, 1, 0}, kernel = one;
    lb_litert_conv_params conv = {0, 2, {1, 1}, {0, 0}, {1, 1}, {-128, 127}};
    int32_t multiplier = 1 << 30, shift = 1, bias = 40;
    lb_litert_per_channel_quant quant = {&multiplier, &shift};
    int8_t in = 1, out = FILL;
    (void)state;
    assert_int_equal(lb_litert_avgpool_s8(NULL, &pool, &one, &in, &kernel, &one, &out),
                     LB_LITERT_FAILURE);
    assert_int_equal(lb_litert_convolve_s8(NULL, &conv, &quant, &none, &in, &filter, &in, &one,
                                           &bias, &one, &out),
                     LB_LITERT_SUCCESS);
    assert_int_equal(out, 42);
    out = FILL;
    filter.n = 0;
    assert_int_equal(lb_litert_convolve_s8(NULL, &conv, &quant, &none, &in, &filter, &in, &one,
                                           &bias, &none, &out),
                     LB_LITERT_SUCCESS);
    assert_int_equal(out, FILL);
    int32_t shape[2] = {0, 1}, axis = 0;
    lb_litert_mean_params mean = {0, 0, 1 << 30, 1, false};
    assert_int_equal(lb_litert_mean_s8(NULL, &mean, 2, shape, &in, 1, &axis, &out),
                     LB_LITERT_ARG_ERROR);
    axis = 1;
    assert_int_equal(lb_litert_mean_s8(NULL, &mean, 2, shape, &in, 1, &axis, &out),
                     LB_LITERT_SUCCESS);
    axis = 2;
    assert_int_equal(lb_litert_mean_s8(NULL, &mean, 2, shape, &in, 1, &axis, &out),
                     LB_LITERT_ARG_ERROR);
    assert_int_equal(out, FILL);
}

/* What is no scale gives a number, or is refused. */
static int strange_scales;

static void put_strange_scales(const char *file, const cJSON *line, test_case *c)
{
    static const float scales[] = {0, -1, 1e-38f, 1e38f, INFINITY, -INFINITY, NAN};
    (void)file, (void)line;
    for (int i = 0; i < c->configs; i++) {
        entry *e = &c->config[i], before = *e;
        if (!strstr(e->key, "scale") && strcmp(e->key, "real") != 0)
            continue;
        for (size_t s = 0; s < COUNT_OF(scales); s++) {
            lb_litert_context ctx = {(lb_litert_profile)(s % 2)};
            c->results = 0;
            e->number = (double)scales[s];
            lb_litert_status status = call_case(c, &ctx);
            assert_true(status == LB_LITERT_SUCCESS || status == LB_LITERT_ARG_ERROR);
            strange_scales++;
        }
        *e = before;
    }
}

static void test_strange_scales(void **state)
{
    (void)state;
    visit_file("prepare.jsonl", put_strange_scales);
    assert_true(strange_scales > 5000);
    lb_litert_add_params add;
    lb_litert_quantization one = {1, 0}, zero = {0, 0};
    assert_int_equal(
        lb_litert_prepare_add(LB_LITERT_DOUBLE, LB_LITERT_S8, zero, one, one, LB_LITERT_NONE, &add),
        LB_LITERT_ARG_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strange_numbers),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_softmax_sums),
        cmocka_unit_test(test_degenerate_shapes),
        cmocka_unit_test(test_strange_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
