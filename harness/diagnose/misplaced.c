/* Right results in wrong places: see misplaced.h. */
#include "harness/diagnose/misplaced.h"
#include "harness/base/xalloc.h"
#include "harness/trial/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One output of one result. */
typedef struct output {
    const lb_left *left;
    const unsigned char *before, *right;
    lb_layout layout;
    size_t start, end; /* of its buffer, in the block */
    size_t count;
    size_t *stale; /* the elements that were not written */
    size_t stale_count;
    int32_t *values; /* of its right elements, in order, each once */
    size_t value_count;
    double value_bits;           /* what it says that a place holds one of them */
    bool *is_element;            /* of each place of an element's size */
    uint32_t first[LB_MAX_RANK]; /* the least index of elements that were not written */
} output;

static int by_value(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

static int32_t value_at(const output *o, const unsigned char *block, size_t at)
{
    return lb_read_container(block + at, o->layout.element_bytes);
}

static bool is_a_result(const output *o, int32_t value)
{
    return bsearch(&value, o->values, o->value_count, sizeof value, by_value) != NULL;
}

static void list_values(output *o)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->count; i++)
        o->values[i] = value_at(o, o->right, o->start + lb_layout_offset(&o->layout, i));
    qsort(o->values, o->count, sizeof *o->values, by_value);
    for (size_t i = 0; i < o->count; i++)
        if (i == 0 || o->values[i] != o->values[kept - 1])
            o->values[kept++] = o->values[i];
    o->value_count = kept;
    o->value_bits = 8.0 * o->layout.element_bytes - log2((double)kept);
}

static bool is_stale(const output *o, size_t flat)
{
    const size_t at = o->start + lb_layout_offset(&o->layout, flat),
                 bytes = o->layout.element_bytes;
    return at + bytes <= o->end && memcmp(o->left->block + at, o->right + at, bytes) != 0 &&
           memcmp(o->left->block + at, o->before + at, bytes) == 0;
}

static uint32_t index_in(const lb_layout *layout, size_t flat, unsigned d)
{
    for (unsigned k = layout->rank - 1; k > d; k--)
        flat /= layout->shape[k];
    return (uint32_t)(flat % layout->shape[d]);
}

static void list_stale(output *o)
{
    memcpy(o->first, o->layout.shape, sizeof o->first);
    for (size_t i = 0; i < o->count; i++) {
        if (!is_stale(o, i))
            continue;
        o->stale[o->stale_count++] = i;
        for (unsigned d = 0; d < o->layout.rank; d++) {
            const uint32_t index = index_in(&o->layout, i, d);
            o->first[d] = index < o->first[d] ? index : o->first[d];
        }
    }
}

/* False: it has no memory of its own, or other numbers than integers of whole bytes. */
static bool open_output(output *o, const lb_fault_bench *bench, const lb_left *left, int role,
                        lb_arena *arena)
{
    const lb_call_memory *memory = &bench->memory;
    const lb_case_operand *operand = &memory->test_case->operand[role];
    lb_left_output of;
    if (!lb_left_output_of(memory, role, &of) || operand->is_list ||
        operand->tensors[0].has_data_in || operand->tensors[0].type == LB_FP32 ||
        of.layout.element_bytes > sizeof(int32_t))
        return false;
    *o = (output){.left = left,
                  .before = bench->before.block,
                  .right = bench->right.block,
                  .layout = of.layout,
                  .start = of.start,
                  .end = of.start + of.bytes,
                  .count = of.count};
    const size_t places = of.bytes / o->layout.element_bytes;
    o->stale = lb_arena_array(arena, o->count + 1, sizeof *o->stale);
    o->values = lb_arena_array(arena, o->count + 1, sizeof *o->values);
    o->is_element = lb_arena_array(arena, places + 1, sizeof *o->is_element);
    for (size_t i = 0; i < o->count; i++)
        if (lb_layout_offset(&o->layout, i) / o->layout.element_bytes < places)
            o->is_element[lb_layout_offset(&o->layout, i) / o->layout.element_bytes] = true;
    list_values(o);
    list_stale(o);
    return o->count > 1;
}

/* ---- Steps ---- */

/* The step in elements, as a kernel would take it; 0 with LB_BY_NOTHING alone. False: the call has
 * no such step, or it is the right one. */
static bool step_of(const output *o, const lb_case *c, unsigned d, lb_wrong_step which,
                    int64_t *step)
{
    const lb_layout *l = &o->layout;
    const lb_case_operand *in = &c->operand[LB_ROLE_IN];
    switch (which) {
    case LB_BY_DENSE:
        *step = d + 1 < l->rank ? (int64_t)l->shape[d + 1] * l->stride[d + 1] : 1;
        break;
    case LB_BY_NOTHING:
        *step = 0;
        break;
    case LB_BY_INPUT:
        if (!in->present || in->is_list || lb_layout_of(&in->tensors[0]).rank != l->rank)
            return false;
        *step = lb_layout_of(&in->tensors[0]).stride[d];
        break;
    case LB_BY_OTHER:
        if (l->rank < 2)
            return false;
        *step = l->stride[d > 0 ? d - 1 : 1];
        break;
    case LB_WRONG_STEPS:
        return false;
    }
    return l->shape[d] > 1 && *step != l->stride[d];
}

