/* Requests and answers over a line that may lose, garble or invent bytes. The frames are those of
 * port_kit/lb_kit_wire.h. */
#ifndef LB_HARNESS_PORT_WIRE_H
#define LB_HARNESS_PORT_WIRE_H

#include "harness/port/link.h"
#include "harness/port_kit/lb_kit_wire.h"

enum { LB_WIRE_BUFFER = LB_WIRE_MOST_PAYLOAD + LB_WIRE_FRAME_BYTES };

typedef struct lb_wire {
    lb_link link;
    uint32_t most_payload; /* that the port takes; LB_WIRE_LEAST_PAYLOAD until it has said */
    uint32_t sequence;
    uint8_t request[LB_WIRE_BUFFER]; /* the payload stands at LB_WIRE_HEAD_BYTES */
    uint8_t received[2 * LB_WIRE_BUFFER];
    size_t received_bytes, used_bytes; /* the first used_bytes are the answer that was given last */
    uint64_t noise_bytes;              /* bytes since the request that are no frame */
    uint8_t noise[16];                 /* the first of them */
    uint64_t slowest_ns; /* the longest time from a request to its answer, without repeats; 0: none
                            yet */
    unsigned broken, repeats; /* frames with a wrong CRC, requests sent again, since the request */
    bool may_lose;     /* a line that loses bytes: a request that is sent again comes behind zeros,
                          which end what was cut off */
    char failure[400]; /* why the last exchange failed */
    bool out_of_time;  /* set with failure: the port took too long */
    bool has_fault;    /* it told where it touched forbidden memory, since the request: */
    uint32_t fault_offset;
    uint8_t fault_access;
} lb_wire;

typedef struct lb_answer {
    const uint8_t *payload;
    uint32_t length;
} lb_answer;

/* A new line: nothing is received, nothing known of the port. */
void lb_wire_reset(lb_wire *wire);
/* Where the payload of the next request is written. */
uint8_t *lb_wire_payload(lb_wire *wire);
/* Sends the payload of `length` bytes as a request and waits for its answer. False: wire->failure
 * says what was seen instead, and the line is not to be used again. `limit_seconds` is for the
 * words. */
bool lb_wire_exchange(lb_wire *wire, uint32_t kind, uint32_t length, uint64_t deadline_ns,
                      double limit_seconds, lb_answer *answer);

/* How many bytes at the start are equal. */
static inline size_t lb_run_length(const unsigned char *bytes, size_t count)
{
    size_t length = 1;
    while (length < count && bytes[length] == bytes[0])
        length++;
    return length;
}

#endif
