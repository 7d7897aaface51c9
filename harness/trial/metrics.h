/* How far results are from real numbers, as figures: the definitions of the metrics of a tolerance.
 */
#ifndef LB_HARNESS_TRIAL_METRICS_H
#define LB_HARNESS_TRIAL_METRICS_H

#include "reports/results.h"

/* Sums over the elements of one tensor. All zero at the start. */
typedef struct lb_metrics {
    uint64_t elements;
    double error, square, largest,
        largest_real;                 /* of got - ideal: in steps, the last in real units */
    double signal_power, noise_power; /* squares in real units */
    double quant_power; /* what the noise would be if the ideal values were rounded to nearest and
                           nothing else */
    double peak, peak_real; /* largest |ideal|, from the zero point on */
    double step_real;       /* largest step */
    uint64_t histogram[LB_TOLERANCE_BINS];
} lb_metrics;

/* One element. got, ideal: containers (the ideal one not rounded, but within the container's
 * range); `zero_point` and `step` (the real number of one step, > 0) of its format. */
void lb_metrics_add(lb_metrics *m, double got, double ideal, double zero_point, double step);

/* SNR where there is no noise, or (negative) noise without a signal: a number that JSON can hold.
 */
#define LB_SNR_ENDS_DB 300.0

/* Fills the figures of `tolerance`, not its role nor its limit:
 *
 * - max_steps: largest |error| in steps; max_real: in real units (per axis not always that of the
 *   same element)
 * - mean_steps: mean of the signed errors: the bias
 * - rms_steps: root of the mean square
 * - noise_ratio: norm of the errors / norm of the ideal values, both in real units
 * - snr_db: -20 log10 of that, at most LB_SNR_ENDS_DB either way
 * - quant_share_percent: power of the errors that rounding the ideal values to nearest would leave,
 *   in percent of that of the errors; at most 100
 * - histogram: signed errors in steps, by lb_tolerance_bin */
void lb_metrics_fill(const lb_metrics *m, lb_tolerance *tolerance);

#endif
