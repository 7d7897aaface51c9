/* Strict JSON: a recursive descent that builds nothing. See scan.h. */
#include "harness/json/scan.h"
#include "harness/base/format_checked.h"
#include "harness/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct scanner {
    const char *text;
    size_t length;
    size_t at;
    lb_json_limits limits;
    lb_json_fault *fault;
} scanner;

static bool refuse(scanner *s, size_t offset, const char *remedy, const char *format, ...)
    LB_FORMAT_CHECKED(4, 5);

static bool refuse(scanner *s, size_t offset, const char *remedy, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->fault->problem, sizeof s->fault->problem, format, arguments);
    va_end(arguments);
    snprintf(s->fault->remedy, sizeof s->fault->remedy, "%s", remedy);
    s->fault->offset = offset;
    s->fault->cut_short = s->at >= s->length;
    s->fault->kind = LB_JSON_FAULT;
    return false;
}

/* What was just refused is of this kind. */
static bool refuse_as(scanner *s, lb_json_fault_kind kind)
{
    s->fault->kind = kind;
    return false;
}

/* The byte at the place, or -1 at the end. */
static int peek(const scanner *s)
{
    return s->at < s->length ? (unsigned char)s->text[s->at] : -1;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_word_byte(int c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_space(scanner *s)
{
    s->at = lb_json_skip_space(s->text, s->at, s->length);
}

/* ---- Strings ---- */

/* Four hexadecimal digits behind \u, or -1. */
static long hex4(const scanner *s, size_t offset)
{
    long value = 0;
    if (s->length - offset < 4)
        return -1;
    for (size_t i = offset; i < offset + 4; i++) {
        int c = (unsigned char)s->text[i];
        int digit = is_digit(c)            ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static bool scan_unicode_escape(scanner *s)
{
    size_t start = s->at; /* of the backslash */
    long code = hex4(s, start + 2);
    if (code < 0)
        return refuse(s, start, "four hexadecimal digits follow \\u, such as \\u00e9",
                      "a broken \\u escape");
    if (code == 0)
        return refuse(s, start, "leave the character out", "\\u0000 in a string");
    s->at += 6;
    if (code >= 0xDC00 && code <= 0xDFFF)
        return refuse(s, start, "a pair \\uD8..\\uDC.. writes one character",
                      "\\u%04lX is the second half of a surrogate pair without the first",
                      (unsigned long)code);
    if (code < 0xD800 || code > 0xDBFF)
        return true;
    bool has_second = s->length - s->at >= 6 && s->text[s->at] == '\\' && s->text[s->at + 1] == 'u';
    long second = has_second ? hex4(s, s->at + 2) : -1;
    if (second < 0xDC00 || second > 0xDFFF)
        return refuse(s, start, "a pair \\uD8..\\uDC.. writes one character",
                      "\\u%04lX is the first half of a surrogate pair without the second",
                      (unsigned long)code);
    s->at += 6;
    return true;
}

static bool scan_escape(scanner *s)
{
    int c = s->at + 1 < s->length ? (unsigned char)s->text[s->at + 1] : -1;
    if (c == 'u')
        return scan_unicode_escape(s);
    if (c < 0 || !strchr("\"\\/bfnrt", c) || c == 0)
        return refuse(s, s->at, "the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX",
                      "an unknown escape");
    s->at += 2;
    return true;
}

static bool scan_string(scanner *s)
{
    size_t start = s->at++;
    for (;;) {
        s->at = lb_json_plain_end(s->text, s->at, s->length); /* the fast lane */
        int c = peek(s);
        uint32_t code_point;
        unsigned bytes;
        if (c < 0)
            return refuse(s, start, "close it with \"; was the file cut short?",
                          "a string that does not end");
        if (c == '"') {
            s->at++;
            return true;
        }
        if (c == '\\') {
            if (!scan_escape(s))
                return false;
        } else if (c == '\n' || c == '\r') {
            return refuse(s, s->at, "close the string on its line; a line break is written \\n",
                          "a line break in a string");
        } else if (c < 0x20) {
            return refuse(s, s->at, "write it as \\uXXXX or leave it out",
                          "control character 0x%02X in a string", (unsigned)c);
        } else if ((bytes = lb_utf8_decode(s->text + s->at, s->length - s->at, &code_point)) == 0) {
            return refuse(s, s->at, "save the file as UTF-8", "byte 0x%02X is not UTF-8",
                          (unsigned)c);
        } else {
            s->at += bytes;
        }
    }
}

/* ---- Numbers and words ---- */

static size_t skip_digits(scanner *s)
{
    size_t start = s->at;
    while (is_digit(peek(s)))
        s->at++;
    return s->at - start;
}

/* The fast lane: a whole number of a few digits behind which a list or an object goes on. */
static bool scan_few_digits(scanner *s)
{
    enum { FEW = 15 };
    size_t at = s->at + (s->text[s->at] == '-'), first = at;
    while (at < s->length && is_digit(s->text[at]))
        at++;
    const bool is_few = at > first && at - first <= FEW && at < s->length &&
                        (s->text[first] != '0' || at - first == 1) &&
                        (s->text[at] == ',' || s->text[at] == ']' || s->text[at] == '}');
    s->at = is_few ? at : s->at;
    return is_few;
}

/* Such numbers of a list, one directly behind the other's comma. False: what stands there now is
 * none of them. */
static bool scan_few_digits_each(scanner *s)
{
    while (scan_few_digits(s)) {
        const int next = s->at + 1 < s->length ? s->text[s->at + 1] : 0;
        if (s->text[s->at] != ',' || (next != '-' && !is_digit(next)))
            return true;
        s->at++;
    }
    return false;
}

static bool scan_number(scanner *s)
{
    size_t start = s->at;
    if (scan_few_digits(s))
        return true;
    if (peek(s) == '-')
        s->at++;
    size_t first = s->at;
    size_t digits = skip_digits(s);
    if (digits == 0 && (peek(s) == 'I' || peek(s) == 'N' || peek(s) == 'i' || peek(s) == 'n'))
        return refuse(s, start, "in fp32 data write \"nan\", \"inf\" or \"-inf\", with quotes",
                      "JSON has no such number");
    if (digits == 0)
        return refuse(s, start, "write 0.5 for .5", "a number without a digit before the point");
    if (s->text[first] == '0' && (peek(s) == 'x' || peek(s) == 'X'))
        return refuse(s, start, "write it in decimal", "a hexadecimal number; JSON has none");
    if (s->text[first] == '0' && digits > 1)
        return refuse(s, start, "write the number without leading zeros",
                      "a number with a leading zero");
    if (peek(s) == '.') {
        s->at++;
        if (skip_digits(s) == 0)
            return refuse(s, start, "write 1.0 or 1 for 1.", "a number that ends with its point");
    }
    if (peek(s) == 'e' || peek(s) == 'E') {
        s->at++;
        if (peek(s) == '+' || peek(s) == '-')
            s->at++;
        if (skip_digits(s) == 0)
            return refuse(s, start, "write 1e5 or 1e-5", "an exponent without digits");
    }
    if (s->limits.number_bytes > 0 && s->at - start > s->limits.number_bytes)
        return refuse(s, start, "17 digits say all that a number can hold",
                      "a number of %zu characters; at most %u are read", s->at - start,
                      s->limits.number_bytes);
    if (is_word_byte(peek(s)) || peek(s) == '.')
        return refuse(s, start, "numbers look like -12, 0.5 or 1e-3",
                      "a number that goes on with '%c'", peek(s));
    return true;
}

static bool scan_word(scanner *s)
{
    static const struct {
        const char *word, *remedy;
    } wrong[] = {{"NaN", "in fp32 data write \"nan\", with quotes"},
                 {"nan", "in fp32 data write \"nan\", with quotes"},
                 {"Infinity", "in fp32 data write \"inf\", with quotes"},
                 {"inf", "in fp32 data write \"inf\", with quotes"},
                 {"True", "write true"},
                 {"False", "write false"},
                 {"None", "write null"},
                 {"NULL", "write null"},
                 {"undefined", "write null"}};
    static const char *const right[] = {"true", "false", "null"};
    size_t start = s->at;
    while (is_word_byte(peek(s)))
        s->at++;
    size_t length = s->at - start;
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
        if (length == strlen(right[i]) && memcmp(s->text + start, right[i], length) == 0)
            return true;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (length == strlen(wrong[i].word) && memcmp(s->text + start, wrong[i].word, length) == 0)
            return refuse(s, start, wrong[i].remedy, "%s is no JSON value", wrong[i].word);
    if (length == 4 || length == 5)
        for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
            if (length > strlen(right[i]) &&
                memcmp(s->text + start, right[i], strlen(right[i])) == 0)
                return refuse(s, start, "", "%.*s is no JSON value; did you mean %s?", (int)length,
                              s->text + start, right[i]);
    return refuse(s, start, "text stands in double quotes", "\"%.*s\" without quotes",
                  (int)(length < 40 ? length : 40), s->text + start);
}

/* A byte with which no value begins. */
static bool refuse_start(scanner *s)
{
    int c = peek(s);
    uint32_t code_point;
    if (c < 0)
        return refuse(s, s->at, "was the file cut short?",
                      "expected a value, found the end of the text");
    if (c == 0)
        return refuse(s, s->at, "a suite is text in UTF-8", "a NUL byte");
    if (c == '+')
        return refuse(s, s->at, "write the number without +", "a number with a plus sign");
    if (c == '.')
        return refuse(s, s->at, "write 0.5 for .5", "a number without a digit before the point");
    if (c == '\'')
        return refuse(s, s->at, "JSON strings stand in \"double quotes\"", "a single quote");
    if (c == '/' || c == '#') {
        refuse(s, s->at, "JSON has no comments; use the key \"note\" or write the suite in YAML",
               "a comment");
        return refuse_as(s, LB_JSON_COMMENT);
    }
    if (c == ',' || c == ']' || c == '}')
        return refuse(s, s->at, "", "expected a value, found '%c'", c);
    if (lb_utf8_decode(s->text + s->at, s->length - s->at, &code_point) == 0)
        return refuse(s, s->at, "save the file as UTF-8", "byte 0x%02X is not UTF-8", (unsigned)c);
    if (code_point == 0xFEFF)
        return refuse(s, s->at, "save the file as UTF-8 without BOM", "a byte order mark");
    if (lb_utf8_is_control(code_point))
        return refuse(s, s->at,
                      "outside strings only blanks, tabs and line breaks may stand between values",
                      "control character U+%04X", (unsigned)code_point);
    if (c < 0x80)
        return refuse(s, s->at, "", "expected a value, found '%c'", c);
    return refuse(s, s->at, "text stands in double quotes", "character U+%04X outside a string",
                  (unsigned)code_point);
}

/* ---- Values ---- */

static bool scan_value(scanner *s, unsigned depth);

static bool scan_key(scanner *s)
{
    int c = peek(s);
    if (c == '"') {
        if (!scan_string(s))
            return false;
        skip_space(s);
        if (peek(s) != ':')
            return refuse(s, s->at, "write \"key\": value",
                          peek(s) < 0 ? "the text ends behind a key" : "no ':' behind a key");
        s->at++;
        skip_space(s);
        return true;
    }
    if (is_word_byte(c))
        return refuse(s, s->at, "JSON keys stand in double quotes", "a key without quotes");
    if (c < 0)
        return refuse(s, s->at, "close it with }; was the file cut short?",
                      "an object that does not end");
    if (c == ',' || c == ']' || c == ':' || c == '{' || c == '[')
        return refuse(s, s->at, "write \"key\": value", "expected a key, found '%c'", c);
    return refuse_start(s);
}

/* A list or an object from its opening bracket on; both differ in their brackets and in the keys
 * only. */
static bool scan_container(scanner *s, unsigned depth)
{
    size_t start = s->at;
    bool object = s->text[s->at++] == '{';
    int close = object ? '}' : ']';
    const char *what = object ? "an object" : "a list";
    if (depth > s->limits.depth)
        return refuse(s, start, "", "lists and objects more than %u deep", s->limits.depth);
    skip_space(s);
    if (peek(s) == close) {
        s->at++;
        return true;
    }
    for (;;) {
        if (peek(s) < 0)
            return refuse(s, start, "was the file cut short?", "%s that does not end", what);
        if (object && !scan_key(s))
            return false;
        if ((object || !scan_few_digits_each(s)) && !scan_value(s, depth))
            return false;
        skip_space(s);
        int c = peek(s);
        if (c == close) {
            s->at++;
            return true;
        }
        if (c < 0)
            return refuse(s, start, "was the file cut short?", "%s that does not end", what);
        if (c != ',')
            return c == '/' || c == '#' || c == 0 || c >= 0x80
                       ? refuse_start(s)
                       : refuse(s, s->at, "is a comma missing before it?", "expected ',' or '%c'",
                                close);
        size_t comma = s->at++;
        skip_space(s);
        if (peek(s) == close) {
            refuse(s, comma, "leave it out", "a comma behind the last entry of %s", what);
            return refuse_as(s, LB_JSON_TRAILING_COMMA);
        }
    }
}

static bool scan_value(scanner *s, unsigned depth)
{
    int c = peek(s);
    if (c == '"')
        return scan_string(s);
    if (c == '-' || is_digit(c))
        return scan_number(s);
    if (c == '{' || c == '[')
        return scan_container(s, depth + 1);
    if (is_word_byte(c))
        return scan_word(s);
    return refuse_start(s);
}

/* One value, with `depth` levels around it. */
static bool scan_text(const char *text, size_t length, unsigned depth, lb_json_limits limits,
                      lb_json_fault *fault)
{
    scanner s = {.text = text, .length = length, .limits = limits, .fault = fault};
    skip_space(&s);
    if (!scan_value(&s, depth))
        return false;
    skip_space(&s);
    int c = peek(&s);
    if (c < 0)
        return true;
    if (c == 0 || c == '/' || c == '#' || c >= 0x80)
        return refuse_start(&s);
    refuse(&s, s.at, "a JSON file is one value; a file with a case a line is called .jsonl",
           "text behind the end of the value");
    return refuse_as(&s, LB_JSON_TRAILING_TEXT);
}

bool lb_json_scan(const char *text, size_t length, unsigned outer_depth, lb_json_fault *fault)
{
    lb_json_limits limits = {.depth = LB_MAX_DEPTH, .number_bytes = LB_JSON_NUMBER_BYTES};
    return scan_text(text, length, outer_depth, limits, fault);
}

bool lb_json_scan_within(const char *text, size_t length, lb_json_limits limits,
                         lb_json_fault *fault)
{
    return scan_text(text, length, 0, limits, fault);
}

size_t lb_json_plain_end(const char *text, size_t offset, size_t length)
{
    for (; offset < length; offset++) {
        unsigned char c = (unsigned char)text[offset];
        if (c < 0x20 || c >= 0x7F || c == '"' || c == '\\')
            break;
    }
    return offset;
}

/* ---- Text that has passed the scan ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

size_t lb_json_skip_space(const char *text, size_t offset, size_t length)
{
    while (offset < length && is_space(text[offset]))
        offset++;
    return offset;
}

static size_t string_end(const char *text, size_t offset)
{
    for (offset++; text[offset] != '"'; offset++)
        if (text[offset] == '\\')
            offset++;
    return offset + 1;
}

static bool ends_scalar(char c)
{
    return c == ',' || c == ']' || c == '}' || c == '\0' || is_space(c);
}

static size_t container_end(const char *text, size_t offset)
{
    unsigned depth = 0;
    for (;;) {
        offset += strcspn(text + offset, "\"{}[]");
        char c = text[offset];
        if (c == '"') {
            offset = string_end(text, offset);
            continue;
        }
        offset++;
        if (c == '{' || c == '[')
            depth++;
        else if (--depth == 0)
            return offset;
    }
}

size_t lb_json_scalar_end(const char *text, size_t offset)
{
    if (text[offset] == '"')
        return string_end(text, offset);
    while (!ends_scalar(text[offset]))
        offset++;
    return offset;
}

static size_t value_end(const char *text, size_t offset)
{
    return text[offset] == '{' || text[offset] == '[' ? container_end(text, offset)
                                                      : lb_json_scalar_end(text, offset);
}

lb_json_walk lb_json_enter(const char *text, size_t offset)
{
    return (lb_json_walk){.text = text, .at = offset + 1};
}

bool lb_json_next(lb_json_walk *walk, lb_json_item *item)
{
    const char *text = walk->text;
    size_t at = lb_json_skip_space(text, walk->at, (size_t)-1);
    if (text[at] == ',')
        at = lb_json_skip_space(text, at + 1, (size_t)-1);
    if (text[at] == ']' || text[at] == '}')
        return false;
    item->key_start = item->key_end = at;
    item->start = at;
    item->end = value_end(text, at);
    walk->at = lb_json_skip_space(text, item->end, (size_t)-1);
    if (text[walk->at] != ':')
        return true;
    item->key_end = item->end;
    item->start = lb_json_skip_space(text, walk->at + 1, (size_t)-1);
    item->end = walk->at = value_end(text, item->start);
    return true;
}
