/*
 * windows.h: largest elements of pooling windows (dispatch.h), once for all levels with vectors. A level's file includes
 * the header of its vectors and then this one, which defines the level's fill function "windows". Windows of few elements
 * and at least a vector of channels are done here, a vector of channels at a time along the whole row of windows; the plain
 * loops do the others.
 */
#include "dispatch.h"

enum { FEW = 16, VECTOR_BYTES = LANES * 4 };

static lb_mli_window_max_s8_fn *plain_s8; /* written by the fill function alone */
static lb_mli_window_max_s16_fn *plain_s16;

/* Instances for sizes that the compiler knows have no loop over a window. */
#define MAXIMA(name, type, max)                                                                                        \
    static inline __attribute__((always_inline)) void name##_of(const type *in, const struct lb_mli_windows *w,        \
                                                                size_t rows, size_t cols, type *out)                   \
    {                                                                                                                  \
        for (size_t o = 0; o < w->outs; o++, in += w->hop, out += w->out_hop) {                                        \
            V largest = LOAD(in);                                                                                      \
            for (size_t y = 0; y < rows; y++) {                                                                        \
                const type *const row = in + (ptrdiff_t)y * w->row;                                                    \
                for (size_t x = 0; x < cols; x++)                                                                      \
                    largest = max(largest, LOAD(row + (ptrdiff_t)x * w->col));                                         \
            }                                                                                                          \
            STORE(out, largest);                                                                                       \
        }                                                                                                              \
    }                                                                                                                  \
    static void name(const type *in, const struct lb_mli_windows *w, type *out)                                        \
    {                                                                                                                  \
        enum { CHANNELS = VECTOR_BYTES / sizeof(type) };                                                               \
        if (w->channels < CHANNELS || w->rows * w->cols > FEW) {                                                       \
            plain_##name(in, w, out);                                                                                  \
            return;                                                                                                    \
        }                                                                                                              \
        for (size_t c = 0; c < w->channels; c += CHANNELS) {                                                           \
            const size_t at = lb_mli_min_size(c, w->channels - CHANNELS); /* the last may overlap the one before */    \
            if (w->rows == 3 && w->cols == 3)                                                                          \
                name##_of(in + at, w, 3, 3, out + at);                                                                 \
            else if (w->rows == 2 && w->cols == 2)                                                                     \
                name##_of(in + at, w, 2, 2, out + at);                                                                 \
            else                                                                                                       \
                name##_of(in + at, w, w->rows, w->cols, out + at);                                                     \
        }                                                                                                              \
    }

MAXIMA(s8, int8_t, MAX_BYTES)
MAXIMA(s16, int16_t, MAX_WORDS)

/* After the plain loops of the level. */
void LB_MLI_FILL(windows)(struct lb_mli_loops *loops)
{
    plain_s8 = loops->window_max_s8;
    plain_s16 = loops->window_max_s16;
    loops->window_max_s8 = s8;
    loops->window_max_s16 = s16;
}
