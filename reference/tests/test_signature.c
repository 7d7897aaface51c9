/* Sorts, siblings and labels of leaves: what a description's numbers are for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "describe/map.h"
#include "describe/signature.h"

#include <stdio.h>
#include <string.h>

#define FIELD(member)                                                                              \
    (lb_leaf)                                                                                      \
    {                                                                                              \
        .kind = LB_LEAF_CONFIG, .type = LB_MEMBER_TYPE(member), .at = offsetof(lb_config, member)  \
    }

/* Labels of siblings or factors, in the order in which they come, with spaces between them. */
typedef unsigned list_fn(const lb_kernel *kernel, lb_leaf leaf, lb_leaf others[LB_MOST_SIBLINGS]);

static void check_list(list_fn *list, const char *function, lb_leaf leaf, const char *labels)
{
    const lb_kernel *kernel = lb_kernel_find(function);
    lb_leaf others[LB_MOST_SIBLINGS];
    char text[1024] = "", label[LB_LEAF_LABEL_BYTES];
    const unsigned count = list(kernel, leaf, others);
    for (unsigned i = 0; i < count; i++) {
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s", i ? " " : "",
                 lb_leaf_label(kernel, others[i], label));
    }
    assert_string_equal(text, labels);
}

static void siblings_are_of_a_sort(void **state)
{
    (void)state;
    const char *conv = "mli_krn_conv2d_hwcn_sa8_sa8_sa32", *pool = "mli_krn_avepool_hwc_fx16";
    check_list(lb_leaf_siblings, conv, FIELD(stride_height),
               "stride_width dilation_width dilation_height");
    check_list(lb_leaf_siblings, conv, FIELD(padding_top),
               "padding_left padding_right padding_bottom");
    check_list(lb_leaf_siblings, pool, FIELD(kernel_width),
               "kernel_height stride_width stride_height");
    check_list(lb_leaf_siblings, conv, FIELD(relu), "");
    check_list(lb_leaf_factors, conv, FIELD(padding_left),
               "stride_width stride_height dilation_width dilation_height");
    check_list(lb_leaf_factors, conv, FIELD(stride_width),
               "padding_left padding_right padding_top padding_bottom");
}

static void siblings_of_lists(void **state)
{
    (void)state;
    lb_leaf offset = FIELD(offset);
    offset.dim = 1;
    check_list(lb_leaf_siblings, "mli_mov_tensor_sync", offset,
               "offset[0] offset[2] offset[3] dst_offset[1] offset[perm_dim[1]] "
               "offset[where perm_dim is 1]");
    offset.by = LB_BY_ORDER;
    check_list(lb_leaf_factors, "mli_mov_tensor_sync", offset, "sub_sample_step[perm_dim[1]]");
}

static void siblings_of_tensors(void **state)
{
    (void)state;
    const lb_leaf rows = {.kind = LB_LEAF_EXTENT, .role = LB_ROLE_OUT, .dim = 0};
    check_list(lb_leaf_siblings, "mli_krn_conv2d_hwcn_sa8_sa8_sa32", rows,
               "out.shape[1] out.shape[2] in.shape[0] weights.shape[0] bias.shape[0]");
    const lb_leaf groups = {.kind = LB_LEAF_DERIVED, .at = 0};
    check_list(lb_leaf_siblings, "mli_krn_group_conv2d_hwcn_fx16", groups,
               "in.shape[2] weights.shape[2]");
    const lb_leaf stride = {.kind = LB_LEAF_STRIDE, .role = LB_ROLE_OUT, .dim = 2};
    check_list(lb_leaf_siblings, "mli_krn_permute_fx8", stride,
               "out.mem_stride[0] out.mem_stride[1] out.mem_stride[3] in.mem_stride[2] "
               "out.mem_stride[perm_dim[2]] out.mem_stride[where perm_dim is 2]");
}

static void neutral_values(void **state)
{
    (void)state;
    const lb_kernel *conv = lb_kernel_find("mli_krn_conv2d_hwcn_fx16");
    const lb_leaf number = {.kind = LB_LEAF_NUMBER, .at = 3};
    assert_int_equal(lb_leaf_neutral(conv, FIELD(stride_width)), 1);
    assert_int_equal(lb_leaf_neutral(conv, FIELD(padding_left)), 0);
    assert_true(lb_leaf_neutral(conv, FIELD(relu)) == LB_NO_NEUTRAL);
    assert_true(lb_leaf_neutral(conv, number) == LB_NO_NEUTRAL);
}

/* Every leaf that a map or a check speaks of is a number of its function, with a name and siblings
 * that are not itself. */
static void check_leaf(const lb_kernel *kernel, lb_leaf leaf)
{
    lb_leaf siblings[LB_MOST_SIBLINGS];
    char label[LB_LEAF_LABEL_BYTES];
    if (leaf.kind == LB_LEAF_CONFIG && !lb_leaf_field(kernel, leaf))
        fail_msg("%s: no field lies at %d", kernel->name, leaf.at);
    if (leaf.kind == LB_LEAF_CONFIG)
        assert_int_equal(leaf.type, lb_leaf_field(kernel, leaf)->type);
    const unsigned count = lb_leaf_siblings(kernel, leaf, siblings);
    assert_true(count < LB_MOST_SIBLINGS);
    for (unsigned i = 0; i < count; i++)
        assert_false(lb_leaf_is(siblings[i], leaf));
    assert_true(strlen(lb_leaf_label(kernel, leaf, label)) > 0);
}

static void check_index(const lb_kernel *kernel, const lb_index *index)
{
    for (int t = 0; t < LB_MAP_TERMS && index->term[t].sign != 0; t++)
        for (int i = 0; i < LB_MAP_FACTORS; i++)
            check_leaf(kernel, index->term[t].times[i]);
    check_leaf(kernel, index->divisor);
    check_leaf(kernel, index->bound);
    check_leaf(kernel, index->stride);
}

static void leaves_have_a_place(void **state)
{
    (void)state;
    for (size_t k = 0; k < lb_kernel_count; k++) {
        const lb_map *map = lb_map_of(&lb_kernels[k]);
        for (int a = 0; map && a < LB_MAP_ACCESSES; a++)
            for (int d = 0; d < map->access[a].rank; d++)
                check_index(&lb_kernels[k], &map->access[a].index[d]);
        for (int l = 0; map && l < map->loops; l++)
            check_leaf(&lb_kernels[k], map->loop[l].extent);
    }
}

/* What a field is for fits what it is: only choices have names, only lists are orders, and a list
 * is about no dimension but that of each entry. */
static void sorts_fit_their_fields(void **state)
{
    (void)state;
    for (int kind = 0; kind < LB_CONFIG_KIND_COUNT; kind++)
        for (const lb_config_field *f = lb_config_fields(kind); f->name; f++) {
            assert_true(f->sort < LB_SORT_COUNT);
            assert_int_equal(f->sort == LB_SORT_CHOICE, f->enum_names != NULL);
            assert_true(f->sort != LB_SORT_ORDER || f->count == LB_MAX_RANK);
            assert_true(f->dimension >= -1 && f->dimension < LB_MAX_RANK);
            assert_true(f->count == 1 || f->dimension == -1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(siblings_are_of_a_sort), cmocka_unit_test(siblings_of_lists),
        cmocka_unit_test(siblings_of_tensors),    cmocka_unit_test(neutral_values),
        cmocka_unit_test(leaves_have_a_place),    cmocka_unit_test(sorts_fit_their_fields)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
