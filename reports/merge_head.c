/* The heads of shards: whether they belong together, and what they say as one. See merge.h. */
#include "merge.h"

#include <stdlib.h>
#include <string.h>

/* ---- Do they belong together? ---- */

typedef struct told {
    const char *what;
    size_t offset; /* of a string in lb_run_info */
} told;

static const told same_in_all[] = {
    {"lastbit version", offsetof(lb_run_info, tool_version)},
    {"commit of lastbit", offsetof(lb_run_info, tool_commit)},
    {"port", offsetof(lb_run_info, port)},
    {"description of the port", offsetof(lb_run_info, port_described)},
    {"target of the port", offsetof(lb_run_info, port_target)},
    {"compiler of the port", offsetof(lb_run_info, port_compiler)},
    {"build of the port", offsetof(lb_run_info, port_options)},
    {"library's own options", offsetof(lb_run_info, port_library_options)},
    {"domain of the sweep", offsetof(lb_run_info, exhaustive)},
    {"seed of the certification", offsetof(lb_run_info, certify_seed)},
    {"profiles from files", offsetof(lb_run_info, platforms)},
    {"handling of narrow accumulators", offsetof(lb_run_info, guard)},
    {"level of cases", offsetof(lb_run_info, coverage_level)},
    {"way of judging", offsetof(lb_run_info, judge)},
    {"CPU level", offsetof(lb_run_info, cpu)},
    {"place of buffers", offsetof(lb_run_info, buffers)},
};

static const char *text_at(const lb_run_info *info, size_t offset)
{
    const char *text;
    memcpy(&text, (const char *)info + offset, sizeof text);
    return text;
}

/* Past the path of a policy that stands there; `at`: none does. */
static const char *past_policy(const char *at, const lb_run_info *info)
{
    for (size_t i = 0; i < info->file_count; i++) {
        size_t length = strlen(info->files[i].file);
        if (length > 0 && strcmp(info->files[i].role, "policy") == 0 &&
            strncmp(at, info->files[i].file, length) == 0)
            return at + length;
    }
    return at;
}

/* The same policy on two machines may lie in different folders; its digest stands behind it. */
static bool is_same_tolerance(const lb_run_info *a, const lb_run_info *b)
{
    const char *x = a->tolerance, *y = b->tolerance;
    while (*x != '\0' && *y != '\0') {
        const char *past_x = past_policy(x, a), *past_y = past_policy(y, b);
        if (past_x == x || past_y == y) {
            if (*x != *y)
                return false;
            past_x = x + 1;
            past_y = y + 1;
        }
        x = past_x;
        y = past_y;
    }
    return *x == *y;
}

static bool check_texts(const lb_merge_part *first, const lb_merge_part *part, char *error,
                        size_t error_bytes)
{
    for (size_t i = 0; i < sizeof same_in_all / sizeof same_in_all[0]; i++) {
        const char *a = text_at(first->info, same_in_all[i].offset),
                   *b = text_at(part->info, same_in_all[i].offset);
        if (strcmp(a, b) != 0) {
            snprintf(error, error_bytes,
                     "%s: the %s is \"%.100s\", but \"%.100s\" in %s: not shards of one run",
                     part->path, same_in_all[i].what, b, a, first->path);
            return false;
        }
    }
    if (is_same_tolerance(first->info, part->info))
        return true;
    snprintf(error, error_bytes,
             "%s: the tolerance is \"%.100s\", but \"%.100s\" in %s: not shards of one run",
             part->path, part->info->tolerance, first->info->tolerance, first->path);
    return false;
}

static bool check_names(const lb_merge_part *first, const lb_merge_part *part, const char *what,
                        const char *const *a, size_t a_count, const char *const *b, size_t b_count,
                        char *error, size_t error_bytes)
{
    bool same = a_count == b_count;
    for (size_t i = 0; same && i < a_count; i++)
        same = strcmp(a[i], b[i]) == 0;
    if (!same) {
        snprintf(error, error_bytes, "%s: the %s are others than in %s: not shards of one run",
                 part->path, what, first->path);
    }
    return same;
}

