/* Results that are written otherwise: the right result, put elsewhere or in another form, and
 * fields that are not as they should be. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/step_rows.h"
#include "harness/faults/writing_fields.h"

#include <string.h>

/* Element `flat` as it was before the call. */
static void erase_all(lb_write_memory *w)
{
    for (size_t flat = 0; flat < w->count; flat++) {
        size_t at = lb_offset_of_flat(w->t, flat);
        if (at < w->places)
            memcpy(w->start + at * w->bytes, w->given + at * w->bytes, w->bytes);
    }
}

static void put_right(lb_write_memory *w, size_t at, size_t flat)
{
    size_t from = lb_offset_of_flat(w->t, flat);
    if (at < w->places && from < w->places)
        memcpy(w->start + at * w->bytes, w->right + from * w->bytes, w->bytes);
}

/* ---- Where elements go ---- */

static bool is_dense(const lb_tensor *t)
{
    int64_t dense = 1;
    for (uint32_t d = t->rank; d-- > 0;) {
        if (t->shape[d] > 1 && t->mem_stride[d] != dense)
            return false;
        dense *= t->shape[d];
    }
    return true;
}

/* Every element where a kernel with the fault takes it to lie: by the operators of reading. */
static bool run_placed(lb_fault_run *run)
{
    lb_write_memory w;
    bool moved = false;
    if (!lb_write_elements(&w, run))
        return false;
    erase_all(&w);
    for (size_t flat = 0; flat < w.count; flat++) {
        uint32_t index[LB_MAX_RANK] = {0};
        lb_unflatten(w.t, flat, index);
        int64_t at = lb_source_found(w.t, index, run->fault);
        moved |= at != (int64_t)lb_offset_of(w.t, index);
        if (at >= 0)
            put_right(&w, (size_t)at, flat);
    }
    return moved;
}

static bool has_all(const lb_write_memory *w)
{
    return w->count > 0 && lb_offset_of_flat(w->t, w->count - 1) < w->places;
}

/* The largest so far along a dimension: what is searched begins with what was found for the index
 * before, and with 0 for the first where the argument says so. */
static bool run_goes_on(lb_fault_run *run)
{
    lb_write_memory w;
    const uint32_t dim = (uint32_t)run->fault->dim;
    bool changed = false;
    if (!lb_write_elements(&w, run) || dim >= w.t->rank || !has_all(&w))
        return false;
    for (size_t flat = 0; flat < w.count; flat++) {
        uint32_t index[LB_MAX_RANK] = {0};
        lb_unflatten(w.t, flat, index);
        const size_t at = lb_offset_of(w.t, index);
        const int64_t own = lb_load(w.t, at);
        int64_t best = own;
        if (index[dim]-- > 0)
            best = lb_load(w.t, lb_offset_of(w.t, index));
        else if (run->fault->argument != 0)
            best = 0;
        if (best > own) {
            lb_store(w.t, at, best);
            changed = true;
        }
    }
    return changed;
}

/* Results of what follows in dimension 0 are those of one index. */
static bool run_stays(lb_fault_run *run)
{
    lb_write_memory w;
    const uint32_t last = (uint32_t)run->fault->argument;
    if (!lb_write_elements(&w, run) || !has_all(&w) || w.t->rank == 0 || w.t->shape[0] <= last + 1)
        return false;
    for (size_t flat = 0; flat < w.count; flat++) {
        uint32_t index[LB_MAX_RANK] = {0};
        lb_unflatten(w.t, flat, index);
        const size_t at = lb_offset_of(w.t, index);
        index[0] = index[0] < last ? index[0] : last;
        lb_store(w.t, at, lb_load(w.t, lb_offset_of(w.t, index)));
    }
    return true;
}

/* Which bytes of the buffer hold elements. */
static bool *element_places(const lb_write_memory *w, lb_arena *scratch)
{
    bool *is_element = lb_arena_array(scratch, w->places + 1, sizeof *is_element);
    for (size_t flat = 0; flat < w->count; flat++) {
        size_t at = lb_offset_of_flat(w->t, flat);
        if (at < w->places)
            is_element[at] = true;
    }
    return is_element;
}

