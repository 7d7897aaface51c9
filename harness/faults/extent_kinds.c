/* Work that is left out: the right result, in which a class of elements is as lost work leaves it.
 * Sums that lose taps are faults of steps. */
#include "harness/faults/views.h"
#include "harness/faults/writing_fields.h"
#include "reference/describe/map.h"

#include <string.h>

/* What stands where nothing right has been written: `how` of a kind. */
typedef enum leftover {
    LEFT_AS_GIVEN, /* what was there before the call */
    LEFT_ZERO,
    LEFT_REPEATED, /* the element before it, in row-major order */
    LEFT_COPIED    /* the input's element at this place, as it is */
} leftover;

/* Which elements are lost: `at` of a kind, an lb_lost or: */
typedef enum lost_of_call {
    LOST_CORNER = LB_LOST_COUNT, /* where the last row and the last column meet */
    LOST_POSITIVE                /* where the input is, of functions with a branch for that */
} lost_of_call;
/* `operand` of a kind: by what it is counted. Rows of a feature map hold their columns' channels.
 */
enum { BY_INDEX, BY_GROUP, BY_NUMBER_IN_ROW, BY_NUMBER };

static void spoil(const lb_write_memory *w, size_t flat, size_t at, leftover how)
{
    unsigned char *place = w->start + at * w->bytes;
    if (how == LEFT_AS_GIVEN)
        memcpy(place, w->given + at * w->bytes, w->bytes);
    else if (how == LEFT_ZERO || flat == 0)
        memset(place, 0, w->bytes);
    else
        memcpy(place, w->right + lb_offset_of_flat(w->t, flat - 1) * w->bytes, w->bytes);
}

/* The input of an elementwise function: as many elements, of the same size. */
static const lb_tensor *input_like(const lb_fault_run *run, const lb_tensor *t)
{
    const lb_tensor *in = run->right->call.tensor[LB_ROLE_IN];
    bool alike = in && in->rank == t->rank &&
                 lb_storage_bytes(in->el_type) == lb_storage_bytes(t->el_type) &&
                 memcmp(in->shape, t->shape, t->rank * sizeof *in->shape) == 0;
    return alike ? in : NULL;
}

static void copy_input(const lb_write_memory *w, const lb_tensor *in, size_t flat, size_t at)
{
    const lb_fault_run *run = w->run;
    const size_t given = (size_t)((const unsigned char *)in->data.mem.ptr - run->right->block);
    memcpy(w->start + at * w->bytes,
           run->before->block + given + lb_offset_of_flat(in, flat) * w->bytes, w->bytes);
}

static bool is_lost_with_group(const lb_fault_run *run, uint32_t index)
{
    const lb_fault *fault = run->fault;
    const lb_groups groups = lb_groups_in(&run->before->call, fault->dim);
    return groups.size > 0 && lb_is_lost((lb_lost)fault->kind->does.at, index / groups.size,
                                         groups.count, (size_t)fault->argument, 1);
}

static bool is_lost_by_number(const lb_fault_run *run, const lb_tensor *t, size_t flat,
                              size_t count)
{
    const lb_number_edit *does = &run->fault->kind->does;
    const size_t row = does->operand == BY_NUMBER ? count : count / t->shape[0];
    return lb_is_lost((lb_lost)does->at, flat % row, row, (size_t)run->fault->argument,
                      lb_storage_bytes(t->el_type));
}

/* Is the element at `index`, the flat-th of `count`, lost? */
static bool is_lost(const lb_fault_run *run, const lb_tensor *t, const uint32_t *index, size_t flat,
                    size_t count)
{
    const lb_number_edit *does = &run->fault->kind->does;
    const lb_tensor *in = run->before->call.tensor[LB_ROLE_IN];
    const size_t of = (size_t)run->fault->argument, bytes = lb_storage_bytes(t->el_type);
    const uint32_t dim = (uint32_t)run->fault->dim;
    switch ((int)does->at) {
    case LOST_CORNER:
        return t->rank >= 2 && lb_is_lost(LB_LOST_LAST, index[0], t->shape[0], 0, bytes) &&
               lb_is_lost(LB_LOST_LAST, index[1], t->shape[1], 0, bytes);
    case LOST_POSITIVE:
        return in && in->rank > 0 &&
               lb_load(in, lb_offset_of(in, index)) >= lb_quant_at(in, 0).zero_point;
    default:
        break;
    }
    if (does->operand == BY_GROUP)
        return is_lost_with_group(run, index[dim]);
    if (does->operand != BY_INDEX)
        return is_lost_by_number(run, t, flat, count);
    return dim < t->rank && lb_is_lost((lb_lost)does->at, index[dim], t->shape[dim], of, bytes);
}

