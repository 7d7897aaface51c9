/* The keys of results.json in tables, from which writer and reader both work: what one writes, the
 * other reads. */
#ifndef LB_REPORTS_RESULTS_MEMBERS_H
#define LB_REPORTS_RESULTS_MEMBERS_H

#include "doc.h"
#include "results.h"

#include <cjson/cJSON.h>

typedef enum lb_member_type {
    LB_MEMBER_STRING,
    LB_MEMBER_U64,      /* a number up to 2^53, above that a string of digits */
    LB_MEMBER_I64,      /* the same, signed */
    LB_MEMBER_UNSIGNED, /* unsigned int */
    LB_MEMBER_BITS,     /* a width: int, 0 to 4096 */
    LB_MEMBER_DOUBLE,   /* null: not a number */
    LB_MEMBER_VERDICT,
    LB_MEMBER_OPINION,
    LB_MEMBER_CERTAINTY,
    LB_MEMBER_DIFFERS,
    LB_MEMBER_OVERFLOW, /* a string: none, transient, persistent */
    LB_MEMBER_HISTOGRAM /* a list of LB_TOLERANCE_BINS counts */
} lb_member_type;

typedef struct lb_member {
    const char *key;
    const char *written; /* ,"key": */
    size_t written_bytes;
    lb_member_type type;
    size_t offset;
    bool required; /* always written, and an object without it is refused; otherwise empty values
                      are left out */
} lb_member;

#define LB_MEMBER_OF(key, type, offset, required)                                                  \
    {                                                                                              \
        key, ",\"" key "\":", sizeof ",\"" key "\":" - 1, LB_MEMBER_##type, offset, required       \
    }

typedef struct lb_members {
    const lb_member *list;
    size_t count;
} lb_members;

extern const lb_members lb_result_members, lb_difference_members, lb_tolerance_members,
    lb_accumulator_members;
extern const lb_members lb_run_members, lb_suite_members, lb_file_members, lb_meta_members;
extern const lb_members lb_coverage_members, lb_unreachable_members, lb_line_coverage_members,
    lb_drift_members, lb_speed_members, lb_fault_members, lb_without_cause_members;

/* Writes the members of the structure at `base` as "key":value pairs between commas, without
 * braces. */
void lb_members_write(const lb_members *members, const void *base, lb_doc *doc);

/* Fills the structure at `base` from a JSON object; strings point into the object. Keys without a
 * member are left to the caller. On failure gives false and fills error with the cause ("\"line\"
 * is missing"). */
bool lb_members_read(const lb_members *members, void *base, const cJSON *object, char *error,
                     size_t error_bytes);

#endif
