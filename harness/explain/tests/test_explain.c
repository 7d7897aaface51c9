/* lastbit explain: the steps that it prints add up. They are replayed from the printed text alone,
 * for made-up cases of every function, for all suites in vectors/ and for all recorded cases,
 * several elements each; and their given numbers are looked up in the case. LASTBIT_SEED and
 * LASTBIT_COUNT (cases per function) choose others. */
#include "harness/tests/explain_replayed.h"

#include "harness/base/command_line.h"
#include "harness/explain/operations.h"
#include "harness/generate/random_case.h"
#include "harness/suite/suite_level.h"
#include "harness/tests/explain_tools.h"
#include "harness/trial/compare.h"

/* With sanitizers a part of the cases that were made, for they take five times as long. */
#if defined(__SANITIZE_ADDRESS__)
enum { OF_MADE = 45, OF_RECORDED = 5 };
#else
enum { OF_MADE = 9, OF_RECORDED = 1 };
#endif

/* ---- Explanations ---- */

static void no_call(lb_port *port, const lb_profile *profile, lb_call *call)
{
    (void)port;
    (void)profile;
    (void)call;
    abort();
}

static bool no_function(const lb_port *port, const lb_kernel *kernel)
{
    (void)port;
    (void)kernel;
    return false;
}

/* A port without functions: explanations are of the exact model alone. */
static lb_port silent = {.name = "silent",
                         .described = "",
                         .provides = no_function,
                         .call = no_call,
                         .close = fake_close};

/* ---- Given numbers are those of the case ---- */

/* Vectors that a cell makes on its way, as its model tells them. */
typedef struct vectors {
    struct {
        char name[16];
        unsigned frame, index;
        int64_t value;
    } * items;
    size_t count;
} vectors;

static void keep_value(void *user, const char *name, unsigned frame, unsigned index, int64_t value,
                       double real)
{
    vectors *v = user;
    (void)real;
    if (strlen(name) >= sizeof v->items[0].name)
        return;
    v->items = realloc(v->items, (v->count + 1) * sizeof *v->items);
    strcpy(v->items[v->count].name, name);
    v->items[v->count].frame = frame;
    v->items[v->count].index = index;
    v->items[v->count++].value = value;
}

/* The hidden state of a frame is the result of the frame before. */
static int64_t vector_value(const vectors *v, const printed *given)
{
    bool hidden = strcmp(given->name, "h") == 0;
    const char *name = hidden ? "out" : given->name;
    int64_t frame = hidden ? given->frame - 1 : given->frame;
    for (size_t i = v->count; i-- > 0;)
        if (strcmp(v->items[i].name, name) == 0 && v->items[i].frame == frame &&
            v->items[i].index == given->index[0])
            return v->items[i].value;
    fail_msg("no vector %s in frame %" PRId64, name, frame);
    return 0;
}

static const lb_tensor *tensor_named(const lb_instance *instance, const char *name)
{
    char role[16];
    unsigned item = 0;
    snprintf(role, sizeof role, "%.*s", (int)strcspn(name, "["), name);
    if (strchr(name, '['))
        item = (unsigned)strtoul(strchr(name, '[') + 1, NULL, 10);
    int found = lb_role_find(role);
    return found < 0 ? NULL : &instance->tensors[found][item];
}

static int64_t element_value(const lb_tensor *t, const printed *given)
{
    uint32_t index[LB_MAX_RANK] = {0};
    lb_tensor list = *t;
    if (t->rank == 0 &&
        given->rank == 1) { /* convert takes rank 0 for a list of one (numerics.md 7.5) */
        list.rank = 1;
        list.shape[0] = 1;
        list.mem_stride[0] = 1;
    }
    assert_int_equal(given->rank, list.rank);
    for (unsigned d = 0; d < given->rank; d++)
        index[d] = (uint32_t)given->index[d];
    if (t->el_type != LB_FP32)
        return lb_load(&list, lb_offset_of(&list, index));
    return lb_read_container(
        (const unsigned char *)list.data.mem.ptr + 4 * lb_offset_of(&list, index), 4);
}

