/* Deviants: rnn_dense, and the sums of cells. Formulas: recurrent.md 5. */
#include "deviant.h"

/* One input with its weights. */
typedef struct term {
    const lb_native_tensor *x, *weights, *out;
    int is_sa, width, zero;
} term;

static term term_of(const dense_layer *l, uint32_t j)
{
    term t = {.x = l->x[j], .weights = l->weights[j], .out = l->out};
    t.is_sa = !is_fixed(t.x);
    t.width = bits_of(t.x) == 8          ? CHOSEN(ACC_8X8)
              : bits_of(t.weights) == 16 ? CHOSEN(ACC_16X16)
                                         : CHOSEN(ACC_16X8);
    t.zero = t.is_sa ? t.x->zero_point[0] : 0;
    return t;
}

static wide aligned_bias(const lb_native_tensor *bias, const term *t, uint32_t m)
{
    wide b = element(bias, offset_of(bias, m, 0, 0, 0));
    if (t->is_sa)
        return sa_bias(b);
    int up = t->x->frac_bits + t->weights->frac_bits - bias->frac_bits,
        bits = bits_of(t->weights) == 16 ? 64 : 32;
    b = saturating_left(b, up, bits);
    return bits == 64 ? cut(b, 32) : b;
}

/* `of_bias`: NULL: it has none. */
static wide sum_of(const lb_native_tensor *of_bias, const term *t, uint32_t m)
{
    register_file r = {.bits = t->width};
    int with_bias = of_bias != NULL;
    wide bias = with_bias ? aligned_bias(of_bias, t, m) : 0;
    size_t inputs = count_elements(t->x);
    if (with_bias && CHOSEN(BIAS) == BIAS_FIRST) {
        add(&r, bias);
        r.products = 0;
    }
    for (int pass = 0; pass < (t->zero && !CHOSEN(ZERO_IN_PRODUCTS) ? 2 : 1); pass++)
        for (size_t k = 0; k < inputs; k++) {
            wide x = pass ? -t->zero
                          : element(t->x, (int64_t)k) - (CHOSEN(ZERO_IN_PRODUCTS) ? t->zero : 0);
            add(&r, x * element(t->weights, offset_of(t->weights, (uint32_t)k, m, 0, 0)));
        }
    wide sum = total(&r);
    if (!with_bias || CHOSEN(BIAS) == BIAS_FIRST)
        return sum;
    int wraps = CHOSEN(BIAS) == BIAS_WRAPS || CHOSEN(OVERFLOWS) == WRAP;
    return wraps ? cut(sum + bias, t->width) : clip(sum + bias, t->width);
}

static wide requantized(const term *t, wide acc)
{
    int step_bits = !t->is_sa && (bits_of(t->weights) == 16 || t->width > 32) ? 64 : 32;
    acc = clip(acc, step_bits);
    if (!t->is_sa) {
        int n = t->x->frac_bits + t->weights->frac_bits - t->out->frac_bits;
        return down(acc, step_bits == 64 && n > 39 && !CHOSEN(RIGHT_MODULO) ? 39 : n, step_bits);
    }
    int e = room(t->x->scale[0]);
    wide q = t->x->scale[0] * power(e) / t->out->scale[0];
    int drop = 16 - room(q);
    wide mul = right(CHOSEN(SCALE_ROUND), q, drop, 32) * t->weights->scale[0];
    int shift = t->x->scale_frac_bits[0] + e - t->out->scale_frac_bits[0] - drop +
                t->weights->scale_frac_bits[0];
    if (CHOSEN(REQUANTIZE) == HIGH || CHOSEN(MULTIPLIER_BITS)) {
        int up = room(mul), gone = CHOSEN(MULTIPLIER_BITS) ? 31 - CHOSEN(MULTIPLIER_BITS) : 0;
        mul = right(CHOSEN(SCALE_ROUND), mul * power(up), gone, 64);
        shift += up - (CHOSEN(REQUANTIZE) == HIGH ? 0 : gone);
        if (CHOSEN(REQUANTIZE) == HIGH && gone)
            mul = clip(mul * power(gone), 32);
    }
    if (CHOSEN(REQUANTIZE) != HIGH)
        return clip(down(acc * mul, shift > 63 && !CHOSEN(RIGHT_MODULO) ? 63 : shift, 64), 32);
    int n = shift - 31;
    acc = n < 0 ? left(acc, -n, 32) : acc;
    wide high = clip(right(CHOSEN(FIRST_ROUND), acc * mul, 31, 64), 32);
    return clip(right(CHOSEN(ROUND), high, count_of(n < 0 ? 0 : n), 32), 32);
}

void run_dense(const dense_layer *l)
{
    for (uint32_t m = 0; m < l->weights[0]->shape[1]; m++) {
        wide sum = 0;
        for (uint32_t j = 0; j < l->inputs; j++) {
            term t = term_of(l, j);
            int wide_steps = !t.is_sa && (bits_of(t.weights) == 16 || t.width > 32);
            sum = clip(sum + requantized(&t, sum_of(j == 0 ? l->bias : NULL, &t, m)),
                       wide_steps ? 64 : 32);
        }
        if (is_fixed(l->out)) {
            set_element(l->out, offset_of(l->out, m, 0, 0, 0), contained(sum, 16));
            continue;
        }
        sum = clip(sum, 16);
        sum = CHOSEN(OUT_ZERO) == ZERO_LAST ? clip(sum, 8) : sum;
        set_element(l->out, offset_of(l->out, m, 0, 0, 0),
                    contained(clip(sum + l->out->zero_point[0], 16), 8));
    }
}

int run_recurrent(const lb_native_call *call)
{
    if (!is_called(call->function, "mli_krn_rnn_dense"))
        return 0;
    dense_layer l = {.inputs = (uint32_t)lb_native_number(call, "inputs_num", 0),
                     .bias = call->tensor[LB_NATIVE_BIAS],
                     .out = call->tensor[LB_NATIVE_OUT]};
    for (uint32_t j = 0; j < l.inputs; j++) {
        l.x[j] = call->tensor[LB_NATIVE_IN] + j;
        l.weights[j] = call->tensor[LB_NATIVE_WEIGHTS] + j;
    }
    run_dense(&l);
    return 1;
}
