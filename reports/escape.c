/* Text of strangers made harmless, for each kind of document: see escape.h. */
#include "escape.h"

#include <string.h>

#define REPLACEMENT 0xFFFDu
#define ELLIPSIS    0x2026u

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* The character that starts at p (not ASCII), its length in *length; 0 if the bytes are not one.
 * The first test of the second byte refuses overlong forms, surrogates and what lies beyond
 * U+10FFFF. */
static uint32_t decode_long(const unsigned char *p, unsigned *length)
{
    if (p[0] >= 0xC2 && p[0] <= 0xDF && is_continuation(p[1])) {
        *length = 2;
        return (uint32_t)(p[0] & 0x1F) << 6 | (p[1] & 0x3Fu);
    }
    if (p[0] >= 0xE0 && p[0] <= 0xEF) {
        unsigned char low = p[0] == 0xE0 ? 0xA0 : 0x80;
        unsigned char high = p[0] == 0xED ? 0x9F : 0xBF;
        if (p[1] >= low && p[1] <= high && is_continuation(p[2])) {
            *length = 3;
            return (uint32_t)(p[0] & 0x0F) << 12 | (uint32_t)(p[1] & 0x3F) << 6 | (p[2] & 0x3Fu);
        }
    }
    if (p[0] >= 0xF0 && p[0] <= 0xF4) {
        unsigned char low = p[0] == 0xF0 ? 0x90 : 0x80;
        unsigned char high = p[0] == 0xF4 ? 0x8F : 0xBF;
        if (p[1] >= low && p[1] <= high && is_continuation(p[2]) && is_continuation(p[3])) {
            *length = 4;
            return (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3F) << 12 |
                   (uint32_t)(p[2] & 0x3F) << 6 | (p[3] & 0x3Fu);
        }
    }
    return 0;
}

uint32_t lb_utf8_next(const char **text)
{
    const unsigned char *p = (const unsigned char *)*text;
    if (p[0] < 0x80) {
        *text += p[0] != 0;
        return p[0];
    }
    unsigned length = 1;
    uint32_t codepoint = decode_long(p, &length);
    if (codepoint == 0)
        codepoint = REPLACEMENT;
    *text += length;
    return codepoint;
}

/* Control characters other than tab and line feed, and the marks that turn the direction of text or
 * show as nothing. */
static bool is_unseen(uint32_t c)
{
    return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c <= 0x9F) ||
           (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || c == 0x2028 || c == 0x2029;
}

/* How one character is written in one kind of document. */
typedef void write_character_fn(lb_doc *doc, uint32_t c);

static void write_all(lb_doc *doc, const char *text, size_t limit,
                      write_character_fn *write_character)
{
    const char *rest = !text ? "" : text;
    size_t count = 0;
    for (uint32_t c = lb_utf8_next(&rest); c != 0; c = lb_utf8_next(&rest)) {
        if (limit != 0 && count == limit) {
            lb_doc_codepoint(doc, ELLIPSIS);
            return;
        }
        write_character(doc, c);
        count++;
    }
}

static void write_json_character(lb_doc *doc, uint32_t c)
{
    switch (c) {
    case '"':
        lb_doc_bytes(doc, "\\\"", 2);
        return;
    case '\\':
        lb_doc_bytes(doc, "\\\\", 2);
        return;
    case '\n':
        lb_doc_bytes(doc, "\\n", 2);
        return;
    case '\t':
        lb_doc_bytes(doc, "\\t", 2);
        return;
    default:
        if (is_unseen(c)) /* read back, it is the same */
            lb_doc_printf(doc, "\\u%04x", (unsigned)c);
        else
            lb_doc_codepoint(doc, c);
    }
}

