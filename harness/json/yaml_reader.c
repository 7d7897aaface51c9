/* YAML events into trees: see yaml_reader.h. */
#include "harness/json/yaml_reader.h"
#include "harness/base/xalloc.h"
#include "harness/json/scan.h"
#include "harness/json/yaml_scalar.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum {
    MAX_ANCHORS = 1000,
    /* values, and bytes of texts, made by aliases in a file: a few lines can ask for billions */
    MAX_ALIAS_NODES = 1 << 20,
    MAX_ALIAS_BYTES = 64 << 20
};

typedef struct anchor {
    const char *name;
    const cJSON *node; /* NULL while its value is being read */
} anchor;

typedef struct reader {
    const char *text;
    size_t length;
    lb_problems *problems;
    yaml_parser_t parser;
    lb_arena tree; /* of the piece at hand */
    lb_arena kept; /* anchored values, for the whole file */
    anchor anchors[MAX_ANCHORS];
    size_t anchor_count;
    size_t alias_nodes, alias_bytes;
    /* how far lines have been counted: pieces come in order */
    size_t counted_characters, counted_bytes;
    unsigned counted_line;
    bool failed;
} reader;

/* ---- Problems and places ---- */

static void refuse(reader *r, yaml_mark_t mark, const char *remedy, const char *problem)
{
    lb_place place = {0};
    if (r->failed)
        return;
    r->failed = true;
    lb_text_position(r->text, lb_text_offset(r->text, r->length, mark.index), 1, &place.line,
                     &place.column);
    lb_problem(r->problems, place, remedy, "%s", problem);
}

/* libyaml's own words for what it does not like. */
static void refuse_syntax(reader *r)
{
    const yaml_parser_t *p = &r->parser;
    lb_place place = {0};
    size_t offset = p->error == YAML_READER_ERROR
                        ? p->problem_offset
                        : lb_text_offset(r->text, r->length, p->problem_mark.index);
    if (r->failed)
        return;
    r->failed = true;
    lb_text_position(r->text, offset < r->length ? offset : r->length, 1, &place.line,
                     &place.column);
    lb_problem(r->problems, place,
               "tabs cannot indent, and a text with \": \" or \" #\" in it needs quotes",
               "not YAML: %s%s%s", p->problem ? p->problem : "unknown error",
               p->context ? ", " : "", p->context ? p->context : "");
}

/* Line of a character; asked in ascending order, so that all lines together are counted once. */
static unsigned line_of(reader *r, size_t character)
{
    while (r->counted_characters < character && r->counted_bytes < r->length) {
        r->counted_line += r->text[r->counted_bytes] == '\n';
        do
            r->counted_bytes++;
        while (r->counted_bytes < r->length &&
               ((unsigned char)r->text[r->counted_bytes] & 0xC0) == 0x80);
        r->counted_characters++;
    }
    return r->counted_line;
}

/* ---- Events ---- */

static bool next_event(reader *r, yaml_event_t *event)
{
    if (r->failed)
        return false;
    if (!yaml_parser_parse(&r->parser, event)) {
        refuse_syntax(r);
        return false;
    }
    return true;
}

/* The next event, which ends or begins something and holds nothing of interest. */
static yaml_event_type_t next_type(reader *r, yaml_mark_t *mark)
{
    yaml_event_t event;
    if (!next_event(r, &event))
        return YAML_NO_EVENT;
    yaml_event_type_t type = event.type;
    *mark = event.start_mark;
    yaml_event_delete(&event);
    return type;
}

/* ---- Trees ---- */

static char *copy_text(reader *r, lb_arena *arena, const char *text)
{
    r->alias_bytes += strlen(text) + 1;
    return lb_arena_strdup(arena, text);
}

/* A copy of a tree in the arena, whose nodes all stand at `mark`. NULL if the copy would be too
 * deep, or too much has been copied. */
