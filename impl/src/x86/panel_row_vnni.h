/* One pixel by panels of bytes, with the integer dot products of AVX-512: a tile of many vectors,
 * for a dot product waits for the one before it in its sum. */
#include "loops.h"

enum { PANEL_BYTES = 2 * VECTOR_BYTES /* of a step */ };

/* Two vectors of the panel that is `at` bytes behind the first one. */
#define DOT_2(at, a, b)                                                                            \
    a = _mm512_dpbusd_epi32(a, pixel, LOAD(w + (at)));                                             \
    b = _mm512_dpbusd_epi32(b, pixel, LOAD(w + (at) + VECTOR_BYTES));

/* Four panels. */
static void tile_8(const uint8_t *x, size_t steps, const int8_t *w, size_t w_panel,
                   const int32_t *start, int32_t *acc)
{
    const size_t at_1 = w_panel, at_2 = 2 * w_panel, at_3 = 3 * w_panel;
    V a = LOAD(start), b = LOAD(start + LANES), c = LOAD(start + 2 * LANES),
      d = LOAD(start + 3 * LANES);
    V e = LOAD(start + 4 * LANES), f = LOAD(start + 5 * LANES), g = LOAD(start + 6 * LANES);
    V h = LOAD(start + 7 * LANES);
    for (; steps > 0; steps--, x += PANEL_STEP, w += PANEL_BYTES) {
        V pixel = SPREAD((const char *)x);
        KEEP(pixel);
        DOT_2(0, a, b)
        DOT_2(at_1, c, d)
        DOT_2(at_2, e, f)
        DOT_2(at_3, g, h)
    }
    STORE(acc, a);
    STORE(acc + LANES, b);
    STORE(acc + 2 * LANES, c);
    STORE(acc + 3 * LANES, d);
    STORE(acc + 4 * LANES, e);
    STORE(acc + 5 * LANES, f);
    STORE(acc + 6 * LANES, g);
    STORE(acc + 7 * LANES, h);
}

/* One panel. */
static void tile_2(const uint8_t *x, size_t steps, const int8_t *w, const int32_t *start,
                   int32_t *acc)
{
    V a = LOAD(start), b = LOAD(start + LANES);
    for (; steps > 0; steps--, x += PANEL_STEP, w += PANEL_BYTES) {
        V pixel = SPREAD((const char *)x);
        KEEP(pixel);
        DOT_2(0, a, b)
    }
    STORE(acc, a);
    STORE(acc + LANES, b);
}

static void tile_1(const uint8_t *x, size_t steps, const int8_t *w, const int32_t *start,
                   int32_t *acc)
{
    V a = LOAD(start);
    for (; steps > 0; steps--, x += PANEL_STEP, w += VECTOR_BYTES)
        a = _mm512_dpbusd_epi32(a, SPREAD((const char *)x), LOAD(w));
    STORE(acc, a);
}

static void panel_row_u8s8(const uint8_t *x, size_t steps, const int8_t *w, size_t w_panel,
                           size_t vectors, const int32_t *start, int32_t *acc)
{
    size_t v = 0;
    for (; v + 8 <= vectors; v += 8)
        tile_8(x, steps, w + v / 2 * w_panel, w_panel, start + v * LANES, acc + v * LANES);
    for (; v + 2 <= vectors; v += 2)
        tile_2(x, steps, w + v / 2 * w_panel, start + v * LANES, acc + v * LANES);
    if (v < vectors)
        tile_1(x, steps, w + v / 2 * w_panel, start + v * LANES, acc + v * LANES);
}

static void fill_panel_row(struct lb_mli_loops *loops)
{
    loops->panel_row_u8s8 = panel_row_u8s8;
}
