/* A strict reading of JSON text, which says what is wrong and where, and a cheap walk over text
 * that has passed. */
#ifndef LB_HARNESS_JSON_SCAN_H
#define LB_HARNESS_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum {
    LB_MAX_DEPTH = 64,        /* lists and objects inside each other, in every format of suite */
    LB_JSON_NUMBER_BYTES = 63 /* longest number: cJSON 1.7 cuts longer ones silently */
};

/* Faults that some readers tell in words of their own. */
typedef enum lb_json_fault_kind {
    LB_JSON_FAULT,
    LB_JSON_TRAILING_COMMA,
    LB_JSON_COMMENT,
    LB_JSON_TRAILING_TEXT
} lb_json_fault_kind;

/* Why a text is refused: the offset of the offending byte, what is wrong there, what would be right
 * (may be ""). */
typedef struct lb_json_fault {
    size_t offset;
    lb_json_fault_kind kind;
    char problem[160];
    char remedy[160];
    bool cut_short; /* the text ends in the middle of a value */
} lb_json_fault;

/* What a reader takes of what JSON leaves open. */
typedef struct lb_json_limits {
    unsigned depth;        /* lists and objects inside each other */
    unsigned number_bytes; /* 0: as long as they like */
} lb_json_limits;

/* Is the text exactly one JSON value (RFC 8259) with white space around it? `outer_depth` levels
 * stand around it already. */
bool lb_json_scan(const char *text, size_t length, unsigned outer_depth, lb_json_fault *fault);
/* The same with other limits than those of suites. */
bool lb_json_scan_within(const char *text, size_t length, lb_json_limits limits,
                         lb_json_fault *fault);

/* Where plain ASCII ends, from `offset` on, which means itself in a string; at most `length`. */
size_t lb_json_plain_end(const char *text, size_t offset, size_t length);

/* ---- Text that has passed the scan ---- */

/* A member of an object or an element of a list: offsets of its value (and of its key with quotes;
 * equal for a list). */
typedef struct lb_json_item {
    size_t key_start, key_end;
    size_t start, end;
} lb_json_item;

typedef struct lb_json_walk {
    const char *text;
    size_t at;
} lb_json_walk;

/* Offset of the first byte that is not white space, from `offset` on; at most `length`. */
size_t lb_json_skip_space(const char *text, size_t offset, size_t length);
/* Starts a walk over the members of the object, or elements of the list, whose bracket stands at
 * `offset`. */
lb_json_walk lb_json_enter(const char *text, size_t offset);
/* The next one; false after the last. */
bool lb_json_next(lb_json_walk *walk, lb_json_item *item);

/* Where the string, number or word at `offset` ends, which stands in a list or an object: there is
 * a byte behind it, at least the closing bracket. */
size_t lb_json_scalar_end(const char *text, size_t offset);

#endif
