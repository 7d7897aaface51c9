/* The tensors of a network, as somebody else lists them: an ONNX file, an .npz archive of its
 * weights, or a text of names and shapes. An encodings file is held against them (against.h). */
#ifndef LB_HARNESS_ENCODINGS_MODEL_H
#define LB_HARNESS_ENCODINGS_MODEL_H

#include "harness/base/arena.h"
#include "harness/base/id_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LB_MODEL_RANK = 8 };

typedef struct lb_model_tensor {
    const char *name;
    bool has_shape; /* the rank, and the extents that are known */
    unsigned rank;
    int64_t shape[LB_MODEL_RANK]; /* -1: not known */
    bool is_due;                  /* an encoding is expected: not of values between nodes */
} lb_model_tensor;

typedef struct lb_model {
    const char *path;
    lb_model_tensor *tensors;
    size_t count, capacity;
    lb_id_set names;
    lb_arena arena;
} lb_model;

/* Reads the file of this path: .onnx, .npz, and any other name a text, a tensor a line, its shape
 * in brackets behind it where it is known ("conv1.weight [64, 3, ?, 3]"; "#" begins a remark).
 * False: `why`, from the model's arena; the model is to be freed all the same. */
bool lb_model_read(const char *path, lb_model *model, const char **why);
void lb_model_free(lb_model *model);
/* The tensor of this name, or NULL. */
const lb_model_tensor *lb_model_find(const lb_model *model, const char *name);

/* A tensor of this name, the old one if there is one. Never NULL. */
lb_model_tensor *lb_model_add(lb_model *model, const char *name);

/* ---- ONNX (onnx.c): protocol buffers, of the graph only names and shapes ---- */

/* Bytes of a file, or in memory (fd -1). */
typedef struct lb_onnx_source {
    int fd;
    const uint8_t *bytes;
    uint64_t length;
} lb_onnx_source;

/* Inputs, initializers and outputs of nodes of the graph. Payloads are passed over: memory grows
 * with names and shapes alone, up to a limit. Graphs inside of nodes are not looked at. */
bool lb_onnx_read(const lb_onnx_source *source, lb_model *model, const char **why);

#endif
