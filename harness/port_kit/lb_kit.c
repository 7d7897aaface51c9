/* The agent's side of the wire: takes frames, carries out their operations on one block of memory,
 * answers. The calls themselves are in lb_kit_mli.h (MLI-style libraries) or lb_kit_native.h
 * (-DLB_KIT_NATIVE: kernels of any other interface). */
#include "lb_kit.h"
#include "lb_kit_about.h"
#include "lb_kit_call.h"

#include <stddef.h>
#include <string.h>

/* Bytes of a frame's payload, each way; two such buffers are the greater part of the kit's own RAM.
 */
#ifndef LB_KIT_PAYLOAD
#if UINTPTR_MAX > 0xFFFFFFFFu
#define LB_KIT_PAYLOAD 65535
#else
#define LB_KIT_PAYLOAD 512
#endif
#endif

enum { LB_KIT_ALIGN = 64, LB_KIT_BUFFER = LB_KIT_PAYLOAD + LB_WIRE_FRAME_BYTES };

typedef struct lb_kit_state {
    const lb_kit_transport *transport;
    uint8_t *block; /* tensors of the call */
    uint32_t block_bytes;
    uint32_t received; /* bytes in rx */
    uint32_t last_sequence,
        last_bytes;  /* the request answered last; its answer stands in tx; 0: none */
    uint8_t profile; /* number of the one that is set; LB_KIT_NO_PROFILE: none yet */
    int (*protect)(void *at, uint32_t bytes, int is_forbidden); /* or NULL */
    lb_kit_call call;
    uint8_t rx[LB_KIT_BUFFER], tx[LB_KIT_BUFFER];
} lb_kit_state;

enum { LB_KIT_NO_PROFILE = LB_WIRE_NO_PROFILE };

static lb_kit_state lb_kit;

/* ---- Pointers into the block ---- */

static void *lb_kit_pointer(uint32_t where)
{
    return where == LB_WIRE_NULL || where - 1 > lb_kit.block_bytes ? NULL
                                                                   : lb_kit.block + (where - 1);
}

/* What makes the calls, in the file that is included next. */
static uint8_t *lb_kit_calls_start(uint8_t *memory,
                                   uint32_t *memory_bytes); /* takes what it needs off the front */
static int lb_kit_has(uint32_t function);                   /* any number */
static void lb_kit_set_tensor(unsigned slot, const uint32_t *words);
static void lb_kit_get_tensor(unsigned slot, uint32_t *words);
static void lb_kit_invoke(lb_kit_call *call);
static const char *lb_kit_library_options(void);
static const char *lb_kit_no_such_key(void);

#ifdef LB_KIT_NATIVE
#include "lb_kit_native.h"
#else
#include "lb_kit_mli.h"
#include "lb_kit_mli_tensors.h"

/* These kernels read structures, not keys. */
static const char *lb_kit_no_such_key(void)
{
    return "";
}
#endif

/* ---- Operations ---- */

typedef struct lb_kit_work {
    const uint8_t *at, *end; /* what is left of the request */
    uint8_t *reply, *reply_end;
} lb_kit_work;

static uint32_t lb_kit_take(lb_kit_work *w, unsigned bytes)
{
    uint32_t value = 0;
    unsigned i;
    for (i = 0; i < bytes; i++)
        value |= (uint32_t)w->at[i] << 8 * i;
    w->at += bytes;
    return value;
}

static int lb_kit_has_room(uint32_t offset, uint32_t bytes)
{
    return offset <= lb_kit.block_bytes && bytes <= lb_kit.block_bytes - offset;
}

static int lb_kit_fill(lb_kit_work *w)
{
    uint32_t offset = lb_kit_take(w, 4), bytes = lb_kit_take(w, 4), value = lb_kit_take(w, 1);
    if (!lb_kit_has_room(offset, bytes))
        return LB_WIRE_OUTSIDE;
    memset(lb_kit.block + offset, (int)value, bytes);
    return LB_WIRE_DONE;
}

