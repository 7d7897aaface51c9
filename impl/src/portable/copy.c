/* Moving memory in plain C: short runs as one or two moves of a fixed size, transposes as tiles
 * that fit vector registers. */
#include <string.h>

#include "portable/portable.h"
#ifdef LB_MLI_FIRST_LEVEL /* others keep its entries */
#include "permute_tiles.h"
#endif

/* n runs with a constant size: the call of memcpy becomes a load and a store. */
static inline void fixed_runs(const char *restrict from, ptrdiff_t from_step, size_t bytes,
                              size_t n, char *restrict to, ptrdiff_t to_step)
{
    for (size_t i = 0; i < n; i++)
        memcpy(to + (ptrdiff_t)i * to_step, from + (ptrdiff_t)i * from_step, bytes);
}

/* n runs of part..2 * part bytes: two moves of part bytes each, the second ends where the run ends.
 */
static inline void split_runs(const char *restrict from, ptrdiff_t from_step, size_t bytes,
                              size_t part, size_t n, char *restrict to, ptrdiff_t to_step)
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

static void copy_runs(const void *from, ptrdiff_t from_step, size_t bytes, size_t n, void *to,
                      ptrdiff_t to_step)
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

/* Pixels of three channels to planes and back. */
static void split_3(const uint8_t *restrict from, size_t n, uint8_t *restrict to, ptrdiff_t step)
{
    uint8_t *restrict to1 = to + step, *restrict to2 = to1 + step;
    for (size_t i = 0; i < n; i++) {
        to[i] = from[3 * i];
        to1[i] = from[3 * i + 1];
        to2[i] = from[3 * i + 2];
    }
}

static void join_3(const uint8_t *restrict from, ptrdiff_t step, size_t n, uint8_t *restrict to)
{
    const uint8_t *restrict from1 = from + step, *restrict from2 = from1 + step;
    for (size_t i = 0; i < n; i++) {
        to[3 * i] = from[i];
        to[3 * i + 1] = from1[i];
        to[3 * i + 2] = from2[i];
    }
}

/*
 * Transposes. A square tile of 2^k x 2^k elements is transposed by k perfect shuffles: each moves
 * the elements of the two halves to the even and the odd places, that is, it rotates the bits of an
 * element's index by one; after k rotations row and column have changed places. Compilers turn a
 * shuffle into interleaving instructions of 128 bits. Those of 256 bits interleave within their
 * halves and take longer: levels above the first keep its entries.
 */
#ifdef LB_MLI_FIRST_LEVEL
#define TILE_FUNCTION(name, type, side, shuffles)                                                  \
    static inline void name##_shuffle(const type *restrict a, type *restrict b)                    \
    {                                                                                              \
        for (size_t i = 0; i < (side) * (side) / 2; i++) {                                         \
            b[2 * i] = a[i];                                                                       \
            b[2 * i + 1] = a[i + (side) * (side) / 2];                                             \
        }                                                                                          \
    }                                                                                              \
    static void name(const char *from, ptrdiff_t from_step, char *to, ptrdiff_t to_step)           \
    {                                                                                              \
        type a[(side) * (side)], b[(side) * (side)];                                               \
        for (ptrdiff_t r = 0; r < (side); r++)                                                     \
            memcpy(a + r * (side), from + r * from_step, (side) * sizeof(type));                   \
        for (size_t i = 0; i < (shuffles) / 2; i++) {                                              \
            name##_shuffle(a, b);                                                                  \
            name##_shuffle(b, a);                                                                  \
        }                                                                                          \
        if ((shuffles) % 2)                                                                        \
            name##_shuffle(a, b);                                                                  \
        for (ptrdiff_t r = 0; r < (side); r++)                                                     \
            memcpy(to + r * to_step, ((shuffles) % 2 ? b : a) + r * (side),                        \
                   (side) * sizeof(type));                                                         \
    }