static bool check_chosen(const lb_merge_part *first, const lb_merge_part *part, char *error,
                         size_t error_bytes)
{
    bool same = true;
    for (size_t i = 0; same && i < LB_CHOICE_LISTS; i++) {
        const lb_words *a = lb_chosen_words(&first->info->chosen, i),
                       *b = lb_chosen_words(&part->info->chosen, i);
        char what[40];
        snprintf(what, sizeof what, "patterns of %s", lb_choice_lists[i].key);
        same = check_names(first, part, what, a->list, a->count, b->list, b->count, error,
                           error_bytes);
    }
    return same;
}

static bool check_choices(const lb_merge_part *first, const lb_merge_part *part, char *error,
                          size_t error_bytes)
{
    const lb_run_info *a = first->info, *b = part->info;
    return check_names(first, part, "profiles", a->profiles, a->profile_count, b->profiles,
                       b->profile_count, error, error_bytes) &&
           check_names(first, part, "files of profiles", a->profile_files, a->profile_file_count,
                       b->profile_files, b->profile_file_count, error, error_bytes) &&
           check_chosen(first, part, error, error_bytes);
}

/* The same suite on two machines may lie in different folders; its digest tells that it is the
 * same. */
static bool is_same_suite(const lb_run_suite *a, const lb_run_suite *b)
{
    bool known = a->sha256[0] != '\0' && b->sha256[0] != '\0';
    return strcmp(a->name, b->name) == 0 && a->cases == b->cases &&
           (known ? strcmp(a->sha256, b->sha256) == 0 : strcmp(a->file, b->file) == 0);
}

static bool check_suites(const lb_merge_part *first, const lb_merge_part *part, char *error,
                         size_t error_bytes)
{
    const lb_run_info *a = first->info, *b = part->info;
    if (a->suite_count != b->suite_count) {
        snprintf(error, error_bytes, "%s: ran %zu suites, but %s ran %zu: not shards of one run",
                 part->path, b->suite_count, first->path, a->suite_count);
        return false;
    }
    for (size_t i = 0; i < a->suite_count; i++) {
        const lb_run_suite *left = &a->suites[i], *right = &b->suites[i];
        if (!is_same_suite(left, right)) {
            snprintf(error, error_bytes,
                     "%s: suite \"%.60s\" (%llu cases, SHA-256 %.64s) is another one than in %s: "
                     "\"%.60s\" (%llu cases, "
                     "SHA-256 %.64s)",
                     part->path, right->name, (unsigned long long)right->cases, right->sha256,
                     first->path, left->name, (unsigned long long)left->cases, left->sha256);
            return false;
        }
    }
    return true;
}

/* The same file on two machines may lie in different folders. */
static bool is_same_file(const lb_run_file *a, const lb_run_file *b)
{
    return strcmp(a->role, b->role) == 0 && strcmp(a->named, b->named) == 0 &&
           strcmp(a->sha256, b->sha256) == 0;
}

static bool check_files(const lb_merge_part *first, const lb_merge_part *part, char *error,
                        size_t error_bytes)
{
    const lb_run_info *a = first->info, *b = part->info;
    if (a->file_count != b->file_count) {
        snprintf(error, error_bytes, "%s: names %zu files, but %s names %zu: not shards of one run",
                 part->path, b->file_count, first->path, a->file_count);
        return false;
    }
    for (size_t i = 0; i < a->file_count; i++) {
        if (!is_same_file(&a->files[i], &b->files[i])) {
            snprintf(error, error_bytes,
                     "%s: the file \"%.100s\" (SHA-256 %.64s) is another one than in %s "
                     "(SHA-256 %.64s): not shards of one run",
                     part->path, b->files[i].file, b->files[i].sha256, first->path,
                     a->files[i].sha256);
            return false;
        }
    }
    return true;
}

static bool check_meta(const lb_merge_part *first, const lb_merge_part *part, char *error,
                       size_t error_bytes)
{
    const lb_run_info *a = first->info, *b = part->info;
    bool same = a->meta_count == b->meta_count;
    for (size_t i = 0; same && i < a->meta_count; i++) {
        same = strcmp(a->meta[i].key, b->meta[i].key) == 0 &&
               strcmp(a->meta[i].value, b->meta[i].value) == 0;
    }
    if (!same) {
        snprintf(error, error_bytes, "%s: --meta is otherwise than in %s: not shards of one run",
                 part->path, first->path);
    }
    return same;
}

