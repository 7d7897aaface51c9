/* The journal of a run: see journal.h. */
#include "journal.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define JOURNAL_FORMAT "lastbit/journal-1"

static bool complain(const lb_journal *journal, const char *what)
{
    fprintf(stderr, "lastbit: %s: %s\n", journal->path[0] ? journal->path : "journal", what);
    return false;
}

char *lb_journal_head(const lb_run_info *info, const char *const *case_patterns, size_t pattern_count)
{
    cJSON *head = cJSON_CreateObject();
    cJSON_AddStringToObject(head, "journal", JOURNAL_FORMAT);
    cJSON_AddStringToObject(head, "tool", info->tool_version);
    cJSON_AddStringToObject(head, "port", info->port);
    cJSON_AddItemToObject(head, "profiles", cJSON_CreateStringArray(info->profiles, (int)info->profile_count));
    cJSON_AddItemToObject(head, "cases", cJSON_CreateStringArray(case_patterns, (int)pattern_count));
    cJSON_AddNumberToObject(head, "shard", info->shard_index);
    cJSON_AddNumberToObject(head, "shards", info->shard_count);
    cJSON *suites = cJSON_AddArrayToObject(head, "suites");
    for (size_t i = 0; i < info->suite_count; i++) {
        cJSON *suite = cJSON_CreateObject();
        cJSON_AddStringToObject(suite, "file", info->suites[i].file);
        cJSON_AddStringToObject(suite, "sha256", info->suites[i].sha256);
        cJSON_AddItemToArray(suites, suite);
    }
    char *text = cJSON_PrintUnformatted(head);
    cJSON_Delete(head);
    return text;
}

static bool write_all(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

static bool write_head(lb_journal *journal, const char *head)
{
    if (!write_all(journal->fd, head, strlen(head)) || !write_all(journal->fd, "\n", 1))
        return complain(journal, strerror(errno));
    return true;
}

bool lb_journal_create(lb_journal *journal, const char *path, const char *head)
{
    snprintf(journal->path, sizeof journal->path, "%s", path ? path : "");
    if (path) {
        journal->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    } else {
        FILE *temporary = tmpfile();
        journal->fd = temporary ? fcntl(fileno(temporary), F_DUPFD_CLOEXEC, 3) : -1;
        if (temporary)
            fclose(temporary);
        if (journal->fd >= 0 && fcntl(journal->fd, F_SETFL, O_APPEND) < 0)
            return complain(journal, strerror(errno));
    }
    if (journal->fd < 0)
        return complain(journal, strerror(errno));
    return write_head(journal, head);
}

/* The whole journal in memory, read only; NULL with *size 0 for an empty file. */
static const char *map_journal(const lb_journal *journal, size_t *size)
{
    struct stat status;
    *size = 0;
    if (fstat(journal->fd, &status) != 0 || status.st_size <= 0)
        return NULL;
    void *map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, journal->fd, 0);
    if (map == MAP_FAILED)
        return NULL;
    *size = (size_t)status.st_size;
    return map;
}

/* Result lines begin with {"order":N, and every line of ours has the verdict as a plain word. */
static bool read_order(const char *line, size_t length, uint64_t *order)
{
    static const char start[] = "{\"order\":";
    uint64_t value = 0;
    size_t i = sizeof start - 1;
    if (length <= i || memcmp(line, start, i) != 0 || line[i] < '0' || line[i] > '9')
        return false;
    for (; i < length && line[i] >= '0' && line[i] <= '9'; i++)
        value = value * 10 + (uint64_t)(line[i] - '0');
    *order = value;
    return i < length && line[i] == ',' && line[length - 1] == '}';
}

static int read_verdict(const char *line, size_t length)
{
    static const char key[] = "\"verdict\":\"";
    const char *at = memmem(line, length, key, sizeof key - 1);
    char word[16];
    size_t i = 0;
    if (!at)
        return -1;
    at += sizeof key - 1;
    for (; i + 1 < sizeof word && at + i < line + length && at[i] != '"'; i++)
        word[i] = at[i];
    word[i] = '\0';
    return lb_verdict_find(word);
}

bool lb_journal_resume(lb_journal *journal, const char *path, const char *head,
                       bool (*found)(void *user, uint64_t order, lb_verdict verdict), void *user)
{
    size_t size = 0;
    snprintf(journal->path, sizeof journal->path, "%s", path);
    journal->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (journal->fd < 0)
        return complain(journal, strerror(errno));
    const char *map = map_journal(journal, &size);
    const char *end_of_head = map ? memchr(map, '\n', size) : NULL;
    if (!end_of_head) { /* nothing, or killed while the head was written */
        if (map)
            munmap((void *)(uintptr_t)map, size);
        if (ftruncate(journal->fd, 0) != 0)
            return complain(journal, strerror(errno));
        return write_head(journal, head);
    }
    bool good = (size_t)(end_of_head - map) == strlen(head) && memcmp(map, head, strlen(head)) == 0;
    if (!good)
        complain(journal, "was made by another run (other suites, port, profiles, cases, shard or tool version); "
                          "leave out --resume to start anew, or give another --report folder");
    const char *line = end_of_head + 1, *end = map + size, *newline = NULL;
    while (good && line < end && (newline = memchr(line, '\n', (size_t)(end - line))) != NULL) {
        uint64_t order = 0;
        int verdict = read_verdict(line, (size_t)(newline - line));
        if (!read_order(line, (size_t)(newline - line), &order) || verdict < 0 ||
            !found(user, order, (lb_verdict)verdict))
            good = complain(journal, "damaged: a line is not a result of this run; leave out --resume to start anew");
        line = newline + 1;
    }
    off_t whole = line - map;
    munmap((void *)(uintptr_t)map, size);
    if (good && ftruncate(journal->fd, whole) != 0)
        return complain(journal, strerror(errno));
    return good;
}

bool lb_journal_append(const lb_journal *journal, char *line, size_t length)
{
    line[length] = '\n';
    return write_all(journal->fd, line, length + 1);
}

bool lb_journal_in_order(const lb_journal *journal, uint64_t order_count,
                         bool (*each)(void *user, uint64_t order, const char *line, size_t length), void *user)
{
    size_t size = 0;
    const char *map = map_journal(journal, &size);
    if (!map)
        return complain(journal, "cannot be read back");
    uint64_t *start = calloc(order_count ? order_count : 1, sizeof *start);
    const char *newline = memchr(map, '\n', size);
    bool good = newline && start;
    const char *end = map + size;
    for (const char *line = good ? newline + 1 : end; line < end; line = newline + 1) {
        uint64_t order = 0;
        newline = memchr(line, '\n', (size_t)(end - line));
        if (!newline)
            break;
        if (read_order(line, (size_t)(newline - line), &order) && order < order_count)
            start[order] = (uint64_t)(line - map);
    }
    for (uint64_t order = 0; good && order < order_count; order++) {
        if (start[order] == 0)
            continue;
        const char *line = map + start[order];
        good = each(user, order, line, (size_t)((const char *)memchr(line, '\n', (size_t)(end - line)) - line));
    }
    free(start);
    munmap((void *)(uintptr_t)map, size);
    return good;
}

void lb_journal_close(lb_journal *journal)
{
    if (journal->fd >= 0)
        close(journal->fd);
    journal->fd = -1;
}
