/* The strength of suites as another command measured it: see statement.h. */
#include "statement.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 256 << 20 };

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    *length = 0;
    if (file == NULL) {
        return NULL;
    }
    for (size_t room = 1 << 16, got = 1; got > 0 && room < MAX_BYTES; room *= 2) {
        char *longer = realloc(text, room);
        if (longer == NULL) {
            break;
        }
        text = longer;
        got = fread(text + *length, 1, room - *length, file);
        *length += got;
    }
    fclose(file);
    return text;
}

static bool take_count(const cJSON *root, const char *key, uint64_t *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, key);
    bool good = cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < 1e15;
    *value = good ? (uint64_t)item->valuedouble : 0;
    return good;
}

bool lb_strength_read(const char *path, lb_strength_told *told, char *error, size_t error_bytes)
{
    size_t length;
    errno = 0;
    char *text = read_file(path, &length);
    if (text == NULL) {
        snprintf(error, error_bytes, "%s: %s", path, strerror(errno));
        return false;
    }
    cJSON *root = cJSON_ParseWithLength(text, length);
    const char *level = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "level"));
    bool good = take_count(root, "faults", &told->faults) &&
                take_count(root, "caught", &told->caught) && told->faults > 0 &&
                told->caught <= told->faults;
    snprintf(told->level, sizeof told->level, "%s", level != NULL ? level : "");
    if (!good) {
        snprintf(error, error_bytes,
                 "%s: expected the output of \"lastbit vectors strength --json\", with \"faults\" "
                 "and \"caught\"",
                 path);
    }
    cJSON_Delete(root);
    free(text);
    return good;
}
