/* Edits: all of a function, and in words. See edit.h. */
#include "harness/faults/edit.h"

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

/* How far it goes. */
static const char *reach_words(const lb_edit *e, lb_arena *arena)
{
    const bool is_whole = e->other.by == LB_BY_ORDER || e->op == LB_EDIT_INVERTED;
    return lb_arena_printf(arena, "%s%s%s",
                           (e->reach & LB_REACH_ALL) && !is_whole && e->op != LB_EDIT_CAPPED
                               ? ", in all directions"
                               : "",
                           e->reach & LB_REACH_INDICES ? ", in indices alone" : "",
                           e->reach & LB_REACH_LISTS ? ", for lists of parameters alone" : "");
}

/* "relu6", "-1". */
static const char *value(const lb_edit *e, int32_t n, lb_arena *arena)
{
    const lb_config_field *f = lb_leaf_field(e->kernel, e->leaf);
    return f->enum_names ? f->enum_names[n] : lb_arena_printf(arena, "%d", (int)n);
}

static bool is_choice(const lb_edit *e)
{
    return e->op == LB_EDIT_CHOICE || e->op == LB_EDIT_CHOICES;
}

static const char *part(const lb_edit *e)
{
    return e->n == 0 ? "where windows begin" : "within windows";
}

const char *lb_edit_place(const lb_edit *e, lb_arena *arena)
{
    if (e->op == LB_EDIT_DENSE)
        return lb_arena_printf(arena, "%s, %s", edited(e, arena), part(e));
    if (is_choice(e))
        return lb_arena_printf(arena, "%s, %s for %s", edited(e, arena), value(e, e->n, arena),
                               value(e, e->other.at, arena));
    if (e->op == LB_EDIT_NUMBER || (e->op == LB_EDIT_CAPPED && e->n > 0))
        return lb_arena_printf(arena, "%s: %s", edited(e, arena), value(e, e->n, arena));
    const bool has_other = e->other.kind != LB_LEAF_NONE;
    const char *number = e->op == LB_EDIT_OFF_BY ? lb_arena_printf(arena, ": %+d", (int)e->n) : "";
    return lb_arena_printf(arena, "%s%s%s%s%s", edited(e, arena), has_other ? ": " : "",
                           has_other ? taken(e, arena) : "", number, reach_words(e, arena));
}

static const char *sentence_of_bound(const lb_edit *e, lb_arena *arena)
{
    const char *place = edited(e, arena);
    if (e->op == LB_EDIT_CLAMPED)
        return lb_arena_printf(
            arena,
            "moves windows that begin in padding to the input's edge, and does not cut them: %s",
            place);
    if (e->op == LB_EDIT_DENSE)
        return lb_arena_printf(arena, "counts as if the input had no gaps: %s, %s", place, part(e));
    if (e->op == LB_EDIT_READS_ON)
        return lb_arena_printf(arena, "reads on behind the end, where padding should be: %s",
                               place);
    if (e->op == LB_EDIT_SIBLING)
        return lb_arena_printf(arena, "takes %s for the end of %s", taken(e, arena), place);
    return lb_arena_printf(arena, "takes the %s %s for padding", e->n < 0 ? "first" : "last",
                           place);
}

static const char *sentence_of_term(const lb_edit *e, lb_arena *arena)
{
    const char *place = edited(e, arena);
    switch ((lb_edit_op)e->op) {
    case LB_EDIT_DROPPED:
        return lb_arena_printf(arena, "takes the first block for all: %s", place);
    case LB_EDIT_OFF_BY:
        return lb_arena_printf(arena, "takes the %s block: %s", e->n < 0 ? "previous" : "next",
                               place);
    case LB_EDIT_MIRRORED:
        return lb_arena_printf(arena, "takes the blocks in reverse order: %s", place);
    case LB_EDIT_EXCHANGED:
        return lb_arena_printf(arena,
                               e->reach & LB_REACH_BLOCKS
                                   ? "finds the block by a remainder in place of the quotient: %s"
                                   : "takes every n-th element for a block: %s",
                               place);
    case LB_EDIT_NEUTRAL:
        return lb_arena_printf(arena, "begins each block one element on: %s", place);
    case LB_EDIT_TIMES:
        return lb_arena_printf(arena, "multiplies where each block begins by %s: %s",
                               taken(e, arena), place);
    default:
        return lb_arena_printf(arena, "begins each block %s elements on: %s", taken(e, arena),
                               place);
    }
}

static const char *sentence_of_number(const lb_edit *e, lb_arena *arena)
{
    const char *own = edited(e, arena);
    const char *other = e->other.kind != LB_LEAF_NONE ? taken(e, arena) : "";
    if (e->other.by == LB_BY_ORDER)
        return lb_arena_printf(arena, "takes %s in the dimensions of the other tensor", own);
    switch ((lb_edit_op)e->op) {
    case LB_EDIT_SIBLING:
        return lb_arena_printf(arena, "takes %s for %s", other, own);
    case LB_EDIT_EXCHANGED:
        return lb_arena_printf(arena, "takes %s and %s for each other", own, other);
    case LB_EDIT_NEUTRAL:
        return lb_arena_printf(arena, "ignores %s%s%s", own, *other ? " and " : "", other);
    case LB_EDIT_OFF_BY:
        return lb_arena_printf(arena, "takes %s %d too %s", own, e->n < 0 ? -(int)e->n : (int)e->n,
                               e->n < 0 ? "small" : "large");
    case LB_EDIT_TIMES:
        return lb_arena_printf(arena, "multiplies %s by %s", own, other);
    case LB_EDIT_PLUS:
        return lb_arena_printf(arena, "applies the limits before %s is added", other);
    case LB_EDIT_HALF:
        return lb_arena_printf(arena, "takes half of %s and %s together for %s", own, other, own);
    case LB_EDIT_COMPLEMENT:
        return lb_arena_printf(arena, "takes %s less 1 and %s for %s", other, own, own);
    case LB_EDIT_SIGN:
        return lb_arena_printf(arena, "adds %s where it should be subtracted", own);
    case LB_EDIT_NUMBER:
        return lb_arena_printf(arena, "takes %s for %s, whatever it is", value(e, e->n, arena),
                               own);
    case LB_EDIT_CHOICE:
        return lb_arena_printf(arena, "takes %s for %s: %s", value(e, e->n, arena),
                               value(e, e->other.at, arena), own);
    case LB_EDIT_CHOICES:
        return lb_arena_printf(arena, "takes %s and %s for each other: %s", value(e, e->n, arena),
                               value(e, e->other.at, arena), own);
    case LB_EDIT_CAPPED:
        return e->n > 0 ? lb_arena_printf(arena, "takes no more than %d for %s", (int)e->n, own)
                        : lb_arena_printf(arena, "takes 0 for %s and those behind it", own);
    default:
        return lb_arena_printf(arena, "takes %s the other way round", own);
    }
}

const char *lb_edit_sentence(const lb_edit *e, lb_arena *arena)
{
    const char *words = e->in == LB_EDIT_IN_CALL   ? sentence_of_number(e, arena)
                        : e->in == LB_EDIT_IN_TERM ? sentence_of_term(e, arena)
                                                   : sentence_of_bound(e, arena);
    return lb_arena_printf(arena, "%s%s", words, reach_words(e, arena));
}
