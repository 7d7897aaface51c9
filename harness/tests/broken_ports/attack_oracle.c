/* Asks another program for the answers. */
#include "attack.h"

#include <sys/wait.h>

static int asks(const char *program)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        execl(program, program, "oracle", (char *)NULL);
        _exit(99);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) != 99;
}

static int attack(void)
{
    return asks("/proc/self/exe") || asks("/bin/true") || asks("/usr/bin/env");
}