static int lb_kit_data(lb_kit_work *w)
{
    uint32_t offset = lb_kit_take(w, 4), bytes = lb_kit_take(w, 2);
    if (w->end - w->at < (ptrdiff_t)bytes)
        return LB_WIRE_MALFORMED;
    if (!lb_kit_has_room(offset, bytes))
        return LB_WIRE_OUTSIDE;
    memcpy(lb_kit.block + offset, w->at, bytes);
    w->at += bytes;
    return LB_WIRE_DONE;
}

static int lb_kit_set_profile(uint32_t number)
{
    const int is_litert = number >= LB_WIRE_LITERT_PROFILES;
    if (!lb_wire_profile_name(number) ||
        !(lb_port.profiles >> (is_litert ? number : number % 4) & 1) ||
        (!is_litert && number >= 4 && !(lb_port.profiles & LB_KIT_AVEPOOL16)))
        return LB_WIRE_NOT_PROVIDED;
    if (lb_port.set_profile && number != lb_kit.profile)
        lb_port.set_profile(lb_wire_profile_name(number));
    lb_kit.profile = (uint8_t)number;
    return LB_WIRE_DONE;
}

static int lb_kit_profile(lb_kit_work *w)
{
    return lb_kit_set_profile(lb_kit_take(w, 1));
}

static int lb_kit_tensor(lb_kit_work *w)
{
    uint32_t words[LB_WIRE_T_WORDS], slot = lb_kit_take(w, 1);
    w->at = lb_wire_get_words(w->at, w->end, words, LB_WIRE_T_WORDS);
    if (!w->at)
        return LB_WIRE_MALFORMED;
    if (slot >= LB_WIRE_SLOTS)
        return LB_WIRE_OUTSIDE;
    lb_kit_set_tensor(slot, words);
    return LB_WIRE_DONE;
}

static int lb_kit_fields(lb_kit_work *w)
{
    uint32_t words[LB_WIRE_T_WORDS], slot = lb_kit_take(w, 1);
    if (slot >= LB_WIRE_SLOTS)
        return LB_WIRE_OUTSIDE;
    if (w->reply_end - w->reply < 4 + 4 * LB_WIRE_T_WORDS)
        return LB_WIRE_TOO_LONG;
    memset(words, 0, sizeof words);
    lb_kit_get_tensor(slot, words);
    w->reply = lb_wire_put_words(w->reply, words, LB_WIRE_T_WORDS);
    return LB_WIRE_DONE;
}

static int lb_kit_roles(lb_kit_work *w, lb_kit_call *call)
{
    uint32_t roles;
    if (w->end - w->at < 1)
        return LB_WIRE_MALFORMED;
    for (roles = lb_kit_take(w, 1); roles > 0; roles--) {
        uint32_t role, slot, count;
        if (w->end - w->at < 3)
            return LB_WIRE_MALFORMED;
        role = lb_kit_take(w, 1);
        slot = lb_kit_take(w, 1);
        count = lb_kit_take(w, 1);
        if (role >= LB_WIRE_ROLES || count > LB_WIRE_LIST || slot + count > LB_WIRE_SLOTS)
            return LB_WIRE_OUTSIDE;
        call->slot[role] = (uint8_t)slot;
        call->count[role] = (uint8_t)count;
    }
    return LB_WIRE_DONE;
}

static int lb_kit_put_result(lb_kit_work *w, const lb_kit_call *call)
{
    uint32_t i, callbacks = call->result[LB_WIRE_R_CALLBACKS];
    if (callbacks > LB_WIRE_CALLBACKS)
        callbacks = LB_WIRE_CALLBACKS;
    if (w->reply_end - w->reply <
        8 + 4 * (LB_WIRE_R_WORDS + LB_WIRE_CONFIG_WORDS) + 5 * LB_WIRE_CALLBACKS)
        return LB_WIRE_TOO_LONG;
    w->reply = lb_wire_put_words(w->reply, call->result, LB_WIRE_R_WORDS);
    w->reply = lb_wire_put_words(w->reply, call->config_out, LB_WIRE_CONFIG_WORDS);
    for (i = 0; i < callbacks; i++) {
        *w->reply++ = call->callbacks[i].which;
        lb_wire_put32(w->reply, (uint32_t)call->callbacks[i].cookie);
        w->reply += 4;
    }
    return LB_WIRE_DONE;
}

