/*
 * fx_rows_avx2.c: FX_16 results in vectors of 256 bits.
 */
#include "vector_256.h"

#include "fx_rows.h"