/* Every shard once: which one is there twice, which ones are not there. */
static bool check_shards(const lb_merge_part *parts, size_t count, char *error, size_t error_bytes)
{
    unsigned shard_count = parts[0].info->shard_count;
    size_t missing = 0;
    char list[200] = "";
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (parts[i].info->shard_index == parts[j].info->shard_index) {
                snprintf(error, error_bytes, "%s: shard %u of %u is already there, from %s",
                         parts[i].path, parts[i].info->shard_index, shard_count, parts[j].path);
                return false;
            }
        }
    }
    for (unsigned shard = 1; shard <= shard_count && count < shard_count; shard++) {
        bool there = false;
        for (size_t i = 0; i < count; i++)
            there = there || parts[i].info->shard_index == shard;
        size_t used = strlen(list);
        if (!there && missing++ < 20)
            snprintf(list + used, sizeof list - used, "%s%u", used > 0 ? ", " : "", shard);
    }
    if (missing > 0) {
        snprintf(error, error_bytes, "of %u shards %zu %s missing: %s%s", shard_count, missing,
                 missing == 1 ? "is" : "are", list, missing > 20 ? ", ..." : "");
    }
    return missing == 0;
}

bool lb_merge_check(const lb_merge_part *parts, size_t count, char *error, size_t error_bytes)
{
    for (size_t i = 1; i < count; i++) {
        const lb_merge_part *first = &parts[0], *part = &parts[i];
        if (!check_texts(first, part, error, error_bytes) ||
            !check_choices(first, part, error, error_bytes) ||
            !check_suites(first, part, error, error_bytes) ||
            !check_files(first, part, error, error_bytes) ||
            !check_meta(first, part, error, error_bytes))
            return false;
        if (part->info->shard_count != first->info->shard_count) {
            snprintf(error, error_bytes, "%s: is one of %u shards, but %s one of %u", part->path,
                     part->info->shard_count, first->path, first->info->shard_count);
            return false;
        }
    }
    return check_shards(parts, count, error, error_bytes);
}

/* ---- What they say as one ---- */

/* What the parts say in one text: each different one once, between semicolons. NULL: out of memory.
 */
static char *join_texts(const lb_merge_part *parts, size_t count, size_t offset)
{
    lb_names seen = {0};
    lb_doc text = lb_doc_make();
    bool kept = true;
    for (size_t i = 0; i < count; i++) {
        const char *told_here = text_at(parts[i].info, offset);
        size_t before = seen.count;
        kept = kept && lb_names_add(&seen, told_here) != LB_NO_NAME;
        if (kept && seen.count > before && told_here[0] != '\0') {
            lb_doc_puts(&text, text.length > 0 ? "; " : "");
            lb_doc_puts(&text, told_here);
        }
    }
    lb_doc_bytes(&text, "", 1);
    lb_names_free(&seen);
    if (!kept || text.failed) {
        lb_doc_free(&text);
        return NULL;
    }
    return text.text;
}

/* ---- Coverage ---- */

static const lb_coverage *find_coverage(const lb_run_info *info, const char *function)
{
    for (size_t i = 0; i < info->coverage_count; i++)
        if (strcmp(info->coverage[i].function, function) == 0)
            return &info->coverage[i];
    return NULL;
}

static bool is_missed(const lb_coverage *coverage, const char *point)
{
    for (size_t i = 0; i < coverage->missed_count; i++)
        if (strcmp(coverage->missed[i], point) == 0)
            return true;
    return false;
}

/* Keeps of the points in `missed` those that this coverage missed too. */
static size_t keep_missed(const char **missed, size_t count, const lb_coverage *coverage)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (is_missed(coverage, missed[i]))
            missed[kept++] = missed[i];
    return kept;
}

