/* Encodings files as text: strict JSON, then no member twice, then the parser. Spec:
 * encodings.md 2.1 step 1, 2.6, 2.7. cJSON lets pass what the spec refuses, so it only sees text
 * that the strict scan has passed. */
#include "harness/base/texts.h"
#include "harness/base/utf8.h"
#include "harness/base/xalloc.h"
#include "harness/encodings/reader.h"
#include "harness/json/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is wrong with a text, in words ---- */

static bool is_typographic_quote(uint32_t c)
{
    return c == 0x2018 || c == 0x2019 || c == 0x201C || c == 0x201D || c == 0x201E || c == 0xAB ||
           c == 0xBB;
}

/* The first typographic quotation mark from `offset` on, at most `length` bytes on; its code point,
 * or 0. */
static uint32_t find_quote(const lb_enc_reader *r, size_t offset, size_t length, size_t *at)
{
    size_t end = length < r->length - offset ? offset + length : r->length;
    while (offset < end) {
        uint32_t code_point = 0;
        unsigned bytes = lb_utf8_decode(r->text + offset, r->length - offset, &code_point);
        if (bytes > 0 && is_typographic_quote(code_point)) {
            *at = offset;
            return code_point;
        }
        offset += bytes ? bytes : 1;
    }
    return 0;
}

static size_t line_start(const char *text, size_t offset)
{
    while (offset > 0 && text[offset - 1] != '\n')
        offset--;
    return offset;
}

static bool starts_with(const lb_enc_reader *r, size_t offset, const char *word)
{
    size_t length = strlen(word);
    return r->length - offset >= length && memcmp(r->text + offset, word, length) == 0;
}

/* AIMET wrote a twin in YAML beside the file: by its name, or "word:" where JSON begins. */
static bool is_yaml(const lb_enc_reader *r)
{
    const char *path = r->file->path ? r->file->path : "";
    size_t at = r->start;
    if (lb_text_ends_with(path, ".yaml") || lb_text_ends_with(path, ".yml"))
        return true;
    while (at < r->length && (r->text[at] == '_' || (r->text[at] >= 'a' && r->text[at] <= 'z')))
        at++;
    return at > r->start && at < r->length && r->text[at] == ':';
}

static bool fail_yaml(lb_enc_reader *r, size_t at)
{
    const char *path = r->file->path ? r->file->path : "", *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = strlen(name) - (lb_text_ends_with(name, ".yaml")  ? strlen(".yaml")
                                    : lb_text_ends_with(name, ".yml") ? strlen(".yml")
                                                                      : strlen(name));
    return lb_enc_fail_at(r, "E_JSON_SYNTAX", "", at,
                          length ? lb_arena_printf(&r->file->arena,
                                                   "use %.*s, its twin in JSON beside it",
                                                   (int)length, name)
                                 : "use its twin in JSON, which is written beside it",
                          "this is YAML, and encodings files are JSON");
}

