/* Files of a starting port. They are made into this program by the build, so that it needs nothing
 * beside it. */
#ifndef LB_HARNESS_COMMAND_PORT_SCAFFOLD_H
#define LB_HARNESS_COMMAND_PORT_SCAFFOLD_H

#include <stddef.h>

typedef struct lb_scaffold_file {
    const char *name; /* in the new folder: "CMakeLists.txt", "kit/lb_kit.c" */
    const unsigned char *bytes;
    size_t count;
} lb_scaffold_file;

extern const lb_scaffold_file lb_scaffold_files[]; /* ended by a name of NULL */

#endif
