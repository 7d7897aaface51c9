/* A failing result as a person reads it on a terminal. */
#ifndef LB_HARNESS_RUN_PRINT_FAILURE_H
#define LB_HARNESS_RUN_PRINT_FAILURE_H

#include "harness/suite/profile_choice.h"
#include "harness/trial/reproduce.h"
#include "reference/core/profile.h"
#include "reports/results.h"

#include <stdio.h>

/* Profiles that saw the same of one case. */
typedef struct lb_show_group {
    char *seen;            /* what they saw, without figures of a profile */
    char *summary;         /* its beginning, in a line */
    char *names, *options; /* the profiles with commas: names, and what --profile must say */
} lb_show_group;

/* Gathers the failing results of one case, and prints them as one block: in full what its first
 * profile saw, and a line for what others saw otherwise. */
typedef struct lb_show {
    FILE *out;           /* over a terminal (base/terminal.h): lines to be pasted are marked */
    unsigned long shown; /* blocks printed */
    unsigned long limit; /* blocks to print at most */
    uint64_t results;    /* results in the blocks printed */
    /* For the lines that reproduce. */
    const lb_reproduce *reproduce; /* NULL: they have no options */
    const lb_profile *const *profiles;
    size_t profile_count;
    bool color;   /* verdicts stand out */
    bool is_made; /* the suites are made: `file` of a result is a command */
    /* Of the block that is open. */
    char *id, *function, *head, *body, *file, *cpu; /* id NULL: none is */
    unsigned line;                                  /* of the case, in the file */
    lb_show_group groups[LB_MAX_PROFILES];
    size_t group_count;
    unsigned misaligned; /* of a case that is by default; 0: it is not */
    char *role, *index;  /* of its first element that differs; role NULL: there is none */
    uint64_t open_results;
} lb_show;

/* Takes the next failing result, in the order of the run. Prints the verdict, each difference with
 * its place and operands, who agrees with whom, and the line that reproduces the case. False: the
 * limit is reached. */
bool lb_show_add(lb_show *show, const lb_result *result);
/* Prints the block that is still open. */
void lb_show_end(lb_show *show);

#endif
