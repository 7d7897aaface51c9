/* Policies of a run: see tolerance_choice.h. */
#include "harness/run/tolerance_choice.h"
#include "harness/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "tolerance.yaml"

/* Each file is loaded once. */
typedef struct lb_loaded_policy {
    char *path;
    bool good;
    lb_policy policy;
} lb_loaded_policy;

/* The policy of a file, or NULL if it is broken. The array does not move: it has room for one
 * policy per suite, and one more. */
static const lb_policy *load(lb_policies *p, const char *path, lb_diagnostics *diagnostics)
{
    for (size_t i = 0; i < p->loaded_count; i++)
        if (strcmp(p->loaded[i].path, path) == 0)
            return p->loaded[i].good ? &p->loaded[i].policy : NULL;
    lb_loaded_policy *l = &p->loaded[p->loaded_count++];
    l->path = strcpy(lb_resized(NULL, strlen(path) + 1), path);
    l->good = lb_policy_load(l->path, &l->policy, diagnostics);
    return l->good ? &l->policy : NULL;
}

/* "a/b/c.yaml" and level 0: "a/b/tolerance.yaml"; level 1: "a/tolerance.yaml". False: there is no
 * such file. */
static bool beside(const char *suite, int level, char *path, size_t path_bytes)
{
    char folder[4096];
    if (snprintf(folder, sizeof folder, "%s", suite) >= (int)sizeof folder)
        return false;
    char *slash = strrchr(folder, '/');
    const char *up = "";
    if (slash)
        *slash = '\0';
    else
        snprintf(folder, sizeof folder, ".");
    if (level > 0) {
        slash = strrchr(folder, '/');
        if (slash && strcmp(slash, "/..") != 0 && strcmp(slash, "/.") != 0)
            *slash = '\0';
        else
            up = "../";
    }
    bool here = strcmp(folder, ".") == 0 && !*up && !strchr(suite, '/');
    int length = here ? snprintf(path, path_bytes, FILE_NAME)
                      : snprintf(path, path_bytes, "%s/%s" FILE_NAME, folder, up);
    return length < (int)path_bytes && access(path, F_OK) == 0;
}

bool lb_policies_choose(const char *command, const char *option, const lb_plan *plan,
                        lb_policies *p)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    char path[4096 + 32];
    *p = (lb_policies){.off = option && strcmp(option, "off") == 0,
                       .asked = option != NULL,
                       .suite_count = plan->suite_count};
    p->of_suite = lb_resized(NULL, (plan->suite_count + 1) * sizeof(lb_policy *));
    p->loaded = lb_resized(NULL, (plan->suite_count + 1) * sizeof *p->loaded);
    for (size_t s = 0; s < plan->suite_count; s++) {
        bool is_file = !lb_suite_command(plan->suites[s]);
        p->of_suite[s] = NULL;
        if (option && (p->off || strcmp(option, "derived") == 0))
            continue;
        if (option)
            p->of_suite[s] = load(p, option, &diagnostics);
        else if (is_file && (beside(lb_suite_path(plan->suites[s]), 0, path, sizeof path) ||
                             beside(lb_suite_path(plan->suites[s]), 1, path, sizeof path)))
            p->of_suite[s] = load(p, path, &diagnostics);
    }
    if (diagnostics.count > 0)
        fprintf(stderr, "lastbit %s: the tolerance policy is wrong: nothing was run\n", command);
    return diagnostics.count == 0;
}

void lb_policies_free(lb_policies *p)
{
    for (size_t i = 0; i < p->loaded_count; i++) {
        lb_policy_free(&p->loaded[i].policy);
        free(p->loaded[i].path);
    }
    free(p->loaded);
    free(p->of_suite);
    *p = (lb_policies){.off = false};
}

size_t lb_policies_count(const lb_policies *p)
{
    return p->loaded_count;
}

const char *lb_policies_path(const lb_policies *p, size_t index)
{
    return p->loaded[index].path;
}

char *lb_policies_describe(const lb_policies *p)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        lb_out_of_memory(0);
    fputs(p->off ? "off" : "derived", stream);
    for (size_t i = 0; i < p->loaded_count; i++)
        fprintf(stream, ", %s %s", p->loaded[i].path, p->loaded[i].policy.sha256);
    if (fclose(stream) != 0 || !text)
        lb_out_of_memory(0);
    return text;
}
