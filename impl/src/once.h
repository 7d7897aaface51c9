/* Runs an initializer once in a process, whatever the number of threads that ask. C11 atomics
 * alone, so that the library needs no thread library. What the initializer wrote is visible to
 * everyone after lb_mli_once returned. */
#ifndef LB_MLI_ONCE_H
#define LB_MLI_ONCE_H

#include <stdatomic.h>

enum { LB_MLI_ONCE_NEW, LB_MLI_ONCE_RUNNING, LB_MLI_ONCE_DONE };

/* state: static storage, starts as 0. The usual cost is one load. */
static inline void lb_mli_once(atomic_int *state, void (*initialize)(void))
{
    if (atomic_load_explicit(state, memory_order_acquire) == LB_MLI_ONCE_DONE)
        return;
    int expected = LB_MLI_ONCE_NEW;
    if (atomic_compare_exchange_strong_explicit(state, &expected, LB_MLI_ONCE_RUNNING,
                                                memory_order_acquire, memory_order_acquire)) {
        initialize();
        atomic_store_explicit(state, LB_MLI_ONCE_DONE, memory_order_release);
        return;
    }
    /* Another thread is at it; that takes microseconds and happens once. */
    while (atomic_load_explicit(state, memory_order_acquire) != LB_MLI_ONCE_DONE) {
    }
}

#endif
