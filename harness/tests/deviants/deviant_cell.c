/* Deviants: LSTM and GRU cells. Formulas: recurrent.md 6 to 8. */
#include "deviant.h"

enum { MOST_UNITS = 512, GATES = 4 };

/* A vector with a format of its own. */
typedef struct vector {
    lb_native_tensor t;
    int16_t scale, zero;
    int8_t frac;
    int16_t room[MOST_UNITS];
} vector;

static void set_format(vector *v, format f)
{
    v->scale = (int16_t)f.scale;
    v->zero = (int16_t)f.zero;
    v->frac = (int8_t)f.frac;
    v->t.frac_bits = f.frac;
    v->t.axis = -1;
    v->t.scale = &v->scale;
    v->t.zero_point = &v->zero;
    v->t.scale_frac_bits = &v->frac;
}

/* Its elements lie at `data`; NULL: in its own room. */
static void make(vector *v, int32_t type, uint32_t n, void *data, format f)
{
    v->t = (lb_native_tensor){
        .type = type, .rank = 1, .shape = {n}, .stride = {1}, .data = data ? data : v->room};
    set_format(v, f);
}

static wide at(const lb_native_tensor *v, uint32_t i)
{
    return element(v, offset_of(v, i, 0, 0, 0));
}

/* ---- Steps on vectors ---- */

/* numerator / scale * 2^-shift: m and its shift, not above `highest`. */
static wide factor_of(wide numerator, wide scale, int shift, int highest, int *down_by)
{
    int n = room(numerator);
    wide q = numerator * power(n) / scale;
    int k = 16 - room(q);
    wide m = clip(shifted_by(CHOSEN(SCALE_ROUND), q, k, 32), 16);
    shift += n - k;
    int e = (shift > highest ? shift - highest : 0) + (shift < -31 ? shift + 31 : 0);
    *down_by = shift - e;
    return shifted_by(CHOSEN(SCALE_ROUND), m, e, 16);
}

static wide capped_down(wide v, int n)
{
    return down(v, n > 31 && !CHOSEN(RIGHT_MODULO) ? 31 : n, 64);
}

static wide with_zero(wide v, wide zero)
{
    return contained(clip(clip(v, 16) + zero, 16), 8);
}

/* out = a * b; out may be one of them, but for its format. */
static void multiply(const lb_native_tensor *a, const lb_native_tensor *b,
                     const lb_native_tensor *out)
{
    format fa = format_of(a), fb = format_of(b), fo = format_of(out);
    int shift = fa.frac + fb.frac - fo.frac, post = 0;
    wide m = is_fixed(out) ? 0 : factor_of(fa.scale * fb.scale, fo.scale, shift, 31, &post);
    int pre = post - 21 < 0 ? 0 : post - 21 > 3 ? 3 : post - 21;
    for (uint32_t i = 0; i < out->shape[0]; i++) {
        wide product = (at(a, i) - fa.zero) * (at(b, i) - fb.zero), y;
        if (is_fixed(out)) {
            y = contained(capped_down(product, shift), 16);
        } else {
            wide v = clip(right(inner(), product, pre, 32), 16);
            y = with_zero(scaled_down(v * m, post - pre), fo.zero);
        }
        set_element(out, offset_of(out, i, 0, 0, 0), y);
    }
}

static wide sum_of_scaled(wide first, int down_a, wide second, int down_b)
{
    int highest = down_a > down_b ? down_a : down_b;
    if (!CHOSEN(ONE_ROUNDING))
        return clip(scaled_down(first, down_a) + scaled_down(second, down_b), 32);
    return clip(
        down(first * power(highest - down_a) + second * power(highest - down_b), highest, 64), 32);
}

