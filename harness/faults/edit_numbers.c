/* Edits of the numbers of a call: which there are, and what they come to. See edit.h. */
#include "harness/faults/edit.h"

#include "reference/describe/check.h"
#include "reference/describe/signature.h"

#include <stddef.h>
#include <string.h>

/* ---- Numbers ---- */

/* A field of the configuration that a function has, or an entry of one. */
typedef struct number {
    const lb_config_field *field; /* NULL: there is none */
    int entry;
} number;

/* Numbers of one sort in one dimension stand in an order, that of the fields: the padding before is
 * the first of two. */
typedef struct what {
    lb_sort sort;
    int dimension, ordinal;
} what;

static bool is_list(const lb_config_field *f)
{
    return f->count > 1;
}

static bool is_of(const lb_config_field *f, lb_sort sort, int dimension)
{
    return f->sort == sort && (is_list(f) || f->dimension == dimension);
}

static number find(const lb_kernel *kernel, what w)
{
    const lb_config_field *f = lb_config_fields(kernel->config_kind);
    for (; f->name && w.dimension >= 0; f++)
        if (is_of(f, w.sort, w.dimension) && w.ordinal-- == 0)
            return (number){f, is_list(f) ? w.dimension : 0};
    return (number){NULL, 0};
}

static lb_leaf leaf_of(number n)
{
    return lb_leaf_of_field(n.field, (unsigned)n.entry);
}

static what what_is(const lb_kernel *kernel, number n)
{
    what w = {(lb_sort)n.field->sort, is_list(n.field) ? n.entry : n.field->dimension, 0};
    for (const lb_config_field *f = lb_config_fields(kernel->config_kind); f != n.field; f++)
        w.ordinal += is_of(f, w.sort, w.dimension);
    return w;
}

/* The first of the two dimensions in which numbers of its sort stand: rows, whatever stands before
 * them in a tensor; of lists 0. */
static int first_dimension(const lb_kernel *kernel, number n)
{
    int first = is_list(n.field) ? 0 : n.field->dimension;
    for (const lb_config_field *f = lb_config_fields(kernel->config_kind); f->name; f++)
        if (f->sort == n.field->sort && !is_list(f) && f->dimension >= 0 && f->dimension < first)
            first = f->dimension;
    return first;
}

/* ---- What the map reads ---- */

static bool is_number(lb_leaf leaf, const lb_config_field *f)
{
    bool is_order = f->sort == LB_SORT_ORDER;
    return is_order ? leaf.by == LB_BY_ORDER || leaf.by == LB_BY_PLACE
                    : leaf.kind == LB_LEAF_CONFIG && (size_t)leaf.at == f->offset;
}

static bool terms_read(const lb_index *index, const lb_config_field *f)
{
    for (unsigned t = 0; t < LB_MAP_TERMS && index->term[t].sign != 0; t++)
        for (unsigned k = 0; k < LB_MAP_FACTORS; k++)
            if (is_number(index->term[t].times[k], f))
                return true;
    return false;
}

static bool index_reads(const lb_index *index, const lb_config_field *f)
{
    return terms_read(index, f) || is_number(index->divisor, f) || is_number(index->bound, f) ||
           is_number(index->stride, f);
}

/* Some index that reads it and, in one of its terms, the other. */
static bool indices_read(const lb_map *map, const lb_config_field *f, const lb_config_field *too)
{
    for (unsigned a = 0; a < LB_MAP_ACCESSES; a++)
        for (unsigned d = 0; d < map->access[a].rank; d++)
            if (index_reads(&map->access[a].index[d], f) &&
                (!too || terms_read(&map->access[a].index[d], too)))
                return true;
    return false;
}

static bool loops_read(const lb_map *map, const lb_config_field *f)
{
    bool reads = false;
    for (unsigned l = 0; l < map->loops; l++)
        reads = reads || is_number(map->loop[l].extent, f);
    for (unsigned d = 0; d < LB_MAP_DERIVED; d++)
        reads = reads || is_number(map->derived[d].of, f) || is_number(map->derived[d].by, f);
    return reads;
}

static bool is_spread(const lb_map *map, const lb_config_field *f)
{
    for (unsigned a = 0; a < LB_MAP_ACCESSES; a++)
        for (unsigned d = 0; d < map->access[a].rank; d++)
            if (terms_read(&map->access[a].index[d], f) &&
                map->access[a].index[d].divisor.kind != LB_LEAF_NONE)
                return true;
    return false;
}

/* ---- Which edits there are ---- */

typedef enum relation {
    ALONE,
    OTHER_WAY,     /* in the other direction, or that of the next dimension */
    THROUGH,       /* in the dimensions of the other tensor */
    OTHER_END,     /* of a padding */
    NEXT_ALIKE,    /* the next of its sort; numbers of the call that are of no dimension */
    LAST_ALIKE,    /* ... and the one before, where that is another */
    OUTPUT_OFFSET, /* the last zero point */
    STEP_HERE,     /* in the same direction: */
    GAP_HERE,
    SIZE_HERE
} relation;

