/* Derived limits: see derived_limit.h. */
#include "harness/trial/derived_limit.h"

#include <math.h>

/* What double precision may have lost on the way, in steps. */
static double slack_of(double v)
{
    return 1e-6 + 1e-12 * fabs(v);
}

double lb_limit_share(double error, double limit, double slack)
{
    if (error <= slack)
        return 0;
    return limit > slack ? error / (limit + slack) : 1 + error;
}

bool lb_limit_is_vague(double limit_steps, double signal_steps)
{
    return limit_steps > 2 && limit_steps > signal_steps;
}

void lb_derived_add(lb_derived *d, double got, const lb_span *span, double signal_steps)
{
    if (!lb_span_is_known(span)) {
        d->overflowed++;
        return;
    }
    double above = span->high - span->value, below = span->value - span->low;
    double error = got - span->value, limit = above > below ? above : below,
           width = span->high - span->low;
    if (lb_limit_is_vague(limit, signal_steps)) {
        d->vague++;
        return;
    }
    double used = lb_limit_share(fabs(error), limit, slack_of(span->value));
    if (d->judged == 0 || used > d->used) {
        d->used = used;
        d->limit = limit;
    }
    d->judged++;
    d->error += error;
    d->expected_low += span->from - span->value;
    d->expected_high += span->to - span->value;
    d->variance += width * width / 12;
}

lb_limit_use lb_derived_max(const lb_derived *d)
{
    return (lb_limit_use){.limit = d->limit, .used_percent = 100 * d->used};
}

lb_limit_use lb_derived_mean(const lb_derived *d)
{
    double n = d->judged > 0 ? (double)d->judged : 1;
    double noise = 6 * sqrt(d->variance) / n;
    double low = d->expected_low / n - noise, high = d->expected_high / n + noise;
    double off = fabs(d->error / n - (low + high) / 2), limit = (high - low) / 2;
    return (lb_limit_use){.limit = limit, .used_percent = 100 * lb_limit_share(off, limit, 1e-6)};
}
