/* Faults of recurrent functions: lists of tensors, entries of gates, frames, and the last units of
 * a vector on the way. */
#include "harness/faults/places.h"
#include "harness/faults/step_run.h"
#include "harness/faults/views.h"
#include "reference/describe/program.h"

#include <string.h>

/* ---- Lists of tensors ---- */

/* What one tensor of a list takes of another, by the argument. */
enum { THE_DATA, THE_WHOLE };

/* Do all elements of t lie in so many bytes? */
static bool lies_within(const lb_tensor *t, size_t bytes)
{
    uint64_t last = 0;
    for (uint32_t d = 0; d < t->rank; d++)
        last += (uint64_t)(t->shape[d] - 1) * (uint32_t)t->mem_stride[d];
    return (last + 1) * lb_storage_bytes(t->el_type) <= bytes;
}

/* Bytes from the tensor's first on, to the end of all memory: behind it stands the next one. */
static size_t bytes_from(const lb_fault_view *view, const lb_tensor *t)
{
    const lb_instance *out = view->run->out;
    const unsigned char *end = (const unsigned char *)out->block + out->memory->block_bytes;
    return lb_view_available(view, t) > 0 ? (size_t)(end - (unsigned char *)t->data.mem.ptr) : 0;
}

/* The memory of the other one, and what stands behind it. */
static bool take_memory(lb_fault_view *view, int role, unsigned i, const lb_tensor *other)
{
    size_t bytes = bytes_from(view, other);
    unsigned char *own = lb_view_own_memory(view, role, i, bytes);
    if (!own || bytes == 0)
        return false;
    memcpy(own, other->data.mem.ptr, bytes);
    return true;
}

/* In place of tensor `i` tensor `from`. */
static bool take_tensor(lb_fault_view *view, unsigned i, unsigned from)
{
    const lb_fault *fault = view->run->fault;
    int role = fault->role;
    lb_tensor *t = lb_view_tensor(view, role, i);
    const lb_tensor *other = view->call->tensor[role] + from;
    size_t bytes = bytes_from(view, other);
    bool changed = take_memory(view, role, i, other);
    if (fault->argument == THE_WHOLE) {
        t->frac_bits = other->frac_bits;
        t->sa = other->sa;
        memcpy(t->mem_stride, other->mem_stride, sizeof t->mem_stride);
    }
    return changed && lies_within(t, bytes);
}

/* dim: the tensor, or EACH; other_dim: which it takes. */
enum { EACH = LB_DENSE_TERMS };

static bool list_other(lb_fault_view *view)
{
    const lb_fault *fault = view->run->fault;
    const unsigned from = (unsigned)fault->other_dim, count = view->call->config.inputs_num;
    bool changed = false;
    for (unsigned i = 0; i < count && from < count; i++)
        if (i != from && (fault->dim == EACH || (unsigned)fault->dim == i))
            changed |= take_tensor(view, i, from);
    return changed;
}

LB_OWN_PLACES(list_pairs,
              lb_pattern_of(kernel) == LB_PATTERN_DENSE_LISTS && at->dim != at->other_dim &&
                  (at->dim != EACH || at->other_dim == 0) &&
                  (at->role == LB_ROLE_IN || at->role == LB_ROLE_WEIGHTS),
              .role = LB_ANY_ROLE, .dim = {0, EACH}, .to = {0, LB_DENSE_TERMS - 1},
              .most = THE_WHOLE)

/* ---- The last units of a vector ---- */

/* The vector that a part of the computation writes: a row of scratch by number, or one of these. */
enum { THE_CELL = 10, THE_OUT, NO_VECTOR = -1 };

static int place_of(const lb_program *program, int vector)
{
    const lb_program_vector *v = &program->vector[vector];
    return v->place == LB_PLACE_CELL ? THE_CELL : v->place == LB_PLACE_ROW ? THE_OUT : v->item;
}

static int vector_of(const lb_kernel *kernel, const lb_num_step *step)
{
    const lb_program *program = lb_program_of(kernel);
    const lb_program_step *writes = lb_program_step_of(program, step->part);
    for (unsigned g = 0; step->part == LB_PART_RESULT && g < program->gates; g++)
        if (lb_program_maker(program, (int)g)->block == step->block)
            return place_of(program, (int)g);
    return writes ? place_of(program, writes->out) : NO_VECTOR;
}

