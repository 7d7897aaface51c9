/*
 * panel_neon.c: panels of weights with NEON. Bytes are widened to 16 bits.
 */
#include "vector_neon.h"

#include "panel.h"
