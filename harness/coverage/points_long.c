/* Coverpoints of what goes beyond counters of 8 bits, buffers of usual sizes and partial sums: long
 * rows, many rows, many channels, groups and products, few parameters for long rows, large windows.
 * Spec: conv.md 4, 6 to 10; elementwise.md 2, 4; pooling_and_movement.md 2 to 4; recurrent.md 5 to
 * 8. */
#include "harness/coverage/class.h"
#include "reference/describe/element_copy.h"
#include "reference/describe/rules.h"

static const char *const one_point[] = {"", NULL};

/* ---- Sizes ---- */

/* Of a tensor; in place of a dimension what is counted over several. */
enum { FIRST = -1, LAST = -2, ROW = -3, PRODUCTS = -4, GROUPS = -5 };

typedef struct size {
    lb_family_set families;
    const char *name;
    lb_role role;
    int what;       /* a dimension, or one of the above */
    uint32_t least; /* that counts as long */
    const char *spec;
} size;

#define UNITS  (LB_OF_PATTERN(DENSE) | LB_OF_PATTERN(DENSE_LISTS))
#define DENSE  (LB_IN_FAMILY(CONV2D) | LB_IN_FAMILY(TRANSPOSE_CONV2D))
#define BYTE   257  /* more than 8 bits count, and than a block of 256 */
#define BLOCK  513  /* more than buffers of 512 */
#define LENGTH 1025 /* sums longer than partial sums of 32 bits hold */
#define WINDOW 128
#define LINE   4097 /* more than a buffer for a row */

/* clang-format off */
static const size sizes[] = {
    {LB_MAPS,                "in_height",    LB_ROLE_IN,      0, BYTE, "conv.md 6, pooling_and_movement.md 2"},
    {LB_MAPS,                "in_width",     LB_ROLE_IN,      1, BYTE, "conv.md 6, pooling_and_movement.md 2"},
    {LB_MAPS,                "in_channels",  LB_ROLE_IN,      2, BLOCK, "conv.md 6, pooling_and_movement.md 2"},
    {LB_MAPS,                "out_height",   LB_ROLE_OUT,     0, BYTE, "conv.md 6, pooling_and_movement.md 2"},
    {LB_MAPS,                "out_width",    LB_ROLE_OUT,     1, BYTE, "conv.md 6, pooling_and_movement.md 2"},
    {LB_CONVOLUTIONS,        "out_channels", LB_ROLE_OUT,     2, BLOCK, "conv.md 6"},
    {DENSE,                  "products",     LB_ROLE_WEIGHTS, PRODUCTS, LENGTH, "conv.md 4"},
    {LB_IN_FAMILY(GROUP_CONV2D), "groups",   LB_ROLE_IN,      GROUPS, BYTE, "conv.md 8"},
    {LB_POOLS,               "out_row",      LB_ROLE_OUT,     ROW, LINE, "pooling_and_movement.md 2"},
    {UNITS,                  "inputs",       LB_ROLE_WEIGHTS, 0, LENGTH, "conv.md 10, recurrent.md 5.1"},
    {UNITS,                  "outputs",      LB_ROLE_OUT,     0, BLOCK, "conv.md 10, recurrent.md 5.1"},
    {LB_CELLS,               "frames",       LB_ROLE_IN,      0, BYTE, "recurrent.md 6"},
    {LB_CELLS,               "inputs",       LB_ROLE_IN,      1, BLOCK, "recurrent.md 6"},
    {LB_CELLS,               "hidden",       LB_ROLE_PREV_OUT, 0, BLOCK, "recurrent.md 6"},
    {LB_FLAT | LB_OF_PATTERN(MOVEMENT), "in_first",   LB_ROLE_IN,      FIRST, BYTE, "elementwise.md 2"},
    {LB_FLAT | LB_OF_PATTERN(MOVEMENT), "in_inner",   LB_ROLE_IN,      LAST, LINE, "elementwise.md 2"},
    {LB_OF_PATTERN(PAIR),    "out_first",    LB_ROLE_OUT,     FIRST, BYTE, "elementwise.md 5"},
    {LB_OF_PATTERN(PAIR),    "out_inner",    LB_ROLE_OUT,     LAST, LINE, "elementwise.md 5"},
};
/* clang-format on */

