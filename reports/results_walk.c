/* The two walks over a table of keys: one writes a structure as JSON, one reads it. */
#include "results_members.h"

#include "escape.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest whole number up to which every JSON reader (a double) tells neighbours apart. */
static const uint64_t exact_limit = (uint64_t)1 << 53;

/* A member of the structure at base, through memcpy: no cast to a type that the compiler cannot
 * check. */
#define LOAD(variable)  memcpy(&(variable), (const char *)base + member->offset, sizeof(variable))
#define STORE(variable) memcpy((char *)base + member->offset, &(variable), sizeof(variable))

/* ---- Writing ---- */

static void write_key(lb_doc *doc, const lb_member *member, bool first)
{
    lb_doc_bytes(doc, member->written + first, member->written_bytes - first);
}

static bool write_string(const lb_member *member, const void *base, lb_doc *doc, bool first)
{
    const char *text;
    LOAD(text);
    if (!member->required && (!text || text[0] == '\0'))
        return false;
    write_key(doc, member, first);
    if (member->type == LB_MEMBER_OVERFLOW && (!text || text[0] == '\0'))
        text = "none";
    lb_escape_json(doc, text);
    return true;
}

static bool write_unsigned(const lb_member *member, uint64_t value, lb_doc *doc, bool first)
{
    if (!member->required && value == 0)
        return false;
    write_key(doc, member, first);
    const char *quote = value > exact_limit ? "\"" : "";
    lb_doc_puts(doc, quote);
    lb_doc_u64(doc, value);
    lb_doc_puts(doc, quote);
    return true;
}

static bool write_signed(const lb_member *member, int64_t value, lb_doc *doc, bool first)
{
    if (!member->required && value == 0)
        return false;
    write_key(doc, member, first);
    bool large = value > (int64_t)exact_limit || value < -(int64_t)exact_limit;
    lb_doc_puts(doc, large ? "\"" : "");
    lb_doc_i64(doc, value);
    lb_doc_puts(doc, large ? "\"" : "");
    return true;
}

static bool write_word(const lb_member *member, const char *word, bool is_default, lb_doc *doc,
                       bool first)
{
    if (!member->required && is_default)
        return false;
    write_key(doc, member, first);
    lb_doc_char(doc, '"');
    lb_doc_puts(doc, word);
    lb_doc_char(doc, '"');
    return true;
}

static bool write_double(const lb_member *member, double value, lb_doc *doc, bool first)
{
    if (!member->required && value == 0)
        return false;
    write_key(doc, member, first);
    lb_doc_double(doc, value, 9, "null");
    return true;
}

/* Counts above 2^53 do not happen: no tensor has so many elements. */
static bool write_histogram(const lb_member *member, const void *base, lb_doc *doc, bool first)
{
    uint64_t bins[LB_TOLERANCE_BINS], any = 0;
    LOAD(bins);
    for (unsigned i = 0; i < LB_TOLERANCE_BINS; i++)
        any |= bins[i];
    if (any == 0)
        return false;
    write_key(doc, member, first);
    for (unsigned i = 0; i < LB_TOLERANCE_BINS; i++) {
        lb_doc_char(doc, i == 0 ? '[' : ',');
        lb_doc_u64(doc, bins[i] < exact_limit ? bins[i] : exact_limit);
    }
    lb_doc_char(doc, ']');
    return true;
}

/* False: left out, because it is empty. */
static bool write_member(const lb_member *member, const void *base, lb_doc *doc, bool first)
{
    uint64_t wide;
    int64_t wide_signed;
    unsigned narrow;
    int bits;
    double real;
    lb_verdict verdict;
    lb_agreement agreement;
    lb_certainty certainty;
    lb_differs differs;
    switch (member->type) {
    case LB_MEMBER_U64:
        LOAD(wide);
        return write_unsigned(member, wide, doc, first);
    case LB_MEMBER_UNSIGNED:
        LOAD(narrow);
        return write_unsigned(member, narrow, doc, first);
    case LB_MEMBER_I64:
        LOAD(wide_signed);
        return write_signed(member, wide_signed, doc, first);
    case LB_MEMBER_BITS:
        LOAD(bits);
        return write_signed(member, bits, doc, first);
    case LB_MEMBER_DOUBLE:
        LOAD(real);
        return write_double(member, real, doc, first);
    case LB_MEMBER_VERDICT:
        LOAD(verdict);
        return write_word(member, lb_verdict_name(verdict), false, doc, first);
    case LB_MEMBER_OPINION:
        LOAD(agreement);
        return write_word(member, lb_agreement_name(agreement), agreement == LB_AGREEMENT_NONE, doc,
                          first);
    case LB_MEMBER_CERTAINTY:
        LOAD(certainty);
        return write_word(member, lb_certainty_name(certainty), false, doc, first);
    case LB_MEMBER_DIFFERS:
        LOAD(differs);
        return write_word(member, lb_differs_name(differs), false, doc, first);
    case LB_MEMBER_HISTOGRAM:
        return write_histogram(member, base, doc, first);
    case LB_MEMBER_STRING:
    case LB_MEMBER_OVERFLOW:
    default:
        return write_string(member, base, doc, first);
    }
}

