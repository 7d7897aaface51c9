/* The mark of --guard warn, read back from stored results: see mark.h. The lines are our own,
 * so that a search does what a parser would: the accumulator is the last member of a result, and
 * its keys stand in a fixed order. */
#include "harness/guard/mark.h"

#include <string.h>

/* The number behind "KEY": after `from`; 0 where the key is left out. */
static int number_of(const char *from, const char *end, const char *key)
{
    size_t key_length = strlen(key);
    const char *at = memmem(from, (size_t)(end - from), key, key_length);
    int value = 0;
    if (!at)
        return 0;
    for (at += key_length; at < end && *at >= '0' && *at <= '9' && value < 10000; at++)
        value = value * 10 + (*at - '0');
    return value;
}

bool lb_guard_is_marked(const char *line, size_t length)
{
    static const char start[] = "\"accumulator\":{";
    const char *end = line + length;
    const char *at = memmem(line, length, start, sizeof start - 1);
    if (!at)
        return false;
    int acc_bits = number_of(at, end, "\"acc_bits\":");
    return number_of(at, end, "\"peak_bits\":") > acc_bits ||
           number_of(at, end, "\"bound_bits\":") > acc_bits;
}
