/* The end of a child process: see child.h. */
#include "harness/base/child.h"

#include <unistd.h>

#ifdef LASTBIT_COVERAGE
void __gcov_dump(void);
#endif

void lb_child_exit(int status)
{
#ifdef LASTBIT_COVERAGE
    __gcov_dump();
#endif
    _exit(status);
}
