/* Makes its judge the owner of a pipe: the system then sends a signal of the port's choice there as
 * soon as the pipe can be read. This one does no harm. */
#include "attack.h"

#include <fcntl.h>
#include <signal.h>

static int each(int process)
{
    int line[2];
    return process > 1 && pipe(line) == 0 && fcntl(line[0], F_SETOWN, process) == 0 &&
           fcntl(line[0], F_SETSIG, SIGCONT) == 0 && fcntl(line[0], F_SETFL, O_ASYNC) == 0 &&
           write(line[1], "", 1) == 1;
}

static int attack(void)
{
    return attack_processes(each);
}
