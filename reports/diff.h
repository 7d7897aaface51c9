/* Two runs compared, result by result. */
#ifndef LB_REPORTS_DIFF_H
#define LB_REPORTS_DIFF_H

#include "diff_lines.h"
#include "diff_time.h"
#include "doc.h"
#include "names.h"
#include "results.h"

typedef enum lb_change {
    LB_NEWLY_FAILING, /* fails or is an error in B, and did neither in A, or was not there */
    LB_NEWLY_PASSING, /* passes in B, failed or was an error or waived in A */
    LB_CHANGED,       /* any other change of verdict */
    LB_VANISHED,      /* in A only */
    LB_NEW,           /* in B only */
    LB_DRIFTED,       /* passes in both; its errors against the real model are others */
    LB_HEADROOM_LOST, /* fewer bits of the accumulator are left */
    LB_SLOWER,        /* beyond what both runs scatter */
    LB_WEAKER,        /* the suites catch a smaller share of the bank's faults */
    LB_CHANGE_COUNT
} lb_change;

typedef struct lb_change_list {
    uint64_t count;
    lb_diff_lines lines; /* for people, of the first cases */
    lb_doc json;         /* objects between commas, of all */
} lb_change_list;

typedef struct lb_diff_options {
    const char *a_path, *b_path;
    double slower_percent; /* what takes so much longer is slower */
    uint64_t show;         /* cases of each kind in the text */
} lb_diff_options;

typedef struct lb_diff {
    const lb_diff_options *options;
    lb_results_reader *a, *b;
    lb_names keys; /* of the results of A */
    struct lb_diff_record *records;
    size_t record_room;
    bool has_call_times; /* each call was made so often in both runs that its times can be compared
                          */
    bool has_times;      /* these, or rows of a benchmark that are in both */
    lb_call_times times;
    lb_time_noise noise; /* of the times of calls */
    lb_change_list lists[LB_CHANGE_COUNT];
} lb_diff;

/* "newly_failing" ..., as the keys of the JSON form. */
const char *lb_change_name(lb_change change);
/* For people. */
const char *lb_change_title(lb_change change);

/* Compares two results files; memory grows with the number of results by a few words each, and with
 * that of the changes. False: the cause in error. lb_diff_free either way. */
bool lb_diff_make(lb_diff *diff, const lb_diff_options *options, char *error, size_t error_bytes);
void lb_diff_free(lb_diff *diff);

/* The comparison as text for people, or as one JSON object (format "lastbit/diff-1"). */
void lb_diff_put_text(const lb_diff *diff, lb_doc *doc);
/* The same for a merge request. */
void lb_diff_put_markdown(const lb_diff *diff, lb_doc *doc);
void lb_diff_put_json(const lb_diff *diff, lb_doc *doc);

/* What is not the same between the two runs as such: port, profiles, suites. One line each, or
 * nothing (diff_head.c). */
void lb_diff_put_notes(const lb_run_info *a, const lb_run_info *b, lb_doc *doc);

#endif
