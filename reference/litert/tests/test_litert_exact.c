/* The exact models of LiteRT and the recordings: every recorded number of every kernel, in both
 * profiles, with a listener and without one; what has no expectation in a profile is undefined
 * there, and nothing else is. Each step does the operation that its site has, and each site of the
 * set is reached. */
#include "recorded.h"

#include "litert/fixed.h"
#include "litert/kernels.h"

enum { MOST_MESSAGES = 20, FILL = 0x5A };

static struct {
    int cases, calls, undefined, wrong;
    bool reached[LB_SITE_COUNT];
} total;

/* A call with memory of its own. */
typedef struct held_call {
    lb_call call;
    lb_tensor tensors[LB_ROLE_COUNT];
} held_call;

/* ---- Reading ---- */

static const lb_kernel *find_kernel(const char *name)
{
    for (size_t i = 0; i < lb_lite_kernel_count; i++)
        if (strcmp(lb_lite_kernels[i].name, name) == 0)
            return &lb_lite_kernels[i];
    return NULL;
}

static uint32_t type_named(const char *name)
{
    static const uint32_t types[] = {LB_S8, LB_S16, LB_S32, LB_S64};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(lb_el_type_name(types[i]), name) == 0)
            return types[i];
    fail_msg("there is no type %s", name);
    return 0;
}

static void add_tensor(held_call *h, const cJSON *item)
{
    int role = lb_role_find(item->string);
    assert_true(role >= 0 && lb_kernel_role(h->call.kernel, (lb_role)role));
    lb_tensor *t = &h->tensors[role];
    const cJSON *size, *v;
    *t = (lb_tensor){.el_type = type_named(text_of(item, "type"))};
    cJSON_ArrayForEach(size, item_of(item, "shape"))
    {
        assert_true(t->rank < LB_MAX_RANK);
        t->shape[t->rank++] = (uint32_t)size->valuedouble;
    }
    int32_t stride = 1;
    for (uint32_t d = t->rank; d-- > 0; stride *= (int32_t)t->shape[d])
        t->mem_stride[d] = stride;
    size_t bytes = lb_element_count(t) * lb_storage_bytes(t->el_type), i = 0;
    t->data.capacity_bytes = (uint32_t)bytes;
    t->data.mem.ptr = malloc(bytes ? bytes : 1);
    assert_non_null(t->data.mem.ptr);
    memset(t->data.mem.ptr, FILL, bytes);
    cJSON_ArrayForEach(v, item_of(item, "data")) lb_store(t, i++, (int64_t)v->valuedouble);
    h->call.tensor[role] = t;
    h->call.list_count[role] = 1;
}

static void make_call(held_call *h, const cJSON *line)
{
    const cJSON *item;
    int fields = 0;
    memset(h, 0, sizeof *h);
    h->call.kernel = find_kernel(text_of(line, "function"));
    if (!h->call.kernel)
        fail_msg("there is no function %s", text_of(line, "function"));
    cJSON_ArrayForEach(item, item_of(line, "inputs")) add_tensor(h, item);
    cJSON_ArrayForEach(item, item_of(line, "outputs")) add_tensor(h, item);
    cJSON_ArrayForEach(item, item_of(line, "config"))
    {
        int field = lb_lite_field_find(item->string);
        assert_true(field >= 0);
        h->call.config.of_litert[field] = (int32_t)item->valuedouble;
        fields++;
    }
    for (const lb_config_field *f = lb_config_fields(h->call.kernel->config_kind); f->name;
         f++, fields--)
        assert_non_null(item_of(item_of(line, "config"), f->name));
    assert_int_equal(fields, 0);
}

static void release(held_call *h)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (h->call.tensor[role])
            free(h->tensors[role].data.mem.ptr);
}

/* ---- Running ---- */

static void hear(void *user, const lb_num_step *step)
{
    (void)user;
    if (step->operation == LB_STEP_GIVEN)
        return;
    if ((int)step->operation != lb_site_operation(step->site))
        fail_msg("%s: %s", lb_site_symbol(step->site), lb_operation_name(step->operation));
    total.reached[step->site] = true;
}

static const cJSON *expectation(const cJSON *line, const char *profile)
{
    const cJSON *expect, *name;
    cJSON_ArrayForEach(expect, item_of(line, "expect"))
    {
        cJSON_ArrayForEach(name, item_of(expect, "profiles"))
        {
            if (strcmp(cJSON_GetStringValue(name), profile) == 0)
                return item_of(expect, "outputs");
        }
    }
    return NULL;
}

static void note_wrong(const char *id, const char *profile, const char *what)
{
    if (total.wrong++ < MOST_MESSAGES)
        print_error("%s [%s]: %s\n", id, profile, what);
}

static void compare(const held_call *h, const cJSON *outputs, const char *id, const char *profile)
{
    const cJSON *output, *v;
    char what[128];
    cJSON_ArrayForEach(output, outputs)
    {
        const lb_tensor *t = &h->tensors[lb_role_find(output->string)];
        size_t i = 0;
        assert_int_equal(cJSON_GetArraySize(output), lb_element_count(t));
        cJSON_ArrayForEach(v, output)
        {
            int64_t got = lb_load_wide(t, i++);
            if (got == (int64_t)v->valuedouble)
                continue;
            snprintf(what, sizeof what, "%s[%zu] is %lld, expected %.0f", output->string, i - 1,
                     (long long)got, v->valuedouble);
            note_wrong(id, profile, what);
            break;
        }
    }
}

