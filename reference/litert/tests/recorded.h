/* Reading the recordings of LiteRT, for tests of its models. */
#ifndef LB_TEST_LITERT_RECORDED_H
#define LB_TEST_LITERT_RECORDED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline const cJSON *item_of(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static inline const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(item_of(object, key));
    return text ? text : "";
}

/* Every line of every suite of the folder, headers among them. */
static inline void each_recorded_line(void (*take)(const char *line))
{
    static const char folder_name[] = LASTBIT_SOURCE_DIR "/vectors/litert/recorded";
    static char line[1 << 20];
    char path[1024];
    DIR *folder = opendir(folder_name);
    assert_non_null(folder);
    for (struct dirent *e; (e = readdir(folder)) != NULL;) {
        const char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".jsonl") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder_name, e->d_name);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        while (fgets(line, sizeof line, file)) {
            assert_non_null(strchr(line, '\n'));
            take(line);
        }
        fclose(file);
    }
    closedir(folder);
}

#endif