static void sum(const lb_native_tensor *a, const lb_native_tensor *b, const lb_native_tensor *out)
{
    format fa = format_of(a), fb = format_of(b), fo = format_of(out);
    int most = fa.frac > fb.frac ? fa.frac : fb.frac, down_a = 0, down_b = 0;
    wide ma = 0, mb = 0;
    if (!is_fixed(out)) {
        ma = factor_of(fa.scale, fo.scale, fa.frac - fo.frac, 23, &down_a);
        mb = factor_of(fb.scale, fo.scale, fb.frac - fo.frac, 23, &down_b);
    }
    for (uint32_t i = 0; i < out->shape[0]; i++) {
        wide u = at(a, i) - fa.zero, v = at(b, i) - fb.zero, y;
        if (is_fixed(out)) {
            u = saturating_left(u, most - fa.frac, 32);
            v = saturating_left(v, most - fb.frac, 32);
            y = contained(capped_down(clip(u + v, 32), most - fo.frac), 16);
        } else {
            y = with_zero(sum_of_scaled(u * ma, down_a, v * mb, down_b), fo.zero);
        }
        set_element(out, offset_of(out, i, 0, 0, 0), y);
    }
}

static format activated_format(int kind, const lb_native_tensor *v)
{
    return is_fixed(v)    ? (format){1, 15, 0}
           : kind == TANH ? (format){1, 7, 0}
                          : (format){1, 8, -128};
}

/* to = sigm or tanh of from, whose format it gets. */
static void activate(int kind, const lb_native_tensor *from, vector *to)
{
    format f = format_of(from);
    for (uint32_t i = 0; i < from->shape[0]; i++)
        set_element(&to->t, offset_of(&to->t, i, 0, 0, 0),
                    activated(kind, at(from, i), f, is_fixed(from), bits_of(from)));
    set_format(to, activated_format(kind, from));
}

/* ---- A cell ---- */

typedef struct cell {
    const lb_native_call *call;
    const lb_native_tensor *in, *out;
    uint32_t units;
    format between; /* of gates before their activation */
    vector x, h, result, gate[GATES];
} cell;

static int64_t element_bytes(const lb_native_tensor *t)
{
    return bits_of(t) / 8;
}

/* Slice g of weights or bias. `quirk`: the scale that gate 2 of GRU takes. */
static void slice(vector *v, const lb_native_tensor *t, uint32_t g, int quirk)
{
    v->t = *t;
    v->t.rank = t->rank - 1;
    for (uint32_t d = 0; d < v->t.rank; d++) {
        v->t.shape[d] = t->shape[d + 1];
        v->t.stride[d] = t->stride[d + 1];
    }
    v->t.data = (unsigned char *)t->data + (int64_t)g * t->stride[0] * element_bytes(t);
    format f = format_at(t, g);
    if (quirk && !is_fixed(t) && t->axis < 0) {
        f.scale = (int16_t)(f.scale + 4);
        f.frac = (int8_t)(f.frac + 2);
    }
    set_format(v, f);
}

static void run_gate(cell *c, uint32_t g, const lb_native_tensor *h, int kind, int quirk)
{
    static vector weights_in, weights_out, bias;
    slice(&weights_in, c->call->tensor[LB_NATIVE_WEIGHTS_IN], g, quirk);
    slice(&weights_out, c->call->tensor[LB_NATIVE_WEIGHTS_OUT], g, quirk);
    slice(&bias, c->call->tensor[LB_NATIVE_BIAS], g, 0);
    set_format(&c->gate[g], c->between);
    dense_layer l = {.inputs = 2,
                     .x = {&c->x.t, h},
                     .weights = {&weights_in.t, &weights_out.t},
                     .bias = &bias.t,
                     .out = &c->gate[g].t};
    run_dense(&l);
    activate(kind, &c->gate[g].t, &c->gate[g]);
}

