/* The decoder's tools: reading nodes of a document, and saying what is wrong with them. */
#include "harness/suite/decode.h"
#include "harness/base/format_checked.h"
#include "harness/base/suggest.h"
#include "harness/base/utf8.h"

#include <stdio.h>
#include <string.h>

/* ---- Reporting ---- */

static void complain(lb_decoder *d, const cJSON *node, bool at_key, const char *subkey,
                     const char *remedy, const char *format, va_list arguments)
    LB_FORMAT_CHECKED(6, 0);

static void complain(lb_decoder *d, const cJSON *node, bool at_key, const char *subkey,
                     const char *remedy, const char *format, va_list arguments)
{
    char path[160];
    lb_place place = {.case_id = d->case_id, .key = path};
    d->found++;
    if (lb_problems_full(d->problems))
        return;
    lb_document_path(d->document, node, path, sizeof path);
    size_t length = strlen(path);
    if (subkey)
        snprintf(path + length, sizeof path - length, "%s%s", length ? "." : "", subkey);
    lb_document_position(d->document, node, at_key, &place.line, &place.column);
    lb_problem_v(d->problems, place, remedy, format, arguments);
}

void lb_complain(lb_decoder *d, const cJSON *node, const char *subkey, const char *remedy,
                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(d, node, false, subkey, remedy, format, arguments);
    va_end(arguments);
}

void lb_complain_key(lb_decoder *d, const cJSON *node, const char *remedy, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(d, node, true, NULL, remedy, format, arguments);
    va_end(arguments);
}

lb_text lb_describe(const cJSON *node)
{
    lb_text t;
    if (cJSON_IsNumber(node))
        snprintf(t.text, sizeof t.text, "the number %.15g", node->valuedouble);
    else if (cJSON_IsString(node))
        snprintf(t.text, sizeof t.text,
                 strlen(node->valuestring) > 24 ? "the text \"%.24s...\"" : "the text \"%s\"",
                 node->valuestring);
    else
        snprintf(t.text, sizeof t.text, "%s",
                 cJSON_IsArray(node)    ? "a list"
                 : cJSON_IsObject(node) ? "an object"
                 : cJSON_IsTrue(node)   ? "true"
                 : cJSON_IsFalse(node)  ? "false"
                                        : "null");
    return t;
}

static void complain_type(lb_decoder *d, const cJSON *node, const char *due)
{
    lb_complain(d, node, NULL, "", "expected %s, found %s", due, lb_describe(node).text);
}

/* ---- Objects ---- */

static const char *key_name_at(const void *set, size_t index)
{
    return ((const lb_key *)set)[index].name;
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* Index of a key; people and programs write keys in the same order again and again, so the search
 * starts where the last one ended. */
static size_t find_key(const lb_key *keys, size_t count, const char *name, size_t start)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = start + i < count ? start + i : start + i - count;
        if (same_text(keys[at].name, name))
            return at;
    }
    return count;
}

const cJSON *lb_member_or_self(const cJSON *object, const char *key)
{
    const cJSON *member = object->child;
    while (member && !same_text(member->string, key))
        member = member->next;
    return member ? member : object;
}

