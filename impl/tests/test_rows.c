/* The walk over strided tensors: every element once, rows as long as strides allow, work in place.
 */
#include "support.h"

#include "rows.h"

/* Number of rows, checking on the way that rows and elements come where the strides say. */
static unsigned visit(uint32_t rank, const uint32_t *shape, unsigned operands,
                      const int32_t *const *strides)
{
    struct lb_mli_rows rows;
    unsigned count = 0;
    static uint8_t seen[LB_MLI_ROWS_OPERANDS][4096];
    memset(seen, 0, sizeof seen);
    lb_mli_rows_start(&rows, rank, shape, operands, strides);
    do {
        for (unsigned k = 0; k < operands; k++)
            for (size_t i = 0; i < rows.length; i++)
                seen[k][rows.at[k] + (ptrdiff_t)i]++;
        count++;
    } while (lb_mli_rows_next(&rows));
    for (unsigned k = 0; k < operands; k++) {
        uint32_t index[MLI_MAX_RANK] = {0}, total = 1, found = 0;
        for (uint32_t d = 0; d < rank; d++)
            total *= shape[d];
        for (uint32_t n = 0; n < total; n++) {
            ptrdiff_t at = 0;
            for (uint32_t d = 0; d < rank; d++)
                at += (ptrdiff_t)index[d] * strides[k][d];
            assert_int_equal(seen[k][at], 1);
            for (uint32_t d = rank; d-- > 0;) {
                if (++index[d] < shape[d])
                    break;
                index[d] = 0;
            }
        }
        for (size_t i = 0; i < sizeof seen[k]; i++)
            found += seen[k][i];
        assert_int_equal(found, total);
    }
    return count;
}

static void test_rows(void **state)
{
    (void)state;
    const uint32_t shape[] = {2, 3, 4, 5};
    const int32_t dense[] = {60, 20, 5, 1}, gap_inner[] = {72, 24, 6, 1},
                  gap_outer[] = {70, 20, 5, 1};
    assert_int_equal(visit(4, shape, 1, (const int32_t *const[]){dense}), 1);
    assert_int_equal(visit(4, shape, 2, (const int32_t *const[]){dense, gap_inner}), 24);
    assert_int_equal(visit(4, shape, 2, (const int32_t *const[]){gap_outer, dense}), 2);
    assert_int_equal(visit(4, shape, 3, (const int32_t *const[]){gap_outer, dense, gap_inner}), 24);
    /* a dimension of 1 never breaks a row, whatever its stride */
    assert_int_equal(visit(3, (const uint32_t[]){4, 1, 5}, 1,
                           (const int32_t *const[]){(const int32_t[]){5, 77, 1}}),
                     1);
    assert_int_equal(
        visit(1, (const uint32_t[]){7}, 1, (const int32_t *const[]){(const int32_t[]){3}}), 7);
    assert_int_equal(visit(0, NULL, 1, (const int32_t *const[]){NULL}), 1);
}

struct seen {
    size_t longest, pieces;
    size_t multiple; /* pieces start at multiples of this */
};

static void negate(const void *context, const void *in, size_t n, void *out)
{
    /* The context is const for kernels, which only read it; the test counts in it. */
    struct seen *seen = *(struct seen *const *)context;
    seen->longest = n > seen->longest ? n : seen->longest;
    seen->pieces++;
    const char *a = in;
    const char *b = out;
    assert_true(a + n <= b || b + n <= a);
    for (size_t i = 0; i < n; i++)
        ((int8_t *)out)[i] = (int8_t) - ((const int8_t *)in)[i];
}

static void test_unary(void **state)
{
    (void)state;
    enum { ROWS = 3, ROW = 1000, STRIDE = 1003 };
    static int8_t in[ROWS * STRIDE], out[ROWS * STRIDE], place[ROWS * STRIDE];
    random_bytes(in, sizeof in);
    memset(out, 0x5A, sizeof out);
    memcpy(place, in, sizeof in);
    const uint32_t shape[] = {ROWS, ROW};
    const int32_t stride[] = {STRIDE, 1};
    struct seen seen = {0, 0, 0}, *counter = &seen;
    struct lb_mli_unary job = {in, out, 1, 2, shape, stride, stride, 0, negate, &counter};
    lb_mli_rows_unary(&job);
    assert_int_equal(seen.longest, ROW);
    assert_int_equal(seen.pieces, ROWS);
    seen = (struct seen){0, 0, 0};
    job.in = job.out = place;
    lb_mli_rows_unary(&job);
    assert_true(seen.longest <= LB_MLI_PIECE);
    seen = (struct seen){0, 0, 0};
    job.piece = 300;
    lb_mli_rows_unary(&job); /* back again */
    assert_int_equal(seen.longest, 300);
    assert_int_equal(seen.pieces, ROWS * 4);
    assert_memory_equal(place, in, sizeof in);
    for (size_t r = 0; r < ROWS; r++)
        for (size_t c = 0; c < STRIDE; c++)
            assert_int_equal(out[r * STRIDE + c], c < ROW ? (int8_t)-in[r * STRIDE + c] : 0x5A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_unary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
