/*
 * bytes_avx512.c: element-wise loops on bytes in vectors of 512 bits.
 */
#include "vector_512.h"

#include "bytes.h"
