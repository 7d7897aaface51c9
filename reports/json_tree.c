/* Trees of JSON text: see json_tree.h. */
#include "json_tree.h"

#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_AT_ONCE = 16, NUMBER_BYTES = 63 };

typedef struct maker {
    const lb_json_source *source;
    const char *at, *end;
    lb_json_node *nodes; /* made, and not yet used */
    size_t node_count;
} maker;

static cJSON *take_value(maker *m, unsigned depth);

static void skip_space(maker *m)
{
    while (m->at < m->end &&
           (*m->at == ' ' || *m->at == '\n' || *m->at == '\r' || *m->at == '\t')) {
        m->at++;
    }
}

static int peek(const maker *m)
{
    return m->at < m->end ? (unsigned char)*m->at : -1;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static cJSON *take_node(maker *m, int type)
{
    if (m->node_count == 0) {
        m->nodes = m->source->allocate(m->source->user, NODES_AT_ONCE * sizeof *m->nodes);
        if (m->nodes == NULL) {
            return NULL;
        }
        m->node_count = NODES_AT_ONCE;
    }
    m->node_count--;
    lb_json_node *made = m->nodes++;
    made->node.type = type;
    made->key = made->value = (size_t)(m->at - m->source->text);
    return &made->node;
}

/* ---- Strings ---- */

/* The number of four hexadecimal digits; -1: these are none. */
static long hex4(const maker *m, const char *digits)
{
    long value = 0;
    if (m->end - digits < 4) {
        return -1;
    }
    for (int i = 0; i < 4; i++) {
        char c = digits[i];
        long digit = is_digit(c)            ? c - '0'
                     : c >= 'a' && c <= 'f' ? c - 'a' + 10
                     : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                            : -1;
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

static char *put_utf8(char *to, unsigned long code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
    } else {
        if (code < 0x10000) {
            *to++ = (char)(0xE0 | code >> 12);
        } else {
            *to++ = (char)(0xF0 | code >> 18);
            *to++ = (char)(0x80 | (code >> 12 & 0x3F));
        }
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
    }
    *to++ = (char)(0x80 | (code & 0x3F));
    return to;
}

/* The escape at *from, which moves behind it; NULL: none that is known. */
static char *put_escape(const maker *m, char *to, const char **from)
{
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *at = *from + 1;
    if (at == m->end || *at == '\0') {
        return NULL;
    }
    const char *known = strchr(names, *at);
    if (known != NULL) {
        *from = at + 1;
        *to = meant[known - names];
        return to + 1;
    }
    long code = *at == 'u' ? hex4(m, at + 1) : -1, second;
    if (code <= 0 || (code >= 0xDC00 && code <= 0xDFFF)) {
        return NULL;
    }
    *from = at + 5;
    if (code < 0xD800 || code > 0xDBFF) {
        return put_utf8(to, (unsigned long)code);
    }
    if (m->end - *from < 6 || (*from)[0] != '\\' || (*from)[1] != 'u' ||
        (second = hex4(m, *from + 2)) < 0xDC00 || second > 0xDFFF) {
        return NULL;
    }
    *from += 6;
    return put_utf8(to, 0x10000 + (((unsigned long)code & 0x3FF) << 10) +
                            ((unsigned long)second & 0x3FF));
}

/* Moves to the quotation mark that ends the string; false: declined. */
static bool find_string_end(maker *m, bool *has_escapes)
{
    const unsigned char above = m->source->is_scanned ? 0xFF : 0x7E;
    for (; m->at < m->end; m->at++) {
        unsigned char c = (unsigned char)*m->at;
        if (c == '"') {
            return true;
        }
        if (c < 0x20 || c > above) {
            return false;
        }
        if (c == '\\') {
            *has_escapes = true;
            if (++m->at == m->end) {
                return false;
            }
        }
    }
    return false;
}

static char *take_string(maker *m)
{
    const char *from = ++m->at;
    bool has_escapes = false;
    if (!find_string_end(m, &has_escapes)) {
        return NULL;
    }
    size_t bytes = (size_t)(m->at - from);
    char *text = m->source->allocate(m->source->user, bytes + 1), *to = text;
    const char *end = m->at++;
    if (text == NULL || !has_escapes) {
        return text == NULL ? NULL : memcpy(text, from, bytes);
    }
    while (from < end) {
        if (*from != '\\') {
            *to++ = *from++;
        } else if ((to = put_escape(m, to, &from)) == NULL) {
            return NULL;
        }
    }
    return text;
}

/* ---- Numbers ---- */

typedef struct decimal {
    uint64_t digits; /* of all that fit */
    unsigned count;  /* without leading zeros */
    int exponent;    /* of ten */
    bool is_negative;
} decimal;

static unsigned take_digits(maker *m, decimal *d)
{
    const char *start = m->at;
    for (; is_digit(peek(m)); m->at++) {
        d->count += d->count > 0 || *m->at != '0';
        d->digits = d->count < 19 ? d->digits * 10 + (uint64_t)(*m->at - '0') : d->digits;
    }
    return (unsigned)(m->at - start);
}

static bool take_exponent(maker *m, decimal *d)
{
    decimal power = {0};
    m->at++;
    power.is_negative = peek(m) == '-';
    m->at += peek(m) == '-' || peek(m) == '+';
    if (take_digits(m, &power) == 0) {
        return false;
    }
    int by = power.count > 4 ? 10000 : (int)power.digits;
    d->exponent += power.is_negative ? -by : by;
    return true;
}

/* Two exact numbers and one operation give what is nearest to the decimal: up to 2^53 and 10^22,
 * where the hardware rounds once. */
static bool is_exact(const decimal *d)
{
    return FLT_EVAL_METHOD == 0 && d->count <= 15 && d->exponent >= -22 && d->exponent <= 22;
}

static double value_of(const decimal *d, const char *start, size_t bytes)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!is_exact(d)) {
        char text[NUMBER_BYTES + 1];
        memcpy(text, start, bytes);
        text[bytes] = '\0';
        return strtod(text, NULL);
    }
    double value = (double)d->digits;
    value = d->exponent < 0 ? value / powers[-d->exponent] : value * powers[d->exponent];
    return d->is_negative ? -value : value;
}

