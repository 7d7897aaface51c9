/* The end of a child process that was forked to do a part of the work. */
#ifndef LB_HARNESS_BASE_CHILD_H
#define LB_HARNESS_BASE_CHILD_H

/* Ends the process without what exit() does twice over (buffers and handlers are the parent's). In
 * a build that counts lines the child's counts are written first: they would be lost. */
_Noreturn void lb_child_exit(int status);

#endif