static int lb_kit_call_op(lb_kit_work *w)
{
    lb_kit_call *call = &lb_kit.call;
    int status;
    memset(call, 0, sizeof *call);
    call->function = lb_kit_take(w, 2);
    call->config_is_null = (int)(lb_kit_take(w, 1) & LB_WIRE_CONFIG_NULL);
    w->at = lb_wire_get_words(w->at, w->end, call->config, LB_WIRE_CONFIG_WORDS);
    if (w->at)
        w->at = lb_wire_get_words(w->at, w->end, call->more, LB_WIRE_M_WORDS);
    if (!w->at)
        return LB_WIRE_MALFORMED;
    status = lb_kit_roles(w, call);
    if (status != LB_WIRE_DONE)
        return status;
    if (!lb_kit_has(call->function))
        return LB_WIRE_NOT_PROVIDED;
    lb_kit_invoke(call);
    return lb_kit_put_result(w, call);
}

static int lb_kit_crc(lb_kit_work *w)
{
    uint32_t offset = lb_kit_take(w, 4), bytes = lb_kit_take(w, 4);
    if (!lb_kit_has_room(offset, bytes))
        return LB_WIRE_OUTSIDE;
    if (w->reply_end - w->reply < 4)
        return LB_WIRE_TOO_LONG;
    lb_wire_put32(w->reply, lb_wire_crc(0, lb_kit.block + offset, bytes));
    w->reply += 4;
    return LB_WIRE_DONE;
}

static int lb_kit_read(lb_kit_work *w)
{
    uint32_t offset = lb_kit_take(w, 4), bytes = lb_kit_take(w, 2);
    if (!lb_kit_has_room(offset, bytes))
        return LB_WIRE_OUTSIDE;
    if (w->reply_end - w->reply < (ptrdiff_t)bytes)
        return LB_WIRE_TOO_LONG;
    memcpy(w->reply, lb_kit.block + offset, bytes);
    w->reply += bytes;
    return LB_WIRE_DONE;
}

static int lb_kit_forbid(lb_kit_work *w)
{
    uint32_t offset = lb_kit_take(w, 4), bytes = lb_kit_take(w, 4);
    if (!lb_kit_has_room(offset, bytes))
        return LB_WIRE_OUTSIDE;
    return lb_kit.protect && lb_kit.protect(lb_kit.block + offset, bytes, 1) ? LB_WIRE_DONE
                                                                             : LB_WIRE_NOT_PROVIDED;
}

static int lb_kit_operation(lb_kit_work *w)
{
    /* By code: the function, and the bytes that it takes before anything of varying length. */
    static const struct {
        int (*run)(lb_kit_work *w);
        uint8_t bytes;
    } operations[] = {{0, 0},
                      {lb_kit_fill, 9},
                      {lb_kit_data, 6},
                      {lb_kit_profile, 1},
                      {lb_kit_tensor, 1},
                      {lb_kit_call_op, 3},
                      {lb_kit_fields, 1},
                      {lb_kit_crc, 8},
                      {lb_kit_read, 6},
                      {lb_kit_forbid, 8}};
    uint32_t code = lb_kit_take(w, 1);
    if (code == 0 || code >= sizeof operations / sizeof operations[0] ||
        w->end - w->at < operations[code].bytes)
        return LB_WIRE_MALFORMED;
    return operations[code].run(w);
}

/* ---- Requests ---- */

/* A bit for each function of a set. Gives the place behind them; `at` itself, if there is none. */
static uint8_t *lb_kit_put_bits(uint8_t *at, uint32_t set, uint32_t count)
{
    const uint32_t bytes = (count + 7) / 8;
    uint32_t i, provided = 0;
    memset(at, 0, bytes);
    for (i = 0; i < count; i++)
        if (lb_kit_has(set * LB_WIRE_SET_NUMBERS + i)) {
            at[i / 8] = (uint8_t)(at[i / 8] | 1u << i % 8);
            provided++;
        }
    return provided ? at + bytes : at;
}

