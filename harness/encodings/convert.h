/* Encodings files turned into MLI parameters for cases (YAML), or into a file of another version.
 * Spec: encodings.md 1, 5. */
#ifndef LB_HARNESS_ENCODINGS_CONVERT_H
#define LB_HARNESS_ENCODINGS_CONVERT_H

#include "harness/base/format_checked.h"
#include "harness/encodings/show.h"

/* "--bias NAME=INPUT,WEIGHTS": the bias of a kernel, derived from the two (encodings.md 5.4). */
typedef struct lb_enc_bias {
    const char *name; /* "conv1.bias"; the file need not have it */
    const lb_enc_tensor *input, *weights;
} lb_enc_bias;

/* What a conversion says beside its result: what is lost, what is assumed, what cannot be. One line
 * each. */
typedef struct lb_enc_remarks {
    lb_doc lines;
    bool has_failed; /* a tensor, or a target that was asked for, is missing in the result */
} lb_enc_remarks;

void lb_enc_remark(lb_enc_remarks *remarks, const lb_enc_tensor *tensor, const char *format, ...)
    LB_FORMAT_CHECKED(3, 4);

/* Scale of a bias: one pair per channel of the weights, with the exact product that its data are
 * divided by. NULL, or the U_ code that says why there is none. Lists are in the arena. */
typedef struct lb_enc_bias_map {
    size_t count;
    lb_scale *pairs;
    double *products;
    bool per_axis;
} lb_enc_bias_map;
const char *lb_enc_map_bias(const lb_enc_map *input, const lb_enc_map *weights, lb_arena *arena,
                            lb_enc_bias_map *map);

/* What is wrong between a bias encoding of the file itself and the scale that its input and weights
 * make: W_BIAS_SCALE, another scale; W_BIAS_RANGE, numbers of its range that do not fit int32. */
typedef void (*lb_enc_tell_fn)(void *user, const lb_enc_tensor *own, const char *code,
                               const char *text);
void lb_enc_compare_bias(const lb_enc_file *file, const lb_enc_bias *bias, const lb_enc_axes *axes,
                         lb_enc_tell_fn tell, void *user);
/* The same as warnings of the file. */
void lb_enc_warn_of_bias(lb_enc_file *file, const lb_enc_bias *bias, const lb_enc_axes *axes);

typedef struct lb_enc_mli_request {
    const lb_enc_axes *axes;
    const char *target; /* "sa8", ... that every tensor must have; NULL: what each can have */
    const lb_enc_bias *biases;
    size_t bias_count;
} lb_enc_mli_request;

/* The first line of YAML: a comment that says what follows, and of which file. */
void lb_enc_write_origin(lb_doc *doc, const lb_enc_file *file, const char *what);

/* Tensor parameters by name, as YAML: "NAME": then a line for each type, to be pasted into a case.
 */
void lb_enc_write_mli(lb_doc *doc, const lb_enc_file *file, const lb_enc_mli_request *request,
                      lb_enc_remarks *remarks);

/* The file in another version, "0.6.1", "1.0.0", "2.0.0" or "2.1.0". */
void lb_enc_write_version(lb_doc *doc, const lb_enc_file *file, const char *version,
                          const lb_enc_axes *axes, lb_enc_remarks *remarks);

#endif
