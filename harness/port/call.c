/* One call over the wire: see call.h. Everything goes in as few frames as the port's payload
 * allows: one each way for a small case. */
#include "harness/port/call.h"
#include "harness/port/memory.h"
#include "harness/port/shared_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    RUN_BYTES = 24,    /* equal bytes in a row that are worth a FILL of their own */
    MOST_PENDING = 64, /* answers that one frame owes */
    LEAST_READ_BYTES =
        64, /* a READ of less waits for the next frame, if that is not the end of it */
    CALL_BYTES = 4 + 4 + 4 * LB_WIRE_CONFIG_WORDS + 4 + 4 * LB_WIRE_M_WORDS + 1 + 3 * LB_WIRE_ROLES,
    RESULT_BYTES = 8 + 4 * (LB_WIRE_R_WORDS + LB_WIRE_CONFIG_WORDS) + 5 * LB_WIRE_CALLBACKS,
    TENSOR_BYTES = 2 + 4 + 4 * LB_WIRE_T_WORDS
};

/* What the answer to the frame in the making will hold, in order. */
typedef enum owed_kind {
    OWED_RESULT,
    OWED_FIELDS,
    OWED_CRC,
    OWED_BEHIND, /* a CRC, of what stands behind the block */
    OWED_FRONT,  /* and in front of it */
    OWED_SLOT,   /* of all or a part of the slot of a buffer */
    OWED_BYTES
} owed_kind;

typedef struct owed {
    owed_kind kind;
    lb_tensor *tensor;
    size_t offset, bytes;
    uint8_t *to;          /* OWED_BYTES */
    size_t front, behind; /* OWED_SLOT: guard bytes around those of the buffer */
    unsigned buffer;
} owed;

/* Guard bytes on each side of a buffer that are looked at one by one. */
enum { NEAR_BYTES = LB_PAGE_BYTES };

typedef struct exchange {
    lb_port_line *line;
    lb_port_request *request;
    lb_wire_block place;       /* of the call's block */
    size_t behind_bytes;       /* of memory behind it that must stay as it is */
    size_t front_bytes;        /* and in front of it */
    uint8_t behind;            /* what stands there */
    unsigned char *shared;     /* the block, where the port has it; with fences: the shared memory;
                                  NULL: it goes over the wire */
    uint8_t *start, *at, *end; /* of the payload in the making */
    size_t answer_bytes;       /* that the answer will take at most */
    unsigned owed_count;
    owed owed[MOST_PENDING];
    bool failed, differs;         /* differs: a CRC is not what the bytes that came back make */
    bool touched[LB_MAX_BUFFERS]; /* the same, of the slot of a buffer */
} exchange;

void lb_port_line_free(lb_port_line *line)
{
    free(line->before);
    free(line->after);
    line->before = line->after = NULL;
    line->room_bytes = 0;
}

static bool make_room(lb_port_line *line, size_t bytes)
{
    if (bytes <= line->room_bytes)
        return true;
    lb_port_line_free(line);
    line->before = malloc(bytes);
    line->after = malloc(bytes);
    if (line->before && line->after)
        return line->room_bytes = bytes, true;
    lb_port_line_free(line);
    line->host_failed = true;
    snprintf(line->wire.failure, sizeof line->wire.failure, "out of memory for %zu bytes of a case",
             bytes);
    return false;
}

/* ---- Answers ---- */

static const uint8_t *take_result(exchange *x, const uint8_t *at, const uint8_t *end)
{
    lb_port_request *r = x->request;
    at = lb_wire_get_words(at, end, r->result, LB_WIRE_R_WORDS);
    if (at)
        at = lb_wire_get_words(at, end, r->config_out, LB_WIRE_CONFIG_WORDS);
    uint32_t count = r->result[LB_WIRE_R_CALLBACKS];
    r->callback_count = count < LB_WIRE_CALLBACKS ? count : LB_WIRE_CALLBACKS;
    if (!at || end - at < 5 * (ptrdiff_t)r->callback_count)
        return NULL;
    for (unsigned i = 0; i < r->callback_count; i++, at += 5)
        lb_note_callback(r, i, at[0], (int32_t)lb_wire_get32(at + 1), &x->line->callback_names);
    return at;
}