void lb_members_write(const lb_members *members, const void *base, lb_doc *doc)
{
    bool first = true;
    for (size_t i = 0; i < members->count; i++)
        if (write_member(&members->list[i], base, doc, first))
            first = false;
}

/* ---- Reading ---- */

/* A whole number written in digits, with a minus if it is below zero; false: not one, or beyond 64
 * bits. */
static bool parse_digits(const char *text, bool *negative, uint64_t *magnitude)
{
    *negative = text[0] == '-';
    text += *negative;
    *magnitude = 0;
    if (text[0] == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (*magnitude > (UINT64_MAX - digit) / 10)
            return false;
        *magnitude = *magnitude * 10 + digit;
    }
    return true;
}

static bool read_whole(const cJSON *item, bool *negative, uint64_t *magnitude)
{
    if (cJSON_IsString(item))
        return parse_digits(item->valuestring, negative, magnitude);
    if (!cJSON_IsNumber(item) || !(fabs(item->valuedouble) <= (double)exact_limit) ||
        item->valuedouble != floor(item->valuedouble))
        return false;
    *negative = item->valuedouble < 0;
    *magnitude = (uint64_t)fabs(item->valuedouble);
    return true;
}

static const char *read_unsigned(const lb_member *member, void *base, const cJSON *item)
{
    bool negative;
    uint64_t value;
    if (!read_whole(item, &negative, &value) || (negative && value != 0))
        return "must be a whole number from 0";
    if (member->type == LB_MEMBER_U64) {
        STORE(value);
        return NULL;
    }
    unsigned narrow = (unsigned)value;
    if (value > UINT_MAX)
        return "is too large";
    STORE(narrow);
    return NULL;
}

static const char *read_signed(const lb_member *member, void *base, const cJSON *item)
{
    bool negative;
    uint64_t magnitude;
    if (!read_whole(item, &negative, &magnitude))
        return "must be a whole number";
    if (magnitude > (uint64_t)INT64_MAX + (negative ? 1 : 0))
        return "is beyond its range";
    /* -magnitude without passing through the one value that has no positive counterpart */
    int64_t value = negative && magnitude > 0 ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
    STORE(value);
    return NULL;
}

static const char *read_bits(const lb_member *member, void *base, const cJSON *item)
{
    bool negative;
    uint64_t value;
    if (!read_whole(item, &negative, &value) || (negative && value != 0) || value > 4096)
        return "must be a number of bits, 0 to 4096";
    int bits = (int)value;
    STORE(bits);
    return NULL;
}

static const char *read_double(const lb_member *member, void *base, const cJSON *item)
{
    double value = NAN;
    if (cJSON_IsNumber(item)) {
        value = item->valuedouble;
        if (!isfinite(value))
            return "is beyond the range of numbers";
    } else if (!cJSON_IsNull(item)) {
        return "must be a number or null";
    }
    STORE(value);
    return NULL;
}

static const char *read_histogram(const lb_member *member, void *base, const cJSON *item)
{
    static const char *const wrong = "must be a list of 13 whole numbers from 0";
    uint64_t bins[LB_TOLERANCE_BINS];
    unsigned count = 0;
    const cJSON *element;
    bool negative;
    cJSON_ArrayForEach(element, item)
    {
        if (count == LB_TOLERANCE_BINS || !read_whole(element, &negative, &bins[count]) || negative)
            return wrong;
        count++;
    }
    if (!cJSON_IsArray(item) || count != LB_TOLERANCE_BINS)
        return wrong;
    STORE(bins);
    return NULL;
}

static const char *read_verdict(const lb_member *member, void *base, const char *word)
{
    int found = lb_verdict_find(word);
    if (found < 0)
        return "must be pass, fail, error, skip or waived";
    lb_verdict verdict = (lb_verdict)found;
    STORE(verdict);
    return NULL;
}

