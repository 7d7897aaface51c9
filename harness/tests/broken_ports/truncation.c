/* Cuts bits off where it should round: mul of fx16. */
#include "broken.h"

#include <stdlib.h>

/* The operand as it was before the call, where an output in place takes its room. */
static mli_tensor before(const mli_tensor *in, const mli_tensor *out)
{
    mli_tensor t = *in;
    if (in->rank > 0 && out && in->data.mem.pi16 && in->data.mem.pi16 == out->data.mem.pi16) {
        t.data.mem.pi16 = malloc(in->data.capacity + 1);
        memcpy(t.data.mem.pi16, in->data.mem.pi16, in->data.capacity);
    }
    return t;
}

static void forget(const mli_tensor *t, const mli_tensor *in)
{
    if (t->rank > 0 && t->data.mem.pi16 != in->data.mem.pi16)
        free(t->data.mem.pi16);
}

static int64_t number(const mli_tensor *t, size_t i)
{
    return t->rank ? broken_get(t, broken_offset(t, i)) : t->data.mem.i16;
}

static mli_status broken_mul(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out)
{
    if (!in1 || !in2)
        return mli_krn_eltwise_mul_fx16(in1, in2, out);
    mli_tensor a = before(in1, out), b = before(in2, out);
    mli_status status = mli_krn_eltwise_mul_fx16(in1, in2, out);
    int shift = status == MLI_STATUS_OK ? a.el_params.fx.frac_bits + b.el_params.fx.frac_bits -
                                              out->el_params.fx.frac_bits
                                        : 0;
    shift = shift > 62 ? 62 : shift; /* nothing of a product is left */
    for (size_t i = 0; shift > 0 && i < broken_count(out); i++)
        broken_put(out, broken_offset(out, i),
                   broken_clip((number(&a, i) * number(&b, i)) >> shift, out));
    forget(&a, in1);
    forget(&b, in2);
    return status;
}

BROKEN_PORT("broken: truncation")
#define mli_krn_eltwise_mul_fx16 broken_mul
#include "../../port_kit/lb_kit.c"
