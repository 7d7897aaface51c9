/*
 * sa_rows_avx2.c: sa8 results in vectors of 256 bits.
 */
#include "vector_256.h"

#include "sa_rows.h"

#include "dense_rows.h"
