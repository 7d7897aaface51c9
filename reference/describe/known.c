/* Known differences: see known.h. */
#include "known.h"

#include <string.h>

bool lb_known_is_of(const lb_known_difference *known, const lb_kernel *kernel)
{
    for (int i = 0; i < LB_KNOWN_FUNCTIONS && known->function[i]; i++)
        if (strcmp(known->function[i], kernel->name) == 0)
            return true;
    return false;
}
