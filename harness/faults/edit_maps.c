/* Edits of index maps: terms, bounds and whole indices. See edit.h. */
#include "harness/faults/edit.h"
#include "harness/faults/places.h"
#include "reference/describe/signature.h"

#include <stdlib.h>

/* ---- What they come to ---- */

static unsigned terms_of(const lb_index *index)
{
    unsigned n = 0;
    while (n < LB_MAP_TERMS && index->term[n].sign != 0)
        n++;
    return n;
}

static void append(lb_index *index, lb_term term)
{
    unsigned n = terms_of(index);
    if (n < LB_MAP_TERMS)
        index->term[n] = term;
}

static void drop(lb_index *index, unsigned t)
{
    for (; t + 1 < LB_MAP_TERMS; t++)
        index->term[t] = index->term[t + 1];
    index->term[t].sign = 0;
}

static lb_leaf number(int n)
{
    return (lb_leaf){.kind = LB_LEAF_NUMBER, .at = (int16_t)n};
}

/* A term of a loop and one leaf. */
static void edit_term(const lb_edit *e, const lb_map *map, lb_index *index)
{
    lb_term *term = &index->term[e->term], *next = term + 1;
    const lb_leaf leaf = term->times[0];
    switch ((lb_edit_op)e->op) {
    case LB_EDIT_DROPPED:
        drop(index, e->term);
        break;
    case LB_EDIT_SIBLING:
        term->times[0] = e->other;
        break;
    case LB_EDIT_NEUTRAL:
        term->times[0] = number(e->n);
        break;
    case LB_EDIT_OFF_BY:
        append(index, (lb_term){.sign = (int8_t)(e->n < 0 ? -term->sign : term->sign),
                                .loop = LB_NO_LOOP,
                                .times = {leaf, number(e->n < 0 ? -e->n : e->n)}});
        break;
    case LB_EDIT_MIRRORED:
        term->sign = (int8_t)-term->sign;
        append(index,
               (lb_term){1, LB_NO_LOOP, {leaf, map->loop[index->term[e->term].loop].extent}});
        append(index, (lb_term){-1, LB_NO_LOOP, {leaf}});
        break;
    case LB_EDIT_TIMES:
        term->times[1] = e->other;
        break;
    case LB_EDIT_EXCHANGED: /* which of both goes in blocks */
        next->times[0] = map->loop[term->loop].extent;
        term->times[0] = (lb_leaf){.kind = LB_LEAF_NONE};
        break;
    default:
        break;
    }
}

static void edit_index(const lb_edit *e, const lb_map *map, lb_index *index)
{
    if (e->in == LB_EDIT_IN_TERM) {
        edit_term(e, map, index);
        return;
    }
    switch ((lb_edit_op)e->op) {
    case LB_EDIT_CLAMPED:
        *(e->n == 0 ? &index->begins_inside : &index->from_first_inside) = true;
        break;
    case LB_EDIT_READS_ON:
        index->reads_on = true;
        break;
    case LB_EDIT_COUNTED:
        index->counts = (uint8_t)e->n;
        break;
    case LB_EDIT_CUT:
        index->cuts = (uint8_t)e->n;
        index->cut_by = e->other;
        break;
    case LB_EDIT_SIBLING:
        index->bound = e->other;
        break;
    default: /* OFF_BY */
        *(e->n < 0 ? &index->cut_before : &index->cut_behind) = (uint8_t)abs(e->n);
        break;
    }
}

static bool goes_in_blocks(const lb_index *index, const lb_index *as)
{
    return index->term[0].sign == 1 && index->term[1].sign == 1 &&
           index->term[0].loop == as->term[0].loop && index->term[1].loop == as->term[1].loop &&
           lb_leaf_is(index->term[0].times[0], as->term[0].times[0]);
}

