/* Could it give its judge limits, under which the system ends it? Only asks for those that it has.
 */
#include "attack.h"

#include <sys/resource.h>

static int each(int process)
{
    struct rlimit now;
    return process > 1 && prlimit(process, RLIMIT_NOFILE, NULL, &now) == 0;
}

static int attack(void)
{
    return attack_processes(each);
}
