/* Quantization read otherwise: zero points, scales, fractional bits, and the lists of them. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"
#include "reference/describe/program.h"

#include <string.h>

/* Quantization: one parameter; entries of lists, and what else a channel has, by blocks or groups.
 */
typedef enum lb_parameter { LB_OF_ZERO_POINT, LB_OF_SCALE, LB_OF_FRAC_BITS } lb_parameter;
enum { LB_OF_BLOCKS, LB_OF_GROUPS, LB_OF_GATES };
enum { LB_SCALES_EQUAL = 1 }; /* `when` of a kind: that of the other one is the same */
enum { LB_OF_ONE, LB_OF_BOTH };
enum { CHANNELS = 2 }; /* the dimension of an output */

static bool has_groups(const lb_kernel *kernel)
{
    return lb_is_conv(kernel) && lb_goes_in_groups(kernel, CHANNELS);
}

/* What a kernel with the fault takes for `own`; `other`: that of the other operand. */
static lb_quant changed_quant(const lb_fault *fault, lb_quant own, lb_quant other)
{
    const lb_number_edit *does = &fault->kind->does;
    lb_how how = (lb_how)does->how;
    if (does->when == LB_SCALES_EQUAL && (own.scale != other.scale || own.frac != other.frac))
        return own;
    switch ((lb_parameter)does->at) {
    case LB_OF_ZERO_POINT:
        own.zero_point =
            (int32_t)lb_number_changed(how, does->number, own.zero_point, other.zero_point);
        break;
    case LB_OF_FRAC_BITS:
        own.frac = (int32_t)lb_number_changed(how, does->number, own.frac, other.frac);
        break;
    case LB_OF_SCALE: /* that of another one goes with its fractional bits */
        own.scale = (int32_t)lb_number_changed(how, does->number, own.scale, other.scale);
        own.frac = how == LB_AS_OTHER ? other.frac : own.frac;
        break;
    }
    return own;
}

static bool is_possible(lb_quant quant)
{
    return quant.scale > 0 && quant.scale <= INT16_MAX && quant.frac >= INT8_MIN &&
           quant.frac <= INT8_MAX && quant.zero_point >= INT16_MIN && quant.zero_point <= INT16_MAX;
}

static bool is_same(lb_quant a, lb_quant b)
{
    return a.scale == b.scale && a.frac == b.frac && a.zero_point == b.zero_point;
}

static void set_entry(lb_tensor *t, uint32_t i, lb_quant quant)
{
    t->sa.scale.mem.pi16[i] = (int16_t)quant.scale;
    t->sa.zero_point.mem.pi16[i] = (int16_t)quant.zero_point;
    t->sa.scale_frac_bits.mem.pi8[i] = (int8_t)quant.frac;
}

static bool change_lists(lb_fault_view *view, lb_tensor *t, lb_quant other)
{
    bool changed = false;
    if (!lb_view_own_lists(view, t, t->shape[t->sa.dim]))
        return false;
    for (uint32_t i = 0; i < t->shape[t->sa.dim]; i++) {
        lb_quant own = lb_quant_at(t, i), result = changed_quant(view->run->fault, own, other);
        if (!is_possible(result) || is_same(own, result))
            continue;
        set_entry(t, i, result);
        changed = true;
    }
    return changed;
}

static bool change_quant(lb_fault_view *view, lb_tensor *t, lb_quant other)
{
    if (lb_is_sa(t->el_type) && t->sa.dim >= 0)
        return t->sa.dim < (int32_t)t->rank && change_lists(view, t, other);
    if (!lb_is_sa(t->el_type) && !lb_is_fx(t->el_type))
        return false;
    lb_quant own = lb_quant_at(t, 0), result = changed_quant(view->run->fault, own, other);
    if (!is_possible(result) || is_same(own, result))
        return false;
    if (lb_is_fx(t->el_type)) {
        t->frac_bits = (int8_t)result.frac;
        return result.frac != own.frac;
    }
    t->sa.scale.mem.i16 = (int16_t)result.scale;
    t->sa.zero_point.mem.i16 = (int16_t)result.zero_point;
    t->sa.scale_frac_bits.mem.i8 = (int8_t)result.frac;
    return true;
}

static bool has_readable_lists(const lb_tensor *t)
{
    return t->sa.scale.mem.ptr && t->sa.zero_point.mem.ptr && t->sa.scale_frac_bits.mem.ptr;
}

