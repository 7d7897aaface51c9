/* The memory of a case: the memory that its call works on, laid out once, and made real as often as
 * it is needed. Each instance has its own copy of every buffer, so that model and port start from
 * equal bytes and can be compared byte by byte. */
#ifndef LB_HARNESS_CALL_CALL_MEMORY_H
#define LB_HARNESS_CALL_CALL_MEMORY_H

#include "harness/suite/case.h"

/* What a buffer holds. */
typedef enum lb_buffer_kind {
    LB_BUFFER_DATA,
    LB_BUFFER_SCALE,
    LB_BUFFER_ZERO_POINT,
    LB_BUFFER_SCALE_FRAC_BITS,
    LB_BUFFER_SCRATCH
} lb_buffer_kind;
static inline lb_buffer_kind lb_param_buffer(int param)
{
    return (lb_buffer_kind)(LB_BUFFER_SCALE + param);
}

typedef struct lb_buffer {
    lb_buffer_kind kind;
    lb_role role; /* the tensor that owns it */
    unsigned list_index;
    bool is_output; /* the call may write it */
    size_t size_bytes;
    size_t offset; /* of its first byte in the instance's block; guard zones lie before and after */
} lb_buffer;

enum { LB_GUARD_BYTES = 64, LB_GUARD_FILL = 0xA5, LB_EMPTY_FILL = 0x5A };

enum { LB_BUFFER_KINDS = 5, LB_MAX_BUFFERS = 4 * (LB_ROLE_COUNT + 2 * LB_MAX_LIST) + 1 };

typedef struct lb_call_memory {
    const lb_case *test_case;
    unsigned misaligned;      /* bytes from a boundary of 64 to where buffers begin; 0: none */
    unsigned char guard_fill; /* what guard zones hold */
    size_t block_bytes;       /* of one instance, guard zones included */
    unsigned char *pristine;  /* initial bytes of a block */
    unsigned buffer_count;
    lb_buffer buffers[LB_MAX_BUFFERS];
    /* Index into buffers of the tensor's own data, scale, zero point and frac buffers (by
     * lb_buffer_kind), or -1. */
    short buffer_of[LB_ROLE_COUNT][LB_MAX_LIST][LB_BUFFER_SCRATCH];
    short scratch_buffer; /* or -1 */
} lb_call_memory;

/* What a port elsewhere has written beside a buffer. */
typedef struct lb_stray {
    size_t count;    /* bytes that were changed; 0: none */
    size_t distance; /* of the nearest from the buffer; 1: beside it */
    unsigned buffer;
    bool in_front;
} lb_stray;

/* Where a port was stopped, or what it did all the same: it touched what nobody may beside a
 * buffer.
 */
typedef enum lb_touch { LB_TOUCH_NONE, LB_TOUCH_READS, LB_TOUCH_WRITES, LB_TOUCH_ANY } lb_touch;
typedef struct lb_stop {
    lb_touch touch; /* ANY: it is not known which */
    lb_buffer_kind kind;
    lb_role role;
    unsigned list_index;
    bool in_front;
    uint64_t distance; /* from the buffer; 1: beside it */
} lb_stop;

/* A block of memory and the call whose tensors point into it. */
typedef struct lb_instance {
    const lb_call_memory *memory;
    unsigned char *block;                          /* memory->block_bytes, 64-byte aligned */
    lb_tensor tensors[LB_ROLE_COUNT][LB_MAX_LIST]; /* roles that are no lists use entry 0 */
    lb_call call;
    size_t
        wrote_behind; /* of a port elsewhere: bytes behind the block in which it wrote; 0: none */
    size_t wrote_in_front; /* the same in front of it */
    lb_stray stray;        /* the same beside one buffer */
    unsigned table_found;  /* of a port elsewhere: LB_WIRE_TABLE_..., what it did to a table */
    /* of a port elsewhere: LB_WIRE_CHANGED and the words behind it, what it did to its
     * configuration */
    uint32_t config_changed[3];
} lb_instance;

/* "in", "in[1] scale", "the scratch memory": a buffer in words. */
void lb_buffer_name(const lb_call_memory *memory, lb_buffer_kind kind, lb_role role,
                    unsigned list_index, char *text, size_t text_bytes);

/* Lays out the case. Memory comes from the arena. The loader has checked everything that could go
 * wrong here. */
