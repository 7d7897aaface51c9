/* lastbit-host: the program that ports live in, started by lastbit. It holds no model, no judge, no
 * suite and no journal: receives inputs, gives memory back. */
#include "harness/host/keeper.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    static const char *const sandboxes[] = LB_SANDBOX_NAMES;
    lb_kept_port port = {.is_library = true};
    int i = 0;
    while (argc == 5 && sandboxes[i] && strcmp(sandboxes[i], argv[4]) != 0)
        i++;
    if (argc != 5 || !sandboxes[i] || fcntl(LB_HOST_CHANNEL, F_GETFD) < 0) {
        fprintf(stderr, "lastbit-host: no command for people: lastbit starts it\n");
        return 2;
    }
    port.is_library = strcmp(argv[1], LB_HOST_COMMAND) != 0;
    port.has_memory = strcmp(argv[1], LB_HOST_SHARING) == 0;
    port.address = argv[2];
    port.parent = (pid_t)strtol(argv[3], NULL, 10);
    port.sandbox = (lb_sandbox)i;
    lb_keeper_become(&port);
}
