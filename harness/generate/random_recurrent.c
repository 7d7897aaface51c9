/* Made-up cases of rnn_dense, LSTM and GRU: sizes and formats inside the defined domain. Rules:
 * recurrent.md 5 to 8. */
#include "harness/generate/random_build.h"
#include "reference/describe/program.h"

static bool is_sa(const lb_build *b)
{
    return b->c->kernel->in_type == LB_SA8;
}

static lb_case_tensor *add(lb_build *b, lb_role role, uint32_t type, unsigned rank,
                           const uint32_t *shape)
{
    bool output = role == LB_ROLE_OUT || role == LB_ROLE_CELL;
    lb_case_tensor *t = lb_build_tensor(b, role, output, (lb_el_type)type, rank, shape);
    if (role != LB_ROLE_OUT && role != LB_ROLE_BIAS)
        lb_build_data(b, t);
    return t;
}

/* Bias formats that pass the rule of numerics.md 5.6 for every scale of the weights. */
static void bias_of(lb_build *b, const lb_case_tensor *in, const lb_case_tensor *weights,
                    lb_case_tensor *bias)
{
    if (weights->axis >= 0)
        lb_build_sa_axis(b, bias, weights->axis);
    else
        lb_build_sa(b, bias, 1, 0, 0);
    for (size_t j = 0; j < weights->quant_count; j++)
        lb_build_bias_format(in, weights, bias, j);
    lb_build_data_in(b, bias, -(1 << 16), 1 << 16);
}

static void weights_format(lb_build *b, lb_case_tensor *t, bool per_gate)
{
    if (!is_sa(b)) {
        lb_build_fx(t, lb_build_pick(b, 2, 12));
        return;
    }
    if (per_gate)
        lb_build_sa_axis(b, t, 0);
    else
        lb_build_sa(b, t, 1, 0, 0);
    bool wide = lb_random_once_in(&b->random, 4);
    for (size_t j = 0; j < t->quant_count; j++) {
        t->scale[j] = (int16_t)lb_build_scale(b);
        t->scale_frac_bits[j] =
            (int8_t)(16 + lb_build_bits((uint64_t)t->scale[j]) -
                     (wide ? lb_build_pick(b, -6, 34) : lb_build_pick(b, 10, 14)));
    }
}

/* A state or input format whose values lie within a few units. */
static void state_format(lb_build *b, lb_case_tensor *t)
{
    int scale = lb_build_scale(b);
    if (is_sa(b)) {
        int zero_point = lb_build_zero_point(b);
        lb_build_sa(b, t, scale, lb_build_bits((uint64_t)scale) + lb_build_pick(b, 4, 7),
                    zero_point);
    } else {
        lb_build_fx(t, lb_build_pick(b, 10, 15));
    }
}

/* Results and cells may have a format that no gate fits. */
static void any_state_format(lb_build *b, lb_case_tensor *t)
{
    int scale = lb_build_scale(b);
    if (!lb_random_once_in(&b->random, 4)) {
        state_format(b, t);
    } else if (is_sa(b)) {
        int zero_point = lb_build_zero_point(b);
        lb_build_sa(b, t, scale, lb_build_pick(b, -12, 50), zero_point);
    } else {
        lb_build_fx(t, lb_build_pick(b, -40, 66));
    }
}

void lb_random_rnn_dense(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    uint32_t outputs = lb_build_extent(b, 33);
    int inputs = lb_build_pick(b, 1, 4);
    b->c->config.inputs_num = (uint8_t)inputs;
    for (int j = 0; j < inputs; j++) {
        uint32_t frames = lb_build_extent(b, 5), width = lb_build_extent(b, 17);
        uint32_t in[2] = {frames, width}, weights[2] = {frames * width, outputs};
        state_format(b, add(b, LB_ROLE_IN, kernel->in_type, 2, in));
        lb_case_tensor *t = add(b, LB_ROLE_WEIGHTS, kernel->weights_type, 2, weights);
        lb_build_gaps(b, t);
        weights_format(b, t, false);
    }
    const lb_case_tensor *in = b->c->operand[LB_ROLE_IN].tensors,
                         *weights = b->c->operand[LB_ROLE_WEIGHTS].tensors;
    lb_case_tensor *bias = add(b, LB_ROLE_BIAS, kernel->bias_type, 1, &outputs);
    lb_case_tensor *out = add(b, LB_ROLE_OUT, kernel->in_type, 1, &outputs);
    if (is_sa(b)) {
        bias_of(b, in, weights, bias);
        lb_build_picked_sa(b, out, 12, 18);
        return;
    }
    int lowest = 127;
    for (int j = 0; j < inputs; j++)
        if (in[j].frac_bits + weights[j].frac_bits < lowest)
            lowest = in[j].frac_bits + weights[j].frac_bits;
    lb_build_fx(bias, in[0].frac_bits + weights[0].frac_bits - lb_build_pick(b, 0, 12));
    lb_build_data(b, bias);
    lb_build_fx(out, lb_build_clamp(lowest - lb_build_pick(b, 0, 14), -128, lowest));
}

/* ---- Cells whose sums stay where the tables move ---- */