/* How often a number is taken for what, and where that comes from. */
typedef struct taste {
    lb_edit_op op;
    lb_sort sort;
    relation relation;
    int8_t n;
    uint8_t prior;
    uint8_t of_list; /* its prior where the number is an entry of a list; 0: none */
    bool all;        /* in all directions at once as well */
    const char *hint;
} taste;

/* clang-format off */
static const taste tastes[] = {
    {LB_EDIT_EXCHANGED,  LB_SORT_STEP,    OTHER_WAY, 0,  7, 3, false, "order of arguments: stride_h, stride_w; indices of lists"},
    {LB_EDIT_SIBLING,    LB_SORT_STEP,    OTHER_WAY, 0,  5, 0, false, "one variable `stride`"},
    {LB_EDIT_SIBLING,    LB_SORT_STEP,    THROUGH,   0,  0, 5, true,  "fields applied before or after the permutation"},
    {LB_EDIT_NEUTRAL,    LB_SORT_STEP,    ALONE,     1,  5, 5, true,  "kernels made for stride 1; fields of the configuration: step"},
    {LB_EDIT_OFF_BY,     LB_SORT_STEP,    ALONE,     1,  2, 0, true,  "strides counted from 0"},
    {LB_EDIT_SIBLING,    LB_SORT_STEP,    SIZE_HERE, 0,  3, 0, false, "pooling whose windows do not overlap"},
    {LB_EDIT_EXCHANGED,  LB_SORT_GAP,     OTHER_WAY, 0,  5, 0, false, "order of arguments: dilation_h, dilation_w"},
    {LB_EDIT_SIBLING,    LB_SORT_GAP,     OTHER_WAY, 0,  4, 0, false, "one variable `dilation`"},
    {LB_EDIT_NEUTRAL,    LB_SORT_GAP,     ALONE,     1,  6, 0, true,  "fast paths chosen without a look at the dilation"},
    {LB_EDIT_OFF_BY,     LB_SORT_GAP,     ALONE,     1,  3, 0, true,  "dilations counted from 0: gaps rather than steps"},
    {LB_EDIT_EXCHANGED,  LB_SORT_STEP,    GAP_HERE,  0,  2, 0, true,  "order of arguments, fields of the configuration"},
    {LB_EDIT_SIBLING,    LB_SORT_STEP,    GAP_HERE,  0,  1, 0, true,  "fields of the configuration"},
    {LB_EDIT_SIBLING,    LB_SORT_GAP,     STEP_HERE, 0,  1, 0, true,  "fields of the configuration"},
    {LB_EDIT_TIMES,      LB_SORT_STEP,    GAP_HERE,  0,  2, 0, true,  "where the dilation is multiplied with the whole place of a tap"},
    {LB_EDIT_TIMES,      LB_SORT_GAP,     STEP_HERE, 0,  2, 0, true,  "where the stride is multiplied with the whole place of a tap"},
    {LB_EDIT_EXCHANGED,  LB_SORT_PADDING, OTHER_WAY, 0,  6, 3, false, "order of arguments: pad_h, pad_w; indices of lists"},
    {LB_EDIT_SIBLING,    LB_SORT_PADDING, OTHER_WAY, 0,  4, 0, false, "one variable `pad`"},
    {LB_EDIT_SIBLING,    LB_SORT_PADDING, THROUGH,   0,  0, 5, true,  "fields applied before or after the permutation"},
    {LB_EDIT_EXCHANGED,  LB_SORT_PADDING, OTHER_END, 0,  6, 5, true,  "bottom for top, right for left; padding_pre, padding_post"},
    {LB_EDIT_NEUTRAL,    LB_SORT_PADDING, ALONE,     0,  5, 5, true,  "kernels made for no padding; fields of the configuration: padding"},
    {LB_EDIT_OFF_BY,     LB_SORT_PADDING, ALONE,     1,  3, 0, true,  "signs of the padding"},
    {LB_EDIT_OFF_BY,     LB_SORT_PADDING, ALONE,     -1, 3, 0, true,  "signs of the padding"},
    {LB_EDIT_HALF,       LB_SORT_PADDING, OTHER_END, 0,  3, 0, true,  "padding worked out anew, as for \"same\""},
    {LB_EDIT_TIMES,      LB_SORT_PADDING, GAP_HERE,  0,  2, 0, true,  "loops over dilated positions that begin with -pad"},
    {LB_EDIT_TIMES,      LB_SORT_PADDING, STEP_HERE, 0,  4, 2, true,  "where the window begins: (position - padding) * stride"},
    {LB_EDIT_COMPLEMENT, LB_SORT_PADDING, SIZE_HERE, 0,  4, 0, true,  "a transposed convolution turned into a direct one"},
    {LB_EDIT_SIGN,       LB_SORT_PADDING, ALONE,     0,  0, 4, true,  "offset - padding_pre"},
    {LB_EDIT_EXCHANGED,  LB_SORT_SIZE,    OTHER_WAY, 0,  5, 0, false, "order of arguments: kernel_h, kernel_w"},
    {LB_EDIT_SIBLING,    LB_SORT_SIZE,    OTHER_WAY, 0,  4, 0, false, "one variable `kernel_size`"},
    {LB_EDIT_OFF_BY,     LB_SORT_SIZE,    ALONE,     1,  3, 0, true,  "loop bounds: <="},
    {LB_EDIT_OFF_BY,     LB_SORT_SIZE,    ALONE,     -1, 3, 0, true,  "loop bounds: < k - 1"},
    {LB_EDIT_NEUTRAL,    LB_SORT_OFFSET,  ALONE,     0,  0, 6, true,  "fields of the configuration: offsets"},
    {LB_EDIT_EXCHANGED,  LB_SORT_OFFSET,  OTHER_WAY, 0,  0, 3, false, "indices of the configuration's lists"},
    {LB_EDIT_SIBLING,    LB_SORT_OFFSET,  THROUGH,   0,  0, 6, true,  "fields applied before or after the permutation"},
    {LB_EDIT_TIMES,      LB_SORT_OFFSET,  STEP_HERE, 0,  0, 4, true,  "offset multiplied by the step"},
    {LB_EDIT_NEUTRAL,    LB_SORT_LENGTH,  ALONE,     0,  0, 3, true,  "fields of the configuration: size"},
    {LB_EDIT_EXCHANGED,  LB_SORT_LENGTH,  OTHER_WAY, 0,  0, 2, false, "indices of the configuration's lists"},
    {LB_EDIT_SIBLING,    LB_SORT_LENGTH,  THROUGH,   0,  0, 3, true,  "fields applied before or after the permutation"},
    {LB_EDIT_NEUTRAL,    LB_SORT_ORDER,   ALONE,     0,  0, 5, true,  "fast paths for copies"},
    {LB_EDIT_SIBLING,    LB_SORT_ZERO_POINT, NEXT_ALIKE, 0, 5, 0, false, "fields of parameters: one offset for another"},
    {LB_EDIT_SIBLING,    LB_SORT_ZERO_POINT, LAST_ALIKE, 0, 5, 0, false, "fields of parameters: one offset for another"},
    {LB_EDIT_EXCHANGED,  LB_SORT_ZERO_POINT, NEXT_ALIKE, 0, 6, 0, false, "order of arguments: offsets"},
    {LB_EDIT_NEUTRAL,    LB_SORT_ZERO_POINT, ALONE,  0,  6, 0, false, "kernels made for symmetric tensors"},
    {LB_EDIT_SIBLING,    LB_SORT_MULTIPLIER, NEXT_ALIKE, 0, 4, 0, false, "fields of parameters: one multiplier for another"},
    {LB_EDIT_SIBLING,    LB_SORT_MULTIPLIER, LAST_ALIKE, 0, 4, 0, false, "fields of parameters: one multiplier for another"},
    {LB_EDIT_EXCHANGED,  LB_SORT_MULTIPLIER, NEXT_ALIKE, 0, 5, 0, false, "order of arguments: multipliers"},
    {LB_EDIT_SIBLING,    LB_SORT_SHIFT,   NEXT_ALIKE, 0, 4, 0, false, "fields of parameters: one shift for another"},
    {LB_EDIT_SIBLING,    LB_SORT_SHIFT,   LAST_ALIKE, 0, 4, 0, false, "fields of parameters: one shift for another"},
    {LB_EDIT_EXCHANGED,  LB_SORT_SHIFT,   NEXT_ALIKE, 0, 5, 0, false, "order of arguments: shifts"},
    {LB_EDIT_NEUTRAL,    LB_SORT_SHIFT,   ALONE,     0,  5, 0, false, "fields that are not read"},
    {LB_EDIT_NEUTRAL,    LB_SORT_LIMIT,   ALONE,     0,  5, 0, false, "fused activations: one of both limits"},
    {LB_EDIT_NEUTRAL,    LB_SORT_LIMIT,   NEXT_ALIKE, 0, 6, 0, false, "fused activations that are left out"},
    {LB_EDIT_OFF_BY,     LB_SORT_LIMIT,   ALONE,     1,  3, 0, false, "comparisons: < for <=, > for >="},
    {LB_EDIT_OFF_BY,     LB_SORT_LIMIT,   ALONE,     -1, 3, 0, false, "comparisons: <= for <, >= for >"},
    {LB_EDIT_PLUS,       LB_SORT_LIMIT,   OUTPUT_OFFSET, 0, 5, 0, false, "order of the last steps: the limit before the output's offset is added"},
    {LB_EDIT_NEUTRAL,    LB_SORT_STRIDE,  ALONE,     0,  0, 5, true,  "fields of the configuration: dst_mem_stride"},
    {LB_EDIT_INVERTED,   LB_SORT_ORDER,   ALONE,     0,  0, 8, true,  "to which side perm_dim belongs"},
};
/* clang-format on */

