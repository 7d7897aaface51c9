/* Fields of outputs again: fixed numbers, lists of parameters, and what is only known to be wrong.
 * Memory that a call should leave alone. */
#include "harness/faults/views.h"
#include "harness/faults/writing_fields.h"
#include "reference/describe/check.h"

#include <string.h>

/* ---- Runs ---- */

/* Size `dim` of out as size `other_dim` of the input. */
static bool size_of_input(lb_fault_run *run)
{
    lb_tensor *t = lb_write_begin(run);
    const lb_tensor *in = run->right->call.tensor[LB_ROLE_IN];
    if (!t || !in || run->fault->dim >= (int8_t)t->rank ||
        run->fault->other_dim >= (int8_t)in->rank)
        return false;
    t->shape[run->fault->dim] = in->shape[run->fault->other_dim];
    return lb_write_differs(run);
}

/* ---- Lists of parameters ---- */

static lb_container *list_number(lb_tensor *t, int number)
{
    return number == 0 ? &t->sa.scale : number == 1 ? &t->sa.zero_point : &t->sa.scale_frac_bits;
}

/* From which byte on: all, the last entry, or the half where entries are counted as bytes. */
static size_t first_kept(lb_how how, size_t count, size_t bytes)
{
    size_t last = count > 0 ? (count - 1) * bytes : 0;
    return how == LB_HALVED ? count * bytes / 2 : how == LB_AS_LAST ? last : 0;
}

/* Bytes of one list (the argument), from one of them on, as they were before the call. */
static bool list_kept(lb_fault_run *run)
{
    lb_tensor *t = lb_write_begin(run);
    unsigned buffer = 0;
    size_t offset = 0;
    if (!t || !lb_is_sa(t->el_type) || t->sa.dim < 0 || t->sa.dim >= (int32_t)t->rank)
        return false;
    lb_container *list = list_number(t, run->fault->argument);
    size_t bytes = run->fault->argument == 2 ? 1 : 2, count = t->shape[t->sa.dim];
    if (!lb_instance_locate(run->out, list->mem.ptr, &buffer, &offset) ||
        !run->out->memory->buffers[buffer].is_output)
        return false;
    size_t from = first_kept((lb_how)run->fault->kind->does.how, count, bytes),
           at = run->out->memory->buffers[buffer].offset + offset;
    if (from >= count * bytes ||
        offset + count * bytes > run->out->memory->buffers[buffer].size_bytes)
        return false;
    memcpy(run->out->block + at + from, run->before->block + at + from, count * bytes - from);
    return memcmp(run->out->block, run->right->block, run->right->memory->block_bytes) != 0;
}

/* ---- What is only known to be wrong: one example of it ---- */

static bool wrong_field(lb_fault_run *run)
{
    lb_tensor *t = lb_write_begin(run);
    if (!t)
        return false;
    switch ((lb_open_field)run->fault->argument) {
    case LB_OPEN_RANK:
        t->rank = t->rank == 1 ? 2 : 1;
        break;
    case LB_OPEN_SHAPE:
        t->shape[0]++;
        break;
    case LB_OPEN_STRIDES:
        t->mem_stride[0]++;
        break;
    case LB_OPEN_FORMAT:
        if (lb_is_sa(t->el_type))
            t->sa.dim = t->sa.dim < 0 ? 0 : -1;
        else
            t->frac_bits++;
        break;
    case LB_OPEN_CAPACITY:
        t->data.capacity_bytes++;
        break;
    case LB_OPEN_TYPE:
        t->el_type = t->el_type == LB_SA8 ? LB_FX8 : LB_SA8;
        break;
    case LB_OPEN_DATA:
        if (t->rank == 0)
            return false;
        t->data.mem.ptr = run->out->block;
        break;
    case LB_OPEN_FIELD_COUNT:
        break;
    }
    return lb_write_differs(run);
}

/* In place an input is an output, which may be written. */
static bool lies_in_output(const lb_fault_run *run, const lb_tensor *t)
{
    const lb_call *call = &run->out->call;
    unsigned own = 0, other = 0;
    size_t offset = 0;
    if (!lb_instance_locate(run->out, t->data.mem.ptr, &own, &offset))
        return false;
    for (const lb_role_spec *spec = call->kernel->roles; spec->use != LB_USE_NONE; spec++) {
        const lb_tensor *out = call->tensor[spec->role];
        if (spec->use != LB_USE_INPUT && out && out != t && out->rank > 0 &&
            lb_instance_locate(run->out, out->data.mem.ptr, &other, &offset) && other == own)
            return true;
    }
    return false;
}

