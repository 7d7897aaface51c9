/* Encodings files that cases refer to: read once a process, as long as they stay as they are. */
#ifndef LB_HARNESS_ENCODINGS_CACHE_H
#define LB_HARNESS_ENCODINGS_CACHE_H

#include "harness/encodings/encodings.h"

/* The file of this path, as lb_enc_read gives it. It stays until it changes on disk and is asked
 * for again, or is crowded out by others; tensors must not be kept beyond the next call. */
const lb_enc_file *lb_enc_cached(const char *path, const lb_enc_options *options);

#endif