/* In all accesses but that of the operand, whose block is another then. */
static void edit_blocks(const lb_edit *edit, lb_map *map)
{
    const lb_index as = map->access[edit->access].index[edit->index];
    for (unsigned a = 0; a < LB_MAP_ACCESSES; a++)
        for (unsigned d = 0; a != LB_MAP_X && d < map->access[a].rank; d++)
            if (goes_in_blocks(&map->access[a].index[d], &as))
                edit_index(edit, map, &map->access[a].index[d]);
}

/* Terms of loops of the sum are those within a window; others say where it begins. */
static bool is_of_part(const lb_map *map, const lb_term *term, int part)
{
    const bool is_within = term->loop >= (int)map->outer;
    return is_within == (part != 0);
}

/* Elements of the innermost dimension are one apart: there a part of this index is taken off by its
 * stride, and added as if there were no gaps. */
static void close_gaps(const lb_edit *e, const lb_map *map, lb_access *access)
{
    const lb_index *index = &access->index[e->index];
    lb_leaf inner = index->stride;
    inner.kind = LB_LEAF_INNER;
    for (unsigned t = 0; t < terms_of(index); t++) {
        lb_term term = index->term[t];
        if (!is_of_part(map, &term, e->n))
            continue;
        term.times[1] = inner;
        append(&access->index[access->rank - 1], term);
        term.times[1] = index->stride;
        term.sign = (int8_t)-term.sign;
        append(&access->index[access->rank - 1], term);
    }
}

void lb_edit_map(const lb_edit *edit, lb_map *map)
{
    lb_access *access = &map->access[edit->access];
    if (edit->reach & LB_REACH_BLOCKS) {
        edit_blocks(edit, map);
        return;
    }
    if (edit->op == LB_EDIT_DENSE) {
        close_gaps(edit, map, access);
        return;
    }
    if (edit->in == LB_EDIT_IN_LOOP) {
        map->blocks[edit->index] = edit->n == 0 ? LB_BUT_LAST : (uint8_t)edit->n;
        return;
    }
    for (unsigned d = 0; d < access->rank; d++)
        if (d == edit->index ||
            ((edit->reach & LB_REACH_ALL) && access->index[d].bound.kind != LB_LEAF_NONE))
            edit_index(edit, map, &access->index[d]);
}

/* ---- Which there are ---- */

typedef struct sink_to {
    const lb_kernel *kernel;
    const lb_map *map;
    unsigned access, index;
    lb_edit_sink sink;
    void *user;
} sink_to;

static void put(const sink_to *s, lb_edit edit)
{
    edit.access = (uint8_t)s->access;
    edit.index = (uint8_t)s->index;
    edit.kernel = s->kernel;
    s->sink(s->user, &edit);
}

static const char begins[] = "where the elements of a group begin: group * elements of a group";

/* The leaves that the loop is multiplied with elsewhere. */
static void put_siblings(const sink_to *s, unsigned t, const lb_term *own)
{
    for (unsigned a = 0; a < LB_MAP_ACCESSES; a++)
        for (unsigned d = 0; d < s->map->access[a].rank; d++) {
            const lb_term *first = &s->map->access[a].index[d].term[0];
            bool is_known = a == LB_MAP_ADDEND || a == LB_MAP_SCALE || a == LB_MAP_OUT;
            if (!is_known && first->loop == own->loop && first->times[0].kind != LB_LEAF_NONE &&
                !lb_leaf_is(first->times[0], own->times[0]))
                put(s, (lb_edit){.op = LB_EDIT_SIBLING,
                                 .in = LB_EDIT_IN_TERM,
                                 .term = (uint8_t)t,
                                 .other = first->times[0],
                                 .prior = 5,
                                 .hint = begins});
        }
}

/* The extents that lie between the blocks, if each were stored as a whole. */
static void put_products(const sink_to *s)
{
    const lb_access *access = &s->map->access[s->access];
    for (unsigned d = 0; d < s->index; d++) {
        lb_leaf extent = access->index[d].stride;
        extent.kind = LB_LEAF_EXTENT;
        put(s, (lb_edit){.op = LB_EDIT_TIMES,
                         .in = LB_EDIT_IN_TERM,
                         .other = extent,
                         .prior = 4,
                         .hint = "where a group begins, as if groups were stored one by one"});
    }
}

