/* Inside probes: what makes them, and columns of products, whose weights are an experiment each. */
#ifndef LB_HARNESS_CHARACTERIZE_PROBE_MAKERS_H
#define LB_HARNESS_CHARACTERIZE_PROBE_MAKERS_H

#include "harness/characterize/probe_limit.h"
#include "harness/generate/random_build.h"

/* A dense tensor of the function for the role; but for results with room for its data. */
lb_case_tensor *lb_probe_operand(lb_build *b, lb_role role, unsigned rank, const uint32_t *shape);

/* ---- Columns ---- */

/* Operands of all sums, whatever the geometry: column c is the sum over k of x[k] * w[k][c].
 * Columns lie in groups, which for cells are gates. */
typedef struct lb_columns {
    lb_build *b;
    const lb_kernel *kernel;
    uint32_t taps, count, group;
    int in_bits, weight_bits;
    lb_case_tensor *in, *weights, *bias, *out;
    uint32_t depth, copies; /* taps of one position; how often the input holds each tap */
} lb_columns;

lb_columns lb_columns_of(lb_build *b);
void lb_columns_put(lb_columns *l, uint32_t k, uint32_t c, int64_t w);
/* Widths whose sums so many products can pass, the widest last; gives their number. */
unsigned lb_columns_widths(const lb_columns *l, int widths[16]);
/* Column c: sums that pass a width by a half, in one of the patterns: up, down, up and back, by
 * chance (pattern 4), or to and fro in runs of several lengths. */
enum { LB_PROBE_PATTERNS = 10 };
void lb_columns_sum(lb_columns *l, uint32_t c, unsigned pattern, int width);
/* Column c: up by taps with the highest weight, and down by others; the rest add nothing. It ends
 * where it shows whether partial sums are kept apart: with about so many lanes each of them passes
 * the width, but their total does not. False: this takes more taps. */
bool lb_columns_ramp(lb_columns *l, uint32_t c, int width);
/* Inputs and a column of a sum past a limit and back: the highest, and behind them few by which it
 * comes to any number. */
enum { LB_FINE_TAPS = 5 };
void lb_columns_limit_inputs(lb_columns *l);
void lb_columns_limit(lb_columns *l, uint32_t c, lb_limit_sum sum);

/* ---- Makers: each fills b->c ---- */

/* Functions with weights: one output per channel, its taps in any geometry. Limits: sums that go
 * past the limit of a width in every lane, and come back to where each of them is a result, so that
 * results tell where the limit lies. False: this takes too many products. */
void lb_probe_weighted_result(lb_build *b);
void lb_probe_weighted_sum(lb_build *b, uint32_t taps);
bool lb_probe_weighted_limit(lb_build *b, const lb_probe_limits *limits);
/* Recurrent cells: small sums in formats that show roundings; one frame of so many inputs, whose
 * gates' sums pass widths; one frame, where of each unit the sum of one gate goes past the limit
 * and comes back. */
void lb_probe_cell_result(lb_build *b);
void lb_probe_cell_sum(lb_build *b, uint32_t taps);
bool lb_probe_cell_limit(lb_build *b, const lb_probe_limits *limits);
/* Functions without weights: many elements in formats that bring results near the edges where
 * choices differ; sums of so many terms; averages whose sums go past the limit and come back.
 * False: the function has none. */
bool lb_probe_plain_result(lb_build *b);
bool lb_probe_plain_sum(lb_build *b, uint32_t terms);
bool lb_probe_average_limit(lb_build *b, const lb_probe_limits *limits);

#endif
