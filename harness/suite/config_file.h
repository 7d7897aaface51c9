/* Small files of our own formats that are one object: "format", and members of known names, each
 * read by its format. */
#ifndef LB_HARNESS_SUITE_CONFIG_FILE_H
#define LB_HARNESS_SUITE_CONFIG_FILE_H

#include "harness/suite/decode.h"

typedef struct lb_member_key {
    const char *name;
    const char
        *due; /* what is expected where a required key is missing; NULL: it may be left out */
} lb_member_key;

enum { LB_MEMBER_FORMAT, LB_MEMBER_KEYS_MAX = 16 };

typedef struct lb_member_format {
    const char *kind;          /* for messages: "a profile" */
    const char *rule;          /* what a right file is like: "a profile has the keys ..." */
    const lb_member_key *keys; /* LB_MEMBER_FORMAT is {"format", its only value} */
    int key_count;
    /* Reads the value of a key other than "format", which comes once at most. document:
     * lb_document_position tells where it stands. */
    void (*take)(void *user, lb_decoder *d, int key, const lb_document *document);
} lb_member_format;

/* Reads the text, which is UTF-8; strings that `take` keeps go to the arena. What is wrong is in
 * problems. */
void lb_member_file_read(const char *text, size_t length, const lb_member_format *format,
                         void *user, lb_arena *arena, lb_problems *problems);

#endif
