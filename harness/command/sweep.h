/* lastbit sweep: tries every input of a small domain on a port. */
#ifndef LB_HARNESS_COMMAND_SWEEP_H
#define LB_HARNESS_COMMAND_SWEEP_H

/* argv[0] is "sweep". Gives the exit status. */
int lb_command_sweep(int argc, char **argv);

#endif
