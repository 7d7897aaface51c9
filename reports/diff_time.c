/* Times of calls, compared: see diff_time.h. */
#include "diff_time.h"

#include <math.h>
#include <stdlib.h>

/* Fewer calls say nothing of the noise; shorter ones are all noise. */
enum { ENOUGH_CALLS = 20 };
static const double least_microseconds = 10;
/* Quartiles of a normal distribution lie 0.67 deviations from its middle: so many of their
 * distances are four deviations. */
static const double spreads = 6;

static void *room_for_one(void *list, size_t count, size_t *room, size_t bytes)
{
    if (count < *room)
        return list;
    size_t more = *room == 0 ? 64 : *room * 2;
    void *grown = realloc(list, more * bytes);
    if (grown)
        *room = more;
    return grown;
}

bool lb_call_times_add(lb_call_times *times, double before, double after)
{
    if (before < least_microseconds || after <= 0)
        return true;
    double *ratios = room_for_one(times->ratios, times->count, &times->room, sizeof *ratios);
    if (!ratios)
        return false;
    times->ratios = ratios;
    times->ratios[times->count++] = after / before;
    return true;
}

bool lb_call_times_add_longer(lb_call_times *times, const lb_longer_call *call)
{
    lb_longer_call *list =
        room_for_one(times->longer, times->longer_count, &times->longer_room, sizeof *list);
    if (!list)
        return false;
    times->longer = list;
    times->longer[times->longer_count++] = *call;
    return call->suite && call->id && call->profile && call->function;
}

void lb_call_times_free(lb_call_times *times)
{
    for (size_t i = 0; i < times->longer_count; i++) {
        free(times->longer[i].suite);
        free(times->longer[i].id);
        free(times->longer[i].profile);
        free(times->longer[i].function);
    }
    free(times->longer);
    free(times->ratios);
    *times = (lb_call_times){.count = 0};
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

lb_time_noise lb_call_times_noise(lb_call_times *times)
{
    lb_time_noise noise = {.known = times->count >= ENOUGH_CALLS, .beyond = 1};
    if (!noise.known)
        return noise;
    qsort(times->ratios, times->count, sizeof *times->ratios, by_size);
    double middle = times->ratios[times->count / 2];
    double spread = (times->ratios[times->count * 3 / 4] - times->ratios[times->count / 4]) / 2;
    noise.drift_percent = 100 * (middle - 1);
    noise.spread_percent = 100 * spread;
    noise.beyond = middle + spreads * spread;
    return noise;
}