/* A loop in blocks, whose elements follow. */
static void each_block(const sink_to *s)
{
    static const struct {
        lb_edit_op op;
        int8_t n;
        uint8_t prior;
        const char *hint;
    } rows[] = {
        {LB_EDIT_DROPPED, 0, 5, "pointers that are not moved from group to group"},
        {LB_EDIT_OFF_BY, 1, 4, "the index of the group in the loop over filters"},
        {LB_EDIT_MIRRORED, 0, 2, begins},
        {LB_EDIT_EXCHANGED, 0, 3, "channel % groups for channel / size"},
        {LB_EDIT_NEUTRAL, 1, 4, begins},
    };
    const lb_index *index = &s->map->access[s->access].index[s->index];
    if (!lb_index_in_blocks(index) || index->term[0].times[0].kind == LB_LEAF_CONFIG)
        return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        put(s, (lb_edit){.op = (uint8_t)rows[i].op,
                         .in = LB_EDIT_IN_TERM,
                         .n = rows[i].n,
                         .prior = rows[i].prior,
                         .hint = rows[i].hint});
    put_siblings(s, 0, index->term);
    put_products(s);
}

/* So much further for each output. */
static bool is_stepped(const lb_term *term)
{
    return term->loop != LB_NO_LOOP && term->times[0].kind == LB_LEAF_CONFIG &&
           term->times[0].by == LB_BY_ITSELF;
}

/* Where windows begin, and what lies within them, of a dimension that may have gaps. */
static void each_part(const sink_to *s)
{
    const lb_access *access = &s->map->access[s->access];
    const lb_index *index = &access->index[s->index], *last = &access->index[access->rank - 1];
    unsigned of[2] = {0, 0};
    bool moves = false;
    if (!lb_may_have_gaps(s->kernel, access->role) || index == last ||
        index->divisor.kind != LB_LEAF_NONE || index->stride.kind != LB_LEAF_STRIDE ||
        last->bound.kind != LB_LEAF_NONE)
        return;
    for (unsigned t = 0; t < terms_of(index); t++) {
        of[is_of_part(s->map, &index->term[t], 1)]++;
        moves = moves || (!is_of_part(s->map, &index->term[t], 1) && is_stepped(&index->term[t]));
    }
    const int parts = s->kernel->kernel_size == 1 ? 1 : 2; /* one position: nothing lies within */
    for (int part = 0; moves && part < parts; part++)
        if (of[1] > 0 && terms_of(last) + 2 * of[part] <= LB_MAP_TERMS)
            put(s, (lb_edit){.op = LB_EDIT_DENSE,
                             .in = LB_EDIT_IN_INDEX,
                             .n = part,
                             .prior = 4,
                             .hint = "index arithmetic: the stride, or the number of channels"});
}

/* An index that kernels hold to the border of the tensor. */
static void each_bound(const sink_to *s)
{
    static const char border[] = "tests of the border: < for <=, >= for >, size - 1";
    static const char sizes[] = "tests of the border: width for height, sizes of the output";
    const lb_index *index = &s->map->access[s->access].index[s->index];
    const lb_leaf own = index->bound;
    const bool has_windows = s->map->loops > s->map->outer;
    if (own.kind == LB_LEAF_NONE || index->divisor.kind != LB_LEAF_NONE ||
        (has_windows && s->kernel->kernel_size == 1))
        return;
    for (int n = -1; n <= 1; n += 2)
        put(s,
            (lb_edit){
                .op = LB_EDIT_OFF_BY, .in = LB_EDIT_IN_BOUND, .n = n, .prior = 5, .hint = border});
    put(s, (lb_edit){.op = LB_EDIT_READS_ON,
                     .in = LB_EDIT_IN_BOUND,
                     .prior = 5,
                     .hint = "tests of the border: the one at the right or lower end is missing"});
    lb_leaf other = own, out = own;
    other.dim = (int8_t)(1 - own.dim);
    out.role = s->map->access[LB_MAP_OUT].role;
    lb_edit edit = {.op = LB_EDIT_SIBLING, .in = LB_EDIT_IN_BOUND, .prior = 5, .hint = sizes};
    for (int which = 0; has_windows && which < 2; which++) {
        edit.other = which == 0 ? other : out;
        put(s, edit);
    }
    for (int all = 0; has_windows && all <= (s->index == 0 ? 1 : 0); all++)
        for (int cut = 0; cut <= (s->map->access[LB_MAP_W].rank > 0 ? 1 : 0); cut++)
            put(s, (lb_edit){.op = LB_EDIT_CLAMPED,
                             .in = LB_EDIT_IN_INDEX,
                             .reach = all ? LB_REACH_ALL : 0,
                             .n = cut,
                             .prior = 4,
                             .hint = cut ? "pointers to weights that are not moved past padding"
                                         : "start = max(start, 0) before end = start + kernel"});
}

