/* Begins with the first element of the second operand again after every 11, where all is dense. */
#include "broken.h"

enum { MOST_ELEMENTS = 4096, AGAIN = 11 };

static bool is_dense(const mli_tensor *t, uint32_t *count)
{
    *count = 1;
    for (uint32_t d = t->rank; d-- > 0;) {
        if (t->mem_stride[d] != (int32_t)*count)
            return false;
        *count *= t->shape[d];
    }
    return t->rank > 0;
}

static mli_status broken_add(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out)
{
    static int16_t again[MOST_ELEMENTS];
    uint32_t count = 0;
    mli_status status = mli_krn_eltwise_add_fx16(in1, in2, out);
    bool may_be =
        in2->data.mem.pi16 != out->data.mem.pi16 && in1->data.mem.pi16 != out->data.mem.pi16;
    if (status != MLI_STATUS_OK || in1->rank == 0 || !may_be || !is_dense(in2, &count) ||
        count > MOST_ELEMENTS)
        return status;
    for (uint32_t i = 0; i < count; i++)
        again[i] = in2->data.mem.pi16[i % AGAIN];
    mli_tensor other = *in2;
    other.data.mem.pi16 = again;
    other.data.capacity = (uint32_t)(count * sizeof *again);
    return mli_krn_eltwise_add_fx16(in1, &other, out);
}

BROKEN_PORT("broken: the second operand from its beginning again")
#define mli_krn_eltwise_add_fx16 broken_add
#include "../../port_kit/lb_kit.c"
