/* One call over the wire: what stands in memory and in tensors goes to the port, what it left comes
 * back. */
#ifndef LB_HARNESS_PORT_CALL_H
#define LB_HARNESS_PORT_CALL_H

#include "harness/call/call_memory.h"
#include "harness/port/fences.h"
#include "harness/port/port.h"
#include "harness/port/wire.h"

/* Names of callbacks, which have numbers on the wire. The names are kept: those of a case are gone
 * when the next one begins. */
typedef struct lb_callback_names {
    char name[LB_WIRE_CALLBACKS][256];
    uint64_t used[LB_WIRE_CALLBACKS], uses;
} lb_callback_names;

/* A line with what calls on it need. */
typedef struct lb_port_line {
    lb_wire wire;
    bool big_endian;       /* the port */
    uint32_t memory_bytes; /* the port */
    bool whole_block;      /* as lb_port's */
    bool shared_is_known;  /* it was asked whether its memory is the shared one */
    bool pages_are_known;  /* it was asked to forbid the gaps between slots (pages.h) */
    unsigned classes;      /* of slots whose gaps are forbidden in the memory of an agent */
    lb_fences fences;
    bool fenced;  /* the last call had its buffers between them */
    lb_stop stop; /* where the last call was stopped by one */
    bool
        ends_guarded; /* nothing can be touched behind the port's memory: blocks stand at its end */
    uint64_t seed;    /* of what stands behind a block */
    unsigned turns;   /* so often each call is made again */
    unsigned turn;    /* of these 1, 2, ...: its buffers stand elsewhere, but those of the last one
                         where they did the first time */
    bool aligned;     /* buffers must begin on boundaries of 64 bytes */
    uint64_t deadline_ns; /* of the call */
    double limit_seconds;
    bool host_failed;              /* no memory for what the port left */
    unsigned char *before, *after; /* memory of the port as sent and as it came back */
    size_t room_bytes;
    lb_callback_names callback_names;
} lb_port_line;

void lb_port_line_free(lb_port_line *line);

typedef struct lb_request_argument {
    uint8_t role, count; /* role as on the wire */
    lb_tensor *tensors;
} lb_request_argument;

typedef struct lb_port_request {
    unsigned function;     /* its number on the wire */
    unsigned profile;      /* its index */
    lb_instance *instance; /* whose block the tensors point into; NULL: the call has none */
    bool config_is_null;
    uint32_t config[LB_WIRE_CONFIG_WORDS], more[LB_WIRE_M_WORDS];
    const char *callback; /* the name behind more[LB_WIRE_M_CALLBACK] */
    const void *scratch;  /* into the block, or NULL; scratch_word: where it goes in config */
    int scratch_word;
    unsigned argument_count;
    lb_request_argument arguments[LB_WIRE_ROLES];
    /* What came back; the tensors and the block are written. */
    uint32_t result[LB_WIRE_R_WORDS], config_out[LB_WIRE_CONFIG_WORDS];
    unsigned callback_count;
    struct {
        const char *name;
        int32_t cookie;
    } callbacks[LB_WIRE_CALLBACKS];
} lb_port_request;

/* A call as a request, and its results back. */
void lb_request_from_call(lb_port_request *request, const lb_call *call);
void lb_request_to_call(const lb_port_request *request, lb_call *call);
void lb_request_from_step(lb_port_request *request, const lb_mov_step *step);
void lb_request_to_step(const lb_port_request *request, lb_mov_step *step);

/* Fields of a configuration as words; gives how many. */
unsigned lb_config_to_words(const lb_config *config, lb_config_kind kind, uint32_t *words);
/* LB_WIRE_IN, ... */
uint8_t lb_wire_role(lb_role role);
/* The number of a function on the wire, or -1. */
int lb_wire_function(const char *name);

/* The request's callback gets a number: that of its name, or that of the name longest unused. */
void lb_name_callback(lb_port_request *request, lb_callback_names *names);
/* Notes a callback that was made, by its number. */
void lb_note_callback(lb_port_request *request, unsigned i, unsigned which, int32_t cookie,
                      const lb_callback_names *names);

/* Where the pointers of a call lead: into a block here, which stands at `base` in the port's
 * memory.
 */
typedef struct lb_wire_block {
    unsigned char *block; /* NULL: there is none */
    size_t bytes;
    uint32_t base;
    const lb_fences
        *fences; /* of buffers that stand by themselves; NULL: they stand in the block */
    const lb_call_memory *memory;
    size_t front; /* where the port's offset 0 lies in the shared memory */
} lb_wire_block;

/* Words of a tensor whose pointers lie there, and back. */
void lb_tensor_to_words(const lb_tensor *t, const lb_wire_block *place, uint32_t *words);
void lb_tensor_from_words(lb_tensor *t, const lb_wire_block *place, const uint32_t *words);

/* Makes the call. False: line->wire.failure says what was seen instead. */
bool lb_port_perform(lb_port_line *line, lb_port_request *request);

#endif
