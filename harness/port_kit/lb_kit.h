/* lastbit's port kit: everything that a porter gives and calls. Compile lb_kit.c with your own MLI
 * headers, define lb_port, and call lb_kit_serve with two functions that read and write bytes. No
 * heap, no stdio. README.md beside this file has the steps. */
#ifndef LB_KIT_H
#define LB_KIT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A line of bytes to lastbit. */
typedef struct lb_kit_transport {
    /* Waits for at least one byte, then reads what is there, `count` bytes at most. Gives how many;
     * 0: the line is closed. */
    uint32_t (*read)(void *line, uint8_t *to, uint32_t count);
    /* Writes all bytes. Gives 0 if the line is closed, else anything but 0. */
    int (*write)(void *line, const uint8_t *from, uint32_t count);
    void *line; /* handed to both; the kit does not look at it */
} lb_kit_transport;

/* The numerics that a port may have (rounding - accumulator). */
enum {
    LB_KIT_UP_FULL = 1,
    LB_KIT_UP_REDUCED = 2,
    LB_KIT_CONVERGENT_FULL = 4,
    LB_KIT_CONVERGENT_REDUCED = 8,
    LB_KIT_ALL_PROFILES = 15,
    /* Beside them: sa8 average pooling with 15 bits of its multiplier in place of 7 (the library's
     * AVEPOOL_16BIT_MUL, avepool_multiplier_bits of a profile). The first for a port that can do
     * both, the second for one that is built that way. */
    LB_KIT_AVEPOOL16 = 16,
    LB_KIT_ONLY_AVEPOOL16 = 16 + 32,
    /* And: its buffers must begin on boundaries of 64 bytes. Else some cases of the level smoke
     * begin beside them, by whole elements, which every C compiler allows. */
    LB_KIT_ALIGNED = 64,
    /* The numerics of kernels of LiteRT: whether their 32-bit sums are rounded twice or once. */
    LB_KIT_LITERT_DOUBLE = 256,
    LB_KIT_LITERT_SINGLE = 512,
    LB_KIT_BOTH_LITERT = 256 + 512
};

typedef struct lb_kit_port {
    const char *description; /* one line for reports: name, version, processor, compiler; up to 200
                                bytes are told */
    unsigned profiles;       /* those that the port has, ORed */
    /* Switches to a profile: "up-full", "up-reduced", "convergent-full", "convergent-reduced",
     * "litert-double", "litert-single"; with LB_KIT_AVEPOOL16 also the first four with "+avepool16"
     * behind them.
     * Called before a call in another profile than the one before it. NULL if the port has one
     * profile only. */
    void (*set_profile)(const char *name);
} lb_kit_port;

/* The porter defines it. */
extern const lb_kit_port lb_port;

/* Answers requests until the line is closed. `memory` is where tensors are laid out: the look-up
 * tables of the activations (about 2.3 KB) and the rest for one call at a time. What does not fit
 * is skipped by lastbit, which knows the size. */
void lb_kit_serve(const lb_kit_transport *transport, void *memory, uint32_t memory_bytes);

/* For who has pages, or a unit that protects memory; not needed otherwise. Before lb_kit_serve:
 * `protect` is to forbid reads and writes of these bytes (is_forbidden) or to allow them again; it
 * gives 0 if it cannot do that, else anything but 0. Pages have 4096 bytes then, and the memory
 * that lb_kit_serve is given ends on a boundary of them. lastbit puts a forbidden page beside each
 * buffer. */
void lb_kit_guard(int (*protect)(void *at, uint32_t bytes, int is_forbidden));
/* From the handler of the fault: tells lastbit where it was. `access`: 0 a read, 1 a write, 2 not
 * known. Nothing is told of addresses outside the memory. The port must end after that, or start
 * again. */
void lb_kit_fault(const void *address, unsigned access);

#ifdef __cplusplus
}
#endif

#endif
