/* The mark of --guard warn, read back from stored results: see mark.h. */
#include "harness/guard/mark.h"
#include "reports/journal_line.h"
#include "reports/results.h"

/* 0 where the key is left out. */
static int number_of(const char *from, const char *end, const char *key)
{
    const char *at = lb_line_member(from, (size_t)(end - from), key);
    int value = 0;
    for (; at && at < end && *at >= '0' && *at <= '9' && value < 10000; at++)
        value = value * 10 + (*at - '0');
    return value;
}

/* Tags are words without escapes. */
static bool is_on_purpose(const char *line, size_t length)
{
    char tags[2000];
    const char *at = lb_line_member(line, length, "tags");
    size_t i = 0;
    if (!at || *at++ != '"')
        return false;
    for (; at + i < line + length && at[i] != '"' && i + 1 < sizeof tags; i++)
        tags[i] = at[i];
    tags[i] = '\0';
    return lb_result_overflows_on_purpose(&(lb_result){.tags = tags});
}

/* The accumulator is the last member of a result, so that its numbers stand behind its name. */
bool lb_guard_is_marked(const char *line, size_t length)
{
    const char *end = line + length;
    const char *at = lb_line_member(line, length, "accumulator");
    if (!at)
        return false;
    if (is_on_purpose(line, length))
        return false;
    int acc_bits = number_of(at, end, "acc_bits");
    return number_of(at, end, "peak_bits") > acc_bits ||
           number_of(at, end, "bound_bits") > acc_bits;
}
