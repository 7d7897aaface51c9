/* The diagnosis at the end of a run: from its verdicts, within a time that it may take. */
#ifndef LB_HARNESS_RUN_DIAGNOSE_RUN_H
#define LB_HARNESS_RUN_DIAGNOSE_RUN_H

#include "harness/diagnose/diagnosis.h"
#include "harness/run/run_plan.h"

typedef struct lb_run_diagnose_options {
    const lb_plan *plan;
    lb_port *port;
    const char *port_name;
    const lb_reproduce *reproduce;
    unsigned misalign;             /* as in lb_memory_options */
    const unsigned char *verdicts; /* of all results of the plan: 0 not tried, else 1 + verdict */
    uint64_t count;
    double seconds;
} lb_run_diagnose_options;

typedef struct lb_run_diagnosis {
    lb_evidence evidence;
    lb_diagnosis diagnosis;
    unsigned char *cause_of; /* of each result of the plan: 1 + place among the causes; 0: none */
} lb_run_diagnosis;

/* False: none is made: there is no time for it, or the run has CPU levels, each of which would have
 * causes of its own. */
bool lb_run_diagnose(const lb_run_diagnose_options *options, lb_run_diagnosis *causes);
void lb_run_diagnosis_free(lb_run_diagnosis *causes);

#endif
