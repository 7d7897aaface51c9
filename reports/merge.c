/* Results of shards, read side by side and written in the order of the run: see merge.h. */
#include "merge.h"

#include "output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BAD_INPUT = 2 };

typedef struct merger {
    lb_merge_part *parts;
    size_t count;
    uint64_t profile_count, shard_count;
    uint64_t expected; /* results of the whole run; 0: the command line chose cases */
    uint64_t next;     /* order that is due */
    uint64_t written;
    lb_tally tally;
    char *line;
    size_t line_bytes;
} merger;

static uint64_t results_of_all(const lb_run_info *info, uint64_t profile_count)
{
    uint64_t cases = 0;
    for (size_t i = 0; i < info->suite_count; i++)
        cases += info->suites[i].cases;
    return lb_run_chooses_cases(info) ? 0 : cases * profile_count;
}

/* ---- One result after the other ---- */

static bool advance(lb_merge_part *part, char *error, size_t error_bytes)
{
    part->next = lb_results_next(part->reader, error, error_bytes);
    return part->next || error[0] == '\0';
}

/* The part whose next result comes first in the run; NULL: all are read. */
static lb_merge_part *find_first(const merger *m)
{
    lb_merge_part *first = NULL;
    for (size_t i = 0; i < m->count; i++) {
        lb_merge_part *part = &m->parts[i];
        if (part->next && (!first || part->next->order < first->next->order))
            first = part;
    }
    return first;
}

static const char *path_of_shard(const merger *m, uint64_t shard_index)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->parts[i].info->shard_index == shard_index)
            return m->parts[i].path;
    return "";
}

/* The file that should hold the result of this order, and which profile it is of. */
static bool tell_hole(const merger *m, uint64_t order, char *error, size_t error_bytes)
{
    uint64_t case_number = order / m->profile_count;
    const lb_run_info *info = m->parts[0].info;
    size_t suite = 0;
    uint64_t index = case_number;
    while (suite < info->suite_count && index >= info->suites[suite].cases)
        index -= info->suites[suite++].cases;
    snprintf(
        error, error_bytes,
        "%s: a result is missing: of case %llu of suite \"%.100s\" in profile %.60s (order %llu)",
        path_of_shard(m, case_number % m->shard_count + 1), (unsigned long long)index + 1,
        suite < info->suite_count ? info->suites[suite].name : "?",
        info->profile_count > 0 ? info->profiles[order % m->profile_count] : "?",
        (unsigned long long)order);
    return false;
}

/* Whether the results before this order are complete: every number, or, where cases were chosen,
 * every profile of a case. */
static bool check_before(const merger *m, uint64_t order, char *error, size_t error_bytes)
{
    if (order == m->next)
        return true;
    if (m->expected > 0 || m->next % m->profile_count != 0)
        return tell_hole(m, m->next, error, error_bytes);
    return order % m->profile_count == 0 ||
           tell_hole(m, order - order % m->profile_count, error, error_bytes);
}

static bool check_place(const merger *m, const lb_merge_part *part, char *error, size_t error_bytes)
{
    const lb_result *result = part->next;
    unsigned long long order = result->order;
    if (m->written > 0 && result->order < m->next) {
        snprintf(error, error_bytes,
                 "%s: the result of \"%.200s\" in %.60s (order %llu) is there twice", part->path,
                 result->id, result->profile, order);
        return false;
    }
    if (result->order / m->profile_count % m->shard_count != part->info->shard_index - 1) {
        snprintf(error, error_bytes,
                 "%s: the result of \"%.200s\" (order %llu) does not belong to shard %u of %u",
                 part->path, result->id, order, part->info->shard_index, part->info->shard_count);
        return false;
    }
    if (m->expected > 0 && result->order >= m->expected) {
        snprintf(error, error_bytes,
                 "%s: the result of \"%.200s\" has order %llu, but the suites have %llu results",
                 part->path, result->id, order, (unsigned long long)m->expected);
        return false;
    }
    return check_before(m, result->order, error, error_bytes);
}

static bool write_result(merger *m, lb_merge_part *part, FILE *out, char *error, size_t error_bytes)
{
    if (!check_place(m, part, error, error_bytes))
        return false;
    m->next = part->next->order + 1;
    if (!lb_results_write_result(out, part->next, m->written++ == 0, &m->line, &m->line_bytes)) {
        snprintf(error, error_bytes, "out of memory, or the disk is full");
        return false;
    }
    return advance(part, error, error_bytes);
}

static bool write_results(merger *m, FILE *out, char *error, size_t error_bytes)
{
    lb_merge_part *part;
    for (size_t i = 0; i < m->count; i++)
        if (!advance(&m->parts[i], error, error_bytes))
            return false;
    while ((part = find_first(m)) != NULL)
        if (!write_result(m, part, out, error, error_bytes))
            return false;
    if (m->next % m->profile_count != 0 || m->next < m->expected)
        return tell_hole(m, m->next, error, error_bytes);
    return lb_results_write_tail(out);
}

static bool write_merged(void *user, FILE *out, char *error, size_t error_bytes)
{
    merger *m = user;
    lb_merge_head head;
    bool good = lb_merge_head_make(&head, m->parts, m->count, error, error_bytes) &&
                lb_results_write_head(out, &head.info, &head.tally) &&
                write_results(m, out, error, error_bytes);
    m->tally = head.tally;
    lb_merge_head_free(&head);
    return good;
}

/* ---- Files ---- */

static bool open_parts(merger *m, char *const *paths, char *error, size_t error_bytes)
{
    m->parts = calloc(m->count, sizeof *m->parts);
    if (!m->parts) {
        snprintf(error, error_bytes, "out of memory");
        return false;
    }
    for (size_t i = 0; i < m->count; i++) {
        lb_merge_part *part = &m->parts[i];
        part->path = paths[i];
        part->reader = lb_results_open(paths[i], error, error_bytes);
        if (!part->reader)
            return false;
        part->info = lb_results_info(part->reader);
        if (lb_results_is_journal(part->reader)) {
            snprintf(
                error, error_bytes,
                "%s: a journal, not results: end the run (run --resume) and merge its results.json",
                part->path);
            return false;
        }
    }
    return true;
}

int lb_merge_files(char *const *paths, size_t count, const char *out_path)
{
    char error[900] = "";
    merger m = {.count = count};
    int status = BAD_INPUT;
    if (open_parts(&m, paths, error, sizeof error) &&
        lb_merge_check(m.parts, count, error, sizeof error)) {
        const lb_run_info *info = m.parts[0].info;
        m.profile_count = info->profile_count > 0 ? info->profile_count : 1;
        m.shard_count = info->shard_count;
        m.expected = results_of_all(info, m.profile_count);
        status = lb_output_file(out_path, write_merged, &m);
        if (status == 0 &&
            strcmp(out_path, "-") != 0) { /* standard output is the results' alone there */
            printf("%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped\n",
                   lb_tally_passed(&m.tally), lb_tally_failed(&m.tally),
                   lb_tally_skipped(&m.tally));
        }
    } else {
        fprintf(stderr, "lastbit: %s\n", error);
    }
    for (size_t i = 0; m.parts && i < count; i++)
        lb_results_close(m.parts[i].reader);
    free(m.parts);
    free(m.line);
    return status;
}
