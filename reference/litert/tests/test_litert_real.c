/* The real models of LiteRT and the recordings: every recorded number of every kernel lies between
 * the ends that the model gives for it, in both profiles; and the ends lie so close that a result
 * wrong by two steps is seen nearly everywhere. */
#include "recorded.h"

#include "litert/fields.h"
#include "litert/real.h"

enum { MOST_MESSAGES = 20 };

static struct {
    int calls, without_model;
    size_t elements, outside, wide;
} total;

/* ---- Reading ---- */

static double *numbers_of(const cJSON *list, size_t *count)
{
    size_t at = 0;
    *count = (size_t)cJSON_GetArraySize(list);
    double *numbers = malloc((*count + 1) * sizeof *numbers);
    assert_non_null(numbers);
    for (const cJSON *v = list ? list->child : NULL; v; v = v->next)
        numbers[at++] = v->valuedouble;
    return numbers;
}

static lb_lite_tensor tensor_of(const cJSON *item)
{
    lb_lite_tensor t = {.bits = atoi(text_of(item, "type") + 1), .count = 1};
    const cJSON *size;
    cJSON_ArrayForEach(size, item_of(item, "shape"))
    {
        assert_true(t.rank < LB_LITE_RANK);
        t.shape[t.rank++] = (int64_t)size->valuedouble;
        t.count *= (size_t)size->valuedouble;
    }
    return t;
}

static lb_lite_call call_of(const cJSON *line)
{
    lb_lite_call c = {.function = text_of(line, "function")};
    const cJSON *item;
    cJSON_ArrayForEach(item, item_of(line, "inputs"))
    {
        size_t count;
        const int role = lb_role_find(item->string);
        assert_true(role >= 0);
        lb_lite_tensor *t = &c.input[role];
        *t = tensor_of(item);
        t->values = numbers_of(item_of(item, "data"), &count);
        assert_int_equal(count, t->count);
    }
    cJSON_ArrayForEach(item, item_of(line, "config"))
    {
        const int field = lb_lite_field_find(item->string);
        assert_true(field >= 0);
        c.key[field] = item->valuedouble;
    }
    if (item_of(item_of(line, "outputs"), "out"))
        c.out = tensor_of(item_of(item_of(line, "outputs"), "out"));
    return c;
}

static void release(lb_lite_call *c)
{
    for (size_t i = 0; i < LB_ROLE_COUNT; i++)
        free((void *)c->input[i].values);
}

/* ---- Comparing ---- */

static void compare(const char *id, const lb_lite_call *c, const double *recorded,
                    const lb_span *spans)
{
    for (size_t i = 0; i < c->out.count; i++) {
        const lb_span *s = &spans[i];
        total.elements++;
        total.wide += s->high - s->low > 3;
        if (recorded[i] >= s->low && recorded[i] <= s->high && s->value >= s->low &&
            s->value <= s->high)
            continue;
        if (total.outside++ < MOST_MESSAGES)
            print_error("%s [%s]: out[%zu] is %.0f, expected %.6f, from %.6f to %.6f\n", id,
                        c->single ? "litert-single" : "litert-double", i, recorded[i], s->value,
                        s->low, s->high);
    }
}

static void compare_expectation(const char *id, lb_lite_call *c, const cJSON *expected)
{
    const cJSON *profile;
    size_t count;
    double *recorded = numbers_of(item_of(item_of(expected, "outputs"), "out"), &count);
    lb_span *spans = malloc((c->out.count + 1) * sizeof *spans);
    assert_non_null(spans);
    assert_int_equal(count, c->out.count);
    cJSON_ArrayForEach(profile, item_of(expected, "profiles"))
    {
        c->single = strcmp(cJSON_GetStringValue(profile), "litert-single") == 0;
        if (!lb_lite_real(c, spans)) {
            total.without_model++;
            continue;
        }
        total.calls++;
        compare(id, c, recorded, spans);
    }
    free(spans);
    free(recorded);
}

static void run_line(const char *text)
{
    cJSON *line = cJSON_Parse(text);
    const cJSON *expected;
    assert_non_null(line);
    if (item_of(line, "inputs")) {
        lb_lite_call c = call_of(line);
        cJSON_ArrayForEach(expected, item_of(line, "expect"))
            compare_expectation(text_of(line, "id"), &c, expected);
        release(&c);
    }
    cJSON_Delete(line);
}

static void test_recorded_results_lie_within(void **state)
{
    (void)state;
    each_recorded_line(run_line);
    print_message("%d calls, %zu elements: %zu outside, %zu with ends more than 3 steps apart; "
                  "%d calls of primitives have no model\n",
                  total.calls, total.elements, total.outside, total.wide, total.without_model);
    assert_int_equal(total.outside, 0);
    assert_true(total.elements > 100000 && total.wide < total.elements / 10);
}

/* 3 * 2^30 * 2^(1 - 31) is 3: in the recordings no other number could stand. */
static void test_wrong_results_are_outside(void **state)
{
    static const char *const line =
        "{\"id\":\"(on purpose)\",\"function\":\"litert_relu_s8\",\"config\":{"
        "\"input_zero_point\":0,\"output_zero_point\":0,\"multiplier\":1073741824,\"shift\":1,"
        "\"activation_min\":0,\"activation_max\":127},\"inputs\":{\"in\":{\"type\":\"s8\","
        "\"shape\":[3],\"data\":[3,3,-3]}},\"outputs\":{\"out\":{\"type\":\"s8\",\"shape\":[3]}},"
        "\"expect\":[{\"profiles\":[\"litert-double\"],\"outputs\":{\"out\":[3,4,-1]}}]}";
    size_t before = total.outside;
    (void)state;
    run_line(line);
    assert_int_equal(total.outside, before + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_results_lie_within),
        cmocka_unit_test(test_wrong_results_are_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
