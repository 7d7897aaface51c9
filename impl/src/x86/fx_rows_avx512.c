/*
 * fx_rows_avx512.c: FX_16 results in vectors of 512 bits.
 */
#include "vector_512.h"

#include "fx_rows.h"
