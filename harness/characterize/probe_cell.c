/* Probes of recurrent cells: see probe_makers.h. Columns are those of the gates' sums of inputs. */
#include "harness/characterize/probe_makers.h"
#include "reference/describe/program.h"

enum { UNITS = 12 };

typedef struct cell {
    lb_columns gates; /* of them `in`, `weights`, `bias`, `out` */
    lb_case_tensor *hidden, *weights_out, *state;
} cell;

static int64_t pick(cell *c, int64_t low, int64_t high)
{
    return lb_random_in(&c->gates.b->random, low, high);
}

static bool is_sa(const cell *c)
{
    return c->gates.kernel->in_type == LB_SA8;
}

static uint32_t gate_count(const cell *c)
{
    return c->gates.count / UNITS;
}

static cell shape_cell(lb_build *b, uint32_t taps, uint32_t frames)
{
    const lb_kernel *k = b->c->kernel;
    const uint32_t gates = lb_program_of(k)->gates, units = UNITS;
    cell c = {.gates = lb_columns_of(b)};
    c.gates.taps = c.gates.depth = taps;
    c.gates.count = gates * UNITS;
    c.gates.group = UNITS;
    c.gates.copies = 1;
    c.gates.in = lb_probe_operand(b, LB_ROLE_IN, 2, (uint32_t[]){frames, taps});
    c.hidden = lb_probe_operand(b, LB_ROLE_PREV_OUT, 1, &units);
    c.gates.weights = lb_probe_operand(b, LB_ROLE_WEIGHTS_IN, 3, (uint32_t[]){gates, taps, UNITS});
    c.weights_out = lb_probe_operand(b, LB_ROLE_WEIGHTS_OUT, 3, (uint32_t[]){gates, UNITS, UNITS});
    c.gates.bias = lb_probe_operand(b, LB_ROLE_BIAS, 2, (uint32_t[]){gates, UNITS});
    if (lb_kernel_role(k, LB_ROLE_CELL))
        c.state = lb_probe_operand(b, LB_ROLE_CELL, 1, &units);
    c.gates.out = lb_probe_operand(b, LB_ROLE_OUT, 2, (uint32_t[]){frames, UNITS});
    b->c->config.results = 1;
    b->c->config.act = (int32_t)pick(&c, 0, 1);
    b->c->config.scratch_bytes = gates * UNITS * lb_element_bytes(k->in_type);
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
    bool plain = lb_random_once_in(&c->gates.b->random, 2);
    if (is_sa(c)) {
        int zero = (int)pick(c, -10, 10), frac = (int)pick(c, 18, 21);
        lb_build_sa(c->gates.b, t, plain ? 16384 : (int)pick(c, 16384, 32767), frac, zero);
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
    state_format(c, c->gates.out);
    if (!is_sa(c)) {
        lb_build_fx(c->gates.in, inputs);
        lb_build_fx(c->gates.weights, all - inputs);
        lb_build_fx(c->weights_out, (int)pick(c, 8, 12));
        lb_build_fx(c->gates.bias, all - (int)pick(c, 0, 10));
        return;
    }
    int scale = (int)pick(c, 16384, 32767),
        zero = lb_random_once_in(&c->gates.b->random, 2) ? 0 : (int)pick(c, -128, 127);
    lb_build_sa(c->gates.b, c->gates.in, (int)pick(c, 16384, 32767), 14 + inputs, zero);
    lb_build_sa(c->gates.b, c->gates.weights, scale, 14 + all - inputs, 0);
    int frac = 14 + (int)pick(c, 4, 8);
    lb_build_sa(c->gates.b, c->weights_out, (int)pick(c, 16384, 32767), frac, 0);
    lb_build_sa(c->gates.b, c->gates.bias, 1, 0, 0);
    lb_build_bias_format(c->gates.in, c->gates.weights, c->gates.bias, 0);
}

/* ---- Sums ---- */

/* Of each unit one gate goes past the width; the others are open, so that it shows. */
static bool passes(const cell *c, uint32_t column)
{
    return column % UNITS % gate_count(c) == column / UNITS;
}

void lb_probe_cell_sum(lb_build *b, uint32_t taps)
{
    cell c = shape_cell(b, taps, 1);
    lb_columns *l = &c.gates;
    int widths[16];
    const unsigned count = lb_columns_widths(l, widths);
    const int width = count ? widths[pick(&c, 0, count - 1)] : l->in_bits + l->weight_bits;
    sum_formats(&c, width);
    const int64_t x_top = lb_build_range(l->kernel->in_type).high;
    fill(&c, l->in, x_top - x_top / 16, x_top);
    fill(&c, c.hidden, -3, 3);
    fill(&c, c.weights_out, -3, 3);
    if (c.state)
        fill(&c, c.state, -x_top / 2, x_top / 2);
    const int64_t reach = is_sa(&c) ? (INT64_C(1) << (width > 31 ? 31 : width - 1)) - 1
                                    : lb_build_range(l->kernel->weights_type).high;
    fill(&c, l->bias, -reach - 1, reach);
    for (uint32_t column = 0; column < l->count; column++) {
        uint32_t pattern = (uint32_t)pick(&c, 0, 7);
        pattern += pattern >= 4; /* none by chance */
        if (passes(&c, column)) {
            if (!lb_build_once_in(b, 2) || !lb_columns_ramp(l, column, width))
                lb_columns_sum(l, column, pattern, width);
            continue;
        }
        if (is_sa(&c))
            l->bias->data.items[column] = (int32_t)(reach / 8);
        for (uint32_t k = 0; k < taps; k++)
            lb_columns_put(l, k, column, k % 8 == 0);
    }
}

void lb_probe_cell_result(lb_build *b)
{
    cell c = shape_cell(b, 3, 6);
    int product = lb_container_bits(c.gates.kernel->in_type) +
                  lb_container_bits(c.gates.kernel->weights_type);
    bool far = lb_random_once_in(&b->random, 4); /* counts of shifts past widths */
    sum_formats(&c, product + 1 + (int)(far ? pick(&c, -30, 50) : pick(&c, -3, 3)));
    if (!is_sa(&c) && lb_random_once_in(&b->random, 4)) /* results at their limits */
        lb_build_fx(c.gates.out, (int)pick(&c, 16, 18));
    int64_t x_top = lb_build_range(c.gates.kernel->in_type).high,
            w_top = lb_build_range(c.gates.kernel->weights_type).high;
    fill(&c, c.gates.in, -x_top - 1, x_top);
    fill(&c, c.hidden, -x_top - 1, x_top);
    fill(&c, c.gates.weights, -w_top - 1, w_top);
    fill(&c, c.weights_out, -w_top - 1, w_top);
    if (c.state)
        fill(&c, c.state, -x_top - 1, x_top);
    int64_t reach = is_sa(&c) ? (INT64_C(1) << pick(&c, 12, 22)) - 1 : w_top;
    fill(&c, c.gates.bias, -reach - 1, reach);
}

/* ---- Limits of sums ---- */

/* The step of an accumulator is one that shows behind the activation. */
static void limit_formats(cell *c)
{
    state_format(c, c->hidden);
    if (c->state)
        state_format(c, c->state);
    state_format(c, c->gates.out);
    if (!is_sa(c)) {
        lb_build_fx(c->gates.in, 4);
        lb_build_fx(c->gates.weights, 4);
        lb_build_fx(c->weights_out, 4);
        lb_build_fx(c->gates.bias, 8);
        return;
    }
    lb_build_sa(c->gates.b, c->gates.in, 16384, 16, 0);
    lb_build_sa(c->gates.b, c->gates.weights, 16384, 15, 0);
    lb_build_sa(c->gates.b, c->weights_out, 16384, 15, 0);
    lb_build_sa(c->gates.b, c->gates.bias, 1, 0, 0);
    lb_build_bias_format(c->gates.in, c->gates.weights, c->gates.bias, 0);
}

bool lb_probe_cell_limit(lb_build *b, const lb_probe_limits *limits)
{
    enum { MOST_TAPS = 20000 };
    const int64_t x = lb_build_range(b->c->kernel->in_type).high,
                  highest = lb_build_range(b->c->kernel->weights_type).high;
    const uint32_t past = lb_limit_taps(limits, x * highest, (MOST_TAPS - LB_FINE_TAPS) / 2);
    if (past == 0)
        return false;
    cell c = shape_cell(b, 2 * past + LB_FINE_TAPS, 1);
    limit_formats(&c);
    lb_columns_limit_inputs(&c.gates);
    fill(&c, c.hidden, x / 4, x / 2);
    if (c.state)
        fill(&c, c.state, x / 4, x / 2);
    for (uint32_t column = 0; column < c.gates.count; column++) {
        const bool upper = column % UNITS / gate_count(&c) % 2 == 1;
        lb_limit_sum sum = lb_limit_start(limits, highest, past, upper, pick(&c, -10, 10));
        if (!passes(&c, column)) /* open, so that the one that passes shows */
            sum = (lb_limit_sum){.highest = highest, .sign = 1, .rest = pick(&c, 4, 12)};
        lb_columns_limit(&c.gates, column, sum);
    }
    return true;
}
