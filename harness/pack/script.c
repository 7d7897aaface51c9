/* Scripts of baked packs: see script.h. */
#include "harness/pack/script.h"
#include "harness/base/xalloc.h"
#include "harness/port/memory.h"
#include "harness/port/wire.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    RUN_BYTES = 20,    /* equal bytes in a row that are worth an operation of their own */
    NEAR_BYTES = 8,    /* equal bytes between two differences that are sent along */
    DATA_BYTES = 32768 /* most bytes of a DATA of the wire */
};

/* ---- Bytes ---- */

static void make_room(lb_pack_bytes *b, size_t more)
{
    while (b->room - b->count < more) {
        b->room = b->room ? 2 * b->room : 4096;
        b->at = lb_resized(b->at, b->room);
    }
}

void lb_pack_put(lb_pack_bytes *b, uint32_t value, unsigned width)
{
    make_room(b, width);
    for (unsigned i = 0; i < width; i++)
        b->at[b->count++] = (uint8_t)(value >> 8 * i & 0xFF);
}

void lb_pack_put_bytes(lb_pack_bytes *b, const void *from, size_t count)
{
    if (count == 0)
        return;
    make_room(b, count);
    memcpy(b->at + b->count, from, count);
    b->count += count;
}

void lb_pack_bytes_free(lb_pack_bytes *b)
{
    free(b->at);
    *b = (lb_pack_bytes){0};
}

static void put_words(lb_pack_bytes *b, const uint32_t *words, uint32_t count)
{
    make_room(b, 4 + 4 * (size_t)count);
    b->count = (size_t)(lb_wire_put_words(b->at + b->count, words, count) - b->at);
}

/* ---- Scripts ---- */

void lb_pack_script_clear(lb_pack_script *s)
{
    s->bytes.count = 0;
    s->operations = 0;
    s->device_known = false;
    memset(s->callback_names, 0, sizeof s->callback_names);
}

void lb_pack_script_free(lb_pack_script *s)
{
    lb_pack_bytes_free(&s->bytes);
    free(s->ends);
    free(s->device);
    free(s->raw);
}

static void end_operation(lb_pack_script *s)
{
    s->ends = lb_room_for_one(s->ends, s->operations, &s->operation_room, sizeof *s->ends);
    s->ends[s->operations++] = s->bytes.count;
}

size_t lb_pack_common(const lb_pack_script *const *scripts, size_t count)
{
    const lb_pack_script *first = scripts[0];
    size_t same = first->operations;
    for (size_t i = 1; i < count; i++) {
        const lb_pack_script *s = scripts[i];
        size_t agreed = 0;
        while (agreed < same && agreed < s->operations && s->ends[agreed] == first->ends[agreed])
            agreed++;
        while (agreed > 0 && memcmp(first->bytes.at, s->bytes.at, first->ends[agreed - 1]) != 0)
            agreed--;
        same = agreed;
    }
    return same > 0 ? first->ends[same - 1] : 0;
}

/* Number on the wire of a callback's name; 0: no room for more names. */
static uint32_t pack_script_callback(lb_pack_script *s, const char *name)
{
    for (uint32_t i = 0; name && i < LB_WIRE_CALLBACKS; i++) {
        if (!s->callback_names[i])
            s->callback_names[i] = name;
        if (strcmp(s->callback_names[i], name) == 0)
            return i + 1;
    }
    return 0;
}

/* ---- Before the call ---- */

static void put_fill(lb_pack_script *s, size_t offset, size_t bytes, uint8_t value)
{
    lb_pack_put(&s->bytes, LB_WIRE_FILL, 1);
    lb_pack_put(&s->bytes, (uint32_t)offset, 4);
    lb_pack_put(&s->bytes, (uint32_t)bytes, 4);
    lb_pack_put(&s->bytes, value, 1);
    end_operation(s);
}

static void put_data(lb_pack_script *s, size_t offset, size_t bytes)
{
    for (size_t now; bytes > 0; offset += now, bytes -= now) {
        now = bytes < DATA_BYTES ? bytes : DATA_BYTES;
        lb_pack_put(&s->bytes, LB_WIRE_DATA, 1);
        lb_pack_put(&s->bytes, (uint32_t)offset, 4);
        lb_pack_put(&s->bytes, (uint32_t)now, 2);
        lb_pack_put_bytes(&s->bytes, s->raw + offset, now);
        end_operation(s);
    }
}

