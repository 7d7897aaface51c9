/* Small text files of our own formats (profiles, policies), read whole. */
#ifndef LB_HARNESS_JSON_TEXT_FILE_H
#define LB_HARNESS_JSON_TEXT_FILE_H

#include "harness/json/problems.h"

/* All of a file of at most 1 MiB, as a text that the caller frees; NULL if it cannot be had or is
 * not UTF-8: reported. `kind` names what is expected in messages: "profile". */
char *lb_small_file_read(const char *path, const char *kind, size_t *length, lb_problems *problems);

#endif
