/* The files that a port is made of, as far as its name tells: what digests are taken of. */
#ifndef LB_HARNESS_PORT_PROGRAM_FILES_H
#define LB_HARNESS_PORT_PROGRAM_FILES_H

#include "harness/base/arena.h"

#include <stddef.h>

enum { LB_MAX_PORT_FILES = 32 };

/* Paths of the library, or of the files among the words of an "exec:" command: its program (looked
 * for as a shell does) and every word that names a regular file. None for the built-in port and for
 * devices. What a program loads by itself, and what a shell makes of a word, is not known. Paths
 * live in the arena. Gives how many there are; the first LB_MAX_PORT_FILES are there. */
size_t lb_port_program_files(const char *port_name, lb_arena *arena,
                             const char *paths[LB_MAX_PORT_FILES]);

#endif
