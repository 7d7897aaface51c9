/*
 * windows_avx2.c: maxima of pooling windows in vectors of 256 bits.
 */
#include "vector_256.h"

#include "windows.h"
