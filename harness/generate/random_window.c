/* Sizes of what sums up products or a window, from the index map: loops are drawn, and where an
 * index can lie outside, an input with steps, gaps and paddings; extents of tensors follow. */
#include "harness/generate/random_build.h"
#include "reference/describe/map.h"
#include "reference/describe/signature.h"

typedef struct sizes {
    lb_build *b;
    const lb_map *map;
    uint32_t loop[LB_MAP_LOOPS];
    uint32_t watched[LB_MAX_RANK]; /* extents of LB_MAP_X that were drawn; 0: it follows */
    bool is_row;                   /* one long row, which has windows of any length */
} sizes;

static void set_field(lb_build *b, lb_leaf leaf, int64_t value)
{
    const lb_config_field *field = lb_leaf_field(b->c->kernel, leaf);
    if (field)
        lb_config_set(&b->c->config, field, 0, value);
}

static int64_t value_of(const sizes *s, lb_leaf leaf)
{
    for (int i = 0; i < s->map->loops; i++)
        if (lb_leaf_is(leaf, s->map->loop[i].extent))
            return s->loop[i];
    return leaf.kind == LB_LEAF_NONE
               ? 1
               : lb_leaf_value(NULL, &(lb_call){.config = s->b->c->config}, leaf);
}

/* One more than the highest index, where it cannot lie outside. */
static uint32_t extent_of(const sizes *s, const lb_index *index)
{
    int64_t extent = 1;
    for (const lb_term *t = index->term; t->sign != 0; t++)
        if (t->sign > 0 || t->loop == LB_NO_LOOP)
            extent += t->sign * value_of(s, t->times[0]) * value_of(s, t->times[1]) *
                      (t->loop == LB_NO_LOOP ? 1 : (int64_t)s->loop[t->loop] - 1);
    return (uint32_t)extent;
}

/* ---- Where an index can lie outside ---- */

/* The loops of the outputs and of the window, and the padding before. */
typedef struct window {
    const lb_term *place, *kernel;
    lb_leaf step, gap, before, after;
} window;

static window window_of(const sizes *s, const lb_index *index)
{
    window w = {.step = index->divisor};
    for (const lb_term *t = index->term; t->sign != 0; t++)
        if (t->loop == LB_NO_LOOP)
            w.before = t->times[0].kind == LB_LEAF_CONFIG ? t->times[0] : w.before;
        else
            *(t->loop < s->map->outer ? &w.place : &w.kernel) = t;
    w.gap = w.kernel->times[0];
    if (w.step.kind == LB_LEAF_NONE)
        w.step = w.place->times[0];
    const lb_kernel *kernel = s->b->c->kernel;
    const lb_config_field *one = lb_leaf_field(kernel, w.before),
                          *f = lb_config_fields(kernel->config_kind);
    for (; f->name; f++)
        if (f->sort == LB_SORT_PADDING && f->dimension == one->dimension && f != one)
            w.after = lb_leaf_of_field(f, 0);
    return w;
}

static uint32_t draw_kernel(lb_build *b, bool has_weights)
{
    if (b->c->kernel->kernel_size)
        return (uint32_t)b->c->kernel->kernel_size;
    if (!b->options->small && lb_build_once_in(b, 32))
        return (uint32_t)lb_build_pick(b, 16, 18);
    if (!has_weights)
        return lb_build_side(b, 1, lb_build_once_in(b, 6) ? 13 : 6);
    return (uint32_t)(lb_build_once_in(b, 8) ? lb_build_pick(b, 5, 9) : lb_build_pick(b, 1, 4));
}

static int draw_padding(lb_build *b, int most)
{
    return lb_build_pick(b, 0, lb_build_once_in(b, 2) ? most : most / 2);
}

static int draw_step(lb_build *b, bool is_spread, int kernel)
{
    if (is_spread && b->c->kernel->kernel_size)
        return 2;
    const int most = lb_build_once_in(b, 6) ? 9 : 3;
    return lb_build_pick(b, 1, is_spread && most > kernel ? kernel : most);
}

/* Any mix of window, step, gap and paddings that the checks let pass. Where no field says the
 * padding behind, it is what the output asks for. */
