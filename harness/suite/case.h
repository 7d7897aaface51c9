/* The case model: what a suite file says, independent of whether it was JSON, JSON Lines or YAML.
 * Everything here is as written; call/call_memory.h turns it into memory. Format:
 * vectors/FORMAT.md. */
#ifndef LB_HARNESS_SUITE_CASE_H
#define LB_HARNESS_SUITE_CASE_H

#include "harness/base/arena.h"
#include "reference/core/arith.h"
#include "reference/describe/kernels.h"

#include <limits.h>

/* A reference to another tensor of the case: "data_in" and "quant_in". list_index counts in a list
 * role ("in[1]"), else 0. */
typedef struct lb_tensor_ref {
    lb_role role;
    unsigned list_index;
    uint64_t start; /* element of data_in, entry of quant_in */
} lb_tensor_ref;

/* Numbers of a tensor in containers, or bit patterns of fp32. */
typedef struct lb_values {
    int32_t *items; /* fp32: the binary32 pattern; s64: the low words */
    size_t count;
    int32_t *high; /* the high words of s64; NULL: the signs of items */
} lb_values;

static inline int64_t lb_wide_value(const lb_values *values, size_t i)
{
    return values->high ? values->high[i] * ((int64_t)1 << 32) + (uint32_t)values->items[i]
                        : values->items[i];
}

/* Are they the same numbers? */
bool lb_values_same(const lb_values *a, const lb_values *b);
/* Of values that have high words. */
static inline void lb_set_wide_value(lb_values *values, size_t i, int64_t value)
{
    values->items[i] = (int32_t)lb_wrap(value, 32);
    values->high[i] = (int32_t)lb_asr(value, 32, 64);
}

/* The parameters of quantization, in the order of buffers (call/call_memory.h). */
enum { LB_PARAM_SCALE, LB_PARAM_ZERO_POINT, LB_PARAM_SCALE_FRAC_BITS, LB_PARAMS };
typedef struct lb_param {
    const char *name; /* the key */
    int64_t low, high;
    unsigned bytes;
} lb_param;
extern const lb_param lb_params[LB_PARAMS];

/* One TENSOR of a case. */
typedef struct lb_case_tensor {
    lb_el_type type;
    unsigned rank; /* number of entries in `shape` (0..4) */
    uint32_t shape[LB_MAX_RANK];
    bool has_mem_stride;
    int32_t mem_stride[LB_MAX_RANK]; /* as written; without it dense */
    int8_t frac_bits;                /* fx */
    int32_t axis;                    /* sa; -1 per tensor */
    size_t quant_count;              /* sa: 1 per tensor, else entries of each list */
    int16_t *scale, *zero_point; /* quant_count entries each; NULL where quant_in stands instead */
    int8_t *scale_frac_bits;
    const char *clamped; /* of real_data of sa32, a number that does not fit, "channel 3: 0.5 is
                            stored as 0.1024"; NULL: all do */
    bool has_data;
    lb_values data; /* in row-major order of shape, or of memory with buffer_elements */
    /* A hint for who writes it: as long as the data are what the generator `uniform` gives for
     * these keys, they can be told so. */
    bool may_be_uniform;
    uint64_t uniform_seed;
    int32_t uniform_low, uniform_high;
    /* extension keys */
    bool null_data;
    bool has_rank, has_el_type, has_capacity, has_buffer_elements;
    uint32_t rank_override, el_type, capacity_bytes;
    uint64_t buffer_elements;
    bool has_quant_capacity[LB_PARAMS];
    uint32_t quant_capacity[LB_PARAMS];
    bool has_data_in, has_quant_in, quant_null; /* quant_null: "quant_in": null */
    lb_tensor_ref data_in, quant_in;
} lb_case_tensor;

/* The tensors under one role. */
typedef struct lb_case_operand {
    bool present;
    bool is_output; /* stands under "outputs" */
    bool is_list;
    unsigned count; /* 1, or the length of the list */
    lb_case_tensor *tensors;
} lb_case_operand;

/* A parameter's new value, or the new contents of the output's own list. */
typedef struct lb_changed_param {
    bool has, is_list;
    lb_values values;
} lb_changed_param;

/* "changed": fields of an output tensor after the call. */
typedef struct lb_changed {
    bool has_rank, has_shape, has_mem_stride, has_type, has_frac_bits, has_axis, has_capacity;
    bool has_data_in, has_quant_in, quant_null;
    uint32_t rank;
    unsigned shape_count, mem_stride_count;
    uint32_t shape[LB_MAX_RANK];
    int32_t mem_stride[LB_MAX_RANK];
    lb_el_type type;
    int32_t frac_bits;
    int32_t axis;
    uint32_t capacity_bytes;
    lb_changed_param param[LB_PARAMS];
    lb_tensor_ref data_in, quant_in;
} lb_changed;

/* Movement handle (mli_mov_handle_t) of a sequence. */
typedef struct lb_handle {
    char *name;
    int32_t dma_ch, num_ch;
    int32_t state; /* 0 invalid, 1 open, 2 prepared, 3 dma_configured, 4 dma_running, 5 done */
} lb_handle;

