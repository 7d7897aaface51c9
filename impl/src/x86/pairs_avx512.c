/*
 * pairs_avx512.c: element-wise operations of two operands in vectors of 512 bits.
 */
#include "vector_512.h"

#include "pairs.h"
