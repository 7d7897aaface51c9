/* Asks another machine, or a service of this one. */
#include "attack.h"

#include <sys/socket.h>

static int attack(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}
