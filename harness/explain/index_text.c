/* Index formulas from maps: see index_text.h. */
#include "harness/explain/index_text.h"
#include "reference/describe/element_copy.h"
#include "reference/describe/signature.h"

#include <inttypes.h>
#include <string.h>

/* A formula at work: of labels, or, with a position of the outer loops, of numbers. */
typedef struct writer {
    const lb_call *call;
    const lb_map *map;
    const lb_bound_map *bound;
    const uint32_t *at; /* NULL: labels */
    unsigned whole;     /* a bit for each loop of which all positions are read */
    lb_arena *arena;
    const char *text;
    unsigned parts; /* loops, leaves and signs in it */
} writer;

/* ---- Leaves and loops ---- */

static const char *leaf_text(const writer *w, lb_leaf leaf)
{
    char label[LB_LEAF_LABEL_BYTES];
    if (w->at || leaf.kind == LB_LEAF_NUMBER)
        return lb_arena_printf(w->arena, "%" PRId64, lb_leaf_value(w->map, w->call, leaf));
    return lb_arena_strdup(w->arena, lb_leaf_label(w->call->kernel, leaf, label));
}

static const char *loop_text(const writer *w, unsigned loop)
{
    const uint32_t last = w->bound->extent[loop] - 1;
    if (!w->at)
        return w->map->loop[loop].label;
    if (!(w->whole >> loop & 1))
        return lb_arena_printf(w->arena, "%" PRIu32, w->at[loop]);
    return last == 0 ? "0" : lb_arena_printf(w->arena, "(0 to %" PRIu32 ")", last);
}

/* A loop over a dimension that belongs to the other loops in this call. */
static bool is_idle(const writer *w, int loop)
{
    return loop != LB_NO_LOOP && w->map->loop[loop].extent.by >= LB_IF_AXIS &&
           w->bound->extent[loop] == 1;
}

/* 1 or 0: whether the call has a term at all. */
static bool is_switch(lb_leaf leaf)
{
    return leaf.kind == LB_LEAF_MANY || leaf.kind == LB_LEAF_PER_AXIS ||
           leaf.kind == LB_LEAF_REPEATED;
}

/* ---- Formulas ---- */

static bool has_term(const writer *w, const lb_term *term)
{
    bool has = !is_idle(w, term->loop);
    for (unsigned f = 0; f < LB_MAP_FACTORS; f++)
        has = has &&
              !(is_switch(term->times[f]) && lb_leaf_value(w->map, w->call, term->times[f]) == 0);
    return has;
}

static void put_factor(writer *w, bool *begun, const char *factor)
{
    w->text = lb_arena_printf(w->arena, "%s%s%s", w->text, *begun ? " * " : "", factor);
    w->parts++;
    *begun = true;
}

static void put_term(writer *w, const lb_term *term)
{
    const char *sign = term->sign < 0 ? "-" : "+";
    bool begun = false;
    if (w->text[0] || term->sign < 0)
        w->text = lb_arena_printf(w->arena, w->text[0] ? "%s %s " : "%s%s", w->text, sign);
    if (term->loop != LB_NO_LOOP)
        put_factor(w, &begun, loop_text(w, (unsigned)term->loop));
    for (unsigned f = 0; f < LB_MAP_FACTORS; f++)
        if (term->times[f].kind != LB_LEAF_NONE && !is_switch(term->times[f]))
            put_factor(w, &begun, leaf_text(w, term->times[f]));
    if (!begun)
        put_factor(w, &begun, "1");
}

static const char *sum_text(writer *w, const lb_index *index)
{
    w->text = "";
    w->parts = index->divisor.kind == LB_LEAF_NONE ? 0 : 1;
    for (unsigned t = 0; t < LB_MAP_TERMS && index->term[t].sign != 0; t++)
        if (has_term(w, &index->term[t]))
            put_term(w, &index->term[t]);
    if (!w->text[0])
        w->text = "0";
    return index->divisor.kind == LB_LEAF_NONE
               ? w->text
               : lb_arena_printf(w->arena, "(%s) / %s", w->text, leaf_text(w, index->divisor));
}

const char *lb_index_formula(const lb_call *call, const lb_index *index, lb_arena *arena)
{
    lb_bound_map bound;
    writer w = {.call = call, .map = lb_map_of(call->kernel), .bound = &bound, .arena = arena};
    return w.map && lb_map_bind(&bound, w.map, call) ? sum_text(&w, index) : "";
}

/* ---- Elements ---- */

static unsigned loops_of_output(const lb_bound_map *bound)
{
    unsigned loops = 0;
    for (unsigned d = 0; d < bound->access[LB_MAP_OUT].rank; d++)
        loops |= bound->access[LB_MAP_OUT].index[d].follows;
    return loops;
}

/* The position of the loops that stores the element; of results that are stored as a row, the one
 * that stores the row. */
