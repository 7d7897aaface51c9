/* Numbers in lists of lists, as 2.x keeps scales and zero points; and the names of its types. */
#ifndef LB_HARNESS_ENCODINGS_NESTED_H
#define LB_HARNESS_ENCODINGS_NESTED_H

#include "harness/encodings/reader.h"

/* What output_dtype says. Zero points of floats lie among the type's values. */
typedef struct lb_enc_dtype {
    const char *name;
    bool is_float, is_signed;
    int bits;
    double low, high;
} lb_enc_dtype;

/* The type of this name, or NULL. */
const lb_enc_dtype *lb_enc_dtype_of(const char *name);
/* All names, for messages. */
extern const char lb_enc_dtype_names[];

enum { LB_ENC_RANK = 8 }; /* of lists that are told apart by their dimensions */

/* A number, or lists of equal lengths down to numbers, none of them empty. `like`: a node of the
 * shape that is due, or NULL. False after an error. */
bool lb_enc_nested_check(lb_enc_reader *r, const cJSON *node, const lb_pointer *where,
                         const cJSON *like);
/* The numbers below a node. */
size_t lb_enc_nested_count(const cJSON *node);
/* The lengths of the lists, from the outermost in; the rank, 0 for a number, LB_ENC_RANK + 1 for
 * more dimensions than fit. */
unsigned lb_enc_nested_shape(const cJSON *node, size_t shape[LB_ENC_RANK]);
/* Calls for every number below the node, in order; false where a call was. */
typedef bool (*lb_enc_number_fn)(lb_enc_reader *r, void *user, const cJSON *node,
                                 const lb_pointer *where);
bool lb_enc_nested_each(lb_enc_reader *r, const cJSON *node, const lb_pointer *where,
                        lb_enc_number_fn fn, void *user);

/* ---- 2.1: a scale that is quantized itself ---- */

/* The object in the place of y_scale: its x, or NULL. */
const cJSON *lb_enc_meta_values(const cJSON *y_scale);
/* Reads the object, whose x is a good list (lb_enc_nested_check); the scales that its numbers are,
 * each greater than 0, in order into `scales`. False after an error. */
bool lb_enc_read_meta(lb_enc_reader *r, const cJSON *y_scale, const lb_pointer *where,
                      double *scales);

#endif