/* A piece of memory that is not what the device has. */
static void put_piece(lb_pack_script *s, size_t from, size_t to)
{
    size_t data = from;
    for (size_t at = from; at < to;) {
        size_t run = lb_run_length(s->raw + at, to - at);
        if (run >= RUN_BYTES) {
            put_data(s, data, at - data);
            put_fill(s, at, run, s->raw[at]);
            data = at + run;
        }
        at += run;
    }
    put_data(s, data, to - data);
}

static size_t next_difference(const lb_pack_script *s, size_t at, size_t end)
{
    while (at < end && s->raw[at] == s->device[at])
        at++;
    return at;
}

/* From `at`, where the two differ, to where they are the same for a while. */
static size_t end_of_difference(const lb_pack_script *s, size_t at, size_t end)
{
    for (size_t next = at; next < end; next = next_difference(s, at, end)) {
        if (next > at + NEAR_BYTES)
            break;
        at = next + 1;
    }
    return at;
}

static void put_memory(lb_pack_script *s, const lb_instance *instance)
{
    size_t bytes = instance->memory->block_bytes;
    if (bytes > s->device_room) {
        s->device = lb_resized(s->device, bytes);
        s->raw = lb_resized(s->raw, bytes);
        s->device_room = bytes;
    }
    lb_memory_to_port(instance, s->big_endian, s->raw);
    if (!s->device_known) {
        put_fill(s, 0, bytes, LB_GUARD_FILL);
        memset(s->device, LB_GUARD_FILL, bytes);
        s->device_known = true;
    }
    for (size_t at = 0; (at = next_difference(s, at, bytes)) < bytes;) {
        size_t end = end_of_difference(s, at, bytes);
        put_piece(s, at, end);
        at = end;
    }
    memcpy(s->device, s->raw, bytes);
}

static void put_tensors(lb_pack_script *s, const lb_port_request *r)
{
    uint32_t words[LB_WIRE_T_WORDS];
    unsigned slot = 0;
    for (unsigned a = 0; a < r->argument_count; a++)
        for (unsigned i = 0; i < r->arguments[a].count; i++, slot++) {
            lb_tensor_to_words(&r->arguments[a].tensors[i],
                               &(lb_wire_block){.block = r->instance->block,
                                                .bytes = r->instance->memory->block_bytes},
                               words);
            lb_pack_put(&s->bytes, LB_WIRE_TENSOR, 1);
            lb_pack_put(&s->bytes, slot, 1);
            put_words(&s->bytes, words, LB_WIRE_T_WORDS);
            end_operation(s);
        }
}

void lb_pack_script_call(lb_pack_script *s, lb_port_request *r)
{
    unsigned slot = 0;
    if (r->callback)
        r->more[LB_WIRE_M_CALLBACK] = pack_script_callback(s, r->callback);
    if (r->scratch_word >= 0 && r->scratch)
        r->config[r->scratch_word] =
            (uint32_t)((const unsigned char *)r->scratch - r->instance->block) + 1;
    put_memory(s, r->instance);
    put_tensors(s, r);
    lb_pack_put(&s->bytes, LB_WIRE_CALL, 1);
    lb_pack_put(&s->bytes, r->function, 2);
    lb_pack_put(&s->bytes, r->config_is_null ? LB_WIRE_CONFIG_NULL : 0, 1);
    put_words(&s->bytes, r->config, LB_WIRE_CONFIG_WORDS);
    put_words(&s->bytes, r->more, LB_WIRE_M_WORDS);
    lb_pack_put(&s->bytes, r->argument_count, 1);
    for (unsigned a = 0; a < r->argument_count; a++) {
        lb_pack_put(&s->bytes, r->arguments[a].role, 1);
        lb_pack_put(&s->bytes, slot, 1);
        lb_pack_put(&s->bytes, r->arguments[a].count, 1);
        slot += r->arguments[a].count;
    }
    end_operation(s);
}

/* ---- After the call ---- */

