/*
 * sa_rows_avx512.c: sa8 results in vectors of 512 bits.
 */
#include "vector_512.h"

#include "sa_rows.h"

#include "dense_rows.h"
