/* Lines of journals: see journal_line.h. */
#define _GNU_SOURCE /* memmem */
#include "journal_line.h"
#include "results.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* FNV-1a: against what disks do, not against people. */
static void put_sum(const char *line, size_t length, char sum[LB_JOURNAL_SUM_BYTES])
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)line[i]) * 16777619u;
    sum[0] = '\t';
    for (int digit = 1; digit < LB_JOURNAL_SUM_BYTES; digit++)
        sum[digit] = "0123456789abcdef"[hash >> (4 * (LB_JOURNAL_SUM_BYTES - 1 - digit)) & 15];
}

size_t lb_journal_line_seal(char *line, size_t length)
{
    char sum[LB_JOURNAL_SUM_BYTES];
    put_sum(line, length, sum);
    memcpy(line + length, sum, LB_JOURNAL_SUM_BYTES);
    return length + LB_JOURNAL_SUM_BYTES;
}

size_t lb_journal_line_check(const char *line, size_t length)
{
    char sum[LB_JOURNAL_SUM_BYTES];
    if (length <= LB_JOURNAL_SUM_BYTES)
        return 0;
    length -= LB_JOURNAL_SUM_BYTES;
    put_sum(line, length, sum);
    return memcmp(line + length, sum, LB_JOURNAL_SUM_BYTES) == 0 ? length : 0;
}

const char *lb_line_member(const char *line, size_t length, const char *key)
{
    char member[40] = {'"'};
    const size_t key_length = strnlen(key, sizeof member - 3), member_length = key_length + 3;
    memcpy(member + 1, key, key_length);
    memcpy(member + 1 + key_length, "\":", 2);
    const char *at = memmem(line, length, member, member_length);
    return at ? at + member_length : NULL;
}

bool lb_line_text(const char *line, size_t length, const char *key, const char **text,
                  int *text_length)
{
    const char *end = line + length, *at = lb_line_member(line, length, key);
    if (!at || at == end || *at != '"')
        return false;
    *text = ++at;
    while (at < end && *at != '"')
        at += *at == '\\' ? 2 : 1;
    *text_length = (int)(at - *text);
    return at > *text;
}

int lb_line_verdict(const char *line, size_t length)
{
    const char *text;
    int text_length;
    char word[16];
    if (!lb_line_text(line, length, "verdict", &text, &text_length))
        return -1;
    snprintf(word, sizeof word, "%.*s", text_length, text);
    return lb_verdict_find(word);
}