/* Does the element's value stand where the dimension's other step has it, from an index on that is
 * in its place? */
static bool stands_at(const output *o, size_t flat, unsigned d, int64_t step, uint32_t from)
{
    const size_t own = lb_layout_offset(&o->layout, flat);
    const int64_t index = (int64_t)index_in(&o->layout, flat, d) - from,
                  bytes = (int64_t)o->layout.element_bytes,
                  to = (int64_t)own + index * (step - o->layout.stride[d]) * bytes;
    if (to < 0 || to + bytes > (int64_t)(o->end - o->start) || to == (int64_t)own)
        return false;
    const size_t at = o->start + (size_t)to;
    return value_at(o, o->left->block, at) == value_at(o, o->right, o->start + own) &&
           value_at(o, o->right, at) != value_at(o, o->left->block, at);
}

/* How many elements that are not written do. */
static uint64_t count_at(const output *o, unsigned d, int64_t step, uint32_t from)
{
    uint64_t count = 0;
    for (size_t i = 0; i < o->stale_count; i++)
        count += stands_at(o, o->stale[i], d, step, from);
    return count;
}

/* Steps begin with the first index, or where a row has its border behind it. */
static void look_at_steps(lb_misplaced *m, const output *o, const lb_case *c)
{
    enum { MOST_BEFORE = 4 };
    for (unsigned d = 0; d < o->layout.rank; d++)
        for (int which = 0; which < LB_WRONG_STEPS; which++) {
            int64_t step;
            uint64_t most = 0;
            if (!step_of(o, c, d, (lb_wrong_step)which, &step))
                continue;
            for (uint32_t from = 0; from < o->first[d] || from == 0; from++) {
                uint64_t count = from < MOST_BEFORE ? count_at(o, d, step, from) : 0;
                most = count > most ? count : most;
            }
            m->by_step[d][which] += most;
        }
}

/* ---- Results ---- */

static void look_at_place(lb_misplaced *m, const output *o, size_t at, bool in_gap)
{
    if (is_a_result(o, value_at(o, o->left->block, at))) {
        m->moved++;
        m->in_gaps += in_gap;
        m->bits += o->value_bits;
    } else {
        m->others++;
    }
}

static void look_at_output(lb_misplaced *m, const output *o, const lb_case *c)
{
    const size_t bytes = o->layout.element_bytes;
    look_at_steps(m, o, c);
    m->stale += o->stale_count;
    for (size_t i = 0; i < o->count; i++) {
        const size_t at = o->start + lb_layout_offset(&o->layout, i);
        if (!is_stale(o, i) && at + bytes <= o->end &&
            memcmp(o->left->block + at, o->right + at, bytes) != 0)
            look_at_place(m, o, at, false);
    }
    for (size_t n = 0; o->start + (n + 1) * bytes <= o->end; n++) {
        const size_t at = o->start + n * bytes;
        if (!o->is_element[n] && memcmp(o->left->block + at, o->right + at, bytes) != 0)
            look_at_place(m, o, at, true);
    }
}

void lb_misplaced_look(lb_misplaced *m, const lb_fault_bench *bench, const lb_left *left)
{
    lb_arena arena = {0};
    output o;
    if (left->block_bytes != bench->memory.block_bytes || left->status != bench->right.call.status)
        return;
    m->results++;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (open_output(&o, bench, left, role, &arena))
            look_at_output(m, &o, bench->memory.test_case);
    lb_arena_free(&arena);
}

/* ---- Words ---- */

static const char *step_words(unsigned dim, lb_wrong_step step, lb_arena *arena)
{
    static const char *const how[LB_WRONG_STEPS] = {
        [LB_BY_DENSE] = "as if what lies inside it had no gap",
        [LB_BY_NOTHING] = "which does not go on",
        [LB_BY_INPUT] = "in steps of the input",
        [LB_BY_OTHER] = "in steps of another dimension",
    };
    return lb_arena_printf(arena, ": along dimension %u, %s", dim, how[step]);
}

const char *lb_misplaced_words(const lb_misplaced *m, int *dim, lb_wrong_step *step,
                               lb_arena *arena)
{
    enum { LEAST = 3, ONE_OF_OTHERS = 10, ONE_OF_WRONG = 8 };
    /* Certain enough for a name, by chance one in a thousand diagnoses or fewer. */
    static const double LEAST_BITS = 10;
    uint64_t most = 0;
    *dim = -1;
    *step = LB_BY_DENSE;
    if (m->stale < LEAST || m->moved < LEAST || m->bits < LEAST_BITS ||
        m->others * ONE_OF_OTHERS > m->moved || m->stale * ONE_OF_WRONG < m->moved)
        return NULL;
    for (unsigned d = 0; d < LB_MAX_RANK; d++)
        for (int which = 0; which < LB_WRONG_STEPS; which++)
            if (m->by_step[d][which] > most) {
                most = m->by_step[d][which];
                *dim = (int)d;
                *step = (lb_wrong_step)which;
            }
    /* Places are written twice where steps are too small: what stood there is seen no more. */
    if (most * 2 < m->stale)
        *dim = -1;
    return lb_arena_printf(arena, "writes results to other places than their own%s",
                           *dim < 0 ? "" : step_words((unsigned)*dim, *step, arena));
}