/* The set beside MLI, if the port has something of it: old lastbits know no more than MLI. */
static uint8_t *lb_kit_put_litert(uint8_t *at)
{
    uint8_t *end = lb_kit_put_bits(at + 4, LB_WIRE_LITERT, LB_KIT_LITERT_COUNT);
    if (end == at + 4)
        return at;
    at[0] = LB_WIRE_LITERT;
    at[1] = (uint8_t)(lb_port.profiles >> LB_WIRE_LITERT_PROFILES & 0xFF);
    lb_wire_put16(at + 2, LB_KIT_LITERT_COUNT);
    return end;
}

static uint32_t lb_kit_hello(uint8_t *reply)
{
    static const uint16_t one = 1;
    uint8_t first_byte, *at = reply;
    size_t length = strlen(lb_port.description);
    memcpy(&first_byte, &one, 1);
    lb_wire_put16(at, LB_WIRE_VERSION);
    at[2] = (uint8_t)(first_byte ? 1 : 2);
    at[3] = (uint8_t)sizeof(void *);
    lb_wire_put32(at + 4, lb_kit.block_bytes);
    lb_wire_put32(at + 8, LB_KIT_PAYLOAD);
    at[12] = (uint8_t)((lb_port.profiles & 0xFF) | LB_KIT_COMPUTES_ONLY);
    lb_wire_put16(at + 13, LB_KIT_FUNCTION_COUNT);
    lb_kit_put_bits(at + 15, LB_WIRE_MLI, LB_KIT_FUNCTION_COUNT);
    at += 15 + (LB_KIT_FUNCTION_COUNT + 7) / 8;
    if (length > 200)
        length = 200;
    *at++ = (uint8_t)length;
    memcpy(at, lb_port.description, length);
    return (uint32_t)(lb_kit_put_litert(at + length) - reply);
}

/* One text about the port. What is not known is empty. */
static uint32_t lb_kit_tell(const lb_wire_frame *f, uint8_t *reply)
{
    static const char *const texts[] = {LB_KIT_TARGET, LB_KIT_COMPILER, LB_KIT_OPTIONS};
    const char *text = "";
    size_t length;
    if (f->length >= 2 && f->payload[0] < sizeof texts / sizeof texts[0])
        text = texts[f->payload[0]];
    else if (f->length >= 2 && f->payload[0] == LB_WIRE_LIBRARY_OPTIONS &&
             (f->payload[1] == LB_KIT_NO_PROFILE ||
              lb_kit_set_profile(f->payload[1]) == LB_WIRE_DONE))
        text = lb_kit_library_options();
    else if (f->length >= 2 && f->payload[0] == LB_WIRE_NO_SUCH_KEY)
        text = lb_kit_no_such_key();
    length = text ? strlen(text) : 0;
    if (length > LB_KIT_PAYLOAD)
        length = LB_KIT_PAYLOAD;
    memcpy(reply, text ? text : "", length);
    return (uint32_t)length;
}

static uint32_t lb_kit_work_on(const lb_wire_frame *f, uint8_t *reply)
{
    lb_kit_work w;
    uint32_t number = 0;
    int status = LB_WIRE_DONE;
    w.at = f->payload;
    w.end = f->payload + f->length;
    w.reply = reply + 1;
    w.reply_end = reply + LB_KIT_PAYLOAD;
    while (status == LB_WIRE_DONE && w.at < w.end) {
        status = lb_kit_operation(&w);
        number++;
    }
    reply[0] = (uint8_t)status;
    if (status == LB_WIRE_DONE)
        return (uint32_t)(w.reply - reply);
    lb_wire_put16(reply + 1, number);
    return 3;
}

static int lb_kit_send(uint32_t bytes)
{
    return lb_kit.transport->write(lb_kit.transport->line, lb_kit.tx, bytes);
}