static void put_result(lb_pack_script *s, const lb_port_request *r, uint32_t care)
{
    lb_pack_put(&s->bytes, LB_PACK_RESULT, 1);
    lb_pack_put(&s->bytes, care, 4);
    put_words(&s->bytes, r->result, LB_WIRE_R_WORDS);
    for (unsigned i = 0; i < r->result[LB_WIRE_R_CALLBACKS] && i < LB_WIRE_CALLBACKS; i++) {
        lb_pack_put(&s->bytes, pack_script_callback(s, r->callbacks[i].name), 1);
        lb_pack_put(&s->bytes, (uint32_t)r->callbacks[i].cookie, 4);
    }
    end_operation(s);
}

/* A quantization parameter: its place where there is an axis, else its value; never its capacity.
 */
static uint32_t parameter(bool per_axis, unsigned word, int32_t value, uint32_t *words)
{
    if (per_axis)
        return words[word + 1] != LB_WIRE_VALUE ? 1u << (word + 1) : 0;
    words[word + 2] = (uint32_t)value;
    return 1u << (word + 2);
}

/* Which words of a tensor count: those that a comparison on the host looks at (fields.c). */
static uint32_t care_of(const lb_tensor *t, uint32_t *words)
{
    uint32_t care = 1u << LB_WIRE_T_RANK | 1u << LB_WIRE_T_TYPE | 1u << LB_WIRE_T_DATA;
    for (unsigned d = 0; d < t->rank && d < LB_MAX_RANK; d++)
        care |= 1u << (LB_WIRE_T_SHAPE + d) | 1u << (LB_WIRE_T_STRIDE + d);
    if (words[LB_WIRE_T_DATA + 1] != LB_WIRE_VALUE)
        care |= 1u << (LB_WIRE_T_DATA + 1);
    else if (t->rank == 0)
        care |= 1u << (LB_WIRE_T_DATA + 2);
    if (lb_is_fx(t->el_type)) {
        words[LB_WIRE_T_FRAC_BITS] = (uint32_t)(int32_t)t->frac_bits;
        care |= 1u << LB_WIRE_T_FRAC_BITS;
    }
    if (!lb_is_sa(t->el_type))
        return care;
    bool per_axis = t->sa.dim >= 0;
    words[LB_WIRE_T_DIM] = per_axis ? (uint32_t)t->sa.dim : 0xFFFFFFFFu;
    care |= 1u << LB_WIRE_T_DIM | parameter(per_axis, LB_WIRE_T_SCALE, t->sa.scale.mem.i16, words) |
            parameter(per_axis, LB_WIRE_T_ZERO_POINT, t->sa.zero_point.mem.i16, words) |
            parameter(per_axis, LB_WIRE_T_SCALE_FRAC_BITS, t->sa.scale_frac_bits.mem.i8, words);
    return care;
}

static void put_fields(lb_pack_script *s, const lb_port_request *r)
{
    uint32_t words[LB_WIRE_T_WORDS];
    unsigned slot = 0;
    for (unsigned a = 0; a < r->argument_count; a++)
        for (unsigned i = 0; i < r->arguments[a].count; i++, slot++) {
            const lb_tensor *t = &r->arguments[a].tensors[i];
            lb_tensor_to_words(t,
                               &(lb_wire_block){.block = r->instance->block,
                                                .bytes = r->instance->memory->block_bytes},
                               words);
            uint32_t care = care_of(t, words);
            for (unsigned w = 0; w < LB_WIRE_T_WORDS; w++)
                if (!(care >> w & 1))
                    words[w] = 0;
            lb_pack_put(&s->bytes, LB_PACK_FIELDS, 1);
            lb_pack_put(&s->bytes, r->arguments[a].role, 1);
            lb_pack_put(&s->bytes, slot, 1);
            lb_pack_put(&s->bytes, care, 4);
            put_words(&s->bytes, words, LB_WIRE_T_WORDS);
            end_operation(s);
        }
}

/* A buffer whose bytes are told, or a stretch between such. */
typedef struct region {
    uint8_t role, width;
    size_t offset; /* of the region in the block */
} region;

