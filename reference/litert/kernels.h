/* The kernels of LiteRT (litert.21.2), and its two profiles (litert.1.4). */
#ifndef LB_REFERENCE_LITERT_KERNELS_H
#define LB_REFERENCE_LITERT_KERNELS_H

#include "describe/kernels.h"

#define LB_LITE_AT(name, ...) LB_LITE_AT_##name,
enum { LB_LITE_KERNELS(LB_LITE_AT) LB_LITE_FIXED_POINT(LB_LITE_AT) LB_LITE_KERNEL_COUNT };
extern const lb_kernel lb_lite_kernels[LB_LITE_KERNEL_COUNT];
extern const size_t lb_lite_kernel_count;
/* By kernel; of a new one NULL until step_places.c is made anew. */
extern const lb_step_place *const lb_lite_step_places[LB_LITE_KERNEL_COUNT];

/* Tables of domains (describe/domain.h). */
extern const struct lb_domain *const lb_lite_domains[];

/* litert-double, litert-single. */
enum { LB_LITE_PROFILE_COUNT = 2 };
extern const lb_profile lb_lite_profiles[LB_LITE_PROFILE_COUNT];

#endif