static bool is_of_call(const lb_config_field *f)
{
    return !is_list(f) && f->dimension < 0;
}

/* Behind the last the first, before the first the last; none: there is no other one. */
static number alike(const lb_kernel *kernel, number n, bool before)
{
    enum { MOST = 8 };
    const lb_config_field *all[MOST];
    int count = 0, own = 0;
    for (const lb_config_field *f = lb_config_fields(kernel->config_kind); f->name; f++)
        if (f->sort == n.field->sort && is_of_call(f) && count < MOST) {
            own = f == n.field ? count : own;
            all[count++] = f;
        }
    if (count < (before ? 3 : 2))
        return (number){NULL, 0};
    return (number){all[(own + (before ? count - 1 : 1)) % count], 0};
}

static number output_offset(const lb_kernel *kernel)
{
    number last = {NULL, 0};
    for (const lb_config_field *f = lb_config_fields(kernel->config_kind); f->name; f++)
        if (f->sort == LB_SORT_ZERO_POINT && is_of_call(f))
            last.field = f;
    return last;
}

/* What a relation leads to from a number. A kernel of weights has no field: its extents. */
static lb_leaf related(const lb_kernel *kernel, number n, relation how)
{
    what w = what_is(kernel, n);
    const int first = first_dimension(kernel, n);
    const int next = is_list(n.field) ? w.dimension + 1 : 2 * first + 1 - w.dimension;
    number to = {NULL, 0};
    switch (how) {
    case ALONE:
        break;
    case THROUGH: {
        lb_leaf leaf = leaf_of(n);
        leaf.by = LB_BY_ORDER;
        return leaf;
    }
    case OTHER_WAY:
        if (next < (is_list(n.field) ? LB_MAX_RANK : first + 2))
            to = find(kernel, (what){w.sort, next, w.ordinal});
        break;
    case NEXT_ALIKE:
    case LAST_ALIKE:
        to = alike(kernel, n, how == LAST_ALIKE);
        break;
    case OUTPUT_OFFSET:
        to = output_offset(kernel);
        break;
    case OTHER_END:
        to = find(kernel, (what){w.sort, w.dimension, 1 - w.ordinal});
        break;
    case STEP_HERE:
        to = find(kernel, (what){LB_SORT_STEP, w.dimension, 0});
        break;
    case GAP_HERE:
        to = find(kernel, (what){LB_SORT_GAP, w.dimension, 0});
        break;
    case SIZE_HERE:
        to = find(kernel, (what){LB_SORT_SIZE, w.dimension, 0});
        if (!to.field && kernel->weights_type != 0)
            return (lb_leaf){
                .kind = LB_LEAF_EXTENT, .role = LB_ROLE_WEIGHTS, .dim = (int8_t)w.dimension};
        break;
    }
    return to.field ? leaf_of(to) : (lb_leaf){.kind = LB_LEAF_NONE};
}

