/* Crashes while a helper process that it has started holds its end of the line: the line is not
 * closed by the crash. */
#include "broken.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static mli_status broken_sigm(const mli_tensor *in, const mli_lut *lut, mli_tensor *out)
{
    if (in && in->rank > 1) {
        if (fork() == 0) {
            setsid();
            for (;;)
                pause();
        }
        signal(SIGABRT, SIG_DFL);
        abort();
    }
    return mli_krn_sigm_fx16(in, lut, out);
}

BROKEN_PORT("broken: helper holds pipe")
#define mli_krn_sigm_fx16 broken_sigm
#include "../../port_kit/lb_kit.c"
