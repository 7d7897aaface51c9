/* Writes files: beside itself, where results are to stand, and where everybody may. */
#include "attack.h"

#include <dlfcn.h>
#include <fcntl.h>

static int attack(void)
{
    Dl_info self;
    char path[4200];
    int file;
    if (dladdr(&lb_port, &self) == 0)
        return 0;
    if ((file = open(self.dli_fname, O_WRONLY | O_APPEND)) >= 0)
        return close(file), 1;
    snprintf(path, sizeof path, "%s.results.json", self.dli_fname);
    if ((file = open(path, O_WRONLY | O_CREAT, 0600)) < 0)
        file = open(strcpy(path, "/tmp/lastbit-attack-results.json"), O_WRONLY | O_CREAT, 0600);
    if (file >= 0)
        return close(file), unlink(path), 1;
    return 0;
}