lb_quant lb_view_first_quant(const lb_tensor *t)
{
    const lb_quant none = {1, 0, 0};
    bool per_axis = t && lb_is_sa(t->el_type) && t->sa.dim >= 0;
    return !t || (per_axis && !has_readable_lists(t)) ? none : lb_quant_at(t, 0);
}

static bool read_quant(lb_fault_view *view)
{
    bool changed = false;
    int role = view->run->fault->role;
    lb_quant other = lb_view_first_quant(view->call->tensor[view->run->fault->other_role]);
    for (unsigned i = 0; i < view->call->list_count[role]; i++)
        changed |= change_quant(view, lb_view_tensor(view, role, i), other);
    return changed;
}

/* The scales of two operands change places; zero points stay. */
static bool read_scales_exchanged(lb_fault_view *view)
{
    lb_tensor *a = lb_view_tensor(view, view->run->fault->role, 0),
              *b = lb_view_tensor(view, view->run->fault->other_role, 0);
    lb_quant of_a = lb_view_first_quant(a), of_b = lb_view_first_quant(b);
    bool changed = change_quant(view, a, of_b);
    changed |= change_quant(view, b, of_a);
    return changed;
}

/* ---- Entries of lists ---- */

/* Filters of one group. */
static uint32_t filters_of_group(const lb_fault_view *view, uint32_t count)
{
    const size_t groups = lb_groups_in(view->call, CHANNELS).count;
    return groups > 0 ? count / (uint32_t)groups : count;
}

/* Which entry of `count` is read where `i` stands; blocks are of 2^dim, or those of a group. Of
 * gates that of other_dim for that of dim. */
static uint32_t entry_for(const lb_fault_view *view, uint32_t i, uint32_t count)
{
    const lb_number_edit *does = &view->run->fault->kind->does;
    const lb_fault *fault = view->run->fault;
    int64_t n = does->number;
    if (does->at == LB_OF_GATES)
        return i == (uint32_t)fault->dim ? (uint32_t)fault->other_dim : i;
    if (does->how == LB_IN_BLOCK || does->how == LB_BLOCK_LATE)
        n = does->at == LB_OF_GROUPS ? filters_of_group(view, count) : (int64_t)1 << fault->dim;
    return lb_index_changed((lb_how)does->how, n, i, count);
}

bool lb_read_entries(lb_fault_view *view, lb_tensor *t, lb_lists which, lb_entry_source from)
{
    lb_tensor old = *t;
    bool changed = false;
    bool per_axis = lb_is_sa(t->el_type) && t->sa.dim >= 0 && t->sa.dim < (int32_t)t->rank;
    if (!per_axis || !lb_view_own_lists(view, t, t->shape[t->sa.dim]))
        return false;
    uint32_t count = t->shape[t->sa.dim];
    for (uint32_t i = 0; i < count; i++) {
        const lb_quant own = lb_quant_at(&old, i), other = lb_quant_at(&old, from(view, i, count));
        lb_quant result = which == LB_ALL_LISTS ? other : own;
        if (which == LB_SCALE_LIST)
            result.scale = other.scale;
        if (which == LB_FRAC_LIST)
            result.frac = other.frac;
        if (which == LB_ZERO_POINT_LIST)
            result.zero_point = other.zero_point;
        changed |= !is_same(own, result);
        set_entry(t, i, result);
    }
    return changed;
}

static bool change_entries(lb_fault_view *view, lb_tensor *t)
{
    return lb_read_entries(view, t, (lb_lists)view->run->fault->argument, entry_for);
}

static int64_t entry_at(const lb_tensor *t, const uint32_t *index, const void *user)
{
    uint32_t entry = t->rank > 0 ? entry_for(user, index[0], t->shape[0]) : 0;
    return (int64_t)entry * t->mem_stride[0];
}

/* The role, and of conversions with lists on both sides the other one as well. Lists of some sets
 * are tensors. */
static bool read_entries(lb_fault_view *view)
{
    bool changed = false;
    int role = view->run->fault->role, other = view->run->fault->other_role;
    if (role == LB_ROLE_MULTIPLIER) {
        changed = lb_view_remap(view, role, 0, entry_at, view);
        changed |= lb_view_remap(view, other, 0, entry_at, view);
    }
    for (unsigned i = 0; i < view->call->list_count[role]; i++)
        changed |= change_entries(view, lb_view_tensor(view, role, i));
    if (other != 0 && view->call->list_count[other] > 0)
        changed |= change_entries(view, lb_view_tensor(view, other, 0));
    return changed;
}

