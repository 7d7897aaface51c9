/* "Did you mean ...?": the known name nearest to a misspelt one, and lists of names for messages.
 */
#ifndef LB_HARNESS_BASE_SUGGEST_H
#define LB_HARNESS_BASE_SUGGEST_H

#include <stddef.h>

/* Name number `index` of a set, or NULL behind the last. */
typedef const char *(*lb_name_at)(const void *set, size_t index);

/* The one name that the word begins; else the name with the fewest edits (insert, delete, replace,
 * swap neighbours) from `word`, or NULL if none is near. */
const char *lb_suggest(const char *word, lb_name_at name_at, const void *set);

/* Fills text with "did you mean NAME?" or, where nothing is near, with "one of NAME, NAME, ..." as
 * far as it fits. */
void lb_suggest_text(const char *word, lb_name_at name_at, const void *set, char *text,
                     size_t text_bytes);

/* A name_at for an array of names that NULL ends. */
const char *lb_name_in_array(const void *set, size_t index);

#endif
