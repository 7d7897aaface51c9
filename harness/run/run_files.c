/* Every file beside the suites that decides about verdicts: see run_files.h. */
#include "harness/run/run_files.h"
#include "harness/base/sha256.h"
#include "harness/base/xalloc.h"
#include "harness/port/program_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool digest(const char *path, char sha256[LB_SHA256_TEXT])
{
    if (lb_sha256_of_file(path, sha256))
        return true;
    fprintf(stderr, "lastbit: %s: cannot be read: %s\n", path, strerror(errno));
    return false;
}

static bool add(lb_run_files *files, const char *role, const char *path, const char *named,
                const char *suite)
{
    char sha256[LB_SHA256_TEXT];
    if (!digest(path, sha256))
        return false;
    files->list = lb_room_for_one(files->list, files->count, &files->room, sizeof *files->list);
    files->list[files->count++] = (lb_run_file){.role = role,
                                                .file = lb_arena_strdup(&files->arena, path),
                                                .named = lb_arena_strdup(&files->arena, named),
                                                .suite = lb_arena_strdup(&files->arena, suite),
                                                .sha256 = lb_arena_strdup(&files->arena, sha256)};
    return true;
}

static bool add_companions(lb_run_files *files, const lb_suite *suite)
{
    bool good = true;
    for (size_t i = 0; i < lb_suite_companion_count(suite) && good; i++) {
        const lb_companion *c = lb_suite_companion(suite, i);
        good = add(files, c->role, c->path, c->named, lb_suite_path(suite));
    }
    return good;
}

static bool add_profiles(lb_run_files *files, const lb_plan *plan)
{
    bool good = true;
    for (size_t i = 0; i < plan->profile_count && good; i++)
        if (plan->profiles[i]->file && (i == 0 || plan->profiles[i] != plan->profiles[i - 1]))
            good = add(files, "profile", plan->profiles[i]->file, plan->profiles[i]->name, "");
    return good;
}

static bool add_port(lb_run_files *files, const char *port_name)
{
    const char *paths[LB_MAX_PORT_FILES];
    size_t count = lb_port_program_files(port_name, &files->arena, paths);
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = add(files, "port", paths[i], "", "");
    return good;
}

bool lb_run_files_gather(lb_run_files *files, const lb_plan *plan, const lb_policies *policies,
                         const char *waiver_path, const char *port_name)
{
    bool good = true;
    for (size_t s = 0; s < plan->suite_count && good; s++)
        good = add_companions(files, plan->suites[s]);
    good = good && add_profiles(files, plan);
    for (size_t i = 0; i < lb_policies_count(policies) && good; i++)
        good = add(files, "policy", lb_policies_path(policies, i), "", "");
    if (good && waiver_path)
        good = add(files, "waivers", waiver_path, "", "");
    return good && add_port(files, port_name);
}

const char *lb_run_files_port(const lb_run_files *files)
{
    const char *sha256 = "";
    unsigned count = 0;
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->list[i].role, "port") == 0 && count++ == 0)
            sha256 = files->list[i].sha256;
    return count == 1 ? sha256 : "";
}

void lb_run_files_free(lb_run_files *files)
{
    free(files->list);
    lb_arena_free(&files->arena);
    *files = (lb_run_files){.list = NULL};
}

static bool is_unchanged(const char *path, const char *was)
{
    char sha256[LB_SHA256_TEXT];
    if (digest(path, sha256) && strcmp(sha256, was) == 0)
        return true;
    fprintf(stderr,
            "lastbit: %s: changed while the run was going on: nobody can say which of the "
            "two the results are of\n",
            path);
    return false;
}

bool lb_run_files_unchanged(const lb_run_files *files, const lb_plan *plan)
{
    bool good = true;
    for (size_t s = 0; s < plan->suite_count; s++)
        if (!lb_suite_command(plan->suites[s]) &&
            strcmp(lb_suite_path(plan->suites[s]), "-") != 0 &&
            !lb_suite_is_untouched(plan->suites[s]))
            good &= is_unchanged(lb_suite_path(plan->suites[s]), lb_suite_sha256(plan->suites[s]));
    for (size_t i = 0; i < files->count; i++)
        good &= is_unchanged(files->list[i].file, files->list[i].sha256);
    return good;
}