static const uint8_t *take_fields(exchange *x, const owed *o, const uint8_t *at, const uint8_t *end)
{
    uint32_t words[LB_WIRE_T_WORDS];
    at = lb_wire_get_words(at, end, words, LB_WIRE_T_WORDS);
    if (at)
        lb_tensor_from_words(o->tensor, &x->place, words);
    return at;
}

static const uint8_t *take_bytes(const owed *o, const uint8_t *at, const uint8_t *end)
{
    if (end - at < (ptrdiff_t)o->bytes)
        return NULL;
    memcpy(o->to, at, o->bytes);
    return at + o->bytes;
}

static const uint8_t *take_crc(exchange *x, const owed *o, const uint8_t *at, const uint8_t *end)
{
    if (end - at < 4)
        return NULL;
    /* The bytes that the port was asked for before have all come by now. */
    if (crc32(0, x->line->after + o->offset, (uInt)o->bytes) != lb_wire_get32(at))
        x->differs = true;
    return at + 4;
}

/* The CRC of so many equal bytes, behind others. */
static uint32_t crc_of_fill(uint32_t before, uint8_t value, size_t count)
{
    uint8_t bytes[256];
    uLong crc = before;
    memset(bytes, value, sizeof bytes);
    for (size_t now; count > 0; count -= now) {
        now = count < sizeof bytes ? count : sizeof bytes;
        crc = crc32(crc, bytes, (uInt)now);
    }
    return (uint32_t)crc;
}

static const uint8_t *take_zone(exchange *x, const owed *o, const uint8_t *at, const uint8_t *end)
{
    lb_instance *instance = x->request->instance;
    if (end - at < 4)
        return NULL;
    const size_t touched = crc_of_fill(0, x->behind, o->bytes) != lb_wire_get32(at) ? o->bytes : 0;
    if (o->kind == OWED_BEHIND)
        instance->wrote_behind = touched;
    else
        instance->wrote_in_front = touched;
    return at + 4;
}

static const uint8_t *take_slot(exchange *x, const owed *o, const uint8_t *at, const uint8_t *end)
{
    uint32_t crc = crc_of_fill(0, x->behind, o->front);
    if (end - at < 4)
        return NULL;
    crc = (uint32_t)crc32(crc, x->line->after + o->offset, (uInt)o->bytes);
    if (crc_of_fill(crc, x->behind, o->behind) != lb_wire_get32(at))
        x->touched[o->buffer] = x->differs = true;
    return at + 4;
}

static const uint8_t *take_one(exchange *x, const owed *o, const uint8_t *at, const uint8_t *end)
{
    switch (o->kind) {
    case OWED_RESULT:
        return take_result(x, at, end);
    case OWED_FIELDS:
        return take_fields(x, o, at, end);
    case OWED_CRC:
        return take_crc(x, o, at, end);
    case OWED_BEHIND:
    case OWED_FRONT:
        return take_zone(x, o, at, end);
    case OWED_SLOT:
        return take_slot(x, o, at, end);
    case OWED_BYTES:
        return take_bytes(o, at, end);
    }
    return NULL;
}

static void fail(exchange *x, const char *format, unsigned a, unsigned b)
{
    char *text = x->line->wire.failure;
    snprintf(text, sizeof x->line->wire.failure, format, a, b);
    x->failed = true;
}

static void take_answer(exchange *x, const lb_answer *answer)
{
    static const char *const refusals[] = {
        "", "the port calls operation %u malformed (answer of %u bytes)",
        ("the port says that operation %u reaches outside the memory it announced (answer of %u "
         "bytes)"),
        "the port does not provide what operation %u asks for (answer of %u bytes)",
        "the port has no room for the answer to operation %u (answer of %u bytes)"};
    const uint8_t *at = answer->payload, *end = at + answer->length;
    if (answer->length == 0 || at[0] >= sizeof refusals / sizeof refusals[0]) {
        fail(x, "an answer of %u bytes that begins with %u makes no sense", answer->length,
             answer->length ? at[0] : 0);
        return;
    }
    if (at[0] != LB_WIRE_DONE) {
        fail(x, refusals[at[0]], answer->length >= 3 ? lb_wire_get16(at + 1) : 0, answer->length);
        return;
    }
    at++;
    for (unsigned i = 0; i < x->owed_count && at; i++)
        at = take_one(x, &x->owed[i], at, end);
    if (at != end)
        fail(x,
             "wrong length: the answer has %u bytes, which does not fit the %u results that "
             "were expected",
             answer->length, x->owed_count);
}

