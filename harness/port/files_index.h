/* A folder of cases as plain files ("lastbit vectors export"), as the port files:DIR reads it: its
 * names, and its index. */
#ifndef LB_HARNESS_PORT_FILES_INDEX_H
#define LB_HARNESS_PORT_FILES_INDEX_H

#include "harness/base/sha256.h"
#include "harness/suite/case.h"

#define LB_FILES_FORMAT    "lastbit/export-1"
#define LB_FILES_INDEX     "index.jsonl"   /* a header, then a line a case */
#define LB_FILES_RESULTS   "results.jsonl" /* what somebody puts there: a line a case */
#define LB_FILES_STATUS    "status.json"   /* in a case's folder */
#define LB_FILES_SUITES    "suites"        /* the cases as suites, without expectations */
#define LB_FILES_ALL_CASES "cases"         /* the folder of the cases' folders */

/* How elements stand in files. */
typedef enum lb_files_form {
    LB_FILES_NPY,
    LB_FILES_RAW,
    LB_FILES_HEX,
    LB_FILES_JSON,
    LB_FILES_C,
    LB_FILES_FORM_COUNT
} lb_files_form;

/* "npy", "raw", "hex", "json", "c", NULL: as options and the index say them; files end so. */
extern const char *const lb_files_forms[LB_FILES_FORM_COUNT + 1];

/* A file of a case, as it was exported. */
typedef struct lb_files_file {
    char *name; /* from the case's folder */
    char sha256[LB_SHA256_TEXT];
} lb_files_file;

typedef struct lb_files_case {
    char *id, *function, *folder; /* folder: from the export's */
    char digest[LB_SHA256_TEXT];
    size_t file_count;
    lb_files_file *files;
} lb_files_case;

typedef struct lb_files_index {
    lb_arena arena;
    lb_files_form form;
    unsigned word_bits; /* of hex */
    bool big_endian;    /* of raw and hex */
    char *profile;
    lb_files_case *cases;
    size_t count, room;
    const lb_files_case **by_digest, **by_id; /* the same in other orders, to be searched */
} lb_files_index;

/* What a case asks, its expectations left out: as JSON on one line, and the SHA-256 of that. */
const char *lb_files_question(const lb_case *c, lb_arena *arena, char digest[LB_SHA256_TEXT]);

/* False: a message on standard error. */
bool lb_files_index_read(lb_files_index *index, const char *folder);
void lb_files_index_free(lb_files_index *index);
/* NULL: not in the export. */
const lb_files_case *lb_files_index_find(const lb_files_index *index, const char *digest);
const lb_files_case *lb_files_index_find_id(const lb_files_index *index, const char *id);

#endif