static bool read_entry_first_of_gates(lb_fault_view *view)
{
    bool changed = false;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (lb_fault_role_use(view->call->kernel, role) == LB_USE_INPUT && view->call->tensor[role])
            changed |= change_entries(view, lb_view_tensor(view, role, 0));
    return changed;
}

/* Everything that a channel has of its own beside its weights: bias and lists. */
static bool read_channels(lb_fault_view *view)
{
    lb_tensor *weights = lb_view_tensor(view, LB_ROLE_WEIGHTS, 0);
    bool changed = lb_view_remap(view, LB_ROLE_BIAS, 0, entry_at, view);
    changed |= weights && change_entries(view, weights);
    return changed;
}

/* The tensor's lists run along another dimension: gives that, or -1. */
static int32_t move_axis(lb_fault_view *view, int role, uint32_t *entries)
{
    lb_tensor *t = lb_view_tensor(view, role, 0);
    bool is_per_axis =
        t && lb_is_sa(t->el_type) && t->rank > 0 && t->sa.dim >= 0 && t->sa.dim < (int32_t)t->rank;
    int32_t dim = view->run->fault->dim;
    if (is_per_axis && dim == LB_LAST_DIMENSION)
        dim = (int32_t)t->rank - 1;
    if (!is_per_axis || dim >= (int32_t)t->rank || t->sa.dim == dim)
        return -1;
    *entries = t->shape[t->sa.dim];
    if (!lb_view_own_lists(view, t, t->shape[dim]))
        return -1;
    t->sa.dim = dim;
    return dim;
}

/* The lists along another dimension than theirs; what lies behind their last entry is not known. */
static bool read_axis_of_lists(lb_fault_run *run)
{
    lb_fault_view view;
    uint32_t entries = UINT32_MAX;
    if (!lb_view_begin(&view, run))
        return false;
    int32_t dim = move_axis(&view, run->fault->role, &entries);
    if (run->fault->argument == LB_OF_BOTH) {
        int32_t other = move_axis(&view, LB_ROLE_IN, &entries);
        dim = other >= 0 ? other : dim;
    }
    if (!lb_view_run_if(&view, dim >= 0))
        return false;
    lb_fault_unsay_from(run, (unsigned)dim, entries);
    return true;
}

/* ---- Places ---- */

/* Does the function compute with quantization parameters of a role? */
static bool uses_quant(const lb_kernel *kernel, int role)
{
    lb_role_use use = lb_fault_role_use(kernel, role);
    switch (lb_families[kernel->family].formats) {
    case LB_FORMATS_NONE:
        return false;
    case LB_FORMATS_INPUTS:
    case LB_FORMATS_SCALES:
    case LB_FORMATS_ZEROS:
        return lb_reads_data(kernel, role);
    case LB_FORMATS_ALL:
        return use == LB_USE_OUTPUT || use == LB_USE_INOUT || lb_reads_data(kernel, role);
    }
    return false;
}

static bool may_be_sa(const lb_kernel *kernel)
{
    return kernel->in_type == 0 || lb_is_sa(kernel->in_type);
}

/* Minimum and maximum take inputs of one format, and look at that of the first. */
static bool is_second_of_pick(const lb_kernel *kernel, int role)
{
    return role == LB_ROLE_IN2 && lb_op_picks(kernel->op);
}

static bool uses_zero_point(const lb_kernel *kernel, int role)
{
    bool in_bias = kernel->special == LB_SPECIAL_EXT_BIAS && role == LB_ROLE_IN;
    return may_be_sa(kernel) && uses_quant(kernel, role) && !lb_role_is_weights((lb_role)role) &&
           role != LB_ROLE_BIAS && !in_bias &&
           lb_families[kernel->family].formats != LB_FORMATS_SCALES;
}

static bool uses_frac_bits(const lb_kernel *kernel, int role)
{
    bool of_sa_bias = role == LB_ROLE_BIAS && lb_is_sa(kernel->in_type);
    return uses_quant(kernel, role) && !of_sa_bias && !is_second_of_pick(kernel, role) &&
           lb_families[kernel->family].formats != LB_FORMATS_ZEROS;
}

static bool uses_scale(const lb_kernel *kernel, int role)
{
    return may_be_sa(kernel) && uses_frac_bits(kernel, role);
}

/* The parameter that the kind is about. */
static bool uses(const lb_fault_kind *kind, const lb_kernel *kernel, int role)
{
    switch ((lb_parameter)kind->does.at) {
    case LB_OF_ZERO_POINT:
        return uses_zero_point(kernel, role);
    case LB_OF_SCALE:
        return uses_scale(kernel, role);
    case LB_OF_FRAC_BITS:
        break;
    }
    return uses_frac_bits(kernel, role);
}