static uint64_t amount(const lb_call *call, const lb_tensor *t, int what)
{
    switch (what) {
    case FIRST:
        return t->rank > 1 ? t->shape[0] : 0;
    case LAST:
        return t->rank > 0 ? t->shape[t->rank - 1] : 0;
    case ROW:
        return (uint64_t)t->shape[1] * t->shape[2];
    case PRODUCTS:
        return (uint64_t)t->shape[0] * t->shape[1] * t->shape[2];
    case GROUPS:
        return t->shape[2] / call->tensor[LB_ROLE_WEIGHTS]->shape[2];
    default:
        return t->shape[what];
    }
}

static uint64_t observe_size(const lb_observation *o, const lb_cover_group *group)
{
    const size *s = &sizes[group->id];
    const lb_tensor *t = lb_cover_tensor(o->before, (int)s->role, 0);
    return t && amount(o->before, t, s->what) >= s->least ? 1 : 0;
}

/* ---- Long, and something besides ---- */

static const lb_tensor *role_of(const lb_observation *o, lb_role role)
{
    return lb_cover_tensor(o->before, (int)role, 0);
}

static bool is_last_axis(const lb_observation *o)
{
    const lb_tensor *in = role_of(o, LB_ROLE_IN);
    return in->rank > 1 && o->before->config.axis == (int32_t)in->rank - 1;
}

static bool many_along_axis(const lb_observation *o)
{
    const lb_tensor *in = role_of(o, LB_ROLE_IN);
    return is_last_axis(o) && in->shape[in->rank - 1] >= BYTE &&
           lb_element_count(in) > in->shape[in->rank - 1];
}

static bool many_across_axis(const lb_observation *o)
{
    const lb_tensor *in = role_of(o, LB_ROLE_IN);
    return is_last_axis(o) && in->shape[in->rank - 1] > 1 &&
           lb_element_count(in) / in->shape[in->rank - 1] >= BYTE;
}

static bool long_slices(const lb_observation *o)
{
    const lb_tensor *in = role_of(o, LB_ROLE_IN);
    const int32_t axis = o->before->config.axis;
    return axis >= 0 && axis + 1 < (int32_t)in->rank && in->shape[axis] > 1 &&
           lb_element_count(in) / in->shape[axis] >= BLOCK;
}

static bool largest_along_axis(const lb_observation *o)
{
    return many_along_axis(o) && o->before->config.topk == 1;
}

/* More than a signed byte counts. */
static bool wide_window(const lb_observation *o)
{
    return o->before->config.kernel_width >= WINDOW;
}

static bool high_window(const lb_observation *o)
{
    return o->before->config.kernel_height >= WINDOW;
}

/* A number of slopes that no vector's width is a multiple of. */
static bool few_slopes(const lb_observation *o)
{
    const lb_tensor *in = role_of(o, LB_ROLE_IN);
    return is_last_axis(o) && lb_is_contiguous(in) && in->shape[in->rank - 1] % 2 == 1 &&
           in->shape[in->rank - 1] > 1 && in->shape[in->rank - 1] < 16 &&
           lb_element_count(in) >= LENGTH;
}

static bool is_long_with_scalar(const lb_observation *o, lb_role role)
{
    return lb_is_scalar(role_of(o, role)) && lb_element_count(role_of(o, LB_ROLE_OUT)) >= LENGTH;
}

static bool first_is_scalar(const lb_observation *o)
{
    return is_long_with_scalar(o, LB_ROLE_IN1);
}

static bool second_is_scalar(const lb_observation *o)
{
    return is_long_with_scalar(o, LB_ROLE_IN2);
}

