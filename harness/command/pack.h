/* lastbit pack: cases and their results as C sources, for devices without any link. */
#ifndef LB_HARNESS_COMMAND_PACK_H
#define LB_HARNESS_COMMAND_PACK_H

int lb_command_pack(int argc, char **argv);

#endif
