/*
 * portable_move.c: moving memory in plain C: short runs as one or two moves of a fixed size, transposes as tiles that
 * fit vector registers.
 */
#include <string.h>

#include "dispatch.h"

/* n runs with a constant size: the call of memcpy becomes a load and a store. */
static inline void fixed_runs(const char *restrict from, ptrdiff_t from_step, size_t bytes, size_t n, char *restrict to,
                              ptrdiff_t to_step)
{
    for (size_t i = 0; i < n; i++)
        memcpy(to + (ptrdiff_t)i * to_step, from + (ptrdiff_t)i * from_step, bytes);
}

/* n runs of part..2 * part bytes: two moves of part bytes each, the second ends where the run ends. */
static inline void split_runs(const char *restrict from, ptrdiff_t from_step, size_t bytes, size_t part, size_t n,
                              char *restrict to, ptrdiff_t to_step)
{
    const size_t second = bytes - part;
    for (size_t i = 0; i < n; i++) {
        const char *a = from + (ptrdiff_t)i * from_step;
        char *b = to + (ptrdiff_t)i * to_step;
        memcpy(b, a, part);
        memcpy(b + second, a + second, part);
    }
}

/* Every second byte, packed: the one gather that a vectorizer knows. */
static void every_second_byte(const char *restrict from, size_t n, char *restrict to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[2 * i];
}

static void copy_runs(const void *from, ptrdiff_t from_step, size_t bytes, size_t n, void *to, ptrdiff_t to_step)
{
    if (bytes == 1 && from_step == 2 && to_step == 1)
        every_second_byte(from, n, to);
    else if (bytes == 1)
        fixed_runs(from, from_step, 1, n, to, to_step);
    else if (bytes == 2)
        fixed_runs(from, from_step, 2, n, to, to_step);
    else if (bytes == 4)
        fixed_runs(from, from_step, 4, n, to, to_step);
    else if (bytes == 8)
        fixed_runs(from, from_step, 8, n, to, to_step);
    else if (bytes == 16)
        fixed_runs(from, from_step, 16, n, to, to_step);
    else if (bytes < 4)
        split_runs(from, from_step, bytes, 2, n, to, to_step);
    else if (bytes < 8)
        split_runs(from, from_step, bytes, 4, n, to, to_step);
    else if (bytes < 16)
        split_runs(from, from_step, bytes, 8, n, to, to_step);
    else if (bytes <= 32)
        split_runs(from, from_step, bytes, 16, n, to, to_step);
    else if (bytes <= 64)
        split_runs(from, from_step, bytes, 32, n, to, to_step);
    else
        fixed_runs(from, from_step, bytes, n, to, to_step);
}

/*
 * A square tile of 2^k x 2^k elements is transposed by k perfect shuffles: each moves the elements of the two halves to
 * the even and the odd places, that is, it rotates the bits of an element's index by one. After k rotations row and
 * column have changed places. A shuffle is a loop that compilers turn into interleaving instructions.
 */
#define TILE_FUNCTION(name, type, side, shuffles)                                                                      \
    static inline void name##_shuffle(const type *restrict a, type *restrict b)                                        \
    {                                                                                                                  \
        for (size_t i = 0; i < (side) * (side) / 2; i++) {                                                             \
            b[2 * i] = a[i];                                                                                           \
            b[2 * i + 1] = a[i + (side) * (side) / 2];                                                                 \
        }                                                                                                              \
    }                                                                                                                  \
    static void name(const char *from, ptrdiff_t from_step, char *to, ptrdiff_t to_step)                               \
    {                                                                                                                  \
        type a[(side) * (side)], b[(side) * (side)];                                                                   \
        for (ptrdiff_t r = 0; r < (side); r++)                                                                         \
            memcpy(a + r * (side), from + r * from_step, (side) * sizeof(type));                                       \
        for (size_t i = 0; i < (shuffles) / 2; i++) {                                                                  \
            name##_shuffle(a, b);                                                                                      \
            name##_shuffle(b, a);                                                                                      \
        }                                                                                                              \
        if ((shuffles) % 2)                                                                                            \
            name##_shuffle(a, b);                                                                                      \
        for (ptrdiff_t r = 0; r < (side); r++)                                                                         \
            memcpy(to + r * to_step, ((shuffles) % 2 ? b : a) + r * (side), (side) * sizeof(type));                    \
    }

