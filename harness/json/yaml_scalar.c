/* Plain YAML scalars: see yaml_scalar.h. */
#include "harness/json/yaml_scalar.h"

#include <stdlib.h>
#include <string.h>

static size_t digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* [-+]? digits, without a leading zero: YAML 1.1 readers take 010 for 8, those of 1.2 for 10. */
static bool is_decimal_integer(const char *text)
{
    text += *text == '-' || *text == '+';
    size_t count = digits(text);
    return count > 0 && text[count] == '\0' && (text[0] != '0' || count == 1);
}

/* [-+]? ( digits ( . digits? )? | . digits ) ( e [-+]? digits )?, with a point or an exponent. */
static bool is_real(const char *text)
{
    text += *text == '-' || *text == '+';
    size_t before = digits(text);
    size_t after = 0;
    bool is_integer = true;
    if (before > 1 && text[0] == '0')
        return false;
    text += before;
    if (*text == '.') {
        is_integer = false;
        after = digits(++text);
        text += after;
    }
    if (before + after == 0)
        return false;
    if (*text == 'e' || *text == 'E') {
        is_integer = false;
        text++;
        text += *text == '-' || *text == '+';
        size_t exponent = digits(text);
        if (exponent == 0)
            return false;
        text += exponent;
    }
    return *text == '\0' && !is_integer;
}

/* "0x" and at most 13 digits, "0o" and at most 17: numbers that binary64 holds exactly. */
static bool is_based(const char *text, const char *prefix, const char *alphabet, size_t most)
{
    size_t length = strlen(text);
    return strncmp(text, prefix, 2) == 0 && length > 2 && length <= 2 + most &&
           strspn(text + 2, alphabet) == length - 2;
}

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

static cJSON *number_node(lb_arena *arena, double value)
{
    cJSON *node = lb_document_node(arena, cJSON_Number);
    node->valuedouble = value;
    return node;
}

static cJSON *string_node(lb_arena *arena, const char *text)
{
    cJSON *node = lb_document_node(arena, cJSON_String);
    node->valuestring = lb_arena_strdup(arena, text);
    return node;
}

cJSON *lb_yaml_plain_scalar(lb_arena *arena, const char *text)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
    static const char *const trues[] = {"true", "True", "TRUE", NULL};
    static const char *const falses[] = {"false", "False", "FALSE", NULL};
    static const char *const nans[] = {".nan", ".NaN", ".NAN", NULL};
    static const char *const infinities[] = {".inf",  ".Inf",  ".INF", "+.inf",
                                             "+.Inf", "+.INF", NULL};
    static const char *const minus_infinities[] = {"-.inf", "-.Inf", "-.INF", NULL};
    if (is_one_of(text, nulls))
        return lb_document_node(arena, cJSON_NULL);
    if (is_one_of(text, trues))
        return lb_document_node(arena, cJSON_True);
    if (is_one_of(text, falses))
        return lb_document_node(arena, cJSON_False);
    if (is_decimal_integer(text) || is_real(text))
        return number_node(arena, strtod(text, NULL));
    if (is_based(text, "0o", "01234567", 17))
        return number_node(arena, (double)strtoull(text + 2, NULL, 8));
    if (is_based(text, "0x", "0123456789abcdefABCDEF", 13)) {
        cJSON *node = number_node(arena, (double)strtoull(text + 2, NULL, 16));
        node->valuestring = lb_arena_strdup(arena, text);
        return node;
    }
    /* JSON has no word for these; the same texts stand for them there. */
    if (is_one_of(text, nans))
        return string_node(arena, "nan");
    if (is_one_of(text, infinities))
        return string_node(arena, "inf");
    if (is_one_of(text, minus_infinities))
        return string_node(arena, "-inf");
    return string_node(arena, text);
}