/* One call of a sequence (pooling_and_movement.md 7). Unused arguments are 0 / NULL / -1. */
typedef struct lb_step {
    char *call;     /* "mli_mov_acquire_handle", ... */
    int handle;     /* index into handles, -1: none */
    bool in_is_bad; /* the source is role in_bad */
    bool has_num_ch, has_ch_offset, has_cookie;
    int32_t num_ch, ch_offset, cookie;
    char *callback; /* name of a callback; NULL with has_callback: remove */
    bool has_callback;
} lb_step;

typedef struct lb_step_callback {
    char *name;
    int32_t cookie;
} lb_step_callback;

typedef struct lb_step_expect {
    bool has_status, has_done, has_handle, has_callbacks, has_out;
    lb_status status;
    bool done;
    lb_handle handle;
    size_t callback_count;
    lb_step_callback *callbacks;
    lb_values out;
} lb_step_expect;

/* "chain": the call is made again and again, with outputs fed to inputs; only checkpoints are
 * recorded. */
typedef struct lb_feed {
    lb_role to;
    unsigned to_index; /* in a list role */
    lb_role
        from; /* an output; its last elements, as many as the input has, and its format go over */
} lb_feed;

typedef struct lb_fresh {
    lb_role role;
    unsigned list_index;
    uint64_t seed; /* element i at step s (from 1) is number (s - 1) * elements + i of the generator
                      "uniform" */
    int32_t low, high;
} lb_fresh;

enum { LB_MAX_FEEDS = 4 };

typedef struct lb_chain {
    uint32_t steps; /* calls; 0: the case is no chain */
    unsigned feed_count, fresh_count;
    lb_feed feeds[LB_MAX_FEEDS];
    lb_fresh fresh[LB_MAX_FEEDS];
} lb_chain;

/* "feed" of a case: the data of a tensor are those of an output of another case of the suite, so
 * that cases are layers of a network. What stands in the case is what the exact model gave. */
typedef struct lb_layer_feed {
    char *layer; /* the other case's id */
    lb_role from;
    lb_role to;
    unsigned to_index; /* in a list role */
} lb_layer_feed;

typedef struct lb_checkpoint {
    uint32_t step; /* from 1 */
    bool has_output[LB_ROLE_COUNT];
    lb_values output[LB_ROLE_COUNT];
} lb_checkpoint;

/* Where a recorded result comes from, as "lastbit vectors record" notes it; NULL: nobody has said.
 */
typedef struct lb_source {
    const char *port, *described, *sha256;
} lb_source;

typedef struct lb_expect {
    lb_source from;
    unsigned profile_mask; /* bit i: the numerics i (lb_profile_number) */
    bool has_status;
    lb_status status;
    bool has_return;
    int64_t return_value; /* bool: 0 or 1 */
    bool has_output[LB_ROLE_COUNT];
    lb_values output[LB_ROLE_COUNT];
    bool has_changed[LB_ROLE_COUNT];
    lb_changed *changed; /* of every role, where one has any; NULL: none has */
    lb_config *config;   /* that the function filled; NULL: none is told */
    size_t step_count;
    lb_step_expect *steps;
    size_t checkpoint_count; /* of a chain, in order of their steps */
    lb_checkpoint *checkpoints;
} lb_expect;

/* A function whose calls are a sequence of mli_mov_* calls, without a row in the table of kernels.
 */
#define LB_SEQUENCE_FUNCTION "mli_mov_sequence"

typedef struct lb_case {
    char *id;
    char *function;
    const lb_kernel *kernel; /* NULL for "mli_mov_sequence" and for names outside the table (those
                                are refused by the loader) */
    unsigned line;           /* of the case in its file, from 1 */
    char *note;              /* "note", for people; may be NULL */
    size_t tag_count;
    char **tags;
    bool null_role[LB_ROLE_COUNT];
    bool null_config;
    lb_config config;
    lb_case_operand operand[LB_ROLE_COUNT];
    size_t handle_count;
    lb_handle *handles;
    size_t step_count;
    lb_step *steps;
    lb_chain chain;
    unsigned layer_feed_count;
    lb_layer_feed *layer_feeds; /* LB_MAX_FEEDS at most */
    size_t expect_count;
    lb_expect *expect;
} lb_case;

/* The tensors of a case, role by role: for (lb_case_place p = LB_CASE_START; lb_case_next(c, &p);)
 */
typedef struct lb_case_place {
    int role;
    unsigned at; /* in the list of the role */
    lb_case_tensor *t;
} lb_case_place;
#define LB_CASE_START                                                                              \
    {                                                                                              \
        .role = 0, .at = UINT_MAX                                                                  \
    }
static inline bool lb_case_next(const lb_case *c, lb_case_place *p)
{
    for (p->at++; p->role < LB_ROLE_COUNT; p->role++, p->at = 0) {
        const lb_case_operand *operand = &c->operand[p->role];
        p->t = operand->present && p->at < operand->count ? &operand->tensors[p->at] : NULL;
        if (p->t)
            return true;
    }
    return false;
}

/* A copy whose operands can be changed: tensors, data and quantization are its own, names, tags and
 * expectations are shared. */
lb_case *lb_case_copy(lb_arena *arena, const lb_case *from);

bool lb_case_has_tag(const lb_case *c, const char *tag);
/* The expectation for a profile (by its numerics), or NULL: the exact model is the oracle. */
const lb_expect *lb_case_expect(const lb_case *c, const lb_profile *profile);

#endif
