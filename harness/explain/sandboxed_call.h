/* Calls of a port in a process of their own, so that a crash is something to tell and not the end.
 */
#ifndef LB_HARNESS_EXPLAIN_SANDBOXED_CALL_H
#define LB_HARNESS_EXPLAIN_SANDBOXED_CALL_H

#include "harness/call/call_memory.h"

/* Does the work in a copy of this process, and takes over from there what the work has made of the
 * instance. NULL: it went well; else what happened, in words: "crashed: Segmentation fault", "did
 * not return within 60 s". Texts come from the arena. */
const char *lb_explain_apart(void (*work)(void *user), void *user, lb_instance *instance,
                             double seconds, lb_arena *arena);

#endif