static bool unite_function(const lb_merge_part *parts, size_t count, lb_coverage *united,
                           const char **missed, char *error, size_t error_bytes)
{
    const lb_merge_part *from = NULL;
    united->missed = missed;
    for (size_t i = 0; i < count; i++) {
        const lb_coverage *here = find_coverage(parts[i].info, united->function);
        if (!here)
            continue;
        if (!from) {
            from = &parts[i];
            united->points = here->points;
            united->unreachable_count = here->unreachable_count;
            united->unreachable = here->unreachable;
            united->missed_count = here->missed_count;
            memcpy(missed, here->missed, here->missed_count * sizeof *missed);
        } else if (united->points != here->points) {
            snprintf(error, error_bytes, "%s: %.100s has %u points of coverage, but %u in %s",
                     parts[i].path, united->function, here->points, united->points, from->path);
            return false;
        }
        united->missed_count = keep_missed(missed, united->missed_count, here);
    }
    united->hit = united->points - (unsigned)united->missed_count;
    return true;
}

/* Gathers the functions of all parts, and how much room their missed points can need. */
static bool gather_functions(lb_names *functions, const lb_merge_part *parts, size_t count,
                             size_t *room)
{
    *room = 1;
    for (size_t i = 0; i < count; i++) {
        const lb_run_info *info = parts[i].info;
        for (size_t f = 0; f < info->coverage_count; f++) {
            if (lb_names_add(functions, info->coverage[f].function) == LB_NO_NAME)
                return false;
            *room += info->coverage[f].missed_count;
        }
    }
    return true;
}

static bool unite_coverage(lb_merge_head *head, const lb_merge_part *parts, size_t count,
                           char *error, size_t error_bytes)
{
    size_t room, used = 0;
    bool good = gather_functions(&head->functions, parts, count, &room);
    head->coverage = calloc(head->functions.count + 1, sizeof *head->coverage);
    head->missed = calloc(room, sizeof *head->missed);
    if (!good || !head->coverage || !head->missed) {
        snprintf(error, error_bytes, "out of memory");
        return false;
    }
    for (size_t f = 0; f < head->functions.count; f++) {
        head->coverage[f].function = head->functions.list[f];
        if (!unite_function(parts, count, &head->coverage[f], head->missed + used, error,
                            error_bytes))
            return false;
        used += head->coverage[f].missed_count;
    }
    lb_coverage_sort(head->coverage, head->functions.count);
    head->info.coverage = head->coverage;
    head->info.coverage_count = head->functions.count;
    return true;
}

/* ---- Figures ---- */

static bool is_known_speed(const lb_speed *list, size_t count, const lb_speed *speed)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].row, speed->row) == 0 && strcmp(list[i].cpu, speed->cpu) == 0)
            return true;
    return false;
}

/* Speeds of all parts; of a row and level that several measured, the first. */
static bool gather_speed(lb_merge_head *head, const lb_merge_part *parts, size_t count)
{
    size_t room = 1;
    for (size_t i = 0; i < count; i++)
        room += parts[i].info->speed_count;
    head->speed = calloc(room, sizeof *head->speed);
    if (!head->speed)
        return false;
    for (size_t i = 0; i < count; i++) {
        for (size_t s = 0; s < parts[i].info->speed_count; s++)
            if (!is_known_speed(head->speed, head->info.speed_count, &parts[i].info->speed[s]))
                head->speed[head->info.speed_count++] = parts[i].info->speed[s];
    }
    head->info.speed = head->speed;
    return true;
}

static size_t known_fault(const lb_found_fault *list, size_t count, const lb_found_fault *fault)
{
    size_t i = 0;
    while (i < count && strcmp(list[i].name, fault->name) != 0)
        i++;
    return i;
}

/* Causes of all parts; of one that several found, the counts are added up. */
static bool gather_faults(lb_merge_head *head, const lb_merge_part *parts, size_t count)
{
    size_t room = 1;
    for (size_t i = 0; i < count; i++)
        room += parts[i].info->fault_count;
    head->faults = calloc(room, sizeof *head->faults);
    if (!head->faults)
        return false;
    for (size_t i = 0; i < count; i++) {
        for (size_t f = 0; f < parts[i].info->fault_count; f++) {
            const lb_found_fault *fault = &parts[i].info->faults[f];
            size_t at = known_fault(head->faults, head->info.fault_count, fault);
            if (at == head->info.fault_count) {
                head->faults[head->info.fault_count++] = *fault;
                continue;
            }
            head->faults[at].explained += fault->explained;
            head->faults[at].against += fault->against;
            head->faults[at].results += fault->results;
        }
    }
    head->info.faults = head->faults;
    return true;
}

