/* Archives in which no byte can change unseen: tar.gz files of one form only. The gzip header
 * carries the SHA-256 of all that follows it, every tar header is the one that this code would
 * write, and padding is zero. Any tar can unpack them. */
#ifndef LB_HARNESS_PACKAGE_ARCHIVE_H
#define LB_HARNESS_PACKAGE_ARCHIVE_H

#include "harness/base/sha256.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { LB_MAX_MEMBER_NAME = 99, LB_ARCHIVE_HEADER_BYTES = 48 };
#define LB_MAX_MEMBER_BYTES ((uint64_t)8 << 30)

/* ---- Writing ---- */

typedef struct lb_archive_writer lb_archive_writer;

/* Starts an archive in a file that can be written and sought; it stays the caller's. */
lb_archive_writer *lb_archive_create(FILE *out);
/* Adds a member: all of a file, or a text. sha256 (may be NULL) gets its digest. False: a message
 * in error, or the output failed. */
bool lb_archive_add_file(lb_archive_writer *writer, const char *name, const char *path,
                         char sha256[LB_SHA256_TEXT], char *error, size_t error_bytes);
bool lb_archive_add_text(lb_archive_writer *writer, const char *name, const char *text,
                         size_t length, char sha256[LB_SHA256_TEXT]);
/* Ends the archive and writes its digest into its header. False: the output failed. Frees the
 * writer either way. */
bool lb_archive_finish(lb_archive_writer *writer);

/* ---- Reading ---- */

/* Are the bytes those that lb_archive_finish left? False: the cause in error. */
bool lb_archive_check_bytes(FILE *in, char *error, size_t error_bytes);

/* Called for every member, in order: its name, then its bytes in pieces, then a piece of none at
 * its end. False ends the reading. */
typedef bool (*lb_archive_member_fn)(void *user, const char *name, uint64_t size,
                                     const unsigned char *bytes, size_t count);

/* Reads a tar.gz file, also one that another tool has written, if its members are plain files.
 * False: the cause in error, or the callback ended it. *regular tells whether all of it had the
 * form that this code writes. */
bool lb_archive_read(FILE *in, lb_archive_member_fn member, void *user, bool *regular, char *error,
                     size_t error_bytes);

#endif