LB_OWN_ROLES(places_quant, LB_NO_DIMS, uses(at->kind, kernel, at->role), 0)

static bool uses_own(const lb_fault_kind *kind, const lb_kernel *kernel, int role)
{
    return uses(kind, kernel, role) && !is_second_of_pick(kernel, role);
}

/* Parameters that an output brings along, though the function gives it others. */
static bool brings_parameters(const lb_fault_kind *kind, const lb_kernel *kernel, int role)
{
    const uint32_t type = lb_type_of_role(kernel, role);
    const bool is_fx = type != 0 ? lb_is_fx(type) : lb_is_fx(kernel->in_type);
    return lb_writes_data(kernel, role) && kind->does.when != LB_SCALES_EQUAL &&
           (may_be_sa(kernel) ? !is_fx : is_fx && kind->does.at == LB_OF_FRAC_BITS);
}

LB_OWN_PLACES(places_quant_pairs,
              at->role != at->other_role && uses_own(at->kind, kernel, at->role) &&
                  (uses_own(at->kind, kernel, at->other_role) ||
                   brings_parameters(at->kind, kernel, at->other_role)),
              .role = LB_ANY_ROLE, .other = LB_ANY_ROLE)

/* Every list of every role that is computed with: of weights, and of both sides of a conversion, of
 * which both may go wrong at once. Lists of some sets are tensors. */
static bool is_list(const lb_kernel *kernel, const lb_fault *at)
{
    const bool converts = lb_pattern_of(kernel) == LB_PATTERN_CONVERSION;
    if (at->role == LB_ROLE_MULTIPLIER)
        return at->other_role == LB_ROLE_SHIFT && at->argument == LB_ALL_LISTS &&
               lb_kernel_role(kernel, LB_ROLE_MULTIPLIER) && lb_kernel_role(kernel, LB_ROLE_SHIFT);
    if (at->other_role != 0 &&
        !(converts && at->role == LB_ROLE_IN && at->other_role == LB_ROLE_OUT))
        return false;
    return converts ? uses_quant(kernel, at->role)
                    : lb_role_is_weights((lb_role)at->role) && at->argument != LB_ZERO_POINT_LIST &&
                          uses_scale(kernel, at->role) &&
                          lb_pattern_of(kernel) != LB_PATTERN_DENSE_LISTS;
}

enum { SMALLEST_BLOCK = 2, LARGEST_VECTOR = 4, LARGEST_BLOCK = 8 }; /* exponents of 2 */
#define BLOCKS    .dim = {SMALLEST_BLOCK, LARGEST_BLOCK}
#define VECTORS   .dim = {SMALLEST_BLOCK, LARGEST_VECTOR}
#define ANY_LISTS .role = LB_ANY_ROLE, .other = LB_ANY_ROLE, .most = LB_FRAC_LIST

LB_OWN_PLACES(places_lists, is_list(kernel, at), ANY_LISTS)
LB_OWN_PLACES(places_group_lists, has_groups(kernel) && is_list(kernel, at), ANY_LISTS)
LB_OWN_PLACES(places_list_blocks, is_list(kernel, at), ANY_LISTS, BLOCKS)
LB_OWN_PLACES(places_list_vectors, is_list(kernel, at), ANY_LISTS, VECTORS)
LB_OWN_PLACES(places_channel_blocks,
              (lb_is_conv(kernel) || lb_pattern_of(kernel) == LB_PATTERN_DENSE) &&
                  uses_scale(kernel, LB_ROLE_WEIGHTS),
              .role = {LB_ROLE_WEIGHTS, LB_ROLE_WEIGHTS}, BLOCKS)
LB_OWN_PLACES(places_channel_vectors,
              (lb_is_conv(kernel) || lb_pattern_of(kernel) == LB_PATTERN_DENSE) &&
                  uses_scale(kernel, LB_ROLE_WEIGHTS),
              .role = {LB_ROLE_WEIGHTS, LB_ROLE_WEIGHTS}, VECTORS)

/* Input and output of functions that go from the scale of one to that of the other. */
LB_OWN_PLACES(places_scales_exchanged,
              uses_scale(kernel, LB_ROLE_IN) && uses_scale(kernel, LB_ROLE_OUT),
              .other = {LB_ROLE_OUT, LB_ROLE_OUT})

