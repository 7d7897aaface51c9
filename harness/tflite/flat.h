/* A FlatBuffer that nobody vouches for. All numbers are little endian. A table begins with the way
 * back to its list of fields; a field is a number in the table, or the way from there to a vector,
 * a text or another table. */
#ifndef LB_HARNESS_TFLITE_FLAT_H
#define LB_HARNESS_TFLITE_FLAT_H

#include "harness/base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { LB_FLAT_PLACE_BYTES = 160 };

typedef struct lb_flat {
    const uint8_t *bytes;
    size_t size;
    lb_arena *arena;
    const char *why; /* the first error: "byte 12: model.buffers: ..."; NULL: none */
    char place[LB_FLAT_PLACE_BYTES]; /* what is being read, for messages */
} lb_flat;

typedef struct lb_flat_table {
    size_t at;     /* of the table */
    size_t fields; /* of its list of fields */
    unsigned fields_bytes, bytes;
} lb_flat_table;

typedef struct lb_flat_vector {
    size_t at; /* of its first element */
    uint32_t count;
    bool is_there;
} lb_flat_vector;

/* A field by its number in the table's declaration, and its name for messages. */
typedef struct lb_flat_field {
    unsigned number;
    const char *name;
} lb_flat_field;

/* Notes the first error, and gives false. */
bool lb_flat_refuse(lb_flat *f, size_t at, const char *format, ...) LB_FORMAT_CHECKED(3, 4);
/* The table at the beginning of the file, which must have this identifier (four letters). */
bool lb_flat_root(lb_flat *f, const char *identifier, lb_flat_table *root);
/* A number of 1, 4 or 8 bytes with its sign; `otherwise` where the field is not there. */
bool lb_flat_number(lb_flat *f, const lb_flat_table *t, lb_flat_field field, unsigned bytes,
                    int64_t otherwise, int64_t *value);
bool lb_flat_float(lb_flat *f, const lb_flat_table *t, lb_flat_field field, float otherwise,
                   float *value);
/* A vector whose elements have so many bytes; count 0 where the field is not there. */
bool lb_flat_vector_of(lb_flat *f, const lb_flat_table *t, lb_flat_field field,
                       unsigned element_bytes, lb_flat_vector *v);
/* A table in a field; *there false where the field is not there. */
bool lb_flat_table_in(lb_flat *f, const lb_flat_table *t, lb_flat_field field, bool *there,
                      lb_flat_table *inner);
/* Element i of a vector of tables. */
bool lb_flat_table_of(lb_flat *f, const lb_flat_vector *v, uint32_t i, lb_flat_table *inner);
/* A text, copied; unprintable bytes become '?', and what is longer than 120 bytes is cut. ""
 * where the field is not there. */
bool lb_flat_text(lb_flat *f, const lb_flat_table *t, lb_flat_field field, const char **text);
/* Elements of vectors. */
int32_t lb_flat_int32(const lb_flat *f, const lb_flat_vector *v, uint32_t i);
int64_t lb_flat_int64(const lb_flat *f, const lb_flat_vector *v, uint32_t i);
float lb_flat_float32(const lb_flat *f, const lb_flat_vector *v, uint32_t i);

#endif