/* ---- Requests ---- */

static void begin_frame(exchange *x)
{
    x->start = x->at = lb_wire_payload(&x->line->wire);
    x->end = x->start + x->line->wire.most_payload;
    x->answer_bytes = 1;
    x->owed_count = 0;
}

static void send_frame(exchange *x)
{
    lb_answer answer;
    if (!x->failed && x->at > x->start) {
        if (lb_wire_exchange(&x->line->wire, LB_WIRE_WORK, (uint32_t)(x->at - x->start),
                             x->line->deadline_ns, x->line->limit_seconds, &answer))
            take_answer(x, &answer);
        else
            x->failed = true;
    }
    begin_frame(x);
}

/* Room for an operation of so many bytes, and as many of its answer. */
static void reserve(exchange *x, size_t bytes, size_t answer_bytes)
{
    if ((size_t)(x->end - x->at) < bytes ||
        x->answer_bytes + answer_bytes > x->line->wire.most_payload ||
        x->owed_count == MOST_PENDING)
        send_frame(x);
}

static void put(exchange *x, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        *x->at++ = (uint8_t)(value >> 8 * i & 0xFF);
}

static void owe(exchange *x, owed o, size_t answer_bytes)
{
    x->owed[x->owed_count++] = o;
    x->answer_bytes += answer_bytes;
}

/* A place in the block, as the port numbers it; in front of it: modulo 2^32. */
static void put_offset(exchange *x, size_t offset)
{
    put(x, x->place.base + (uint32_t)offset, 4);
}

static void put_fill(exchange *x, size_t offset, size_t bytes, uint8_t value)
{
    reserve(x, 10, 0);
    put(x, LB_WIRE_FILL, 1);
    put_offset(x, offset);
    put(x, (uint32_t)bytes, 4);
    put(x, value, 1);
}

static void put_data(exchange *x, size_t offset, size_t bytes)
{
    while (bytes > 0 && !x->failed) {
        enum { HEAD = 7 };
        reserve(x, HEAD + (bytes < LEAST_READ_BYTES ? bytes : LEAST_READ_BYTES), 0);
        size_t room = (size_t)(x->end - x->at) - HEAD, now = bytes < room ? bytes : room;
        put(x, LB_WIRE_DATA, 1);
        put_offset(x, offset);
        put(x, (uint32_t)now, 2);
        memcpy(x->at, x->line->before + offset, now);
        x->at += now;
        offset += now;
        bytes -= now;
    }
}

/* Of the block: runs of equal bytes (guard zones, empty outputs) are told, the rest is sent. */
static void put_memory(exchange *x, size_t at, size_t bytes)
{
    const unsigned char *block = x->line->before;
    const size_t end = at + bytes;
    size_t data = at; /* start of what is to be sent as it is */
    while (at < end) {
        size_t run = lb_run_length(block + at, end - at);
        if (run >= RUN_BYTES) {
            put_data(x, data, at - data);
            put_fill(x, at, run, block[at]);
            data = at + run;
        }
        at += run;
    }
    put_data(x, data, end - data);
}

static void put_tensors(exchange *x)
{
    lb_port_request *r = x->request;
    uint32_t words[LB_WIRE_T_WORDS];
    unsigned slot = 0;
    for (unsigned a = 0; a < r->argument_count; a++)
        for (unsigned i = 0; i < r->arguments[a].count; i++, slot++) {
            lb_tensor_to_words(&r->arguments[a].tensors[i], &x->place, words);
            reserve(x, TENSOR_BYTES, 0);
            put(x, LB_WIRE_TENSOR, 1);
            put(x, slot, 1);
            x->at = lb_wire_put_words(x->at, words, LB_WIRE_T_WORDS);
        }
}