static cJSON *take_number(maker *m)
{
    const char *start = m->at;
    cJSON *node = take_node(m, cJSON_Number);
    decimal d = {.is_negative = *m->at == '-'};
    m->at += d.is_negative;
    const char *first = m->at;
    unsigned whole = take_digits(m, &d), fraction = 0;
    if (node == NULL || whole == 0 || (whole > 1 && *first == '0')) {
        return NULL;
    }
    if (peek(m) == '.') {
        m->at++;
        fraction = take_digits(m, &d);
        if (fraction == 0) {
            return NULL;
        }
        d.exponent -= (int)(fraction < 10000 ? fraction : 10000);
    }
    if ((peek(m) == 'e' || peek(m) == 'E') && !take_exponent(m, &d)) {
        return NULL;
    }
    if (m->at - start > NUMBER_BYTES) {
        return NULL;
    }
    double value = value_of(&d, start, (size_t)(m->at - start));
    node->valuedouble = value;
    node->valueint = value >= INT_MAX ? INT_MAX : value <= INT_MIN ? INT_MIN : (int)value;
    return node;
}

/* ---- Words, lists, objects ---- */

static cJSON *take_word(maker *m)
{
    static const struct {
        const char *word;
        int type;
    } words[] = {{"true", cJSON_True}, {"false", cJSON_False}, {"null", cJSON_NULL}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t bytes = strlen(words[i].word);
        if ((size_t)(m->end - m->at) >= bytes && memcmp(m->at, words[i].word, bytes) == 0) {
            cJSON *node = take_node(m, words[i].type);
            m->at += bytes;
            if (node != NULL) {
                node->valueint = words[i].type == cJSON_True;
            }
            return node;
        }
    }
    return NULL;
}

