/* Fields of outputs that are not written, or written as those of an input; filled configurations;
 * returned values. */
#include "harness/faults/writing_fields.h"

#include "harness/faults/views.h"

#include <string.h>

/* `to` gets the fields (bits) of `from`. */
static void take_fields(lb_tensor *to, const lb_tensor *from, uint32_t fields)
{
#define FIELD_AT(bit, member)                                                                      \
    {                                                                                              \
        LB_FIELD_##bit, offsetof(lb_tensor, member), sizeof((lb_tensor *)0)->member                \
    }
    static const struct {
        uint32_t bit;
        size_t at, bytes;
    } members[] = {FIELD_AT(RANK, rank),          FIELD_AT(SHAPE, shape),
                   FIELD_AT(STRIDES, mem_stride), FIELD_AT(TYPE, el_type),
                   FIELD_AT(FRAC, frac_bits),     FIELD_AT(SCALE, sa.scale),
                   FIELD_AT(ZERO, sa.zero_point), FIELD_AT(SCALE_FRAC, sa.scale_frac_bits),
                   FIELD_AT(AXIS, sa.dim),        FIELD_AT(CAPACITY, data.capacity_bytes),
                   FIELD_AT(DATA, data.mem)};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (fields & members[i].bit)
            memcpy((char *)to + members[i].at, (const char *)from + members[i].at,
                   members[i].bytes);
}

/* ---- Runs ---- */

lb_tensor *lb_write_begin(lb_fault_run *run)
{
    if (!lb_fault_has_result(run) || !run->out->call.tensor[run->fault->role])
        return NULL;
    lb_fault_take_right(run);
    return &run->out->tensors[run->fault->role][0];
}

bool lb_write_elements(lb_write_memory *w, lb_fault_run *run)
{
    unsigned buffer = 0;
    size_t offset = 0;
    lb_tensor *t = lb_write_begin(run);
    if (!t || t->rank == 0 || lb_storage_bytes(t->el_type) == 0 ||
        !lb_instance_locate(run->out, t->data.mem.ptr, &buffer, &offset))
        return false;
    const size_t in_block = run->out->memory->buffers[buffer].offset + offset;
    *w = (lb_write_memory){.run = run,
                           .t = t,
                           .start = t->data.mem.ptr,
                           .given = run->before->block + in_block,
                           .right = run->right->block + in_block,
                           .bytes = lb_storage_bytes(t->el_type),
                           .count = lb_element_count(t)};
    w->places = (run->out->memory->buffers[buffer].size_bytes - offset) / w->bytes;
    return true;
}

bool lb_write_differs(const lb_fault_run *run)
{
    const lb_tensor right =
        lb_tensor_moved(&run->right->tensors[run->fault->role][0], run->right, run->out);
    return memcmp(&run->out->tensors[run->fault->role][0], &right, sizeof right) != 0 ||
           memcmp(run->out->block, run->right->block, run->right->memory->block_bytes) != 0;
}

/* The fields of the kind (of lists the pointers) as they were given, or (LB_WAY_INPUT) as those of
 * the first input. */
bool lb_write_fields(lb_fault_run *run)
{
    const lb_fault_kind *kind = run->fault->kind;
    bool has_in = lb_fault_role_use(run->test_case->kernel, LB_ROLE_IN) != LB_USE_NONE;
    int role = has_in ? LB_ROLE_IN : LB_ROLE_IN1;
    bool is_kept = kind->way == LB_WAY_KEPT;
    lb_tensor *t = lb_write_begin(run);
    if (!t || (!is_kept && !run->out->call.tensor[role]))
        return false;
    const lb_tensor from =
        is_kept ? lb_tensor_moved(&run->before->tensors[run->fault->role][0], run->before, run->out)
                : run->out->tensors[role][0];
    take_fields(t, &from, kind->fields);
    return lb_write_differs(run);
}

/* One number of the format: the argument, or off by it. */
bool lb_write_number(lb_fault_run *run)
{
    lb_tensor *t = lb_write_begin(run);
    if (!t)
        return false;
    lb_how how = (lb_how)run->fault->kind->does.how;
    int32_t n = run->fault->argument;
    uint32_t field = run->fault->kind->fields;
    if (field == LB_FIELD_FRAC ? !lb_is_fx(t->el_type) : !lb_is_sa(t->el_type) || t->sa.dim >= 0)
        return false;
    if (field == LB_FIELD_FRAC)
        t->frac_bits = (int8_t)lb_number_changed(how, n, t->frac_bits, n);
    else if (field == LB_FIELD_SCALE)
        t->sa.scale.mem.i16 = (int16_t)n;
    else if (field == LB_FIELD_ZERO)
        t->sa.zero_point.mem.i16 = (int16_t)n;
    else
        t->sa.scale_frac_bits.mem.i8 = (int8_t)n;
    return lb_write_differs(run);
}

