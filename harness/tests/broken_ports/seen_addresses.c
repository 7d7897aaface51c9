/* Right where its output stands as it has always seen it: at the beginning of a boundary of 64
 * bytes, or at the end of a page. */
#include "broken.h"

static int is_seen(const mli_tensor *t)
{
    const uintptr_t start = (uintptr_t)t->data.mem.pi8,
                    end = start + broken_offset(t, broken_count(t) - 1) + 1;
    return start % 64 <= 15 || end % 4096 == 0;
}

static mli_status broken_leaky(const mli_tensor *in, const mli_tensor *slope, mli_tensor *out)
{
    mli_status status = mli_krn_leaky_relu_fx8(in, slope, out);
    if (status == MLI_STATUS_OK && !is_seen(out))
        broken_put(out, broken_offset(out, 0), broken_get(out, broken_offset(out, 0)) ^ 1);
    return status;
}

BROKEN_PORT("broken: addresses that it has seen")
#define mli_krn_leaky_relu_fx8 broken_leaky
#include "../../port_kit/lb_kit.c"
