/* Elementwise steps of the recurrent cells. Spec: recurrent.md 6, 8; names follow the formulas there. */
#include "cell_ops.h"

#include "arith.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int greatest(int a, int b)
{
    return a > b ? a : b;
}

/* An int16 factor and the right shift after it. */
typedef struct factor {
    int64_t m;
    int shift;
} factor;

/* numerator / scale_out * 2^-shift as such a pair, its shift kept within -31..highest. */
static factor factor_of(lb_rounding rounding, int64_t numerator, int32_t scale_out, int shift, int highest)
{
    int n = lb_norm(numerator, 32);
    int64_t q = lb_tdiv(lb_shl(numerator, n, 32), scale_out);
    int k = 16 - lb_norm(q, 32);
    int64_t m = lb_sat(lb_rsh(rounding, q, k, 32), 16);
    shift += n - k;
    int e = greatest(shift - highest, 0) + least(shift + 31, 0);
    return (factor){lb_rsh(rounding, m, e, 16), shift - e};
}

static int64_t with_zero_point(int64_t v, int32_t zero_point)
{
    return lb_sat(lb_sat(lb_sat(v, 16) + zero_point, 16), 8);
}

static int64_t mul_sa8(lb_rounding rounding, int64_t product, factor f, int32_t zero_point)
{
    int pre = least(greatest(f.shift - 21, 0), 3);
    int64_t v = lb_sat(lb_rsh(rounding, product, pre, 32), 16);
    v = lb_rsh(rounding, v * f.m, f.shift - pre, 32);
    return with_zero_point(v, zero_point);
}

void lb_cell_mul(lb_rounding rounding, const lb_tensor *a, const lb_tensor *b, lb_tensor *out)
{
    lb_quant qa = lb_quant_at(a, 0);
    lb_quant qb = lb_quant_at(b, 0);
    lb_quant qo = lb_quant_at(out, 0);
    int shift = qa.frac + qb.frac - qo.frac;
    bool is_fx = lb_is_fx(out->el_type);
    factor f = {0, 0};
    if (!is_fx) {
        f = factor_of(rounding, (int64_t)qa.scale * qb.scale, qo.scale, shift, 31);
    }
    for (uint32_t i = 0; i < out->shape[0]; i++) {
        int64_t product = ((int64_t)lb_load(a, i) - qa.zero_point) * ((int64_t)lb_load(b, i) - qb.zero_point);
        /* QUIRK: an fx shift above 31 acts as 31 */
        lb_store(out, i,
                 is_fx ? lb_sat(lb_rsh(rounding, product, least(shift, 31), 64), 16)
                       : mul_sa8(rounding, product, f, qo.zero_point));
    }
}

static int64_t add_fx(lb_rounding rounding, int64_t a, int frac_a, int64_t b, int frac_b, int frac_out)
{
    int64_t u = lb_shl(a, greatest(frac_b - frac_a, 0), 32);
    int64_t v = lb_shl(b, greatest(frac_a - frac_b, 0), 32);
    int shift = least(greatest(frac_a, frac_b) - frac_out, 31);
    return lb_sat(lb_rsh(rounding, lb_add(u, v, 32), shift, 64), 16);
}

void lb_cell_add(lb_rounding rounding, const lb_tensor *a, const lb_tensor *b, lb_tensor *out)
{
    lb_quant qa = lb_quant_at(a, 0);
    lb_quant qb = lb_quant_at(b, 0);
    lb_quant qo = lb_quant_at(out, 0);
    bool is_fx = lb_is_fx(out->el_type);
    factor fa = {0, 0};
    factor fb = {0, 0};
    if (!is_fx) {
        fa = factor_of(rounding, qa.scale, qo.scale, qa.frac - qo.frac, 23);
        fb = factor_of(rounding, qb.scale, qo.scale, qb.frac - qo.frac, 23);
    }
    for (uint32_t i = 0; i < out->shape[0]; i++) {
        int64_t u = (int64_t)lb_load(a, i) - qa.zero_point;
        int64_t v = (int64_t)lb_load(b, i) - qb.zero_point;
        if (is_fx) {
            lb_store(out, i, add_fx(rounding, u, qa.frac, v, qb.frac, qo.frac));
            continue;
        }
        /* each operand is rounded to a step of the output by itself */
        int64_t y = lb_add(lb_rsh(rounding, u * fa.m, fa.shift, 32), lb_rsh(rounding, v * fb.m, fb.shift, 32), 32);
        lb_store(out, i, with_zero_point(y, qo.zero_point));
    }
}

void lb_cell_complement(lb_tensor *v)
{
    bool is_fx = lb_is_fx(v->el_type);
    for (uint32_t i = 0; i < v->shape[0]; i++) {
        int64_t x = lb_load(v, i);
        lb_store(v, i, is_fx ? lb_sat(32767 - x, 16) : -1 - x); /* sa8: the "one" is 255/256 */
    }
}
