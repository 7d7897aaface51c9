/* Ends with the exit status that lastbit's own keeper once gave where the host ran short. */
#include "broken.h"

#include <unistd.h>

static mli_status broken_argmax(const mli_tensor *in, const mli_argmax_cfg *cfg, mli_tensor *out)
{
    if (in->rank == 3)
        _exit(118);
    return mli_krn_argmax_fx16(in, cfg, out);
}

BROKEN_PORT("broken: exit status 118")
#define mli_krn_argmax_fx16 broken_argmax
#include "../../port_kit/lb_kit.c"
