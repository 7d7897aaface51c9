/* Trees and the places of their nodes: see document.h. */
#include "harness/json/document.h"
#include "harness/base/xalloc.h"
#include "harness/json/scan.h"

#include "reports/json_block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cJSON asks its hooks for memory without a context. The arena stands here for the time of one
 * parse; the harness parses in one thread per process. */
static lb_arena *parse_arena;

/* Every node of a document: the parser, and all who read its trees, see the first member alone. */
typedef struct placed_node {
    cJSON node;
    lb_mark place;
    bool waits; /* a root: what stands below it has no places yet */
} placed_node;

/* The parser asks for nodes by their size; a text of the same size gets more than it asks for. */
static void *allocate(size_t bytes)
{
    if (bytes != sizeof(cJSON))
        return lb_arena_raw(parse_arena, bytes);
    placed_node *made = lb_arena_raw(parse_arena, sizeof *made);
    made->place = (lb_mark){0, 0};
    made->waits = false;
    return made;
}

static void keep(void *memory)
{
    (void)memory; /* the arena releases all at once */
}

static void *allocate_or_end(size_t bytes)
{
    return lb_resized(NULL, bytes > 0 ? bytes : 1);
}

void lb_json_never_fails(void)
{
    lb_json_hooks(&(cJSON_Hooks){.malloc_fn = allocate_or_end, .free_fn = free});
}

/* Notes the places of all that stands in the list or object whose bracket is at `at`; gives its
 * end. Tree and text, which has passed the scan, hold the same values in the same order. */
static size_t place_children(cJSON *node, const char *text, size_t at)
{
    at++;
    for (cJSON *child = node->child; child; child = child->next) {
        size_t key = at = lb_json_next_token(text, at);
        if (cJSON_IsObject(node))
            at = lb_json_next_token(text, lb_json_scalar_end(text, key));
        lb_node_set_place(child, (lb_mark){.key = key, .value = at});
        at = text[at] == '{' || text[at] == '[' ? place_children(child, text, at)
                                                : lb_json_scalar_end(text, at);
    }
    return lb_json_next_token(text, at) + 1;
}

const char *lb_document_parse(lb_document *document, lb_arena *arena, size_t value_end)
{
    cJSON_Hooks hooks = {.malloc_fn = allocate, .free_fn = keep};
    const char *end = NULL;
    parse_arena = arena;
    cJSON_InitHooks(&hooks);
    document->root = cJSON_ParseWithLengthOpts(document->text + document->value_offset,
                                               value_end - document->value_offset, &end, false);
    lb_json_never_fails();
    parse_arena = NULL;
    if (!document->root)
        return "the JSON parser refuses this value";
    lb_node_set_place(document->root, (lb_mark){document->key_offset, document->value_offset});
    if (document->root->child && document->places_are_rare)
        ((placed_node *)document->root)->waits = true;
    else if (document->root->child)
        place_children(document->root, document->text, document->value_offset);
    return NULL;
}

cJSON *lb_json_read(const char *text, size_t length)
{
    lb_json_fault fault;
    return lb_json_scan(text, length, 0, &fault) ? cJSON_ParseWithLength(text, length) : NULL;
}

cJSON *lb_document_node(lb_arena *arena, int type)
{
    placed_node *made = lb_arena_alloc(arena, sizeof *made);
    made->node.type = type;
    return &made->node;
}

/* ---- Places ---- */

lb_mark lb_node_place(const cJSON *node)
{
    return ((const placed_node *)node)->place;
}

void lb_node_set_place(cJSON *node, lb_mark place)
{
    ((placed_node *)node)->place = place;
}

void lb_text_position(const char *text, size_t offset, unsigned first_line, unsigned *line,
                      unsigned *column)
{
    const char *start = text;
    const char *end = text + offset;
    const char *line_break;
    *line = first_line;
    while (start < end && (line_break = memchr(start, '\n', (size_t)(end - start))) != NULL) {
        ++*line;
        start = line_break + 1;
    }
    *column = (unsigned)(end - start) + 1;
}

size_t lb_text_offset(const char *text, size_t length, size_t characters)
{
    size_t offset = 0;
    for (; offset < length; offset++) {
        bool first_byte = ((unsigned char)text[offset] & 0xC0) != 0x80;
        if (first_byte && characters-- == 0)
            return offset;
    }
    return length;
}

void lb_document_position(const lb_document *document, const cJSON *node, bool key, unsigned *line,
                          unsigned *column)
{
    placed_node *root = (placed_node *)document->root;
    if (root->waits)
        place_children(document->root, document->text, document->value_offset);
    root->waits = false;
    lb_mark place = lb_node_place(node ? node : document->root);
    size_t offset = key ? place.key : place.value;
    if (document->counts_characters)
        offset = lb_text_offset(document->text, document->text_length, offset);
    lb_text_position(document->text, offset, document->first_line, line, column);
}

/* ---- Paths ---- */

static size_t append(char *path, size_t path_bytes, size_t length, const char *text)
{
    if (length < path_bytes)
        snprintf(path + length, path_bytes - length, "%s", text);
    return length + strlen(text);
}

/* Writes the path behind path[0 .. length) if the node is found below `at`. */
static bool find_path(const cJSON *at, const cJSON *node, char *path, size_t path_bytes,
                      size_t length)
{
    size_t position = 0;
    if (at == node) {
        path[length < path_bytes ? length : path_bytes - 1] = '\0';
        return true;
    }
    for (const cJSON *child = at->child; child; child = child->next, position++) {
        char index[32];
        size_t end = length;
        if (cJSON_IsArray(at)) {
            snprintf(index, sizeof index, "[%zu]", position);
            end = append(path, path_bytes, length, index);
        } else {
            if (length > 0)
                end = append(path, path_bytes, end, ".");
            end = append(path, path_bytes, end, child->string ? child->string : "");
        }
        if (find_path(child, node, path, path_bytes, end))
            return true;
    }
    return false;
}

void lb_document_path(const lb_document *document, const cJSON *node, char *path, size_t path_bytes)
{
    size_t length = append(path, path_bytes, 0, document->prefix);
    if (!find_path(document->root, node, path, path_bytes, length))
        path[length < path_bytes ? length : path_bytes - 1] = '\0';
}
