/* What all commands share: messages about the command line, numbers in it, facts about this build.
 */
#ifndef LB_HARNESS_BASE_COMMAND_LINE_H
#define LB_HARNESS_BASE_COMMAND_LINE_H

#include "harness/base/format_checked.h"

#include <stdbool.h>

/* "lastbit COMMAND: MESSAGE" and where help is, on standard error. "": lastbit itself. */
void lb_usage_error(const char *command, const char *format, ...) LB_FORMAT_CHECKED(2, 3);
/* A decimal number in [low, high], and nothing else. */
bool lb_parse_number(const char *text, unsigned long low, unsigned long high, unsigned long *value);
/* "0.1.0" */
const char *lb_version(void);
/* "gcc 12.2.0" */
const char *lb_compiler_name(void);
/* The commit that it was built from, with "+" behind it where files had been changed; "": not
 * known. The program sets it. */
extern const char *lb_commit;
extern const char lb_built_from[]; /* in the program alone */
/* "0.1.0", or "0.1.0 (0123456789ab)". */
void lb_version_with_commit(char text[80]);

#endif
