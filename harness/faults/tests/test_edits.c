/* Edits of numbers and of index maps: what they come to, and that no two of a function have one
 * name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/faults/edit.h"
#include "reference/describe/map_walk.h"

#include <stdlib.h>
#include <string.h>

/* ---- Numbers ---- */

static const lb_kernel *kernel_of(const char *name)
{
    const lb_kernel *kernel = lb_kernel_find(name);
    assert_non_null(kernel);
    return kernel;
}

/* The edit of a function with this place, in words. */
typedef struct wanted {
    uint8_t op;
    const char *place;
    lb_edit edit;
    unsigned found;
} wanted;

static void look(void *user, const lb_edit *edit)
{
    wanted *w = user;
    lb_arena arena = {0};
    if (edit->op == w->op && strcmp(lb_edit_place(edit, &arena), w->place) == 0) {
        w->edit = *edit;
        w->found++;
    }
    lb_arena_free(&arena);
}

static lb_edit edit_at(const char *function, lb_edit_op op, const char *place)
{
    wanted w = {.op = (uint8_t)op, .place = place};
    lb_edit_each(kernel_of(function), look, &w);
    if (w.found != 1)
        fail_msg("%s has %u edits at \"%s\"", function, w.found, place);
    return w.edit;
}

static lb_config edited(const char *function, lb_edit_op op, const char *place, lb_config given)
{
    const lb_edit edit = edit_at(function, op, place);
    lb_tensor in = {.rank = 3};
    const lb_call call = {
        .kernel = kernel_of(function), .config = given, .tensor = {[LB_ROLE_IN] = &in}};
    lb_config config = given;
    assert_true(lb_edit_numbers(&edit, &call, false, &config));
    return config;
}

/* A step of 0 is given to checks as it is: who exchanges two of them exchanges nothing. */
static void test_steps_of_zero_are_for_checks(void **state)
{
    static const char function[] = "mli_krn_conv2d_hwcn_fx16";
    const lb_edit edit = edit_at(function, LB_EDIT_EXCHANGED, "stride_height: stride_width");
    lb_tensor in = {.rank = 3};
    lb_call call = {.kernel = kernel_of(function), .tensor = {[LB_ROLE_IN] = &in}};
    (void)state;
    lb_config config = call.config;
    assert_false(lb_edit_numbers(&edit, &call, true, &config));
    config.stride_height = 2;
    call.config = config;
    assert_true(lb_edit_numbers(&edit, &call, true, &config));
    assert_int_equal(config.stride_height, 0);
    assert_int_equal(config.stride_width, 2);
    config = call.config;
    assert_true(lb_edit_numbers(&edit, &call, false, &config));
    assert_int_equal(config.stride_height, 1);
}

static const char conv[] = "mli_krn_conv2d_hwcn_fx16";
static const char mov[] = "mli_mov_tensor_sync";
static const lb_config window = {.stride_width = 2,
                                 .stride_height = 3,
                                 .padding_left = 1,
                                 .padding_right = 4,
                                 .padding_top = 2,
                                 .padding_bottom = 6,
                                 .dilation_width = 5,
                                 .dilation_height = 7};

static void test_numbers_of_windows(void **state)
{
    (void)state;
    lb_config c = edited(conv, LB_EDIT_SIBLING, "stride_width: stride_height", window);
    assert_int_equal(c.stride_width, 3);
    assert_int_equal(c.stride_height, 3);
    c = edited(conv, LB_EDIT_EXCHANGED, "padding_top: padding_left", window);
    assert_int_equal(c.padding_top, 1); /* the other ends too */
    assert_int_equal(c.padding_left, 2);
    assert_int_equal(c.padding_bottom, 4);
    assert_int_equal(c.padding_right, 6);
    c = edited(conv, LB_EDIT_TIMES, "padding_top: stride_height, in all directions", window);
    assert_int_equal(c.padding_top, 6);
    assert_int_equal(c.padding_left, 2);
    c = edited(conv, LB_EDIT_HALF, "padding_left: padding_right", window);
    assert_int_equal(c.padding_left, 2);
    c = edited(conv, LB_EDIT_NEUTRAL, "dilation_height, in all directions", window);
    assert_int_equal(c.dilation_height, 1);
    assert_int_equal(c.dilation_width, 1);
}

