/* Probes on ports that read their operands wrongly: what they show of it. */
#include "harness/diagnose/tests/wrong_port.h"

#include "harness/diagnose/probe.h"

static lb_asking asking_of(wrong_port *w, lb_arena *arena)
{
    return (lb_asking){
        .evidence = &w->evidence, .most_calls = 200, .deadline = 1000, .arena = arena};
}

/* Runs the model with elements of the role taken from elsewhere; the input is as it was then. */
static void run_with_elements(const lb_context *context, lb_call *call, lb_role role,
                              size_t (*from)(const lb_tensor *t, size_t flat))
{
    lb_tensor *t = call->tensor[role];
    const size_t count = lb_element_count(t);
    int32_t *kept = calloc(count + 1, sizeof *kept);
    assert_non_null(kept);
    for (size_t i = 0; i < count; i++)
        kept[i] = lb_load(t, lb_offset_of_flat(t, i));
    for (size_t i = 0; i < count; i++)
        lb_store(t, lb_offset_of_flat(t, i), kept[from(t, i)]);
    lb_run_exact(context, call);
    for (size_t i = 0; i < count; i++)
        lb_store(t, lb_offset_of_flat(t, i), kept[i]);
    free(kept);
}

static size_t the_next(const lb_tensor *t, size_t flat)
{
    return flat + 1 < lb_element_count(t) ? flat + 1 : flat;
}

static void second_is_one_behind(const lb_context *context, lb_call *call)
{
    run_with_elements(context, call, LB_ROLE_IN2, the_next);
}

static void test_elements_of_an_operand_are_followed(void **state)
{
    wrong_port w;
    lb_arena arena = {0};
    uint32_t items[2];
    (void)state;
    gather(&w, "faults_eltwise.jsonl", "mli_krn_eltwise_min_fx16", second_is_one_behind);
    lb_probing probing = {.asking = asking_of(&w, &arena)};
    const size_t count = first_items(&w.evidence, true, items, 2);
    assert_int_equal(lb_probe_sources(&probing, items, count), LB_PROBED_WRONG);
    assert_non_null(probing.told.words);
    assert_int_equal(probing.told.shown[0], LB_ROLE_IN2);
    assert_non_null(strstr(probing.told.words, "takes the element 1 behind the one that is due"));
    assert_non_null(strstr(probing.told.example, "in2["));
    assert_true(probing.asking.calls > 0 && probing.asking.calls <= probing.asking.most_calls);
    lb_arena_free(&arena);
    forget(&w);
}

/* Of weights [height, width, ...]: the rows from the last to the first. */
static size_t row_from_the_end(const lb_tensor *t, size_t flat)
{
    const size_t of_row = lb_element_count(t) / t->shape[0];
    return (t->shape[0] - 1 - flat / of_row) * of_row + flat % of_row;
}

static void rows_backwards(const lb_context *context, lb_call *call)
{
    run_with_elements(context, call, LB_ROLE_WEIGHTS, row_from_the_end);
}

/* Failing results whose weights have rows to be told apart, and few of them. */
static size_t probed_items(lb_evidence *e, uint32_t *items, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < e->count && count < most; i++) {
        const lb_tried *t = &e->items[i];
        const lb_case *c = t->left && t->single ? lb_evidence_case(e, t) : NULL;
        const lb_case_tensor *weights = c ? c->operand[LB_ROLE_WEIGHTS].tensors : NULL;
        if (weights && weights->shape[0] > 1 && weights->data.count <= LB_PROBE_WEIGHTS / 2 &&
            lb_probe_calls(c) > 0 && c->chain.steps == 0)
            items[count++] = (uint32_t)i;
    }
    return count;
}

/* What probes show of a wrong function. */
static lb_probed probed_of(wrong_port *w, const char *file, const char *function,
                           wrong_call *compute, lb_probing *probing, lb_arena *arena)
{
    uint32_t items[4];
    gather(w, file, function, compute);
    *probing = (lb_probing){.asking = asking_of(w, arena)};
    const size_t count = probed_items(&w->evidence, items, 4);
    assert_true(count > 0);
    return lb_probe(probing, items, count, count);
}