/* Formats of any shift: fx. */
static void wide_fx(lb_build *b, lb_case_tensor *in, lb_case_tensor *hidden, lb_case_tensor *wi,
                    lb_case_tensor *wo)
{
    int sum = lb_build_pick(b, -6, 44),
        hidden_sum = lb_random_once_in(&b->random, 2) ? sum : lb_build_pick(b, -8, 50);
    lb_build_fx(in, sum / 2 + lb_build_pick(b, -12, 12));
    lb_build_fx(wi, sum - in->frac_bits);
    lb_build_fx(hidden, lb_random_once_in(&b->random, 2) ? lb_build_pick(b, -4, 24)
                                                         : lb_build_pick(b, 12, 15));
    lb_build_fx(wo, hidden_sum - hidden->frac_bits);
}

/* Numbers of at most so many bits. */
static void data_of_bits(lb_build *b, lb_case_tensor *t, int bits)
{
    int most = lb_container_bits((uint32_t)t->type) - 1;
    int64_t high = ((int64_t)1 << lb_build_clamp(bits, 1, most)) - 1;
    lb_build_data_in(b, t, -high - (high > 1), high);
}

/* Products of numbers and weights come to a few units: 2^bits at so many fraction bits. */
static void live_product(lb_build *b, lb_case_tensor *numbers, lb_case_tensor *weights,
                         int sum_frac)
{
    int bits = sum_frac + lb_build_pick(b, -3, 4);
    int most = lb_container_bits((uint32_t)weights->type) - 1,
        of_weights = lb_build_pick(b, 1, most);
    int number_bits = lb_container_bits((uint32_t)numbers->type) - 1;
    if (bits - of_weights > number_bits)
        of_weights = lb_build_clamp(bits - number_bits, 1, most);
    data_of_bits(b, weights, of_weights);
    data_of_bits(b, numbers, bits - of_weights);
}

/* Gates that all stand at an end of their tables hide most of what a kernel does before them. */
static void live_fx(lb_build *b, lb_case_tensor *in, lb_case_tensor *hidden, lb_case_tensor *wi,
                    lb_case_tensor *wo, lb_case_tensor *bias)
{
    int sum = in->frac_bits + wi->frac_bits;
    live_product(b, in, wi, sum);
    live_product(b, hidden, wo, hidden->frac_bits + wo->frac_bits);
    data_of_bits(b, bias, bias->frac_bits + lb_build_pick(b, -2, 3));
}

static void cell_formats(lb_build *b, bool per_gate)
{
    lb_case_operand *operand = b->c->operand;
    lb_case_tensor *in = operand[LB_ROLE_IN].tensors, *hidden = operand[LB_ROLE_PREV_OUT].tensors,
                   *wi = operand[LB_ROLE_WEIGHTS_IN].tensors,
                   *wo = operand[LB_ROLE_WEIGHTS_OUT].tensors,
                   *bias = operand[LB_ROLE_BIAS].tensors;
    bool live = !lb_random_once_in(&b->random, 3);
    weights_format(b, wi, per_gate);
    weights_format(b, wo, per_gate);
    if (is_sa(b)) {
        bias_of(b, in, wi, bias);
        if (live)
            data_of_bits(b, bias, lb_build_pick(b, 1, 16));
        return;
    }
    if (live && lb_random_once_in(&b->random, 2))
        wide_fx(b, in, hidden, wi, wo);
    lb_build_fx(bias, in->frac_bits + wi->frac_bits - lb_build_pick(b, 0, 12));
    if (live)
        live_fx(b, in, hidden, wi, wo, bias);
    else
        lb_build_data(b, bias);
}

void lb_random_cell(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    bool per_gate = lb_random_once_in(&b->random, 2);
    uint32_t gates = lb_program_of(kernel)->gates, frames = lb_build_side(b, 1, 4),
             n = lb_build_extent(b, 17), m = lb_build_extent(b, 17);
    const uint32_t in_shape[2] = {frames, n}, weights_in[3] = {gates, n, m},
                   weights_out[3] = {gates, m, m};
    const uint32_t bias_shape[2] = {gates, m};
    lb_config *cfg = &b->c->config;
    cfg->direction = lb_build_pick(b, 0, 1);
    cfg->results = lb_build_pick(b, 0, 1);
    cfg->act = lb_build_pick(b, 0, 2);
    cfg->scratch_bytes =
        gates * m * lb_element_bytes(kernel->in_type) + (uint32_t)lb_build_pick(b, 0, 3);
    const uint32_t out_shape[2] = {cfg->results ? frames : 1, m};
    state_format(b, add(b, LB_ROLE_IN, kernel->in_type, 2, in_shape));
    state_format(b, add(b, LB_ROLE_PREV_OUT, kernel->in_type, 1, &m));
    lb_case_tensor *wi = add(b, LB_ROLE_WEIGHTS_IN, kernel->weights_type, 3, weights_in);
    lb_case_tensor *wo = add(b, LB_ROLE_WEIGHTS_OUT, kernel->weights_type, 3, weights_out);
    lb_build_gaps(b, wi);
    lb_build_gaps(b, wo);
    add(b, LB_ROLE_BIAS, kernel->bias_type, 2, bias_shape);
    cell_formats(b, per_gate);
    if (lb_kernel_role(kernel, LB_ROLE_CELL))
        any_state_format(b, add(b, LB_ROLE_CELL, kernel->in_type, 1, &m));
    any_state_format(b, add(b, LB_ROLE_OUT, kernel->in_type, 2, out_shape));
}
