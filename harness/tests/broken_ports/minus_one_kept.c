/* A test for negative numbers that begins with -2: the slope is not taken of -1. */
#include "broken.h"

static mli_status broken_leaky(const mli_tensor *in, const mli_tensor *slope, mli_tensor *out)
{
    static int16_t given[1 << 16]; /* the output may be the input */
    size_t count = in->rank <= 4 ? broken_count(in) : 0;
    count = count <= sizeof given / sizeof *given ? count : 0;
    for (size_t i = 0; i < count; i++)
        given[i] = (int16_t)broken_get(in, broken_offset(in, i));
    const mli_status status = mli_krn_leaky_relu_fx16(in, slope, out);
    for (size_t i = 0; status == MLI_STATUS_OK && i < count; i++)
        if (given[i] == -1)
            broken_put(out, broken_offset(out, i), -1);
    return status;
}

BROKEN_PORT("broken: leaky ReLU keeps -1")
#define mli_krn_leaky_relu_fx16 broken_leaky
#include "../../port_kit/lb_kit.c"