static bool changed_input(lb_fault_run *run)
{
    lb_tensor *t = lb_write_begin(run);
    if (!t || t->rank == 0 || lb_storage_bytes(t->el_type) == 0 || lb_element_count(t) == 0 ||
        lies_in_output(run, t))
        return false;
    unsigned char *first = t->data.mem.ptr;
    if (first < run->out->block || first >= run->out->block + run->out->memory->block_bytes)
        return false;
    *first = (unsigned char)~*first;
    return true;
}

static bool stray_write(lb_fault_run *run)
{
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    run->out->block[0] = (unsigned char)~run->out->block[0];
    return true;
}

/* The axis of quantization, permuted the other way. */
static bool axis_inverted(lb_fault_run *run)
{
    lb_tensor *t = lb_write_begin(run);
    const lb_tensor *in = run->right->call.tensor[LB_ROLE_IN];
    if (!t || !in || !lb_is_sa(t->el_type) || t->sa.dim < 0 || in->sa.dim < 0 ||
        in->sa.dim >= LB_MAX_RANK)
        return false;
    t->sa.dim = run->right->call.config.perm_dim[in->sa.dim];
    return lb_write_differs(run);
}

/* ---- Places ---- */

static bool gives(const lb_kernel *kernel, const lb_fault *at, uint32_t fields)
{
    return lb_field_fault_sits_in(at->kind, kernel, at->role) &&
           (fields == 0 || (lb_fields_written(kernel, at->role) & fields) != 0);
}

LB_OWN_ROLES(permuting, LB_NO_DIMS,
             (kernel->config_kind == LB_CONFIG_PERMUTE || kernel->config_kind == LB_CONFIG_MOV) &&
                 at->role == LB_ROLE_OUT && gives(kernel, at, LB_FIELD_AXIS),
             0)

/* Of outputs that the function gives one of these fields. */
#define PLACES(name, fields, ...)                                                                  \
    LB_OWN_ROLES(name, LB_NO_DIMS, gives(kernel, at, fields), __VA_ARGS__)

PLACES(strides_once, LB_FIELD_STRIDES, 0)
PLACES(frac_numbers, LB_FIELD_FRAC, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
PLACES(off_numbers, LB_FIELD_FRAC, 1, -1, 2, -2, 8, -8)
PLACES(zero_numbers, LB_FIELD_ZERO, 0, -128, 127, 128, -127, 1, -1)
PLACES(scale_frac_numbers, LB_FIELD_SCALE_FRAC, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
       15, 16)
PLACES(scale_numbers, LB_FIELD_SCALE, 0, 1, 2, 256, 16384, 32767)
PLACES(list_numbers, LB_FIELD_LISTS, 0, 1, 2)
PLACES(field_numbers, 0, LB_OPEN_RANK, LB_OPEN_SHAPE, LB_OPEN_STRIDES, LB_OPEN_FORMAT,
       LB_OPEN_CAPACITY, LB_OPEN_TYPE, LB_OPEN_DATA)

/* Is a size of the output that of the input, by a check? */
static bool is_same_size(const lb_kernel *kernel, int dim, int other_dim)
{
    static const lb_condition same = {
        .is = LB_EQUAL,
        .each = {.kind = LB_LEAF_RANK, .role = LB_ROLE_IN},
        .term = {{1, {{.kind = LB_LEAF_EXTENT, .by = LB_BY_EACH, .role = LB_ROLE_IN}}},
                 {-1, {{.kind = LB_LEAF_EXTENT, .by = LB_BY_EACH, .role = LB_ROLE_OUT}}}}};
    return dim == other_dim && lb_checks_have(kernel, &same);
}

static bool is_size(const lb_kernel *kernel, const lb_fault *at)
{
    return lb_writes_fields(kernel) && lb_fault_role_use(kernel, LB_ROLE_IN) != LB_USE_NONE &&
           lb_fault_role_use(kernel, LB_ROLE_OUT) != LB_USE_NONE &&
           at->dim < (int)lb_dims_of(kernel, LB_ROLE_OUT) &&
           at->other_dim < (int)lb_dims_of(kernel, LB_ROLE_IN) &&
           !is_same_size(kernel, at->dim, at->other_dim);
}
LB_OWN_PLACES(sizes, is_size(kernel, at), .role = {LB_ROLE_OUT, LB_ROLE_OUT}, .dim = LB_ANY_DIM,
              .to = LB_ANY_DIM)

LB_OWN_ROLES(read_roles, LB_NO_DIMS,
             lb_fault_role_use(kernel, at->role) == LB_USE_INPUT && lb_reads_data(kernel, at->role),
             0)

static LB_PLACES(whole_function)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (lb_writes_data(scope->kernel, role)) {
            sink(user, &(lb_fault){.kind = kind});
            return;
        }
}

