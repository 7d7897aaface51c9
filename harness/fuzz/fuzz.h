/* The interface of libFuzzer: one call for each input. run_corpus.c calls it too, for inputs that
 * are kept. */
#ifndef LB_HARNESS_FUZZ_H
#define LB_HARNESS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif
