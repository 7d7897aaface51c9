/* Probes of recurrent cells: see probe_cell.h. */
#include "harness/characterize/probe_cell.h"
#include "harness/characterize/probe_weighted.h"
#include "reference/describe/program.h"

#include <math.h>

enum { UNITS = 12 };

typedef struct cell {
    lb_build *b;
    const lb_kernel *kernel;
    uint32_t gates, taps, frames;
    lb_case_tensor *in, *hidden, *weights_in, *weights_out, *bias, *state, *out;
} cell;

static int64_t pick(cell *c, int64_t low, int64_t high)
{
    return lb_random_in(&c->b->random, low, high);
}

static bool is_sa(const cell *c)
{
    return c->kernel->in_type == LB_SA8;
}

static cell shape_cell(lb_build *b, uint32_t taps, uint32_t frames)
{
    const lb_kernel *k = b->c->kernel;
    cell c = {.b = b, .kernel = k, .taps = taps, .frames = frames};
    c.gates = lb_program_of(k)->gates;
    const uint32_t in[2] = {frames, taps}, weights_in[3] = {c.gates, taps, UNITS},
                   weights_out[3] = {c.gates, UNITS, UNITS}, bias[2] = {c.gates, UNITS},
                   units = UNITS, out[2] = {frames, UNITS};
    c.in = lb_probe_operand(b, LB_ROLE_IN, 2, in);
    c.hidden = lb_probe_operand(b, LB_ROLE_PREV_OUT, 1, &units);
    c.weights_in = lb_probe_operand(b, LB_ROLE_WEIGHTS_IN, 3, weights_in);
    c.weights_out = lb_probe_operand(b, LB_ROLE_WEIGHTS_OUT, 3, weights_out);
    c.bias = lb_probe_operand(b, LB_ROLE_BIAS, 2, bias);
    if (lb_kernel_role(k, LB_ROLE_CELL))
        c.state = lb_probe_operand(b, LB_ROLE_CELL, 1, &units);
    c.out = lb_probe_operand(b, LB_ROLE_OUT, 2, out);
    b->c->config.results = 1;
    b->c->config.act = (int32_t)pick(&c, 0, 1);
    b->c->config.scratch_bytes = c.gates * UNITS * lb_element_bytes(k->in_type);
    return c;
}

static void fill(cell *c, lb_case_tensor *t, int64_t low, int64_t high)
{
    for (size_t i = 0; i < t->data.count; i++)
        t->data.items[i] = (int32_t)pick(c, low, high);
}

/* ---- Formats ---- */

static void state_format(cell *c, lb_case_tensor *t)
{
    bool plain = lb_random_once_in(&c->b->random, 2);
    if (is_sa(c)) {
        int zero = (int)pick(c, -10, 10), frac = (int)pick(c, 18, 21);
        lb_build_sa(c->b, t, plain ? 16384 : (int)pick(c, 16384, 32767), frac, zero);
    } else {
        lb_build_fx(t, (int)pick(c, 11, 15));
    }
}

/* An accumulator of 2^width is about 2^3 before its activation. */
static void sum_formats(cell *c, int width)
{
    int inputs = (int)pick(c, 9, 14), all = width - 3;
    state_format(c, c->hidden);
    if (c->state)
        state_format(c, c->state);
    state_format(c, c->out);
    if (!is_sa(c)) {
        lb_build_fx(c->in, inputs);
        lb_build_fx(c->weights_in, all - inputs);
        lb_build_fx(c->weights_out, (int)pick(c, 8, 12));
        lb_build_fx(c->bias, all - (int)pick(c, 0, 10));
        return;
    }
    int scale = (int)pick(c, 16384, 32767),
        zero = lb_random_once_in(&c->b->random, 2) ? 0 : (int)pick(c, -128, 127);
    lb_build_sa(c->b, c->in, (int)pick(c, 16384, 32767), 14 + inputs, zero);
    lb_build_sa(c->b, c->weights_in, scale, 14 + all - inputs, 0);
    int frac = 14 + (int)pick(c, 4, 8);
    lb_build_sa(c->b, c->weights_out, (int)pick(c, 16384, 32767), frac, 0);
    lb_build_sa(c->b, c->bias, 1, 0, 0);
    lb_build_bias_format(c->in, c->weights_in, c->bias, 0);
}

/* ---- Sums ---- */

/* Widths that so many products can pass. */
static int width_of(cell *c)
{
    static const uint8_t known[] = {16, 18, 20, 24, 28, 32, 34, 36, 40, 48};
    int product =
        lb_container_bits(c->kernel->in_type) + lb_container_bits(c->kernel->weights_type);
    int most = product - 2 + lb_build_bits(c->taps), widths[16], count = 0;
    for (unsigned i = 0; i < sizeof known; i++)
        if (known[i] >= product && known[i] <= most)
            widths[count++] = known[i];
    return count ? widths[pick(c, 0, count - 1)] : product;
}

