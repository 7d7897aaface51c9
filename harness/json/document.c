/* Trees and the places of their nodes: see document.h. */
#include "harness/json/document.h"
#include "harness/base/xalloc.h"
#include "harness/json/scan.h"

#include "reports/json_block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every node of a document: all who read its trees see the first member alone. */
typedef struct placed_node {
    cJSON node;
    lb_mark place;
} placed_node;

static void *allocate_or_end(size_t bytes)
{
    return lb_resized(NULL, bytes > 0 ? bytes : 1);
}

void lb_json_never_fails(void)
{
    lb_json_hooks(&(cJSON_Hooks){.malloc_fn = allocate_or_end, .free_fn = free});
}

/* ---- From text to a tree ---- */

typedef struct builder {
    const char *text;
    size_t at, end; /* the next byte; where the value ends */
    lb_arena *arena;
    unsigned depth;  /* lists and objects around it */
    bool is_scanned; /* the text has passed the scan */
    bool is_unsure;  /* it has not, and it is not plainly right: the rest is not looked at */
} builder;

/* What the scan would have to say: the text ends here. */
static void leave(builder *b)
{
    b->is_unsure = true;
    b->at = b->end;
}

static char peek(const builder *b)
{
    return b->at < b->end ? b->text[b->at] : '\0';
}

static void skip_space(builder *b)
{
    b->at = lb_json_skip_space(b->text, b->at, b->end);
}

/* Writes a character; gives the byte behind it. */
static char *put_character(char *to, uint32_t code)
{
    static const unsigned char first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    unsigned bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (unsigned i = bytes - 1; i > 0; i--, code >>= 6)
        to[i] = (char)(0x80 | (code & 0x3F));
    to[0] = (char)(first[bytes < 2 ? 0 : bytes] | code);
    return to + bytes;
}

static uint32_t hex4(const char *digits)
{
    char text[5] = {digits[0], digits[1], digits[2], digits[3], '\0'};
    return (uint32_t)strtoul(text, NULL, 16);
}

/* The escape at the backslash; gives the byte behind its character. */
static char *take_escape(builder *b, char *to)
{
    static const char letters[] = "bfnrt", means[] = "\b\f\n\r\t";
    const char c = b->text[b->at + 1];
    const char *letter = strchr(letters, c);
    if (c != 'u') {
        b->at += 2;
        *to = letter ? means[letter - letters] : c;
        return to + 1;
    }
    uint32_t code = hex4(b->text + b->at + 2);
    b->at += 6;
    if (code >= 0xD800 && code <= 0xDBFF) { /* the first of a pair */
        code = 0x10000 + ((code - 0xD800) << 10) + (hex4(b->text + b->at + 2) - 0xDC00);
        b->at += 6;
    }
    return put_character(to, code);
}

/* One with escapes or beyond ASCII, which ends at the quote `end`. What it means is never longer
 * than what is written. */
static char *take_escaped(builder *b, size_t end)
{
    char *string = lb_arena_raw(b->arena, end - b->at + 1), *to = string;
    while (b->at < end)
        if (b->text[b->at] == '\\')
            to = take_escape(b, to);
        else
            *to++ = b->text[b->at++];
    *to = '\0';
    b->at++;
    return string;
}

/* The string at the quote. */
static char *take_string(builder *b)
{
    const size_t quote = b->at++, end = lb_json_plain_end(b->text, b->at, b->end);
    const size_t count = end - b->at;
    if (end == b->end || b->text[end] != '"') {
        if (b->is_scanned)
            return take_escaped(b, lb_json_scalar_end(b->text, quote) - 1);
        leave(b);
        return NULL;
    }
    char *string = lb_arena_raw(b->arena, count + 1);
    memcpy(string, b->text + b->at, count);
    string[count] = '\0';
    b->at = end + 1;
    return string;
}