static cJSON *copy_tree(reader *r, lb_arena *arena, const cJSON *from, unsigned depth, lb_mark mark)
{
    const lb_mark below = {mark.value, mark.value};
    cJSON *copy = lb_document_node(arena, from->type);
    cJSON *last = NULL;
    bool too_deep = depth > LB_MAX_DEPTH && (cJSON_IsArray(from) || cJSON_IsObject(from));
    if (too_deep || ++r->alias_nodes > MAX_ALIAS_NODES || r->alias_bytes > MAX_ALIAS_BYTES)
        return NULL;
    lb_node_set_place(copy, mark);
    copy->valuedouble = from->valuedouble;
    if (from->valuestring)
        copy->valuestring = copy_text(r, arena, from->valuestring);
    for (const cJSON *child = from->child; child; child = child->next) {
        cJSON *child_copy = copy_tree(r, arena, child, depth + 1, below);
        if (!child_copy)
            return NULL;
        if (child->string)
            child_copy->string = copy_text(r, arena, child->string);
        lb_document_append(copy, last, child_copy);
        last = child_copy;
    }
    return copy;
}

static cJSON *expand_alias(reader *r, const yaml_event_t *event, size_t key_index, unsigned depth)
{
    const char *name = (const char *)event->data.alias.anchor;
    lb_mark mark = {key_index, event->start_mark.index};
    for (size_t i = r->anchor_count; i-- > 0;) {
        if (strcmp(r->anchors[i].name, name) != 0)
            continue;
        if (!r->anchors[i].node) {
            refuse(r, event->start_mark, "", "an alias inside the value of its own anchor");
            return NULL;
        }
        cJSON *copy = copy_tree(r, &r->tree, r->anchors[i].node, depth, mark);
        if (!copy)
            refuse(r, event->start_mark, "write the values out",
                   r->alias_nodes > MAX_ALIAS_NODES
                       ? "the aliases of this file make more than 1048576 values"
                   : r->alias_bytes > MAX_ALIAS_BYTES
                       ? "the aliases of this file make more than 64 MiB of text"
                       : "the alias makes lists and objects more than 64 deep");
        return copy;
    }
    refuse(r, event->start_mark, "an anchor &name stands before its alias *name",
           "an alias without anchor");
    return NULL;
}

/* Notes an anchor before its value is read; its number, or -1 if the value has none (or there are
 * too many). */
static int open_anchor(reader *r, const yaml_char_t *name, yaml_mark_t mark)
{
    if (!name)
        return -1;
    if (r->anchor_count == MAX_ANCHORS) {
        refuse(r, mark, "", "more than 1000 anchors in a file");
        return -1;
    }
    r->anchors[r->anchor_count] = (anchor){lb_arena_strdup(&r->kept, (const char *)name), NULL};
    return (int)r->anchor_count++;
}

static void close_anchor(reader *r, int number, const cJSON *node, yaml_mark_t mark)
{
    if (number < 0 || !node)
        return;
    r->anchors[number].node = copy_tree(r, &r->kept, node, 0, (lb_mark){0});
    if (!r->anchors[number].node)
        refuse(r, mark, "write the values out", "the anchors of this file hold too many values");
}

static bool has_nul(const yaml_event_t *event)
{
    return strlen((const char *)event->data.scalar.value) != event->data.scalar.length;
}

static cJSON *read_scalar(reader *r, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    if (has_nul(event)) {
        refuse(r, event->start_mark, "leave the character out", "a NUL character in a text");
        return NULL;
    }
    if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
        return lb_yaml_plain_scalar(&r->tree, text);
    cJSON *node = lb_document_node(&r->tree, cJSON_String);
    node->valuestring = lb_arena_strdup(&r->tree, text);
    return node;
}

static cJSON *read_node(reader *r, yaml_event_t *event, size_t key_index, unsigned depth);