void lb_probe_cell_sum(lb_build *b, uint32_t taps)
{
    cell c = shape_cell(b, taps, 1);
    int width = width_of(&c);
    sum_formats(&c, width);
    int64_t x_top = lb_build_range(c.kernel->in_type).high,
            w_top = lb_build_range(c.kernel->weights_type).high;
    fill(&c, c.in, x_top - x_top / 16, x_top);
    fill(&c, c.hidden, -3, 3);
    fill(&c, c.weights_out, -3, 3);
    if (c.state)
        fill(&c, c.state, -x_top / 2, x_top / 2);
    int64_t reach = is_sa(&c) ? (INT64_C(1) << (width > 31 ? 31 : width - 1)) - 1 : w_top;
    fill(&c, c.bias, -reach - 1, reach);
    for (uint32_t column = 0; column < c.gates * UNITS; column++) {
        uint32_t gate = column / UNITS, unit = column % UNITS, pattern = (uint32_t)pick(&c, 0, 7);
        pattern += pattern >= 4; /* none by chance */
        /* Of each unit one gate goes past the width; the others are open, so that it shows. */
        bool passes = unit % c.gates == gate;
        double share = (passes ? 1.5 + (double)pick(&c, 0, 3) / 16 : 0.02) * ldexp(1.0, width - 1) /
                       ((double)x_top * (double)w_top * taps);
        int64_t w = (int64_t)ceil(share * (double)w_top);
        w = w > w_top ? w_top : w;
        if (!passes && is_sa(&c))
            c.bias->data.items[column] = (int32_t)(reach / 8);
        lb_ramp ramp = {0, 0};
        if (passes && lb_random_once_in(&b->random, 2))
            ramp = lb_probe_ramp(b, taps,
                                 ldexp(1.0, width - 1) / (0.97 * (double)x_top * (double)w_top));
        for (uint32_t k = 0; k < taps; k++)
            c.weights_in->data.items[((size_t)gate * taps + k) * UNITS + unit] =
                (int32_t)(ramp.up  ? lb_ramp_direction(&ramp, k) * w_top
                          : passes ? lb_probe_direction(pattern, k, taps, b) * w
                                   : k % 8 == 0);
    }
}

void lb_probe_cell_result(lb_build *b)
{
    cell c = shape_cell(b, 3, 6);
    int product = lb_container_bits(c.kernel->in_type) + lb_container_bits(c.kernel->weights_type);
    bool far = lb_random_once_in(&b->random, 4); /* counts of shifts past widths */
    sum_formats(&c, product + 1 + (int)(far ? pick(&c, -30, 50) : pick(&c, -3, 3)));
    if (!is_sa(&c) && lb_random_once_in(&b->random, 4)) /* results at their limits */
        lb_build_fx(c.out, (int)pick(&c, 16, 18));
    int64_t x_top = lb_build_range(c.kernel->in_type).high,
            w_top = lb_build_range(c.kernel->weights_type).high;
    fill(&c, c.in, -x_top - 1, x_top);
    fill(&c, c.hidden, -x_top - 1, x_top);
    fill(&c, c.weights_in, -w_top - 1, w_top);
    fill(&c, c.weights_out, -w_top - 1, w_top);
    if (c.state)
        fill(&c, c.state, -x_top - 1, x_top);
    int64_t reach = is_sa(&c) ? (INT64_C(1) << pick(&c, 12, 22)) - 1 : w_top;
    fill(&c, c.bias, -reach - 1, reach);
}

/* ---- Limits of sums ---- */

/* The step of an accumulator is one that shows behind the activation. */
static void limit_formats(cell *c)
{
    state_format(c, c->hidden);
    if (c->state)
        state_format(c, c->state);
    state_format(c, c->out);
    if (!is_sa(c)) {
        lb_build_fx(c->in, 4);
        lb_build_fx(c->weights_in, 4);
        lb_build_fx(c->weights_out, 4);
        lb_build_fx(c->bias, 8);
        return;
    }
    lb_build_sa(c->b, c->in, 16384, 16, 0);
    lb_build_sa(c->b, c->weights_in, 16384, 15, 0);
    lb_build_sa(c->b, c->weights_out, 16384, 15, 0);
    lb_build_sa(c->b, c->bias, 1, 0, 0);
    lb_build_bias_format(c->in, c->weights_in, c->bias, 0);
}

static void limit_column(cell *c, uint32_t column, const lb_probe_limits *limits, uint32_t past)
{
    uint32_t gate = column / UNITS, unit = column % UNITS;
    bool passes = unit % c->gates == gate;
    lb_limit_sum sum = lb_limit_start(limits, lb_build_range(c->kernel->weights_type).high, past,
                                      unit / c->gates % 2 == 1, pick(c, -10, 10));
    if (!passes) /* open, so that the one that passes shows */
        sum = (lb_limit_sum){.highest = sum.highest, .sign = 1, .rest = pick(c, 4, 12)};
    for (uint32_t k = 0; k < c->taps; k++)
        c->weights_in->data.items[((size_t)gate * c->taps + k) * UNITS + unit] =
            (int32_t)lb_limit_weight(&sum, k, c->in->data.items[k]);
}

bool lb_probe_cell_limit(lb_build *b, const lb_probe_limits *limits)
{
    enum { MOST_TAPS = 20000, FINE = 5 };
    const lb_kernel *k = b->c->kernel;
    int64_t x = lb_build_range(k->in_type).high;
    uint32_t past =
        lb_limit_taps(limits, x * lb_build_range(k->weights_type).high, (MOST_TAPS - FINE) / 2);
    if (past == 0)
        return false;
    cell c = shape_cell(b, 2 * past + FINE, 1);
    limit_formats(&c);
    fill(&c, c.in, x, x);
    for (uint32_t i = 1; i <= FINE; i++)
        c.in->data.items[c.taps - i] = i < 3 ? 1 : is_sa(&c) ? 10 : 100;
    fill(&c, c.hidden, x / 4, x / 2);
    if (c.state)
        fill(&c, c.state, x / 4, x / 2);
    for (uint32_t column = 0; column < c.gates * UNITS; column++)
        limit_column(&c, column, limits, past);
    return true;
}
