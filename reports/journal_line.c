/* Lines of journals: see journal_line.h. */
#include "journal_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* FNV-1a: against what disks do, not against people. */
static void put_sum(const char *line, size_t length, char sum[LB_JOURNAL_SUM_BYTES + 1])
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)line[i]) * 16777619u;
    snprintf(sum, LB_JOURNAL_SUM_BYTES + 1, "\t%08" PRIx32, hash);
}

size_t lb_journal_line_seal(char *line, size_t length)
{
    char sum[LB_JOURNAL_SUM_BYTES + 1];
    put_sum(line, length, sum);
    memcpy(line + length, sum, LB_JOURNAL_SUM_BYTES);
    return length + LB_JOURNAL_SUM_BYTES;
}

size_t lb_journal_line_check(const char *line, size_t length)
{
    char sum[LB_JOURNAL_SUM_BYTES + 1];
    if (length <= LB_JOURNAL_SUM_BYTES)
        return 0;
    length -= LB_JOURNAL_SUM_BYTES;
    put_sum(line, length, sum);
    return memcmp(line + length, sum, LB_JOURNAL_SUM_BYTES) == 0 ? length : 0;
}