/* Up to the value of a member: its key. NULL: declined. */
static char *take_key(maker *m)
{
    char *key = peek(m) == '"' ? take_string(m) : NULL;
    skip_space(m);
    if (key == NULL || peek(m) != ':') {
        return NULL;
    }
    m->at++;
    skip_space(m);
    return key;
}

static cJSON *take_child(maker *m, bool is_object, unsigned depth)
{
    size_t place = (size_t)(m->at - m->source->text);
    char *key = is_object ? take_key(m) : NULL;
    cJSON *child = is_object && key == NULL ? NULL : take_value(m, depth);
    if (child != NULL) {
        child->string = key;
        ((lb_json_node *)child)->key = place;
    }
    return child;
}

static cJSON *take_container(maker *m, unsigned depth)
{
    bool is_object = *m->at == '{';
    int close = is_object ? '}' : ']';
    cJSON *node = take_node(m, is_object ? cJSON_Object : cJSON_Array), *last = NULL;
    m->at++;
    skip_space(m);
    if (node == NULL || depth > m->source->most_depth) {
        return NULL;
    }
    while (last != NULL || peek(m) != close) {
        cJSON *child = take_child(m, is_object, depth);
        if (child == NULL) {
            return NULL;
        }
        if (last == NULL) {
            node->child = child;
        } else {
            last->next = child;
            child->prev = last;
        }
        last = child;
        skip_space(m);
        int c = peek(m);
        if (c == close) {
            break;
        }
        if (c != ',') {
            return NULL;
        }
        m->at++;
        skip_space(m);
    }
    m->at++;
    if (last != NULL) {
        node->child->prev = last; /* as cJSON has it */
    }
    return node;
}

static cJSON *take_value(maker *m, unsigned depth)
{
    int c = peek(m);
    if (c == '-' || is_digit(c)) {
        return take_number(m);
    }
    if (c == '{' || c == '[') {
        return take_container(m, depth + 1);
    }
    if (c != '"') {
        return c < 0 ? NULL : take_word(m);
    }
    cJSON *node = take_node(m, cJSON_String);
    if (node == NULL || (node->valuestring = take_string(m)) == NULL) {
        return NULL;
    }
    return node;
}

cJSON *lb_json_tree_make(const lb_json_source *source, size_t *at)
{
    maker m = {.source = source, .at = source->text + *at, .end = source->text + source->length};
    cJSON *root = take_value(&m, source->outer_depth);
    if (root != NULL) {
        *at = (size_t)(m.at - source->text);
    }
    return root;
}

/* ---- Memory ---- */

enum { FIRST_BLOCK_BYTES = 1 << 14, ALIGN = 16 };

struct lb_json_block {
    struct lb_json_block *next; /* the older one */
    size_t size, used;
    max_align_t memory[];
};

static struct lb_json_block *add_block(lb_json_room *room, size_t bytes)
{
    size_t size = room->blocks != NULL ? 2 * room->blocks->size : FIRST_BLOCK_BYTES;
    size = size < bytes ? bytes : size;
    struct lb_json_block *block = malloc(sizeof *block + size);
    if (block != NULL) {
        *block = (struct lb_json_block){.next = room->blocks, .size = size};
        room->blocks = block;
    }
    return block;
}

void *lb_json_room_take(void *user, size_t bytes)
{
    lb_json_room *room = user;
    struct lb_json_block *block = room->blocks;
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (block == NULL || block->size - block->used < bytes) {
        block = add_block(room, bytes);
    }
    if (block == NULL) {
        return NULL;
    }
    void *memory = (char *)block->memory + block->used;
    block->used += bytes;
    return memset(memory, 0, bytes);
}

/* The newest block is the largest: it stays. */
void lb_json_room_reset(lb_json_room *room)
{
    while (room->blocks != NULL && room->blocks->next != NULL) {
        struct lb_json_block *older = room->blocks->next;
        room->blocks->next = older->next;
        free(older);
    }
    if (room->blocks != NULL) {
        room->blocks->used = 0;
    }
}

void lb_json_room_free(lb_json_room *room)
{
    lb_json_room_reset(room);
    free(room->blocks);
    room->blocks = NULL;
}