/* What stands there before the step writes it. */
static int64_t stands_there(const lb_fault_run *run, const lb_num_step *step, uint32_t unit)
{
    const lb_call *call = &run->out->call;
    const lb_tensor *out = call->tensor[LB_ROLE_OUT];
    int vector = vector_of(call->kernel, step);
    uint32_t units = run->before->call.tensor[LB_ROLE_PREV_OUT]->shape[0];
    bool all = call->config.results == 1;
    if (vector == THE_CELL)
        return lb_load(call->tensor[LB_ROLE_CELL], unit);
    if (vector == THE_OUT)
        return lb_load(out, (all ? (size_t)step->frame * units : 0) + unit);
    lb_tensor rows = {.el_type = out->el_type, .rank = 1, .shape = {1}, .mem_stride = {1}};
    rows.data.mem.ptr = call->config.scratch;
    return vector < 0 ? step->result : lb_load(&rows, (size_t)vector * units + unit);
}

/* Units come one after the other, in every vector all of them. `at` of a kind: an lb_lost. */
static int64_t tail_stays(const lb_fault_run *run, const lb_num_step *step)
{
    const lb_tensor *state = run->before->call.tensor[LB_ROLE_PREV_OUT];
    uint32_t units = state && state->rank == 1 ? state->shape[0] : 0;
    uint32_t block = (uint32_t)run->fault->argument;
    if (units == 0)
        return step->result;
    uint32_t unit = (uint32_t)((*run->carry)++ % units);
    bool is_lost = lb_is_lost((lb_lost)run->fault->kind->does.at, unit, units, block, 1);
    return is_lost ? stands_there(run, step, unit) : step->result;
}

/* The last step of a result on the way. */
static bool ends_vector(const lb_kernel *kernel, const lb_num_step *site)
{
    bool limits = site->operation == LB_STEP_SAT || site->operation == LB_STEP_WRAP;
    return limits && site->width == lb_container_bits(kernel->in_type) &&
           vector_of(kernel, site) != NO_VECTOR;
}

static LB_PLACES(vectors)
{
    static const int blocks[] = {2, 4, 8};
    for (size_t i = 0; lb_is_recurrent(scope->kernel) && i < scope->site_count; i++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
            lb_fault fault = {.kind = kind, .site = &scope->sites[i], .argument = blocks[b]};
            bool met = !ends_vector(scope->kernel, fault.site);
            if (!met)
                sink(user, &fault);
            fault.all_blocks = true;
            for (size_t k = 0; !met && k < i; k++)
                met = lb_fault_sits_in(&fault, &scope->sites[k]);
            if (!met && fault.site->block)
                sink(user, &fault);
        }
}

/* ---- The table ---- */

#define TAIL(name_, words_, lost)                                                                  \
    {                                                                                              \
        .name = name_, .group = LB_FAULTS_STEP, .words = words_,                                   \
        .look_for = "loops over several units at once", .sections = "recurrent.md 6 to 8",         \
        .prior = 5, .operations = 1u << LB_STEP_SAT | 1u << LB_STEP_WRAP, .places = vectors,       \
        .run = lb_fault_step_run, .alter = tail_stays, .does.at = lost                             \
    }

/* clang-format off */
const lb_fault_kind lb_fault_recurrent_kinds[] = {
    {LB_CHANGE_OF_CALL("list.of_other", "reads one tensor of a list for another", "indices in loops over inputs, pairs written out one by one", "recurrent.md 5", 4, list_pairs, "{role}[{dim=0|1|2|3|each}] from {role}[{to}]{n=|, format and all}", list_other)},
    TAIL("tail.left_out", "leaves out the last units of a vector, beyond the last whole {n}", LB_LOST_REST),
    TAIL("tail.left_out_of_longer", "leaves out the last units beyond the last whole {n}, of vectors that have as many", LB_LOST_TAIL),
    {.name = NULL},
};
/* clang-format on */
