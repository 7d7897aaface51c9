/* The journal of a run: see journal.h. */
#include "harness/run/journal.h"
#include "harness/base/write_all.h"
#include "harness/base/xalloc.h"
#include "reports/journal_line.h"
#include "reports/json_read.h"
#include "reports/temporary.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define JOURNAL_FORMAT "lastbit/journal-2"

/* Where the line of each order begins; 0: there is none. Memory: eight bytes an order, whatever the
 * lines hold. Lines are checked once, and found again as often as somebody reads them. */
struct lb_journal_index {
    uint64_t *start;
    uint64_t order_count;
    uint64_t read_to; /* lines that begin here or behind are not in it */
};

static bool complain(const lb_journal *journal, const char *what)
{
    if (journal->path[0])
        fprintf(stderr, "lastbit: %s: %s\n", journal->path, what);
    else
        fprintf(stderr, "lastbit: a journal in %s (TMPDIR): %s\n", lb_temporary_folder(), what);
    return false;
}

static void add_port(cJSON *head, const lb_run_info *info)
{
    cJSON_AddStringToObject(head, "port_described", info->port_described);
    cJSON_AddStringToObject(head, "port_sha256", info->port_sha256);
    cJSON_AddStringToObject(head, "port_target", info->port_target);
    cJSON_AddStringToObject(head, "port_compiler", info->port_compiler);
    cJSON_AddStringToObject(head, "port_options", info->port_options);
    cJSON_AddStringToObject(head, "port_library_options", info->port_library_options);
    cJSON_AddStringToObject(head, "port_sandbox", info->port_sandbox ? info->port_sandbox : "");
}

/* Everything else that decides, with digests; and what the user says of the product. */
static void add_files(cJSON *head, const lb_run_info *info)
{
    cJSON *files = cJSON_AddArrayToObject(head, "files"),
          *meta = cJSON_AddArrayToObject(head, "meta");
    for (size_t i = 0; i < info->file_count; i++) {
        cJSON *file = cJSON_CreateObject();
        cJSON_AddStringToObject(file, "role", info->files[i].role);
        cJSON_AddStringToObject(file, "file", info->files[i].file);
        cJSON_AddStringToObject(file, "named", info->files[i].named);
        cJSON_AddStringToObject(file, "suite", info->files[i].suite);
        cJSON_AddStringToObject(file, "sha256", info->files[i].sha256);
        cJSON_AddItemToArray(files, file);
    }
    for (size_t i = 0; i < info->meta_count; i++) {
        cJSON *pair = cJSON_CreateObject();
        cJSON_AddStringToObject(pair, "key", info->meta[i].key);
        cJSON_AddStringToObject(pair, "value", info->meta[i].value);
        cJSON_AddItemToArray(meta, pair);
    }
}

