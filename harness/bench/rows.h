/* What lastbit bench times: rows, each one call of one function on operands of a given size. */
#ifndef LB_HARNESS_BENCH_ROWS_H
#define LB_HARNESS_BENCH_ROWS_H

#include "harness/base/arena.h"
#include "harness/port/port.h"

typedef struct lb_bench_row {
    const char *name, *function;
    lb_peak peak;         /* what its rate is held against */
    uint32_t in[4];       /* shape of the input, 0 from its rank on */
    uint32_t kernel;      /* height and width */
    uint32_t channels;    /* of the output: weighted functions; a recurrent cell's hidden state */
    uint32_t stride, pad; /* both directions, all sides */
    uint32_t groups;      /* of a group convolution; else 0 */
    uint32_t type, out_type; /* of elements, where the function's name does not tell; else 0 */
    uint8_t order[4];        /* of dimensions: perm_dim of functions that move data */
} lb_bench_row;

typedef struct lb_bench_rows {
    const lb_bench_row *row;
    size_t count;
} lb_bench_rows;

/* Those of the table, and one for each function that works element by element and has none there.
 * They live as long as the arena. */
lb_bench_rows lb_bench_all_rows(lb_arena *arena);

/* "GMAC/s" or "GB/s" */
const char *lb_bench_unit(const lb_bench_row *row);

/* Multiply-accumulates of the row's call, all taps, padding included; or bytes of the elements that
 * it reads and writes at least once. From the function's index map or vector program. */
double lb_bench_work(const lb_bench_row *row, const lb_call *call);

/* The call: operands with random contents over their whole range, weights of sa8 convolutions
 * quantized per channel. It lives as long as the arena. */
void lb_bench_call(const lb_bench_row *row, lb_arena *arena, lb_call *call);

#endif
