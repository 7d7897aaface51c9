/* The shell lines that make a case again: "lastbit run ... --case ID" and "lastbit explain ...".
 * Every such line is built here, quoted so that a shell takes it as it stands. */
#ifndef LB_HARNESS_TRIAL_REPRODUCE_H
#define LB_HARNESS_TRIAL_REPRODUCE_H

#include "reports/doc.h"

#include <stdbool.h>

/* The time limit of a command that is not told another: lines leave it out. */
enum { LB_TIME_LIMIT_SECONDS = 60 };

/* What all lines of a run say beside suite, case and profile. Zero: nothing. */
typedef struct lb_reproduce {
    const char *port;      /* as given; NULL or "builtin": left out */
    const char *cpu;       /* CPU level; NULL: none */
    const char *feed;      /* --feed; NULL: left out */
    const char *tolerance; /* what --tolerance says; NULL: it is not given */
    unsigned misalign;     /* as in lb_memory_options; 0: left out */
    bool guard_error, judge_tolerance;
    unsigned long seed;        /* 0: left out */
    double time_limit_seconds; /* 0: left out */
} lb_reproduce;

/* Which case. */
typedef struct lb_reproduce_case {
    const char *file; /* of the suite; of a suite that is made: its command, "sweep FUNCTION" */
    bool is_made;
    const char *id;
    const char *profiles; /* names or files, with commas */
} lb_reproduce_case;

/* One word of a shell command. Control characters are spelled, except for line feeds. */
void lb_put_shell_word(lb_doc *doc, const char *text);
/* A command as it was given, each argument as one word. */
void lb_put_shell_command(lb_doc *doc, const char *name, int argc, char *const *argv);

/* "lastbit run OPTIONS FILE --case ID --profile P", or that of a suite that is made. */
void lb_put_reproduce(lb_doc *doc, const lb_reproduce *run, const lb_reproduce_case *c);
/* "lastbit explain OPTIONS FILE --case ID --profile P [--role ROLE] [--index I]", of a suite that
 * is a file. Empty index: none. */
void lb_put_explain(lb_doc *doc, const lb_reproduce *run, const lb_reproduce_case *c,
                    const char *role, const char *index);

#endif
