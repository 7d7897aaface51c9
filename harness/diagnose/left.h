/* What a call left behind: status, fields of outputs and every byte of the case's memory. Kept of a
 * port's failing results, and held against what a fault of the bank leaves. */
#ifndef LB_HARNESS_DIAGNOSE_LEFT_H
#define LB_HARNESS_DIAGNOSE_LEFT_H

#include "harness/call/fields.h"

typedef struct lb_left {
    lb_status status;
    int64_t return_value;
    lb_config config;
    lb_fields fields[LB_ROLE_COUNT]; /* of outputs */
    int32_t scalars[LB_ROLE_COUNT];  /* of outputs of rank 0 */
    size_t block_bytes;
    unsigned char *block;
} lb_left;

/* A copy of what the instance holds now. */
lb_left *lb_left_copy(const lb_instance *instance, lb_arena *arena);

/* Are the two the same to a run: status, fields, every byte but those of scratch memory? */
bool lb_left_equals(const lb_left *left, const lb_instance *instance);

/* The same, with the bytes marked in `unsaid` as they are in `right`. */
const lb_left *lb_left_as_right(const lb_left *left, const unsigned char *unsaid,
                                const lb_instance *right, lb_arena *arena);

/* Is the role an output that was passed? */
bool lb_left_is_output(const lb_case *c, int role);
/* Where the elements of an output stand in the block of its case, also in place: in the buffer of
 * another tensor. */
typedef struct lb_left_output {
    lb_layout layout;
    size_t start, bytes; /* to the end of the buffer */
    size_t count;
} lb_left_output;
/* False: the role is no output that was passed, or has no elements in memory. */
bool lb_left_output_of(const lb_call_memory *memory, int role, lb_left_output *output);

/* Elements of all outputs: how many, how many of `left` differ from `right`, and of those how many
 * are as `said` has them, and how many of those are another number than the one before (many faults
 * give one number everywhere); and how many right ones `said` has otherwise. */
typedef struct lb_left_counts {
    uint64_t elements, wrong, explained, varied, spoiled;
} lb_left_counts;
lb_left_counts lb_left_count(const lb_left *left, const lb_instance *right,
                             const lb_instance *said);

/* Of how many elements of outputs something is said: no byte of them is marked. */
uint64_t lb_left_said(const unsigned char *unsaid, const lb_instance *right);

#endif
