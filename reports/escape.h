/* Text of strangers made harmless: every string of a suite or a port goes through one of these
 * before it stands in a document. Bytes that are not UTF-8 become U+FFFD everywhere. A NULL string
 * is an empty one. */
#ifndef LB_REPORTS_ESCAPE_H
#define LB_REPORTS_ESCAPE_H

#include "doc.h"

/* Decodes the next character and moves on; 0 at the end. A byte that is not part of valid UTF-8
 * gives U+FFFD. */
uint32_t lb_utf8_next(const char **text);

/* A JSON string with its quotes; what acts unseen as \uXXXX. */
void lb_escape_json(lb_doc *doc, const char *text);

/* The others take at most `limit` characters and end in an ellipsis where there are more; 0: all.
 */

/* A JSON string for a <script> block: `<` as \u003c, and characters that act unseen as U+FFFD. */
void lb_escape_script(lb_doc *doc, const char *text, size_t limit);
/* Text and attribute values of HTML. Control and direction characters become U+FFFD: a name must
 * not rearrange the page. */
void lb_escape_html(lb_doc *doc, const char *text, size_t limit);
/* Text and attribute values of XML 1.0; characters that it does not allow or that act unseen become
 * U+FFFD. */
void lb_escape_xml(lb_doc *doc, const char *text, size_t limit);
/* Running text of Markdown (GitHub's), on one line. */
void lb_escape_markdown(lb_doc *doc, const char *text, size_t limit);
/* A code span of Markdown, on one line. An empty text gives nothing. `in_table`: a bar does not end
 * the cell. */
void lb_escape_code_span(lb_doc *doc, const char *text, size_t limit, bool in_table);
/* Text for a terminal, on one line: what moves a cursor or hides becomes U+FFFD, a line end or tab
 * a blank. */
void lb_escape_line(lb_doc *doc, const char *text);
/* A cell of RFC 4180. `is_text`: guard against what spreadsheets take for a formula. */
void lb_escape_csv(lb_doc *doc, const char *text, bool is_text);

#endif
