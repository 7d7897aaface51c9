/* What the parts of "lastbit cast" share: its options, and its input, line by line. */
#ifndef LB_HARNESS_COMMAND_CAST_H
#define LB_HARNESS_COMMAND_CAST_H

#include "harness/base/format_checked.h"
#include "reference/core/float4.h"
#include "reports/doc.h"

enum { LB_CAST_OK = 0, LB_CAST_REFUSED = 1, LB_CAST_WRONG = 2, LB_CAST_FAILED = 3 };

/* How results are written. */
typedef enum lb_cast_form {
    LB_CAST_AS_INPUT, /* a pattern for a pattern, a value for a value */
    LB_CAST_VALUE,
    LB_CAST_BITS,
    LB_CAST_BOTH
} lb_cast_form;

typedef struct lb_cast_options {
    bool has_from, has_to;
    lb_float_type from, to;
    lb_nan_rule nan;
    lb_overflow_rule overflow;
    lb_cast_form form;
    const char *pack, *unpack; /* a packed type, or NULL */
    bool has_scale, has_first;
    lb_mx_rule scale;                           /* of blocks */
    enum { LB_LOW_FIRST, LB_HIGH_FIRST } first; /* of nibbles */
    bool has_count;
    unsigned long count; /* of elements to unpack */
    bool binary;         /* bytes as they are, not as text */
} lb_cast_options;

/* Lines of standard input without blanks around them; empty ones are left out. */
typedef struct lb_cast_input {
    char *line;
    size_t capacity;
    unsigned long number; /* of the line, from 1 */
} lb_cast_input;

/* The next line, or NULL at the end. */
char *lb_cast_next(lb_cast_input *input);
void lb_cast_input_free(lb_cast_input *input);
/* "lastbit cast: line N: MESSAGE" on standard error. */
void lb_cast_complain(const lb_cast_input *input, const char *format, ...) LB_FORMAT_CHECKED(2, 3);

/* A line as a pattern of the type: value, or bit pattern (*is_bits). The status, LB_CAST_OK or what
 * is wrong (told). */
int lb_cast_read(const lb_cast_options *o, const lb_cast_input *input, lb_float_type type,
                 const char *line, uint32_t *pattern, bool *is_bits);
/* One result on its line. */
void lb_cast_write(lb_doc *doc, const lb_cast_options *o, lb_float_type type, uint32_t pattern,
                   bool is_bits);

/* --pack and --unpack. */
int lb_cast_pack(const lb_cast_options *o);
int lb_cast_unpack(const lb_cast_options *o);
/* Names of the packed types, ended by NULL. */
extern const char *const lb_cast_packed[];
/* Is this one of them? */
bool lb_cast_is_packed(const char *name);

#endif
