/* One result, from a JSON value. Every key is checked for its type. */
#include "results_members.h"
#include "results_read.h"

#include <stdlib.h>
#include <string.h>

/* One object of a list inside a result or a head; puts "KEY[INDEX]: " before the cause. */
static bool read_element(const lb_members *members, void *base, const cJSON *object,
                         const char *key, unsigned index, char *error, size_t error_bytes)
{
    char cause[160] = "must be an object";
    if (cJSON_IsObject(object) && lb_members_read(members, base, object, cause, sizeof cause))
        return true;
    snprintf(error, error_bytes, "\"%s\"[%u]: %s", key, index, cause);
    return false;
}

bool lb_results_read_list(const cJSON *object, const char *key, const lb_members *members,
                          void *first, size_t element_bytes, unsigned max_count, unsigned *count,
                          char *error, size_t error_bytes)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key);
    const cJSON *element;
    *count = 0;
    if (list && !cJSON_IsArray(list)) {
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
        if (!read_element(members, base, element, key, *count, error, error_bytes))
            return false;
        (*count)++;
    }
    return true;
}

/* Where there is a map, it is as large as its rows and columns say. */
static bool check_map(const lb_result *result, char *error, size_t error_bytes)
{
    unsigned rows = result->map_rows, columns = result->map_columns;
    if (rows == 0 && columns == 0 && result->map[0] == '\0')
        return true;
    if (rows == 0 || columns == 0 || rows > LB_MAX_MAP_SIDE || columns > LB_MAX_MAP_SIDE) {
        snprintf(error, error_bytes, "\"map_rows\" and \"map_columns\" must be 1 to %d",
                 LB_MAX_MAP_SIDE);
        return false;
    }
    if (strlen(result->map) != (size_t)rows * columns ||
        strspn(result->map, ".123456789") != strlen(result->map)) {
        snprintf(error, error_bytes,
                 "\"map\" must have %u characters, each a dot or a digit from 1 to 9",
                 rows * columns);
        return false;
    }
    return true;
}

bool lb_result_from_json(const cJSON *object, lb_result *result, char *error, size_t error_bytes)
{
    memset(result, 0, sizeof *result);
    result->accumulator.overflow = "none";
    if (!cJSON_IsObject(object)) {
        snprintf(error, error_bytes, "a result must be an object");
        return false;
    }
    if (!lb_members_read(&lb_result_members, result, object, error, error_bytes) ||
        !lb_results_read_list(object, "differences", &lb_difference_members, result->differences,
                              sizeof(lb_difference), LB_MAX_DIFFERENCES, &result->difference_count,
                              error, error_bytes) ||
        !lb_results_read_list(object, "tolerances", &lb_tolerance_members, result->tolerances,
                              sizeof(lb_tolerance), LB_MAX_TOLERANCES, &result->tolerance_count,
                              error, error_bytes) ||
        !check_map(result, error, error_bytes))
        return false;
    const cJSON *use = cJSON_GetObjectItemCaseSensitive(object, "accumulator");
    if (!use)
        return true;
    char cause[160] = "must be an object";
    if (!cJSON_IsObject(use) ||
        !lb_members_read(&lb_accumulator_members, &result->accumulator, use, cause, sizeof cause)) {
        snprintf(error, error_bytes, "\"accumulator\": %s", cause);
        return false;
    }
    return true;
}