char *lb_journal_head(const lb_journal_run *run)
{
    const lb_run_info *info = run->info;
    cJSON *head = cJSON_CreateObject();
    cJSON_AddStringToObject(head, "journal", JOURNAL_FORMAT);
    cJSON_AddStringToObject(head, "tool", info->tool_version);
    cJSON_AddStringToObject(head, "commit", info->tool_commit);
    cJSON_AddStringToObject(head, "port", info->port);
    add_port(head, info);
    cJSON_AddItemToObject(head, "profiles",
                          cJSON_CreateStringArray(info->profiles, (int)info->profile_count));
    if (info->profile_count > 0 && run->levels[0])
        cJSON_AddItemToObject(head, "cpu",
                              cJSON_CreateStringArray(run->levels, (int)info->profile_count));
    for (size_t i = 0; i < LB_CHOICE_LISTS; i++) {
        const lb_words *words = lb_chosen_words(&info->chosen, i);
        if (i == 0 || words->count > 0)
            cJSON_AddItemToObject(head, lb_choice_lists[i].key,
                                  cJSON_CreateStringArray(words->list, (int)words->count));
    }
    if (info->certify_seed && info->certify_seed[0]) {
        cJSON_AddStringToObject(head, "certify_seed", info->certify_seed);
        cJSON_AddStringToObject(head, "certify_drawn", info->certify_drawn);
        cJSON_AddNumberToObject(head, "calls", info->calls);
    }
    cJSON_AddStringToObject(head, "platforms", info->platforms ? info->platforms : "");
    cJSON_AddStringToObject(head, "guard", info->guard ? info->guard : "");
    if (run->waivers_sha256[0])
        cJSON_AddStringToObject(head, "waivers", run->waivers_sha256);
    if (run->misalign)
        cJSON_AddNumberToObject(head, "misalign", run->misalign);
    cJSON_AddStringToObject(head, "level", info->coverage_level ? info->coverage_level : "");
    cJSON_AddStringToObject(head, "tolerance", run->tolerance);
    cJSON_AddNumberToObject(head, "shard", info->shard_index);
    cJSON_AddNumberToObject(head, "shards", info->shard_count);
    cJSON_AddNumberToObject(head, "expected", (double)info->expected);
    cJSON *suites = cJSON_AddArrayToObject(head, "suites");
    for (size_t i = 0; i < info->suite_count; i++) {
        cJSON *suite = cJSON_CreateObject();
        cJSON_AddStringToObject(suite, "file", info->suites[i].file);
        cJSON_AddStringToObject(suite, "sha256", info->suites[i].sha256);
        cJSON_AddItemToArray(suites, suite);
    }
    add_files(head, info);
    char *text = cJSON_PrintUnformatted(head);
    cJSON_Delete(head);
    return text;
}

/* What a link names is another's file, which must not be written over. */
static bool open_to_append(lb_journal *journal, const char *path)
{
    journal->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
    return journal->fd >= 0 || complain(journal, errno == ELOOP ? LB_IS_LINK : strerror(errno));
}

/* A pipe in its place would be waited for. */
static bool is_plain_file(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

void lb_journal_seed(const char *folder, char seed[24], char drawn[32])
{
    char path[4096], *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "%s/journal.jsonl", folder);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE *file = fd >= 0 && is_plain_file(fd) ? fdopen(fd, "r") : NULL;
    ssize_t length = file ? getline(&line, &room, file) : -1;
    cJSON *head = length > 0 ? cJSON_ParseWithLength(line, (size_t)length) : NULL;
    const char *has_seed = lb_json_text(head, "certify_seed"),
               *has_drawn = lb_json_text(head, "certify_drawn");
    snprintf(seed, 24, "%s", has_seed ? has_seed : "");
    snprintf(drawn, 32, "%s", has_drawn ? has_drawn : "");
    cJSON_Delete(head);
    free(line);
    if (file)
        fclose(file);
    else if (fd >= 0)
        close(fd);
}

static bool write_head(lb_journal *journal, const char *head)
{
    if (!lb_write_all(journal->fd, head, strlen(head)) || !lb_write_all(journal->fd, "\n", 1))
        return complain(journal, strerror(errno));
    return true;
}

/* Two runs must not write one report: the second is refused before it changes anything. The lock
 * is that of the open file, which the workers share. */
