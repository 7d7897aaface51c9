/* Deviants: functions without weights. Formulas: elementwise.md, pooling_and_movement.md 2,
 * recurrent.md 4, numerics.md 7. */
#include "deviant.h"

/* numerics.md 5.1 */
static void requant(format from, format to, wide *scale, int *shift)
{
    int k = room(from.scale) - room16(to.scale), m;
    *scale = mantissa(CHOSEN(SCALE_ROUND), from.scale * power(k) / to.scale, &m);
    *shift = k + from.frac - to.frac - m;
}

/* The sum with the zero point has so many bits. */
static wide with_zero(wide v, wide zero, int bits)
{
    if (CHOSEN(OUT_ZERO) == ZERO_LAST)
        v = clip(v, 8);
    return contained(clip(v + zero, bits), 8);
}

/* ---- eltwise: elementwise.md 5 ---- */

static void ratio(wide p, wide scale_out, int t, int highest, wide *m, int *shift)
{
    int n = room(p), e;
    *m = mantissa(CHOSEN(SCALE_ROUND), p * power(n) / scale_out, &e);
    *shift = t + n - e;
    int c = (*shift > highest ? *shift - highest : 0) + (*shift < -31 ? *shift + 31 : 0);
    *m = c < 0 ? saturating_left(*m, -c, 16) : right(CHOSEN(SCALE_ROUND), *m, c, 16);
    *shift -= c;
}

static wide eltwise_fx(char op, wide a, wide b, format fa, format fb, format fo, int bits)
{
    int frac = fa.frac, most = 2 * bits - 1, width = 64;
    wide c;
    if (op == 'a' || op == 's') {
        frac = fa.frac > fb.frac ? fa.frac : fb.frac;
        a = saturating_left(a, frac - fa.frac, 32);
        b = saturating_left(b, frac - fb.frac, 32);
        c = clip(op == 'a' ? a + b : a - b, 32);
    } else if (op == 'm') {
        frac = fa.frac + fb.frac;
        c = a * b;
    } else {
        c = (op == 'n') == (a < b) ? a : b;
        width = bits;
        most = bits - 1;
    }
    int n = frac - fo.frac;
    return contained(down(c, n > most && !CHOSEN(RIGHT_MODULO) ? most : n, width), bits);
}

static wide eltwise_sa(char op, wide a, wide b, format fa, format fb, format fo)
{
    wide u = a - fa.zero, v = b - fb.zero, m, m2, w;
    int h, h2;
    if (op == 'm') {
        ratio(fa.scale * fb.scale, fo.scale, fa.frac + fb.frac - fo.frac, 31, &m, &h);
        int pre = h - 21 < 0 ? 0 : h - 21 > 3 ? 3 : h - 21;
        w = scaled_down(clip(right(inner(), u * v, pre, 32), 16) * m, h - pre);
    } else if (op == 'a' || op == 's') {
        ratio(fa.scale, fo.scale, fa.frac - fo.frac, 23, &m, &h);
        ratio(fb.scale, fo.scale, fb.frac - fo.frac, 23, &m2, &h2);
        int highest = h > h2 ? h : h2;
        wide first = u * m, second = op == 'a' ? v * m2 : -v * m2;
        if (CHOSEN(ONE_ROUNDING))
            w = down(first * power(highest - h) + second * power(highest - h2), highest, 64);
        else
            w = scaled_down(first, h) +
                (op == 'a' ? scaled_down(v * m2, h2) : -scaled_down(v * m2, h2));
        w = clip(w, 32);
    } else {
        ratio(fa.scale, fo.scale, fa.frac - fo.frac, 23, &m, &h);
        w = scaled_down((op == 'n') == (u * m < v * m) ? u * m : v * m, h);
    }
    return with_zero(clip(w, 16), fo.zero, 16);
}

