/* Edits as faults: a kind for each operator. See edit.h. */
#include "harness/faults/places.h"

typedef struct places_of {
    const lb_fault_kind *kind;
    lb_fault_sink sink;
    void *user;
} places_of;

static void put(void *user, const lb_edit *edit)
{
    const places_of *p = user;
    if (edit->op == p->kind->edit)
        p->sink(p->user, &(lb_fault){.kind = p->kind, .edit = *edit});
}

static LB_PLACES(edits)
{
    places_of p = {kind, sink, user};
    if (scope->kernel->exact)
        lb_edit_each(scope->kernel, put, &p);
}

static LB_DESCRIBES(tell_edit)
{
    return lb_edit_place(&fault->edit, arena);
}

#define EDIT(name_, op)                                                                            \
    {                                                                                              \
        .name = name_, .group = LB_FAULTS_READING, .edit = LB_EDIT_##op, .words = "",              \
        .look_for = "", .sections = "", .places = edits, .describe = tell_edit, .run = lb_edit_run \
    }

/* clang-format off */
const lb_fault_kind lb_fault_edit_kinds[] = {
    EDIT("reading.sibling", SIBLING),
    EDIT("reading.exchanged", EXCHANGED),
    EDIT("reading.neutral", NEUTRAL),
    EDIT("reading.off_by", OFF_BY),
    EDIT("reading.times", TIMES),
    EDIT("reading.half", HALF),
    EDIT("reading.plus", PLUS),
    EDIT("reading.complement", COMPLEMENT),
    EDIT("reading.sign", SIGN),
    EDIT("reading.inverted", INVERTED),
    EDIT("reading.dropped", DROPPED),
    EDIT("reading.mirrored_blocks", MIRRORED),
    EDIT("reading.clamped", CLAMPED),
    EDIT("reading.dense_part", DENSE),
    EDIT("reading.unbounded", READS_ON),
    EDIT("reading.cut", CUT),
    EDIT("reading.counted", COUNTED),
    EDIT("reading.lost", LOST),
    EDIT("choice.as", CHOICE),
    EDIT("choice.swapped", CHOICES),
    EDIT("choice.fixed", NUMBER),
    EDIT("reading.capped", CAPPED),
    {.name = NULL},
};
/* clang-format on */
