/* What the targets of the case loaders share: bytes as an open file, through one of the loaders. */
#ifndef LB_HARNESS_FUZZ_SUITE_H
#define LB_HARNESS_FUZZ_SUITE_H

#include "harness/suite/suite_internal.h"

#include <stddef.h>
#include <stdint.h>

typedef void (*lb_fuzz_loader)(lb_suite *suite, int fd, lb_problems *problems);

/* Loads the bytes; what is well-formed is written as JSON Lines, case by case, and read again. */
void lb_fuzz_suite(const uint8_t *bytes, size_t size, lb_fuzz_loader load);

#endif