/* ... of conv2d. */
static lb_probed probed(wrong_port *w, wrong_call *compute, lb_probing *probing, lb_arena *arena)
{
    return probed_of(w, "faults_conv2d.jsonl", "mli_krn_conv2d_hwcn_fx16", compute, probing, arena);
}

static void test_an_order_of_weights_is_seen(void **state)
{
    wrong_port w;
    lb_arena arena = {0};
    lb_probing probing;
    (void)state;
    assert_int_equal(probed(&w, rows_backwards, &probing, &arena), LB_PROBED_WRONG);
    assert_non_null(probing.told.example);
    lb_arena_free(&arena);
    forget(&w);
}

static int64_t last_bit_turned(int64_t value)
{
    return value ^ 1;
}

static void wrong_with_a_bias(const lb_context *context, lb_call *call)
{
    run_wrong_with_a_bias(context, call, last_bit_turned);
}

static void test_right_meetings_say_that_it_is_in_the_numbers(void **state)
{
    wrong_port w;
    lb_arena arena = {0};
    lb_probing probing;
    (void)state;
    assert_int_equal(probed(&w, wrong_with_a_bias, &probing, &arena), LB_PROBED_RIGHT);
    assert_null(probing.told.words);
    lb_arena_free(&arena);
    forget(&w);
}

/* Large ones are read as one less. */
static void a_weight_too_small(const lb_context *context, lb_call *call)
{
    lb_tensor *t = call->tensor[LB_ROLE_WEIGHTS];
    const size_t count = lb_element_count(t);
    bool *changed = calloc(count + 1, sizeof *changed);
    assert_non_null(changed);
    for (size_t i = 0; i < count; i++) {
        const size_t at = lb_offset_of_flat(t, i);
        changed[i] = lb_load(t, at) >= 100;
        if (changed[i])
            lb_store(t, at, lb_load(t, at) - 1);
    }
    lb_run_exact(context, call);
    for (size_t i = 0; i < count; i++)
        if (changed[i])
            lb_store(t, lb_offset_of_flat(t, i), lb_load(t, lb_offset_of_flat(t, i)) + 1);
    free(changed);
}

static void test_numbers_taken_for_others_are_seen(void **state)
{
    wrong_port w;
    lb_arena arena = {0};
    lb_probing probing;
    (void)state;
    assert_int_equal(probed(&w, a_weight_too_small, &probing, &arena), LB_PROBED_NUMBERS);
    assert_int_equal(probing.role, LB_ROLE_WEIGHTS);
    assert_non_null(strstr(probing.told.words, "where it is 96 or more (seen at 100, not at 65"));
    lb_arena_free(&arena);
    forget(&w);
}

/* Filters of a group are looked for behind all weights of the groups before. */
static size_t filters_of_a_group;

static size_t behind_the_groups_before(const lb_tensor *t, size_t flat)
{
    const size_t filter = flat % t->shape[3];
    const size_t first = filter / filters_of_a_group * filters_of_a_group;
    return (flat + first * (t->shape[2] - 1)) % lb_element_count(t);
}

static void groups_as_blocks(const lb_context *context, lb_call *call)
{
    const lb_tensor *weights = call->tensor[LB_ROLE_WEIGHTS];
    filters_of_a_group = weights->shape[3] * weights->shape[2] / call->tensor[LB_ROLE_IN]->shape[2];
    run_with_elements(context, call, LB_ROLE_WEIGHTS, behind_the_groups_before);
}

static void test_numbers_from_other_places_are_no_other_numbers(void **state)
{
    wrong_port w;
    lb_arena arena = {0};
    lb_probing probing;
    (void)state;
    assert_int_equal(probed_of(&w, "coverage_group_conv2d.jsonl",
                               "mli_krn_group_conv2d_hwcn_fx16_fx8_fx8", groups_as_blocks, &probing,
                               &arena),
                     LB_PROBED_WRONG);
    lb_arena_free(&arena);
    forget(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements_of_an_operand_are_followed),
        cmocka_unit_test(test_an_order_of_weights_is_seen),
        cmocka_unit_test(test_right_meetings_say_that_it_is_in_the_numbers),
        cmocka_unit_test(test_numbers_taken_for_others_are_seen),
        cmocka_unit_test(test_numbers_from_other_places_are_no_other_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
