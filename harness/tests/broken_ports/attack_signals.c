/* Could it stop its judge? Asks only whether it may: signal 0. */
#include "attack.h"

#include <signal.h>

static int each(int process)
{
    return process > 1 && kill(process, 0) == 0;
}

static int attack(void)
{
    return attack_processes(each);
}
