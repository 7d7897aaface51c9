/* JSON values that come one after another, each parsed into the same memory. */
#ifndef LB_REPORTS_JSON_BLOCK_H
#define LB_REPORTS_JSON_BLOCK_H

#include <cjson/cJSON.h>
#include <stddef.h>

/* Zero: nothing parsed yet. */
typedef struct lb_json_block {
    char *memory;  /* of the block; a value that does not fit is allocated as ever */
    cJSON *beside; /* such a value */
} lb_json_block;

/* As cJSON_ParseWithLengthOpts. The value is the block's, until the next one or the end. */
cJSON *lb_json_block_parse(lb_json_block *block, const char *text, size_t length, const char **end);
void lb_json_block_free(lb_json_block *block);

/* What cJSON allocates with from now on, and again after each of these. */
void lb_json_hooks(const cJSON_Hooks *hooks);

#endif
