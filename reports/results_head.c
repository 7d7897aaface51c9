/* The head of a results file, from a JSON value: what was tested, suites, coverage, speed, tally.
 */
#include "results_members.h"
#include "results_read.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(char *error, size_t error_bytes, const char *cause)
{
    snprintf(error, error_bytes, "%s", cause);
    return false;
}

/* The names at a key of "run", allocated; NULL: error holds the cause. */
static const char **read_names(const cJSON *run, const char *key, size_t *count, char *error,
                               size_t error_bytes)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(run, key);
    const cJSON *element;
    const char **names = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *names);
    bool good = !list || cJSON_IsArray(list);
    *count = 0;
    if (!names) {
        refuse(error, error_bytes, "out of memory");
        return NULL;
    }
    cJSON_ArrayForEach(element, list)
    {
        good = good && cJSON_IsString(element);
        names[(*count)++] = good ? element->valuestring : "";
    }
    if (!good) {
        snprintf(error, error_bytes, "\"run\": \"%s\" must be a list of names", key);
        free(names);
        return NULL;
    }
    return names;
}

static bool read_choices(const cJSON *run, lb_results_head *head, char *error, size_t error_bytes)
{
    lb_run_info *info = &head->info;
    if (!cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(run, "profiles")))
        return refuse(error, error_bytes, "\"run\": \"profiles\" must be a list of names");
    head->profiles = read_names(run, "profiles", &info->profile_count, error, error_bytes);
    head->profile_files =
        !head->profiles
            ? NULL
            : read_names(run, "profile_files", &info->profile_file_count, error, error_bytes);
    info->profiles = head->profiles;
    info->profile_files = head->profile_files;
    if (!head->profile_files)
        return false;
    for (size_t i = 0; i < LB_CHOICE_LISTS; i++) {
        lb_words *words = lb_choice_words(&info->chosen, i);
        head->chosen[i] =
            read_names(run, lb_choice_lists[i].key, &words->count, error, error_bytes);
        words->list = head->chosen[i];
        if (!head->chosen[i])
            return false;
    }
    if (info->profile_file_count != 0 && info->profile_file_count != info->profile_count) {
        return refuse(error, error_bytes,
                      "\"run\": \"profile_files\" must have as many entries as \"profiles\"");
    }
    return true;
}

static bool read_run(const cJSON *object, lb_results_head *head, char *error, size_t error_bytes)
{
    const cJSON *run = cJSON_GetObjectItemCaseSensitive(object, "run");
    if (!cJSON_IsObject(run))
        return refuse(error, error_bytes, "\"run\" must be an object that says what was tested");
    char cause[160];
    if (!lb_members_read(&lb_run_members, &head->info, run, cause, sizeof cause)) {
        snprintf(error, error_bytes, "\"run\": %s", cause);
        return false;
    }
    if (head->info.shard_index == 0 || head->info.shard_index > head->info.shard_count) {
        return refuse(error, error_bytes,
                      "\"run\": \"shard_index\" must lie between 1 and \"shard_count\"");
    }
    return read_choices(run, head, error, error_bytes);
}

/* The list of objects at a key, allocated (also where it is empty); NULL: error holds the cause. */
static void *read_whole_list(const cJSON *object, const char *key, const lb_members *members,
                             size_t element_bytes, size_t *count, char *error, size_t error_bytes)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key);
    unsigned room = (unsigned)cJSON_GetArraySize(list), found = 0;
    void *first = calloc((size_t)room + 1, element_bytes);
    if (!first) {
        refuse(error, error_bytes, "out of memory");
        return NULL;
    }
    if (!lb_results_read_list(object, key, members, first, element_bytes, room, &found, error,
                              error_bytes)) {
        free(first);
        return NULL;
    }
    *count = found;
    return first;
}

static bool read_suites(const cJSON *object, lb_results_head *head, char *error, size_t error_bytes)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "suites");
    if (!cJSON_IsArray(list))
        return refuse(error, error_bytes, "\"suites\" must be a list");
    head->suites = read_whole_list(object, "suites", &lb_suite_members, sizeof *head->suites,
                                   &head->info.suite_count, error, error_bytes);
    head->info.suites = head->suites;
    return head->suites != NULL;
}

/* Files beside the suites, and what the user said of the product. */
static bool read_files(const cJSON *object, lb_results_head *head, char *error, size_t error_bytes)
{
    head->files = read_whole_list(object, "files", &lb_file_members, sizeof *head->files,
                                  &head->info.file_count, error, error_bytes);
    if (!head->files)
        return false;
    head->meta = read_whole_list(object, "meta", &lb_meta_members, sizeof *head->meta,
                                 &head->info.meta_count, error, error_bytes);
    head->info.files = head->files;
    head->info.meta = head->meta;
    return head->meta != NULL;
}

