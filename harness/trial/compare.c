/* Finding differences: see compare.h. */
#include "harness/trial/compare.h"
#include "harness/port_kit/lb_kit_wire.h"
#include "harness/trial/difference_map.h"
#include "harness/trial/receptive_field.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Texts ---- */

lb_difference *lb_findings_add(lb_findings *f, lb_differs what, const char *role)
{
    static lb_difference overflow;
    lb_difference *d = f->count < LB_MAX_DIFFERENCES ? &f->differences[f->count] : &overflow;
    *d = (lb_difference){.oracle = f->oracle,
                         .what = what,
                         .role = role,
                         .field = "",
                         .index = "",
                         .operands = "",
                         .expected = "",
                         .got = "",
                         .count = 1,
                         .total = 1};
    f->count++;
    return d;
}

char *lb_container_text(lb_arena *arena, uint32_t el_type, int32_t value)
{
    unsigned bytes = lb_storage_bytes(el_type);
    uint32_t bits = (uint32_t)value;
    if (el_type == LB_FP32) {
        float real;
        memcpy(&real, &value, sizeof real);
        return lb_arena_printf(arena, "%.9g (0x%08x)", (double)real, bits);
    }
    if (bytes == 1)
        return lb_arena_printf(arena, "%d (0x%02x)", value, bits & 0xff);
    if (bytes == 2)
        return lb_arena_printf(arena, "%d (0x%04x)", value, bits & 0xffff);
    return lb_arena_printf(arena, "%d (0x%08x)", value, bits);
}

