/* The products of one output where nobody listens: see products.h. */
#include "products.h"

enum { BLOCK = 256 }; /* products that are read before they are added */

typedef struct factors {
    int32_t x[BLOCK], w[BLOCK];
} factors;

/* Of `channels` channels from `first` on, every tap of a channel beside the others. */
static void read_inputs(const lb_products *p, size_t first, size_t channels, int32_t *x)
{
    const size_t count = channels * p->tap_count;
    for (size_t i = 0; p->constant && i < count; i++)
        x[i] = (int32_t)p->constant->v;
    for (unsigned n = 0; !p->constant && n < p->tap_count; n++)
        lb_load_run(p->x, p->taps[n].x + first * p->x_step, p->x_step, channels, x + n,
                    p->tap_count);
    for (size_t i = 0; !p->constant && p->taken_off != 0 && i < count; i++)
        x[i] -= p->taken_off;
}

static void read_weights(const lb_products *p, size_t first, size_t channels, int32_t *w)
{
    for (unsigned n = 0; n < p->tap_count; n++)
        lb_load_run(p->weights, p->taps[n].weight + first * p->weight_step, p->weight_step,
                    channels, w + n, p->tap_count);
}

static void add_factors(lb_acc *to, const factors *f, size_t count)
{
    if (!to->plain) {
        for (size_t i = 0; i < count; i++)
            lb_acc_mac(to, f->x[i], f->w[i]);
        return;
    }
    lb_acc acc = *to; /* nothing points to the copy, so it is kept in registers */
    for (size_t i = 0; i < count; i++)
        lb_acc_mac_plain(&acc, f->x[i], f->w[i]);
    *to = acc;
}

void lb_products_add(lb_acc *acc, const lb_products *p)
{
    const size_t at_once = p->tap_count > 0 ? BLOCK / p->tap_count : 0;
    factors f;
    for (size_t first = 0; at_once > 0 && first < p->count; first += at_once) {
        const size_t channels = p->count - first < at_once ? p->count - first : at_once;
        read_inputs(p, first, channels, f.x);
        read_weights(p, first, channels, f.w);
        add_factors(acc, &f, channels * p->tap_count);
    }
}
