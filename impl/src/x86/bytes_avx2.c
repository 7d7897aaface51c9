/*
 * bytes_avx2.c: element-wise loops on bytes in vectors of 256 bits.
 */
#include "vector_256.h"

#include "bytes.h"