static void put_call(exchange *x)
{
    lb_port_request *r = x->request;
    unsigned slot = 0;
    reserve(x, CALL_BYTES, RESULT_BYTES);
    put(x, LB_WIRE_CALL, 1);
    put(x, r->function, 2);
    put(x, r->config_is_null ? LB_WIRE_CONFIG_NULL : 0, 1);
    x->at = lb_wire_put_words(x->at, r->config, LB_WIRE_CONFIG_WORDS);
    x->at = lb_wire_put_words(x->at, r->more, LB_WIRE_M_WORDS);
    put(x, r->argument_count, 1);
    for (unsigned a = 0; a < r->argument_count; a++) {
        put(x, r->arguments[a].role, 1);
        put(x, slot, 1);
        put(x, r->arguments[a].count, 1);
        slot += r->arguments[a].count;
    }
    owe(x, (owed){.kind = OWED_RESULT}, RESULT_BYTES);
}

static void ask_fields(exchange *x)
{
    lb_port_request *r = x->request;
    unsigned slot = 0;
    for (unsigned a = 0; a < r->argument_count; a++)
        for (unsigned i = 0; i < r->arguments[a].count; i++, slot++) {
            reserve(x, 2, TENSOR_BYTES);
            put(x, LB_WIRE_FIELDS, 1);
            put(x, slot, 1);
            owe(x, (owed){.kind = OWED_FIELDS, .tensor = &r->arguments[a].tensors[i]},
                TENSOR_BYTES);
        }
}

static void ask_bytes(exchange *x, size_t offset, size_t bytes, uint8_t *to)
{
    while (bytes > 0 && !x->failed) {
        reserve(x, 7, bytes < LEAST_READ_BYTES ? bytes : LEAST_READ_BYTES);
        size_t room = x->line->wire.most_payload - x->answer_bytes,
               now = bytes < room ? bytes : room;
        put(x, LB_WIRE_READ, 1);
        put_offset(x, offset);
        put(x, (uint32_t)now, 2);
        owe(x, (owed){.kind = OWED_BYTES, .bytes = now, .to = to}, now);
        to += now;
        offset += now;
        bytes -= now;
    }
}

static void ask_crc_as(exchange *x, owed o, size_t offset, size_t bytes)
{
    if (bytes == 0)
        return;
    reserve(x, 9, 4);
    put(x, LB_WIRE_CRC, 1);
    put_offset(x, offset);
    put(x, (uint32_t)bytes, 4);
    owe(x, o, 4);
}

static void ask_crc(exchange *x, owed_kind kind, size_t offset, size_t bytes)
{
    ask_crc_as(x, (owed){.kind = kind, .offset = offset, .bytes = bytes}, offset, bytes);
}

/* Scratch memory, which is the call's own affair, and where it ends; none: the end of the block. */
static size_t scratch_start(const lb_call_memory *memory, size_t *end)
{
    *end = memory->block_bytes;
    if (memory->scratch_buffer < 0)
        return *end;
    const lb_buffer *scratch = &memory->buffers[memory->scratch_buffer];
    *end = scratch->offset + scratch->size_bytes;
    return scratch->offset;
}

/* Outputs are read; that nothing else was touched is known from a CRC over all but the scratch
 * memory, which is the call's own affair. */
static void ask_memory(exchange *x, const lb_call_memory *memory)
{
    size_t from, end = scratch_start(memory, &from);
    for (unsigned b = 0; b < memory->buffer_count; b++)
        if (memory->buffers[b].is_output && memory->buffers[b].kind != LB_BUFFER_SCRATCH)
            ask_bytes(x, memory->buffers[b].offset, memory->buffers[b].size_bytes,
                      x->line->after + memory->buffers[b].offset);
    ask_crc(x, OWED_CRC, 0, end);
    ask_crc(x, OWED_CRC, from, memory->block_bytes - from);
    ask_crc(x, OWED_BEHIND, memory->block_bytes, x->behind_bytes);
    ask_crc(x, OWED_FRONT, (size_t)0 - x->front_bytes, x->front_bytes);
}

/* ---- Buffers in slots of an agent's memory ---- */

/* From here on places in the block are those of this buffer, where it stands now. */
static void go_to_slot(exchange *x, unsigned b)
{
    const lb_fences *fences = &x->line->fences;
    x->place.base =
        (uint32_t)(fences->place[b].at - x->place.front - x->place.memory->buffers[b].offset);
}

static void put_slots(exchange *x)
{
    const lb_fences *fences = &x->line->fences;
    for (unsigned b = 0; b < fences->count; b++) {
        const lb_buffer *buffer = &x->place.memory->buffers[b];
        const size_t front = lb_fences_front(fences, b),
                     behind = lb_fences_behind(fences, x->place.memory, b);
        go_to_slot(x, b);
        if (front > 0)
            put_fill(x, buffer->offset - front, front, x->behind);
        put_memory(x, buffer->offset, buffer->size_bytes);
        if (behind > 0)
            put_fill(x, buffer->offset + buffer->size_bytes, behind, x->behind);
    }
}

/* What was written into scratch memory is the call's own affair. */
static void ask_slot(exchange *x, unsigned b)
{
    const lb_buffer *buffer = &x->place.memory->buffers[b];
    const size_t front = lb_fences_front(&x->line->fences, b),
                 behind = lb_fences_behind(&x->line->fences, x->place.memory, b),
                 end = buffer->offset + buffer->size_bytes;
    owed o = {.kind = OWED_SLOT, .offset = buffer->offset, .front = front, .buffer = b};
    go_to_slot(x, b);
    if (buffer->kind == LB_BUFFER_SCRATCH) {
        ask_crc_as(x, o, buffer->offset - front, front);
        o.front = 0;
        o.behind = behind;
        ask_crc_as(x, o, end, behind);
        return;
    }
    if (buffer->is_output)
        ask_bytes(x, buffer->offset, buffer->size_bytes, x->line->after + buffer->offset);
    o.bytes = buffer->size_bytes;
    o.behind = behind;
    ask_crc_as(x, o, buffer->offset - front, front + buffer->size_bytes + behind);
}

/* Bytes beside a buffer, the nearest; what is further away is only known to be touched. */
static void look_beside(exchange *x, unsigned b, bool in_front)
{
    const lb_buffer *buffer = &x->place.memory->buffers[b];
    const size_t all = in_front ? lb_fences_front(&x->line->fences, b)
                                : lb_fences_behind(&x->line->fences, x->place.memory, b),
                 count = all < NEAR_BYTES ? all : NEAR_BYTES;
    uint8_t near[NEAR_BYTES];
    go_to_slot(x, b);
    ask_bytes(x, in_front ? buffer->offset - count : buffer->offset + buffer->size_bytes, count,
              near);
    send_frame(x);
    if (!x->failed)
        lb_fences_look(near, count, x->behind, in_front, b, &x->request->instance->stray);
}

/* The slots that are not as they should be: all that the buffers hold, and what lies beside. */
static void look_closer(exchange *x)
{
    lb_stray *stray = &x->request->instance->stray;
    for (unsigned b = 0; b < x->line->fences.count && !x->failed; b++) {
        const lb_buffer *buffer = &x->place.memory->buffers[b];
        if (!x->touched[b])
            continue;
        look_beside(x, b, true);
        look_beside(x, b, false);
        if (buffer->kind == LB_BUFFER_SCRATCH)
            continue;
        go_to_slot(x, b);
        ask_bytes(x, buffer->offset, buffer->size_bytes, x->line->after + buffer->offset);
        x->touched[b] = false;
        ask_slot(x, b);
        send_frame(x);
        if (x->touched[b] && stray->count == 0)
            x->request->instance->wrote_behind =
                lb_fences_behind(&x->line->fences, x->place.memory, b);
    }
}

