/* A line of a journal: a JSON object, a tab, and the checksum of the object in eight hexadecimal
 * digits. A disk that fills up or a host that goes down may leave something else. */
#ifndef LB_REPORTS_JOURNAL_LINE_H
#define LB_REPORTS_JOURNAL_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum { LB_JOURNAL_SUM_BYTES = 9 };

/* Writes the checksum of the object behind it, at line[length]; gives the new length. No zero byte
 * follows. */
size_t lb_journal_line_seal(char *line, size_t length);
/* The length of the object; 0: the checksum is wrong, or there is none. That of a line of journal-1
 * is good as well. */
size_t lb_journal_line_check(const char *line, size_t length);

/* The value of the first member of this name; NULL: there is none. No parser: the lines are our
 * own, and a quotation mark inside a string is escaped, so that "KEY": is a key wherever it stands.
 */
const char *lb_line_member(const char *line, size_t length, const char *key);
/* The text of that member, escaped as it stands; false: it is no text, or empty. */
bool lb_line_text(const char *line, size_t length, const char *key, const char **text,
                  int *text_length);
/* The verdict of a result's line; -1: there is none. */
int lb_line_verdict(const char *line, size_t length);

#endif
