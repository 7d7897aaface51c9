/* The end of a run: the journal becomes results.json and documents, and what failed is told on
 * standard output. */
#ifndef LB_HARNESS_RUN_WRITE_RESULTS_H
#define LB_HARNESS_RUN_WRITE_RESULTS_H

#include "harness/run/journal.h"
#include "harness/run/run_plan.h"
#include "harness/run/steps.h"
#include "harness/trial/reproduce.h"

#include <stdio.h>

typedef struct lb_finish_options {
    const lb_run_info *info;
    const lb_journal *journal;
    uint64_t
        marked; /* results whose accumulator is too narrow, to be told of; 0: nothing to tell */
    uint64_t vacuous;              /* results whose case proves little, to be listed */
    const unsigned char *verdicts; /* 0: not tried; else 1 + verdict */
    uint64_t order_count;
    const char *report_folder;     /* NULL: none is written */
    FILE *verdict_lines;           /* for an object a verdict; NULL: nobody reads them */
    unsigned long show_limit;      /* failing cases to show in full */
    bool color;                    /* on standard output */
    bool quiet;                    /* nothing but the tally, and annotations */
    const char *annotate;          /* kind of the document with annotations; NULL: none */
    const lb_reproduce *reproduce; /* what the lines that reproduce them say */
    const double *microseconds;    /* of the call of each result, where it was made more than once;
                                      NULL: as the journal has it */
    const lb_plan *plan;
    const unsigned char *causes; /* of each result: 1 + place among info->faults; NULL: none are
                                    known */
    const lb_run_steps *steps;   /* explanations for the documents; NULL: none */
    int signal_number;           /* that ended the run; 0: none did */
    const struct lb_gathered *gathered; /* why results were skipped */
} lb_finish_options;

/* Writes DIR/results.json, report.html, junit.xml, summary.md (each appears whole or not at all),
 * prints failures and the closing line. False: something could not be written, with a message. */
bool lb_finish(const lb_finish_options *options, lb_tally *tally);

/* Takes away what a run before has left in its folder (results, and documents of these kinds,
 * LB_OF_...): a run that is stopped leaves nothing that can be taken for its own, and no link of
 * such a name is written through. False with a message. */
bool lb_documents_remove(const char *folder, unsigned kinds);

/* Does a result line say that its case proves little? */
bool lb_mistrust_is_told(const char *line, size_t length);

/* Creates the folder and its parents. False with a message. */
bool lb_make_folder(const char *path);

#endif
