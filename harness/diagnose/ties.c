/* Cases full of ties: see ties.h. */
#include "harness/diagnose/ties.h"

/* Numbers of all operands stay within -SMALL .. SMALL, so that few results leave the width. */
enum { SMALL = 6, UNIT_SCALE = 16384, UNIT_FRAC_BITS = 14 };

static void set_scale(lb_case_tensor *t, int frac_bits)
{
    for (size_t i = 0; t->scale && t->scale_frac_bits && i < t->quant_count; i++) {
        t->scale[i] = UNIT_SCALE;
        t->scale_frac_bits[i] = (int8_t)frac_bits;
    }
}

static void make_small(lb_case_tensor *t)
{
    int32_t zero = lb_is_sa(t->type) && t->zero_point && t->quant_count > 0 ? t->zero_point[0] : 0;
    t->may_be_uniform = false;
    for (size_t i = 0; t->has_data && t->type != LB_FP32 && i < t->data.count; i++) {
        int32_t small = (int32_t)((int64_t)t->data.items[i] % (SMALL + 1));
        bool fits = zero + small >= -128 && zero + small <= 127;
        t->data.items[i] = fits ? zero + small : small;
    }
}

/* Fractional bits of what an fx function computes before it is brought to the output. */
static int bits_before(const lb_case *c)
{
    int bits = 0, most = 0;
    bool adds = c->kernel->family == LB_FAMILY_ELTWISE && c->operand[LB_ROLE_IN1].present;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *o = &c->operand[role];
        bool counts = role == LB_ROLE_IN || role == LB_ROLE_IN1 || role == LB_ROLE_IN2 ||
                      role == LB_ROLE_WEIGHTS;
        if (!counts || !o->present || o->count == 0)
            continue;
        bits += o->tensors[0].frac_bits;
        most = o->tensors[0].frac_bits > most ? o->tensors[0].frac_bits : most;
    }
    return adds && bits > 2 * most ? most : bits;
}

void lb_ties_make(lb_case *c, unsigned places)
{
    if (!c->kernel)
        return;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; c->operand[role].present && i < c->operand[role].count; i++) {
            lb_case_tensor *t = &c->operand[role].tensors[i];
            bool is_output = c->operand[role].is_output;
            if (lb_is_sa(t->type))
                set_scale(t, UNIT_FRAC_BITS - (is_output ? (int)places : 0));
            else if (is_output && t->type != LB_FP32)
                t->frac_bits = (int8_t)(bits_before(c) - (int)places);
            if (!is_output)
                make_small(t);
        }
}