static char *index_text(lb_arena *arena, const uint32_t *index, unsigned rank)
{
    char text[64] = "";
    size_t length = 0;
    for (unsigned d = 0; d < rank; d++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%u", d ? "," : "", index[d]);
    return lb_arena_strdup(arena, text);
}

static const char *role_text(lb_arena *arena, const lb_call_memory *memory, lb_role role,
                             unsigned list_index)
{
    if (!memory->test_case->operand[role].is_list)
        return lb_role_name(role);
    return lb_arena_printf(arena, "%s[%u]", lb_role_name(role), list_index);
}

static void compare_status(lb_findings *f, int expected, int got)
{
    if (expected == got)
        return;
    lb_difference *d = lb_findings_add(f, LB_DIFFERS_STATUS, "");
    d->expected = lb_arena_printf(f->arena, "%s (%d)", lb_status_name(expected), expected);
    d->got = lb_arena_printf(f->arena, "%s (%d)", lb_status_name(got), got);
}

static void compare_return(lb_findings *f, int64_t expected, int64_t got)
{
    if (expected == got)
        return;
    lb_difference *d = lb_findings_add(f, LB_DIFFERS_RETURN, "");
    d->expected = lb_arena_printf(f->arena, "%lld", (long long)expected);
    d->got = lb_arena_printf(f->arena, "%lld", (long long)got);
}

typedef struct field_target {
    lb_findings *findings;
    const char *role;
} field_target;

static void add_field(void *user, const char *field, const char *expected, const char *got)
{
    field_target *target = user;
    lb_difference *d = lb_findings_add(target->findings, LB_DIFFERS_FIELD, target->role);
    d->field = field;
    d->expected = lb_arena_strdup(target->findings->arena, expected);
    d->got = lb_arena_strdup(target->findings->arena, got);
}

/* Fields of a struct that the function fills: a movement configuration, a table. */
static void compare_config(lb_findings *f, lb_config_kind kind, const lb_config *expected,
                           const lb_config *got)
{
    for (const lb_config_field *field = lb_config_fields(kind); field->name; field++)
        for (unsigned i = 0; i < field->count; i++) {
            const int64_t want = lb_config_get(expected, field, i);
            const int64_t have = lb_config_get(got, field, i);
            if (want == have)
                continue;
            lb_difference *d = lb_findings_add(f, LB_DIFFERS_CONFIG, "");
            d->field = field->count == 1 ? field->name
                                         : lb_arena_printf(f->arena, "%s[%u]", field->name, i);
            d->expected = lb_arena_printf(f->arena, "%" PRId64, want);
            d->got = lb_arena_printf(f->arena, "%" PRId64, have);
        }
}

/* ---- Data ---- */

int32_t lb_read_container(const unsigned char *at, unsigned bytes)
{
    int8_t v8 = 0;
    int16_t v16 = 0;
    int32_t v32 = 0;
    if (bytes == 1)
        return memcpy(&v8, at, 1), v8;
    if (bytes == 2)
        return memcpy(&v16, at, 2), v16;
    return memcpy(&v32, at, 4), v32;
}

lb_values lb_read_elements(const unsigned char *base, const lb_layout *layout, lb_arena *arena)
{
    lb_values values = {.count = lb_layout_count(layout)};
    values.items = lb_arena_array(arena, values.count, sizeof *values.items);
    for (size_t i = 0; i < values.count; i++)
        values.items[i] =
            lb_read_container(base + lb_layout_offset(layout, i), layout->element_bytes);
    return values;
}

/* The first of `count` differing elements, described. */
static void add_data(lb_findings *f, lb_role role, const lb_layout *layout, uint32_t el_type,
                     size_t flat, int32_t expected, int32_t got, uint64_t count, uint64_t total)
{
    uint32_t index[LB_MAX_RANK] = {0};
    const lb_case_operand *operand = &f->memory->test_case->operand[role];
    size_t rest = flat;
    for (unsigned d = layout->rank; d-- > 0;) {
        index[d] = (uint32_t)(rest % layout->shape[d]);
        rest /= layout->shape[d];
    }
    lb_difference *d = lb_findings_add(f, LB_DIFFERS_DATA, lb_role_name(role));
    d->index = index_text(f->arena, index, layout->rank);
    if (role == LB_ROLE_OUT && !operand->tensors[0].has_buffer_elements)
        d->operands = lb_operands_text(f->memory->test_case, index, layout->rank, f->arena);
    d->expected = lb_container_text(f->arena, el_type, expected);
    d->got = lb_container_text(f->arena, el_type, got);
    d->count = count;
    d->total = total;
}

lb_element_view lb_recorded_view(const lb_instance *instance, lb_role role,
                                 const lb_changed *changed, const lb_fields *expected)
{
    const lb_case_tensor *t = &instance->memory->test_case->operand[role].tensors[0];
    lb_element_view view = {.el_type = t->type, .layout = lb_layout_of(t)};
    const lb_tensor *tensor = &instance->tensors[role][0];
    if (changed && changed->has_data_in && expected->data.kind == LB_PLACE_BUFFER) {
        view.el_type = expected->el_type;
        view.layout = (lb_layout){.rank = expected->rank,
                                  .element_bytes = lb_storage_bytes(expected->el_type)};
        int64_t dense = 1;
        for (unsigned d = expected->rank; d-- > 0;) {
            view.layout.shape[d] = expected->shape[d];
            view.layout.stride[d] = changed->has_mem_stride ? expected->mem_stride[d] : dense;
            dense *= expected->shape[d];
        }
        view.base = instance->block + instance->memory->buffers[expected->data.buffer].offset +
                    expected->data.offset_bytes;
    } else if (t->has_data_in && !t->null_data) {
        short buffer =
            instance->memory->buffer_of[t->data_in.role][t->data_in.list_index][LB_BUFFER_DATA];
        const lb_case_tensor *from =
            &instance->memory->test_case->operand[t->data_in.role].tensors[t->data_in.list_index];
        if (buffer >= 0)
            view.base = instance->block + instance->memory->buffers[buffer].offset +
                        t->data_in.start * lb_storage_bytes(from->type);
    } else if (t->rank == 0) {
        view.base = (const unsigned char *)&tensor->data.mem;
    } else {
        short buffer = instance->memory->buffer_of[role][0][LB_BUFFER_DATA];
        if (buffer >= 0)
            view.base = instance->block + instance->memory->buffers[buffer].offset;
    }
    return view;
}

bool lb_view_is_inside(const lb_instance *instance, const lb_element_view *view)
{
    size_t count = lb_layout_count(&view->layout);
    const unsigned char *end = instance->block + instance->memory->block_bytes;
    if (count == 0)
        return true;
    if (view->base < instance->block || view->base >= end)
        return view->layout.rank == 0;
    return lb_layout_offset(&view->layout, count - 1) + view->layout.element_bytes <=
           (size_t)(end - view->base);
}

/* The two values of an element, from wherever both sides lie. */
typedef struct map_source {
    const lb_layout *layout;
    const int32_t *recorded; /* NULL: the expected values lie in `want` */
    const unsigned char *want, *have;
} map_source;

static void read_pair(const void *user, size_t flat, int32_t *expected, int32_t *got)
{
    const map_source *source = user;
    size_t offset = lb_layout_offset(source->layout, flat);
    *expected = source->recorded
                    ? source->recorded[flat]
                    : lb_read_container(source->want + offset, source->layout->element_bytes);
    *got = lb_read_container(source->have + offset, source->layout->element_bytes);
}

static void draw_map(lb_findings *f, lb_role role, const map_source *source)
{
    if (f->pictured)
        lb_difference_map_draw(f->pictured, lb_role_name(role), source->layout, read_pair, source,
                               role == LB_ROLE_OUT ? f->memory->test_case : NULL, f->arena);
}

static void compare_recorded_data(lb_findings *f, lb_role role, const lb_values *values,
                                  const lb_element_view *view)
{
    uint64_t differ = 0;
    size_t first = 0, count = values->count < lb_layout_count(&view->layout)
                                  ? values->count
                                  : lb_layout_count(&view->layout);
    for (size_t i = 0; i < count; i++) {
        const unsigned char *at = view->base + lb_layout_offset(&view->layout, i);
        if (lb_read_container(at, view->layout.element_bytes) == values->items[i])
            continue;
        if (differ++ == 0)
            first = i;
    }
    if (differ == 0)
        return;
    add_data(f, role, &view->layout, view->el_type, first, values->items[first],
             lb_read_container(view->base + lb_layout_offset(&view->layout, first),
                               view->layout.element_bytes),
             differ, count);
    if (count == lb_layout_count(&view->layout))
        draw_map(
            f, role,
            &(map_source){.layout = &view->layout, .recorded = values->items, .have = view->base});
}

/* New contents of the output's own quantization arrays. */
static void compare_recorded_list(lb_findings *f, const lb_instance *got, lb_role role, int param,
                                  const lb_values *values)
{
    short buffer = got->memory->buffer_of[role][0][lb_param_buffer(param)];
    unsigned bytes = lb_params[param].bytes;
    if (buffer < 0)
        return;
    for (size_t i = 0;
         i < values->count && (i + 1) * bytes <= got->memory->buffers[buffer].size_bytes; i++) {
        int32_t have =
            lb_read_container(got->block + got->memory->buffers[buffer].offset + i * bytes, bytes);
        if (have == values->items[i])
            continue;
        lb_difference *d = lb_findings_add(f, LB_DIFFERS_FIELD, lb_role_name(role));
        d->field = lb_arena_printf(f->arena, "%s[%zu]", lb_params[param].name, i);
        d->expected = lb_arena_printf(f->arena, "%d", values->items[i]);
        d->got = lb_arena_printf(f->arena, "%d", have);
        return;
    }
}

/* After a failed call some functions may have written fields of out that expectations do not speak
 * of (numerics.md 10, pooling_and_movement.md 7). */
static bool fields_are_open(const lb_case *c, bool has_status, lb_status status)
{
    return has_status && status != LB_OK && c->kernel &&
           (lb_pattern_of(c->kernel) == LB_PATTERN_MOVEMENT ||
            lb_pattern_of(c->kernel) == LB_PATTERN_HELPER);
}

static void compare_recorded_output(lb_findings *f, const lb_expect *expect, const lb_instance *got,
                                    lb_role role, const lb_fields *given)
{
    const lb_changed *changed = expect->has_changed[role] ? &expect->changed[role] : NULL;
    lb_fields expected = lb_fields_expected(given, changed, got);
    if (expect->has_output[role]) {
        lb_element_view view = lb_recorded_view(got, role, changed, &expected);
        if (view.base && lb_view_is_inside(got, &view))
            compare_recorded_data(f, role, &expect->output[role], &view);
    }
    for (int p = 0; changed && p < LB_PARAMS; p++)
        if (changed->param[p].has && changed->param[p].is_list)
            compare_recorded_list(f, got, role, p, &changed->param[p].values);
    if (fields_are_open(f->memory->test_case, expect->has_status, expect->status))
        return;
    lb_fields have = lb_fields_of(got, &got->tensors[role][0]);
    field_target target = {f, lb_role_name(role)};
    lb_fields_compare(f->memory, &expected, &have, add_field, &target);
}

void lb_compare_recorded(lb_findings *f, const lb_expect *expect, const lb_instance *got,
                         const lb_fields (*given)[LB_MAX_LIST])
{
    const lb_case *c = f->memory->test_case;
    if (expect->has_status)
        compare_status(f, (int)expect->status, (int)got->call.status);
    if (expect->has_return)
        compare_return(f, expect->return_value, got->call.return_value);
    if (expect->config)
        compare_config(f, lb_filled_config(got->call.kernel), expect->config, &got->call.config);
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (c->operand[role].present && c->operand[role].is_output)
            compare_recorded_output(f, expect, got, (lb_role)role, &given[role][0]);
}

/* ---- Exact model against port ---- */

/* Elements of an output that lie in this buffer, from `start` on, and differ: gives how many of
 * their bytes do. */
static uint64_t compare_elements(lb_findings *f, const lb_instance *exact, const lb_instance *port,
                                 const lb_buffer *buffer, lb_role role, size_t start)
{
    const lb_case_tensor *t = &f->memory->test_case->operand[role].tensors[0];
    lb_layout layout = lb_layout_of(t);
    const unsigned char *want = exact->block + buffer->offset + start,
                        *have = port->block + buffer->offset + start;
    uint64_t elements = 0, element_bytes = 0;
    size_t first = 0, count = lb_layout_count(&layout);
    for (size_t i = 0; i < count; i++) {
        size_t offset = lb_layout_offset(&layout, i);
        uint64_t differing = 0;
        for (unsigned b = 0; b < layout.element_bytes; b++)
            differing += want[offset + b] != have[offset + b];
        element_bytes += differing;
        if (differing && elements++ == 0)
            first = i;
    }
    if (elements > 0) {
        size_t offset = lb_layout_offset(&layout, first);
        add_data(f, role, &layout, t->type, first,
                 lb_read_container(want + offset, layout.element_bytes),
                 lb_read_container(have + offset, layout.element_bytes), elements, count);
        draw_map(f, role, &(map_source){.layout = &layout, .want = want, .have = have});
    }
    return element_bytes;
}

static uint64_t differing_bytes(const lb_instance *exact, const lb_instance *port,
                                const lb_buffer *buffer)
{
    uint64_t bytes = 0;
    for (size_t b = buffer->offset; b < buffer->offset + buffer->size_bytes; b++)
        bytes += exact->block[b] != port->block[b];
    return bytes;
}

/* One data buffer of an output in which the two blocks differ: elements first, then bytes between
 * them. */
static void compare_output_buffer(lb_findings *f, const lb_instance *exact, const lb_instance *port,
                                  const lb_buffer *buffer)
{
    uint64_t element_bytes = compare_elements(f, exact, port, buffer, buffer->role, 0);
    uint64_t all_bytes = differing_bytes(exact, port, buffer);
    if (all_bytes > element_bytes) {
        lb_difference *d = lb_findings_add(f, LB_DIFFERS_GAP, lb_role_name(buffer->role));
        d->count = all_bytes - element_bytes;
        d->total = buffer->size_bytes;
        d->expected = "bytes between the elements as the exact model leaves them";
        d->got = "other bytes";
    }
}

/* An output that the case puts into this buffer, which is another tensor's: in place. -1: none. */
static int output_in_place(const lb_instance *exact, unsigned buffer, size_t *start)
{
    const lb_case *c = exact->memory->test_case;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *operand = &c->operand[role];
        unsigned found = 0;
        if (operand->present && operand->is_output && operand->tensors[0].has_data_in &&
            operand->tensors[0].rank > 0 &&
            lb_instance_locate(exact, exact->tensors[role][0].data.mem.ptr, &found, start) &&
            found == buffer)
            return role;
    }
    return -1;
}

