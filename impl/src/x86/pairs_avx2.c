/*
 * pairs_avx2.c: element-wise operations of two operands in vectors of 256 bits.
 */
#include "vector_256.h"

#include "pairs.h"