void lb_call_memory_make(lb_call_memory *memory, const lb_case *test_case, lb_arena *arena);
enum { LB_MISALIGNED_AT_MOST = 63, LB_ALIGNED = 64 };
/* What a case of the smoke level begins with if nobody asks otherwise: 1 to 15 bytes past a
 * boundary, by its id; about half of them, and all other cases, begin on it: 0. */
unsigned lb_case_misaligned(const lb_case *c);
unsigned lb_id_misaligned(const char *case_id); /* of a case of that level */
/* How the memory of a case may be laid out. Zero: as it always is. */
typedef struct lb_memory_options {
    unsigned misaligned; /* bytes from a boundary of 64 to where buffers begin, up to a whole number
                            of elements; 0: as lb_case_misaligned has it; LB_ALIGNED: none */
    uint64_t seed;       /* of what guard zones hold; 0: LB_GUARD_FILL */
} lb_memory_options;
void lb_call_memory_make_as(lb_call_memory *memory, const lb_case *test_case,
                            const lb_memory_options *options, lb_arena *arena);
/* What zones hold that nobody may touch, by seed and case. */
unsigned char lb_guard_fill(uint64_t seed, const char *case_id);
/* A fresh instance: bytes and tensors as before the call. */
void lb_instance_make(lb_instance *instance, const lb_call_memory *memory, lb_arena *arena);
/* Memory with nothing behind it and in front of it that could be touched. Zero: none yet. */
typedef struct lb_fenced {
    unsigned char *start;
    size_t bytes;
} lb_fenced;
/* The same in fenced memory, which grows as it must and holds one instance at a time: whoever
 * writes behind the last buffer is stopped by the processor. Where the host has no such memory, as
 * above. */
void lb_instance_make_fenced(lb_instance *instance, const lb_call_memory *memory, lb_fenced *fenced,
                             lb_arena *arena);
void lb_fenced_free(lb_fenced *fenced);
/* Puts bytes and tensors of an existing instance back to the state before the call. */
void lb_instance_reset(lb_instance *instance);
/* Gives one tensor other data: those of a tensor that is laid out alike. */
void lb_instance_put(lb_instance *instance, lb_role role, unsigned list_index,
                     const lb_case_tensor *t);
/* A tensor of one instance as the same of another of the same memory: its pointers moved. */
lb_tensor lb_tensor_moved(const lb_tensor *t, const lb_instance *from, const lb_instance *to);
/* Gives `to` the bytes and tensors of `from`, another instance of the same memory. */
void lb_instance_take(lb_instance *to, const lb_instance *from);
/* Under AddressSanitizer: makes the guard zones forbidden ground for the time of a call, so that
 * stray reads are found too. */
void lb_instance_guard(lb_instance *instance, bool forbidden);

/* Does memory count such a dimension as 1? */
static inline bool lb_dimension_is_bad(uint32_t extent)
{
    return extent == 0 || extent > INT32_MAX;
}

/* How the elements of an output lie in its buffer when they are compared: as the case gave them. */
typedef struct lb_layout {
    unsigned rank;
    uint32_t shape[LB_MAX_RANK];
    int64_t stride[LB_MAX_RANK]; /* in elements */
    unsigned element_bytes;
} lb_layout;

/* Layout in which the case's `data` of a tensor stand in memory: its strides where they are valid,
 * else dense; a flat list with buffer_elements. */
lb_layout lb_layout_of(const lb_case_tensor *t);
/* Elements of all tensors of the case together. */
uint64_t lb_case_element_count(const lb_case *c);
size_t lb_layout_count(const lb_layout *layout);
/* Byte offset of the element with this flat row-major index. */
size_t lb_layout_offset(const lb_layout *layout, size_t flat);

/* The elements of a tensor of the case, laid out as the case gave them: where the first stands, how
 * many there are, the bytes from the first to the last with the gaps between them. */
typedef struct lb_elements {
    lb_layout layout;
    unsigned char *base;
    size_t count, span_bytes;
} lb_elements;
lb_elements lb_instance_elements(const lb_instance *instance, lb_role role, unsigned list_index);

/* Which buffer a pointer of this instance points into, and where: false if into none. */
bool lb_instance_locate(const lb_instance *instance, const void *pointer, unsigned *buffer,
                        size_t *offset_bytes);

#endif
