/* The recorded cases (litert.21), read from vectors/litert/recorded one after the other. */
#ifndef LB_LITERT_TESTS_RECORDED_H
#define LB_LITERT_TESTS_RECORDED_H

#include "calls.h"

#include <cjson/cJSON.h>
#include <dirent.h>

#define RECORDED LASTBIT_SOURCE_DIR "/vectors/litert/recorded"

/* What is done with a case; line: the whole of it. */
typedef void visit_fn(const char *file, const cJSON *line, test_case *c);

static inline const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : "";
}

static inline int64_t *values_of(const cJSON *list, size_t *count)
{
    size_t at = 0;
    *count = (size_t)cJSON_GetArraySize(list);
    int64_t *values = malloc((*count + 1) * sizeof *values);
    assert_non_null(values);
    for (const cJSON *v = list ? list->child : NULL; v; v = v->next) {
        assert_true(cJSON_IsNumber(v));
        values[at++] = (int64_t)v->valuedouble;
    }
    return values;
}

static inline void read_tensor(const cJSON *item, tensor *t)
{
    const cJSON *shape = cJSON_GetObjectItemCaseSensitive(item, "shape"), *size;
    const cJSON *data = cJSON_GetObjectItemCaseSensitive(item, "data");
    size_t count;
    cJSON_ArrayForEach(size, shape)
    {
        assert_true(t->rank < LB_LITERT_MAX_RANK);
        t->shape[t->rank++] = (int32_t)size->valuedouble;
    }
    count_elements(t);
    if (!data)
        return;
    t->values = values_of(data, &count);
    assert_int_equal(count, t->count);
}

static inline void read_case(const cJSON *line, test_case *c)
{
    const cJSON *item;
    const char *function = text_of(line, "function");
    memset(c, 0, sizeof *c);
    c->whole = true;
    assert_int_equal(strncmp(function, "litert_", 7), 0);
    snprintf(c->function, sizeof c->function, "%s", function + 7);
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(line, "config"))
    {
        entry *e = add_entry(c->config, &c->configs, item->string);
        e->number = item->valuedouble;
        snprintf(e->word, sizeof e->word, "%s", item->valuestring ? item->valuestring : "");
    }
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(line, "inputs"))
        read_tensor(item, add_tensor(c->input, &c->inputs, MAX_ROLES, item->string,
                                     bits_of(text_of(item, "type"))));
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(line, "outputs")) read_tensor(
        item, add_tensor(c->output, &c->outputs, 2, item->string, bits_of(text_of(item, "type"))));
}

static inline void visit_line(const char *file, const char *text, visit_fn *visit)
{
    test_case c;
    cJSON *line = cJSON_Parse(text);
    if (!line)
        fail_msg("%s: a line that is no JSON: %.60s", file, text);
    if (!cJSON_HasObjectItem(line, "format")) {
        read_case(line, &c);
        if (!is_known(c.function))
            fail_msg("%s: %s: there is no function %s", file, text_of(line, "id"), c.function);
        visit(file, line, &c);
        release_values(&c);
    }
    cJSON_Delete(line);
}

static inline char *read_whole(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, RECORDED "/%s", name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be opened", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t bytes = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(bytes + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, bytes, file), bytes);
    text[bytes] = '\0';
    fclose(file);
    return text;
}

static inline void visit_file(const char *name, visit_fn *visit)
{
    char *text = read_whole(name), *end;
    for (char *line = text; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        if (*line)
            visit_line(name, line, visit);
    }
    free(text);
}

static inline void visit_recorded(visit_fn *visit)
{
    DIR *folder = opendir(RECORDED);
    assert_non_null(folder);
    for (struct dirent *e; (e = readdir(folder)) != NULL;) {
        const char *dot = strrchr(e->d_name, '.');
        if (dot && strcmp(dot, ".jsonl") == 0)
            visit_file(e->d_name, visit);
    }
    closedir(folder);
}

#endif
