/* The process that a port lives in: a keeper, freshly executed, which starts the port as its child
 * and ends with it; nothing that the port has started outlives it. */
#ifndef LB_HARNESS_PORT_HOST_H
#define LB_HARNESS_PORT_HOST_H

#include "harness/port/link.h"

/* The command that main() hands to lb_host_main; people have no use for it. */
#define LB_HOST_COMMAND "port-host"

/* Set by main: the program that knows the command. NULL (in tests): the keeper is a mere fork. */
extern const char *lb_host_program;

/* The keeper's exit status where the host had no process for the port. */
enum { LB_HOST_SHORTAGE = 118 };

/* Becomes the keeper of a port on standard input and output; `parent` is who wants it, and has
 * given it memory (shared_memory.h) or not. It ends as the port ends: with its exit status, or by
 * its signal. */
_Noreturn void lb_host_become(const lb_link_target *target, pid_t parent, bool has_memory);

/* argv: LB_HOST_COMMAND, lb_host_kind(), address, process id of the parent. */
const char *lb_host_kind(lb_link_kind kind, bool has_memory);
int lb_host_main(int argc, char **argv);

#endif
