/* lastbit port: a starting port, and what a port says of itself. */
#ifndef LB_HARNESS_COMMAND_PORT_H
#define LB_HARNESS_COMMAND_PORT_H

int lb_command_port(int argc, char **argv);

#endif
