/* Results that no port ever gave, made by counting: fixtures for tests and for looking at pages. */
#ifndef LB_REPORTS_TESTS_SYNTHETIC_H
#define LB_REPORTS_TESTS_SYNTHETIC_H

#include "results.h"

typedef enum lb_synthetic_kind {
    LB_SYNTHETIC_PASS,        /* everything passes, a few are skipped */
    LB_SYNTHETIC_MIXED,       /* a few of everything */
    LB_SYNTHETIC_FAILING,     /* every result fails, each with several differences */
    LB_SYNTHETIC_HOSTILE,     /* every string tries to break out of its document */
    LB_SYNTHETIC_SKIPPED,     /* nothing was run */
    LB_SYNTHETIC_WAIVED,      /* passes and waived failures */
    LB_SYNTHETIC_INTERLEAVED, /* as MIXED; consecutive results belong to different suites */
    LB_SYNTHETIC_PARTLY,      /* passes, and more of it skipped */
    LB_SYNTHETIC_KIND_COUNT
} lb_synthetic_kind;

const char *lb_synthetic_kind_name(lb_synthetic_kind kind);

/* Memory for the strings of one result. */
typedef struct lb_synthetic_text {
    char id[200], file[200], reason[200], reproduce[400];
    char map[24 * 16 + 1];
    char index[LB_MAX_DIFFERENCES][40], expected[LB_MAX_DIFFERENCES][40],
        got[LB_MAX_DIFFERENCES][40];
} lb_synthetic_text;

/* The result with this number, from 0. Its strings lie in text or are constant. */
void lb_synthetic_result(lb_synthetic_kind kind, uint64_t number, lb_result *result,
                         lb_synthetic_text *text);
/* What was tested, in a run of `count` such results. Constant, except for the numbers of cases. */
void lb_synthetic_info(lb_synthetic_kind kind, uint64_t count, lb_run_info *info,
                       lb_run_suite suites[8]);
/* Writes what one of several shards of such a run finds. */
bool lb_synthetic_write_shard(FILE *file, lb_synthetic_kind kind, uint64_t count, unsigned index,
                              unsigned shards);
/* Writes a results file of `count` results. */
bool lb_synthetic_write(FILE *file, lb_synthetic_kind kind, uint64_t count);

/* The name that the hostile kind uses where it can. */
extern const char lb_hostile_name[];

#endif