TILE_FUNCTION(tile_u8_16, uint8_t, 16, 4)
TILE_FUNCTION(tile_u8_8, uint8_t, 8, 3)
TILE_FUNCTION(tile_u16_8, uint16_t, 8, 3)

/* Where the first of two 32-bit elements stands in a word of 64; compilers know. */
static inline bool first_is_low(void)
{
    const uint16_t one = 1;
    uint8_t first_byte;
    memcpy(&first_byte, &one, 1);
    return first_byte == 1;
}

/* Elements of 32 bits: two by two as words of 64 bits, whose halves are exchanged. */
static inline void tile_u32_4(const char *from, ptrdiff_t from_step, char *to, ptrdiff_t to_step)
{
    const uint64_t low = UINT32_MAX;
    for (ptrdiff_t c = 0; c < 4; c += 2) {
        for (ptrdiff_t r = 0; r < 4; r += 2) {
            uint64_t a, b;
            memcpy(&a, from + r * from_step + 4 * c, 8);
            memcpy(&b, from + (r + 1) * from_step + 4 * c, 8);
            const uint64_t lows = (a & low) | b << 32, highs = a >> 32 | (b & ~low);
            const uint64_t lows_back = a << 32 | (b & low), highs_back = (a & ~low) | b >> 32;
            memcpy(to + c * to_step + 4 * r, first_is_low() ? &lows : &highs_back, 8);
            memcpy(to + (c + 1) * to_step + 4 * r, first_is_low() ? &highs : &lows_back, 8);
        }
    }
}

/* A matrix that is narrower than a tile: along its longer side. */
static inline void transpose_narrow(const struct matrix *m, size_t size)
{
    if (m->cols < m->rows) {
        for (size_t c = 0; c < m->cols; c++)
            fixed_runs(m->from + c * size, m->from_step, size, m->rows,
                       m->to + (ptrdiff_t)c * m->to_step, (ptrdiff_t)size);
    } else {
        for (size_t r = 0; r < m->rows; r++)
            fixed_runs(m->from + (ptrdiff_t)r * m->from_step, (ptrdiff_t)size, size, m->cols,
                       m->to + r * size, m->to_step);
    }
}

static void transpose_8(const void *from, ptrdiff_t from_step, size_t rows, size_t cols, void *to,
                        ptrdiff_t to_step)
{
    const struct matrix m = {from, from_step, rows, cols, to, to_step};
    const size_t least = lb_mli_min_size(rows, cols);
    if (least >= 16)
        transpose_tiles(&m, 1, 16, 16, tile_u8_16);
    else if (least >= 8)
        transpose_tiles(&m, 1, 8, 8, tile_u8_8);
    else
        transpose_narrow(&m, 1);
}

static void transpose_16(const void *from, ptrdiff_t from_step, size_t rows, size_t cols, void *to,
                         ptrdiff_t to_step)
{
    const struct matrix m = {from, from_step, rows, cols, to, to_step};
    if (lb_mli_min_size(rows, cols) >= 8)
        transpose_tiles(&m, 2, 8, 8, tile_u16_8);
    else
        transpose_narrow(&m, 2);
}

static void transpose_32(const void *from, ptrdiff_t from_step, size_t rows, size_t cols, void *to,
                         ptrdiff_t to_step)
{
    const struct matrix m = {from, from_step, rows, cols, to, to_step};
    if (lb_mli_min_size(rows, cols) >= 4)
        transpose_tiles(&m, 4, 4, 4, tile_u32_4);
    else
        transpose_narrow(&m, 4);
}
#endif

void LB_MLI_FILL(copy)(struct lb_mli_loops *loops)
{
    loops->copy_runs = copy_runs;
    loops->split_3 = split_3;
    loops->join_3 = join_3;
#ifdef LB_MLI_FIRST_LEVEL
    loops->transpose[LB_MLI_8BIT] = transpose_8;
    loops->transpose[LB_MLI_16BIT] = transpose_16;
    loops->transpose[LB_MLI_32BIT] = transpose_32;
#endif
}
