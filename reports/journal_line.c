/* Lines of journals: see journal_line.h. */
#define _GNU_SOURCE /* memmem */
#include "journal_line.h"
#include "results.h"

#include <stdint.h>
#include <string.h>

enum { WORD_BYTES = 8 };

/* Eight bytes as a number, the first one lowest: the same on every host. */
static uint64_t word_at(const char *bytes, size_t count)
{
    unsigned char word[WORD_BYTES] = {0};
    uint64_t value = 0;
    memcpy(word, bytes, count);
    for (int i = 0; i < WORD_BYTES; i++)
        value |= (uint64_t)word[i] << (8 * i);
    return value;
}

/* FNV-1a of words, its upper half folded in so that no bit is lost at the top: against what disks
 * do, not against people. The length, as the last word is filled up. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x100000001B3u;
    return hash ^ hash >> 32;
}

static void put_digits(uint64_t hash, char sum[LB_JOURNAL_SUM_BYTES])
{
    sum[0] = '\t';
    for (int digit = 1; digit < LB_JOURNAL_SUM_BYTES; digit++)
        sum[digit] = "0123456789abcdef"[hash >> (4 * (LB_JOURNAL_SUM_BYTES - 1 - digit)) & 15];
}

static void put_sum(const char *line, size_t length, char sum[LB_JOURNAL_SUM_BYTES])
{
    uint64_t hash = mix(0xCBF29CE484222325u, length);
    size_t i = 0;
    for (; length - i >= WORD_BYTES; i += WORD_BYTES)
        hash = mix(hash, word_at(line + i, WORD_BYTES));
    put_digits(mix(hash, word_at(line + i, length - i)), sum);
}

/* Of a journal-1: FNV-1a of bytes. */
static void put_first_sum(const char *line, size_t length, char sum[LB_JOURNAL_SUM_BYTES])
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)line[i]) * 16777619u;
    put_digits(hash, sum);
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
    if (memcmp(line + length, sum, LB_JOURNAL_SUM_BYTES) != 0)
        put_first_sum(line, length, sum);
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
    char word[16] = "";
    if (!lb_line_text(line, length, "verdict", &text, &text_length) ||
        (size_t)text_length >= sizeof word)
        return -1;
    memcpy(word, text, (size_t)text_length);
    return lb_verdict_find(word);
}
