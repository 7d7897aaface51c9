/* Rows for a rule: see rows.h. */
#include "harness/diagnose/rows.h"
#include "harness/trial/compare.h"

#include <string.h>

/* Of one case; spread over its elements. */
enum { MOST_INSIDE = 24, MOST_OUTSIDE = 24 };

static lb_features *add_row(lb_rows *rows, const lb_features *of_case, bool inside)
{
    lb_features *row = &rows->items[rows->count++];
    *row = *of_case;
    row->inside = inside;
    return row;
}

/* A step by which every element is met once, and neighbours not one after the other. */
static size_t step_through(size_t count)
{
    for (size_t step = count / 101 * 2 + 1;; step++) {
        size_t a = count, b = step;
        while (b != 0) {
            size_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a <= 1)
            return step;
    }
}

/* Of a tensor of the output's shape; no condition of a fault, which single numbers make by chance.
 */
static int64_t given_at(const lb_fault_bench *bench, const lb_layout *out, size_t flat)
{
    const lb_tensor *in = bench->before.call.tensor[LB_ROLE_IN];
    if (!in || in->rank == 0 || in->rank != out->rank || !in->data.mem.ptr ||
        bench->test_case->operand[LB_ROLE_IN].is_list || in->el_type == LB_FP32 ||
        lb_is_extension(in->el_type) || /* which may have several in a byte */
        memcmp(in->shape, out->shape, in->rank * sizeof *in->shape) != 0)
        return INT64_MIN;
    return lb_load(in, lb_offset_of_flat(in, flat));
}

/* Of the wrong elements of a result: their number, and sums of what they should be and are, in
 * which their order does not show. */
typedef struct bag {
    size_t count;
    uint64_t right, got;
} bag;

static uint64_t mixed(int64_t value)
{
    uint64_t m = ((uint64_t)value + 1) * UINT64_C(0x9e3779b97f4a7c15);
    m = (m ^ (m >> 31)) * UINT64_C(0xbf58476d1ce4e5b9);
    return m ^ (m >> 29);
}

static void put_in(bag *b, const unsigned char *right, const unsigned char *got, unsigned bytes)
{
    b->count++;
    b->right += mixed(lb_read_container(right, bytes));
    b->got += mixed(lb_read_container(got, bytes));
}

/* Gives the number of elements that the fault changes (`all`: of elements). */
static size_t take_output(lb_rows *rows, const lb_fault_bench *bench, const lb_left *left,
                          const lb_left_output *o, const lb_features *of_case, bool all)
{
    size_t taken[2] = {0, 0}, touched = 0, stride = o->count ? step_through(o->count) : 1;
    bag wrong = {0, 0, 0};
    lb_bound_map map;
    const lb_map *its = lb_map_of(bench->before.call.kernel);
    const bool has_map =
        its && bench->right.call.status == LB_OK && lb_map_bind(&map, its, &bench->before.call);
    for (size_t i = 0; i < o->count && rows->count < LB_MOST_ROWS; i++) {
        size_t flat = (size_t)((uint64_t)i * stride % o->count);
        size_t at = o->start + lb_layout_offset(&o->layout, flat), bytes = o->layout.element_bytes;
        const unsigned char *right = bench->right.block + at;
        if (!all && memcmp(bench->out.block + at, right, bytes) == 0)
            continue;
        bool inside = left && memcmp(left->block + at, right, bytes) != 0;
        touched++;
        rows->wrong += inside;
        if (inside)
            put_in(&wrong, right, left->block + at, o->layout.element_bytes);
        rows->stale += inside && memcmp(left->block + at, bench->before.block + at, bytes) == 0;
        if (taken[inside]++ >= (inside ? MOST_INSIDE : MOST_OUTSIDE))
            continue;
        lb_features *row = add_row(rows, of_case, inside);
        lb_features_of_element(&o->layout, flat, lb_read_container(right, o->layout.element_bytes),
                               all ? given_at(bench, &o->layout, flat) : INT64_MIN, row);
        if (has_map)
            lb_features_of_window(&map, row);
    }
    rows->moved += wrong.right == wrong.got ? wrong.count : 0;
    return touched;
}

void lb_rows_take(lb_rows *rows, const lb_fault_bench *bench, const lb_left *left, bool all)
{
    lb_features of_case;
    size_t touched = 0;
    if (rows->count >= LB_MOST_ROWS || (left && left->block_bytes != bench->memory.block_bytes) ||
        (all && bench->right.call.status != LB_OK)) /* it makes no elements */
        return;
    lb_features_of(bench->test_case, bench->profile, &of_case);
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        lb_left_output o;
        if (lb_left_output_of(&bench->memory, role, &o))
            touched += take_output(rows, bench, left, &o, &of_case, all);
    }
    if (touched == 0 && !all)
        add_row(rows, &of_case, left != NULL);
}

static size_t cases_of(const lb_rows *rows, bool inside)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        bool known = rows->items[i].inside != inside;
        for (size_t k = 0; k < i && !known; k++)
            known =
                rows->items[k].inside == inside && rows->items[k].of_case == rows->items[i].of_case;
        count += !known;
    }
    return count;
}

bool lb_rows_have_cases(const lb_rows *rows, size_t least)
{
    return cases_of(rows, true) >= least && cases_of(rows, false) >= least;
}
