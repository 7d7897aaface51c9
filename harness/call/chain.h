/* Chains: one call made many times, its outputs fed forward, so that long recurrences fit in a
 * small case. Format: vectors/FORMAT.md. */
#ifndef LB_HARNESS_CALL_CHAIN_H
#define LB_HARNESS_CALL_CHAIN_H

#include "harness/call/call_memory.h"

/* Makes the instance ready for call number `step` (from 2) after the call before it: feeds outputs
 * to inputs, draws fresh inputs. */
void lb_chain_feed(lb_instance *instance, uint32_t step);

/* The expectation that holds after call number `step`: the case's own at the last one, a
 * checkpoint's before; NULL if nothing is recorded there. `room` is where a checkpoint's is made.
 */
const lb_expect *lb_chain_expect(const lb_case *c, const lb_expect *expect, uint32_t step,
                                 lb_expect *room);

#endif