/* What the model says of its numbers, where the call is defined. */
static void look_at_range(void *user, lb_num number, int64_t low, int64_t high, lb_claim claim)
{
    int *outside = user;
    *outside += claim != LB_SAME_BEYOND && (number.v < low || number.v > high);
}

static void run_in(const cJSON *line, const lb_profile *profile, lb_steps *listener)
{
    const cJSON *wanted = expectation(line, profile->name);
    const char *id = text_of(line, "id");
    held_call h;
    make_call(&h, line);
    const lb_context context = {.profile = profile, .steps = listener};
    const lb_rule *violated = lb_run_exact(&context, &h.call);
    total.calls++;
    total.undefined += !wanted;
    const int *outside = listener ? listener->user : NULL;
    if (violated)
        note_wrong(id, profile->name, violated->name);
    else if (wanted && h.call.undefined != LB_SAID)
        note_wrong(id, profile->name, lb_unsaid_words(h.call.undefined));
    else if (wanted && outside && *outside > 0)
        note_wrong(id, profile->name, "has a number outside of what the model says of it");
    else if (!wanted && h.call.undefined == LB_SAID)
        note_wrong(id, profile->name, "is recorded as undefined");
    else if (wanted)
        compare(&h, wanted, id, profile->name);
    release(&h);
}

static void run_line(const char *text)
{
    static const int roles[] = {LB_ROLE_OUT, LB_ROLE_SHIFT};
    cJSON *line = cJSON_Parse(text);
    assert_non_null(line);
    for (int p = 0; p < LB_LITE_PROFILE_COUNT && item_of(line, "inputs"); p++) {
        run_in(line, &lb_lite_profiles[p], NULL);
        for (size_t r = 0; r < sizeof roles / sizeof roles[0]; r++) {
            int outside = 0;
            lb_steps every = {.role = roles[r],
                              .element = LB_STEPS_EVERY,
                              .step = hear,
                              .user = &outside,
                              .demanded = look_at_range};
            run_in(line, &lb_lite_profiles[p], &every);
        }
    }
    total.cases += item_of(line, "inputs") != NULL;
    cJSON_Delete(line);
}

static void test_recorded_results(void **state)
{
    (void)state;
    int missing = 0;
    each_recorded_line(run_line);
    for (int site = 0; site < LB_SITE_COUNT; site++)
        if (strncmp(lb_site_symbol((lb_site)site), "LITE_", 5) == 0 && !total.reached[site]) {
            print_error("%s is not reached\n", lb_site_symbol((lb_site)site));
            missing++;
        }
    print_message("%d cases, %d calls, %d of them undefined, %d wrong\n", total.cases, total.calls,
                  total.undefined, total.wrong);
    assert_int_equal(total.wrong, 0);
    assert_int_equal(missing, 0);
    assert_int_equal(total.cases, 3531);
}

static void compare_table(const cJSON *all, const char *name, size_t count, int (*entry)(size_t))
{
    const cJSON *table = item_of(all, name), *v;
    size_t i = 0;
    assert_int_equal(cJSON_GetArraySize(table), count);
    cJSON_ArrayForEach(v, table)
    {
        assert_int_equal(entry(i), (int)v->valuedouble);
        i++;
    }
}

static int softmax_exp(size_t i)
{
    return lb_fix_softmax_exp[i];
}

static int softmax_one_over_one_plus_x(size_t i)
{
    return lb_fix_softmax_one_over_one_plus_x[i];
}

static int sigmoid(size_t i)
{
    return lb_fix_sigmoid[i];
}

static void test_tables_are_the_recorded_ones(void **state)
{
    static char text[1 << 16];
    (void)state;
    FILE *file = fopen(LASTBIT_SOURCE_DIR "/reference/litert/spec/tables.json", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    cJSON *all = cJSON_Parse(text);
    assert_non_null(all);
    compare_table(all, "softmax_exp", LB_FIX_LUT, softmax_exp);
    compare_table(all, "softmax_one_over_one_plus_x", LB_FIX_LUT, softmax_one_over_one_plus_x);
    compare_table(all, "sigmoid", LB_FIX_SIGMOID, sigmoid);
    cJSON_Delete(all);
}

/* Results that are wrong by one, and a call that is said to be defined, are found. */
static void test_wrong_results_are_found(void **state)
{
#define RELU(shift, expected)                                                                      \
    "{\"id\":\"(on purpose)\",\"function\":\"litert_relu_s8\",\"config\":{"                        \
    "\"input_zero_point\":0,\"output_zero_point\":0,\"multiplier\":1073741824,\"shift\":" shift    \
    ",\"activation_min\":0,\"activation_max\":127},\"inputs\":{\"in\":{\"type\":\"s8\","           \
    "\"shape\":[3],\"data\":[3,3,-3]}},\"outputs\":{\"out\":{\"type\":\"s8\",\"shape\":[3]}},"     \
    "\"expect\":[{\"profiles\":[\"litert-double\",\"litert-single\"],\"outputs\":{"                \
    "\"out\":" expected "}}]}"
    (void)state;
    int before = total.wrong;
    run_line(RELU("1", "[3,3,0]"));
    assert_int_equal(total.wrong, before);
    run_line(RELU("1", "[3,4,0]"));
    assert_int_equal(total.wrong, before + 6);
    run_line(RELU("31", "[3,3,0]"));
    assert_int_equal(total.wrong, before + 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_are_the_recorded_ones),
        cmocka_unit_test(test_recorded_results),
        cmocka_unit_test(test_wrong_results_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
