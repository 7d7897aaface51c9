/* Figures of a tolerance: see metrics.h. */
#include "harness/trial/metrics.h"

#include <math.h>
#include <string.h>

static double larger(double a, double b)
{
    return a > b ? a : b;
}

void lb_metrics_add(lb_metrics *m, double got, double ideal, double zero_point, double step)
{
    double error = got - ideal, rounded = nearbyint(ideal) - ideal, signal = ideal - zero_point;
    m->elements++;
    m->error += error;
    m->square += error * error;
    m->largest = larger(m->largest, fabs(error));
    m->largest_real = larger(m->largest_real, fabs(error) * step);
    m->signal_power += signal * step * (signal * step);
    m->noise_power += error * step * (error * step);
    m->quant_power += rounded * step * (rounded * step);
    m->peak = larger(m->peak, fabs(signal));
    m->peak_real = larger(m->peak_real, fabs(signal) * step);
    m->step_real = larger(m->step_real, step);
    m->histogram[lb_tolerance_bin(error)]++;
}

static double snr_db(const lb_metrics *m)
{
    if (m->noise_power <= 0)
        return LB_SNR_ENDS_DB;
    if (m->signal_power <= 0)
        return -LB_SNR_ENDS_DB;
    double db = 10 * log10(m->signal_power / m->noise_power);
    return db > LB_SNR_ENDS_DB ? LB_SNR_ENDS_DB : db < -LB_SNR_ENDS_DB ? -LB_SNR_ENDS_DB : db;
}

void lb_metrics_fill(const lb_metrics *m, lb_tolerance *t)
{
    double n = m->elements > 0 ? (double)m->elements : 1;
    t->elements = m->elements;
    t->max_steps = m->largest;
    t->max_real = m->largest_real;
    t->mean_steps = m->error / n;
    t->rms_steps = sqrt(m->square / n);
    t->snr_db = snr_db(m);
    t->noise_ratio = m->signal_power > 0 ? sqrt(m->noise_power / m->signal_power) : 0;
    t->quant_share_percent =
        m->noise_power > m->quant_power ? 100 * m->quant_power / m->noise_power : 100;
    memcpy(t->histogram, m->histogram, sizeof t->histogram);
}
