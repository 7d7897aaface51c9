/* Members of JSON objects, read. */
#ifndef LB_REPORTS_JSON_READ_H
#define LB_REPORTS_JSON_READ_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* The text of the member; NULL: there is none, or it is no text. */
const char *lb_json_text(const cJSON *object, const char *key);
/* The member as a number from 0 to 1e15; false, and 0: it is none. */
bool lb_json_count(const cJSON *object, const char *key, uint64_t *count);

#endif