/* Gaps before the last element take the value of the element before them. */
static bool run_gaps(lb_fault_run *run)
{
    lb_write_memory w;
    lb_arena scratch = {0};
    size_t filled = 0;
    if (!lb_write_elements(&w, run) || w.count == 0 || is_dense(w.t))
        return false;
    const bool *is_element = element_places(&w, &scratch);
    size_t last = lb_offset_of_flat(w.t, w.count - 1);
    for (size_t at = 1; at < last && at < w.places; at++)
        if (!is_element[at]) {
            memcpy(w.start + at * w.bytes, w.start + (at - 1) * w.bytes, w.bytes);
            filled++;
        }
    lb_arena_free(&scratch);
    return filled > 0;
}

/* Elements behind the last one, into the rest of the buffer or the guard zone behind it. */
static bool run_beyond_end(lb_fault_run *run)
{
    lb_write_memory w;
    size_t extra = (size_t)run->fault->argument;
    if (!lb_write_elements(&w, run) || w.count == 0 || extra * w.bytes > LB_GUARD_BYTES)
        return false;
    size_t last = lb_offset_of_flat(w.t, w.count - 1);
    if (last >= w.places)
        return false;
    for (size_t i = 1; i <= extra; i++)
        memset(w.start + (last + i) * w.bytes, 0, w.bytes);
    return true;
}

static bool run_before_start(lb_fault_run *run)
{
    lb_write_memory w;
    if (!lb_write_elements(&w, run) || w.start < run->out->block + w.bytes)
        return false;
    memset(w.start - w.bytes, 0, w.bytes);
    return true;
}

/* What lies behind each row, up to a whole block, is set to 0; without a gap there, the next row is
 * written after. */
static bool run_row_tails(lb_fault_run *run)
{
    lb_write_memory w;
    if (!lb_write_elements(&w, run))
        return false;
    const uint32_t length = w.t->shape[w.t->rank - 1], block = (uint32_t)run->fault->argument;
    const size_t tail = length % block ? block - length % block : 0;
    const size_t room = run->out->memory->block_bytes - (size_t)(w.start - run->out->block);
    for (size_t flat = length; length > 0 && flat <= w.count; flat += length) {
        const size_t first = lb_offset_of_flat(w.t, flat - 1) + 1;
        for (size_t at = first; at < first + tail && (at + 1) * w.bytes <= room; at++)
            memset(w.start + at * w.bytes, 0, w.bytes);
    }
    for (size_t flat = 0; flat < w.count; flat++)
        put_right(&w, lb_offset_of_flat(w.t, flat), flat);
    return tail > 0 && w.count > 0;
}

static bool run_nothing(lb_fault_run *run)
{
    lb_write_memory w;
    if (!lb_write_elements(&w, run) || w.count == 0)
        return false;
    erase_all(&w);
    return true;
}

/* Not even fields: the call does nothing and says that all is well. */
static bool run_untouched(lb_fault_run *run)
{
    if (!lb_write_begin(run))
        return false;
    memcpy(run->out->block, run->before->block, run->before->memory->block_bytes);
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; i < run->before->call.list_count[role]; i++)
            run->out->tensors[role][i] =
                lb_tensor_moved(&run->before->tensors[role][i], run->before, run->out);
    return true;
}

/* ---- The form of an element ---- */