static bool is_plain_json(char byte)
{
    unsigned char c = (unsigned char)byte;
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

void lb_escape_json(lb_doc *doc, const char *text)
{
    const char *rest = !text ? "" : text;
    lb_doc_char(doc, '"');
    /* Runs of plain ASCII, which is nearly everything, are copied whole. */
    while (*rest != '\0') {
        size_t plain = 0;
        while (is_plain_json(rest[plain]))
            plain++;
        lb_doc_bytes(doc, rest, plain);
        rest += plain;
        if (*rest != '\0')
            write_json_character(doc, lb_utf8_next(&rest));
    }
    lb_doc_char(doc, '"');
}

static void write_script_character(lb_doc *doc, uint32_t c)
{
    if (c == '<')
        lb_doc_puts(doc, "\\u003c");
    else
        write_json_character(doc, is_unseen(c) ? REPLACEMENT : c);
}

void lb_escape_script(lb_doc *doc, const char *text, size_t limit)
{
    lb_doc_char(doc, '"');
    write_all(doc, text, limit, write_script_character);
    lb_doc_char(doc, '"');
}

/* The five characters that HTML and XML share; false: not one of them. */
static bool write_markup_character(lb_doc *doc, uint32_t c)
{
    switch (c) {
    case '&':
        lb_doc_puts(doc, "&amp;");
        return true;
    case '<':
        lb_doc_puts(doc, "&lt;");
        return true;
    case '>':
        lb_doc_puts(doc, "&gt;");
        return true;
    case '"':
        lb_doc_puts(doc, "&quot;");
        return true;
    case '\'':
        lb_doc_puts(doc, "&#39;");
        return true;
    default:
        return false;
    }
}

static void write_html_character(lb_doc *doc, uint32_t c)
{
    if (!write_markup_character(doc, c))
        lb_doc_codepoint(doc, is_unseen(c) ? REPLACEMENT : c);
}

void lb_escape_html(lb_doc *doc, const char *text, size_t limit)
{
    write_all(doc, text, limit, write_html_character);
}

static void write_xml_character(lb_doc *doc, uint32_t c)
{
    if (c == '\t' || c == '\n' || c == '\r')
        lb_doc_printf(doc, "&#%u;", (unsigned)c); /* an attribute would turn them into blanks */
    else if (is_unseen(c) || c == 0xFFFE || c == 0xFFFF)
        lb_doc_codepoint(doc, REPLACEMENT);
    else if (!write_markup_character(doc, c))
        lb_doc_codepoint(doc, c);
}

void lb_escape_xml(lb_doc *doc, const char *text, size_t limit)
{
    write_all(doc, text, limit, write_xml_character);
}

static void write_markdown_character(lb_doc *doc, uint32_t c)
{
    if (c == '<' || c == '&') {
        lb_doc_puts(doc, c == '<' ? "&lt;" : "&amp;");
    } else if (c < 0x80 && c > 0x20 && strchr("\\`*_{}[]()#!|>~", (int)c)) {
        lb_doc_char(doc, '\\');
        lb_doc_char(doc, (char)c);
    } else if (c == '\n' || c == '\t' || c == '\r') {
        lb_doc_char(doc, ' ');
    } else {
        lb_doc_codepoint(doc, is_unseen(c) ? REPLACEMENT : c);
    }
}

void lb_escape_markdown(lb_doc *doc, const char *text, size_t limit)
{
    write_all(doc, text, limit, write_markdown_character);
}

static void write_code_character(lb_doc *doc, uint32_t c)
{
    if (c == '\n' || c == '\t' || c == '\r')
        lb_doc_char(doc, ' ');
    else
        lb_doc_codepoint(doc, is_unseen(c) ? REPLACEMENT : c);
}

static void write_cell_code_character(lb_doc *doc, uint32_t c)
{
    if (c == '|')
        lb_doc_puts(doc, "\\|"); /* a table cell ends at a bare bar, even inside code */
    else
        write_code_character(doc, c);
}

static size_t longest_backtick_run(const char *text)
{
    size_t longest = 0;
    while (*text != '\0') {
        size_t run = strspn(text, "`");
        longest = run > longest ? run : longest;
        text += run > 0 ? run : 1;
    }
    return longest;
}

/* Backticks inside a span are allowed as long as no run of them is as long as the fence. */
void lb_escape_code_span(lb_doc *doc, const char *text, size_t limit, bool in_table)
{
    if (!text || text[0] == '\0')
        return;
    size_t longest = longest_backtick_run(text);
    if (longest > 16) {
        lb_escape_markdown(doc, text, limit);
        return;
    }
    for (size_t i = 0; i <= longest; i++)
        lb_doc_char(doc, '`');
    lb_doc_puts(doc, longest > 0 ? " " : "");
    write_all(doc, text, limit, in_table ? write_cell_code_character : write_code_character);
    lb_doc_puts(doc, longest > 0 ? " " : "");
    for (size_t i = 0; i <= longest; i++)
        lb_doc_char(doc, '`');
}

/* "-12" and "3.5" stay numbers for the spreadsheet. */
static bool is_number(const char *text)
{
    text += text[0] == '-' || text[0] == '+';
    size_t digits = strspn(text, "0123456789");
    if (digits == 0)
        return false;
    text += digits;
    if (*text == '.') {
        digits = strspn(text + 1, "0123456789");
        if (digits == 0)
            return false;
        text += 1 + digits;
    }
    return *text == '\0';
}

/* What makes a spreadsheet read a cell as a formula; some take the full-width forms too. */
static bool starts_formula(const char *text)
{
    const char *rest = text;
    uint32_t c = lb_utf8_next(&rest);
    return c == '=' || c == '+' || c == '-' || c == '@' || c == '\t' || c == '\r' || c == '\n' ||
           c == 0xFF1D || c == 0xFF0B || c == 0xFF0D || c == 0xFF20;
}

void lb_escape_csv(lb_doc *doc, const char *text, bool is_text)
{
    const char *rest = !text ? "" : text;
    bool guard = is_text && starts_formula(rest) && !is_number(rest);
    bool quote = strpbrk(rest, ",\"\r\n") || rest[0] == ' ';
    lb_doc_puts(doc, quote ? "\"" : "");
    lb_doc_puts(doc, guard ? "'" : "");
    for (uint32_t c = lb_utf8_next(&rest); c != 0; c = lb_utf8_next(&rest)) {
        if (c == '"')
            lb_doc_char(doc, '"');
        lb_doc_codepoint(doc, is_unseen(c) && c != '\r' ? REPLACEMENT : c);
    }
    lb_doc_puts(doc, quote ? "\"" : "");
}

static void write_line_character(lb_doc *doc, uint32_t c)
{
    lb_doc_codepoint(doc, c == '\n' || c == '\t' ? ' ' : is_unseen(c) ? REPLACEMENT : c);
}

void lb_escape_line(lb_doc *doc, const char *text)
{
    write_all(doc, text, 0, write_line_character);
}
