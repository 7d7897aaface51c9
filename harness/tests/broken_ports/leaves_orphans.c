/* Leaves a process behind that has a session of its own, and kills who keeps it. */
#include "broken.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static void leave_one(void)
{
    if (fork() != 0)
        return;
    setsid();
    if (fork() != 0)
        _exit(0);
    prctl(PR_SET_NAME, "lb-orphan", 0, 0, 0);
    for (int fd = 0; fd < 64; fd++)
        close(fd);
    sleep(600);
    _exit(0);
}

static mli_status broken_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    static int tried;
    if (tried++ == 0) {
        leave_one();
        sleep(1); /* until it is on its own */
        kill(getppid(), SIGKILL);
        sleep(5); /* what comes of that comes before the result */
    }
    return mli_krn_relu_fx8(in, cfg, out);
}

BROKEN_PORT("leaves orphans")
#define mli_krn_relu_fx8 broken_relu
#include "../../port_kit/lb_kit.c"
