/* lastbit guard: analysis of accumulators and their guard bits. */
#ifndef LB_HARNESS_COMMAND_GUARD_H
#define LB_HARNESS_COMMAND_GUARD_H

/* argv[0] is "guard". Gives the exit status. */
int lb_command_guard(int argc, char **argv);

#endif