/* The port forbids the gaps, if it can: then buffers stand between them. False: the line failed. */
static bool forbid_gaps(exchange *x)
{
    lb_port_line *line = x->line;
    size_t gaps[LB_PAGES_SLOTS + 1];
    const unsigned classes = lb_pages_classes_in(line->memory_bytes),
                   count = classes > 0 ? lb_pages_gaps(classes, gaps) : 0;
    const size_t front = LB_PAGES_START - line->memory_bytes % LB_PAGE_BYTES;
    line->pages_are_known = true;
    line->classes = 0;
    for (unsigned i = 0; i < count;) {
        uint8_t *at = lb_wire_payload(&line->wire), *start = at;
        lb_answer answer;
        /* The first alone: it may be refused. */
        for (unsigned now = 0; i < count && now < (i == now ? 1 : line->wire.most_payload / 9);
             now++, i++, at += 9) {
            at[0] = LB_WIRE_FORBID;
            lb_wire_put32(at + 1, (uint32_t)(gaps[i] - front));
            lb_wire_put32(at + 5, LB_PAGES_GAP);
        }
        if (!lb_wire_exchange(&line->wire, LB_WIRE_WORK, (uint32_t)(at - start), line->deadline_ns,
                              line->limit_seconds, &answer))
            return false;
        if (answer.length == 0 || answer.payload[0] != LB_WIRE_DONE)
            return true;
    }
    line->classes = classes;
    return true;
}

/* Both ends of buffers have their turn: by case and profile, the same in every run. Where calls are
 * made again, cases whose memory is alike have the same one: they meet in the same places. */
static bool is_at_ends(const lb_port_line *line, const lb_port_request *request)
{
    const char *id = request->instance->memory->test_case->id;
    const uint32_t by_case = line->turns > 0
                                 ? (uint32_t)(request->instance->memory->block_bytes / 64)
                                 : (uint32_t)crc32(0, (const Bytef *)id, (uInt)strlen(id));
    return (by_case + request->profile) % 2 == 0;
}

/* Of a call that is made again: where its buffers stand, and what around them. 0: the first time,
 * and the last: the next call finds its own buffers where these stood. */
static uint64_t draw_of(const lb_port_line *line, const char *case_id)
{
    uint64_t mixed = line->seed * 0x9E3779B97F4A7C15u + line->turn;
    if (line->turn == 0 || line->turn == line->turns)
        return 0;
    for (; *case_id; case_id++)
        mixed = (mixed ^ (unsigned char)*case_id) * 0x100000001B3u;
    mixed = (mixed ^ mixed >> 31) * 0xBF58476D1CE4E5B9u;
    return mixed | 1;
}

static void set_scratch(exchange *x)
{
    lb_port_request *r = x->request;
    if (r->scratch_word < 0 || !r->scratch || !r->instance)
        return;
    const size_t in_block = (size_t)((const unsigned char *)r->scratch - r->instance->block);
    r->config[r->scratch_word] =
        x->place.fences ? (uint32_t)(lb_fences_offset(x->place.fences, x->place.memory, in_block) -
                                     x->place.front) +
                              1
                        : x->place.base + (uint32_t)in_block + 1;
}

/* Zones on both sides that are looked at: as much as the port's memory has room for, and no more
 * than its line bears. */
static void choose_zones(exchange *x, size_t left, uint64_t draw)
{
    enum { ALIGN_BYTES = 64, SMALL_ZONE = 1 << 14, LARGE_ZONE = 1 << 16, LARGE_MEMORY = 1 << 24 };
    const size_t most = x->line->memory_bytes >= LARGE_MEMORY ? LARGE_ZONE : SMALL_ZONE,
                 pages = x->line->classes > 0 ? lb_pages_end(x->line->classes) - x->place.front : 0;
    left = left > pages ? left - pages : 0;
    x->front_bytes = (left / 2 < most ? left / 2 : most) / ALIGN_BYTES * ALIGN_BYTES;
    left -= x->front_bytes;
    const size_t places = left > 2 * most ? most / ALIGN_BYTES : 1,
                 further = (size_t)((draw >> 20) % places) * ALIGN_BYTES;
    x->place.base = (uint32_t)(pages + x->front_bytes + further);
    left -= further;
    x->behind_bytes = left < most ? left : most;
}

