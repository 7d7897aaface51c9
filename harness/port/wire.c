/* Requests and answers: see wire.h. */
#include "harness/port/wire.h"
#include "harness/base/clock.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_REPEATS = 6, /* of a request that only garbage answers */
    QUIET_NS =
        100000000, /* silence after garbage before a request is sent again, doubled each time */
    LOST_NS = 2000000000, /* silence that means a lost request or answer, where nothing is known of
                             the port */
    LOST_LEAST_NS = 250000000, /* the same, however fast the port is */
    LOST_TURNS = 8,            /* the same, in turns of the slowest answer so far */
    MOST_NOISE_BYTES = 1 << 20 /* a port that sends more than this is not a noisy line */
};

void lb_wire_reset(lb_wire *wire)
{
    wire->most_payload = LB_WIRE_LEAST_PAYLOAD;
    wire->received_bytes = wire->used_bytes = 0;
    wire->noise_bytes = 0;
    wire->slowest_ns = 0;
}

uint8_t *lb_wire_payload(lb_wire *wire)
{
    return wire->request + LB_WIRE_HEAD_BYTES;
}

/* ---- Words for what went wrong ---- */

static void describe_noise(const lb_wire *w, char *text, size_t text_bytes)
{
    size_t shown = w->noise_bytes < sizeof w->noise ? (size_t)w->noise_bytes : sizeof w->noise,
           length;
    text[0] = '\0';
    if (w->received_bytes > 0)
        snprintf(text, text_bytes, "%zu bytes of an unfinished frame came", w->received_bytes);
    if (w->noise_bytes == 0)
        return;
    if (w->noise_bytes > MOST_NOISE_BYTES)
        length = (size_t)snprintf(text, text_bytes,
                                  "over %d bytes came that are no frame:", MOST_NOISE_BYTES);
    else
        length = (size_t)snprintf(text, text_bytes, "%llu bytes came that are no frame%s:",
                                  (unsigned long long)w->noise_bytes,
                                  w->broken ? ", among them frames with a wrong CRC" : "");
    for (size_t i = 0; i < shown && length < text_bytes; i++)
        length += (size_t)snprintf(text + length, text_bytes - length, " %02x", w->noise[i]);
    if (w->noise_bytes > shown && length < text_bytes)
        snprintf(text + length, text_bytes - length, " ...");
}

static bool fail_closed(lb_wire *w)
{
    char seen[200], end[160];
    lb_link_describe_end(&w->link, end, sizeof end);
    describe_noise(w, seen, sizeof seen);
    snprintf(w->failure, sizeof w->failure, *seen ? "%.159s (%.199s)" : "%.159s", end, seen);
    return false;
}

static bool fail_time(lb_wire *w, double limit_seconds)
{
    char seen[200];
    describe_noise(w, seen, sizeof seen);
    w->out_of_time = true;
    snprintf(w->failure, sizeof w->failure,
             "the port did not return within %g s and was stopped%s%s%s", limit_seconds,
             *seen ? " (" : "", seen, *seen ? ")" : "");
    return false;
}

static bool fail_noise(lb_wire *w)
{
    char seen[200];
    describe_noise(w, seen, sizeof seen);
    snprintf(w->failure, sizeof w->failure, "garbage instead of an answer%s: %s",
             w->repeats ? ", to repeated requests too" : "", seen);
    return false;
}

static bool fail_reset(lb_wire *w)
{
    snprintf(w->failure, sizeof w->failure,
             "the port was reset in the middle of the case: it reports that it has started");
    return false;
}

static bool fail_echo(lb_wire *w)
{
    snprintf(w->failure, sizeof w->failure,
             "requests come back as they are: there is an echo on the line, or a program that "
             "copies its input");
    return false;
}

/* ---- Receiving ---- */

static void note_noise(lb_wire *w, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count && w->noise_bytes + i < sizeof w->noise; i++)
        w->noise[w->noise_bytes + i] = bytes[i];
    w->noise_bytes += count;
}

static void drop(lb_wire *w, size_t bytes)
{
    w->received_bytes -= bytes;
    memmove(w->received, w->received + bytes, w->received_bytes);
}

/* The end of the line comes after it. */
static void note_fault(lb_wire *w, const lb_wire_frame *f)
{
    w->has_fault = true;
    w->fault_offset = lb_wire_get32(f->payload);
    w->fault_access = f->payload[4];
}

typedef enum found { FOUND_NOTHING, FOUND_ANSWER, FOUND_AGAIN, FOUND_READY, FOUND_ECHO } found;

/* Looks at what has come. Frames that answer nothing (an answer that came twice) are passed over.
 */
static found look(lb_wire *w, uint32_t kind, lb_answer *answer)
{
    for (;;) {
        lb_wire_frame f =
            lb_wire_find(w->received, (uint32_t)w->received_bytes, LB_WIRE_MOST_PAYLOAD);
        w->broken += f.broken;
        note_noise(w, w->received, f.skip);
        if (f.bytes == 0) {
            drop(w, f.skip);
            return FOUND_NOTHING;
        }
        if (f.kind == (kind | LB_WIRE_REPLY) && f.sequence == w->sequence) {
            drop(w, f.skip);
            *answer = (lb_answer){w->received + LB_WIRE_HEAD_BYTES, f.length};
            w->used_bytes = f.bytes;
            return FOUND_ANSWER;
        }
        if (f.kind == LB_WIRE_FAULT && f.length == 5)
            note_fault(w, &f);
        drop(w, f.skip + f.bytes);
        if (f.kind == kind && f.sequence == w->sequence)
            return FOUND_ECHO;
        if (f.kind == LB_WIRE_AGAIN)
            return FOUND_AGAIN;
        if (f.kind == LB_WIRE_READY && kind != LB_WIRE_HELLO)
            return FOUND_READY;
    }
}