static int64_t quant_field(lb_quant q, const char *field)
{
    return strcmp(field, "scale") == 0        ? q.scale
           : strcmp(field, "zero_point") == 0 ? q.zero_point
                                              : q.frac;
}

/* Formats of vectors that a cell makes: those that the spec fixes (recurrent.md 7, 8), or those of
 * the tensors around it. */
static bool is_cell_format(const lb_instance *instance, const printed *given)
{
    static const lb_quant fixed[] = {{1, 8, -128}, {1, 7, 0},  {1, 4, 0}, {21, 9, 0},
                                     {1, 15, 0},   {1, 10, 0}, {1, 11, 0}};
    static const lb_role roles[] = {LB_ROLE_OUT, LB_ROLE_PREV_OUT, LB_ROLE_CELL};
    const lb_tensor *in = &instance->tensors[LB_ROLE_IN][0];
    int products =
        in->frac_bits +
        instance->tensors[LB_ROLE_WEIGHTS_IN][0].frac_bits; /* IR of fx is at most this */
    bool known = lb_is_fx(in->el_type) && given->result == products;
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        known = known || quant_field(fixed[i], given->field) == given->result;
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        known = known || (instance->memory->test_case->operand[roles[i]].present &&
                          quant_field(lb_quant_at(&instance->tensors[roles[i]][0], 0),
                                      given->field) == given->result);
    return known;
}

static int64_t positions_in_window(const lb_instance *instance, const lb_explanation *e)
{
    const lb_config *cfg = &instance->call.config;
    const lb_tensor *in = &instance->tensors[LB_ROLE_IN][0];
    int64_t count = 0;
    for (int64_t i = 0; i < cfg->kernel_height; i++)
        for (int64_t j = 0; j < cfg->kernel_width; j++) {
            int64_t y = (int64_t)e->index[0] * cfg->stride_height - cfg->padding_top + i;
            int64_t x = (int64_t)e->index[1] * cfg->stride_width - cfg->padding_left + j;
            count += y >= 0 && x >= 0 && y < in->shape[0] && x < in->shape[1];
        }
    return count;
}

static void check_given(const lb_instance *instance, const vectors *v, const lb_explanation *e,
                        const printed *given)
{
    const lb_tensor *t = tensor_named(instance, given->name);
    if (strcmp(given->kind, "element") == 0) {
        assert_non_null(t);
        assert_int_equal(given->result, element_value(t, given));
    } else if (strcmp(given->kind, "intermediate") == 0) {
        assert_int_equal(given->result, vector_value(v, given));
    } else if (strcmp(given->kind, "parameter") == 0 && t) {
        uint32_t entry = given->rank ? (uint32_t)given->index[0] : 0;
        assert_int_equal(given->result, quant_field(lb_quant_at(t, entry), given->field));
    } else if (strcmp(given->kind, "parameter") == 0) {
        assert_true(is_cell_format(instance, given));
    } else if (strcmp(given->name, "positions in the window") == 0) {
        assert_int_equal(given->result, positions_in_window(instance, e));
    } else if (strcmp(given->name, "rank") == 0) {
        assert_int_equal(given->result, e->index[1]);
    } else {
        assert_string_equal(given->name, "entry");
        assert_int_equal(given->result, e->flat);
    }
}

/* argmax: so many elements of the slice are larger, and not more than its rank. */
static void check_place(const lb_instance *instance, const lb_explanation *e, int64_t offset)
{
    const lb_tensor *in = &instance->tensors[LB_ROLE_IN][0];
    int32_t axis = instance->call.config.axis, chosen = lb_load(in, (size_t)offset);
    size_t larger = 0, equal = 0, count = lb_element_count(in);
    for (size_t i = 0; i < count; i++) {
        uint32_t index[LB_MAX_RANK];
        lb_unflatten(in, i, index);
        int32_t value = lb_load(in, lb_offset_of_flat(in, i));
        bool inside = axis < 0 || index[axis] == e->index[0];
        larger += inside && value > chosen;
        equal += inside && value == chosen;
    }
    assert_true(larger <= e->index[1] && e->index[1] < larger + equal);
}