static void put_where(lb_pack_script *s, uint32_t code, const region *g, size_t offset,
                      size_t bytes)
{
    lb_pack_put(&s->bytes, code, 1);
    lb_pack_put(&s->bytes, g->role, 1);
    lb_pack_put(&s->bytes, g->width, 1);
    lb_pack_put(&s->bytes, (uint32_t)((offset - g->offset) / g->width), 4);
    lb_pack_put(&s->bytes, (uint32_t)offset, 4);
    lb_pack_put(&s->bytes, (uint32_t)bytes, 4);
}

static void put_expected(lb_pack_script *s, const region *g, size_t from, size_t to)
{
    if (from == to)
        return;
    put_where(s, LB_PACK_DATA, g, from, to - from);
    lb_pack_put_bytes(&s->bytes, s->raw + from, to - from);
    end_operation(s);
}

static void put_crc(lb_pack_script *s, const region *g, size_t from, size_t to)
{
    if (from == to)
        return;
    put_where(s, LB_PACK_CRC, g, from, to - from);
    lb_pack_put(&s->bytes, (uint32_t)crc32(0, s->raw + from, (uInt)(to - from)), 4);
    end_operation(s);
}

static void put_buffer(lb_pack_script *s, const region *g, size_t bytes)
{
    size_t end = g->offset + bytes, data = g->offset;
    if (s->digests) {
        put_crc(s, g, g->offset, end);
        return;
    }
    for (size_t at = g->offset; at < end;) {
        size_t run = lb_run_length(s->raw + at, end - at) / g->width * g->width;
        if (run >= RUN_BYTES) {
            put_expected(s, g, data, at);
            put_where(s, LB_PACK_SAME, g, at, run);
            lb_pack_put(&s->bytes, s->raw[at], 1);
            end_operation(s);
            data = at + run;
        }
        at += run >= RUN_BYTES ? run : g->width < end - at ? g->width : end - at;
    }
    put_expected(s, g, data, end);
}

static uint8_t width_of(const lb_call_memory *memory, const lb_buffer *b)
{
    unsigned width = 1;
    if (b->kind == LB_BUFFER_DATA)
        width = lb_element_bytes(memory->test_case->operand[b->role].tensors[b->list_index].type);
    else if (b->kind == LB_BUFFER_SCALE || b->kind == LB_BUFFER_ZERO_POINT)
        width = 2;
    return (uint8_t)(width ? width : 1);
}

/* Outputs, and whatever else the call changed, are told; a CRC over all but the scratch memory says
 * that nothing else was touched. */
static void put_after(lb_pack_script *s, const lb_instance *instance)
{
    const lb_call_memory *memory = instance->memory;
    const region everything = {LB_WIRE_ROLES, 1, 0};
    size_t from = 0;
    lb_memory_to_port(instance, s->big_endian, s->raw);
    for (unsigned b = 0; b < memory->buffer_count; b++) {
        const lb_buffer *buffer = &memory->buffers[b];
        bool changed =
            memcmp(s->raw + buffer->offset, s->device + buffer->offset, buffer->size_bytes) != 0;
        region g = {lb_wire_role(buffer->role), width_of(memory, buffer), buffer->offset};
        if (buffer->kind != LB_BUFFER_SCRATCH && (buffer->is_output || changed))
            put_buffer(s, &g, buffer->size_bytes);
    }
    if (memory->scratch_buffer >= 0) {
        const lb_buffer *scratch = &memory->buffers[memory->scratch_buffer];
        put_crc(s, &everything, 0, scratch->offset);
        from = scratch->offset + scratch->size_bytes;
        /* What the call leaves there is its own affair, so the next one must not count on it. */
        memset(s->raw + scratch->offset, LB_EMPTY_FILL, scratch->size_bytes);
    }
    put_crc(s, &everything, from, memory->block_bytes);
    memcpy(s->device, s->raw, memory->block_bytes);
}

void lb_pack_script_result(lb_pack_script *s, const lb_port_request *r,
                           const lb_pack_expect *expect)
{
    put_result(s, r, expect->care);
    if (expect->config) {
        lb_pack_put(&s->bytes, LB_PACK_CONFIG, 1);
        put_words(&s->bytes, r->config_out, LB_WIRE_CONFIG_WORDS);
        end_operation(s);
    }
    if (expect->fields)
        put_fields(s, r);
    put_after(s, r->instance);
}
