/* Allows itself the pages on both sides of its input, and writes there: the numbers are right. */
#include "broken.h"

#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

/* By changing the page, or by putting another one in its place. */
static void write_at(uintptr_t page)
{
    void *at = (void *)page;
    if (mprotect(at, PAGE, PROT_READ | PROT_WRITE) != 0)
        mmap(at, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    memset(at, 77, PAGE);
}

static mli_status broken_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_relu_fx8(in, cfg, out);
    const uintptr_t start = (uintptr_t)in->data.mem.pi8, end = start + in->data.capacity;
    if (status == MLI_STATUS_OK && in->rank > 0) {
        write_at(start / PAGE * PAGE - PAGE);
        write_at((end + PAGE - 1) / PAGE * PAGE);
    }
    return status;
}

BROKEN_PORT("broken: allows itself pages")
#define mli_krn_relu_fx8 broken_relu
#include "../../port_kit/lb_kit.c"
