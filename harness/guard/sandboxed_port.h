/* A step on the port in a process of its own, so that a library that crashes or hangs costs one
 * answer and not the analysis. */
#ifndef LB_HARNESS_GUARD_SANDBOXED_PORT_H
#define LB_HARNESS_GUARD_SANDBOXED_PORT_H

#include "harness/port/port.h"

#include <stddef.h>

/* Fills `answer`, of `bytes` bytes. */
typedef void (*lb_sandbox_fn)(void *user, void *answer);

/* Does a wrong port take the harness with it? A shared library does; our own implementation and an
 * agent, which is another process and has to hear every question from one side, are asked directly.
 */
bool lb_sandbox_is_due(const lb_port *port);

/* Runs step(user, answer) in a child and brings the answer, plain bytes without pointers, up to
 * 4096 of them. False: there is none, and `problem` says why: "the port crashed: signal 11
 * (Segmentation fault)", "no answer within 60 seconds". */
bool lb_sandbox_run(lb_sandbox_fn step, void *user, void *answer, size_t bytes, char *problem,
                    size_t problem_bytes);

#endif