/* The key that an event of a mapping gives, in the arena; NULL (reported) if it can be none. */
static char *read_key(reader *r, const yaml_event_t *event)
{
    if (event->type != YAML_SCALAR_EVENT) {
        refuse(r, event->start_mark, "keys are plain words",
               "a key that is a list, an object or an alias");
        return NULL;
    }
    bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    const char *text = (const char *)event->data.scalar.value;
    const char *problem = NULL;
    if (event->data.scalar.tag)
        problem = "a tag; suites need none";
    else if (event->data.scalar.anchor)
        problem = "an anchor at a key";
    else if (has_nul(event))
        problem = "a NUL character in a key";
    else if (plain && strcmp(text, "<<") == 0)
        problem = "a merge key; write the keys out";
    if (problem)
        refuse(r, event->start_mark, "", problem);
    return problem ? NULL : lb_arena_strdup(&r->tree, text);
}

/* Entries up to the end event of the list or object. */
static bool read_children(reader *r, cJSON *parent, unsigned depth)
{
    bool object = cJSON_IsObject(parent);
    cJSON *last = NULL;
    for (;;) {
        yaml_event_t event;
        char *key = NULL;
        if (!next_event(r, &event))
            return false;
        bool end = event.type == YAML_MAPPING_END_EVENT || event.type == YAML_SEQUENCE_END_EVENT;
        size_t key_index = event.start_mark.index;
        if (object && !end) {
            key = read_key(r, &event);
            yaml_event_delete(&event);
            if (!key || !next_event(r, &event))
                return false;
        }
        cJSON *child = end ? NULL : read_node(r, &event, key_index, depth + 1);
        yaml_event_delete(&event);
        if (end || !child)
            return end;
        child->string = key;
        lb_document_append(parent, last, child);
        last = child;
    }
}

/* The value that begins with the event. NULL after an error (reported). The caller deletes the
 * event. */
static cJSON *read_node(reader *r, yaml_event_t *event, size_t key_index, unsigned depth)
{
    if (event->type == YAML_ALIAS_EVENT)
        return expand_alias(r, event, key_index, depth);
    bool scalar = event->type == YAML_SCALAR_EVENT;
    bool list = event->type == YAML_SEQUENCE_START_EVENT;
    const yaml_char_t *tag = scalar ? event->data.scalar.tag
                             : list ? event->data.sequence_start.tag
                                    : event->data.mapping_start.tag;
    const yaml_char_t *name = scalar ? event->data.scalar.anchor
                              : list ? event->data.sequence_start.anchor
                                     : event->data.mapping_start.anchor;
    if (tag) {
        refuse(r, event->start_mark, "leave it out", "a tag; suites need none");
        return NULL;
    }
    if (!scalar && depth > LB_MAX_DEPTH) {
        refuse(r, event->start_mark, "", "lists and objects more than 64 deep");
        return NULL;
    }
    int number = open_anchor(r, name, event->start_mark);
    if (r->failed)
        return NULL;
    cJSON *node = scalar ? read_scalar(r, event)
                         : lb_document_node(&r->tree, list ? cJSON_Array : cJSON_Object);
    if (node)
        lb_node_set_place(node, (lb_mark){key_index, event->start_mark.index});
    if (node && !scalar && !read_children(r, node, depth))
        return NULL;
    close_anchor(r, number, node, event->start_mark);
    return r->failed ? NULL : node;
}

/* ---- The file ---- */

static lb_document document_of(reader *r, cJSON *root, const char *prefix)
{
    return (lb_document){.root = root,
                         .prefix = prefix,
                         .text = r->text,
                         .text_length = r->length,
                         .first_line = 1,
                         .root_line = line_of(r, lb_node_place(root).value),
                         .counts_characters = true};
}

