/* lastbit vectors generate: writes made-up cases of a family or a function as a suite. */
#ifndef LB_HARNESS_COMMAND_GENERATE_H
#define LB_HARNESS_COMMAND_GENERATE_H

/* argv[0] is "generate". Gives the exit status. */
int lb_command_vectors_generate(int argc, char **argv);

#endif