static bool find_output(const lb_bound_map *bound, const lb_access *out, const lb_tensor *t,
                        size_t flat, uint32_t *found)
{
    const size_t wanted = out->is_flat ? flat : lb_offset_of_flat(t, flat);
    const unsigned end = loops_of_output(bound) >> bound->outer ? bound->loops : bound->outer;
    uint32_t at[LB_MAP_LOOPS] = {0};
    size_t best = 0;
    bool any = false;
    for (bool more = lb_map_first(bound, 0, end, at); more; more = lb_map_next(bound, 0, end, at)) {
        size_t offset = lb_access_offset(bound, LB_MAP_OUT, at);
        if (offset > wanted || (any && offset <= best))
            continue;
        memcpy(found, at, sizeof at);
        best = offset;
        any = true;
    }
    return any && (best == wanted || out->is_flat);
}

/* Loops of which all positions count for one output: those of its sum. Where each output is made of
 * one element, the loops that lead to it are not. */
static unsigned whole_loops(const lb_call *call, const lb_bound_map *bound)
{
    unsigned sum = (1u << bound->loops) - (1u << bound->outer);
    return lb_families[call->kernel->family].reach == LB_REACH_PLACE ? sum & ~loops_of_output(bound)
                                                                     : sum;
}

static void set_range(const lb_bound_map *bound, const lb_bound_index *index, const uint32_t *at,
                      unsigned whole, lb_index_line *line)
{
    int64_t low = index->base, high = index->base;
    for (unsigned i = 0; i < index->count; i++) {
        const unsigned loop = index->loop[i];
        const bool is_whole = whole >> loop & 1;
        const int64_t first = is_whole ? 0 : at[loop],
                      last = is_whole ? (int64_t)bound->extent[loop] - 1 : at[loop];
        const int64_t a = index->step[i] * first, b = index->step[i] * last;
        low += a < b ? a : b;
        high += a < b ? b : a;
    }
    const int64_t by = index->divisor; /* what it does not divide lies between elements */
    line->low = low > 0 ? (low + by - 1) / by : low / by;
    line->high = high < 0 ? -((by - 1 - high) / by) : high / by;
}

/* The dimension of the tensor that an index counts in; -1: the call has none for it. */
static int dimension_of(const lb_call *call, const lb_access *access, const lb_tensor *t,
                        unsigned d)
{
    const lb_leaf stride = access->index[d].stride;
    const bool is_moved = stride.by == LB_BY_ORDER || stride.by == LB_BY_END;
    if (!t || d >= access->rank || (access->of_parameters && !lb_is_per_axis(t)))
        return -1;
    if (access->is_flat || access->of_parameters)
        return (int)d;
    const int dimension = is_moved ? lb_leaf_dimension(call, stride) : (int)d;
    return dimension < (int)t->rank ? dimension : -1;
}

static int64_t extent_of(const lb_access *access, const lb_tensor *t, int dimension)
{
    if (access->of_parameters)
        return t->shape[t->sa.dim];
    return access->is_flat ? (int64_t)lb_element_count(t) : t->shape[dimension];
}

/* Through an order of dimensions: that of the dimension which it comes to. */
static const char *name_of(const lb_access *access, unsigned d, int dimension, lb_arena *arena)
{
    const char *role = lb_role_name((lb_role)access->role);
    const unsigned labelled = access->index[d].stride.by == LB_BY_ORDER ? (unsigned)dimension : d;
    return access->of_parameters
               ? lb_arena_printf(arena, "%s.scale[]", role)
               : lb_arena_printf(arena, "%s.%s", role, access->index[labelled].label);
}

size_t lb_index_lines(const lb_call *call, lb_role out, size_t flat, lb_arena *arena,
                      lb_index_line lines[LB_MOST_INDEX_LINES])
{
    const lb_map *map = lb_map_of(call->kernel);
    uint32_t at[LB_MAP_LOOPS] = {0};
    lb_bound_map bound;
    size_t count = 0;
    if (!map || map->access[LB_MAP_OUT].rank == 0 || map->access[LB_MAP_OUT].role != (int8_t)out ||
        !lb_map_bind(&bound, map, call) ||
        !find_output(&bound, &map->access[LB_MAP_OUT], call->tensor[out], flat, at))
        return 0;
    const unsigned whole = whole_loops(call, &bound);
    for (unsigned a = LB_MAP_X; a < LB_MAP_ACCESSES; a++)
        for (unsigned d = 0; d < LB_MAX_RANK; d++) {
            const lb_access *access = &map->access[a];
            const lb_tensor *t = access->rank > 0 ? call->tensor[access->role] : NULL;
            const int dimension = dimension_of(call, access, t, d);
            if (dimension < 0)
                continue;
            writer labels = {call, map, &bound, NULL, whole, arena, "", 0},
                   numbers = {call, map, &bound, at, whole, arena, "", 0};
            lb_index_line *line = &lines[count++];
            *line = (lb_index_line){.access = (lb_map_access)a,
                                    .dim = (unsigned)dimension,
                                    .name = name_of(access, d, dimension, arena),
                                    .formula = sum_text(&labels, &access->index[d]),
                                    .numbers = sum_text(&numbers, &access->index[d]),
                                    .extent = extent_of(access, t, dimension),
                                    .can_leave = bound.access[a].index[d].is_watched};
            line->is_plain = labels.parts <= 1 && access->index[d].term[0].sign > 0;
            set_range(&bound, &bound.access[a].index[d], at, whole, line);
        }
    return count;
}