static void lstm_frame(cell *c)
{
    static const int kinds[GATES] = {SIGM, TANH, SIGM, SIGM};
    const lb_native_tensor *state = c->call->tensor[LB_NATIVE_CELL];
    int act = lb_native_number(c->call, "act", 0);
    for (uint32_t g = 0; g < GATES; g++)
        run_gate(c, g, &c->h.t, kinds[g], 0);
    multiply(state, &c->gate[2].t, state);
    multiply(&c->gate[1].t, &c->gate[0].t, &c->gate[1].t);
    sum(state, &c->gate[1].t, state);
    if (act == 0) {
        multiply(state, &c->gate[3].t, &c->result.t);
        return;
    }
    static vector a;
    make(&a, state->type, c->units, NULL, format_of(state));
    activate(act == 1 ? TANH : SIGM, state, &a);
    multiply(&a.t, &c->gate[3].t, &c->result.t);
}

static void gru_frame(cell *c)
{
    static vector keep, kept;
    format qh = format_of(&c->h.t), z = activated_format(SIGM, c->in);
    run_gate(c, 0, &c->h.t, SIGM, 0);
    run_gate(c, 1, &c->h.t, SIGM, 0);
    make(&keep, c->in->type, c->units, NULL, qh);
    make(&kept, c->in->type, c->units, NULL, qh);
    multiply(&c->gate[1].t, &c->h.t, &keep.t);
    multiply(&c->h.t, &c->gate[0].t, &kept.t);
    for (uint32_t i = 0; i < c->units; i++) {
        set_element(&c->gate[1].t, i, at(&keep.t, i));
        set_element(&c->gate[0].t, i, (is_fixed(c->in) ? 32767 : -1) - at(&c->gate[0].t, i));
    }
    set_format(&c->gate[1], qh);
    set_format(&c->gate[0], z);
    run_gate(c, 2, &c->gate[1].t, TANH, 1);
    make(&keep, c->in->type, c->units, NULL, format_of(c->out));
    multiply(&c->gate[2].t, &c->gate[0].t, &keep.t);
    for (uint32_t i = 0; i < c->units; i++)
        set_element(&c->gate[2].t, i, at(&keep.t, i));
    sum(&keep.t, &kept.t, &c->result.t);
}

int run_cell(const lb_native_call *call)
{
    static cell c;
    int is_lstm = is_called(call->function, "mli_krn_lstm");
    if (!is_lstm && !is_called(call->function, "mli_krn_gru"))
        return 0;
    const lb_native_tensor *in = call->tensor[LB_NATIVE_IN], *out = call->tensor[LB_NATIVE_OUT],
                           *before = call->tensor[LB_NATIVE_PREV_OUT];
    uint32_t frames = in->shape[0], units = before->shape[0], gates = is_lstm ? 4 : 3;
    if (units > MOST_UNITS)
        return 0;
    c = (cell){.call = call, .in = in, .out = out, .units = units};
    int most = is_lstm ? 10 : 11,
        frac = in->frac_bits + call->tensor[LB_NATIVE_WEIGHTS_IN]->frac_bits;
    c.between = is_fixed(in) ? (format){1, frac < most ? frac : most, 0}
                : is_lstm    ? (format){1, 4, 0}
                             : (format){21, 9, 0};
    for (uint32_t g = 0; g < gates; g++)
        make(&c.gate[g], in->type, units,
             (unsigned char *)call->scratch + g * units * element_bytes(in), c.between);
    make(&c.h, in->type, units, NULL, format_of(before));
    for (uint32_t i = 0; i < units; i++)
        set_element(&c.h.t, i, at(before, i));
    for (uint32_t n = 0; n < frames; n++) {
        int backward = lb_native_number(call, "direction", 0) == 1,
            all = lb_native_number(call, "results", 0) == 1;
        uint32_t frame = backward ? frames - 1 - n : n;
        make(&c.x, in->type, in->shape[1],
             (unsigned char *)in->data + frame * in->shape[1] * element_bytes(in), format_of(in));
        make(&c.result, in->type, units,
             (unsigned char *)out->data + (all ? n : 0) * units * element_bytes(out),
             format_of(out));
        (is_lstm ? lstm_frame : gru_frame)(&c);
        set_format(&c.h, format_of(out));
        for (uint32_t i = 0; i < units; i++)
            set_element(&c.h.t, i, at(&c.result.t, i));
    }
    return 1;
}
