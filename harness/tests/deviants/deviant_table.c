/* Deviants: tables, and functions that look up in them. Formulas: recurrent.md 3, 4, elementwise.md
 * 6 to 8. */
#include "deviant.h"

#include <math.h>

/* ---- Tables ---- */

static const struct {
    int length, frac, out_frac, offset;
} tables[] = {[SIGM] = {320, 4, 15, 160},
              [TANH] = {344, 5, 15, 172},
              [EXPONENTIAL] = {358, 5, 15, 356},
              [INVERSE_ROOT] = {97, 0, 17, -32}};

static wide entry(int kind, int64_t i)
{
    double x = ldexp((double)(i - tables[kind].offset), -tables[kind].frac);
    double y = kind == SIGM          ? 1 / (1 + exp(-x))
               : kind == TANH        ? tanh(x)
               : kind == EXPONENTIAL ? exp(x)
                                     : 1 / sqrt(x);
    return clip((wide)floor(ldexp(y, tables[kind].out_frac) + 0.5), 16);
}

static int64_t between(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

wide look_up(int kind, wide x, int frac)
{
    int every = CHOSEN(TABLE) == TABLE_HALF ? 2 : 1;
    int64_t length = (tables[kind].length + every - 1) / every, zero = tables[kind].offset / every;
    int d = frac - (tables[kind].frac - (every == 2));
    if (d <= 0) {
        wide at = clip(saturating_left(x, -d, 32) + zero, 32);
        return entry(kind, every * between((int64_t)at, 0, length - 1));
    }
    x = floor_of(x, d - 15 < 0 ? 0 : d - 15 > 15 ? 15 : d - 15);
    int k = d < 15 ? d : 15;
    if (CHOSEN(INTERPOLATION) != INTERPOLATES) {
        wide at = floor_of(x + (CHOSEN(INTERPOLATION) == NEAREST ? power(k - 1) : 0), k) + zero;
        return entry(kind, every * between((int64_t)at, 0, length - 1));
    }
    int64_t place = (int64_t)floor_of(x, k) + zero, i = between(place, 0, length - 2);
    if (CHOSEN(ENDS_CLAMPED) && place != i)
        return entry(kind, every * between(place, 0, length - 1));
    wide t = x - floor_of(x, k) * power(k), from = entry(kind, every * i),
         to = entry(kind, every * (i + 1));
    int mode = CHOSEN(TABLE_ROUND) < 0 ? CHOSEN(ROUND) : CHOSEN(TABLE_ROUND);
    return from - clip(right(mode, (from - to) * t, k, 32), 16);
}

/* ---- sigm, tanh ---- */

wide activated(int kind, wide v, format f, int is_fx, int bits)
{
    wide y;
    if (is_fx) {
        y = look_up(kind, v, f.frac);
        return contained(bits == 16 ? y : right(CHOSEN(ROUND), y, 8, 16), bits);
    }
    int frac = tables[kind].frac + 8;
    wide x = shifted_by(inner(), (v - f.zero) * f.scale, f.frac - frac, 32);
    y = right(CHOSEN(ROUND), look_up(kind, x, frac), 15 - (kind == TANH ? 7 : 8), 32);
    return contained(y - (kind == TANH ? 0 : 128), 8);
}

/* ---- Groups ---- */

/* Lines along an axis, or the whole. */
typedef struct group {
    const lb_native_tensor *in, *out;
    size_t first, length, step; /* in elements, counted flat */
} group;

static size_t place_in(const group *g, size_t i)
{
    return g->first + i * g->step;
}

static wide at(const group *g, size_t i)
{
    return element(g->in, offset_of_flat(g->in, place_in(g, i)));
}

static void put(const group *g, size_t i, wide v)
{
    set_element(g->out, offset_of_flat(g->out, place_in(g, i)), v);
}

static void for_each_group(const lb_native_call *call, void (*normalize)(const group *g))
{
    const lb_native_tensor *in = call->tensor[LB_NATIVE_IN];
    int axis = lb_native_number(call, "axis", 0);
    group g = {.in = in, .out = call->tensor[LB_NATIVE_OUT], .length = count_elements(in)};
    g.step = 1;
    if (axis >= 0) {
        g.length = in->shape[axis];
        for (uint32_t d = (uint32_t)axis + 1; d < in->rank; d++)
            g.step *= in->shape[d];
    }
    for (size_t n = 0; n < count_elements(in) / g.length; n++) {
        g.first = n / g.step * g.step * g.length + n % g.step;
        normalize(&g);
    }
}

/* ---- softmax ---- */

static wide exponential(const group *g, size_t i, wide most)
{
    format f = format_of(g->in);
    wide d = at(g, i) - most;
    return is_fixed(g->in)
               ? look_up(EXPONENTIAL, d, f.frac)
               : look_up(EXPONENTIAL, shifted_by(inner(), d * f.scale, f.frac - 13, 32), 13);
}

static wide quotient(wide a, wide b)
{
    wide whole = a / b, rest = a % b; /* neither is negative */
    switch (CHOSEN(ROUND)) {
    case UP:
    case AWAY:
        return whole + (2 * rest >= b);
    case EVEN:
        return whole + (2 * rest > b || (2 * rest == b && whole % 2 != 0));
    default:
        return whole;
    }
}

static wide share(wide e, wide sum, int is_fx, int bits)
{
    if (CHOSEN(DIVIDES))
        return quotient(e * power(is_fx ? bits - 1 : 8), sum) - (is_fx ? 0 : 128);
    int n = room(sum), shift = (is_fx ? (bits == 16 ? 30 : 38) : 37) - n;
    wide m = clip(shifted_by(inner(), sum, 16 - n, 32), 16), rec = power(29) / m;
    rec = rec < 32767 ? rec : 32767;
    if (bits == 8 && shift > 31)
        shift = 31;
    return right(CHOSEN(ROUND), rec * e, shift, 32) - (is_fx ? 0 : 128);
}

static void softmax(const group *g)
{
    int bits = bits_of(g->in), is_fx = is_fixed(g->in);
    register_file r = {.bits = CHOSEN(ACC_16X8)};
    wide most = at(g, 0);
    for (size_t i = 1; i < g->length; i++)
        most = at(g, i) > most ? at(g, i) : most;
    for (size_t i = 0; i < g->length; i++)
        add(&r, exponential(g, i, most));
    wide sum = clip(total(&r), 32);
    for (size_t i = 0; i < g->length; i++) {
        wide e = exponential(g, i, most);
        int is_zero = is_fx && bits == 8 && !CHOSEN(FX8_SOFTMAX);
        put(g, i, is_zero ? 0 : contained(share(e, sum, is_fx, bits), bits));
    }
}

/* ---- l2_normalize ---- */

static int room64(wide v)
{
    int bits = 63;
    for (wide rest = v < 0 ? -1 - v : v; rest != 0; rest /= 2)
        bits--;
    return bits;
}

static void l2_normalize(const group *g)
{
    register_file r = {.bits = CHOSEN(ACC_16X16)};
    wide zero = format_of(g->in).zero;
    for (size_t i = 0; i < g->length; i++)
        add(&r, (at(g, i) - zero) * (at(g, i) - zero));
    wide sum = total(&r);
    int k = 48 - room64(sum), bits = bits_of(g->in);
    k += k % 2 != 0;
    wide c = clip(shifted_by(inner(), sum, k, 64), 16), root = look_up(INVERSE_ROOT, c, 8);
    int shift = 17 + (int)floor_of(k + 8, 1) - (bits - 1);
    for (size_t i = 0; i < g->length; i++)
        put(g, i, contained(shifted_by(CHOSEN(ROUND), root * (at(g, i) - zero), shift, 32), bits));
}

int run_normalizing(const lb_native_call *call)
{
    if (is_called(call->function, "mli_krn_softmax"))
        for_each_group(call, softmax);
    else if (is_called(call->function, "mli_krn_l2_normalize"))
        for_each_group(call, l2_normalize);
    else
        return 0;
    return 1;
}
