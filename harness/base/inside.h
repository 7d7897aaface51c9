/* Names of files that have to stay in a folder: what a suite or an export names moves with it. */
#ifndef LB_HARNESS_BASE_INSIDE_H
#define LB_HARNESS_BASE_INSIDE_H

#include <stdbool.h>

/* Is the name a way down from a folder: not empty, not from the root, nowhere up? */
bool lb_name_is_inside(const char *name);

/* Does the file, all symbolic links followed, lie in the folder ("": the working one)? True also
 * where nothing is there: who opens it will be told. */
bool lb_file_is_inside(const char *folder, const char *path);

#endif
