/* Operands of timed calls: tensors with random contents in memory of an arena. */
#ifndef LB_HARNESS_BENCH_OPERANDS_H
#define LB_HARNESS_BENCH_OPERANDS_H

#include "harness/bench/rows.h"

/* Dense, aligned to a line of the cache; 0 in a shape ends it. */
lb_tensor *lb_bench_tensor(lb_arena *arena, uint32_t type, const uint32_t shape[4]);
void lb_bench_put(lb_call *call, lb_role role, lb_tensor *t);
/* Bits that sums of so many products of full-range operands have beyond one product, roughly. */
int lb_bench_growth(double products);

/* Of a function whose set makes integers of scales (prepared_call.h): numbers and operands as
 * conversion of a model makes them. */
void lb_bench_prepare(const lb_bench_row *row, lb_arena *arena, lb_call *call);

#endif