LB_OWN_PLACES(places_axis_of_lists,
              lb_pattern_of(kernel) == LB_PATTERN_CONVERSION && uses_quant(kernel, at->role) &&
                  (at->argument == LB_OF_ONE || at->role == LB_ROLE_OUT),
              .role = LB_ANY_ROLE, .dim = {0, LB_LAST_DIMENSION}, .most = LB_OF_BOTH)

static bool is_gate_entry(const lb_kernel *kernel, const lb_fault *at)
{
    const int gates = lb_is_sa(kernel->in_type) ? (int)lb_gate_count(kernel) : 0;
    return (at->role == LB_ROLE_WEIGHTS_IN || at->role == LB_ROLE_WEIGHTS_OUT) &&
           at->argument != LB_ZERO_POINT_LIST && at->dim != at->other_dim && at->dim < gates &&
           at->other_dim < gates;
}
LB_OWN_PLACES(gate_entries, is_gate_entry(kernel, at), .role = LB_ANY_ROLE,
              .dim = {0, LB_PROGRAM_GATES - 1}, .to = {0, LB_PROGRAM_GATES - 1},
              .most = LB_FRAC_LIST)

LB_OWN_NUMBERS(places_group, has_groups(kernel), 0)

/* ---- The table ---- */

#define GROUP    "conv.md 8"
#define OF_LISTS "{role}< and {other}>, {n=all lists|scale|zero_point|scale_frac_bits}<, {2^dim}>"
#define QUANT    "numerics.md 1, 5; conv.md 3, 4; elementwise.md 1; recurrent.md 4 to 8"
#define LISTS    "numerics.md 5.2, 7; conv.md 4.2"

