/* lastbit bench: the speed of a port, per CPU level. */
#ifndef LB_HARNESS_COMMAND_BENCH_H
#define LB_HARNESS_COMMAND_BENCH_H

/* argv[0] is "bench". Gives the exit status. */
int lb_command_bench(int argc, char **argv);

#endif
