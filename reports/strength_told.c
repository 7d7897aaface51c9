/* The strength of suites as another command measured it: see statement.h. */
#include "json_read.h"
#include "statement.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 256 << 20 };

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    *length = 0;
    if (!file)
        return NULL;
    for (size_t room = 1 << 16, got = 1; got > 0 && room < MAX_BYTES; room *= 2) {
        char *longer = realloc(text, room);
        if (!longer)
            break;
        text = longer;
        got = fread(text + *length, 1, room - *length, file);
        *length += got;
    }
    fclose(file);
    return text;
}

bool lb_strength_read(const char *path, lb_strength_told *told, char *error, size_t error_bytes)
{
    size_t length;
    *told = (lb_strength_told){0};
    errno = 0;
    char *text = read_file(path, &length);
    if (!text) {
        snprintf(error, error_bytes, "%s: %s", path, strerror(errno));
        return false;
    }
    cJSON *root = told->document = cJSON_ParseWithLength(text, length);
    const char *level = lb_json_text(root, "level");
    bool good = lb_json_count(root, "faults", &told->faults) &&
                lb_json_count(root, "caught", &told->caught) && told->faults > 0 &&
                told->caught <= told->faults;
    free(text);
    snprintf(told->level, sizeof told->level, "%s", level ? level : "");
    if (!good) {
        lb_strength_told_free(told);
        snprintf(error, error_bytes,
                 "%s: expected the output of \"lastbit vectors strength --json\", with \"faults\" "
                 "and \"caught\"",
                 path);
    }
    return good;
}

void lb_strength_told_free(lb_strength_told *told)
{
    cJSON_Delete(told->document);
    told->document = NULL;
}
