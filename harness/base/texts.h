/* Texts that are compared. */
#ifndef LB_HARNESS_BASE_TEXTS_H
#define LB_HARNESS_BASE_TEXTS_H

#include <stdbool.h>
#include <string.h>

/* The same text, or both NULL. */
static inline bool lb_texts_equal(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static inline bool lb_text_ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), ending_length = strlen(ending);
    return length >= ending_length && strcmp(text + length - ending_length, ending) == 0;
}

#endif
