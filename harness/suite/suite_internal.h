/* What the readers of suite files share behind suite.h. */
#ifndef LB_HARNESS_SUITE_SUITE_INTERNAL_H
#define LB_HARNESS_SUITE_SUITE_INTERNAL_H

#include "harness/base/id_set.h"
#include "harness/base/line_reader.h"
#include "harness/base/xalloc.h"
#include "harness/json/scan.h"
#include "harness/suite/decode.h"
#include "harness/suite/suite.h"

#include <sys/stat.h>
#include <time.h>

enum {
    LB_LINES_PER_BLOCK = 64 /* JSON Lines: one offset is kept for so many cases */
};

/* Larger files are refused, and so are JSON and YAML suites whose cases take more memory than this.
 */
#define LB_MAX_FILE_BYTES ((uint64_t)1 << 30)
#define LB_MAX_KEPT_BYTES ((size_t)1 << 31)

struct lb_suite {
    char *path;
    const char *opened; /* where its bytes are: the path, unless it came on standard input */
    char *name;
    char sha256[LB_SHA256_TEXT];
    bool json_lines;
    struct stat stat; /* of the file when it was checked */
    time_t opened_at;
    size_t count;
    lb_arena arena;  /* path, name, and the cases of JSON and YAML */
    lb_case **cases; /* all of JSON and YAML; JSON Lines: NULL, or with gaps */
    size_t case_capacity;
    lb_arena kept;     /* JSON Lines: cases that fit into *room */
    size_t *room;      /* while the file is read; NULL: none are kept */
    lb_level most;     /* JSON Lines: cases above it are left undecoded */
    uint64_t *offsets; /* JSON Lines: of the lines of cases 0, 64, 128 ... */
    size_t offset_count, offset_capacity;
    unsigned char *levels; /* JSON Lines: of each case, its lb_level */
    size_t level_capacity;
    bool has_layers;          /* a case is fed by another */
    unsigned sets;            /* bit s: a function of the lb_set s is in it */
    lb_companions companions; /* files that the cases name */
    lb_make_case_fn make;     /* NULL: the suite is a file */
    void *make_user;
};

/* Where standard input can be opened like a file; it is read whole when this is first asked for.
 * NULL: errno says why not. */
const char *lb_standard_input_path(void);
/* The ending that a suite's name would have, by its first bytes: ".json", ".jsonl", ".yaml". */
const char *lb_suite_ending(int fd);

/* Has the open file changed since it was checked? */
bool lb_file_has_changed(int fd, const struct stat *before);
/* Reports what the strict scan found in a text whose first line has the given number. */
void lb_report_fault(lb_problems *problems, const char *text, unsigned first_line,
                     const lb_json_fault *fault);
/* Feeds the members of the JSON object at document->value_offset to the header. "cases" is not
 * read; *cases_offset is where it stands (0: it does not). */
void lb_read_json_header(lb_suite *suite, lb_header *header, lb_document *document, lb_arena *tree,
                         lb_problems *problems, size_t *cases_offset);
/* Notes the id of the next case; an id that is there already is reported at its place. */
void lb_note_id(lb_id_set *ids, const lb_document *document, const lb_case *c,
                lb_id_is_same is_same, void *user, unsigned (*line_of)(void *user, size_t number),
                lb_problems *problems);

/* Check the open file and fill the suite. */
void lb_load_json(lb_suite *suite, int fd, lb_problems *problems);
void lb_load_yaml(lb_suite *suite, int fd, lb_problems *problems);
void lb_load_json_lines(lb_suite *suite, int fd, lb_problems *problems);

#endif