/* Do all elements of the output lie in the buffer, from `start` on? */
static bool fits_buffer(const lb_case *c, int role, const lb_buffer *buffer, size_t start)
{
    lb_layout layout = lb_layout_of(&c->operand[role].tensors[0]);
    size_t count = lb_layout_count(&layout);
    return layout.element_bytes > 0 && count > 0 &&
           start + lb_layout_offset(&layout, count - 1) + layout.element_bytes <=
               buffer->size_bytes;
}

static void compare_other_buffer(lb_findings *f, const lb_instance *exact, const lb_instance *port,
                                 const lb_buffer *buffer)
{
    static const char *const names[] = {"data", "scale", "zero_point", "scale_frac_bits",
                                        "scratch"};
    const unsigned char *want = exact->block + buffer->offset, *have = port->block + buffer->offset;
    uint64_t differ = 0;
    size_t first = 0;
    for (size_t b = 0; b < buffer->size_bytes; b++)
        if (want[b] != have[b] && differ++ == 0)
            first = b;
    lb_difference *d =
        lb_findings_add(f, buffer->is_output ? LB_DIFFERS_FIELD : LB_DIFFERS_INPUT,
                        role_text(f->arena, f->memory, buffer->role, buffer->list_index));
    d->field = names[buffer->kind];
    d->index = lb_arena_printf(f->arena, "byte %zu", first);
    d->expected = lb_arena_printf(f->arena, "0x%02x", want[first]);
    d->got = lb_arena_printf(f->arena, "0x%02x", have[first]);
    d->count = differ;
    d->total = buffer->size_bytes;
}