static bool is_fixed(const lb_kernel *kernel, lb_leaf leaf)
{
    lb_leaf_range range = lb_checks_bound(kernel, leaf);
    return range.low == range.high;
}

/* A window of one position has no gaps and no padding. Others that change nothing are left out by
 * what the checks say of both numbers. */
static bool makes_sense(const lb_kernel *kernel, const lb_map *map, const taste *t,
                        const lb_edit *edit)
{
    const lb_config_field *own = lb_leaf_field(kernel, edit->leaf),
                          *other = lb_leaf_field(kernel, edit->other);
    const bool is_one = kernel->kernel_size == 1 && !is_list(own);
    const bool of_window = t->sort == LB_SORT_GAP || t->sort == LB_SORT_PADDING;
    switch (edit->op) {
    case LB_EDIT_OFF_BY:
        return !is_one || (t->sort == LB_SORT_PADDING && edit->n > 0) || !of_window;
    case LB_EDIT_COMPLEMENT:
        return is_spread(map, own);
    case LB_EDIT_PLUS:
        return what_is(kernel, (number){own, 0}).ordinal == 0 &&
               alike(kernel, (number){own, 0}, false).field != NULL; /* both limits */
    case LB_EDIT_TIMES:
        if (!other || !indices_read(map, own, other))
            return false;
        break;
    case LB_EDIT_SIBLING:
    case LB_EDIT_EXCHANGED:
        if (other && (t->relation == STEP_HERE || t->relation == GAP_HERE) &&
            !indices_read(map, other, NULL))
            return false;
        if (t->sort == LB_SORT_SIZE && is_fixed(kernel, edit->leaf))
            return false;
        break;
    default:
        break;
    }
    if (t->sort == LB_SORT_STEP && t->relation != ALONE && is_fixed(kernel, edit->leaf))
        return false;
    return !(is_one && (of_window || t->relation == GAP_HERE));
}

/* Where a window lies inside is often found by other code than its addresses. */
static bool is_in_addresses(const lb_kernel *kernel, const lb_map *map, const taste *t,
                            const lb_config_field *f)
{
    const lb_access *x = &map->access[LB_MAP_X];
    bool is_cut = false;
    for (unsigned d = 0; d + 1 < x->rank; d++)
        is_cut =
            is_cut || (x->index[d].bound.kind != LB_LEAF_NONE &&
                       x->index[d].divisor.kind == LB_LEAF_NONE && index_reads(&x->index[d], f));
    return is_cut && kernel->kernel_size != 1 && !is_list(f) &&
           x->index[x->rank - 1].bound.kind == LB_LEAF_NONE &&
           (t->relation == OTHER_WAY || (t->relation == ALONE && t->op == LB_EDIT_NEUTRAL));
}

