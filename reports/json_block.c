/* Memory for one JSON value at a time: see json_block.h. A line of results is some fifty nodes and
 * texts, and giving them back one by one takes longer than to write the document. */
#include "json_block.h"

#include <stdalign.h>
#include <stdlib.h>

enum { BLOCK_BYTES = 1 << 16 };

/* cJSON asks its hooks for memory without a context. One parse at a time, in one thread. */
static char *at, *block_end;
static cJSON_Hooks usual = {malloc, free};

static void *take(size_t bytes)
{
    const size_t unit = alignof(max_align_t);
    if (bytes > (size_t)(block_end - at))
        return NULL;
    char *taken = at;
    bytes = (bytes + unit - 1) / unit * unit;
    at += bytes < (size_t)(block_end - at) ? bytes : (size_t)(block_end - at);
    return taken;
}

static void keep(void *memory)
{
    (void)memory;
}

void lb_json_hooks(const cJSON_Hooks *hooks)
{
    usual = *hooks;
    cJSON_InitHooks(&usual);
}

cJSON *lb_json_block_parse(lb_json_block *block, const char *text, size_t length, const char **end)
{
    cJSON *value = NULL;
    cJSON_Delete(block->beside);
    block->beside = NULL;
    block->memory = block->memory ? block->memory : malloc(BLOCK_BYTES);
    if (block->memory) {
        at = block->memory;
        block_end = at + BLOCK_BYTES;
        cJSON_InitHooks(&(cJSON_Hooks){take, keep});
        value = cJSON_ParseWithLengthOpts(text, length, end, 0);
        cJSON_InitHooks(&usual);
    }
    if (!value) /* no JSON, or more than the block holds */
        value = block->beside = cJSON_ParseWithLengthOpts(text, length, end, 0);
    return value;
}

void lb_json_block_free(lb_json_block *block)
{
    cJSON_Delete(block->beside);
    free(block->memory);
    *block = (lb_json_block){NULL, NULL};
}