static bool run_lost(lb_fault_run *run)
{
    const leftover how = (leftover)run->fault->kind->does.how;
    lb_write_memory w;
    if (!lb_write_elements(&w, run))
        return false;
    const lb_tensor *in = how == LEFT_COPIED ? input_like(run, w.t) : NULL;
    size_t changed = 0;
    for (size_t flat = 0; flat < w.count && (in || how != LEFT_COPIED); flat++) {
        uint32_t index[LB_MAX_RANK] = {0};
        lb_unflatten(w.t, flat, index);
        size_t at = lb_offset_of(w.t, index);
        if (at >= w.places || !is_lost(run, w.t, index, flat, w.count))
            continue;
        if (in)
            copy_input(&w, in, flat, at);
        else
            spoil(&w, flat, at, how);
        changed++;
    }
    return changed > 0;
}

/* ---- Places ---- */

/* The elements of two roles take as many bytes, as far as the function says. */
static bool are_as_wide(const lb_kernel *kernel, int a, int b)
{
    uint32_t type_a = lb_type_of_role(kernel, a), type_b = lb_type_of_role(kernel, b);
    return type_a == 0 || type_b == 0 || lb_storage_bytes(type_a) == lb_storage_bytes(type_b);
}

/* Two codes of four bits in a byte, on one side. */
static bool packs(const lb_kernel *kernel)
{
    return (lb_type_of_role(kernel, LB_ROLE_IN) == LB_EL_PACKED4) !=
           (lb_type_of_role(kernel, LB_ROLE_OUT) == LB_EL_PACKED4);
}

static bool places_output(const lb_access *out, int loop)
{
    bool places = false;
    for (unsigned d = 0; d < out->rank; d++)
        places = places || lb_index_follows(&out->index[d], loop);
    return places;
}

/* Loops whose index is none of the output's: sums, windows. */
static bool takes_several(const lb_map *map)
{
    bool takes = false;
    for (int loop = 0; map && loop < map->loops; loop++)
        takes = takes || !places_output(&map->access[LB_MAP_OUT], loop);
    return takes;
}

/* Functions whose output has an element for each of one input, and as wide. */
static bool is_elementwise(const lb_kernel *kernel)
{
    bool two = lb_fault_role_use(kernel, LB_ROLE_IN2) != LB_USE_NONE;
    return lb_reads_data(kernel, LB_ROLE_IN) && lb_writes_data(kernel, LB_ROLE_OUT) && !two &&
           are_as_wide(kernel, LB_ROLE_IN, LB_ROLE_OUT) && !packs(kernel) &&
           !lb_has_weights(kernel) && !takes_several(kernel->map) && !lb_is_pool(kernel) &&
           lb_pattern_of(kernel) != LB_PATTERN_SLICES &&
           lb_pattern_of(kernel) != LB_PATTERN_MOVEMENT &&
           lb_pattern_of(kernel) != LB_PATTERN_ORDER;
}

/* Copies of the input: where the output has such elements. */
static bool may_lie(const lb_kernel *kernel, const lb_fault *at)
{
    return lb_writes_data(kernel, at->role) &&
           (at->kind->does.how != LEFT_COPIED || is_elementwise(kernel));
}

/* The dimension can be longer than this, and than one. */
static bool is_longer(const lb_kernel *kernel, const lb_fault *at)
{
    return may_lie(kernel, at) && lb_longest(kernel, at->role, (unsigned)at->dim) >
                                      (uint32_t)(at->argument > 1 ? at->argument : 1);
}

/* Elements of so many bytes. Those of a whole word are never beyond one. */
static bool may_be(const lb_kernel *kernel, const lb_fault *at, unsigned least, unsigned most)
{
    uint32_t type = lb_type_of_role(kernel, at->role);
    return may_lie(kernel, at) &&
           (type == 0 || (lb_element_bytes(type) >= least && lb_element_bytes(type) <= most));
}

LB_OWN_ROLES(every_dim, LB_EACH_DIM, is_longer(kernel, at), 0)
LB_OWN_ROLES(dim_moduli, LB_EACH_DIM, is_longer(kernel, at), 2, 4, 8, 16, 32)
LB_OWN_ROLES(dim_blocks, LB_EACH_DIM, is_longer(kernel, at), 2, 4, 8)
LB_OWN_ROLES(dim_limits, LB_EACH_DIM, is_longer(kernel, at), 1, 2, 4, 8, 16, 32, 64, 128, 256)
LB_OWN_ROLES(dim_counters, LB_EACH_DIM,
             may_lie(kernel, at) &&
                 lb_longest(kernel, at->role, (unsigned)at->dim) >> at->argument != 0,
             8)
