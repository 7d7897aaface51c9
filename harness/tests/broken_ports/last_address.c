/* Takes a call for the last one where operand and output stand at the same addresses, and gives
 * what that one gave. */
#include "broken.h"

static struct {
    const void *in, *out;
    size_t count;
    int8_t kept[4096];
} last;

static mli_status broken_leaky(const mli_tensor *in, const mli_tensor *slope, mli_tensor *out)
{
    const mli_status status = mli_krn_leaky_relu_fx8(in, slope, out);
    const size_t count = broken_count(out);
    if (status != MLI_STATUS_OK || count > sizeof last.kept ||
        broken_offset(out, count - 1) + 1 != count)
        return status;
    if (last.in == in->data.mem.pi8 && last.out == out->data.mem.pi8 && last.count == count) {
        memcpy(out->data.mem.pi8, last.kept, count);
        return status;
    }
    last.in = in->data.mem.pi8;
    last.out = out->data.mem.pi8;
    last.count = count;
    memcpy(last.kept, out->data.mem.pi8, count);
    return status;
}

BROKEN_PORT("broken: remembers by address")
#define mli_krn_leaky_relu_fx8 broken_leaky
#include "../../port_kit/lb_kit.c"
