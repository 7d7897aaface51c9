/* A line in memory that two processes see: see ring.h. */
#include "harness/port/ring.h"
#include "harness/base/clock.h"

#include <sched.h>
#include <string.h>

enum { AWAKE_NS = 50000, LOOKS = 100, MOST_IN_VAIN = 2, LEFT_OUT = 16 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t lb_ring_put(lb_ring *ring, const uint8_t *from, size_t count, bool *wake)
{
    const uint32_t put = atomic_load_explicit(&ring->put, memory_order_relaxed),
                   filled = put - atomic_load_explicit(&ring->taken, memory_order_acquire);
    const size_t room = filled < LB_RING_BYTES ? LB_RING_BYTES - filled : 0,
                 now = smaller(count, room), at = put % LB_RING_BYTES,
                 first = smaller(now, LB_RING_BYTES - at);
    *wake = false;
    if (now == 0)
        return 0;
    memcpy(ring->bytes + at, from, first);
    memcpy(ring->bytes, from + first, now - first);
    atomic_store(&ring->put, put + (uint32_t)now);
    *wake = atomic_load(&ring->is_asleep) != 0 && atomic_exchange(&ring->is_asleep, 0) != 0;
    return now;
}

bool lb_ring_take(lb_ring *ring, uint8_t *to, size_t room, size_t *taken)
{
    const uint32_t before = atomic_load_explicit(&ring->taken, memory_order_relaxed),
                   filled = atomic_load_explicit(&ring->put, memory_order_acquire) - before;
    const size_t now = smaller(filled, room), at = before % LB_RING_BYTES,
                 first = smaller(now, LB_RING_BYTES - at);
    *taken = 0;
    if (filled > LB_RING_BYTES)
        return false;
    if (now == 0)
        return true;
    memcpy(to, ring->bytes + at, first);
    memcpy(to + first, ring->bytes, now - first);
    atomic_store_explicit(&ring->taken, before + (uint32_t)now, memory_order_release);
    *taken = now;
    return true;
}

static bool has_bytes(const lb_ring *ring)
{
    return atomic_load(&ring->put) != atomic_load(&ring->taken);
}

static bool look(const lb_ring *ring)
{
    const uint64_t until = lb_now_ns() + AWAKE_NS;
    do {
        for (int i = 0; i < LOOKS; i++) {
            if (has_bytes(ring))
                return true;
            /* Slow, which is meant: another thread of the same core may have work. */
            atomic_thread_fence(memory_order_seq_cst);
        }
        sched_yield();
    } while (lb_now_ns() < until);
    return false;
}

bool lb_ring_watch(const lb_ring *ring, lb_ring_patience *patience)
{
    if (patience->in_vain >= MOST_IN_VAIN && ++patience->left_out % LEFT_OUT != 0)
        return has_bytes(ring);
    const bool found = look(ring);
    patience->in_vain = found ? 0 : patience->in_vain + 1;
    return found;
}

bool lb_ring_sleep(lb_ring *ring)
{
    atomic_store(&ring->is_asleep, 1);
    if (!has_bytes(ring))
        return true;
    lb_ring_rise(ring);
    return false;
}

void lb_ring_rise(lb_ring *ring)
{
    atomic_store(&ring->is_asleep, 0);
}
