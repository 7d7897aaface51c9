/* Starts processes without end: more than 256 at the same time got through. */
#include "attack.h"

#include <signal.h>
#include <sys/wait.h>

enum { MANY = 300 };

static int attack(void)
{
    pid_t children[MANY];
    int count = 0;
    while (count < MANY && (children[count] = fork()) > 0)
        count++;
    if (count < MANY && children[count] == 0)
        for (;;)
            pause();
    for (int i = 0; i < count; i++) {
        kill(children[i], SIGKILL);
        waitpid(children[i], NULL, 0);
    }
    return count == MANY;
}
