/* The walk of a transpose over a matrix, tile by tile: what plain C and levels with vectors share.
 */
#ifndef LB_MLI_PERMUTE_TILES_H
#define LB_MLI_PERMUTE_TILES_H

#include <string.h>

#include "internal.h"

/* Transposes a tile: rows from_step bytes apart to columns to_step bytes apart. */
typedef void transpose_tile_fn(const char *from, ptrdiff_t from_step, char *to, ptrdiff_t to_step);

/*
 * A matrix is done in blocks as high and as wide as a cache line. Where the lines of the result lie
 * at a large power of two from each other they compete for the same few places of a cache, and
 * would be fetched anew for each tile: such a block is put together elsewhere and written line by
 * line.
 */
enum { LINE = 64, COMPETING = 1024 };

struct matrix {
    const char *from;
    ptrdiff_t from_step;
    size_t rows, cols;
    char *to;
    ptrdiff_t to_step;
};

/* A block that begins at (row, col), ends before (row_end, col_end). A tile that would leave the
 * matrix is moved back into it: what it shares with the tile before is written twice. */
static inline void transpose_block(const struct matrix *m, size_t row, size_t row_end, size_t col,
                                   size_t col_end, size_t size, size_t high, size_t wide,
                                   transpose_tile_fn *tile)
{
    for (size_t at = col; at < col_end; at += wide) {
        const size_t c = lb_mli_min_size(at, m->cols - wide);
        for (size_t r = row; r < row_end; r += high) {
            const size_t first = lb_mli_min_size(r, m->rows - high);
            tile(m->from + (ptrdiff_t)first * m->from_step + (ptrdiff_t)(c * size), m->from_step,
                 m->to + (ptrdiff_t)c * m->to_step + (ptrdiff_t)(first * size), m->to_step);
        }
    }
}

/* A whole block. */
static inline void transpose_lines(const struct matrix *m, size_t row, size_t col, size_t size,
                                   size_t high, size_t wide, transpose_tile_fn *tile)
{
    char lines[LINE * LINE];
    const size_t count = LINE / size;
    const struct matrix block = {m->from + (ptrdiff_t)row * m->from_step + (ptrdiff_t)(col * size),
                                 m->from_step,
                                 count,
                                 count,
                                 lines,
                                 LINE};
    transpose_block(&block, 0, count, 0, count, size, high, wide, tile);
    char *to = m->to + (ptrdiff_t)col * m->to_step + (ptrdiff_t)(row * size);
    for (size_t c = 0; c < count; c++)
        memcpy(to + (ptrdiff_t)c * m->to_step, lines + c * LINE, LINE);
}

/* rows >= high, cols >= wide. */
static inline void transpose_tiles(const struct matrix *m, size_t size, size_t high, size_t wide,
                                   transpose_tile_fn *tile)
{
    const size_t count = LINE / size;
    const bool competing = m->to_step % COMPETING == 0;
    for (size_t row = 0; row < m->rows; row += count) {
        const size_t row_end = lb_mli_min_size(m->rows, row + count);
        for (size_t col = 0; col < m->cols; col += count) {
            const size_t col_end = lb_mli_min_size(m->cols, col + count);
            if (competing && row_end - row == count && col_end - col == count)
                transpose_lines(m, row, col, size, high, wide, tile);
            else
                transpose_block(m, row, row_end, col, col_end, size, high, wide, tile);
        }
    }
}

#endif
