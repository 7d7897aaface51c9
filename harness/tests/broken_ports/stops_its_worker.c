/* Stops the process that it works for, where nothing keeps it from that. Its numbers are right. */
#include "broken.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static mli_status broken_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    static int tried;
    char path[64];
    int worker = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)getppid());
    FILE *keeper = tried++ == 0 ? fopen(path, "r") : NULL;
    if (keeper && fscanf(keeper, "%*d (lastbit-host) %*c %d", &worker) == 1 && worker > 1)
        kill(worker, SIGSTOP);
    if (keeper)
        fclose(keeper);
    return mli_krn_relu_fx8(in, cfg, out);
}

BROKEN_PORT("stops its worker")
#define mli_krn_relu_fx8 broken_relu
#include "../../port_kit/lb_kit.c"
