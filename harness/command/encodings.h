/* lastbit encodings: reads, checks and converts quantization encodings files (AIMET). Spec:
 * encodings.md. */
#ifndef LB_HARNESS_COMMAND_ENCODINGS_H
#define LB_HARNESS_COMMAND_ENCODINGS_H

int lb_command_encodings(int argc, char **argv);

#endif
