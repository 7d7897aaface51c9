/* A native port that spoils its result where its process has read or written about a block's worth
 * of bytes since the call before: so much goes over the line where the block is not shared. */
#define LB_KIT_NATIVE
#include "../../port_kit/lb_kit.h"
#include "../../port_kit/lb_native.h"

#include <stdio.h>
#include <string.h>

/* Bytes that this process has read and written with system calls. */
static unsigned long long bytes_so_far(void)
{
    unsigned long long read = 0, written = 0;
    FILE *io = fopen("/proc/self/io", "r");
    if (!io || fscanf(io, "rchar: %llu wchar: %llu", &read, &written) != 2)
        read = 0;
    if (io)
        fclose(io);
    return read + written;
}

int lb_native_has(const char *function)
{
    return strcmp(function, "mli_krn_relu_fx8") == 0;
}

int lb_native_run(const lb_native_call *call)
{
    static unsigned calls;
    static unsigned long long before;
    const lb_native_tensor *in = call->tensor[LB_NATIVE_IN], *out = call->tensor[LB_NATIVE_OUT];
    const int8_t *from = in->data;
    int8_t *to = out->data;
    const unsigned long long now = bytes_so_far();
    for (uint32_t i = 0; i < in->shape[0]; i++)
        to[i] = from[i] < 0 ? 0 : from[i];
    /* The first block goes over the line: both sides find out then that they see the same. */
    if (++calls > 2 && (now == 0 || now - before > in->shape[0] / 2))
        to[0] ^= 1;
    before = now;
    return LB_NATIVE_DONE;
}

const lb_kit_port lb_port = {"counts what goes over the line", LB_KIT_ALL_PROFILES, 0};
#include "../../port_kit/lb_kit.c"
