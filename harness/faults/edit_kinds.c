/* Edits as faults: a kind for each operator. See edit.h. */
#include "harness/faults/edit_run.h"
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
        .name = "reading." name_, .group = LB_FAULTS_READING, .edit = LB_EDIT_##op, .words = "",   \
        .look_for = "", .sections = "", .places = edits, .describe = tell_edit, .run = lb_edit_run \
    }

const lb_fault_kind lb_fault_edit_kinds[] = {
    EDIT("sibling", SIBLING),
    EDIT("exchanged", EXCHANGED),
    EDIT("neutral", NEUTRAL),
    EDIT("off_by", OFF_BY),
    EDIT("times", TIMES),
    EDIT("half", HALF),
    EDIT("complement", COMPLEMENT),
    EDIT("sign", SIGN),
    EDIT("inverted", INVERTED),
    EDIT("dropped", DROPPED),
    EDIT("mirrored_blocks", MIRRORED),
    EDIT("clamped", CLAMPED),
    {.name = NULL},
};