/* Reports the fault. Three of them have a history, and are told with it (encodings.md 2.6). */
static bool fail_syntax(lb_enc_reader *r, const lb_json_fault *fault)
{
    static const char *const words[] = {"NaN", "Infinity", "-Infinity", "-NaN",
                                        "nan", "inf",      "-inf",      "-nan"};
    size_t at = fault->offset;
    uint32_t quote = find_quote(r, at, 1, &at);
    if (is_yaml(r))
        return fail_yaml(r, fault->offset);
    if (quote)
        return lb_enc_fail_at(r, "E_JSON_SYNTAX", "", at,
                              "JSON knows the straight quotation mark \" alone",
                              "typographic quotation mark U+%04X", (unsigned)quote);
    if (fault->kind == LB_JSON_TRAILING_COMMA)
        return lb_enc_fail_at(r, "E_JSON_SYNTAX", "", at, "leave it out", "trailing comma");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (starts_with(r, at, words[i]))
            return lb_enc_fail_at(
                r, "E_JSON_SYNTAX", "", at, "export the tensor anew with finite numbers",
                "%s is not a JSON number; Python's writer emits it for non-finite values",
                words[i]);
    if (starts_with(r, at, "..."))
        return lb_enc_fail_at(r, "E_JSON_SYNTAX", "", at, "write out what they stand for",
                              "three dots");
    if (fault->kind == LB_JSON_COMMENT)
        return lb_enc_fail_at(r, "E_JSON_SYNTAX", "", at, "JSON has no comments: take it out", "%s",
                              fault->problem);
    if (fault->kind == LB_JSON_TRAILING_TEXT)
        return lb_enc_fail_at(r, "E_JSON_SYNTAX", "", at,
                              "the file is one JSON object and nothing more", "%s", fault->problem);
    /* "key” opens straight and closes otherwise: the fault shows behind, the cause stands on the
     * same line. */
    size_t start = line_start(r->text, fault->offset);
    quote = find_quote(r, start, fault->offset - start + 1, &at);
    if (quote)
        return lb_enc_fail_at(
            r, "E_JSON_SYNTAX", "", fault->offset,
            "JSON knows the straight quotation mark \" alone",
            "%s; a typographic quotation mark U+%04X stands on this line, at column %zu",
            fault->problem, (unsigned)quote, at - start + 1);
    return lb_enc_fail_at(r, "E_JSON_SYNTAX", "", fault->offset, fault->remedy, "%s",
                          fault->problem);
}

/* ---- Members that stand twice ---- */

static bool is_before(const cJSON *x, const cJSON *y)
{
    return lb_node_place(x).key < lb_node_place(y).key;
}

static int compare_members(const void *a, const void *b)
{
    const cJSON *x = *(const cJSON *const *)a;
    const cJSON *y = *(const cJSON *const *)b;
    int order = strcmp(x->string, y->string);
    return order ? order : is_before(x, y) ? -1 : 1;
}

/* The earliest member of the tree whose object has one of that name before it, or NULL. Names are
 * compared with their escapes resolved. */
static const cJSON *find_twin(const cJSON *node)
{
    const cJSON *found = NULL;
    size_t count = 0;
    for (const cJSON *child = node->child; child; child = child->next) {
        const cJSON *below = find_twin(child);
        if (below && (!found || is_before(below, found)))
            found = below;
        count++;
    }
    if (!cJSON_IsObject(node) || count < 2)
        return found;
    const cJSON **members = lb_resized(NULL, count * sizeof(const cJSON *));
    count = 0;
    for (const cJSON *child = node->child; child; child = child->next)
        members[count++] = child;
    qsort(members, count, sizeof(const cJSON *), compare_members);
    for (size_t i = 1; i < count; i++)
        if (strcmp(members[i - 1]->string, members[i]->string) == 0 &&
            (!found || is_before(members[i], found)))
            found = members[i];
    free(members);
    return found;
}

/* ---- The parse ---- */

bool lb_enc_parse(lb_enc_reader *r)
{
    static const lb_json_limits limits = {.depth = CJSON_NESTING_LIMIT, .number_bytes = 0};
    lb_json_fault fault = {0};
    if (r->length >= 3 && memcmp(r->text, "\xEF\xBB\xBF", 3) == 0) {
        r->start = 3;
        lb_enc_warn_at(r->file, "W_BOM", "", 0, "", "the file begins with a UTF-8 byte order mark");
    }
    if (r->length == r->start)
        return lb_enc_fail_at(r, "E_JSON_SYNTAX", "", r->start, "export the encodings anew",
                              "the file is empty");
    if (!lb_json_scan_within(r->text + r->start, r->length - r->start, limits, &fault)) {
        fault.offset += r->start;
        return fail_syntax(r, &fault);
    }
    lb_document document = {.text = r->text, .key_offset = r->start, .value_offset = r->start};
    lb_document_parse(&document, &r->file->arena, r->length);
    r->root = document.root;
    const cJSON *twin = find_twin(r->root);
    if (!twin)
        return true;
    return lb_enc_fail_at(r, "E_DUP_KEY", twin->string, lb_node_place(twin).key,
                          "give each its own name, or take one out",
                          "the member stands in this object a second time");
}