TILE_FUNCTION(tile_u8_16, uint8_t, 16, 4)
TILE_FUNCTION(tile_u8_8, uint8_t, 8, 3)
TILE_FUNCTION(tile_u16_8, uint16_t, 8, 3)
TILE_FUNCTION(tile_u32_4, uint32_t, 4, 2)

typedef void tile_fn(const char *from, ptrdiff_t from_step, char *to, ptrdiff_t to_step);

/* Rows and columns that are visited together: their cache lines, read and written, fit the first cache. */
enum { BLOCK_BYTES = 64 };

/* rows and cols >= side. The last tile of a line ends where the matrix ends; what it shares with the tile before is
 * written twice. */
static inline void transpose_tiles(const char *from, ptrdiff_t from_step, size_t rows, size_t cols, char *to,
                                   ptrdiff_t to_step, size_t size, size_t side, tile_fn *tile)
{
    const size_t block = BLOCK_BYTES / size;
    for (size_t row = 0; row < rows; row += block) {
        const size_t row_end = lb_mli_min_size(rows, row + block);
        for (size_t col = 0; col < cols; col += side) {
            const size_t c = lb_mli_min_size(col, cols - side);
            for (size_t r = row; r < row_end; r += side) {
                const size_t first = lb_mli_min_size(r, rows - side);
                tile(from + (ptrdiff_t)first * from_step + (ptrdiff_t)(c * size), from_step,
                     to + (ptrdiff_t)c * to_step + (ptrdiff_t)(first * size), to_step);
            }
        }
    }
}

/* A matrix that is narrower than a tile: along its longer side. */
static inline void transpose_narrow(const char *from, ptrdiff_t from_step, size_t rows, size_t cols, char *to,
                                    ptrdiff_t to_step, size_t size)
{
    if (cols < rows) {
        for (size_t c = 0; c < cols; c++)
            fixed_runs(from + c * size, from_step, size, rows, to + (ptrdiff_t)c * to_step, (ptrdiff_t)size);
    } else {
        for (size_t r = 0; r < rows; r++)
            fixed_runs(from + (ptrdiff_t)r * from_step, (ptrdiff_t)size, size, cols, to + r * size, to_step);
    }
}

static void transpose_8(const void *from, ptrdiff_t from_step, size_t rows, size_t cols, void *to, ptrdiff_t to_step)
{
    const size_t least = lb_mli_min_size(rows, cols);
    if (least >= 16)
        transpose_tiles(from, from_step, rows, cols, to, to_step, 1, 16, tile_u8_16);
    else if (least >= 8)
        transpose_tiles(from, from_step, rows, cols, to, to_step, 1, 8, tile_u8_8);
    else
        transpose_narrow(from, from_step, rows, cols, to, to_step, 1);
}

static void transpose_16(const void *from, ptrdiff_t from_step, size_t rows, size_t cols, void *to, ptrdiff_t to_step)
{
    if (lb_mli_min_size(rows, cols) >= 8)
        transpose_tiles(from, from_step, rows, cols, to, to_step, 2, 8, tile_u16_8);
    else
        transpose_narrow(from, from_step, rows, cols, to, to_step, 2);
}

static void transpose_32(const void *from, ptrdiff_t from_step, size_t rows, size_t cols, void *to, ptrdiff_t to_step)
{
    if (lb_mli_min_size(rows, cols) >= 4)
        transpose_tiles(from, from_step, rows, cols, to, to_step, 4, 4, tile_u32_4);
    else
        transpose_narrow(from, from_step, rows, cols, to, to_step, 4);
}

void LB_MLI_FILL(move)(struct lb_mli_loops *loops)
{
    loops->copy_runs = copy_runs;
    loops->transpose[LB_MLI_8BIT] = transpose_8;
    loops->transpose[LB_MLI_16BIT] = transpose_16;
    loops->transpose[LB_MLI_32BIT] = transpose_32;
}
