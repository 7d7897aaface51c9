/* Edits: all of a function, and in words. See edit.h. */
#include "harness/faults/faults.h"

#include "reference/describe/signature.h"

#include <string.h>

bool lb_edit_equal(const lb_edit *a, const lb_edit *b)
{
    return a->op == b->op && a->in == b->in && a->reach == b->reach && a->access == b->access &&
           a->index == b->index && a->term == b->term && a->n == b->n &&
           lb_leaf_is(a->leaf, b->leaf) && lb_leaf_is(a->other, b->other);
}

void lb_edit_each(const lb_kernel *kernel, lb_edit_sink sink, void *user)
{
    lb_edit_each_number(kernel, sink, user);
    lb_edit_each_place(kernel, sink, user);
}

/* ---- In words ---- */

/* "stride_height", "in.channel, group". */
static const char *edited(const lb_edit *e, lb_arena *arena)
{
    const lb_map *map = lb_map_of(e->kernel);
    if (e->op == LB_EDIT_CAPPED && (e->reach & LB_REACH_ALL))
        return lb_arena_printf(arena, "entry %d of every argument", e->leaf.dim);
    if (e->in == LB_EDIT_IN_CALL)
        return e->reach & LB_REACH_ALL ? lb_edit_list_label(e->kernel, e->leaf)
                                       : lb_edit_leaf_label(e->kernel, e->leaf, arena);
    if (e->in == LB_EDIT_IN_LOOP)
        return map->loop[e->index].label;
    const lb_access *access = &map->access[e->access];
    const char *role = lb_role_name((lb_role)access->role);
    const lb_index *index = &access->index[e->index];
    if (e->in == LB_EDIT_IN_TERM)
        return lb_arena_printf(arena, "%s.%s, %s", role, index->label,
                               map->loop[index->term[e->term].loop].label);
    return lb_arena_printf(arena, "%s.%s", role, index->label);
}

static const char *taken(const lb_edit *e, lb_arena *arena)
{
    if (e->other.by == LB_BY_ORDER)
        return "perm_dim";
    return e->reach & LB_REACH_ALL && e->other.kind == LB_LEAF_CONFIG
               ? lb_edit_list_label(e->kernel, e->other)
               : lb_edit_leaf_label(e->kernel, e->other, arena);
}

/* "relu6", "-1". */
static const char *value(const lb_edit *e, int32_t n, lb_arena *arena)
{
    const lb_config_field *f = lb_leaf_field(e->kernel, e->leaf);
    return f->enum_names ? f->enum_names[n] : lb_arena_printf(arena, "%d", (int)n);
}

static const char *word_of(const void *of, const char *word, int32_t *n, lb_arena *arena)
{
    const lb_edit *e = of;
    const bool is_whole = e->other.by == LB_BY_ORDER || e->op == LB_EDIT_INVERTED;
    if (strcmp(word, "own") == 0)
        return edited(e, arena);
    if (strcmp(word, "value") == 0)
        return value(e, e->n, arena);
    if (strcmp(word, "due") == 0)
        return value(e, e->other.at, arena);
    if (strcmp(word, "other") == 0) {
        *n = e->other.kind != LB_LEAF_NONE;
        return *n ? taken(e, arena) : "";
    }
    *n = strcmp(word, "less") == 0        ? e->n < 0
         : strcmp(word, "size") == 0      ? (e->n < 0 ? -e->n : e->n)
         : strcmp(word, "blocks") == 0    ? (e->reach & LB_REACH_BLOCKS) != 0
         : strcmp(word, "all") == 0       ? (e->reach & LB_REACH_ALL) && !is_whole
         : strcmp(word, "indices") == 0   ? (e->reach & LB_REACH_INDICES) != 0
         : strcmp(word, "lists") == 0     ? (e->reach & LB_REACH_LISTS) != 0
         : strcmp(word, "addresses") == 0 ? (e->reach & LB_REACH_ADDRESSES) != 0
                                          : e->n;
    return NULL;
}

/* How far it goes. */
#define REACH                                                                                      \
    "{all=|, in all directions}{indices=|, in indices alone}"                                      \
    "{lists=|, for lists of parameters alone}{addresses=|, but not in tests of the border}"
#define PLACE "{own}<: {other}>"

typedef struct words {
    uint8_t op, in;
    const char *sentence, *place;
} words;

