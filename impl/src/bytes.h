/*
 * bytes.h: look-up of bytes in a table of 256, once for all levels with vectors. A level's file includes the header of its
 * vectors and then this one, which defines the level's fill function "bytes". What is left over by whole vectors goes to the
 * plain loop.
 */
#include "dispatch.h"

enum { VECTOR_BYTES = LANES * 4 };

static lb_mli_map_s8_fn *plain_map; /* written by the fill function alone */

/* A shuffle looks up 16 entries, where the high half of an index is 0: sixteen of them, each with its own half taken off.
 * Indices that are none then have their top bit set, which gives 0. */
static void map_s8(const int8_t *in, size_t n, const int8_t table[256], int8_t *out)
{
    size_t i = 0;
    for (; i + 2 * VECTOR_BYTES <= n; i += 2 * VECTOR_BYTES) {
        const V a = FLIPPED(LOAD(in + i)), b = FLIPPED(LOAD(in + i + VECTOR_BYTES));
        V y_a = SET(0), y_b = SET(0);
        for (int high = 0; high < 16; high++) {
            const V entries = SIXTEEN(table + 16 * high), half = SET_BYTES(16 * high);
            y_a = OR(y_a, SHUFFLE(entries, ADD_UNSIGNED(XOR(a, half), SET_BYTES(0x70))));
            y_b = OR(y_b, SHUFFLE(entries, ADD_UNSIGNED(XOR(b, half), SET_BYTES(0x70))));
        }
        STORE(out + i, y_a);
        STORE(out + i + VECTOR_BYTES, y_b);
    }
    plain_map(in + i, n - i, table, out + i);
}

#include "map_sums.h"

/* After the plain loops of the level. */
void LB_MLI_FILL(bytes)(struct lb_mli_loops *loops)
{
    plain_map = loops->map_s8;
    loops->map_s8 = map_s8;
    loops->sum_map_s8 = sum_map_s8;
}
