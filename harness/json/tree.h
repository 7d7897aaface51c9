/* Trees of cJSON nodes in an arena, made of text that has passed the scan: the nodes that cJSON's
 * own parser gives, without its calls for memory and numbers, and with the place of each. */
#ifndef LB_HARNESS_JSON_TREE_H
#define LB_HARNESS_JSON_TREE_H

#include "harness/json/document.h"

/* The value whose first byte is text[at], before text[end]. NULL: it has a number of more than
 * LB_JSON_NUMBER_BYTES. Its place is {key, at}. */
cJSON *lb_tree_of(const char *text, size_t at, size_t end, size_t key, lb_arena *arena);

#endif