LB_OWN_ROLES(flat_once, LB_NO_DIMS, may_lie(kernel, at), 0)
LB_OWN_ROLES(flat_moduli, LB_NO_DIMS, may_lie(kernel, at), 2, 4, 8, 16, 32)
LB_OWN_ROLES(flat_bytes, LB_NO_DIMS, may_be(kernel, at, 0, (unsigned)at->argument - 1), 2, 4, 8, 16)
LB_OWN_ROLES(flat_wide, LB_NO_DIMS, may_be(kernel, at, 2, UINT32_MAX), 0)
LB_OWN_ROLES(flat_few, LB_NO_DIMS, may_lie(kernel, at), 4, 8, 16)
LB_OWN_ROLES(flat_limits, LB_NO_DIMS, may_lie(kernel, at), 8, 16, 32, 64, 128, 256, 512, 1024,
             65535)

LB_OWN_ROLES(flat_counters, LB_NO_DIMS, may_lie(kernel, at), 8)

static bool is_map(const lb_kernel *kernel, const lb_fault *at)
{
    return (lb_is_conv(kernel) || lb_is_pool(kernel)) && lb_writes_data(kernel, at->role);
}

LB_OWN_ROLES(maps, LB_NO_DIMS, is_map(kernel, at), 0)
LB_OWN_ROLES(long_rows, LB_NO_DIMS, is_map(kernel, at), 1024, 4096)

/* fx results keep the format of the input: a copy is right. */
LB_OWN_ROLES(sloped, LB_NO_DIMS,
             lb_writes_data(kernel, at->role) && lb_is_sa(kernel->in_type) &&
                 lb_fault_role_use(kernel, LB_ROLE_SLOPE) != LB_USE_NONE,
             0)

LB_OWN_ROLES(groups, LB_EACH_DIM, at->role == LB_ROLE_OUT && lb_goes_in_groups(kernel, at->dim), 0)
LB_OWN_ROLES(group_counters, LB_EACH_DIM,
             at->role == LB_ROLE_OUT && lb_goes_in_groups(kernel, at->dim), 8)

/* ---- The table: each class with what may stand there ---- */

#define ALL_SECTIONS "conv.md 6 to 10; recurrent.md 5 to 8; elementwise.md; pooling_and_movement.md"

#define KIND(name_, what, by, left, words_, look_, prior_, places_, place_)                        \
    {                                                                                              \
        LB_KIND_OF_CALL(LB_FAULTS_EXTENT, "extent." name_, words_, look_, ALL_SECTIONS, prior_,    \
                        places_, place_, run_lost),                                                \
            .does = {                                                                              \
                .at = (what),                                                                      \
                .how = LEFT_##left,                                                                \
                .operand = (by)                                                                    \
            }                                                                                      \
    }

#define STALE(name_, what, by, words_, look_, prior_, places_, place_)                             \
    KIND(name_ ".stale", what, by, AS_GIVEN, "leaves " words_ " as memory was before the call",    \
         look_, prior_, places_, place_)
#define ZERO(name_, what, by, words_, look_, prior_, places_, place_)                              \
    KIND(name_ ".zero", what, by, ZERO, "leaves zeros in " words_, look_, (prior_ + 1) / 2,        \
         places_, place_)
#define REPEATED(name_, what, by, words_, look_, prior_, places_, place_)                          \
    KIND(name_ ".repeated", what, by, REPEATED,                                                    \
         "writes the element before once more in place of " words_, look_, (prior_ + 2) / 3,       \
         places_, place_)
#define COPIED(name_, what, by, words_, look_, prior_, places_, place_)                            \
    KIND(name_ ".copied", what, by, COPIED, "copies the input's elements in place of " words_,     \
         look_, prior_, places_, place_)
#define ALL_THREE(...) STALE(__VA_ARGS__), ZERO(__VA_ARGS__), REPEATED(__VA_ARGS__)
#define BOTH(...)      STALE(__VA_ARGS__), ZERO(__VA_ARGS__)

/* clang-format off */
const lb_fault_kind lb_fault_extent_kinds[] = {
    ALL_THREE("last", LB_LOST_LAST, BY_INDEX, "the last index of a dimension", "loop bounds: < n - 1, <= of a wrong size", 8, every_dim, "{role}, dimension {dim}"),
    BOTH("first", LB_LOST_FIRST, BY_INDEX, "the first index of a dimension", "loops that begin with 1, peeled heads", 4, every_dim, "{role}, dimension {dim}"),
    ALL_THREE("tail", LB_LOST_TAIL, BY_INDEX, "what a dimension has beyond whole blocks of {n}", "the rest behind a vector or unrolled loop: n & ~3, n / 4", 9, dim_moduli, "{role}, dimension {dim}, {n}"),
    STALE("beyond", LB_LOST_BEYOND, BY_INDEX, "indices of a dimension from {n} on", "buffers and counters of fixed size, uint8_t loop variables", 3, dim_limits, "{role}, dimension {dim}, {n}"),
    STALE("all_but_last_block", LB_LOST_BEFORE_LAST_BLOCK, BY_INDEX, "all of a dimension but its last block of {n}", "pointers that are set back for every block", 2, dim_blocks, "{role}, dimension {dim}, {n}"),
    STALE("block_seam", LB_LOST_SEAM, BY_INDEX, "the last index of each block of {n} along a dimension", "tiles that should overlap, halo of a tile", 2, dim_blocks, "{role}, dimension {dim}, {n}"),
    BOTH("odd", LB_LOST_ODD, BY_INDEX, "odd indices of a dimension", "packed pairs of which one half is stored", 3, every_dim, "{role}, dimension {dim}"),
    STALE("even", LB_LOST_EVEN, BY_INDEX, "even indices of a dimension", "packed pairs of which one half is stored", 2, every_dim, "{role}, dimension {dim}"),
    ALL_THREE("flat_last", LB_LOST_LAST, BY_NUMBER, "the very last element", "loop bounds, pointer comparisons", 6, flat_once, "{role}"),
    ALL_THREE("flat_tail", LB_LOST_TAIL, BY_NUMBER, "elements beyond whole blocks of {n}", "the rest behind a vector or unrolled loop", 9, flat_moduli, "{role}, {n}"),
    BOTH("flat_byte_tail", LB_LOST_BYTE_TAIL, BY_NUMBER, "elements that lie beyond whole words of {n} bytes", "copies by words: bytes / 4, memcpy of rounded lengths", 6, flat_bytes, "{role}, {n}"),
    STALE("flat_as_bytes", LB_LOST_AS_BYTES, BY_NUMBER, "all but as many bytes as there are elements", "copies: elements for bytes, the size of an element", 6, flat_wide, "{role}"),
    STALE("few", LB_LOST_FEW, BY_NUMBER, "everything when there are fewer elements than {n}", "early exits and vector loops without a scalar rest", 5, flat_few, "{role}, {n}"),
    STALE("flat_beyond", LB_LOST_BEYOND, BY_NUMBER, "elements from number {n} on", "buffers and counters of fixed size, 8 and 16 bit counters", 4, flat_limits, "{role}, {n}"),
    STALE("flat_all_but_last_block", LB_LOST_BEFORE_LAST_BLOCK, BY_NUMBER, "all but the last block of {n}", "pointers that are set back for every block", 2, flat_moduli, "{role}, {n}"),
    COPIED("last", LB_LOST_LAST, BY_INDEX, "the last index of a dimension", "loop bounds", 3, every_dim, "{role}, dimension {dim}"),
    COPIED("tail", LB_LOST_TAIL, BY_INDEX, "what a dimension has beyond whole blocks of {n}", "the rest behind a vector or unrolled loop", 4, dim_moduli, "{role}, dimension {dim}, {n}"),
    COPIED("flat_last", LB_LOST_LAST, BY_NUMBER, "the very last element", "loop bounds", 3, flat_once, "{role}"),
    COPIED("flat_tail", LB_LOST_TAIL, BY_NUMBER, "elements beyond whole blocks of {n}", "the rest behind a vector or unrolled loop", 4, flat_moduli, "{role}, {n}"),
    COPIED("positive", LOST_POSITIVE, BY_NUMBER, "positive results", "the branch for positive numbers: formats of input and output differ", 6, sloped, "{role}"),
    STALE("counted", LB_LOST_BY_COUNTER, BY_INDEX, "indices of a dimension that a counter of {n} bits does not reach", "uint8_t loop variables and sizes", 3, dim_counters, "{role}, dimension {dim}, {n}"),
    STALE("flat_counted", LB_LOST_BY_COUNTER, BY_NUMBER, "elements that a counter of {n} bits does not reach", "uint8_t loop variables and sizes", 3, flat_counters, "{role}, {n}"),
    STALE("groups_counted", LB_LOST_BY_COUNTER, BY_GROUP, "groups that a counter of {n} bits does not reach", "uint8_t loop variables and sizes", 3, group_counters, "{role}, {n}"),
    STALE("row_beyond", LB_LOST_BEYOND, BY_NUMBER_IN_ROW, "what a row has beyond {n} elements", "buffers for a row: whether they count elements, columns or windows", 3, long_rows, "{role}, {n}"),
    BOTH("last_group", LB_LOST_LAST, BY_GROUP, "the filters of the last group", "bounds of the loop over groups", 4, groups, "{role}"),
    BOTH("corner", LOST_CORNER, BY_NUMBER, "the corner of the last row and the last column", "edge cases split into top, bottom, left and right", 3, maps, "{role}"),
    {.name = NULL},
};
/* clang-format on */
