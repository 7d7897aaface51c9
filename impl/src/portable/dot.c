/* Sums of products of packed rows in plain C, the inner loop of convolutions. A tile of several
 * pixels by several channels is summed at once: its sums stay in registers over the whole depth,
 * and every operand that is loaded serves a row or a column of the tile. The loop over the depth is
 * a plain dot product, which compilers know: pmaddwd for 16-bit operands on x86, vpdpwssd and
 * vpdpbusd where the level has them. Sums are unsigned: they wrap at 32 bits (numerics.md 4.1). */
#include "portable/portable.h"

/* What a row of an operand is padded to: a vector of the level. With that the loops need no rest.
 */
#if defined(__AVX2__)
enum { UNIT_BYTES = 32 };
#else
enum { UNIT_BYTES = 16 };
#endif

/* The tile, for 16 or 32 vector registers. Any size gives the same bits. Clang 14 finds the
 * multiply-add instructions of AVX only where no operand is shared: one sum at a time. */
#if defined(__clang__) && defined(__AVX__)
#define TILE_PIXELS   1
#define TILE_CHANNELS 1
#elif defined(__AVX512VL__)
#define TILE_PIXELS   6
#define TILE_CHANNELS 4
#else
#define TILE_PIXELS   3
#define TILE_CHANNELS 4
#endif

#define DOT_TILE(name, x_type, w_type, pixels, channels)                                           \
    static void name(const x_type *restrict x, size_t x_row, const w_type *restrict w,             \
                     size_t w_row, size_t depth, int32_t *restrict acc, size_t acc_row)            \
    {                                                                                              \
        enum { UNIT = UNIT_BYTES / sizeof(x_type) };                                               \
        uint32_t sums[pixels][channels] = {{0}};                                                   \
        const size_t n = depth / UNIT * UNIT;                                                      \
        LB_MLI_VECTORIZE(UNIT)                                                                     \
        for (size_t k = 0; k < n; k++) {                                                           \
            for (size_t p = 0; p < (pixels); p++) {                                                \
                for (size_t c = 0; c < (channels); c++)                                            \
                    sums[p][c] += (uint32_t)(x[p * x_row + k] * w[c * w_row + k]);                 \
            }                                                                                      \
        }                                                                                          \
        for (size_t p = 0; p < (pixels); p++) {                                                    \
            for (size_t c = 0; c < (channels); c++)                                                \
                acc[p * acc_row + c] = (int32_t)((uint32_t)acc[p * acc_row + c] + sums[p][c]);     \
        }                                                                                          \
    }

/* All pixels for one band of channels before the next: the band's weights stay in the first-level
 * cache. */
#define DOT(name, x_type, w_type)                                                                  \
    DOT_TILE(name##_tile, x_type, w_type, TILE_PIXELS, TILE_CHANNELS)                              \
    DOT_TILE(name##_column, x_type, w_type, TILE_PIXELS, 1)                                        \
    DOT_TILE(name##_row, x_type, w_type, 1, TILE_CHANNELS)                                         \
    DOT_TILE(name##_one, x_type, w_type, 1, 1)                                                     \
    static void name(const x_type *x, size_t x_row, size_t pixels, const w_type *w, size_t w_row,  \
                     size_t channels, size_t depth, int32_t *acc, size_t acc_row)                  \
    {                                                                                              \
        size_t c = 0;                                                                              \
        for (; c + TILE_CHANNELS <= channels; c += TILE_CHANNELS) {                                \
            size_t p = 0;                                                                          \
            for (; p + TILE_PIXELS <= pixels; p += TILE_PIXELS)                                    \
                name##_tile(x + p * x_row, x_row, w + c * w_row, w_row, depth,                     \
                            acc + p * acc_row + c, acc_row);                                       \
            for (; p < pixels; p++)                                                                \
                name##_row(x + p * x_row, x_row, w + c * w_row, w_row, depth,                      \
                           acc + p * acc_row + c, acc_row);                                        \
        }                                                                                          \
        for (; c < channels; c++) {                                                                \
            size_t p = 0;                                                                          \
            for (; p + TILE_PIXELS <= pixels; p += TILE_PIXELS)                                    \
                name##_column(x + p * x_row, x_row, w + c * w_row, w_row, depth,                   \
                              acc + p * acc_row + c, acc_row);                                     \
            for (; p < pixels; p++)                                                                \
                name##_one(x + p * x_row, x_row, w + c * w_row, w_row, depth,                      \
                           acc + p * acc_row + c, acc_row);                                        \
        }                                                                                          \
    }

DOT(dot_s16, int16_t, int16_t)

/* Only where one instruction multiplies unsigned by signed bytes and adds; elsewhere bytes are
 * widened first. */
#if defined(__AVX512VNNI__) && defined(__AVX512VL__) && !defined(__clang__)
#define HAS_DOT_U8S8 1
DOT(dot_u8s8, uint8_t, int8_t)
#endif

void LB_MLI_FILL(dot)(struct lb_mli_loops *loops)
{
    loops->dot_unit = UNIT_BYTES;
    loops->dot_s16 = dot_s16;
    loops->dot_u8s8 = NULL;
#ifdef HAS_DOT_U8S8
    loops->dot_u8s8 = dot_u8s8;
#endif
}