static void eltwise(const lb_native_call *call)
{
    const lb_native_tensor *a = call->tensor[LB_NATIVE_IN1], *b = call->tensor[LB_NATIVE_IN2],
                           *out = call->tensor[LB_NATIVE_OUT];
    const char *name = call->function + strlen("mli_krn_eltwise_");
    char op = is_called(name, "mul")   ? 'm'
              : is_called(name, "min") ? 'n'
              : is_called(name, "max") ? 'x'
                                       : name[0];
    size_t one_a = count_elements(a) == 1, one_b = count_elements(b) == 1;
    for (size_t i = 0; i < count_elements(out); i++) {
        wide u = element(a, offset_of_flat(a, one_a ? 0 : i)),
             v = element(b, offset_of_flat(b, one_b ? 0 : i));
        wide y = is_fixed(out) ? eltwise_fx(op, u, v, format_of(a), format_of(b), format_of(out),
                                            bits_of(out))
                               : eltwise_sa(op, u, v, format_of(a), format_of(b), format_of(out));
        set_element(out, offset_of_flat(out, i), y);
    }
}

/* ---- relu, leaky_relu, prelu: elementwise.md 3, 4 ---- */

static void relu(const lb_native_call *call)
{
    const lb_native_tensor *in = call->tensor[LB_NATIVE_IN], *out = call->tensor[LB_NATIVE_OUT];
    format f = format_of(in);
    wide low, high;
    relu_limits(lb_native_number(call, "type", 0) + lb_native_number(call, "relu", 0), bits_of(in),
                !is_fixed(in), f.frac, f.scale, f.zero, &low, &high);
    for (size_t i = 0; i < count_elements(in); i++) {
        wide x = element(in, offset_of_flat(in, i));
        x = x < high ? x : high;
        set_element(out, offset_of_flat(out, i), x > low ? x : low);
    }
}

static wide slope_fx(wide x, wide a, format fa, int scalar, int bits)
{
    int shift = fa.frac;
    if (x >= 0)
        return x;
    if (scalar && bits == 16) {
        int n = room16(a);
        a *= power(n);
        shift += n;
    }
    return contained(down(x * a, shift > 31 && !CHOSEN(RIGHT_MODULO) ? 31 : shift, 32), bits);
}

static wide slope_sa(wide x, wide a, format fi, format fa, format fo)
{
    wide m, slope, p;
    int h, e1, e2;
    requant(fi, fo, &m, &h);
    if (h < 0) {
        m = saturating_left(m, -h, 16);
        h = 0;
    }
    if (x >= fi.zero)
        return with_zero(scaled_down(m * (x - fi.zero), h), fo.zero, 32);
    slope = mantissa(CHOSEN(SCALE_ROUND), (a - fa.zero) * fa.scale, &e1);
    p = mantissa(CHOSEN(SCALE_ROUND), m * slope, &e2);
    return with_zero(scaled_down(p * (x - fi.zero), h + fa.frac - e1 - e2), fo.zero, 32);
}

static void slopes(const lb_native_call *call)
{
    const lb_native_tensor *in = call->tensor[LB_NATIVE_IN], *out = call->tensor[LB_NATIVE_OUT],
                           *slope = call->tensor[LB_NATIVE_SLOPE];
    int axis = is_called(call->function, "mli_krn_prelu") ? lb_native_number(call, "axis", 0) : -1;
    for (size_t i = 0; i < count_elements(in); i++) {
        size_t inner_count = 1;
        for (uint32_t d = (uint32_t)(axis + 1); axis >= 0 && d < in->rank; d++)
            inner_count *= in->shape[d];
        size_t j = axis < 0 ? 0 : i / inner_count % in->shape[axis];
        wide x = element(in, offset_of_flat(in, i)), a = element(slope, (int64_t)j);
        wide y = is_fixed(in) ? slope_fx(x, a, format_of(slope), axis < 0, bits_of(in))
                              : slope_sa(x, a, format_of(in), format_of(slope), format_of(out));
        set_element(out, offset_of_flat(out, i), y);
    }
}

/* ---- sigm, tanh: recurrent.md 4 ---- */

static void activation(const lb_native_call *call)
{
    const lb_native_tensor *in = call->tensor[LB_NATIVE_IN], *out = call->tensor[LB_NATIVE_OUT];
    int kind = is_called(call->function, "mli_krn_tanh") ? TANH : SIGM;
    for (size_t i = 0; i < count_elements(in); i++)
        set_element(out, offset_of_flat(out, i),
                    activated(kind, element(in, offset_of_flat(in, i)), format_of(in), is_fixed(in),
                              bits_of(in)));
}

/* ---- Pooling: pooling_and_movement.md 2 ---- */

typedef struct pooling {
    const lb_native_tensor *in, *out;
    int height, width, stride_y, stride_x, top, left;
} pooling;

