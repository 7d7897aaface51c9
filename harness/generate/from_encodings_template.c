/* Templates of vectors from-encodings: a YAML file like a suite. See from_encodings.h. */
#include "harness/base/utf8.h"
#include "harness/base/xalloc.h"
#include "harness/generate/from_encodings.h"
#include "harness/json/text_file.h"
#include "harness/json/yaml_reader.h"
#include "harness/suite/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEMPLATE_BYTES = 1 << 26 };

typedef struct loader {
    lb_template *t;
    lb_problems *problems;
    const char *encodings;
    bool has_format;
} loader;

static const char format_name[] = "lastbit/template-1";

/* ---- The header ---- */

static void complain(loader *l, const lb_document *document, const cJSON *node, const char *remedy,
                     const char *problem)
{
    lb_place place = {.key = document->prefix};
    lb_document_position(document, node, false, &place.line, &place.column);
    lb_problem(l->problems, place, remedy, "%s", problem);
}

static const char *text_of(loader *l, const lb_document *document, const cJSON *node)
{
    if (cJSON_IsString(node) && node->valuestring[0] &&
        lb_utf8_is_printable(node->valuestring, strlen(node->valuestring)))
        return lb_arena_strdup(&l->t->arena, node->valuestring);
    complain(l, document, node, "expected a printable text", "this is none");
    return NULL;
}

static void read_tensor(loader *l, const lb_document *document, const cJSON *node)
{
    static const char *const types[] = {"sa8", "sa32", "fx16", "fx8"};
    lb_template_tensor tensor = {.name = NULL};
    for (const cJSON *member = node->child; member; member = member->next) {
        if (strcmp(member->string, "name") == 0 && cJSON_IsString(member)) {
            tensor.name = lb_arena_strdup(&l->t->arena, member->valuestring);
        } else if (strcmp(member->string, "type") == 0 && cJSON_IsString(member)) {
            for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
                if (strcmp(member->valuestring, types[i]) == 0)
                    tensor.type = types[i];
            if (!tensor.type)
                complain(l, document, member, "sa8, sa32, fx16 or fx8", "unknown type");
        } else if (strcmp(member->string, "round_trip") == 0 && cJSON_IsBool(member)) {
            tensor.no_round_trip = cJSON_IsFalse(member);
        } else {
            complain(l, document, member,
                     "a tensor has name (text), type (text) and round_trip (true or false)",
                     "unknown key, or a value of another kind");
        }
    }
    if (!tensor.name) {
        complain(l, document, node, "each entry names a tensor of the encodings file",
                 "the key \"name\" is missing");
        return;
    }
    l->t->tensors = lb_room_for_one(l->t->tensors, l->t->tensor_count, &l->t->tensor_capacity,
                                    sizeof *l->t->tensors);
    l->t->tensors[l->t->tensor_count++] = tensor;
}

static void read_member(void *user, const lb_document *document)
{
    loader *l = user;
    const cJSON *node = document->root;
    const char *key = document->prefix;
    if (strcmp(key, "format") == 0) {
        l->has_format = cJSON_IsString(node) && strcmp(node->valuestring, format_name) == 0;
        if (!l->has_format)
            complain(l, document, node, "lastbit/template-1", "the file is no template");
    } else if (strcmp(key, "suite") == 0) {
        l->t->suite = text_of(l, document, node);
        if (l->t->suite && strlen(l->t->suite) > LB_MAX_ID_BYTES)
            complain(l, document, node, "at most 150 bytes", "the name is too long");
    } else if (strcmp(key, "round_trips") == 0 && cJSON_IsBool(node)) {
        l->t->no_round_trips = cJSON_IsFalse(node);
    } else if (strcmp(key, "tensors") == 0 && cJSON_IsArray(node)) {
        for (const cJSON *entry = node->child; entry; entry = entry->next)
            read_tensor(l, document, entry);
    } else if (strcmp(key, "cases") != 0 && strcmp(key, "note") != 0) {
        complain(l, document, node,
                 "a template has format, suite, note, round_trips (true or false), tensors (a "
                 "list), cases",
                 "unknown key, or a value of another kind");
    }
}

/* ---- Cases ---- */

/* Numbers of a bias that did not fit its 32 bits: the case is made all the same. */
static void warn_of_clamped(const loader *l, const lb_case *c)
{
    for (lb_case_place p = LB_CASE_START; lb_case_next(c, &p);)
        if (p.t->clamped)
            fprintf(stderr, "%s: warning: case %s: W_BIAS_RANGE: %s: %s, where int32 ends\n",
                    l->t->path, c->id, lb_role_name((lb_role)p.role), p.t->clamped);
}

static void read_case(void *user, const lb_document *document)
{
    loader *l = user;
    lb_document with_file = *document;
    lb_arena arena = {0};
    lb_case c = {.id = NULL};
    with_file.encodings = l->encodings;
    with_file.prepares = true;
    if (lb_decode_case(&with_file, l->problems, &arena, &c)) {
        lb_template *t = l->t;
        warn_of_clamped(l, &c);
        const lb_kernel_set *set = lb_kernel_sets[c.kernel ? c.kernel->set : LB_SET_MLI];
        if (t->set && t->set != set)
            complain(l, document, document->root, "a suite of its own for each set",
                     "functions of two kernel sets in one template");
        t->set = set;
        t->cases = lb_room_for_one(t->cases, t->case_count, &t->case_capacity, sizeof *t->cases);
        t->cases[t->case_count++] = cJSON_Duplicate(document->root, true);
    }
    lb_arena_free(&arena);
}

/* ---- The file ---- */

bool lb_template_read(const char *path, const char *encodings, lb_template *t,
                      lb_diagnostics *diagnostics)
{
    lb_problems problems = {.diagnostics = diagnostics, .file = path};
    loader l = {.t = t, .problems = &problems, .encodings = encodings};
    lb_yaml_sink sink = {.member = read_member,
                         .test_case = read_case,
                         .user = &l,
                         .rule = "a template has the keys format and cases"};
    size_t length;
    t->path = path;
    t->text = lb_small_file_read(path, "template", MAX_TEMPLATE_BYTES, &length, &problems);
    if (!t->text)
        return false;
    lb_yaml_read(t->text, length, &sink, &problems);
    if (problems.found == 0 && !l.has_format)
        lb_problem(&problems, (lb_place){.line = 1, .key = "format"}, format_name,
                   "the key is missing");
    return problems.found == 0;
}

void lb_template_free(lb_template *t)
{
    for (size_t i = 0; i < t->case_count; i++)
        cJSON_Delete(t->cases[i]);
    lb_arena_free(&t->arena);
    free(t->tensors);
    free(t->cases);
    free(t->text);
}
