/* The buffers of a case in the slots of a library port (pages.h): each ends where nobody may touch
 * anything, or begins there. What is left of its slot holds bytes that must stay. */
#ifndef LB_HARNESS_PORT_FENCES_H
#define LB_HARNESS_PORT_FENCES_H

#include "harness/call/call_memory.h"
#include "harness/port/pages.h"

/* What slots hold. Zero: nothing is known of any. */
typedef struct lb_fences {
    struct {
        uint32_t at, bytes; /* of the buffer that stood there last, from the slot's start */
        bool is_filled;
        unsigned char fill; /* with that */
    } slot[LB_PAGES_SLOTS];
    unsigned char fill; /* what is in the rest of a slot */
    /* of the call */
    unsigned count;
    struct {
        size_t slot, slot_bytes, at; /* offsets of the shared memory */
        unsigned number;
    } place[LB_MAX_BUFFERS];
} lb_fences;

/* Where buffers stand in their slots: at the ends, at the starts; or, where `draw` is not 0,
 * somewhere, on `boundary` as they are in the block. */
typedef struct lb_fences_wish {
    bool at_ends;
    unsigned boundary;
    uint64_t draw;
    unsigned classes; /* that there are */
} lb_fences_wish;
/* Chooses slots for all buffers. False: there is none for one of them. */
bool lb_fences_place(lb_fences *fences, const lb_call_memory *memory, lb_fences_wish wish);
/* Bytes of a slot in front of its buffer, and behind it. */
size_t lb_fences_front(const lb_fences *fences, unsigned b);
size_t lb_fences_behind(const lb_fences *fences, const lb_call_memory *memory, unsigned b);
/* Is all beside a buffer as it was? What is found first is kept. */
bool lb_fences_look(const unsigned char *bytes, size_t count, unsigned char fill, bool in_front,
                    unsigned b, lb_stray *stray);
/* Puts the buffers there, and takes them back; what was written beside them goes to
 * instance->stray. */
void lb_fences_give(lb_fences *fences, unsigned char *shared, const lb_instance *instance);
void lb_fences_take(lb_fences *fences, const unsigned char *shared, lb_instance *instance);

/* The place of a pointer into the block in the shared memory, and back; 0, NULL: nowhere. */
size_t lb_fences_offset(const lb_fences *fences, const lb_call_memory *memory, size_t in_block);
bool lb_fences_in_block(const lb_fences *fences, const lb_call_memory *memory, size_t offset,
                        size_t *in_block);

/* At which buffer the port was stopped; LB_TOUCH_NONE: at none. */
lb_stop lb_fences_stop(const lb_fences *fences, const lb_call_memory *memory,
                       const lb_fault_told *fault);
/* "it reads 1 byte behind in, row 3 (its rows are 0 to 2)"; "" if it was at none. */
void lb_fences_describe(const lb_stop *stop, const lb_call_memory *memory, char *text,
                        size_t text_bytes);

#endif
