/* The version of the library; the build gives it. */
#include "internal.h"
#include "mli_lastbit.h"

#ifndef LB_MLI_VERSION
#error "LB_MLI_VERSION must be defined by the build, as a string"
#endif

const char *mli_ext_version(void)
{
    return LB_MLI_VERSION;
}
