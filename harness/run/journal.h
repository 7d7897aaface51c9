/* The journal of a run: one line per result, appended as it comes, so that a killed run loses
 * nothing it had. Between them stand lines about coverage, one whenever a call reaches coverpoints
 * that none before it did. */
#ifndef LB_HARNESS_RUN_JOURNAL_H
#define LB_HARNESS_RUN_JOURNAL_H

#include "reports/journal_line.h"
#include "reports/results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Told of a file in a report folder, with its name before it. */
#define LB_IS_LINK "is a symbolic link, which is not followed; take it away"

typedef struct lb_journal {
    int fd; /* opened for appending: every line is one write */
    char path[4096];
    /* Told of every line about coverage, {"coverage":{...}}, when a journal is resumed; NULL: they
     * are passed over. False: it is no such line. */
    bool (*covered)(void *user, const char *line, size_t length);
    void *covered_user;
    struct lb_journal_index *index; /* where lines begin, once somebody has read them in order */
} lb_journal;

/* What decides about the results of a run, and about their order. */
typedef struct lb_journal_run {
    const lb_run_info *info;
    const char *tolerance; /* how results are held to the real model */
    const char *const
        *levels; /* CPU level of each profile entry of the plan; NULL where none is set */
    const char *waivers_sha256; /* "" without waivers */
    unsigned misalign;          /* as in lb_memory_options */
} lb_journal_run;

/* First line of a journal: two runs with equal heads have the same results in the same order. To be
 * freed. */
char *lb_journal_head(const lb_journal_run *run);

/* Of the journal in a folder of --report: the seed of its certification, and when it was drawn.
 * "": it has none. */
void lb_journal_seed(const char *folder, char seed[24], char drawn[32]);

/* A result that is there. False: it cannot be one of this run. */
typedef bool (*lb_journal_found_fn)(void *user, uint64_t order, lb_verdict verdict,
                                    const char *line, size_t length);

/* Starts an empty journal at `path` (NULL: an unnamed temporary file). False: message on standard
 * error. */
bool lb_journal_create(lb_journal *journal, const char *path, const char *head);
/* Opens an existing journal to go on: its head must equal `head`; a line cut short at the end is
 * dropped, and so is one whose checksum is wrong. Calls found(...) for every result that is there.
 * A missing file is created. False: message on standard error. */
bool lb_journal_resume(lb_journal *journal, const char *path, const char *head,
                       lb_journal_found_fn found, void *user);
/* Appends one result line (made by lb_result_to_json, no newline; room for that and the
 * checksum, LB_JOURNAL_SUM_BYTES + 1, must follow at line[length]). */
bool lb_journal_append(const lb_journal *journal, char *line, size_t length);
/* Calls each(user, order, line, length) for the result lines in the order of their numbers 0 ..
 * order_count-1; numbers without a line are passed over. */
bool lb_journal_in_order(const lb_journal *journal, uint64_t order_count,
                         bool (*each)(void *user, uint64_t order, const char *line, size_t length),
                         void *user);
void lb_journal_close(lb_journal *journal);

#endif
