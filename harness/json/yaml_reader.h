/* Reads a YAML suite (or another file of ours) into the same trees as JSON, piece by piece: memory
 * holds one case at a time. What of YAML is understood: vectors/FORMAT.md, "YAML". */
#ifndef LB_HARNESS_JSON_YAML_READER_H
#define LB_HARNESS_JSON_YAML_READER_H

#include "harness/json/document.h"
#include "harness/json/problems.h"

/* Who gets the pieces. A document lives until the callback returns. */
typedef struct lb_yaml_sink {
    void (*member)(void *user,
                   const lb_document *document); /* of the header: its key is document->prefix.
                                                    "cases" comes as an empty list */
    void (*test_case)(void *user, const lb_document *document); /* each entry of "cases" */
    void *user;
    bool is_list;     /* the file is a list, not an object: each entry goes to test_case */
    const char *rule; /* what a right file is like, for messages: "a profile has the keys ...";
                         NULL: a suite */
} lb_yaml_sink;

/* Reads the text, which is UTF-8. Stops at the first error of YAML itself, or when problems are
 * full. */
void lb_yaml_read(const char *text, size_t length, const lb_yaml_sink *sink, lb_problems *problems);

#endif