/* Each buffer between forbidden pages, where there are any for all of them. */
static bool choose_slots(exchange *x, uint64_t draw, unsigned classes)
{
    lb_port_line *line = x->line;
    if (!line->whole_block &&
        lb_fences_place(&line->fences, x->place.memory,
                        (lb_fences_wish){.at_ends = is_at_ends(x->line, x->request),
                                         .boundary = line->aligned ? 64 : 8,
                                         .draw = draw,
                                         .classes = classes}))
        x->place.fences = &line->fences;
    line->fenced = x->place.fences != NULL;
    line->fences.fill = x->behind;
    return line->fenced;
}

/* Where the block stands. Each buffer between forbidden pages; where there are none for all of
 * them, in the memory of a library at its very end, for whoever writes behind that is stopped by
 * the processor; elsewhere between zones that are looked at. */
static void choose_place(exchange *x)
{
    enum { ALIGN_BYTES = 64 };
    lb_port_line *line = x->line;
    const lb_instance *instance = x->request->instance;
    if (!instance)
        return;
    const size_t bytes = instance->memory->block_bytes;
    size_t left = line->memory_bytes > bytes ? line->memory_bytes - bytes : 0;
    x->place = (lb_wire_block){.block = instance->block,
                               .bytes = bytes,
                               .memory = instance->memory,
                               .front = LB_SHARED_BYTES - line->memory_bytes};
    const uint64_t draw = draw_of(line, instance->memory->test_case->id);
    x->behind = lb_guard_fill(draw != 0 ? draw : line->seed, instance->memory->test_case->id);
    if (!line->ends_guarded) {
        x->place.front = LB_PAGES_START - line->memory_bytes % LB_PAGE_BYTES;
        if (!choose_slots(x, draw, line->classes))
            choose_zones(x, left, draw);
        return;
    }
    x->place.base = (uint32_t)(left / ALIGN_BYTES * ALIGN_BYTES);
    x->behind_bytes = left - x->place.base;
    choose_slots(x, draw,
                 line->wire.link.memory_is_port && lb_pages_are_there() ? LB_PAGES_CLASSES : 0);
}

static void ask_all_but_scratch(exchange *x, const lb_call_memory *memory)
{
    size_t from, end = scratch_start(memory, &from);
    ask_bytes(x, 0, end, x->line->after);
    ask_bytes(x, from, memory->block_bytes - from, x->line->after + from);
}

/* ---- The block, over the wire or in memory that both sides see ---- */

/* Where the block stands in the memory that was given to the port's process: the kit takes what it
 * needs off its front. */
static unsigned char *place_in_shared(const exchange *x)
{
    const lb_port_line *line = x->line;
    unsigned char *memory = line->wire.link.memory;
    return memory + (LB_SHARED_BYTES - line->memory_bytes) + x->place.base;
}

/* Is the port's memory the shared one? What is written here must be seen there. */
static void ask_for_shared(lb_port_line *line)
{
    enum { BYTES = 64 };
    lb_answer answer;
    unsigned char *end = line->wire.link.memory + LB_SHARED_BYTES - BYTES;
    uint8_t *at = lb_wire_payload(&line->wire);
    line->shared_is_known = true;
    line->fences = (lb_fences){.count = 0};
    if (line->memory_bytes > LB_SHARED_KIT || line->big_endian != lb_memory_host_is_big())
        return;
    for (unsigned i = 0; i < BYTES; i++)
        end[i] = (unsigned char)(i * 37 + 11);
    at[0] = LB_WIRE_CRC;
    lb_wire_put32(at + 1, line->memory_bytes - BYTES);
    lb_wire_put32(at + 5, BYTES);
    line->wire.link.memory_is_port =
        lb_wire_exchange(&line->wire, LB_WIRE_WORK, 9, line->deadline_ns, line->limit_seconds,
                         &answer) &&
        answer.length == 5 && answer.payload[0] == LB_WIRE_DONE &&
        lb_wire_get32(answer.payload + 1) == crc32(0, end, BYTES);
}

