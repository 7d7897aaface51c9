/* l2_normalize, to the last bit. Spec: elementwise.md 8; names follow the formulas there. epsilon
 * is ignored. */
#include "core/lut.h"
#include "core/scale_num.h"
#include "core/view.h"
#include "describe/map_cursor.h"
#include "models.h"

/* Fractional bits of the normalized sum as the table's argument. */
enum { SUM_FRAC_BITS = 8 };

typedef struct l2 {
    const lb_context *context;
    lb_num zero_point; /* of in, before out's format is written; 0 for fx */
    int bits;
    lb_map_cursor at; /* the group, and the element in it */
} l2;

/* d: the element without its zero point. */
static lb_num element(const l2 *s, lb_steps *steps)
{
    lb_num x = lb_cursor_load(&s->at, LB_MAP_X, LB_NAMED(IN), steps);
    return lb_num_sub_zero_point(steps, x, s->zero_point, 0,
                                 LB_SITE_L2_NORMALIZE_D_WITHOUT_THE_ZERO_POINT);
}

/* The sum of squares is an int64 (elementwise.md 8): the accumulator of 16 by 16 bits, for sa8 too.
 */
static lb_num sum_of_squares(l2 *s, lb_steps *steps)
{
    lb_acc acc = lb_acc_followed(lb_acc_start(s->context->profile, LB_OPERANDS_16X16),
                                 s->context->watch, steps);
    uint64_t taps = 0;
    lb_steps_enter(steps, LB_PART_SUM_OF_SQUARES, "elementwise.md 8");
    do {
        lb_steps_tap(steps, ++taps);
        lb_num d = element(s, steps);
        lb_num_mac(steps, &acc, d, d);
    } while (lb_cursor_next_in_sum(&s->at));
    return lb_num_acc_close(steps, &acc, s->context->watch);
}

/* What all elements of a group are multiplied with: r * 2^-shift. */
typedef struct inverse_root {
    lb_num r;
    lb_num shift;
} inverse_root;

static inverse_root inverse_root_of(const l2 *s, lb_num sum, lb_steps *steps)
{
    const lb_profile *profile = s->context->profile;
    lb_steps_enter(steps, LB_PART_INVERSE_ROOT_OF_THE_SUM, "elementwise.md 6, 8");
    lb_num norm = lb_num_norm(steps, sum, 64, LB_SITE_REDUNDANT_SIGN_BITS_OF_THE_SUM);
    lb_num k = lb_num_sub(steps, lb_num_const(48), norm, 0, LB_SITE_L2_NORMALIZE_K_BITS_THAT_GO);
    /* up, for negative k too: the square root halves it */
    k = lb_num_add(steps, k, lb_num_mod(steps, k, lb_num_const(1), LB_SITE_1_IF_K_IS_ODD), 0,
                   LB_SITE_K_MADE_EVEN);
    lb_num c = lb_num_rsh(steps, lb_inner_rounding(profile), sum, k, 64, LB_SITE_C_SUM_IN_15_BITS);
    c = lb_num_sat(steps, c, 16, LB_SITE_C);
    lb_num frac = lb_num_const(SUM_FRAC_BITS);
    lb_num r = lb_num_lut(steps, LB_LUT_L2_NORMALIZE, profile, c, frac);
    lb_num whole = lb_num_add(steps, k, frac, 0, LB_SITE_K_PLUS_8);
    lb_num half = lb_num_asr(steps, whole, lb_num_const(1), 32, LB_SITE_ITS_HALF);
    lb_num frac_bits = lb_num_const(lb_luts[LB_LUT_L2_NORMALIZE].out_frac_bits - (s->bits - 1));
    return (inverse_root){r, lb_num_add(steps, half, frac_bits, 0, LB_SITE_SH_SHIFT_OF_THE_RESULT)};
}

static void normalize_group(l2 *s)
{
    lb_rounding rounding = s->context->profile->rounding;
    lb_steps *listener = lb_cursor_steps_of_sum(&s->at, s->context->steps);
    lb_num sum = sum_of_squares(s, listener);
    inverse_root inverse = inverse_root_of(s, sum, listener);
    do {
        lb_steps *steps = lb_cursor_steps(&s->at, listener);
        lb_steps_enter(steps, LB_PART_NORMALIZE, "elementwise.md 8");
        lb_num product = lb_num_mul(steps, inverse.r, element(s, steps), LB_SITE_R_TIMES_D);
        lb_num y = lb_num_rsh(steps, rounding, product, inverse.shift, 32,
                              LB_SITE_L2_NORMALIZE_IN_STEPS_OF_THE_OUTPUT);
        y = lb_num_container(steps, s->context->profile, y, s->bits);
        lb_cursor_store(&s->at, steps, y);
    } while (lb_cursor_next_in_sum(&s->at));
}

/* axis below -1 is undefined in the spec: it acts as -1 here. */
void lb_exact_l2_normalize(const lb_context *context, lb_call *call)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    l2 s = {
        .context = context,
        .zero_point = lb_num_quant_at(lb_steps_of(context->steps, LB_ROLE_OUT), in, LB_OWNER_IN, 0)
                          .zero_point,
        .bits = lb_container_bits(in->el_type),
    };
    for (bool more = lb_cursor_first(&s.at, context, call); more; more = lb_cursor_next(&s.at))
        normalize_group(&s);
    lb_set_quant(call->tensor[LB_ROLE_OUT], (lb_quant){1, s.bits - 1, 0});
}
