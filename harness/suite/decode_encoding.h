/* The decoder: what the keys "encoding" and "real_data" of a tensor share. Format:
 * vectors/FORMAT.md, "From real numbers". */
#ifndef LB_HARNESS_SUITE_DECODE_ENCODING_H
#define LB_HARNESS_SUITE_DECODE_ENCODING_H

#include "harness/base/suggest.h"
#include "harness/encodings/map.h"
#include "harness/suite/decode.h"

/* How the real numbers of a tensor become its containers. */
typedef struct lb_real_rule {
    bool is_ready; /* every grid has a step above 0 */
    lb_halves halves;
    size_t grid_count; /* one, or one per channel; none for fp32 */
    lb_grid *grids;
} lb_real_rule;

/* Fills quantization and rule from "encoding". Shape and type of the tensor are known. */
void lb_decode_encoding(lb_decoder *d, const cJSON *node, lb_case_tensor *t, lb_real_rule *rule);
/* The rule of a tensor that has its quantization written out. */
void lb_own_rule(lb_decoder *d, const lb_case_tensor *t, lb_real_rule *rule);
/* A list of real numbers, or a generator of them, as containers. `due`: as many as a generator
 * makes. */
bool lb_read_real_data(lb_decoder *d, const cJSON *node, lb_case_tensor *t,
                       const lb_real_rule *rule, uint64_t due, lb_values *values);

/* Is it {"packed": "2103"} or {"packed_file": "weights.bin"}: elements of four bits, two to a byte?
 */
bool lb_is_packed_data(const cJSON *node);
/* `due` elements of float4e2m1, int4 or uint4 from there (float4.md 3). */
bool lb_read_packed_data(lb_decoder *d, const cJSON *node, lb_el_type type, size_t due,
                         lb_values *values);

/* All bytes of a regular file beside the suite, whose name the node is; of one that is longer than
 * due_bytes the first, and its length in *count. role: of a companion; what: for messages. */
bool lb_read_beside(lb_decoder *d, const cJSON *node, const char *role, const char *what,
                    size_t due_bytes, uint8_t **bytes, size_t *count);

/* Is it {"npy": "weights.npy"} or {"npz": "model.npz", "member": "conv1.weight"}? */
bool lb_is_npy_data(const cJSON *node);
/* The elements of that array, its dimensions in the order of "axes": its shape is the tensor's
 * (with buffer_elements, the list of the whole buffer). Containers, or, of fp32, numbers. */
bool lb_read_npy_data(lb_decoder *d, const cJSON *node, const lb_case_tensor *t, lb_el_type type,
                      uint64_t due, lb_values *values);

#endif
