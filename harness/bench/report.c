/* Reports of benchmarks: see report.h. */
#include "harness/bench/report.h"
#include "harness/base/arena.h"
#include "harness/base/command_line.h"
#include "harness/run/write_results.h"

#include "reports/render.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

static const char *command_text(lb_arena *arena, int argc, char **argv)
{
    const char *text = "lastbit";
    for (int i = 0; i < argc; i++)
        text = lb_arena_printf(arena, "%s %s", text, argv[i]);
    return text;
}

static const char *platform_text(lb_arena *arena)
{
    struct utsname machine;
    return uname(&machine) == 0 ? lb_arena_printf(arena, "%s %s %s", machine.sysname,
                                                  machine.release, machine.machine)
                                : "";
}

static bool write_results(const char *path, const lb_run_info *info)
{
    const lb_tally none = {{0}};
    FILE *file = fopen(path, "w");
    bool good = file && lb_results_write_head(file, info, &none) && lb_results_write_tail(file);
    if (file)
        good = fclose(file) == 0 && good;
    if (!good)
        fprintf(stderr, "lastbit bench: %s: cannot write: %s\n", path, strerror(errno));
    return good;
}

bool lb_bench_report(const char *folder, const lb_port *port, const lb_profile *profile,
                     const lb_speed *speed, size_t count, int argc, char **argv)
{
    lb_arena arena = {0};
    char started[32];
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", &utc);
    const lb_run_info info = {.tool_version = lb_version(),
                              .tool_commit = lb_commit,
                              .started = started,
                              .command = command_text(&arena, argc, argv),
                              .port = port->name,
                              .port_described = port->described,
                              .port_target = port->target,
                              .port_compiler = port->compiler,
                              .port_options = port->build_options,
                              .port_library_options = port->library_options,
                              .port_contradiction = port->contradiction,
                              .host = platform_text(&arena),
                              .host_compiler = lb_compiler_name(),
                              .profile_count = 1,
                              .profiles = &(const char *){profile->name},
                              .shard_index = 1,
                              .shard_count = 1,
                              .speed_count = count,
                              .speed = speed};
    const char *results = lb_arena_printf(&arena, "%s/results.json", folder);
    bool good =
        lb_make_folder(folder) && lb_documents_remove(folder, LB_OF_BENCH) &&
        write_results(results, &info) &&
        lb_render_all(LB_OF_BENCH, results, &(lb_render_extras){.lcov_link = ""}, folder) == 0;
    lb_arena_free(&arena);
    return good;
}
