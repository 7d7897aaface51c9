/* Which elements an explanation says are read: the text, and that the steps read no others.
 * LASTBIT_SEED chooses others. */
#include "harness/tests/explain_tools.h"

#include "harness/base/command_line.h"
#include "harness/generate/random_case.h"

#include <inttypes.h>

static bool provides_nothing(const lb_port *port, const lb_kernel *kernel)
{
    (void)port;
    (void)kernel;
    return false;
}

static lb_port silent = {
    .name = "silent", .described = "", .provides = provides_nothing, .close = fake_close};

/* ---- The text ---- */

static void test_the_formula_of_a_convolution(void **state)
{
    static const char json[] =
        "{\"format\":\"lastbit/cases-1\",\"suite\":\"s\",\"cases\":[{\"id\":\"a\",\"function\":"
        "\"mli_krn_depthwise_conv2d_hwcn_fx16\",\"config\":{\"relu\":\"none\",\"stride_width\":3,"
        "\"stride_height\":2,\"padding_left\":0,\"padding_right\":0,\"padding_top\":1,"
        "\"padding_bottom\":0,\"dilation_width\":1,\"dilation_height\":2},\"inputs\":{\"in\":{"
        "\"type\":\"fx16\",\"shape\":[6,4,1],\"frac_bits\":0,\"data\":[1,2,3,4,5,6,7,8,9,10,11,12,"
        "13,14,15,16,17,18,19,20,21,22,23,24]},\"weights\":{\"type\":\"fx16\",\"shape\":[2,2,1,1],"
        "\"frac_bits\":0,\"data\":[1,2,3,4]},\"bias\":{\"type\":\"fx16\",\"shape\":[1],"
        "\"frac_bits\":0,\"data\":[0]}},\"outputs\":{\"out\":{\"type\":\"fx16\",\"shape\":[3,1,1],"
        "\"frac_bits\":0}}}]}";
    opened_case o = open_case(json);
    const lb_case *c = o.c;
    (void)state;
    lb_explanation e = explain_element(c, &silent, 0, LB_ROLE_OUT, 0, &o.arena);
    const char *text = text_of(&e);
    assert_contains(
        text,
        "reads     in.row = row * stride_height - padding_top + kernel row * dilation_height\n"
        "                 = 0 * 2 - 1 + (0 to 1) * 2 = -1 to 1 of 6; nothing is read outside\n");
    assert_contains(text, "          weights.row = kernel row = 0 to 1 of 2\n");
    lb_explanation_free(&e);
    e = explain_element(c, &silent, 0, LB_ROLE_OUT, 2, &o.arena);
    assert_contains(text_of(&e), "= 2 * 2 - 1 + (0 to 1) * 2 = 3 to 5 of 6\n");
    lb_doc doc = json_of(&e);
    lb_doc_char(&doc, '\0');
    assert_contains(
        doc.text, "{\"index\":\"in.row\",\"formula\":\"row * stride_height - padding_top + kernel "
                  "row * dilation_height\",\"numbers\":\"2 * 2 - 1 + (0 to 1) * 2\",\"low\":3,"
                  "\"high\":5,\"extent\":6}");
    lb_doc_free(&doc);
    lb_explanation_free(&e);
    close_case(&o);
}

/* Dimensions of the source are found through the order; so are the entries of its fields. */
static void test_the_formula_of_an_ordered_movement(void **state)
{
    static const char json[] =
        "{\"format\":\"lastbit/cases-1\",\"suite\":\"s\",\"cases\":[{\"id\":\"a\",\"function\":"
        "\"mli_mov_tensor_sync\",\"config\":{\"offset\":[1,0,0,0],\"size\":[0,0,0,0],"
        "\"sub_sample_step\":[2,1,1,1],\"dst_offset\":[0,0,0,0],\"dst_mem_stride\":[0,0,0,0],"
        "\"perm_dim\":[1,0,2,3],\"padding_pre\":[0,0,0,0],\"padding_post\":[0,0,0,0]},\"inputs\":{"
        "\"in\":{\"type\":\"fx8\",\"shape\":[5,3],\"frac_bits\":0,\"data\":[1,2,3,4,5,6,7,8,9,10,"
        "11,12,13,14,15]}},\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[3,2],\"frac_bits\":0}}"
        "}"
        "]}";
    opened_case o = open_case(json);
    (void)state;
    lb_explanation e = explain_element(o.c, &silent, 0, LB_ROLE_OUT, 3, &o.arena); /* [1][1] */
    const char *text = text_of(&e);
    assert_contains(text, "in.dimension 1 = dimension 0 * sub_sample_step[perm_dim[0]] + "
                          "offset[perm_dim[0]] - padding_pre[perm_dim[0]]\n");
    assert_contains(text, "= 1 * 1 + 0 - 0 = 1 of 3\n");
    assert_contains(text, "in.dimension 0 = dimension 1 * sub_sample_step[perm_dim[1]]");
    assert_contains(text, "= 1 * 2 + 1 - 0 = 3 of 5\n");
    lb_explanation_free(&e);
    close_case(&o);
}

