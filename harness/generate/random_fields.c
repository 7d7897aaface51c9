/* Numbers of a configuration, by what they are for (sort.h): a new key needs none of this where its
 * row says enough. What depends on other numbers, families set behind it. */
#include "harness/generate/random_build.h"

#include <string.h>

int32_t lb_build_multiplier(lb_build *b)
{
    static const int32_t ends[] = {1 << 30, INT32_MAX, 0, 1, INT32_MAX - 1, (1 << 30) + 1, 32767};
    if (lb_build_once_in(b, 8))
        return LB_RANDOM_OF(&b->random, ends);
    return (int32_t)lb_random_in(&b->random, lb_build_once_in(b, 12) ? 0 : 1 << 30, INT32_MAX);
}

/* Of s16 mostly 0. */
static int64_t zero_point(lb_build *b, uint32_t type)
{
    if (lb_container_bits(type) > 8)
        return lb_build_once_in(b, 3) ? lb_build_pick(b, -300, 300) : 0;
    return lb_build_zero_point(b);
}

/* One of the named values, of many seldom one beyond them; of others, the width of sums. */
static int64_t choice(lb_build *b, const char *const *names)
{
    int count = 0;
    while (names && names[count])
        count++;
    return names ? lb_build_pick(b, 0, lb_build_once_in(b, 8) && count > 3 ? count + 1 : count - 1)
                 : 32 << lb_build_pick(b, 0, 1);
}

/* Two limits of results, the lower first; mostly the ends of the type. */
static lb_range limits(lb_build *b, uint32_t type)
{
    const lb_range all = lb_build_range(lb_container_bits(type) > 32 ? (uint32_t)LB_S32 : type);
    if (!lb_build_once_in(b, 3))
        return all;
    const int64_t low = lb_random_in(&b->random, all.low, all.high / 4),
                  high = lb_random_in(&b->random, low, all.high);
    return (lb_range){low, high < 0 ? -high : high};
}

static bool is_of_output(const lb_config_field *f)
{
    return strncmp(f->name, "output", 6) == 0;
}

/* What is known of the call when its numbers are drawn. */
typedef struct drawing {
    lb_build *b;
    unsigned rank; /* of the shape that they are about */
    const uint32_t *shape;
    int shift;                    /* about where results fit */
    lb_range open;                /* limits, of which the first has been drawn */
    uint32_t behind[LB_MAX_RANK]; /* the offset of each dimension */
    int lowest;                   /* dimensions that are left at least */
} drawing;

/* Of one dimension of the shape: mostly inside of it. */
static int64_t entry_of(drawing *w, const lb_config_field *f, unsigned d)
{
    lb_build *b = w->b;
    const int extent = (int)w->shape[d];
    int64_t v;
    switch ((lb_sort)f->sort) {
    case LB_SORT_OFFSET:
        v = lb_build_pick(b, 0, extent - 1 + (f->may_be_short && lb_build_once_in(b, 32)));
        w->behind[d] = (uint32_t)(extent - v);
        return v;
    case LB_SORT_LENGTH:
        v = lb_build_once_in(b, 3)    ? 1
            : lb_build_once_in(b, 16) ? 0
                                      : lb_build_pick(b, 1, w->behind[d] + lb_build_once_in(b, 24));
        w->lowest = (d == 0 ? 0 : w->lowest) + (v != 1);
        return v;
    case LB_SORT_STEP:
        return lb_build_once_in(b, 2) ? 1 : lb_build_pick(b, 2, 5);
    case LB_SORT_PADDING:
        return lb_build_pick(b, 0, 2);
    default:
        return lb_sorts[f->sort].neutral;
    }
}