static const char *read_agreement(const lb_member *member, void *base, const char *word)
{
    for (int i = 0; i < LB_AGREEMENT_COUNT; i++) {
        lb_agreement agreement = (lb_agreement)i;
        if (strcmp(word, lb_agreement_name(agreement)) == 0) {
            STORE(agreement);
            return NULL;
        }
    }
    return "must be none, agrees or differs";
}

static const char *read_certainty(const lb_member *member, void *base, const char *word)
{
    for (int i = 0; i < LB_CERTAINTY_COUNT; i++) {
        lb_certainty certainty = (lb_certainty)i;
        if (strcmp(word, lb_certainty_name(certainty)) == 0) {
            STORE(certainty);
            return NULL;
        }
    }
    return "must be one, several, partly or unknown";
}

static const char *read_differs(const lb_member *member, void *base, const char *text)
{
    for (lb_differs differs = 0; differs < LB_DIFFERS_COUNT; differs++) {
        if (strcmp(text, lb_differs_name(differs)) == 0) {
            STORE(differs);
            return NULL;
        }
    }
    return "must be data, status, return, field, gap, input, guard, config or step";
}

static const char *read_text(const lb_member *member, void *base, const cJSON *item)
{
    if (!cJSON_IsString(item))
        return "must be a string";
    const char *text = item->valuestring;
    switch (member->type) {
    case LB_MEMBER_VERDICT:
        return read_verdict(member, base, text);
    case LB_MEMBER_OPINION:
        return read_agreement(member, base, text);
    case LB_MEMBER_CERTAINTY:
        return read_certainty(member, base, text);
    case LB_MEMBER_DIFFERS:
        return read_differs(member, base, text);
    case LB_MEMBER_OVERFLOW:
        if (strcmp(text, "none") != 0 && strcmp(text, "transient") != 0 &&
            strcmp(text, "persistent") != 0)
            return "must be none, transient or persistent";
        break;
    default:
        break;
    }
    STORE(text);
    return NULL;
}

/* NULL: read; otherwise what is wrong with it. */
static const char *read_member(const lb_member *member, void *base, const cJSON *item)
{
    switch (member->type) {
    case LB_MEMBER_U64:
    case LB_MEMBER_UNSIGNED:
        return read_unsigned(member, base, item);
    case LB_MEMBER_I64:
        return read_signed(member, base, item);
    case LB_MEMBER_BITS:
        return read_bits(member, base, item);
    case LB_MEMBER_DOUBLE:
        return read_double(member, base, item);
    case LB_MEMBER_HISTOGRAM:
        return read_histogram(member, base, item);
    default:
        return read_text(member, base, item);
    }
}

static void set_strings_empty(const lb_members *members, void *base)
{
    const char *empty = "";
    for (size_t i = 0; i < members->count; i++) {
        const lb_member *member = &members->list[i];
        if (member->type == LB_MEMBER_STRING || member->type == LB_MEMBER_OVERFLOW)
            STORE(empty);
    }
}

/* Index of the member with this key; the search starts where the last one ended, since keys come in
 * the table's order. */
static size_t find_member(const lb_members *members, const char *key, size_t start)
{
    for (size_t i = 0, index = start; i < members->count; i++) {
        const char *name = members->list[index].key;
        if (name[0] == key[0] && strcmp(name, key) == 0)
            return index;
        index = index + 1 < members->count ? index + 1 : 0;
    }
    return members->count;
}

bool lb_members_read(const lb_members *members, void *base, const cJSON *object, char *error,
                     size_t error_bytes)
{
    uint64_t seen = 0; /* no table has more than 64 keys */
    size_t next = 0;
    set_strings_empty(members, base);
    for (const cJSON *item = object->child; item; item = item->next) {
        size_t index = find_member(members, item->string, next);
        if (index == members->count)
            continue;
        const char *wrong = (seen >> index & 1) != 0
                                ? "stands there twice"
                                : read_member(&members->list[index], base, item);
        if (wrong) {
            snprintf(error, error_bytes, "\"%s\" %s", members->list[index].key, wrong);
            return false;
        }
        seen |= (uint64_t)1 << index;
        next = index + 1 < members->count ? index + 1 : 0;
    }
    for (size_t i = 0; i < members->count; i++) {
        if (members->list[i].required && (seen >> i & 1) == 0) {
            snprintf(error, error_bytes, "\"%s\" is missing", members->list[i].key);
            return false;
        }
    }
    return true;
}
