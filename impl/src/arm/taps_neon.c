/*
 * taps_neon.c: depthwise sums with NEON. Bytes are widened to 16 bits.
 */
#include "vector_neon.h"

#include "taps.h"