static bool run_form(lb_fault_run *run)
{
    lb_write_memory w;
    const lb_number_edit *does = &run->fault->kind->does;
    bool asks_for_bytes = does->how == LB_OTHER_BYTE_ORDER || does->how == LB_WRAPS;
    if (!lb_write_elements(&w, run) || (asks_for_bytes && w.bytes == 1))
        return false;
    lb_tensor bits = *w.t; /* whatever their type is */
    bits.el_type = w.bytes == 1 ? LB_FX8 : w.bytes == 2 ? LB_FX16 : LB_SA32;
    for (size_t flat = 0; flat < w.count; flat++) {
        size_t at = lb_offset_of_flat(w.t, flat);
        if (at < w.places)
            lb_store(&bits, at,
                     lb_element_changed((lb_how)does->how, does->number, lb_load(&bits, at),
                                        8 * (int)w.bytes));
    }
    return true;
}

/* ---- Places ---- */

LB_OWN_ROLES(places_outputs, LB_NO_DIMS, lb_writes_data(kernel, at->role), 0)

LB_OWN_ROLES(places_gappy_outputs, LB_NO_DIMS,
             lb_writes_data(kernel, at->role) && lb_may_have_gaps(kernel, at->role), 0)

LB_OWN_ROLES(outputs_by_dim, LB_EACH_DIM, lb_writes_data(kernel, at->role), 0)

LB_OWN_PLACES(outputs_by_dims,
              lb_writes_data(kernel, at->role) && at->dim < at->other_dim &&
                  at->other_dim < (int)lb_dims_of(kernel, at->role),
              .role = LB_ANY_ROLE, .dim = LB_ANY_DIM, .to = LB_ANY_DIM)

LB_OWN_ROLES(outputs_both_ways, LB_NO_DIMS, lb_writes_data(kernel, at->role), 1, -1)

LB_OWN_ROLES(row_blocks, LB_NO_DIMS, at->role == LB_ROLE_OUT && lb_writes_data(kernel, at->role), 2,
             4, 8, 16)

LB_OWN_ROLES(outputs_some_beyond, LB_NO_DIMS, lb_writes_data(kernel, at->role), 1, 2, 3, 4, 7, 8,
             16)

/* Outputs whose elements may have more than one byte. */
static bool is_wide(uint32_t type)
{
    return type == 0 || lb_storage_bytes(type) > 1;
}

LB_OWN_ROLES(wide_outputs, LB_NO_DIMS,
             lb_writes_data(kernel, at->role) && is_wide(lb_type_of_role(kernel, at->role)), 0)

/* Dimensions whose step is worked out from the one inside: of rows and columns of feature maps also
 * behind the border. */
static bool has_step(const lb_kernel *kernel, const lb_fault *at)
{
    const bool is_map = lb_is_conv(kernel) || lb_is_pool(kernel);
    const bool is_last = at->dim == LB_LAST_DIMENSION;
    return lb_writes_data(kernel, at->role) && (at->argument == 0 || (is_map && !is_last)) &&
           (is_last ? lb_may_have_inner_gaps(kernel, at->role)
                    : at->dim + 1 < (int)lb_dims_of(kernel, at->role) &&
                          lb_may_have_gaps(kernel, at->role));
}
LB_OWN_PLACES(stepped_dims, has_step(kernel, at), .role = LB_ANY_ROLE,
              .dim = {0, LB_LAST_DIMENSION}, .most = 1)

/* Maxima of windows. */
LB_OWN_PLACES(largest_of_windows,
              lb_is_pool(kernel) && !lb_is_average(kernel) && lb_writes_data(kernel, at->role),
              .role = LB_ANY_ROLE, .dim = {0, 1}, .most = 1)

/* Groups of which each has a row of the output. */
LB_OWN_ROLES(slices, LB_NO_DIMS,
             lb_pattern_of(kernel) == LB_PATTERN_SLICES && at->role == LB_ROLE_OUT &&
                 lb_writes_data(kernel, at->role),
             0, 1)

LB_OWN_ROLES(packed_outputs, LB_NO_DIMS,
             lb_type_of_role(kernel, LB_ROLE_OUT) == LB_EL_PACKED4 &&
                 lb_writes_data(kernel, at->role),
             0)