/* Requests that come twice are carried out once: the answer was lost, not the request. */
static int lb_kit_answer(const lb_wire_frame *f)
{
    uint32_t length;
    if (f->kind != LB_WIRE_HELLO && f->kind != LB_WIRE_WORK && f->kind != LB_WIRE_TELL)
        return 1;
    if (lb_kit.last_bytes == 0 || f->kind == LB_WIRE_HELLO || f->sequence != lb_kit.last_sequence) {
        uint8_t *reply = lb_kit.tx + LB_WIRE_HEAD_BYTES;
        length = f->kind == LB_WIRE_HELLO  ? lb_kit_hello(reply)
                 : f->kind == LB_WIRE_TELL ? lb_kit_tell(f, reply)
                                           : lb_kit_work_on(f, reply);
        lb_kit.last_bytes = lb_wire_seal(lb_kit.tx, f->kind | LB_WIRE_REPLY, f->sequence, length);
        lb_kit.last_sequence = f->sequence;
    }
    return lb_kit_send(lb_kit.last_bytes);
}

static int lb_kit_notice(uint32_t kind)
{
    uint8_t frame[LB_WIRE_FRAME_BYTES];
    return lb_kit.transport->write(lb_kit.transport->line, frame, lb_wire_seal(frame, kind, 0, 0));
}

void lb_kit_guard(int (*protect)(void *at, uint32_t bytes, int is_forbidden))
{
    lb_kit.protect = protect;
}

void lb_kit_fault(const void *address, unsigned access)
{
    uint8_t frame[LB_WIRE_FRAME_BYTES + 5];
    const uintptr_t at = (uintptr_t)address, start = (uintptr_t)lb_kit.block;
    if (!lb_kit.transport || at < start || at - start >= lb_kit.block_bytes)
        return;
    lb_wire_put32(frame + LB_WIRE_HEAD_BYTES, (uint32_t)(at - start));
    frame[LB_WIRE_HEAD_BYTES + 4] = (uint8_t)access;
    lb_kit.transport->write(lb_kit.transport->line, frame,
                            lb_wire_seal(frame, LB_WIRE_FAULT, 0, 5));
}

static void lb_kit_drop(uint32_t bytes)
{
    lb_kit.received -= bytes;
    memmove(lb_kit.rx, lb_kit.rx + bytes, lb_kit.received);
}

/* Is it more than zeros, with which lastbit ends what was cut off? */
static int lb_kit_is_noise(uint32_t bytes)
{
    uint32_t i;
    for (i = 0; i < bytes; i++)
        if (lb_kit.rx[i] != 0)
            return 1;
    return 0;
}

/* Answers what stands in rx; 0: the line is closed. */
static int lb_kit_take_frames(void)
{
    for (;;) {
        lb_wire_frame f = lb_wire_find(lb_kit.rx, lb_kit.received, LB_KIT_PAYLOAD);
        int open = 1;
        if (f.bytes > 0)
            open = lb_kit_answer(&f);
        else if (lb_kit_is_noise(f.skip))
            open = lb_kit_notice(LB_WIRE_AGAIN);
        if (f.skip + f.bytes > 0)
            lb_kit_drop(f.skip + f.bytes);
        if (!open)
            return 0;
        if (f.bytes == 0)
            return 1;
    }
}

void lb_kit_serve(const lb_kit_transport *transport, void *memory, uint32_t memory_bytes)
{
    uint8_t *block = (uint8_t *)memory;
    uint32_t count, past;
    lb_kit.transport = transport;
    lb_kit.received = 0;
    lb_kit.last_bytes = 0;
    lb_kit.profile = LB_KIT_NO_PROFILE;
    if (lb_kit.protect) /* what the caller before had forbidden */
        lb_kit.protect(memory, memory_bytes, 0);
    block = lb_kit_calls_start(block, &memory_bytes);
    past = (uint32_t)((LB_KIT_ALIGN - (uintptr_t)block % LB_KIT_ALIGN) % LB_KIT_ALIGN);
    lb_kit.block_bytes = memory_bytes > past ? memory_bytes - past : 0;
    lb_kit.block = block + past;
    if (!lb_kit_notice(LB_WIRE_READY))
        return;
    while ((count = transport->read(transport->line, lb_kit.rx + lb_kit.received,
                                    LB_KIT_BUFFER - lb_kit.received)) > 0) {
        lb_kit.received += count;
        if (!lb_kit_take_frames())
            return;
    }
}
