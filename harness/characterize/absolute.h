/* Features with nothing left to a profile's base. */
#ifndef LB_HARNESS_CHARACTERIZE_ABSOLUTE_H
#define LB_HARNESS_CHARACTERIZE_ABSOLUTE_H

#include "reference/describe/kernels.h"

/* The features of a profile for a family, with nothing left to its base: the same numerics have the
 * same. */
lb_feature_set lb_features_absolute(const lb_profile *profile, int family, lb_types types);

/* The same of features in the place of those that the profile has for the family. */
lb_feature_set lb_features_absolute_of(const lb_profile *profile, const lb_feature_set *features,
                                       int family, lb_types types);

#endif
