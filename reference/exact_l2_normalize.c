/* l2_normalize, to the last bit. Spec: elementwise.md 8; names follow the formulas there. epsilon is ignored. */
#include "groups.h"
#include "lut.h"
#include "models.h"
#include "scale.h"
#include "view.h"

/* Fractional bits of the normalized sum as the table's argument. */
enum { SUM_FRAC_BITS = 8 };

typedef struct l2 {
    const lb_context *context;
    const lb_tensor *in;
    lb_tensor *out;
    int32_t zero_point; /* of in, before out's format is written; 0 for fx */
    int bits;
    lb_groups groups;
} l2;

/* d: the element without its zero point. */
static int32_t element(const l2 *s, size_t group, size_t index)
{
    return lb_load(s->in, lb_offset_of_flat(s->in, lb_group_flat(&s->groups, group, index))) - s->zero_point;
}

/* The sum of squares is an int64 (elementwise.md 8): the accumulator of 16 by 16 bits, for sa8 too. */
static int64_t sum_of_squares(const l2 *s, size_t group)
{
    lb_acc acc = lb_acc_start(s->context->profile, LB_OPERANDS_16X16);
    for (size_t i = 0; i < s->groups.length; i++) {
        int32_t d = element(s, group, i);
        lb_acc_mac(&acc, d, d);
    }
    return lb_acc_close(&acc, s->context->watch);
}

static void normalize_group(const l2 *s, size_t group)
{
    lb_rounding rounding = s->context->profile->rounding;
    int64_t sum = sum_of_squares(s, group);
    int k = 48 - lb_norm(sum, 64);
    k += k % 2 != 0 ? 1 : 0; /* up, for negative k too: the square root halves it */
    int64_t c = lb_sat(lb_rsh(rounding, sum, k, 64), 16);
    int64_t r = lb_lut_lookup(LB_LUT_L2_NORMALIZE, rounding, c, SUM_FRAC_BITS);
    int shift = lb_luts[LB_LUT_L2_NORMALIZE].out_frac_bits + (k + SUM_FRAC_BITS) / 2 - (s->bits - 1);
    for (size_t i = 0; i < s->groups.length; i++) {
        int64_t y = lb_sat(lb_rsh(rounding, r * element(s, group, i), shift, 32), s->bits);
        lb_store(s->out, lb_offset_of_flat(s->out, lb_group_flat(&s->groups, group, i)), y);
    }
}

/* axis below -1 is undefined in the spec: it acts as -1 here. */
void lb_exact_l2_normalize(const lb_context *context, lb_call *call)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    l2 s = {
        .context = context,
        .in = in,
        .out = call->tensor[LB_ROLE_OUT],
        .zero_point = lb_quant_at(in, 0).zero_point,
        .bits = lb_container_bits(in->el_type),
        .groups = lb_groups_of(in, call->config.axis),
    };
    for (size_t group = 0; group < s.groups.count; group++) {
        normalize_group(&s, group);
    }
    lb_set_quant(s.out, (lb_quant){1, s.bits - 1, 0});
}
