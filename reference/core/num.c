/* The named operations that are no one-liners, and the telling of the others. Spec: numerics.md 3.
 */
#include "num.h"

#include "lut.h"

lb_num lb_num_tell(lb_steps *steps, lb_operation operation, unsigned operands, lb_num a, lb_num b,
                   int width, int64_t result, lb_site site)
{
    if (!lb_steps_hears(steps, operation))
        return lb_steps_unheard(steps, result);
    lb_num_step step = {
        .operation = operation,
        .operand_count = operands,
        .operand = {a, b},
        .width = width,
        .result = result,
        .site = site,
    };
    return lb_steps_tell(steps, &step);
}

static lb_num given(lb_steps *steps, lb_num_place place, int64_t value)
{
    return !steps ? lb_num_const(value) : lb_steps_given(steps, place, value);
}

lb_num lb_num_parameter(lb_steps *steps, lb_owner owner, lb_quant_field field, int64_t entry,
                        int64_t value)
{
    lb_num_place place = {.kind = LB_NUM_PARAMETER, .owner = owner, .field = field};
    if (entry >= 0)
        place.index[place.rank++] = entry;
    return given(steps, place, value);
}

lb_num lb_num_geometry(lb_steps *steps, lb_geometry geometry, int64_t value)
{
    static const lb_owner owners[] = {[LB_GEOMETRY_WINDOW] = LB_OWNER_WINDOW,
                                      [LB_GEOMETRY_ENTRY] = LB_OWNER_ENTRY,
                                      [LB_GEOMETRY_RANK] = LB_OWNER_RANK};
    return given(
        steps,
        (lb_num_place){.kind = LB_NUM_GEOMETRY, .owner = owners[geometry], .geometry = geometry},
        value);
}

lb_num lb_num_zero_point_told(lb_steps *steps, lb_operation operation, lb_num a, lb_num b,
                              int width, int64_t result, lb_site site)
{
    lb_num_step step = {
        .operation = operation,
        .operand_count = 2,
        .operand = {a, b},
        .width = width,
        .of_zero_point = true,
        .result = result,
        .site = site,
    };
    return lb_steps_tell(steps, &step);
}

lb_num lb_num_rsh_told(lb_steps *steps, lb_rounding rounding, lb_num v, lb_num n, int width,
                       int64_t result, lb_site site)
{
    lb_num_step step = {
        .operation = LB_STEP_RSH,
        .operand_count = 2,
        .operand = {v, n},
        .width = width,
        .rounding = rounding,
        .result = result,
        .site = site,
    };
    return lb_steps_tell(steps, &step);
}

lb_num lb_num_cast(lb_steps *steps, lb_rounding rounding, lb_num v, int src_bits, int dst_bits,
                   lb_num n, lb_site site)
{
    lb_num shifted = lb_num_rsh(steps, rounding, v, n, src_bits, site);
    return dst_bits == src_bits
               ? shifted
               : lb_num_sat(steps, shifted, dst_bits, LB_SITE_KEPT_WITHIN_ITS_WIDTH);
}

lb_num lb_num_mantissa(lb_steps *steps, lb_rounding rounding, lb_num v, lb_num n, bool is_quotient,
                       lb_site site)
{
    lb_num mantissa = lb_num_rsh(steps, rounding, v, n, 32, site);
    lb_steps_demand(steps, mantissa, 1 << 14, (1 << 15) - is_quotient, LB_LIES_OF_POSITIVE);
    return lb_num_sat(steps, mantissa, 16, LB_SITE_KEPT_WITHIN_ITS_WIDTH);
}

lb_num lb_num_norm_cast(lb_steps *steps, lb_rounding rounding, lb_num v, int dst_bits, lb_num *k,
                        lb_site site)
{
    lb_num norm = lb_num_norm(steps, v, 32, LB_SITE_REDUNDANT_SIGN_BITS);
    *k = lb_num_sub(steps, lb_num_const(32 - dst_bits), norm, 0, LB_SITE_BITS_TOO_MANY);
    return lb_num_cast(steps, rounding, v, 32, dst_bits, *k, site);
}

lb_num lb_num_lookup(lb_steps *steps, unsigned table, lb_num i, lb_site site)
{
    int64_t last = (int64_t)lb_luts[table].length - 1; /* a changed step may lead anywhere */
    int64_t result = lb_luts[table].table[i.v < 0 ? 0 : i.v > last ? last : i.v];
    if (!steps)
        return lb_num_const(result);
    lb_num_step step = {
        .operation = LB_STEP_LOOKUP,
        .operand_count = 1,
        .operand = {i},
        .table = table,
        .result = result,
        .site = site,
    };
    return lb_steps_tell(steps, &step);
}

static lb_num_step chain_step(lb_operation operation, const lb_acc *acc, lb_num before, lb_num x,
                              lb_num w)
{
    return (lb_num_step){
        .operation = operation,
        .operand_count = 3,
        .operand = {before, x, w},
        .width = acc->at_end || acc->lanes > 0 ? 64 : acc->width,
        .saturates = acc->saturates,
        .result = acc->held,
        .site = LB_SITE_RUNNING_SUM,
    };
}

/* A listener may have changed what the register holds: the sum goes on from there. */
static void take_told(lb_acc *acc, lb_num told)
{
    acc->exact = lb_add(acc->exact, lb_sub(told.v, acc->held, 64), 64);
    acc->held = told.v;
    acc->step = told.step;
}

void lb_num_mac_told(lb_steps *steps, lb_acc *acc, lb_num before, lb_num x, lb_num w)
{
    if (!lb_steps_hears(steps, LB_STEP_MAC)) {
        acc->step = lb_steps_unheard(steps, acc->held).step;
        return;
    }
    lb_num_step step = chain_step(LB_STEP_MAC, acc, before, x, w);
    lb_num told = lb_steps_tell(steps, &step);
    take_told(acc, told);
}

void lb_num_mac_outside(lb_steps *steps, lb_acc *acc, lb_origin origin, const int64_t *index,
                        uint32_t rank, lb_num x, lb_num w)
{
    if (!lb_steps_hears(steps, LB_STEP_SKIP)) {
        acc->step = lb_steps_unheard(steps, acc->held).step;
        return;
    }
    lb_num_step step = chain_step(LB_STEP_SKIP, acc, (lb_num){acc->held, acc->step}, x, w);
    step.site = LB_SITE_IN_PADDING;
    step.place = (lb_num_place){.kind = LB_NUM_ELEMENT, .owner = origin.owner, .rank = rank};
    for (uint32_t d = 0; d < rank; d++)
        step.place.index[d] = index[d];
    lb_num told = lb_steps_tell(steps, &step);
    take_told(acc, told);
}
