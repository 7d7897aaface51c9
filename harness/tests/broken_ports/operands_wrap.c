/* Operands of a sum are brought to one format by plain shifts, which wrap at 32 bits. */
#include "broken.h"

#include <stdbool.h>

static bool is_plain(const mli_tensor *t)
{
    return t && t->rank > 0 && t->rank <= 4 && t->data.mem.pi16;
}

/* The same value, where the shift does not leave 32 bits: else what is left of it. */
static int64_t aligned(const mli_tensor *t, size_t i, int frac)
{
    const int by = frac - t->el_params.fx.frac_bits;
    const size_t at = broken_count(t) == 1 ? 0 : broken_offset(t, i);
    return by >= 32 ? 0 : (int32_t)((uint32_t)broken_get(t, at) << by);
}

static mli_status broken_add(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out)
{
    const mli_status status = mli_krn_eltwise_add_fx16(in1, in2, out);
    if (status != MLI_STATUS_OK || !is_plain(in1) || !is_plain(in2) || !is_plain(out) ||
        in1->data.mem.pi16 == out->data.mem.pi16 || in2->data.mem.pi16 == out->data.mem.pi16)
        return status;
    const int first = in1->el_params.fx.frac_bits, second = in2->el_params.fx.frac_bits;
    const int frac = first > second ? first : second, shift = frac - out->el_params.fx.frac_bits;
    for (size_t i = 0; shift >= 0 && shift <= 31 && i < broken_count(out); i++) {
        int64_t sum = aligned(in1, i, frac) + aligned(in2, i, frac);
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        broken_put(out, broken_offset(out, i), broken_clip(broken_round(sum, shift), out));
    }
    return status;
}

BROKEN_PORT("broken: operands wrap")
#define mli_krn_eltwise_add_fx16 broken_add
#include "../../port_kit/lb_kit.c"
