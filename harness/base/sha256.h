/* SHA-256 of bytes, of files, and of what comes piece by piece (libnettle, which takes the CPU's
   instructions for it). A digest as text is 64 lower-case hexadecimal digits. */
#ifndef LB_HARNESS_BASE_SHA256_H
#define LB_HARNESS_BASE_SHA256_H

#include <nettle/sha2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LB_SHA256_BYTES = SHA256_DIGEST_SIZE, LB_SHA256_TEXT = 2 * LB_SHA256_BYTES + 1 };

typedef struct sha256_ctx lb_sha256;

void lb_sha256_start(lb_sha256 *digest);
void lb_sha256_add(lb_sha256 *digest, const void *bytes, size_t count);

/* The digest of all bytes since the start; then it starts anew. */
void lb_sha256_end(lb_sha256 *digest, char text[LB_SHA256_TEXT]);
void lb_sha256_end_bytes(lb_sha256 *digest, uint8_t bytes[LB_SHA256_BYTES]);

void lb_sha256_of(const void *bytes, size_t count, char text[LB_SHA256_TEXT]);

/* False if the file can't be read (errno says why). */
bool lb_sha256_of_file(const char *path, char text[LB_SHA256_TEXT]);

#endif
