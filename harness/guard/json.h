/* Guard bits as a program reads them: one JSON object on a line for one case in one profile. Keys:
 * README.md, "Guard bits". */
#ifndef LB_HARNESS_GUARD_JSON_H
#define LB_HARNESS_GUARD_JSON_H

#include "harness/guard/witness.h"
#include "reports/doc.h"
#include "reports/results.h"

/* How the port did on a witness. */
typedef struct lb_guard_trial {
    lb_guard_witness witness;
    bool reached;
    bool overflows;     /* not compared: the accumulator leaves its width there */
    lb_verdict verdict; /* where it does not: pass, fail, error or skip */
    const char *reason; /* of fail and skip; else "" */
} lb_guard_trial;

bool lb_guard_trial_failed(const lb_guard_trial *trial);

/* Everything about one case in one profile. */
typedef struct lb_guard_record {
    const lb_case *test_case;
    const char *suite, *file;
    const lb_profile *profile;
    lb_guard_use use;
    int port_acc_bits; /* width that the port says it has for these operands; 0: it does not say */
    bool tried;        /* witnesses were run: */
    lb_guard_trial high, low;
} lb_guard_record;

/* Appends the object and a newline: the sixteen members that every line has, `witness` where
 * witnesses were tried, and with `details` what else is known. */
void lb_guard_json(lb_doc *doc, const lb_guard_record *record, bool details);

#endif
