/* The loops on tiles (panel_tiles.h) where no processor has tiles: plain C stands for the
 * instructions, and takes nothing that they would refuse. Sums and results are held to the contract
 * in loops.h. Memory ends where the operands end. */
#include <stdlib.h>

#include "loops.h"
#include "support.h"

/* ---- Tiles in plain C ---- */

enum { MOST_ROWS = 16, MOST_ROW_BYTES = 64, COUNT_OF_TILES = 8 };

static struct {
    bool set;
    size_t rows[COUNT_OF_TILES], row_bytes[COUNT_OF_TILES];
    uint8_t bytes[COUNT_OF_TILES][MOST_ROWS][MOST_ROW_BYTES];
} processor;

/* As the instruction finds it: palette, first row, reserved, bytes of a row, rows. */
static void tiles_set(const void *memory)
{
    const uint8_t *const plan = memory;
    uint16_t row_bytes[16];
    memcpy(row_bytes, plan + 16, sizeof row_bytes);
    memset(&processor, 0, sizeof processor);
    assert_true(plan[0] == 1 && plan[1] == 0);
    for (size_t i = 0; i < 16; i++) {
        const uint8_t rows = plan[48 + i];
        assert_true((rows == 0) == (row_bytes[i] == 0));
        assert_true(rows <= MOST_ROWS && row_bytes[i] <= MOST_ROW_BYTES);
        assert_true(i < COUNT_OF_TILES || rows == 0);
        if (i < COUNT_OF_TILES) {
            processor.rows[i] = rows;
            processor.row_bytes[i] = row_bytes[i];
        }
    }
    processor.set = true;
}

static void tiles_free(void)
{
    processor.set = false;
}

static void tile_load(int tile, const void *memory, size_t row_bytes)
{
    assert_true(processor.set && processor.rows[tile] > 0);
    for (size_t r = 0; r < processor.rows[tile]; r++)
        memcpy(processor.bytes[tile][r], (const char *)memory + r * row_bytes,
               processor.row_bytes[tile]);
}

static void tile_store(int tile, void *memory, size_t row_bytes)
{
    assert_true(processor.set && processor.rows[tile] > 0);
    for (size_t r = 0; r < processor.rows[tile]; r++)
        memcpy((char *)memory + r * row_bytes, processor.bytes[tile][r], processor.row_bytes[tile]);
}

static void tile_dot(int sums, int pixels, int weights)
{
    assert_true(processor.set && processor.rows[sums] == processor.rows[pixels]);
    assert_true(processor.row_bytes[sums] == processor.row_bytes[weights]);
    assert_true(processor.row_bytes[pixels] == 4 * processor.rows[weights]);
    for (size_t p = 0; p < processor.rows[sums]; p++)
        for (size_t c = 0; c < processor.row_bytes[sums] / 4; c++) {
            uint32_t sum;
            memcpy(&sum, processor.bytes[sums][p] + 4 * c, sizeof sum);
            for (size_t k = 0; k < processor.row_bytes[pixels]; k++) {
                const int8_t w = (int8_t)processor.bytes[weights][k / 4][4 * c + k % 4];
                sum += (uint32_t)(processor.bytes[pixels][p][k] * w);
            }
            memcpy(processor.bytes[sums][p] + 4 * c, &sum, sizeof sum);
        }
}

#define TILES_SET(plan)                     tiles_set(plan)
#define TILES_FREE()                        tiles_free()
#define TILE_LOAD(tile, memory, row_bytes)  tile_load(tile, memory, row_bytes)
#define TILE_STORE(tile, memory, row_bytes) tile_store(tile, memory, row_bytes)
#define TILE_DOT(sums, pixels, weights)     tile_dot(sums, pixels, weights)

/* Results that show which sums and which entries they are made of. */
static void mark(const int32_t *sums, const struct lb_mli_sa_result *q, size_t n, int8_t *out)
{
    for (size_t c = 0; c < n; c++)
        out[c] = (int8_t)((uint32_t)sums[c] * 31 + (uint32_t)q->mul[c]);
}

#define TILE_NUMBERS                         struct lb_mli_sa_result
#define TILE_NUMBERS_OF(q, profile, numbers) *(numbers) = *(q)
#define TILE_FINISH_PAIR(sums, other_sums, numbers, profile, out, other_out)                       \
    do {                                                                                           \
        (void)(profile);                                                                           \
        mark(sums, numbers, TILE_PANEL, out);                                                      \
        mark(other_sums, numbers, TILE_PANEL, other_out);                                          \
    } while (0)

#include "panel_tiles.h"

/* ---- Operands ---- */

enum { MOST_PIXELS = 70, MOST_VECTORS = 5, MOST_RUNS = 3, MOST_STEPS = 40, LANES = 16 };

struct operands {
    size_t pixels, vectors, panel_bytes;
    struct lb_mli_pixels in;
    const char *run[MOST_RUNS];
    char *x[MOST_RUNS]; /* of exactly the bytes that pixels have */
    int8_t *w;
    int32_t start[MOST_VECTORS * LANES];
};

