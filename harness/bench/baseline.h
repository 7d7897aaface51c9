/* Rates of an earlier lastbit bench, as its --json output told them. */
#ifndef LB_HARNESS_BENCH_BASELINE_H
#define LB_HARNESS_BENCH_BASELINE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lb_bench_rate {
    char *row, *cpu;
    double rate;
} lb_bench_rate;

typedef struct lb_bench_baseline {
    size_t count;
    lb_bench_rate *rates;
} lb_bench_baseline;

/* Reads the objects of a file. False: message on standard error, file and line. */
bool lb_bench_baseline_read(lb_bench_baseline *baseline, const char *file);
void lb_bench_baseline_free(lb_bench_baseline *baseline);
/* The rate of a row at a level, the last one told; 0: none. */
double lb_bench_baseline_rate(const lb_bench_baseline *baseline, const char *row, const char *cpu);

#endif
