/* Transposes of matrices in vectors. Matrices that are smaller than a tile go to the loops of the
 * level before.
 *
 * A tile is as wide as a vector, and in each 128 bits of it a square one, transposed as in
 * portable/copy.c: k perfect shuffles of 2^k rows, each of which interleaves the two halves of the
 * rows. */
#include "loops.h"
#include "permute_tiles.h"

enum { PARTS = VECTOR_BYTES / 16 };

static lb_mli_transpose_fn *plain_transpose[LB_MLI_WIDTHS]; /* written by the fill function alone */

/* Rows are registers only where no loop is left. */
#define UNROLLED _Pragma("GCC unroll 16")

#define SHUFFLED(from, to, high, low_of, high_of)                                                  \
    UNROLLED                                                                                       \
    for (size_t r = 0; r < (high) / 2; r++) {                                                      \
        (to)[2 * r] = low_of((from)[r], (from)[r + (high) / 2]);                                   \
        (to)[2 * r + 1] = high_of((from)[r], (from)[r + (high) / 2]);                              \
    }

#define TRANSPOSED_TILE(name, high, shuffles, low_of, high_of)                                     \
    static void name(const char *from, ptrdiff_t from_step, char *to, ptrdiff_t to_step)           \
    {                                                                                              \
        V a[high], b[high];                                                                        \
        UNROLLED                                                                                   \
        for (ptrdiff_t r = 0; r < (high); r++)                                                     \
            a[r] = LOAD(from + r * from_step);                                                     \
        UNROLLED                                                                                   \
        for (size_t i = 0; i < (shuffles) / 2; i++) {                                              \
            SHUFFLED(a, b, high, low_of, high_of)                                                  \
            SHUFFLED(b, a, high, low_of, high_of)                                                  \
        }                                                                                          \
        if ((shuffles) % 2)                                                                        \
            SHUFFLED(a, b, high, low_of, high_of)                                                  \
        UNROLLED                                                                                   \
        for (ptrdiff_t r = 0; r < (high); r++) {                                                   \
            const V column = (shuffles) % 2 ? b[r] : a[r]; /* of each part */                      \
            EACH_PART(to + r * to_step, (high)*to_step, column)                                    \
        }                                                                                          \
    }

/* The parts are constants of the instruction. */
#if LANES == 16
#define EACH_PART(to, step, v)                                                                     \
    STORE_16(to, v, 0);                                                                            \
    STORE_16((to) + (step), v, 1);                                                                 \
    STORE_16((to) + 2 * (step), v, 2);                                                             \
    STORE_16((to) + 3 * (step), v, 3);
#else
#define EACH_PART(to, step, v)                                                                     \
    STORE_16(to, v, 0);                                                                            \
    STORE_16((to) + (step), v, 1);
#endif

TRANSPOSED_TILE(tile_8, 16, 4, LOW_BYTES, HIGH_BYTES)
TRANSPOSED_TILE(tile_16, 8, 3, LOW_WORDS, HIGH_WORDS)
TRANSPOSED_TILE(tile_32, 4, 2, LOW_LANES, HIGH_LANES)

#define TRANSPOSE(name, width, size, high, tile)                                                   \
    static void name(const void *from, ptrdiff_t from_step, size_t rows, size_t cols, void *to,    \
                     ptrdiff_t to_step)                                                            \
    {                                                                                              \
        const struct matrix m = {from, from_step, rows, cols, to, to_step};                        \
        if (rows >= (high) && cols >= VECTOR_BYTES / (size))                                       \
            transpose_tiles(&m, size, high, VECTOR_BYTES / (size), tile);                          \
        else                                                                                       \
            plain_transpose[width](from, from_step, rows, cols, to, to_step);                      \
    }

TRANSPOSE(transpose_8, LB_MLI_8BIT, 1, 16, tile_8)
TRANSPOSE(transpose_16, LB_MLI_16BIT, 2, 8, tile_16)
TRANSPOSE(transpose_32, LB_MLI_32BIT, 4, 4, tile_32)

/* After the loops of the level before. */
static void fill_permute(struct lb_mli_loops *loops)
{
    memcpy(plain_transpose, loops->transpose, sizeof plain_transpose);
    loops->transpose[LB_MLI_8BIT] = transpose_8;
    loops->transpose[LB_MLI_16BIT] = transpose_16;
    loops->transpose[LB_MLI_32BIT] = transpose_32;
}
