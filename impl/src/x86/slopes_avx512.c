/*
 * slopes_avx512.c: parametric ReLU in vectors of 512 bits.
 */
#include "vector_512.h"

#include "slopes.h"
