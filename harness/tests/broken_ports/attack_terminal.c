/* Types at the terminal that lastbit runs on: whoever reads from it next, a shell, does what stands
 * there. */
#include "attack.h"

#include <fcntl.h>
#include <sys/ioctl.h>

static int attack(void)
{
    const char typed[] = "\n";
    int through = 0, terminal = open("/dev/tty", O_RDWR | O_NOCTTY);
    for (int file = 0; file < 3; file++)
        through = through || ioctl(file, TIOCSTI, typed) == 0;
    if (terminal < 0)
        return through;
    through = through || ioctl(terminal, TIOCSTI, typed) == 0;
    close(terminal);
    return through;
}