/* Strides of a packed tensor; LB_MIRRORED: whose first dimension is the innermost. */
bool lb_write_packed_strides(lb_fault_run *run)
{
    lb_tensor *t = lb_write_begin(run);
    if (!t)
        return false;
    int32_t stride = 1;
    for (uint32_t i = 0; t->rank <= LB_MAX_RANK && i < t->rank; i++) {
        uint32_t d = run->fault->kind->does.how == LB_MIRRORED ? i : t->rank - 1 - i;
        t->mem_stride[d] = stride;
        stride = (int32_t)((uint32_t)stride * t->shape[d]);
    }
    return lb_write_differs(run);
}

/* A loop over dimensions that ends one too early. */
bool lb_write_last_dims_kept(lb_fault_run *run)
{
    lb_tensor *t = lb_write_begin(run);
    if (!t)
        return false;
    const lb_tensor *given = &run->before->tensors[run->fault->role][0];
    if (t->rank < 1 || t->rank > LB_MAX_RANK)
        return false;
    t->shape[t->rank - 1] = given->shape[t->rank - 1];
    return lb_write_differs(run);
}

/* A number of the configuration that is filled, and the number that is returned: by the operator;
 * LB_AS_OTHER: as it was given. */
bool lb_write_config(lb_fault_run *run)
{
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    const lb_number_edit *does = &run->fault->kind->does;
    lb_config_kind kind = lb_filled_config(run->test_case->kernel);
    const lb_config_field *field = &lb_config_fields(kind)[run->fault->argument];
    lb_config *config = &run->out->call.config;
    bool changed = false;
    for (unsigned i = 0; i < field->count; i++) {
        const int64_t v = lb_config_get(config, field, i),
                      given = lb_config_get(&run->before->call.config, field, i);
        lb_config_set(config, field, i,
                      lb_number_changed((lb_how)does->how, does->number, v, given));
        changed |= lb_config_get(config, field, i) != v;
    }
    return changed;
}

bool lb_write_returned(lb_fault_run *run)
{
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    const lb_number_edit *does = &run->fault->kind->does;
    int64_t n = does->number ? does->number : run->fault->argument;
    int64_t v = run->right->call.return_value;
    run->out->call.return_value = lb_number_changed((lb_how)does->how, n, v, 0);
    return run->out->call.return_value != v;
}

/* ---- Places ---- */

bool lb_writes_fields(const lb_kernel *kernel)
{
    if (lb_pattern_of(kernel) == LB_PATTERN_MOVEMENT)
        return kernel->config_kind == LB_CONFIG_MOV;
    return lb_families[kernel->family].written != LB_WRITTEN_NONE;
}

/* Spec: elementwise.md 10, recurrent.md 4 and 6, pooling_and_movement.md 2.3, 3 and 4.1. Fields of
 * a table are none of a tensor's. Of helpers: numerics.md 8.2 to 8.4; views share the lists of
 * parameters with their tensor. */
static uint32_t written_by(const lb_kernel *kernel)
{
    enum {
        LISTED = LB_FIELDS_FORMAT | LB_FIELD_LISTS,
        MOVED = LISTED | LB_FIELDS_LAYOUT | LB_FIELD_TYPE,
        VIEW = LB_FIELDS_FORMAT | LB_FIELD_RANK | LB_FIELD_SHAPE | LB_FIELD_TYPE |
               LB_FIELD_CAPACITY | LB_FIELD_DATA
    };
    static const uint32_t fields[] = {[LB_WRITTEN_FORMAT] = LB_FIELDS_FORMAT,
                                      [LB_WRITTEN_FORMAT_AND_LISTS] = LISTED,
                                      [LB_WRITTEN_LAYOUT] = LB_FIELDS_LAYOUT,
                                      [LB_WRITTEN_OWN] = 0};
    const bool is_helper = lb_pattern_of(kernel) == LB_PATTERN_HELPER;
    return lb_pattern_of(kernel) == LB_PATTERN_MOVEMENT          ? MOVED
           : kernel->config_kind == LB_CONFIG_SUB_TENSOR         ? VIEW | LB_FIELD_STRIDES
           : kernel->config_kind == LB_CONFIG_POINT_TO_SUBTENSOR ? VIEW
           : is_helper                                           ? LB_FIELD_STRIDES
                       : fields[lb_families[kernel->family].written];
}

/* What a tensor of the role's type has. */
static uint32_t fields_of_type(const lb_kernel *kernel, int role)
{
    uint32_t type = lb_type_of_role(kernel, role);
    if (type == 0 || lb_pattern_of(kernel) == LB_PATTERN_CODES)
        return UINT32_MAX;
    return lb_is_sa(type) ? ~(uint32_t)LB_FIELD_FRAC : ~(uint32_t)(LB_FIELDS_SA | LB_FIELD_LISTS);
}

