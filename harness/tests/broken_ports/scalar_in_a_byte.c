/* A scalar of 16 bits that a tensor of rank 0 holds is read from the member for 8 bits. */
#include "broken.h"

static mli_tensor in_a_byte(const mli_tensor *t)
{
    mli_tensor scalar = t ? *t : (mli_tensor){.rank = 1};
    if (scalar.rank == 0)
        scalar.data.mem.i16 = scalar.data.mem.i8;
    return scalar;
}

static mli_status broken_sub(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out)
{
    mli_tensor first = in_a_byte(in1), second = in_a_byte(in2);
    return mli_krn_eltwise_sub_fx16(in1 ? &first : NULL, in2 ? &second : NULL, out);
}

BROKEN_PORT("broken: scalar in a byte")
#define mli_krn_eltwise_sub_fx16 broken_sub
#include "../../port_kit/lb_kit.c"
