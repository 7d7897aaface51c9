/* lastbit run: tries suites on a port. */
#ifndef LB_HARNESS_COMMAND_RUN_H
#define LB_HARNESS_COMMAND_RUN_H

/* argv[0] is "run". Gives the exit status. */
int lb_command_run(int argc, char **argv);

#endif