static void make_operands(struct operands *o)
{
    memset(o, 0, sizeof *o);
    o->pixels = (size_t)random_in(1, MOST_PIXELS);
    o->vectors = (size_t)random_in(1, MOST_VECTORS);
    o->in = (struct lb_mli_pixels){o->run, (size_t)random_in(1, MOST_RUNS),
                                   (size_t)random_in(1, MOST_STEPS), random_in(0, 90)};
    o->panel_bytes = o->in.runs * o->in.steps * 2 * LANES * 4;
    const size_t x_bytes = (o->pixels - 1) * (size_t)o->in.step + o->in.steps * 4;
    const size_t w_bytes = o->vectors * o->in.runs * o->in.steps * LANES * 4;
    for (size_t r = 0; r < o->in.runs; r++) {
        o->x[r] = malloc(x_bytes);
        assert_non_null(o->x[r]);
        random_bytes(o->x[r], x_bytes);
        o->run[r] = o->x[r];
    }
    o->w = malloc(w_bytes);
    assert_non_null(o->w);
    random_bytes(o->w, w_bytes);
    random_bytes(o->start, sizeof o->start);
}

static void free_operands(struct operands *o)
{
    for (size_t r = 0; r < o->in.runs; r++)
        free(o->x[r]);
    free(o->w);
}

/* The sum of a pixel and channel, as loops.h says it. */
static int32_t sum_of(const struct operands *o, size_t pixel, size_t channel)
{
    const size_t v = channel / LANES, of_panel = v / 2 * 2 + 2 <= o->vectors ? 2 : 1;
    const int8_t *w = o->w + v / 2 * o->panel_bytes + v % 2 * LANES * 4 + channel % LANES * 4;
    uint32_t sum = (uint32_t)o->start[channel];
    for (size_t r = 0; r < o->in.runs; r++) {
        const uint8_t *x = (const uint8_t *)o->run[r] + (ptrdiff_t)pixel * o->in.step;
        for (size_t k = 0; k < o->in.steps; k++, x += 4, w += of_panel * LANES * 4)
            for (int i = 0; i < 4; i++)
                sum += (uint32_t)(x[i] * w[i]);
    }
    return (int32_t)sum;
}

static bool is_for_tiles(const struct operands *o)
{
    return cut_tiles(o->pixels, o->in.steps).steps > 0;
}

/* ---- Tests ---- */

static void test_sums(void **state)
{
    (void)state;
    static int32_t acc[MOST_PIXELS * (MOST_VECTORS * LANES + 3)];
    size_t taken = 0;
    for (int k = 0; k < 400; k++) {
        struct operands o;
        make_operands(&o);
        const size_t n = o.vectors * LANES, row = n + 3;
        memset(acc, 0x5A, sizeof acc);
        const bool did =
            panel_tiles(&o.in, o.pixels, o.w, o.panel_bytes, o.vectors, o.start, acc, row);
        assert_true(did == is_for_tiles(&o) && !processor.set);
        taken += did;
        for (size_t i = 0; i < o.pixels * row; i++)
            assert_int_equal(acc[i],
                             did && i % row < n ? sum_of(&o, i / row, i % row) : 0x5A5A5A5A);
        free_operands(&o);
    }
    assert_in_range(taken, 100, 399);
}

static void mark_rows(const int32_t *acc, size_t acc_row, size_t pixels, size_t n,
                      const struct lb_mli_sa_result *q, int8_t *out, size_t out_row)
{
    for (size_t p = 0; p < pixels; p++)
        mark(acc + p * acc_row, q, n, out + p * out_row);
}

static void test_results(void **state)
{
    (void)state;
    static int8_t out[MOST_PIXELS * (MOST_VECTORS * LANES + 3)];
    int32_t entries[MOST_VECTORS * LANES];
    for (size_t c = 0; c < COUNT(entries); c++)
        entries[c] = (int32_t)(c * 7);
    const struct lb_mli_sa_result q = {
        .bias = entries, .mul = entries, .shift = entries, .pre = entries, .far_half = entries};
    for (int k = 0; k < 400; k++) {
        struct operands o;
        make_operands(&o);
        const size_t n = o.vectors * LANES, row = n + 3;
        memset(out, 0x5A, sizeof out);
        const bool did = panel_tiles_sa8(&o.in, o.pixels, o.w, o.panel_bytes, n, o.start, &q,
                                         mark_rows, LB_MLI_UP_FULL, out, row);
        assert_true(did == is_for_tiles(&o) && !processor.set);
        for (size_t i = 0; i < o.pixels * row; i++) {
            const size_t c = i % row;
            const uint32_t marked =
                c < n ? (uint32_t)sum_of(&o, i / row, c) * 31 + (uint32_t)entries[c] : 0;
            assert_int_equal(out[i], did && c < n ? (int8_t)marked : 0x5A);
        }
        free_operands(&o);
    }
}

/* Equal parts that cover the steps, and no tile too large, whatever the call. */
static void test_cuts(void **state)
{
    (void)state;
    for (size_t pixels = 1; pixels < 200; pixels++)
        for (size_t steps = 1; steps < 700; steps++) {
            const struct tile_cut cut = cut_tiles(pixels, steps);
            if (cut.steps == 0)
                continue;
            assert_true(steps % cut.steps == 0 && cut.steps <= TILE_ROWS);
            assert_true(cut.pixels <= TILE_ROWS && cut.pixels <= pixels);
        }
    assert_int_equal(cut_tiles(32, 64).steps, TILE_ROWS);
    assert_int_equal(cut_tiles(28, 48).pixels, 14);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