static void check_leaves(const lb_case *c, int profile, const lb_explanation *e, const replayed *r)
{
    lb_arena arena = {0};
    lb_call_memory memory;
    lb_instance instance, fresh;
    vectors v = {0};
    lb_trace trace = {.value = keep_value, .user = &v};
    lb_context context = {.profile = &lb_profiles[profile], .trace = &trace};
    lb_call_memory_make(&memory, c, &arena);
    lb_instance_make(&instance, &memory, &arena);
    lb_instance_make(&fresh, &memory, &arena);
    lb_run_exact(&context, &instance.call);
    for (size_t i = 1; i <= r->given_count; i++)
        check_given(&fresh, &v, e, &r->givens[i]);
    if (c->kernel->family == LB_FAMILY_ARGMAX)
        check_place(&fresh, e, r->results[r->step_count]);
    free(v.items);
    lb_arena_free(&arena);
}

/* ---- The steps add up ---- */

typedef struct account {
    size_t elements, steps, given, refused, families[LB_FAMILY_COUNT];
} account;

/* Replays what is printed for one element; gives whether there were steps. */
static bool check_element(const lb_case *c, int profile, const lb_explanation *e, account *total)
{
    lb_doc doc = json_of(e);
    replayed r = replay_document(doc.text, doc.length);
    int64_t result = lb_replayed_value(e->replayed, &e->replayed->exact, e->role, e->flat);
    assert_int_equal(r.step_count, e->slice.step_count);
    assert_int_equal(r.given_count, e->slice.given_count);
    if (e->slice.written) {
        assert_true(e->slice.result.step > 0);
        assert_int_equal(r.results[e->slice.result.step], result);
        check_leaves(c, profile, e, &r);
        total->elements++;
        total->families[c->kernel->family]++;
    }
    total->steps += r.step_count;
    total->given += r.given_count;
    replayed_free(&r);
    lb_doc_free(&doc);
    return e->slice.written;
}

/* The steps of another element in place of those that are there. */
static void take_element(lb_explanation *e, size_t flat)
{
    lb_layout layout = lb_replayed_layout(e->replayed, e->role);
    lb_explanation_free(e);
    e->flat = flat;
    for (unsigned d = layout.rank; d-- > 0; flat /= layout.shape[d])
        e->index[d] = (uint32_t)(flat % layout.shape[d]);
    lb_slice_make(&e->slice, e->replayed, e->role, e->flat);
    e->real = calloc(e->slice.step_count + 1, sizeof *e->real);
    lb_slice_real(&e->slice, e->real);
}

/* Some elements of an output: the first, the last and one between. */
static void check_output(const lb_case *c, int profile, int role, uint64_t pick, account *total)
{
    lb_arena arena = {0};
    lb_explanation e = explain(c, &silent, profile, role, &arena);
    for (int i = 0; e.has_element && i < 3; i++) {
        take_element(&e, i == 0 ? 0 : i == 1 ? e.count - 1 : (size_t)(pick % e.count));
        check_element(c, profile, &e, total);
    }
    if (e.replayed->rule) {
        assert_contains(text_of(&e), e.replayed->rule->name);
        total->refused++;
    }
    lb_explanation_free(&e);
    lb_arena_free(&arena);
}

static bool has_output(const lb_case *c, lb_role role)
{
    return c->operand[role].present && c->operand[role].is_output && !c->null_role[role];
}

static void check_case(const lb_case *c, int profile, uint64_t pick, account *total)
{
    if (!c->kernel || !c->kernel->exact || c->chain.steps > 0)
        return;
    check_output(c, profile, -1, pick, total);
    if (has_output(c, LB_ROLE_CELL))
        check_output(c, profile, LB_ROLE_CELL, pick, total);
}