static void give_memory(exchange *x, size_t bytes)
{
    lb_port_line *line = x->line;
    lb_instance *instance = x->request->instance;
    instance->wrote_behind = instance->wrote_in_front = instance->stray.count = 0;
    if (x->place.fences && x->shared) {
        ((lb_fault_told *)(void *)x->line->wire.link.memory)->is_told = 0;
        lb_fences_give(&x->line->fences, x->line->wire.link.memory, instance);
        return;
    }
    if (x->shared) {
        memcpy(x->shared, instance->block, bytes);
        memset(x->shared + bytes, x->behind, x->behind_bytes);
        return;
    }
    lb_memory_to_port(instance, line->big_endian, line->before);
    memcpy(line->after, line->before, bytes);
    if (x->place.fences) {
        put_slots(x);
        return;
    }
    put_memory(x, 0, bytes);
    if (x->behind_bytes > 0)
        put_fill(x, bytes, x->behind_bytes, x->behind);
    if (x->front_bytes > 0)
        put_fill(x, (size_t)0 - x->front_bytes, x->front_bytes, x->behind);
}

/* What is judged is a copy, which the port cannot reach. */
static void take_memory(exchange *x, const lb_call_memory *memory)
{
    lb_port_line *line = x->line;
    lb_instance *instance = x->request->instance;
    const size_t bytes = memory->block_bytes;
    if (x->place.fences && x->shared) {
        lb_fences_take(&line->fences, line->wire.link.memory, instance);
        return;
    }
    if (!x->shared) {
        lb_memory_from_port(instance, line->big_endian, line->before, line->after);
        return;
    }
    size_t from, end = scratch_start(memory, &from);
    memcpy(instance->block, x->shared, end);
    memcpy(instance->block + from, x->shared + from, bytes - from);
    const unsigned char *behind = x->shared + bytes;
    if (x->behind_bytes > 0 &&
        (behind[0] != x->behind || lb_run_length(behind, x->behind_bytes) < x->behind_bytes))
        instance->wrote_behind = x->behind_bytes;
}

/* Where a port that has crashed went, if it was at one of the buffers. */
static void tell_fault(exchange *x)
{
    lb_fault_told fault;
    char text[240], *failure = x->line->wire.failure;
    const size_t length = strlen(failure);
    if (x->shared)
        memcpy(&fault, x->line->wire.link.memory, sizeof fault);
    else
        fault = (lb_fault_told){.offset = x->line->wire.fault_offset + x->place.front,
                                .is_told = x->line->wire.has_fault,
                                .is_write = x->line->wire.fault_access};
    x->line->stop = lb_fences_stop(x->place.fences, x->place.memory, &fault);
    lb_fences_describe(&x->line->stop, x->place.memory, text, sizeof text);
    if (text[0])
        snprintf(failure + length, sizeof x->line->wire.failure - length, ": %s", text);
}

bool lb_port_perform(lb_port_line *line, lb_port_request *request)
{
    lb_instance *instance = request->instance;
    const lb_call_memory *memory = instance ? instance->memory : NULL;
    exchange x = {.line = line, .request = request};
    line->stop = (lb_stop){.touch = LB_TOUCH_NONE};
    line->fenced = false;
    if (line->wire.link.memory && !line->shared_is_known)
        ask_for_shared(line);
    if (memory && !line->ends_guarded && !line->pages_are_known && !forbid_gaps(&x))
        return false;
    choose_place(&x);
    if (memory && line->wire.link.memory_is_port)
        x.shared = place_in_shared(&x);
    if (memory && !x.shared && !make_room(line, memory->block_bytes))
        return false;
    lb_name_callback(request, &line->callback_names);
    set_scratch(&x);
    begin_frame(&x);
    put(&x, LB_WIRE_PROFILE, 1);
    put(&x, request->profile, 1);
    if (memory)
        give_memory(&x, memory->block_bytes);
    put_tensors(&x);
    put_call(&x);
    ask_fields(&x);
    for (unsigned b = 0; x.place.fences && !x.shared && b < line->fences.count; b++)
        ask_slot(&x, b);
    if (memory && !x.shared && !x.place.fences)
        ask_memory(&x, memory);
    send_frame(&x);
    if (x.place.fences && x.differs && !x.failed)
        look_closer(&x);
    else if (memory && x.differs && !x.failed) {
        ask_all_but_scratch(&x, memory);
        send_frame(&x);
    }
    if (memory && !x.failed)
        take_memory(&x, memory);
    if (x.failed && x.place.fences)
        tell_fault(&x);
    return !x.failed;
}