static bool read_cases(reader *r, const lb_yaml_sink *sink)
{
    for (;;) {
        yaml_event_t event;
        if (lb_problems_full(r->problems) || !next_event(r, &event))
            return false;
        lb_arena_reset(&r->tree);
        bool end = event.type == YAML_SEQUENCE_END_EVENT;
        cJSON *root = end ? NULL : read_node(r, &event, event.start_mark.index, 3);
        yaml_event_delete(&event);
        if (end || !root)
            return end;
        lb_document document = document_of(r, root, "");
        sink->test_case(sink->user, &document);
    }
}

/* One member of the top-level mapping, from the event of its key on. */
static bool read_member(reader *r, yaml_event_t *key_event, const lb_yaml_sink *sink,
                        bool *has_cases)
{
    yaml_event_t event;
    size_t key_index = key_event->start_mark.index;
    lb_arena_reset(&r->tree);
    char *key = read_key(r, key_event);
    if (!key || !next_event(r, &event))
        return false;
    bool cases = strcmp(key, "cases") == 0 && event.type == YAML_SEQUENCE_START_EVENT &&
                 !event.data.sequence_start.tag && !event.data.sequence_start.anchor && !*has_cases;
    cJSON *root = NULL;
    if (cases) {
        *has_cases = true;
        root = lb_document_node(&r->tree, cJSON_Array);
        lb_node_set_place(root, (lb_mark){key_index, event.start_mark.index});
    } else {
        root = read_node(r, &event, key_index, 2);
    }
    yaml_event_delete(&event);
    if (!root)
        return false;
    lb_document document = document_of(r, root, key);
    sink->member(sink->user, &document);
    return !cases || read_cases(r, sink);
}

static void read_file(reader *r, const lb_yaml_sink *sink)
{
    const char *rule = sink->rule ? sink->rule : "a suite has the keys format, suite and cases";
    yaml_mark_t mark = {0};
    yaml_event_t event;
    bool has_cases = false;
    bool begins = next_type(r, &mark) == YAML_STREAM_START_EVENT;
    begins = begins && next_type(r, &mark) == YAML_DOCUMENT_START_EVENT;
    if (!begins) {
        refuse(r, mark, rule, "no document: the file is empty");
        return;
    }
    if (!next_event(r, &event))
        return;
    mark = event.start_mark;
    bool mapping = event.type == YAML_MAPPING_START_EVENT && !sink->is_list;
    bool list = event.type == YAML_SEQUENCE_START_EVENT && sink->is_list;
    if (!mapping && !list)
        refuse(r, mark, rule,
               sink->is_list ? "the document is not a list" : "the document is not an object");
    else if (list ? event.data.sequence_start.tag || event.data.sequence_start.anchor
                  : event.data.mapping_start.tag || event.data.mapping_start.anchor)
        refuse(r, mark, "leave it out", "a tag or an anchor at the top of the file");
    yaml_event_delete(&event);
    if (list && (r->failed || !read_cases(r, sink)))
        return;
    for (bool more = !list; more;) {
        if (lb_problems_full(r->problems) || !next_event(r, &event))
            return;
        more = event.type != YAML_MAPPING_END_EVENT && read_member(r, &event, sink, &has_cases);
        yaml_event_delete(&event);
    }
    if (!r->failed && next_type(r, &mark) == YAML_DOCUMENT_END_EVENT &&
        next_type(r, &mark) == YAML_DOCUMENT_START_EVENT)
        refuse(r, mark, "the file is one document", "a second document");
}

void lb_yaml_read(const char *text, size_t length, const lb_yaml_sink *sink, lb_problems *problems)
{
    reader *r = lb_resized(NULL, sizeof *r);
    memset(r, 0, sizeof *r);
    if (!yaml_parser_initialize(&r->parser))
        lb_out_of_memory(sizeof r->parser);
    r->text = text;
    r->length = length;
    r->problems = problems;
    r->counted_line = 1;
    yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r->parser, (const unsigned char *)text, length);
    read_file(r, sink);
    yaml_parser_delete(&r->parser);
    lb_arena_free(&r->tree);
    lb_arena_free(&r->kept);
    free(r);
}
