/* lastbit vectors coverage: what suites reach of every function's coverpoints. */
#ifndef LB_HARNESS_COMMAND_COVERAGE_H
#define LB_HARNESS_COMMAND_COVERAGE_H

/* argv[0] is the name of the sub-command. Gives the exit status. */
int lb_command_vectors_coverage(int argc, char **argv);

#endif