/* What no part has a cause for, added up by reason. */
static bool gather_without_cause(lb_merge_head *head, const lb_merge_part *parts, size_t count)
{
    size_t room = 1;
    for (size_t i = 0; i < count; i++)
        room += parts[i].info->without_cause_count;
    head->without_cause = calloc(room, sizeof *head->without_cause);
    for (size_t i = 0; head->without_cause && i < count; i++)
        for (size_t k = 0; k < parts[i].info->without_cause_count; k++) {
            const lb_without_cause *more = &parts[i].info->without_cause[k];
            size_t at = 0;
            while (at < head->info.without_cause_count &&
                   strcmp(head->without_cause[at].why, more->why) != 0)
                at++;
            if (at == head->info.without_cause_count)
                head->without_cause[head->info.without_cause_count++].why = more->why;
            head->without_cause[at].results += more->results;
        }
    head->info.without_cause = head->without_cause;
    return head->without_cause != NULL;
}

/* Lines that two shards ran cannot be added up from their counts: only where one part alone has
 * them are they kept. */
static void choose_lines(lb_merge_head *head, const lb_merge_part *parts, size_t count)
{
    size_t with = 0;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].info->lines_count > 0) {
            head->info.lines = parts[i].info->lines;
            head->info.lines_count = parts[i].info->lines_count;
            with++;
        }
    }
    if (with > 1) {
        fprintf(
            stderr,
            "lastbit: line coverage is left out: counts of several shards cannot be added up\n");
        head->info.lines = NULL;
        head->info.lines_count = 0;
    }
}

bool lb_merge_head_make(lb_merge_head *head, const lb_merge_part *parts, size_t count, char *error,
                        size_t error_bytes)
{
    const lb_merge_part *first = &parts[0];
    for (size_t i = 1; i < count; i++)
        first = parts[i].info->shard_index < first->info->shard_index ? &parts[i] : first;
    *head = (lb_merge_head){.info = *first->info};
    head->info.shard_index = head->info.shard_count = 1;
    head->info.seconds = 0;
    head->info.speed_count = head->info.coverage_count = head->info.lines_count = 0;
    head->info.fault_count = head->info.without_cause_count = 0;
    bool all_tell = true;
    uint64_t expected = 0;
    for (size_t i = 0; i < count; i++) {
        const lb_tally *tally = lb_results_tally(parts[i].reader);
        head->info.seconds += parts[i].info->seconds;
        all_tell = all_tell && parts[i].info->expected > 0;
        expected += parts[i].info->expected;
        if (strcmp(parts[i].info->started, head->info.started) < 0)
            head->info.started = parts[i].info->started;
        for (int v = 0; v < LB_VERDICT_COUNT; v++)
            head->tally.count[v] += tally->count[v];
    }
    head->info.expected = all_tell ? expected : 0;
    head->host = join_texts(parts, count, offsetof(lb_run_info, host));
    head->host_compiler = join_texts(parts, count, offsetof(lb_run_info, host_compiler));
    if (!head->host || !head->host_compiler || !gather_speed(head, parts, count) ||
        !gather_faults(head, parts, count) || !gather_without_cause(head, parts, count)) {
        snprintf(error, error_bytes, "out of memory");
        return false;
    }
    head->info.host = head->host;
    head->info.host_compiler = head->host_compiler;
    if (first->info->whole_command[0] != '\0')
        head->info.command = first->info->whole_command;
    head->info.whole_command = "";
    choose_lines(head, parts, count);
    return unite_coverage(head, parts, count, error, error_bytes);
}

void lb_merge_head_free(lb_merge_head *head)
{
    free(head->host);
    free(head->host_compiler);
    free(head->coverage);
    free(head->missed);
    free(head->speed);
    free(head->faults);
    free(head->without_cause);
    lb_names_free(&head->functions);
    *head = (lb_merge_head){0};
}
