/* Child processes that do a part of the work. */
#ifndef LB_HARNESS_BASE_CHILD_H
#define LB_HARNESS_BASE_CHILD_H

#include <stddef.h>
#include <sys/types.h>

/* As fork(): 0 in the child, which dies with this process, and has nothing in its buffers that the
 * parent would write too; -1 with errno. The child ends by lb_child_exit. */
pid_t lb_child_start(void);

/* Waits for the end of a child, whatever signals come in between: its status of waitpid; -1: there
 * is no such child. */
int lb_child_wait(pid_t child);

/* Makes processes below this one that lose their parent its children: those of a port whose keeper
 * was killed. Children that it has already are not meant. */
void lb_child_adopt(void);
/* Waits until no child is left, `grace_seconds` at most, and then kills those that are, but none
 * that was there before lb_child_adopt. */
#define LB_CHILD_GRACE 2.0 /* for keepers, which have a port to end */
void lb_child_end_all(double grace_seconds);

/* Ends the process without what exit() does twice over (buffers and handlers are the parent's). In
 * a build that counts lines the child's counts are written first: they would be lost. */
_Noreturn void lb_child_exit(int status);

/* How a process with a port in it ended, from its status of waitpid: "the port crashed: signal 11
 * (Segmentation fault)", "the port ended with exit status 3". */
void lb_child_describe_end(int status, char *text, size_t text_bytes);

#endif
