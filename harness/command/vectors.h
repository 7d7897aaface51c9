/* "lastbit vectors": what suites hold, and whether they are well-formed. */
#ifndef LB_HARNESS_COMMAND_VECTORS_H
#define LB_HARNESS_COMMAND_VECTORS_H

/* Runs "vectors SUBCOMMAND ..."; argv[0] is "vectors". Gives the exit status: 0, or 2 where the
 * command line or a suite is wrong. */
int lb_command_vectors(int argc, char **argv);

#endif