/* The names at "missed" of one function, into the pool of all functions. */
static bool read_missed(const cJSON *item, lb_results_head *head, size_t *used,
                        lb_coverage *coverage, char *error, size_t error_bytes)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(item, "missed");
    const cJSON *element;
    if (list && !cJSON_IsArray(list))
        return refuse(error, error_bytes, "\"coverage\": \"missed\" must be a list of names");
    coverage->missed = head->missed + *used;
    cJSON_ArrayForEach(element, list)
    {
        if (!cJSON_IsString(element))
            return refuse(error, error_bytes, "\"coverage\": \"missed\" must be a list of names");
        head->missed[(*used)++] = element->valuestring;
        coverage->missed_count++;
    }
    if (coverage->hit > coverage->points ||
        coverage->missed_count > coverage->points - coverage->hit) {
        return refuse(error, error_bytes,
                      "\"coverage\": \"hit\" and what \"missed\" names are more than \"points\"");
    }
    return true;
}

static bool read_unreachable(const cJSON *item, lb_results_head *head, size_t *used,
                             lb_coverage *coverage, char *error, size_t error_bytes)
{
    unsigned count = 0;
    char cause[300];
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(item, "unreachable");
    if (!lb_results_read_list(item, "unreachable", &lb_unreachable_members,
                              head->unreachable + *used, sizeof *head->unreachable,
                              (unsigned)cJSON_GetArraySize(list), &count, cause, sizeof cause)) {
        snprintf(error, error_bytes, "\"coverage\": %s", cause);
        return false;
    }
    coverage->unreachable = head->unreachable + *used;
    coverage->unreachable_count = count;
    *used += count;
    return true;
}

/* Entries of the lists at a key of all elements together. */
static size_t count_inside(const cJSON *list, const char *key)
{
    size_t count = 0;
    const cJSON *element;
    cJSON_ArrayForEach(element, list)
    {
        const cJSON *inside = cJSON_GetObjectItemCaseSensitive(element, key);
        count += cJSON_IsArray(inside) ? (size_t)cJSON_GetArraySize(inside) : 0;
    }
    return count;
}

static bool read_coverage(const cJSON *object, lb_results_head *head, char *error,
                          size_t error_bytes)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "coverage");
    const cJSON *item;
    size_t number = 0, missed = 0, unreachable = 0;
    head->coverage =
        read_whole_list(object, "coverage", &lb_coverage_members, sizeof *head->coverage,
                        &head->info.coverage_count, error, error_bytes);
    if (!head->coverage)
        return false;
    head->missed = calloc(count_inside(list, "missed") + 1, sizeof *head->missed);
    head->unreachable = calloc(count_inside(list, "unreachable") + 1, sizeof *head->unreachable);
    if (!head->missed || !head->unreachable)
        return refuse(error, error_bytes, "out of memory");
    cJSON_ArrayForEach(item, list)
    {
        lb_coverage *coverage = &head->coverage[number++];
        if (!read_missed(item, head, &missed, coverage, error, error_bytes) ||
            !read_unreachable(item, head, &unreachable, coverage, error, error_bytes))
            return false;
    }
    head->info.coverage = head->coverage;
    return true;
}

static bool read_figures(const cJSON *object, lb_results_head *head, char *error,
                         size_t error_bytes)
{
    head->lines = read_whole_list(object, "lines", &lb_line_coverage_members, sizeof *head->lines,
                                  &head->info.lines_count, error, error_bytes);
    if (!head->lines)
        return false;
    head->drift = read_whole_list(object, "drift", &lb_drift_members, sizeof *head->drift,
                                  &head->info.drift_count, error, error_bytes);
    if (!head->drift)
        return false;
    head->info.drift = head->drift;
    head->speed = read_whole_list(object, "speed", &lb_speed_members, sizeof *head->speed,
                                  &head->info.speed_count, error, error_bytes);
    head->info.lines = head->lines;
    head->info.speed = head->speed;
    return head->speed != NULL;
}