static void test_numbers_of_movements(void **state)
{
    const lb_config moved = {.offset = {5, 6, 7},
                             .dst_offset = {1, 2, 3},
                             .padding_pre = {1, 0, 2},
                             .sub_sample_step = {1, 2, 3},
                             .perm_dim = {1, 2, 0}};
    (void)state;
    /* a number of the source is found at perm[i] in place of i, one of the destination at i */
    lb_config c = edited(mov, LB_EDIT_SIBLING, "offset: perm_dim", moved);
    const uint32_t through[] = {7, 5, 6};
    assert_memory_equal(c.offset, through, sizeof through);
    c = edited(mov, LB_EDIT_SIBLING, "dst_offset: perm_dim", moved);
    const uint32_t of_output[] = {2, 3, 1};
    assert_memory_equal(c.dst_offset, of_output, sizeof of_output);
    c = edited(mov, LB_EDIT_INVERTED, "perm_dim", moved);
    const uint8_t inverse[] = {2, 0, 1};
    assert_memory_equal(c.perm_dim, inverse, sizeof inverse);
    c = edited(mov, LB_EDIT_TIMES, "offset[2]: sub_sample_step[2], in indices alone", moved);
    assert_int_equal(c.offset[2], 21);
    c = edited(mov, LB_EDIT_SIGN, "padding_pre[2]", moved);
    assert_int_equal(c.offset[2], 11);
}

/* ---- Maps ---- */

/* Rows of 4, 6 apart, under a kernel of 3 with stride 2 and padding 1. */
static lb_bound_map bound_with(lb_edit_op op, const char *place)
{
    const lb_kernel *kernel = kernel_of(conv);
    lb_tensor in = {.rank = 3, .shape = {4, 4, 1}, .mem_stride = {6, 1, 1}};
    lb_tensor weights = {.rank = 4, .shape = {3, 3, 1, 1}, .mem_stride = {3, 1, 1, 1}};
    lb_tensor bias = {.rank = 1, .shape = {1}, .mem_stride = {1}};
    lb_tensor out = {.rank = 3, .shape = {2, 2, 1}, .mem_stride = {2, 1, 1}};
    const lb_call call = {.kernel = kernel,
                          .config = {.stride_width = 2,
                                     .stride_height = 2,
                                     .padding_left = 1,
                                     .padding_top = 1,
                                     .dilation_width = 1,
                                     .dilation_height = 1},
                          .tensor = {[LB_ROLE_IN] = &in,
                                     [LB_ROLE_WEIGHTS] = &weights,
                                     [LB_ROLE_BIAS] = &bias,
                                     [LB_ROLE_OUT] = &out}};
    const lb_edit edit = edit_at(conv, op, place);
    lb_map map = *lb_map_of(kernel);
    lb_config seen = call.config;
    lb_bound_map bound;
    if (edit.in == LB_EDIT_IN_CALL) {
        assert_true(lb_edit_numbers(&edit, &call, false, &seen));
        map.of_indices = &seen;
        map.of_addresses = (edit.reach & LB_REACH_ADDRESSES) != 0;
    } else {
        lb_edit_map(&edit, &map);
    }
    assert_true(lb_map_bind(&bound, &map, &call));
    return bound;
}

/* Loops: filter, row, column, channel, kernel row, kernel column. */
static bool row_at(const lb_bound_map *bound, uint32_t row, uint32_t kernel_row, int64_t *value)
{
    const uint32_t at[LB_MAP_LOOPS] = {[1] = row, [4] = kernel_row};
    return lb_index_at(&bound->access[LB_MAP_X].index[0], at, value);
}

