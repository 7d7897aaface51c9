/* The one form of our archives, for writer and reader. */
#ifndef LB_HARNESS_PACKAGE_ARCHIVE_FORM_H
#define LB_HARNESS_PACKAGE_ARCHIVE_FORM_H

#include "harness/package/archive.h"

enum { LB_TAR_BLOCK = 512, LB_DIGEST_BYTES = 32 };

void lb_archive_tar_header(unsigned char header[LB_TAR_BLOCK], const char *name, uint64_t size);
void lb_archive_gzip_header(unsigned char header[LB_ARCHIVE_HEADER_BYTES],
                            const unsigned char digest[LB_DIGEST_BYTES]);

#endif
