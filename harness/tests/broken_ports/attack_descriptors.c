/* Writes into the journal: by a descriptor that it has itself, or by one of another process. */
#include "attack.h"

#include <fcntl.h>
#include <sys/stat.h>

static int each(int process)
{
    for (int number = 0; number < 64; number++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/fd/%d", process, number);
        int file = open(path, O_WRONLY | O_APPEND);
        if (file >= 0)
            return close(file), 1;
    }
    return 0;
}

static int attack(void)
{
    struct stat kind;
    for (int number = 3; number < 1024; number++)
        if (fstat(number, &kind) == 0 && !S_ISFIFO(kind.st_mode))
            return 1;
    return attack_processes(each);
}
