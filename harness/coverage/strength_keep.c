/* Kept rows of strength: see strength_keep.h. */
#include "harness/coverage/strength_keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool complain(const char *path, const char *what)
{
    fprintf(stderr, "lastbit vectors strength: %s: %s\n", path, what);
    return false;
}

/* A line is a row, or the subject, which every shard's file begins with. A line that was broken off
 * is measured again. */
static bool take_line(lb_strength_kept *kept, const char *line, const char *subject,
                      const char *path)
{
    cJSON *row = cJSON_Parse(line);
    if (cJSON_GetObjectItem(row, "strength_of")) {
        bool same = strcmp(line, subject) == 0;
        cJSON_Delete(row);
        return same || complain(path, "it was measured on other suites or with other options: "
                                      "remove it, or name another file");
    }
    if (cJSON_GetStringValue(cJSON_GetObjectItem(row, "function")) &&
        cJSON_GetStringValue(cJSON_GetObjectItem(row, "profile")))
        cJSON_AddItemToArray(kept->rows, row);
    else
        cJSON_Delete(row);
    return true;
}

static bool take_lines(lb_strength_kept *kept, FILE *in, const char *subject, const char *path)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool good = true;
    for (size_t number = 1; good && (length = getline(&line, &room, in)) > 0; number++) {
        line[strcspn(line, "\n")] = '\0';
        good = (number > 1 || strcmp(line, subject) == 0 || strchr(line, '{')) ||
               complain(path, "expected rows of strength, one a line");
        good = good && take_line(kept, line, subject, path);
    }
    free(line);
    return good;
}

/* A line that was broken off must not run into the next one. */
static bool begin_line(const lb_strength_kept *kept, const char *subject)
{
    off_t end = lseek(kept->file, 0, SEEK_END);
    char last = '\n';
    if (end == 0)
        return lb_strength_keep(kept, subject);
    return pread(kept->file, &last, 1, end - 1) == 1 &&
           (last == '\n' || write(kept->file, "\n", 1) == 1);
}

bool lb_strength_keep_open(lb_strength_kept *kept, const char *path, const char *subject)
{
    *kept = (lb_strength_kept){.file = -1, .rows = cJSON_CreateArray()};
    FILE *in = fopen(path, "r");
    bool good = in ? take_lines(kept, in, subject, path)
                   : errno == ENOENT || complain(path, strerror(errno));
    if (in)
        fclose(in);
    if (!good)
        return false;
    kept->file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    return (kept->file >= 0 && begin_line(kept, subject)) || complain(path, strerror(errno));
}

const cJSON *lb_strength_kept_row(const lb_strength_kept *kept, const char *function,
                                  const char *profile)
{
    const cJSON *rows = kept ? kept->rows : NULL, *row;
    cJSON_ArrayForEach(row, rows)
    {
        if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(row, "function")), function) == 0 &&
            strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(row, "profile")), profile) == 0)
            return row;
    }
    return NULL;
}

/* One write for a line: processes side by side append to the same file. */
bool lb_strength_keep(const lb_strength_kept *kept, const char *row)
{
    char *line = NULL;
    int length = asprintf(&line, "%s\n", row);
    bool good = length > 0 && write(kept->file, line, (size_t)length) == length;
    free(line);
    return good;
}

void lb_strength_keep_close(lb_strength_kept *kept)
{
    if (kept->file >= 0)
        close(kept->file);
    cJSON_Delete(kept->rows);
    *kept = (lb_strength_kept){.file = -1};
}
