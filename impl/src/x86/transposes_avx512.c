/*
 * transposes_avx512.c: transposes in vectors of 512 bits.
 */
#include "vector_512.h"

#include "transposes.h"