/* clang-format off */
static const words sentences[] = {
    {LB_EDIT_SIBLING,    LB_EDIT_IN_CALL,  "takes {other} for {own}" REACH, PLACE REACH},
    {LB_EDIT_EXCHANGED,  LB_EDIT_IN_CALL,  "takes {own} and {other} for each other" REACH, PLACE REACH},
    {LB_EDIT_NEUTRAL,    LB_EDIT_IN_CALL,  "ignores {own}< and {other}>" REACH, PLACE REACH},
    {LB_EDIT_OFF_BY,     LB_EDIT_IN_CALL,  "takes {own} {size} too {less=large|small}" REACH, PLACE ": {+n}" REACH},
    {LB_EDIT_TIMES,      LB_EDIT_IN_CALL,  "multiplies {own} by {other}" REACH, PLACE REACH},
    {LB_EDIT_HALF,       LB_EDIT_IN_CALL,  "takes half of {own} and {other} together for {own}" REACH, PLACE REACH},
    {LB_EDIT_COMPLEMENT, LB_EDIT_IN_CALL,  "takes {other} less 1 and {own} for {own}" REACH, PLACE REACH},
    {LB_EDIT_SIGN,       LB_EDIT_IN_CALL,  "adds {own} where it should be subtracted" REACH, PLACE REACH},
    {LB_EDIT_PLUS,       LB_EDIT_IN_CALL,  "applies the limits before {other} is added" REACH, PLACE REACH},
    {LB_EDIT_INVERTED,   LB_EDIT_IN_CALL,  "takes {own} the other way round" REACH, PLACE REACH},
    {LB_EDIT_NUMBER,     LB_EDIT_IN_CALL,  "takes {value} for {own}, whatever it is" REACH, "{own}: {value}"},
    {LB_EDIT_CHOICE,     LB_EDIT_IN_CALL,  "takes {value} for {due}: {own}" REACH, "{own}, {value} for {due}"},
    {LB_EDIT_CHOICES,    LB_EDIT_IN_CALL,  "takes {value} and {due} for each other: {own}" REACH, "{own}, {value} for {due}"},
    {LB_EDIT_CAPPED,     LB_EDIT_IN_CALL,  "takes <no more than {n}>{n=0} for {own}{n= and those behind it}", "{own}<: {n}>"},
    {LB_EDIT_DROPPED,    LB_EDIT_IN_TERM,  "takes the first block for all: {own}", PLACE},
    {LB_EDIT_OFF_BY,     LB_EDIT_IN_TERM,  "takes the {less=next|previous} block: {own}", PLACE ": {+n}"},
    {LB_EDIT_MIRRORED,   LB_EDIT_IN_TERM,  "takes the blocks in reverse order: {own}", PLACE},
    {LB_EDIT_EXCHANGED,  LB_EDIT_IN_TERM,  "{blocks=takes every n-th element for a block|finds the block by a remainder in place of the quotient}: {own}", PLACE},
    {LB_EDIT_NEUTRAL,    LB_EDIT_IN_TERM,  "begins each block one element on: {own}", PLACE},
    {LB_EDIT_SIBLING,    LB_EDIT_IN_TERM,  "begins each block {other} elements on: {own}", PLACE},
    {LB_EDIT_TIMES,      LB_EDIT_IN_TERM,  "multiplies where each block begins by {other}: {own}", PLACE},
    {LB_EDIT_OFF_BY,     LB_EDIT_IN_BOUND, "takes the {less=last|first} {own} for padding", PLACE ": {+n}"},
    {LB_EDIT_READS_ON,   LB_EDIT_IN_BOUND, "reads on behind the end, where padding should be: {own}", PLACE},
    {LB_EDIT_SIBLING,    LB_EDIT_IN_BOUND, "takes {other} for the end of {own}", PLACE},
    {LB_EDIT_DENSE,      LB_EDIT_IN_INDEX, "counts as if the input had no gaps: {own}, {n=where windows begin|within windows}", "{own}, {n=where windows begin|within windows}"},
    {LB_EDIT_COUNTED,    LB_EDIT_IN_BOUND, "counts padding {n=|before|behind|at both ends} in the divisor: {own}" REACH, PLACE ", {n=|before|behind|both}" REACH},
    {LB_EDIT_LOST,       LB_EDIT_IN_LOOP,  "<leaves what lies beyond whole blocks of {n}>{n=leaves the last one|} out of each sum: {own}", "{own}<, {n}>"},
    {LB_EDIT_CUT,        LB_EDIT_IN_INDEX, "loses taps of windows that {n=|begin before|go on behind||||go on behind} the input: counts them by {other}{n=||||||, rounded down}: {own}", PLACE ", {n=|before|behind|||| behind, rounded down}"},
    {LB_EDIT_CLAMPED,    LB_EDIT_IN_INDEX, "{n=moves windows that begin in padding to the input's edge, and does not cut them|takes weights from the first one on where a window begins in padding}: {own}" REACH, PLACE REACH "{n=|, weights from the first one on}"},
};
static const words otherwise = {0, 0, "takes another number for {own}" REACH, PLACE REACH};
static const words through_order = {0, 0, "takes {own} in the dimensions of the other tensor" REACH, PLACE REACH};
/* clang-format on */

static const words *words_for(const lb_edit *e)
{
    enum { COUNT = sizeof sentences / sizeof *sentences };
    if (e->other.by == LB_BY_ORDER)
        return &through_order;
    for (size_t i = 0; i < COUNT; i++)
        if (sentences[i].op == e->op && sentences[i].in == e->in)
            return &sentences[i];
    return &otherwise;
}

const char *lb_edit_place(const lb_edit *e, lb_arena *arena)
{
    return lb_text_by(words_for(e)->place, word_of, e, arena);
}

const char *lb_edit_sentence(const lb_edit *e, lb_arena *arena)
{
    return lb_text_by(words_for(e)->sentence, word_of, e, arena);
}