/* A number of its own, by its sort. */
static int64_t value_of(drawing *w, const lb_config_field *f)
{
    lb_build *b = w->b;
    const lb_kernel *kernel = b->c->kernel;
    const lb_range usual = {f->usual[0], f->usual[1]}, whole = {f->whole[0], f->whole[1]};
    const int rank = (int)w->rank;
    if (whole.low != whole.high)
        return !lb_build_once_in(b, 6)  ? lb_build_in(b, usual)
               : lb_build_once_in(b, 2) ? lb_build_end_of(b, whole)
                                        : lb_build_in(b, whole);
    switch ((lb_sort)f->sort) {
    case LB_SORT_AXIS:
        return lb_build_pick(b, -1, rank - 1);
    case LB_SORT_DIMENSIONS:
        return lb_build_once_in(b, 8) ? lb_build_pick(b, 0, rank + 1)
                                      : lb_build_pick(b, w->lowest > 0 ? w->lowest : 1, rank);
    case LB_SORT_EXTENT:
        return lb_build_pick(
            b, 1, (w->behind[rank - 1] ? w->behind[rank - 1] : 1) + lb_build_once_in(b, 8));
    case LB_SORT_CHOICE:
        return choice(b, f->enum_names);
    case LB_SORT_ZERO_POINT:
        return zero_point(b, is_of_output(f) ? kernel->out_type : kernel->in_type);
    case LB_SORT_MULTIPLIER:
        return lb_build_multiplier(b);
    case LB_SORT_SHIFT:
        return w->shift + lb_build_pick(b, -2, 2);
    case LB_SORT_LIMIT:
        if (w->open.low == w->open.high)
            w->open = limits(b, kernel->out_type);
        else
            w->open.low = w->open.high; /* the second of two is the upper one */
        return w->open.low;
    case LB_SORT_FLAG:
        return lb_build_once_in(b, 2);
    case LB_SORT_PADDING:
        return 0;
    default:
        return 1;
    }
}

/* Lists are drawn or do nothing, as their shape is what a call is about or what it may have
 * besides. */
void lb_build_fields(lb_build *b, unsigned rank, const uint32_t *shape, int shift)
{
    drawing w = {.b = b, .rank = rank, .shape = shape, .shift = shift, .lowest = (int)rank};
    for (unsigned d = 0; d < rank; d++)
        w.behind[d] = shape[d];
    for (const lb_config_field *f = lb_config_fields(b->c->kernel->config_kind); f->name; f++) {
        const bool is_drawn = f->may_be_short || lb_build_once_in(b, 2);
        if (f->sort == LB_SORT_ORDER)
            lb_build_permutation(b, b->c->config.perm_dim, lb_build_once_in(b, 3) ? 0 : rank);
        else if (f->count == 1)
            lb_config_set(&b->c->config, f, 0, value_of(&w, f));
        for (unsigned d = 0; d < f->count && f->count > 1 && f->sort != LB_SORT_ORDER; d++)
            lb_config_set(&b->c->config, f, d,
                          is_drawn && d < rank ? entry_of(&w, f, d) : lb_sorts[f->sort].neutral);
    }
}

void lb_build_any_fields(lb_build *b)
{
    static const int32_t special[] = {0, -1, INT32_MAX, INT32_MIN, 65536};
    for (const lb_config_field *f = lb_config_fields(b->c->kernel->config_kind); f->name; f++)
        for (unsigned i = 0; i < f->count; i++)
            lb_config_set(&b->c->config, f, i,
                          f->type == LB_FIELD_U8   ? lb_build_pick(b, 0, 255)
                          : lb_build_once_in(b, 5) ? LB_RANDOM_OF(&b->random, special)
                                                   : lb_build_pick(b, -100, 100));
}

/* ---- Set by families ---- */

const lb_config_field *lb_build_field(const lb_build *b, const char *name)
{
    return lb_config_field_named(b->c->kernel->config_kind, name);
}

void lb_build_set(lb_build *b, const char *name, int64_t value)
{
    const lb_config_field *f = lb_build_field(b, name);
    if (f)
        lb_config_set(&b->c->config, f, 0, value);
}

lb_factor lb_build_factor(lb_build *b, int from, int to)
{
    lb_factor f = {.shift = lb_build_pick(b, -31, 30)};
    const int bits = lb_build_clamp(31 + to - from - f.shift + lb_build_pick(b, -1, 1), 1, 31);
    const int64_t most = ((int64_t)1 << bits) - 1;
    f.multiplier = (int32_t)lb_random_in(&b->random, most / 2, most);
    return f;
}
