/* What the environment of the process asks of the library, and the word about it that goes to
 * standard error. A small build (MLI_SMALL) asks nobody and says nothing. */
#ifndef LB_MLI_ENVIRONMENT_H
#define LB_MLI_ENVIRONMENT_H

#include "internal.h"

#if LB_MLI_SMALL
static inline const char *lb_mli_wanted(const char *variable)
{
    (void)variable;
    return NULL;
}

static inline void lb_mli_complain(const char *variable, const char *wanted, const char *is_no,
                                   const char *used)
{
    (void)variable, (void)wanted, (void)is_no, (void)used;
}
#else
#include <stdio.h>
#include <stdlib.h>

/* The variable's value, or NULL. */
static inline const char *lb_mli_wanted(const char *variable)
{
    return getenv(variable);
}

/* The value names nothing that there is: is_no "profile". */
static inline void lb_mli_complain(const char *variable, const char *wanted, const char *is_no,
                                   const char *used)
{
    fprintf(stderr, "libmli: %s=%s is no %s; using %s\n", variable, wanted, is_no, used);
}
#endif

#endif