/* clang-format off */
const lb_fault_kind lb_fault_parameter_kinds[] = {
    LB_CHANGE_BY("zero_point.missing", "takes 0 for a zero point", "terms left out because zero points are often 0", QUANT, 8, places_quant, "{role}", read_quant, .at = LB_OF_ZERO_POINT, .how = LB_AS_ZERO),
    LB_CHANGE_BY("zero_point.negated", "adds a zero point where it should be subtracted", "signs: input offset, output offset", QUANT, 7, places_quant, "{role}", read_quant, .at = LB_OF_ZERO_POINT, .how = LB_NEGATED),
    LB_CHANGE_BY("zero_point.unsigned", "reads a zero point as an unsigned byte", "uint8_t zero points", QUANT, 3, places_quant, "{role}", read_quant, .at = LB_OF_ZERO_POINT, .how = LB_WRAPS_UNSIGNED, .number = 8),
    LB_CHANGE_BY("zero_point.of_other", "takes the zero point of another operand", "in for out, first for second", QUANT, 6, places_quant_pairs, "{role}, {other}", read_quant, .at = LB_OF_ZERO_POINT, .how = LB_AS_OTHER),
    LB_CHANGE_BY("zero_point.of_other_alike", "takes the zero point of another operand that has the same scale", "fast paths for equal formats, which compare scales alone", QUANT, 5, places_quant_pairs, "{role}, {other}", read_quant, .at = LB_OF_ZERO_POINT, .how = LB_AS_OTHER, .when = LB_SCALES_EQUAL),
    LB_CHANGE_BY("scale.of_other", "takes the scale of another operand", "in for out, first for second", QUANT, 5, places_quant_pairs, "{role}, {other}", read_quant, .at = LB_OF_SCALE, .how = LB_AS_OTHER),
    LB_CHANGE_BY("scale.exchanged", "takes the scales of two operands for each other", "which of both scales is divided by the other", QUANT, 5, places_scales_exchanged, "{role}, {other}", read_scales_exchanged, .at = LB_OF_SCALE, .how = LB_AS_OTHER),
    LB_CHANGE_BY("scale.missing", "takes 1 for a scale", "scales that are powers of two in all tests", QUANT, 3, places_quant, "{role}", read_quant, .at = LB_OF_SCALE, .how = LB_AS_ONE),
    LB_CHANGE_BY("scale.as_byte", "reads the low byte of a scale only", "int8_t or uint8_t scales", QUANT, 2, places_quant, "{role}", read_quant, .at = LB_OF_SCALE, .how = LB_WRAPS_UNSIGNED, .number = 8),
    LB_CHANGE_BY("frac_bits.of_other", "takes the fractional bits of another operand", "in for out, first for second", QUANT, 5, places_quant_pairs, "{role}, {other}", read_quant, .at = LB_OF_FRAC_BITS, .how = LB_AS_OTHER),
    LB_CHANGE_BY("frac_bits.missing", "takes 0 for the fractional bits of an operand", "shifts that leave an operand out", QUANT, 5, places_quant, "{role}", read_quant, .at = LB_OF_FRAC_BITS, .how = LB_AS_ZERO),
    LB_CHANGE_BY("frac_bits.negated", "takes fractional bits with the other sign", "signs of shifts", QUANT, 4, places_quant, "{role}", read_quant, .at = LB_OF_FRAC_BITS, .how = LB_NEGATED),
    LB_CHANGE_BY("entry.first", "takes the first entry of a list of parameters for all", "index of the channel in scale and shift lists", LISTS, 9, places_lists, OF_LISTS, read_entries, .how = LB_AS_ZERO),
    LB_CHANGE_BY("entry.last", "takes the last entry of a list of parameters for all", "a variable that is set for each channel before the loop that uses it", LISTS, 4, places_lists, OF_LISTS, read_entries, .how = LB_AS_LAST),
    LB_CHANGE_BY("entry.first_of_gates", "takes the parameters of the first gate for all, of all operands", "lists of scales, zero points, fractional bits", LISTS, 5, lb_places_gates, NULL, read_entry_first_of_gates, .how = LB_AS_ZERO),
    {LB_CHANGE_OF_CALL("entry.of_gate", "takes the entry of one gate for that of another", "indices of lists of scales", "recurrent.md 6 to 8", 4, gate_entries, "{role}, {n=all lists|scale||scale_frac_bits}, gate {dim} from gate {to}", read_entries), .does = {.at = LB_OF_GATES}},
    LB_CHANGE_BY("entry.next", "takes the next entry of a list of parameters", "index of the channel in scale and shift lists", LISTS, 4, places_lists, OF_LISTS, read_entries, .how = LB_PLUS, .number = 1),
    LB_CHANGE_BY("entry.previous", "takes the previous entry of a list of parameters", "index of the channel in scale and shift lists", LISTS, 4, places_lists, OF_LISTS, read_entries, .how = LB_PLUS, .number = -1),
    LB_CHANGE_BY("entry.late", "takes the entry before of a list of parameters, the first one aside", "parameters that are loaded for a channel after it has been computed", LISTS, 3, places_lists, OF_LISTS, read_entries, .how = LB_DELAYED),
    LB_CHANGE_BY("entry.in_block", "begins with the first entry of a list again after every block of this many", "the offset of a block that is not added", LISTS, 4, places_list_blocks, OF_LISTS, read_entries, .how = LB_IN_BLOCK),
    LB_CHANGE_BY("entry.in_group", "takes the entry of a list by the filter's number within its group", "index of the channel in scale and shift lists", GROUP, 4, places_group_lists, OF_LISTS, read_entries, .at = LB_OF_GROUPS, .how = LB_IN_BLOCK),
    LB_CHANGE_BY("channel.in_group", "takes bias and scale by the filter's number within its group", "the first filter of a group that is not added", GROUP, 5, places_group, NULL, read_channels, .at = LB_OF_GROUPS, .how = LB_IN_BLOCK),
    LB_CHANGE_BY("channel.in_block", "takes bias and scale of the first block of this many channels for every block", "the offset of a block that is not added", LISTS, 5, places_channel_blocks, "{2^dim}", read_channels, .how = LB_IN_BLOCK),
    LB_CHANGE_BY("entry.block_late", "takes entries of a list of parameters, from the third block of this many on, from the block before", "pointers that are moved once a block: a loop that is peeled, or begins late", LISTS, 3, places_list_vectors, OF_LISTS, read_entries, .how = LB_BLOCK_LATE),
    LB_CHANGE_BY("channel.block_late", "takes bias and scale, from the third block of this many channels on, from the block before", "pointers that are moved once a block: a loop that is peeled, or begins late", LISTS, 3, places_channel_vectors, "{2^dim}", read_channels, .how = LB_BLOCK_LATE),
    LB_CHANGE_BY("entry.reversed", "takes entries of a list of parameters from the end", "index of the channel in scale and shift lists", LISTS, 2, places_lists, OF_LISTS, read_entries, .how = LB_MIRRORED),
    LB_READING("entry.axis", "takes another dimension for the one that lists run along", "axis of quantization", LISTS, 4, places_axis_of_lists, "<in and {n=|}>{role}, {dim=dimension 0|dimension 1|dimension 2|dimension 3|the last dimension}", read_axis_of_lists),
    {.name = NULL},
};
/* clang-format on */
