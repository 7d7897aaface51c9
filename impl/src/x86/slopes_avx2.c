/*
 * slopes_avx2.c: parametric ReLU in vectors of 256 bits.
 */
#include "vector_256.h"

#include "slopes.h"