/* How far positions of the window are apart, along this index; none: side by side. */
static lb_leaf gap_of(const sink_to *s, const lb_index *index)
{
    for (unsigned t = 0; t < terms_of(index); t++) {
        const lb_config_field *f = lb_leaf_field(s->kernel, index->term[t].times[0]);
        if (f && f->sort == LB_SORT_GAP)
            return index->term[t].times[0];
    }
    return (lb_leaf){.kind = LB_LEAF_NONE};
}

/* Windows with gaps that an end cuts: how many positions are left out. */
static void each_cut(const sink_to *s)
{
    static const char starts[] =
        "the first tap of a window that begins in padding: -start / dilation, rounded up";
    static const char ends[] =
        "the number of taps that are left before the end: (size - start) / dilation, rounded up";
    const lb_access *access = &s->map->access[s->access];
    const lb_leaf own = gap_of(s, &access->index[s->index]);
    if (own.kind == LB_LEAF_NONE || s->kernel->kernel_size == 1)
        return;
    lb_edit edit = {.op = LB_EDIT_CUT, .in = LB_EDIT_IN_INDEX, .prior = 4, .hint = starts};
    edit.n = LB_END_BEFORE;
    edit.other = number(1);
    put(s, edit);
    edit.hint = ends;
    edit.n = LB_END_BEHIND | LB_END_ROUNDED_DOWN;
    edit.other = own;
    put(s, edit);
    for (unsigned d = 0; d < access->rank; d++) {
        edit.other = gap_of(s, &access->index[d]);
        for (int end = LB_END_BEFORE;
             d != s->index && edit.other.kind != LB_LEAF_NONE && end <= LB_END_BEHIND; end++) {
            edit.n = end;
            edit.hint = end == LB_END_BEFORE ? starts : ends;
            put(s, edit);
        }
    }
}

/* The divisor of an average: ends of a window, in one direction or in all. Of both ends in all
 * directions it is that of the whole kernel, which a step says (window.whole). */
static void each_counted(const sink_to *s)
{
    enum { BOTH = LB_END_BEFORE | LB_END_BEHIND };
    const lb_access *access = &s->map->access[s->access];
    const bool is_average = lb_families[s->kernel->family].sums != LB_SUMS_NONE &&
                            s->map->access[LB_MAP_W].rank == 0 && s->map->loops > s->map->outer;
    bool is_first = true;
    if (!is_average || s->kernel->kernel_size == 1 ||
        access->index[s->index].bound.kind == LB_LEAF_NONE)
        return;
    for (unsigned d = 0; d < s->index; d++)
        is_first = is_first && access->index[d].bound.kind == LB_LEAF_NONE;
    for (int all = 0; all <= (is_first ? 1 : 0); all++)
        for (int ends = LB_END_BEFORE; ends <= (all ? LB_END_BEHIND : BOTH); ends++)
            put(s, (lb_edit){.op = LB_EDIT_COUNTED,
                             .in = LB_EDIT_IN_BOUND,
                             .reach = all ? LB_REACH_ALL : 0,
                             .n = ends,
                             .prior = 4,
                             .hint = "the divisor of the average"});
}

