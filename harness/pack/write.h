/* The files of baked packs: C sources with one array each, what they need to be compiled, and a
 * list of what is in them. */
#ifndef LB_HARNESS_PACK_WRITE_H
#define LB_HARNESS_PACK_WRITE_H

#include "harness/pack/script.h"

#include <stdio.h>

/* A file of the port kit that goes with the packs. */
typedef struct lb_pack_source {
    const char *name;
    const unsigned char *text;
    size_t bytes;
} lb_pack_source;
extern const lb_pack_source
    lb_pack_sources[]; /* made by the build from port_kit/; the last has no name */

typedef struct lb_pack_writer {
    const char *folder;
    size_t max_bytes; /* of a pack */
    bool big_endian;
    lb_pack_bytes pack; /* at work, its head included */
    uint32_t cases;     /* in it */
    uint32_t packs, all_cases;
    size_t memory_bytes, all_memory_bytes; /* of the largest case: of the pack, of all */
    size_t largest_bytes, all_bytes;       /* of a pack, of all */
    FILE *list;
} lb_pack_writer;

/* Makes the folder, or takes packs from an earlier time out of it. False: message on standard
 * error. */
bool lb_pack_writer_open(lb_pack_writer *writer);
/* Adds a case; where it does not fit into the pack at work a new one is begun. `place` is
 * "file:line". False: message on standard error. */
bool lb_pack_writer_add(lb_pack_writer *writer, const lb_pack_bytes *record, size_t memory_bytes,
                        const char *id, const char *profiles, const char *place);
/* Writes what is left. False: message on standard error. */
bool lb_pack_writer_close(lb_pack_writer *writer);
/* Takes away what has been written. */
void lb_pack_writer_discard(lb_pack_writer *writer);
void lb_pack_writer_free(lb_pack_writer *writer);

#endif