/* The edit at a number; with what goes beyond it. */
static void put(const lb_kernel *kernel, const lb_map *map, const taste *t, number n,
                lb_edit_sink sink, void *user)
{
    lb_edit edit = {.op = (uint8_t)t->op,
                    .in = LB_EDIT_IN_CALL,
                    .leaf = leaf_of(n),
                    .other = related(kernel, n, t->relation),
                    .n = t->n,
                    .prior = is_list(n.field) ? t->of_list : t->prior,
                    .hint = t->hint,
                    .kernel = kernel};
    const bool in_pairs = t->op == LB_EDIT_EXCHANGED && t->relation == OTHER_WAY;
    const what w = what_is(kernel, n);
    const int first = first_dimension(kernel, n);
    const bool needs_other = t->relation != ALONE;
    const bool is_told = (t->op == LB_EDIT_EXCHANGED || t->op == LB_EDIT_NEUTRAL) &&
                         t->relation == NEXT_ALIKE && edit.other.kind != LB_LEAF_NONE &&
                         edit.other.at < edit.leaf.at;
    if (edit.prior == 0 || is_told || (needs_other && edit.other.kind == LB_LEAF_NONE) ||
        (in_pairs && !is_list(n.field) && w.dimension != first) ||
        !makes_sense(kernel, map, t, &edit))
        return;
    const bool whole = t->relation == THROUGH || t->sort == LB_SORT_ORDER;
    const bool both_ends = t->sort == LB_SORT_PADDING && t->relation != OTHER_END &&
                           t->op != LB_EDIT_OFF_BY && t->op != LB_EDIT_SIGN;
    const bool in_indices = indices_read(map, n.field, NULL);
    for (int all = whole; all <= (t->all ? 1 : 0); all++)
        for (int alone = 0; alone <= (is_list(n.field) && in_indices ? 1 : 0); alone++) {
            edit.reach = (uint8_t)((all ? LB_REACH_ALL : 0) | (alone ? LB_REACH_INDICES : 0));
            if (both_ends && !alone && (is_list(n.field) || in_pairs))
                edit.reach |= LB_REACH_ENDS;
            if (!all || w.dimension == first)
                sink(user, &edit);
        }
    edit.reach = LB_REACH_ADDRESSES;
    if (is_in_addresses(kernel, map, t, n.field))
        sink(user, &edit);
    /* what stands along an axis is moved like elements */
    edit.reach = LB_REACH_ALL | LB_REACH_LISTS;
    if (t->op == LB_EDIT_NEUTRAL && is_list(n.field) && n.entry == 0 &&
        indices_read(map, n.field, NULL) && t->sort != LB_SORT_ORDER)
        sink(user, &edit);
}

/* Numbers that results are computed with, whatever the map reads. */
static bool is_of_sorts(const lb_config_field *f)
{
    return is_of_call(f) && (f->sort == LB_SORT_ZERO_POINT || f->sort == LB_SORT_MULTIPLIER ||
                             f->sort == LB_SORT_SHIFT || f->sort == LB_SORT_LIMIT);
}

/* Numbers of the call that the map or the formula is made with. */
static bool is_meant(const lb_map *map, const lb_config_field *f)
{
    const bool is_of_map = is_list(f) || f->dimension >= 0;
    if (f->sort == LB_SORT_STRIDE) /* of the destination, beside those that it has */
        return is_list(f);
    return is_of_map
               ? loops_read(map, f) || (f->sort != LB_SORT_ORDER && indices_read(map, f, NULL))
               : is_of_sorts(f);
}

/* ---- Those that no map reads: choices, numbers of tensors, arguments of helpers ---- */

/* A number, and where its edits go. */
typedef struct edited_number {
    const lb_kernel *kernel;
    const char *section;
    number at;
    uint8_t reach;
    lb_edit_sink sink;
    void *user;
} edited_number;

static void put_edit(const edited_number *e, lb_edit_op op, lb_leaf other, int n, int prior,
                     const char *hint)
{
    e->sink(e->user, &(lb_edit){.op = (uint8_t)op,
                                .in = LB_EDIT_IN_CALL,
                                .reach = e->reach,
                                .leaf = leaf_of(e->at),
                                .other = other,
                                .n = n,
                                .prior = (uint8_t)prior,
                                .hint = hint,
                                .section = e->section,
                                .kernel = e->kernel});
}

static lb_leaf value_of(int n)
{
    return (lb_leaf){.kind = LB_LEAF_NUMBER, .at = (int16_t)n};
}

/* Of two values the one for the other is the same as one of them whatever is asked for. */
static void each_choice(const edited_number *e)
{
    static const char numbers[] = "numbers of the enumeration, missing cases of a switch";
    static const char unread[] =
        "numbers of the enumeration, missing cases of a switch, a field that is not read";
    int count = 0;
    while (e->at.field->enum_names && e->at.field->enum_names[count])
        count++;
    for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++)
            if (a != b)
                put_edit(e, LB_EDIT_CHOICE, value_of(a), b, 6, unread);
        for (int b = a + 1; b < count; b++)
            put_edit(e, LB_EDIT_CHOICES, value_of(a), b, count > 2 ? 4 : 6, numbers);
        if (count > 2)
            put_edit(e, LB_EDIT_NUMBER, (lb_leaf){.kind = LB_LEAF_NONE}, a, 6, unread);
    }
}

