/* Where buffers stand in the memory of a library port: slots between pages that nobody may touch.
 * Both sides know the same slots; offsets are those of the shared memory. */
#ifndef LB_HARNESS_PORT_PAGES_H
#define LB_HARNESS_PORT_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LB_PAGE_BYTES = 4096,
    LB_PAGES_GAP = 1 << 18,   /* forbidden, in front of every slot and behind the last */
    LB_PAGES_START = 1 << 20, /* of the slots; the kit keeps its tables in front of them */
    LB_PAGES_CLASSES = 14,    /* slots of 1, 2, 4, ... pages */
    LB_PAGES_SLOTS = 278      /* of all classes */
};

/* How many slots there are of 1 << `class` pages, and where the i-th begins. */
unsigned lb_pages_count(unsigned class);
size_t lb_pages_slot(unsigned class, unsigned i);
/* The number of that slot among all. */
unsigned lb_pages_number(unsigned class, unsigned i);
/* Behind the last gap of so many classes: from here on memory is as it always was. */
size_t lb_pages_end(unsigned classes);
/* How many of them leave a half of so many bytes; 0: none. */
unsigned lb_pages_classes_in(size_t bytes);

/* All gaps of so many classes: where each begins; gives how many. */
unsigned lb_pages_gaps(unsigned classes, size_t gaps[LB_PAGES_SLOTS + 1]);
/* In the port's process: forbids the gaps. Without effect where pages are of another size. */
void lb_pages_forbid(unsigned char *memory);
bool lb_pages_are_there(void);

/* What the port's process tells of a fault, at the start of the shared memory. The port can write
 * here too: it decides nothing but words. */
typedef struct lb_fault_told {
    uint64_t offset;            /* of the address, from the start of the shared memory */
    uint32_t is_told, is_write; /* is_write: 0 it reads, 1 it writes, 2 not known */
} lb_fault_told;

#endif