/* Functions that have an output. */
static LB_PLACES(functions_with_outputs)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        lb_role_use use = lb_fault_role_use(scope->kernel, role);
        lb_fault fault = {.kind = kind, .role = (int8_t)role};
        if (scope->kernel->exact && use == LB_USE_OUTPUT) {
            sink(user, &fault);
            return;
        }
    }
}

static LB_PLACES(other_returned)
{
    for (int a = 0; !scope->kernel->returns_status && a < kind->argument_count; a++)
        sink(user, &(lb_fault){.kind = kind, .argument = kind->arguments[a]});
}

/* ---- The tables ---- */

#define FIELD_KIND(name_, words_, look_, prior_, way_, bits, run_)                                 \
    {                                                                                              \
        LB_KIND_OF_CALL(LB_FAULTS_WRITING, "writing." name_, words_, look_, FIELD_SECTIONS,        \
                        prior_, lb_places_field_outputs, "{role}", run_),                          \
            .way = way_, .fields = bits                                                            \
    }
#define FIELD_KEPT(name, words_, prior_, bits)                                                     \
    FIELD_KIND(name ".kept", "leaves " words_ " as given", "fields set at the end of a kernel",    \
               prior_, LB_WAY_KEPT, bits, lb_write_fields)
#define FIELD(name, words_, prior_, bits)                                                          \
    FIELD_KEPT(name, words_, prior_, bits),                                                        \
        FIELD_KIND(name ".as_input", "writes " words_ " of the input",                             \
                   "whole tensors or parameters copied from the input", (prior_ + 1) / 2,          \
                   LB_WAY_INPUT, bits, lb_write_fields)

#define RETURNED(name_, words_, look_, prior_, how_, ...)                                          \
    {                                                                                              \
        LB_KIND_OF_CALL(LB_FAULTS_WRITING, "writing.returned." name_, words_, look_,               \
                        "numerics.md 4.4, 8.1; recurrent.md 3", prior_, other_returned, NULL,      \
                        lb_write_returned),                                                        \
            .does.how = LB_##how_, WITH(__VA_ARGS__)                                               \
    }

