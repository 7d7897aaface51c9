/* What was tested, by what and where, as facts with titles: the port and the host apart. */
#ifndef LB_REPORTS_TESTED_H
#define LB_REPORTS_TESTED_H

#include "results.h"

/* One fact: a text of lb_run_info. */
typedef struct lb_tested {
    const char *title;    /* for people */
    const char *property; /* for programs: "port.compiler" */
    size_t offset;
    bool is_code; /* a command, a path: letter by letter */
    bool of_host; /* of the machine that lastbit ran on, not of the port */
} lb_tested;

extern const lb_tested lb_tested_facts[];
extern const size_t lb_tested_count;

/* The fact's text; "" where it is not told. */
const char *lb_tested_text(const lb_tested *fact, const lb_run_info *info);

/* "0.1.0, commit 0123456789ab" into text. */
void lb_tested_version(const lb_run_info *info, char *text, size_t text_bytes);

/* What a file of this role is, for people: "Encodings file". */
const char *lb_tested_role(const char *role);

#endif
