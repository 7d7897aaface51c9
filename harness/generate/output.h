/* Where a made suite goes. */
#ifndef LB_HARNESS_GENERATE_OUTPUT_H
#define LB_HARNESS_GENERATE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* 0, or 3 with the reason told, where it is already plain that lb_generate_write could not open the
 * file: to be asked before a long search. */
int lb_generate_try_output(const char *path);
/* Opens the file (NULL or "-": standard output), writes the header of a suite of that name and what
 * write(user, file) writes, and closes it. Gives the exit status: 0, or 3 with the reason told. */
int lb_generate_write(const char *path, const char *suite, void (*write)(void *user, FILE *out),
                      void *user);

/* Texts of cases, each a copy. */
typedef struct lb_texts {
    size_t count, room;
    char **items;
} lb_texts;

void lb_texts_add(lb_texts *texts, const char *text);
void lb_texts_free(lb_texts *texts);

#endif