static void reciprocal(wide n, wide *mul, int *ls)
{
    wide v = power(31) / n;
    int e = 0;
    while (v * power(e) < power(31))
        e++;
    *mul = floor_of(v * power(e) + (CHOSEN(ROUNDED_RECIPROCAL) ? power(16) : 0), 17);
    *mul = *mul > 32767 ? 32767 : *mul;
    *ls = 14 + e;
}

static wide average_of(const pooling *p, const wide *x, int count, int positions, wide padding)
{
    wide mul, start = 0;
    int ls, width;
    format fi = format_of(p->in), fo = format_of(p->out);
    reciprocal(positions, &mul, &ls);
    int shift = fi.frac - fo.frac + ls;
    width = bits_of(p->in) == 16 ? CHOSEN(ACC_16X16) : CHOSEN(ACC_16X8);
    if (!is_fixed(p->in)) {
        wide scale;
        int sh;
        requant(fi, fo, &scale, &sh);
        wide moved = sh < 0 ? saturating_left(scale * fi.zero, -sh, 32)
                            : right(CHOSEN(SCALE_ROUND), scale * fi.zero, sh, 32);
        wide offset = clip(fo.zero - clip(moved, 16), 16);
        wide m = scale * mul;
        int bits = 0;
        while (m >= power(bits))
            bits++;
        int pn = bits - CHOSEN(POOL_BITS);
        mul = clip(pn < 0 ? m * power(-pn) : right(CHOSEN(SCALE_ROUND), m, pn, 32),
                   CHOSEN(POOL_BITS) + 1);
        shift = sh + ls - pn;
        start = shift < 0 ? floor_of(offset, -shift) : saturating_left(offset, shift, 32);
        width = CHOSEN(POOL_BITS) > 7 ? CHOSEN(ACC_16X8) : CHOSEN(ACC_8X8);
    }
    register_file r = {.bits = width};
    if (start != 0)
        add(&r, start);
    for (int i = 0; i < count; i++)
        add(&r, mul * x[i]);
    for (int i = count; padding != 0 && i < positions; i++)
        add(&r, mul * padding);
    int step_bits = bits_of(p->in) == 16 || width > 32 ? 64 : 32;
    wide sum = total(&r);
    return contained(shift < 0 ? saturating_left(sum, -shift, step_bits)
                               : right(CHOSEN(ROUND), sum, shift, step_bits),
                     bits_of(p->in));
}

static wide maximum_of(const pooling *p, const wide *x, int count)
{
    wide most = x[0];
    for (int i = 1; i < count; i++)
        most = x[i] > most ? x[i] : most;
    if (CHOSEN(RAW_PADDING) && count < p->height * p->width && most < 0)
        most = 0;
    return contained(most, bits_of(p->in));
}

static void pool(const lb_native_call *call)
{
    static wide x[65536];
    pooling p = {.in = call->tensor[LB_NATIVE_IN],
                 .out = call->tensor[LB_NATIVE_OUT],
                 .height = lb_native_number(call, "kernel_height", 0),
                 .width = lb_native_number(call, "kernel_width", 0),
                 .stride_y = lb_native_number(call, "stride_height", 0),
                 .stride_x = lb_native_number(call, "stride_width", 0),
                 .top = lb_native_number(call, "padding_top", 0),
                 .left = lb_native_number(call, "padding_left", 0)};
    const uint32_t *out = p.out->shape;
    int averages = is_called(call->function, "mli_krn_avepool");
    for (size_t i = 0; i < count_elements(p.out); i++) {
        int count = 0, c = (int)(i % out[2]), column = (int)(i / out[2] % out[1]),
            row = (int)(i / out[2] / out[1]);
        for (int y = 0; y < p.height; y++)
            for (int w = 0; w < p.width; w++) {
                int iy = row * p.stride_y - p.top + y, ix = column * p.stride_x - p.left + w;
                if (iy >= 0 && ix >= 0 && iy < (int)p.in->shape[0] && ix < (int)p.in->shape[1])
                    x[count++] =
                        element(p.in, offset_of(p.in, (uint32_t)iy, (uint32_t)ix, (uint32_t)c, 0));
            }
        int positions = CHOSEN(KERNEL_DIVISOR) ? p.height * p.width : count;
        wide padding = CHOSEN(KERNEL_DIVISOR) && !CHOSEN(RAW_PADDING) ? format_of(p.in).zero : 0;
        set_element(p.out, offset_of_flat(p.out, i),
                    averages ? average_of(&p, x, count, positions, padding)
                             : maximum_of(&p, x, count));
    }
}

