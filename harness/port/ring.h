/* The line to the process of a library, in memory that both see: bytes in order, in each direction.
 * Whoever waits for some looks for them for some microseconds and then sleeps at a pipe; who puts
 * some there wakes him. The process may write anything here, as it may into a pipe: counts are
 * looked at before they are used. */
#ifndef LB_HARNESS_PORT_RING_H
#define LB_HARNESS_PORT_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LB_RING_BYTES = 1 << 17, /* more than the longest frame */
    LB_RING_APART = 128      /* between what two processors write */
};

typedef struct lb_ring {
    _Atomic uint32_t put; /* bytes so far, modulo 2^32 */
    unsigned char apart[LB_RING_APART - sizeof(uint32_t)];
    _Atomic uint32_t taken, is_asleep; /* is_asleep: who takes waits at the pipe */
    unsigned char apart_too[LB_RING_APART - 2 * sizeof(uint32_t)];
    unsigned char bytes[LB_RING_BYTES];
} lb_ring;

typedef struct lb_rings {
    lb_ring to_port, from_port;
} lb_rings;

/* As many of the bytes as there is room for. *wake: who takes is to be woken, by a byte. */
size_t lb_ring_put(lb_ring *ring, const uint8_t *from, size_t count, bool *wake);
/* As many bytes as are there. False: the counts make no sense. */
bool lb_ring_take(lb_ring *ring, uint8_t *to, size_t room, size_t *taken);
/* How often who waits has looked in vain, and has gone to sleep at once since. */
typedef struct lb_ring_patience {
    unsigned in_vain, left_out;
} lb_ring_patience;
/* Looks for bytes for some microseconds, while others who have work go first. Who has looked in
 * vain several times in a row only tries it now and then: where answers take longer than that, all
 * of it is lost. */
bool lb_ring_watch(const lb_ring *ring, lb_ring_patience *patience);
/* From now on who puts bytes there wakes. False: some are there, and nobody is to sleep. */
bool lb_ring_sleep(lb_ring *ring);
void lb_ring_rise(lb_ring *ring);

#endif
