/* What is seen of a port before any fault is thought of, and what a result says of one fault. */
#include "harness/diagnose/tests/wrong_port.h"

#include "harness/diagnose/outside.h"
#include "harness/diagnose/saying.h"
#include "harness/diagnose/where.h"

static void negative_ones_too_large(const lb_context *context, lb_call *call)
{
    lb_run_exact(context, call);
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    for (size_t i = 0; i < lb_element_count(out); i++) {
        const size_t at = lb_offset_of_flat(out, i);
        if (lb_load(out, at) < 0)
            lb_store(out, at, lb_load(out, at) + 1);
    }
}

static const char function[] = "mli_krn_eltwise_min_fx16";

/* Of every failing result the elements that are wrong are known, and no others. */
static void test_what_a_port_left_is_kept(void **state)
{
    wrong_port w;
    lb_look look = {.arena = {0}};
    (void)state;
    gather(&w, "faults_eltwise.jsonl", function, negative_ones_too_large);
    size_t failing = 0;
    for (size_t i = 0; i < w.evidence.count; i++) {
        const lb_tried *t = &w.evidence.items[i];
        lb_left_output out;
        if (!t->left)
            continue;
        failing++;
        assert_true(lb_look_at(&look, &w.evidence, t));
        assert_false(lb_left_equals(t->left, &look.bench.right));
        assert_true(lb_left_output_of(&look.bench.memory, LB_ROLE_OUT, &out));
        const lb_left_counts n = lb_left_count(t->left, &look.bench.right, &look.bench.right);
        uint64_t negative = 0;
        for (size_t k = 0; k < out.count; k++) {
            int16_t right;
            memcpy(&right, look.bench.right.block + out.start + lb_layout_offset(&out.layout, k),
                   sizeof right);
            negative += right < 0;
        }
        assert_int_equal(n.elements, out.count);
        assert_int_equal(n.wrong, negative);
        assert_int_equal(n.explained + n.spoiled, 0);
    }
    assert_int_equal(failing, w.evidence.failing);
    lb_look_end(&look);
    forget(&w);
}

static void test_steps_of_wrong_elements_have_something_in_common(void **state)
{
    wrong_port w;
    lb_arena arena = {0};
    uint32_t failing[12], passing[12];
    lb_where where;
    (void)state;
    gather(&w, "faults_eltwise.jsonl", function, negative_ones_too_large);
    lb_where_find(&where, &w.evidence, failing, first_items(&w.evidence, true, failing, 12),
                  passing, first_items(&w.evidence, false, passing, 12), 1000, &arena);
    assert_true(where.count > 0);
    assert_non_null(strstr(where.words[0], " is -1 or less"));
    lb_arena_free(&arena);
    forget(&w);
}

/* Behind the first row of an output whose rows have gaps between them. */
static void a_gap_is_written(const lb_context *context, lb_call *call)
{
    lb_run_exact(context, call);
    const lb_tensor *out = call->tensor[LB_ROLE_OUT];
    const size_t row = out->rank < 2 ? 0 : out->shape[out->rank - 1];
    if (row == 0 || row == lb_element_count(out))
        return;
    const size_t end = lb_offset_of_flat(out, row - 1) + 1;
    if (lb_offset_of_flat(out, row) > end)
        ((int16_t *)out->data.mem.ptr)[end] = 0x3333;
}

static void test_what_is_written_between_elements_is_seen(void **state)
{
    wrong_port w;
    lb_arena arena = {0};
    lb_look look = {.arena = {0}};
    lb_outside outside = {.bytes = 0};
    (void)state;
    gather(&w, "pairs_eltwise.jsonl", function, a_gap_is_written);
    for (size_t i = 0; i < w.evidence.count; i++)
        if (w.evidence.items[i].left && lb_look_at(&look, &w.evidence, &w.evidence.items[i]))
            lb_outside_look(&outside, &look.bench, w.evidence.items[i].left);
    assert_true(outside.looked > 0);
    assert_int_equal(outside.wrong_elements, 0);
    assert_int_equal(outside.between, outside.bytes);
    assert_int_equal(lb_outside_where(&outside), LB_OUTSIDE_BETWEEN);
    assert_string_equal(lb_outside_words(&outside, &arena),
                        "writes between the elements of the output, always 0x33, up to 2 bytes "
                        "beyond an element");
    lb_look_end(&look);
    lb_arena_free(&arena);
    forget(&w);
}

static const lb_fault *fault_of_kind(const lb_fault_list *list, const char *kind)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].kind->name, kind) == 0)
            return &list->items[i];
    fail_msg("no fault %s", kind);
    return NULL;
}

/* The first result on which the fault changes several elements. */
static bool find_case(wrong_port *w, const lb_fault *fault, lb_look *look)
{
    for (size_t i = 0; i < w->evidence.count; i++) {
        if (!lb_look_at(look, &w->evidence, &w->evidence.items[i]) || !look->bench.computed ||
            !lb_fault_try(&look->bench, fault))
            continue;
        lb_left *left = lb_left_copy(&look->bench.out, &look->arena);
        if (lb_left_count(left, &look->bench.right, &look->bench.right).wrong > 1)
            return true;
    }
    return false;
}

static void test_a_result_says_what_it_knows_of_a_fault(void **state)
{
    wrong_port w;
    lb_look look = {.arena = {0}};
    lb_fault_list list = {0};
    lb_arena arena = {0};
    lb_left_output out;
    (void)state;
    gather(&w, "faults_eltwise.jsonl", function, negative_ones_too_large);
    for (size_t i = 0; i < w.evidence.count && i < 40; i++)
        lb_fault_list_hear(&list, lb_evidence_case(&w.evidence, &w.evidence.items[i]), w.profile,
                           &arena);
    lb_fault_list_fill(&list, w.kernel, NULL);
    const lb_fault *fault = fault_of_kind(&list, "rounding.truncates");
    assert_true(find_case(&w, fault, &look));
    lb_fault_bench *bench = &look.bench;
    assert_true(lb_left_output_of(&bench->memory, LB_ROLE_OUT, &out));

    lb_left *left = lb_left_copy(&bench->out, &look.arena);
    const double work = w.evidence.work;
    assert_int_equal(lb_suspect_say(&w.evidence, bench, fault, left).word, LB_WORD_EXPLAINS);
    assert_true(w.evidence.work > work);
    /* A port that is right here has not the fault. */
    assert_int_equal(lb_suspect_say(&w.evidence, bench, fault, NULL).word, LB_WORD_AGAINST);

    /* One of the wrong elements is right: all others are as the fault has them, and it would spoil
     * this one. */
    size_t first = out.start;
    for (size_t i = 0; memcmp(left->block + first, bench->right.block + first, 2) == 0; i++)
        first = out.start + lb_layout_offset(&out.layout, i);
    memcpy(left->block + first, bench->right.block + first, 2);
    const lb_saying say = lb_suspect_say(&w.evidence, bench, fault, left);
    assert_int_equal(say.word, LB_WORD_SOME);
    assert_true(say.doubt > 1);
    /* ... and it is wrong in another way: of a step that is no longer some of them. */
    left->block[first] ^= 0x40;
    assert_int_equal(lb_suspect_say(&w.evidence, bench, fault, left).word, LB_WORD_AGAINST);
    lb_fault_list_free(&list);
    lb_look_end(&look);
    lb_arena_free(&arena);
    forget(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_port_left_is_kept),
        cmocka_unit_test(test_steps_of_wrong_elements_have_something_in_common),
        cmocka_unit_test(test_what_is_written_between_elements_is_seen),
        cmocka_unit_test(test_a_result_says_what_it_knows_of_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
