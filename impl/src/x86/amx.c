/* The level amx, products of tiles of bytes. All that is not named here is as in vnni, and so are
 * calls of few pixels, and of steps that no tiles of one size make. */
#include "loops.h"

#include "x86/vector_512.h"

#include "simd/sa8_pairs.h"

/* Compilers do not see that these read and write memory. */
#define TILE_MEMORY __asm__ volatile("" ::: "memory")
#define TILES_SET(plan)                                                                            \
    do {                                                                                           \
        TILE_MEMORY;                                                                               \
        _tile_loadconfig(plan);                                                                    \
    } while (0)
#define TILES_FREE()                       _tile_release()
#define TILE_LOAD(tile, memory, row_bytes) _tile_loadd(tile, memory, row_bytes)
#define TILE_STORE(tile, memory, row_bytes)                                                        \
    do {                                                                                           \
        _tile_stored(tile, memory, row_bytes);                                                     \
        TILE_MEMORY;                                                                               \
    } while (0)
#define TILE_DOT(sums, pixels, weights) _tile_dpbusd(sums, pixels, weights)

#define TILE_NUMBERS struct panel_results
#define TILE_NUMBERS_OF(q, profile, numbers)                                                       \
    plan_results(q, 0, lb_mli_profile_reduced(profile), numbers)
#define TILE_FINISH_PAIR(sums, other_sums, numbers, profile, out, other_out)                       \
    finish_pair(SUM_AT(sums), SUM_AT((sums) + LANES), SUM_AT(other_sums),                          \
                SUM_AT((other_sums) + LANES), numbers, profile, out, other_out)

#include "panel_tiles.h"

/* Of vnni; these two are written by fill alone. */
static lb_mli_panel_fn *panel_of_vectors;
static lb_mli_panel_sa8_fn *panel_sa8_of_vectors[LB_MLI_PROFILES];

static void panel_u8s8(const struct lb_mli_pixels *in, size_t pixels, const void *w, size_t w_panel,
                       size_t vectors, const int32_t *start, int32_t *acc, size_t acc_row)
{
    if (!panel_tiles(in, pixels, w, w_panel, vectors, start, acc, acc_row))
        panel_of_vectors(in, pixels, w, w_panel, vectors, start, acc, acc_row);
}

#define PANEL_SA8(name, profile)                                                                   \
    static void name(const struct lb_mli_pixels *in, size_t pixels, const void *w, size_t w_panel, \
                     size_t n, const int32_t *start, const struct lb_mli_sa_result *q,             \
                     lb_mli_sa8_rows_fn *rows, int8_t *out, size_t out_row)                        \
    {                                                                                              \
        if (!panel_tiles_sa8(in, pixels, w, w_panel, n, start, q, rows, profile, out, out_row))    \
            panel_sa8_of_vectors[profile](in, pixels, w, w_panel, n, start, q, rows, out,          \
                                          out_row);                                                \
    }

PANEL_SA8(panel_up_full, LB_MLI_UP_FULL)
PANEL_SA8(panel_up_reduced, LB_MLI_UP_REDUCED)
PANEL_SA8(panel_convergent_full, LB_MLI_CONVERGENT_FULL)
PANEL_SA8(panel_convergent_reduced, LB_MLI_CONVERGENT_REDUCED)

LB_MLI_HIDDEN void lb_mli_fill_amx(struct lb_mli_loops *loops);

void lb_mli_fill_amx(struct lb_mli_loops *loops)
{
    panel_of_vectors = loops->panel_u8s8;
    memcpy(panel_sa8_of_vectors, loops->panel_sa8, sizeof panel_sa8_of_vectors);
    loops->panel_pixels = TILE_ROWS;
    loops->panel_u8s8 = panel_u8s8;
    loops->panel_sa8[LB_MLI_UP_FULL] = panel_up_full;
    loops->panel_sa8[LB_MLI_UP_REDUCED] = panel_up_reduced;
    loops->panel_sa8[LB_MLI_CONVERGENT_FULL] = panel_convergent_full;
    loops->panel_sa8[LB_MLI_CONVERGENT_REDUCED] = panel_convergent_reduced;
}
