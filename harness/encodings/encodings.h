/* Quantization encodings files (AIMET): what one says, once every check of the format has passed.
 * Spec: encodings.md. A file with an error has no tensors; warnings do not stop the reading. */
#ifndef LB_HARNESS_ENCODINGS_ENCODINGS_H
#define LB_HARNESS_ENCODINGS_ENCODINGS_H

#include "harness/base/arena.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Families of versions (encodings.md 1.2); everything up to 0.4 reads alike. */
typedef enum lb_enc_family {
    LB_ENC_04,
    LB_ENC_05,
    LB_ENC_06,
    LB_ENC_10,
    LB_ENC_20,
    LB_ENC_21
} lb_enc_family;

/* An error or a warning: its class, where it is, what is wrong, what would be right. */
typedef struct lb_enc_note {
    const char *code; /* "E_SCALE_NONPOS", "W_BOM"; "E_UNREADABLE" for a file that cannot be read */
    const char
        *where; /* JSON pointer; "" for errors of the text, the bare member name for E_DUP_KEY */
    unsigned line, column; /* from 1; 0: no place in the text */
    size_t offset;         /* bytes from the start of the file */
    const char *problem;
    const char *remedy; /* may be "" */
} lb_enc_note;

/* How many scales a tensor has, and along what. */
typedef enum lb_enc_form {
    LB_ENC_PER_TENSOR,
    LB_ENC_PER_CHANNEL,
    LB_ENC_PER_BLOCK, /* PER_BLOCK, LPBQ, nested scales */
    LB_ENC_VECTOR
} lb_enc_form;

/* One integer grid: value = scale * (u + offset + shift), u in 0 .. 2^bits - 1 (0.x, 1.0), or
 * scale * (q - zero point + shift) (2.0). */
typedef struct lb_enc_grid {
    double scale;
    double shift;   /* 0, but for 2 bits, where codes may lie between the multiples of the scale */
    int64_t offset; /* 0.x, 1.0: <= 0 */
    double low, high; /* of the values */
    bool is_strict;   /* symmetric, and the code 2^bits - 1 is not used (encodings.md 1.1) */
    int64_t zero_point;
} lb_enc_grid;

typedef struct lb_enc_tensor {
    const char *name;
    const char *section; /* "activation_encodings", "param_encodings", "encodings" */
    const char *where;   /* JSON pointer of the tensor */
    size_t offset;       /* of its name in the text */
    const char *dtype;   /* "int", "float"; 2.0: the output_dtype */
    bool is_float;
    bool is_symmetric;  /* 0.x, 1.0 */
    bool may_be_wide;   /* a channel was taken for strict, and the file does not tell */
    bool is_partial;    /* no scale in the file */
    bool has_own_dtype; /* 2.0: dtype tells width and sign */
    bool is_signed;     /* 2.0 */
    bool is_unknown;    /* 2.1: of a type that this reader does not know; nothing else holds */
    int bits;
    lb_enc_form form;
    bool has_axis; /* 2.0: the file gives the axis of a list */
    int64_t axis;
    double block_size;  /* of PER_BLOCK: elements that share a scale */
    size_t scale_count; /* 0: none in the file, or not one per grid (floats of 2.0, LPBQ of 2.0) */
    lb_enc_grid *grids; /* scale_count entries; NULL for floats and partial encodings */
    const double *scales; /* 2.1: of a y_scale that is quantized itself, in order; else NULL */
    const cJSON *node;    /* 1.0, 2.0: the whole encoding as it stands */
} lb_enc_tensor;

typedef struct lb_enc_file {
    const char *path;
    bool is_valid;
    const char *version; /* as the file says; NULL: it says nothing, or nothing that can be read */
    lb_enc_family family;
    lb_enc_note error; /* of a file that is not valid */
    size_t warning_count;
    lb_enc_note *warnings;
    size_t tensor_count;
    lb_enc_tensor *tensors; /* in file order; section by section */
    const cJSON *root;      /* of a valid file: the tree, for what is copied as it stands */
    const char *text;       /* as long as the caller of lb_enc_read_text keeps it */
    lb_arena arena;
    size_t warning_capacity, tensor_capacity;
} lb_enc_file;

typedef struct lb_enc_options {
    bool recompute_tf_offsets; /* positive offsets of the first TensorFlow exporter
                                  (encodings.md 2.5) */
    bool bare_parameters;      /* the top level is one section of parameters (encodings.md 2.4) */
} lb_enc_options;

/* Reads the file of this path, "-" and /dev/stdin: standard input; is_valid says how it went. Never
 * NULL. */
lb_enc_file *lb_enc_read(const char *path, const lb_enc_options *options);
/* The same for a text in memory; `path` is for messages. */
lb_enc_file *lb_enc_read_text(const char *path, const char *text, size_t length,
                              const lb_enc_options *options);
void lb_enc_free(lb_enc_file *file);

/* Is the tensor's section that of activations, of parameters? (2.0 does not tell.) */
bool lb_enc_is_activation(const lb_enc_tensor *tensor);
bool lb_enc_is_parameter(const lb_enc_tensor *tensor);
/* The tensor of this name, or NULL. */
const lb_enc_tensor *lb_enc_find(const lb_enc_file *file, const char *name);
/* The names of its tensors: set is the file (lb_name_at of base/suggest.h). */
const char *lb_enc_name_at(const void *set, size_t index);

#endif
