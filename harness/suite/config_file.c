/* Files with members of known names: see config_file.h. */
#include "harness/suite/config_file.h"
#include "harness/base/suggest.h"
#include "harness/json/yaml_reader.h"

#include <string.h>

typedef struct loader {
    const lb_member_format *format;
    void *user;
    lb_arena *arena;
    lb_problems *problems;
    bool seen[LB_MEMBER_KEYS_MAX];
} loader;

static const char *key_at(const void *set, size_t index)
{
    const lb_member_format *format = set;
    return index < (size_t)format->key_count ? format->keys[index].name : NULL;
}

static int find_key(const lb_member_format *format, const char *name)
{
    int key = 0;
    while (key < format->key_count && strcmp(format->keys[key].name, name) != 0)
        key++;
    return key;
}

static void check_format(const lb_member_format *format, lb_decoder *d, const cJSON *node)
{
    const char *due = format->keys[LB_MEMBER_FORMAT].due, *text = lb_read_text(d, node);
    if (!text || strcmp(text, due) == 0)
        return;
    lb_complain(d, node, NULL, due, "\"%.80s\" is not the format of %s", text, format->kind);
    lb_problems_stop(d->problems); /* the rules of another format are not known */
}

static void take_member(void *user, const lb_document *document)
{
    loader *l = user;
    lb_decoder d = {
        .document = document, .problems = l->problems, .arena = l->arena, .case_id = ""};
    const int key = find_key(l->format, document->prefix);
    if (key == l->format->key_count) {
        char remedy[400];
        lb_suggest_text(document->prefix, key_at, l->format, remedy, sizeof remedy);
        lb_complain_key(&d, document->root, remedy, "unknown key");
    } else if (l->seen[key]) {
        lb_complain_key(&d, document->root, "each key stands once in a file",
                        "the key stands here a second time");
    } else {
        l->seen[key] = true;
        if (key == LB_MEMBER_FORMAT)
            check_format(l->format, &d, document->root);
        else
            l->format->take(l->user, &d, key, document);
    }
}

/* A list under the unknown key "cases" comes entry by entry; the key has been told of. */
static void pass_over(void *user, const lb_document *document)
{
    (void)user;
    (void)document;
}

void lb_member_file_read(const char *text, size_t length, const lb_member_format *format,
                         void *user, lb_arena *arena, lb_problems *problems)
{
    loader l = {.format = format, .user = user, .arena = arena, .problems = problems};
    const lb_yaml_sink sink = {
        .member = take_member, .test_case = pass_over, .user = &l, .rule = format->rule};
    lb_yaml_read(text, length, &sink, problems);
    const bool understood = problems->found == 0 || l.seen[LB_MEMBER_FORMAT];
    for (int key = 0; key < format->key_count && understood; key++)
        if (format->keys[key].due && !l.seen[key])
            lb_problem(problems, (lb_place){.line = 1, .key = format->keys[key].name},
                       format->keys[key].due, "the key is missing");
}