static bool is_of_window(const lb_map *map, unsigned loop)
{
    bool is = false;
    for (unsigned d = 0; d < map->access[LB_MAP_X].rank; d++) {
        const lb_index *index = &map->access[LB_MAP_X].index[d];
        is = is || (index->bound.kind != LB_LEAF_NONE && lb_index_follows(index, (int)loop));
    }
    return is;
}

static bool places_outputs(const lb_map *map, unsigned loop)
{
    bool places = false;
    for (unsigned d = 0; d < map->access[LB_MAP_OUT].rank; d++)
        places = places || lb_index_follows(&map->access[LB_MAP_OUT].index[d], (int)loop);
    return places;
}

/* Of a window few positions, and what its size as a number of the configuration says already. */
static bool can_lose(const sink_to *s, unsigned loop, int block)
{
    enum { MOST_OF_WINDOW = 4 };
    const int size = s->kernel->kernel_size;
    if (!is_of_window(s->map, loop))
        return true;
    if (block == 0)
        return size != 1 && s->map->loop[loop].extent.kind != LB_LEAF_CONFIG;
    return block <= MOST_OF_WINDOW && (size == 0 || (size > block && size % block != 0));
}

/* Positions of one of several loops of a sum; those of a single one are taps. What is looked for
 * the largest of takes as many as are asked for. */
static void each_loop(const sink_to *s)
{
    static const uint8_t blocks[] = {0, 2, 4, 8, 16};
    const lb_map *map = s->map;
    const bool sums = map->loops - map->outer > 1 && lb_pattern_of(s->kernel) != LB_PATTERN_SLICES;
    for (unsigned l = map->outer; sums && l < map->loops; l++) {
        sink_to at = *s;
        at.index = l;
        for (size_t i = 0; i < sizeof blocks && !places_outputs(map, l); i++)
            if (can_lose(s, l, blocks[i]))
                put(&at, (lb_edit){.op = LB_EDIT_LOST,
                                   .in = LB_EDIT_IN_LOOP,
                                   .n = blocks[i],
                                   .prior = blocks[i] == 0 ? 5 : 6,
                                   .hint = "bounds of the loop, what an unrolled one leaves over"});
    }
}

/* An output's channel by whose block its operand is found. */
static void each_dealt(const sink_to *s)
{
    const lb_index *own = &s->map->access[s->access].index[s->index];
    bool is_operands = false;
    if (!lb_index_in_blocks(own))
        return;
    for (unsigned d = 0; d < s->map->access[LB_MAP_X].rank; d++) {
        const lb_index *index = &s->map->access[LB_MAP_X].index[d];
        is_operands =
            is_operands || (index->term[0].sign == 1 && index->term[0].loop == own->term[0].loop &&
                            !goes_in_blocks(index, own));
    }
    if (is_operands)
        put(s, (lb_edit){.op = LB_EDIT_EXCHANGED,
                         .in = LB_EDIT_IN_TERM,
                         .reach = LB_REACH_BLOCKS,
                         .prior = 4,
                         .hint = "group = channel % groups for channel / (channels of a group)"});
}

void lb_edit_each_place(const lb_kernel *kernel, lb_edit_sink sink, void *user)
{
    const lb_map *map = lb_map_of(kernel);
    if (!map || map->access[LB_MAP_OUT].rank == 0)
        return;
    for (unsigned d = 0; d < map->access[LB_MAP_OUT].rank; d++) {
        const sink_to s = {kernel, map, LB_MAP_OUT, d, sink, user};
        each_dealt(&s);
    }
    for (unsigned a = LB_MAP_X; a <= LB_MAP_W; a++)
        for (unsigned d = 0; d < map->access[a].rank; d++) {
            const sink_to s = {kernel, map, a, d, sink, user};
            each_block(&s);
            each_bound(&s);
            if (a != LB_MAP_X)
                continue;
            each_part(&s);
            each_cut(&s);
            each_counted(&s);
        }
    each_loop(&(sink_to){kernel, map, LB_MAP_X, 0, sink, user});
}