static void compare_buffers(lb_findings *f, const lb_instance *exact, const lb_instance *port)
{
    if (memcmp(exact->block, port->block, f->memory->block_bytes) == 0)
        return;
    for (unsigned b = 0; b < f->memory->buffer_count; b++) {
        const lb_buffer *buffer = &f->memory->buffers[b];
        if (memcmp(exact->block + buffer->offset, port->block + buffer->offset,
                   buffer->size_bytes) == 0)
            continue;
        if (buffer->kind == LB_BUFFER_SCRATCH)
            continue; /* what a call leaves in its scratch memory is its own affair */
        size_t start = 0;
        int in_place = buffer->kind == LB_BUFFER_DATA ? output_in_place(exact, b, &start) : -1;
        bool is_told = in_place >= 0 &&
                       fits_buffer(f->memory->test_case, in_place, buffer, start) &&
                       compare_elements(f, exact, port, buffer, (lb_role)in_place, start) ==
                           differing_bytes(exact, port, buffer);
        if (buffer->kind == LB_BUFFER_DATA && buffer->is_output && in_place < 0)
            compare_output_buffer(f, exact, port, buffer);
        else if (!is_told)
            compare_other_buffer(f, exact, port, buffer);
    }
}

void lb_compare_exact(lb_findings *f, const lb_instance *exact, const lb_instance *port)
{
    const lb_case *c = f->memory->test_case;
    if (!c->kernel)
        ; /* a sequence: its steps are compared by sequence.c */
    else if (c->kernel->returns_status)
        compare_status(f, (int)exact->call.status, (int)port->call.status);
    else
        compare_return(f, exact->call.return_value, port->call.return_value);
    if (c->kernel && exact->call.status == port->call.status)
        compare_config(f, lb_filled_config(c->kernel), &exact->call.config, &port->call.config);
    compare_buffers(f, exact, port);
    if (c->kernel && fields_are_open(c, c->kernel->returns_status, exact->call.status))
        return;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; c->operand[role].present && i < c->operand[role].count; i++) {
            lb_fields want = lb_fields_of(exact, &exact->tensors[role][i]);
            lb_fields have = lb_fields_of(port, &port->tensors[role][i]);
            field_target target = {f, role_text(f->arena, f->memory, (lb_role)role, i)};
            lb_fields_compare(f->memory, &want, &have, add_field, &target);
        }
}

