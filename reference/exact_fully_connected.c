/* Fully connected, to the last bit: out[c] = F_c(in[i] * weights[i][c]). Spec: conv.md 10, order of
 * additions 12. */
#include "models.h"
#include "products.h"
#include "weighted.h"

/* Multiplies and adds the weights of one output. `constant`: what meets them in place of the
 * inputs, or NULL. */
static void add_taps(lb_acc *acc, const lb_weighted *weighted, const lb_call *call,
                     uint32_t channel, const lb_num *constant, lb_steps *steps)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    const lb_tensor *weights = call->tensor[LB_ROLE_WEIGHTS];
    size_t row = (size_t)weights->mem_stride[0];
    lb_steps_enter(steps, constant ? LB_PART_ZERO_POINT_TERMS : LB_PART_TAPS,
                   constant ? "conv.md 4.3" : "conv.md 10");
    if (!lb_steps_of_products(weighted->profile, steps)) {
        lb_products_add(acc,
                        &(lb_products){.x = in,
                                       .weights = weights,
                                       .constant = constant,
                                       .taken_off = (int32_t)weighted->zero_point_in_products.v,
                                       .taps = &(lb_tap_offsets){0, channel},
                                       .tap_count = 1,
                                       .x_step = 1,
                                       .weight_step = row,
                                       .count = weights->shape[0]});
        return;
    }
    for (uint32_t i = 0; i < weights->shape[0]; i++) {
        lb_steps_tap(steps, i + 1u);
        lb_num x = constant ? *constant : lb_num_at_offset(steps, in, LB_NAMED(IN), i, i);
        x = constant ? x : lb_weighted_input(weighted, x, steps);
        size_t flat = (size_t)i * weights->shape[1] + channel;
        lb_num w = lb_num_at_offset(steps, weights, LB_NAMED(WEIGHTS), i * row + channel, flat);
        lb_num_mac(steps, acc, x, w);
    }
}

static lb_num output_of(const lb_weighted *weighted, const lb_call *call, uint32_t channel)
{
    lb_steps *steps = lb_steps_at(weighted->steps, LB_ROLE_OUT, channel);
    lb_channel parameters = lb_weighted_channel(weighted, call, channel);
    lb_acc acc =
        lb_weighted_acc(weighted, &parameters, lb_steps_of_products(weighted->profile, steps));
    lb_acc_expect_zero_point(&acc, weighted->in_zero_point);
    add_taps(&acc, weighted, call, channel, NULL, steps);
    if (weighted->in_zero_point != 0) {
        lb_acc_expect_terms(&acc);
        add_taps(&acc, weighted, call, channel, &weighted->minus_zero_point, steps);
    }
    return lb_weighted_finish(weighted, &parameters, &acc, steps);
}

void lb_exact_fully_connected(const lb_context *context, lb_call *call)
{
    lb_weighted weighted = lb_weighted_start(context, call);
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    for (uint32_t c = 0; c < out->shape[0]; c++) {
        lb_num_store(lb_steps_at(weighted.steps, LB_ROLE_OUT, c), out, c,
                     output_of(&weighted, call, c)); /* stride 1 */
    }
}
