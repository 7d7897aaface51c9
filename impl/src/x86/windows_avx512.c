/*
 * windows_avx512.c: maxima of pooling windows in vectors of 512 bits.
 */
#include "vector_512.h"

#include "windows.h"
