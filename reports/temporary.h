/* Temporary files without a name, in TMPDIR or /tmp: nothing is left of them, however the program
 * ends. */
#ifndef LB_REPORTS_TEMPORARY_H
#define LB_REPORTS_TEMPORARY_H

#include <stdio.h>

/* Open for reading and writing; NULL with errno set. */
FILE *lb_temporary_file(void);
/* TMPDIR, or /tmp. */
const char *lb_temporary_folder(void);

#endif
