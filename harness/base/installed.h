/* Files that are installed with the program: suites, port kit. */
#ifndef LB_HARNESS_BASE_INSTALLED_H
#define LB_HARNESS_BASE_INSTALLED_H

#include <stdbool.h>
#include <stddef.h>

/* The folder that holds `file`, beside the program: PREFIX/share/lastbit/NAME where it is installed
 * (in any place), the source tree's NAME where it was built there. False: there is none. */
bool lb_installed(const char *name, const char *file, char *path, size_t bytes);

/* Does the file lie in that folder? */
bool lb_is_installed(const char *name, const char *file, const char *path);

/* The path that a name of a file or folder to be read means: itself, or, where it begins with
 * "vectors" and the current folder has none of that name, the one that is installed with the
 * program, so that a command in a guide runs anywhere. Lives as long as the program. */
const char *lb_input_path(const char *name);

/* The same for a pattern, "vectors/" and a name with *, ? or [: all paths that match, in the order
 * of their bytes, those of the current folder if there is one; else what lb_input_path gives. Adds
 * them to `paths` (lb_resized), from *count on. */
void lb_input_paths(const char *name, char ***paths, size_t *count, size_t *room);

/* PREFIX, if the program is in PREFIX/bin; else the folder that it was built in. False: unknown. */
bool lb_program_prefix(char *path, size_t bytes);

#endif