uint32_t lb_fields_written(const lb_kernel *kernel, int role)
{
    return lb_writes_fields(kernel) ? written_by(kernel) & fields_of_type(kernel, role) : 0;
}

/* Fields of the output that are those of the input in every call: the function makes them so, or
 * its checks ask for it. */
static uint32_t always_as_input(const lb_kernel *kernel)
{
    enum { SHAPED = LB_FIELD_RANK | LB_FIELD_SHAPE };
    static const uint32_t fields[LB_PATTERN_COUNT] = {
        [LB_PATTERN_LIMITS] = SHAPED | LB_FIELDS_FORMAT,
        [LB_PATTERN_CURVE] = SHAPED,
        [LB_PATTERN_GROUP] = SHAPED,
        [LB_PATTERN_POOL] = LB_FIELD_RANK | LB_FIELDS_FORMAT, /* where it writes any */
        [LB_PATTERN_ORDER] = LB_FIELD_FRAC,
        [LB_PATTERN_MOVEMENT] = LB_FIELD_RANK | LB_FIELD_TYPE | LB_FIELD_FRAC,
        [LB_PATTERN_HELPER] = LB_FIELD_TYPE | LB_FIELDS_FORMAT};
    if (kernel->config_kind == LB_CONFIG_SUB_TENSOR)
        return LB_FIELD_TYPE | LB_FIELD_FRAC;
    return fields[lb_pattern_of(kernel)];
}

bool lb_field_fault_sits_in(const lb_fault_kind *kind, const lb_kernel *kernel, int role)
{
    lb_role_use use = lb_fault_role_use(kernel, role);
    if (!lb_writes_fields(kernel) || !kernel->exact ||
        (use != LB_USE_OUTPUT && use != LB_USE_INOUT))
        return false;
    if (lb_is_recurrent(kernel) && role == LB_ROLE_CELL)
        return false; /* its elements are written, and no field (recurrent.md 6) */
    switch (kind->way) {
    case LB_WAY_KEPT:
        return (kind->fields & lb_fields_written(kernel, role)) != 0;
    case LB_WAY_INPUT: /* a tensor that is written in place has no other */
        return use == LB_USE_OUTPUT &&
               (kind->fields & fields_of_type(kernel, role) & ~always_as_input(kernel)) != 0;
    case LB_WAY_NONE:
        break;
    }
    return true;
}

LB_PLACES_OF(, lb_places_field_outputs, lb_field_fault_sits_in(at->kind, kernel, at->role),
             .role = LB_ANY_ROLE)

enum { MOST_FIELDS = 16 };

/* A field of what the function fills: dim is which configuration that is. */
static bool is_filled(const lb_kernel *kernel, const lb_fault *at)
{
    const lb_config_field *f = lb_config_fields(lb_filled_config(kernel));
    int32_t count = 0;
    while (f[count].name)
        count++;
    return at->dim == (int)lb_filled_config(kernel) && at->argument < count;
}

LB_PLACES_OF(, lb_places_filled_config, is_filled(kernel, at), .dim = {0, LB_CONFIG_KIND_COUNT - 1},
             .most = MOST_FIELDS)

/* Numbers of a table but its type; of these the last, output_offset, is 0. */
static bool is_number_of_table(const lb_kernel *kernel, const lb_fault *at)
{
    const bool is_changed = at->kind->does.how != LB_AS_ZERO && at->kind->does.how != LB_NEGATED;
    return is_filled(kernel, at) && at->argument > 0 &&
           (is_changed || lb_config_fields(LB_CONFIG_LUT)[at->argument].offset !=
                              offsetof(lb_config, lut_output_offset));
}

LB_PLACES_OF(, lb_places_table_numbers, is_number_of_table(kernel, at),
             .dim = {LB_CONFIG_LUT, LB_CONFIG_LUT}, .most = MOST_FIELDS)

/* The function returns a number, and does nothing else. */
static bool returns_number(const lb_kernel *kernel)
{
    return !kernel->returns_status && lb_filled_config(kernel) == LB_CONFIG_NONE &&
           lb_fault_role_use(kernel, LB_ROLE_IN) != LB_USE_INOUT &&
           !lb_writes_data(kernel, LB_ROLE_OUT);
}

LB_NUMBERS(lb_places_returned, returns_number(kernel), 0)

/* Sizes of elements, comparisons and guard bits fit a byte. */
LB_NUMBERS(lb_places_returned_large,
           returns_number(kernel) && kernel->config_kind != LB_CONFIG_NONE, 0)