static bool is_of_number(char c)
{
    return (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
}

/* Most numbers are whole and small; the others the C library reads. */
static double take_number(builder *b)
{
    enum { EXACT_DIGITS = 15, FEW_BYTES = 64 };
    const char *text = b->text + b->at;
    const size_t left = b->end - b->at, sign = text[0] == '-';
    int64_t whole = 0;
    size_t count = sign;
    for (; count < left && count < EXACT_DIGITS && text[count] >= '0' && text[count] <= '9';
         count++)
        whole = whole * 10 + (text[count] - '0');
    const bool is_whole = count == left || !is_of_number(text[count]);
    while (count < left && is_of_number(text[count]))
        count++;
    if (!b->is_scanned && (!is_whole || count == sign || (text[sign] == '0' && count > sign + 1))) {
        leave(b);
        return 0;
    }
    b->at += count;
    if (is_whole)
        return sign ? -(double)whole : (double)whole;
    char few[FEW_BYTES], *copy = count < sizeof few ? few : lb_arena_raw(b->arena, count + 1);
    memcpy(copy, text, count);
    copy[count] = '\0';
    return strtod(copy, NULL);
}

/* true, false or null. */
static void take_word(builder *b, cJSON *node)
{
    static const struct {
        const char *word;
        int type;
    } words[] = {{"true", cJSON_True}, {"false", cJSON_False}, {"null", cJSON_NULL}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t count = strlen(words[i].word);
        if (b->end - b->at < count || memcmp(b->text + b->at, words[i].word, count) != 0)
            continue;
        node->type = words[i].type;
        node->valueint = words[i].type == cJSON_True;
        b->at += count;
        return;
    }
    leave(b);
}

static cJSON *take_value(builder *b, size_t key);

/* A key and its colon. */
static char *take_key(builder *b)
{
    char *name = NULL;
    if (peek(b) == '"')
        name = take_string(b);
    skip_space(b);
    if (!name || peek(b) != ':')
        leave(b);
    b->at += !b->is_unsure;
    skip_space(b);
    return name;
}

static void take_children(builder *b, cJSON *parent)
{
    const char close = cJSON_IsObject(parent) ? '}' : ']';
    cJSON *last = NULL;
    if (++b->depth > LB_MAX_DEPTH && !b->is_scanned)
        leave(b);
    else
        b->at++;
    skip_space(b);
    while (peek(b) != close && !b->is_unsure) {
        const size_t key = b->at;
        char *name = close == '}' ? take_key(b) : NULL;
        cJSON *child = take_value(b, key);
        child->string = name;
        lb_document_append(parent, last, child);
        last = child;
        skip_space(b);
        if (peek(b) == close)
            break;
        if (peek(b) != ',')
            leave(b);
        b->at += !b->is_unsure;
        skip_space(b);
        if (peek(b) == close)
            leave(b);
    }
    b->at += !b->is_unsure;
    b->depth--;
}

/* The value at the place. */
static cJSON *take_value(builder *b, size_t key)
{
    const char c = peek(b);
    cJSON *node = lb_document_node(b->arena, cJSON_NULL);
    lb_node_set_place(node, (lb_mark){.key = key, .value = b->at});
    if (c == '"') {
        node->type = cJSON_String;
        node->valuestring = take_string(b);
    } else if (c == '{' || c == '[') {
        node->type = c == '{' ? cJSON_Object : cJSON_Array;
        take_children(b, node);
    } else if (c == '-' || (c >= '0' && c <= '9')) {
        node->type = cJSON_Number;
        cJSON_SetNumberHelper(node, take_number(b));
    } else {
        take_word(b, node);
    }
    return node;
}

void lb_document_parse(lb_document *document, lb_arena *arena, size_t value_end)
{
    builder b = {.text = document->text,
                 .at = document->value_offset,
                 .end = value_end,
                 .arena = arena,
                 .is_scanned = true};
    document->root = take_value(&b, document->key_offset);
}

bool lb_document_parse_plain(lb_document *document, lb_arena *arena, unsigned outer_depth)
{
    builder b = {.text = document->text,
                 .at = document->value_offset,
                 .end = document->text_length,
                 .arena = arena,
                 .depth = outer_depth};
    document->root = take_value(&b, document->key_offset);
    skip_space(&b);
    if (b.is_unsure || b.at < b.end)
        document->root = NULL;
    return document->root != NULL;
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

void lb_document_append(cJSON *parent, cJSON *last, cJSON *child)
{
    if (last) {
        last->next = child;
        child->prev = last;
    } else {
        parent->child = child;
    }
    parent->child->prev = child; /* cJSON keeps the last child there */
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