static bool lies_on(const lb_observation *o, lb_role role)
{
    const lb_tensor *in = role_of(o, role), *out = role_of(o, LB_ROLE_OUT);
    return in && out && in->rank > 0 && out->rank > 0 && in->data.mem.ptr == out->data.mem.ptr;
}

static bool long_in_place(const lb_observation *o)
{
    return lb_element_count(role_of(o, LB_ROLE_OUT)) >= LENGTH &&
           (lies_on(o, LB_ROLE_IN) || lies_on(o, LB_ROLE_IN1) || lies_on(o, LB_ROLE_IN2));
}

typedef struct row {
    lb_family_set families;
    const char *name;
    bool (*reached)(const lb_observation *o);
    uint32_t extent;
    const char *spec;
} row;

/* Where the same loop serves several families, one of them stands for it: these points are for
 * sizes, those of points_cross.c for what meets. */
#define SLICES   (LB_IN_FAMILY(SOFTMAX) | LB_OF_PATTERN(SLICES))
#define LINES    (LB_WITH_AXIS | LB_SLOPED | SLICES)
#define IN_PLACE (LB_OF_PATTERN(LIMITS) | LB_ACTIVATED | LB_NORMALIZED | LB_OF_PATTERN(PAIR))

/* clang-format off */
static const row rows[] = {
    {LINES,                  "many_along_axis",  many_along_axis,  BYTE,   "elementwise.md 4, 7, 8, 9"},
    {LINES | LB_IN_FAMILY(L2_NORMALIZE),                  "many_across_axis", many_across_axis, BYTE,   "elementwise.md 4, 7, 8, 9"},
    {SLICES,                  "slices",           long_slices,      BLOCK,  "elementwise.md 4, 7, 8, 9"},
    {LB_OF_PATTERN(SLICES),  "largest_along_axis", largest_along_axis, BYTE, "elementwise.md 9"},
    {LB_IN_FAMILY(MAXPOOL),               "wide_window",      wide_window,     WINDOW, "pooling_and_movement.md 2.1"},
    {LB_IN_FAMILY(MAXPOOL),               "high_window",      high_window,      WINDOW, "pooling_and_movement.md 2.1"},
    {LB_WITH_AXIS | LB_SLOPED, "few_slopes",       few_slopes,       LENGTH, "elementwise.md 4"},
    {LB_OF_PATTERN(PAIR),    "first_is_scalar",  first_is_scalar,  LENGTH, "elementwise.md 2"},
    {LB_OF_PATTERN(PAIR),    "second_is_scalar", second_is_scalar, LENGTH, "elementwise.md 2"},
    {IN_PLACE,               "in_place",         long_in_place,    LENGTH, "elementwise.md 10"},
};
/* clang-format on */

static uint64_t observe_row(const lb_observation *o, const lb_cover_group *group)
{
    return rows[group->id].reached(o) ? 1 : 0;
}

/* Fixed windows above it make long sums with few channels, and dear cases with many. */
enum { MOST_WINDOW = 3 };

void lb_cover_long(lb_cover_list *list)
{
    for (int i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++)
        if (lb_cover_in(list->kernel, sizes[i].families) &&
            lb_cover_has(list->kernel, sizes[i].role) && list->kernel->kernel_size <= MOST_WINDOW)
            lb_cover_add(list, (lb_cover_group){.class_name = "long",
                                                .instance = sizes[i].name,
                                                .spec = sizes[i].spec,
                                                .points = one_point,
                                                .observe = observe_size,
                                                .aimed_extent = sizes[i].least,
                                                .id = i});
    for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++)
        if (lb_cover_in(list->kernel, rows[i].families))
            lb_cover_add(list, (lb_cover_group){.class_name = "long",
                                                .instance = rows[i].name,
                                                .spec = rows[i].spec,
                                                .points = one_point,
                                                .observe = observe_row,
                                                .aimed_extent = rows[i].extent,
                                                .id = i});
}
