/* Which profiles a command works with: see profile_choice.h. */
#include "harness/suite/profile_choice.h"
#include "harness/base/command_line.h"
#include "harness/base/installed.h"
#include "harness/suite/profile_file.h"
#include "reference/describe/kernels.h"

#include <stdio.h>
#include <string.h>

/* The profile that one word of the list means, or NULL (reported). */
static const lb_profile *find(const char *command, const char *word, lb_loaded_profiles *loaded)
{
    if (!lb_is_profile_file(word)) {
        const lb_profile *known = lb_profile_named(word);
        if (!known)
            lb_usage_error(
                command,
                "--profile %s: no such profile; there are up-full, up-reduced, convergent-full, "
                "convergent-reduced, all, files of platform profiles (with a / in the name or "
                ".yaml at its end), and for functions of LiteRT litert-double, litert-single",
                word);
        return known;
    }
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    char *file = loaded->files[loaded->count];
    lb_profile *profile = &loaded->items[loaded->count];
    snprintf(file, LB_MAX_PROFILE_PATH, "%s", lb_input_path(word));
    if (!lb_profile_load(file, profile, &diagnostics))
        return NULL;
    loaded->count++;
    return profile;
}

static bool add(const char *command, const char *word, lb_loaded_profiles *loaded,
                const lb_profile *profiles[LB_MAX_PROFILES], size_t *count)
{
    if (*count == LB_MAX_PROFILES)
        return lb_usage_error(command, "--profile: at most %d profiles in one run",
                              LB_MAX_PROFILES),
               false;
    const lb_profile *profile = find(command, word, loaded);
    if (!profile)
        return false;
    for (size_t i = 0; i < *count; i++)
        if (strcmp(profiles[i]->name, profile->name) == 0)
            return lb_usage_error(command, "--profile: %s is named twice", profile->name), false;
    profiles[(*count)++] = profile;
    return true;
}

bool lb_profiles_choose(const char *command, const char *list, lb_loaded_profiles *loaded,
                        const lb_profile *profiles[LB_MAX_PROFILES], size_t *count)
{
    char word[LB_MAX_PROFILE_PATH];
    *count = 0;
    loaded->count = 0;
    if (strcmp(list, "all") == 0) {
        for (int i = 0; i < LB_PROFILE_COUNT; i++)
            profiles[(*count)++] = &lb_profiles[i];
        return true;
    }
    for (const char *rest = list; rest;
         rest = rest[strcspn(rest, ",")] ? rest + strcspn(rest, ",") + 1 : NULL) {
        size_t length = strcspn(rest, ",");
        if (length >= sizeof word)
            return lb_usage_error(command, "--profile: a path of %zu bytes; at most %zu", length,
                                  sizeof word - 1),
                   false;
        snprintf(word, sizeof word, "%.*s", (int)length, rest);
        if (!add(command, word, loaded, profiles, count))
            return false;
    }
    return true;
}
