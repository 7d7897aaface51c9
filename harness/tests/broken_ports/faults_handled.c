/* Reads beside its input, and handles the faults that come of it: the numbers are right. */
#include "broken.h"

#include <setjmp.h>
#include <signal.h>

static sigjmp_buf before;

static void go_on(int number)
{
    siglongjmp(before, number);
}

static void read_beside(const mli_tensor *in)
{
    const volatile int8_t *data = in->data.mem.pi8;
    struct sigaction action = {.sa_handler = go_on, .sa_flags = SA_ONSTACK};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    if (sigsetjmp(before, 1) == 0)
        (void)data[-1];
    if (sigsetjmp(before, 1) == 0)
        (void)data[in->data.capacity];
}

static mli_status broken_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_relu_fx8(in, cfg, out);
    if (status == MLI_STATUS_OK && in->rank > 0)
        read_beside(in);
    return status;
}

BROKEN_PORT("broken: handles its faults")
#define mli_krn_relu_fx8 broken_relu
#include "../../port_kit/lb_kit.c"