/* How many tensors of a list are asked for. */
static void each_count(const edited_number *e)
{
    enum { MOST = 3 };
    const lb_leaf none = {.kind = LB_LEAF_NONE};
    put_edit(e, LB_EDIT_OFF_BY, none, -1, 4, "loop bounds of the list");
    for (int n = 1; n <= MOST; n++)
        put_edit(e, LB_EDIT_CAPPED, none, n, 5, "bounds of the list");
}

static bool has_lists(const lb_kernel *kernel)
{
    bool has = false;
    for (const lb_role_spec *role = kernel->roles; role->use != LB_USE_NONE; role++)
        has = has || role->list;
    return has;
}

static bool takes_arguments(const lb_kernel *kernel)
{
    return lb_pattern_of(kernel) == LB_PATTERN_HELPER || lb_filled_config(kernel) == LB_CONFIG_MOV;
}

/* An entry of an argument; and the whole of it, with each other like it. */
static void each_argument(const edited_number *e)
{
    const lb_config_field *f = e->at.field;
    const lb_leaf none = {.kind = LB_LEAF_NONE};
    const bool has_next = e->at.entry + 1 < f->count;
    const number next = {f, e->at.entry + 1};
    put_edit(e, LB_EDIT_NEUTRAL, none, 0, 5, "arguments that are not used");
    put_edit(e, LB_EDIT_OFF_BY, none, 1, 3, "counts from 1");
    put_edit(e, LB_EDIT_OFF_BY, none, -1, 3, "counts from 0");
    if (has_next)
        put_edit(e, LB_EDIT_EXCHANGED, leaf_of(next), 0, 3, "indices of arguments");
    if (has_next)
        put_edit(e, LB_EDIT_CAPPED, none, 0, 4, "loops over dimensions: a fixed rank");
}

static void each_whole_argument(edited_number e)
{
    const lb_config_field *f = e.at.field;
    e.reach = is_list(f) ? LB_REACH_ALL : 0;
    for (f++; e.at.entry == 0 && f->name; f++)
        if (f->type == e.at.field->type && f->count == e.at.field->count)
            put_edit(&e, LB_EDIT_EXCHANGED, leaf_of((number){f, 0}), 0, 5, "order of arguments");
    if (e.at.field == lb_config_fields(e.kernel->config_kind) && e.at.entry > 0)
        put_edit(&e, LB_EDIT_CAPPED, (lb_leaf){.kind = LB_LEAF_NONE}, 0, 4,
                 "loops over dimensions: a fixed rank");
}

static void each_unread(const lb_kernel *kernel, lb_edit_sink sink, void *user)
{
    edited_number e = {.kernel = kernel, .sink = sink, .user = user};
    for (const lb_config_field *f = lb_config_fields(kernel->config_kind); f->name; f++)
        for (int entry = 0; entry < (int)f->count; entry++) {
            e.at = (number){f, entry};
            e.section = "numerics.md 6; elementwise.md 3; recurrent.md 5 to 7";
            each_choice(&e);
            if (f->sort == LB_SORT_SIZE && has_lists(kernel))
                each_count(&e);
            if (!takes_arguments(kernel))
                continue;
            e.section = "numerics.md 8; pooling_and_movement.md 5";
            each_argument(&e);
            each_whole_argument(e);
        }
}

void lb_edit_each_number(const lb_kernel *kernel, lb_edit_sink sink, void *user)
{
    const lb_map *map = lb_map_of(kernel);
    each_unread(kernel, sink, user);
    if (!map || map->access[LB_MAP_OUT].rank == 0)
        return;
    for (size_t i = 0; i < sizeof tastes / sizeof *tastes; i++)
        for (const lb_config_field *f = lb_config_fields(kernel->config_kind); f->name; f++) {
            if (f->sort != tastes[i].sort || !is_meant(map, f))
                continue;
            for (int entry = 0; entry < (int)f->count; entry++)
                put(kernel, map, &tastes[i], (number){f, entry}, sink, user);
        }
}

/* ---- What they come to ---- */

static int64_t get(const lb_config *config, const lb_config_field *f, int entry)
{
    const lb_call call = {.config = *config};
    return lb_leaf_value(NULL, &call, leaf_of((number){f, entry}));
}

/* An edit at work on one number: as the call has it, and what it becomes. */
typedef struct work {
    const lb_edit *edit;
    const lb_call *call;
    lb_config given, *config;
    bool is_checked; /* checks look at it behind the edit */
} work;

/* As far as its type goes, and what it is for: a step of 0 is none, and checks refuse it. */
static void set(work *w, const lb_config_field *f, int entry, int64_t value)
{
    const lb_leaf_range range = lb_leaf_type_range(leaf_of((number){f, entry}));
    const int64_t least = lb_sorts[f->sort].neutral == 1 && !w->is_checked ? 1 : range.low;
    lb_config_set(w->config, f, (unsigned)entry,
                  value < least        ? least
                  : value > range.high ? range.high
                                       : value);
}

