/* From tensors to the packed operands of dot.c and depthwise.c in plain C, and from the sums of
 * split operands back to accumulators. */
#include "portable/portable.h"

static void widen_s8(const int8_t *restrict in, size_t n, int32_t zero, int16_t *restrict out)
{
    const int16_t z = (int16_t)zero;
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)(in[i] - z);
}

static void offset_s8(const int8_t *restrict in, size_t n, uint8_t *restrict out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(in[i] + 128);
}

/* Transposing: rows are read, columns written; the lines of all columns stay in the cache. */
static void pack_s8(const int8_t *restrict w, ptrdiff_t w_row, size_t rows, size_t cols,
                    int8_t *restrict out, size_t out_row)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            out[c * out_row + r] = w[(ptrdiff_t)r * w_row + (ptrdiff_t)c];
}

static void pack_s8_s16(const int8_t *restrict w, ptrdiff_t w_row, size_t rows, size_t cols,
                        int16_t *restrict out, size_t out_row)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            out[c * out_row + r] = w[(ptrdiff_t)r * w_row + (ptrdiff_t)c];
}

static void pack_s16_split(const int16_t *restrict w, ptrdiff_t w_row, size_t rows, size_t cols,
                           int16_t *restrict low, int16_t *restrict high, size_t out_row)
{
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < cols; c++) {
            const int16_t v = w[(ptrdiff_t)r * w_row + (ptrdiff_t)c];
            const int8_t bottom = (int8_t)v;
            low[c * out_row + r] = bottom;
            high[c * out_row + r] = (int16_t)((v - bottom) / 256);
        }
    }
}

static void join_s64(const int32_t *restrict low, const int32_t *restrict high, size_t n,
                     int64_t *restrict acc)
{
    for (size_t i = 0; i < n; i++)
        acc[i] = (int64_t)((uint64_t)acc[i] + (uint64_t)low[i] + (uint64_t)high[i] * 256);
}

void LB_MLI_FILL(pack)(struct lb_mli_loops *loops)
{
    loops->widen_s8 = widen_s8;
    loops->offset_s8 = offset_s8;
    loops->pack_s8 = pack_s8;
    loops->pack_s8_s16 = pack_s8_s16;
    loops->pack_s16_split = pack_s16_split;
    loops->join_s64 = join_s64;
}
