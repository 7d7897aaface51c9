/* How a run with failures ends on a terminal: which functions fail in which way, and the failing
 * cases in the order in which somebody should read them. */
#ifndef LB_HARNESS_RUN_STORY_H
#define LB_HARNESS_RUN_STORY_H

#include "harness/run/journal.h"

typedef struct lb_story {
    unsigned char *chosen; /* of each case: it is one of the simplest */
    uint32_t *rank;        /* of a chosen case: its place among them, from 0 */
    uint64_t case_count;
    size_t profile_count;
    void *functions; /* lines of the table */
    size_t function_count, function_room;
} lb_story;

/* Reads what failed; `verdicts`: 0 not tried, else 1 + verdict. The `limit` simplest failing cases
 * are chosen: single calls before chains, written by hand before made up, then the fewest elements.
 * False: the journal cannot be read. */
bool lb_story_read(lb_story *story, const lb_journal *journal, const unsigned char *verdicts,
                   uint64_t order_count, size_t profile_count, unsigned long limit);
void lb_story_free(lb_story *story);

/* What a case asks of a reader, from the line of its result: the smaller, the sooner it is read. */
uint64_t lb_story_effort(const char *line, size_t length);

/* A failing result from elsewhere: its function and kind ("numbers", ...). The story begins with
 * all zero. */
void lb_story_add(lb_story *story, const char *function, const char *kind);

/* Functions that give wrong numbers. */
size_t lb_story_wrong_numbers(const lb_story *story);
/* The table: a line for each function that fails, the worst first, in at most 80 columns. */
void lb_story_table(lb_story *story, FILE *out);

#endif
