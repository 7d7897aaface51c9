/* Files that are installed with the program: suites, port kit. */
#ifndef LB_HARNESS_BASE_INSTALLED_H
#define LB_HARNESS_BASE_INSTALLED_H

#include <stdbool.h>
#include <stddef.h>

/* The folder that holds `file`, beside the program: PREFIX/share/lastbit/NAME where it is installed
 * (in any place), the source tree's NAME where it was built there. False: there is none. */
bool lb_installed(const char *name, const char *file, char *path, size_t bytes);

/* PREFIX, if the program is in PREFIX/bin; else the folder that it was built in. False: unknown. */
bool lb_program_prefix(char *path, size_t bytes);

#endif
