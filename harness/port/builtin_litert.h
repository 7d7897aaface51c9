/* The kernels of LiteRT of our own implementation, for the built-in port. */
#ifndef LB_HARNESS_PORT_BUILTIN_LITERT_H
#define LB_HARNESS_PORT_BUILTIN_LITERT_H

#include "reference/describe/kernels.h"

/* Does the implementation have this function of LiteRT? */
bool lb_builtin_litert_has(const lb_kernel *kernel);
/* Makes the call in the numerics of the profile; gives the status of the kernel, 0: success. */
int lb_builtin_litert_call(const lb_profile *profile, lb_call *call);

#endif
