/* Figures of strength from a file: see strength_file.h. */
#include "harness/run/strength_file.h"
#include "harness/base/command_line.h"
#include "reports/json_read.h"
#include "reports/statement.h"

#include <string.h>

static bool has_suite(const cJSON *suites, const char *sha256)
{
    const cJSON *one;
    cJSON_ArrayForEach(one, suites)
    {
        const char *digest = lb_json_text(one, "sha256");
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

bool lb_strength_file_read(const char *command, const char *path, const lb_plan *plan,
                           lb_strength_figures *figures)
{
    lb_strength_told told;
    char error[400];
    if (!lb_strength_read(path, &told, error, sizeof error))
        return lb_usage_error(command, "--strength %s", error), false;
    *figures = (lb_strength_figures){.faults = told.faults, .caught = told.caught};
    const cJSON *suites = cJSON_GetObjectItemCaseSensitive(told.document, "suites");
    bool good = cJSON_IsArray(suites) && lb_level_find(told.level, &figures->level);
    if (!good)
        lb_usage_error(command, "--strength %s: \"suites\" or \"level\" is missing", path);
    good = good && speaks_of(command, path, suites, plan);
    lb_strength_told_free(&told);
    return good;
}