/* ---- The exchange ---- */

typedef struct sending {
    const uint8_t *bytes;
    size_t count, sent;
    size_t
        zeros; /* sent before, to end a frame that the port waits for because its rest was lost */
    uint64_t started, quiet_since, patience_ns;
    uint64_t noise_before; /* noise that led to a repeat already */
    unsigned noisy_repeats;
} sending;

static void send_again(lb_wire *w, sending *s)
{
    w->repeats++;
    if (w->noise_bytes > s->noise_before)
        s->noisy_repeats++;
    s->sent = 0;
    s->zeros = w->may_lose || w->repeats > 1 ? w->most_payload + LB_WIRE_FRAME_BYTES : 0;
    s->patience_ns *= 2;
    s->quiet_since = lb_awake_ns();
    s->noise_before = w->noise_bytes;
}

static lb_link_event pump(lb_wire *w, sending *s, uint64_t until)
{
    static const uint8_t zeros[256];
    const uint8_t *from = s->zeros > 0 ? zeros : s->bytes + s->sent;
    size_t count =
        s->zeros > 0 ? (s->zeros < sizeof zeros ? s->zeros : sizeof zeros) : s->count - s->sent;
    size_t sent = 0, received = 0;
    lb_link_event event =
        lb_link_pump(&w->link, from, count, &sent, w->received + w->received_bytes,
                     sizeof w->received - w->received_bytes, &received, until);
    if (s->zeros > 0)
        s->zeros -= sent;
    else
        s->sent += sent;
    w->received_bytes += received;
    if (received > 0 || sent > 0)
        s->quiet_since = lb_awake_ns();
    return event;
}

/* Doubled with each repeat, as s->patience_ns is. */
static uint64_t lost_after(const lb_wire *w, const sending *s)
{
    uint64_t first = w->slowest_ns == 0 ? LOST_NS : w->slowest_ns * LOST_TURNS;
    first = first < LOST_LEAST_NS ? LOST_LEAST_NS : first > LOST_NS ? LOST_NS : first;
    return first * (s->patience_ns / QUIET_NS);
}

static void note_turn(lb_wire *w, const sending *s)
{
    const uint64_t turn = lb_awake_ns() - s->started;
    if (w->repeats == 0 && turn > w->slowest_ns)
        w->slowest_ns = turn;
}

/* When to look again although nothing has come: the deadline, or the time to repeat the request. A
 * port that is merely busy finds the repeats later and answers them without doing anything. */
static uint64_t next_look(const lb_wire *w, const sending *s, uint64_t deadline_ns)
{
    bool noisy = w->noise_bytes > s->noise_before || w->received_bytes > 0;
    uint64_t until = deadline_ns;
    if (s->sent == s->count)
        until = s->quiet_since + (noisy ? s->patience_ns : lost_after(w, s));
    return until < deadline_ns ? until : deadline_ns;
}

/* An answer came while a repeat was being sent: half a frame must not stay on the line. */
static void finish_sending(lb_wire *w, sending *s, uint64_t deadline_ns)
{
    while (s->sent > 0 && s->sent < s->count && w->received_bytes < sizeof w->received &&
           pump(w, s, deadline_ns) == LB_LINK_BYTES)
        ;
}

bool lb_wire_exchange(lb_wire *w, uint32_t kind, uint32_t length, uint64_t deadline_ns,
                      double limit_seconds, lb_answer *answer)
{
    drop(w, w->used_bytes);
    w->used_bytes = 0;
    w->sequence = (w->sequence + 1) & 0xFFFF;
    w->noise_bytes = w->broken = w->repeats = 0;
    w->has_fault = false;
    sending s = {.bytes = w->request,
                 .count = lb_wire_seal(w->request, kind, w->sequence, length),
                 .started = lb_awake_ns(),
                 .patience_ns = QUIET_NS};
    s.quiet_since = s.started;
    for (;;) {
        lb_link_event event = pump(w, &s, next_look(w, &s, deadline_ns));
        switch (look(w, kind, answer)) {
        case FOUND_ANSWER:
            note_turn(w, &s);
            finish_sending(w, &s, deadline_ns);
            return true;
        case FOUND_READY:
            return fail_reset(w);
        case FOUND_ECHO:
            return fail_echo(w);
        case FOUND_AGAIN:
            send_again(w, &s);
            break;
        case FOUND_NOTHING:
            break;
        }
        if (event == LB_LINK_CLOSED)
            return fail_closed(w);
        if (lb_awake_ns() >= deadline_ns)
            return fail_time(w, limit_seconds);
        if (s.noisy_repeats >= MOST_REPEATS || w->noise_bytes > MOST_NOISE_BYTES)
            return fail_noise(w);
        if (event == LB_LINK_TIME)
            send_again(w, &s);
    }
}