static void draw_window(sizes *s, const lb_index *index, bool is_row, uint32_t *extent)
{
    lb_build *b = s->b;
    const window w = window_of(s, index);
    const bool is_spread = index->divisor.kind != LB_LEAF_NONE;
    const bool has_weights = s->map->access[LB_MAP_W].rank > 0;
    const bool has_end = w.after.kind != LB_LEAF_NONE;
    const int kernel = is_row      ? 1
                       : s->is_row ? lb_build_pick(b, 1, 64)
                                   : (int)draw_kernel(b, has_weights);
    const int step = draw_step(b, is_spread, kernel);
    const int gap =
        w.gap.kind == LB_LEAF_CONFIG && lb_build_once_in(b, 4) ? lb_build_pick(b, 2, 4) : 1;
    const int reach = (kernel - 1) * gap + 1;
    int in, out, before, after;
    do {
        in = is_row        ? 1
             : has_weights ? (int)lb_build_side(b, 1, b->options->small ? 4 : 9)
                           : (int)lb_build_side(b, (uint32_t)kernel, (uint32_t)kernel + 8);
        before = draw_padding(b, has_end ? reach - 1 : reach);
        after = draw_padding(b, reach - 1);
        while (!is_spread && in + before + after < reach)
            in++;
        out = is_spread ? (in - 1) * step + reach - before - after
                        : (in + before + after - reach) / step + 1;
    } while (out < 1);
    if (has_weights && !is_spread && out > 1 && lb_build_once_in(b, 8))
        out = lb_build_pick(b, 1, out);
    if (!has_end) /* beyond the input */
        out += lb_build_pick(b, 0, 5) / 4;
    set_field(b, w.step, step);
    set_field(b, w.gap, gap);
    set_field(b, w.before, before);
    set_field(b, w.after, after);
    s->loop[w.kernel->loop] = (uint32_t)kernel;
    s->loop[w.place->loop] = (uint32_t)out;
    *extent = (uint32_t)in;
}

/* ---- The other loops ---- */

/* Rows, units and inputs of a map over dense numbers; long sums of few units among them. */
static uint32_t draw_dense_loop(const sizes *s, int loop)
{
    lb_build *b = s->b;
    if (s->map->loop[loop].extent.kind == LB_LEAF_DERIVED)
        return lb_build_once_in(b, 2) ? 1 : lb_build_side(b, 1, 5);
    if (loop >= s->map->outer && !b->options->small && lb_build_once_in(b, 6))
        return (uint32_t)lb_build_pick(b, 257, 600);
    if (loop >= s->map->outer)
        return lb_build_extent(b, 300) * (lb_build_once_in(b, 2) ? lb_build_side(b, 1, 6) : 1);
    return lb_build_extent(b, s->loop[s->map->loops - 1] > 256 ? 5 : 300);
}

static uint32_t draw_loop(const sizes *s, int loop)
{
    lb_build *b = s->b;
    const bool is_outer = loop < s->map->outer;
    const lb_access *out = &s->map->access[LB_MAP_OUT];
    const lb_term *last = out->index[out->rank - 1].term;
    if (out->is_flat)
        return draw_dense_loop(s, loop);
    const bool has_groups =
        last[1].sign != 0 && s->map->loop[last[0].loop].extent.kind == LB_LEAF_DERIVED;
    if (s->map->loop[loop].extent.kind == LB_LEAF_CONFIG) /* outputs of one input channel */
        return (uint32_t)lb_build_pick(b, 1, lb_build_once_in(b, 2) ? 4 : 1);
    if (out->index[0].term[0].loop == loop) /* images */
        return (uint32_t)lb_build_pick(b, 1, lb_build_once_in(b, 3) ? 2 : 1);
    if (has_groups && last[0].loop == loop)
        return lb_build_side(b, 1, 4);
    const uint32_t drawn = s->is_row ? 1 : lb_build_extent(b, is_outer ? 65 : 33);
    const uint32_t few = is_outer ? 17 : 9;
    return has_groups && drawn > few ? (is_outer ? few : 1) : drawn;
}

/* Dense numbers lie in as many dimensions as come up, but for those of an output of one row. */
static void add_operand(const sizes *s, int a)
{
    const lb_access *access = &s->map->access[a];
    uint32_t shape[LB_MAX_RANK];
    unsigned rank = access->rank;
    for (unsigned d = 0; d < rank; d++)
        shape[d] = a == LB_MAP_X && s->watched[d] ? s->watched[d] : extent_of(s, &access->index[d]);
    if (access->is_flat && (a == LB_MAP_X || s->map->outer > 1))
        rank = lb_build_split(s->b, shape[0], shape);
    if (rank > 0 && !access->of_parameters &&
        lb_kernel_role(s->b->c->kernel, (lb_role)access->role))
        lb_build_operand(s->b, (lb_role)access->role, rank, shape);
}

size_t lb_random_window(lb_build *b)
{
    sizes s = {.b = b, .map = lb_map_of(b->c->kernel)};
    const lb_access *x = &s.map->access[LB_MAP_X];
    size_t products = 1;
    s.is_row =
        s.map->access[LB_MAP_W].rank == 0 && !b->c->kernel->kernel_size && lb_build_once_in(b, 8);
    for (unsigned d = 0, first = 0; d < x->rank; d++)
        if (x->index[d].bound.kind != LB_LEAF_NONE)
            draw_window(&s, &x->index[d], s.is_row && !first++, &s.watched[d]);
    for (int i = s.map->loops; i-- > 0;) {
        if (s.loop[i] == 0)
            s.loop[i] = draw_loop(&s, i);
        set_field(b, s.map->loop[i].extent, s.loop[i]);
        products *= i < s.map->outer ? 1 : s.loop[i];
    }
    for (int a = LB_MAP_OUT; a < LB_MAP_ACCESSES; a++)
        add_operand(&s, a);
    return products;
}
