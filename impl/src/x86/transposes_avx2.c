/*
 * transposes_avx2.c: transposes in vectors of 256 bits.
 */
#include "vector_256.h"

#include "transposes.h"