static void test_borders(void **state)
{
    int64_t value = 0;
    (void)state;
    lb_bound_map bound = bound_with(LB_EDIT_CLAMPED, "in.row");
    assert_true(row_at(&bound, 0, 0, &value)); /* from -1 to the edge, with all of the kernel */
    assert_int_equal(value, 0);
    assert_true(row_at(&bound, 0, 2, &value));
    assert_int_equal(value, 2);
    assert_true(row_at(&bound, 1, 0, &value));
    assert_int_equal(value, 1);
    bound = bound_with(LB_EDIT_CLAMPED, "in.row, weights from the first one on");
    assert_true(row_at(&bound, 0, 0, &value)); /* from -1: row 0 with the first weights, */
    assert_int_equal(value, 0);
    assert_true(row_at(&bound, 0, 1, &value));
    assert_int_equal(value, 1);
    assert_false(row_at(&bound, 0, 2, &value)); /* and none with the last */
    assert_true(row_at(&bound, 1, 2, &value));
    assert_int_equal(value, 3);
    bound = bound_with(LB_EDIT_OFF_BY, "in.row: -1");
    assert_false(row_at(&bound, 0, 1, &value)); /* row 0 */
    assert_true(row_at(&bound, 0, 2, &value));
    bound = bound_with(LB_EDIT_OFF_BY, "in.row: +1");
    assert_true(row_at(&bound, 0, 1, &value));
    assert_false(row_at(&bound, 1, 2, &value)); /* row 3 */
    bound = bound_with(LB_EDIT_READS_ON, "in.row");
    assert_true(row_at(&bound, 1, 3, &value)); /* row 4, behind the last one */
    assert_int_equal(value, 4);
    assert_false(row_at(&bound, 0, 0, &value)); /* row -1 */
    bound = bound_with(LB_EDIT_SIBLING, "in.row: extent 0 of out");
    assert_true(row_at(&bound, 1, 0, &value));
    assert_false(row_at(&bound, 1, 1, &value)); /* row 2, where out has 2 */
}

/* Row 3 of the input: output row 1 begins in row 1, and kernel row 2 lies 2 behind it. */
static void test_gaps_of_a_part(void **state)
{
    const uint32_t at[LB_MAP_LOOPS] = {[1] = 1, [2] = 1, [4] = 2};
    (void)state;
    lb_bound_map bound = bound_with(LB_EDIT_DENSE, "in.row, where windows begin");
    assert_int_equal(lb_access_offset(&bound, LB_MAP_X, at), 1 * 4 + 2 * 6 + 1);
    bound = bound_with(LB_EDIT_DENSE, "in.row, within windows");
    assert_int_equal(lb_access_offset(&bound, LB_MAP_X, at), 1 * 6 + 2 * 4 + 1);
}

/* Output row 1 begins in row 1, as an address with a stride of 1 in row 0: kernel row 2 lies in row
 * 3, the last one, and is not cut by what the address says. */
static void test_addresses_alone(void **state)
{
    const uint32_t at[LB_MAP_LOOPS] = {[1] = 1, [2] = 1, [4] = 2};
    int64_t value = 0;
    (void)state;
    lb_bound_map bound =
        bound_with(LB_EDIT_NEUTRAL, "stride_height, but not in tests of the border");
    assert_true(row_at(&bound, 1, 2, &value));
    assert_int_equal(value, 3);
    assert_int_equal(lb_access_offset(&bound, LB_MAP_X, at), 2 * 6 + 1);
    assert_false(row_at(&bound, 0, 0, &value));
}

/* ---- Names ---- */

enum { MOST_EDITS = 400 };
typedef struct names {
    lb_arena arena;
    const char *name[MOST_EDITS];
    lb_edit edit[MOST_EDITS];
    unsigned count;
} names;

static void keep_name(void *user, const lb_edit *edit)
{
    names *n = user;
    const char *name =
        lb_arena_printf(&n->arena, "%d %s", edit->op, lb_edit_place(edit, &n->arena));
    assert_true(n->count < MOST_EDITS);
    assert_true(edit->prior > 0 && edit->hint && *lb_edit_sentence(edit, &n->arena));
    for (unsigned i = 0; i < n->count; i++) {
        if (strcmp(n->name[i], name) == 0)
            fail_msg("%s: two edits are named \"%s\"", edit->kernel->name, name);
        assert_false(lb_edit_equal(&n->edit[i], edit));
    }
    n->edit[n->count] = *edit;
    n->name[n->count++] = name;
}

static void test_each_has_its_name(void **state)
{
    unsigned functions = 0;
    (void)state;
    for (size_t k = 0; k < lb_kernel_count; k++) {
        names *n = calloc(1, sizeof *n);
        assert_non_null(n);
        lb_edit_each(&lb_kernels[k], keep_name, n);
        functions += n->count > 0;
        lb_arena_free(&n->arena);
        free(n);
    }
    assert_true(functions > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_of_zero_are_for_checks),
        cmocka_unit_test(test_numbers_of_windows),
        cmocka_unit_test(test_numbers_of_movements),
        cmocka_unit_test(test_borders),
        cmocka_unit_test(test_gaps_of_a_part),
        cmocka_unit_test(test_addresses_alone),
        cmocka_unit_test(test_each_has_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
