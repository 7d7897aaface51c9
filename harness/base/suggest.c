/* "Did you mean ...?" See suggest.h. */
#include "harness/base/suggest.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WORD = 96 }; /* longer words get no suggestion */

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Edit distance with swaps of neighbours (optimal string alignment); three rows of the usual table
 * are enough. */
static unsigned edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][MAX_WORD + 1];
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i - 1) % 3];
        const unsigned *two_above = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned replace = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = smaller(replace, smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

/* The one name that begins with the word, or NULL: "float4" is float4e2m1, not float32. */
static const char *only_begun(const char *word, size_t length, lb_name_at name_at, const void *set)
{
    const char *found = NULL, *name;
    for (size_t i = 0; length >= 3 && (name = name_at(set, i)) != NULL; i++) {
        if (strncmp(name, word, length) != 0)
            continue;
        if (found)
            return NULL;
        found = name;
    }
    return found;
}

const char *lb_suggest(const char *word, lb_name_at name_at, const void *set)
{
    size_t length = strlen(word);
    unsigned limit =
        (unsigned)(length < 4 ? 1 : length / 3); /* more edits than that: another word */
    const char *best = NULL;
    const char *name;
    if (length == 0 || length > MAX_WORD)
        return NULL;
    best = only_begun(word, length, name_at, set);
    if (best)
        return best;
    for (size_t i = 0; (name = name_at(set, i)) != NULL; i++) {
        size_t name_length = strlen(name);
        if (name_length > MAX_WORD)
            continue;
        unsigned distance = edit_distance(word, length, name, name_length);
        if (distance < limit || (distance == limit && !best)) {
            limit = distance;
            best = name;
        }
    }
    return best;
}

void lb_suggest_text(const char *word, lb_name_at name_at, const void *set, char *text,
                     size_t text_bytes)
{
    const char *near = lb_suggest(word, name_at, set);
    const char *name;
    size_t length = 0;
    if (near) {
        snprintf(text, text_bytes, "did you mean %s?", near);
        return;
    }
    text[0] = '\0';
    for (size_t i = 0; (name = name_at(set, i)) != NULL; i++) {
        char entry[160];
        int bytes = snprintf(entry, sizeof entry, "%s%s", i ? ", " : "one of ", name);
        if (bytes < 0 || (size_t)bytes >= sizeof entry ||
            length + (size_t)bytes + sizeof ", ..." > text_bytes) {
            snprintf(text + length, text_bytes - length, ", ...");
            return;
        }
        memcpy(text + length, entry, (size_t)bytes + 1);
        length += (size_t)bytes;
    }
}

const char *lb_name_in_array(const void *set, size_t index)
{
    return ((const char *const *)set)[index];
}
