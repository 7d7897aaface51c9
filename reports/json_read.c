/* Members of JSON objects: see json_read.h. */
#include "json_read.h"

const char *lb_json_text(const cJSON *object, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

bool lb_json_count(const cJSON *object, const char *key, uint64_t *count)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    bool good = cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= 1e15;
    *count = good ? (uint64_t)item->valuedouble : 0;
    return good;
}