static int64_t other_value(const work *w, lb_leaf leaf)
{
    const lb_config_field *f = lb_leaf_field(w->call->kernel, leaf);
    return f ? get(&w->given, f, leaf.dim) : lb_leaf_value(NULL, w->call, leaf);
}

static uint32_t rank_of(const work *w)
{
    const lb_tensor *in = w->call->tensor[LB_ROLE_IN];
    const bool is_open = takes_arguments(w->call->kernel); /* they have entries beyond it too */
    return in && !is_open && in->rank < LB_MAX_RANK ? in->rank : LB_MAX_RANK;
}

static bool is_of_output(const lb_map *map, const lb_config_field *f)
{
    bool reads = false;
    for (unsigned d = 0; d < map->access[LB_MAP_OUT].rank; d++)
        reads = reads || index_reads(&map->access[LB_MAP_OUT].index[d], f);
    return reads;
}

/* A number that counts in the dimensions of one tensor, as found by those of the other: entry
 * perm[i] for i of a number of the output, i for perm[i] of one of the input. */
static void take_through(work *w, number n)
{
    const bool of_output = is_of_output(lb_map_of(w->call->kernel), n.field);
    for (uint32_t i = 0; i < rank_of(w); i++) {
        const int d = w->given.perm_dim[i], own = of_output ? (int)i : d;
        if (d < LB_MAX_RANK)
            set(w, n.field, own, get(&w->given, n.field, of_output ? d : (int)i));
    }
}

/* The first number above those that elements of the output have; 0: there is no output. */
static int64_t beyond_output(const work *w)
{
    const lb_tensor *out = w->call->tensor[LB_ROLE_OUT];
    const unsigned bytes = out ? lb_storage_bytes(out->el_type) : 0;
    return bytes ? INT64_C(1) << (8 * bytes - 1) : 0;
}

/* As if it were not there: a limit is where elements of the output end. */
static int64_t neutral_of(const work *w, number n)
{
    const int64_t beyond = beyond_output(w);
    if (n.field->sort == LB_SORT_ORDER)
        return n.entry;
    if (n.field->sort != LB_SORT_LIMIT || beyond == 0)
        return w->edit->n;
    return what_is(w->call->kernel, n).ordinal == 0 ? -beyond : beyond - 1;
}

/* All of the sort are so much more, as far as elements of the output go. */
static void add_to_sort(work *w, lb_sort sort, int64_t more)
{
    const int64_t beyond = beyond_output(w);
    for (const lb_config_field *f = lb_config_fields(w->call->kernel->config_kind); f->name; f++) {
        const int64_t v = f->sort == sort ? get(&w->given, f, 0) + more : 0;
        if (f->sort == sort)
            set(w, f, 0, v < -beyond ? -beyond : v >= beyond ? beyond - 1 : v);
    }
}

static void change(work *w, number n, lb_leaf other)
{
    const lb_edit *e = w->edit;
    const int64_t own = get(&w->given, n.field, n.entry);
    const int64_t taken = other.kind == LB_LEAF_NONE ? 0 : other_value(w, other);
    int64_t value = own;
    switch ((lb_edit_op)e->op) {
    case LB_EDIT_EXCHANGED: {
        const lb_config_field *f = lb_leaf_field(w->call->kernel, other);
        if (f)
            set(w, f, other.dim, own);
        value = taken;
        break;
    }
    case LB_EDIT_SIBLING:
        value = taken;
        break;
    case LB_EDIT_NEUTRAL: {
        const number too = {lb_leaf_field(w->call->kernel, other), other.dim};
        if (too.field)
            set(w, too.field, too.entry, neutral_of(w, too));
        value = neutral_of(w, n);
        break;
    }
    case LB_EDIT_NUMBER:
        value = e->n;
        break;
    case LB_EDIT_OFF_BY:
        value = own + e->n;
        break;
    case LB_EDIT_TIMES:
        value = own * taken;
        break;
    case LB_EDIT_PLUS:
        add_to_sort(w, n.field->sort, taken);
        return;
    case LB_EDIT_HALF:
        value = (own + taken) / 2;
        break;
    case LB_EDIT_COMPLEMENT:
        value = taken - 1 - own;
        break;
    case LB_EDIT_CHOICE:
        value = own == taken ? e->n : own;
        break;
    case LB_EDIT_CHOICES:
        value = own == taken ? e->n : own == e->n ? taken : own;
        break;
    case LB_EDIT_CAPPED:
        value = own > e->n ? e->n : own;
        break;
    default:
        break;
    }
    set(w, n.field, n.entry, value);
}

/* Added where it should be subtracted: what it is subtracted from is twice as much more. */
static void add(work *w, number n)
{
    const lb_kernel *kernel = w->call->kernel;
    number from = find(kernel, (what){LB_SORT_OFFSET, what_is(kernel, n).dimension, 0});
    if (from.field)
        set(w, from.field, from.entry,
            get(&w->given, from.field, from.entry) + 2 * get(&w->given, n.field, n.entry));
}