bool lb_read_members(lb_decoder *d, const cJSON *object, const lb_key *keys, const cJSON **slots)
{
    size_t count = 0;
    for (; keys[count].name; count++)
        slots[count] = NULL;
    if (!cJSON_IsObject(object)) {
        complain_type(d, object, "an object");
        return false;
    }
    unsigned found = d->found;
    size_t next = 0;
    for (const cJSON *member = object->child; member && !lb_problems_full(d->problems);
         member = member->next) {
        size_t at = find_key(keys, count, member->string, next);
        if (at == count) {
            char remedy[400];
            lb_suggest_text(member->string, key_name_at, keys, remedy, sizeof remedy);
            lb_complain_key(d, member, remedy, "unknown key");
        } else if (slots[at]) {
            lb_complain_key(d, member, "each key stands once in an object",
                            "the key \"%s\" stands here a second time", keys[at].name);
        } else {
            slots[at] = member;
            next = at + 1 < count ? at + 1 : 0;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (keys[i].required && !slots[i])
            lb_complain(d, object, keys[i].name, "", "the key is missing");
    return d->found == found;
}

/* ---- Scalars ---- */

bool lb_read_integer(lb_decoder *d, const cJSON *node, int64_t low, int64_t high, const char *what,
                     int64_t *value)
{
    if (!cJSON_IsNumber(node)) {
        complain_type(d, node, "a whole number");
        return false;
    }
    double number = node->valuedouble;
    if (!(number >= (double)low && number <= (double)high)) {
        char range[96];
        snprintf(range, sizeof range, "%s: %lld..%lld", what, (long long)low, (long long)high);
        lb_complain(d, node, NULL, range, "%.15g is out of range", number);
        return false;
    }
    int64_t whole = (int64_t)number;
    if ((double)whole < number || (double)whole > number) {
        lb_complain(d, node, NULL, "", "expected a whole number, found %.15g", number);
        return false;
    }
    *value = whole;
    return true;
}

bool lb_read_i32(lb_decoder *d, const cJSON *node, const char *what, int32_t *value)
{
    int64_t wide;
    if (!lb_read_integer(d, node, INT32_MIN, INT32_MAX, what, &wide))
        return false;
    *value = (int32_t)wide;
    return true;
}

bool lb_read_u32(lb_decoder *d, const cJSON *node, const char *what, uint32_t *value)
{
    int64_t wide;
    if (!lb_read_integer(d, node, 0, UINT32_MAX, what, &wide))
        return false;
    *value = (uint32_t)wide;
    return true;
}

bool lb_read_avepool_bits(lb_decoder *d, const cJSON *node)
{
    int64_t bits = 8;
    if (lb_read_integer(d, node, 8, 16, "8 or 16", &bits) && bits != 8 && bits != 16)
        lb_complain(d, node, NULL, "8 or 16", "%d bits are not among the choices", (int)bits);
    return bits == 16;
}

bool lb_read_bool(lb_decoder *d, const cJSON *node, bool *value)
{
    if (!cJSON_IsBool(node)) {
        complain_type(d, node, "true or false");
        return false;
    }
    *value = cJSON_IsTrue(node);
    return true;
}

const char *lb_read_text(lb_decoder *d, const cJSON *node)
{
    if (cJSON_IsString(node))
        return node->valuestring;
    const char *remedy = cJSON_IsArray(node) || cJSON_IsObject(node) ? "" : "put it in quotes";
    lb_complain(d, node, NULL, remedy, "expected text, found %s", lb_describe(node).text);
    return NULL;
}

char *lb_read_name(lb_decoder *d, const cJSON *node, size_t max_bytes)
{
    const char *text = lb_read_text(d, node);
    if (!text)
        return NULL;
    size_t length = strlen(text);
    char remedy[64];
    snprintf(remedy, sizeof remedy, "1 to %zu bytes", max_bytes);
    if (length == 0 || length > max_bytes) {
        lb_complain(d, node, NULL, remedy, "a text of %zu bytes", length);
        return NULL;
    }
    if (!lb_utf8_is_printable(text, length)) {
        lb_complain(d, node, NULL, "printable characters only", "a control character in the text");
        return NULL;
    }
    return lb_arena_strdup(d->arena, text);
}

bool lb_read_choice(lb_decoder *d, const cJSON *node, const char *const *names, unsigned *number)
{
    const char *text = lb_read_text(d, node);
    if (!text)
        return false;
    for (unsigned i = 0; names[i]; i++)
        if (same_text(names[i], text)) {
            *number = i;
            return true;
        }
    char remedy[400];
    lb_suggest_text(text, lb_name_in_array, names, remedy, sizeof remedy);
    lb_complain(d, node, NULL, remedy, "unknown name \"%s\"", text);
    return false;
}

static const char *status_name_at(const void *set, size_t index)
{
    (void)set;
    return index < LB_STATUS_COUNT ? lb_status_name((int)index) : NULL;
}

bool lb_read_status(lb_decoder *d, const cJSON *node, lb_status *status)
{
    const char *text = lb_read_text(d, node);
    if (!text)
        return false;
    int number = lb_status_find(text);
    if (number < 0) {
        char remedy[400];
        lb_suggest_text(text, status_name_at, NULL, remedy, sizeof remedy);
        lb_complain(d, node, NULL, remedy, "unknown status \"%s\"", text);
        return false;
    }
    *status = (lb_status)number;
    return true;
}

/* ---- Lists ---- */

bool lb_read_list(lb_decoder *d, const cJSON *node, size_t low_count, size_t high_count,
                  const char *what, size_t *count)
{
    if (!cJSON_IsArray(node)) {
        complain_type(d, node, "a list");
        return false;
    }
    size_t length = 0;
    for (const cJSON *child = node->child; child; child = child->next)
        length++;
    if (length < low_count || length > high_count) {
        char remedy[96];
        if (low_count == high_count)
            snprintf(remedy, sizeof remedy, "%s: %zu", what, low_count);
        else if (high_count == SIZE_MAX)
            snprintf(remedy, sizeof remedy, "%s: at least %zu", what, low_count);
        else
            snprintf(remedy, sizeof remedy, "%s: %zu to %zu", what, low_count, high_count);
        lb_complain(d, node, NULL, remedy, "a list of %zu %s", length,
                    length == 1 ? "entry" : "entries");
        return false;
    }
    *count = length;
    return true;
}

bool lb_read_integers(lb_decoder *d, const cJSON *node, int64_t low, int64_t high, const char *what,
                      lb_values *values)
{
    size_t count;
    if (!lb_read_list(d, node, 0, SIZE_MAX, what, &count))
        return false;
    int32_t *items = lb_arena_array(d->arena, count, sizeof *items);
    unsigned found = d->found;
    size_t i = 0;
    for (const cJSON *child = node->child; child && !lb_problems_full(d->problems);
         child = child->next, i++) {
        int64_t value = 0;
        if (lb_read_integer(d, child, low, high, what, &value))
            items[i] = (int32_t)value;
    }
    values->items = items;
    values->count = count;
    return d->found == found;
}
