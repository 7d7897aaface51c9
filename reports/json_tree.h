/* Trees of JSON text, made in one pass: the nodes are cJSON's, in memory that is released all at
 * once, and behind each node stands its place. What is not plainly JSON is declined: a slower
 * reader then says why. */
#ifndef LB_REPORTS_JSON_TREE_H
#define LB_REPORTS_JSON_TREE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* Every node of these trees; who reads a tree as cJSON's sees the first member alone. */
typedef struct lb_json_node {
    cJSON node;
    size_t key,
        value; /* offsets in the text; of an element of a list both are those of the value */
} lb_json_node;

typedef struct lb_json_source {
    const char *text;
    size_t length;                    /* nothing behind is looked at */
    unsigned outer_depth, most_depth; /* lists and objects around the value, and in each other */
    bool is_scanned; /* a strict reader has passed it, what is not ASCII included; else that is
                        declined */
    void *(*allocate)(void *user, size_t bytes); /* memory of zeros, aligned; NULL: declined */
    void *user;
} lb_json_source;

/* The value at the offset *at, which moves behind it; NULL: declined. Nodes are not to be given to
 * cJSON_Delete. */
cJSON *lb_json_tree_make(const lb_json_source *source, size_t *at);

/* Memory for trees that live until the next one is made. */
typedef struct lb_json_room {
    struct lb_json_block *blocks;
} lb_json_room;

/* An allocate function; its user is a lb_json_room, at first {NULL}. */
void *lb_json_room_take(void *room, size_t bytes);
void lb_json_room_reset(lb_json_room *room);
void lb_json_room_free(lb_json_room *room);

#endif