static void invert(work *w, const lb_config_field *f)
{
    for (uint32_t i = 0; i < rank_of(w); i++)
        if (get(&w->given, f, (int)i) < LB_MAX_RANK)
            set(w, f, (int)get(&w->given, f, (int)i), i);
}

/* From this entry on all are 0; of all arguments, or of this one. */
static void cap(work *w, number n)
{
    const bool all = w->edit->reach & LB_REACH_ALL;
    const lb_config_field *f = all ? lb_config_fields(w->call->kernel->config_kind) : n.field;
    for (; f->name && (all || f == n.field); f++)
        for (int i = n.entry; i < (int)f->count; i++)
            set(w, f, i, 0);
}

static void change_one(work *w, number n, lb_leaf other)
{
    if (other.by == LB_BY_ORDER)
        take_through(w, n);
    else if (w->edit->op == LB_EDIT_INVERTED)
        invert(w, n.field);
    else if (w->edit->op == LB_EDIT_CAPPED && is_list(n.field))
        cap(w, n);
    else if (w->edit->op == LB_EDIT_SIGN)
        add(w, n);
    else
        change(w, n, other);
}

/* The same number in another dimension, or at the other end. */
static number moved(const lb_kernel *kernel, number n, int dimension, bool other_end)
{
    what w = what_is(kernel, n);
    return find(kernel, (what){w.sort, dimension, other_end ? 1 - w.ordinal : w.ordinal});
}

static lb_leaf moved_leaf(const lb_kernel *kernel, lb_leaf leaf, int by, bool other_end)
{
    const lb_config_field *f = lb_leaf_field(kernel, leaf);
    if (!f || leaf.by != LB_BY_ITSELF) {
        leaf.dim = (int8_t)(leaf.dim + (leaf.kind == LB_LEAF_EXTENT ? by : 0));
        return leaf;
    }
    const number n = {f, leaf.dim};
    const number to = moved(kernel, n, what_is(kernel, n).dimension + by, other_end);
    return to.field ? leaf_of(to) : leaf;
}

/* In one dimension, at one end. */
static void change_at(work *w, number own, int by, bool other_end)
{
    const lb_kernel *kernel = w->call->kernel;
    const bool is_itself = by == 0 && !other_end; /* it may be of no dimension */
    const number n =
        is_itself ? own : moved(kernel, own, what_is(kernel, own).dimension + by, other_end);
    if (n.field)
        change_one(w, n, moved_leaf(kernel, w->edit->other, by, other_end));
}

bool lb_edit_numbers(const lb_edit *edit, const lb_call *call, bool is_checked, lb_config *config)
{
    work w = {
        .edit = edit, .call = call, .given = *config, .config = config, .is_checked = is_checked};
    const number own = {lb_leaf_field(call->kernel, edit->leaf), edit->leaf.dim};
    const lb_config_field *other = lb_leaf_field(call->kernel, edit->other);
    if (!own.field || (is_list(own.field) && (uint32_t)own.entry >= rank_of(&w)) ||
        (other && is_list(other) && (uint32_t)edit->other.dim >= rank_of(&w)))
        return false; /* of no dimension of this call */
    const bool whole =
        edit->other.by == LB_BY_ORDER || edit->op == LB_EDIT_INVERTED || edit->op == LB_EDIT_CAPPED;
    const unsigned dimensions = !(edit->reach & LB_REACH_ALL) || whole ? 1
                                : is_list(own.field)                   ? rank_of(&w)
                                                                       : 2;
    for (unsigned by = 0; by < dimensions; by++) {
        change_at(&w, own, (int)by, false);
        if (edit->reach & LB_REACH_ENDS)
            change_at(&w, own, (int)by, true);
    }
    return memcmp(&w.given, config, sizeof *config) != 0;
}

/* ---- In words ---- */

const char *lb_edit_leaf_label(const lb_kernel *kernel, lb_leaf leaf, lb_arena *arena)
{
    const lb_config_field *f = lb_leaf_field(kernel, leaf);
    if (f)
        return is_list(f) ? lb_arena_printf(arena, "%s[%d]", f->name, leaf.dim) : f->name;
    if (leaf.kind == LB_LEAF_DERIVED)
        return lb_map_of(kernel)->derived[leaf.at].label;
    if (leaf.kind == LB_LEAF_EXTENT)
        return lb_arena_printf(arena, "extent %d of %s", leaf.dim,
                               lb_role_name((lb_role)leaf.role));
    return leaf.kind == LB_LEAF_NUMBER ? lb_arena_printf(arena, "%d", leaf.at) : "another number";
}

const char *lb_edit_list_label(const lb_kernel *kernel, lb_leaf leaf)
{
    return lb_leaf_field(kernel, leaf)->name;
}

bool lb_edit_may_be_early(const lb_edit *edit)
{
    const lb_config_field *f = lb_leaf_field(edit->kernel, edit->leaf);
    return edit->in == LB_EDIT_IN_CALL && edit->op != LB_EDIT_PLUS && !is_list(f) &&
           !(edit->reach & LB_REACH_ADDRESSES) && (f->dimension >= 0 || is_of_sorts(f));
}