static void tell_account(const account *total)
{
    printf("%zu elements, %zu steps from %zu given numbers; %zu calls that a rule refuses\n",
           total->elements, total->steps, total->given, total->refused);
}

static unsigned long setting(const char *name, unsigned long otherwise)
{
    unsigned long value = otherwise;
    const char *text = getenv(name);
    if (text && !lb_parse_number(text, 0, 1000000000, &value))
        fail_msg("%s=%s: expected a number", name, text);
    return value;
}

static void test_steps_of_made_up_cases_add_up(void **state)
{
    lb_random_options options = {.seed = setting("LASTBIT_SEED", 11), .fault_one_in = 16};
    unsigned long count = setting("LASTBIT_COUNT", 12);
    lb_arena arena = {0};
    account total = {0};
    (void)state;
    for (size_t k = 0; k < lb_kernel_count; k++)
        for (unsigned long i = 0; i < count; i++) {
            lb_case c;
            lb_arena_reset(&arena);
            options.small = i % 4 != 0;
            if (lb_random_case(&lb_kernels[k], &options, i, &arena, &c))
                check_case(&c, (int)(i % LB_PROFILE_COUNT), i * 2654435761u, &total);
        }
    lb_arena_free(&arena);
    tell_account(&total);
    for (int family = 0; family < LB_FAMILY_COUNT; family++)
        if (family != LB_FAMILY_LUT && family != LB_FAMILY_HELPER && family != LB_FAMILY_MOV &&
            family != LB_FAMILY_FLOAT4 &&
            !total.families[family]) /* of those no cases are made up */
            fail_msg("no element of %s was replayed", lb_family_name((lb_family)family));
}

/* Every so many cases of the suite, but for those of the level deep, whose sums are too long to be
 * told step by step. */
static void check_suite(const char *path, size_t every, account *total)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_suite *suite = lb_suite_open(path, &diagnostics);
    assert_non_null(suite);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    for (size_t i = 0; i < lb_suite_case_count(suite); i += every) {
        const lb_case *c = lb_suite_reader_case(reader, i, &diagnostics);
        if (lb_level_of(c) != LB_LEVEL_DEEP)
            check_case(c, (int)(i % LB_PROFILE_COUNT), i * 2654435761u, total);
    }
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
}

static void test_steps_of_the_suites_add_up(void **state)
{
    char *folder[] = {LASTBIT_SOURCE_DIR "/vectors"};
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_paths paths = {0};
    account total = {0};
    (void)state;
    assert_true(lb_paths_collect(folder, 1, &paths, &diagnostics));
    for (size_t i = 0; i < paths.count;
         i++) /* JSON Lines: thousands of cases that were made, a part of which is enough */
        check_suite(paths.items[i], strstr(paths.items[i], ".jsonl") ? OF_MADE : 1, &total);
    lb_paths_free(&paths);
    tell_account(&total);
    assert_true(total.elements > 1000 && total.families[LB_FAMILY_MOV] > 0);
}

static void test_steps_of_recorded_cases_add_up(void **state)
{
    static const char *const suites[] = {"activation_lut",
                                         "argmax",
                                         "conv2d",
                                         "convert",
                                         "data_movement",
                                         "depthwise_conv2d",
                                         "eltwise",
                                         "fully_connected",
                                         "group_conv2d",
                                         "gru",
                                         "helpers",
                                         "l2_normalize",
                                         "lstm",
                                         "permute",

                                         "pooling",
                                         "relu",
                                         "rnn_dense",
                                         "softmax",
                                         "transpose_conv2d"};
    account total = {0};
    (void)state;
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, LASTBIT_SOURCE_DIR "/vectors/recorded/%s.jsonl", suites[i]);
        check_suite(path, OF_RECORDED, &total);
    }
    tell_account(&total);
    assert_true(total.elements > 1000 && total.families[LB_FAMILY_MOV] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_of_made_up_cases_add_up),
        cmocka_unit_test(test_steps_of_the_suites_add_up),
        cmocka_unit_test(test_steps_of_recorded_cases_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
