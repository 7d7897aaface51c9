/* The pieces of a results file, from JSON values: one result, and the head. Every key is checked for its type. */
#include "results_members.h"
#include "results_read.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(char *error, size_t error_bytes, const char *cause)
{
    snprintf(error, error_bytes, "%s", cause);
    return false;
}

/* One object of a list inside a result or a head; puts "KEY[INDEX]: " before the cause. */
static bool read_element(const lb_members *members, void *base, const cJSON *object, const char *key, unsigned index,
                         char *error, size_t error_bytes)
{
    char cause[160] = "must be an object";
    if (cJSON_IsObject(object) && lb_members_read(members, base, object, cause, sizeof cause)) {
        return true;
    }
    snprintf(error, error_bytes, "\"%s\"[%u]: %s", key, index, cause);
    return false;
}

/* A list of at most max_count objects, each of element_bytes, into the array at `first`. */
static bool read_list(const cJSON *object, const char *key, const lb_members *members, void *first,
                      size_t element_bytes, unsigned max_count, unsigned *count, char *error, size_t error_bytes)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key);
    const cJSON *element;
    *count = 0;
    if (list != NULL && !cJSON_IsArray(list)) {
        snprintf(error, error_bytes, "\"%s\" must be a list", key);
        return false;
    }
    cJSON_ArrayForEach(element, list)
    {
        if (*count == max_count) {
            snprintf(error, error_bytes, "\"%s\" has more than %u entries", key, max_count);
            return false;
        }
        void *base = (char *)first + element_bytes * *count;
        if (!read_element(members, base, element, key, *count, error, error_bytes)) {
            return false;
        }
        (*count)++;
    }
    return true;
}

bool lb_result_from_json(const cJSON *object, lb_result *result, char *error, size_t error_bytes)
{
    memset(result, 0, sizeof *result);
    result->accumulator.overflow = "none";
    if (!cJSON_IsObject(object)) {
        return refuse(error, error_bytes, "a result must be an object");
    }
    if (!lb_members_read(&lb_result_members, result, object, error, error_bytes) ||
        !read_list(object, "differences", &lb_difference_members, result->differences, sizeof(lb_difference),
                   LB_MAX_DIFFERENCES, &result->difference_count, error, error_bytes) ||
        !read_list(object, "tolerances", &lb_tolerance_members, result->tolerances, sizeof(lb_tolerance),
                   LB_MAX_TOLERANCES, &result->tolerance_count, error, error_bytes)) {
        return false;
    }
    const cJSON *use = cJSON_GetObjectItemCaseSensitive(object, "accumulator");
    if (use == NULL) {
        return true;
    }
    char cause[160] = "must be an object";
    if (!cJSON_IsObject(use) ||
        !lb_members_read(&lb_accumulator_members, &result->accumulator, use, cause, sizeof cause)) {
        snprintf(error, error_bytes, "\"accumulator\": %s", cause);
        return false;
    }
    return true;
}

static bool read_profiles(const cJSON *run, lb_results_head *head, char *error, size_t error_bytes)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(run, "profiles");
    const cJSON *element;
    if (!cJSON_IsArray(list)) {
        return refuse(error, error_bytes, "\"run\": \"profiles\" must be a list of names");
    }
    head->profiles = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *head->profiles);
    if (head->profiles == NULL) {
        return refuse(error, error_bytes, "out of memory");
    }
    cJSON_ArrayForEach(element, list)
    {
        if (!cJSON_IsString(element)) {
            return refuse(error, error_bytes, "\"run\": \"profiles\" must be a list of names");
        }
        head->profiles[head->info.profile_count++] = element->valuestring;
    }
    head->info.profiles = head->profiles;
    return true;
}

static bool read_run(const cJSON *object, lb_results_head *head, char *error, size_t error_bytes)
{
    const cJSON *run = cJSON_GetObjectItemCaseSensitive(object, "run");
    if (!cJSON_IsObject(run)) {
        return refuse(error, error_bytes, "\"run\" must be an object that says what was tested");
    }
    char cause[160];
    if (!lb_members_read(&lb_run_members, &head->info, run, cause, sizeof cause)) {
        snprintf(error, error_bytes, "\"run\": %s", cause);
        return false;
    }
    if (head->info.shard_index == 0 || head->info.shard_index > head->info.shard_count) {
        return refuse(error, error_bytes, "\"run\": \"shard_index\" must lie between 1 and \"shard_count\"");
    }
    return read_profiles(run, head, error, error_bytes);
}

static bool read_suites(const cJSON *object, lb_results_head *head, char *error, size_t error_bytes)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "suites");
    if (!cJSON_IsArray(list)) {
        return refuse(error, error_bytes, "\"suites\" must be a list");
    }
    unsigned room = (unsigned)cJSON_GetArraySize(list);
    unsigned count = 0;
    head->suites = calloc((size_t)room + 1, sizeof *head->suites);
    if (head->suites == NULL) {
        return refuse(error, error_bytes, "out of memory");
    }
    if (!read_list(object, "suites", &lb_suite_members, head->suites, sizeof *head->suites, room, &count, error,
                   error_bytes)) {
        return false;
    }
    head->info.suites = head->suites;
    head->info.suite_count = count;
    return true;
}

/* The tally's keys are the names of the verdicts. */
static const lb_member tally_list[LB_VERDICT_COUNT] = {
    {"pass", LB_MEMBER_U64, sizeof(uint64_t) * LB_PASS, true},
    {"fail", LB_MEMBER_U64, sizeof(uint64_t) * LB_FAIL, true},
    {"error", LB_MEMBER_U64, sizeof(uint64_t) * LB_ERROR, true},
    {"skip", LB_MEMBER_U64, sizeof(uint64_t) * LB_SKIP, true},
    {"waived", LB_MEMBER_U64, sizeof(uint64_t) * LB_WAIVED, true},
};

static bool read_tally(const cJSON *object, lb_results_head *head, char *error, size_t error_bytes)
{
    const lb_members members = {tally_list, LB_VERDICT_COUNT};
    char cause[160] = "must be an object";
    const cJSON *tally = cJSON_GetObjectItemCaseSensitive(object, "tally");
    if (!cJSON_IsObject(tally) || !lb_members_read(&members, head->tally.count, tally, cause, sizeof cause)) {
        snprintf(error, error_bytes, "\"tally\": %s", cause);
        return false;
    }
    return true;
}

bool lb_results_head_read(const cJSON *object, lb_results_head *head, char *error, size_t error_bytes)
{
    memset(head, 0, sizeof *head);
    const cJSON *format = cJSON_GetObjectItemCaseSensitive(object, "format");
    if (!cJSON_IsObject(object) || !cJSON_IsString(format)) {
        return refuse(error, error_bytes, "not a results file: \"format\" is missing");
    }
    if (strcmp(format->valuestring, LB_RESULTS_FORMAT) != 0) {
        snprintf(error, error_bytes, "\"format\" is \"%.60s\"; this version reads \"%s\"", format->valuestring,
                 LB_RESULTS_FORMAT);
        return false;
    }
    return read_run(object, head, error, error_bytes) && read_suites(object, head, error, error_bytes) &&
           read_tally(object, head, error, error_bytes);
}

void lb_results_head_free(lb_results_head *head)
{
    free(head->suites);
    free(head->profiles);
    memset(head, 0, sizeof *head);
}
