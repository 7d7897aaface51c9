/* The agent of the port kit under any bytes. The first byte chooses: even, the bytes are the line
 * as it is; odd, they are pieces of kind, length and payload, each sealed as a whole frame, so that
 * its operations are reached. The kit here has no function of the API at all: what kernels do with
 * tensors is not its affair. */
#include "fuzz.h"
#include "harness/port_kit/lb_kit.h"
#include "harness/port_kit/lb_kit_wire.h"

#include <stdlib.h>
#include <string.h>

const lb_kit_port lb_port = {"fuzz", LB_KIT_ALL_PROFILES, 0};

typedef struct line {
    const uint8_t *bytes;
    size_t size, at;
    uint8_t *sealed; /* frames made so far */
} line;

static uint32_t read_line(void *user, uint8_t *to, uint32_t count)
{
    line *l = user;
    size_t left = l->size - l->at;
    uint32_t piece = left < count ? (uint32_t)left : count;
    piece = piece > 61 ? 61 : piece; /* frames come in parts */
    memcpy(to, l->bytes + l->at, piece);
    l->at += piece;
    return piece;
}

static int write_line(void *user, const uint8_t *from, uint32_t count)
{
    volatile uint8_t sum = 0; /* every byte is there to be read */
    (void)user;
    for (uint32_t i = 0; i < count; i++)
        sum = (uint8_t)(sum + from[i]);
    return 1;
}

/* Pieces of the input as frames, one behind the other. */
static size_t seal_all(const uint8_t *bytes, size_t size, uint8_t *frames)
{
    size_t length = 0;
    for (uint32_t sequence = 1; size >= 2; sequence++) {
        uint32_t payload = bytes[1];
        uint8_t kind = bytes[0];
        bytes += 2;
        size -= 2;
        payload = payload > size ? (uint32_t)size : payload;
        memcpy(frames + length + LB_WIRE_HEAD_BYTES, bytes, payload);
        length += lb_wire_seal(frames + length, kind, sequence, payload);
        bytes += payload;
        size -= payload;
    }
    return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t memory[4096];
    line l = {.bytes = bytes + 1, .size = size ? size - 1 : 0};
    const lb_kit_transport transport = {read_line, write_line, &l};
    if (size == 0)
        return 0;
    if (bytes[0] & 1) {
        l.sealed = malloc(l.size * (1 + LB_WIRE_FRAME_BYTES) + LB_WIRE_FRAME_BYTES);
        if (!l.sealed)
            abort();
        l.size = seal_all(l.bytes, l.size, l.sealed);
        l.bytes = l.sealed;
    }
    lb_kit_serve(&transport, memory, sizeof memory);
    free(l.sealed);
    return 0;
}
