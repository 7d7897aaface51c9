/* A document: the tree of one value of a suite file (a case, a member of the header), whatever the
 * format, and where its parts stand in the file. Trees are cJSON nodes in an arena: they are never
 * freed one by one. Behind each node stands its place. */
#ifndef LB_HARNESS_JSON_DOCUMENT_H
#define LB_HARNESS_JSON_DOCUMENT_H

#include "harness/base/arena.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* Where a node stands: from the start of the text to its key (of a list element: to itself) and to
 * its value; of JSON in bytes, of YAML in characters. */
typedef struct lb_mark {
    size_t key, value;
} lb_mark;

typedef struct lb_document {
    cJSON *root;
    const char *prefix; /* what the keys of problems begin with: "" for a case, the key of a header
                           member */
    const char *text;   /* the file (JSON Lines: the line) in which positions count */
    size_t text_length;
    unsigned first_line;    /* of the text, from 1 */
    unsigned root_line;     /* on which the root stands */
    size_t key_offset;      /* JSON: of the root's key in the text */
    size_t value_offset;    /* JSON: of the root itself */
    bool counts_characters; /* YAML: so do the places of its nodes */
    const char *encodings;  /* the encodings file that a tensor's "encoding" without a file means;
                               NULL: none */
    bool prepares;          /* encodings make the configuration of calls too, where the kernel set
                               prepares calls */
    struct lb_companions *companions; /* files that it names are noted there; NULL: nowhere */
} lb_document;

/* From now on cJSON ends the process where memory is exhausted (xalloc.h), wherever it is called:
 * what it gives need not be looked at. */
void lb_json_never_fails(void);

/* Makes `document->root` of the JSON value text[value_offset .. value_end), which has passed
 * lb_json_scan. The other fields of the document are set by the caller. */
void lb_document_parse(lb_document *document, lb_arena *arena, size_t value_end);

/* The same of text[value_offset .. text_length), which nobody has scanned, with white space behind
 * it and `outer_depth` levels around it. False: it is wrong, or the scan alone can tell: escapes,
 * text beyond ASCII, numbers that are not whole. There is no root then. */
bool lb_document_parse_plain(lb_document *document, lb_arena *arena, unsigned outer_depth);

/* The value of the text, on the heap, with no places; NULL: it is not exactly one value. */
cJSON *lb_json_read(const char *text, size_t length);

/* A new node of the type (cJSON_Number, ...). */
cJSON *lb_document_node(lb_arena *arena, int type);
/* Puts the child behind the last one of its parent (NULL: there is none). */
void lb_document_append(cJSON *parent, cJSON *last, cJSON *child);
/* The place of a node that one of these two functions has made. */
lb_mark lb_node_place(const cJSON *node);
void lb_node_set_place(cJSON *node, lb_mark place);

/* Place of a node, or of its key. */
void lb_document_position(const lb_document *document, const cJSON *node, bool key, unsigned *line,
                          unsigned *column);
/* Line and column of a byte of a text whose first line has the number first_line. */
void lb_text_position(const char *text, size_t offset, unsigned first_line, unsigned *line,
                      unsigned *column);
/* Byte offset of the character with this index. */
size_t lb_text_offset(const char *text, size_t length, size_t characters);

/* Dotted path of a node: "inputs.weights.shape[1]". */
void lb_document_path(const lb_document *document, const cJSON *node, char *path,
                      size_t path_bytes);

#endif