static bool lock(const lb_journal *journal)
{
    if (!is_plain_file(journal->fd))
        return complain(journal, "is no plain file");
    if (flock(journal->fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    return complain(journal, errno == EWOULDBLOCK
                                 ? "another run is writing here; give another --report folder"
                                 : strerror(errno));
}

/* Ready to be appended to. */
static bool is_open(lb_journal *journal)
{
    journal->index = lb_resized(NULL, sizeof *journal->index);
    *journal->index = (struct lb_journal_index){.start = NULL};
    return true;
}

static bool open_unnamed(lb_journal *journal)
{
    FILE *temporary = lb_temporary_file();
    journal->fd = temporary ? fcntl(fileno(temporary), F_DUPFD_CLOEXEC, 3) : -1;
    if (temporary)
        fclose(temporary);
    return journal->fd >= 0 && fcntl(journal->fd, F_SETFL, O_APPEND) == 0;
}

bool lb_journal_create(lb_journal *journal, const char *path, const char *head)
{
    snprintf(journal->path, sizeof journal->path, "%s", path ? path : "");
    journal->index = NULL;
    if (!path)
        return open_unnamed(journal) ? write_head(journal, head) && is_open(journal)
                                     : complain(journal, strerror(errno));
    if (!open_to_append(journal, path) || !lock(journal))
        return false;
    if (ftruncate(journal->fd, 0) != 0)
        return complain(journal, strerror(errno));
    return write_head(journal, head) && is_open(journal);
}

/* A stream over the journal from its first byte, with a descriptor of its own that does not append.
 */
static FILE *open_stream(const lb_journal *journal)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", journal->fd);
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    FILE *stream = fd < 0 ? NULL : fdopen(fd, "r");
    if (!stream && fd >= 0)
        close(fd);
    return stream;
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

/* Lines about coverage, where somebody reads them. */
static bool is_coverage(const lb_journal *journal, const char *line, size_t length)
{
    static const char start[] = "{\"coverage\":";
    if (length < sizeof start || memcmp(line, start, sizeof start - 1) != 0 ||
        line[length - 1] != '}')
        return false;
    return !journal->covered || journal->covered(journal->covered_user, line, length);
}

/* A line of this run? */
static bool take_line(const lb_journal *journal, const char *line, size_t length,
                      lb_journal_found_fn found, void *user)
{
    uint64_t order = 0;
    int verdict = lb_line_verdict(line, length);
    if (is_coverage(journal, line, length))
        return true;
    return (read_order(line, length, &order) && verdict >= 0 &&
            found(user, order, (lb_verdict)verdict, line, length)) ||
           complain(journal,
                    "damaged: a line is not a result of this run; leave out --resume to start "
                    "anew");
}

/* The first key that two heads say differently; "" where that cannot be told. */
static void find_change(const char *line, size_t length, const char *head, char *key,
                        size_t key_bytes)
{
    cJSON *was = cJSON_ParseWithLength(line, length), *is = cJSON_Parse(head);
    const cJSON *item;
    key[0] = '\0';
    cJSON_ArrayForEach(item, is)
    {
        if (!cJSON_Compare(item, cJSON_GetObjectItemCaseSensitive(was, item->string), true)) {
            snprintf(key, key_bytes, "%.60s", item->string);
            break;
        }
    }
    cJSON_Delete(was);
    cJSON_Delete(is);
}

static bool same_head(const lb_journal *journal, const char *line, size_t length, const char *head)
{
    char key[64], text[300];
    if (length == strlen(head) && memcmp(line, head, length) == 0)
        return true;
    find_change(line, length, head, key, sizeof key);
    snprintf(text, sizeof text,
             "was made by another run%s%s%s; leave out --resume to start anew, or give another "
             "--report folder",
             key[0] ? " (its \"" : "", key, key[0] ? "\" is another)" : "");
    return complain(journal, text);
}

/* Reads head and results of an existing journal. Lines that a full disk or the end of the host has
 * damaged are passed over: their results are made again. *whole_bytes: up to the end of the last
 * whole line; 0: not even the head is whole. */
static bool read_results(const lb_journal *journal, FILE *stream, const char *head,
                         lb_journal_found_fn found, void *user, off_t *whole_bytes)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool good = true;
    uint64_t damaged = 0;
    *whole_bytes = 0;
    while (good && (length = getline(&line, &room, stream)) > 0 && line[length - 1] == '\n') {
        size_t object = lb_journal_line_check(line, (size_t)length - 1);
        if (*whole_bytes == 0)
            good = same_head(journal, line, (size_t)length - 1, head);
        else if (object > 0)
            good = take_line(journal, line, object, found, user);
        else
            damaged++;
        *whole_bytes += length;
    }
    free(line);
    if (good && damaged > 0)
        fprintf(stderr, "lastbit: %s: %" PRIu64 " damaged %s passed over, and tried again\n",
                journal->path, damaged, damaged == 1 ? "line is" : "lines are");
    return good;
}

bool lb_journal_resume(lb_journal *journal, const char *path, const char *head,
                       lb_journal_found_fn found, void *user)
{
    off_t whole_bytes = 0;
    journal->index = NULL;
    snprintf(journal->path, sizeof journal->path, "%s", path);
    if (!open_to_append(journal, path) || !lock(journal))
        return false;
    FILE *stream = open_stream(journal);
    if (!stream)
        return complain(journal, strerror(errno));
    bool good = read_results(journal, stream, head, found, user, &whole_bytes);
    fclose(stream);
    if (!good)
        return false;
    if (ftruncate(journal->fd, whole_bytes) !=
        0) /* a line that was cut short when the run was killed */
        return complain(journal, strerror(errno));
    return (whole_bytes > 0 || write_head(journal, head)) && is_open(journal);
}

bool lb_journal_append(const lb_journal *journal, char *line, size_t length)
{
    /* What a full disk has cut must not swallow the next line as well. */
    static bool cut;
    size_t sealed = lb_journal_line_seal(line, length);
    line[sealed] = '\n';
    if (cut && !lb_write_all(journal->fd, "\n", 1))
        return false;
    cut = !lb_write_all(journal->fd, line, sealed + 1);
    return !cut;
}

static void forget_lines(struct lb_journal_index *index, uint64_t order_count)
{
    free(index->start);
    *index = (struct lb_journal_index){.order_count = order_count};
    index->start = lb_zeroed(order_count, sizeof *index->start);
}

static bool find_lines(FILE *stream, struct lb_journal_index *index)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    uint64_t at = index->read_to;
    bool good = fseeko(stream, (off_t)at, SEEK_SET) == 0;
    while (good && (length = getline(&line, &room, stream)) > 0) {
        uint64_t order = 0;
        bool whole = line[length - 1] == '\n';
        size_t object = whole ? lb_journal_line_check(line, (size_t)length - 1) : 0;
        if (at > 0 && object > 0 && read_order(line, object, &order) && order < index->order_count)
            index->start[order] = at;
        at += (uint64_t)length;
        index->read_to = whole ? at : index->read_to;
    }
    free(line);
    return good && !ferror(stream);
}

