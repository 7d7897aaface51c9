/* The real models of LiteRT: which function has which, and what they share. */
#include "real_call.h"

#include <string.h>

#define ROW(name, family, in, out, roles, kind, rules, map, exact, real)                           \
    {"litert_" #name, lb_lite_real_##real},
static const struct {
    const char *function;
    lb_lite_model *model;
} models[] = {LB_LITE_KERNELS(ROW)};

bool lb_lite_real(const lb_lite_call *call, lb_span *spans)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (strcmp(call->function, models[i].function) == 0) {
            lb_lite_row row = {.first = -1};
            lb_lite_call c = *call;
            c.row = &row;
            for (size_t at = 0; at < c.out.count; at++)
                spans[at] = models[i].model(&c, at);
            return true;
        }
    return false;
}

/* ---- Parts of a call ---- */

int64_t lb_lite_dimension(const lb_lite_tensor *t, int from_end)
{
    return from_end < t->rank ? t->shape[t->rank - 1 - from_end] : 1;
}

double lb_lite_at(const lb_lite_tensor *t, int64_t n, int64_t y, int64_t x, int64_t channel)
{
    return t->values[((n * t->shape[1] + y) * t->shape[2] + x) * t->shape[3] + channel];
}

/* ---- Scaling ---- */

/* The number itself, half a step to either side; where it is rounded twice, half a step of the
 * doubled product more, which the right shift makes smaller. */
lb_span lb_lite_scaled(const lb_lite_call *c, lb_span x, double multiplier, double shift)
{
    double half = !c->single && shift < 0 ? 0.5 + 0.5 * lb_power_of_two((int)shift) : 0.5;
    lb_span v = lb_span_scaled(x, multiplier * lb_power_of_two((int)shift - 31));
    return lb_span_widened(v, half, half);
}

/* Rounding the multiplier to 16 bits moves it by 2^15 at most, but by 2^16 at its upper end. */
lb_span lb_lite_scaled_wide(lb_span x, double multiplier, double shift)
{
    double moved = multiplier >= 0x7FFF0000 ? 65536 : 32768;
    double error = fabs(x.value) * moved * lb_power_of_two((int)shift - 31) + 0.5;
    lb_span v = lb_span_scaled(x, multiplier * lb_power_of_two((int)shift - 31));
    return lb_span_widened(v, error, error);
}

lb_span lb_lite_within_limits(const lb_lite_call *c, lb_span v)
{
    return lb_span_clamped(v, lb_lite_key_of(c, LB_LITE_activation_min),
                           lb_lite_key_of(c, LB_LITE_activation_max));
}

lb_span lb_lite_within_type(const lb_lite_call *c, lb_span v)
{
    return lb_span_saturated(v, c->out.bits);
}
