/* Text that has passed the scan as a tree of nodes with places: see tree.h. */
#include "harness/json/tree.h"
#include "harness/json/scan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Every node of a document: all who read its trees see the first member alone. */
typedef struct placed_node {
    cJSON node;
    lb_mark place;
} placed_node;

cJSON *lb_document_node(lb_arena *arena, int type)
{
    placed_node *made = lb_arena_raw(arena, sizeof *made);
    *made = (placed_node){.node = {.type = type}};
    return &made->node;
}

lb_mark lb_node_place(const cJSON *node)
{
    return ((const placed_node *)node)->place;
}

void lb_node_set_place(cJSON *node, lb_mark place)
{
    ((placed_node *)node)->place = place;
}

typedef struct builder {
    const char *text;
    size_t at, end;
    lb_arena *arena;
    bool refused;
} builder;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_space(builder *b)
{
    b->at = lb_json_skip_space(b->text, b->at, b->end);
}

/* ---- Strings ---- */

static uint32_t hex4(const char *text)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        char c = text[i];
        value = value * 16 + (uint32_t)(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

static char *put_utf8(char *to, uint32_t code)
{
    unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
    *to++ = (char)(first[more] | code >> 6 * more);
    while (more-- > 0)
        *to++ = (char)(0x80 | (code >> 6 * more & 0x3F));
    return to;
}

/* The character of the escape at *from, which goes behind it. */
static char *put_escape(char *to, const char **from)
{
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    const char c = (*from)[1];
    const char *letter = strchr(letters, c);
    if (c != 'u') {
        *from += 2;
        *to++ = letter ? meant[letter - letters] : c;
        return to;
    }
    uint32_t code = hex4(*from + 2);
    *from += 6;
    if (code >= 0xD800 && code <= 0xDBFF) { /* the scan has seen the second half */
        code = 0x10000 + ((code & 0x3FF) << 10) + (hex4(*from + 2) & 0x3FF);
        *from += 6;
    }
    return put_utf8(to, code);
}

/* From one quote to behind the other. What is written is never longer than what stands there. */
static char *take_string(builder *b)
{
    const size_t end = lb_json_scalar_end(b->text, b->at);
    const char *from = b->text + b->at + 1, *const last = b->text + end - 1;
    char *text = lb_arena_raw(b->arena, (size_t)(last - from) + 1), *to = text;
    b->at = end;
    while (from < last) {
        const char *escape = memchr(from, '\\', (size_t)(last - from));
        const size_t plain = (size_t)((escape ? escape : last) - from);
        memcpy(to, from, plain);
        to += plain;
        from += plain;
        if (escape)
            to = put_escape(to, &from);
    }
    *to = '\0';
    return text;
}

/* ---- Numbers ---- */

enum { EXACT_DIGITS = 15 }; /* so many make a whole number that a double holds */

/* A number that is not a short whole one. */
static double number_of(builder *b, size_t start)
{
    char copy[LB_JSON_NUMBER_BYTES + 1]; /* the text need not end behind it */
    while (b->at < b->end && b->text[b->at] != '\0' && strchr("+-.eE0123456789", b->text[b->at]))
        b->at++;
    const size_t length = b->at - start;
    if (length >= sizeof copy) {
        b->refused = true;
        return 0.0;
    }
    memcpy(copy, b->text + start, length);
    copy[length] = '\0';
    return strtod(copy, NULL);
}

static double take_number(builder *b)
{
    const size_t start = b->at;
    const bool negative = b->text[b->at] == '-';
    b->at += negative ? 1 : 0;
    const size_t first = b->at;
    int64_t value = 0;
    for (; b->at < b->end && b->at - first < EXACT_DIGITS && is_digit(b->text[b->at]); b->at++)
        value = value * 10 + (b->text[b->at] - '0');
    const char c = b->at < b->end ? b->text[b->at] : ' ';
    if (is_digit(c) || c == '.' || c == 'e' || c == 'E')
        return number_of(b, start);
    return negative ? -(double)value : (double)value;
}

static void set_number(cJSON *node, double value)
{
    node->valuedouble = value;
    node->valueint = value >= INT_MAX ? INT_MAX : value <= INT_MIN ? INT_MIN : (int)value;
}

/* ---- Values ---- */

static cJSON *take_value(builder *b, size_t key);

/* Members of an object, or elements of a list, behind its bracket; and the bracket that closes it.
 */
static cJSON *take_children(builder *b, bool is_object)
{
    cJSON *head = NULL, *tail = NULL;
    for (b->at++, skip_space(b); b->text[b->at] != ']' && b->text[b->at] != '}'; skip_space(b)) {
        if (b->text[b->at] == ',') {
            b->at++;
            continue;
        }
        const size_t key = b->at;
        char *name = is_object ? take_string(b) : NULL;
        if (is_object) {
            skip_space(b);
            b->at++; /* the colon */
            skip_space(b);
        }
        cJSON *child = take_value(b, key);
        child->string = name;
        child->prev = tail;
        if (tail)
            tail->next = child;
        else
            head = child;
        tail = child;
    }
    b->at++;
    if (head)
        head->prev = tail; /* as cJSON has it */
    return head;
}

static cJSON *take_value(builder *b, size_t key)
{
    const size_t at = b->at;
    const char c = b->text[at];
    cJSON *node = lb_document_node(b->arena, cJSON_Number);
    lb_node_set_place(node, (lb_mark){key, at});
    if (c == '-' || is_digit(c)) {
        set_number(node, take_number(b));
    } else if (c == '"') {
        node->type = cJSON_String;
        node->valuestring = take_string(b);
    } else if (c == '[' || c == '{') {
        node->type = c == '[' ? cJSON_Array : cJSON_Object;
        node->child = take_children(b, c == '{');
    } else {
        node->type = c == 't' ? cJSON_True : c == 'f' ? cJSON_False : cJSON_NULL;
        node->valueint = c == 't' ? 1 : 0;
        b->at += c == 'f' ? 5 : 4;
    }
    return node;
}

cJSON *lb_tree_of(const char *text, size_t at, size_t end, size_t key, lb_arena *arena)
{
    builder b = {.text = text, .at = at, .end = end, .arena = arena};
    cJSON *root = take_value(&b, key);
    return b.refused ? NULL : root;
}
