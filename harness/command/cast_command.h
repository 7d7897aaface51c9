/* lastbit cast: numbers from one element format to another, and nibbles packed and unpacked. Spec:
 * float4.md. */
#ifndef LB_HARNESS_COMMAND_CAST_COMMAND_H
#define LB_HARNESS_COMMAND_CAST_COMMAND_H

int lb_command_cast(int argc, char **argv);

#endif