/* ---- What is read is what is said ---- */

/* The index of a place as the access counts. */
static int64_t index_in(const lb_access *access, const lb_tensor *t, const lb_num_place *place,
                        unsigned d)
{
    int64_t flat = 0;
    for (unsigned k = 0; k < place->rank; k++)
        flat = flat * t->shape[k] + place->index[k];
    return access->is_flat ? flat : place->index[d];
}

static void check_place(const lb_explanation *e, const lb_map *map, const lb_index_line *line,
                        const lb_num_place *place)
{
    const lb_access *access = &map->access[line->access];
    const lb_tensor *t = e->replayed->before.call.tensor[access->role];
    if (access->of_parameters || lb_replayed_tensor(e->replayed, place->owner) != t)
        return;
    int64_t at = index_in(access, t, place, line->dim);
    if (at < line->low || at > line->high)
        fail_msg("%s: %s is %" PRId64 ", and %s = %s", e->test_case->id, line->name, at,
                 line->formula, line->numbers);
}

typedef struct account {
    size_t lines, places;
} account;

static void check_element(const lb_case *c, size_t flat, lb_arena *arena, account *total)
{
    lb_index_line lines[LB_MOST_INDEX_LINES];
    lb_explanation e = explain_element(c, &silent, 0, LB_ROLE_OUT, flat, arena);
    const lb_map *map = lb_map_of(c->kernel);
    const size_t count = lb_explain_indices(&e, lines);
    total->lines += count;
    for (size_t g = 0; g < e.slice.given_count; g++)
        for (size_t i = 0; i < count && e.slice.givens[g].place.kind == LB_NUM_ELEMENT; i++) {
            check_place(&e, map, &lines[i], &e.slice.givens[g].place);
            total->places++;
        }
    lb_explanation_free(&e);
}

static unsigned long seed(void)
{
    unsigned long value = 7;
    const char *text = getenv("LASTBIT_SEED");
    if (text && !lb_parse_number(text, 0, 1000000000, &value))
        fail_msg("LASTBIT_SEED=%s: expected a number", text);
    return value;
}

static void check_function(const lb_kernel *kernel, account *total)
{
    enum { CASES = 4 };
    for (uint64_t n = 0; n < CASES; n++) {
        lb_arena arena = {0};
        lb_case c;
        lb_random_options options = {.seed = seed(), .small = true};
        if (lb_random_case(kernel, &options, n, &arena, &c) && c.chain.steps == 0 &&
            c.operand[LB_ROLE_OUT].tensors[0].rank > 0 && !c.null_role[LB_ROLE_OUT]) {
            lb_layout layout = lb_layout_of(&c.operand[LB_ROLE_OUT].tensors[0]);
            size_t elements = lb_layout_count(&layout);
            if (elements > 0 && layout.rank == c.operand[LB_ROLE_OUT].tensors[0].rank)
                check_element(&c, (size_t)(n * 7) % elements, &arena, total);
        }
        lb_arena_free(&arena);
    }
}

static void test_steps_read_what_the_map_says(void **state)
{
    unsigned functions = 0;
    account total = {0, 0};
    (void)state;
    for (size_t i = 0; i < lb_kernel_count; i++) {
        const lb_map *map = lb_map_of(&lb_kernels[i]);
        if (!map || !lb_kernels[i].exact || map->access[LB_MAP_OUT].role != LB_ROLE_OUT ||
            map->access[LB_MAP_OUT].rank == 0)
            continue;
        const size_t lines = total.lines;
        check_function(&lb_kernels[i], &total);
        if (total.lines == lines)
            fail_msg("%s: of no element is said what is read", lb_kernels[i].name);
        functions++;
    }
    assert_true(functions > 100);
    assert_true(total.places > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_formula_of_a_convolution),
        cmocka_unit_test(test_the_formula_of_an_ordered_movement),
        cmocka_unit_test(test_steps_read_what_the_map_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