/* The lines one after another. Workers write nearly in order, so most seeks stay inside the
 * stream's buffer. */
static bool visit_lines(FILE *stream, const struct lb_journal_index *index,
                        bool (*each)(void *user, uint64_t order, const char *line, size_t length),
                        void *user)
{
    char *line = NULL;
    size_t room = 0;
    uint64_t at = 0, found = 0;
    bool good = fseeko(stream, 0, SEEK_SET) == 0;
    for (uint64_t order = 0; good && order < index->order_count; order++) {
        const uint64_t start = index->start[order];
        if (start == 0)
            continue;
        good = start == at || fseeko(stream, (off_t)start, SEEK_SET) == 0;
        ssize_t length = good ? getline(&line, &room, stream) : -1;
        size_t object =
            length > LB_JOURNAL_SUM_BYTES ? (size_t)length - LB_JOURNAL_SUM_BYTES - 1 : 0;
        good = object > 0 && read_order(line, object, &found) && found == order &&
               each(user, order, line, object);
        at = start + (uint64_t)(length > 0 ? length : 0);
    }
    free(line);
    return good;
}

/* Is the file no longer what was read? Lines are only ever added. */
static bool is_other(const lb_journal *journal, uint64_t order_count)
{
    struct stat now;
    return !journal->index->start || journal->index->order_count != order_count ||
           fstat(journal->fd, &now) != 0 || (uint64_t)now.st_size < journal->index->read_to;
}

bool lb_journal_in_order(const lb_journal *journal, uint64_t order_count,
                         bool (*each)(void *user, uint64_t order, const char *line, size_t length),
                         void *user)
{
    FILE *stream = open_stream(journal);
    if (!stream)
        return complain(journal, "cannot be read back");
    if (is_other(journal, order_count))
        forget_lines(journal->index, order_count);
    bool good =
        find_lines(stream, journal->index) && visit_lines(stream, journal->index, each, user);
    fclose(stream);
    return good;
}

void lb_journal_close(lb_journal *journal)
{
    if (journal->fd >= 0)
        close(journal->fd);
    journal->fd = -1;
    if (journal->index)
        free(journal->index->start);
    free(journal->index);
    journal->index = NULL;
}