/* ---- The table ---- */

#define KIND(name, ...) LB_KIND_OF_CALL(LB_FAULTS_WRITING, "writing." name, __VA_ARGS__)

/* clang-format off */
const lb_fault_kind lb_fault_form_kinds[] = {
    {KIND("size.of_input", "writes a size of the input for a size of the output", "which size the field comes from", FIELD_SECTIONS, 4, sizes, "size {dim} of out, size {to} of in", size_of_input)},
    {KIND("frac_bits.fixed", "writes {n} for the fractional bits", "constants", FIELD_SECTIONS, 3, frac_numbers, "{role}, {n}", lb_write_number), .fields = LB_FIELD_FRAC, .does.how = LB_AS_OTHER},
    {KIND("frac_bits.off", "writes fractional bits that are off by {n}", "what is added to the fractional bits", FIELD_SECTIONS, 4, off_numbers, "{role}, {n}", lb_write_number), .fields = LB_FIELD_FRAC, .does.how = LB_PLUS},
    {KIND("scale_frac_bits.fixed", "writes {n} for the fractional bits of the scale", "constants", FIELD_SECTIONS, 3, scale_frac_numbers, "{role}, {n}", lb_write_number), .fields = LB_FIELD_SCALE_FRAC},
    {KIND("zero_point.fixed", "writes {n} for the zero point", "constants", FIELD_SECTIONS, 3, zero_numbers, "{role}, {n}", lb_write_number), .fields = LB_FIELD_ZERO},
    {KIND("scale.fixed", "writes {n} for the scale", "constants", FIELD_SECTIONS, 3, scale_numbers, "{role}, {n}", lb_write_number), .fields = LB_FIELD_SCALE},
    {KIND("mem_stride.first_innermost", "writes strides by which the first dimension is innermost", "the direction of the loop over dimensions", LAYOUT_SECTIONS, 4, strides_once, "{role}", lb_write_packed_strides), .does.how = LB_MIRRORED},
    {KIND("mem_stride.packed", "writes strides of a packed tensor", "strides that are worked out anew", LAYOUT_SECTIONS, 4, strides_once, "{role}", lb_write_packed_strides)},
    {KIND("axis.inverted", "moves the axis of quantization by the permutation the other way", "to which side perm_dim belongs", FIELD_SECTIONS, 6, permuting, "{role}", axis_inverted)},
    {KIND("list.kept", "does not write a list of parameters", "lists of the output", FIELD_SECTIONS, 4, list_numbers, "{role}, {n=scale|zero_point|scale_frac_bits}", list_kept)},
    {KIND("list.half", "writes half of a list of parameters", "counts of entries for bytes, the size of an entry", FIELD_SECTIONS, 4, list_numbers, "{role}, {n=scale|zero_point|scale_frac_bits}", list_kept), .does.how = LB_HALVED},
    {KIND("list.last", "does not write the last entry of a list of parameters", "loop bounds", FIELD_SECTIONS, 3, list_numbers, "{role}, {n=scale|zero_point|scale_frac_bits}", list_kept), .does.how = LB_AS_LAST},
    {KIND("field.wrong", "writes a wrong value into a field of an output", "where the field is set", FIELD_SECTIONS, 1, field_numbers, "{n=rank|shape|strides|quantization|capacity|element type|data pointer} of {role}", wrong_field), .open = LB_OPEN_FIELD},
    {KIND("input.changed", "writes into an input", "inputs used as work memory", LAYOUT_SECTIONS, 1, read_roles, "{role}", changed_input), .open = LB_OPEN_INPUT},
    {KIND("stray", "writes outside of its outputs; their elements are right", "vector stores at the end of a row or of the tensor", LAYOUT_SECTIONS, 1, whole_function, NULL, stray_write), .open = LB_OPEN_OUTSIDE},
    {.name = NULL},
};
/* clang-format on */