/* ---- What nobody may touch ---- */

static void check_zone(lb_findings *f, const lb_instance *got, size_t start, size_t end,
                       const char *side, const lb_buffer *buffer)
{
    uint64_t touched = 0;
    size_t first = start;
    for (size_t b = start; b < end; b++)
        if (got->block[b] != f->memory->guard_fill && touched++ == 0)
            first = b;
    if (touched == 0)
        return;
    lb_difference *d =
        lb_findings_add(f, LB_DIFFERS_GUARD,
                        buffer->kind == LB_BUFFER_SCRATCH
                            ? "scratch"
                            : role_text(f->arena, f->memory, buffer->role, buffer->list_index));
    d->index = lb_arena_printf(f->arena, "%zu bytes %s the buffer of %zu bytes",
                               side[0] == 'b' ? buffer->offset - first
                                              : first - buffer->offset - buffer->size_bytes,
                               side, buffer->size_bytes);
    d->expected = lb_arena_printf(f->arena, "0x%02x, untouched", f->memory->guard_fill);
    d->got = lb_arena_printf(f->arena, "0x%02x", got->block[first]);
    d->count = touched;
    d->total = end - start;
}

/* What a port elsewhere left behind all buffers: that it wrote there is known, not what. */
static void check_behind(lb_findings *f, const lb_instance *got, const lb_buffer *buffer)
{
    if (got->wrote_behind == 0)
        return;
    lb_difference *d = lb_findings_add(
        f, LB_DIFFERS_GUARD, role_text(f->arena, f->memory, buffer->role, buffer->list_index));
    d->index = lb_arena_printf(f->arena, "more than %zu bytes after the buffer of %zu bytes",
                               f->memory->block_bytes - buffer->offset - buffer->size_bytes,
                               buffer->size_bytes);
    d->expected = "untouched";
    d->got = lb_arena_printf(f->arena, "changed within %zu bytes", got->wrote_behind);
    d->count = 1;
    d->total = got->wrote_behind;
}

