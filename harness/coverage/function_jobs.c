/* Functions in processes side by side: see function_jobs.h. */
#include "harness/coverage/function_jobs.h"
#include "harness/base/child.h"
#include "harness/base/xalloc.h"
#include "reference/describe/kernels.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_JOBS = 64 };

/* Each line stands behind the number of its function. */
static bool work_on(const lb_function_jobs *jobs, size_t kernel, FILE *out)
{
    char *text = NULL, *rest = NULL;
    size_t bytes = 0;
    FILE *lines = open_memstream(&text, &bytes);
    bool good = lines && jobs->each(jobs->user, kernel, lines);
    good = lines && fclose(lines) == 0 && good;
    for (char *line = good ? strtok_r(text, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest))
        fprintf(out, "%zu\t%s\n", kernel, line);
    free(text);
    return good && fflush(out) == 0 && !ferror(out);
}

static bool work(const lb_function_jobs *jobs, atomic_size_t *next, FILE *out)
{
    bool good = true;
    size_t kernel;
    while (good && (kernel = atomic_fetch_add(next, 1)) < lb_kernel_total())
        if (jobs->wanted[kernel])
            good = work_on(jobs, kernel, out);
    return good;
}

static pid_t start(const lb_function_jobs *jobs, atomic_size_t *next, FILE *out)
{
    pid_t child = lb_child_start();
    if (child == 0) {
        bool good = work(jobs, next, out);
        lb_child_exit(good ? 0 : 1);
    }
    return child;
}

static bool is_over_well(pid_t child)
{
    return lb_child_wait(child) == 0;
}

static void tell_lines(const lb_function_jobs *jobs, FILE *from)
{
    char *line = NULL, *rest;
    size_t room = 0;
    ssize_t length;
    rewind(from);
    while ((length = getline(&line, &room, from)) > 0) {
        size_t kernel = strtoul(line, &rest, 10);
        line[length - 1] = 0;
        if (*rest == '\t' && kernel < lb_kernel_total())
            jobs->line(jobs->user, kernel, rest + 1);
    }
    free(line);
}

bool lb_function_jobs_run(const lb_function_jobs *jobs)
{
    unsigned count = jobs->jobs < 1 ? 1 : jobs->jobs > MAX_JOBS ? MAX_JOBS : jobs->jobs, made = 0;
    FILE *files[MAX_JOBS];
    pid_t children[MAX_JOBS];
    bool good = true;
    atomic_size_t *next = lb_zeroed_shared(sizeof *next);
    atomic_init(next, 0);
    for (; made < count && (files[made] = tmpfile()) != NULL; made++)
        children[made] = start(jobs, next, files[made]);
    if (made < count)
        perror("lastbit vectors: a temporary file");
    for (unsigned i = 0; i < made; i++)
        good = is_over_well(children[i]) && good;
    if (!good)
        fprintf(stderr, "lastbit vectors: a process that tried faults has failed\n");
    for (unsigned i = 0; i < made; i++) {
        if (good && made == count)
            tell_lines(jobs, files[i]);
        fclose(files[i]);
    }
    lb_shared_give_back(next, sizeof *next);
    return good && made == count;
}