/* The texts at a key of one fault, into the pool of all. */
static bool read_texts(const cJSON *item, const char *key, lb_results_head *head, size_t *used,
                       const char *const **texts, size_t *text_count, char *error,
                       size_t error_bytes)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(item, key);
    const cJSON *element;
    *texts = head->fault_texts + *used;
    cJSON_ArrayForEach(element, list)
    {
        if (!cJSON_IsArray(list) || !cJSON_IsString(element)) {
            snprintf(error, error_bytes, "\"faults\": \"%s\" must be a list of texts", key);
            return false;
        }
        head->fault_texts[(*used)++] = element->valuestring;
        ++*text_count;
    }
    return true;
}

static bool read_faults(const cJSON *object, lb_results_head *head, char *error, size_t error_bytes)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "faults");
    const cJSON *item;
    size_t number = 0, used = 0;
    head->faults = read_whole_list(object, "faults", &lb_fault_members, sizeof *head->faults,
                                   &head->info.fault_count, error, error_bytes);
    if (!head->faults)
        return false;
    head->fault_texts = calloc(count_inside(list, "others") + count_inside(list, "facts") + 1,
                               sizeof *head->fault_texts);
    if (!head->fault_texts)
        return refuse(error, error_bytes, "out of memory");
    cJSON_ArrayForEach(item, list)
    {
        lb_found_fault *fault = &head->faults[number++];
        if (!read_texts(item, "others", head, &used, &fault->others, &fault->other_count, error,
                        error_bytes) ||
            !read_texts(item, "facts", head, &used, &fault->facts, &fault->fact_count, error,
                        error_bytes))
            return false;
    }
    head->info.faults = head->faults;
    head->without_cause = read_whole_list(object, "without_cause", &lb_without_cause_members,
                                          sizeof *head->without_cause,
                                          &head->info.without_cause_count, error, error_bytes);
    head->info.without_cause = head->without_cause;
    return head->without_cause != NULL;
}

/* The tally's keys are the names of the verdicts. */
static const lb_member tally_list[LB_VERDICT_COUNT] = {
    LB_MEMBER_OF("pass", U64, sizeof(uint64_t) * LB_PASS, true),
    LB_MEMBER_OF("fail", U64, sizeof(uint64_t) * LB_FAIL, true),
    LB_MEMBER_OF("error", U64, sizeof(uint64_t) * LB_ERROR, true),
    LB_MEMBER_OF("skip", U64, sizeof(uint64_t) * LB_SKIP, true),
    LB_MEMBER_OF("waived", U64, sizeof(uint64_t) * LB_WAIVED, true),
};

static bool read_tally(const cJSON *object, lb_results_head *head, char *error, size_t error_bytes)
{
    const lb_members members = {tally_list, LB_VERDICT_COUNT};
    char cause[160] = "must be an object";
    const cJSON *tally = cJSON_GetObjectItemCaseSensitive(object, "tally");
    if (!cJSON_IsObject(tally) ||
        !lb_members_read(&members, head->tally.count, tally, cause, sizeof cause)) {
        snprintf(error, error_bytes, "\"tally\": %s", cause);
        return false;
    }
    return true;
}

bool lb_results_head_read(const cJSON *object, lb_results_head *head, char *error,
                          size_t error_bytes)
{
    memset(head, 0, sizeof *head);
    const cJSON *format = cJSON_GetObjectItemCaseSensitive(object, "format");
    if (!cJSON_IsObject(object) || !cJSON_IsString(format))
        return refuse(error, error_bytes, "not a results file: \"format\" is missing");
    if (strcmp(format->valuestring, LB_RESULTS_FORMAT) != 0) {
        snprintf(error, error_bytes, "\"format\" is \"%.60s\"; this version reads \"%s\"",
                 format->valuestring, LB_RESULTS_FORMAT);
        return false;
    }
    return read_run(object, head, error, error_bytes) &&
           read_suites(object, head, error, error_bytes) &&
           read_files(object, head, error, error_bytes) &&
           read_coverage(object, head, error, error_bytes) &&
           read_figures(object, head, error, error_bytes) &&
           read_faults(object, head, error, error_bytes) &&
           read_tally(object, head, error, error_bytes);
}

void lb_results_head_free(lb_results_head *head)
{
    free(head->suites);
    free(head->files);
    free(head->meta);
    free(head->profiles);
    free(head->profile_files);
    for (size_t i = 0; i < LB_CHOICE_LISTS; i++)
        free(head->chosen[i]);
    free(head->coverage);
    free(head->drift);
    free(head->missed);
    free(head->unreachable);
    free(head->lines);
    free(head->speed);
    free(head->faults);
    free(head->fault_texts);
    free(head->without_cause);
    memset(head, 0, sizeof *head);
}
