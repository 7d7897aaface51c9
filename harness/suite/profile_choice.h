/* Which profiles a command works with: names of built-in ones and files of platform profiles, as
 * the option --profile says. */
#ifndef LB_HARNESS_SUITE_PROFILE_CHOICE_H
#define LB_HARNESS_SUITE_PROFILE_CHOICE_H

#include "reference/core/profile.h"

#include <stddef.h>

enum { LB_MAX_PROFILES = 16, LB_MAX_PROFILE_PATH = 512 };

/* Profiles that were read from files. Pointers into it are handed out: it is not copied once it is
 * filled. */
typedef struct lb_loaded_profiles {
    size_t count;
    lb_profile items[LB_MAX_PROFILES];
    char files[LB_MAX_PROFILES][LB_MAX_PROFILE_PATH];
} lb_loaded_profiles;

/* Fills `profiles` from "all", or a list with commas: names of built-in profiles, and paths of
 * profile files (with a '/' in them or the ending .yaml or .yml). No two profiles of a run have the
 * same name. False: the command's message is on standard error. */
bool lb_profiles_choose(const char *command, const char *list, lb_loaded_profiles *loaded,
                        const lb_profile *profiles[LB_MAX_PROFILES], size_t *count);

#endif