/* The same in front of all. */
static void check_in_front(lb_findings *f, const lb_instance *got, const lb_buffer *buffer)
{
    if (got->wrote_in_front == 0)
        return;
    lb_difference *d = lb_findings_add(
        f, LB_DIFFERS_GUARD, role_text(f->arena, f->memory, buffer->role, buffer->list_index));
    d->index = lb_arena_printf(f->arena, "more than %zu bytes before the buffer of %zu bytes",
                               buffer->offset, buffer->size_bytes);
    d->expected = "untouched";
    d->got = lb_arena_printf(f->arena, "changed within %zu bytes", got->wrote_in_front);
    d->count = 1;
    d->total = got->wrote_in_front;
}

/* What a library has written beside a buffer that stands by itself. */
static void check_stray(lb_findings *f, const lb_instance *got)
{
    const lb_stray *s = &got->stray;
    if (s->count == 0)
        return;
    const lb_buffer *buffer = &f->memory->buffers[s->buffer];
    lb_difference *d =
        lb_findings_add(f, LB_DIFFERS_GUARD,
                        buffer->kind == LB_BUFFER_SCRATCH
                            ? "scratch"
                            : role_text(f->arena, f->memory, buffer->role, buffer->list_index));
    d->index = lb_arena_printf(f->arena, "%zu bytes %s the buffer of %zu bytes", s->distance - 1,
                               s->in_front ? "before" : "after", buffer->size_bytes);
    d->expected = "untouched";
    d->got = "written over";
    d->count = s->count;
    d->total = s->count;
}

