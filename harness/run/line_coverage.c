/* Line and branch coverage from a tracefile of lcov: see line_coverage.h. Its lines are KEY:VALUE;
 * SF begins a file, end_of_record ends it. */
#include "harness/run/line_coverage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[LB_MAX_ROOMS] = {"reference", "impl", "harness", "reports"};

/* The room of a source file, or -1: the last folder in its path that is one. */
static int room_of(const char *path)
{
    int found = -1;
    const char *last = NULL;
    for (int i = 0; i < LB_MAX_ROOMS; i++) {
        char folder[32];
        snprintf(folder, sizeof folder, "/%s/", names[i]);
        for (const char *at = strstr(path, folder); at; at = strstr(at + 1, folder))
            if (!last || at > last) {
                last = at;
                found = i;
            }
    }
    return found;
}

static void count(lb_line_coverage *room, const char *line)
{
    static const struct {
        const char *key;
        size_t member;
    } keys[] = {{"LF:", offsetof(lb_line_coverage, lines)},
                {"LH:", offsetof(lb_line_coverage, lines_hit)},
                {"BRF:", offsetof(lb_line_coverage, branches)},
                {"BRH:", offsetof(lb_line_coverage, branches_hit)}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strncmp(line, keys[i].key, strlen(keys[i].key)) == 0) {
            uint64_t *sum = (uint64_t *)(void *)((unsigned char *)room + keys[i].member);
            *sum += strtoull(line + strlen(keys[i].key), NULL, 10);
        }
}

static bool read_records(FILE *file, lb_line_coverage all[LB_MAX_ROOMS])
{
    char *line = NULL;
    size_t room_bytes = 0;
    ssize_t length;
    int room = -1;
    bool any = false;
    while ((length = getline(&line, &room_bytes, file)) > 0) {
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
        if (strncmp(line, "SF:", 3) == 0) {
            room = room_of(line + 3);
            any = true;
        } else if (strcmp(line, "end_of_record") == 0) {
            room = -1;
        } else if (room >= 0) {
            count(&all[room], line);
        }
    }
    free(line);
    return any;
}

int lb_lines_read(const char *path, lb_line_coverage rooms[LB_MAX_ROOMS])
{
    lb_line_coverage all[LB_MAX_ROOMS] = {{.room = ""}};
    FILE *file = fopen(path, "r");
    int found = 0;
    if (!file)
        return fprintf(stderr, "lastbit: %s: cannot be read: %s\n", path, strerror(errno)), -1;
    bool good = read_records(file, all);
    fclose(file);
    if (!good)
        return fprintf(stderr,
                       "lastbit: %s: no tracefile of lcov: it has no line SF:PATH; ci/coverage "
                       "makes one\n",
                       path),
               -1;
    for (int i = 0; i < LB_MAX_ROOMS; i++)
        if (all[i].lines > 0) {
            rooms[found] = all[i];
            rooms[found].room = names[i];
            rooms[found++].link = "";
        }
    return found;
}