/* ---- argmax, in the order of places: features.md 19 ---- */

static int stands_before(const lb_native_tensor *in, int64_t a, int64_t b)
{
    int32_t x = element(in, a), y = element(in, b);
    return x > y || (x == y && (CHOSEN(TIES) == HIGHEST_PLACE ? a > b : a < b));
}

static int argmax(const lb_native_call *call)
{
    const lb_native_tensor *in = call->tensor[LB_NATIVE_IN], *out = call->tensor[LB_NATIVE_OUT];
    int axis = lb_native_number(call, "axis", 0), topk = lb_native_number(call, "topk", 0);
    if (CHOSEN(TIES) == HEAP)
        return 0;
    uint32_t slices = axis < 0 ? 1 : in->shape[axis];
    for (uint32_t s = 0; s < slices; s++)
        for (int k = 0; k < topk; k++) {
            int64_t best = -1, before = k ? element(out, (int64_t)s * topk + k - 1) : -1;
            for (size_t i = 0; i < count_elements(in); i++) {
                size_t inner_count = 1;
                for (uint32_t d = (uint32_t)(axis + 1); axis >= 0 && d < in->rank; d++)
                    inner_count *= in->shape[d];
                int64_t at = offset_of_flat(in, i);
                if ((axis >= 0 && i / inner_count % in->shape[axis] != s) ||
                    (k && !stands_before(in, before, at)) ||
                    (best >= 0 && !stands_before(in, at, best)))
                    continue;
                best = at;
            }
            set_element(out, (int64_t)s * topk + k, best);
        }
    return 1;
}

/* ---- Conversion: numerics.md 7.2 ---- */

static wide converted(wide x, format fi, format fo, int is_wide, int bits)
{
    wide scale, a, d = x - fi.zero;
    int shift;
    requant(fi, fo, &scale, &shift);
    if (!is_wide) {
        d = clip(d, 16);
        a = scaled_down(d * scale, shift > 31 && !CHOSEN(RIGHT_MODULO) ? 31 : shift);
    } else {
        d = clip(d, 32);
        int e1 = room(d), e2 = room(scale);
        wide high = floor_of(d * power(e1) * scale * power(e2), 32);
        shift = shift > 63 ? 63 : shift;
        a = down(high, shift + e1 + e2 - 32, 32);
    }
    a = clip(a + fo.zero, 32);
    return bits == 32 ? a : contained(a, bits);
}

static int convert(const lb_native_call *call)
{
    const lb_native_tensor *in = call->tensor[LB_NATIVE_IN], *out = call->tensor[LB_NATIVE_OUT];
    if (in->type == LB_NATIVE_FP32 || out->type == LB_NATIVE_FP32)
        return 0;
    int is_wide = in->type == LB_NATIVE_SA32 || out->type == LB_NATIVE_SA32;
    int axis = !is_fixed(in) && in->axis >= 0 ? in->axis : !is_fixed(out) ? out->axis : -1;
    for (size_t i = 0; i < count_elements(in); i++) {
        size_t inner_count = 1;
        for (uint32_t d = (uint32_t)(axis + 1); axis >= 0 && d < in->rank; d++)
            inner_count *= in->shape[d];
        uint32_t j = axis < 0 ? 0 : (uint32_t)(i / inner_count % in->shape[axis]);
        set_element(out, offset_of_flat(out, i),
                    converted(element(in, offset_of_flat(in, i)), format_at(in, j),
                              format_at(out, j), is_wide, bits_of(out)));
    }
    return 1;
}

int run_plain(const lb_native_call *call)
{
    const char *name = call->function + strlen("mli_krn_");
    if (is_called(call->function, "mli_hlp_convert"))
        return convert(call);
    if (is_called(name, "argmax"))
        return argmax(call);
    if (is_called(name, "eltwise"))
        eltwise(call);
    else if (is_called(name, "relu"))
        relu(call);
    else if (is_called(name, "leaky") || is_called(name, "prelu"))
        slopes(call);
    else if (is_called(name, "sigm") || is_called(name, "tanh"))
        activation(call);
    else
        pool(call);
    return 1;
}
