/* A line of bytes to a port that runs elsewhere: a command, a shared library in a process of its
 * own, a TCP port or a serial device. */
#ifndef LB_HARNESS_PORT_LINK_H
#define LB_HARNESS_PORT_LINK_H

#include "harness/port/host.h"
#include "harness/port/ring.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum lb_link_kind {
    LB_LINK_COMMAND,
    LB_LINK_LIBRARY,
    LB_LINK_TCP,
    LB_LINK_SERIAL
} lb_link_kind;

/* Whereto, as the user wrote it. */
typedef struct lb_link_target {
    lb_link_kind kind;
    char address[4096]; /* command, file, host, or device */
    char service[32];   /* TCP port */
    unsigned baud;      /* serial */
} lb_link_target;

/* How a library is kept apart, for all links that are opened from now on. */
extern lb_sandbox lb_link_sandbox;

enum { LB_LINK_WORDS = 400 };

typedef struct lb_link {
    bool is_open;
    int in, out;
    pid_t process;   /* lastbit-host, of a command or library; 0: none */
    int channel;     /* what it has to say itself (host.h) */
    char said[1500]; /* and has said so far */
    size_t said_bytes;
    pid_t owner;           /* the process that opened it */
    bool host_failed;      /* it is not the port's fault: the host has no descriptor, no process */
    unsigned char *memory; /* which the process sees too, with rings (shared_memory.h); NULL */
    lb_ring_patience patience;
    bool memory_is_port; /* it was seen that the port has its tensors there */
} lb_link;

/* Reads "exec:COMMAND", "tcp:HOST:PORT", "serial:DEVICE[:BAUD]" or a file name. False: message on
 * standard error. */
bool lb_link_parse(const char *text, lb_link_target *target);

/* Opens it; false with the reason in `why`. */
bool lb_link_open(lb_link *link, const lb_link_target *target, char *why, size_t why_bytes);

/* Ends the connection, and the process with all that it started. A link that another process opened
 * is only forgotten. */
void lb_link_close(lb_link *link);

/* Waits until bytes can be read, or (if `count` > 0) some are written, or the deadline
 * (lb_awake_ns) has passed. */
typedef enum lb_link_event { LB_LINK_BYTES, LB_LINK_TIME, LB_LINK_CLOSED } lb_link_event;
/* Bytes received go to `to` (room bytes; *received of them); *sent counts what was written of
 * `from`. */
lb_link_event lb_link_pump(lb_link *link, const uint8_t *from, size_t count, size_t *sent,
                           uint8_t *to, size_t room, size_t *received, uint64_t deadline_ns);

/* What keeps a library apart, and what does not for it is not permitted here, in words; "" where
 * nothing was said. */
void lb_link_kept_apart(lb_link *link, char by[LB_LINK_WORDS], char open[LB_LINK_WORDS]);

/* What became of a line that is closed: "the port crashed: signal 11 (Segmentation fault)". Waits a
 * moment for the process to end. */
void lb_link_describe_end(lb_link *link, char *text, size_t text_bytes);

#endif
