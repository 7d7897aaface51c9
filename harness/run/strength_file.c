/* Figures of strength from a file: see strength_file.h. */
#include "harness/run/strength_file.h"
#include "harness/base/command_line.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char DUE[] = "expected what \"lastbit vectors strength --json\" prints";

static bool has_suite(const cJSON *suites, const char *sha256)
{
    const cJSON *one;
    cJSON_ArrayForEach(one, suites)
    {
        const char *digest = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "sha256"));
        if (digest && strcmp(digest, sha256) == 0)
            return true;
    }
    return false;
}

/* A suite that was not measured would pass for a strong one. */
static bool speaks_of(const char *command, const char *path, const cJSON *suites,
                      const lb_plan *plan)
{
    for (size_t i = 0; i < plan->suite_count; i++)
        if (!has_suite(suites, lb_suite_sha256(plan->suites[i])))
            return lb_usage_error(command,
                                  "--strength %s: says nothing of %s as it is now; measure again: "
                                  "lastbit vectors strength --json",
                                  path, lb_suite_path(plan->suites[i])),
                   false;
    return true;
}

static bool read_number(const cJSON *object, const char *key, uint64_t *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(item) || item->valuedouble < 0 || item->valuedouble > 1e15)
        return false;
    *value = (uint64_t)item->valuedouble;
    return true;
}

static bool read_figures(const cJSON *object, lb_strength_figures *figures)
{
    const char *level = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "level"));
    return cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(object, "suites")) && level &&
           lb_level_find(level, &figures->level) &&
           read_number(object, "faults", &figures->faults) &&
           read_number(object, "caught", &figures->caught) && figures->faults > 0 &&
           figures->caught <= figures->faults;
}

/* All of a file without NUL. */
static char *read_text(const char *path)
{
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    if (getdelim(&text, &room, '\0', file) < 0) {
        free(text);
        text = strdup("");
    }
    fclose(file);
    return text;
}

bool lb_strength_file_read(const char *command, const char *path, const lb_plan *plan,
                           lb_strength_figures *figures)
{
    char *text = read_text(path);
    if (!text)
        return lb_usage_error(command, "--strength %s: cannot be read: %s", path, strerror(errno)),
               false;
    cJSON *object = cJSON_Parse(text);
    bool good = object && read_figures(object, figures);
    if (!good)
        lb_usage_error(command, "--strength %s: %s", path, DUE);
    good =
        good && speaks_of(command, path, cJSON_GetObjectItemCaseSensitive(object, "suites"), plan);
    cJSON_Delete(object);
    free(text);
    return good;
}
