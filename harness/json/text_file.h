/* Small text files of our own formats (profiles, policies), read whole. */
#ifndef LB_HARNESS_JSON_TEXT_FILE_H
#define LB_HARNESS_JSON_TEXT_FILE_H

#include "harness/json/problems.h"

enum { LB_SMALL_FILE_BYTES = 1 << 20 };

/* All of a file of at most `most` bytes, as a text that the caller frees; NULL if it cannot be had
 * or is not UTF-8: reported. `kind` names what is expected in messages: "profile". */
char *lb_small_file_read(const char *path, const char *kind, size_t most, size_t *length,
                         lb_problems *problems);
/* False (reported): the text is not UTF-8. */
bool lb_is_utf8(const char *text, size_t length, lb_problems *problems);

#endif
