/* The commands of `lastbit report` that are not a kind of document, and what all of them share. */
#ifndef LB_REPORTS_REPORT_TOOLS_H
#define LB_REPORTS_REPORT_TOOLS_H

/* Each runs with argv[0] its own name and gives the exit status of the program. */
int lb_report_merge(int argc, char **argv);
int lb_report_diff(int argc, char **argv);

/* Tells what is wrong with the command line ("lastbit report KIND: PROBLEM SUBJECT") and where help
 * is; gives 2. */
int lb_report_refuse(const char *kind, const char *problem, const char *subject);
/* After help was printed: 0, or 3 if standard output is gone. */
int lb_report_help_status(void);

#endif
