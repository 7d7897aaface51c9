/* `lastbit report`: documents from stored results, at the command line. */
#ifndef LB_REPORTS_REPORT_COMMAND_H
#define LB_REPORTS_REPORT_COMMAND_H

/* Runs `report KIND RESULTS.json -o FILE`. argv[0] is the word "report", argv[1] the kind (html, junit, markdown, csv) or
 * --help. Exit status: 0 done; 2 the command line or the results file is wrong; 3 the document cannot be written. */
int lb_command_report(int argc, char **argv);

#endif