/* Tables are the kit's, which has looked at them after the call. */
static void check_tables(lb_findings *f, const lb_instance *got)
{
    static const char *const names[] = {"sigm", "tanh", "softmax", "l2_normalize"};
    static const struct {
        unsigned bit;
        const char *where;
    } places[] = {{LB_WIRE_TABLE_ENTRIES, "entries"},
                  {LB_WIRE_TABLE_BEFORE, "bytes in front of it"},
                  {LB_WIRE_TABLE_BEHIND, "bytes behind it"},
                  {LB_WIRE_TABLE_FIELDS, "fields of its mli_lut"}};
    const unsigned which = got->table_found >> 16;
    const char *name = which < sizeof names / sizeof names[0] ? names[which] : "some";
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (!(got->table_found & places[i].bit))
            continue;
        lb_difference *d = lb_findings_add(f, LB_DIFFERS_GUARD, "table");
        d->index =
            lb_arena_printf(f->arena, "%s of the look-up table of %s", places[i].where, name);
        d->expected = "untouched";
        d->got = "written over";
        d->count = d->total = 1;
    }
}

/* The name of a word of a configuration. */
static const char *config_word_name(lb_arena *arena, lb_config_kind kind, uint32_t word)
{
    for (const lb_config_field *field = lb_config_fields(kind); field->name; field++) {
        if (word < field->count)
            return field->count == 1 ? field->name
                                     : lb_arena_printf(arena, "%s[%u]", field->name, word);
        word -= field->count;
    }
    return "scratch_data"; /* its memory, behind the fields of a recurrent cell */
}

/* Configurations are const: the kit has looked at its own after the call. */
static void check_config(lb_findings *f, const lb_instance *got)
{
    const uint32_t *changed = got->config_changed;
    const lb_kernel *kernel = f->memory->test_case->kernel;
    if (changed[0] == 0 || !kernel)
        return;
    lb_difference *d = lb_findings_add(f, LB_DIFFERS_CONFIG, "");
    d->field = config_word_name(f->arena, kernel->config_kind, changed[0] - 1);
    d->expected = lb_arena_printf(f->arena, "%d, as it was before the call", (int32_t)changed[1]);
    d->got = lb_arena_printf(f->arena, "%d", (int32_t)changed[2]);
}

void lb_compare_untouched(lb_findings *f, const lb_instance *got)
{
    const lb_call_memory *memory = f->memory;
    check_tables(f, got);
    check_stray(f, got);
    check_config(f, got);
    size_t cursor = 0;
    for (unsigned b = 0; b < memory->buffer_count; b++) {
        const lb_buffer *buffer = &memory->buffers[b];
        /* The zone is shared: its nearer half is blamed on this buffer, the farther on the one
         * before. */
        size_t middle = b == 0 ? cursor : cursor + (buffer->offset - cursor) / 2;
        if (b > 0)
            check_zone(f, got, cursor, middle, "after", &memory->buffers[b - 1]);
        check_zone(f, got, middle, buffer->offset, "before", buffer);
        cursor = buffer->offset + buffer->size_bytes;
    }
    if (memory->buffer_count == 0)
        return;
    const lb_buffer *last = &memory->buffers[memory->buffer_count - 1];
    check_zone(f, got, cursor, memory->block_bytes, "after", last);
    check_behind(f, got, last);
    check_in_front(f, got, &memory->buffers[0]);
}