/* clang-format off */
const lb_fault_kind lb_fault_writing_kinds[] = {
    LB_WRITING_BY("dense", "writes results one behind the other though the output has gaps", "index arithmetic without out->mem_stride", LAYOUT_SECTIONS, 7, places_gappy_outputs, "{role}", run_placed, .at = LB_READ_STRIDES),
    LB_WRITING_BY("dense.one", "writes one dimension as if the one inside it had no gap", "a step that is worked out from another one, and not read", LAYOUT_SECTIONS, 6, stepped_dims, "{role}, {dim=dimension 0|dimension 1|dimension 2|dimension 3|the last dimension}{n=|, behind the first}", run_placed, .at = LB_READ_STRIDE),
    LB_KIND(LB_FAULTS_WRITING, "search.goes_on", "begins the search for the largest with what was found for the {dim=row|column} before{n=|, and the first one with 0}", "buffers of rows that are cleared outside of the loop over them", "pooling_and_movement.md 2", 4, largest_of_windows, "{role}, dimension {dim}{n=|, from 0}", run_goes_on),
    LB_KIND(LB_FAULTS_WRITING, "search.slice_stays", "searches {n=the first|the second} slice again in place of those that follow", "the pointer to a slice, which is moved once or never", "elementwise.md 9", 4, slices, "{n=the first|the second}", run_stays),
    LB_WRITING("gaps", "writes into the gaps between rows of the output", "vector stores at the end of a row, memset of whole rows", LAYOUT_SECTIONS, 4, places_gappy_outputs, "{role}", run_gaps),
    LB_WRITING("row_tail", "sets what lies behind a row to 0, up to a whole block of {n}", "vector stores at the end of a row", LAYOUT_SECTIONS, 4, row_blocks, "{n}", run_row_tails),
    LB_WRITING("beyond_end", "writes {n} elements behind the end of the output", "the last vector store, loop bounds: <=", LAYOUT_SECTIONS, 5, outputs_some_beyond, "{role}, {n}", run_beyond_end),
    LB_WRITING("before_start", "writes an element before the start of the output", "pointers that are moved before the store", LAYOUT_SECTIONS, 1, places_outputs, "{role}", run_before_start),
    LB_WRITING_BY("shifted", "writes every element {n} places on", "out++ before the store, index + 1", LAYOUT_SECTIONS, 3, outputs_both_ways, "{role}, {n}", run_placed, .at = LB_READ_NUMBER),
    LB_WRITING("nothing", "writes no element; fields and status are right", "results kept in a local buffer, an early return", LAYOUT_SECTIONS, 2, places_outputs, "{role}", run_nothing),
    LB_WRITING("untouched", "does nothing at all and reports success", "functions that are not written yet, an early return", LAYOUT_SECTIONS, 3, functions_with_outputs, "{role}", run_untouched),
    LB_WRITING_BY("zeroed", "writes zeros for all results", "accumulators that are stored before they are full", LAYOUT_SECTIONS, 2, places_outputs, "{role}", run_form, .how = LB_AS_ZERO),
    LB_WRITING_BY("reversed", "writes a dimension back to front", "loops that count down, ping-pong buffers", LAYOUT_SECTIONS, 2, outputs_by_dim, "{role}, dimension {dim}", run_placed, .at = LB_READ_INDEX, .how = LB_MIRRORED),
    LB_WRITING_BY("transposed", "writes two dimensions of the output in exchanged order", "CHW for HWC, rows for columns", LAYOUT_SECTIONS, 4, outputs_by_dims, "{role}, dimensions {dim} and {to}", run_placed, .at = LB_READ_EXCHANGED),
    LB_WRITING_BY("byte_order", "stores the bytes of an element in the other order", "stores by bytes, big-endian hosts", LAYOUT_SECTIONS, 2, wide_outputs, "{role}", run_form, .how = LB_OTHER_BYTE_ORDER),
    LB_WRITING_BY("low_byte", "stores the low byte of an element only", "int8_t pointers and casts in code shared by element types", LAYOUT_SECTIONS, 3, wide_outputs, "{role}", run_form, .how = LB_WRAPS, .number = 8),
    LB_WRITING_BY("sign_flipped", "stores elements as unsigned numbers with an offset of half the range", "uint8 kernels with zero point 128", "numerics.md 1", 3, places_outputs, "{role}", run_form, .how = LB_WITH_OFFSET),
    LB_WRITING_BY("without_lowest", "stores the lowest number as its neighbour: -127 for -128", "symmetric saturation: max(x, -127)", "numerics.md 3", 5, places_outputs, "{role}", run_form, .how = LB_NOT_LOWEST),
    LB_WRITING_BY("nibble_order", "packs the first of two elements into the high bits", "order of shift and mask in packing", "float4.md", 4, packed_outputs, "{role}", run_form, .how = LB_OTHER_NIBBLE_ORDER),
    FIELD("rank", "the rank", 3, LB_FIELD_RANK),
    FIELD("shape", "the shape", 4, LB_FIELD_SHAPE),
    FIELD("mem_stride", "the strides", 4, LB_FIELD_STRIDES),
    FIELD_KEPT("el_type", "the element type", 2, LB_FIELD_TYPE),
    FIELD("frac_bits", "the fractional bits", 6, LB_FIELD_FRAC),
    FIELD("scale", "the scale", 5, LB_FIELD_SCALE),
    FIELD("zero_point", "the zero point", 6, LB_FIELD_ZERO),
    FIELD("scale_frac_bits", "the fractional bits of the scale", 5, LB_FIELD_SCALE_FRAC),
    FIELD("axis", "the axis of quantization", 4, LB_FIELD_AXIS),
    FIELD("capacity", "the capacity", 2, LB_FIELD_CAPACITY),
    FIELD("data", "the data pointer", 2, LB_FIELD_DATA),
    FIELD("format", "all quantization parameters", 6, LB_FIELDS_FORMAT),
    FIELD("layout", "rank, shape and strides", 4, LB_FIELDS_LAYOUT),
    FIELD("rank_and_strides", "rank and strides", 4, LB_FIELD_RANK | LB_FIELD_STRIDES),
    FIELD("layout_and_format", "layout and quantization parameters", 3, LB_FIELDS_LAYOUT | LB_FIELDS_FORMAT | LB_FIELD_TYPE),
    FIELD_KIND("last_size.kept", "leaves the last size of the shape as given", "fields set at the end of a kernel", 2, LB_WAY_KEPT, LB_FIELD_SHAPE, lb_write_last_dims_kept),
    LB_WRITING_BY("config.kept", "leaves a field of the struct that it fills as given", "fields that should be set to their neutral value", "pooling_and_movement.md 5; recurrent.md 3; elementwise.md 6", 6, lb_places_filled_config, "{field}", lb_write_config, .how = LB_AS_OTHER),
    LB_WRITING_BY("config.one_more", "sets a number of the table to one more than it is", "counts that begin with 1, last indices for lengths", "recurrent.md 3; elementwise.md 6", 3, lb_places_table_numbers, "{field}", lb_write_config, .how = LB_PLUS, .number = 1),
    LB_WRITING_BY("config.one_less", "sets a number of the table to one less than it is", "last indices for lengths; lengths for last indices", "recurrent.md 3; elementwise.md 6", 3, lb_places_table_numbers, "{field}", lb_write_config, .how = LB_PLUS, .number = -1),
    LB_WRITING_BY("config.negated", "gives a number of the table the other sign", "the sign of offsets", "recurrent.md 3; elementwise.md 6", 3, lb_places_table_numbers, "{field}", lb_write_config, .how = LB_NEGATED),
    LB_WRITING_BY("config.zero", "sets a field of the table to 0", "fields that are left out", "recurrent.md 3; elementwise.md 6", 4, lb_places_table_numbers, "{field}", lb_write_config, .how = LB_AS_ZERO),
    LB_WRITING_BY("returned.zero", "returns 0", "functions that are not written yet", "numerics.md 4.4, 8.1; recurrent.md 3", 2, lb_places_returned, NULL, lb_write_returned, .how = LB_AS_ZERO),
    LB_WRITING_BY("returned.one_more", "returns one more", "counts that begin with 1", "numerics.md 4.4, 8.1; recurrent.md 3", 2, lb_places_returned, NULL, lb_write_returned, .how = LB_PLUS, .number = 1),
    LB_WRITING_BY("returned.as_byte", "returns the low byte only", "results of type uint8_t", "numerics.md 4.4, 8.1; recurrent.md 3", 2, lb_places_returned_large, NULL, lb_write_returned, .how = LB_WRAPS_UNSIGNED, .number = 8),
    LB_WRITING_BY("returned.negated", "returns the negative number", "sign conventions of shifts and offsets", "numerics.md 4.4, 8.1; recurrent.md 3", 2, lb_places_returned, NULL, lb_write_returned, .how = LB_NEGATED),
    {.name = NULL},
};

/* Not of the bank: in too few bits, or off by a number. */
const lb_fault_kind lb_fault_returned_kinds[] = {
    RETURNED("wraps", "returns a signed number of too few bits", "the type of the result or of a variable", 4, WRAPS, 8, 16, 24, 32),
    RETURNED("wraps_unsigned", "returns an unsigned number of too few bits", "the type of the result or of a variable", 4, WRAPS_UNSIGNED, 8, 16, 24, 32),
    RETURNED("saturates", "returns a number held to too few bits", "the type of the result or of a variable", 3, SATURATES, 8, 16, 24, 32),
    RETURNED("off_by", "returns a number that is off by so much", "how the result is formed", 2, PLUS, -1, 2, -2, 3, -3, 4, -4),
    {.name = NULL},
};
/* clang-format on */
