/* The kernels of LiteRT (litert.21.2), and its two profiles (litert.1.4). */
#ifndef LB_REFERENCE_LITERT_KERNELS_H
#define LB_REFERENCE_LITERT_KERNELS_H

#include "describe/kernels.h"

extern const lb_kernel lb_lite_kernels[];
extern const size_t lb_lite_kernel_count;
/* By kernel; step_places.c. */
extern const lb_step_place *const lb_lite_step_places[];

/* litert-double, litert-single. */
enum { LB_LITE_PROFILE_COUNT = 2 };
extern const lb_profile lb_lite_profiles[LB_LITE_PROFILE_COUNT];

#endif
